/** Draws the graph of modes. Modes can have the focus; which one is present, and which one is chosen, is said by classes. */
import { makeSvg } from '../dom.ts';
import { texts } from '../texts.ts';
import type { Line, ModeEdge, ModeGraph, ModeNode, Point } from './graph.ts';

const words = texts.modeGraph;
const LINE = 16;

export function graphPicture(graph: ModeGraph, colorOf: (signature: string) => string): SVGElement {
  const [width, height] = graph.size;
  const svg = makeSvg('svg', {
    class: 'mode-graph',
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
    role: 'group',
    'aria-label': texts.modes,
  });
  // As small as words can still be read, the rest is scrolled to.
  svg.style.maxWidth = '100%';
  svg.style.minWidth = `${Math.round(0.8 * width)}px`;
  const marker = makeSvg('marker', {
    id: 'mode-arrow',
    viewBox: '0 0 8 8',
    refX: 7,
    refY: 4,
    markerWidth: 8,
    markerHeight: 8,
    orient: 'auto-start-reverse',
  });
  marker.append(makeSvg('path', { d: 'M0 0.5L8 4L0 7.5z', class: 'tip' }));
  const definitions = makeSvg('defs');
  definitions.append(marker);
  svg.append(
    definitions,
    ...graph.edges.map((edge) => edgePicture(edge, graph)),
    ...graph.nodes.map((node) => nodePicture(node, colorOf(node.signature))),
  );
  return svg;
}

function nodePicture(node: ModeNode, color: string): SVGElement {
  const { middle, size, lines, signature, name } = node;
  const group = makeSvg('g', {
    class: 'mode',
    'data-mode': signature,
    tabindex: -1,
    role: 'button',
    'aria-label': words.described(name, node.stateCount, node.states.join(', '), node.index, node.visits),
  });
  const [left, top] = [middle[0] - size[0] / 2, middle[1] - size[1] / 2];
  const stripe = makeSvg('rect', { class: 'stripe', x: left, y: top, width: 5, height: size[1], rx: 2 });
  stripe.style.fill = color;
  group.append(
    titled(name),
    makeSvg('rect', { class: 'frame', x: left, y: top, width: size[0], height: size[1], rx: 7 }),
    stripe,
    ...linesAt(lines, [middle[0] + 2, middle[1]]),
  );
  return group;
}

function edgePicture({ points, middle, lines, from, to, times }: ModeEdge, { nodes }: ModeGraph): SVGElement {
  const [a, b] = [nodes[from]!.name, nodes[to]!.name];
  const group = makeSvg('g', {
    class: 'change',
    role: 'img',
    'aria-label': words.change(a, b, times.length),
  });
  const wide = Math.max(...lines.map(({ text }) => text.length)) * 6.4 + 6;
  const tall = lines.length * LINE;
  group.append(
    titled(words.change(a, b, times.length)),
    makeSvg('path', { d: smooth(points), 'marker-end': 'url(#mode-arrow)' }),
    makeSvg('rect', {
      class: 'room',
      x: middle[0] - wide / 2,
      y: middle[1] - tall / 2,
      width: wide,
      height: tall,
      rx: 3,
    }),
    ...linesAt(lines, middle),
  );
  return group;
}

/** Readers with a pointer see it beside that. */
function titled(text: string): SVGElement {
  const title = makeSvg('title');
  title.textContent = text;
  return title;
}

function linesAt(lines: readonly Line[], [x, y]: Point): SVGElement[] {
  return lines.map(({ text, kind }, k) => {
    const element = makeSvg('text', { class: kind, x, y: y + (k - (lines.length - 1) / 2) * LINE + 4 });
    element.textContent = text;
    return element;
  });
}

/** A curve through points, horizontal in each of them. */
function smooth(points: readonly Point[]): string {
  const [[x, y], ...others] = points as [Point, ...Point[]];
  let path = `M${round(x)} ${round(y)}`;
  let [px, py] = [x, y];
  for (const [qx, qy] of others) {
    const half = round((px + qx) / 2);
    path += `C${half} ${round(py)} ${half} ${round(qy)} ${round(qx)} ${round(qy)}`;
    [px, py] = [qx, qy];
  }
  return path;
}

const round = (value: number): number => Math.round(value * 10) / 10;
