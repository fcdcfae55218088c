/**
 * Fifth step: `reinit` of the states when the mode changes. The new value of a state depends on the mode that is entered, and on
 * what has a left limit: that depends on the mode that is left and on the transition that fires. All `reinit` of one state stand in
 * one when-equation, those of the model itself included, as Modelica wants it.
 */
import type { FlatEquation, FlatVariable } from '../flat/flat.ts';
import type { Action, GuardedModel, Scalar } from '../modes/guarded.ts';
import { guardHolds, isRelevant } from '../modes/relevance.ts';
import { leaves } from '../symbolic/analyse.ts';
import type { Expr, Ref } from '../symbolic/expr.ts';
import type { Pool } from '../symbolic/pool.ts';
import type { Step } from './machines.ts';
import { type Frame, triggersOf } from './merge.ts';
import { array, choice, conjunction, equal } from './phrases.ts';
import { RestartFormulas } from './restart.ts';
import type { ModeSystem } from './systems.ts';

/** A way to a mode. */
interface Way {
  readonly from: ModeSystem;
  readonly to: ModeSystem;
  /** The transition that fires; undefined where conditions change, and where the mode stays what it is. */
  readonly step: Step | undefined;
  /** The state that is entered goes on with the values that it had. */
  readonly known: boolean;
}

type Reset = Extract<Action, { kind: 'reinit' }>;

export class Changes {
  private readonly frame: Frame;
  private readonly model: GuardedModel;
  private readonly pool: Pool;
  private readonly formulas: RestartFormulas;
  private readonly ways: readonly Way[];
  private readonly resets: readonly Reset[];
  private readonly captures: FlatEquation[] = [];
  /** Variables that keep the last value of another one. */
  private readonly lasts = new Map<Ref, Ref>();

  constructor(frame: Frame) {
    this.frame = frame;
    this.model = frame.runtime.model;
    this.pool = this.model.pool;
    this.formulas = new RestartFormulas(frame.runtime);
    this.resets = this.model.actions.filter((a): a is Reset => a.kind === 'reinit');
    this.ways = frame.systems.flatMap((to) => frame.systems.flatMap((from) => this.waysBetween(from, to)));
  }

  equations(): { equations: FlatEquation[]; symbols: number[] } {
    const { systems } = this.frame;
    const states = [...new Set(systems.flatMap((s) => [...s.states]))].sort(
      (a, b) => a.symbol - b.symbol || a.order - b.order,
    );
    const whens = new Map<string, { condition: Expr; body: { target: Expr; value: Expr }[] }>();
    for (const state of states) {
      const reset = this.resetOf(state);
      if (!reset) continue;
      const key = reset.triggers.map((t) => t.id).join(' ');
      const known = whens.get(key) ?? { condition: array(this.pool, reset.triggers), body: [] };
      known.body.push(reset);
      whens.set(key, known);
    }
    const origin = { span: undefined, component: '' };
    const equations = [...whens.values()].map(
      ({ condition, body }): FlatEquation => ({
        kind: 'when',
        branches: [{ condition, body: body.map((b) => ({ kind: 'reinit', ...b, origin })) }],
        origin,
      }),
    );
    return {
      equations: [...this.captures, ...equations],
      symbols: [...this.lasts.values()].map((r) => r.symbol),
    };
  }

  // -------------------------------------------------------------- ways

  /** How one mode can follow another: conditions change, or one transition fires. */
  private waysBetween(from: ModeSystem, to: ModeSystem): Way[] {
    const { machines } = this.frame;
    const pairs = from.members.flatMap((a) => to.members.map((b) => [a, b] as const));
    const ways: Way[] = [];
    if (from !== to && pairs.some(([a, b]) => this.sameStates(a, b)))
      ways.push({ from, to, step: undefined, known: false });
    for (const step of machines.steps) {
      if (!pairs.some(([a, b]) => this.leads(step, a, b))) continue;
      const { reset } = step.transition;
      if (reset || machines.finds(step)) ways.push({ from, to, step, known: false });
      if (!reset) ways.push({ from, to, step, known: true });
    }
    return ways;
  }

  private sameStates(a: readonly boolean[], b: readonly boolean[]): boolean {
    return this.model.machines.every(({ states, guard }) => {
      if (guardHolds(guard, a) !== guardHolds(guard, b)) return true;
      return states.every((s) => a[s.condition] === b[s.condition]);
    });
  }

  /** Whether a transition leads from one combination of conditions to another; machines inside its states may be anywhere. */
  private leads(step: Step, a: readonly boolean[], b: readonly boolean[]): boolean {
    const { machines, conditions } = this.model;
    const machine = machines[step.machine]!;
    if (!guardHolds(machine.guard, a) || !a[step.from.condition] || !b[step.to.condition]) return false;
    const moving = new Set(machine.states.map((s) => s.condition));
    for (const { states, guard } of machines)
      if (guard.some((l) => moving.has(l.condition))) for (const s of states) moving.add(s.condition);
    const matters = (k: number) => isRelevant(this.model, k, a) && isRelevant(this.model, k, b);
    return conditions.every((c, k) => !c.structural || moving.has(k) || a[k] === b[k] || !matters(k));
  }

  // -------------------------------------------------------------- one state

  private resetOf(ref: Ref): { triggers: Expr[]; target: Expr; value: Expr } | undefined {
    const { frame, pool } = this;
    const { words, alphas, systems, machines } = frame;
    const own = words.say(ref);
    const target = alphas.get(ref) ?? own;
    const triggers = new Set<Expr>();
    const changing = pool.raw('ne', [frame.next, frame.mode]);
    /** Ways by what triggers them. */
    const groups = new Map<Expr, Way[]>();
    for (const way of this.ways) {
      const trigger = way.step ? machines.fires(way.step) : equal(pool, frame.next, way.to.number);
      groups.set(trigger, [...(groups.get(trigger) ?? []), way]);
    }
    const cases: { when: Expr; value: Expr }[] = [];
    for (const [trigger, ways] of [...groups].sort(([, a], [, b]) => rank(a) - rank(b))) {
      const values = ways.map((way) => (way.to.states.has(ref) ? this.valueAfter(ref, way) : target));
      const isIdle = ways.every(
        (way, k) => values[k] === target || (values[k] === own && way.from.states.has(ref)),
      );
      if (!isIdle) triggers.add(trigger);
      cases.push({ when: trigger, value: this.byWay(ways, values) });
    }
    const selves = systems.flatMap((s) => {
      const value = s.states.has(ref) ? this.selfValue(ref, s) : own;
      return value === own ? [] : [{ when: equal(pool, frame.mode, s.number), value }];
    });
    for (const { value } of selves) for (const trigger of this.userTriggers(value)) triggers.add(trigger);
    const tracked = systems.filter((s) => alphas.has(ref) && this.isTracked(ref, s));
    for (const s of tracked) triggers.add(equal(pool, frame.mode, s.number));
    if (triggers.size === 0) return undefined;
    const needed = cases.filter((c) => triggers.has(c.when));
    // A transition without effect matters where something else may trigger at the same time.
    const others = selves.length > 0 || needed.some((c) => !isStep(c.when, groups));
    const relevant = cases
      .filter((c) => triggers.has(c.when) || (others && isStep(c.when, groups)))
      .map((c) =>
        selves.length > 0 && !isStep(c.when, groups) ? { ...c, when: pool.and(changing, c.when) } : c,
      );
    const follows = tracked.length > 0 ? own : undefined;
    const otherwise =
      selves.length > 0
        ? choice(
            pool,
            selves,
            follows
              ? pool.if(
                  frame.inModes((s) => tracked.includes(s)),
                  own,
                  target,
                )
              : target,
          )
        : follows;
    return { triggers: [...triggers], target, value: chain(pool, relevant, otherwise) };
  }

  /** The value by the mode that is left, the mode that is entered and what history there is; what is the same is not asked for. */
  private byWay(ways: readonly Way[], values: readonly Expr[]): Expr {
    const { pool, frame } = this;
    const targets = new Set(ways.map((way) => way.to));
    const cases = ways.map(({ from, to, step, known }, k) => {
      const finds = step && !step.transition.reset ? frame.machines.finds(step) : undefined;
      const when = conjunction(pool, [
        equal(pool, frame.mode, from.number),
        ...(targets.size > 1 ? [equal(pool, frame.next, to.number)] : []),
        ...(finds ? [known ? finds : pool.not(finds)] : []),
      ]);
      return { when, value: values[k]! };
    });
    return choice(pool, cases);
  }

  /** Whether alpha can follow a variable that is no state: its derivative is known there. */
  private isTracked(ref: Ref, { states, values, residuals }: ModeSystem): boolean {
    if (states.has(ref) || !(values.has(ref) || residuals.has(ref))) return false;
    const derivative = this.pool.ref(ref.symbol, ref.order + 1);
    if (values.has(derivative) || residuals.has(derivative)) return true;
    const value = values.get(ref);
    return (
      value !== undefined &&
      leaves(value).every(
        (leaf) =>
          leaf.kind !== 'time' &&
          (leaf.kind !== 'ref' || this.model.scalars[leaf.symbol]!.kind !== 'continuous'),
      )
    );
  }

  // -------------------------------------------------------------- values

  private valueAfter(ref: Ref, way: Way): Expr {
    const free = this.free(way);
    const formula = this.formulas.of(way.to, free).get(ref)!;
    return this.formulas.resolve(this.frame.words.say(formula), (r) => this.left(r, way));
  }

  /** The value in the same mode, after the resets that the model asks for. */
  private selfValue(ref: Ref, system: ModeSystem): Expr {
    const formula = this.formulas.of(system, new Set()).get(ref)!;
    if (this.resets.length === 0) return this.frame.words.say(ref);
    const value = this.formulas.resolve(this.frame.words.say(formula), (r) => this.current(r, system));
    return this.userTriggers(value).length > 0 ? value : this.frame.words.say(ref);
  }

  private free(way: Way): Set<number> {
    const { scalars } = this.model;
    return new Set(
      way.to.sorted.variables
        .filter(({ symbol, d }) => d > 0 && !this.existed(symbol, way) && !scalars[symbol]!.fixed)
        .filter(({ symbol }) => !this.inherited(symbol, way))
        .map((v) => v.symbol),
    );
  }

  /** Whether a variable has a left limit. */
  private existed(symbol: number, { from, step, known }: Way): boolean {
    if (step?.transition.actions.some((a) => a.target === symbol)) return true;
    if (step && this.frame.machines.owns(step.to, symbol)) return known;
    return from.present.has(symbol);
  }

  /** A new variable without a start value of its own may be the alias of one that has a value. */
  private inherited(symbol: number, way: Way): Expr | undefined {
    const alias = way.to.sorted.aliases.find((a) => a.target === symbol && this.existed(a.symbol, way));
    if (!alias) return undefined;
    const value = this.left(this.pool.ref(alias.symbol), way);
    return alias.sign === 1 ? value : this.pool.neg(value);
  }

  /** The left limit of a variable or derivative on a way, in the words of the text. */
  private left(ref: Ref, way: Way): Expr {
    const { pool, model } = this;
    const { words } = this.frame;
    const { from, step } = way;
    const { symbol, order } = ref;
    const scalar = model.scalars[symbol]!;
    if (order === 0) {
      const action = step?.transition.actions.find((a) => a.target === symbol);
      if (action) return words.say(action.value);
      if (step?.transition.reset && this.frame.machines.entry(step.to).shared.includes(symbol))
        return this.start(scalar, way);
      const fixed = way.to.sorted.aliases.find(
        (a) => a.target === symbol && model.scalars[a.symbol]!.fixed && !this.existed(a.symbol, way),
      );
      if (fixed) {
        const start = this.start(model.scalars[fixed.symbol]!, way);
        return fixed.sign === 1 ? start : pool.neg(start);
      }
    }
    if (this.existed(symbol, way)) {
      const held = step && this.frame.machines.owns(step.to, symbol) && step.from !== step.to;
      return held ? this.history(ref, step) : this.current(ref, from);
    }
    const value = scalar.fixed ? undefined : this.inherited(symbol, way);
    if (order > 0) return pool.zero;
    return value ?? this.start(scalar, way);
  }

  private start({ start = this.pool.zero }: Scalar, { from, step }: Way): Expr {
    const { machines, words } = this.frame;
    return words.say(step ? machines.foreseen(step.to, start, (s) => from.present.has(s)) : start);
  }

  /** The present value, after the resets that the model asks for. */
  private current(ref: Ref, system: ModeSystem): Expr {
    const { pool } = this;
    const { words } = this.frame;
    let value = words.say(ref);
    if (ref.order > 0) return value;
    const names = new Map([[ref.symbol, 1]]);
    for (const a of system.sorted.aliases) if (a.target === ref.symbol) names.set(a.symbol, a.sign);
    for (const { target, fire, value: set, guard } of [...this.resets].reverse()) {
      const sign = names.get(target);
      if (sign === undefined || !system.members.some((m) => guardHolds(guard, m))) continue;
      const said = words.say(set);
      value = pool.if(words.say(fire), sign === 1 ? said : pool.neg(said), value);
    }
    return value;
  }

  /** The Booleans of when-equations that a value depends on. */
  private userTriggers(value: Expr): Expr[] {
    const { words } = this.frame;
    const inside = new Set<Expr>(leaves(value));
    return [...new Set(this.resets.flatMap((r) => triggersOf(this.model, words, r.fire)))].filter((t) =>
      inside.has(t),
    );
  }

  /** What a variable of a state was when the state was left: alpha keeps it, or a variable made for that. */
  private history(ref: Ref, step: Step): Expr {
    const { systems, alphas, words, machines } = this.frame;
    const alpha = alphas.get(ref);
    if (alpha && systems.every((s) => !s.present.has(ref.symbol) || s.states.has(ref))) return alpha;
    let last = this.lasts.get(ref);
    if (!last) {
      const own = words.say(ref);
      const name = own.kind === 'ref' ? words.nameOf(own.symbol) : 'value';
      const attributes: Partial<FlatVariable> = {
        variability: 'discrete',
        description: `Last value of ${name} while it existed`,
        start: this.pool.zero,
        fixed: true,
      };
      last = words.declare(`last_${name}`, attributes);
      this.lasts.set(ref, last);
      const { origin } = this.model.machines[step.machine]!;
      const body = [{ kind: 'assign' as const, target: last, value: own, origin }];
      this.captures.push({ kind: 'when', branches: [{ condition: machines.leaves(step.to), body }], origin });
    }
    return last;
  }
}

/** Transitions come before changes of conditions. */
const rank = (ways: readonly Way[]): number => (ways[0]!.step ? 0 : 1);

const isStep = (trigger: Expr, groups: ReadonlyMap<Expr, readonly Way[]>): boolean =>
  rank(groups.get(trigger)!) === 0;

/** The first case that holds counts; without `otherwise` the last one is left. */
function chain(pool: Pool, cases: readonly { when: Expr; value: Expr }[], otherwise: Expr | undefined): Expr {
  let result = otherwise;
  for (const { when, value } of [...cases].reverse()) result = result ? pool.if(when, value, result) : value;
  return result!;
}
