/**
 * Alias elimination: x = y and x = -y, in any of the ways to write them, make one variable of two. Classes
 * are kept in a disjoint-set forest whose edges carry signs, O(n alpha(n)).
 *
 * Two variables that both appear differentiated stay two, with their equation: it is a constraint between
 * states. It counts in the index, and at a change of mode their left limits differ (two capacitors that are
 * switched together), so that they cannot be one. So do others whose left limits matter (`apart.ts`). Discrete-time
 * variables are left alone, and so are two variables with stateSelect=always.
 */
import { remember } from '../collections/memo.ts';
import { pulse } from '../diagnostic/pulse.ts';
import { substitute, symbolsOf } from '../symbolic/analyse.ts';
import type { Expr } from '../symbolic/expr.ts';
import type { Pool } from '../symbolic/pool.ts';
import type { Alias, ScalarEquation, ScalarVariable } from './analysis.ts';
import { Numbering } from './numbering.ts';

export interface AliasElimination {
  readonly aliases: readonly Alias[];
  /** The other equations, over the surviving variables. */
  readonly equations: readonly ScalarEquation[];
  /** The survivors; each has the strongest stateSelect of its class, and what else is true of some member. */
  readonly variables: readonly ScalarVariable[];
}

export function eliminateAliases(
  pool: Pool,
  equations: readonly ScalarEquation[],
  variables: readonly ScalarVariable[],
  apart: ReadonlySet<number>,
): AliasElimination {
  const forest = new Forest(variables, apart);
  const kept: ScalarEquation[] = [];
  for (const equation of equations) {
    pulse();
    const pair = equation.assigns === undefined ? aliasPair(equation, forest) : undefined;
    if (!pair || !forest.unite(pair.a, pair.b, pair.sign)) kept.push(equation);
  }
  const { aliases, survivors } = forest.result();
  if (aliases.length === 0) return { aliases, equations: kept, variables };
  const rename = new Renaming(pool, aliases);
  return { aliases, equations: kept.map((e) => rename.equation(e)), variables: survivors };
}

/** An equation in terms of survivors, and what these were: `images[k]` stands for `symbols[k]`. */
interface Renamed {
  readonly symbols: Int32Array;
  readonly images: Int32Array;
  equation: ScalarEquation;
}

/** The last renaming of each equation: from one mode to the next most stay as they are. */
const lastRenamed = new WeakMap<ScalarEquation, Renamed>();

/** Puts the survivors in the places of the variables that are eliminated. */
export class Renaming {
  /** By symbol, see `imageOf`. */
  private readonly image: Int32Array;
  private readonly memo = new Map<Expr, Expr>();

  constructor(
    private readonly pool: Pool,
    aliases: readonly Alias[],
  ) {
    let size = 0;
    for (const { symbol } of aliases) size = Math.max(size, symbol + 1);
    this.image = new Int32Array(size);
    for (const { symbol, target, sign } of aliases) this.image[symbol] = sign * (target + 1);
  }

  equation(equation: ScalarEquation): ScalarEquation {
    const known = remember(lastRenamed, equation, () => {
      const symbols = Int32Array.from(new Set([equation.left, equation.right].flatMap(symbolsOf)));
      return { symbols, images: new Int32Array(symbols.length), equation };
    });
    const { symbols, images } = known;
    let same = true;
    for (let k = 0; k < symbols.length; k++) {
      const image = this.imageOf(symbols[k]!);
      if (image === images[k]) continue;
      same = false;
      images[k] = image;
    }
    if (!same) known.equation = this.renamed(equation);
    return known.equation;
  }

  /** What a symbol is an alias of, as `sign * (target + 1)`; 0 for survivors. */
  imageOf(symbol: number): number {
    return symbol < this.image.length ? this.image[symbol]! : 0;
  }

  /** An equation in terms of survivors; itself where it contains no others. */
  renamed(equation: ScalarEquation): ScalarEquation {
    const left = this.rename(equation.left);
    const right = this.rename(equation.right);
    if (left === equation.left && right === equation.right) return equation;
    const { assigns, joins, index } = equation;
    return { left, right, assigns, joins, index };
  }

  private rename(expr: Expr): Expr {
    const { pool } = this;
    return substitute(
      pool,
      expr,
      (leaf) => {
        const image = leaf.kind === 'ref' ? this.imageOf(leaf.symbol) : 0;
        if (leaf.kind !== 'ref' || image === 0) return undefined;
        const target = pool.ref(Math.abs(image) - 1, leaf.order);
        return image > 0 ? target : pool.neg(target);
      },
      this.memo,
    );
  }
}

/** a = sign * b, as numbers of variables. */
interface Pair {
  readonly a: number;
  readonly b: number;
  readonly sign: 1 | -1;
}

/** Reads `left - right` as a sum of at most two variables with coefficients 1 and -1. */
function aliasPair(equation: ScalarEquation, forest: Forest): Pair | undefined {
  const terms: { variable: number; sign: 1 | -1 }[] = [];
  const open: { expr: Expr; sign: 1 | -1 }[] = [
    { expr: equation.right, sign: -1 },
    { expr: equation.left, sign: 1 },
  ];
  for (let item = open.pop(); item; item = open.pop()) {
    const { expr, sign } = item;
    if (expr.kind === 'const' && expr.value === 0) continue;
    if (expr.kind === 'ref') {
      const variable = expr.order === 0 ? forest.numbers.of(expr.symbol) : -1;
      if (variable < 0 || terms.length === 2) return undefined;
      terms.push({ variable, sign });
    } else if (expr.kind === 'apply' && (expr.op === 'add' || expr.op === 'sub' || expr.op === 'neg')) {
      const last = expr.args.length - 1;
      const flipped = sign === 1 ? -1 : 1;
      if (open.length + expr.args.length > 4) return undefined;
      open.push({ expr: expr.args[last]!, sign: expr.op === 'add' ? sign : flipped });
      if (last > 0) open.push({ expr: expr.args[0]!, sign });
    } else return undefined;
  }
  const [a, b] = terms;
  if (!a || !b || a.variable === b.variable) return undefined;
  return { a: a.variable, b: b.variable, sign: a.sign === b.sign ? -1 : 1 };
}

const selectRank = { never: 0, avoid: 1, default: 2, prefer: 3, always: 4 } as const;

/** Classes of aliases. `sign[v]` relates a variable to its parent in the tree. */
class Forest {
  /** Of the continuous unknowns. */
  readonly numbers: Numbering;
  private readonly parent: Int32Array;
  private readonly sign: Int8Array;
  private readonly size: Int32Array;
  /**
   * Of a root: the member that survives, whether some member is differentiated, and the strongest
   * stateSelect.
   */
  private readonly survivor: Int32Array;
  private readonly differentiated: Uint8Array;
  private readonly select: Uint8Array;
  /** Of a root: whether some member is a potential (1), or compared (2). */
  private readonly traits: Uint8Array;

  constructor(
    private readonly variables: readonly ScalarVariable[],
    differentiated: ReadonlySet<number>,
  ) {
    const n = variables.length;
    this.parent = new Int32Array(n);
    this.sign = new Int8Array(n).fill(1);
    this.size = new Int32Array(n).fill(1);
    this.differentiated = new Uint8Array(n);
    this.select = new Uint8Array(n);
    this.traits = new Uint8Array(n);
    this.numbers = new Numbering(variables, (v) => !variables[v]!.discrete);
    for (let v = 0; v < n; v++) {
      const variable = variables[v]!;
      const { symbol, stateSelect } = variable;
      this.parent[v] = v;
      this.traits[v] = traitsOf(variable);
      if (differentiated.has(symbol)) this.differentiated[v] = 1;
      this.select[v] = selectRank[stateSelect];
    }
    this.survivor = this.parent.slice();
  }

  /** Makes a = sign * b; false where the equation must stay. */
  unite(a: number, b: number, sign: 1 | -1): boolean {
    const ra = this.find(a);
    const rb = this.find(b);
    if (ra === rb) return false;
    if (this.differentiated[ra] && this.differentiated[rb]) return false;
    if (this.select[ra] === selectRank.always && this.select[rb] === selectRank.always) return false;
    const between = this.sign[a]! * sign * this.sign[b]!;
    const [root, child] = this.size[ra]! >= this.size[rb]! ? [ra, rb] : [rb, ra];
    const survivor = this.better(ra, rb);
    this.parent[child] = root;
    this.sign[child] = between;
    this.size[root]! += this.size[child]!;
    this.survivor[root] = survivor;
    this.differentiated[root]! |= this.differentiated[child]!;
    this.select[root] = Math.max(this.select[root]!, this.select[child]!);
    this.traits[root]! |= this.traits[child]!;
    return true;
  }

  result(): { aliases: Alias[]; survivors: ScalarVariable[] } {
    const aliases: Alias[] = [];
    const survivors: ScalarVariable[] = [];
    this.variables.forEach((variable, v) => {
      const root = this.find(v);
      const survivor = this.survivor[root]!;
      if (v !== survivor) {
        this.find(survivor);
        const sign = (this.sign[v]! * this.sign[survivor]!) as 1 | -1;
        aliases.push({ symbol: variable.symbol, target: this.variables[survivor]!.symbol, sign });
        return;
      }
      const stateSelect = selectNames[this.select[root]!]!;
      const traits = this.traits[root]!;
      const same = stateSelect === variable.stateSelect && traits === traitsOf(variable);
      survivors.push(
        same
          ? variable
          : { ...variable, stateSelect, potential: (traits & 1) > 0, compared: (traits & 2) > 0 },
      );
    });
    return { aliases, survivors };
  }

  /**
   * The better survivor of two classes: the differentiated one, then by stateSelect, by weight, and by order.
   */
  private better(ra: number, rb: number): number {
    const [a, b] = [this.survivor[ra]!, this.survivor[rb]!];
    const order =
      this.differentiated[ra]! - this.differentiated[rb]! ||
      this.select[ra]! - this.select[rb]! ||
      this.variables[a]!.weight - this.variables[b]!.weight ||
      b - a;
    return order > 0 ? a : b;
  }

  /** The root; afterwards `sign[v]` relates v to it directly. */
  private find(v: number): number {
    const parent = this.parent[v]!;
    if (this.parent[parent] === parent) return parent;
    const path: number[] = [];
    let root = v;
    while (this.parent[root] !== root) {
      path.push(root);
      root = this.parent[root]!;
    }
    let sign = 1;
    for (let k = path.length - 1; k >= 0; k--) {
      const node = path[k]!;
      sign *= this.sign[node]!;
      this.sign[node] = sign;
      this.parent[node] = root;
    }
    return root;
  }
}

function traitsOf({ potential, compared }: ScalarVariable): number {
  return (potential ? 1 : 0) | (compared ? 2 : 0);
}

const selectNames = ['never', 'avoid', 'default', 'prefer', 'always'] as const;
