/**
 * Connections (Modelica 3.6, chapter 9). `connect` pairs the primitive variables of two connectors; pairs are joined into
 * connection sets (`sets.ts`), which give the equations (`kirchhoff.ts`).
 *
 * A connect in a for-equation, or in the class of a uniform array of components, is taken up once: its pairs have the numbers of
 * all elements that it connects. Connections and connectors may exist only sometimes: a connect exists under the branches of the
 * if-equations around it and while the class that holds it does; a connector in a state of a state machine is a member of its set
 * only while the state is active.
 */

import { sameItems } from '../../collections/lists.ts';
import type { Instance, ObjectInstance, VariableInstance } from '../../model/instance.ts';
import {
  connectorHint,
  instancesDiffer,
  isConnector,
  isExpandable,
  kindsDiffer,
  membersDiffer,
  onlyOneHasMembers,
  variablesDiffer,
} from '../../model/types/connectors.ts';
import { dimsName } from '../../model/value.ts';
import type { Expr } from '../../symbolic/expr.ts';
import type * as ast from '../../syntax/ast.ts';
import {
  type ConnectionAnswers,
  type Context,
  type FlatBuilder,
  type Loop,
  originOf,
  refuse,
  report,
} from '../core/context.ts';
import { outerDims, partsOf } from '../core/families.ts';
import { count } from '../core/values.ts';
import { bindingOf } from '../expressions/bindings.ts';
import { fixedValue, numberAt, numbers } from '../expressions/constants.ts';
import { constraintOf } from '../expressions/graph.ts';
import { refName, type Selection, select, symbolDims, unresolved } from '../expressions/references.ts';
import { type Index, indicesOf, keptSizes } from '../expressions/subscripts.ts';
import type { FlatEquation, Guard } from '../flat.ts';
import { type Agreement, agreements, quantitiesDiffer } from './agreements.ts';
import { partialSides, resolveElement, type Singles } from './elements.ts';
import { Expansion, missingIn } from './expandable.ts';
import { connectionEquations, setsOf } from './kirchhoff.ts';
import { OverdeterminedGraph } from './overdetermined.ts';
import type { ConnectedSide, ConnectionSets, Pair } from './sets.ts';

/** One side of a connect after looking it up: connectors, or elements of an array of causal connectors. */
interface End {
  readonly node: ast.ComponentRef;
  readonly selection: Selection;
  readonly outside: boolean;
  /** Subscripts of the variable that it names, if it has any. */
  readonly own: readonly Index[] | undefined;
  readonly dims: readonly number[];
  readonly name: string;
}

/** The connect that a pair comes from, and when it exists. */
type Cause = Pick<Pair, 'origin' | 'guard'> & { readonly node: ast.Node; readonly context: Context };

/** An iterator around a connect, with its values. */
type Around = Pick<Loop, 'iterator' | 'values'>;

/** Elements on one side of a connect: those of all values of the iterators around it, then all that are selected in uniform arrays. */
type Side = Omit<ConnectedSide, 'variable'>;

/** A component on one side of a connect, with the numbers of its elements in uniform arrays. */
interface Spot extends Side {
  readonly item: Instance;
}

/** What one side of a connect names. */
interface Places extends Side {
  readonly items: readonly Instance[];
  /** How many elements are selected of each item. */
  readonly selected: number;
}

/** How much there was before an attempt. */
interface ConnectionMark {
  readonly pairs: number;
  readonly fixed: number;
  readonly named: number;
  readonly graph: ReturnType<OverdeterminedGraph['mark']>;
  readonly expansion: ReturnType<Expansion['mark']>;
}

/** Pairs that one connect may stand for. */
const mostPairs = 1e7;

export class Connections {
  private readonly pairs: Pair[] = [];
  /** Pairs of parameters, whose values are known only when a run begins. */
  private readonly fixed: Pair[] = [];
  /** Connects that name connectors, and how often, for `cardinality`. */
  private readonly named: { readonly connector: Instance; readonly times: number; readonly guard: Guard }[] =
    [];
  private readonly graph: OverdeterminedGraph;
  readonly expansion = new Expansion();
  /** Literals of the branches around the connects that are being taken up. */
  private branch: Guard = [];

  constructor(private readonly builder: FlatBuilder) {
    this.graph = new OverdeterminedGraph(builder);
  }

  /** What `work` connects exists only where a guard holds. */
  within<T>(guard: Guard, work: () => T): T {
    const outer = this.branch;
    this.branch = [...outer, ...guard];
    const result = work();
    this.branch = outer;
    return result;
  }

  /** How many pairs there are, so that those of an attempt at translation can be taken back. */
  mark(): ConnectionMark {
    return {
      pairs: this.pairs.length,
      fixed: this.fixed.length,
      named: this.named.length,
      graph: this.graph.mark(),
      expansion: this.expansion.mark(),
    };
  }

  rewind({ pairs, fixed, named, graph, expansion }: ConnectionMark): void {
    this.expansion.rewind(expansion);
    this.pairs.length = pairs;
    this.fixed.length = fixed;
    this.named.length = named;
    this.graph.rewind(graph);
  }

  /** What is connected, when all connects are taken up. */
  sets(): ConnectionSets {
    return setsOf(this.builder, this.pairs);
  }

  equations(sets: ConnectionSets): FlatEquation[] {
    return [...connectionEquations(this.builder, sets), ...this.graph.equations()];
  }

  /** Assertions that connected parameters have the same values, each with the guard under which it is due. */
  agreements(): Agreement[] {
    return agreements(this.builder, this.fixed);
  }

  /** What is known of connections when all of them are taken up. */
  answers(): ConnectionAnswers {
    const { pool, conditions } = this.builder;
    const cardinality = new Map<Instance, Expr>();
    for (const { connector, times, guard } of this.named) {
      const holds = guard.map(({ condition, value }) => {
        const test = conditions[condition]!.value;
        return value ? test : pool.not(test);
      });
      const all = pool.const(times);
      const own =
        holds.length === 0
          ? all
          : pool.if(
              holds.reduce((a, b) => pool.and(a, b)),
              all,
              pool.zero,
            );
      cardinality.set(connector, pool.add(cardinality.get(connector) ?? pool.zero, own));
    }
    return { rootedness: this.graph.rootedness(), cardinality };
  }

  /** Takes up `Connections.branch`, `root` or `potentialRoot`. */
  operator(name: string, node: ast.Call, context: Context): void {
    const full = `\`Connections.${name}\``;
    if (context.place !== 'equation')
      report('bad-call', `${full} cannot stand here.`, node, context, {
        hint: 'Write it in an equation section, outside of `when` and of initial equations.',
      });
    else if (this.branch.length > 0)
      report('variability', `${full} stands in an if-equation whose condition can change.`, node, context, {
        hint: 'Its condition must be a parameter expression. Connects and states of state machines may change: they choose new roots.',
      });
    else this.graph.operator(name, node, this.builder.guardOf(context.scope.instance), context);
  }

  /** Takes up `connect(left, right)`; connections to absent conditional components vanish. */
  connect(node: ast.ConnectEquation, context: Context): void {
    const sides = partialSides([node.left, node.right], context);
    if (sides === 'failed') return;
    if (!sides) {
      this.connectAll(node, context);
      return;
    }
    const [left, right] = sides as [Singles, Singles];
    if (!this.sizesFit(left.dims, right.dims, node, context)) return;
    for (const [k, one] of left.refs.entries())
      this.connectAll({ ...node, left: one, right: right.refs[k]! }, context);
  }

  private connectAll(node: ast.ConnectEquation, context: Context): void {
    if (this.expands(node, context)) return;
    const left = this.end(node.left, context);
    const right = this.end(node.right, context);
    if (!left || !right) return;
    if (!this.sizesFit(left.dims, right.dims, node, context)) return;
    const around = this.around(context);
    const total = around.reduce((n, { values }) => n * values.length, count(left.dims));
    if (total > mostPairs) {
      const message = `This connects ${total} pairs, more than ${mostPairs}.`;
      report('limit-exceeded', message, node, context);
      return;
    }
    // Elements of an array variable may be paired with components that are not parts of one variable.
    const byElement =
      left.own !== undefined ||
      right.own !== undefined ||
      left.selection.dims.length !== right.selection.dims.length;
    const places = [left, right].map((end) => this.placesOf(end, around, byElement, context));
    if (!places[0] || !places[1]) return;
    const held = this.builder.guardOf(context.scope.instance);
    const cause: Cause = { origin: originOf(node, context), guard: [...held, ...this.branch], node, context };
    for (const [a, b] of matchedSpots(places[0], places[1])) {
      const guard = this.whereBoth(a.item, b.item, cause.guard);
      for (const { item, numbers } of [a, b])
        this.named.push({ connector: item, times: numbers.length, guard });
      this.noteUse(a, b, node, context);
      this.noteUse(b, a, node, context);
      const difference = this.pairTree(a, b, cause);
      if (difference === undefined) continue;
      this.reportDifference(left, right, a, b, difference, node, context);
      return;
    }
  }

  private sizesFit(
    left: readonly number[],
    right: readonly number[],
    node: ast.ConnectEquation,
    context: Context,
  ): boolean {
    if (sameItems(left, right)) return true;
    const message = `\`${refName(node.left)}\` and \`${refName(node.right)}\` have different sizes: ${dimsName(left)} and ${dimsName(right)}.`;
    report('dimension-mismatch', message, node, context);
    return false;
  }

  /** A connect is there while both that it names are. */
  private whereBoth(a: Instance, b: Instance, guard: Guard): Guard {
    const all = [...guard, ...this.builder.guardOf(a), ...this.builder.guardOf(b)];
    return all.filter(({ condition }, k) => all.findIndex((other) => other.condition === condition) === k);
  }

  /** Whether a side names what an expandable connector does not have yet; a connect with an absent component adds nothing to it. */
  private expands(node: ast.ConnectEquation, context: Context): boolean {
    const sides = [node.left, node.right];
    const missing = sides.map((side) => missingIn(side, context));
    const vanishes = sides.some((side, k) => !missing[k] && resolveElement(side, context)?.kind === 'absent');
    if (vanishes) return missing.some((own) => own);
    for (const [k, own] of missing.entries()) {
      if (!own) continue;
      const other = missing[1 - k] ? undefined : this.end(sides[1 - k]!, context);
      const like = other?.selection.items[0];
      this.expansion.wish(own, like && { like, dims: other.dims }, context);
    }
    return missing.some((own) => own);
  }

  private reportDifference(
    left: End,
    right: End,
    a: Spot,
    b: Spot,
    difference: string,
    node: ast.ConnectEquation,
    context: Context,
  ): void {
    const message = `\`${left.name}\` and \`${right.name}\` cannot be connected: ${difference}.`;
    report('connector-mismatch', message, node, context, {
      notes: [
        { message: `\`${left.name}\` is declared here`, span: a.item.span },
        { message: `\`${right.name}\` is declared here`, span: b.item.span },
      ],
    });
  }

  /** Notes what a member of an expandable connector is connected with. */
  private noteUse({ item: member }: Spot, other: Spot, node: ast.Node, context: Context): void {
    const connector = member.parent;
    if (!isExpandable(connector) || isExpandable(other.item) || isExpandable(other.item.parent)) return;
    const causality = other.item.kind === 'variable' ? other.item.causality : undefined;
    const gives = causality === undefined || (causality === 'input') === other.outside;
    this.expansion.use({ member, connector, gives, node, context });
  }

  private end(node: ast.ComponentRef, context: Context): End | undefined {
    const resolution = resolveElement(node, context);
    if (!resolution || resolution.kind === 'absent') return undefined;
    if (resolution.kind !== 'component') {
      unresolved(node, resolution, context);
      return undefined;
    }
    const selection = select(node, resolution, context);
    if (!selection) return undefined;
    const name = refName(node);
    const first = selection.items[0];
    if (selection.dynamic) return this.notFixed(node, context);
    if (first && !isConnector(first))
      return refuse('not-a-connector', `\`${name}\` is not a connector.`, node, context, {
        hint:
          first.kind === 'object'
            ? connectorHint(name, partsIn(first))
            : 'Write an equation instead of connect.',
      });
    const outside = isConnector(resolution.parts[0]!.instance);
    const plain = { node, selection, outside, own: undefined, dims: selection.dims, name };
    return first?.kind === 'variable' ? this.variableEnd(plain, first, context) : plain;
  }

  /** A side that names variables: causal connectors such as `u[2]`. */
  private variableEnd(end: End, first: VariableInstance, context: Context): End | undefined {
    const { selection, node } = end;
    const dims = [...selection.dims, ...first.dims];
    if (selection.subscripts.length === 0) return { ...end, dims };
    const part = node.parts[node.parts.length - 1]!;
    const { dims: sizes, indexTypes } = first;
    const own = indicesOf(selection.subscripts, sizes, part, context, indexTypes);
    if (!own) return undefined;
    if (selection.items.length !== 1) {
      const message = `\`${end.name}\` chooses elements in several components.`;
      return refuse('unsupported', message, node, context);
    }
    return { ...end, own, dims: [...selection.dims, ...keptSizes(own, first.dims)] };
  }

  private notFixed(node: ast.ComponentRef, context: Context): undefined {
    const message = `The subscripts of \`${refName(node)}\` must be fixed in a connect.`;
    report('variability', message, node, context);
  }

  /** Iterators around a connect, outermost first: numbers of elements of uniform arrays, then those of for-equations. */
  private around({ scope, loop }: Context): Around[] {
    const loops: Around[] = [];
    for (let at = loop; at; at = at.outer) loops.unshift({ iterator: at.iterator, values: at.values });
    const elements = this.builder.families.around(scope.instance).flatMap(({ array, iterators }) =>
      iterators.map((iterator, d) => ({
        iterator,
        values: Array.from({ length: array.dims[d]! }, (_, k) => k + 1),
      })),
    );
    return [...elements, ...loops];
  }

  /** The numbers of the elements that an end names. */
  private placesOf(
    end: End,
    around: readonly Around[],
    byElement: boolean,
    context: Context,
  ): Places | undefined {
    const { selection, outside } = end;
    const { items, dims, listed } = selection;
    const first = items[0];
    if (!first) return { items, numbers: [], selected: 0, outside, named: false };
    const named = byElement && first.kind === 'variable' && first.dims.length > 0;
    const own = named ? first.dims.map((_, d): Index => end.own?.[d] ?? { kind: 'all' }) : [];
    const arrays = this.builder.families
      .around(first)
      .flatMap(({ array }) => array.dims.map(() => array.name));
    const indices = [...selection.numbers, ...own];
    const names = [...arrays, ...own.map(() => first.name)];
    const sizes =
      first.kind === 'variable' && named
        ? symbolDims(this.builder, first)
        : outerDims(this.builder.families.around(first));
    const numbers = this.numbersOf({ indices, names, sizes, around }, end.node, context);
    if (!numbers) return undefined;
    const selected = count(named ? end.dims.slice(listed) : dims.slice(listed));
    return { items, numbers, selected, outside, named };
  }

  /** Row-major numbers of all elements that subscripts select: for all values of the iterators, then for all that they select. */
  private numbersOf(
    { indices, names, sizes, around }: Subscripted,
    node: ast.ComponentRef,
    context: Context,
  ): ArrayLike<number> | undefined {
    const rounds = around.reduce((n, { values }) => n * values.length, 1);
    let result: ArrayLike<number> = new Int32Array(rounds);
    for (const [d, index] of indices.entries()) {
      const size = sizes[d]!;
      const chosen = this.chosenBy(index, size, around, rounds);
      if (!chosen) return this.notFixed(node, context);
      const outside = chosen.find((at) => !(at >= 1 && at <= size));
      if (outside !== undefined) {
        const message = `Subscript ${outside} of \`${names[d]}\` is outside: the dimension goes from 1 to ${size}.`;
        return refuse('bad-subscript', message, node, context);
      }
      result =
        index.kind === 'element' ? scaled(result, size, chosen, rounds) : crossed(result, size, chosen);
    }
    return result;
  }

  /** The values of a subscript: by values of the iterators, or all that it selects. */
  private chosenBy(
    index: Index,
    size: number,
    around: readonly Around[],
    rounds: number,
  ): Int32Array | undefined {
    if (index.kind === 'all') return Int32Array.from({ length: size }, (_, k) => k + 1);
    if (index.kind === 'slice') {
      const value = fixedValue(this.builder, index.expr);
      return value === undefined ? undefined : Int32Array.from(numbers(value));
    }
    return valuesOver(this.builder, index.expr, around, rounds);
  }

  /** Walks two connectors in parallel; returns what differs. */
  private pairTree(left: Spot, right: Spot, cause: Cause): string | undefined {
    const [a, b] = [left.item, right.item];
    if (constraintOf(a) && constraintOf(b)) {
      const difference = instancesDiffer(a, b);
      if (difference === undefined) this.graph.connect(a, b, cause.guard, cause.node, cause.context);
      return difference;
    }
    if (a.kind === 'variable' && b.kind === 'variable') {
      const difference = variablesDiffer(a, b, left.named || right.named);
      if (difference !== undefined) return difference;
      const { origin, guard } = cause;
      this.builder.diagnostics.push(...quantitiesDiffer(a, b, origin.span));
      const side = ({ item: _, ...own }: Spot, variable: VariableInstance) => ({ ...own, variable });
      const pair = { left: side(left, a), right: side(right, b), origin, guard };
      if (isFixed(a) && this.isKnown(a) && this.isKnown(b)) return this.valuesDiffer(a, b);
      (isFixed(a) ? this.fixed : this.pairs).push(pair);
      return undefined;
    }
    if (a.kind !== 'object' || b.kind !== 'object') return onlyOneHasMembers;
    const kinds = kindsDiffer(a, b);
    if (kinds !== undefined) return kinds;
    if (isExpandable(a) && isExpandable(b)) this.expansion.join(a, b);
    if (a.dims.length > 0 || b.dims.length > 0) return this.pairArrays(left, right, a, b, cause);
    const names = membersDiffer(a, b);
    if (names !== undefined) return names;
    for (const [name, member] of a.members) {
      const other = b.members.get(name)!;
      const difference = this.pairTree({ ...left, item: member }, { ...right, item: other }, cause);
      if (difference !== undefined) return difference;
    }
    return undefined;
  }

  /** Whether its value is the same in all runs. */
  private isKnown(variable: VariableInstance): boolean {
    return variable.variability === 'constant' || this.builder.isStructural(variable);
  }

  /** Constants and parameters of connected connectors must be equal (section 9.3). */
  private valuesDiffer(a: VariableInstance, b: VariableInstance): string | undefined {
    const [left, right] = [a, b].map((one) => {
      const value = bindingOf(this.builder, one);
      return value && fixedValue(this.builder, value.expr)?.items.join();
    });
    if (left === undefined || right === undefined || left === right) return undefined;
    return `the ${a.variability}s \`${a.path}\` and \`${b.path}\` have different values, ${left} and ${right}`;
  }

  /** Arrays of connectors inside connectors, element by element or, where both are uniform, all elements at once. */
  private pairArrays(
    left: Spot,
    right: Spot,
    a: ObjectInstance,
    b: ObjectInstance,
    cause: Cause,
  ): string | undefined {
    const size = count(a.dims);
    if (a.dims.length === 0 || b.dims.length === 0 || size !== count(b.dims)) {
      return `\`${a.name}\` and \`${b.name}\` have different sizes`;
    }
    const { families } = this.builder;
    const all = Int32Array.from({ length: size }, (_, k) => k + 1);
    if (families.of(a) && families.of(b)) {
      const within = (spot: Spot, array: ObjectInstance): Spot => ({
        ...spot,
        item: array.template!,
        numbers: crossed(spot.numbers, size, all),
      });
      return this.pairTree(within(left, a), within(right, b), cause);
    }
    const at = (spot: Spot, array: ObjectInstance, k: number): Spot =>
      families.of(array)
        ? { ...spot, item: array.template!, numbers: Int32Array.from(spot.numbers, (n) => n * size + k) }
        : { ...spot, item: array.elements[k]! };
    for (let k = 0; k < size; k++) {
      const difference = this.pairTree(at(left, a, k), at(right, b, k), cause);
      if (difference !== undefined) return difference;
    }
    return undefined;
  }
}

/** Subscripts of a symbol, with the sizes of its dimensions and what they are dimensions of. */
interface Subscripted {
  readonly indices: readonly Index[];
  readonly names: readonly string[];
  readonly sizes: readonly number[];
  readonly around: readonly Around[];
}

/** Pairs the components of two sides; where they are listed differently, one by one. */
function* matchedSpots(left: Places, right: Places): Generator<readonly [Spot, Spot]> {
  const spot = ({ items, numbers: own, outside, named }: Places, m: number): Spot => ({
    item: items[m]!,
    numbers: own,
    outside,
    named,
  });
  if (left.selected === right.selected) {
    for (const m of left.items.keys()) yield [spot(left, m), spot(right, m)];
    return;
  }
  const single = (places: Places, d: number): Spot => {
    const { numbers: own, selected } = places;
    const k = d % selected;
    const rounds = own.length / selected;
    const strided = Int32Array.from({ length: rounds }, (_, round) => own[round * selected + k]!);
    return { ...spot(places, Math.floor(d / selected)), numbers: strided };
  };
  for (let d = 0; d < left.items.length * left.selected; d++) yield [single(left, d), single(right, d)];
}

/** `result * size + chosen - 1`, where a subscript has one value for each value of the iterators. */
function scaled(
  result: ArrayLike<number>,
  size: number,
  chosen: ArrayLike<number>,
  rounds: number,
): ArrayLike<number> {
  const each = result.length / rounds;
  const all = new Int32Array(result.length);
  for (let k = 0; k < all.length; k++)
    all[k] = result[k]! * size + chosen[each === 1 ? k : Math.floor(k / each)]! - 1;
  return all;
}

/** The same where a subscript selects several elements, for each value of the iterators. */
function crossed(result: ArrayLike<number>, size: number, chosen: ArrayLike<number>): Int32Array {
  const each = chosen.length;
  const all = new Int32Array(result.length * each);
  for (let k = 0; k < result.length; k++)
    for (let e = 0; e < each; e++) all[k * each + e] = result[k]! * size + chosen[e]! - 1;
  return all;
}

/** The values of an expression of iterators, the last iterator fastest; undefined where it has none. */
function valuesOver(
  builder: FlatBuilder,
  expr: Expr,
  around: readonly Around[],
  rounds: number,
): Int32Array | undefined {
  const result = new Int32Array(rounds);
  if (expr.kind === 'const') return result.fill(expr.value);
  const affine = affineIn(expr, around);
  const current = around.map(({ values }) => values[0]!);
  const position = around.map(() => 0);
  for (let k = 0; k < rounds; k++) {
    const value = affine
      ? affine.reduce((sum, factor, l) => sum + factor * (current[l] ?? 1), 0)
      : numberAt(builder, expr, (iterator) => current[around.findIndex((a) => a.iterator === iterator)]);
    if (value === undefined) return undefined;
    result[k] = value;
    for (let l = around.length - 1; l >= 0; l--) {
      const { values } = around[l]!;
      position[l] = (position[l]! + 1) % values.length;
      current[l] = values[position[l]!]!;
      if (position[l] !== 0) break;
    }
  }
  return result;
}

/** Factors of the iterators, and a constant last, of an expression that is affine in them. */
function affineIn(expr: Expr, around: readonly Around[]): number[] | undefined {
  const constant = around.length;
  if (expr.kind === 'const' || expr.kind === 'iter') {
    const result = new Array<number>(constant + 1).fill(0);
    if (expr.kind === 'const') result[constant] = expr.value;
    else {
      const l = around.findIndex(({ iterator }) => iterator === expr.iterator);
      if (l < 0) return undefined;
      result[l] = 1;
    }
    return result;
  }
  if (expr.kind !== 'apply') return undefined;
  const [a, b] = expr.args.map((arg) => affineIn(arg, around));
  const combined = (own: (x: number, y: number) => number): number[] | undefined =>
    a && b && a.map((x, k) => own(x, b[k]!));
  switch (expr.op) {
    case 'add':
      return combined((x, y) => x + y);
    case 'sub':
      return combined((x, y) => x - y);
    case 'neg':
      return a?.map((x) => -x);
    case 'mul': {
      const isConstant = (f: number[] | undefined) => f?.slice(0, constant).every((x) => x === 0);
      if (a && b && isConstant(a)) return b.map((x) => x * a[constant]!);
      return a && b && isConstant(b) ? a.map((x) => x * b[constant]!) : undefined;
    }
    default:
      return undefined;
  }
}

/** Those of one element of an array. */
function partsIn(instance: ObjectInstance): Iterable<Instance> {
  const single = instance.dims.length > 0 ? partsOf(instance)[0] : instance;
  return (single?.kind === 'object' ? single : instance).members.values();
}

const isFixed = ({ variability }: VariableInstance): boolean =>
  variability === 'parameter' || variability === 'constant';
