/** The equations of a flat model, written out as scalar rows with their conditions, for looking at them one by one. */

import type { Span } from '../diagnostic/source.ts';
import type {
  FlatAction,
  FlatClocked,
  FlatEquation,
  FlatIf,
  FlatModel,
  FlatWhen,
  Origin,
} from '../flat/flat.ts';
import { substitute } from '../symbolic/analyse.ts';
import { scalarise } from '../symbolic/arrays.ts';
import { timeDerivative } from '../symbolic/differentiate.ts';
import type { Expr } from '../symbolic/expr.ts';
import { withDemandedEvents } from '../symbolic/lower.ts';
import type { AuditChoices } from './choices.ts';
import type { RecordedValues } from './values.ts';

/** `left = right`. */
export interface AuditRow {
  readonly kind: 'row';
  readonly number: number;
  readonly left: Expr;
  readonly right: Expr;
  /** Integers and Booleans are equal or not. */
  readonly exact: boolean;
  /** Choices that cause events where they change. */
  readonly events: readonly number[];
  /** The row with a leaf in the place of each derivative of an expression that jumps at events; undefined where there is none. */
  readonly conserved: Conserved | undefined;
  /** It integrates a state from tick to tick by a solver method. */
  readonly integrates: boolean;
  readonly origin: Origin;
  /** As it was written. */
  readonly text: () => string;
}

export interface Conserved {
  readonly residual: Expr;
  /** What is conserved, and the leaf that stands for its derivative. */
  readonly quantities: ReadonlyMap<Expr, Expr>;
}

/** The first branch whose condition holds is in force. */
export interface AuditBranching {
  readonly kind: 'if';
  readonly branches: readonly {
    readonly condition: Expr | undefined;
    readonly body: readonly AuditItem[];
    readonly events: readonly number[];
    readonly span: Span | undefined;
  }[];
}

export type AuditItem = AuditRow | AuditBranching;

/** Rows at any depth. */
export function rowsIn(items: readonly AuditItem[]): AuditRow[] {
  return items.flatMap((item) =>
    item.kind === 'row' ? [item] : item.branches.flatMap(({ body }) => rowsIn(body)),
  );
}

/** The expressions in rows at any depth that count, and in the conditions around them. */
export function* expressionsIn(
  items: readonly AuditItem[],
  counts: (row: AuditRow) => boolean = () => true,
): Generator<Expr> {
  for (const item of items) {
    if (item.kind === 'if')
      for (const { condition, body } of item.branches) {
        if (condition) yield condition;
        yield* expressionsIn(body, counts);
      }
    else if (counts(item)) yield* [item.left, item.right];
  }
}

/** A when-clause: what it assigns, and the variables that it sets by `reinit`. */
export interface When {
  readonly origin: Origin;
  readonly guard: readonly AuditCondition[];
  readonly branches: readonly {
    /** It acts where one of these becomes true. */
    readonly conditions: readonly Expr[];
    readonly events: readonly number[];
    readonly assigned: readonly AuditAssignment[];
    readonly set: readonly number[];
  }[];
}

export interface AuditAssignment {
  readonly scalar: number;
  readonly value: Expr;
  readonly origin: Origin;
}

/** Must hold (`value`), or must not. */
export interface AuditCondition {
  readonly expr: Expr;
  readonly value: boolean;
}

/** Equations at the ticks of a clock. */
export interface Clocked {
  readonly items: readonly AuditItem[];
  readonly scalars: readonly number[];
  /** By scalar: where a flag is true, its start value takes the place of the value before. */
  readonly resets: ReadonlyMap<number, { readonly flag: number; readonly start: Expr }>;
}

export interface Rows {
  readonly items: readonly AuditItem[];
  /** Initial equations. */
  readonly initial: readonly AuditItem[];
  /** By scalar with a fixed start value: what it, or its left limit where it is discrete, is equal to when a run begins. */
  readonly starts: ReadonlyMap<number, Expr>;
  readonly whens: readonly When[];
  readonly clocked: readonly Clocked[];
  /** How many rows there are, those of clocked equations too. */
  readonly count: number;
  /** Algorithm sections, which are not looked at. */
  readonly algorithms: number;
}

export function rowsOf(flat: FlatModel, values: RecordedValues, choices: AuditChoices): Rows {
  return new Writing(flat, values, choices).run();
}

class Writing {
  private readonly whens: When[] = [];
  private readonly clocked: Clocked[] = [];
  private readonly writtenOut = new Map<Expr, Expr>();
  private count = 0;
  private algorithms = 0;

  constructor(
    private readonly flat: FlatModel,
    private readonly values: RecordedValues,
    private readonly choices: AuditChoices,
  ) {}

  run(): Rows {
    const items = this.items(this.flat.equations, []);
    const { whens, clocked, count, algorithms } = this;
    const initial = this.items(this.flat.initialEquations, []);
    return { items, initial, starts: this.starts(), whens, clocked, count, algorithms };
  }

  private starts(): Map<number, Expr> {
    const { pool, variables } = this.flat;
    const starts = new Map<number, Expr>();
    for (const [symbol, variable] of variables.entries()) {
      const { fixed, start, type, variability, causality, engine } = variable;
      if (!fixed || type === 'String' || causality === 'input' || engine) continue;
      if (variability === 'parameter' || variability === 'constant') continue;
      const own = start ? this.plain(start) : [pool.zero];
      for (const [k, scalar] of this.values.scalarsOf(symbol).entries()) {
        if (!(fixed === true || fixed[k])) continue;
        const given = this.values.givenStart(variable, k);
        const value = given === undefined ? (own[k] ?? own[0]!) : pool.const(given);
        starts.set(scalar, this.choices.rewrite(value));
      }
    }
    return starts;
  }

  private items(equations: readonly FlatEquation[], guard: readonly AuditCondition[]): AuditItem[] {
    return equations.flatMap((equation) => this.write(equation, guard));
  }

  private write(equation: FlatEquation, guard: readonly AuditCondition[]): AuditItem[] {
    const { origin } = equation;
    switch (equation.kind) {
      case 'equal':
        return this.pairs(equation.left, equation.right, origin, equation.integrates !== undefined);
      case 'call':
        return equation.outputs.flatMap((output, k) =>
          output ? this.pairs(output, this.flat.pool.call(equation.fn, equation.args, k), origin) : [],
        );
      case 'for': {
        const items = this.plain(equation.range).flatMap((value) => {
          if (value.kind !== 'const') throw new Error('a for-range that is not constant');
          this.values.iterators.set(equation.iterator, value.value);
          return this.items(equation.body, guard);
        });
        this.values.iterators.delete(equation.iterator);
        return items;
      }
      case 'if':
        return [this.branching(equation, guard)];
      case 'when':
        this.whens.push(this.when(equation, guard));
        return [];
      case 'clocked': {
        const items = this.items(equation.body, guard);
        const scalars = equation.variables.flatMap((symbol) => this.values.scalarsOf(symbol));
        this.clocked.push({ items, scalars, resets: this.resets(equation) });
        return [];
      }
      case 'algorithm':
        this.algorithms++;
        return [];
      case 'assert':
        return [];
    }
  }

  private resets({ resets }: FlatClocked): Clocked['resets'] {
    const result = new Map<number, { flag: number; start: Expr }>();
    for (const { variable, flag } of resets) {
      const { start } = this.flat.variables[variable]!;
      const starts = start ? this.plain(start) : [this.flat.pool.zero];
      const [at] = this.values.scalarsOf(flag);
      for (const [k, scalar] of this.values.scalarsOf(variable).entries())
        result.set(scalar, { flag: at!, start: this.choices.rewrite(starts[k] ?? starts[0]!) });
    }
    return result;
  }

  private branching(equation: FlatIf, guard: readonly AuditCondition[]): AuditBranching {
    const before: AuditCondition[] = [];
    const branches = equation.branches.map(({ condition, body }) => {
      const plain =
        condition === undefined ? undefined : this.plain(this.flat.conditions[condition]!.value)[0]!;
      const expr = plain && this.choices.rewrite(plain);
      const own = expr ? [...guard, ...before, { expr, value: true }] : [...guard, ...before];
      if (expr) before.push({ expr, value: false });
      return {
        condition: expr,
        body: this.items(body, own),
        events: plain ? this.choices.events(plain) : [],
        span: condition === undefined ? undefined : this.flat.conditions[condition]!.origin.span,
      };
    });
    return { kind: 'if', branches };
  }

  private when(equation: FlatWhen, guard: readonly AuditCondition[]): When {
    const branches = equation.branches.map(({ condition, body }) => ({
      conditions: this.plain(condition).map((expr) => this.choices.rewrite(expr)),
      events: this.plain(condition).flatMap((expr) => this.choices.events(expr)),
      assigned: body.flatMap((action) => (action.kind === 'assign' ? this.assignments(action) : [])),
      set: body.flatMap((action) =>
        action.kind === 'reinit' ? this.plain(action.target).flatMap((e) => symbolIn(e)) : [],
      ),
    }));
    return { guard, branches, origin: equation.origin };
  }

  private assignments({ target, value, origin }: FlatAction & { kind: 'assign' }): AuditAssignment[] {
    const values = this.plain(value);
    return this.plain(target).flatMap((own, k) =>
      symbolIn(own).map((scalar) => {
        this.values.slot(scalar);
        return { scalar, value: this.choices.rewrite(values[k] ?? values[0]!), origin };
      }),
    );
  }

  private pairs(left: Expr, right: Expr, origin: Origin, integrates = false): AuditRow[] {
    const [lefts, rights] = [this.plain(left), this.plain(right)];
    return lefts.flatMap((own, k) => {
      const other = rights[k]!;
      if (own.kind === 'text' || other.kind === 'text') return [];
      const row: AuditRow = {
        kind: 'row',
        number: this.count++,
        left: this.choices.rewrite(this.between(own)),
        right: this.choices.rewrite(this.between(other)),
        exact: this.isExact(own) || this.isExact(other),
        events: [...this.choices.events(own), ...this.choices.events(other)],
        conserved: this.conserved(own, other),
        integrates,
        origin,
        text: () => `${this.values.print(own)} = ${this.values.print(other)}`,
      };
      return [row];
    });
  }

  /** Whether a side is an Integer or a Boolean. */
  private isExact(side: Expr): boolean {
    return side.kind === 'ref' && side.order === 0 && this.values.variableOf(side.symbol).type !== 'Real';
  }

  private plain(expr: Expr): Expr[] {
    const { pool, functions } = this.flat;
    // Relations of functions that ask for events are decided as others are.
    return scalarise(pool, this.values.context, expr).map((e) =>
      withDemandedEvents(pool, functions, e, this.writtenOut),
    );
  }

  /** Derivatives of expressions that jump at events as they are between events. */
  private between(expr: Expr): Expr {
    const { pool } = this.flat;
    const isConstant = (scalar: number) => this.values.isFixed(scalar) || this.values.isDiscrete(scalar);
    return substitute(pool, expr, (node, [inner]) =>
      isDerivative(node) ? timeDerivative(pool, undefined, inner!, isConstant).value : undefined,
    );
  }

  private conserved(left: Expr, right: Expr): Conserved | undefined {
    const { pool } = this.flat;
    const quantities = new Map<Expr, Expr>();
    const replace = (expr: Expr) =>
      substitute(pool, expr, (node, [inner]) => {
        if (!isDerivative(node)) return undefined;
        const leaf = pool.local(quantities.size);
        quantities.set(leaf, this.choices.rewrite(inner!));
        return leaf;
      });
    const residual = pool.sub(replace(left), replace(right));
    return quantities.size > 0 ? { residual: this.choices.rewrite(residual), quantities } : undefined;
  }
}

function isDerivative(node: Expr): boolean {
  return node.kind === 'apply' && node.op === 'der';
}

function symbolIn(expr: Expr): number[] {
  return expr.kind === 'ref' ? [expr.symbol] : [];
}
