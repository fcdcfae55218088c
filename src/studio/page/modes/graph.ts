/**
 * The modes that a run has visited as a graph, with places for all that is drawn, in pixels: nodes in layers from left to right, in the order in which modes are reached,
 * and between them edges for changes, each with room for its words.
 */
import { remember } from '../../../collections/memo.ts';
import { acyclic, layered } from '../../../diagram/layered.ts';
import { readable } from '../../../names/readable.ts';
import { shortened, textWidth } from '../../../paint/text.ts';
import { briefNames, compact, conditionsOf, modeName } from '../../../results/plot/naming.ts';
import type { ImpulseReport, VisitedMode } from '../../protocol.ts';
import { weightText } from '../curves/pictures.ts';
import type { Run } from '../run.ts';
import { texts } from '../texts.ts';

const words = texts.modeGraph;

export type Point = readonly [x: number, y: number];

export interface Line {
  readonly text: string;
  readonly kind: 'title' | 'plain' | 'impulse';
}

/** A mode, in a box. */
export interface ModeNode {
  readonly signature: string;
  /** Its name as it is said: all conditions. */
  readonly name: string;
  readonly lines: readonly Line[];
  readonly states: readonly string[];
  readonly stateCount: number;
  readonly index: number;
  readonly visits: number;
  /** Seconds that were spent in it. */
  readonly time: number;
  /** Impulses while it was in force, at events that did not change the mode. */
  readonly impulses: readonly ImpulseReport[];
  readonly middle: Point;
  readonly size: Point;
}

/** Changes from one mode to another. */
export interface ModeEdge {
  readonly from: number;
  readonly to: number;
  readonly times: readonly number[];
  readonly impulses: readonly ImpulseReport[];
  readonly lines: readonly Line[];
  /** Where the words stand, and the way from node to node. */
  readonly middle: Point;
  readonly points: readonly Point[];
}

export interface ModeGraph {
  readonly size: Point;
  readonly nodes: readonly ModeNode[];
  readonly edges: readonly ModeEdge[];
  /** Modes that are left out, because there are too many. */
  readonly left: number;
}

/** More are no picture. */
const MOST_NODES = 30;
/** Pixels. */
const FONT = 12;
const LINE = 16;
const PADDING = 10;
const GAPS: readonly [number, number] = [26, 18];
const MARGIN = 8;
const LONGEST = 190;
/** Names of states, and impulses beside an edge. */
const NAMED = 4;
const STRUCK = 2;

export function graphOf(run: Run, visited: readonly VisitedMode[]): ModeGraph {
  const all = nodesOf(run, visited);
  const kept = new Set(
    all.length <= MOST_NODES
      ? all
      : [all[0]!, ...all.slice(1).toSorted((a, b) => b.time - a.time || b.visits - a.visits)].slice(
          0,
          MOST_NODES,
        ),
  );
  const nodes = all.filter((node) => kept.has(node));
  return placed(nodes, edgesOf(run, nodes), all.length - nodes.length);
}

// ---------------------------------------------------------------- what there is

type Unplaced<T> = Omit<T, 'middle' | 'size' | 'points'>;

function nodesOf(run: Run, visited: readonly VisitedMode[]): Unplaced<ModeNode>[] {
  const known = new Map(visited.map((mode) => [mode.signature, mode]));
  const found = new Map<string, { index: number; visits: number; time: number; states: number }>();
  for (const { signature, index, from, to, states } of run.modes) {
    const { visits, time } = found.get(signature) ?? { visits: 0, time: 0 };
    found.set(signature, { index, states, visits: visits + 1, time: time + to - from });
  }
  const names = briefNames([...found.keys()], 28);
  const strokes = strokesOf(run);
  return [...found].map(([signature, { index, visits, time, states: count }]) => {
    const { states, stateCount } = known.get(signature) ?? { states: [], stateCount: count };
    const impulses = strokes.within.get(signature) ?? [];
    const title = signature === '' ? words.only : names.get(signature)!;
    const listed = `${states.slice(0, NAMED).join(', ')}${stateCount > NAMED ? ' …' : ''}`;
    const lines = [
      { text: title, kind: 'title' as const },
      { text: words.states(stateCount, listed), kind: 'plain' as const },
      { text: words.spent(index, seconds(time), visits), kind: 'plain' as const },
      ...(impulses.length > 0 ? [{ text: words.struck(impulses.length), kind: 'impulse' as const }] : []),
    ].map((line) => ({ ...line, text: shortened(line.text, LONGEST, FONT) }));
    const node = {
      signature,
      name: modeName(signature),
      lines,
      states,
      stateCount,
      index,
      visits,
      time,
      impulses,
    };
    return signature === '' ? { ...node, name: words.only } : node;
  });
}

/** Impulses by the change at which they happen, and by the mode that is in force otherwise. */
function strokesOf({ modes, impulses }: Run) {
  const begins = new Map<number, number>();
  for (const [k, { from }] of modes.entries()) if (k > 0) begins.set(from, k);
  const at = new Map<number, ImpulseReport[]>();
  const within = new Map<string, ImpulseReport[]>();
  for (const impulse of impulses) {
    const visit = begins.get(impulse.time);
    if (visit !== undefined && modes[visit]!.signature !== modes[visit - 1]!.signature)
      remember(at, visit, () => []).push(impulse);
    else {
      const mode = modes.findLast(({ from, to }) => from <= impulse.time && impulse.time <= to);
      if (mode) remember(within, mode.signature, () => []).push(impulse);
    }
  }
  return { at, within };
}

function edgesOf(run: Run, nodes: readonly Unplaced<ModeNode>[]): Unplaced<ModeEdge>[] {
  const numbers = new Map(nodes.map(({ signature }, k) => [signature, k]));
  const strokes = strokesOf(run).at;
  const found = new Map<string, { from: number; to: number; times: number[]; impulses: ImpulseReport[] }>();
  for (const [k, { signature, from: time }] of run.modes.entries()) {
    const before = run.modes[k - 1]?.signature;
    const [from, to] = [numbers.get(before ?? signature), numbers.get(signature)];
    if (from === undefined || to === undefined || from === to) continue;
    const edge = remember(found, `${from} ${to}`, () => ({ from, to, times: [], impulses: [] }));
    edge.times.push(time);
    edge.impulses.push(...(strokes.get(k) ?? []));
  }
  return [...found.values()].map((edge) => {
    const struck = [...new Map(edge.impulses.map((one) => [one.variable, one])).values()]
      .toSorted((a, b) => Math.abs(b.weight) - Math.abs(a.weight))
      .slice(0, STRUCK);
    const changed = changesOf(nodes[edge.from]!.signature, nodes[edge.to]!.signature);
    const lines: Line[] = [
      { text: words.times(edge.times.slice(0, 2).map(seconds), edge.times.length), kind: 'plain' },
      ...(changed === '' ? [] : [{ text: changed, kind: 'plain' as const }]),
      ...struck.map((one) => ({ text: `${one.variable} ${weightText(run, one)}`, kind: 'impulse' as const })),
    ];
    return { ...edge, lines: lines.map((line) => ({ ...line, text: shortened(line.text, 150, FONT) })) };
  });
}

/** Conditions that are others, where a mode has several of them. */
export function changesOf(from: string, to: string): string {
  const before = new Set(conditionsOf(from));
  const now = conditionsOf(to);
  return now.length < 2 ? '' : compact(now.filter((condition) => !before.has(condition)));
}

const seconds = (time: number): string => `${readable(time, 4)} s`;

// ---------------------------------------------------------------- where it stands

const widthOf = (lines: readonly Line[]): number =>
  Math.max(0, ...lines.map(({ text, kind }) => textWidth(text, FONT) * (kind === 'title' ? 1.08 : 1)));

function placed(
  nodes: readonly Unplaced<ModeNode>[],
  edges: readonly Unplaced<ModeEdge>[],
  left: number,
): ModeGraph {
  const boxes = nodes.map(
    ({ lines }): Point => [Math.max(96, widthOf(lines) + 2 * PADDING), lines.length * LINE + 2 * PADDING - 4],
  );
  const rooms = edges.map(({ lines }): Point => [widthOf(lines) + 8, lines.length * LINE + 4]);
  // Edges that lead back are turned round, so that layers follow the order in which modes are reached.
  const pairs = edges.map(({ from, to }) => [from, to] as const);
  const forward = acyclic(nodes.length, pairs);
  const { along, across, bends, size } = layered({
    sizes: [...boxes, ...rooms],
    edges: forward.flatMap(([from, to], k): [number, number][] => [
      [from, nodes.length + k],
      [nodes.length + k, to],
    ]),
    gaps: GAPS,
  });
  const at = (node: number): Point => [MARGIN + along[node]!, MARGIN + size[1] / 2 + across[node]!];
  const bend = ([a, b]: readonly [number, number]): Point => [MARGIN + a, MARGIN + size[1] / 2 + b];
  const middles = nodes.map((_, k) => at(k));
  const routes = forward.map(([first, last], k) => {
    const room = nodes.length + k;
    const inner = [...bends[2 * k]!.map(bend), at(room), ...bends[2 * k + 1]!.map(bend)];
    return { first, last, inner, isTurned: edges[k]!.from !== first };
  });
  const ports = portsOf(routes, middles, boxes);
  return {
    size: [size[0] + 2 * MARGIN, size[1] + 2 * MARGIN],
    nodes: nodes.map((node, k) => ({ ...node, middle: middles[k]!, size: boxes[k]! })),
    edges: edges.map((edge, k) => {
      const { inner, isTurned } = routes[k]!;
      const points = [ports.out[k]!, ...inner, ports.in[k]!];
      return { ...edge, middle: at(nodes.length + k), points: isTurned ? points.reverse() : points };
    }),
    left,
  };
}

interface Route {
  readonly first: number;
  readonly last: number;
  readonly inner: readonly Point[];
}

/** Where edges leave the right side of a node, and reach the left one: side by side, in the order of where they lead. */
function portsOf(
  routes: readonly Route[],
  middles: readonly Point[],
  boxes: readonly Point[],
): { readonly out: Point[]; readonly in: Point[] } {
  const spread = (side: 'first' | 'last'): Point[] => {
    const found: Point[] = [];
    for (const [node, [x, y]] of middles.entries()) {
      const [width, height] = boxes[node]!;
      const own = routes.flatMap((route, k) => (route[side] === node ? [k] : []));
      const next = (k: number): number => routes[k]!.inner.at(side === 'first' ? 0 : -1)![1];
      own.sort((a, b) => next(a) - next(b));
      for (const [place, k] of own.entries())
        found[k] = [
          x + (side === 'first' ? width / 2 : -width / 2),
          y + ((place + 1) / (own.length + 1) - 0.5) * height * 0.8,
        ];
    }
    return found;
  };
  return { out: spread('first'), in: spread('last') };
}
