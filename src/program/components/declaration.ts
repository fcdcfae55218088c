/** What a built-in component declares in `begin`: states with their initial values, variables to be stored, indicators, the next event. */
import type {
  ConstantOptions,
  Segment,
  StateOptions,
  VariableDeclaration,
  VariableOptions,
} from '../../builtin/component.ts';
import { sameItems } from '../../collections/lists.ts';
import { nearest } from '../../diagnostic/nearest.ts';
import { elementName } from '../../results/table/signal.ts';
import { sizeOf } from '../../symbolic/shape.ts';

/** Elements of all states of one component: what no memory holds is refused with a message. */
const mostElements = 10_000_000;

type Shown = Required<Omit<VariableOptions, 'size'>>;

/** Something that a component declared: elements `start .. start + length` of its array. */
export interface Declared extends Shown, Required<Pick<StateOptions, 'derivative'>> {
  readonly name: string;
  readonly start: number;
  readonly length: number;
  readonly dims: readonly number[];
}

/** What is declared in a segment, but for values. */
export interface Layout {
  readonly states: readonly Declared[];
  readonly variables: readonly Declared[];
}

export const noLayout: Layout = { states: [], variables: [] };

/** Whether the same is declared in the same places. */
export function isSameLayout(a: Layout, b: Layout): boolean {
  return areSame(a.states, b.states) && areSame(a.variables, b.variables);
}

const areSame = (a: readonly Declared[], b: readonly Declared[]): boolean => a === b || areAlike(a, b);

const areAlike = (a: readonly Declared[], b: readonly Declared[]): boolean =>
  a.length === b.length && a.every((item, k) => isSameItem(item, b[k]!));

const isSameItem = (a: Declared, b: Declared): boolean =>
  a === b || (a.name === b.name && isDeclared(a, b.start, b.dims, b, b.derivative));

/** Something that does not change. */
export interface DeclaredConstant {
  readonly item: Declared;
  readonly type: 'Real' | 'Integer' | 'Boolean';
  readonly values: ArrayLike<number>;
}

/** The component that declares, as far as it matters here. */
export interface Declarer {
  /** Whether the class itself declares a name. */
  isVisible(name: string): boolean;
  previous(name: string): Float64Array | undefined;
  /** What was declared under this name in an earlier segment of the run. */
  known(name: string): Declared | DeclaredConstant | undefined;
  /** By list that cannot change: what it declared. */
  readonly lists: WeakMap<readonly VariableDeclaration[], DeclaredList>;
  /** The same of all runs. */
  readonly listsBefore: WeakMap<readonly VariableDeclaration[], DeclaredList>;
  /** A time to come, checked. */
  later(at: number, time: number, fn: string): number;
}

const variableOptions: ReadonlySet<string> = new Set(
  'unit description size places names min max displayUnit hidden output state'.split(' '),
);
const stateOptions: ReadonlySet<string> = new Set([...variableOptions, 'start', 'nominal', 'derivative']);
const constantOptions: ReadonlySet<string> = new Set([...variableOptions, 'value', 'type']);

/** Options that do not exist: components may be written in JavaScript. */
function checkNames(options: object, known: ReadonlySet<string>, name: string): void {
  if (typeof options !== 'object' || options === null)
    throw new Error(`the options of ${name} are no object`);
  for (const option in options) {
    if (known.has(option)) continue;
    const meant = nearest(option, known);
    throw new Error(`there is no option ${option} of ${name}${meant ? `; did you mean ${meant}?` : ''}`);
  }
}

/** Variables that were declared together. */
export interface DeclaredList {
  readonly start: number;
  readonly length: number;
  readonly variables: readonly Declared[];
  readonly names: ReadonlySet<string>;
}

/** Collects what a component declares in `begin`. */
export class ComponentDeclaration implements Segment {
  readonly states: Declared[] = [];
  /** Variables one after the other, and those of them that can still become more. */
  private readonly pieces: (readonly Declared[])[] = [];
  private piece: Declared[] | undefined;
  readonly constants: DeclaredConstant[] = [];
  /** Initial and nominal values of the states, one state after the other. */
  readonly starts: Float64Array[] = [];
  readonly nominals: Float64Array[] = [];
  stateCount = 0;
  variableCount = 0;
  indicatorCount = 0;
  nextTime = Number.POSITIVE_INFINITY;
  private readonly names = new Set<string>();
  private readonly lists: DeclaredList[] = [];
  private open = true;

  constructor(
    private readonly owner: Declarer,
    readonly time: number,
    readonly first: boolean,
  ) {}

  /** Declares nothing more: what there is. */
  close(): Layout {
    const { states, pieces } = this;
    this.open = false;
    return { states, variables: pieces.length === 1 ? pieces[0]! : pieces.flat() };
  }

  previous(name: string): Float64Array | undefined {
    return this.first ? undefined : this.owner.previous(name);
  }

  state(name: string, given: StateOptions): number {
    checkNames(given, stateOptions, name);
    const { start, nominal = 1, derivative = false } = given;
    // Types say so already, but components may be written in JavaScript.
    if (start === undefined || start === null) throw new Error(`the state ${name} has no initial value`);
    const dims = dimsOf(given, typeof start === 'number' ? [] : [start.length]);
    const declared = this.declare(this.states, this.stateCount, name, dims, given, derivative);
    if (typeof start !== 'number' && start.length !== declared.length)
      throw new Error(
        `the state ${name} has ${declared.length} elements, but ${start.length} initial values`,
      );
    if (!(nominal > 0)) throw new Error(`the nominal value ${nominal} of the state ${name} is not positive`);
    const values = new Float64Array(declared.length).fill(typeof start === 'number' ? start : 0);
    if (typeof start !== 'number') values.set(start);
    const bad = values.findIndex((value) => !Number.isFinite(value));
    if (bad >= 0) throw new Error(`the initial value of ${elementName(declared, bad)} is ${values[bad]}`);
    this.starts.push(values);
    this.nominals.push(new Float64Array(declared.length).fill(nominal));
    this.stateCount += declared.length;
    return declared.start;
  }

  variable(name: string, options: VariableOptions = {}): number {
    checkNames(options, variableOptions, name);
    const dims = dimsOf(options, []);
    const declared = this.declare(this.single(), this.variableCount, name, dims, options, false);
    this.variableCount += declared.length;
    return declared.start;
  }

  /** Variables that are declared one by one. */
  private single(): Declared[] {
    if (this.piece) return this.piece;
    this.piece = [];
    this.pieces.push(this.piece);
    return this.piece;
  }

  variables(list: readonly VariableDeclaration[]): number {
    const start = this.variableCount;
    const known = this.knownList(list);
    this.piece = undefined;
    if (known && known.start === start && this.open && !this.clashes(known)) {
      this.pieces.push(known.variables);
      this.lists.push(known);
      this.variableCount += known.length;
      return start;
    }
    for (const { name, options } of list) this.variable(name, options);
    const variables = this.single();
    this.piece = undefined;
    const isFixed =
      Object.isFrozen(list) && list.every((one) => Object.isFrozen(one) && Object.isFrozen(one.options));
    const names = new Set(list.map(({ name }) => name));
    if (isFixed) {
      const declared = { start, length: this.variableCount - start, variables, names };
      this.owner.lists.set(list, declared);
      this.owner.listsBefore.set(list, declared);
    }
    return start;
  }

  /** What a list declared, in the run or, where nothing in this one contradicts it, in one before. */
  private knownList(list: readonly VariableDeclaration[]): DeclaredList | undefined {
    const { lists, listsBefore } = this.owner;
    const known = lists.get(list);
    const before = known ? undefined : listsBefore.get(list);
    if (!before?.variables.every(({ name }) => !this.owner.known(name))) return known;
    lists.set(list, before);
    return before;
  }

  private clashes(list: DeclaredList): boolean {
    for (const name of this.names) if (list.names.has(name)) return true;
    return this.lists.some(({ names }) => [...names].some((name) => list.names.has(name)));
  }

  private isTaken(name: string): boolean {
    return this.names.has(name) || this.lists.some(({ names }) => names.has(name));
  }

  constant(name: string, given: ConstantOptions): void {
    checkNames(given, constantOptions, name);
    const { value, type = 'Real', ...options } = given;
    const dims = dimsOf(options, typeof value === 'number' ? [] : [value.length]);
    const item = this.declare([], 0, name, dims, options, false);
    const values = typeof value === 'number' ? new Float64Array(item.length).fill(value) : value;
    if (values.length !== item.length)
      throw new Error(`the constant ${name} has ${item.length} elements, but ${values.length} values`);
    const known = this.owner.known(name);
    if (known && !('values' in known && isEqual(known.values, values)))
      throw new Error(`the constant ${name} is not what it was in a segment before`);
    this.constants.push({ item, type, values });
  }

  indicators(count: number): number {
    this.checkOpen();
    if (!Number.isInteger(count) || count < 0 || count > mostElements)
      throw new Error(`${count} is no number of event indicators`);
    this.indicatorCount += count;
    return this.indicatorCount - count;
  }

  nextEvent(time: number): void {
    this.checkOpen();
    this.nextTime = Math.min(this.nextTime, this.owner.later(time, this.time, 'begin'));
  }

  private declare(
    list: Declared[],
    start: number,
    name: string,
    dims: readonly number[],
    options: VariableOptions,
    derivative: boolean,
  ): Declared {
    this.checkOpen();
    if (typeof name !== 'string' || name === '') throw new Error('a name of what it declares is not a text');
    if (this.isTaken(name)) throw new Error(`${name} is declared twice`);
    this.names.add(name);
    if (this.owner.isVisible(name))
      throw new Error(`${name} is a variable of its class, and cannot be declared once more`);
    const length = sizeOf(dims);
    if (dims.some((size) => !Number.isInteger(size) || size < 0) || start + length > mostElements)
      throw new Error(`${name} cannot have the size [${dims.join(', ')}]`);
    const known = this.owner.known(name);
    const before = known && ('item' in known ? known.item : known);
    if (before && !options.places && isDeclared(before, start, dims, options, derivative)) {
      list.push(before);
      return before;
    }
    const { unit = '', displayUnit = '', description = '', hidden = false } = options;
    const {
      output = false,
      state = false,
      min = Number.NEGATIVE_INFINITY,
      max = Number.POSITIVE_INFINITY,
      places = noItems,
      names = noItems,
    } = options;
    const shown: Shown = { unit, displayUnit, description, min, max, hidden, output, state, places, names };
    // Many are declared at each restart: written out, this is several times faster than a spread.
    const declared: Declared = Object.assign(shown, { name, start, length, dims, derivative });
    if (!isIncreasing(places, name.length))
      throw new Error(`${name} cannot have subscripts at [${places.join(', ')}]`);
    if (before && before.unit !== unit)
      throw new Error(
        `the unit of ${name} is "${unit}", but was "${before.unit}" in a segment before; results have one unit`,
      );
    list.push(declared);
    return declared;
  }

  private checkOpen(): void {
    if (!this.open) throw new Error('a segment is declared in `begin` only');
  }
}

const noItems: readonly never[] = [];

/** Whether the same was declared before; components that restart declare most of their variables again and again. */
function isDeclared(
  known: Declared,
  start: number,
  dims: readonly number[],
  options: VariableOptions,
  derivative: boolean,
): boolean {
  return (
    known.start === start &&
    known.length === sizeOf(dims) &&
    sameItems(known.dims, dims) &&
    known.derivative === derivative &&
    known.unit === (options.unit ?? '') &&
    known.displayUnit === (options.displayUnit ?? '') &&
    known.description === (options.description ?? '') &&
    known.hidden === (options.hidden ?? false) &&
    known.output === (options.output ?? false) &&
    known.state === (options.state ?? false) &&
    known.min === (options.min ?? Number.NEGATIVE_INFINITY) &&
    known.max === (options.max ?? Number.POSITIVE_INFINITY) &&
    known.places === (options.places ?? noItems) &&
    known.names === (options.names ?? noItems)
  );
}

export function isEqual(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a.length !== b.length) return false;
  for (let k = 0; k < a.length; k++) if (!Object.is(a[k], b[k])) return false;
  return true;
}

function dimsOf({ size }: VariableOptions, otherwise: readonly number[]): readonly number[] {
  if (size === undefined) return otherwise;
  return typeof size === 'number' ? [size] : size;
}

/** The name of element i of what was declared, without the path. */
export function declaredName(list: readonly Declared[], i: number): string {
  const own = list.find(({ start, length }) => i >= start && i < start + length)!;
  return elementName(own, i - own.start);
}

/** Places of subscripts in a name, one after the other. */
function isIncreasing(places: readonly number[], length: number): boolean {
  return places.every(
    (place, d) => Number.isInteger(place) && place >= (places[d - 1] ?? 0) && place <= length,
  );
}
