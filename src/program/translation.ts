/** Translations: a model with everything that is made from it and lasts beyond a run. */
import type { Diagnostic } from '../diagnostic/diagnostic.ts';
import type { ArrayValues, FlatModel, FlatVariable } from '../flat/flat.ts';
import { differenceOf } from '../modes/compare.ts';
import type { Component, GuardedModel } from '../modes/guarded.ts';
import { elementSymbols } from '../modes/variables.ts';
import type { Expr } from '../symbolic/expr.ts';
import { ModeBank } from './cache.ts';
import { restructuring } from './mode/analyse.ts';
import { type BackEnd, Runtime, type Values } from './runtime.ts';
import type { ScheduledRows } from './ticks.ts';

/** Values of a variable of the flat model. */
export type Given = ArrayValues;

export interface Prepared {
  readonly translation: Translation;
  readonly isNew: boolean;
  readonly diagnostics: readonly Diagnostic[];
  readonly inputs: ScheduledRows | undefined;
}

/** A model with everything that is made from it and lasts: memory layout, code, modes. */
export class Translation {
  readonly flat: FlatModel;
  readonly model: GuardedModel;
  readonly manner: string;
  readonly runtime: Runtime;
  readonly bank: ModeBank;
  private readonly symbols: ReadonlyMap<FlatVariable, readonly number[]>;
  /** Whether all that was begun was also ended. */
  isWhole = true;

  constructor(
    flat: FlatModel,
    model: GuardedModel,
    manner: string,
    backEnd: BackEnd,
    { keptModes, singleMode }: { readonly keptModes: number; readonly singleMode: boolean },
  ) {
    this.flat = flat;
    this.model = model;
    this.manner = manner;
    this.runtime = new Runtime(model, backEnd);
    this.bank = new ModeBank(this.runtime, keptModes, singleMode);
    this.symbols = elementSymbols(model.scalars);
  }

  /** Work on it was stopped halfway: no other run may build on it. */
  abandon(): void {
    this.isWhole = false;
  }

  valuesOf(given: readonly Given[]): Values {
    return scalarValues(this.model, this.symbols, given);
  }

  /** What is different in the structure of another model. */
  differenceTo(model: GuardedModel): string | undefined {
    this.bank.begin();
    return differenceOf(this.model, model);
  }

  /** Whether arrays were solved in a way that scalars might have to help out of. */
  get assumes(): boolean {
    return this.model.components.some(({ flat }) => flat.arrays?.assumes);
  }

  /** Whether arrays stay arrays in it. */
  get hasArrays(): boolean {
    return this.model.components.some(({ flat }) => flat.arrays !== undefined);
  }

  /** Begins a run of a model of the same structure with these values; tells why they do not fit where they do not. */
  begin(values: Values, { components }: GuardedModel, given: readonly Given[]): string | undefined {
    const { runtime } = this;
    this.bank.begin();
    runtime.begin(
      values,
      components.map((component) => withValues(component, given)),
    );
    const symbols = restructuring(runtime);
    if (!symbols) return undefined;
    const names = new Set(symbols.map((symbol) => runtime.nameOf(symbol)));
    return `the value of ${[...names].join(', ')} changes the structure of the equations`;
  }
}

/** A component with what is given for the variables that it stands for, and for its parameters. */
export function withValues(component: Component, given: readonly Given[]): Component {
  const { arrays } = component.flat;
  if (!arrays) return withParameters(component, given);
  const own = given.filter(({ variable }) => arrays.variables.includes(variable));
  if (own.length === 0) return component;
  return { ...component, flat: { ...component.flat, builtIn: arrays.with(own) } };
}

function withParameters(component: Component, given: readonly Given[]): Component {
  const values = given.filter(({ attribute }) => attribute === 'value');
  if (values.length === 0) return component;
  const parameters = new Map(component.parameters);
  for (const [name, parameter] of parameters) {
    const elements: (number | string | Expr)[] = [...parameter.elements];
    let isGiven = false;
    for (const { variable, first = 0, values: own } of values) {
      if (variable !== parameter.variable) continue;
      isGiven = true;
      for (const [k, value] of own.entries()) elements[first + k] = value;
    }
    if (isGiven) parameters.set(name, { ...parameter, elements });
  }
  return { ...component, parameters };
}

export function scalarValues(
  { scalars }: GuardedModel,
  symbols: ReadonlyMap<FlatVariable, readonly number[]>,
  given: readonly Given[],
): Values {
  const values = new Map<number, number | string>();
  for (const { variable, first = 0, attribute, values: own } of given) {
    const all = symbols.get(variable);
    // What arrays have is given to their component.
    if (!all) continue;
    for (const [element, value] of own.entries()) {
      const symbol = all[first + element]!;
      values.set(attribute === 'value' ? symbol : scalars[symbol]!.startSymbol!, value);
    }
  }
  return values;
}
