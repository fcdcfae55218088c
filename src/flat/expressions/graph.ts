/**
 * Which instances are overdetermined (Modelica 3.6, section 9.4), and the operators that ask about all connections: `Connections.isRoot` and `rooted`, which ask for
 * the trees that overdetermined instances form, and `cardinality`. While connections are still being collected, the answer is no, or 0; then the
 * model is translated once more.
 */
import { entityOf } from '../../model/classes/class.ts';
import { nestedClass, resolve } from '../../model/classes/lookup.ts';
import type { ClassNode, Instance } from '../../model/instance.ts';
import { isConnector } from '../../model/types/connectors.ts';
import type * as ast from '../../syntax/ast.ts';
import { type Context, type OperatorRule, refuse, report } from '../core/context.ts';
import { simple } from '../core/values.ts';
import { refName, select, unresolved } from './references.ts';

/** The function that says by how much two instances of a type or record differ, where it has one. */
export function constraintOf(instance: Instance): ClassNode | undefined {
  if (instance.kind === 'variable') return instance.constraint;
  return instance.dims.length === 0 ? nestedClass(entityOf(instance.class), 'equalityConstraint') : undefined;
}

/** The overdetermined type or record that an argument names; undefined where it is absent, or after an error. */
export function overdetermined(
  name: string,
  node: ast.Expression | ast.PartialApplication,
  context: Context,
): Instance | undefined {
  const hint = 'Name a type or record of a connector that has a function `equalityConstraint`: `frame_a.R`.';
  const wrong = (what: string): undefined =>
    refuse(
      'bad-call',
      `\`${name}\` takes an overdetermined type or record of a connector, not ${what}.`,
      node,
      context,
      {
        hint,
      },
    );
  if (node.kind !== 'ref') return wrong('an expression');
  const resolution = resolve(context.scope, node);
  if (resolution.kind === 'absent') return undefined;
  if (resolution.kind !== 'component') {
    unresolved(node, resolution, context);
    return undefined;
  }
  const selection = select(node, resolution, context);
  if (!selection) return undefined;
  const [item, ...others] = selection.items;
  if (
    !item ||
    others.length > 0 ||
    selection.dynamic ||
    selection.subscripts.length > 0 ||
    !constraintOf(item)
  )
    return wrong(`\`${refName(node)}\``);
  context.builder.families.demandSingle(item);
  return item;
}

const asked =
  (name: 'isRoot' | 'rooted'): OperatorRule =>
  (node, context) => {
    const { builder } = context;
    const [arg] = node.positional;
    if (!arg || node.positional.length > 1 || node.named.length > 0)
      return report('bad-call', `\`${name}\` takes one overdetermined type or record.`, node, context);
    const item = overdetermined(name, arg, context);
    if (!item) return builder.unknown;
    builder.asksForConnections = true;
    const known = builder.answers?.rootedness.get(item);
    const answer = known?.[name] ?? builder.pool.bool(false);
    if (name === 'rooted' && builder.answers && !known?.rooted)
      return report(
        'bad-graph',
        `\`rooted\` needs a \`Connections.branch\` at \`${item.path}\`.`,
        node,
        context,
        {
          hint: 'Without one, it is not known which side of it is meant.',
        },
      );
    return simple(answer, 'Boolean', answer.kind === 'const' ? 'constant' : 'discrete');
  };

/** How many connects name a connector, inside and outside of its component (section 3.7.2.3). */
const cardinality: OperatorRule = (node, context) => {
  const { builder } = context;
  const [arg] = node.positional;
  const resolution = arg?.kind === 'ref' ? resolve(context.scope, arg) : undefined;
  if (
    arg?.kind === 'ref' &&
    resolution?.kind === 'component' &&
    node.positional.length + node.named.length === 1
  ) {
    const selection = select(arg, resolution, context);
    if (!selection) return builder.unknown;
    const [item, ...others] = selection.items;
    if (item?.kind === 'object' && item.restriction === 'expandable connector')
      return report('bad-call', '`cardinality` cannot be asked of an expandable connector.', arg, context, {
        hint: 'What is connected to it becomes a member of it. Ask one of its members.',
      });
    if (item && others.length === 0 && isConnector(item) && item.dims.length === 0) {
      builder.families.demandSingle(item);
      builder.asksForConnections = true;
      const number = builder.answers?.cardinality.get(item) ?? builder.pool.zero;
      return simple(number, 'Integer', number.kind === 'const' ? 'constant' : 'discrete');
    }
  }
  return report('bad-call', '`cardinality` takes one connector.', arg ?? node, context);
};

export const graphOperators: { readonly [name: string]: OperatorRule } = {
  cardinality,
  'Connections.isRoot': asked('isRoot'),
  'Connections.rooted': asked('rooted'),
  rooted: asked('rooted'),
};

/** The name of a call that adds to the graph: `Connections.branch`, `Connections.root` or `Connections.potentialRoot`. */
export const graphOperator = ({ callee }: ast.Call): string | undefined =>
  /^\.?Connections\.(branch|root|potentialRoot)$/.exec(refName(callee))?.[1];

/** Reports such a call, or a connect, where connections cannot change; false for all else. */
export function refuseConnection(
  node: ast.Equation | ast.Statement,
  where: string,
  context: Context,
): boolean {
  const operator = node.kind === 'call' ? graphOperator(node.call) : undefined;
  if (node.kind !== 'connect' && operator === undefined) return false;
  const what = operator === undefined ? 'A connect' : `\`Connections.${operator}\``;
  report('bad-call', `${what} cannot stand inside ${where}.`, node, context, {
    hint: 'Write it in an equation section, by itself or in an if-equation or for-equation.',
  });
  return true;
}
