/**
 * Declared bounds of values (specification 4.9: `min <= x` and `x <= max` are asserted). A parameter outside its bounds is a
 * mistake in the model or in its use, and an error. A variable outside its bounds may be caused by a start that
 * settles, or by a bound that is meant as a range of validity: it is told once, and the run goes on.
 *
 * Bounds are known after initialisation. Variables are watched where rows of results are written: at events and at
 * outputs. What is not told yet lies in the first `count` places of the arrays.
 */

import { remember } from '../../collections/memo.ts';
import { type Diagnostic, error, warning } from '../../diagnostic/diagnostic.ts';
import { isInvariant, type Scalar } from '../../modes/guarded.ts';
import { withPath } from '../../names/names.ts';
import type { Declared, Layout } from '../../program/components/declaration.ts';
import type { LiveComponent } from '../../program/components/running.ts';
import type { Runtime } from '../../program/runtime.ts';
import { elementName } from '../../results/table/signal.ts';
import type { Expr } from '../../symbolic/expr.ts';

export class Bounds {
  private readonly symbols: Int32Array;
  private readonly slots: Int32Array;
  private readonly low: Float64Array;
  private readonly high: Float64Array;
  count: number;
  /** What components declared and has left its bounds already. */
  private readonly toldOf = new Set<string>();
  /** Of what components declare: what has bounds. */
  private readonly bounded = new WeakMap<Layout, Layout>();

  constructor(
    private readonly runtime: Runtime,
    private readonly tolerance: number,
  ) {
    const bounded = runtime.finding(boundedVariables);
    this.count = bounded.length;
    this.symbols = Int32Array.from(bounded);
    this.slots = Int32Array.from(bounded, (symbol) => runtime.values.slotOf(symbol));
    const ranges = bounded.map((symbol) =>
      this.widened(boundsOf(runtime, symbol), runtime.values.nominalOf(symbol)),
    );
    this.low = Float64Array.from(ranges, ({ min }) => min);
    this.high = Float64Array.from(ranges, ({ max }) => max);
  }

  /** Solutions are known up to the tolerance: a variable that rests on its bound has not left it. */
  private widened({ min, max }: Range, nominal: number): Range {
    const slack = (bound: number): number =>
      Number.isFinite(bound) ? this.tolerance * Math.max(Math.abs(bound), nominal) : 0;
    return { min: min - slack(min), max: max + slack(max) };
  }

  /** What the memory holds outside of bounds for the first time; `present` tells which symbols exist. */
  left(present: Uint8Array): readonly Diagnostic[] {
    const { values } = this.runtime.values.memory;
    const { slots, low, high, symbols } = this;
    let found: Map<unknown, Diagnostic> | undefined;
    for (let i = 0; i < this.count; i++) {
      const value = values[slots[i]!]!;
      const symbol = symbols[i]!;
      if ((value >= low[i]! && value <= high[i]!) || !present[symbol]) continue;
      found ??= new Map();
      const { variable } = this.runtime.model.scalars[symbol]!;
      if (found.has(variable)) continue;
      const { wording } = this.runtime;
      const bounds = boundsOf(this.runtime, symbol);
      const what = told(wording.nameOf(symbol), value, bounds, variable?.literals);
      found.set(variable, this.outside(what, variable?.origin.span));
    }
    const hidden = this.hiddenLeft();
    if (!found) return hidden;
    this.forget(found);
    return [...found.values(), ...hidden];
  }

  /** The same for states and variables of the components that exist. */
  private hiddenLeft(): readonly Diagnostic[] {
    let found: Diagnostic[] | undefined;
    for (const live of this.runtime.components.live) {
      if (live.segments === 0) continue;
      const { states, variables } = remember(this.bounded, live.layout, () => boundedIn(live.layout));
      if (states.length === 0 && variables.length === 0) continue;
      const { x, w } = live.point;
      for (const list of [states, variables]) {
        const values = list === states ? x : w;
        for (const item of list) {
          const { start, length } = item;
          const end = start + length;
          let at = firstOutside(values, start, end, item);
          if (at === end) continue;
          const nominal = list === states ? live.nominals[start]! : 1;
          at = firstOutside(values, at, end, this.widened(item, nominal));
          if (at === end) continue;
          const told = this.outsideOf(live, item, at - start, values[at]!);
          if (told) (found ??= []).push(told);
        }
      }
    }
    return found ?? none;
  }

  private outsideOf(
    { path, component }: LiveComponent,
    item: Declared,
    element: number,
    value: number,
  ): Diagnostic | undefined {
    const { name } = item;
    const key = `${path} ${name}`;
    if (this.toldOf.has(key)) return undefined;
    this.toldOf.add(key);
    const { arrays, origin } = component.flat;
    const span = arrays?.variables.find((variable) => variable.name === name)?.origin.span ?? origin.span;
    return this.outside(told(withPath(path, elementName(item, element)), value, item), span);
  }

  private outside(what: string, span: Diagnostic['span']): Diagnostic {
    const hint = 'This is reported once for each variable; the run goes on.';
    return warning('out-of-bounds', `At time ${this.runtime.values.time}: ${what}.`, { span, hint });
  }

  /** Watches the elements of variables no more. */
  private forget(variables: ReadonlyMap<unknown, unknown>): void {
    const { scalars } = this.runtime.model;
    const { symbols, slots, low, high } = this;
    let kept = 0;
    for (let i = 0; i < this.count; i++) {
      if (variables.has(scalars[symbols[i]!]!.variable)) continue;
      symbols[kept] = symbols[i]!;
      slots[kept] = slots[i]!;
      low[kept] = low[i]!;
      high[kept++] = high[i]!;
    }
    this.count = kept;
  }
}

/** The first place, from one to another, of a value outside of a range; the latter where there is none. */
function firstOutside(values: Float64Array, from: number, to: number, { min, max }: Range): number {
  let at = from;
  while (at < to && values[at]! >= min && values[at]! <= max) at++;
  return at;
}

const none: readonly Diagnostic[] = [];

function boundedIn({ states, variables }: Layout): Layout {
  const isBounded = ({ min, max }: Declared) =>
    min !== Number.NEGATIVE_INFINITY || max !== Number.POSITIVE_INFINITY;
  return { states: states.filter(isBounded), variables: variables.filter(isBounded) };
}

interface Range {
  readonly min: number;
  readonly max: number;
}

/** `x is 3, above its max = 2`; values of enumerations have their names. */
function told(name: string, value: number, { min, max }: Range, literals?: readonly string[]): string {
  const shown = (one: number): string => literals?.[one - 1] ?? `${one}`;
  const side = value < min ? `below its min = ${shown(min)}` : `above its max = ${shown(max)}`;
  return `${name} is ${shown(value)}, ${side}`;
}

const boundedSymbols = ({ model: { scalars } }: Runtime): number[] =>
  [...scalars.keys()].filter((symbol) => scalars[symbol]!.min || scalars[symbol]!.max);

const isChanging = (scalar: Scalar): boolean => scalar.kind !== 'parameter' || isInvariant(scalar);

/** Those that are watched, and those whose values are known when a run begins. */
const boundedVariables = (runtime: Runtime): readonly number[] =>
  boundedSymbols(runtime).filter((symbol) => isChanging(runtime.model.scalars[symbol]!));

const boundedParameters = (runtime: Runtime): readonly number[] =>
  boundedSymbols(runtime).filter((symbol) => !isChanging(runtime.model.scalars[symbol]!));

/** Parameters outside their bounds: those that initial equations determine (`free`), or all others. */
export function badParameters(runtime: Runtime, free: boolean): Diagnostic[] {
  const { scalars } = runtime.model;
  return runtime.finding(boundedParameters).flatMap((symbol) => {
    const { variable } = scalars[symbol]!;
    if ((variable?.fixed === false) !== free) return [];
    const value = runtime.values.getVariable(symbol);
    const bounds = boundsOf(runtime, symbol);
    if (!(value < bounds.min || value > bounds.max)) return [];
    const { span, given } = variable?.origin ?? {};
    const described = variable?.description
      ? [{ message: `it is described as "${variable.description}"` }]
      : [];
    const what = told(runtime.wording.nameOf(symbol), value, bounds, variable?.literals);
    return [
      error('out-of-bounds', `The parameter ${what}.`, {
        span: given ?? span,
        hint: 'Give it a value between its bounds, or declare others.',
        notes: described,
      }),
    ];
  });
}

function boundsOf(runtime: Runtime, symbol: number): Range {
  const { min, max } = runtime.model.scalars[symbol]!;
  const value = (bound: Expr | undefined, without: number): number => {
    const known = bound ? runtime.values.evaluate(bound) : Number.NaN;
    return Number.isNaN(known) ? without : known;
  };
  return { min: value(min, Number.NEGATIVE_INFINITY), max: value(max, Number.POSITIVE_INFINITY) };
}
