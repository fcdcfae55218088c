/**
 * What an output of a component was when it was last computed. At an instant the equations are evaluated again and again, and most of what they give a
 * component does not change.
 */
export class ComputedOutput {
  /** The state of the component for which it holds. */
  private version = -1;
  private readonly inputs: Float64Array;
  private readonly values: Float64Array;

  constructor(inputs: number, length: number) {
    this.inputs = new Float64Array(inputs);
    this.values = new Float64Array(length);
  }

  /** Whether it holds for a state of the component, and for inputs that lie from a place on. */
  isFor(version: number, from: Float64Array, place: number): boolean {
    const { inputs } = this;
    if (this.version !== version) return false;
    for (let k = 0; k < inputs.length; k++) if (inputs[k] !== from[place + k]) return false;
    return true;
  }

  /** Whether it was computed for a state of the component at all. */
  isKnownAt(version: number): boolean {
    return this.version === version;
  }

  write(to: Float64Array, place: number): void {
    const { values } = this;
    for (let k = 0; k < values.length; k++) to[place + k] = values[k]!;
  }

  /** Takes what was computed into account, and writes it; false where something of it is no number: then it is not kept. */
  take(
    version: number,
    from: Float64Array,
    place: number,
    y: Float64Array,
    start: number,
    to: number,
  ): boolean {
    const { inputs, values } = this;
    let check = 0;
    for (let k = 0; k < values.length; k++) {
      const value = y[start + k]!;
      values[k] = value;
      from[to + k] = value;
      check += value * 0;
    }
    this.version = check === 0 ? version : -1;
    for (let k = 0; k < inputs.length; k++) inputs[k] = from[place + k]!;
    return check === 0;
  }

  /** Takes note of the values on one side of a difference, and with those on the other side of the quotient, for a state of the component and inputs. */
  begin(y: Float64Array, start: number): void {
    const { values } = this;
    for (let k = 0; k < values.length; k++) values[k] = y[start + k]!;
  }

  end(
    version: number,
    from: Float64Array,
    place: number,
    y: Float64Array,
    start: number,
    distance: number,
  ): void {
    const { inputs, values } = this;
    this.version = version;
    for (let k = 0; k < inputs.length; k++) inputs[k] = from[place + k]!;
    for (let k = 0; k < values.length; k++) values[k] = (values[k]! - y[start + k]!) / distance;
  }
}
