/**
 * Charts of state machines: states with the machines inside of them, transitions with their conditions, and initial states, in the notation of Modelica 3.6, section 17.2. Where all states of a class are placed and all
 * transitions have lines, the annotations say where they are; otherwise they stand in layers from above to below, and conditions have rooms of their own among them, so that nothing lies upon anything else.
 * Machines side by side are parted by dashed lines.
 *
 * A bar across a transition is near its end, or near its beginning where it is delayed (`immediate = false`); its head is filled where it resets the state, otherwise open; a fork at its beginning
 * waits for the machines inside of the state (`synchronize = true`). A number before the condition is its priority, if that is not 1; what follows `/` is done when it fires.
 */
import type { ClassEntity } from '../model/classes/class.ts';
import { placementOf } from './connectors.ts';
import { BASE, LINE_HEIGHT, wordsWidth } from './font.ts';
import { boundsOf, type Extent, mappedBounds, middle, type Point, placingMatrix } from './geometry.ts';
import type { Drawing } from './icon.ts';
import { layerOf } from './layer.ts';
import { acyclic, layered } from './layered.ts';
import {
  type Machine,
  type MachineState,
  type MachineTransition,
  type Mention,
  machinesIn,
} from './machines.ts';
import { lineOutline, rectangleOutline } from './outline.ts';
import { readLine } from './read.ts';
import { moved, pointsOf, type Shape, scaled } from './shapes.ts';
import {
  GROUND,
  INK,
  initialShapes,
  type Label,
  LINE,
  labelOf,
  SMALL,
  transitionShape,
  wrapped,
} from './transition.ts';
import { classView, sightIn, type TextRange, type View } from './view.ts';

export interface Chart extends Drawing {
  readonly states: readonly ChartState[];
  readonly transitions: readonly ChartTransition[];
}

export interface ChartState {
  /** From the class that is drawn: `state1.stateA`. In results, `state1.stateA.active` is true while it is active. */
  readonly path: string;
  readonly class: string;
  readonly description: string;
  readonly initial: boolean;
  /** Which of the machines of its class it belongs to, from 0. */
  readonly machine: number;
}

export interface ChartTransition {
  /** Paths of states. */
  readonly from: string;
  readonly to: string;
  readonly condition: string;
  readonly actions: string;
  readonly immediate: boolean;
  readonly reset: boolean;
  readonly synchronize: boolean;
  readonly priority: number;
  /** The class in which it is written, and where in its file. */
  readonly class: string;
  readonly equation: TextRange;
}

/** The chart of a class; undefined where it has no state machine. */
export function chartOf(entity: ClassEntity): Chart | undefined {
  const view = classView(entity);
  const machines = machinesIn(view);
  if (machines.length === 0) return undefined;
  const made = new Maker();
  const shapes = made.regions(machines, view, '');
  const [[left, low], [right, high]] = boundsOf(pointsOf(shapes))!;
  return {
    class: entity.path,
    extent: [
      [left - MARGIN, low - MARGIN],
      [right + MARGIN, high + MARGIN],
    ],
    shapes,
    states: made.states,
    transitions: made.transitions,
    missing: [],
  };
}

const MARGIN = 6;
/** Sizes of fonts, and room around words. */
const FONT = 4;
const PADDING = 3;
/** Between layers, and between what stands in one. */
const GAPS: readonly [number, number] = [7, 8];
const LEAST: Point = [26, 12];
const BULLET = 3;

const BOX = { color: INK, width: 0.4 };

/** A part of a drawing around the point (0, 0). */
interface Part {
  readonly size: Point;
  readonly shapes: readonly Shape[];
}

class Maker {
  readonly states: ChartState[] = [];
  readonly transitions: ChartTransition[] = [];

  /** The machines of a class, side by side. */
  regions(machines: readonly Machine[], view: View, path: string): Shape[] {
    const drawn = this.annotated(machines, view, path);
    if (drawn) return drawn;
    const parts = machines.map((machine, k) => this.machine(machine, k, path));
    const gap = 2 * GAPS[1];
    const height = Math.max(...parts.map(({ size }) => size[1]));
    const total = parts.reduce((sum, { size }) => sum + size[0], 0) + gap * (parts.length - 1);
    const shapes: Shape[] = [];
    let left = -total / 2;
    for (const [k, { size, shapes: own }] of parts.entries()) {
      shapes.push(...moved(own, [left + size[0] / 2, (height - size[1]) / 2]));
      left += size[0] + gap;
      if (k === parts.length - 1) continue;
      const x = left - gap / 2;
      const line: Point[] = [
        [x, -height / 2],
        [x, height / 2],
      ];
      shapes.push({
        kind: 'path',
        pieces: lineOutline(line, false),
        stroke: { color: LINE, width: 0.25, dash: [2, 1.5] },
      });
    }
    return shapes;
  }

  private note(machine: Machine, number: number, path: string): void {
    for (const [k, { name, own }] of machine.states.entries()) {
      const { component, view } = own;
      const description = component.declaration.comment.description?.value ?? '';
      this.states.push({
        ...{ path: inside(path, name), class: view?.entity.path ?? '', description },
        ...{ initial: machine.initial === k, machine: number },
      });
    }
    for (const transition of machine.transitions) {
      const { condition, actions, immediate, reset, synchronize, priority, mention } = transition;
      this.transitions.push({
        from: inside(path, machine.states[transition.from]!.name),
        to: inside(path, machine.states[transition.to]!.name),
        ...{ condition, actions, immediate, reset, synchronize, priority },
        ...placeOf(mention),
      });
    }
  }

  /** A machine in layers: states, the beginning, and a room for the words of each transition between its ends. */
  private machine(machine: Machine, number: number, path: string): Part {
    this.note(machine, number, path);
    const { states, transitions, initial } = machine;
    const parts = states.map((state) => this.state(state, path));
    const labels = transitions.map(labelOf);
    const loops = transitions.map(({ from, to }) => from === to);
    const turned = backwards(states.length, transitions);
    const rooms = labels.map(({ size }, k): Point => (loops[k] ? [0, 0] : size));
    const widths = parts.map(({ size }, k) => size[0] + loopRoom(k, transitions, labels));
    const bullet = states.length + transitions.length;
    const sizes: Point[] = [
      ...parts.map(({ size }, k): Point => [size[1], widths[k]!]),
      ...rooms.map(([width, height]): Point => [height, width]),
      ...(initial === undefined ? [] : [[2 * BULLET, 2 * BULLET] as const]),
    ];
    const edges: [number, number][] = [];
    for (const [k, { from, to }] of transitions.entries()) {
      if (loops[k]) continue;
      const room = states.length + k;
      const [first, last] = turned[k] ? [to, from] : [from, to];
      edges.push([first, room], [room, last]);
    }
    if (initial !== undefined) edges.push([bullet, initial]);
    const { along, across, bends, size } = layered({ sizes, edges, gaps: GAPS });
    const at = (node: number): Point => [across[node]!, size[0] / 2 - along[node]!];
    const bend = ([a, b]: readonly [number, number]): Point => [b, size[0] / 2 - a];
    // A state stands at the left of the room that its loops take.
    const boxes = parts.map(({ size: [width, height] }, k): Extent => {
      const [x, y] = at(k);
      const left = x - widths[k]! / 2;
      return [
        [left, y - height / 2],
        [left + width, y + height / 2],
      ];
    });
    const ways = new Ways(boxes);
    let edge = 0;
    for (const [k, { from, to }] of transitions.entries()) {
      if (loops[k]) continue;
      const points = [...bends[edge]!.map(bend), at(states.length + k), ...bends[edge + 1]!.map(bend)];
      ways.add(k, from, to, turned[k] ? points.reverse() : points);
      edge += 2;
    }
    if (initial !== undefined) ways.add(-1, undefined, initial, [at(bullet), ...bends[edge]!.map(bend)]);
    const shapes: Shape[] = [];
    for (const { key, points } of ways.finished()) {
      if (key < 0) shapes.push(...initialShapes(points, inside(path, states[initial!]!.name)));
      else
        shapes.push(
          transitionShape(
            transitions[key]!,
            endsOf(transitions[key]!, machine, path),
            points,
            labels[key]!,
            at(states.length + key),
          ),
        );
    }
    const counts = new Map<number, number>();
    for (const [k, transition] of transitions.entries()) {
      if (!loops[k]) continue;
      const count = counts.get(transition.from) ?? 0;
      counts.set(transition.from, count + 1);
      shapes.push(
        loopShape(transition, boxes[transition.from]!, count, labels[k]!, endsOf(transition, machine, path)),
      );
    }
    for (const [k, part] of parts.entries()) {
      const [[x1, y1], [x2, y2]] = boxes[k]!;
      shapes.push(...moved(part.shapes, [(x1 + x2) / 2, (y1 + y2) / 2]));
    }
    return { size: [size[1], size[0]], shapes };
  }

  /** A state, in a box or, as large as it must be, around (0, 0): its name, its description, and the machines in it. */
  private state({ name, own, machines }: MachineState, path: string, box?: Extent): Part {
    const { component, view } = own;
    const key = inside(path, name);
    const description = component.declaration.comment.description?.value ?? '';
    const lines = wrapped(description, 34, 2);
    const heading = [{ text: name, size: FONT }, ...lines.map((text) => ({ text, size: SMALL }))];
    const content = view && machines.length > 0 ? this.regions(machines, view, key) : [];
    const bounds = boundsOf(pointsOf(content));
    const wide = Math.max(...heading.map((line) => wordsWidth(line.text, line.size === FONT) * line.size));
    const tall = heading.reduce((sum, line) => sum + LINE_HEIGHT * line.size, 0);
    const [w, h] = bounds ? [bounds[1][0] - bounds[0][0], bounds[1][1] - bounds[0][1] + PADDING] : [0, 0];
    const size: Point = [
      Math.max(LEAST[0], wide + 2 * PADDING, w + 3 * PADDING),
      Math.max(LEAST[1], tall + h + 2 * PADDING),
    ];
    const shapes: Shape[] = [];
    let top = bounds ? size[1] / 2 - PADDING : tall / 2;
    for (const { text, size: font } of heading) {
      top -= LINE_HEIGHT * font;
      const isName = font === FONT;
      shapes.push({
        ...{ kind: 'words', text, anchor: 'middle', size: font, angle: 0 },
        ...{ at: [0, top + (LINE_HEIGHT / 2 - BASE) * font], color: isName ? '#1f2933' : INK },
        ...(isName && { bold: true }),
      });
    }
    if (bounds) {
      const y = -size[1] / 2 + PADDING - bounds[0][1];
      shapes.push(...moved(content, [-(bounds[0][0] + bounds[1][0]) / 2, y]));
    }
    const type = view?.entity.path ?? '';
    const tooltip = `${key}: ${type}${description && `\n${description}`}`;
    const whole = box ?? around([0, 0], size);
    const factor = box
      ? Math.min(1.5, (box[1][0] - box[0][0]) / size[0], (box[1][1] - box[0][1]) / size[1])
      : 1;
    const frame: Shape = {
      ...{ kind: 'path', pieces: rectangleOutline(whole, 2.5) },
      ...{ fill: { kind: 'plain', color: GROUND }, stroke: BOX },
    };
    const inner = moved(scaled(shapes, factor), middle(whole));
    return { size, shapes: [{ kind: 'group', role: 'state', key, tooltip, shapes: [frame, ...inner] }] };
  }

  // -------------------------------------------------------------- as annotations say

  /** Undefined where a state has no place, or a transition no line. */
  private annotated(machines: readonly Machine[], view: View, path: string): Shape[] | undefined {
    const states = machines.flatMap((machine) => machine.states);
    const places = states.map(({ own }) => placementOf(view, own.component)?.transformation);
    const lines = machines.flatMap(({ transitions }) =>
      transitions.map(({ mention: { node, lexical } }) =>
        readLine(node.comment.annotation, sightIn(view, lexical)),
      ),
    );
    const isDrawn = lines.every(({ line }) => line && line.points.length > 1);
    if (!isDrawn || places.some((place) => !place)) return undefined;
    const shapes: Shape[] = [];
    let [s, t] = [0, 0];
    for (const [number, machine] of machines.entries()) {
      this.note(machine, number, path);
      for (const transition of machine.transitions) {
        const { line, text } = lines[t++]!;
        const points = line!.points.map(([x, y]): Point => [x + line!.origin[0], y + line!.origin[1]]);
        const label = labelOf(transition);
        const anchor = transition.immediate ? points.at(-1)! : points[0]!;
        const [[ax, ay], [bx, by]] = text?.extent ?? [
          [4, -4],
          [4, -10],
        ];
        const at: Point = [anchor[0] + (ax + bx) / 2 + label.size[0] / 2, anchor[1] + (ay + by) / 2];
        shapes.push(
          transitionShape(transition, endsOf(transition, machine, path), points, label, at, line!.smooth),
        );
      }
      for (const state of machine.states) {
        const placing = places[s++]!;
        const system = state.own.view ? layerOf(state.own.view, 'Icon').system.extent : placing.extent;
        const box = mappedBounds(placingMatrix(placing, system), system);
        shapes.push(...this.state(state, path, box).shapes);
        if (machine.initialNode && machine.states.indexOf(state) === machine.initial) {
          const { node, lexical } = machine.initialNode;
          const { line } = readLine(node.comment.annotation, sightIn(view, lexical));
          const above: Point[] = [
            [(box[0][0] + box[1][0]) / 2, box[1][1] + 10],
            [(box[0][0] + box[1][0]) / 2, box[1][1]],
          ];
          // Lines of initial states begin at the state.
          const points = line && line.points.length > 1 ? [...line.points].reverse() : above;
          shapes.push(...initialShapes(points, inside(path, state.name)));
        }
      }
    }
    return shapes;
  }
}

/** The paths of the states of a transition. */
const endsOf = ({ from, to }: MachineTransition, { states }: Machine, path: string): [string, string] => [
  inside(path, states[from]!.name),
  inside(path, states[to]!.name),
];

/** A rectangle of a size around a point. */
const around = ([x, y]: Point, [width, height]: Point): Extent => [
  [x - width / 2, y - height / 2],
  [x + width / 2, y + height / 2],
];

const inside = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

const placeOf = ({ node, lexical }: Mention): { class: string; equation: TextRange } => ({
  class: lexical.path,
  equation: { from: node.start, to: node.end },
});

/** Which transitions lead back, so that layers can be found. */
function backwards(count: number, transitions: readonly MachineTransition[]): boolean[] {
  const forward = acyclic(
    count,
    transitions.map(({ from, to }) => [from, to] as const),
  );
  return transitions.map(({ from, to }, k) => from !== to && forward[k]![0] !== from);
}

// ---------------------------------------------------------------- lines

/** Lines between boxes, spread over the sides at which they begin and end. */
class Ways {
  private readonly ways: { key: number; from: number | undefined; to: number; points: Point[] }[] = [];

  constructor(private readonly boxes: readonly Extent[]) {}

  /** A line through points, from one box, or from its first point, to another one. */
  add(key: number, from: number | undefined, to: number, points: readonly Point[]): void {
    this.ways.push({ key, from, to, points: [...points] });
  }

  finished(): { key: number; points: Point[] }[] {
    const sides = new Map<
      string,
      { box: number; isTop: boolean; ends: { x: number; place: (at: Point) => void }[] }
    >();
    const attach = (box: number, next: Point, place: (at: Point) => void): void => {
      const [[, low], [, high]] = this.boxes[box]!;
      const isTop = next[1] > (low + high) / 2;
      const key = `${box} ${isTop}`;
      const side = sides.get(key) ?? { box, isTop, ends: [] };
      sides.set(key, side);
      side.ends.push({ x: next[0], place });
    };
    for (const { from, to, points } of this.ways) {
      const [first, last] = [points[0]!, points.at(-1)!];
      if (from !== undefined) attach(from, first, (at) => points.unshift(at));
      attach(to, last, (at) => points.push(at));
    }
    for (const { box, isTop, ends } of sides.values()) {
      const [[left, low], [right, high]] = this.boxes[box]!;
      ends.sort((a, b) => a.x - b.x);
      for (const [k, { place }] of ends.entries())
        place([left + ((k + 1) / (ends.length + 1)) * (right - left), isTop ? high : low]);
    }
    return this.ways;
  }
}

/** The room at the right of a state that transitions to itself take. */
function loopRoom(
  state: number,
  transitions: readonly MachineTransition[],
  labels: readonly Label[],
): number {
  const own = transitions.flatMap(({ from, to }, k) => (from === state && to === state ? [labels[k]!] : []));
  return own.length === 0 ? 0 : LOOP + Math.max(...own.map(({ size }) => size[0])) + 2;
}

const LOOP = 8;

/** A transition from a state to itself, at its right side. */
function loopShape(
  transition: MachineTransition,
  [[, low], [right, high]]: Extent,
  count: number,
  label: Label,
  ends: readonly [string, string],
): Shape {
  const y = (low + high) / 2 + (count % 2 === 0 ? count : -count - 1) * 2;
  const points: Point[] = [
    [right, y + 2],
    [right + LOOP, y + 3],
    [right + LOOP, y - 3],
    [right, y - 2],
  ];
  const at: Point = [right + LOOP - 1 + label.size[0] / 2, y];
  return transitionShape(transition, ends, points, label, at);
}
