/**
 * Outputs of a component on which inputs act directly, and their changes in a direction, as difference quotients. What was last computed is kept: at an instant the equations
 * ask for the same again and again.
 */
import type { Point } from '../../builtin/component.ts';
import { grouped } from '../../collections/groups.ts';
import { remember } from '../../collections/memo.ts';
import type { FlatComponent } from '../../flat/flat.ts';
import type { Component } from '../../modes/guarded.ts';
import type { ComponentCode } from '../../symbolic/function.ts';
import { ComputedOutput, OutputQuotient } from './computed.ts';
import { placesOf } from './instance.ts';

/** Relative change of inputs in a difference quotient. */
const difference = 1e-7;

/** A component that computes such outputs. */
interface Computing {
  readonly point: Point;
  /** Number of its state: as long as it is the same, an output follows from its inputs. */
  readonly version: number;
  /** Lets it compute an output for the inputs that are in place. */
  computeDirect(output: number): void;
  /** Takes note of element i of all outputs: it is no number. */
  noteDirect(i: number): void;
}

export class DirectOutputs {
  /** By output: where the inputs lie that act on it directly. */
  private readonly direct: readonly Int32Array[];
  /** By output. */
  private readonly computed: readonly ComputedOutput[];
  /** By output: its change in the direction that was last asked for, and all outputs with the same inputs. */
  private readonly quotients: readonly OutputQuotient[];
  private readonly alike: readonly (readonly number[])[];

  constructor(
    private readonly component: Component,
    private readonly live: Computing,
  ) {
    const { direct, alike } = remember(dependencies, component.flat, () => dependenciesOf(component.flat));
    this.direct = direct;
    this.alike = alike;
    this.computed = this.direct.map((inputs) => new ComputedOutput(inputs.length));
    this.quotients = component.outputs.map(
      ({ length, direct }, output) => new OutputQuotient(this.direct[output]!.length, direct ? length : 0),
    );
  }

  /** One output for the inputs that act on it, or its change in a direction. */
  write({ output, derivative }: ComponentCode, values: Float64Array, inputs: number, outputs: number): void {
    const { start, length } = this.component.outputs[output]!;
    const { y } = this.live.point;
    if (!derivative) {
      const computed = this.computed[output]!;
      const { version } = this.live;
      const isKnown = computed.isFor(version, values, inputs);
      if (!isKnown) this.placeDirect(output, values, inputs, 0, 0);
      let check = 0;
      for (let k = 0; k < length; k++) {
        const value = y[start + k]!;
        values[outputs + k] = value;
        check += value * 0;
      }
      if (isKnown) return;
      if (check === 0) computed.note(version, values, inputs);
      else this.noteDirect(output);
      return;
    }
    const count = this.direct[output]!.length;
    let size = 0;
    let move = 0;
    for (let k = 0; k < count; k++) {
      size = Math.max(size, Math.abs(values[inputs + k]!));
      move = Math.max(move, Math.abs(values[inputs + count + k]!));
    }
    const step = move === 0 ? 0 : (difference * Math.max(size, 1)) / move;
    if (step === 0) {
      values.fill(0, outputs, outputs + length);
      return;
    }
    const quotient = this.quotients[output]!;
    if (!quotient.isFor(this.live.version, values, inputs))
      this.differ(output, values, inputs, count, step, quotient);
    quotient.write(values, outputs);
  }

  /**
   * The change of an output in a direction, by a difference; with it those of other outputs with the same inputs that were asked for in this state before: to go from one
   * side to the other costs a component more than to compute another output there.
   */
  private differ(
    output: number,
    values: Float64Array,
    inputs: number,
    count: number,
    step: number,
    own: OutputQuotient,
  ): void {
    const { outputs } = this.component;
    const { y } = this.live.point;
    const others = this.alike[output]!;
    // Another output may have left the inputs on one side: a component that finds itself where it was has less to do.
    const first = this.isPlaced(output, values, inputs, count, -step) ? -step : step;
    for (const side of [first, -first]) {
      const isFirst = side === first;
      for (let k = -1; k < others.length; k++) {
        const at = k < 0 ? output : others[k]!;
        const quotient = k < 0 ? own : this.quotients[at]!;
        if (k >= 0 && (at === output || !quotient.isKnownAt(this.live.version))) continue;
        const { start } = outputs[at]!;
        this.placeDirect(at, values, inputs, count, side);
        if (isFirst) quotient.begin(y, start);
        else {
          quotient.end(y, start, 2 * first);
          quotient.note(this.live.version, values, inputs);
        }
      }
    }
  }

  /** Whether inputs are where `placeDirect` would put them. */
  private isPlaced(
    output: number,
    values: Float64Array,
    inputs: number,
    direction: number,
    step: number,
  ): boolean {
    const { u } = this.live.point;
    const places = this.direct[output]!;
    for (let k = 0; k < places.length; k++)
      if (u[places[k]!] !== values[inputs + k]! + step * values[inputs + direction + k]!) return false;
    return true;
  }

  /** Takes note of an output that is no number although its inputs are; iterations may pass through such points. */
  private noteDirect(output: number): void {
    const { start, length } = this.component.outputs[output]!;
    const { u, y } = this.live.point;
    let bad = -1;
    for (let i = start; i < start + length && bad < 0; i++) if (!Number.isFinite(y[i]!)) bad = i;
    if (bad >= 0 && this.direct[output]!.every((place) => Number.isFinite(u[place]!)))
      this.live.noteDirect(bad);
  }

  /** Puts inputs, moved by `step` along a direction, where the component looks for them, and lets it compute an output. */
  private placeDirect(
    output: number,
    values: Float64Array,
    inputs: number,
    direction: number,
    step: number,
  ): void {
    const { u } = this.live.point;
    const places = this.direct[output]!;
    this.computed[output]!.forget();
    if (step === 0) for (let k = 0; k < places.length; k++) u[places[k]!] = values[inputs + k]!;
    else
      for (let k = 0; k < places.length; k++)
        u[places[k]!] = values[inputs + k]! + step * values[inputs + direction + k]!;
    this.live.computeDirect(output);
  }
}

/** By output: where the inputs lie that act on it directly, and all outputs with the same ones. They are the same in all runs. */
interface Dependencies {
  readonly direct: readonly Int32Array[];
  readonly alike: readonly (readonly number[])[];
}

const dependencies = new WeakMap<FlatComponent, Dependencies>();

function dependenciesOf(flat: FlatComponent): Dependencies {
  const direct = directPlaces(flat);
  const acted = [...direct.keys()].filter((output) => direct[output]!.length > 0);
  const alike: (readonly number[])[] = direct.map(() => []);
  for (const group of grouped(acted, (output) => direct[output]!.join()).values())
    for (const output of group) alike[output] = group;
  return { direct, alike };
}

function directPlaces({ inputs, outputs, builtIn }: FlatComponent): Int32Array[] {
  const places = [...placesOf(inputs)];
  return outputs.map(({ name }) => {
    const names = builtIn.outputs?.[name] ?? [];
    const acting = places.filter(([input]) => names.includes(input));
    return Int32Array.from(
      acting.flatMap(([, { start, length }]) => Array.from({ length }, (_, k) => start + k)),
    );
  });
}
