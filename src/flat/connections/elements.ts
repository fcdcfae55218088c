/**
 * Connects with arrays whose elements do not all have the same members: each element of an array of components decides its own conditions (Modelica 3.6,
 * section 4.4.5), and an expandable connector in it has what its own connects name. A reference to one element means that one. A connect of
 * several, of which only some have what it names, is taken up element by element.
 */
import { sameItems } from '../../collections/lists.ts';
import { resolve } from '../../model/classes/lookup.ts';
import type { IndexType, Instance, ObjectInstance, Resolution } from '../../model/instance.ts';
import { dimsName } from '../../model/value.ts';
import { subscriptsOf } from '../../names/names.ts';
import type * as ast from '../../syntax/ast.ts';
import { type Context, refuse } from '../core/context.ts';
import { count } from '../core/values.ts';
import { fixedValue, numbers } from '../expressions/constants.ts';
import { needsValue } from '../expressions/iteration.ts';
import { chooseElements, elementNumbers } from '../expressions/references.ts';
import { type Index, indicesOf } from '../expressions/subscripts.ts';

/** What a reference means, of the very elements that it names; undefined where these are not known yet, or after an error. */
export function resolveElement(node: ast.ComponentRef, context: Context): Resolution | undefined {
  let failed = false;
  const resolution = resolve(context.scope, node, (array, part) => {
    if (failed || part.subscripts.length < array.dims.length) return undefined;
    const indices = indicesOf(part.subscripts, array.dims, part, context, array.indexTypes);
    failed = indices === undefined;
    let place = 0;
    for (const [d, index] of (indices ?? []).entries()) {
      const at = index.kind === 'element' ? elementNumbers(context.builder, index)?.[0] : undefined;
      if (at === undefined) {
        failed ||= index.kind !== 'all' && needsValue(index.expr, context);
        return undefined;
      }
      place = place * array.dims[d]! + at - 1;
    }
    return array.elements[place];
  });
  return failed ? undefined : resolution;
}

/** A part of a reference that names an array, and what it selects. */
interface Layer {
  readonly dims: readonly number[];
  readonly types: readonly IndexType[];
  readonly indices: readonly Index[];
}

/** What a reference passes. */
interface Passage {
  /** Only some of the elements that it names have what it goes on with. */
  readonly isPartial: boolean;
  /** For each part; undefined where the part names no array. */
  readonly layers: readonly (Layer | undefined)[];
}

/** One connect of several elements, as references to single ones. */
export interface Singles {
  readonly dims: readonly number[];
  readonly refs: readonly ast.ComponentRef[];
}

/**
 * The sides of a connect element by element, where one of them names elements of which only some have what it goes on with; `'failed'` where
 * numbers of elements are not known yet, or after an error.
 */
export function partialSides(
  sides: readonly ast.ComponentRef[],
  context: Context,
): readonly Singles[] | 'failed' | undefined {
  const passages: Passage[] = [];
  for (const side of sides) {
    const passage = passageOf(side, context);
    if (!passage) return 'failed';
    passages.push(passage);
  }
  if (!passages.some(({ isPartial }) => isPartial)) return undefined;
  const singles: Singles[] = [];
  for (const [k, side] of sides.entries()) {
    const own = singlesOf(side, passages[k]!, context);
    if (!own) return 'failed';
    singles.push(own);
  }
  return singles;
}

function passageOf(node: ast.ComponentRef, context: Context): Passage | undefined {
  const [first] = node.parts;
  const start = resolve(context.scope, { ...node, parts: [first!] });
  if (start.kind !== 'component') return { isPartial: false, layers: [] };
  let items: readonly Instance[] = [start.parts[0]!.instance];
  let isPartial = false;
  const layers: (Layer | undefined)[] = [];
  for (const [k, part] of node.parts.entries()) {
    if (k > 0) {
      const members = items.map((item) => (item.kind === 'object' ? item.find(part.name) : undefined));
      const present = members.filter((member) => member !== undefined && member !== 'absent');
      isPartial ||= present.length > 0 && present.length < members.length;
      items = present;
    }
    const chosen = items.length > 0 && stepInto(items, part, context);
    if (chosen === undefined) return undefined;
    if (!chosen) break;
    layers.push(chosen.layer);
    items = chosen.items;
  }
  return { isPartial, layers };
}

/** The elements that a part chooses in arrays; undefined where their numbers are not known yet, or after an error. */
function stepInto(
  items: readonly Instance[],
  part: ast.RefPart,
  context: Context,
): { items: readonly Instance[]; layer: Layer | undefined } | undefined {
  const first = items[0]!;
  const { dims, indexTypes: types } = first;
  if (dims.length === 0 || (first.kind === 'object' && first.names)) return { items, layer: undefined };
  if (first.kind === 'object' && !context.builder.families.of(first)) {
    const chosen = chooseElements(items as ObjectInstance[], part, context);
    return chosen && { items: chosen.items, layer: { dims, types, indices: chosen.indices } };
  }
  const other = items.find((item) => !sameItems(item.dims, dims));
  if (other) {
    const message = `\`${first.path}\` and \`${other.path}\` have different sizes: ${dimsName(dims)} and ${dimsName(other.dims)}.`;
    return refuse('dimension-mismatch', message, part, context, { hint: 'Connect them one by one.' });
  }
  const indices = indicesOf(part.subscripts, dims, part, context, types);
  if (!indices) return undefined;
  const below = first.kind === 'object' ? items.map((item) => (item as ObjectInstance).template!) : items;
  return { items: below, layer: { dims, types, indices } };
}

function singlesOf(node: ast.ComponentRef, { layers }: Passage, context: Context): Singles | undefined {
  let refs: ast.RefPart[][] = [[]];
  const dims: number[] = [];
  for (const [k, part] of node.parts.entries()) {
    const parts = layers[k] ? singleParts(part, layers[k], context) : { sizes: [], parts: [part] };
    if (!parts) return undefined;
    dims.push(...parts.sizes);
    refs = refs.flatMap((before) => parts.parts.map((one) => [...before, one]));
  }
  return { dims, refs: refs.map((parts) => ({ ...node, parts })) };
}

/** A part with the subscripts of each element that it selects, in row-major order; undefined where these are not fixed. */
function singleParts(
  part: ast.RefPart,
  { dims, types, indices }: Layer,
  context: Context,
): { sizes: number[]; parts: ast.RefPart[] } | undefined {
  const lists: (readonly ast.Subscript[])[] = [];
  const sizes: number[] = [];
  for (const [d, size] of dims.entries()) {
    const index = indices[d] ?? { kind: 'all' };
    if (index.kind === 'element') {
      lists.push([part.subscripts[d]!]);
      continue;
    }
    const data = index.kind === 'slice' ? fixedValue(context.builder, index.expr) : undefined;
    if (index.kind === 'slice' && !data) {
      needsValue(index.expr, context);
      return undefined;
    }
    const chosen = data ? numbers(data) : Array.from({ length: size }, (_, n) => n + 1);
    lists.push(chosen.map((n) => subscriptOf(n, types[d], part)));
    sizes.push(chosen.length);
  }
  const all = lists.map((list) => list.length);
  const parts = Array.from({ length: count(all) }, (_, k) => {
    const at = subscriptsOf(all, k);
    return { ...part, subscripts: lists.map((list, d) => list[at[d]! - 1]!) };
  });
  return { sizes, parts };
}

/** The subscript of one element of a dimension, by its number. */
function subscriptOf(n: number, type: IndexType, { start, end }: ast.RefPart): ast.Expression {
  if (type === 'Boolean') return { kind: 'boolean', value: n === 2, start, end };
  if (typeof type !== 'object')
    return { kind: 'number', value: n, integer: true, text: String(n), start, end };
  const parts = [...type.path.split('.'), type.literals[n - 1]!];
  const named = parts.map((name) => ({ name, subscripts: [], start, end }));
  return { kind: 'ref', global: true, made: true, parts: named, start, end };
}
