/** Moving, resizing, turning and mirroring: the annotation `Placement` of a component. */
import type { ClassEntity, OwnComponent } from '../../model/classes/class.ts';
import { partsOf, withoutSubscripts } from '../../names/names.ts';
import type * as ast from '../../syntax/ast.ts';
import type { TextChange } from '../../syntax/change.ts';
import { argumentsNamed } from '../../syntax/lazy.ts';
import { diagramOf } from '../diagram.ts';
import { apply, inverse, type Matrix, type Placing, type Point, placingMatrix, times } from '../geometry.ts';
import type { LayerName } from '../read.ts';
import { straight } from '../route.ts';
import { annotate, argumentOf, type Wanted } from './annotation.ts';
import {
  connectsIn,
  type Edit,
  edited,
  type Manner,
  mannerOf,
  numberText,
  ownComponent,
  pointsText,
  pointText,
} from './text.ts';

const names = { Diagram: 'transformation', Icon: 'iconTransformation' } as const;

export interface PlaceOptions {
  /** The icon layer has places of its own: `iconTransformation`. */
  readonly layer?: LayerName;
  /** Whether lines that end at the component follow it; they stay as they are where it is left out. */
  readonly lines?: boolean;
}

/** Puts a component somewhere. */
export function placeComponent(
  entity: ClassEntity,
  name: string,
  placing: Placing,
  { layer = 'Diagram', lines = false }: PlaceOptions = {},
): Edit {
  const own = ownComponent(entity, name);
  if ('ok' in own) return own;
  const { text } = entity.definition.source;
  const manner = mannerOf(text);
  const { annotation, end } = annotationIn(own);
  const [present] = argumentsNamed(annotation, 'Placement');
  const inside = present?.modification?.arguments;
  const before = inside && argumentOf(inside, names[layer])?.modification?.arguments;
  const wanted: Wanted = [['Placement', [[names[layer], placingArguments(placing, manner, before)]]]];
  const followed = lines && layer === 'Diagram' ? followingLines(entity, name, placing, manner) : [];
  return edited([...annotate(text, annotation, end, wanted, manner), ...followed]);
}

/** Changes of the lines that the class draws to a component, for its new place. */
function followingLines(entity: ClassEntity, name: string, placing: Placing, manner: Manner): TextChange[] {
  const { components, connections } = diagramOf(entity);
  const own = components.find((one) => one.name === name);
  const back = own && inverse(placingMatrix(own.placing, own.system.extent));
  if (!own || !back) return [];
  const moved = times(placingMatrix(placing, own.system.extent), back);
  const changes: TextChange[] = [];
  for (const { equation, automatic, points, from, to } of connections) {
    if (!equation || automatic) continue;
    const isAt = (end: string): boolean => partsOf(withoutSubscripts(end))[0] === name;
    let line = points;
    if (isAt(from)) line = [...followed([...line].reverse(), moved)].reverse();
    if (isAt(to)) line = followed(line, moved);
    if (line === points) continue;
    const node = connectsIn(entity).find(({ start }) => start === equation.from)!;
    const wanted: Wanted = [['Line', [['points', pointsText(line, manner)]]]];
    changes.push(
      ...annotate(entity.definition.source.text, node.comment.annotation, node.end, wanted, manner),
    );
  }
  return changes;
}

/** A line whose last point moves; the piece before it stays horizontal or vertical where it was. */
function followed(points: readonly Point[], moved: Matrix): Point[] {
  const [before, last] = [points.at(-2)!, points.at(-1)!];
  const [x, y] = apply(moved, last).map((value) => Math.round(value * 100) / 100) as [number, number];
  const isFlat = before[1] === last[1];
  const isSteep = before[0] === last[0];
  if (!isFlat && !isSteep) return [...points.slice(0, -1), [x, y]];
  if (points.length > 2)
    return straight([...points.slice(0, -2), isFlat ? [before[0], y] : [x, before[1]], [x, y]]);
  // A line of one piece gets two bends in its middle.
  const middle: Point[] = isFlat
    ? [
        [(before[0] + x) / 2, before[1]],
        [(before[0] + x) / 2, y],
      ]
    : [
        [before[0], (before[1] + y) / 2],
        [x, (before[1] + y) / 2],
      ];
  return straight([before, ...middle, [x, y]]);
}

/** What stands behind a replaceable component and its constraining clause belongs to both. */
export function annotationIn({ clause, declaration }: OwnComponent): {
  readonly annotation: ast.Annotation | undefined;
  /** Where a new one can stand. */
  readonly end: number;
} {
  const { constrainedBy } = clause;
  if (declaration.comment.annotation || !constrainedBy)
    return { annotation: declaration.comment.annotation, end: declaration.end };
  return { annotation: constrainedBy.comment.annotation, end: constrainedBy.end };
}

/** The attributes of a transformation; what has its usual value is written only where it was. */
export function placingArguments(
  { extent, rotation, origin }: Placing,
  manner: Manner,
  before?: ast.ClassModification,
): Wanted {
  const has = (name: string): boolean => before !== undefined && argumentOf(before, name) !== undefined;
  const turn = ((rotation % 360) + 360) % 360;
  const shown = turn > 180 ? turn - 360 : turn;
  return [
    ['extent', pointsText(extent, manner)],
    ...(has('rotation') || shown !== 0 ? [['rotation', numberText(shown)] as const] : []),
    ...(has('origin') || origin[0] !== 0 || origin[1] !== 0
      ? [['origin', pointText(origin, manner)] as const]
      : []),
  ];
}
