/**
 * The equations for values after an instant at which something jumps: a change to a mode, or a discrete value that changes in it. With
 * the offsets c, d of the mode, call the level of x_j^(k) the number d_j - k: leading variables (level 0) may contain a Dirac impulse,
 * values of level 1 may then jump, all below are continuous. Constraints (c_i >= 1) hold after the instant in the derivative that fixes
 * level 1. Equations that the mode does not differentiate (c_i = 0) are balances: integrated over the instant they say
 * that the jumps and impulse weights, multiplied by the leading Jacobian, add up to zero.
 *
 * Coefficients that depend on what jumps are integrated too (`path.ts`), so that what stands inside `der` is conserved. Relations that they and
 * constraints contain are those of the way, not those that an event has left behind: each has a leaf that says on which side of it the way is.
 *
 * Variables that are `free` are new and bring no value of their own; their left limits are mere guesses.
 */
import { rootIn } from '../../collections/forest.ts';
import { incidenceOf } from '../../collections/incidence.ts';
import { Matching } from '../../collections/matching.ts';
import { remember } from '../../collections/memo.ts';
import { leaves, nodesOf, substitute } from '../../symbolic/analyse.ts';
import { isRelation, type RelationOp } from '../../symbolic/arithmetic.ts';
import type { Expr, Ref } from '../../symbolic/expr.ts';
import type { Pool } from '../../symbolic/pool.ts';
import type { SortedMode } from '../analysis.ts';
import { Numbering } from '../numbering.ts';
import type { SystemEquation } from '../sort.ts';
import { type BalanceTerm, type Jump, type JumpBalance, Path } from './path.ts';

export interface JumpEquations {
  readonly equations: readonly SystemEquation[];
  /** Guesses that complete the system. */
  readonly optional: readonly SystemEquation[];
  readonly unknowns: readonly Ref[];
  /** Variables of level 1. */
  readonly levelOne: readonly Jump[];
  /** Weights of impulses by the symbol that has them. */
  readonly weights: readonly Weighted[];
  /** Parts that have nothing to do with each other, as positions in `levelOne` and in `weights`. */
  readonly parts: readonly JumpPart[];
  readonly path: Path;
  /** Balances with coefficients that depend on what jumps. */
  readonly balances: readonly JumpBalance[];
  /** Constraints, and the leaves that say by how much they are still violated: zero at last. */
  readonly constraints: readonly Constraint[];
  /** Whether time and discrete values alone determine an expression: as a coefficient it has its value after the instant. */
  readonly isGiven: (expr: Expr) => boolean;
  /** Relations that change on the way. */
  readonly sides: readonly JumpingRelation[];
  /** Values after the instant that coefficients depend on and that no formula gives: a variable, and the leaf that stands for its value. */
  readonly open: readonly { readonly variable: Ref; readonly leaf: Ref }[];
}

/** A relation between values that jump: what stands in equations, the leaf in its place, and the difference of its sides. */
export interface JumpingRelation {
  readonly expr: Expr;
  readonly op: RelationOp;
  readonly leaf: Ref;
  readonly indicator: Expr;
}

/** What only events change, and what relations compare. */
export interface Switching {
  readonly isSwitched: (leaf: Expr) => boolean;
  /** A relation that is held, in terms of the variables of the mode; undefined where time decides. */
  readonly relationOf: (relation: number) => IndicatorComparison | undefined;
  /** What a discrete variable is equal to at any time, where it is. */
  readonly definitionOf: (symbol: number) => Expr | undefined;
  /** Code of components that take care of impulses: as a coefficient it has its value after the instant. */
  readonly isAfter: (coefficient: Expr) => boolean;
}

/** `indicator op 0`. */
export interface IndicatorComparison {
  readonly op: RelationOp;
  readonly indicator: Expr;
}

export interface Constraint {
  readonly residual: Expr;
  readonly slack: Ref;
  /** The variable that it gives a value whatever the others are, if it does. */
  readonly given: Ref | undefined;
}

export interface Weighted {
  readonly symbol: number;
  readonly leaf: Ref;
}

export interface JumpPart {
  readonly levelOne: readonly number[];
  readonly weights: readonly number[];
}

/** The system for jumps and weights, of what can jump; `fresh` makes new leaves. */
export function jumpEquations(
  pool: Pool,
  sorted: SortedMode,
  free: ReadonlySet<number>,
  fresh: () => Ref,
  switching: Switching = {
    isSwitched: () => false,
    relationOf: () => undefined,
    definitionOf: () => undefined,
    isAfter: () => false,
  },
): JumpEquations {
  const { variables, equations, leading } = sorted;
  const columnOf = new Numbering(variables);
  const columnsOf = leadingColumns(sorted, columnOf);
  const moving = affected(sorted, free, columnsOf);
  const levelOne: Jump[] = [];
  const weights: Weighted[] = [];
  /** By column: the position in `levelOne`, or in `weights` where d = 0. */
  const positions = new Int32Array(variables.length).fill(-1);
  /** By column: what coefficients are multiplied by; undefined for new variables, and where there is no jump. */
  const amounts = variables.map(({ symbol, d }, column): BalanceTerm['amount'] | undefined => {
    if (!moving.columns[column]) return undefined;
    if (d === 0) {
      const weight = fresh();
      positions[column] = weights.push({ symbol, leaf: weight }) - 1;
      return { weight };
    }
    const jump = { unknown: pool.ref(symbol, d - 1), left: fresh() };
    positions[column] = levelOne.push(jump) - 1;
    return free.has(symbol) ? undefined : { jump };
  });
  const given = givenIn(sorted, columnOf, switching.isSwitched);
  const givenSymbols = new Set([...given.values()].map(({ symbol }) => symbol));
  const path = new Path(pool, levelOne, givenSymbols, free);
  const coefficients = new Coefficients(pool, sorted, columnOf, fresh);
  const sides = new Sides(pool, switching, coefficients, path, fresh);
  const balances: JumpBalance[] = [];
  const constraints: Constraint[] = [];
  const rows: SystemEquation[] = [];
  for (const [i, { index, c, residuals }] of equations.entries()) {
    if (!moving.rows[i]) continue;
    if (c > 0) {
      const slack = fresh();
      const residual = sides.onTheWay(residuals[c - 1]!);
      constraints.push({ residual, slack, given: given.get(i) });
      rows.push({ left: residual, right: slack, index });
      continue;
    }
    const terms = leading[i]!.flatMap(({ symbol, value }): BalanceTerm[] => {
      const amount = amounts[columnOf.of(symbol)];
      if (!amount) return [];
      const coefficient = switching.isAfter(value)
        ? coefficients.settled(value)
        : sides.onTheWay(coefficients.after(value));
      return [{ coefficient, amount }];
    });
    if (terms.length === 0) continue;
    if (!terms.some(({ coefficient }) => path.varies(coefficient) || sides.isIn(coefficient))) {
      rows.push({ left: path.sum(terms), right: pool.zero, index });
      continue;
    }
    const correction = fresh();
    const normalised = path.normalised(terms);
    balances.push({ index, terms: normalised, correction });
    rows.push({ left: pool.add(path.sum(normalised), correction), right: pool.zero, index });
  }
  return {
    equations: rows.filter((row) => leaves(row.left).length > 0),
    optional: levelOne
      .filter(({ unknown }) => free.has(unknown.symbol))
      .map(({ unknown, left }) => ({ left: unknown, right: left, index: equations.length })),
    unknowns: [...levelOne.map((l) => l.unknown), ...weights.map((w) => w.leaf)],
    levelOne,
    weights,
    parts: partsOf(sorted, columnsOf, moving, positions),
    path,
    balances,
    constraints,
    isGiven: (expr) => coefficients.isGiven(expr, givenSymbols),
    sides: sides.all,
    open: coefficients.open,
  };
}

/** Relations between values that jump. Those that an impulse decides, or what no formula gives, stay as the event has them. */
class Sides {
  readonly all: JumpingRelation[] = [];
  private readonly leaves = new Map<Expr, Ref | undefined>();
  private readonly definitions = new Map<Ref, Expr | undefined>();

  constructor(
    private readonly pool: Pool,
    private readonly switching: Switching,
    private readonly coefficients: Coefficients,
    private readonly path: Path,
    private readonly fresh: () => Ref,
  ) {}

  onTheWay(expr: Expr): Expr {
    return substitute(this.pool, expr, (node) => {
      if (node.kind === 'ref') return this.definition(node);
      const compared = this.comparison(node);
      if (!compared) return undefined;
      if (!this.leaves.has(node)) this.leaves.set(node, this.leafOf(node, compared));
      return this.leaves.get(node);
    });
  }

  /** What stands for a discrete variable that changes on the way. */
  private definition(variable: Ref): Expr | undefined {
    if (!this.definitions.has(variable)) {
      this.definitions.set(variable, undefined);
      const defined = this.switching.definitionOf(variable.symbol);
      const written = defined && this.onTheWay(defined);
      if (written && this.isIn(written)) this.definitions.set(variable, written);
    }
    return this.definitions.get(variable);
  }

  /** Whether an expression depends on a relation of the way. */
  isIn(expr: Expr): boolean {
    return leaves(expr).some((leaf) => this.all.some((side) => side.leaf === leaf));
  }

  /** What a relation compares, held or below `noEvent`. */
  private comparison(node: Expr): IndicatorComparison | undefined {
    if (node.kind === 'held') return this.switching.relationOf(node.relation);
    if (node.kind !== 'apply' || !isRelation(node.op)) return undefined;
    return { op: node.op, indicator: this.pool.sub(node.args[0]!, node.args[1]!) };
  }

  private leafOf(expr: Expr, { op, indicator: difference }: IndicatorComparison): Ref | undefined {
    const indicator = this.coefficients.formula(difference);
    if (!indicator || !this.path.varies(indicator)) return undefined;
    const leaf = this.fresh();
    this.all.push({ expr, op, leaf, indicator });
    return leaf;
  }
}

/**
 * Coefficients as they are after the instant. Algebraic variables in them are replaced by what computes them, as far as formulas without
 * calls do; of all others the values are needed.
 */
class Coefficients {
  readonly open: { readonly variable: Ref; readonly leaf: Ref }[] = [];
  private formulas: Map<Expr, Expr> | undefined;
  private readonly memo = new Map<Expr, Expr>();

  constructor(
    private readonly pool: Pool,
    private readonly sorted: SortedMode,
    private readonly columnOf: Numbering,
    private readonly fresh: () => Ref,
  ) {}

  after(coefficient: Expr): Expr {
    if (!leaves(coefficient).some((leaf) => this.isLeading(leaf))) return coefficient;
    return substitute(this.pool, coefficient, (leaf) => this.replacement(leaf), this.memo);
  }

  /** With all variables as they are when all has jumped. */
  settled(coefficient: Expr): Expr {
    return substitute(this.pool, coefficient, (leaf) =>
      leaf.kind === 'ref' && this.columnOf.has(leaf.symbol) ? this.opened(leaf) : undefined,
    );
  }

  /** An expression without algebraic variables; undefined where there are no formulas for them. */
  formula(expr: Expr, inside: ReadonlySet<Expr> = new Set()): Expr | undefined {
    let isWhole = true;
    const written = substitute(this.pool, expr, (leaf) => {
      if (!this.isLeading(leaf)) return undefined;
      const own = inside.has(leaf) ? undefined : this.formulaOf(leaf);
      const inner = own && this.formula(own, new Set([...inside, leaf]));
      if (!inner) isWhole = false;
      return inner;
    });
    return isWhole ? written : undefined;
  }

  /** Whether an expression contains only `given` variables and what formulas compute from them. */
  isGiven(expr: Expr, given: ReadonlySet<number>): boolean {
    const stack: Expr[] = [...leaves(expr)];
    const seen = new Set<Expr>(stack);
    for (let leaf = stack.pop(); leaf; leaf = stack.pop()) {
      if (leaf.kind !== 'ref' || !this.columnOf.has(leaf.symbol) || given.has(leaf.symbol)) continue;
      const formula = this.isLeading(leaf) ? this.formulaOf(leaf) : undefined;
      if (!formula) return false;
      for (const inner of leaves(formula)) {
        if (seen.has(inner)) continue;
        seen.add(inner);
        stack.push(inner);
      }
    }
    return true;
  }

  private isLeading(leaf: Expr): leaf is Ref {
    if (leaf.kind !== 'ref') return false;
    const column = this.columnOf.of(leaf.symbol);
    return column >= 0 && this.sorted.variables[column]!.d === leaf.order;
  }

  private replacement(leaf: Expr): Expr | undefined {
    if (!this.isLeading(leaf)) return undefined;
    const known = this.memo.get(leaf);
    if (known) return known;
    // While a formula is written out, its variable stands for itself.
    this.memo.set(leaf, leaf);
    const formula = this.formulaOf(leaf);
    const written = formula && substitute(this.pool, formula, (inner) => this.replacement(inner));
    const isPlain =
      written && !leaves(written).includes(leaf) && !nodesOf(written).some((n) => n.kind === 'call');
    const result = isPlain ? written : this.opened(leaf);
    this.memo.set(leaf, result);
    return result;
  }

  private formulaOf(leaf: Ref): Expr | undefined {
    this.formulas ??= new Map(
      this.sorted.blocks.flatMap((block) => (block.kind === 'assign' ? [[block.unknown, block.value]] : [])),
    );
    return this.formulas.get(leaf);
  }

  private opened(variable: Ref): Ref {
    const known = this.open.find((o) => o.variable === variable);
    if (known) return known.leaf;
    const leaf = this.fresh();
    this.open.push({ variable, leaf });
    return leaf;
  }
}

/**
 * Variables that discrete values and time alone determine, wherever the others are: sources that step, and what is computed from them. By
 * the position of the equation that does, in an order in which they can be computed.
 */
function givenIn(
  { variables, equations }: SortedMode,
  columnOf: Numbering,
  switches: (leaf: Expr) => boolean,
): Map<number, Ref> {
  const given = new Map<number, Ref>();
  const symbols = new Set<number>();
  const isUnknown = (leaf: Expr): leaf is Ref => leaf.kind === 'ref' && columnOf.has(leaf.symbol);
  const isGiven = (leaf: Expr) => isUnknown(leaf) && symbols.has(leaf.symbol);
  let open = [...equations.keys()].filter((i) => {
    const { c, residuals } = equations[i]!;
    return c === 1 && !leaves(residuals[0]!).some((leaf) => leaf.kind === 'ref' && leaf.order > 0);
  });
  for (let before = -1; before !== given.size; ) {
    before = given.size;
    open = open.filter((i) => {
      const all = leaves(equations[i]!.residuals[0]!);
      const [own, other] = all.filter((leaf): leaf is Ref => isUnknown(leaf) && !isGiven(leaf));
      if (!own || other) return other !== undefined;
      if (variables[columnOf.of(own.symbol)]!.d !== 1 || !all.some((l) => switches(l) || isGiven(l)))
        return true;
      given.set(i, own);
      symbols.add(own.symbol);
      return false;
    });
  }
  return given;
}

/** Connected parts of the system: what is rounding in one may be a jump in another. */
function partsOf(
  { variables, equations }: SortedMode,
  columnsOf: readonly (readonly number[])[],
  moving: Affected,
  positions: Int32Array,
): JumpPart[] {
  const parent = Int32Array.from(variables, (_, j) => j);
  for (let i = 0; i < equations.length; i++) {
    if (!moving.rows[i]) continue;
    const own = columnsOf[i]!.filter((j) => moving.columns[j]);
    for (const j of own) parent[rootIn(parent, j)] = rootIn(parent, own[0]!);
  }
  const parts = new Map<number, { levelOne: number[]; weights: number[] }>();
  for (const [j, { d }] of variables.entries()) {
    if (!moving.columns[j]) continue;
    const part = remember(parts, rootIn(parent, j), () => ({ levelOne: [], weights: [] }));
    (d === 0 ? part.weights : part.levelOne).push(positions[j]!);
  }
  return [...parts.values()];
}

/**
 * Values of new variables on one level below that of jumps. What existed is continuous there, so the constraints give
 * values to what is new: a body that appears is where it is attached. All equations are optional: of constraints that are
 * too many some give the values.
 */
export function placeEquations(
  pool: Pool,
  { variables, equations }: SortedMode,
  free: ReadonlySet<number>,
  level: number,
  fresh: () => Ref,
): { readonly places: readonly Jump[]; readonly optional: readonly SystemEquation[] } {
  const places = variables
    .filter(({ symbol, d }) => d >= level && free.has(symbol))
    .map(({ symbol, d }) => ({ unknown: pool.ref(symbol, d - level), left: fresh() }));
  const wanted = new Set<Expr>(places.map((place) => place.unknown));
  const constraints = equations.flatMap(({ index, c, residuals }) => {
    if (c < level) return [];
    const left = residuals[c - level]!;
    return leaves(left).some((leaf) => wanted.has(leaf)) ? [{ left, right: pool.zero, index }] : [];
  });
  const index = equations.length;
  const starts = places.map(({ unknown, left }) => ({ left: unknown, right: left, index }));
  return { places, optional: [...constraints, ...starts] };
}

/** By equation and by variable: whether it takes part in jumps. */
interface Affected {
  readonly rows: Uint8Array;
  readonly columns: Uint8Array;
}

/**
 * The part of a mode in which something may jump. Match every equation with a variable of its leading part. An equation
 * that is no constraint and contains no other variable that may jump says that its own variable does not. So it is enough to go from the
 * constraints to the equations that contain their variables, and so on; what is not reached is a homogeneous system of its own.
 * Where variables are new, all may jump.
 */
function affected(
  { variables, equations }: SortedMode,
  free: ReadonlySet<number>,
  columnsOf: readonly (readonly number[])[],
): Affected {
  const matching = new Matching(incidenceOf(columnsOf, variables.length)).maximise();
  if (free.size > 0 || matching.size < variables.length) {
    const all = new Uint8Array(variables.length).fill(1);
    return { rows: all, columns: all };
  }
  const rowsOf: number[][] = variables.map(() => []);
  for (const [i, columns] of columnsOf.entries()) for (const j of columns) rowsOf[j]!.push(i);
  const rows = new Uint8Array(equations.length);
  const columns = new Uint8Array(variables.length);
  const open: number[] = [];
  const reach = (row: number): void => {
    if (rows[row]) return;
    rows[row] = 1;
    open.push(row);
  };
  for (const [i, { c }] of equations.entries()) if (c > 0) reach(i);
  for (let row = open.pop(); row !== undefined; row = open.pop()) {
    const column = matching.columnOf[row]!;
    columns[column] = 1;
    rowsOf[column]!.forEach(reach);
  }
  return { rows, columns };
}

/** Columns that jumps and impulses in an equation belong to. */
function leadingColumns({ variables, equations, leading }: SortedMode, columnOf: Numbering): number[][] {
  return equations.map(({ c, residuals }, i) => {
    const columns = leading[i]!.map(({ symbol }) => columnOf.of(symbol));
    if (c === 0) return columns;
    const all = new Set(columns);
    for (const leaf of leaves(residuals[c - 1]!)) {
      if (leaf.kind !== 'ref') continue;
      const column = columnOf.of(leaf.symbol);
      if (column >= 0 && variables[column]!.d === leaf.order + 1) all.add(column);
    }
    return [...all];
  });
}
