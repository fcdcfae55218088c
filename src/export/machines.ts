/**
 * State machines as discrete equations. A machine is the number of its active state; another number says which of
 * its transitions fires in the present iteration at an event, 0 for none:
 *
 *     fired = if pre(state) == 1 and x > 2 then 1 elseif pre(state) == 2 and a then 2 else 0;
 *     state = if fired == 1 then 2 elseif fired == 2 then 3 else pre(state);
 *
 * As in a run of the model itself, transitions fire when conditions have settled, one of each machine, and none of a machine inside a
 * state that is left; of several that could, the one with the smallest priority is asked first.
 */
import { remember } from '../collections/memo.ts';
import type { FlatAction, FlatEquation, Guard } from '../flat/flat.ts';
import type { GuardedModel, Machine, MachineState, Transition } from '../modes/guarded.ts';
import { StateEntry } from '../program/machines/entry.ts';
import type { ModeCollection } from '../simulate/collection.ts';
import { leaves, substitute } from '../symbolic/analyse.ts';
import type { Expr, Ref } from '../symbolic/expr.ts';
import { type Case, chain, conjunction, define, disjunction, disjuncts, equal, whenever } from './phrases.ts';
import type { Vocabulary } from './words.ts';

/** A transition with its machine, and its number in it, from 1. */
export interface MachineStep {
  readonly machine: number;
  readonly number: number;
  readonly transition: Transition;
  readonly from: MachineState;
  readonly to: MachineState;
}

export class MachineEquations {
  readonly steps: readonly MachineStep[];
  private readonly model: GuardedModel;
  private readonly fired: readonly Ref[];
  private readonly state: readonly Ref[];
  /** Boolean variables: whether a state has been active, by state that needs to know. */
  private readonly visited = new Map<MachineState, Ref>();
  private readonly entered = new Map<MachineState, Ref>();
  private readonly ready = new Map<Transition, Ref>();
  /** Boolean variable that was true in the iteration before only at the first event, where a transition asks for `initial()`. */
  private readonly beginning: Ref | undefined;
  private readonly entries = new Map<MachineState, StateEntry>();

  constructor(
    private readonly collection: ModeCollection,
    private readonly words: Vocabulary,
  ) {
    const { model } = collection;
    this.model = model;
    const { machines, pool } = model;
    const suffix = (k: number) => (machines.length === 1 ? '' : `${k + 1}`);
    this.steps = machines.flatMap(({ states, transitions }, machine) =>
      transitions.map((transition, k) => ({
        machine,
        number: k + 1,
        transition,
        from: states[transition.from]!,
        to: states[transition.to]!,
      })),
    );
    this.state = machines.map(({ states, initial }, k) =>
      words.declareDiscrete(
        `state${suffix(k)}`,
        'Integer',
        `Active state: ${states.map((s, n) => `${n + 1} ${s.name}`).join(', ')}`,
        pool.const(initial + 1),
      ),
    );
    const firing = 'Number of the transition that fires, 0 for none';
    this.fired = machines.map((_, k) => words.declareDiscrete(`fired${suffix(k)}`, 'Integer', firing));
    const flag = pool.ref(model.flags.initial);
    if (this.steps.some(({ transition }) => leaves(transition.condition).includes(flag)))
      this.beginning = words.declareDiscrete(
        'beginning',
        'Boolean',
        'Whether this is the initialisation',
        pool.one,
      );
    for (const [k, { states }] of machines.entries())
      for (const [n, s] of states.entries()) {
        words.meanings.set(s.active, pool.raw('eq', [pool.pre(this.state[k]!.symbol), pool.const(n + 1)]));
        const entered = words.declareDiscrete(`entered_${s.name}`, 'Real', `When ${s.name} was entered`);
        this.entered.set(s, entered);
        words.meanings.set(s.entered, entered);
      }
    for (const { transition, to, machine } of this.steps) {
      if (!transition.immediate)
        this.ready.set(transition, words.declareDiscrete('ready', 'Boolean', '', pool.zero));
      const begins = machines[machine]!.states[machines[machine]!.initial] === to;
      if (transition.reset || begins || this.visited.has(to)) continue;
      this.visited.set(to, words.declareDiscrete(`visited_${to.name}`, 'Boolean', '', pool.zero));
    }
  }

  /** Symbols of the variables of machines, but for those of entry times. */
  get symbols(): number[] {
    const { state, fired, visited, ready, beginning } = this;
    const refs = [...state, ...fired, ...visited.values(), ...ready.values()];
    return [...refs, ...(beginning ? [beginning] : [])].map((r) => r.symbol);
  }

  /** Entry times that are asked for; `used` says which, by symbol. */
  entryTimes(used: (symbol: number) => boolean): { declaration: number; equation: FlatEquation }[] {
    const { pool, machines } = this.model;
    return machines.flatMap((machine) =>
      machine.states.flatMap((s, n) => {
        const ref = this.entered.get(s)!;
        if (!used(ref.symbol)) return [];
        const { origin } = machine;
        const into = this.steps.filter((step) => step.to === s).map((step) => this.fires(step));
        const around = n === machine.initial ? disjuncts(this.beginsAgain(machine)) : [];
        const condition = pool.raw('array', [pool.raw('initial', []), ...into, ...around]);
        const body: FlatAction[] = [{ kind: 'assign', target: ref, value: pool.time, origin }];
        return [{ declaration: ref.symbol, equation: whenever(condition, body, origin) }];
      }),
    );
  }

  /** True in the iteration in which a state around a machine is entered anew. */
  private beginsAgain({ guard }: Machine): Expr {
    const states = this.model.machines.flatMap((m) => m.states);
    const around = states.filter((s) => guard.some((l) => l.condition === s.condition));
    return disjunction(
      this.model.pool,
      around.map((s) => this.entersAnew(s)),
    );
  }

  fires(step: MachineStep): Expr {
    return equal(this.model.pool, this.fired[step.machine]!, step.number);
  }

  /** True in the iteration in which a state is entered as if for the first time. */
  entersAnew(state: MachineState): Expr {
    const { pool } = this.model;
    const direct = this.steps.filter((s) => s.to === state).map((s) => this.firesAnew(s));
    return disjunction(pool, direct);
  }

  /** True in the iteration in which a state is left; its variables still have their values. */
  leaves(state: MachineState): Expr {
    const { pool, machines } = this.model;
    const literals = machines.flatMap(({ states, guard }, k) => {
      const n = states.indexOf(state);
      return n < 0
        ? []
        : [
            equal(pool, this.state[k]!, n + 1),
            ...guard.map((l) => this.literal(l.condition, l.value, false)),
          ];
    });
    return pool.not(conjunction(pool, literals));
  }

  /** Whether a transition that keeps history finds any; undefined where it surely does. */
  finds(step: MachineStep): Expr | undefined {
    const visited = this.visited.get(step.to);
    return visited && this.model.pool.pre(visited.symbol);
  }

  /** Values that transitions give to a discrete variable: by their actions, or because its state is entered anew. */
  settings(symbol: number): Case[] {
    const { pool, scalars } = this.model;
    if (!scalars[symbol]) return [];
    const actions = this.steps.flatMap((step) =>
      step.transition.actions
        .filter((a) => a.target === symbol)
        .map((a) => ({ when: this.fires(step), value: this.actionValue(a.value) })),
    );
    const resets = disjunction(
      pool,
      this.owners(symbol).map((s) => this.entersAnew(s)),
    );
    return [...actions, ...(resets === pool.zero ? [] : [{ when: resets, value: this.startOf(symbol) }])];
  }

  /** The right side of an action: what other actions set has its value from before. */
  actionValue(value: Expr): Expr {
    const { pool, scalars } = this.model;
    const set = new Set(this.steps.flatMap((s) => s.transition.actions.map((a) => a.target)));
    const before = substitute(pool, value, (leaf) =>
      leaf.kind === 'ref' && set.has(leaf.symbol) && scalars[leaf.symbol]!.kind === 'discrete'
        ? pool.pre(leaf.symbol)
        : undefined,
    );
    return this.words.say(before);
  }

  /** The value before the present iteration, with what transitions in the iteration before gave to the variable. */
  remembered(symbol: number): Expr {
    const { pool } = this.model;
    const ago = (expr: Expr) =>
      substitute(pool, expr, (leaf) =>
        leaf.kind === 'ref' && this.fired.includes(leaf) ? pool.pre(leaf.symbol) : undefined,
      );
    const cases = this.settings(symbol).map(({ when, value }) => ({ when: ago(when), value }));
    return chain(pool, cases, pool.pre(symbol));
  }

  /** What a variable begins with where its state is entered anew. */
  private startOf(symbol: number): Expr {
    const { pool, scalars } = this.model;
    const { start = pool.zero, kind } = scalars[symbol]!;
    const [owner] = this.owners(symbol);
    const isOutside = (s: number) => kind !== 'discrete' || !this.owners(s).includes(owner!);
    return this.words.say(owner ? this.foreseen(owner, start, isOutside) : start);
  }

  /** The states that a variable belongs to, from the inside to the outside. */
  private owners(symbol: number): MachineState[] {
    return this.model.machines.flatMap((m) => m.states).filter((s) => this.owns(s, symbol));
  }

  owns(state: MachineState, symbol: number): boolean {
    return this.entry(state).own.includes(symbol);
  }

  entry(state: MachineState): StateEntry {
    return remember(this.entries, state, () => new StateEntry(this.collection.values, state));
  }

  /** A start value in terms of what is there before the state is entered. */
  foreseen(state: MachineState, start: Expr, isPresent: (symbol: number) => boolean): Expr {
    const { pool } = this.model;
    const values = new Map<Expr, Expr>();
    const insert = (expr: Expr) => substitute(pool, expr, (leaf) => values.get(leaf));
    for (const { symbol, value } of this.entry(state).predictions(isPresent))
      values.set(pool.ref(symbol), insert(value));
    return insert(start);
  }

  /** The number of the active state as part of a combination of conditions; undefined where the machine is not there. */
  position(machine: number, values: readonly boolean[]): Expr | undefined {
    const n = this.model.machines[machine]!.states.findIndex((s) => values[s.condition]);
    return n < 0 ? undefined : equal(this.model.pool, this.state[machine]!, n + 1);
  }

  equations(
    settled: Expr,
    conditionOf: (condition: number) => Expr,
    exists: (expr: Expr, step: MachineStep) => Expr,
  ): FlatEquation[] {
    const { pool, machines } = this.model;
    this.conditionOf = conditionOf;
    const { beginning } = this;
    return [
      ...(beginning ? [define(beginning, pool.raw('initial', []))] : []),
      ...machines.flatMap((machine, k) => this.machineEquations(machine, k, settled, exists)),
    ];
  }

  private conditionOf: (condition: number) => Expr = () => this.model.pool.one;

  private machineEquations(
    machine: Machine,
    k: number,
    settled: Expr,
    exists: (expr: Expr, step: MachineStep) => Expr,
  ): FlatEquation[] {
    const { pool } = this.model;
    const { origin, guard, initial, states } = machine;
    const own = this.steps.filter((s) => s.machine === k);
    const starting = pool.raw('initial', []);
    const allowed = conjunction(pool, [
      pool.not(starting),
      settled,
      ...this.around(machine).map((outer) => equal(pool, this.fired[outer]!, 0)),
      ...guard.map((l) => this.literal(l.condition, l.value, true)),
    ]);
    const delayed: FlatEquation[] = [];
    let fires: Expr = pool.zero;
    const last = [...own].sort(
      (a, b) => b.transition.priority - a.transition.priority || b.number - a.number,
    );
    for (const step of last) {
      const holds = this.holds(step, exists(step.transition.condition, step));
      const ready = this.ready.get(step.transition);
      if (ready) delayed.push(define(ready, pool.and(pool.not(starting), holds), origin));
      const enabled = ready ? pool.and(this.comesFrom(step), pool.pre(ready.symbol)) : holds;
      fires = pool.if(enabled, pool.const(step.number), fires);
    }
    let state = this.before(k);
    for (const n of states.keys()) {
      const into = own.filter((s) => s.transition.to === n).map((s) => this.fires(s));
      state = pool.if(disjunction(pool, into), pool.const(n + 1), state);
    }
    return [
      ...delayed,
      define(this.fired[k]!, pool.if(allowed, fires, pool.zero), origin),
      define(this.state[k]!, pool.if(this.beginsAgain(machine), pool.const(initial + 1), state), origin),
      ...states.flatMap((s, n) => {
        const visited = this.visited.get(s);
        if (!visited) return [];
        const active = equal(pool, this.before(k), n + 1);
        return [define(visited, pool.apply('or', pool.pre(visited.symbol), active), origin)];
      }),
    ];
  }

  /** The machines that a machine is inside of. */
  private around({ guard }: Machine): number[] {
    return [...this.model.machines.entries()].flatMap(([k, { states }]) =>
      states.some((s) => guard.some((l) => l.condition === s.condition)) ? [k] : [],
    );
  }

  private comesFrom({ machine, transition }: MachineStep): Expr {
    return equal(this.model.pool, this.before(machine), transition.from + 1);
  }

  /** The number of the state before the transitions of this iteration. */
  private before(machine: number): Expr {
    return this.model.pool.pre(this.state[machine]!.symbol);
  }

  /** The condition of a transition; `exists` says where its variables do. */
  private holds(step: MachineStep, exists: Expr): Expr {
    const { transition, from } = step;
    const waits = transition.synchronize ? this.finished(from) : [];
    const condition = this.words.say(this.fromBeginning(transition.condition));
    return conjunction(this.model.pool, [this.comesFrom(step), exists, condition, ...waits]);
  }

  /** The text takes no transitions at initialisation: what asks for `initial()` is taken at the event that follows it. */
  private fromBeginning(condition: Expr): Expr {
    const { beginning, model } = this;
    if (!beginning) return condition;
    const flag = model.pool.ref(model.flags.initial);
    return substitute(model.pool, condition, (leaf) =>
      leaf === flag ? model.pool.pre(beginning.symbol) : undefined,
    );
  }

  private firesAnew(step: MachineStep): Expr {
    const { pool } = this.model;
    const fires = this.fires(step);
    if (step.transition.reset) return fires;
    const finds = this.finds(step);
    return finds ? pool.and(fires, pool.not(finds)) : pool.zero;
  }

  /** All machines inside of a state are in states that no transition leaves. */
  private finished(state: MachineState): Expr[] {
    const { pool, machines } = this.model;
    return machines.flatMap(({ states, transitions, guard }, k) => {
      if (!guard.some((l) => l.condition === state.condition)) return [];
      const final = states.flatMap((_, n) =>
        transitions.some((t) => t.from === n) ? [] : [equal(pool, this.before(k), n + 1)],
      );
      return [disjunction(pool, final)];
    });
  }

  /** A literal of a guard; states are those before the transitions of this iteration, or after them. */
  private literal(condition: Guard[number]['condition'], value: boolean, before: boolean): Expr {
    const { pool, machines } = this.model;
    let holds: Expr | undefined;
    for (const [k, { states }] of machines.entries()) {
      const n = states.findIndex((s) => s.condition === condition);
      if (n >= 0) holds = equal(pool, before ? this.before(k) : this.state[k]!, n + 1);
    }
    holds ??= this.conditionOf(condition);
    return value ? holds : pool.not(holds);
  }
}
