/** Icons of classes: their graphics with what they inherit, and their connectors; an outline where a class has no graphics (Modelica 3.6, sections 18.6.2 and 18.6.3). */
import type { ClassEntity } from '../model/classes/class.ts';
import { iconConnectors, type StandingConnector } from './connectors.ts';
import { drawItem, type Pen } from './draw.ts';
import {
  apply,
  boundsOf,
  type Extent,
  identity,
  type Matrix,
  mappedBounds,
  middle,
  type Point,
  times,
  upright,
} from './geometry.ts';
import type { CoordinateSystem, TextItem } from './items.ts';
import { type Layer, layerOf } from './layer.ts';
import { replaceMacros } from './macros.ts';
import { polygonOutline, rectangleOutline } from './outline.ts';
import { pictureAddress } from './pictures.ts';
import { mapped, pointsOf, type Shape } from './shapes.ts';
import type { Values } from './values.ts';
import { type ComponentView, classView, type View } from './view.ts';

/** What a drawing has in common for all that is in it. */
export interface Ink {
  /** How long a millimetre of natural size is. */
  readonly millimetre: number;
  readonly thinnest: number;
  /** Pictures that could not be had, by their names. */
  readonly missing: Set<string>;
}

export interface IconOptions {
  /** Pixels that it will have; lines are one wide at least. */
  readonly size?: number;
  /** Whether texts are shown that stand for names and values of components; they are where it is left out. */
  readonly labels?: boolean;
  readonly values?: Values;
}

/** A picture in coordinates of its own. */
export interface Drawing {
  /** The qualified name of the class. */
  readonly class: string;
  readonly extent: Extent;
  readonly shapes: readonly Shape[];
  /** Pictures that could not be read. */
  readonly missing: readonly string[];
}

/** The icon of a class, for itself. Macros stay as they are, but for the name of the class. */
export function iconOf(
  entity: ClassEntity,
  { size = 200, labels = true, values }: IconOptions = {},
): Drawing {
  const view = classView(entity, values);
  const layer = layerOf(view, 'Icon');
  const { system } = layer;
  const own = upright(system.extent);
  const pixel = Math.max(own[1][0] - own[0][0], own[1][1] - own[0][1]) / size;
  const ink: Ink = { millimetre: 0.5 / system.initialScale, thinnest: pixel, missing: new Set() };
  const shown = labels ? layer : withoutLabels(layer);
  const { shapes } = drawIcon({ name: undefined, view, causality: undefined }, shown, identity, ink, '');
  const [[left, low], [right, high]] = boundsOf([...own, ...pointsOf(shapes)])!;
  const margin = 2 * pixel;
  const extent: Extent = [
    [left - margin, low - margin],
    [right + margin, high + margin],
  ];
  return { class: entity.path, extent, shapes, missing: [...ink.missing] };
}

/** Without texts that name components and values, which a class has none of. */
const withoutLabels = (layer: Layer): Layer => ({
  ...layer,
  parts: layer.parts.map((part) => ({
    ...part,
    items: part.items.filter((item) => item.kind !== 'Text' || !/%(?!%|class\b)/.test(item.text)),
  })),
});

export interface IconOwner {
  /** Undefined for a class that is shown for itself. */
  readonly name: string | undefined;
  readonly view: View;
  readonly causality: ComponentView['causality'];
}

/** A connector in a drawing. */
export interface DrawnConnector {
  /** Its name, after that of its component where it belongs to one: `resistor.p`. */
  readonly path: string;
  readonly class: string;
  readonly causality: 'input' | 'output' | undefined;
  readonly bounds: Extent;
  readonly position: Point;
  /** Sizes of an array of connectors. */
  readonly dims: readonly number[];
  /** The colour of lines that connect it. */
  readonly color: string;
}

export interface DrawnIcon {
  readonly shapes: Shape[];
  readonly connectors: DrawnConnector[];
  readonly system: CoordinateSystem;
}

/** What the icon of a class draws, where `matrix` takes its coordinates. */
export function drawIcon(owner: IconOwner, layer: Layer, matrix: Matrix, ink: Ink, path: string): DrawnIcon {
  const shapes = drawLayer(owner, layer, matrix, ink);
  const connectors: DrawnConnector[] = [];
  for (const connector of iconConnectors(owner.view, layer))
    shapes.push(drawConnector(connector, matrix, ink, path, connectors));
  return { shapes, connectors, system: layer.system };
}

/** The graphics of a layer, or an outline where it has none. */
export function drawLayer(owner: IconOwner, layer: Layer, matrix: Matrix, ink: Ink): Shape[] {
  if (layer.isEmpty) return drawOutline(owner, layer.system, matrix, ink);
  const pen = penFor(owner, ink);
  return layer.parts.flatMap((part) => {
    const own = times(matrix, part.matrix);
    return part.items.flatMap((item) => drawItem(item, own, pen));
  });
}

export function penFor({ name, view }: Pick<IconOwner, 'name' | 'view'>, ink: Ink): Pen {
  return {
    millimetre: ink.millimetre,
    thinnest: ink.thinnest,
    words: (text) => replaceMacros(text, { name, view }),
    picture: (bitmap) => {
      const address = pictureAddress(view.entity.library, bitmap);
      if (address === undefined) ink.missing.add(bitmap.fileName || 'imageSource');
      return address;
    },
  };
}

/** Draws a connector and lists it. */
export function drawConnector(
  { own, layer, matrix }: StandingConnector,
  around: Matrix,
  ink: Ink,
  path: string,
  into: DrawnConnector[],
): Shape {
  const { component, view, causality, dims } = own;
  const name = path === '' ? component.name : `${path}.${component.name}`;
  const place = times(around, matrix);
  const shapes = view ? drawLayer({ name: component.name, view, causality }, layer, place, ink) : [];
  const bounds = mappedBounds(place, layer.system.extent);
  const type = view?.entity.path ?? '';
  into.push({
    ...{ path: name, class: type, causality, bounds, dims },
    position: apply(place, middle(layer.system.extent)),
    color: colorOf(layer),
  });
  return { kind: 'group', role: 'connector', key: name, tooltip: `${name}: ${type}`, shapes };
}

/** Lines have the colour of the connectors that they begin at: that of the line around its icon, or what it is filled with. */
function colorOf({ parts }: Layer): string {
  for (const { items } of [...parts].reverse())
    for (const item of items) {
      if (item.kind === 'Line') return item.color;
      if (item.kind === 'Text' || item.kind === 'Bitmap') continue;
      if (item.pattern !== 'None' && item.lineColor !== '#ffffff') return item.lineColor;
      if (item.fillPattern !== 'None') return item.fillColor;
    }
  return PLAIN;
}

/** The colour of what nobody gave one. */
const PLAIN = '#5f6b7a';
const GROUND = '#f7f8fa';

function drawOutline(
  { name, view, causality }: IconOwner,
  { extent }: CoordinateSystem,
  matrix: Matrix,
  ink: Ink,
): Shape[] {
  const stroke = { color: PLAIN, width: Math.max(0.25 * ink.millimetre, ink.thinnest) };
  const box = rectangleOutline(extent, 0);
  const { restriction } = view.entity.definition;
  if (restriction.endsWith('connector')) {
    const [[left, low], [right, high]] = upright(extent);
    const tip: Point[] = [
      [left, high],
      [right, (low + high) / 2],
      [left, low],
    ];
    const color = causality === 'output' ? '#ffffff' : PLAIN;
    const pieces = causality ? polygonOutline(tip, false) : box;
    return [{ kind: 'path', pieces: mapped(matrix, pieces), fill: { kind: 'plain', color }, stroke }];
  }
  const label: TextItem = {
    ...{ kind: 'Text', visible: true, origin: [0, 0], rotation: 0, text: name ?? '%class', fontSize: 0 },
    ...{ extent: inner(extent), fontName: '', styles: [], color: '#1f2933', alignment: 'Center' },
  };
  return [
    { kind: 'path', pieces: mapped(matrix, box), fill: { kind: 'plain', color: GROUND }, stroke },
    ...drawItem(label, matrix, penFor({ name: undefined, view }, ink)),
  ];
}

/** The middle of a rectangle, for a line of text. */
function inner(extent: Extent): Extent {
  const [[left, low], [right, high]] = upright(extent);
  const [dx, dy] = [0.08 * (right - left), 0.35 * (high - low)];
  return [
    [left + dx, low + dy],
    [right - dx, high - dy],
  ];
}
