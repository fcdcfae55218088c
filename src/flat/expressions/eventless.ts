/** Functions that ask for events (`GenerateEvents`, Modelica 3.6, section 12.8) and cannot have them: never without a word. */
import { type Diagnostic, warning } from '../../diagnostic/diagnostic.ts';
import { nodesOf } from '../../symbolic/analyse.ts';
import type { Expr } from '../../symbolic/expr.ts';
import { losesEvents } from '../../symbolic/inline.ts';
import { lowerFunction } from '../../symbolic/lower.ts';
import type { FlatBuilder } from '../core/context.ts';
import type { FlatEquation } from '../flat.ts';
import { expressionsOf } from '../walk.ts';

/** Warnings of the functions that equations call; inside of other functions there are no events. */
export function withoutEvents(builder: FlatBuilder, equations: readonly FlatEquation[]): Diagnostic[] {
  const { functions, pool } = builder;
  if (!functions.some(({ inline }) => inline === 'demanded')) return [];
  const exprs: Expr[] = equations.flatMap((equation) => [...expressionsOf(builder, equation)]);
  const called = new Set(nodesOf(...exprs).flatMap((node) => (node.kind === 'call' ? [node.fn] : [])));
  const told = new Set<string>();
  return [...called].flatMap((k) => {
    const { name, span, inline } = functions[k]!;
    if (inline !== 'demanded' || told.has(name)) return [];
    if (!losesEvents(pool, lowerFunction(pool, functions, functions[k]!), k)) return [];
    told.add(name);
    const message = `Relations in the function \`${name}\` cause no events, although it asks for them by \`GenerateEvents\`.`;
    const hint =
      'Events are possible where it consists of assignments, `if`, and `for` with ranges and subscripts that are known.';
    return [warning('unsupported', message, { span, hint })];
  });
}
