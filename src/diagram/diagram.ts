/**
 * The diagram of a class: its graphics, its components in their places with their connectors, and the lines of its connections (Modelica 3.6, sections 18.6.2 to 18.6.4). What has no place gets
 * one (`automatic.ts`), and so do lines (`route.ts`). The result is plain data, which says where everything is, beside the shapes that are drawn.
 */
import type { ClassEntity } from '../model/classes/class.ts';
import { type ShapeComponent, shapeOf } from '../model/classes/shape.ts';
import { withoutSubscripts } from '../names/names.ts';
import type * as ast from '../syntax/ast.ts';
import { printReference } from '../syntax/unparse.ts';
import { nodesIn } from '../syntax/walk.ts';
import { automaticPlaces, type FreeBox, type Side, type Tie } from './automatic.ts';
import { alongEdges, isBoxed, isPlain, placementOf, type StandingConnector, standing } from './connectors.ts';
import type { Diagram, DiagramComponent, DiagramConnection, DiagramTransition } from './content.ts';
import { drawItem } from './draw.ts';
import {
  boxesOf,
  connectorOf,
  endAt,
  type Finder,
  facing,
  finderIn,
  halfway,
  netOf,
  sidesOf,
} from './ends.ts';
import {
  apply,
  boundsOf,
  type Extent,
  identity,
  type Matrix,
  mappedBounds,
  middle,
  type Placing,
  type Point,
  placingMatrix,
  shift,
  times,
  upright,
} from './geometry.ts';
import { type DrawnConnector, drawConnector, drawIcon, type Ink, penFor } from './icon.ts';
import type { CoordinateSystem, LineItem, TextItem } from './items.ts';
import { type Layer, layerOf, matrixIn } from './layer.ts';
import { type Machine, type MachineTransition, machinesIn } from './machines.ts';
import { readLine } from './read.ts';
import { Router } from './route.ts';
import { pointsOf, type Shape } from './shapes.ts';
import { initialShapes, labelOf, transitionShape } from './transition.ts';
import type { Values } from './values.ts';
import { type ComponentView, classView, componentView, isConnector, sightIn, type View } from './view.ts';

export interface DiagramOptions {
  /** Values of variables at a moment of a run. */
  readonly values?: Values;
}

export function diagramOf(entity: ClassEntity, { values }: DiagramOptions = {}): Diagram {
  return diagramIn(classView(entity, values));
}

/** The same of what is looked at: the class of a component, with its values. */
export const diagramIn = (view: View): Diagram => new Composition(view).diagram();

/** A component of a model, as it is looked at, by its path; undefined where there is none, or no class of it. */
export function viewAt(entity: ClassEntity, path: readonly string[], values?: Values): View | undefined {
  let view: View | undefined = classView(entity, values);
  for (const name of path) {
    const component: ShapeComponent | undefined = view && shapeOf(view.entity).components.get(name);
    view = view && component && componentView(view, component).view;
  }
  return view;
}

/** The line that a connection between two connectors of a diagram would have, and its colour; undefined where one of them is not shown. */
export function lineBetween(
  diagram: Diagram,
  from: string,
  to: string,
): { readonly points: readonly Point[]; readonly color: string } | undefined {
  const router = new Router(boxesOf(diagram.components));
  for (const { points, from: a, to: b } of diagram.connections) router.note(points, [netOf(a), netOf(b)]);
  const [start, end] = [from, to].map((name) => endAt(finderIn(diagram), diagram.system, name));
  return start && end && { points: router.route(start, end), color: connectorColor(diagram, from) };
}

/** The colour of lines that begin at a connector. */
export const connectorColor = (diagram: Diagram, name: string): string =>
  connectorOf(finderIn(diagram), name)?.color ?? '#000000';

/** A component that is shown, before it is drawn. */
interface Shown {
  readonly own: ComponentView;
  readonly around: Matrix;
  readonly icon: Layer | undefined;
  readonly placing: Placing | undefined;
}

class Composition {
  private readonly layer: Layer;
  private readonly ink: Ink = { millimetre: 1, thinnest: 0, missing: new Set() };
  private readonly components: DiagramComponent[] = [];
  private readonly connections: DiagramConnection[] = [];
  private readonly transitions: DiagramTransition[] = [];
  private readonly componentShapes: Shape[] = [];
  private readonly lineShapes: Shape[] = [];
  private readonly byName = new Map<string, DiagramComponent>();

  constructor(private readonly view: View) {
    this.layer = layerOf(view, 'Diagram');
  }

  diagram(): Diagram {
    const { view, layer, ink } = this;
    const connects = this.connects();
    this.place(connects);
    const router = new Router(boxesOf(this.components));
    this.connect(connects, router);
    for (const machine of machinesIn(view)) this.drawMachine(machine, router);
    const pen = penFor({ name: undefined, view }, ink);
    const graphics = layer.parts.flatMap(({ items, matrix }) =>
      items.flatMap((item) => drawItem(item, matrix, pen)),
    );
    const background: Shape = { kind: 'group', role: 'graphics', shapes: graphics };
    const shapes = [background, ...this.lineShapes, ...this.componentShapes];
    return {
      class: view.entity.path,
      system: layer.system,
      extent: this.extent(shapes),
      shapes,
      components: this.components,
      connections: this.connections,
      transitions: this.transitions,
      missing: [...ink.missing],
    };
  }

  private extent(shapes: readonly Shape[]): Extent {
    const own = upright(this.layer.system.extent);
    const isOpen = this.components.length === 0 && this.layer.isEmpty;
    const [[left, low], [right, high]] = boundsOf([...(isOpen ? own : []), ...pointsOf(shapes)]) ?? own;
    return [
      [left - MARGIN, low - MARGIN],
      [right + MARGIN, high + MARGIN],
    ];
  }

  // -------------------------------------------------------------- components

  private place(connects: readonly Connect[]): void {
    const shown = this.shown(new Set(connects.flatMap(({ ends }) => ends.map((end) => end.component))));
    const boxes = shown.filter(({ own }) => !isConnector(own));
    const places = automaticPlaces(...this.freeBoxes(boxes, connects));
    for (const { own, around, icon, placing } of boxes) {
      const at = places.get(own.component.name);
      const found = placing ?? (at && placingAt(at, sizeOf(icon)));
      if (found) this.drawBox(own, icon, found, around, placing === undefined);
    }
    this.placeConnectors(shown.filter(({ own }) => isConnector(own)));
  }

  /** What diagrams show: what is placed, and components and connectors that are not, unless they are hidden helpers. */
  private shown(connected: ReadonlySet<string>): Shown[] {
    const { view, layer } = this;
    const shown: Shown[] = [];
    for (const component of shapeOf(view.entity).components.values()) {
      const placement = placementOf(view, component);
      if (placement && !placement.visible) continue;
      const isHidden = component.protected && !connected.has(component.name);
      if (!placement?.transformation && (isPlain(component) || isHidden || component.clause.prefixes.outer))
        continue;
      const own = componentView(view, component);
      if (!placement?.transformation && !isConnector(own) && !isBoxed(own.restriction)) continue;
      const icon = own.view && layerOf(own.view, 'Icon');
      const around = matrixIn(layer, component.lexical.definition);
      shown.push({ own, around, icon, placing: placement?.transformation });
    }
    return shown;
  }

  private freeBoxes(
    boxes: readonly Shown[],
    connects: readonly Connect[],
  ): [FreeBox[], Map<string, Extent>, Tie[]] {
    const free: FreeBox[] = [];
    const placed = new Map<string, Extent>();
    for (const { own, icon, placing, around } of boxes) {
      const { name } = own.component;
      if (!placing) free.push({ name, size: sizeOf(icon) });
      else
        placed.set(
          name,
          mappedBounds(around, mappedBounds(placingMatrix(placing, placing.extent), placing.extent)),
        );
    }
    if (free.length === 0) return [free, placed, []];
    const sides = new Map(boxes.map(({ own, icon }) => [own.component.name, sidesOf(own, icon)]));
    const ties = connects.flatMap(({ ends: [from, to] }): Tie[] => {
      const [a, b] = [sides.get(from.component), sides.get(to.component)];
      if (!a || !b || from.component === to.component) return [];
      const side = (own: ReadonlyMap<string, Side>, end: ConnectEnd): Side =>
        own.get(end.connector) ?? 'middle';
      return [{ from: from.component, to: to.component, fromSide: side(a, from), toSide: side(b, to) }];
    });
    return [free, placed, ties];
  }

  private drawBox(
    own: ComponentView,
    icon: Layer | undefined,
    placing: Placing,
    around: Matrix,
    automatic: boolean,
  ): void {
    const { component, view, causality } = own;
    const system = icon?.system ?? this.layer.system;
    const matrix = times(around, placingMatrix(placing, system.extent));
    const drawn =
      view && icon
        ? drawIcon({ name: component.name, view, causality }, icon, matrix, this.ink, component.name)
        : unknownBox(component, matrix, system);
    const bounds = mappedBounds(matrix, system.extent);
    this.add(own, placing, automatic, bounds, system, drawn.connectors, drawn.shapes);
  }

  /** Connectors of the class show their diagram layers. */
  private placeConnectors(shown: readonly Shown[]): void {
    const free = shown.filter(({ placing }) => !placing).map(({ own }) => own);
    const edges = this.edges();
    const placed = shown.flatMap(({ own, placing, around }) =>
      placing ? [standing(own, placing, around, 'Diagram')] : [],
    );
    for (const connector of placed) this.drawPort(connector, false);
    for (const connector of alongEdges(free, edges, 'Diagram')) this.drawPort(connector, true);
  }

  /** The edges along which connectors without places stand: around all components. */
  private edges(): Layer {
    const { layer } = this;
    const own = upright(layer.system.extent);
    const [[left, low], [right, high]] =
      boundsOf(this.components.flatMap(({ bounds }) => [...bounds])) ?? own;
    const room = 2 * MARGIN;
    const extent: Extent = [
      [Math.min(own[0][0], left - room), Math.min(own[0][1], low)],
      [Math.max(own[1][0], right + room), Math.max(own[1][1], high)],
    ];
    return { ...layer, system: { ...layer.system, extent } };
  }

  private drawPort(connector: StandingConnector, automatic: boolean): void {
    const drawn: DrawnConnector[] = [];
    const shape = drawConnector(connector, identity, this.ink, '', drawn);
    const { own, placing, layer } = connector;
    this.add(own, placing, automatic, drawn[0]!.bounds, layer.system, drawn, [shape]);
  }

  private add(
    { component, view, absent, dims, restriction }: ComponentView,
    placing: Placing,
    automatic: boolean,
    bounds: Extent,
    system: CoordinateSystem,
    connectors: readonly DrawnConnector[],
    shapes: readonly Shape[],
  ): void {
    const { name, lexical, declaration, clause } = component;
    const isOwn = lexical.definition === this.view.entity.definition;
    const type = view?.entity.path ?? clause.type.parts.map(({ text }) => text).join('.');
    const description = declaration.comment.description?.value ?? '';
    const made: DiagramComponent = {
      ...{ name, class: type, description, dims, absent, placing, automatic, bounds, system, connectors },
      isConnector: isConnector({ restriction }),
      protected: component.protected,
      inherited: isOwn ? undefined : lexical.path,
      declaration: isOwn ? { from: declaration.name.start, to: declaration.name.end } : undefined,
    };
    this.components.push(made);
    this.byName.set(name, made);
    const sizes = dims.length > 0 ? `[${dims.join(', ')}]` : '';
    const tooltip = `${name}${sizes}: ${type}${description && `\n${description}`}`;
    this.componentShapes.push({
      ...{ kind: 'group', role: 'component', key: name, tooltip, faint: absent, area: bounds, shapes },
    });
  }

  // -------------------------------------------------------------- connections

  /** The connect equations of the class, those in loops and branches once. */
  private connects(): Connect[] {
    const connects: Connect[] = [];
    for (const { section, lexical } of shapeOf(this.view.entity).sections) {
      if (section.kind !== 'equations' || section.initial) continue;
      for (const node of nodesIn(section.equations))
        if (node.kind === 'connect')
          connects.push({ node, lexical, ends: [endOf(node.left), endOf(node.right)] });
    }
    return connects;
  }

  private connect(connects: readonly Connect[], router: Router): void {
    const drawn = connects.map((connect) => {
      const sight = sightIn(this.view, connect.lexical);
      return { connect, ...readLine(connect.node.comment.annotation, sight) };
    });
    for (const { connect, line } of drawn) if (line) router.note(line.points, nets(connect));
    for (const { connect, line, text } of drawn) this.drawConnection(connect, line, text, router);
  }

  private drawConnection(
    { node, lexical, ends }: Connect,
    line: LineItem | undefined,
    text: TextItem | undefined,
    router: Router,
  ): void {
    const isDrawn = line !== undefined && line.points.length >= 2;
    const own = isDrawn ? line : this.plainLine(ends, router);
    if (!own) return;
    const around = matrixIn(this.layer, lexical.definition);
    const matrix = isDrawn ? times(around, shift(own.origin)) : identity;
    const points = own.points.map((point) => apply(matrix, point));
    const isOwn = lexical.definition === this.view.entity.definition;
    const [from, to] = ends.map(({ text: written }) => written) as [string, string];
    this.connections.push({
      ...{ from, to, points, color: own.color, automatic: !isDrawn },
      inherited: isOwn ? undefined : lexical.path,
      equation: isOwn ? { from: node.start, to: node.end } : undefined,
    });
    const pen = penFor({ name: undefined, view: this.view }, this.ink);
    const shapes = drawItem(own, isDrawn ? around : identity, pen);
    const hit: Shape = { kind: 'path', unseen: true, pieces: [], stroke: { color: own.color, width: 3 } };
    const pieces = shapes[0]?.kind === 'path' ? shapes[0].pieces : [];
    const faint = ends.some(({ component }) => this.byName.get(component)?.absent);
    this.lineShapes.push({
      ...{
        kind: 'group',
        role: 'connection',
        key: `${from},${to}`,
        tooltip: `connect(${from}, ${to})`,
        faint,
      },
      shapes: [{ ...hit, pieces }, ...shapes, ...(text ? this.lineText(text, points, from, to) : [])],
    });
  }

  /** The line of a connection that nobody has drawn; undefined where one of its ends is not shown. */
  private plainLine(ends: Connect['ends'], router: Router): LineItem | undefined {
    const find: Finder = (name) => this.byName.get(name);
    const [from, to] = ends.map(({ text }) => endAt(find, this.layer.system, text));
    if (!from || !to) return undefined;
    const color = connectorOf(find, ends[0].text)?.color ?? '#000000';
    return { ...plainLine(color), points: router.route(from, to) };
  }

  /** A text at a point of a line; its macros name the connectors. */
  private lineText(text: TextItem, points: readonly Point[], from: string, to: string): Shape[] {
    const index = text.index ?? -1;
    const at = points[index < 0 ? points.length + index : index - 1] ?? points.at(-1)!;
    const pen = penFor({ name: undefined, view: this.view }, this.ink);
    const last = (name: string): string => name.replace(/^.*\./, '');
    const words = (written: string): string =>
      written.replaceAll('%first', last(from)).replaceAll('%second', last(to));
    return drawItem(text, shift(at), { ...pen, words });
  }

  // -------------------------------------------------------------- state machines

  private drawMachine({ states, initial, initialNode, transitions }: Machine, router: Router): void {
    for (const transition of transitions) {
      const ends = [states[transition.from]!.name, states[transition.to]!.name] as const;
      this.drawTransition(transition, ends, router);
    }
    const first = initial === undefined ? undefined : states[initial]!;
    const owner = first && this.byName.get(first.own.component.name);
    if (!owner || !initialNode) return;
    const { node, lexical } = initialNode;
    const { line } = readLine(node.comment.annotation, sightIn(this.view, lexical));
    const [[left, low], [, high]] = owner.bounds;
    const beside: Point[] = [
      [left - 10, (low + high) / 2],
      [left, (low + high) / 2],
    ];
    // Lines of initial states begin at the state.
    const points = line && line.points.length > 1 ? this.mappedLine(line, lexical).reverse() : beside;
    this.lineShapes.push(...initialShapes(points, owner.name));
  }

  private drawTransition(
    transition: MachineTransition,
    [from, to]: readonly [string, string],
    router: Router,
  ): void {
    const { condition, immediate, mention } = transition;
    const { node, lexical } = mention;
    const { line, text } = readLine(node.comment.annotation, sightIn(this.view, lexical));
    const isDrawn = line !== undefined && line.points.length > 1;
    const owners = [from, to].map((name) => this.byName.get(withoutSubscripts(name)));
    if (!isDrawn && (!owners[0] || !owners[1])) return;
    const points = isDrawn ? this.mappedLine(line, lexical) : router.route(...facing(owners[0]!, owners[1]!));
    const isOwn = lexical.definition === this.view.entity.definition;
    this.transitions.push({
      ...{ from, to, condition, points, automatic: !isDrawn },
      inherited: isOwn ? undefined : lexical.path,
      equation: isOwn ? { from: node.start, to: node.end } : undefined,
    });
    const label = labelOf(transition);
    const anchor = immediate ? points.at(-1)! : points[0]!;
    const offset = text ? middle(text.extent) : undefined;
    const at: Point = offset
      ? [anchor[0] + offset[0] + label.size[0] / 2, anchor[1] + offset[1]]
      : halfway(points);
    this.lineShapes.push(transitionShape(transition, [from, to], points, label, at, isDrawn && line.smooth));
  }

  private mappedLine(line: LineItem, { definition }: ClassEntity): Point[] {
    const matrix = times(matrixIn(this.layer, definition), shift(line.origin));
    return line.points.map((point) => apply(matrix, point));
  }
}

/** Around what is drawn. */
const MARGIN = 10;

interface ConnectEnd {
  readonly component: string;
  /** Without subscripts; empty for a connector of the class. */
  readonly connector: string;
  readonly text: string;
}

interface Connect {
  readonly node: ast.ConnectEquation;
  readonly lexical: ClassEntity;
  readonly ends: readonly [ConnectEnd, ConnectEnd];
}

const endOf = (ref: ast.ComponentRef): ConnectEnd => ({
  component: ref.parts[0]?.name ?? '',
  connector: ref.parts[1]?.name ?? '',
  text: printReference(ref, 0),
});

const nets = ({ ends }: Connect): string[] => ends.map(({ text }) => netOf(text));

const plainLine = (color: string): LineItem => ({
  ...{ kind: 'Line', visible: true, origin: [0, 0], rotation: 0, points: [], color, pattern: 'Solid' },
  ...{ thickness: 0.25, arrow: ['None', 'None'], arrowSize: 3, smooth: false },
});

/** The size of a component that nobody placed. */
/** The size that a component has in natural size. */
export function sizeOf(icon: Layer | undefined): Point {
  if (!icon) return [20, 20];
  const [[left, low], [right, high]] = upright(icon.system.extent);
  const { initialScale } = icon.system;
  return [(right - left) * initialScale, (high - low) * initialScale];
}

export const placingAt = (origin: Point, [width, height]: Point): Placing => ({
  extent: [
    [-width / 2, -height / 2],
    [width / 2, height / 2],
  ],
  rotation: 0,
  origin,
});

/** In the place of a component whose class is not found. */
function unknownBox(
  { name }: ShapeComponent,
  matrix: Matrix,
  { extent }: CoordinateSystem,
): { shapes: Shape[]; connectors: DrawnConnector[] } {
  const bounds = mappedBounds(matrix, extent);
  const [[left, low], [right, high]] = bounds;
  const [x, y] = middle(bounds);
  const color = '#c0392b';
  return {
    connectors: [],
    shapes: [
      {
        kind: 'path',
        pieces: [['M', [left, low]], ['L', [right, low]], ['L', [right, high]], ['L', [left, high]], ['Z']],
        stroke: { color, width: 0.5, dash: [2, 1] },
      },
      { kind: 'words', text: `${name}?`, at: [x, y - 1.5], anchor: 'middle', size: 4, angle: 0, color },
    ],
  };
}
