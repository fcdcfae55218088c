/**
 * The icon and the diagram layer of a class, with what it inherits (Modelica 3.6, sections 18.6.1.1 and 18.6.3): graphics of base classes lie behind its own, in the order of the extends clauses, mapped
 * where these say so.
 */
import { remember } from '../collections/memo.ts';
import { type ClassEntity, elementsOf } from '../model/classes/class.ts';
import { findClass } from '../model/classes/lookup.ts';
import { annotationOf } from '../model/classes/settings.ts';
import type * as ast from '../syntax/ast.ts';
import { type Extent, identity, type Matrix, mapping, middle, times, upright } from './geometry.ts';
import { type CoordinateSystem, defaultSystem, type Item } from './items.ts';
import { asItIs, type LayerMap, type LayerName, readLayer, readMap } from './read.ts';
import { sightIn, type View } from './view.ts';

/** What a class, or a base class of it, writes itself. */
export interface LayerPart {
  readonly definition: ast.ClassDef;
  readonly items: readonly Item[];
  /** From the coordinates of the base class to those of the class. */
  readonly matrix: Matrix;
}

export interface Layer {
  readonly system: CoordinateSystem;
  /** Base classes first. */
  readonly parts: readonly LayerPart[];
  /** No graphics at all, whether they are visible or not. */
  readonly isEmpty: boolean;
}

export function layerOf(view: View, name: LayerName): Layer {
  const { system, parts, isEmpty } = collected(heritageOf(view.entity), name, view);
  return { system, parts, isEmpty };
}

/** From the coordinates of the class that declares something to those of the class that has it. */
export const matrixIn = ({ parts }: Layer, definition: ast.ClassDef): Matrix =>
  parts.find((part) => part.definition === definition)?.matrix ?? identity;

// ---------------------------------------------------------------- classes and what they extend

/** A class with its base classes. */
interface Heritage {
  readonly definition: ast.ClassDef;
  /** The class as seen by the one that is drawn. */
  readonly lexical: ClassEntity;
  readonly bases: readonly {
    readonly base: Heritage;
    readonly annotation: ast.Annotation | undefined;
    /** The class in which the annotation is written. */
    readonly lexical: ClassEntity;
  }[];
}

const heritages = new WeakMap<ClassEntity, Heritage>();

const heritageOf = (entity: ClassEntity): Heritage =>
  remember(heritages, entity, () => inherited(entity, entity, []));

/** Longer chains of extends clauses are a mistake, and reported elsewhere. */
const LONGEST_CHAIN = 200;

function inherited(entity: ClassEntity, self: ClassEntity, chain: readonly ast.ClassDef[]): Heritage {
  const { definition } = entity;
  const lexical = entity.seenBy(self);
  const bases: Heritage['bases'][number][] = [];
  const below = [...chain, definition];
  const add = (base: ClassEntity | undefined, annotation: ast.Annotation | undefined): void => {
    if (!base || below.includes(base.definition) || below.length > LONGEST_CHAIN) return;
    bases.push({ base: inherited(base, self, below), annotation, lexical });
  };
  const { body } = definition;
  if (body.kind === 'long') {
    if (body.classExtends) add(entity.refined, undefined);
    for (const { clause } of elementsOf(definition).extends)
      add(findClass(lexical, clause.base), clause.annotation);
  } else if (body.kind === 'short')
    add(findClass(entity.parent ?? lexical, body.base), body.comment.annotation);
  return { definition, lexical, bases };
}

function collected({ definition, lexical, bases }: Heritage, name: LayerName, view: View): Layer {
  const parts: LayerPart[] = [];
  let isEmpty = true;
  let given: CoordinateSystem | undefined;
  for (const { base, annotation, lexical: around } of bases) {
    const layer = collected(base, name, view);
    const map = annotation ? readMap(annotation, name, sightIn(view, around)) : asItIs;
    const matrix = mapMatrix(map, layer.system);
    if (!map.extent) given ??= layer.system;
    isEmpty &&= layer.isEmpty;
    for (const part of layer.parts) {
      const items = map.primitivesVisible ? part.items : [];
      parts.push({ ...part, items, matrix: times(matrix, part.matrix) });
    }
  }
  const own = readLayer(annotationOf(definition), name, sightIn(view, lexical));
  parts.push({ definition, items: own?.items ?? [], matrix: identity });
  isEmpty &&= (own?.items.length ?? 0) === 0;
  return { system: { ...defaultSystem, ...given, ...own?.system }, parts, isEmpty };
}

function mapMatrix({ extent }: LayerMap, system: CoordinateSystem): Matrix {
  if (!extent) return identity;
  return mapping(system.extent, system.preserveAspectRatio ? likeShaped(extent, system.extent) : extent);
}

/** The largest rectangle in the middle of `extent` that has the proportions of another one. */
function likeShaped(extent: Extent, other: Extent): Extent {
  const [low, high] = upright(other);
  const ratio = (high[0] - low[0]) / (high[1] - low[1]);
  const [width, height] = [extent[1][0] - extent[0][0], extent[1][1] - extent[0][1]];
  const [w, h] = [
    Math.min(Math.abs(width), Math.abs(height) * ratio) * Math.sign(width),
    Math.min(Math.abs(height), Math.abs(width) / ratio) * Math.sign(height),
  ];
  const [x, y] = middle(extent);
  return [
    [x - w / 2, y - h / 2],
    [x + w / 2, y + h / 2],
  ];
}
