/**
 * The local balance of components (Modelica 3.6, section 4.8): a model or block needs as many equations of its own as it has unknowns that neither whoever uses it
 * nor its connections determine. From outside come inputs, and one equation for each flow of its connectors. In turn it gives values to the inputs and flows of the
 * components in it, by connects or by equations.
 *
 * Each connection set belongs to the component that connects: its members are connectors of components in it, seen from outside, and its own ones, seen from inside. A
 * set of n potentials or signals is n - 1 equations, one of flows is one equation, and streams have one for each connector of the component itself.
 *
 * Some components cannot be judged by themselves, and are left out: those with expandable connectors, overdetermined types, clocks as variables, connections that change or that
 * cross borders of components, connectors without flows, and components that are code.
 */
import { entityOf } from '../model/classes/class.ts';
import { shapeOf } from '../model/classes/shape.ts';
import type { Instance, ObjectInstance, VariableInstance } from '../model/instance.ts';
import type { ConnectionSets } from './connections/sets.ts';
import { partsOf } from './core/families.ts';
import { count } from './core/values.ts';
import { constraintOf } from './expressions/graph.ts';

/** What a component needs; numbers are those of all elements that it stands for. */
export interface Need {
  readonly object: ObjectInstance;
  /** How many elements of uniform arrays it stands for. */
  readonly elements: number;
  /** Unknowns that equations of its own must determine. */
  needed: number;
  /** It cannot be judged. */
  excused: boolean;
}

export interface LocalNeeds {
  readonly needs: readonly Need[];
  /** The component to which what is said at a path belongs: that of records and connectors in it as well. */
  readonly byPath: ReadonlyMap<string, Need>;
  /** Inputs whose values come from outside of their components. */
  readonly given: ReadonlySet<VariableInstance>;
}

export function localNeeds(root: ObjectInstance, sets: ConnectionSets): LocalNeeds {
  const counter = new Counter(sets);
  counter.take(root, 1);
  counter.connections();
  return counter;
}

const isData = ({ restriction }: ObjectInstance): boolean => /(connector|record)$/.test(restriction);
const isFixed = ({ variability }: Instance): boolean =>
  variability === 'parameter' || variability === 'constant';

class Counter implements LocalNeeds {
  readonly needs: Need[] = [];
  readonly byPath = new Map<string, Need>();
  readonly given = new Set<VariableInstance>();
  private readonly byObject = new Map<Instance, Need>();

  constructor(private readonly sets: ConnectionSets) {}

  /** All components in an object, itself first. */
  take(root: ObjectInstance, times: number): void {
    const waiting: { readonly object: ObjectInstance; readonly times: number }[] = [{ object: root, times }];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { object } = next;
      const own: Need = { object, elements: next.times, needed: 0, excused: false };
      this.needs.push(own);
      this.byObject.set(object, own);
      this.byPath.set(object.path, own);
      for (const { part, times: each } of flatParts(object, next.times))
        if (part.kind === 'object' && !isData(part)) {
          waiting.push({ object: part, times: each });
          this.interface(part, each, own);
        } else this.data(part, each, own);
    }
  }

  /** Unknowns of a component itself: variables, and what is in records and connectors. */
  private data(first: Instance, times: number, own: Need): void {
    for (const { part, times: each, connector } of leavesOf(first, times, (object) => {
      this.byPath.set(object.path, own);
      this.excuse(object, own);
    })) {
      if (isFixed(part) || this.excuse(part, own)) continue;
      const isGiven = part.causality === 'input' && !isHidden(first, own.object);
      // A value of an input that is connected as well says something of what it uses.
      if (isGiven && !this.isConnected(part)) this.given.add(part);
      // A flow of a connector that nobody outside can see is zero.
      if (!isGiven && !(connector && part.connection === 'flow')) own.needed += each * count(part.dims);
    }
  }

  /** What a component in another one asks of it: its inputs, and its flows. */
  private interface(component: ObjectInstance, times: number, around: Need): void {
    for (const { part: first, times: outer } of flatParts(component, times)) {
      if ((first.kind === 'object' && !isData(first)) || isHidden(first, component)) continue;
      const excuse = (object: ObjectInstance): boolean => this.excuse(object, around);
      for (const { part, times: each, connector } of leavesOf(first, outer, excuse)) {
        if (isFixed(part) || this.excuse(part, around)) continue;
        const isFlow = connector && part.connection === 'flow';
        const isOpen = part.causality === 'input' ? this.isConnected(part) || !hasValue(part) : isFlow;
        if (isOpen) around.needed += each * count(part.dims);
        // A flow that nothing is connected with is zero.
        if (isFlow) around.needed -= this.unconnected(part, each);
      }
    }
  }

  /** Whether connects give an input its value. */
  private isConnected(variable: VariableInstance): boolean {
    return this.sets.nodes.unconnected(variable)?.length === 0;
  }

  private unconnected(variable: VariableInstance, times: number): number {
    const nodes = this.sets.nodes.unconnected(variable);
    if (!nodes) return times * count(variable.dims);
    return nodes.length * this.width(nodes[0]);
  }

  /** How many scalars a node is. */
  private width(node: number | undefined): number {
    if (node === undefined) return 0;
    const { split, variable } = this.sets.nodes.at(node);
    return split ? 1 : count(variable.dims);
  }

  /** Whether something keeps a component from being judged. */
  private excuse(part: Instance, own: Need): boolean {
    const isOpen =
      constraintOf(part) !== undefined ||
      (part.kind === 'variable'
        ? part.type === 'Clock'
        : part.restriction === 'expandable connector' || isOneSided(part));
    if (isOpen) own.excused = true;
    return isOpen;
  }

  connections(): void {
    const { nodes, members, start, size, guardsOf } = this.sets;
    for (let set = 0; set < size; set++) {
      const own = Array.from(members.subarray(start[set]!, start[set + 1]!));
      const owners = new Set(own.map((node) => this.ownerOf(node)));
      const [owner] = owners;
      if (owners.size > 1 || !owner || guardsOf(set)) {
        for (const one of owners) if (one) one.excused = true;
        continue;
      }
      const width = this.width(own[0]);
      const { connection } = nodes.at(own[0]!).variable;
      const outside = own.filter((node) => (node & 1) === 1).length;
      const equations = connection === 'flow' ? 1 : connection === 'stream' ? outside : own.length - 1;
      owner.needed -= equations * width;
    }
  }

  /** The component that connects a node: the one that has the connector, or the one around that. */
  private ownerOf(node: number): Need | undefined {
    const { variable, outside } = this.sets.nodes.at(node);
    const component = above(variable.parent, isData);
    const owner = outside ? component : above(component?.parent, ({ dims }) => dims.length > 0);
    return owner && this.byObject.get(owner);
  }
}

function above(
  instance: Instance | undefined,
  isPassed: (object: ObjectInstance) => boolean,
): ObjectInstance | undefined {
  let at = instance;
  while (at?.kind === 'object' && isPassed(at)) at = at.parent;
  return at?.kind === 'object' ? at : undefined;
}

interface Part<I extends Instance = Instance> {
  readonly part: I;
  readonly times: number;
}

/** What is directly in an object; of arrays of components their elements. */
function* flatParts(object: ObjectInstance, times: number): Generator<Part> {
  for (const part of partsOf(object)) {
    if (part.outer && !part.inner) continue;
    if (part.kind !== 'object' || part.dims.length === 0) yield { part, times };
    else {
      const each = part.template ? times * count(part.dims) : times;
      for (const element of partsOf(part)) yield { part: element, times: each };
    }
  }
}

/** The variables in a record or connector, and whether they are in a connector; a variable is one itself. */
function* leavesOf(
  first: Instance,
  times: number,
  visit: (object: ObjectInstance) => unknown,
): Generator<Part<VariableInstance> & { readonly connector: boolean }> {
  const stack = [{ part: first, times, connector: false }];
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { part } = next;
    if (part.kind === 'variable') {
      yield { part, times: next.times, connector: next.connector };
      continue;
    }
    visit(part);
    const connector = next.connector || part.restriction.endsWith('connector');
    for (const below of flatParts(part, next.times)) stack.push({ ...below, connector });
  }
}

/** Whether something in an object is protected by its own class. */
function isHidden(
  { name, protected: hidden }: Instance,
  { class: own, protected: around }: ObjectInstance,
): boolean {
  if (!hidden || !around) return hidden;
  const [declared] = name.split('[');
  return shapeOf(entityOf(own)).components.get(declared!)?.protected ?? false;
}

/** Whether a value is given where it is declared, or by modifiers: to the variable itself or to a record or connector around it. */
function hasValue(variable: VariableInstance): boolean {
  if (variable.binding) return true;
  for (let at = variable.parent; at?.kind === 'object' && isData(at); at = at.parent)
    if (at.binding) return true;
  return false;
}

/** A connector with potentials and without flows: its connections are more or fewer equations than it has variables. */
function isOneSided(object: ObjectInstance): boolean {
  if (object.restriction !== 'connector' || (object.parent?.kind === 'object' && isData(object.parent)))
    return false;
  let potentials = 0;
  for (const { part } of leavesOf(object, 1, () => {})) {
    if (part.connection === 'flow') return false;
    if (!part.causality && !part.connection && !isFixed(part)) potentials++;
  }
  return potentials > 0;
}
