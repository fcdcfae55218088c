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

  write(to: Float64Array, place: number): void {
    const { values } = this;
    for (let k = 0; k < values.length; k++) to[place + k] = values[k]!;
  }

  keep(version: number, from: Float64Array, place: number, y: Float64Array, start: number): void {
    const { inputs, values } = this;
    this.version = version;
    for (let k = 0; k < inputs.length; k++) inputs[k] = from[place + k]!;
    for (let k = 0; k < values.length; k++) values[k] = y[start + k]!;
  }
}
