/**
 * Clocked equations as discrete-time ones. Where a clock ticks (`fire`), the equations of its partition determine its
 * variables; otherwise each keeps its value. Equations are matched with variables and sorted here, once: an equation that
 * is solved for its variable becomes `v = if fire then e else pre(v)`, a system of simultaneous equations one row for each
 * of its variables, `(if fire then left - right else v - pre(v)) = 0`.
 *
 * Equations of a state act where the state is active. Those of several states for the same variable become one, whose
 * value is that of the active state. A variable that is reset has its start value in the place of `pre(v)`.
 */
import { append } from '../collections/groups.ts';
import { incidenceOf } from '../collections/incidence.ts';
import { Matching } from '../collections/matching.ts';
import { remember } from '../collections/memo.ts';
import { error, type Note } from '../diagnostic/diagnostic.ts';
import { Failure } from '../diagnostic/failure.ts';
import { isCondition } from '../flat/clocks/automata.ts';
import type {
  ClockBase,
  FlatClock,
  FlatClocked,
  FlatEquality,
  FlatEquation,
  FlatIf,
  Origin,
} from '../flat/flat.ts';
import { sortBlocks } from '../structure/graph/blt.ts';
import { dulmageMendelsohn } from '../structure/graph/decomposition.ts';
import { isNonzero } from '../structure/nonzero.ts';
import { dependsOn, substitute, symbolsOf } from '../symbolic/analyse.ts';
import type { Expr } from '../symbolic/expr.ts';
import { givenInverse } from '../symbolic/given.ts';
import type { Pool } from '../symbolic/pool.ts';
import { solveFor } from '../symbolic/solve.ts';
import { type AlgorithmSink, executed } from './algorithms.ts';
import { mergedSides } from './branches.ts';
import { auxiliary } from './events.ts';
import { Exclusion } from './exclusive.ts';
import type { Condition, Tick } from './guarded.ts';
import { type ClockedRow, withoutConstraints } from './reduction.ts';
import { definition } from './sink.ts';
import { startValue } from './variables.ts';
import { assertion, rise } from './whens.ts';

/** What clocked equations are written into, and how their parts are made scalar. */
export interface ClockedSink extends AlgorithmSink {
  readonly ticks: Tick[];
  readonly conditions: readonly Condition[];
  /** An expression in the user's words, for messages. */
  describe(expr: Expr): string;
}

type Row = ClockedRow;

export class ClockedLowering {
  private readonly pool: Pool;
  /** When the base of a clock ticks, and how often it did before. */
  private readonly bases = new Map<ClockBase, { readonly fire: Expr; count: Expr | undefined }>();
  private readonly fires = new Map<number, Expr>();
  private beginning: number | undefined;
  /** By variable of the present partition: where it is reset. */
  private resets = new Map<number, Expr>();

  constructor(
    private readonly sink: ClockedSink,
    private readonly clocks: readonly FlatClock[],
  ) {
    this.pool = sink.pool;
  }

  lower(equation: FlatClocked): void {
    const { pool, sink } = this;
    const fire = this.fireOf(equation.clock);
    this.resets = new Map();
    for (const { variable, flag } of equation.resets) {
      const [at] = sink.symbolsOf(flag);
      for (const symbol of sink.symbolsOf(variable)) this.resets.set(symbol, pool.ref(at!));
    }
    const own = this.rowsOf(equation.body, fire, pool.one);
    const unknowns = equation.variables
      .flatMap((variable) => this.sink.symbolsOf(variable))
      .filter((symbol) => sink.scalars[symbol]!.kind === 'discrete');
    const rows = this.oneForEach(own, new Set(unknowns)).map((row) => this.withResets(row));
    const partition = withoutConstraints(sink, rows, unknowns) ?? { rows, unknowns };
    this.solve(partition.rows, partition.unknowns, fire, equation.origin);
  }

  /** The value of a variable where no equation of it holds. */
  private held(symbol: number): Expr {
    const { pool } = this;
    const reset = this.resets.get(symbol);
    const before = pool.pre(symbol);
    return reset ? pool.if(reset, startValue(pool, this.sink.scalars[symbol]!), before) : before;
  }

  /** `previous` of a variable that is reset is its start value. */
  private withResets(row: Row): Row {
    if (this.resets.size === 0) return row;
    const change = (expr: Expr): Expr =>
      substitute(this.pool, expr, (leaf) =>
        leaf.kind === 'pre' && this.resets.has(leaf.symbol) ? this.held(leaf.symbol) : undefined,
      );
    return { ...row, left: change(row.left), right: change(row.right), active: change(row.active) };
  }

  /** Merges the equations that different states have for the same variable. */
  private oneForEach(rows: readonly Row[], unknowns: ReadonlySet<number>): Row[] {
    const { pool } = this;
    if (rows.every(({ active }) => active === pool.one)) return [...rows];
    const targets = this.targetsOf(rows, unknowns);
    const byTarget = new Map<number, Row[]>();
    const result: Row[] = [];
    for (const [k, row] of rows.entries()) {
      const target = row.active === pool.one ? undefined : targets[k];
      if (target === undefined) result.push(row);
      else append(byTarget, target, row);
    }
    const exclusion = new Exclusion(rows);
    for (const [target, own] of byTarget) {
      const twice = exclusion.overlapping(own);
      if (twice) throw new Failure('translate', [this.ambiguous(target, twice)]);
      result.push(this.oneOf(own, target));
    }
    return result;
  }

  private oneOf(rows: readonly Row[], target: number): Row {
    const { pool } = this;
    if (rows.length === 1) return { ...rows[0]!, target };
    const left = pool.ref(target);
    const value = (row: Row): Expr => (row.left === left ? row.right : row.left);
    const right = rows.reduceRight<Expr>(
      (rest, row) => pool.if(row.active, value(row), rest),
      pool.pre(target),
    );
    return { left, right, active: pool.one, target, origin: rows[0]!.origin };
  }

  /**
   * The variable that each equation computes, where that can be seen: the one that stands alone on a side, preferably the left one. An equation between two variables
   * computes the one that no other equation of the same states does; if none of these tells, the one that belongs to less of the states, as what a state hands on to the
   * outside, and otherwise the one that no equation computes at all.
   */
  private targetsOf(rows: readonly Row[], unknowns: ReadonlySet<number>): (number | undefined)[] {
    const symbolOf = (side: Expr) =>
      side.kind === 'ref' && side.order === 0 && unknowns.has(side.symbol) ? side.symbol : undefined;
    const sides = rows.map(({ left, right }) => [symbolOf(left), symbolOf(right)] as const);
    const targets = sides.map(([l, r]) => (r === undefined ? l : undefined));
    const always = this.pool.one.id;
    const keyOf = (k: number, symbol: number | undefined) => `${symbol} ${rows[k]!.active.id}`;
    const taken = new Set(targets.map((target, k) => keyOf(k, target)));
    for (const [k, [l, r]] of sides.entries())
      if (l === undefined && r !== undefined && !taken.has(keyOf(k, r))) targets[k] = r;
    const computed = new Set(targets);
    const together = new Set(targets.map((target, k) => keyOf(k, target)));
    const depth = (symbol: number) => this.sink.scalars[symbol]!.variable?.guard.length ?? 0;
    const isTogether = (k: number, symbol: number): boolean =>
      together.has(keyOf(k, symbol)) || together.has(`${symbol} ${always}`);
    const unlike = (l: number, r: number, left: boolean, right: boolean) =>
      left === right ? undefined : left ? r : l;
    type Choice = (k: number, l: number, r: number) => number | undefined;
    const choices: readonly Choice[] = [
      (k, l, r) => unlike(l, r, isTogether(k, l), isTogether(k, r)),
      (_, l, r) => {
        const [inner, outer] = depth(l) > depth(r) ? [l, r] : [r, l];
        return depth(inner) > depth(outer) && computed.has(inner) ? outer : undefined;
      },
      (_, l, r) => unlike(l, r, computed.has(l), computed.has(r)),
      (_, l, r) => (depth(r) < depth(l) ? r : l),
    ];
    let open = [...rows.keys()].filter((k) => sides[k]![0] !== undefined && sides[k]![1] !== undefined);
    for (let level = 0; open.length > 0; ) {
      const before = open.length;
      // What is chosen without a reason decides about others: one at a time.
      let isGuessed = false;
      open = open.filter((k) => {
        const [l, r] = sides[k] as readonly [number, number];
        const target = isGuessed ? undefined : choices[level]!(k, l, r);
        if (target === undefined) return true;
        isGuessed = level > 1;
        targets[k] = target;
        computed.add(target);
        together.add(keyOf(k, target));
        return false;
      });
      level = open.length < before ? 0 : level + 1;
    }
    return targets;
  }

  // -------------------------------------------------------------- ticks

  /** True in the one iteration of an instant at which the clock ticks. */
  private fireOf(clock: number): Expr {
    return remember(this.fires, clock, () => this.newFire(this.clocks[clock]!));
  }

  private newFire({ base, period, offset, origin }: FlatClock): Expr {
    const { pool } = this;
    if (base.kind === 'periodic') {
      const [unit] = this.sink.elements(base.unit, origin);
      return this.edge(this.tick({ kind: 'periodic', unit: unit!, period, offset }, origin), origin);
    }
    const own = this.baseOf(base, origin);
    if (period[0] === 1 && offset[0] === 0) return own.fire;
    const count = (own.count ??= this.counter(own.fire, origin));
    const since = pool.sub(count, pool.const(offset[0]));
    const due = pool.apply('eq', pool.apply('mod', since, pool.const(period[0])), pool.zero);
    return pool.and(own.fire, pool.and(pool.apply('ge', since, pool.zero), due));
  }

  private baseOf(base: Exclude<ClockBase, { kind: 'periodic' }>, origin: Origin) {
    return remember(this.bases, base, () => ({ fire: this.baseFire(base, origin), count: undefined }));
  }

  private baseFire(base: Exclude<ClockBase, { kind: 'periodic' }>, origin: Origin): Expr {
    const [value] = this.sink.elements(base.kind === 'event' ? base.condition : base.interval, origin);
    if (base.kind === 'varying')
      return this.edge(this.tick({ kind: 'varying', interval: value! }, origin), origin);
    if (value!.kind !== 'ref') return this.edge(value!, origin);
    // One iteration later than the condition, as are the values that are sampled (16.3).
    const { pool } = this;
    const rises = this.edge(pool.pre(value!.symbol), origin);
    return pool.and(rises, pool.not(pool.pre(this.begun(origin))));
  }

  /** True in the first evaluation alone: what holds from the beginning on does not become true in the second. */
  private begun(origin: Origin): number {
    if (this.beginning === undefined) {
      this.beginning = this.sink.addScalar(auxiliary('$begun', 'discrete', 'Boolean'));
      this.define(this.beginning, this.pool.ref(this.sink.flags.initial), origin);
    }
    return this.beginning;
  }

  private tick(schedule: Tick['schedule'], origin: Origin): Expr {
    const flag = this.sink.addScalar(auxiliary(`$clock${this.sink.ticks.length + 1}`, 'flag', 'Boolean'));
    this.sink.ticks.push({ flag, schedule, origin });
    return this.pool.ref(flag);
  }

  private edge(value: Expr, origin: Origin): Expr {
    const { sink } = this;
    return rise(sink, `$tick${sink.scalars.length}`, value, [], origin, sink.equations);
  }

  /** The number of ticks before the present one. */
  private counter(fire: Expr, origin: Origin): Expr {
    const { pool } = this;
    const symbol = this.sink.addScalar(auxiliary(`$count${this.bases.size}`, 'discrete', 'Integer'));
    const before = pool.pre(symbol);
    this.define(symbol, pool.if(fire, pool.add(before, pool.one), before), origin);
    return before;
  }

  private define(symbol: number, value: Expr, origin: Origin): void {
    this.sink.equations.push(definition(this.sink, symbol, value, [], origin));
  }

  // -------------------------------------------------------------- scalar equations

  private rowsOf(body: readonly FlatEquation[], fire: Expr, active: Expr): Row[] {
    const rows: Row[] = [];
    for (const equation of body) this.collect(equation, fire, active, rows);
    return rows;
  }

  private collect(equation: FlatEquation, fire: Expr, active: Expr, rows: Row[]): void {
    const { sink, pool } = this;
    const { origin } = equation;
    const pair = (left: Expr, right: Expr, integrates?: FlatEquality['integrates']): void => {
      const values = sink.elements(right, origin);
      const states = integrates && sink.symbolsOf(integrates.state);
      const slopes = integrates && sink.symbolsOf(integrates.slope);
      for (const [k, own] of sink.elements(left, origin).entries()) {
        const state = states && { state: states[k]!, slope: slopes![k]! };
        rows.push({ left: own, right: values[k]!, active, integrates: state, origin });
      }
    };
    switch (equation.kind) {
      case 'equal':
        pair(equation.left, equation.right, equation.integrates);
        return;
      case 'call':
        for (const [k, output] of equation.outputs.entries())
          if (output) pair(output, pool.call(equation.fn, equation.args, k));
        return;
      case 'algorithm':
        for (const { symbol, value } of executed(sink, equation, [], sink.equations, pool.and(fire, active)))
          rows.push({ left: pool.ref(symbol), right: value, active, origin });
        return;
      case 'for':
        sink.iterate(equation, () => {
          for (const inner of equation.body) this.collect(inner, fire, active, rows);
        });
        return;
      case 'if':
        rows.push(
          ...(this.isGuarded(equation) ? this.guarded : this.chosen).call(this, equation, fire, active),
        );
        return;
      case 'assert':
        sink.actions.push(assertion(sink, equation, pool.and(fire, active), []));
        return;
      case 'when':
      case 'clocked':
        throw new Error('a when-equation inside a clocked partition reached lowering');
    }
  }

  /** Whether an if-equation says in which states its branches exist. */
  private isGuarded({ branches }: FlatIf): boolean {
    return branches.every(
      ({ condition }) => condition === undefined || this.sink.flat.conditions[condition]!.activity,
    );
  }

  private guarded({ branches }: FlatIf, fire: Expr, active: Expr): Row[] {
    return this.inTurn(branches, active).flatMap(({ body, first }) => this.rowsOf(body, fire, first));
  }

  /** Branches with their tests, and when each is the first whose test holds. */
  private inTurn(branches: FlatIf['branches'], outer: Expr) {
    const { pool, sink } = this;
    let left = outer;
    return branches.map(({ condition, body }) => {
      const test = condition === undefined ? pool.one : sink.conditions[condition]!.value;
      const first = pool.and(left, test);
      left = pool.and(left, pool.not(test));
      return { body, test, first };
    });
  }

  /** The rows of the branch in force: those of the branches in pairs, by the variable that they compute or in order. */
  private chosen(equation: FlatIf, fire: Expr, active: Expr): Row[] {
    const inTurn = this.inTurn(equation.branches, fire);
    const tests = inTurn.map(({ test }) => test);
    const branches = inTurn.map(({ body, first }) => this.rowsOf(body, first, active));
    const last = equation.branches[branches.length - 1]!;
    const count = last.condition === undefined ? branches[0]!.length : 0;
    if (branches.some((rows) => rows.length !== count)) {
      const message = 'The branches of a clocked if-equation have different numbers of equations.';
      const hint = 'Every branch must determine the same variables; there must be an `else`.';
      throw Failure.of('translate', 'unbalanced', message, { span: equation.origin.span, hint });
    }
    return branches[0]!.map((row, k) => {
      const partners = branches.map((rows) => rows.find((r) => r.left.kind === 'ref' && r.left === row.left));
      const rows = partners.includes(undefined) ? branches.map((own) => own[k]!) : (partners as Row[]);
      return { ...rows[0]!, ...mergedSides(this.pool, tests, rows) };
    });
  }

  // -------------------------------------------------------------- order of computation

  private solve(rows: readonly Row[], unknowns: readonly number[], fire: Expr, origin: Origin): void {
    const columnOf = new Map(unknowns.map((symbol, j) => [symbol, j]));
    const columnsIn = (...parts: readonly Expr[]): number[] => {
      const columns = parts.flatMap(symbolsOf).flatMap((symbol) => columnOf.get(symbol) ?? []);
      return [...new Set(columns)].sort((a, b) => a - b);
    };
    const solvable = rows.map(({ left, right, target }) =>
      target === undefined ? columnsIn(left, right) : [columnOf.get(target)!],
    );
    const matching = new Matching(incidenceOf(solvable, unknowns.length)).maximise();
    if (matching.size < rows.length || matching.size < unknowns.length) {
      throw new Failure('translate', [this.singular(rows, unknowns, matching, origin)]);
    }
    const needed = rows.map(({ left, right, active }, i) => {
      const reset = this.resets.get(unknowns[matching.columnOf[i]!]!) ?? this.pool.one;
      return columnsIn(left, right, active, reset);
    });
    const graph = incidenceOf(needed, unknowns.length);
    const { order, starts } = sortBlocks(graph, matching.columnOf, matching.rowOf);
    for (let b = 0; b + 1 < starts.length; b++) {
      const members = [...order.subarray(starts[b]!, starts[b + 1]!)];
      const pairs = members.map((i) => ({ row: rows[i]!, symbol: unknowns[matching.columnOf[i]!]! }));
      this.emit(pairs, fire);
    }
  }

  private emit(pairs: readonly { readonly row: Row; readonly symbol: number }[], fire: Expr): void {
    const { pool, sink } = this;
    if (pairs.length === 1) {
      const { row, symbol } = pairs[0]!;
      const value = this.isolated(row, symbol);
      if (value) {
        const now = pool.if(row.active, value, this.held(symbol));
        this.define(symbol, pool.if(fire, now, pool.pre(symbol)), row.origin);
        return;
      }
    }
    const discrete = pairs.find(({ symbol }) => sink.scalars[symbol]!.type !== 'Real');
    if (discrete) throw new Failure('translate', [this.discreteLoop(pairs, discrete.symbol)]);
    for (const { row, symbol } of pairs) {
      const own = pool.ref(symbol);
      const { left, right, active, origin } = row;
      const change = pool.sub(own, pool.pre(symbol));
      sink.equations.push({
        guard: [],
        left: pool.if(pool.and(fire, active), pool.sub(left, right), change),
        right: pool.zero,
        assigns: undefined,
        joins: symbol,
        origin,
      });
    }
  }

  private isolated({ left, right }: Row, symbol: number): Expr | undefined {
    const { pool, sink } = this;
    const own = pool.ref(symbol);
    if (left === own && !dependsOn(right, own)) return right;
    if (right === own && !dependsOn(left, own)) return left;
    const { functions } = sink.flat;
    const solution = solveFor(pool, left, right, own, (call, argument, value) =>
      givenInverse(pool, functions, call, argument, value),
    );
    const isParameter = (s: number) => sink.scalars[s]!.kind === 'parameter';
    return solution && isNonzero(solution.pivot, { isParameter }) ? solution.value : undefined;
  }

  // -------------------------------------------------------------- errors

  private singular(rows: readonly Row[], unknowns: readonly number[], matching: Matching, origin: Origin) {
    const { over, under } = dulmageMendelsohn(matching);
    const names = under.columns.map((j) => this.sink.scalars[unknowns[j]!]!.name);
    const surplus = over.rows.map((i) => rows[i]!);
    const notes: Note[] = surplus.slice(0, 8).map((row) => ({
      message: `too many equations: ${this.sink.describe(row.left)} = ${this.sink.describe(row.right)}`,
      ...(row.origin.span && { span: row.origin.span }),
    }));
    const missing = names.length > 0 ? `nothing determines ${names.slice(0, 8).join(', ')}` : '';
    const many = surplus.length > 0 ? 'some equations contradict each other' : '';
    const message = `The equations of one clock cannot determine its variables: ${[missing, many].filter(Boolean).join(', and ')}.`;
    return error('structurally-singular', message, { span: (surplus[0]?.origin ?? origin).span, notes });
  }

  private ambiguous(symbol: number, [first, second]: readonly [Row, Row]) {
    const { name } = this.sink.scalars[symbol]!;
    const [a, b] = [first.origin.component, second.origin.component];
    const where =
      a === b
        ? `of ${a} determine ${name} twice`
        : `of ${a} and ${b}, which can be active at the same tick, determine ${name}`;
    return error('unbalanced', `Equations ${where}.`, {
      span: second.origin.span,
      hint: a === b ? 'Remove one of them.' : 'Parallel state machines must not determine the same variable.',
      notes: [{ message: 'the other equation', ...(first.origin.span && { span: first.origin.span }) }],
    });
  }

  private discreteLoop(pairs: readonly { readonly row: Row; readonly symbol: number }[], symbol: number) {
    const nameOf = (pair: { readonly symbol: number }) => this.sink.scalars[pair.symbol]!.name;
    const transition = pairs.find((pair) => isCondition(nameOf(pair)));
    if (transition) return this.transitionLoop(transition.row.origin, pairs.map(nameOf));
    const names = pairs.slice(0, 8).map(nameOf);
    const { name, type } = this.sink.scalars[symbol]!;
    const message =
      pairs.length === 1
        ? `The equation cannot be solved for the ${type} variable ${name}.`
        : `The clocked variables ${names.join(', ')} depend on each other at the same tick, and ${name} is not Real.`;
    return error('structurally-singular', message, {
      span: pairs[0]!.row.origin.span,
      hint: 'Use `previous` of one of them, or solve the equations by hand.',
      notes: pairs.slice(1, 8).map(({ row }) => ({
        message: 'another equation of the loop',
        ...(row.origin.span && { span: row.origin.span }),
      })),
    });
  }

  /** An immediate transition decides, before the states compute, by what they compute. */
  private transitionLoop({ span }: Origin, names: readonly string[]) {
    const computed = names.filter((name) => !name.includes('$') && !name.endsWith('.active')).slice(0, 8);
    const what = computed.length > 0 ? ` ${computed.join(', ')}` : '';
    const message = `Whether this transition fires depends on${what || ' states'}, and at the same tick${what || ' they'} on whether it fires.`;
    return error('structurally-singular', message, {
      span,
      hint: 'Let it fire at the next tick, with `immediate = false`, or ask for `previous` of the value.',
    });
  }
}
