/** What an audit knows of a model beforehand: its equations as rows, what defines discrete variables, what is driven from outside, its machines. */
import { append } from '../collections/groups.ts';
import type { FlatEquation, FlatModel, Origin } from '../flat/flat.ts';
import { leaves, symbolsOf } from '../symbolic/analyse.ts';
import { scalarise } from '../symbolic/arrays.ts';
import type { Expr, Leaf } from '../symbolic/expr.ts';
import type { AuditChoices } from './choices.ts';
import {
  type AuditCondition,
  type AuditItem,
  type AuditRow,
  expressionsIn,
  type Rows,
  rowsIn,
  rowsOf,
} from './rows.ts';
import type { RecordedValues } from './values.ts';

export interface AuditedMachine {
  /** Slots that tell which state is active. */
  readonly active: readonly number[];
  /** Names of its states. */
  readonly name: string;
  readonly origin: Origin;
  /** Slots that tell by a change that a state was left or entered. */
  readonly marks: readonly number[];
  /** Scalars that transitions set, or that begin anew in a state. */
  readonly set: ReadonlySet<number>;
  /** It exists where these hold. */
  readonly guard: readonly AuditCondition[];
  /** Those that do not wait for others. */
  readonly transitions: readonly {
    /** The slot of the activity of the state that it leaves. */
    readonly from: number;
    readonly condition: Expr;
    readonly events: readonly number[];
    readonly immediate: boolean;
    readonly text: string;
    readonly origin: Origin;
  }[];
}

export interface Model {
  readonly rows: Rows;
  /** All rows, those of branches too. */
  readonly all: readonly AuditRow[];
  /** By discrete scalar: what its value follows from. */
  readonly definitions: ReadonlyMap<number, readonly Expr[]>;
  /** Real scalars that depend on time and discrete variables alone, in all modes, with what each is equal to: what they multiply counts with the value after an event. */
  readonly drivers: ReadonlyMap<number, Expr>;
  /** What built-in components give for the equations that join their parts, and the discrete scalars at whose changes they give something else. */
  readonly joining: { readonly given: ReadonlySet<number>; readonly conditions: ReadonlySet<number> };
  /** What chooses between equations: leaves of conditions of if-equations, and those that equations of Real variables depend on. */
  readonly selectors: readonly Leaf[];
  readonly machines: readonly AuditedMachine[];
  /** By scalar that tells whether a state is active: its machine. */
  readonly machineOf: ReadonlyMap<number, number>;
}

export function modelOf(flat: FlatModel, values: RecordedValues, choices: AuditChoices): Model {
  const rows = rowsOf(flat, values, choices);
  const all = rowsIn(rows.items);
  const machineOf = new Map<number, number>();
  const machines = flat.machines.map((machine, k) => {
    for (const { active } of machine.states) machineOf.set(values.scalarsOf(active)[0]!, k);
    return machineIn(flat, machine, values, choices);
  });
  const definitions = definitionsIn(rows, all, values);
  const selectors = selectorsIn(rows.items, choices);
  const drivers = driversIn(rows, values, choices);
  const joining = joiningIn(flat, values);
  return { rows, all, definitions, drivers, joining, selectors, machines, machineOf };
}

function selectorsIn(items: readonly AuditItem[], choices: AuditChoices): Leaf[] {
  const found = new Set<Leaf>();
  for (const expr of expressionsIn(items, ({ exact }) => !exact))
    for (const leaf of choices.open(expr)) found.add(leaf);
  return [...found];
}

function machineIn(
  flat: FlatModel,
  { states, transitions, guard, origin }: FlatModel['machines'][number],
  values: RecordedValues,
  choices: AuditChoices,
): AuditedMachine {
  const slot = (symbol: number): number => values.slot(values.scalarsOf(symbol)[0]!);
  const conditions = new Set(states.map(({ condition }) => condition));
  const inside = flat.variables.flatMap(({ guard }, symbol) =>
    guard.some(({ condition }) => conditions.has(condition)) ? values.scalarsOf(symbol) : [],
  );
  // A start value that varies is a value on entry, also for variables outside.
  const varies = (leaf: Expr): boolean =>
    leaf.kind !== 'ref' || !['parameter', 'constant'].includes(flat.variables[leaf.symbol]!.variability);
  const shared = flat.variables.flatMap(({ start, guard: own }, symbol) =>
    start && own.length === 0 && leaves(start).some(varies) ? values.scalarsOf(symbol) : [],
  );
  const plain = (expr: Expr): Expr[] => scalarise(flat.pool, values.context, expr);
  const acted = transitions.flatMap(({ actions }) =>
    actions.flatMap(({ target }) => plain(target).flatMap((e) => (e.kind === 'ref' ? [e.symbol] : []))),
  );
  return {
    marks: states.flatMap(({ active, entered }) => [slot(active), slot(entered)]),
    active: states.map(({ active }) => slot(active)),
    name: states.map(({ name }) => name).join(', '),
    origin,
    set: new Set([...inside, ...shared, ...acted, ...begun(flat.initialEquations, conditions, plain)]),
    guard: guard.map(({ condition, value }) => ({
      expr: choices.rewrite(plain(flat.conditions[condition]!.value)[0]!),
      value,
    })),
    transitions: transitions.flatMap(({ from, to, condition, immediate, synchronize, origin: place }) => {
      if (synchronize) return [];
      const text = `${states[from]!.name} to ${states[to]!.name}`;
      const [own] = plain(condition) as [Expr];
      const expr = choices.rewrite(own);
      const events = choices.events(own);
      return [{ from: slot(states[from]!.active), condition: expr, events, immediate, text, origin: place }];
    }),
  };
}

/** Scalars in initial equations of some states. */
function begun(
  equations: readonly FlatEquation[],
  conditions: ReadonlySet<number>,
  plain: (expr: Expr) => Expr[],
  within = false,
): number[] {
  return equations.flatMap((equation) => {
    if (equation.kind === 'if')
      return equation.branches.flatMap(({ condition, body }) =>
        begun(body, conditions, plain, within || (condition !== undefined && conditions.has(condition))),
      );
    if (!within || equation.kind !== 'equal') return [];
    return [...plain(equation.left), ...plain(equation.right)].flatMap(symbolsOf);
  });
}

function definitionsIn(
  { whens }: Rows,
  all: readonly AuditRow[],
  values: RecordedValues,
): Map<number, Expr[]> {
  const definitions = new Map<number, Expr[]>();
  const define = (side: Expr, ...by: readonly Expr[]): void => {
    if (side.kind !== 'ref' || side.order > 0 || !values.isDiscrete(side.symbol)) return;
    for (const expr of by) append(definitions, side.symbol, expr);
  };
  for (const { left, right } of all) {
    define(left, right);
    define(right, left);
  }
  const { pool } = values.flat;
  for (const { branches } of whens) {
    const conditions = branches.flatMap((branch) => branch.conditions);
    for (const { assigned } of branches)
      for (const { scalar, value } of assigned) define(pool.ref(scalar), value, ...conditions);
  }
  return definitions;
}

function joiningIn({ components }: FlatModel, values: RecordedValues): Model['joining'] {
  const wholes = components.filter(({ whole }) => whole);
  const symbols = wholes.flatMap(({ whole }) => [...whole!.symbols]);
  const read = wholes.flatMap(({ inputs }) => inputs.flatMap(({ value }) => symbolsOf(value)));
  const scalars = (list: readonly number[]) => list.flatMap((symbol) => values.scalarsOf(symbol));
  return {
    given: new Set(scalars(symbols)),
    conditions: new Set(scalars(read).filter((scalar) => values.isDiscrete(scalar))),
  };
}

/** Passes through all equations; chains of assignments are mostly written in their order. */
const mostPasses = 20;

function driversIn({ items }: Rows, values: RecordedValues, choices: AuditChoices): Map<number, Expr> {
  const driven = new Map<number, Expr>();
  const isDriven = (expr: Expr): boolean =>
    leaves(expr).every((leaf) => {
      if (leaf.kind === 'held') return choices.operands(choices.list[leaf.relation]!).every(isDriven);
      if (leaf.kind !== 'ref') return true;
      if (leaf.order > 0) return false;
      return values.isFixed(leaf.symbol) || values.isDiscrete(leaf.symbol) || driven.has(leaf.symbol);
    });
  const rows = items.flatMap((item) => (item.kind === 'row' ? [item] : []));
  for (let pass = 0, size = -1; size < driven.size && pass < mostPasses; pass++) {
    size = driven.size;
    for (const { left, right } of rows)
      for (const [own, other] of [
        [left, right],
        [right, left],
      ] as const)
        if (own.kind === 'ref' && own.order === 0 && !values.isFixed(own.symbol) && isDriven(other))
          if (!driven.has(own.symbol)) driven.set(own.symbol, other);
  }
  return driven;
}
