/**
 * Graphical annotations as they are written: layers with their graphics, coordinate systems, placements, lines of connections. What is missing or makes no sense has the value that
 * the specification gives for it (Modelica 3.6, section 18.6); nothing here fails.
 */
import type * as ast from '../syntax/ast.ts';
import { argumentsNamed } from '../syntax/lazy.ts';
import type { Extent, Placing, Point } from './geometry.ts';
import {
  alignments,
  arrows,
  borderPatterns,
  type CoordinateSystem,
  closures,
  defaultSystem,
  fillPatterns,
  type Item,
  type LineItem,
  linePatterns,
  smooths,
  type TextItem,
  textStyles,
} from './items.ts';
import { type Plain, plainValue, type Sight } from './values.ts';

export type LayerName = 'Icon' | 'Diagram';

/** Attributes of an item by name, of a call or of a modification. */
class Attributes {
  private constructor(
    private readonly values: ReadonlyMap<string, ast.Expression>,
    private readonly sight: Sight,
  ) {}

  static ofCall({ named }: ast.Call, sight: Sight): Attributes {
    const values = named.flatMap(({ name, value }) =>
      value.kind === 'partial' ? [] : [[name.text, value] as const],
    );
    return new Attributes(new Map(values), sight);
  }

  static of(modification: ast.ClassModification | undefined, sight: Sight): Attributes {
    const values = (modification?.arguments ?? []).flatMap((argument) => {
      const value = argument.kind === 'modify' ? argument.modification?.value : undefined;
      if (argument.kind !== 'modify' || !value || value === 'break') return [];
      return [[argument.name.parts.map(({ text }) => text).join('.'), value] as const];
    });
    return new Attributes(new Map(values), sight);
  }

  has(name: string): boolean {
    return this.values.has(name);
  }

  value(name: string): Plain | undefined {
    const expression = this.values.get(name);
    return expression && plainValue(expression, this.sight);
  }

  number(name: string, otherwise: number): number {
    return numberIn(this.value(name)) ?? otherwise;
  }

  flag(name: string, otherwise: boolean): boolean {
    const value = this.value(name);
    return typeof value === 'boolean' ? value : otherwise;
  }

  text(name: string): string {
    const value = this.value(name);
    return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
  }

  point(name: string, otherwise: Point = [0, 0]): Point {
    return pointIn(this.value(name)) ?? otherwise;
  }

  points(name: string): Point[] {
    const value = this.value(name);
    if (!Array.isArray(value)) return [];
    return value.flatMap((part) => {
      const point = pointIn(part);
      return point ? [point] : [];
    });
  }

  extent(name: string): Extent | undefined {
    const points = this.points(name);
    return points.length === 2 ? (points as unknown as Extent) : undefined;
  }

  color(name: string, otherwise = '#000000'): string {
    const value = this.value(name);
    if (!Array.isArray(value) || value.length !== 3) return otherwise;
    const channels = value.map((part) => numberIn(part) ?? 0);
    return `#${channels.map((channel) => hex(channel)).join('')}`;
  }

  choice<Name extends string>(name: string, choices: readonly Name[], otherwise: Name): Name {
    return chosen(this.value(name), choices) ?? otherwise;
  }

  choices<Name extends string>(name: string, choices: readonly Name[]): Name[] {
    const value = this.value(name);
    const all = Array.isArray(value) ? value : value === undefined ? [] : [value];
    return all.flatMap((part: Plain) => chosen(part, choices) ?? []);
  }
}

function chosen<Name extends string>(value: Plain | undefined, choices: readonly Name[]): Name | undefined {
  return choices.find((name) => name === value);
}

const numberIn = (value: Plain | undefined): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

function pointIn(value: Plain | undefined): Point | undefined {
  if (!Array.isArray(value) || value.length !== 2) return undefined;
  const [x, y] = [numberIn(value[0]), numberIn(value[1])];
  return x === undefined || y === undefined ? undefined : [x, y];
}

const hex = (channel: number): string =>
  Math.min(255, Math.max(0, Math.round(channel)))
    .toString(16)
    .padStart(2, '0');

// ---------------------------------------------------------------- layers

/** The layer of a class as its own annotation has it: attributes of its coordinate system as far as they are given, and graphics. */
export interface OwnLayer {
  readonly system: Partial<CoordinateSystem>;
  readonly items: readonly Item[];
}

export function readLayer(
  annotation: ast.Annotation | undefined,
  name: LayerName,
  sight: Sight,
): OwnLayer | undefined {
  const [layer] = argumentsNamed(annotation, name);
  const parts = layer?.modification?.arguments?.arguments;
  if (!parts) return undefined;
  let system: Partial<CoordinateSystem> = {};
  const items: Item[] = [];
  for (const part of parts) {
    if (part.kind !== 'modify') continue;
    const what = part.name.parts[0]!.text;
    const value = part.modification?.value;
    if (what === 'coordinateSystem') system = readSystem(part.modification?.arguments, sight);
    else if (what === 'graphics' && value && value !== 'break') readItems(value, sight, items);
  }
  return { system, items };
}

function readSystem(written: ast.ClassModification | undefined, sight: Sight): Partial<CoordinateSystem> {
  const own = Attributes.of(written, sight);
  const extent = own.extent('extent');
  const isProper = extent && extent[0][0] !== extent[1][0] && extent[0][1] !== extent[1][1];
  const scale = own.number('initialScale', 0);
  return {
    ...(isProper && { extent }),
    ...(own.has('preserveAspectRatio') && { preserveAspectRatio: own.flag('preserveAspectRatio', true) }),
    ...(scale > 0 && { initialScale: scale }),
    ...(own.has('grid') && { grid: own.point('grid', defaultSystem.grid) }),
  };
}

/** A list of calls; what else stands there is evaluated as far as it chooses between lists. */
function readItems(value: ast.Expression, sight: Sight, into: Item[]): void {
  switch (value.kind) {
    case 'array':
      for (const element of value.elements) readItems(element, sight, into);
      return;
    case 'call': {
      const item = readItem(value, sight);
      if (item) into.push(item);
      return;
    }
    case 'if': {
      const branch = value.branches.find(({ condition }) => plainValue(condition, sight) === true);
      readItems(branch?.value ?? value.otherwise, sight, into);
      return;
    }
    default:
      return;
  }
}

function readItem(call: ast.Call, sight: Sight): Item | undefined {
  const [name, ...rest] = call.callee.parts;
  if (!name || rest.length > 0) return undefined;
  const own = Attributes.ofCall(call, sight);
  switch (name.name) {
    case 'Line':
      return lineItem(own);
    case 'Polygon':
      return {
        kind: 'Polygon',
        ...base(own),
        ...filled(own),
        points: own.points('points'),
        smooth: own.choice('smooth', smooths, 'None') === 'Bezier',
      };
    case 'Rectangle':
      return {
        kind: 'Rectangle',
        ...base(own),
        ...filled(own),
        extent: own.extent('extent') ?? nothing,
        radius: own.number('radius', 0),
        borderPattern: own.choice('borderPattern', borderPatterns, 'None'),
      };
    case 'Ellipse':
      return {
        kind: 'Ellipse',
        ...base(own),
        ...filled(own),
        extent: own.extent('extent') ?? nothing,
        startAngle: own.number('startAngle', 0),
        endAngle: own.number('endAngle', 360),
        closure: own.choice('closure', closures, 'Automatic'),
      };
    case 'Text':
      return textItem(own, 'textString');
    case 'Bitmap':
      return {
        kind: 'Bitmap',
        ...base(own),
        extent: own.extent('extent') ?? nothing,
        fileName: own.text('fileName'),
        imageSource: own.text('imageSource'),
      };
    default:
      return undefined;
  }
}

const nothing: Extent = [
  [0, 0],
  [0, 0],
];

const base = (own: Attributes) => ({
  visible: own.flag('visible', true),
  origin: own.point('origin'),
  rotation: own.number('rotation', 0),
});

const filled = (own: Attributes) => ({
  lineColor: own.color('lineColor'),
  fillColor: own.color('fillColor'),
  pattern: own.choice('pattern', linePatterns, 'Solid'),
  fillPattern: own.choice('fillPattern', fillPatterns, 'None'),
  lineThickness: own.number('lineThickness', 0.25),
});

function lineItem(own: Attributes): LineItem {
  const [start = 'None', end = 'None'] = own.choices('arrow', arrows);
  return {
    kind: 'Line',
    ...base(own),
    points: own.points('points'),
    color: own.color('color'),
    pattern: own.choice('pattern', linePatterns, 'Solid'),
    thickness: own.number('thickness', 0.25),
    arrow: [start, end],
    arrowSize: own.number('arrowSize', 3),
    smooth: own.choice('smooth', smooths, 'None') === 'Bezier',
  };
}

/** The colour of texts was `lineColor` before there was `textColor`. */
function textItem(own: Attributes, string: string): TextItem {
  return {
    kind: 'Text',
    ...base(own),
    extent: own.extent('extent') ?? nothing,
    text: own.text(string),
    fontSize: own.number('fontSize', 0),
    fontName: own.text('fontName'),
    styles: own.choices('textStyle', textStyles),
    color: own.color('textColor', own.color('lineColor')),
    alignment: own.choice('horizontalAlignment', alignments, 'Center'),
  };
}

// ---------------------------------------------------------------- extends clauses, components, connections

/** How a class shows the layer of a base class. */
export interface LayerMap {
  /** Where the coordinate system of the base class is mapped to; undefined where it is kept. */
  readonly extent: Extent | undefined;
  readonly primitivesVisible: boolean;
}

export const asItIs: LayerMap = { extent: undefined, primitivesVisible: true };

export function readMap(annotation: ast.Annotation | undefined, layer: LayerName, sight: Sight): LayerMap {
  const [map] = argumentsNamed(annotation, `${layer}Map`);
  if (!map) return asItIs;
  const own = Attributes.of(map.modification?.arguments, sight);
  const extent = own.extent('extent');
  const isNothing = extent?.flat().every((coordinate) => coordinate === 0) ?? true;
  return { extent: isNothing ? undefined : extent, primitivesVisible: own.flag('primitivesVisible', true) };
}

/** The annotation `Placement` of a component. */
export interface Placement {
  readonly visible: boolean;
  readonly transformation: Placing | undefined;
  readonly iconVisible: boolean;
  readonly iconTransformation: Placing | undefined;
}

export function readPlacement(annotation: ast.Annotation | undefined, sight: Sight): Placement | undefined {
  const [placement] = argumentsNamed(annotation, 'Placement');
  const written = placement?.modification?.arguments;
  if (!written) return undefined;
  const own = Attributes.of(written, sight);
  const visible = own.flag('visible', true);
  const transformation = placingIn(written, 'transformation', sight);
  return {
    visible,
    transformation,
    iconVisible: own.flag('iconVisible', visible),
    iconTransformation: placingIn(written, 'iconTransformation', sight) ?? transformation,
  };
}

function placingIn(written: ast.ClassModification, name: string, sight: Sight): Placing | undefined {
  for (const argument of written.arguments) {
    if (argument.kind !== 'modify' || argument.name.parts[0]!.text !== name) continue;
    const own = Attributes.of(argument.modification?.arguments, sight);
    const extent = own.extent('extent');
    return extent && { extent, rotation: own.number('rotation', 0), origin: own.point('origin') };
  }
  return undefined;
}

/** The line of a connection or transition, and the text on it. */
export interface DrawnLine {
  readonly line: LineItem | undefined;
  readonly text: TextItem | undefined;
}

export function readLine(annotation: ast.Annotation | undefined, sight: Sight): DrawnLine {
  const [line] = argumentsNamed(annotation, 'Line');
  const [text] = argumentsNamed(annotation, 'Text');
  return {
    line: line && lineItem(Attributes.of(line.modification?.arguments, sight)),
    text: text && lineText(Attributes.of(text.modification?.arguments, sight)),
  };
}

/** Of a text on a line the name of the text is another one, and so is the alignment where none is given (section 18.6.4). */
function lineText(own: Attributes): TextItem {
  const index = own.number('index', -1);
  return {
    ...textItem(own, 'string'),
    alignment: own.choice('horizontalAlignment', alignments, index < 0 ? 'Right' : 'Left'),
    index,
  };
}
