/**
 * The equations of connection sets (Modelica 3.6, section 9.2): in a set the potentials are equal and the flows sum to zero, those
 * of outside connectors with a minus sign; a flow that is connected from nowhere outside is zero.
 *
 * Sets of the same variables whose subscripts follow a pattern become families of equations (`flat/core/loops.ts`): connecting the
 * elements of an array in a chain gives one for-equation, whatever its length. In one set that holds many elements of the same variable these are summed
 * and equated as slices and families.
 *
 * Sets whose members or connects exist only sometimes are written out (`changing.ts`).
 */

import { inExpandable, isConnector } from '../../model/types/connectors.ts';
import type { Expr } from '../../symbolic/expr.ts';
import type { FlatBuilder } from '../core/context.ts';
import { entryExpr, type Loops, loopsOf, type Roll, rollUpSet } from '../core/loops.ts';
import { symbolDims } from '../expressions/references.ts';
import type { FlatEquation, Origin } from '../flat.ts';
import { ChangingSets } from './changing.ts';
import { ownDims, pushSubscripts, SetLaws, type Term } from './laws.ts';
import { checkFlows } from './operators.ts';
import {
  type ConnectedSide,
  type ConnectionSet,
  type ConnectionSets,
  connectionSets,
  type Nodes,
  originOfFlow,
  type Pair,
  type SetGuards,
  type SetNode,
  wholeSymbol,
} from './sets.ts';
import { requestStreams } from './streams.ts';

/** The equations of all connection sets, and of the flows that are connected nowhere; conditional ones last. */
export function connectionEquations(builder: FlatBuilder, sets: ConnectionSets): FlatEquation[] {
  checkFlows(builder);
  return new SetEquations(builder).all(sets);
}

/** What is connected. */
export const setsOf = (builder: FlatBuilder, pairs: readonly Pair[]): ConnectionSets =>
  connectionSets(
    pairs.flatMap((pair) => byClock(builder, pair)),
    builder,
  );

/** Arrays of clocks are connected one by one: each may tick by itself. */
function byClock(builder: FlatBuilder, pair: Pair): readonly Pair[] {
  const { left, right } = pair;
  const clocks = builder.clockArrays.get(left.variable) ?? builder.clockArrays.get(right.variable);
  if (!clocks) return [pair];
  const one = (side: ConnectedSide, k: number): ConnectedSide => {
    const own = builder.clockArrays.get(side.variable);
    const variable = own ? own[side.named ? side.numbers[k]! : k]! : side.variable;
    return { ...side, variable, numbers: [0], named: false };
  };
  const length = left.named || right.named ? left.numbers.length : clocks.length;
  return Array.from({ length }, (_, k) => ({ ...pair, left: one(left, k), right: one(right, k) }));
}

/** Sets that differ in the subscripts of their members alone. */
interface Pattern {
  readonly nodes: readonly SetNode[];
  readonly origin: Origin;
  /** Subscripts of all members, set after set. */
  readonly subscripts: number[];
  /** How many subscripts each member has. */
  readonly ranks: readonly number[];
  /** Places of the sets among all. */
  readonly places: number[];
}

/** Equations in loops; without loops they are single ones. */
interface Family {
  readonly place: number;
  readonly ranges: Loops['ranges'];
  readonly body: (iterators: readonly Expr[]) => readonly FlatEquation[];
  readonly origin: Origin;
}

/** So many elements of one variable in a set are not listed one by one. */
const wide = 4;

class SetEquations {
  private readonly families: Family[] = [];
  private readonly patterns = new Map<string | number, Pattern>();
  private readonly laws: SetLaws;
  private readonly changing: ChangingSets;

  constructor(private readonly builder: FlatBuilder) {
    this.laws = new SetLaws(builder);
    this.changing = new ChangingSets(builder, this.laws);
  }

  all(sets: ConnectionSets): FlatEquation[] {
    requestStreams(this.builder, sets);
    for (let place = 0; place < sets.size; place++) {
      const guards = sets.guardsOf(place);
      if (!guards) this.checkSources(sets, place);
      if (guards) this.addChanging({ ...this.setOf(sets, place), guards }, guards, place);
      else this.addSet(sets, place);
    }
    this.addUnconnected(sets);
    for (const pattern of this.patterns.values()) this.roll(pattern);
    this.families.sort((a, b) => a.place - b.place);
    return [...this.looped(), ...this.changing.equations()];
  }

  /** A set of signals has one source: an output of a component, or an input of the class itself (section 9.3). */
  private checkSources({ nodes, members, start, originOf }: ConnectionSets, place: number): void {
    let source = -1;
    for (let k = start[place]!; k < start[place + 1]!; k++) {
      const node = members[k]!;
      const { variable } = nodes.blocks[nodes.block(node)]!;
      const { causality, protected: isHidden } = variable;
      const isOutside = (node & 1) === 1;
      // A protected connector of the class itself only hands on what others give.
      if (causality === undefined || (causality === 'input') !== isOutside || (isOutside && isHidden))
        continue;
      if (inExpandable(variable)) continue;
      if (source < 0) {
        source = node;
        continue;
      }
      const [first, second] = [nodes.at(source), nodes.at(node)];
      const named = (one: SetNode): string =>
        `the ${one.outside ? 'input' : 'output'} \`${one.variable.path}\``;
      const message = `Two sources are connected: ${named(first)} and ${named(second)} both give a value.`;
      this.builder.reportAt('connector-mismatch', message, {
        span: originOf(place).span,
        hint: 'Connect each input with one output only.',
        notes: [first, second].map(({ variable: { path, span } }) => ({
          message: `\`${path}\` is declared here`,
          span,
        })),
      });
      return;
    }
  }

  /** Each flow that no connect names is a set of its own, and so is each stream whose inward value is asked for. */
  private addUnconnected(sets: ConnectionSets): void {
    const { builder } = this;
    let place = sets.size;
    for (const variable of builder.instances) {
      // Outside of connectors the prefix `flow` says nothing.
      const isFlow = variable.connection === 'flow' && isConnector(variable);
      if (!isFlow && !builder.streams.has(variable)) continue;
      const guard = builder.guardOf(variable);
      const nodes = sets.nodes.unconnected(variable);
      const whole = { variable, number: wholeSymbol, split: false, outside: false };
      const alone = nodes ? nodes.map((node) => sets.nodes.at(node)) : [whole];
      const origin = originOfFlow(whole);
      for (const [k, node] of alone.entries()) {
        const guards = { nodes: [guard], links: [] };
        const set = { nodes: [node], origin, guards };
        if (guard.length > 0) this.addChanging(set, guards, place);
        else if (nodes) this.addMembers(sets.nodes, [nodes[k]!], 0, 1, place, () => set);
        else this.addSingle(place, origin, this.laws.setEquations(set));
        place++;
      }
    }
  }

  private setOf({ nodes, members, start, originOf }: ConnectionSets, set: number): ConnectionSet {
    const own = Array.from(members.subarray(start[set]!, start[set + 1]!), (node) => nodes.at(node));
    return { nodes: own, origin: originOf(set), guards: undefined };
  }

  // -------------------------------------------------------------- sets that are always the same

  private addSet(sets: ConnectionSets, place: number): void {
    const { nodes, members, start } = sets;
    const [from, to] = [start[place]!, start[place + 1]!];
    const isStream = nodes.at(members[from]!).variable.connection === 'stream';
    if (to - from >= wide && !isStream) {
      const set = this.setOf(sets, place);
      if (isWide(set.nodes)) {
        this.addWide(set, place);
        return;
      }
    }
    this.addMembers(nodes, members, from, to, place, () => this.setOf(sets, place));
  }

  /** Adds a set to those of the same pattern; there are many, so that it is looked at as a whole only where the pattern is new. */
  private addMembers(
    nodes: Nodes,
    members: ArrayLike<number>,
    from: number,
    to: number,
    place: number,
    whole: () => ConnectionSet,
  ): void {
    const key = keyOf(nodes, members, from, to);
    let pattern = this.patterns.get(key);
    if (!pattern) {
      const set = whole();
      const ranks = set.nodes.map((node) => this.laws.subscripts(node).length);
      if (ranks.every((rank) => rank === 0)) {
        this.addSingle(place, set.origin, this.laws.setEquations(set));
        return;
      }
      pattern = { nodes: set.nodes, origin: set.origin, subscripts: [], ranks, places: [] };
      this.patterns.set(key, pattern);
    }
    pattern.places.push(place);
    for (let k = from; k < to; k++) {
      const { base, dims } = nodes.blocks[nodes.block(members[k]!)]!;
      pushSubscripts(pattern.subscripts, (members[k]! >> 1) - base, dims);
    }
  }

  private addChanging(set: ConnectionSet, guards: SetGuards, place: number): void {
    this.addSingle(place, set.origin, this.changing.add(set, guards));
  }

  private addSingle(place: number, origin: Origin, equations: readonly FlatEquation[]): void {
    this.families.push({ place, ranges: [], body: () => equations, origin });
  }

  private roll({ nodes, origin, subscripts, ranks, places }: Pattern): void {
    const width = ranks.reduce((sum, rank) => sum + rank, 0);
    for (const roll of rollUpSet(subscripts, width)) {
      const { ranges, entries } = loopsOf(roll);
      const body = (iterators: readonly Expr[]): FlatEquation[] => {
        let from = 0;
        const at = ranks.map((rank) => {
          const own = entries.slice(from, (from += rank));
          return own.map((entry) => entryExpr(this.builder.pool, entry, iterators));
        });
        return this.laws.equationsOf(nodes, at, origin);
      };
      this.families.push({ place: places[roll.position]!, ranges, body, origin });
    }
  }

  /** A set that holds many elements of a variable: they are equal to the first member, and summed as a slice. */
  private addWide({ nodes, origin }: ConnectionSet, place: number): void {
    if (nodes[0]!.variable.connection === 'flow') {
      const terms = [...this.sums(nodes, false), ...this.sums(nodes, true)];
      this.addSingle(place, origin, [this.laws.zeroSum(terms, ownDims(nodes[0]!), origin)]);
      return;
    }
    const hub = nodes[0]!;
    const left = this.laws.expr(hub);
    for (const { sample, rolls } of this.rolled(nodes.slice(1))) {
      for (const roll of rolls) {
        const { ranges, entries } = loopsOf(roll);
        const body = (iterators: readonly Expr[]): FlatEquation[] => {
          const at = entries.map((entry) => entryExpr(this.builder.pool, entry, iterators));
          const right = this.laws.expr(sample, at);
          return right === left ? [] : [{ kind: 'equal', left, right, dims: ownDims(hub), origin }];
        };
        this.families.push({ place, ranges, body, origin });
      }
    }
  }

  /** The members of a set by variable, their subscripts rolled up. */
  private rolled(nodes: readonly SetNode[]): { readonly sample: SetNode; readonly rolls: readonly Roll[] }[] {
    const groups = new Map<SetNode['variable'], { sample: SetNode; subscripts: number[] }>();
    for (const node of nodes) {
      const group = groups.get(node.variable);
      if (group) group.subscripts.push(...this.laws.subscripts(node));
      else groups.set(node.variable, { sample: node, subscripts: this.laws.subscripts(node) });
    }
    return [...groups.values()].map(({ sample, subscripts }) => {
      const rank = this.laws.subscripts(sample).length;
      const single = [{ first: [], loops: [], position: 0 }];
      return { sample, rolls: rank === 0 ? single : rollUpSet(subscripts, rank) };
    });
  }

  /** The terms that inside or outside members add to a sum of flows. */
  private sums(nodes: readonly SetNode[], outside: boolean): Term[] {
    return this.rolled(nodes.filter((node) => node.outside === outside)).flatMap(({ sample, rolls }) =>
      rolls.flatMap((roll): Term[] => {
        const slice = ownDims(sample).length === 0 ? this.slice(sample, roll) : undefined;
        if (slice) return [{ expr: slice, outside }];
        return vectorsOf(roll).map((vector) => ({
          expr: this.laws.expr(
            sample,
            vector.map((at) => this.builder.pool.const(at)),
          ),
          outside,
        }));
      }),
    );
  }

  /** The sum over a roll, where it is a box of elements. */
  private slice(node: SetNode, { first, loops }: Roll): Expr | undefined {
    const { pool } = this.builder;
    const at = first.map((at) => pool.const(at));
    if (loops.length === 0) return this.laws.expr(node, at);
    const stepping = loops.map(({ step }) => step.flatMap((s, k) => (s === 0 ? [] : [k])));
    if (stepping.some((entries) => entries.length !== 1)) return undefined;
    const loopOf = new Map(stepping.map(([k], l) => [k!, loops[l]!]));
    if (loopOf.size < loops.length) return undefined;
    const subscripts = first.map((at, k) => {
      const loop = loopOf.get(k);
      const by = loop?.step[k] ?? 0;
      return loop ? range(pool, [at, by, at + by * (loop.count - 1)]) : pool.const(at);
    });
    const dims = symbolDims(this.builder, node.variable);
    const entire = first.every(
      (at, k) => at === 1 && loopOf.get(k)?.step[k] === 1 && loopOf.get(k)!.count === dims[k],
    );
    return pool.apply(
      'sum',
      entire ? pool.ref(this.builder.symbols.get(node.variable)!) : this.laws.expr(node, subscripts),
    );
  }

  /** All equations in their loops; neighbours with equal loops share them. */
  private looped(): FlatEquation[] {
    const { pool } = this.builder;
    const result: FlatEquation[] = [];
    for (let k = 0; k < this.families.length; ) {
      const { ranges, origin } = this.families[k]!;
      let end = k + 1;
      const joins = (next: Family | undefined): boolean =>
        ranges.length > 0 && next?.origin === origin && sameRanges(ranges, next.ranges);
      while (joins(this.families[end])) end++;
      const numbers = ranges.map((_, l) => this.builder.iterator('ijkl'[l]!));
      const iterators = numbers.map((number) => pool.iter(number));
      const body = this.families.slice(k, end).flatMap((family) => family.body(iterators));
      const loops = ranges.reduceRight<FlatEquation[]>(
        (inner, own, l) => [
          { kind: 'for', iterator: numbers[l]!, range: range(pool, own), body: inner, origin },
        ],
        body,
      );
      if (body.length > 0) result.push(...loops);
      k = end;
    }
    return result;
  }
}

/** Variables of a set and their faces: as a number, while that is exact. */
function keyOf(nodes: Nodes, members: ArrayLike<number>, from: number, to: number): string | number {
  const radix = 2 * nodes.blocks.length + 1;
  let key = 0;
  for (let k = from; k < to && key < largestKey; k++)
    key = key * radix + 2 * nodes.block(members[k]!) + (members[k]! & 1) + 1;
  if (key < largestKey) return key;
  const all = Array.from({ length: to - from }, (_, k) => members[from + k]!);
  return all.map((node) => 2 * nodes.block(node) + (node & 1)).join();
}

const largestKey = 2 ** 52;

const range = (pool: FlatBuilder['pool'], [first, step, last]: readonly [number, number, number]): Expr =>
  pool.apply('range', pool.const(first), pool.const(step), pool.const(last));

const sameRanges = (a: Loops['ranges'], b: Loops['ranges']): boolean =>
  a.length === b.length && a.every((own, l) => own.every((n, k) => n === b[l]![k]));

function isWide(nodes: readonly SetNode[]): boolean {
  if (nodes.length < wide) return false;
  const counts = new Map<SetNode['variable'], number>();
  for (const { variable } of nodes) counts.set(variable, (counts.get(variable) ?? 0) + 1);
  return [...counts.values()].some((n) => n >= wide);
}

/** All vectors of a roll. */
function vectorsOf({ first, loops }: Roll): number[][] {
  return loops.reduce<number[][]>(
    (all, { count: times, step }) =>
      all.flatMap((vector) =>
        Array.from({ length: times }, (_, t) => vector.map((at, k) => at + t * step[k]!)),
      ),
    [[...first]],
  );
}
