/**
 * Assertions on elements of arrays,
 *
 *     for i in 1:n loop assert(T[i] >= 0, "too cold"); end for;
 *
 * as one on the element that is nearest to breaking them: `m = min(T[i] - 0 for i in 1:n)` and `assert(m >= 0, "too cold")`. What a loop
 * computes the scalar part can watch, at the cost of one relation for all elements.
 */

import { blank } from '../../flat/core/blank.ts';
import type { FlatAssert, FlatEquation, FlatModel, FlatVariable } from '../../flat/flat.ts';
import { leaves, reachable } from '../../symbolic/analyse.ts';
import type { Apply, Expr } from '../../symbolic/expr.ts';
import { equationOf, type LoopedEquation, unitsOf } from '../elements/nodes.ts';
import { isElement } from './references.ts';

/** The model with such assertions in place of those that speak of whole arrays. */
export function withMargins(flat: FlatModel): FlatModel {
  const writer = new MarginWriter(flat);
  const units = unitsOf(flat.equations);
  if (!units.some((unit) => writer.speaksOfArrays(unit))) return flat;
  const equations = units.flatMap((unit) => writer.written(unit));
  return { ...flat, equations, variables: writer.variables };
}

class MarginWriter {
  readonly variables: FlatVariable[];

  constructor(private readonly flat: FlatModel) {
    this.variables = [...flat.variables];
  }

  /** Whether it is an assertion on more than single elements of variables that could be part of a field. */
  speaksOfArrays({ body }: LoopedEquation): boolean {
    return (
      body.kind === 'assert' &&
      reachable(body.condition, (node) => {
        if (node.kind !== 'ref') return false;
        const { dims, variability } = this.flat.variables[node.symbol]!;
        return dims.length > 0 && variability === 'continuous' && !isElement(node, dims);
      })
    );
  }

  written(unit: LoopedEquation): FlatEquation[] {
    const { body, loops } = unit;
    const own = [equationOf(unit)];
    if (body.kind !== 'assert' || !this.speaksOfArrays(unit)) return own;
    const relations = conjuncts(body.condition);
    const iterators = new Set(loops.map(({ iterator }) => iterator));
    const dependsOnTurn = (node: Expr): boolean => node.kind === 'iter' && iterators.has(node.iterator);
    if (!relations || leaves(body.message).length > 0 || reachable(body.message, dependsOnTurn)) return own;
    return relations.flatMap((relation) => this.nearest(unit, body, relation));
  }

  private nearest({ loops }: LoopedEquation, assertion: FlatAssert, { op, args }: Apply): FlatEquation[] {
    const { pool } = this.flat;
    const [a, b] = args as [Expr, Expr];
    const isUpper = op === 'lt' || op === 'le';
    const margin = isUpper ? pool.sub(b, a) : pool.sub(a, b);
    const least = loops.reduceRight(
      (inner, { iterator, range }) => pool.raw('minOver', [inner, pool.iter(iterator), range]),
      margin,
    );
    const { origin } = assertion;
    const name = `$margin${this.variables.length}`;
    const ref = pool.ref(this.variables.push({ ...blank, name, copy: true, origin }) - 1);
    const isStrict = op === 'lt' || op === 'gt';
    return [
      { kind: 'equal', left: ref, right: least, dims: [], origin },
      { ...assertion, condition: pool.apply(isStrict ? 'gt' : 'ge', ref, pool.zero) },
    ];
  }
}

/** Relations that must all hold; undefined where the condition is something else. */
function conjuncts(condition: Expr): Apply[] | undefined {
  if (condition.kind !== 'apply') return undefined;
  switch (condition.op) {
    case 'lt':
    case 'le':
    case 'gt':
    case 'ge':
      return [condition];
    case 'and': {
      const parts = condition.args.map(conjuncts);
      return parts.every((part) => part !== undefined) ? parts.flat() : undefined;
    }
    default:
      return undefined;
  }
}
