/**
 * Equations as nodes: every equation of a family, and every array equation, is one node, whatever its size. A node is a nest
 * of loops around one scalar equation of elements (`element.ts`). Loops are cut where an array is put together from
 * parts, so that one equation may give several nodes.
 */

import { remember } from '../../collections/memo.ts';
import type { FlatEquality, FlatEquation, Origin } from '../../flat/flat.ts';
import { children, reachable } from '../../symbolic/analyse.ts';
import type { Expr, Ref } from '../../symbolic/expr.ts';
import { sizeOf } from '../../symbolic/shape.ts';
import {
  type Affine,
  type Arrays,
  affineOf,
  counter,
  fitted,
  isAccess,
  isReduction,
  type Reduction,
  scaled,
  type Turns,
  Unfit,
  writtenInParts,
} from './affine.ts';
import { ElementWriter } from './element.ts';

/** One equation with the loops around it. */
export interface LoopedEquation {
  /** Number of the equation of the flat model that it is in. */
  readonly equation: number;
  /** Outermost first. */
  readonly loops: readonly { readonly iterator: number; readonly range: Expr; readonly origin: Origin }[];
  /** What stands in the loops. */
  readonly body: FlatEquation;
}

export interface FieldNode {
  readonly unit: LoopedEquation;
  /** How many times each loop runs, outermost first. */
  readonly extents: readonly number[];
  readonly left: Expr;
  readonly right: Expr;
  /** It speaks of single elements, as an equation of the scalar part may do. */
  readonly scalar: boolean;
}

/** More parts than this are not worth loops. */
const mostParts = 64;

/** The units of all equations: bodies of families one by one. */
export function unitsOf(equations: readonly FlatEquation[]): LoopedEquation[] {
  const units: LoopedEquation[] = [];
  const visit = (body: FlatEquation, equation: number, loops: LoopedEquation['loops']): void => {
    if (body.kind !== 'for') {
      units.push({ equation, loops, body });
      return;
    }
    const { iterator, range, origin } = body;
    for (const inner of body.body) visit(inner, equation, [...loops, { iterator, range, origin }]);
  };
  equations.forEach((equation, k) => {
    visit(equation, k, []);
  });
  return units;
}

/** The equation of a unit as it stands alone. */
export function equationOf({ loops, body }: LoopedEquation): FlatEquation {
  return loops.reduceRight<FlatEquation>((inner, loop) => ({ kind: 'for', ...loop, body: [inner] }), body);
}

/** The nodes of a unit, or why it cannot be written with loops. */
export function nodesOf(arrays: Arrays, unit: LoopedEquation): FieldNode[] | Unfit {
  const { body, loops } = unit;
  if (body.kind === 'equal') return fitted(() => nodesOfEquality(arrays, unit, body));
  // Outside of loops the outputs of a call stay together.
  if (body.kind !== 'call' || loops.length === 0) return new Unfit('it is no equation of values');
  const { outputs, fn, args, origin } = body;
  return fitted(() =>
    outputs.flatMap((left, k) => {
      const right = arrays.pool.call(fn, args, k);
      return left ? nodesOfEquality(arrays, unit, { kind: 'equal', left, right, origin }) : [];
    }),
  );
}

function nodesOfEquality(arrays: Arrays, unit: LoopedEquation, body: FlatEquality): FieldNode[] {
  const { loops } = unit;
  const none = new ElementWriter(arrays, [], new Map());
  const ranges = loops.map(({ range }) => none.range(range));
  const dims = dimsOf(arrays, unit, body, ranges);
  const whole = [...ranges.map((r) => r.count), ...dims];
  if (whole.some((n) => n === 0)) return [];
  return writtenInParts(whole, 0, mostParts, 'it', (part) => {
    const iterators = new Map(
      loops.map(({ iterator }, k) => {
        const { first, step } = ranges[k]!;
        return [iterator, scaled(turnsAt(k, part[k]!), step, first)];
      }),
    );
    const at = dims.map((_, k) => turnsAt(loops.length + k, part[loops.length + k]!));
    const extents = part.map(({ count }) => count);
    return nodeOf(arrays, unit, body, extents, iterators, at);
  });
}

/** A position that goes through the turns of a part of loop `depth`. */
const turnsAt = (depth: number, { first, step }: Turns): Affine => counter(depth, step, first);

function dimsOf(
  arrays: Arrays,
  { loops }: LoopedEquation,
  { left, right }: FlatEquality,
  ranges: readonly { first: number }[],
): readonly number[] {
  const first = new Map(loops.map(({ iterator }, k) => [iterator, counter(0, 0, ranges[k]!.first)]));
  const elements = new ElementWriter(arrays, [], first);
  const dims = elements.shape(left);
  return dims.length > 0 ? dims : elements.shape(right);
}

function nodeOf(
  arrays: Arrays,
  unit: LoopedEquation,
  body: FlatEquality,
  extents: readonly number[],
  iterators: ReadonlyMap<number, Affine>,
  at: readonly Affine[],
): FieldNode {
  const elements = new ElementWriter(arrays, extents, iterators);
  const left = elements.elementOrScalar(body.left, at);
  const right = elements.elementOrScalar(body.right, at);
  const scalar = extents.length === 0 && !reachable(left, isReduction) && !reachable(right, isReduction);
  return { unit, extents, left, right, scalar };
}

/**
 * Visits the references of an expression, accesses with the extents of all loops around them, reductions included. What
 * occurs several times may be visited several times.
 */
export function eachAccess(
  root: Expr,
  extents: readonly number[],
  visit: (access: Ref, extents: readonly number[]) => void,
): void {
  const seen = new Set<Expr>();
  const stack: Expr[] = [root];
  while (stack.length > 0) {
    const node = stack.pop()!;
    if (seen.has(node)) continue;
    seen.add(node);
    if (node.kind === 'ref') visit(node, extents);
    else if (isReduction(node)) eachAccess(node.args[0]!, [...extents, ...reductionExtents(node)], visit);
    else stack.push(...children(node));
  }
}

/** The references in expressions, as `eachAccess` visits them. */
export function referencesIn(...roots: readonly Expr[]): Ref[] {
  const found: Ref[] = [];
  for (const root of roots) eachAccess(root, [], (ref) => found.push(ref));
  return found;
}

/** How many times the loops of a reduction run. */
export function reductionExtents(reduction: Reduction): number[] {
  const extents: number[] = [];
  for (let k = 2; k < reduction.args.length; k += 2) {
    const range = reduction.args[k] as Expr & { kind: 'apply' };
    extents.push((range.args[2] as { value: number }).value + 1);
  }
  return extents;
}

/** Visits the element of an access in each turn of the loops, outermost slowest. A scalar is its own only element. */
export function eachElement(
  access: Ref,
  extents: readonly number[],
  visit: (element: number, turn: number) => void,
): void {
  if (!isAccess(access)) {
    visit(0, 0);
    return;
  }
  const { base, strides } = affineOf(access);
  const counts = extents.map(() => 0);
  let element = base;
  for (let turn = 0; ; turn++) {
    visit(element, turn);
    let k = extents.length - 1;
    for (; k >= 0; k--) {
      const stride = strides[k] ?? 0;
      if (++counts[k]! < extents[k]!) {
        element += stride;
        break;
      }
      element -= stride * (extents[k]! - 1);
      counts[k] = 0;
    }
    if (k < 0) return;
  }
}

/** The element of an access in each turn. */
export function elementsOf(access: Ref, extents: readonly number[]): Int32Array {
  const elements = new Int32Array(sizeOf(extents));
  eachElement(access, extents, (element, turn) => {
    elements[turn] = element;
  });
  return elements;
}

/** The loops that move an access; others read the same elements again. */
export function movingExtents(access: Ref, extents: readonly number[]): number[] {
  const { strides } = affineOf(access);
  return extents.map((n, k) => ((strides[k] ?? 0) === 0 ? 1 : n));
}

/** By symbol of an array: right sides of the equations that have its elements as left sides, and how many elements these are. */
export function explicitEquations(
  lists: readonly (readonly FieldNode[] | Unfit)[],
): Map<number, { readonly values: Expr[]; defined: number }> {
  const found = new Map<number, { readonly values: Expr[]; defined: number }>();
  for (const nodes of lists) {
    if (nodes instanceof Unfit) continue;
    for (const { left, right, extents } of nodes) {
      if (left.kind !== 'ref' || left.order > 0) continue;
      const known = remember(found, left.symbol, () => ({ values: [], defined: 0 }));
      known.values.push(right);
      known.defined += sizeOf(extents);
    }
  }
  return found;
}
