/**
 * Whether two models have the same structure: the same variables, equations and events, up to the values of parameters and the start
 * values that depend on parameters alone. What was made from one of them then serves the other one, with its values.
 *
 * Models are plain data with expressions in them; expressions of different pools are compared node by node, each pair once.
 */
import type { FlatPort } from '../flat/flat.ts';
import { children } from '../symbolic/analyse.ts';
import type { Expr } from '../symbolic/expr.ts';
import type { Component, GuardedModel, Scalar } from './guarded.ts';
import { openParameters } from './variables.ts';

/** What differs, in words; undefined where the structure is the same. */
export function differenceOf(a: GuardedModel, b: GuardedModel): string | undefined {
  const comparison = new Comparison();
  const open = new Set([...openParameters(a), ...openParameters(b)]);
  const same = (s: Scalar, t: Scalar, symbol: number) =>
    comparison.same(shapeOf(s, open.has(symbol)), shapeOf(t, open.has(symbol)));
  return (
    unknowns(a, b) ??
    named(a.scalars, b.scalars, same) ??
    (comparison.same(restOf(a), restOf(b)) ? undefined : 'its equations are others')
  );
}

function unknowns(a: GuardedModel, b: GuardedModel): string | undefined {
  if (a.scalars.length === b.scalars.length) return undefined;
  const count = ({ scalars, components }: GuardedModel) =>
    scalars.filter(
      ({ kind, variable }) => variable && !variable.copy && (kind === 'continuous' || kind === 'discrete'),
    ).length + components.reduce((sum, { flat }) => sum + (flat.arrays?.scalars ?? 0), 0);
  const [before, now] = [count(a), count(b)];
  return before === now
    ? 'it has other parameters'
    : `it has ${now} unknown${now === 1 ? '' : 's'} instead of ${before}`;
}

function named(
  a: readonly Scalar[],
  b: readonly Scalar[],
  same: (s: Scalar, t: Scalar, symbol: number) => boolean,
): string | undefined {
  for (const [k, scalar] of b.entries()) {
    const isCopy = scalar.variable?.copy && a[k]!.variable?.copy;
    if (!isCopy && scalar.name !== a[k]!.name) return `there is ${scalar.name} in place of ${a[k]!.name}`;
    if (!same(a[k]!, scalar, k)) return `${scalar.name} is declared in another way`;
  }
  return undefined;
}

/** A scalar without the values that may differ from run to run; those of `open` parameters are part of the initial equations. */
function shapeOf({ variable, binding, start, ...own }: Scalar, open: boolean): object {
  const isParameter = own.kind === 'parameter' && !open;
  return {
    ...own,
    name: variable?.copy ? '' : own.name,
    start: (isParameter && binding) || own.startSymbol !== undefined ? start !== undefined : start,
    binding: isParameter ? binding !== undefined : binding,
    ...(variable && {
      type: variable.type,
      literals: variable.literals,
      causality: variable.causality,
      flow: variable.flow,
      unit: variable.unit,
      fixed: variable.fixed,
      stateSelect: variable.stateSelect,
      hidden: variable.hidden,
      guard: variable.guard,
    }),
  };
}

/** All but scalars, and but what is found while translating. */
function restOf({ flat, pool: _, functions: _f, scalars: _s, components, ...rest }: GuardedModel): object {
  return { ...rest, components: components.map(componentOf), functions: flat.functions };
}

/** A component that was made from arrays is known by its key. What parameters are, how large, and what states begin with, is a matter of values. */
function componentOf({ parameters: _, ...component }: Component): object {
  const { arrays, parameters, starts: _s, ...flat } = component.flat;
  const names = [...parameters.keys()];
  if (!arrays) return { ...component, flat: { ...flat, names } };
  const ports = (list: readonly FlatPort[]) => list.map(({ dims }) => dims);
  const own = { key: arrays.key, inputs: ports(flat.inputs), outputs: ports(flat.outputs) };
  return { ...component, flat: { ...own, names } };
}

/** Where something was written, and in which words, makes no difference. */
const ignored = new Set(['origin', 'span', 'description']);

class Comparison {
  /** Expressions of the first model with those of the second that they are to be equal to. */
  private readonly pairs = new Map<Expr, Expr>();

  same(a: unknown, b: unknown): boolean {
    if (Object.is(a, b)) return true;
    if (typeof a !== 'object' || typeof b !== 'object' || !a || !b) return false;
    if (isExpr(a)) return isExpr(b) && this.sameExpr(a, b);
    if (Array.isArray(a))
      return Array.isArray(b) && a.length === b.length && a.every((item, k) => this.same(item, b[k]));
    if (a instanceof Map) return b instanceof Map && this.same([...a], [...b]);
    const keys = Object.keys(a).filter((key) => !ignored.has(key));
    if (keys.length !== Object.keys(b).filter((key) => !ignored.has(key)).length) return false;
    return keys.every((key) => this.same(a[key as keyof typeof a], b[key as keyof typeof b]));
  }

  private sameExpr(a: Expr, b: Expr): boolean {
    const open: [Expr, Expr][] = [[a, b]];
    for (let pair = open.pop(); pair; pair = open.pop()) {
      const [x, y] = pair;
      const known = this.pairs.get(x);
      if (known === y) continue;
      if (known) return false;
      this.pairs.set(x, y);
      if (!sameNode(x, y)) return false;
      const [own, other] = [children(x), children(y)];
      if (own.length !== other.length) return false;
      for (const [k, child] of own.entries()) open.push([child, other[k]!]);
    }
    return true;
  }
}

/** What nodes are besides their kind and their children. */
const own: { readonly [Kind in Expr['kind']]: readonly (keyof Extract<Expr, { kind: Kind }>)[] } = {
  const: ['value'],
  text: ['value'],
  time: [],
  ref: ['symbol', 'order'],
  pre: ['symbol'],
  held: ['relation'],
  local: ['index'],
  iter: ['iterator'],
  apply: ['op'],
  call: ['fn', 'output'],
};

/** Whether two nodes are the same, whatever their children. */
function sameNode(x: Expr, y: Expr): boolean {
  const keys = own[x.kind] as readonly (keyof Expr)[];
  return x.kind === y.kind && keys.every((key) => Object.is(x[key], y[key]));
}

function isExpr(value: object): value is Expr {
  return 'kind' in value && 'id' in value;
}
