/**
 * Sliding along a boundary where both sides push back (Filippov 1988, section 4; Utkin's equivalent control). A surface is where
 * the sides of a relation are equal. While the solution slides along it, each equation that depends on the relation is a mixture of what it
 * is above and below, `share*above + (1 - share)*below = 0`, the share being an unknown of its own; and the sides of the relation are
 * equal. For derivatives this is Filippov's convex combination, for the output of a relay its equivalent value. Index reduction finds
 * the share. It leaves the interval from 0 to 1 when one of the sides stops pushing back.
 *
 * Where a single equation depends on the relation, the unknown is the whole term `share*(above - below)`: it is determined also where both
 * sides come to the same on the surface, as two tanks do whose levels become equal through an orifice, and nothing flows any more.
 *
 * In terms of the guarded model: a condition (`$sliding1`, set by the event engine) chooses between the equations as written and the
 * mixed ones together with the constraint.
 */

import { remember } from '../collections/memo.ts';
import type { Guard, Literal } from '../flat/flat.ts';
import { leaves, substitute } from '../symbolic/analyse.ts';
import type { Expr } from '../symbolic/expr.ts';
import type { Pool } from '../symbolic/pool.ts';
import { printExpr } from '../symbolic/print.ts';
import { auxiliary } from './events.ts';
import type { Condition, GuardedEquation, GuardedModel, Relation, Scalar, Slide } from './guarded.ts';
import { existenceOf } from './sink.ts';

/** Surfaces that one equation may depend on; an equation with more is left as it is. */
const mostSurfaces = 4;
/** Definitions of Booleans that are followed. */
const mostDefinitions = 20;

interface Surface {
  readonly first: number;
  readonly members: { relation: number; above: boolean }[];
}

/** The model with all surfaces that equations depend on made ready for sliding. */
export function withSliding(model: GuardedModel): GuardedModel {
  const { pool } = model;
  const surfaces = surfacesOf(model);
  const surfaceOf = new Map(surfaces.flatMap((s) => s.members.map((m) => [m.relation, s] as const)));
  const inline = inliner(model);
  const scalars: Scalar[] = [...model.scalars];
  const relations: Relation[] = [...model.relations];
  const conditions: Condition[] = [...model.conditions];
  const equations: GuardedEquation[] = [];
  const slides = new Map<Surface, Slide>();
  const mixed: GuardedEquation[] = [];
  const dependent = model.equations.map((equation) => {
    const residual =
      equation.assigns === undefined ? inline(pool.sub(equation.left, equation.right)) : pool.zero;
    const found = new Set(
      leaves(residual).flatMap((l) => (l.kind === 'held' ? (surfaceOf.get(l.relation) ?? []) : [])),
    );
    return { equation, residual, found: found.size > mostSurfaces ? new Set<Surface>() : found };
  });
  const uses = new Map<Surface, number>();
  for (const { found } of dependent)
    for (const surface of found) uses.set(surface, (uses.get(surface) ?? 0) + 1);
  for (const { equation, residual, found } of dependent) {
    if (found.size === 0) {
      equations.push(equation);
      continue;
    }
    const own = [...found].map((surface) =>
      remember(slides, surface, () => {
        const isAlone = found.size === 1 && uses.get(surface) === 1;
        const difference = isAlone ? differenceOf(pool, residual, surface) : undefined;
        return addSlide(model, surface, difference, { scalars, relations, conditions });
      }),
    );
    const off = own.map((slide): Literal => ({ condition: slide.condition, value: false }));
    equations.push({ ...equation, guard: [...equation.guard, ...off] });
    mixed.push(...mixtures(pool, equation, residual, own));
  }
  for (const [surface, { condition }] of slides) {
    const { left, right, origin } = model.relations[surface.first]!;
    const existence = existenceOf([left, right], (symbol) => model.scalars[symbol]!.variable?.guard);
    const guard: Guard = [...existence, { condition, value: true }];
    mixed.push({ guard, left, right, assigns: undefined, origin });
  }
  equations.push(...mixed);
  return { ...model, scalars, relations, conditions, equations, slides: [...slides.values()] };
}

/** Relations of continuous variables, by the surface where their sides are equal. */
function surfacesOf({ pool, relations, scalars }: GuardedModel): Surface[] {
  const surfaces = new Map<number, Surface & { readonly indicator: Expr }>();
  for (const [relation, { op, left, right, switchTime }] of relations.entries()) {
    const indicator = pool.sub(left, right);
    const varies = leaves(indicator).some(
      (l) => l.kind === 'ref' && scalars[l.symbol]!.kind === 'continuous',
    );
    if (switchTime || !varies) continue;
    const key = Math.min(indicator.id, pool.sub(right, left).id);
    const surface = remember(surfaces, key, () => ({ first: relation, indicator, members: [] }));
    const grows = op === 'gt' || op === 'ge';
    surface.members.push({ relation, above: (surface.indicator === indicator) === grows });
  }
  return [...surfaces.values()];
}

/** Replaces Boolean variables by what they are defined as. */
function inliner({ pool, equations, scalars }: GuardedModel): (expr: Expr) => Expr {
  const definitions = new Map<number, Expr>();
  for (const { assigns, guard, right } of equations) {
    if (assigns === undefined || guard.length > 0 || scalars[assigns]!.type !== 'Boolean') continue;
    if (leaves(right).every((l) => l.kind === 'held' || l.kind === 'ref')) definitions.set(assigns, right);
  }
  if (definitions.size === 0) return (expr) => expr;
  return (expr) => {
    let result = expr;
    for (let n = 0; n < mostDefinitions; n++) {
      const next = substitute(pool, result, (node) =>
        node.kind === 'ref' && node.order === 0 ? definitions.get(node.symbol) : undefined,
      );
      if (next === result) break;
      result = next;
    }
    return result;
  };
}

function addSlide(
  model: GuardedModel,
  surface: Surface,
  difference: Expr | undefined,
  { scalars, relations, conditions }: { scalars: Scalar[]; relations: Relation[]; conditions: Condition[] },
): Slide {
  const { pool } = model;
  const { left, right, origin } = model.relations[surface.first]!;
  const number = conditions.length + 1;
  const flag = scalars.push(auxiliary(`$sliding${number}`, 'flag', 'Boolean')) - 1;
  const share = scalars.push(auxiliary(`$share${number}`, 'continuous', 'Real')) - 1;
  // Both sides times the square of the difference: nothing is divided by.
  const scaled = difference ? pool.mul(pool.ref(share), difference) : pool.ref(share);
  const bound = (op: Relation['op'], limit: Expr): number =>
    relations.push({ op, left: scaled, right: limit, switchTime: undefined, origin }) - 1;
  const text = (expr: Expr) =>
    printExpr(expr, {
      nameOfSymbol: (symbol) => scalars[symbol]!.name,
      nameOfRelation: () => '…',
      nameOfFunction: (fn) => model.functions[fn]!.name,
    });
  const condition =
    conditions.push({
      value: pool.ref(flag),
      label: `sliding along ${text(left)} = ${text(right)}`,
      origin,
      structural: true,
      constant: false,
      quiet: true,
      machine: undefined,
    }) - 1;
  const under = bound('lt', pool.zero);
  const over = bound('gt', difference ? pool.mul(difference, difference) : pool.one);
  return { relations: surface.members, flag, condition, share, difference, under, over };
}

/** The equation for every set of its surfaces that the solution slides along. */
function mixtures(
  pool: Pool,
  equation: GuardedEquation,
  residual: Expr,
  slides: readonly Slide[],
): GuardedEquation[] {
  const result: GuardedEquation[] = [];
  for (let set = 1; set < 2 ** slides.length; set++) {
    const guard = [...equation.guard];
    let mixture = residual;
    for (const [k, slide] of slides.entries()) {
      const value = (set & (2 ** k)) !== 0;
      guard.push({ condition: slide.condition, value });
      if (value) mixture = mix(pool, mixture, slide);
    }
    result.push({ ...equation, guard, left: mixture, right: pool.zero });
  }
  return result;
}

function mix(pool: Pool, residual: Expr, { relations, share, difference }: Slide): Expr {
  const part = pool.ref(share);
  const below = side(pool, residual, relations, false);
  if (difference) return pool.add(below, part);
  return pool.add(below, pool.mul(part, pool.sub(side(pool, residual, relations, true), below)));
}

function differenceOf(pool: Pool, residual: Expr, { members }: Surface): Expr {
  return pool.sub(side(pool, residual, members, true), side(pool, residual, members, false));
}

/** What an equation is above a surface, or below it. */
function side(pool: Pool, residual: Expr, relations: Slide['relations'], above: boolean): Expr {
  const values = new Map(relations.map((r) => [r.relation, r.above === above]));
  return substitute(pool, residual, (node) => {
    const value = node.kind === 'held' ? values.get(node.relation) : undefined;
    return value === undefined ? undefined : value ? pool.one : pool.zero;
  });
}
