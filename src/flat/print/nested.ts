/**
 * The classes inside of a flat text. What belongs to a state of a machine, or to a built-in component, stays together: it is a component of the
 * text, of a class of its own. All else is in the model itself. A class speaks of what lies further out as `outer`, and of what lies in
 * other components of the model by their names.
 */
import { append } from '../../collections/groups.ts';
import { prefixesOf } from '../../names/names.ts';
import { nodesOf } from '../../symbolic/analyse.ts';
import type {
  FlatComponent,
  FlatEquation,
  FlatMachine,
  FlatModel,
  FlatState,
  FlatVariable,
} from '../flat.ts';
import { expressionsOf } from '../walk.ts';
import { Visible, type WrittenNames } from './names.ts';

/** A class of the text and the one component of it; the model itself has no parent. */
export class Nest {
  readonly inside: Nest[] = [];
  state: FlatState | undefined;
  component: FlatComponent | undefined;
  /** The identifiers of the component and of its class. */
  name = '';
  className = '';
  /** What is declared in it, in order. */
  readonly members: (number | Nest)[] = [];
  /** Declarations of what lies further out, by identifiers. */
  readonly outers = new Map<string, string>();
  /** Identifiers of what classes inside speak of as `outer`. */
  readonly inners = new Set<string>();

  constructor(
    readonly path: string,
    readonly parent: Nest | undefined,
    readonly visible: Visible,
  ) {}
}

export class Nests {
  readonly root: Nest;
  private readonly nests = new Map<string, Nest>();
  private readonly byCondition = new Map<number, Nest>();
  private readonly homes = new Map<number, Nest>();
  /** The states whose activity, or time, variables tell. */
  private readonly bound = new Map<number, Nest>();
  /** Whether a class would speak of something further out by a name that means something else there. */
  clash = false;

  /**
   * `declared` are the symbols that are declared in the text. Names of a class need to differ from those of the classes around it only where
   * these are spoken of: with `apart` they all do.
   */
  constructor(
    private readonly model: FlatModel,
    machines: readonly FlatMachine[],
    declared: readonly number[],
    private readonly names: WrittenNames,
    private readonly apart: boolean,
  ) {
    this.root = new Nest('', undefined, names.visible);
    this.nests.set('', this.root);
    const states = machines.flatMap((machine) => machine.states);
    const paths = new Set([...states.map(({ name }) => name), ...model.components.map(({ path }) => path)]);
    for (const path of model.components.length > 0 ? this.partsOfComponents(declared) : []) paths.add(path);
    for (const path of [...paths].sort((a, b) => a.length - b.length)) this.add(path);
    for (const state of states) {
      const nest = this.nests.get(state.name)!;
      nest.state = state;
      this.byCondition.set(state.condition, nest);
      for (const symbol of [state.active, state.entered, model.unclocked?.ticks.get(state)])
        if (symbol !== undefined) this.bound.set(symbol, nest);
    }
    for (const component of model.components) this.nests.get(component.path)!.component = component;
    const entered = new Set([this.root]);
    const enter = (nest: Nest): void => {
      if (entered.has(nest)) return;
      entered.add(nest);
      enter(nest.parent!);
      nest.parent!.members.push(nest);
    };
    for (const symbol of declared) {
      const home = this.nests.size > 1 ? this.around(model.variables[symbol]!.name) : this.root;
      this.homes.set(symbol, home);
      enter(home);
      home.members.push(symbol);
    }
    for (const nest of this.nests.values()) enter(nest);
    this.baptise(this.root);
  }

  private add(path: string): void {
    if (this.nests.has(path)) return;
    const parent = this.around(path);
    const nest = new Nest(path, parent, new Visible(this.apart ? parent.visible : undefined));
    parent.inside.push(nest);
    this.nests.set(path, nest);
  }

  /** Code knows the variables of its component by their paths, so objects inside of it stay objects. */
  private partsOfComponents(declared: readonly number[]): Set<string> {
    const paths = new Set<string>();
    const components = new Set(this.model.components.map(({ path }) => path));
    for (const symbol of declared) {
      const prefixes = prefixesOf(this.model.variables[symbol]!.name);
      const first = components.has('') ? 0 : prefixes.findIndex((prefix) => components.has(prefix));
      if (first >= 0) for (const prefix of prefixes.slice(first)) paths.add(prefix);
    }
    return paths;
  }

  /** The innermost class that something with a dotted name lies in. */
  private around(name: string): Nest {
    const inner = prefixesOf(name).findLast((prefix) => this.nests.has(prefix));
    return inner === undefined ? this.root : this.nests.get(inner)!;
  }

  /** Names of all that is declared, those of a class before those of the classes in it. */
  private baptise(nest: Nest): void {
    const { names } = this;
    const own = (name: string): string => (nest.path === '' ? name : name.slice(nest.path.length + 1));
    for (const member of nest.members) {
      if (typeof member === 'number')
        names.addVariable(member, own(this.model.variables[member]!.name), nest.visible);
      else {
        member.name = names.declare(own(member.path), nest.visible);
        member.className = names.declare(`class of ${member.path}`);
      }
    }
    for (const inner of nest.inside) this.baptise(inner);
  }

  // ---------------------------------------------------------------- references

  /** A variable, as text in a class speaks of it. */
  variable(symbol: number, from: Nest): string {
    const home = this.homes.get(symbol)!;
    const name = this.names.variable(symbol);
    if (home === from) return name;
    if (!isInside(from, home)) return `${this.object(home, from)}.${name}`;
    this.declareOuter(name, this.outerText(symbol, name), home, from);
    return name;
  }

  /** Declares a variable in the model itself that was not declared. */
  share(symbol: number): void {
    this.homes.set(symbol, this.root);
    this.names.addVariable(symbol, this.model.variables[symbol]!.name);
  }

  private outerText(symbol: number, name: string, prefix = ''): string {
    const { variability, dims } = this.model.variables[symbol]!;
    const type = typeIn(this.model, symbol);
    const fixed = type !== 'Clock' && (variability === 'parameter' || variability === 'constant');
    const sizes = dims.length > 0 ? `[${dims.join(', ')}]` : '';
    return `outer ${prefix}${fixed ? 'parameter ' : ''}${type}${sizes} ${name}`;
  }

  /** A component that a class is that of, as text in another class speaks of it. */
  object(nest: Nest, from: Nest): string {
    const path = [nest];
    while (!isInside(from, path[0]!.parent!)) path.unshift(path[0]!.parent!);
    const [first] = path as [Nest];
    const home = first.parent!;
    if (home !== from) this.declareOuter(first.name, `outer ${first.className} ${first.name}`, home, from);
    return path.map(({ name }) => name).join('.');
  }

  /** Lets a class speak of a variable further out that it determines. */
  output(symbol: number, from: Nest): void {
    const home = this.homes.get(symbol)!;
    if (isInside(home, from)) return;
    const name = this.names.variable(symbol);
    this.declareOuter(name, this.outerText(symbol, name, 'output '), home, from);
  }

  private declareOuter(name: string, line: string, home: Nest, from: Nest): void {
    for (let at = from; at !== home; at = at.parent!) if (at.visible.names.has(name)) this.clash = true;
    home.inners.add(name);
    if (!from.outers.has(name)) from.outers.set(name, line);
  }

  /** The state whose activity, or time, a variable tells. */
  stateOf(symbol: number): Nest | undefined {
    return this.bound.get(symbol);
  }

  /** The class that a machine stands in. */
  ofMachine({ guard }: FlatMachine): Nest {
    const last = guard.at(-1);
    return last ? this.byCondition.get(last.condition)! : this.root;
  }

  // ---------------------------------------------------------------- equations

  /** Equations by the class that they stand in: those of a state in that of the state. `isClosed` tells which cannot be taken apart. */
  placed(
    equations: readonly FlatEquation[],
    isClosed: (equation: FlatEquation) => boolean,
  ): Map<Nest, FlatEquation[]> {
    const result = new Map<Nest, FlatEquation[]>();
    for (const equation of equations) this.place(equation, this.root, isClosed, result);
    return result;
  }

  private place(
    equation: FlatEquation,
    nest: Nest,
    isClosed: (equation: FlatEquation) => boolean,
    result: Map<Nest, FlatEquation[]>,
  ): void {
    const opened = this.opened(equation, isClosed);
    const isHere = opened && this.aroundState(opened.nest) === nest;
    if (!isHere || opened.body.some((one) => this.speaksOf(one, nest, opened.nest))) {
      append(result, nest, equation);
    } else for (const one of opened.body) this.place(one, opened.nest, isClosed, result);
  }

  /** What an equation is in the state without which there is nothing of it: an if-equation without alternatives, or a family of these. */
  private opened(
    equation: FlatEquation,
    isClosed: (equation: FlatEquation) => boolean,
  ): { nest: Nest; body: readonly FlatEquation[] } | undefined {
    if (isClosed(equation)) return undefined;
    if (equation.kind === 'for' && equation.body.length === 1) {
      const inner = this.opened(equation.body[0]!, isClosed);
      return inner && { nest: inner.nest, body: [{ ...equation, body: inner.body }] };
    }
    if (equation.kind !== 'if' || equation.branches.length !== 1) return undefined;
    const [{ condition, body }] = equation.branches as [(typeof equation.branches)[number]];
    const nest = condition === undefined ? undefined : this.byCondition.get(condition);
    return nest && { nest, body };
  }

  /** The class in which the machine of a state stands. */
  private aroundState({ parent }: Nest): Nest {
    let at = parent!;
    while (at.parent && !at.state) at = at.parent;
    return at;
  }

  /** Whether an equation asks for the time in the state that it stands in, or for the activity of the one that it would come into. */
  private speaksOf(equation: FlatEquation, outer: Nest, inner: Nest): boolean {
    for (const node of nodesOf(...expressionsOf(this.model, equation))) {
      if (node.kind !== 'ref' && node.kind !== 'pre') continue;
      const nest = this.bound.get(node.symbol);
      if (!nest) continue;
      const isActivity = node.symbol === nest.state!.active;
      if (isActivity ? nest === inner : nest === outer) return true;
    }
    return false;
  }
}

/** Whether a class is another one, or lies in it. */
function isInside(inner: Nest, outer: Nest): boolean {
  for (let at: Nest | undefined = inner; at; at = at.parent) if (at === outer) return true;
  return false;
}

/** The type of a variable in the text. */
export function typeIn({ variables, unclocked }: FlatModel, symbol: number): FlatVariable['type'] | 'Clock' {
  const isClock = unclocked && (unclocked.clocks.has(symbol) || unclocked.notes.symbols.has(symbol));
  return isClock ? 'Clock' : variables[symbol]!.type;
}
