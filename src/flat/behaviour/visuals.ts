/** What can be seen of a model by the classes of `ModelicaServices.Animation` that its components inherit. */

import { Source } from '../../diagnostic/source.ts';
import { entityOf } from '../../model/classes/class.ts';
import { type VisualKind, visualKind } from '../../model/classes/services.ts';
import type { ObjectInstance, VariableInstance } from '../../model/instance.ts';
import type * as ast from '../../syntax/ast.ts';
import { parseExpression } from '../../syntax/parser.ts';
import { contextOf, type FlatBuilder } from '../core/context.ts';
import { assignedCall } from '../expressions/calls.ts';
import type { FlatVisual } from '../flat.ts';
import { objectsOf } from './equations.ts';

/** A scalar that each kind has: it is known by it what the instances in arrays are called. */
const anchors: Readonly<Record<VisualKind, string>> = {
  shape: 'shapeType',
  vector: 'quantity',
  surface: 'nu',
  world: 'g',
};

export function findVisuals(builder: FlatBuilder, root: ObjectInstance): FlatVisual[] {
  const known = new Map<ast.ClassDef, VisualKind | undefined>();
  const visuals: FlatVisual[] = [];
  for (const object of objectsOf(root)) {
    const entity = entityOf(object.class);
    if (!known.has(entity.definition)) known.set(entity.definition, visualKind(entity));
    const kind = known.get(entity.definition);
    const anchor = kind && object.members.get(anchors[kind]);
    if (anchor?.kind !== 'variable') continue;
    const symbol = builder.symbols.get(anchor);
    if (symbol === undefined) continue;
    const points = kind === 'surface' ? pointsOf(builder, object) : undefined;
    visuals.push({
      kind: kind!,
      field: anchors[kind!],
      anchor: symbol,
      ...(points !== undefined && { points }),
    });
  }
  return visuals;
}

const CALL = 'surfaceCharacteristic(nu, nv, multiColoredSurface)';

/** The call of its function, or why there is none: a mistake in it concerns the picture alone. */
function pointsOf(builder: FlatBuilder, object: ObjectInstance): FlatVisual['points'] {
  const source = new Source('surface', CALL);
  const { expression: node } = parseExpression(source);
  if (node?.kind !== 'call') return undefined;
  // The call of an element would need its number.
  if (builder.families.around(object.members.get('nu') as VariableInstance).length > 0)
    return 'it is in an array of components';
  const mark = builder.mark();
  const context = contextOf(
    builder,
    { instance: object, lexical: object.class, source },
    object.path,
    'equation',
  );
  const call = assignedCall(node, [undefined, undefined, undefined, undefined], node, context, () => []);
  const wrong = builder.diagnostics[mark[0]];
  builder.rewind(mark);
  return call && !wrong
    ? { fn: call.fn, args: call.args }
    : (wrong?.message ?? 'its function cannot be called');
}
