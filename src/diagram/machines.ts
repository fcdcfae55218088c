/**
 * The state machines of a class, as its equations write them (Modelica 3.6, chapter 17): `initialState(s)` and `transition(a, b, condition, …)`. Components that transitions join are one machine; a class may have several,
 * side by side, and the classes of states may have machines of their own. Loops are written out and parameters decide, as far as their values are known.
 */
import { rootIn } from '../collections/forest.ts';
import { append } from '../collections/groups.ts';
import type { ClassEntity } from '../model/classes/class.ts';
import { type ShapeComponent, shapeOf } from '../model/classes/shape.ts';
import { integer, type Value } from '../model/value.ts';
import { evaluate } from '../model/values/evaluate.ts';
import { bracketed } from '../names/names.ts';
import type * as ast from '../syntax/ast.ts';
import { expressionText } from './macros.ts';
import { plainValue } from './values.ts';
import { type ComponentView, componentView, sightIn, type View } from './view.ts';

export interface Machine {
  readonly states: readonly MachineState[];
  /** The number of the initial state; undefined where nothing says which it is. */
  readonly initial: number | undefined;
  /** Where that is said. */
  readonly initialNode: Mention | undefined;
  readonly transitions: readonly MachineTransition[];
}

export interface MachineState {
  /** In its class: `heating`, `s[2]`. */
  readonly name: string;
  readonly own: ComponentView;
  readonly machines: readonly Machine[];
}

export interface MachineTransition {
  readonly from: number;
  readonly to: number;
  readonly condition: string;
  readonly actions: string;
  readonly immediate: boolean;
  readonly reset: boolean;
  readonly synchronize: boolean;
  readonly priority: number;
  readonly mention: Mention;
}

/** A call of `transition` or `initialState`, and the class in which it is written. */
export interface Mention {
  readonly node: ast.CallEquation;
  readonly lexical: ClassEntity;
  /** Names of states. */
  readonly states: readonly string[];
  /** Values of the iterators around it. */
  readonly locals: ReadonlyMap<string, Value>;
}

/** Machines inside of each other, and states of one class, that are looked at. */
const DEEPEST = 12;
const MOST_MENTIONS = 2000;

export function machinesIn(view: View, depth = 0): Machine[] {
  const mentions = mentionsOf(view);
  if (mentions.length === 0 || depth >= DEEPEST) return [];
  const names = [...new Set(mentions.flatMap(({ states }) => states))];
  const number = new Map(names.map((name, k) => [name, k]));
  const parent = names.map((_, k) => k);
  for (const { states } of mentions) {
    const [a, b] = states.map((name) => rootIn(parent, number.get(name)!));
    if (a !== undefined && b !== undefined) parent[Math.max(a, b)] = Math.min(a, b);
  }
  const members = new Map<number, string[]>();
  for (const [k, name] of names.entries()) append(members, rootIn(parent, k), name);
  return [...members].map(([root, states]) => {
    const own = mentions.filter(({ states: [first] }) => rootIn(parent, number.get(first!)!) === root);
    return machineOf(view, states, own, depth);
  });
}

function machineOf(
  view: View,
  names: readonly string[],
  mentions: readonly Mention[],
  depth: number,
): Machine {
  const initialNode = mentions.find(({ states }) => states.length === 1);
  const initial = initialNode ? names.indexOf(initialNode.states[0]!) : undefined;
  return {
    states: names.map((name) => stateOf(view, name, depth)),
    initial,
    initialNode,
    transitions: mentions
      .filter(({ states }) => states.length === 2)
      .map((mention) => transitionOf(view, mention, names)),
  };
}

function stateOf(view: View, name: string, depth: number): MachineState {
  const component = shapeOf(view.entity).components.get(name.replace(/\[.*$/, ''))!;
  const own = componentView(view, component);
  return { name, own, machines: own.view ? machinesIn(own.view, depth + 1) : [] };
}

const parameters = ['condition', 'immediate', 'reset', 'synchronize', 'priority', 'actions'];

function transitionOf(view: View, mention: Mention, names: readonly string[]): MachineTransition {
  const { node, lexical, states, locals } = mention;
  const given = new Map<string, ast.Expression>();
  for (const [k, argument] of node.call.positional.slice(2).entries())
    if (argument.kind !== 'partial' && parameters[k] !== undefined) given.set(parameters[k], argument);
  for (const { name, value } of node.call.named) if (value.kind !== 'partial') given.set(name.text, value);
  const value = (name: string): unknown => {
    const expression = given.get(name);
    return expression && fixedValue(view, lexical, expression, locals);
  };
  const flag = (name: string, otherwise: boolean): boolean => {
    const own = value(name);
    return typeof own === 'boolean' ? own : otherwise;
  };
  const priority = value('priority');
  const text = (name: string): string => {
    const expression = given.get(name);
    return expression ? expressionText(expression) : '';
  };
  const [from, to] = states.map((name) => names.indexOf(name)) as [number, number];
  return {
    ...{ from, to, condition: text('condition'), mention },
    actions: text('actions').replace(/^\{(.*)\}$/s, '$1'),
    immediate: flag('immediate', true),
    reset: flag('reset', true),
    synchronize: flag('synchronize', false),
    priority: typeof priority === 'number' ? priority : 1,
  };
}

function fixedValue(
  view: View,
  lexical: ClassEntity,
  expression: ast.Expression,
  locals: ReadonlyMap<string, Value>,
): unknown {
  const sight = sightIn(view, lexical);
  if (locals.size === 0) return plainValue(expression, sight);
  const { value } = evaluate(sight.scope, expression, locals);
  return value && 'value' in value ? value.value : undefined;
}

// ---------------------------------------------------------------- finding

function mentionsOf(view: View): Mention[] {
  const { components, sections } = shapeOf(view.entity);
  const mentions: Mention[] = [];
  for (const { section, lexical } of sections)
    if (section.kind === 'equations' && !section.initial)
      collect(section.equations, { view, lexical, components }, new Map(), mentions);
  return mentions;
}

interface Place {
  readonly view: View;
  readonly lexical: ClassEntity;
  readonly components: ReadonlyMap<string, ShapeComponent>;
}

function collect(
  equations: readonly ast.Equation[],
  place: Place,
  locals: ReadonlyMap<string, Value>,
  into: Mention[],
): void {
  for (const node of equations) {
    if (into.length >= MOST_MENTIONS) return;
    if (node.kind === 'call') {
      const states = statesIn(node.call, place, locals);
      if (states) into.push({ node, lexical: place.lexical, states, locals });
    } else if (node.kind === 'for') loop(node, 0, place, locals, into);
    else if (node.kind === 'if') {
      for (const body of branchesOf(node, place, locals)) collect(body, place, locals, into);
    }
  }
}

function loop(
  node: ast.ForEquation,
  k: number,
  place: Place,
  locals: ReadonlyMap<string, Value>,
  into: Mention[],
): void {
  const iterator = node.iterators[k];
  if (!iterator) {
    collect(node.body, place, locals, into);
    return;
  }
  const scope = sightIn(place.view, place.lexical).scope;
  const range = iterator.range && evaluate(scope, iterator.range, locals).value;
  const values = range?.kind === 'array' ? range.elements : [integer(1)];
  for (const value of values) {
    if (into.length >= MOST_MENTIONS) return;
    loop(node, k + 1, place, new Map(locals).set(iterator.name.text, value), into);
  }
}

/** The branch that parameters choose; all of them where that is not known. */
function branchesOf(
  { branches, otherwise }: ast.IfEquation,
  { view, lexical }: Place,
  locals: ReadonlyMap<string, Value>,
): (readonly ast.Equation[])[] {
  for (const { condition, body } of branches) {
    const value = fixedValue(view, lexical, condition, locals);
    if (typeof value !== 'boolean') return [...branches.map((branch) => branch.body), otherwise ?? []];
    if (value) return [body];
  }
  return [otherwise ?? []];
}

/** The states that a call names; undefined for other calls, and where it names what is no component. */
function statesIn(
  { callee, positional }: ast.Call,
  { view, lexical, components }: Place,
  locals: ReadonlyMap<string, Value>,
): string[] | undefined {
  const name = callee.parts.length === 1 ? callee.parts[0]!.name : '';
  const count = name === 'transition' ? 2 : name === 'initialState' ? 1 : 0;
  if (count === 0 || positional.length < count) return undefined;
  const names: string[] = [];
  for (const argument of positional.slice(0, count)) {
    const part = argument.kind === 'ref' && argument.parts.length === 1 ? argument.parts[0]! : undefined;
    if (!part || !components.has(part.name)) return undefined;
    const subscripts = part.subscripts.map((one) =>
      one.kind === 'colon' ? ':' : String(fixedValue(view, lexical, one, locals) ?? expressionText(one)),
    );
    names.push(part.name + bracketed(subscripts));
  }
  return names;
}
