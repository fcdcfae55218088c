/**
 * What an output of a component was computed for when it was last computed. At an instant the equations are evaluated again and again, and most of what they give a
 * component does not change: its value is where the component has written it, as long as it has not computed another one.
 */
export class ComputedOutput {
  /** The state of the component for which it holds. */
  private version = -1;
  private readonly inputs: Float64Array;

  constructor(inputs: number) {
    this.inputs = new Float64Array(inputs);
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

  /** It holds for this. */
  note(version: number, from: Float64Array, place: number): void {
    const { inputs } = this;
    this.version = version;
    for (let k = 0; k < inputs.length; k++) inputs[k] = from[place + k]!;
  }

  forget(): void {
    this.version = -1;
  }
}

/** The change of an output in a direction: its inputs are those of the output and the direction. */
export class OutputQuotient extends ComputedOutput {
  private readonly values: Float64Array;

  constructor(inputs: number, length: number) {
    super(2 * inputs);
    this.values = new Float64Array(length);
  }

  write(to: Float64Array, place: number): void {
    const { values } = this;
    for (let k = 0; k < values.length; k++) to[place + k] = values[k]!;
  }

  /** Takes note of the values on one side of a difference; with those on the other side, of the quotient. */
  begin(y: Float64Array, start: number): void {
    const { values } = this;
    for (let k = 0; k < values.length; k++) values[k] = y[start + k]!;
  }

  end(y: Float64Array, start: number, distance: number): void {
    const { values } = this;
    for (let k = 0; k < values.length; k++) values[k] = (values[k]! - y[start + k]!) / distance;
  }
}
