/**
 * Clocked state machines as equations (Modelica 3.6, section 17.3). A machine is clocked if anything in it is; it is then
 * translated into clocked data flow: which state is active, which transition fires, which states have to be reset. At most one
 * transition of a machine fires at a tick, so there is nothing that could go round in circles.
 *
 * States count from 1, transitions too, the one with the highest priority (the smallest number) last: of those that
 * could fire, the one with the largest index does. What belongs to a state is guarded by its activity: at ticks at which the
 * state is not active it keeps its values.
 */
import { leaves, substitute } from '../../symbolic/analyse.ts';
import type { Expr } from '../../symbolic/expr.ts';
import type { FlatBuilder } from '../core/context.ts';
import { addedVariable } from '../expressions/clocks.ts';
import type { FlatEquation, FlatMachine, FlatState, FlatTransition, Origin } from '../flat.ts';

/** What a machine depends on from outside. */
interface Surroundings {
  /** Whether the machine runs at this tick. */
  readonly active: Expr;
  /** Whether it begins anew. */
  readonly reset: Expr;
  /** Whether the state around it was entered at this tick. */
  readonly entry: Expr;
}

/** Is this the name of the variable that holds the condition of a transition? */
export const isCondition = (name: string): boolean => /^\$machine\d+\.condition\d+$/.test(name);

export class Automata {
  /** Variables that the machines need, with their clocks. */
  readonly clockOf = new Map<number, number>();
  /** By state: the variable that is true at ticks at which the state is entered anew. */
  readonly resets = new Map<FlatState, number>();
  readonly equations: { readonly clock: number; readonly equation: FlatEquation }[] = [];
  private readonly machines: readonly FlatMachine[];
  private readonly entries = new Map<FlatState, Expr>();
  /** States by the condition of their activity. */
  private readonly stateOf = new Map<number, FlatState>();
  /** Of the machine that is translated. */
  private clock = 0;
  private origin: Origin;

  /** Outer machines come before inner ones. `firstTick` tells for a clock whether it ticks for the first time. */
  constructor(
    private readonly builder: FlatBuilder,
    machines: readonly { readonly machine: FlatMachine; readonly clock: number }[],
    firstTick: (clock: number) => Expr,
  ) {
    this.machines = machines.map(({ machine }) => machine);
    this.origin = machines[0]?.machine.origin ?? { span: undefined, component: '' };
    for (const { states } of this.machines)
      for (const state of states) this.stateOf.set(state.condition, state);
    for (const { machine, clock } of machines) {
      this.clock = clock;
      this.origin = machine.origin;
      const around = this.surroundings(machine, () => firstTick(clock));
      this.translate(machine, around);
    }
  }

  /** The innermost state around a machine. */
  private around({ guard }: FlatMachine): FlatState | undefined {
    const last = guard[guard.length - 1];
    return last && this.stateOf.get(last.condition);
  }

  private surroundings(machine: FlatMachine, firstTick: () => Expr): Surroundings {
    const { pool } = this.builder;
    const state = this.around(machine);
    if (!state) return { active: pool.one, reset: firstTick(), entry: pool.zero };
    return {
      active: pool.ref(state.active),
      reset: pool.ref(this.resets.get(state)!),
      entry: this.entries.get(state)!,
    };
  }

  // -------------------------------------------------------------- one machine

  private translate(machine: FlatMachine, around: Surroundings): void {
    const { pool } = this.builder;
    const { states, initial } = machine;
    const transitions = [...machine.transitions].sort((a, b) => b.priority - a.priority);
    this.refuseActions(transitions);
    const name = `$machine${this.machines.indexOf(machine) + 1}`;
    const start = pool.const(initial + 1);
    const next = this.variable(`${name}.next`, 'Integer', start);
    const delayed = this.variable(`${name}.delayed`, 'Integer', pool.zero);
    const entered = pool.if(around.reset, start, pool.pre(next.symbol));
    const selected = this.define(`${name}.selected`, 'Integer', entered);
    const chosen = (of: Expr, immediate: boolean): Expr =>
      transitions.reduce<Expr>((value, t, i) => {
        if (t.immediate !== immediate) return value;
        const departs = pool.apply('eq', of, pool.const(t.from + 1));
        const condition = this.placed(t.origin, `${name}.condition${i + 1}`, this.conditionOf(t, states));
        return pool.if(pool.and(departs, condition), pool.const(i + 1), value);
      }, pool.zero);
    const immediate = this.define(`${name}.immediate`, 'Integer', chosen(selected, true));
    const earliest = pool.apply('max', pool.pre(delayed.symbol), immediate);
    const fired = this.define(`${name}.fired`, 'Integer', pool.if(around.reset, pool.zero, earliest));
    const ofFired = (value: (t: FlatTransition) => Expr, otherwise: Expr): Expr =>
      transitions.reduceRight<Expr>(
        (rest, t, i) => pool.if(pool.apply('eq', fired, pool.const(i + 1)), value(t), rest),
        otherwise,
      );
    const reached = ofFired((t) => pool.const(t.to + 1), selected);
    const active = this.define(`${name}.active`, 'Integer', reached);
    const restarted = ofFired((t) => pool.bool(t.reset), pool.zero);
    const anew = this.define(`${name}.reset`, 'Boolean', pool.apply('or', around.reset, restarted));
    this.put(next, pool.if(around.active, active, pool.pre(next.symbol)));
    for (const [k, state] of states.entries()) {
      const here = pool.and(around.active, pool.apply('eq', active, pool.const(k + 1)));
      this.translateState(state, here, around, anew, fired);
    }
    this.put(delayed, pool.if(around.active, chosen(next, false), pool.pre(delayed.symbol)));
  }

  private translateState(state: FlatState, here: Expr, around: Surroundings, anew: Expr, fired: Expr): void {
    const { pool } = this.builder;
    const own = pool.ref(state.active);
    const or = (...parts: Expr[]): Expr => parts.reduce((a, b) => pool.apply('or', a, b));
    this.put(own, here);
    // A machine that begins anew resets each of its states when that state is active for the next time.
    const pending = this.variable(`${state.name}.$pending`, 'Boolean', pool.zero);
    const due = or(around.reset, pool.pre(pending.symbol));
    const later = pool.and(pool.not(own), due);
    this.put(pending, pool.if(around.active, later, pool.pre(pending.symbol)));
    const reset = this.define(`${state.name}.$reset`, 'Boolean', pool.and(own, or(anew, due)));
    if (reset.kind === 'ref') this.resets.set(state, reset.symbol);
    const arrives = or(pool.not(pool.pre(state.active)), pool.apply('gt', fired, pool.zero), around.entry);
    const entry = this.define(`${state.name}.$entry`, 'Boolean', pool.and(own, arrives));
    this.entries.set(state, entry);
    this.put(pool.ref(state.entered), pool.if(entry, pool.time, pool.pre(state.entered)));
    const ticks = this.builder.ticks.get(state);
    if (ticks === undefined) return;
    const counted = pool.if(entry, pool.one, pool.add(pool.pre(ticks), pool.one));
    this.put(pool.ref(ticks), pool.if(own, counted, pool.pre(ticks)));
  }

  /**
   * The condition of a transition. An immediate one is decided before its state is active at the tick: ticks and time in the state
   * go on from the tick before. For others the time in the state begins at the tick that enters it; relations of time know the
   * instant of the tick before when a tick begins.
   */
  private conditionOf(transition: FlatTransition, states: readonly FlatState[]): Expr {
    const { pool, ticks } = this.builder;
    const { from, condition, immediate, synchronize } = transition;
    const state = states[from]!;
    const count = ticks.get(state);
    const held = immediate
      ? substitute(pool, condition, (leaf) => {
          if (leaf.kind !== 'ref') return undefined;
          if (leaf.symbol === count) return pool.add(pool.pre(count), pool.one);
          return leaf.symbol === state.entered ? pool.pre(state.entered) : undefined;
        })
      : this.afterEntry(condition, state);
    return synchronize ? pool.and(held, this.finished(state, immediate)) : held;
  }

  private afterEntry(condition: Expr, state: FlatState): Expr {
    const { pool } = this.builder;
    const entered = pool.ref(state.entered);
    if (!leaves(condition).includes(entered)) return condition;
    const since = pool.sub(pool.time, entered);
    const atEntry = substitute(pool, condition, (node) => (node === since ? pool.zero : undefined));
    const later = substitute(pool, condition, (node) =>
      node === entered ? pool.pre(state.entered) : undefined,
    );
    return pool.if(this.entries.get(state)!, atEntry, later);
  }

  /** Whether all machines inside a state are in states that no transition leaves. */
  private finished(state: FlatState, before: boolean): Expr {
    const { pool } = this.builder;
    const inside = this.machines.filter((machine) => this.around(machine) === state);
    return inside.reduce<Expr>((all, { states, transitions }) => {
      const last = states.filter((_, k) => !transitions.some((t) => t.from === k));
      const any = last.reduce<Expr>(
        (some, { active }) => pool.apply('or', some, before ? pool.pre(active) : pool.ref(active)),
        pool.zero,
      );
      return pool.and(all, any);
    }, pool.one);
  }

  private refuseActions(transitions: readonly FlatTransition[]): void {
    for (const { actions, origin } of transitions) {
      if (actions.length === 0) continue;
      this.builder.reportAt('unsupported', 'Transitions of clocked state machines have no actions.', {
        span: origin.span,
        hint: 'Write an equation for the variable in the state that is entered.',
      });
    }
  }

  // -------------------------------------------------------------- variables and equations

  private variable(name: string, type: 'Integer' | 'Boolean', start: Expr): Expr & { kind: 'ref' } {
    const { builder } = this;
    const variable = addedVariable(builder, '', type, [], 'discrete', this.origin, start);
    const symbol = builder.add({ ...variable, name });
    this.clockOf.set(symbol, this.clock);
    return builder.pool.ref(symbol);
  }

  private define(name: string, type: 'Integer' | 'Boolean', value: Expr): Expr {
    const own = this.variable(name, type, this.builder.pool.zero);
    this.put(own, value);
    return own;
  }

  /** A condition as a variable of its own: what is wrong with it is told at its transition. */
  private placed(origin: Origin, name: string, condition: Expr): Expr {
    if (condition.kind === 'const') return condition;
    const machine = this.origin;
    this.origin = origin;
    const own = this.define(name, 'Boolean', condition);
    this.origin = machine;
    return own;
  }

  private put(left: Expr, right: Expr): void {
    const equation: FlatEquation = { kind: 'equal', left, right, dims: [], origin: this.origin };
    this.equations.push({ clock: this.clock, equation });
  }
}
