/**
 * Fifth step: `reinit` of the states when the mode changes. The new value of a state depends on the mode that is entered, and on
 * what has a left limit: that depends on the mode that is left and on the transition that fires. All `reinit` of one state stand in
 * one when-equation, those of the model itself included, as Modelica wants it.
 */

import { grouped } from '../collections/groups.ts';
import { remember } from '../collections/memo.ts';
import { Failure } from '../diagnostic/failure.ts';
import type { FlatAction, FlatEquation } from '../flat/flat.ts';
import type { Action, Scalar } from '../modes/guarded.ts';
import { guardHolds, isRelevant } from '../modes/relevance.ts';
import { aliasOf } from '../structure/analysis.ts';
import { leaves } from '../symbolic/analyse.ts';
import type { Expr, Ref } from '../symbolic/expr.ts';
import type { Pool } from '../symbolic/pool.ts';
import { triggersOf } from './discrete.ts';
import type { ExportFrame } from './frame.ts';
import type { MachineStep } from './machines.ts';
import { array, type Case, chain, choice, conjunction, equal, nowhereInText, whenever } from './phrases.ts';
import { RestartFormulas } from './restart.ts';
import type { ModeSystem } from './systems.ts';

/** A way to a mode. */
interface Way {
  readonly from: ModeSystem;
  readonly to: ModeSystem;
  /** The transitions that fire, of each machine one at most; none where conditions change. */
  readonly steps: readonly Taken[];
}

/** A transition that fires; `known` where the state that is entered goes on with the values that it had. */
interface Taken {
  readonly step: MachineStep;
  readonly known: boolean;
}

type Reset = Extract<Action, { kind: 'reinit' }>;

export class ChangeWriter {
  private readonly formulas: RestartFormulas;
  private readonly ways: readonly Way[];
  private readonly resets: readonly Reset[];
  private readonly captures: FlatEquation[] = [];
  /** Variables that keep the last value of another one. */
  private readonly lasts = new Map<Ref, Ref>();

  constructor(private readonly frame: ExportFrame) {
    this.formulas = new RestartFormulas(frame.collection);
    this.resets = this.frame.model.actions.filter((a): a is Reset => a.kind === 'reinit');
    this.checkResets();
    this.ways = frame.systems.flatMap((to) => frame.systems.flatMap((from) => this.waysBetween(from, to)));
  }

  /** What the model resets must be a state: nothing else in the text can be set. */
  private checkResets(): void {
    const { frame } = this;
    const { pool } = frame;
    for (const { target, guard, origin } of this.resets) {
      for (const { sorted, states, members, mode } of frame.systems) {
        if (!members.some((m) => guardHolds(guard, m))) continue;
        const own = aliasOf(sorted.aliases, target)?.target ?? target;
        const isDynamic = sorted.variables.some((v) => v.symbol === own && v.d > 0);
        if (!isDynamic || states.has(pool.ref(own))) continue;
        const name = frame.collection.wording.nameOf(target);
        const message = `reinit sets ${name}, which is no state in the mode ${mode.signature}: others would have to follow it.`;
        const hint = `Give ${name} the attribute stateSelect = StateSelect.prefer.`;
        throw Failure.of('translate', 'not-exportable', message, { span: origin.span, hint });
      }
    }
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
      const condition = array(this.frame.pool, reset.triggers);
      remember(whens, key, () => ({ condition, body: [] })).body.push(reset);
    }
    const origin = nowhereInText;
    const equations = [...whens.values()].map(({ condition, body }) =>
      whenever(
        condition,
        body.map((b) => ({ kind: 'reinit', ...b, origin })),
      ),
    );
    return {
      equations: [...this.captures, ...equations],
      symbols: [...this.lasts.values()].map((r) => r.symbol),
    };
  }

  // -------------------------------------------------------------- ways

  /** How one mode can follow another: conditions change, or transitions fire. */
  private waysBetween(from: ModeSystem, to: ModeSystem): Way[] {
    const ways = new Map<string, Way>();
    for (const a of from.members) {
      for (const b of to.members) {
        for (const steps of this.stepsBetween(a, b)) {
          if (steps.length === 0 && from === to) continue;
          const key = steps.map((s) => `${s.step.machine}.${s.step.number}.${s.known}`).join(' ');
          ways.set(key, { from, to, steps });
        }
      }
    }
    return [...ways.values()];
  }

  /** The transitions that lead from one combination of conditions to another. They fire when conditions have settled. */
  private stepsBetween(a: readonly boolean[], b: readonly boolean[]): Taken[][] {
    const { machines, conditions } = this.frame.model;
    let found: Taken[][] = [[]];
    for (const [k, { states, guard }] of machines.entries()) {
      if (!guardHolds(guard, a)) continue;
      const active = (values: readonly boolean[]) => states.find((s) => values[s.condition]);
      const own = this.frame.machines.steps.filter(
        (s) => s.machine === k && s.from === active(a) && s.to === active(b),
      );
      const stays = active(a) === active(b) || !guardHolds(guard, b);
      found = found.flatMap((before) => {
        const isLeft = guard.some((l) => before.some((t) => t.step.from.condition === l.condition));
        if (isLeft) return [before];
        return [...(stays ? [before] : []), ...own.flatMap((s) => this.taken(s)).map((t) => [...before, t])];
      });
    }
    const matters = (k: number) => isRelevant(this.frame.model, k, a) && isRelevant(this.frame.model, k, b);
    const settled = conditions.every(
      (c, k) => !c.structural || c.machine !== undefined || a[k] === b[k] || !matters(k),
    );
    return settled ? found : found.filter((steps) => steps.length === 0);
  }

  private taken(step: MachineStep): Taken[] {
    const isReset = step.transition.reset;
    const possible = isReset ? [false] : this.frame.machines.finds(step) ? [true, false] : [true];
    return possible.map((known) => ({ step, known }));
  }

  // -------------------------------------------------------------- one state

  private resetOf(ref: Ref): { triggers: Expr[]; target: Expr; value: Expr } | undefined {
    const { frame } = this;
    const { pool, words, alphas, systems, machines } = frame;
    const own = words.say(ref);
    const target = alphas.get(ref) ?? own;
    const triggers = new Set<Expr>();
    const changing = pool.raw('ne', [frame.next, frame.mode]);
    /** Ways by what triggers them. */
    const groups = grouped(this.ways, (way) => {
      const fires = way.steps.map((t) => machines.fires(t.step));
      return fires.length > 0 ? conjunction(pool, fires) : equal(pool, frame.next, way.to.number);
    });
    const cases: Case[] = [];
    const active = new Set<Expr>();
    for (const [trigger, ways] of [...groups].sort(([, a], [, b]) => rank(a) - rank(b))) {
      const values = ways.map((way) => (way.to.states.has(ref) ? this.valueAfter(ref, way) : target));
      const isIdle = ways.every(({ from }, k) => {
        const value = values[k]!;
        return (
          value === target || (from.states.has(ref) && (value === own || value === this.current(ref, from)))
        );
      });
      if (!isIdle) active.add(trigger);
      cases.push({ when: trigger, value: this.byWay(ways, values) });
    }
    const selves = systems.flatMap((s) => {
      const value = s.states.has(ref) ? this.current(ref, s) : own;
      return value === own ? [] : [{ when: equal(pool, frame.mode, s.number), value }];
    });
    for (const { value } of selves) for (const trigger of this.userTriggers(value)) triggers.add(trigger);
    for (const trigger of active) for (const part of conjuncts(trigger)) triggers.add(part);
    const tracked = systems.filter((s) => alphas.has(ref) && this.isTracked(ref, s));
    for (const s of tracked) triggers.add(equal(pool, frame.mode, s.number));
    if (triggers.size === 0) return undefined;
    const needed = cases.filter((c) => active.has(c.when));
    // A transition without effect matters where something else may trigger at the same time.
    const several = this.frame.model.machines.length > 1 && needed.length > 0;
    const others = selves.length > 0 || several || needed.some((c) => !isStep(c.when, groups));
    const relevant = cases
      .filter((c) => active.has(c.when) || (others && isStep(c.when, groups)))
      .map((c) =>
        selves.length > 0 && !isStep(c.when, groups) ? { ...c, when: pool.and(changing, c.when) } : c,
      );
    const follows = tracked.length > 0 ? own : undefined;
    const rest = follows
      ? pool.if(
          frame.inModes((s) => tracked.includes(s)),
          own,
          target,
        )
      : target;
    const otherwise =
      selves.length === 0 ? follows : choice(pool, selves, selves.length < systems.length ? rest : undefined);
    return { triggers: [...triggers], target, value: firstOf(pool, relevant, otherwise) };
  }

  /** The value by the mode that is left, the mode that is entered and what history there is; what is the same is not asked for. */
  private byWay(ways: readonly Way[], values: readonly Expr[]): Expr {
    const { frame } = this;
    const { pool } = frame;
    const targets = new Set(ways.map((way) => way.to));
    const cases = ways.map(({ from, to, steps }, k) => {
      const history = steps.flatMap(({ step, known }) => {
        const finds = step.transition.reset ? undefined : frame.machines.finds(step);
        return finds ? [known ? finds : pool.not(finds)] : [];
      });
      const when = conjunction(pool, [
        equal(pool, frame.mode, from.number),
        ...(targets.size > 1 ? [equal(pool, frame.next, to.number)] : []),
        ...history,
      ]);
      return { when, value: values[k]! };
    });
    return choice(pool, cases);
  }

  /** Whether alpha can follow a variable that is no state: its derivative is known there. */
  private isTracked(ref: Ref, { states, values, residuals }: ModeSystem): boolean {
    if (states.has(ref) || !(values.has(ref) || residuals.has(ref))) return false;
    const derivative = this.frame.pool.ref(ref.symbol, ref.order + 1);
    if (values.has(derivative) || residuals.has(derivative)) return true;
    const value = values.get(ref);
    return (
      value !== undefined &&
      leaves(value).every(
        (leaf) =>
          leaf.kind !== 'time' &&
          (leaf.kind !== 'ref' || this.frame.model.scalars[leaf.symbol]!.kind !== 'continuous'),
      )
    );
  }

  // -------------------------------------------------------------- values

  private valueAfter(ref: Ref, way: Way): Expr {
    const begun = this.begun(way);
    const free = new Set([...begun].filter((symbol) => !this.frame.model.scalars[symbol]!.fixed));
    const formula = this.formulas.of(way.to, begun, free).get(ref)!;
    return this.formulas.resolve(this.frame.words.say(formula), (r) => this.left(r, way));
  }

  /** Variables without a value before. */
  private begun(way: Way): Set<number> {
    const { scalars } = this.frame.model;
    return new Set(
      way.to.sorted.variables
        .filter(({ symbol, d }) => d > 0 && !this.existed(symbol, way))
        .filter(({ symbol }) => scalars[symbol]!.fixed || !this.inherited(symbol, way))
        .map((v) => v.symbol),
    );
  }

  /** Whether a variable has a left limit. */
  private existed(symbol: number, { from, steps }: Way): boolean {
    if (steps.some((t) => t.step.transition.actions.some((a) => a.target === symbol))) return true;
    const owner = this.owner(symbol, steps);
    return owner ? owner.known : from.present.has(symbol);
  }

  /** The transition that enters the state of a variable. */
  private owner(symbol: number, steps: readonly Taken[]): Taken | undefined {
    return steps.find((t) => this.frame.machines.owns(t.step.to, symbol));
  }

  /** A new variable without a start value of its own may be the alias of one that has a value. */
  private inherited(symbol: number, way: Way): Expr | undefined {
    const alias = way.to.sorted.aliases.find((a) => a.target === symbol && this.existed(a.symbol, way));
    if (!alias) return undefined;
    const value = this.left(this.frame.pool.ref(alias.symbol), way);
    return alias.sign === 1 ? value : this.frame.pool.neg(value);
  }

  /** The left limit of a variable or derivative on a way, in the words of the text. */
  private left(ref: Ref, way: Way): Expr {
    const { pool, model } = this.frame;
    const { from, steps } = way;
    const { symbol, order } = ref;
    const scalar = model.scalars[symbol]!;
    if (order === 0) {
      const action = steps.flatMap((t) => t.step.transition.actions).find((a) => a.target === symbol);
      if (action) return this.frame.machines.actionValue(action.value);
      const shared = steps.some(
        ({ step }) => step.transition.reset && this.frame.machines.entry(step.to).shared.includes(symbol),
      );
      if (shared) return this.start(scalar, way);
      const fixed = way.to.sorted.aliases.find(
        (a) => a.target === symbol && model.scalars[a.symbol]!.fixed && !this.existed(a.symbol, way),
      );
      if (fixed) {
        const start = this.start(model.scalars[fixed.symbol]!, way);
        return fixed.sign === 1 ? start : pool.neg(start);
      }
    }
    if (this.existed(symbol, way)) {
      const step = this.owner(symbol, steps)?.step;
      return step && step.from !== step.to ? this.history(ref, step) : this.current(ref, from);
    }
    const value = scalar.fixed ? undefined : this.inherited(symbol, way);
    if (order > 0) return pool.zero;
    return value ?? this.start(scalar, way);
  }

  private start({ start = this.frame.pool.zero }: Scalar, { from, steps }: Way): Expr {
    const { machines, words } = this.frame;
    const said = steps.reduce(
      (expr, { step }) => machines.foreseen(step.to, expr, (s) => from.present.has(s)),
      start,
    );
    return words.say(said);
  }

  /** The present value, after the resets that the model asks for. */
  private current(ref: Ref, system: ModeSystem): Expr {
    const { pool, words } = this.frame;
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
    const inside = new Set<Expr>(leaves(value));
    const triggers = new Set(this.resets.flatMap((r) => triggersOf(this.frame, r.fire)));
    return [...triggers].filter((t) => inside.has(t));
  }

  /** What a variable of a state was when the state was left: alpha keeps it, or a variable made for that. */
  private history(ref: Ref, step: MachineStep): Expr {
    const { systems, alphas, words, machines } = this.frame;
    const alpha = alphas.get(ref);
    if (alpha && systems.every((s) => !s.present.has(ref.symbol) || s.states.has(ref))) return alpha;
    let last = this.lasts.get(ref);
    if (!last) {
      const own = words.say(ref);
      const name = own.kind === 'ref' ? words.nameOf(own.symbol) : 'value';
      const description = `Last value of ${name} while it existed`;
      last = words.declareDiscrete(`last_${name}`, 'Real', description, this.frame.pool.zero);
      this.lasts.set(ref, last);
      const { origin } = this.frame.model.machines[step.machine]!;
      const body: FlatAction[] = [{ kind: 'assign', target: last, value: own, origin }];
      this.captures.push(whenever(machines.leaves(step.to), body, origin));
    }
    return last;
  }
}

/** Transitions come before changes of conditions, those of many machines together first. */
const rank = (ways: readonly Way[]): number => -ways[0]!.steps.length;

const isStep = (trigger: Expr, groups: ReadonlyMap<Expr, readonly Way[]>): boolean =>
  rank(groups.get(trigger)!) < 0;

/** The parts of a conjunction. */
const conjuncts = (expr: Expr): Expr[] =>
  expr.kind === 'apply' && expr.op === 'and' ? expr.args.flatMap(conjuncts) : [expr];

/** The first case that holds counts; without `otherwise` the last one is left. */
const firstOf = (pool: Pool, cases: readonly Case[], otherwise: Expr | undefined): Expr =>
  otherwise ? chain(pool, cases, otherwise) : chain(pool, cases.slice(0, -1), cases.at(-1)!.value);
