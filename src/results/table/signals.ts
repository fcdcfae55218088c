/**
 * The signals of a table in their order, found by name. Scalars, and elements of arrays, are counted through: the scalars of signal n
 * have the numbers from `firsts[n]` on. An array is known by its name with colons, `c[:].T[:,:]`; an element is found by putting
 * colons in place of its subscripts. Which of them are colons (`c[2].T` may be an array by itself), the *patterns* of the name
 * without subscripts, `c.T`, tell.
 *
 * Where elements have names of their own, `a.T` of `{a..b}.T`, names are read with the number in place: `{a..b}[1].T`.
 *
 * An array whose size changes during a run is several signals under one such name: each holds the elements that those before did not have.
 */
import { countWhile } from '../../collections/lists.ts';
import { cutName, elementOf, parseReference, partsOf, subscriptsOf } from '../../names/names.ts';
import {
  type ArrayInfo,
  countOf,
  elementWith,
  isArray,
  nameAt,
  placeOf,
  type Signal,
  withSubscripts,
} from './signal.ts';

/** A scalar by its signal, and its place among the scalars of it. */
export interface FoundScalar {
  readonly signal: number;
  readonly place: number;
}

/** Elements of an array, the last subscript fastest. */
export interface Elements {
  /** How many subscripts an element has. */
  readonly rank: number;
  /** Of all elements, one after the other. */
  readonly subscripts: Int32Array;
  /** By element: its number among all scalars. */
  readonly numbers: Int32Array;
}

/** A component that stands for an element: the path of the array, the dimension that it has a name in, and its number there. */
interface Gathered {
  readonly path: string;
  readonly dimension: number;
  readonly number: number;
}

/** What a signal is called: as a whole, and the array that it belongs to. */
export interface Names {
  readonly whole: string;
  readonly array: string | undefined;
}

/** By bracket of a name: whether it holds colons. */
type Pattern = readonly boolean[];

/** Signals of an array; whoever holds the list adds to it. */
interface Group {
  readonly holder: object;
  readonly members: number[];
}

/** A map to which entries are added while that before it, which others have as well, stays as it is. */
class Layered<K, V> {
  private own = new Map<K, V>();

  constructor(private below: ReadonlyMap<K, V> | undefined = undefined) {}

  get(key: K): V | undefined {
    return this.own.get(key) ?? this.below?.get(key);
  }

  set(key: K, value: V): void {
    this.own.set(key, value);
  }

  get isEmpty(): boolean {
    return this.own.size === 0 && !this.below?.size;
  }

  /** Another one with the same entries: what either gets from now on is its own. */
  copy(): Layered<K, V> {
    if (this.own.size > 0) {
      this.below = this.below ? new Map([...this.below, ...this.own]) : this.own;
      this.own = new Map();
    }
    return new Layered(this.below);
  }
}

export class Signals {
  /** How many scalars there are. */
  count = 0;
  private list: Signal[] = [];
  private firsts: number[] = [];
  /** By name, with colons for that of an array: the last signal of that name. What is beyond `named` is not in it yet. */
  private byName = new Layered<string, number>();
  private patterns = new Layered<string, readonly Pattern[]>();
  /** By signal of an array: the one before it of the same name. */
  private before = new Layered<number, number>();
  /** By path of a component that stands for an element. */
  private gathered = new Layered<string, Gathered>();
  private named = 0;
  /** By name without subscripts: signals that are elements, or have them. What is beyond `grouped` is not in it yet. */
  private groups = new Layered<string, Group>();
  private grouped = 0;
  /** Stands for these signals as long as nobody else has their groups. */
  private holder: object = {};
  /** By signal: its names, where whoever added it knew them. */
  private known = new Layered<number, Names>();

  constructor(signals: readonly Signal[] = []) {
    for (const signal of signals) this.add(signal);
  }

  /** The same signals, to which others may be added; what is known of their names is known there, too. */
  copy(): Signals {
    this.nameAll();
    this.groupAll();
    const copy = new Signals();
    const { count, named, grouped } = this;
    Object.assign(copy, { count, named, grouped });
    copy.list = this.list.slice();
    copy.firsts = this.firsts.slice();
    copy.byName = this.byName.copy();
    copy.before = this.before.copy();
    copy.gathered = this.gathered.copy();
    copy.patterns = this.patterns.copy();
    copy.groups = this.groups.copy();
    copy.known = this.known.copy();
    this.holder = {};
    return copy;
  }

  /** How many signals there are, an array counting as one. */
  get length(): number {
    return this.list.length;
  }

  [Symbol.iterator](): Iterator<Signal> {
    return this.list[Symbol.iterator]();
  }

  at(signal: number): Signal {
    return this.list[signal]!;
  }

  /** Says something else of a signal of the same name and sizes. */
  describe(signal: number, info: Signal['info']): void {
    this.list[signal] = { ...this.list[signal]!, info };
  }

  /** The number of the first scalar of a signal. */
  first(signal: number): number {
    return this.firsts[signal]!;
  }

  /** Gives the number of the signal. */
  add(signal: Signal, names?: Names): number {
    if (names) this.known.set(this.list.length, names);
    this.firsts.push(this.count);
    this.count += countOf(signal);
    return this.list.push(signal) - 1;
  }

  /** The signal to which a scalar belongs. */
  owner(number: number): FoundScalar {
    const { firsts } = this;
    const signal = Math.max(0, countWhile(firsts.length, (k) => firsts[k]! <= number) - 1);
    return { signal, place: number - firsts[signal]! };
  }

  /** A scalar by its name. */
  find(name: string): FoundScalar | undefined {
    this.nameAll();
    const scalar = this.byName.get(name);
    if (scalar !== undefined && !hasElements(this.list[scalar]!)) return { signal: scalar, place: 0 };
    const numbered = this.numbered(name);
    const cut = !this.patterns.isEmpty && numbered.includes('[') ? cutName(numbered) : undefined;
    for (const pattern of (cut && this.patterns.get(cut.texts.join(''))) ?? []) {
      if (pattern.length !== cut!.brackets.length) continue;
      const subscripts: number[] = [];
      let text = cut!.texts[0]!;
      for (const [i, bracket] of cut!.brackets.entries()) {
        const parts = pattern[i] ? bracket.split(',') : [];
        subscripts.push(...parts.map(Number));
        text += `[${pattern[i] ? parts.map(() => ':').join(',') : bracket}]${cut!.texts[i + 1]!}`;
      }
      const found = this.element(text, subscripts);
      if (found && nameAt(this.list[found.signal]!, found.place) === name) return found;
    }
    return undefined;
  }

  /** A name with the numbers of components in place of their names; subscripts that are left out before them are colons. */
  numbered(name: string): string {
    this.nameAll();
    if (this.gathered.isEmpty) return name;
    let text = '';
    let path = '';
    let subscripts = 0;
    for (const [k, part] of partsOf(name).entries()) {
      const bracket = part.indexOf('[');
      const plain = bracket < 0 ? part : part.slice(0, bracket);
      const dot = k === 0 ? '' : '.';
      const element = this.gathered.get(path + dot + plain);
      if (element) {
        const left = ':,'.repeat(Math.max(0, element.dimension - subscripts));
        text += `${element.path.slice(path.length)}[${left}${element.number}]`;
        subscripts = element.dimension + 1;
      } else {
        text += dot + part;
        if (bracket >= 0) subscripts += part.slice(bracket).split(',').length;
      }
      path = element?.path ?? path + dot + plain;
    }
    return text;
  }

  /** Whether there are elements of an array; it is known by its name with colons. */
  hasArray(name: string): boolean {
    this.nameAll();
    return this.byName.get(name) !== undefined;
  }

  /** An element of an array that is known by its name with colons. */
  element(name: string, subscripts: readonly number[]): FoundScalar | undefined {
    this.nameAll();
    for (let n = this.byName.get(name); n !== undefined; n = this.before.get(n)) {
      const signal = this.list[n]!;
      if (!isArray(signal.info)) continue;
      const place = placeOf(signal, elementWith(signal.info.dims, subscripts));
      if (place >= 0) return { signal: n, place };
    }
    return undefined;
  }

  /** All elements of an array by its name without subscripts; undefined where there are none. */
  elementsOf(array: string): Elements | undefined {
    const members = this.membersOf(array);
    if (members.length === 0) return undefined;
    // Names that differ in the number of subscripts are no elements of one array: the first one counts.
    const rank = templateOf(this.list[members[0]!]!).length;
    const own = members.filter((n) => templateOf(this.list[n]!).length === rank);
    const count = own.reduce((sum, n) => sum + countOf(this.list[n]!), 0);
    if (count === 0) return undefined;
    const subscripts = new Int32Array(rank * count);
    const numbers = new Int32Array(count);
    let k = 0;
    for (const n of own) {
      const write = subscriptWriter(this.list[n]!);
      const end = this.firsts[n]! + countOf(this.list[n]!);
      for (let number = this.firsts[n]!; number < end; number++, k++) {
        write(number - this.firsts[n]!, subscripts, rank * k);
        numbers[k] = number;
      }
    }
    return inOrder({ rank, subscripts, numbers });
  }

  /** Signals that are elements of an array, or hold some. */
  membersOf(array: string): readonly number[] {
    this.groupAll();
    return this.groups.get(array)?.members ?? [];
  }

  /**
   * Names to compare a misspelt one with: those of scalars and of components that stand for elements; of other arrays their own, and that
   * of the element with the same subscripts.
   */
  *namesLike(text: string): Generator<string> {
    const wanted = parseReference(text)?.subscripts.map(({ from }) => from) ?? [];
    for (const signal of this.list) {
      const { info } = signal;
      if (!isArray(info) || !hasElements(signal)) yield info.name;
      else if (info.names?.some((own) => own))
        for (let place = 0; place < countOf(signal); place++) yield nameAt(signal, place);
      else {
        yield arrayName(signal)!;
        const inside = info.dims.map((size, d) => Math.min(wanted[d] ?? 1, size));
        if (inside.every((subscript) => subscript > 0)) yield withSubscripts(info, inside);
      }
    }
  }

  private groupAll(): void {
    for (; this.grouped < this.list.length; this.grouped++) {
      const names = this.known.get(this.grouped);
      const name = names ? names.array : arrayName(this.list[this.grouped]!);
      if (name !== undefined) this.joinGroup(name, this.grouped);
    }
  }

  private joinGroup(array: string, signal: number): void {
    const group = this.groups.get(array);
    if (group?.holder === this.holder) group.members.push(signal);
    else this.groups.set(array, { holder: this.holder, members: [...(group?.members ?? []), signal] });
  }

  private nameAll(): void {
    for (; this.named < this.list.length; this.named++) {
      const signal = this.list[this.named]!;
      const name = this.known.get(this.named)?.whole ?? wholeName(signal);
      const known = this.byName.get(name);
      if (known !== undefined) this.before.set(this.named, known);
      this.byName.set(name, this.named);
      if (known === undefined && hasElements(signal)) this.addPattern(name);
      if (isArray(signal.info) && signal.info.names) this.addGathered(signal.info);
    }
  }

  private addGathered({ name, places = [], names = [] }: ArrayInfo): void {
    for (const [d, own] of names.entries()) {
      if (!own) continue;
      const path = name.slice(0, places[d]);
      const before = name.slice(0, own.from);
      if (this.gathered.get(before + own.names[0])?.path === path) continue;
      for (const [k, one] of own.names.entries())
        this.gathered.set(before + one, { path, dimension: d, number: k + 1 });
    }
  }

  private addPattern(name: string): void {
    const { texts, brackets } = cutName(name)!;
    const array = texts.join('');
    const pattern = brackets.map((bracket) => bracket.startsWith(':'));
    const known = this.patterns.get(array);
    if (!known) this.patterns.set(array, [pattern]);
    else if (!known.some((other) => other.join() === pattern.join()))
      this.patterns.set(array, [...known, pattern]);
  }
}

/** Whether subscripts make the names of its scalars. */
function hasElements({ info }: Signal): boolean {
  return isArray(info) && info.dims.length > 0;
}

/** The name of a scalar; that of an array with colons. */
export function wholeName({ info }: Signal): string {
  return isArray(info)
    ? withSubscripts(
        info,
        info.dims.map(() => ':'),
      )
    : info.name;
}

/** The name without subscripts of the array that a signal belongs to; undefined for one that belongs to none. */
export function arrayName(signal: Signal, whole = wholeName(signal)): string | undefined {
  return hasElements(signal) ? cutName(whole)!.texts.join('') : elementOf(nameAt(signal, 0))?.array;
}

export function namesOf(signal: Signal): Names {
  const whole = wholeName(signal);
  return { whole, array: arrayName(signal, whole) };
}

/** Subscripts of the scalars of a signal that belongs to an array; 0 where they differ. */
function templateOf(signal: Signal): readonly number[] {
  if (!hasElements(signal)) return elementOf(nameAt(signal, 0))!.indices;
  const { brackets } = cutName(wholeName(signal))!;
  return brackets.flatMap((bracket) => bracket.split(',').map((part) => (part === ':' ? 0 : Number(part))));
}

/** Writes the subscripts of the scalar at a place of a signal into a list. */
function subscriptWriter(signal: Signal): (place: number, into: Int32Array, at: number) => void {
  const { info, elements } = signal;
  const template = templateOf(signal);
  if (!isArray(info)) return (_, into, at) => into.set(template, at);
  const own: number[] = [];
  return (place, into, at) => {
    subscriptsOf(info.dims, elements ? elements[place]! : place, own);
    let d = 0;
    for (const [i, fixed] of template.entries()) into[at + i] = fixed === 0 ? own[d++]! : fixed;
  };
}

function inOrder({ rank, subscripts, numbers }: Elements): Elements {
  const compare = (a: number, b: number): number => {
    for (let d = 0; d < rank; d++) {
      const difference = subscripts[rank * a + d]! - subscripts[rank * b + d]!;
      if (difference !== 0) return difference;
    }
    return 0;
  };
  let sorted = 1;
  while (sorted < numbers.length && compare(sorted - 1, sorted) <= 0) sorted++;
  if (sorted >= numbers.length) return { rank, subscripts, numbers };
  const order = Int32Array.from(numbers.keys()).sort(compare);
  const moved = new Int32Array(subscripts.length);
  for (const [k, from] of order.entries())
    moved.set(subscripts.subarray(rank * from, rank * (from + 1)), rank * k);
  return { rank, subscripts: moved, numbers: order.map((from) => numbers[from]!) };
}
