/**
 * Flows that carry something along (Modelica 3.6, section 3.7.4.2, `semiLinear`). A part of a pipe that holds nothing says, for its flow x and what it carries, y,
 *
 *     y = if x >= 0 then x*up else x*down
 *
 * Several in a row have the same flow and carry the same, so that from one to the next
 *
 *     y = semiLinear(x, a, s1);  y = semiLinear(x, s1, s2);  …  y = semiLinear(x, sn, b)
 *
 * Where nothing flows, these equations do not determine s1 … sn. They say the same as
 *
 *     y = semiLinear(x, a, b);  s1 = if x >= 0 then a else b;  …
 *
 * which does, without a division. Whether flows are the same is concluded from sums of two in which nothing else stands, or only what is zero.
 *
 * Where three or more meet, the sum of what they carry is zero, which does not determine the s that they have in common where nothing flows. It says the same as
 *
 *     s = mixture of what is on their other sides, weighted with what flows from there
 *
 * which does, with weights that are exact where anything flows at all, and equal where nothing does, as those of stream connectors.
 */

import type { ScalarEquation } from '../structure/analysis.ts';
import { rowOf } from '../structure/linear/rows.ts';
import { Signs } from '../structure/signs.ts';
import { withoutZeros } from '../structure/zeros.ts';
import type { Expr, Ref } from '../symbolic/expr.ts';
import type { GuardedEquation, GuardedModel } from './guarded.ts';

export interface Sides {
  readonly left: Expr;
  readonly right: Expr;
}

/** An equation of the kind above. */
interface Link {
  /** Number of the equation. */
  readonly index: number;
  readonly carried: Ref;
  readonly flow: Ref;
  readonly condition: Expr;
  readonly up: Expr;
  readonly down: Expr;
}

/** Links in a row as one: it begins with the first of them, whose flow and what that carries are those of all. */
interface Way {
  readonly link: Link;
  readonly up: Expr;
  readonly down: Expr;
}

/** Below this part of its nominal value, a flow counts as none where flows meet. */
const negligible = 1e-8;

/** A link as seen along a chain: what comes in and goes out where the flow that all have in common is positive. */
interface Step {
  readonly link: Link;
  /** Whether the flow of the link is the common one; the other way it is its negative. */
  readonly forward: boolean;
  readonly from: Expr;
  readonly to: Expr;
}

export class Chains {
  /** Symbols of what flows carry. */
  private readonly carried: ReadonlySet<number>;

  private constructor(
    private readonly model: GuardedModel,
    private readonly links: ReadonlyMap<number, Link>,
    private readonly unknowns: ReadonlySet<number>,
  ) {
    this.carried = new Set([...links.values()].map(({ carried }) => carried.symbol));
  }

  /** What of a model can be chained; undefined where nothing can. */
  static in(model: GuardedModel): Chains | undefined {
    const links = new Map<number, Link>();
    const bent = new Map(model.kinks.map((kink) => [kink.smooth, kink.bent]));
    for (const [index, equation] of model.equations.entries()) {
      const link = linkOf(model, equation, bent.get(equation.right) ?? equation.right, index);
      if (link) links.set(index, link);
    }
    if (links.size < 2) return undefined;
    const unknowns = new Set<number>();
    for (const [symbol, { kind }] of model.scalars.entries()) if (kind === 'continuous') unknowns.add(symbol);
    return new Chains(model, links, unknowns);
  }

  /** Whether something else may stand in the place of an equation that is no link: a sum of what flows carry. */
  isSum(equation: ScalarEquation): boolean {
    const row = rowOf(this.model.pool, equation, this.unknowns);
    return (
      row !== undefined &&
      row.terms.size > 2 &&
      [...row.terms.keys()].some((symbol) => this.carried.has(symbol))
    );
  }

  /** By index: what stands in the place of equations, where these are the equations that hold, and these parameters zero. */
  replaced(equations: readonly ScalarEquation[], zeros: ReadonlySet<number>): Map<number, Sides> {
    const { signs, sums } = this.equalities(withoutZeros(this.model.pool, equations, zeros));
    const groups = new Map<string, Step[]>();
    for (const { index } of equations) {
      const link = this.links.get(index);
      if (!link) continue;
      const [carried, flow] = [signs.find(link.carried.symbol), signs.find(link.flow.symbol)];
      const forward = flow.sign === 1;
      const key = `${carried.root} ${flow.root} ${carried.sign * flow.sign}`;
      const { up, down } = link;
      const step = { link, forward, from: forward ? up : down, to: forward ? down : up };
      const group = groups.get(key);
      if (group) group.push(step);
      else groups.set(key, [step]);
    }
    const result = new Map<number, Sides>();
    const ways: Way[] = [];
    for (const steps of groups.values()) {
      const chains = this.chainsOf(steps, signs);
      ways.push(...chains.map((chain) => this.contract(chain, result)));
      const single = steps.filter((step) => !chains.some((chain) => chain.includes(step)));
      ways.push(...single.map(({ link }) => ({ link, up: link.up, down: link.down })));
    }
    for (const sum of sums) this.join(sum, sums, ways, signs, result);
    return result;
  }

  /** Which variables are equal, or of opposite sign, by sums of two; and the sums of more. */
  private equalities(equations: readonly ScalarEquation[]): { signs: Signs; sums: Sum[] } {
    const signs = new Signs();
    let open = equations.flatMap((equation): Sum[] => {
      if (this.links.has(equation.index)) return [];
      const row = rowOf(this.model.pool, equation, this.unknowns);
      return row && row.known.size === 0 ? [{ index: equation.index, terms: row.terms }] : [];
    });
    for (let before = -1; open.length !== before; ) {
      before = open.length;
      open = open.filter(({ terms }) => !signs.learn(terms));
    }
    return { signs, sums: open };
  }

  /** What is carried to where ways meet, if that is what a sum is of: the mixture stands in its place. */
  private join(
    { index, terms }: Sum,
    sums: readonly Sum[],
    ways: readonly Way[],
    signs: Signs,
    result: Map<number, Sides>,
  ): void {
    const carried = signs.reduced(terms);
    const members = ways.filter(({ link }) => carried.has(signs.find(link.carried.symbol).root));
    if (members.length < 3 || members.length !== carried.size) return;
    const names = members.map(({ up, down }) => [this.nameOf(up, signs), this.nameOf(down, signs)] as const);
    const node = names[0]!.find(
      (name) => !name.startsWith('=') && names.every((ends) => ends.includes(name)),
    );
    if (node === undefined) return;
    const isUp = names.map(([up]) => up === node);
    const inflows = members.map(({ link }, k) => {
      const { root, sign } = signs.find(link.carried.symbol);
      return (isUp[k] ? 1 : -1) * sign * carried.get(root)!;
    });
    if (names.some(([up, down]) => up === down) || inflows.some((factor) => factor !== inflows[0])) return;
    const flows = signs.reduced(
      new Map(members.map(({ link }, k) => [link.flow.symbol, isUp[k] ? 1 : -1] as const)),
    );
    const isBalance = signs.isZero(flows) || sums.some((sum) => isMultiple(signs.reduced(sum.terms), flows));
    if (!isBalance) return;
    const at = isUp[0] ? members[0]!.up : members[0]!.down;
    result.set(index, { left: at, right: this.mixture(members, isUp) });
  }

  private mixture(members: readonly Way[], isUp: readonly boolean[]): Expr {
    const { pool, scalars } = this.model;
    const sum = (terms: readonly Expr[]) => terms.reduce((total, term) => pool.add(total, term));
    const values = members.map(({ up, down }, k) => (isUp[k] ? down : up));
    const inflows = members.map(({ link: { condition, flow } }, k) =>
      isUp[k] ? pool.if(condition, pool.zero, pool.neg(flow)) : pool.if(condition, flow, pool.zero),
    );
    const total = sum(inflows);
    const nominal = scalars[members[0]!.link.flow.symbol]!.nominal ?? pool.one;
    const part = pool.div(total, pool.mul(pool.const(negligible), nominal));
    const missing = pool.if(pool.apply('lt', part, pool.one), pool.sub(pool.one, part), pool.zero);
    const least = pool.mul(pool.mul(pool.const(negligible), nominal), pool.mul(missing, missing));
    const weights = inflows.map((inflow) => pool.add(inflow, least));
    return pool.div(sum(weights.map((weight, k) => pool.mul(weight, values[k]!))), sum(weights));
  }

  /** Variables that are equal have the same name; other expressions begin with `=`. */
  private nameOf(expr: Expr, signs: Signs): string {
    if (expr.kind !== 'ref' || expr.order > 0 || !this.unknowns.has(expr.symbol)) return `= ${expr.id}`;
    const { root, sign } = signs.find(expr.symbol);
    return `${sign * root}`;
  }

  /** Steps one after the other, each chain as long as it can be. */
  private chainsOf(steps: readonly Step[], signs: Signs): Step[][] {
    if (steps.length < 2) return [];
    const name = (expr: Expr) => this.nameOf(expr, signs);
    const leaving = new Map<string, Step[]>();
    const arriving = new Map<string, Step[]>();
    for (const step of steps) {
      for (const [map, end] of [
        [leaving, step.from],
        [arriving, step.to],
      ] as const) {
        const list = map.get(name(end));
        if (list) list.push(step);
        else map.set(name(end), [step]);
      }
    }
    const isInner = (node: string) =>
      !node.startsWith('=') && leaving.get(node)?.length === 1 && arriving.get(node)?.length === 1;
    return steps.flatMap((first) => {
      if (isInner(name(first.from))) return [];
      const chain = [first];
      for (let end = name(first.to); isInner(end); end = name(chain.at(-1)!.to))
        chain.push(leaving.get(end)![0]!);
      return chain.length > 1 ? [chain] : [];
    });
  }

  private contract(chain: readonly Step[], result: Map<number, Sides>): Way {
    const { pool } = this.model;
    const [first, ...others] = chain;
    const { link, forward, from } = first!;
    const { to } = chain.at(-1)!;
    const [up, down] = forward ? [from, to] : [to, from];
    const { condition, flow, carried } = link;
    result.set(link.index, {
      left: carried,
      right: pool.if(condition, pool.mul(up, flow), pool.mul(down, flow)),
    });
    for (const step of others)
      result.set(step.link.index, { left: step.from, right: pool.if(condition, up, down) });
    return { link, up, down };
  }
}

/** An equation as a link, its right side with the relation of its bend. */
function linkOf(
  model: GuardedModel,
  { left, assigns, joins }: GuardedEquation,
  right: Expr,
  index: number,
): Link | undefined {
  if (assigns !== undefined || joins !== undefined || !isPlain(left)) return undefined;
  if (right.kind !== 'apply' || right.op !== 'if') return undefined;
  const [condition, then, otherwise] = right.args as [Expr, Expr, Expr];
  if (condition.kind !== 'held') return undefined;
  const { op, left: flow, right: bound } = model.relations[condition.relation]!;
  if (op !== 'ge' || bound !== model.pool.zero || !isPlain(flow)) return undefined;
  const [up, down] = [factorBeside(then, flow), factorBeside(otherwise, flow)];
  return up && down && { index, carried: left, flow, condition, up, down };
}

const isPlain = (expr: Expr): expr is Ref => expr.kind === 'ref' && expr.order === 0;

/** What a product has besides a factor. */
function factorBeside(product: Expr, factor: Expr): Expr | undefined {
  if (product.kind !== 'apply' || product.op !== 'mul') return undefined;
  const [a, b] = product.args as [Expr, Expr];
  return a === factor ? b : b === factor ? a : undefined;
}

/** An equation that says that a sum is zero. */
interface Sum {
  readonly index: number;
  readonly terms: ReadonlyMap<number, number>;
}

function isMultiple(terms: ReadonlyMap<number, number>, others: ReadonlyMap<number, number>): boolean {
  const [first] = terms;
  if (!first || terms.size !== others.size) return false;
  const factor = (others.get(first[0]) ?? 0) / first[1];
  return factor !== 0 && [...terms].every(([symbol, term]) => others.get(symbol) === factor * term);
}
