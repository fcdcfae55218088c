/**
 * What a signal table holds: scalars, and arrays that are declared as a whole. An array has one description for all its elements;
 * their names are formed where somebody asks for them, by putting subscripts into its own name:
 *
 *     name c.T, dims [2, 3], places [1, 3]     c[1].T[1], c[1].T[2], c[1].T[3], c[2].T[1], c[2].T[2], c[2].T[3]
 *
 * In a dimension whose elements have names of their own, these stand in place of a part of the name and of the subscript:
 *
 *     name {a..b}.T, dims [2], places [6], names [{ from: 0, names: [a, b] }]     a.T, b.T
 *
 * Elements are counted row by row from 0. Of an array a table may hold some elements only: those that were chosen, or those that the
 * array did not have yet when it was declared with other sizes before.
 */
import { countWhile } from '../../collections/lists.ts';
import { subscriptsOf } from '../../names/names.ts';

/** What is known about a scalar. */
export interface SignalInfo {
  readonly name: string;
  readonly unit: string;
  readonly displayUnit: string;
  readonly description: string;
  readonly type: 'Real' | 'Integer' | 'Boolean';
  /** Of an enumeration: the names of the values 1, 2, … */
  readonly literals?: readonly string[];
  /** Not shown by default. */
  readonly hidden: boolean;
  readonly source: SignalSource;
  /** What the variable is in the model; plots choose by it when no signal is named. */
  readonly role?: SignalRole;
  /** For an element of an array: the independents that its subscripts count, `''` for those that count nothing. */
  readonly over?: readonly string[];
}

/** Where the values of a signal are. */
export type SignalSource =
  /** In a column of its own: the n-th trajectory of the list of signals is `values[n]` of `append`. */
  | { readonly kind: 'trajectory' }
  /** Known once. */
  | { readonly kind: 'constant'; readonly value: number }
  /** `sign` times another signal of the same list, which may be an alias or a constant itself. */
  | { readonly kind: 'alias'; readonly of: string; readonly sign: 1 | -1 };

export type SignalRole = 'state' | 'derivative' | 'input' | 'output' | 'local' | 'parameter';

/** What is known about an array, that is, about each of its elements. */
export interface ArrayInfo extends Omit<SignalInfo, 'source'> {
  readonly dims: readonly number[];
  /** By dimension: how much of the name goes before its subscript; all of it where left out. Equal places share brackets. */
  readonly places?: readonly number[];
  /** By dimension: names of the elements, where they have some. */
  readonly names?: readonly (ElementNames | undefined)[];
  readonly source: ArraySource;
}

/** Names that replace what of the name of an array stands from `from` to the place of their dimension. */
export interface ElementNames {
  readonly from: number;
  readonly names: readonly string[];
}

/** Where the values of the elements are. */
export type ArraySource =
  /** In columns of their own, one after the other. */
  | { readonly kind: 'trajectory' }
  /** Known once, row by row. */
  | { readonly kind: 'constant'; readonly values: ArrayLike<number> };

/** A scalar, an array, or some elements of an array. */
export interface Signal {
  readonly info: SignalInfo | ArrayInfo;
  /** The elements that there are, increasing; all of them where left out. */
  readonly elements?: Int32Array;
}

export function isArray(info: SignalInfo | ArrayInfo): info is ArrayInfo {
  return 'dims' in info;
}

/** How many scalars a signal is. */
export function countOf({ info, elements }: Signal): number {
  if (elements) return elements.length;
  return isArray(info) ? sizeOf(info.dims) : 1;
}

/** The k-th of the scalars of a signal. */
export function infoAt({ info, elements }: Signal, k: number): SignalInfo {
  if (!isArray(info)) return info;
  const element = elements ? elements[k]! : k;
  const { dims, places: _, names: _names, source, ...common } = info;
  return {
    ...common,
    name: elementName(info, element),
    source: source.kind === 'constant' ? { kind: 'constant', value: source.values[element]! } : source,
  };
}

/** The name of the k-th of the scalars of a signal. */
export function nameAt({ info, elements }: Signal, k: number): string {
  return isArray(info) ? elementName(info, elements ? elements[k]! : k) : info.name;
}

type Shaped = Pick<ArrayInfo, 'name' | 'dims' | 'places' | 'names'>;

/** The name of an element of an array. */
export function elementName(info: Shaped, element: number): string {
  return withSubscripts(info, subscriptsOf(info.dims, element));
}

/** The name of an array with a subscript, or a name, for every dimension. */
export function withSubscripts(
  { name, dims, places, names }: Shaped,
  subscripts: readonly (number | ':')[],
): string {
  let text = '';
  let from = 0;
  for (let d = 0; d < dims.length; ) {
    const place = places?.[d] ?? name.length;
    const own = names?.[d];
    const subscript = subscripts[d]!;
    if (own && subscript !== ':') {
      text += name.slice(from, own.from) + own.names[subscript - 1]!;
      from = place;
      d++;
      continue;
    }
    text += `${name.slice(from, place)}[${subscripts[d]}`;
    for (d++; d < dims.length && (places?.[d] ?? name.length) === place; d++) text += `,${subscripts[d]}`;
    text += ']';
    from = place;
  }
  return text + name.slice(from);
}

/** The element of an array that has these subscripts; -1 where they are outside. */
export function elementWith(dims: readonly number[], subscripts: readonly number[]): number {
  let element = 0;
  for (let d = 0; d < dims.length; d++) {
    const i = subscripts[d]!;
    if (i > dims[d]!) return -1;
    element = element * dims[d]! + (i - 1);
  }
  return element;
}

/** Where an element is among the scalars of a signal; -1 where it is not there. */
export function placeOf({ elements }: Signal, element: number): number {
  return elements && element >= 0 ? indexIn(elements, element) : element;
}

/** The place of a number in an increasing list, -1 where it is not in it. */
function indexIn(list: Int32Array, wanted: number): number {
  const place = countWhile(list.length, (k) => list[k]! < wanted);
  return list[place] === wanted ? place : -1;
}

export function sizeOf(dims: readonly number[]): number {
  let size = 1;
  for (const n of dims) size *= n;
  return size;
}
