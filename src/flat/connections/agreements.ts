/**
 * Parameters of connected connectors (Modelica 3.6, section 9.3): they must have the same values, which is asserted when a run begins, because each run may
 * have other values.
 */

import { type Diagnostic, warning } from '../../diagnostic/diagnostic.ts';
import type { Span } from '../../diagnostic/source.ts';
import type { VariableInstance } from '../../model/instance.ts';
import type { Expr } from '../../symbolic/expr.ts';
import type { FlatBuilder } from '../core/context.ts';
import { outerDims } from '../core/families.ts';
import { count } from '../core/values.ts';
import { symbolDims } from '../expressions/references.ts';
import type { FlatAssert, Guard } from '../flat.ts';
import { pushSubscripts } from './laws.ts';
import type { ConnectedSide, Pair } from './sets.ts';

export interface Agreement {
  readonly guard: Guard;
  readonly equation: FlatAssert;
}

export function agreements(builder: FlatBuilder, pairs: readonly Pair[]): Agreement[] {
  const { pool } = builder;
  return pairs.flatMap(({ left, right, origin, guard }) => {
    const [a, b] = [elementsOf(builder, left), elementsOf(builder, right)];
    const equal = new Set(a.flatMap((one, k) => (one === b[k] ? [] : [pool.apply('eq', one, b[k]!)])));
    if (equal.size === 0) return [];
    const names = [left, right].map(({ variable }) => `\`${variable.path}\``).join(' and ');
    const equation: FlatAssert = {
      kind: 'assert',
      condition: [...equal].reduce((all, one) => pool.and(all, one)),
      message: pool.text(`The parameters ${names} of connected connectors must have the same value.`),
      level: 'error',
      origin,
    };
    return [{ guard, equation }];
  });
}

/** All elements on one side, pair after pair. */
function elementsOf(builder: FlatBuilder, { variable, numbers, named }: ConnectedSide): Expr[] {
  const { pool, symbols } = builder;
  const symbol = symbols.get(variable)!;
  const dims = symbolDims(builder, variable);
  const outer = outerDims(builder.families.around(variable));
  const inner = named ? 1 : count(dims.slice(outer.length));
  return Array.from(numbers).flatMap((number) =>
    Array.from({ length: inner }, (_, k) => {
      const at: number[] = [];
      if (dims.length > 0) pushSubscripts(at, named ? number : number * inner + k, dims);
      return at.length === 0
        ? pool.ref(symbol)
        : pool.ref(
            symbol,
            0,
            at.map((one) => pool.const(one)),
          );
    }),
  );
}

/**
 * Where connected variables mean different things: both have a `quantity`, and not the same. Units are compared in the equations that follow from
 * connections.
 */
export function quantitiesDiffer(
  a: VariableInstance,
  b: VariableInstance,
  span: Span | undefined,
): Diagnostic[] {
  const [own, other] = [a, b].map((one) => writtenText(one, 'quantity'));
  if (!own || !other || own === other) return [];
  const message = `Different quantities are connected: \`${a.path}\` has ${own}, \`${b.path}\` has ${other}.`;
  return [warning('unit-mismatch', message, { span, hint: 'Give both the same `quantity`, or none.' })];
}

function writtenText({ attributes }: VariableInstance, name: string): string {
  const value = attributes.get(name)?.value;
  return value?.kind === 'string' ? value.value : '';
}
