/**
 * Where the connectors of a class stand in its icon or in its diagram: where their annotations place them, and otherwise along the edges, inputs on the left and outputs on the
 * right.
 */
import { type ShapeComponent, shapeOf } from '../model/classes/shape.ts';
import { predefinedClasses } from '../model/predefined.ts';
import type * as ast from '../syntax/ast.ts';
import { type Matrix, type Placing, placingMatrix, times, upright } from './geometry.ts';
import { defaultSystem } from './items.ts';
import { type Layer, layerOf, matrixIn } from './layer.ts';
import { type LayerName, type Placement, readPlacement } from './read.ts';
import { type ComponentView, componentView, isConnectorDeclared, sightIn, type View } from './view.ts';

export interface StandingConnector {
  readonly own: ComponentView;
  readonly placing: Placing;
  /** The layer of the connector that is shown. */
  readonly layer: Layer;
  /** From the coordinates of that layer to those of the class. */
  readonly matrix: Matrix;
}

/** The annotation of a component, which may stand behind its constraining clause, or of the one that it replaces. */
export function placementOf(view: View, component: ShapeComponent): Placement | undefined {
  const { declaration, clause, lexical, replaced } = component;
  const sight = sightIn(view, lexical);
  return (
    readPlacement(declaration.comment.annotation, sight) ??
    readPlacement(clause.constrainedBy?.comment.annotation, sight) ??
    (replaced && placementOf(view, replaced))
  );
}

/** Variables and parameters, which are in no picture unless they are placed. */
export function isPlain({ clause }: ShapeComponent): boolean {
  const { variability, type } = clause;
  return (
    variability === 'parameter' ||
    variability === 'constant' ||
    (type.parts.length === 1 && predefinedClasses.has(type.parts[0]!.text))
  );
}

/** The connectors that the icon of a class shows: public ones that are there. */
export function iconConnectors(view: View, layer: Layer): StandingConnector[] {
  const placed: StandingConnector[] = [];
  const free: ComponentView[] = [];
  for (const component of shapeOf(view.entity).components.values()) {
    if (component.protected || component.clause.prefixes.outer) continue;
    if (isPlain(component) || !isConnectorDeclared(component)) continue;
    const placement = placementOf(view, component);
    if (placement && !placement.iconVisible) continue;
    const own = componentView(view, component);
    if (own.absent || !own.view) continue;
    const placing = placement?.iconTransformation;
    if (placing) placed.push(standing(own, placing, matrixIn(layer, component.lexical.definition), 'Icon'));
    else if (!placement) free.push(own);
  }
  return [...placed, ...alongEdges(free, layer, 'Icon')];
}

/** A connector in its place; where its diagram layer has no graphics, its icon is shown. */
export function standing(
  own: ComponentView,
  placing: Placing,
  around: Matrix,
  name: LayerName,
): StandingConnector {
  const first = own.view && layerOf(own.view, name);
  const isIcon = name === 'Diagram' && first?.isEmpty && own.view;
  const layer = isIcon ? layerOf(isIcon, 'Icon') : (first ?? nothing);
  return { own, placing, layer, matrix: times(around, placingMatrix(placing, layer.system.extent)) };
}

const nothing: Layer = { system: defaultSystem, parts: [], isEmpty: true };

/** Half of the size of connectors that nobody placed, as a share of that of the class. */
const HALF = 0.05;

/** Connectors without places, one below the other. */
export function alongEdges(
  free: readonly ComponentView[],
  layer: Layer,
  name: LayerName,
): StandingConnector[] {
  const [[left, low], [right, high]] = upright(layer.system.extent);
  const half = HALF * Math.min(right - left, high - low);
  const sides: Record<'left' | 'right', ComponentView[]> = { left: [], right: [] };
  for (const own of free) sides[sideOf(own, sides)].push(own);
  const column = (own: readonly ComponentView[], x: number): StandingConnector[] => {
    const step = Math.min(4 * half, (high - low) / Math.max(1, own.length));
    const top = (low + high) / 2 + ((own.length - 1) / 2) * step;
    return own.map((one, k) => {
      const outwards = one.causality ? Math.sign(x - (left + right) / 2) * half : 0;
      const placing: Placing = {
        extent: [
          [-half, -half],
          [half, half],
        ],
        rotation: 0,
        origin: [x + outwards, top - k * step],
      };
      return standing(one, placing, [1, 0, 0, 1, 0, 0], name);
    });
  };
  return [...column(sides.left, left), ...column(sides.right, right)];
}

/** By causality, then by how such connectors are usually called; the others go where there is room. */
function sideOf(
  { component: { name }, causality }: ComponentView,
  { left, right }: Readonly<Record<'left' | 'right', readonly unknown[]>>,
): 'left' | 'right' {
  if (causality) return causality === 'input' ? 'left' : 'right';
  if (/(_a|_p|^a|^p|^in.*|^left.*|1)$/i.test(name)) return 'left';
  if (/(_b|_n|^b|^n|^out.*|^right.*|2)$/i.test(name)) return 'right';
  return left.length <= right.length ? 'left' : 'right';
}

/** Whether something is a component that diagrams show as a box. */
export const isBoxed = (restriction: ast.Restriction | undefined): boolean =>
  restriction === undefined || ['model', 'block', 'class'].includes(restriction);
