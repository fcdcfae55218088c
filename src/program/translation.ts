/** Translations: a model with everything that is made from it and lasts beyond a run. */
import { interpretUnit } from '../code/interpret.ts';
import { compileUnit } from '../code/wasm.ts';
import type { DiagnosticCode } from '../diagnostic/codes.ts';
import type { Diagnostic } from '../diagnostic/diagnostic.ts';
import type { Failure } from '../diagnostic/failure.ts';
import { withFields } from '../fields/index.ts';
import type { ArrayValues, FlatModel, FlatVariable } from '../flat/flat.ts';
import type { Component, GuardedModel } from '../modes/guarded.ts';
import { lowerModel } from '../modes/lower.ts';
import { withSliding } from '../modes/sliding.ts';
import { elementSymbols } from '../modes/variables.ts';
import type { Expr } from '../symbolic/expr.ts';
import { ModeBank } from './cache.ts';
import type { Needs, WrittenPaths } from './components/equations.ts';
import type { GivenValues } from './evaluation.ts';
import { restructuring } from './mode/analyse.ts';
import { requireOneStructure } from './onestructure.ts';
import { Runtime } from './runtime.ts';
import type { ScheduledRows } from './ticks.ts';

/** Values of a variable of the flat model. */
export type Given = ArrayValues;

export interface Prepared {
  readonly translation: Translation;
  readonly isNew: boolean;
  readonly diagnostics: readonly Diagnostic[];
  readonly inputs: ScheduledRows | undefined;
}

/** How a model is translated: what a run asks for, and what turned out to be needed. */
export interface Manner {
  readonly sliding: boolean;
  readonly singleMode: boolean;
  readonly keptModes: number;
  /** Code is interpreted. */
  readonly interpret: boolean;
  /** Built-in components that stand in it with their equations. */
  readonly written: WrittenPaths;
  /** All arrays are written out. */
  readonly scalars: boolean;
}

/** Translations with the same text can stand for each other. */
export function mannerText({ sliding, singleMode, keptModes, interpret, written, scalars }: Manner): string {
  return JSON.stringify({ sliding, singleMode, keptModes, interpret, written: [...written], scalars });
}

/** The equations that are worked with: arrays that can stay arrays are one component, all else is scalar. */
export function lowered(flat: FlatModel, { sliding, singleMode, written, scalars }: Manner): GuardedModel {
  const model = lowerModel(scalars ? flat : withFields(flat, { relations: !sliding }), written);
  if (singleMode) requireOneStructure(model);
  return sliding ? withSliding(model) : model;
}

/** Systems of equations that have no solution. */
const unsolvable: ReadonlySet<DiagnosticCode> = new Set(['singular-system', 'not-converged', 'event-cycle']);

/** Mistakes that are the same however arrays are computed. */
const final: ReadonlySet<DiagnosticCode> = new Set([
  'assertion',
  'bad-evaluation',
  'bad-input',
  'index-out-of-range',
  'limit-exceeded',
  'out-of-bounds',
]);

/** A model with everything that is made from it and lasts: memory layout, code, modes. */
export class Translation {
  readonly manner: string;
  readonly runtime: Runtime;
  readonly bank: ModeBank;
  private readonly symbols: ReadonlyMap<FlatVariable, readonly number[]>;
  /** Parameters for which the structure is known to be what was found. */
  private fitting: object | undefined;
  /** Whether all that was begun was also ended: where work was stopped halfway, no other run may build on it. */
  isWhole = true;

  constructor(
    readonly flat: FlatModel,
    manner: Manner,
    readonly model: GuardedModel = lowered(flat, manner),
  ) {
    this.manner = mannerText(manner);
    this.runtime = new Runtime(model, manner.interpret ? interpretUnit : compileUnit);
    this.bank = new ModeBank(this.runtime, manner.keptModes, manner.singleMode);
    this.symbols = elementSymbols(model.scalars);
  }

  valuesOf(given: readonly Given[]): GivenValues {
    return scalarValues(this.model, this.symbols, given);
  }

  /** Whether arrays stay arrays in it. */
  get hasArrays(): boolean {
    return this.model.components.some(({ flat }) => flat.arrays !== undefined);
  }

  /** With what a run has to begin again that came to its end, or failed, at the start or `later`. */
  takeNeeds(failure: Failure | undefined, later: boolean): Needs | undefined {
    const needs = this.runtime.components.takeNeeds();
    return (
      needs ?? (failure && this.needsScalars(failure, later) ? { scalars: true, equations: [] } : undefined)
    );
  }

  /**
   * Whether what went wrong may go well with all arrays written out: scalars can be differentiated, their conditions choose between
   * structures, nothing is assumed about what equations are divided by, and equations can be named. What users say, or forget to say,
   * stays as it is.
   */
  private needsScalars({ diagnostics }: Failure, later: boolean): boolean {
    if (!this.hasArrays) return false;
    if (this.model.components.some(({ flat }) => flat.arrays?.assumes)) return true;
    const { code } = diagnostics[0]!;
    if (later) return unsolvable.has(code);
    return !final.has(code) || this.runtime.components.live.some(({ unexplained }) => unexplained);
  }

  /** Begins a run of a model of the same structure with these values; tells why they do not fit where they do not. */
  begin(values: GivenValues, { components }: GuardedModel, given: readonly Given[]): string | undefined {
    const { runtime } = this;
    this.bank.begin();
    const valued = components.map((component) => withValues(component, given));
    runtime.begin(values, valued);
    const { known } = runtime.values;
    if (known && known === this.fitting) return undefined;
    const symbols = restructuring(runtime);
    this.fitting = symbols ? undefined : known;
    if (!symbols) return undefined;
    const names = new Set(symbols.map((symbol) => runtime.wording.nameOf(symbol)));
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
  let isOther = false;
  for (const [name, parameter] of component.parameters) {
    const elements: (number | string | Expr)[] = [...parameter.elements];
    let isGiven = false;
    for (const { variable, first = 0, values: own } of values) {
      if (variable !== parameter.variable) continue;
      isGiven = true;
      for (const [k, value] of own.entries()) elements[first + k] = value;
    }
    if (!isGiven) continue;
    isOther = true;
    parameters.set(name, { ...parameter, elements });
  }
  return isOther ? { ...component, parameters } : component;
}

export function scalarValues(
  { scalars }: GuardedModel,
  symbols: ReadonlyMap<FlatVariable, readonly number[]>,
  given: readonly Given[],
): GivenValues {
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
