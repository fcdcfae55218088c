/** Algorithm sections of models. */
import type * as ast from '../syntax/ast.ts';
import type { Builder, Context } from './context.ts';
import type { FlatEquation } from './flat.ts';

export function algorithmEquation(
  builder: Builder,
  node: ast.AlgorithmSection,
  context: Context,
): FlatEquation[] {
  builder.report('unsupported', 'Algorithm sections in models are not supported.', node, context, {
    hint: 'Write equations, or put the algorithm into a function.',
  });
  return [];
}
