/**
 * The equations of a model before it is decided which of their branches hold: relations are data, and both branches are there. So one
 * system of equations stands for all modes that relations can choose between, without any structural analysis.
 *
 * Discrete variables are replaced by what they are equal to, down to relations (`held`). Where a condition depends on relations, a branch
 * that is not in force counts with a very small weight `leak`, as long as both branches are affine:
 *
 *     if c then A else B     becomes     B + w*(A - B)     with w = 1 - leak where c holds, leak elsewhere
 *
 * An ideal diode so becomes one with a very small resistance or conductance, and a passive network of them strictly passive: parts that
 * float and loops without resistance are no exception, and the complementarity problem has one solution. Rows of the branches of an
 * if-equation are paired by the unknowns that they share.
 *
 * Time derivatives become difference quotients, `(x - left)*rate`: one step of the implicit Euler method.
 */
import { remember } from '../collections/memo.ts';
import type { Guard } from '../flat/flat.ts';
import { isLinearIn, leaves, substitute } from '../symbolic/analyse.ts';
import { type CallRule, partial } from '../symbolic/differentiate.ts';
import type { Expr, Ref } from '../symbolic/expr.ts';
import type { GuardedEquation, GuardedModel } from './guarded.ts';
import { guardHolds } from './relevance.ts';

export interface Undecided {
  /** Residuals, as many as there are unknowns. */
  readonly rows: readonly Expr[];
  readonly unknowns: readonly Ref[];
  /** Left limits of what is differentiated. */
  readonly lefts: readonly { readonly symbol: number; readonly left: Ref }[];
  /** One over the length of the step. */
  readonly rate: Ref;
  /** Relations that choose between branches, with left - right. */
  readonly relations: readonly { readonly relation: number; readonly indicator: Expr }[];
  /** What weights stand for. */
  readonly weights: readonly { readonly weight: Ref; readonly condition: Expr }[];
  /** Conditions of the model that depend on relations. */
  readonly conditions: readonly { readonly condition: number; readonly value: Expr }[];
}

/** The share of a branch that is not in force. */
export const leak = 1e-11;

/** Definitions of discrete variables that are followed. */
const mostDefinitions = 100;

/**
 * The undecided equations for given values of all conditions that do not depend on relations; undefined where relations change the number of equations or
 * unknowns, or where there is something in the equations that has no derivative.
 */
export function undecided(
  model: GuardedModel,
  values: readonly boolean[],
  calls: CallRule,
): Undecided | undefined {
  return new Writer(model, values, calls).write();
}

/** Conditions of the model that depend on relations of continuous variables. */
export function movableConditions(model: GuardedModel): number[] {
  const definitions = definitionsOf(model);
  return model.conditions.flatMap(({ value }, k) =>
    definitions.moves(definitions.expand(value)) ? [k] : [],
  );
}

/** So many conditions that depend on relations make a network, whose modes are settled together. */
export const leastNetwork = 3;

/** Relations that choose modes. */
export function choosingRelations(model: GuardedModel): ReadonlySet<number> {
  const found = new Set<number>();
  const definitions = definitionsOf(model);
  for (const k of movableConditions(model))
    for (const leaf of leaves(definitions.expand(model.conditions[k]!.value)))
      if (leaf.kind === 'held') found.add(leaf.relation);
  return found;
}

/** By the equations of a model, which it has in common with those that promotion makes of it. */
const known = new WeakMap<GuardedModel['equations'], Definitions>();

function definitionsOf(model: GuardedModel): Definitions {
  return remember(known, model.equations, () => new Definitions(model));
}

/** What discrete variables are equal to in all modes, down to relations. */
class Definitions {
  private readonly definitions = new Map<number, Expr>();
  private readonly memo = new Map<Expr, Expr>();
  private readonly moving = new Map<Expr, boolean>();
  private depth = 0;

  constructor(private readonly model: GuardedModel) {
    // Discrete Reals are numbers that equations read; they choose nothing.
    for (const { assigns, guard, right } of model.equations)
      if (assigns !== undefined && guard.length === 0 && model.scalars[assigns]!.type !== 'Real')
        this.definitions.set(assigns, right);
  }

  expand(expr: Expr): Expr {
    return substitute(this.model.pool, expr, (node) => this.definitionOf(node), this.memo);
  }

  definitionOf(node: Expr): Expr | undefined {
    const definition =
      node.kind === 'ref' && node.order === 0 ? this.definitions.get(node.symbol) : undefined;
    if (!definition || this.depth >= mostDefinitions) return undefined;
    // A variable that is defined by itself stays what it is.
    this.memo.set(node, node);
    this.depth++;
    const value = this.expand(definition);
    this.depth--;
    return value;
  }

  /** Whether an expanded expression depends on relations that are not relations of time. */
  moves(expr: Expr): boolean {
    return remember(this.moving, expr, () =>
      leaves(expr).some((leaf) => leaf.kind === 'held' && !this.model.relations[leaf.relation]!.switchTime),
    );
  }
}

/** Writes the equations down. */
class Writer {
  private readonly definitions: Definitions;
  private readonly memo = new Map<Expr, Expr>();
  private readonly weights = new Map<Expr, Ref>();
  private readonly lefts = new Map<number, Ref>();
  /** By condition: its expanded value where it depends on relations. */
  private readonly moving = new Map<number, Expr>();
  private readonly unknowns: Set<Expr>;
  private fresh: number;
  private readonly rate: Ref;

  constructor(
    private readonly model: GuardedModel,
    private readonly values: readonly boolean[],
    private readonly calls: CallRule,
  ) {
    this.definitions = definitionsOf(model);
    this.fresh = model.scalars.length;
    this.rate = this.leaf();
    const { pool, scalars, conditions } = model;
    this.unknowns = new Set(
      scalars.flatMap(({ kind }, symbol) => (kind === 'continuous' ? [pool.ref(symbol)] : [])),
    );
    for (const [k, { value }] of conditions.entries()) {
      const expanded = this.definitions.expand(value);
      if (this.definitions.moves(expanded)) this.moving.set(k, expanded);
    }
  }

  write(): Undecided | undefined {
    const active = this.model.equations.flatMap((equation) => {
      if (equation.assigns !== undefined || equation.joins !== undefined) return [];
      const fixed = equation.guard.filter((l) => !this.moving.has(l.condition));
      if (!guardHolds(fixed, this.values)) return [];
      return [{ equation, guard: equation.guard.filter((l) => this.moving.has(l.condition)) }];
    });
    const rows = this.rowsOf(active, 0)?.filter((row) => this.unknownsOf(row).length > 0);
    if (!rows) return undefined;
    const unknowns = new Set(rows.flatMap((row) => this.unknownsOf(row)));
    const isHigher = (leaf: Expr) => leaf.kind === 'ref' && leaf.order > 0;
    if (unknowns.size !== rows.length || rows.some((row) => leaves(row).some(isHigher))) return undefined;
    const relations = this.relationsIn(rows);
    const known = relations.every(({ indicator }) =>
      this.unknownsOf(indicator).every((unknown) => unknowns.has(unknown)),
    );
    if (!known) return undefined;
    return {
      rows,
      unknowns: [...unknowns],
      lefts: [...this.lefts].map(([symbol, left]) => ({ symbol, left })),
      rate: this.rate,
      relations,
      weights: [...this.weights].map(([condition, weight]) => ({ condition, weight })),
      conditions: [...this.moving].map(([condition, value]) => ({ condition, value })),
    };
  }

  /** Residuals of equations that share the first literals of their guards; undefined where branches do not fit. */
  private rowsOf(
    equations: readonly { readonly equation: GuardedEquation; readonly guard: Guard }[],
    depth: number,
  ): Expr[] | undefined {
    const rows: Expr[] = [];
    const branches = new Map<number, [(typeof equations)[number][], (typeof equations)[number][]]>();
    for (const one of equations) {
      const literal = one.guard[depth];
      if (!literal) {
        const { left, right } = one.equation;
        rows.push(this.rewrite(this.model.pool.sub(left, right)));
        continue;
      }
      const pair = branches.get(literal.condition) ?? [[], []];
      branches.set(literal.condition, pair);
      pair[literal.value ? 0 : 1].push(one);
    }
    for (const [condition, [holds, fails]] of branches) {
      const then = this.rowsOf(holds, depth + 1);
      const otherwise = this.rowsOf(fails, depth + 1);
      if (!then || !otherwise || then.length !== otherwise.length) return undefined;
      rows.push(...this.paired(this.moving.get(condition)!, then, otherwise));
    }
    return rows;
  }

  /** Each row of one branch with the row of the other that shares most unknowns with it; those with few partners choose first. */
  private paired(condition: Expr, then: readonly Expr[], otherwise: readonly Expr[]): Expr[] {
    const { pool } = this.model;
    const shared = (a: Expr, b: Expr) => {
      const own = new Set(this.unknownsOf(a));
      return this.unknownsOf(b).filter((unknown) => own.has(unknown));
    };
    const partners = (a: Expr) => otherwise.filter((b) => shared(a, b).length > 0).length;
    const open = otherwise.slice();
    return then
      .toSorted((a, b) => partners(a) - partners(b))
      .map((a) => {
        const sizes = open.map((b) => shared(a, b).length);
        const [b] = open.splice(sizes.indexOf(Math.max(...sizes)), 1);
        const [common] = shared(a, b!);
        const sign = common ? Math.sign(this.slope(a, common) * this.slope(b!, common)) : 0;
        return sign === 0
          ? pool.if(condition, a, b!)
          : this.blend(condition, a, sign < 0 ? pool.neg(b!) : b!);
      });
  }

  /** The constant derivative by an unknown; 0 where it is not constant. */
  private slope(row: Expr, unknown: Expr): number {
    const { value } = partial(this.model.pool, row, unknown, this.calls);
    return value?.kind === 'const' ? value.value : 0;
  }

  private blend(condition: Expr, a: Expr, b: Expr): Expr {
    const { pool } = this.model;
    if (!isLinearIn(a, this.unknowns) || !isLinearIn(b, this.unknowns)) return pool.if(condition, a, b);
    const weight = remember(this.weights, condition, () => this.leaf());
    return pool.add(b, pool.mul(weight, pool.sub(a, b)));
  }

  private rewrite(expr: Expr): Expr {
    return substitute(this.model.pool, expr, (node, below) => this.replacement(node, below), this.memo);
  }

  private replacement(node: Expr, below: readonly Expr[]): Expr | undefined {
    const { pool, scalars } = this.model;
    if (node.kind === 'apply' && node.op === 'if' && this.definitions.moves(below[0]!))
      return this.blend(below[0]!, below[1]!, below[2]!);
    if (node.kind !== 'ref') return undefined;
    if (node.order === 0) {
      const definition = this.definitions.expand(node);
      return definition === node ? undefined : definition;
    }
    if (node.order > 1 || scalars[node.symbol]!.kind !== 'continuous') return undefined;
    const left = remember(this.lefts, node.symbol, () => this.leaf());
    return pool.mul(pool.sub(pool.ref(node.symbol), left), this.rate);
  }

  /** Relations that rows and weights depend on, and those that their indicators depend on. */
  private relationsIn(rows: readonly Expr[]): { relation: number; indicator: Expr }[] {
    const { pool, relations } = this.model;
    const found = new Map<number, Expr>();
    const open: Expr[] = [...rows, ...this.weights.keys()];
    for (let expr = open.pop(); expr; expr = open.pop()) {
      for (const leaf of leaves(expr)) {
        if (leaf.kind !== 'held' || relations[leaf.relation]!.switchTime || found.has(leaf.relation))
          continue;
        const { left, right } = relations[leaf.relation]!;
        const indicator = this.rewrite(pool.sub(left, right));
        found.set(leaf.relation, indicator);
        open.push(indicator, ...this.weights.keys());
      }
    }
    return [...found].map(([relation, indicator]) => ({ relation, indicator }));
  }

  private unknownsOf(expr: Expr): Ref[] {
    return leaves(expr).filter((leaf): leaf is Ref => this.unknowns.has(leaf));
  }

  private leaf(): Ref {
    return this.model.pool.ref(this.fresh++);
  }
}
