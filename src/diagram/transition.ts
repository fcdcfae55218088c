/** Transitions as they are drawn: lines with heads and marks, and their words (Modelica 3.6, section 17.2). */
import { addArrow } from './draw.ts';
import { BASE, LINE_HEIGHT, wordsWidth } from './font.ts';
import type { Extent, Point } from './geometry.ts';
import type { MachineTransition } from './machines.ts';
import { lineOutline, rectangleOutline } from './outline.ts';
import type { Shape } from './shapes.ts';

/** Size of the font of words beside lines and of descriptions. */
export const SMALL = 3;
const BULLET = 3;
export const INK = '#5f5f5f';
export const LINE = '#8f8f8f';
export const GROUND = '#ffffff';

export interface Label {
  readonly lines: readonly string[];
  readonly size: Point;
}

export function labelOf({ condition, actions, priority }: MachineTransition): Label {
  const text = `${priority > 1 ? `${priority}: ` : ''}${condition}${actions && ` / ${actions}`}`;
  const lines = wrapped(text, 30, 3);
  const width = Math.max(0, ...lines.map((line) => wordsWidth(line) * SMALL));
  return { lines, size: [width + 2, lines.length * LINE_HEIGHT * SMALL + 1] };
}

/** A text in lines of some characters, cut between words; what is too much ends with an ellipsis. */
export function wrapped(text: string, length: number, most: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).filter((one) => one !== '')) {
    if (line !== '' && line.length + 1 + word.length > length) {
      lines.push(line);
      line = '';
    }
    line += `${line && ' '}${word}`;
  }
  if (line !== '') lines.push(line);
  const kept = lines
    .slice(0, most)
    .map((one) => (one.length > 2 * length ? `${one.slice(0, 2 * length)}…` : one));
  if (lines.length > most) kept[most - 1] += ' …';
  return kept;
}

function labelShapes({ lines, size }: Label, [x, y]: Point): Shape[] {
  const [width, height] = size;
  const box: Extent = [
    [x - width / 2, y - height / 2],
    [x + width / 2, y + height / 2],
  ];
  const words = lines.map(
    (text, k): Shape => ({
      ...{ kind: 'words', text, anchor: 'middle', size: SMALL, angle: 0, color: INK },
      at: [x, y + ((lines.length - 1) / 2 - k) * LINE_HEIGHT * SMALL - BASE * SMALL],
    }),
  );
  return [
    { kind: 'path', pieces: rectangleOutline(box, 1), fill: { kind: 'plain', color: GROUND } },
    ...words,
  ];
}

// ---------------------------------------------------------------- lines

/** A transition between two states, by their paths, along points; its words stand around `at`. */
export function transitionShape(
  transition: MachineTransition,
  [from, to]: readonly [string, string],
  points: readonly Point[],
  label: Label,
  at: Point,
  smooth = true,
): Shape {
  const { condition, immediate, reset, synchronize, priority, mention } = transition;
  const description = mention.node.comment.description?.value;
  const tooltip = [
    `${from} → ${to}: ${condition}`,
    ...(priority > 1 ? [`priority ${priority}`] : []),
    ...(immediate ? [] : ['delayed']),
    ...(reset ? [] : ['keeps the state as it was']),
    ...(synchronize ? ['waits for the machines inside'] : []),
    ...(description ? [description] : []),
  ].join('\n');
  const shapes = [...lineShapes(points, transition, smooth), ...labelShapes(label, at)];
  return { kind: 'group', role: 'transition', key: `${from},${to}`, tooltip, shapes };
}

const ARROW = 2.6;

/** The line of a transition with its head and marks. */
function lineShapes(
  given: readonly Point[],
  { immediate, reset, synchronize }: Pick<MachineTransition, 'immediate' | 'reset' | 'synchronize'>,
  smooth: boolean,
): Shape[] {
  const stroke = { color: LINE, width: 0.4 };
  const points = [...given];
  const heads: Shape[] = [];
  addArrow(points, points.length - 1, reset ? 'Filled' : 'Open', ARROW, stroke, heads);
  const marks = [barAt(immediate ? [...given].reverse() : given, immediate ? 6 : 3, stroke)];
  if (synchronize) marks.push(...forkAt(given, stroke));
  return [{ kind: 'path', pieces: lineOutline(points, smooth), stroke }, ...heads, ...marks];
}

/** The unit vector along the beginning of a line. */
function direction(points: readonly Point[]): Point {
  const [[ax, ay], [bx, by]] = [points[0]!, points[1]!];
  const length = Math.hypot(bx - ax, by - ay) || 1;
  return [(bx - ax) / length, (by - ay) / length];
}

/** A bar across a line, at a distance from its beginning. */
function barAt(points: readonly Point[], distance: number, stroke: { color: string; width: number }): Shape {
  const [ux, uy] = direction(points);
  const [x, y] = [points[0]![0] + distance * ux, points[0]![1] + distance * uy];
  const half = 1.6;
  const line: Point[] = [
    [x - half * uy, y + half * ux],
    [x + half * uy, y - half * ux],
  ];
  return { kind: 'path', pieces: lineOutline(line, false), stroke };
}

/** A bar with two short lines back to the state. */
function forkAt(points: readonly Point[], stroke: { color: string; width: number }): Shape[] {
  const [ux, uy] = direction(points);
  const [x, y] = points[0]!;
  const tine = (side: number): Shape => ({
    kind: 'path',
    pieces: lineOutline(
      [
        [x - side * uy, y + side * ux],
        [x - side * uy + 2 * ux, y + side * ux + 2 * uy],
      ],
      false,
    ),
    stroke,
  });
  return [barAt(points, 2, stroke), tine(1.6), tine(-1.6)];
}

/** A bullet, and an arrow to the state that comes first. */
export function initialShapes(given: readonly Point[], key: string): Shape[] {
  const points = [...given];
  const [x, y] = points[0]!;
  const stroke = { color: INK, width: 0.4 };
  const heads: Shape[] = [];
  addArrow(points, points.length - 1, 'Filled', ARROW, stroke, heads);
  const circle: Extent = [
    [x - BULLET / 2, y - BULLET / 2],
    [x + BULLET / 2, y + BULLET / 2],
  ];
  const bullet: Shape = {
    kind: 'path',
    pieces: rectangleOutline(circle, BULLET / 2),
    fill: { kind: 'plain', color: INK },
  };
  const shapes: Shape[] = [{ kind: 'path', pieces: lineOutline(points, true), stroke }, ...heads, bullet];
  return [{ kind: 'group', role: 'initial', key, tooltip: `${key} is the initial state`, shapes }];
}
