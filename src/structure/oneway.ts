/**
 * Variables whose sign a mode holds because conditions ask for both of its signs, as a flow does that carries something: `a > 0` and `b > 0` with
 * `a + b = 0` choose what flows into a pump on its two sides. Balances of what is carried are multiples of the flow there,
 *
 *     0 = a*h1 - a*h2 + W,   W = dp*V,   V = a/rho     is     a*(h1 - h2 + dp/rho) = 0
 *
 * with the second solution a = 0, which leaves h to other equations: it goes on for ever with any h, and where the flow turns both solutions meet, so that a
 * solver cannot tell them apart. While the flow has a sign it is not zero, and such equations are divided by it. What is left has one solution, which goes
 * through zero as the flow does. Modes that give the flow no sign at all are impossible, and those that say it is zero leave the balance without a say. Where an
 * equation makes it zero, as that of a valve that is closed, nothing determines what it carries; where only the signs do, the mode is none.
 */
import { append } from '../collections/groups.ts';
import { remember } from '../collections/memo.ts';
import { nodesOf, symbolsOf } from '../symbolic/analyse.ts';
import type { Expr } from '../symbolic/expr.ts';
import type { Pool } from '../symbolic/pool.ts';
import { type Alias, aliasOf, type ScalarEquation } from './analysis.ts';
import { Signs } from './signs.ts';

/** A comparison of an indicator with zero by which a mode is chosen. */
export interface HeldSign {
  readonly indicator: Expr;
  readonly op: 'gt' | 'ge' | 'lt' | 'le';
  readonly holds: boolean;
}

/** A flow of which a mode says that it is zero, or that it has no sign. */
export interface Stuck {
  readonly symbol: number;
  /** Equations that are multiples of it where it is zero, by what else they are about; undefined where it has no sign. */
  readonly silent: ReadonlyMap<ScalarEquation, readonly number[]> | undefined;
  /** What it would carry, and nothing else determines, where an equation makes it zero; undefined where its sign alone does. */
  readonly carried?: ReadonlySet<number> | undefined;
}

/** Sums of more variables say of none of them that it is the same as another. */
const mostTerms = 4;

const [minus, zero, plus] = [1, 2, 4];
const signsThat = { gt: plus, ge: plus | zero, lt: minus, le: minus | zero } as const;
const mirrored = { gt: 'lt', ge: 'le', lt: 'gt', le: 'ge' } as const;

/** What is negated, or what is not. */
const positive = (expr: Expr): Expr => (expr.kind === 'apply' && expr.op === 'neg' ? expr.args[0]! : expr);

/** Signs that variables may have in a mode, of those that are asked for both of them. */
function signsOf(held: readonly HeldSign[], find: Same['find']): Map<number, number> {
  const found = new Map<number, { possible: number; asked: number }>();
  for (const { indicator, op, holds } of held) {
    const inner = positive(indicator);
    if (inner.kind !== 'ref' || inner.order > 0) continue;
    const { root, sign } = find(inner.symbol);
    const isNegative = (inner !== indicator) !== sign < 0;
    const asks = signsThat[isNegative ? mirrored[op] : op];
    const own = remember(found, root, () => ({ possible: minus | zero | plus, asked: 0 }));
    own.possible &= holds ? asks : ~asks;
    own.asked |= asks & ~zero;
  }
  const isBoth = ({ asked }: { readonly asked: number }) => asked === (minus | plus);
  return new Map([...found].flatMap(([symbol, own]) => (isBoth(own) ? [[symbol, own.possible]] : [])));
}

/**
 * The equations with those divided that are multiples of a variable which is not zero; or what the mode says of one that is: this shows in equations as they
 * are `written`, before aliases are eliminated, of which `a*h + b*h` leaves nothing. `isFree` tells which variables the rest of a divided equation may determine,
 * `isNonzero` which expressions are never zero.
 */
export function divided(
  pool: Pool,
  {
    equations,
    aliases,
  }: { readonly equations: readonly ScalarEquation[]; readonly aliases: readonly Alias[] },
  held: readonly HeldSign[],
  written: readonly ScalarEquation[],
  isFree: (symbol: number) => boolean,
  isNonzero: (expr: Expr) => boolean,
): { readonly equations: readonly ScalarEquation[]; readonly stuck?: readonly Stuck[] } {
  if (held.length < 2) return { equations };
  const same = new Same(pool, equations, aliases, isFree);
  let result = equations;
  const stuck: Stuck[] = [];
  for (const [symbol, possible] of signsOf(held, (own) => same.find(own))) {
    if (possible === 0) stuck.push({ symbol, silent: undefined });
    if (possible === zero) {
      const own = new Same(pool, written, [], isFree);
      const multiples = new Multiples(pool, written, own, own.find(symbol).root);
      const shut = multiples.shutting(isNonzero);
      const silent = multiples.silent(isFree);
      if (shut) silent.delete(shut);
      const carried =
        shut && carriedBy(multiples, new Multiples(pool, equations, same, symbol), aliases, isFree);
      if (silent.size > 0) stuck.push({ symbol, silent, carried });
    }
    if (possible === 0 || possible & zero) continue;
    const quotients = new Multiples(pool, result, same, symbol).quotients(isFree);
    if (quotients.size === 0) continue;
    result = result.map((equation) => {
      const left = quotients.get(equation);
      return left ? { ...equation, left, right: pool.zero } : equation;
    });
  }
  return { equations: result, stuck };
}

/** What multiples of a variable are multiples of, and cancels in balances of them: what flows out is what flows in. */
function carriedBy(
  written: Multiples,
  reduced: Multiples,
  aliases: readonly Alias[],
  isFree: (symbol: number) => boolean,
): Set<number> {
  const left = new Set([...reduced.quotients(isFree).values()].flatMap(symbolsOf));
  const factors = [...written.factorsBeside].map((symbol) => aliasOf(aliases, symbol)?.target ?? symbol);
  return new Set(factors.filter((symbol) => isFree(symbol) && !left.has(symbol)));
}

/** Equations of which some are about these variables alone: whether they could determine them shows whether the system has a structure. */
export function aboutOthers(
  pool: Pool,
  equations: readonly ScalarEquation[],
  others: ReadonlyMap<ScalarEquation, readonly number[]>,
): ScalarEquation[] {
  return equations.map((equation) => {
    const symbols = others.get(equation);
    if (!symbols) return equation;
    const sum = [...new Set(symbols)]
      .map((symbol) => pool.ref(symbol))
      .reduce<Expr>((a, b) => pool.add(a, b), pool.zero);
    return { ...equation, left: sum, right: pool.zero };
  });
}

/** Variables that the equations of a mode show to be equal, of opposite sign, or zero. */
class Same {
  /** The equations that show it. */
  readonly equations = new Set<ScalarEquation>();
  private readonly signs = new Signs();

  constructor(
    pool: Pool,
    equations: readonly ScalarEquation[],
    private readonly aliases: readonly Alias[],
    isFree: (symbol: number) => boolean,
  ) {
    let open = equations.flatMap((equation) => {
      if (equation.assigns !== undefined || equation.joins !== undefined) return [];
      const terms = remember(knownTerms, equation, () => termsOf(pool.sub(equation.left, equation.right)));
      return terms !== noSum && [...terms.keys()].every(isFree) ? [{ equation, terms }] : [];
    });
    for (let before = -1; open.length !== before; ) {
      before = open.length;
      open = open.filter(({ equation, terms }) => {
        if (!this.signs.learn(terms)) return true;
        this.equations.add(equation);
        return false;
      });
    }
  }

  find(symbol: number): { readonly root: number; readonly sign: number } {
    const alias = aliasOf(this.aliases, symbol);
    if (!alias) return this.signs.find(symbol);
    const { root, sign } = this.signs.find(alias.target);
    return { root, sign: sign * alias.sign };
  }

  isZero(root: number): boolean {
    return this.signs.isZero(new Map([[root, 1]]));
  }
}

/** Equations are shared by modes, and so is what sums they are. */
const knownTerms = new WeakMap<ScalarEquation, ReadonlyMap<number, number>>();

const noSum: ReadonlyMap<number, number> = new Map();

/** The factors of a sum of variables; none of what is no sum, or has many terms. */
function termsOf(sum: Expr): ReadonlyMap<number, number> {
  const terms = new Map<number, number>();
  const open: { readonly expr: Expr; readonly sign: number }[] = [{ expr: sum, sign: 1 }];
  for (let item = open.pop(); item; item = open.pop()) {
    const { expr, sign } = item;
    if (expr.kind === 'ref' && expr.order === 0) {
      const factor = (terms.get(expr.symbol) ?? 0) + sign;
      if (factor === 0) terms.delete(expr.symbol);
      else terms.set(expr.symbol, factor);
    } else if (expr.kind === 'apply' && (expr.op === 'add' || expr.op === 'sub' || expr.op === 'neg')) {
      const [a, b = a] = expr.args;
      if (expr.op !== 'neg') open.push({ expr: a!, sign });
      open.push({ expr: b!, sign: expr.op === 'add' ? sign : -sign });
    } else if (expr.kind !== 'const' || expr.value !== 0) return noSum;
    if (terms.size > mostTerms) return noSum;
  }
  return terms;
}

/** What is a multiple of one variable, and of which value. */
class Multiples {
  /** By variable that is none of those that are the same: what it is divided by the one, and the equations that say so. */
  private readonly factors = new Map<number, Expr>();
  private readonly definitions = new Set<ScalarEquation>();
  private readonly known = new Map<Expr, Expr | undefined>();
  private readonly touched = new Set<ScalarEquation>();
  /** Variables that multiples of it are multiples of, too. */
  readonly factorsBeside = new Set<number>();
  /** Variables, and expressions of the equation at hand, that are sums of several multiples, as balances are. */
  private readonly mixed = new Set<number>();
  private readonly sums = new Set<Expr>();

  constructor(
    private readonly pool: Pool,
    equations: readonly ScalarEquation[],
    private readonly same: Same,
    private readonly symbol: number,
  ) {
    const users = new Map<number, ScalarEquation[]>();
    const open = new Set<number>();
    for (const equation of equations)
      if (equation.assigns === undefined && equation.joins === undefined && !same.equations.has(equation))
        for (const own of new Set([equation.left, equation.right].flatMap(symbolsOf))) {
          const { root } = same.find(own);
          append(users, root, equation);
          if (this.factorOf(root)) open.add(root);
        }
    for (const next of open)
      for (const equation of users.get(next) ?? []) {
        this.touched.add(equation);
        const defined = this.define(equation);
        if (defined !== undefined) open.add(defined);
      }
  }

  private factorOf(symbol: number): Expr | undefined {
    const { pool, same, factors } = this;
    const { root, sign } = same.find(symbol);
    const factor = root === this.symbol ? pool.one : same.isZero(root) ? pool.zero : factors.get(root);
    return factor && sign < 0 ? pool.neg(factor) : factor;
  }

  /** By equation that says nothing where the variable is zero: what it says elsewhere, where that may determine something. */
  quotients(isFree: (symbol: number) => boolean): Map<ScalarEquation, Expr> {
    return new Map([...this.all()].filter(([, quotient]) => symbolsOf(quotient).some(isFree)));
  }

  /**
   * The equation that makes the variable zero: a multiple of it, and of nothing that could be zero. A balance is none, whatever is left where all that is carried
   * cancels: it would determine that instead.
   */
  shutting(isNonzero: (expr: Expr) => boolean): ScalarEquation | undefined {
    for (const [equation, quotient] of this.all()) {
      const { left, right } = equation;
      const isSum = quotient !== this.quotient(left) && quotient !== this.pool.neg(this.quotient(right)!);
      if (!isSum && !this.sums.has(left) && !this.sums.has(right) && isNonzero(quotient)) return equation;
    }
    return undefined;
  }

  /** Equations that say something of other variables, but not where the one is zero; and these variables. */
  silent(isFree: (symbol: number) => boolean): Map<ScalarEquation, readonly number[]> {
    const found = new Map<ScalarEquation, readonly number[]>();
    const isOther = (symbol: number) => isFree(symbol) && !this.factorOf(symbol);
    for (const [equation, quotient] of this.all()) {
      const others = [equation.left, equation.right, quotient].flatMap(symbolsOf).filter(isOther);
      if (others.length > 0) found.set(equation, others);
    }
    return found;
  }

  /** All equations that are multiples, by what is left of them. */
  private all(): Map<ScalarEquation, Expr> {
    const found = new Map<ScalarEquation, Expr>();
    for (const equation of this.touched) {
      if (this.definitions.has(equation)) continue;
      const [left, right] = [this.quotient(equation.left), this.quotient(equation.right)];
      if (left && right) found.set(equation, this.pool.sub(left, right));
    }
    return found;
  }

  /** The variable that an equation shows to be a multiple, if it is a new one. */
  private define(equation: ScalarEquation): number | undefined {
    if (this.definitions.has(equation)) return undefined;
    for (const [side, value] of [
      [equation.left, equation.right],
      [equation.right, equation.left],
    ] as const) {
      const own = positive(side);
      if (own.kind !== 'ref' || own.order > 0 || this.factorOf(own.symbol)) continue;
      if (symbolsOf(value).includes(own.symbol)) continue;
      this.forget();
      const factor = this.quotient(value);
      if (!factor) continue;
      const { root, sign } = this.same.find(own.symbol);
      this.factors.set(root, (own === side) === sign > 0 ? factor : this.pool.neg(factor));
      if (this.sums.has(value)) this.mixed.add(root);
      this.definitions.add(equation);
      this.forget();
      return root;
    }
    return undefined;
  }

  private forget(): void {
    this.known.clear();
    this.sums.clear();
  }

  private quotient(expr: Expr): Expr | undefined {
    for (const node of nodesOf(expr))
      if (!this.known.has(node)) {
        this.known.set(node, this.divide(node));
        if (this.isSum(node)) this.sums.add(node);
      }
    return this.known.get(expr);
  }

  private isSum(expr: Expr): boolean {
    const { known, sums, mixed, same, pool } = this;
    if (expr.kind === 'ref') return mixed.has(same.find(expr.symbol).root);
    if (expr.kind !== 'apply') return false;
    const parts = expr.args.filter((part) => known.get(part) && known.get(part) !== pool.zero);
    return (
      (parts.length > 1 && (expr.op === 'add' || expr.op === 'sub')) ||
      expr.args.some((part) => sums.has(part))
    );
  }

  /** The quotient of an expression, where those of its parts are known. */
  private divide(expr: Expr): Expr | undefined {
    const { pool, known } = this;
    if (expr === pool.zero) return pool.zero;
    if (expr.kind === 'ref') return expr.order === 0 ? this.factorOf(expr.symbol) : undefined;
    if (expr.kind !== 'apply') return undefined;
    const [a, b] = expr.args;
    switch (expr.op) {
      case 'neg': {
        const inner = known.get(a!);
        return inner && pool.neg(inner);
      }
      case 'add':
      case 'sub': {
        const [left, right] = [known.get(a!), known.get(b!)];
        return left && right && pool[expr.op](left, right);
      }
      case 'mul': {
        const [left, right] = [known.get(a!), known.get(b!)];
        const other = left ? b! : a!;
        if ((left || right) && other.kind === 'ref' && other.order === 0)
          this.factorsBeside.add(other.symbol);
        return left ? pool.mul(left, b!) : right && pool.mul(a!, right);
      }
      case 'div': {
        const over = known.get(a!);
        return over && pool.div(over, b!);
      }
      case 'if': {
        const [then, otherwise] = [known.get(b!), known.get(expr.args[2]!)];
        return then && otherwise && pool.if(a!, then, otherwise);
      }
      default:
        return undefined;
    }
  }
}
