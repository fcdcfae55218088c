/**
 * Functions in another language (Modelica 3.6, section 12.9), computed by implementations in JavaScript or WebAssembly. Arguments come in the order of
 * the external clause:
 *
 *     Real, Integer, enumerations     numbers
 *     Boolean, String                 Booleans, texts
 *     arrays                          `Float64Array`, row by row (FORTRAN: column by column); of Booleans and Strings plain arrays
 *     records                         objects with the fields by name; arrays of them as plain arrays
 *     external objects                what the constructor gave
 *     outputs of these types          `{ value }` for what is no array and no record; all are written in place
 *
 * The result of `y = f(x)` is what the implementation returns.
 */
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts';
import { Failure } from '../diagnostic/failure.ts';
import type { Span } from '../diagnostic/source.ts';
import type { ForeignCode, FunctionDef, ValueType } from './function.ts';
import { Repeats } from './repeats.ts';
import { sizeOf } from './shape.ts';
import type { StringTable } from './strings.ts';

/** What computes an external function; see the [reference](../../docs/reference/externals.md) for its arguments. */
export type ExternalFunction = (this: ForeignRun, ...args: never[]) => unknown;

/** The run that an external function is called in: `this` of the implementation. */
export interface ForeignRun {
  /** What functions keep between calls, by names that they choose. It is empty when a run begins. */
  readonly kept: Map<string, unknown>;
}

/** As our own functions see it. */
export interface ForeignScope extends ForeignRun {
  readonly repeats: Repeats;
}

/** Implementations by the name that the external clause uses, or by the qualified name of the Modelica function. */
export type Externals = Readonly<Record<string, ExternalFunction>>;

export interface ForeignFunction {
  /** Qualified name of the Modelica function, and what it calls. */
  readonly path: string;
  readonly name: string;
  readonly implementation: ((this: ForeignScope, ...args: never[]) => unknown) | undefined;
  /** How fast the result changes, for arguments and how fast these change; without it, differences tell. */
  readonly tangent?: ((given: readonly unknown[], along: readonly unknown[]) => unknown) | undefined;
  readonly columnMajor: boolean;
  readonly args: readonly ForeignArgument[];
  readonly result: ForeignShape | undefined;
  /** It ends the life of the object that it is given. */
  readonly destroys: boolean;
  /** Equal calls may give different values, or do something. */
  readonly impure?: boolean;
  readonly span: Span | undefined;
}

/** Where an argument lies among the inputs, and, where it is an output, among the outputs. */
export interface ForeignArgument {
  readonly given: ForeignShape;
  readonly written: ForeignShape | undefined;
}

export type ForeignShape =
  | { readonly kind: 'record'; readonly fields: ReadonlyMap<string, ForeignShape> }
  /** An array of records, row by row. */
  | { readonly kind: 'records'; readonly dims: readonly number[]; readonly elements: readonly ForeignShape[] }
  | ForeignLeaf;

export interface ForeignLeaf {
  readonly kind: 'value';
  readonly type: ValueType | 'object';
  readonly dims: readonly number[];
  /** Number of its first element among those of all inputs, or outputs. */
  readonly first: number;
  /** Of a new object: the number of the function that ends its life. */
  readonly destructor?: number | undefined;
  /** Of an enumeration, which is an Integer from 1: its literals. */
  readonly literals?: readonly string[] | undefined;
}

/** Check inside of an external function that failed: a reason for a smaller step first. */
export class ForeignError extends Failure {}

type Value = number | string;
/** An implementation whose arguments are known to fit the external clause, not TypeScript. */
type Implementation = (this: ForeignScope, ...args: unknown[]) => unknown;

interface LivingObject {
  readonly object: unknown;
  readonly destructor: number | undefined;
}

/** The functions of one run, with the objects that they made. */
export class ForeignCalls {
  /** By number, from 1. */
  private readonly objects = new Map<number, LivingObject>();
  private made = 0;

  /** Whether what has no implementation has no value, instead of ending the work: for those who look at a model without a run. */
  lenient = false;

  /** What impure functions gave since something was remembered last. */
  readonly repeats = new Repeats();
  private readonly scope: ForeignScope;

  constructor(
    readonly strings: StringTable,
    { kept }: ForeignRun = { kept: new Map() },
  ) {
    this.scope = { kept, repeats: this.repeats };
  }

  call({ foreign, order }: Pick<ForeignCode, 'foreign' | 'order'>, args: readonly Value[]): Value[] {
    if (order === 0) return this.compute(foreign, args);
    return order === 1 && foreign.tangent
      ? this.slopes(foreign, args)
      : this.difference(foreign, order, args);
  }

  /** Derivatives along a direction, as the function itself gives them. */
  private slopes(foreign: ForeignFunction, args: readonly Value[]): Value[] {
    const count = args.length / 2;
    const direction = args.slice(count);
    const given = foreign.args.map((arg) => this.handed(foreign, arg, args));
    const along = foreign.args.map((arg) => moving(arg.given, direction));
    const written: Value[] = [];
    this.take(foreign, asNumbers(foreign.result!), foreign.tangent!(given, along), written);
    return written;
  }

  /** Ends the life of all objects, those that were made last first; `run` calls a destructor. */
  end(run: (destructor: number, object: number) => void): void {
    try {
      for (const [number, { destructor }] of [...this.objects].reverse())
        if (destructor !== undefined) run(destructor, number);
    } finally {
      this.objects.clear();
      this.scope.kept.clear();
      this.repeats.forget();
    }
  }

  /** Central differences along a direction. Texts, objects and Integers do not move. */
  private difference(foreign: ForeignFunction, order: number, args: readonly Value[]): Value[] {
    const count = args.length / 2;
    const numbers = args.map((arg) => (typeof arg === 'number' ? arg : 0));
    const size = Math.max(1, ...numbers.slice(0, count).map(Math.abs));
    const move = Math.max(0, ...numbers.slice(count).map(Math.abs));
    const step = move === 0 ? 0 : (differenceStep * size) / move;
    const at = (sign: number): Value[] => {
      const moved = args.slice(0, count).map((arg, k) => {
        const by = numbers[count + k]!;
        return by === 0 || typeof arg !== 'number' ? arg : arg + sign * step * by;
      });
      return this.call({ foreign, order: order - 1 }, moved);
    };
    const ahead = at(1);
    if (step === 0) return ahead.map(() => 0);
    const behind = at(-1);
    return ahead.map((value, k) => (Number(value) - Number(behind[k])) / (2 * step));
  }

  private compute(foreign: ForeignFunction, args: readonly Value[]): Value[] {
    return foreign.impure
      ? this.repeats.once(foreign, args, () => this.perform(foreign, args))
      : this.perform(foreign, args);
  }

  private perform(foreign: ForeignFunction, args: readonly Value[]): Value[] {
    const implementation = foreign.implementation as Implementation | undefined;
    if (!implementation) {
      if (this.lenient) return nothing(foreign);
      throw missing(foreign);
    }
    const given = foreign.args.map((arg) => this.handed(foreign, arg, args));
    let result: unknown;
    try {
      result = implementation.apply(this.scope, given);
    } catch (problem) {
      if (problem instanceof Failure) throw problem;
      const text = problem instanceof Error ? problem.message : String(problem);
      throw failed(foreign, sentence(text.trim() || 'it failed without a message'));
    }
    if (result instanceof Promise) throw failed(foreign, 'it is asynchronous, and a run cannot wait for it.');
    const written: Value[] = [];
    for (const [k, { written: shape }] of foreign.args.entries())
      if (shape) this.take(foreign, shape, unboxed(shape, given[k]), written);
    if (foreign.result) this.take(foreign, foreign.result, result, written);
    if (foreign.destroys)
      for (const { given: shape } of foreign.args)
        if (shape.kind === 'value' && shape.type === 'object') this.objects.delete(Number(args[shape.first]));
    return written;
  }

  /** An argument as the implementation sees it. */
  private handed(
    foreign: ForeignFunction,
    { given, written }: ForeignArgument,
    args: readonly Value[],
  ): unknown {
    const value = this.shown(foreign, given, args);
    return written?.kind === 'value' && written.dims.length === 0 ? { value } : value;
  }

  private shown(foreign: ForeignFunction, shape: ForeignShape, args: readonly Value[]): unknown {
    if (shape.kind === 'record') {
      const fields = [...shape.fields].map(([name, field]) => [name, this.shown(foreign, field, args)]);
      return Object.fromEntries(fields);
    }
    if (shape.kind === 'records')
      return orderOf(shape.dims, foreign.columnMajor).map((k) =>
        this.shown(foreign, shape.elements[k]!, args),
      );
    const { type, dims, first } = shape;
    const element = (k: number): unknown => this.element(foreign, type, args[first + k] ?? 0);
    if (dims.length === 0) return element(0);
    const places = orderOf(dims, foreign.columnMajor);
    if (type === 'Real' || type === 'Integer') return Float64Array.from(places, (k) => Number(element(k)));
    return places.map(element);
  }

  private element(foreign: ForeignFunction, type: ForeignLeaf['type'], value: Value): unknown {
    switch (type) {
      case 'String':
        return typeof value === 'string' ? value : this.strings.textOf(value);
      case 'Boolean':
        return value !== 0;
      case 'object': {
        const living = this.objects.get(Number(value));
        if (!living) throw failed(foreign, 'it is given an external object that does not exist.');
        return living.object;
      }
      default:
        return value;
    }
  }

  /** Appends the elements of what an implementation gave. */
  private take(foreign: ForeignFunction, shape: ForeignShape, given: unknown, into: Value[]): void {
    if (shape.kind === 'record') {
      if (typeof given !== 'object' || given === null) throw wrong(foreign, 'a record', given);
      for (const [name, field] of shape.fields)
        this.take(foreign, field, (given as Readonly<Record<string, unknown>>)[name], into);
      return;
    }
    if (shape.kind === 'records') {
      const list = given as ArrayLike<unknown> | undefined;
      const size = shape.elements.length;
      if (typeof given !== 'object' || list?.length !== size) throw wrong(foreign, `${size} records`, given);
      for (const [k, place] of orderOf(shape.dims, foreign.columnMajor).entries())
        this.take(foreign, shape.elements[place]!, list[k], into);
      return;
    }
    const { type, dims, first } = shape;
    if (dims.length === 0) {
      into[first] = this.taken(foreign, shape, given);
      return;
    }
    const size = sizeOf(dims);
    const list = given as ArrayLike<unknown> | undefined;
    if (typeof given !== 'object' || list?.length !== size)
      throw wrong(foreign, `${size} elements of type ${type}`, given);
    for (const [k, place] of orderOf(dims, foreign.columnMajor).entries())
      into[first + place] = this.taken(foreign, shape, list[k]);
  }

  private taken(
    foreign: ForeignFunction,
    { type, destructor, literals }: ForeignLeaf,
    given: unknown,
  ): Value {
    switch (type) {
      case 'String':
        if (typeof given !== 'string') throw wrong(foreign, 'a text', given);
        return given;
      case 'Boolean':
        if (typeof given !== 'boolean' && given !== 0 && given !== 1)
          throw wrong(foreign, 'a Boolean', given);
        return Number(given);
      case 'object':
        this.made++;
        this.objects.set(this.made, { object: given, destructor });
        return this.made;
      case 'Integer':
        if (!Number.isSafeInteger(given)) throw wrong(foreign, 'an Integer', given);
        if (literals && literals[(given as number) - 1] === undefined)
          throw wrong(foreign, `a number from 1 to ${literals.length} (${literals.join(', ')})`, given);
        return given as number;
      case 'Real':
        if (typeof given !== 'number') throw wrong(foreign, 'a number', given);
        return given;
    }
  }
}

/** The numbers of a direction in the shape of the argument that moves. */
function moving(shape: ForeignShape, direction: readonly Value[]): unknown {
  if (shape.kind === 'record')
    return Object.fromEntries([...shape.fields].map(([name, field]) => [name, moving(field, direction)]));
  if (shape.kind === 'records') return shape.elements.map((element) => moving(element, direction));
  const { dims, first } = shape;
  if (dims.length === 0) return Number(direction[first]);
  return Float64Array.from({ length: sizeOf(dims) }, (_, k) => Number(direction[first + k]));
}

/** Whatever type a value has, how fast it changes is a number. */
function asNumbers(shape: ForeignShape): ForeignShape {
  switch (shape.kind) {
    case 'value':
      return { ...shape, type: 'Real' };
    case 'records':
      return { ...shape, elements: shape.elements.map(asNumbers) };
    case 'record':
      return { ...shape, fields: new Map([...shape.fields].map(([name, own]) => [name, asNumbers(own)])) };
  }
}

/** Third root of the precision of doubles: the best step of central differences. */
const differenceStep = Number.EPSILON ** (1 / 3);

const unboxed = (shape: ForeignShape, given: unknown): unknown =>
  shape.kind === 'value' && shape.dims.length === 0 ? (given as { readonly value: unknown }).value : given;

/** The elements of an array by their numbers row by row, in the order in which they are handed over. */
function orderOf(dims: readonly number[], columnMajor: boolean): number[] {
  const rows = Array.from({ length: sizeOf(dims) }, (_, k) => k);
  if (!columnMajor || dims.length < 2) return rows;
  const strides = dims.map((_, d) => sizeOf(dims.slice(d + 1)));
  return rows.map((k) => {
    let rest = k;
    let place = 0;
    for (const [d, n] of dims.entries()) {
      place += (rest % n) * strides[d]!;
      rest = Math.floor(rest / n);
    }
    return place;
  });
}

/** All outputs without a value. */
function nothing({ args, result }: ForeignFunction): Value[] {
  const values: Value[] = [];
  const leave = (shape: ForeignShape): void => {
    if (shape.kind === 'record') for (const field of shape.fields.values()) leave(field);
    else if (shape.kind === 'records') shape.elements.forEach(leave);
    else values.push(...new Array<Value>(sizeOf(shape.dims)).fill(shape.type === 'String' ? '' : Number.NaN));
  };
  for (const { written } of args) if (written) leave(written);
  if (result) leave(result);
  return values;
}

/** What is said of functions that have no implementation where none of their values is needed yet. */
export function missingWarnings(functions: readonly FunctionDef[]): Diagnostic[] {
  return functions.flatMap(({ external }) =>
    external?.kind === 'foreign' && external.order === 0 && !external.foreign.implementation
      ? missing(external.foreign).diagnostics.map((problem) => ({ ...problem, severity: 'warning' as const }))
      : [],
  );
}

function missing({ path, name, args, span }: ForeignFunction): Failure {
  const list = args.map((_, k) => 'abcdefghijklmnopqrstuvwxyz'[k] ?? `x${k}`).join(', ');
  const key = /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`;
  const sample = `externals: { ${key}: (${list}) => … }`;
  return new Failure('simulate', [
    error('missing-external', `The external function \`${path}\` has no implementation \`${name}\`.`, {
      span,
      hint: `Register one where the model is loaded: \`{ ${sample} }\`.`,
      commandHint: `Name a JavaScript module that exports one: \`export const ${sample.replace(': {', ' = {')};\`.`,
    }),
  ]);
}

const failed = ({ path, span }: ForeignFunction, reason: string): ForeignError =>
  new ForeignError('simulate', [error('external-failed', `\`${path}\`: ${reason}`, { span })]);

function wrong(foreign: ForeignFunction, wanted: string, given: unknown): Failure {
  const what = typeof given === 'object' && given !== null ? 'an object' : String(given);
  const message = `\`${foreign.path}\`: its implementation \`${foreign.name}\` must give ${wanted}, not ${what}.`;
  return new Failure('simulate', [error('external-failed', message, { span: foreign.span })]);
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
