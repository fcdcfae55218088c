/**
 * Which derivatives of hidden states depend on which, so that implicit methods are cheap where there are many bodies. Bodies of one tree, and of trees that loops or forces
 * tie together, depend on each other; contacts let the speeds of two trees depend on both, and on the states of the contact.
 */
import { type ComponentPattern, type Instance, scattered } from '../builtin/component.ts';
import { Ties } from '../collections/forest.ts';
import { remember } from '../collections/memo.ts';
import { compressed } from '../collections/pattern.ts';
import type { Ports } from './ports.ts';
import type { Scene } from './scene/scene.ts';
import type { Setup } from './setup.ts';

/** A contact by the objects that touch, with its states, from a place on. */
export interface CoupledObjects {
  readonly first: number;
  readonly second: number;
  readonly from: number;
  readonly to: number;
}

export class Patterns {
  /** Objects that forces tie together. */
  private readonly tied: readonly (readonly number[])[];
  /** How many inputs and outputs there are, and which inputs are forces. */
  private readonly inputs: number;
  private readonly outputs: number;
  private readonly loads: readonly number[];
  private last:
    | {
        readonly setup: Setup;
        readonly states: number;
        readonly keys: ReadonlySet<string>;
        readonly pattern: ComponentPattern;
      }
    | undefined;

  constructor(
    { forces }: Scene,
    instance: Instance,
    { loads, conditions }: Ports,
    outputs: readonly string[],
  ) {
    this.tied = forces.map(({ a, b = a, resolve }) => [a, b, resolve]);
    this.loads = loads.flatMap((name) => {
      const { start, length } = instance.input(name);
      return Array.from({ length }, (_, k) => start + k);
    });
    this.inputs = this.loads.length + conditions.length;
    this.outputs = outputs.reduce((sum, name) => sum + instance.output(name).length, 0);
  }

  /** The same object as long as nothing else touches; contacts have so many states. */
  of(setup: Setup, ofContacts: number, contacts: readonly CoupledObjects[]): ComponentPattern {
    const states = setup.hidden.q.length + setup.hidden.v.length + ofContacts;
    const keys = contacts.map(({ first, second, from }) => `${first},${second},${from}`);
    const { last } = this;
    if (last?.setup === setup && last.states === states && keys.every((key) => last.keys.has(key)))
      return last.pattern;
    const pattern = this.patternOf(setup, states, contacts);
    this.last = { setup, states, keys: new Set(keys), pattern };
    return pattern;
  }

  private patternOf(setup: Setup, states: number, contacts: readonly CoupledObjects[]): ComponentPattern {
    const { inputs, outputs, loads } = this;
    const { tree } = setup.mechanism;
    const ties = new Ties();
    const rootOf = (link: number): number => (link < 0 ? -1 : tree.root[link]!);
    const tieAll = (links: readonly number[]) => {
      const roots = links.map(rootOf).filter((root) => root >= 0);
      for (const root of roots) ties.tie(root, roots[0]!);
    };
    for (const { closure } of setup.closures) if (closure.kind !== 'locked') tieAll([closure.a, closure.b]);
    for (const objects of this.tied) tieAll(objects.map((object) => setup.frames.linkOf(object)));
    const groupOf = (object: number): number => {
      const root = rootOf(setup.frames.linkOf(object));
      return root < 0 ? -1 : ties.root(root);
    };

    const { q, v } = setup.hidden;
    const linkAt = (at: Int32Array): number[] => {
      const links: number[] = [];
      for (let k = 0; k < tree.n; k++) for (let i = at[k]!; i < at[k + 1]!; i++) links.push(k);
      return links;
    };
    const [ofQ, ofV] = [linkAt(tree.qAt), linkAt(tree.vAt)];
    const groups = new Map<number, Group>();
    const place = (state: number, link: number, isSpeed: boolean) => {
      const key = ties.root(rootOf(link));
      const group = remember(groups, key, () => ({
        all: [],
        speeds: [],
        contacts: [],
        coupled: new Set<Group>(),
      }));
      group.all.push(state);
      if (isSpeed) group.speeds.push(state);
    };
    const columns: Int32Array[] = new Array(states).fill(none);
    for (const [i, at] of q.entries()) place(i, ofQ[at]!, false);
    for (const [i, at] of v.entries()) place(q.length + i, ofV[at]!, true);

    for (const { first, second, from, to } of contacts) {
      const [a, b] = [groups.get(groupOf(first)), groups.get(groupOf(second))];
      const own = Array.from({ length: to - from }, (_, k) => from + k);
      if (a && b) {
        a.coupled.add(b);
        b.coupled.add(a);
      }
      for (const group of new Set([a, b])) group?.contacts.push(...own);
      const rows = Int32Array.from([...(a?.speeds ?? []), ...(b && b !== a ? b.speeds : []), ...own]).sort();
      for (const column of own) columns[column] = rows;
    }
    for (const group of groups.values()) {
      const { all, contacts: own, coupled } = group;
      coupled.delete(group);
      const rows = Int32Array.from([...all, ...[...coupled].flatMap(({ speeds }) => speeds), ...own]).sort();
      for (const column of all) columns[column] = rows;
    }
    const speeds = Array.from(v, (_, i) => q.length + i);
    return {
      derivativesByStates: compressed(columns),
      derivativesByInputs: scattered(
        inputs,
        loads.flatMap((column) => speeds.map((row) => [row, column] as const)),
      ),
      outputsByStates: scattered(
        states,
        Array.from({ length: states * outputs }, (_, k) => [k % outputs, Math.floor(k / outputs)] as const),
      ),
    };
  }
}

/** Bodies that depend on each other: their states, those of contacts that they have, and groups that they touch. */
interface Group {
  readonly all: number[];
  readonly speeds: number[];
  readonly contacts: number[];
  readonly coupled: Set<Group>;
}

const none = new Int32Array(0);
