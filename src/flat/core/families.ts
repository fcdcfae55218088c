/**
 * Uniform arrays of components. Their elements are instantiated once, as a template; flattening keeps it that way. A variable
 * of the template is one array symbol whose first dimensions are those of the arrays around it (`T` of `Cell c[n]` is the symbol
 * `c.T` with sizes `[n]`), and the equations of the template are families over the numbers of the elements. Each dimension of a
 * uniform array has an iterator of its own: in the text of the template it is the number of the element at hand.
 *
 * What has no place in a family makes its arrays various: they are written out. Most of it is seen before anything is translated
 * (`variousIn`: algorithms, states of machines, built-in components); the rest (conditions, clocks, attributes that shape the model and differ
 * from element to element) is noted on the way (`Families.various`), and the model is translated once more in the end.
 */

import { remember } from '../../collections/memo.ts';
import { entityOf } from '../../model/classes/class.ts';
import { markedUniform } from '../../model/classes/settings.ts';
import type { Instance, ObjectInstance, VariableInstance } from '../../model/instance.ts';
import { bracketed, subscriptsOf } from '../../names/names.ts';
import { nodesOf } from '../../symbolic/analyse.ts';
import type { Expr } from '../../symbolic/expr.ts';
import type { Pool } from '../../symbolic/pool.ts';
import { sizeOf } from '../../symbolic/shape.ts';
import type { FlatArray, FlatEquation, FlatVariable, Gathered } from '../flat.ts';

/** A uniform array of components with the iterators of its dimensions. */
export interface Family {
  readonly array: ObjectInstance;
  readonly named: FlatArray;
  /** When the components of a gathered array were declared. */
  readonly turns: number[];
  readonly iterators: readonly number[];
}

const none: readonly Family[] = [];

export class Families {
  /** Whether some of the arrays are gathered components. */
  anyGathered = false;
  /** Arrays that turned out to be not uniform. What is translated with them is of no use, but may show others. */
  readonly various = new Set<ObjectInstance>();
  private readonly all = new Map<ObjectInstance, Family>();
  private readonly byIterator = new Map<number, Family>();
  private readonly known = new Map<Instance, readonly Family[]>();
  private readonly numbers = new Map<ObjectInstance, ReadonlyMap<string, number>>();

  get size(): number {
    return this.all.size;
  }

  get arrays(): ObjectInstance[] {
    return [...this.all.keys()];
  }

  add(array: ObjectInstance, iterators: readonly number[]): void {
    const turns: number[] = [];
    const family = { array, named: namedArray(array, turns), turns, iterators };
    this.all.set(array, family);
    for (const iterator of iterators) this.byIterator.set(iterator, family);
  }

  of(array: ObjectInstance): Family | undefined {
    return this.all.get(array);
  }

  /** Notes when the next component of a gathered array was declared. */
  take(array: ObjectInstance, turn: number): void {
    this.all.get(array)!.turns.push(turn);
    this.anyGathered = true;
  }

  /** The number, from 1, of a gathered component. */
  numberOf(array: ObjectInstance, name: string): number {
    const numbers = remember(this.numbers, array, () => new Map(array.names!.map((one, k) => [one, k + 1])));
    return numbers.get(name)!;
  }

  /** The families that an instance belongs to, outermost first. */
  around(instance: Pick<Instance, 'parent'> | undefined): readonly Family[] {
    const parent = instance?.parent;
    if (this.all.size === 0 || !parent) return none;
    const known = this.known.get(parent);
    if (known) return known;
    const family = parent.kind === 'object' ? this.all.get(parent) : undefined;
    const outer = this.around(parent);
    const result = family ? [...outer, family] : outer;
    this.known.set(parent, result);
    return result;
  }

  /** The uniform arrays whose element numbers occur in an expression. */
  in(expr: Expr): ObjectInstance[] {
    if (this.all.size === 0) return [];
    const found = new Set<ObjectInstance>();
    for (const node of nodesOf(expr)) {
      const family = node.kind === 'iter' ? this.byIterator.get(node.iterator) : undefined;
      if (family) found.add(family.array);
    }
    return [...found];
  }

  /** What an expression stands for must be the same for all elements. */
  demandCommon(expr: Expr): void {
    for (const array of this.in(expr)) this.various.add(array);
  }

  /** What belongs to an instance cannot be a family. */
  demandSingle(instance: Pick<Instance, 'parent'> | undefined): void {
    for (const { array } of this.around(instance)) this.various.add(array);
  }
}

/** Sizes of the arrays of components around a variable. */
export const outerDims = (families: readonly Family[]): number[] =>
  families.flatMap(({ array }) => array.dims);

/** What is directly below an object; the template of a uniform array, gathered ones included, stands for its elements. */
export function partsOf(object: ObjectInstance): readonly Instance[] {
  if (object.dims.length === 0) return [...new Set(object.members.values())];
  return object.template ? [object.template] : object.elements;
}

/** Equations of the elements of a uniform array, as a family. */
export function overElements(
  pool: Pool,
  { array, named, iterators }: Family,
  body: FlatEquation[],
): FlatEquation[] {
  if (body.length === 0) return body;
  const origin = { span: array.span, component: array.path };
  return iterators.reduceRight<FlatEquation[]>(
    (inner, iterator, d) => [
      { kind: 'for', iterator, range: upTo(pool, array.dims[d]!), body: inner, array: named, origin },
    ],
    body,
  );
}

export const upTo = (pool: Pool, n: number): Expr => pool.apply('range', pool.one, pool.one, pool.const(n));

/**
 * A value of one element as a value for all elements: shape `[outer sizes, own sizes]`. `V[i]`, where `i` is the
 * number of the element, is `V`; what is the same for all elements is filled in; all else is a comprehension.
 */
export function ofAllElements(pool: Pool, families: readonly Family[], expr: Expr): Expr {
  const whole = spread(pool, families, expr);
  if (whole) return whole;
  const iterators = families.flatMap((family) => family.iterators);
  const dims = outerDims(families);
  const used = new Set<number>();
  for (const node of nodesOf(expr)) if (node.kind === 'iter') used.add(node.iterator);
  if (!iterators.some((iterator) => used.has(iterator)))
    return pool.apply('fill', expr, ...dims.map((n) => pool.const(n)));
  return iterators.reduceRight(
    (value, iterator, d) => pool.raw('comprehension', [value, pool.iter(iterator), upTo(pool, dims[d]!)]),
    expr,
  );
}

/** `V` for `V[i, j, :]` where the first subscripts are just the numbers of the element. */
function spread(pool: Pool, families: readonly Family[], expr: Expr): Expr | undefined {
  let whole: Expr;
  let subscripts: readonly Expr[];
  if (expr.kind === 'ref') [whole, subscripts] = [pool.ref(expr.symbol, expr.order), expr.subscripts];
  else if (expr.kind === 'apply' && expr.op === 'subscript') {
    [whole, subscripts] = [expr.args[0]!, expr.args.slice(1)];
  } else return undefined;
  const iterators = families.flatMap((family) => family.iterators);
  const fits = iterators.every((iterator, d) => {
    const subscript = subscripts[d];
    return subscript?.kind === 'iter' && subscript.iterator === iterator;
  });
  const rest = subscripts.slice(iterators.length);
  const entire = rest.every((subscript) => subscript.kind === 'apply' && subscript.op === 'colon');
  return fits && entire ? whole : undefined;
}

// ---------------------------------------------------------------- names

function namedArray(array: ObjectInstance, turns: readonly number[]): FlatArray {
  const { name, path, dims, names } = array;
  const gathered = names && { from: path.length - name.length, names, turns };
  const marked = markedUniform(entityOf(array.class)) === true;
  return { path, rank: dims.length, ...(marked && { marked }), ...(gathered && { gathered }) };
}

/** The arrays around a variable; see `FlatVariable.within`. */
export const arraysAround = (families: readonly Family[]): FlatArray[] => families.map(({ named }) => named);

/** The name of an array symbol with subscripts, each behind its array; elements that have names of their own are called by these. */
export function subscriptedName(
  { name, within = [] }: Pick<FlatVariable, 'name' | 'within'>,
  subscripts: readonly string[],
  separator = ',',
): string {
  let text = '';
  let from = 0;
  let d = 0;
  for (const { path, rank, gathered } of within) {
    if (d >= subscripts.length) break;
    const own = subscripts.slice(d, d + rank);
    const single = gathered?.names[Number(own[0]) - 1];
    if (single !== undefined) text += name.slice(from, gathered!.from) + single;
    // `c.T` means the same as `c[:].T`.
    else
      text += name.slice(from, path.length) + (own.every((s) => s === ':') ? '' : bracketed(own, separator));
    from = path.length;
    d += rank;
  }
  const rest = subscripts.slice(d);
  return text + name.slice(from) + bracketed(rest, separator);
}

/** Where subscripts stand in the name of a variable, and which dimensions have names instead, as results want it. */
export function namesIn({ within }: Pick<FlatVariable, 'within'>): {
  readonly places?: readonly number[];
  readonly names?: readonly (Gathered | undefined)[];
} {
  if (!within) return {};
  const places = within.flatMap(({ path, rank }) => new Array<number>(rank).fill(path.length));
  const names = within.flatMap(({ rank, gathered }) => new Array<Gathered | undefined>(rank).fill(gathered));
  return names.some((own) => own) ? { places, names } : { places };
}

/** The name of an element of a variable, by its row-major number. */
export function elementName(
  variable: Pick<FlatVariable, 'name' | 'within' | 'dims'>,
  element: number,
): string {
  const { dims } = variable;
  if (dims.length === 0) return variable.name;
  return subscriptedName(variable, subscriptsOf(dims, element).map(String));
}

/** The names of all elements. */
export function elementNames(variable: Parameters<typeof elementName>[0]): string[] {
  return Array.from({ length: sizeOf(variable.dims) }, (_, k) => elementName(variable, k));
}

/** The variable of a family by what is asked about it while the model is built. */
export const describedVariable = (
  families: Families,
  instance: VariableInstance,
): Pick<FlatVariable, 'name' | 'dims' | 'within'> => {
  const around = families.around(instance);
  const dims = [...outerDims(around), ...instance.dims];
  return { name: instance.path, dims, within: arraysAround(around) };
};
