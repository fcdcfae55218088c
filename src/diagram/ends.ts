/** Where lines begin and end: at connectors of components, at those of the class, and at sides of states. */
import { partsOf, withoutSubscripts } from '../names/names.ts';
import type { Side } from './automatic.ts';
import { iconConnectors } from './connectors.ts';
import type { Diagram, DiagramComponent } from './content.ts';
import { apply, type Extent, middle, type Point, upright } from './geometry.ts';
import type { DrawnConnector } from './icon.ts';
import type { CoordinateSystem } from './items.ts';
import type { Layer } from './layer.ts';
import type { LineEnd } from './route.ts';
import type { ComponentView } from './view.ts';

/** Finds components by their names. */
export type Finder = (name: string) => DiagramComponent | undefined;

export const finderIn =
  ({ components }: Pick<Diagram, 'components'>): Finder =>
  (name) =>
    components.find((one) => one.name === name);

/** The sides of two boxes that face each other, as ends of a line; of one box, its right side and the one above. */
export function facing(a: DiagramComponent, b: DiagramComponent): [LineEnd, LineEnd] {
  const [[ax, ay], [bx, by]] = [middle(a.bounds), middle(b.bounds)];
  const isAcross = Math.abs(bx - ax) >= Math.abs(by - ay);
  const away: Point = a === b ? [1, 0] : isAcross ? [Math.sign(bx - ax) || 1, 0] : [0, Math.sign(by - ay)];
  const back: Point = a === b ? [0, 1] : [-away[0] || 0, -away[1] || 0];
  // Lines keep to the right, so that one forth and one back stand beside each other.
  const right: Point = a === b ? [0, 0] : [away[1], -away[0] || 0];
  return [sideEnd(a, away, right), sideEnd(b, back, right)];
}

function sideEnd({ bounds, name }: DiagramComponent, outward: Point, aside: Point): LineEnd {
  const [[left, low], [right, high]] = bounds;
  const [x, y] = middle(bounds);
  const [dx, dy] = [(right - left) / 6, (high - low) / 6];
  const at: Point = [
    outward[0] === 0 ? x + aside[0] * dx : outward[0] > 0 ? right : left,
    outward[1] === 0 ? y + aside[1] * dy : outward[1] > 0 ? high : low,
  ];
  return { at: [round(at[0]), round(at[1])], outwards: outward, box: bounds, net: `state ${name}` };
}

/** The middle of the longest piece of a line. */
export function halfway(points: readonly Point[]): Point {
  let best = 1;
  const length = (k: number): number =>
    Math.hypot(points[k]![0] - points[k - 1]![0], points[k]![1] - points[k - 1]![1]);
  for (let k = 2; k < points.length; k++) if (length(k) > length(best)) best = k;
  return middle([points[best - 1]!, points[best]!]);
}

export const boxesOf = (components: readonly DiagramComponent[]): Extent[] =>
  components.flatMap((one) => (one.isConnector ? [] : [one.bounds]));

/** The component and the connector that a name in a connect begins with, without subscripts. */
export function netOf(name: string): string {
  return partsOf(withoutSubscripts(name)).slice(0, 2).join('.');
}

export function connectorOf(find: Finder, name: string): DrawnConnector | undefined {
  const net = netOf(name);
  const first = partsOf(net)[0]!;
  const owner = find(first);
  return owner?.connectors.find(({ path }) => path === (owner.isConnector ? first : net));
}

/** Where a line can end at a connector; at the component where that is not seen. */
export function endAt(find: Finder, { extent }: CoordinateSystem, name: string): LineEnd | undefined {
  const net = netOf(name);
  const owner = find(partsOf(net)[0]!);
  if (!owner) return undefined;
  const [x, y] = connectorOf(find, name)?.position ?? middle(owner.bounds);
  const at: Point = [round(x), round(y)];
  return owner.isConnector
    ? { at, outwards: inwards(at, extent), box: undefined, net: owner.name }
    : { at, outwards: outwards(at, owner.bounds), box: owner.bounds, net };
}

/** On which sides of a component its connectors are, by their names. */
export function sidesOf({ view }: ComponentView, icon: Layer | undefined): Map<string, Side> {
  if (!view || !icon) return new Map();
  const { extent } = icon.system;
  return new Map(
    iconConnectors(view, icon).map(({ own, layer, matrix }) => {
      const direction = outwards(apply(matrix, middle(layer.system.extent)), extent);
      return [own.component.name, sideOf(direction)];
    }),
  );
}

function sideOf(direction: Point | undefined): Side {
  if (!direction) return 'middle';
  const [x, y] = direction;
  return x === 0 ? (y > 0 ? 'above' : 'below') : x > 0 ? 'right' : 'left';
}

/** The side of a box at which a point lies; undefined near its middle. */
function outwards([x, y]: Point, box: Extent): Point | undefined {
  const [[left, low], [right, high]] = upright(box);
  const across = (2 * x - left - right) / Math.max(right - left, 1e-9);
  const up = (2 * y - low - high) / Math.max(high - low, 1e-9);
  if (Math.max(Math.abs(across), Math.abs(up)) < 0.5) return undefined;
  return Math.abs(across) >= Math.abs(up) ? [Math.sign(across), 0] : [0, Math.sign(up)];
}

/** From a connector of the class into its diagram. */
function inwards(at: Point, extent: Extent): Point | undefined {
  const away = outwards(at, extent);
  return away && [-away[0] || 0, -away[1] || 0];
}

const round = (value: number): number => Math.round(value * 100) / 100;
