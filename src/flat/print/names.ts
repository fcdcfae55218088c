/**
 * The names of a flat model: as people know them (`namesOf`), and as identifiers of a text that is read again (`writtenNames`). There a
 * name with dots or subscripts is a quoted identifier, as in Base Modelica: the variable `c.v` is called `'c.v'`. No two things
 * that are visible in one place have the same name, whatever the model calls them.
 */
import { remember } from '../../collections/memo.ts';
import { builtinNames, predefinedClasses } from '../../model/predefined.ts';
import { children, fold } from '../../symbolic/analyse.ts';
import type { Expr } from '../../symbolic/expr.ts';
import type { FunctionDef, FunctionLocal } from '../../symbolic/function.ts';
import { statementExpressions } from '../../symbolic/function.ts';
import { type Known, Typing } from '../../symbolic/typing.ts';
import { keywords } from '../../syntax/tokens.ts';
import { subscriptedName } from '../core/families.ts';
import type { NameTable } from '../core/text.ts';
import type { FlatEquation, FlatModel, FlatVariable } from '../flat.ts';
import { expressionsOf } from '../walk.ts';
import { type ObjectClass, objectClasses } from './objects.ts';

/** Names for text about a finished model. */
export function namesOf(model: FlatModel): NameTable {
  return {
    variable: (symbol) => model.variables[symbol]?.name ?? `variable${symbol}`,
    element: (symbol, subscripts) => subscriptedName(model.variables[symbol]!, subscripts, ', '),
    iterator: (iterator) => model.iterators?.[iterator] ?? `i${iterator}`,
    fn: (fn) => model.functions[fn]?.name ?? `function${fn}`,
    typing: typingOf(model.functions, (symbol) => model.variables[symbol]!),
  };
}

/** Types of expressions in which symbols stand for the given variables. */
export function typingOf(
  functions: readonly FunctionDef[],
  variable: (symbol: number) => Pick<FlatVariable, 'type' | 'dims'>,
  locals: readonly FunctionLocal[] = [],
): Typing {
  const known: Known = {
    variable: (leaf) => {
      const { type, dims } = leaf.kind === 'local' ? locals[leaf.index]! : variable(leaf.symbol);
      return { type, rank: dims.length };
    },
    fn: (fn) => functions[fn]!,
  };
  return new Typing(known);
}

/** Names for text that is read again. */
export function writtenNames(model: FlatModel, spelling = identifier): WrittenNames {
  const { functions, variables } = model;
  const names = new WrittenNames(functions, (symbol) => variables[symbol]!, spelling);
  for (const [symbol, { name }] of variables.entries()) names.addVariable(symbol, name);
  addInner(names, model, model.equations);
  return names;
}

/** Names of functions and of iterators, when all other names are known. */
export function addInner(names: WrittenNames, model: FlatModel, equations: readonly FlatEquation[]): void {
  const { variables, iterators = [] } = model;
  names.addFunctions();
  for (const { start, min, max, nominal, binding } of variables)
    names.addIterators([start, min, max, nominal, binding], iterators);
  for (const equation of [...model.initialEquations, ...equations])
    names.addIterators(expressionsOf(model, equation), iterators);
}

/** The names that can be seen in a class of the text: its own and those of the classes around it. */
export class Visible {
  readonly names = new Set<string>();
  private readonly around: Visible | undefined;

  constructor(around?: Visible) {
    this.around = around;
  }

  has(name: string): boolean {
    return this.names.has(name) || (this.around?.has(name) ?? false);
  }
}

/** One of several outputs, which is asked for alone. */
export interface Single {
  readonly name: string;
  readonly fn: number;
  readonly output: number;
}

const none: readonly number[] = [];

export class WrittenNames implements NameTable {
  readonly deepest = 1000;
  readonly typing: Typing;
  private readonly taken = new Set<string>();
  /** What can be seen in the class itself. */
  readonly visible = new Visible();
  private readonly variables = new Map<number, string>();
  private readonly functionNames: string[] = [];
  private readonly iterators = new Map<number, string>();
  /** Which iterators occur together. */
  private readonly neighbours = new Map<number, Set<number>>();
  private readonly iteratorsOf = new Map<Expr, readonly number[]>();
  private readonly singleOutputs = new Map<string, Single>();
  private readonly sourceNames = new Map<string, string>();
  /** Classes of external objects by their paths. */
  objects: ReadonlyMap<string, ObjectClass> = new Map();

  constructor(
    private readonly functions: readonly FunctionDef[],
    variable: (symbol: number) => Pick<FlatVariable, 'type' | 'dims'>,
    readonly spelled: (name: string) => string = identifier,
  ) {
    this.typing = typingOf(functions, variable);
  }

  addVariable(symbol: number, name: string, visible = this.visible): void {
    this.variables.set(symbol, this.declare(name, visible));
  }

  /**
   * An identifier for what is declared in a class, different from all that can be seen there. What is declared in classes inside comes
   * after all of this one, and before functions.
   */
  declare(name: string, visible = this.visible): string {
    const isTaken = (text: string): boolean => (visible === this.visible ? this.taken : visible).has(text);
    const own = unique(name, isTaken, this.spelled);
    visible.names.add(own);
    this.taken.add(own);
    return own;
  }

  /** Functions, which are visible in each other: what is declared in one must not hide another. */
  addFunctions(): void {
    for (const { locals, sources = [] } of this.functions)
      for (const name of [...locals.map((local) => local.name), ...sources.flatMap(({ names }) => names)])
        this.taken.add(this.spelled(name));
    this.objects = objectClasses(this.functions, (path) => this.unique(path));
    const makers = [...this.objects.values()];
    for (const [k, { name }] of this.functions.entries()) {
      const made = makers.find(({ constructors }) => constructors.has(k));
      this.functionNames.push(made?.name ?? this.unique(name));
    }
    for (const { locals, body } of this.functions)
      this.addIterators([...locals.map(({ initial }) => initial), ...statementExpressions(body)]);
  }

  /** Iterators of expressions that belong together: each gets a name of its own among them, near the one that is wanted. */
  addIterators(exprs: Iterable<Expr | undefined>, wanted: readonly string[] = []): void {
    const found = new Set<number>();
    for (const expr of exprs) if (expr) for (const iterator of this.iteratorsIn(expr)) found.add(iterator);
    for (const iterator of found) {
      const near = remember(this.neighbours, iterator, () => new Set());
      for (const other of found) if (other !== iterator) near.add(other);
    }
    for (const iterator of found) {
      if (this.iterators.has(iterator)) continue;
      const others = [...this.neighbours.get(iterator)!].map((other) => this.iterators.get(other));
      const isTaken = (name: string): boolean => this.taken.has(name) || others.includes(name);
      this.iterators.set(iterator, unique(wanted[iterator] ?? 'i', isTaken, this.spelled));
    }
  }

  private iteratorsIn(root: Expr): readonly number[] {
    return fold(root, this.iteratorsOf, (node) => {
      if (node.kind === 'iter') return [node.iterator];
      const below = children(node).map((child) => this.iteratorsOf.get(child)!);
      const some = below.filter((one) => one.length > 0);
      return some.length < 2 ? (some[0] ?? none) : [...new Set(some.flat())];
    });
  }

  readonly variable = (symbol: number): string => this.variables.get(symbol)!;

  readonly object = (path: string): string | undefined => this.objects.get(path)?.name;

  readonly element = (symbol: number, subscripts: readonly string[]): string =>
    `${this.variable(symbol)}[${subscripts.join(', ')}]`;

  /** One that has no name yet is that of a loop that does not use it. */
  readonly iterator = (iterator: number): string =>
    remember(this.iterators, iterator, () => this.unique(`unused.${iterator}`));

  /** A call has the value of the first output; for others there are functions that have them alone. */
  readonly fn = (fn: number, output: number): string => {
    const name = this.functionNames[fn]!;
    if (output === 0) return name;
    const { locals, inputs } = this.functions[fn]!;
    return remember(this.singleOutputs, `${fn} ${output}`, () => {
      return { name: this.unique(`${name}.${locals[inputs + output]!.name}`), fn, output };
    }).name;
  };

  /** A function that interpreted ones call. */
  readonly source = (path: string): string => remember(this.sourceNames, path, () => this.unique(path));

  /** Calls of impure functions that belong to no instant, as those in when-clauses and initial sections do. */
  readonly purified = (fn: number): boolean => {
    const { impure, turns } = this.functions[fn]!;
    return impure === true && turns === undefined;
  };

  /** The functions of single outputs that names were asked for. */
  get singles(): readonly Single[] {
    return [...this.singleOutputs.values()];
  }

  private unique(name: string): string {
    const own = unique(name, (text) => this.taken.has(text), this.spelled);
    this.taken.add(own);
    return own;
  }
}

function unique(
  name: string,
  isTaken: (name: string) => boolean,
  spelling: (name: string) => string,
): string {
  let own = spelling(name);
  const numbered = (k: number): string =>
    name.endsWith("'") ? `${name.slice(0, -1)}_${k}'` : `${name}_${k}`;
  for (let k = 2; isTaken(own); k++) own = spelling(numbered(k));
  return own;
}

/** Words that mean something else where they stand alone. */
const words: ReadonlySet<string> = new Set([...keywords, ...builtinNames, ...predefinedClasses.keys()]);

/** A name as an identifier: as it is where it is one, otherwise between single quotes. */
export function identifier(name: string): string {
  if (/^[A-Za-z_]\w*$/.test(name) && !words.has(name)) return name;
  return quoted(name);
}

/** A name between single quotes, where it has none yet. */
export function quoted(name: string): string {
  if (/^'(?:[^'\\]|\\.)*'$/.test(name)) return name;
  return `'${name.replace(/[\\']/g, (c) => `\\${c}`)}'`;
}
