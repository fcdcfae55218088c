/**
 * Variables that parameters alone determine, although they are declared as variables: a planner of motions computes from its limits at which times it accelerates
 * and brakes. They are parameters in all but name. Taken as such, what is compared with them causes no events but those of time, what they decide on is known
 * before the run, and their derivatives are zero.
 *
 * Only those are looked for that comparisons, bends and conditions depend on; all others cost no more as variables. So are those whose value comes from functions that
 * call impure ones and do not say so, as `initializeImpureRandom` of the Modelica Standard Library does: what is done in them is to be done once. They are looked for
 * twice: by symbols of the flat model, which leaves few equations, and then element by element in these, as they are written out.
 */
import { append } from '../collections/groups.ts';
import type { FlatEquality, FlatEquation, FlatFor, FlatIf, FlatModel, FlatVariable } from '../flat/flat.ts';
import { eachNode, leaves, reachable, symbolsOf } from '../symbolic/analyse.ts';
import type { Expr, Op } from '../symbolic/expr.ts';
import { type FunctionDef, statementExpressions, statementsIn } from '../symbolic/function.ts';
import type { Pool } from '../symbolic/pool.ts';

/** An equation between scalars, before events are made explicit. */
export interface Row {
  readonly left: Expr;
  readonly right: Expr;
}

/** What turns parts of the flat model into scalars. */
export interface Writer {
  readonly pool: Pool;
  /** The rows of an equality, one after the other for all values of iterators around it. */
  rowsOf(equality: FlatEquality, around: readonly FlatFor[]): readonly Row[];
  condition(number: number): Expr;
  /** Whether a scalar is known before the run, and whether it may become so. */
  isKnown(scalar: number): boolean;
  mayBecomeKnown(scalar: number): boolean;
}

export interface Invariants {
  /** By scalar: its value, in an order in which they can be computed. */
  readonly values: ReadonlyMap<number, Expr>;
  /** The equations that say so, which are none of the model any more. */
  readonly rows: readonly Row[];
}

export function invariantsOf(flat: FlatModel, writer: Writer): Invariants {
  const units = unitsOf(flat);
  const known = knownSymbols(flat, units);
  const acting = new Acting(flat.functions);
  const wanted = wantedSymbols(flat, units, known, acting);
  if (wanted.size === 0) return { values: new Map(), rows: [] };
  const isOpen = (symbol: number) => wanted.has(symbol) && !isParameter(flat.variables[symbol]!);
  const isAll = (symbols: readonly number[]) => symbols.every((s) => known.has(s)) && symbols.some(isOpen);
  const own = units.filter(({ symbols }) => isAll(symbols));
  const others = units.filter(({ symbols, sides }) => !isAll(symbols) && isAll(sides));
  return new Elements(writer, acting).found(own, others);
}

// -------------------------------------------------------------- symbols

/** An equality with what stands around it: loops, and the branch of an if-equation. */
interface Unit {
  readonly equality: FlatEquality;
  readonly around: readonly FlatFor[];
  readonly within: FlatIf | undefined;
  readonly branch: number;
  /** Symbols of the equality, and of it and the conditions of its if-equation. */
  readonly sides: readonly number[];
  readonly symbols: readonly number[];
}

function unitsOf(flat: FlatModel): Unit[] {
  const units: Unit[] = [];
  const add = (
    equality: FlatEquality,
    around: readonly FlatFor[],
    within?: FlatIf,
    branch = 0,
    deciding: readonly number[] = [],
  ): void => {
    const { left, right } = equality;
    if (changes(left) || changes(right)) return;
    const sides = [...new Set([...symbolsOf(left), ...symbolsOf(right)])];
    const symbols = deciding.length > 0 ? [...new Set([...sides, ...deciding])] : sides;
    units.push({ equality, around, within, branch, sides, symbols });
  };
  const visit = (equation: FlatEquation, around: readonly FlatFor[]): void => {
    if (equation.kind === 'equal') add(equation, around);
    if (equation.kind === 'for') for (const inner of equation.body) visit(inner, [...around, equation]);
    if (equation.kind !== 'if' || around.length > 0) return;
    const conditions = equation.branches.flatMap(({ condition }) =>
      condition === undefined ? [] : [flat.conditions[condition]!.value],
    );
    if (conditions.some(changes)) return;
    const deciding = [...new Set(conditions.flatMap(symbolsOf))];
    for (const [k, { body }] of equation.branches.entries())
      for (const inner of body) if (inner.kind === 'equal') add(inner, [], equation, k, deciding);
  };
  for (const equation of flat.equations) visit(equation, []);
  return units;
}

/** Operators whose results may change although their arguments do not, or that are no numbers. */
const changing: ReadonlySet<Op> = new Set<Op>([
  'der',
  'initial',
  'terminal',
  'sample',
  'edge',
  'change',
  'homotopy',
  'string',
  'concat',
  'pad',
  'format',
  'order',
]);

const changes = (expr: Expr): boolean =>
  reachable(
    expr,
    (e) =>
      e.kind === 'time' ||
      e.kind === 'pre' ||
      e.kind === 'held' ||
      e.kind === 'text' ||
      (e.kind === 'ref' && e.order > 0) ||
      (e.kind === 'apply' && changing.has(e.op)),
  );

const isParameter = ({ variability }: FlatVariable): boolean =>
  variability === 'parameter' || variability === 'constant';

/** Parameters that are known before the run, and what may follow from them: a symbol that is alone unknown in an equality. */
function knownSymbols(flat: FlatModel, units: readonly Unit[]): Set<number> {
  const known = new Set<number>();
  const open: number[] = [];
  const excluded = determinedElsewhere(flat);
  const know = (symbol: number): void => {
    if (known.has(symbol)) return;
    known.add(symbol);
    open.push(symbol);
  };
  const free = openSymbols(flat);
  for (const [symbol, variable] of flat.variables.entries())
    if (isParameter(variable) && !free.has(symbol)) know(symbol);
  const unitsWith = new Map<number, Unit[]>();
  for (const unit of units) for (const symbol of unit.symbols) append(unitsWith, symbol, unit);
  const missing = new Map(units.map((unit) => [unit, unit.symbols.length]));
  const conclude = (unit: Unit): void => {
    const last = unit.symbols.find((symbol) => !known.has(symbol));
    if (last === undefined || excluded.has(last)) return;
    if (isPlainVariable(flat.variables[last]!)) know(last);
  };
  for (const unit of units) if (unit.symbols.length === 1) conclude(unit);
  for (let symbol = open.pop(); symbol !== undefined; symbol = open.pop())
    for (const unit of unitsWith.get(symbol) ?? []) {
      const left = missing.get(unit)! - 1;
      missing.set(unit, left);
      if (left === 1) conclude(unit);
    }
  return known;
}

/** A variable of which nothing but its equations is said. */
const isPlainVariable = (variable: FlatVariable): boolean =>
  !isParameter(variable) &&
  variable.causality !== 'input' &&
  !variable.flow &&
  !variable.potential &&
  variable.type !== 'String' &&
  !variable.engine &&
  !variable.driven &&
  !variable.copy &&
  !variable.kept &&
  variable.guard.length === 0 &&
  variable.stateSelect !== 'always' &&
  variable.fixed === undefined;

/** Parameters that initial equations determine, and those that are computed from them. */
function openSymbols({ variables }: FlatModel): Set<number> {
  const open = new Set<number>();
  const users = new Map<number, number[]>();
  const due: number[] = [];
  const add = (symbol: number): void => {
    if (open.has(symbol)) return;
    open.add(symbol);
    due.push(symbol);
  };
  for (const [symbol, { variability, fixed, binding }] of variables.entries()) {
    if (variability !== 'parameter') continue;
    if (binding) for (const used of symbolsOf(binding)) append(users, used, symbol);
    else if (fixed === false || (Array.isArray(fixed) && fixed.includes(false))) add(symbol);
  }
  for (let symbol = due.pop(); symbol !== undefined; symbol = due.pop())
    for (const user of users.get(symbol) ?? []) add(user);
  return open;
}

/** Symbols that more than equalities speak of as something that changes: clauses, sections, machines, clocks, components, initial equations, `der` and `pre`. */
function determinedElsewhere(flat: FlatModel): Set<number> {
  const found = new Set<number>();
  const add = (...exprs: readonly (Expr | undefined)[]): void => {
    for (const expr of exprs) if (expr) for (const symbol of symbolsOf(expr)) found.add(symbol);
  };
  const visit = (equation: FlatEquation): void => {
    switch (equation.kind) {
      case 'equal':
        addChanging([equation.left, equation.right], found);
        return;
      case 'for':
        equation.body.forEach(visit);
        return;
      case 'if':
        for (const { body } of equation.branches) body.forEach(visit);
        return;
      case 'call':
        add(...equation.outputs);
        return;
      case 'when':
        for (const { condition, body } of equation.branches) {
          addChanging([condition], found);
          for (const action of body)
            if (action.kind === 'assign' || action.kind === 'reinit') add(action.target);
        }
        return;
      case 'assert':
        return;
      case 'algorithm':
      case 'clocked':
        addAll(equation, found);
        return;
    }
  };
  flat.equations.forEach(visit);
  for (const { value } of flat.conditions) addChanging([value], found);
  for (const part of [flat.initialEquations, flat.machines, flat.clocks]) addAll(part, found);
  for (const component of flat.components) {
    for (const { value } of component.outputs) add(value);
    addAll(component.equations, found);
  }
  return found;
}

/** Symbols below `der`, `pre` and their relatives. */
function addChanging(roots: readonly Expr[], found: Set<number>): void {
  eachNode(roots, (node) => {
    if (node.kind === 'pre' || (node.kind === 'ref' && node.order > 0)) found.add(node.symbol);
    if (node.kind === 'apply' && ['der', 'edge', 'change'].includes(node.op))
      for (const symbol of symbolsOf(node)) found.add(symbol);
  });
}

/** All symbols in a part of the model, wherever they stand in it. */
function addAll(part: unknown, found: Set<number>): void {
  const seen = new Set<object>();
  const open: unknown[] = [part];
  while (open.length > 0) {
    const item = open.pop();
    if (typeof item !== 'object' || item === null || seen.has(item)) continue;
    seen.add(item);
    for (const [key, value] of Object.entries(item)) {
      if (key === 'symbol' && typeof value === 'number') found.add(value);
      else if (key !== 'origin' && key !== 'span') open.push(value);
    }
  }
}

/** Operators that cause events, or may. */
const eventful: ReadonlySet<Op> = new Set<Op>([
  'lt',
  'le',
  'gt',
  'ge',
  'abs',
  'sign',
  'min',
  'max',
  'minOf',
  'maxOf',
  'minOver',
  'maxOver',
  'floor',
  'ceil',
  'idiv',
  'mod',
  'rem',
]);

/** Known symbols that comparisons, bends and conditions depend on, and results of functions that act, directly or through equalities of what is known. */
function wantedSymbols(
  flat: FlatModel,
  units: readonly Unit[],
  known: ReadonlySet<number>,
  acting: Acting,
): Set<number> {
  const wanted = new Set<number>();
  const open: number[] = [];
  const want = (symbol: number): void => {
    if (wanted.has(symbol) || !known.has(symbol) || isParameter(flat.variables[symbol]!)) return;
    wanted.add(symbol);
    open.push(symbol);
  };
  if (known.size === 0) return wanted;
  for (const { value } of flat.conditions) symbolsOf(value).forEach(want);
  for (const { equality, sides } of units)
    if ([equality.left, equality.right].some((side) => acting.isCalledIn(side))) sides.forEach(want);
  eachNode(expressionsOf(flat.equations), (node) => {
    if (node.kind !== 'apply') return;
    if (eventful.has(node.op)) symbolsOf(node).forEach(want);
    if (node.op === 'if') symbolsOf(node.args[0]!).forEach(want);
  });
  const unitsWith = new Map<number, Unit[]>();
  for (const unit of units)
    if (unit.symbols.every((symbol) => known.has(symbol)))
      for (const symbol of unit.symbols) append(unitsWith, symbol, unit);
  for (let symbol = open.pop(); symbol !== undefined; symbol = open.pop())
    for (const unit of unitsWith.get(symbol) ?? []) unit.symbols.forEach(want);
  return wanted;
}

function* expressionsOf(equations: readonly FlatEquation[]): Generator<Expr> {
  for (const equation of equations) {
    if (equation.kind === 'equal') yield* [equation.left, equation.right];
    if (equation.kind === 'for') yield* expressionsOf(equation.body);
    if (equation.kind === 'if') for (const { body } of equation.branches) yield* expressionsOf(body);
    if (equation.kind === 'when') for (const { condition } of equation.branches) yield condition;
  }
}

// -------------------------------------------------------------- elements

/** A way to compute a scalar: its value, and the equations that say so. */
interface Definition {
  readonly target: number;
  readonly value: Expr;
  readonly rows: readonly Row[];
  /** How many of the scalars that it needs are not known. */
  missing: number;
}

class Elements {
  private values = new Map<number, Expr>();
  private used = new Set<Row>();
  private readonly definitions: Definition[] = [];
  /** All equations between what may be known, and scalars that stay variables because more than their definition says what they are. */
  private readonly rows: Row[] = [];
  private readonly contested = new Set<number>();

  constructor(
    private readonly writer: Writer,
    private readonly acting: Acting,
  ) {}

  /** From equations between what may be known; `others` are those of branches that may come into force or not. */
  found(units: readonly Unit[], others: readonly Unit[]): Invariants {
    const branched = new Map<FlatIf, Unit[]>();
    for (const unit of units) {
      if (unit.within) append(branched, unit.within, unit);
      else for (const row of this.rowsOf(unit)) this.define(row);
    }
    for (const [whole, own] of branched) this.defineByBranches(whole, own);
    for (const unit of others) this.rowsOf(unit);
    do this.conclude();
    while (this.contest());
    return { values: this.values, rows: [...this.used] };
  }

  private rowsOf({ equality, around }: Unit): readonly Row[] {
    const rows = this.writer.rowsOf(equality, around);
    this.rows.push(...rows);
    return rows;
  }

  /** An equation that determines nothing any more is told of by what it contains: that stays. True if there is one. */
  private contest(): boolean {
    const before = this.contested.size;
    for (const row of this.rows) {
      if (this.used.has(row)) continue;
      const own = [...symbolsOf(row.left), ...symbolsOf(row.right)];
      if (!own.every((symbol) => this.values.has(symbol) || this.writer.isKnown(symbol))) continue;
      for (const symbol of own) if (this.values.has(symbol)) this.contested.add(symbol);
    }
    return this.contested.size > before;
  }

  private define(row: Row): void {
    this.add(row.left, row.right, [row]);
    this.add(row.right, row.left, [row]);
  }

  /** What every branch gives a value, by conditions. */
  private defineByBranches(whole: FlatIf, units: readonly Unit[]): void {
    const { branches } = whole;
    if (branches.at(-1)!.condition !== undefined) return;
    const given = new Map<Expr, { row: Row; value: Expr; branch: number }[]>();
    for (const unit of units)
      for (const row of this.rowsOf(unit))
        append(given, row.left, { row, value: row.right, branch: unit.branch });
    const { pool } = this.writer;
    const conditions = branches.map(({ condition }) =>
      condition === undefined ? undefined : this.writer.condition(condition),
    );
    for (const [target, own] of given) {
      const inOrder = branches.map((_, k) => own.filter(({ branch }) => branch === k));
      if (inOrder.some((list) => list.length !== 1)) continue;
      const values = inOrder.map(([one]) => one!.value);
      const value = values.reduceRight((otherwise, then, k) =>
        conditions[k] ? pool.if(conditions[k], then, otherwise) : then,
      );
      this.add(
        target,
        value,
        own.map(({ row }) => row),
      );
    }
  }

  private add(target: Expr, value: Expr, rows: readonly Row[]): void {
    if (target.kind !== 'ref' || target.order > 0 || !this.writer.mayBecomeKnown(target.symbol)) return;
    const { symbol } = target;
    if (symbolsOf(value).includes(symbol) || changes(value)) return;
    if (hasCalls(value) && !this.acting.isCalledIn(value)) return;
    this.definitions.push({ target: symbol, value, rows, missing: 0 });
  }

  private conclude(): void {
    const users = new Map<number, Definition[]>();
    const ready: Definition[] = [];
    this.values = new Map();
    this.used = new Set();
    for (const definition of this.definitions) {
      definition.missing = 0;
      for (const leaf of leaves(definition.value)) {
        if (leaf.kind !== 'ref' || this.writer.isKnown(leaf.symbol)) continue;
        definition.missing++;
        append(users, leaf.symbol, definition);
      }
      if (definition.missing === 0) ready.push(definition);
    }
    for (let next = ready.pop(); next; next = ready.pop()) {
      const { target, value, rows } = next;
      if (this.values.has(target) || this.contested.has(target)) continue;
      if (rows.some((row) => this.used.has(row))) continue;
      this.values.set(target, value);
      for (const row of rows) this.used.add(row);
      for (const user of users.get(target) ?? []) if (--user.missing === 0) ready.push(user);
    }
  }
}

const hasCalls = (expr: Expr): boolean => reachable(expr, (e) => e.kind === 'call');

/** Functions that call impure ones, which do something. */
class Acting {
  private readonly known = new Map<number, boolean>();

  constructor(private readonly functions: readonly FunctionDef[]) {}

  isCalledIn(expr: Expr): boolean {
    return reachable(expr, (e) => e.kind === 'call' && this.acts(e.fn));
  }

  private acts(fn: number): boolean {
    const known = this.known.get(fn);
    if (known !== undefined) return known;
    // What calls itself does no more than what else it calls.
    this.known.set(fn, false);
    const { external, impure, body } = this.functions[fn]!;
    const acts =
      impure === true ||
      (external?.kind === 'foreign' && external.foreign.impure === true) ||
      [...statementsIn(body)].some((own) => own.kind === 'multiassign' && this.acts(own.fn)) ||
      [...statementExpressions(body)].some((own) => this.isCalledIn(own));
    this.known.set(fn, acts);
    return acts;
  }
}
