/**
 * State machines at run time: which states are active, which transition fires, and what entering a state means for its
 * variables. A state that is entered is real, even if it is left at the same instant.
 *
 * Entering with `reset` makes the variables of a state new: with `fixed` start values they begin there, otherwise with the
 * values that the constraints give them. Without `reset`, a state that was active before goes on with the values it had.
 */

import { remember } from '../../collections/memo.ts';
import { Failure, failureOf } from '../../diagnostic/failure.ts';
import type { Machine, MachineState, Transition } from '../../modes/guarded.ts';
import { guardHolds } from '../../modes/relevance.ts';
import { aliasOf } from '../../structure/analysis.ts';
import { leaves } from '../../symbolic/analyse.ts';
import { agrees, type LastingModel, type RunValues } from '../evaluation.ts';
import type { ArmedTransition, ReadyMode } from '../ready.ts';
import type { Runtime } from '../runtime.ts';
import type { Wording } from '../wording.ts';
import { type Order, withoutEffect } from './actions.ts';
import { StateEntry } from './entry.ts';
import { passingIn } from './passing.ts';

/** A transition that fires, with the values of its actions. */
export interface Firing {
  readonly machine: Machine;
  readonly transition: Transition;
  readonly values: readonly number[];
  /** What fires at the same time in other machines: all leave from the same values, and lead to one mode. */
  readonly others: readonly Firing[];
}

/** What the mode after a transition begins with, besides the memory. */
export interface Arrival {
  /** By scalar: 1 where the variable has a left limit. */
  readonly existed: Uint8Array;
  /** Conditions of the states that begin anew: their initial equations hold. */
  readonly entered: readonly number[];
}

export class Machines {
  /** States that were active since their machines began, by their flags, and delayed transitions whose conditions held in the iteration before: a value. */
  now = { visited: new Set<number>(), before: new Set<number>() };
  private readonly numbers: ReadonlyMap<Transition, number>;
  private readonly entries = new Map<MachineState, StateEntry>();
  /** Names of the states that were entered at the present instant. */
  readonly trail: string[] = [];
  /** Transitions whose conditions pass. */
  private readonly passing: ReadonlySet<Transition>;
  /** Transitions whose conditions held, at initialisation or as they passed, since transitions were last chosen. */
  private seen: Set<Transition> = new Set();

  constructor(private readonly values: RunValues) {
    const transitions = values.model.machines.flatMap((machine) => machine.transitions);
    this.numbers = new Map(transitions.map((transition, k) => [transition, k]));
    const passes = passingIn(values.model);
    this.passing = new Set(transitions.filter(({ condition }) => passes(condition)));
  }

  /** All machines in their initial states. */
  begin(): void {
    for (const machine of this.values.model.machines) this.activate(machine.states[machine.initial]!);
  }

  /** A machine is in a state, since a time, and was in some before. */
  recall(
    states: readonly MachineState[],
    active: MachineState,
    since: number,
    visited: readonly MachineState[],
  ): void {
    for (const state of states) {
      this.values.setVariable(state.active, state === active ? 1 : 0);
      this.now.visited.delete(state.active);
    }
    for (const state of visited) this.now.visited.add(state.active);
    this.values.setVariable(active.entered, since);
  }

  /**
   * Takes note of the transitions that initial values ask for: `initial()` is true now, and no more when they fire. But nothing has
   * changed yet, whatever `pre` is said to be, so that what asks for a change waits for one, as when-clauses do.
   */
  noteInitial({ transitions }: ReadyMode): void {
    const { memory, model } = this.values;
    const waits = ({ transition }: ArmedTransition): boolean =>
      this.passing.has(transition) &&
      !leaves(transition.condition).some((l) => l.kind === 'ref' && l.symbol === model.flags.initial);
    const wanted = transitions.filter((t) => memory.values[t.slot] !== 0 && !waits(t));
    this.seen = new Set(wanted.map(({ transition }) => transition));
  }

  /** Takes note of the transitions that ask to be taken now, while something changes, and no more when all has settled. */
  notePassing({ transitions }: ReadyMode): void {
    const { values } = this.values.memory;
    for (const { transition, slot } of transitions)
      if (values[slot] !== 0 && this.passing.has(transition)) this.seen.add(transition);
  }

  /** Keeps the conditions of the active states in step with the flags. */
  readConditions(conditions: boolean[]): void {
    for (const { states } of this.values.model.machines) {
      for (const state of states) conditions[state.condition] = this.isActive(state);
    }
  }

  /**
   * The transitions that fire in this mode, one for each machine; machines inside a state that is left stay as they are.
   * `waiting` if only a delayed one will.
   */
  choose(mode: ReadyMode): Firing | 'waiting' | undefined {
    const { values } = this.values.memory;
    const { before } = this.now;
    let waiting = false;
    const firings: Firing[] = [];
    const left = new Set<number>();
    for (const machine of this.values.model.machines) {
      if (machine.guard.some(({ condition }) => left.has(condition))) continue;
      let best: ArmedTransition | undefined;
      for (const armed of mode.transitions) {
        if (armed.machine !== machine) continue;
        const { transition } = armed;
        const number = this.numbers.get(transition)!;
        const wanted = values[armed.slot] !== 0 || this.seen.has(transition);
        const holds = wanted && this.isReady(transition, machine);
        const enabled = transition.immediate ? holds : before.has(number);
        if (!transition.immediate) {
          if (holds && !enabled) waiting = true;
          if (holds) before.add(number);
          else before.delete(number);
        }
        if (enabled && (!best || transition.priority < best.transition.priority)) best = armed;
      }
      if (!best) continue;
      const { transition, actionSlots } = best;
      left.add(machine.states[transition.from]!.condition);
      firings.push({ machine, transition, values: actionSlots.map((s) => values[s]!), others: [] });
    }
    this.seen.clear();
    const [first, ...others] = firings;
    if (first) return { ...first, others };
    return waiting ? 'waiting' : undefined;
  }

  /** What the transitions would set that can be taken at once, at the values that when-clauses see. */
  wishes(mode: ReadyMode): Order[] {
    const { values } = this.values.memory;
    const first = new Map<Machine, ArmedTransition>();
    for (const armed of mode.transitions) {
      const { machine, transition, slot } = armed;
      if (!transition.immediate || values[slot] === 0 || !this.isReady(transition, machine)) continue;
      const known = first.get(machine);
      if (!known || transition.priority < known.transition.priority) first.set(machine, armed);
    }
    return [...first.values()].flatMap(({ transition, actionSlots }) =>
      ordersOf(
        transition,
        actionSlots.map((slot) => values[slot]!),
      ),
    );
  }

  /** Performs transitions on the memory; `present` tells by scalar what exists in the mode being left. */
  enter(firing: Firing, present: Uint8Array): Arrival {
    const existed = present.slice();
    const firings = [firing, ...firing.others];
    const known = firings.map(({ machine, transition }) => {
      const to = machine.states[transition.to]!;
      const again = this.now.visited.has(to.active) && !transition.reset;
      if (!again) this.entryOf(to).foresee(present);
      return again;
    });
    const shared = firings.flatMap(({ machine, transition: { to, reset } }) =>
      reset ? this.entryOf(machine.states[to]!).sharedStarts() : [],
    );
    for (const [k, one] of firings.entries()) this.perform(one, known[k]!, existed);
    for (const { symbol, value } of shared) this.values.setVariable(symbol, value);
    for (const { target, value } of actionsOf(firing)) {
      this.values.setBoth(target, value);
      existed[target] = 1;
    }
    const fresh = firings.filter((_, k) => !known[k]).map((f) => f.machine.states[f.transition.to]!);
    return { existed, entered: fresh.flatMap((state) => this.beginning(state)) };
  }

  /** Conditions of a state that begins anew, and of the initial states inside it. */
  private beginning(state: MachineState): number[] {
    return [state.condition, ...this.entryOf(state).machines.map((m) => m.states[m.initial]!.condition)];
  }

  /** Leaves a state for another one, which goes on where it is `known`, and begins anew otherwise. */
  private perform({ machine, transition }: Firing, known: boolean, existed: Uint8Array): void {
    const { values } = this;
    const to = machine.states[transition.to]!;
    const entry = this.entryOf(to);
    values.setVariable(machine.states[transition.from]!.active, 0);
    for (const symbol of entry.own) {
      const { kind, start } = values.model.scalars[symbol]!;
      existed[symbol] = known ? 1 : 0;
      if (!known && kind === 'discrete') values.setBoth(symbol, start ? values.evaluate(start) : 0);
    }
    for (const other of machine.transitions) this.now.before.delete(this.numbers.get(other)!);
    this.trail.push(to.name);
    this.activate(to);
    if (!known) for (const inner of entry.machines) this.restart(inner);
  }

  private entryOf(state: MachineState): StateEntry {
    return remember(this.entries, state, () => new StateEntry(this.values, state));
  }

  /** A machine begins anew, without memory of its states. */
  private restart(machine: Machine): void {
    for (const state of machine.states) {
      this.values.setVariable(state.active, 0);
      this.now.visited.delete(state.active);
    }
    this.activate(machine.states[machine.initial]!);
  }

  private activate(state: MachineState): void {
    this.values.setVariable(state.active, 1);
    this.values.setVariable(state.entered, this.values.time);
    this.now.visited.add(state.active);
  }

  private isActive({ active }: MachineState): boolean {
    return this.values.getVariable(active) !== 0;
  }

  /** A synchronised transition waits until all machines inside its state have come to an end. */
  private isReady({ synchronize, from }: Transition, machine: Machine): boolean {
    if (!synchronize) return true;
    const { condition } = machine.states[from]!;
    return this.values.model.machines
      .filter((inner) => inner.guard.some((literal) => literal.condition === condition))
      .every((inner) => {
        const active = inner.states.findIndex((state) => this.isActive(state));
        return !inner.transitions.some((t) => t.from === active);
      });
  }
}

/** What the transitions that fire together set. */
export function actionsOf(firing: Firing): Order[] {
  return [firing, ...firing.others].flatMap(({ transition, values }) => ordersOf(transition, values));
}

function ordersOf({ actions }: Transition, values: readonly number[]): Order[] {
  return actions.map(({ target, origin }, k) => ({ target, value: values[k]!, origin }));
}

/** Goes on after a transition; if that is impossible, the values that its actions set are part of the reason. */
export function toldWithActions(wording: Wording, firing: Firing, goOn: () => void): void {
  const problem = failureOf(goOn);
  if (!problem) return;
  const notes = actionsOf(firing).map(({ target, origin }) => ({
    message: `${wording.nameOf(target)} is set by the transition`,
    ...(origin.span && { span: origin.span }),
  }));
  throw new Failure(
    problem.stage,
    problem.diagnostics.map((d) =>
      d.code === 'impossible-change' ? { ...d, notes: [...d.notes, ...notes] } : d,
    ),
  );
}

/** What the actions of a transition set must still be so, unless balances of the new mode made a state jump. */
export function confirmActions({ values, wording }: Runtime, { sorted }: ReadyMode, firing: Firing): void {
  for (const { target, value: wanted, origin } of actionsOf(firing)) {
    const alias = aliasOf(sorted.aliases, target);
    const own = sorted.variables.find((v) => v.symbol === (alias?.target ?? target));
    if (!own || own.d > 0) continue;
    const value = values.getVariable(target);
    if (!agrees(value, wanted)) throw new Failure('simulate', [withoutEffect(wording, target, origin)]);
  }
}

/** The transitions that can fire in a mode: those of its active states. */
export function transitionsIn(
  { machines }: LastingModel,
  conditions: boolean[],
): { machine: Machine; transition: Transition }[] {
  return machines.flatMap((machine) => {
    if (!guardHolds(machine.guard, conditions)) return [];
    return machine.transitions
      .filter((t) => conditions[machine.states[t.from]!.condition])
      .map((transition) => ({ machine, transition }));
  });
}
