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
  instancesDiffer,
  isExpandable,
  kindsDiffer,
  membersDiffer,
  onlyOneHasMembers,
  variablesDiffer,
} from '../../model/types/connectors.ts';
import { dimsName } from '../../model/value.ts';
import type { Expr } from '../../symbolic/expr.ts';
import type * as ast from '../../syntax/ast.ts';
import { type ConnectionAnswers, type Context, type FlatBuilder, originOf, report } from '../core/context.ts';
import { count } from '../core/values.ts';
import { bindingOf } from '../expressions/bindings.ts';
import { fixedValue } from '../expressions/constants.ts';
import { constraintOf } from '../expressions/graph.ts';
import { refName } from '../expressions/references.ts';
import type { FlatEquation, Guard } from '../flat.ts';
import { type Agreement, agreements, quantitiesDiffer } from './agreements.ts';
import { partialSides, resolveElement, type Singles } from './elements.ts';
import { crossed, type End, endOf, iteratorsAround, matchedSpots, placesOf, type Spot } from './ends.ts';
import { Expansion, missingIn } from './expandable.ts';
import { connectionEquations, setsOf } from './kirchhoff.ts';
import { OverdeterminedGraph } from './overdetermined.ts';
import type { ConnectionSets, Pair } from './sets.ts';

/** The connect that a pair comes from, and when it exists. */
type Cause = Pick<Pair, 'origin' | 'guard'> & { readonly node: ast.Node; readonly context: Context };

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
    const left = endOf(node.left, context);
    const right = endOf(node.right, context);
    if (!left || !right) return;
    if (!this.sizesFit(left.dims, right.dims, node, context)) return;
    const around = iteratorsAround(context);
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
    const places = [left, right].map((end) => placesOf(end, around, byElement, context));
    if (!places[0] || !places[1]) return;
    const held = this.builder.guardOf(context.scope.instance);
    const cause: Cause = { origin: originOf(node, context), guard: [...held, ...this.branch], node, context };
    for (const [a, b] of matchedSpots(places[0], places[1])) {
      const guard = this.whereBoth(a.item, b.item, cause.guard);
      for (const { item, numbers } of [a, b])
        this.named.push({ connector: item, times: numbers.length, guard });
      this.noteUse(a, b, { ...cause, guard }, node.left);
      this.noteUse(b, a, { ...cause, guard }, node.right);
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
      const other = missing[1 - k] ? undefined : endOf(sides[1 - k]!, context);
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
  private noteUse({ item: member }: Spot, other: Spot, cause: Cause, side: ast.ComponentRef): void {
    const connector = member.parent;
    if (!isExpandable(connector) || isExpandable(other.item) || isExpandable(other.item.parent)) return;
    const { node, context, guard } = cause;
    const signal = other.item.kind === 'variable' && other.item.causality ? other.item : undefined;
    const gives = !signal || (signal.causality === 'input') === other.outside;
    const isWhole = guard.length === 0 && side.parts.at(-1)!.subscripts.length === 0;
    const source = gives && isWhole ? signal : undefined;
    this.expansion.use({ member, connector, gives, source, node, context });
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

const isFixed = ({ variability }: VariableInstance): boolean =>
  variability === 'parameter' || variability === 'constant';
