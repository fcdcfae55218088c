/**
 * State machines in the guarded model: their transitions made scalar, and equations for what keeps its value because the active
 * state, or nothing but a transition, has to do with it.
 */
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts';
import { Failure } from '../diagnostic/failure.ts';
import type { FlatMachine, Guard, Origin } from '../flat/flat.ts';
import { symbolsOf } from '../symbolic/analyse.ts';
import type { Machine } from './guarded.ts';
import { definition, type ScalarSink } from './sink.ts';

/** What machines are written into, and how their parts are made scalar. */
export interface MachineSink extends ScalarSink {
  readonly structural: Set<number>;
}

export class MachineLowering {
  constructor(private readonly sink: MachineSink) {}

  lower({ states, initial, transitions, guard, origin }: FlatMachine): Machine {
    const { sink } = this;
    const scalarOf = (symbol: number) => sink.symbolsOf(symbol)[0]!;
    return {
      states: states.map(({ name, condition, active, entered }) => {
        sink.structural.add(condition);
        return { name, condition, active: scalarOf(active), entered: scalarOf(entered) };
      }),
      initial,
      transitions: transitions.map((t) => ({
        ...t,
        condition: sink.scalar(t.condition, t.origin),
        actions: t.actions.flatMap(({ target, value, origin: at }) => {
          const values = sink.elements(value, at);
          return sink
            .elements(target, at)
            .flatMap((e, k) =>
              e.kind === 'ref' ? [{ target: e.symbol, value: values[k]!, origin: at }] : [],
            );
        }),
      })),
      guard,
      origin,
    };
  }

  /**
   * A variable that states share as `outer output`, but not the active one, keeps its last value (specification 17.3.6): `v = pre(v)`.
   * A state that does declare it has to determine it, be it by a constraint on other variables.
   */
  holdShared({ states, guard, origin }: FlatMachine): void {
    const shared = new Set(states.flatMap((state) => state.outputs));
    for (const { condition, outputs } of states) {
      for (const variable of shared) {
        if (outputs.includes(variable)) continue;
        for (const symbol of this.sink.symbolsOf(variable))
          this.hold(symbol, [...guard, { condition, value: true }], origin);
      }
    }
  }

  /** Discrete variables that nothing but actions of transitions assign keep their values in between. */
  holdActedOn(machines: readonly Machine[]): void {
    const { scalars, equations } = this.sink;
    const assigned = new Set<number>();
    for (const { assigns, left, right } of equations) {
      if (assigns !== undefined) assigned.add(assigns);
      // b1 = b2 may assign either.
      else for (const side of [left, right]) if (side.kind === 'ref') assigned.add(side.symbol);
    }
    for (const { target, origin } of machines.flatMap((m) => m.transitions.flatMap((t) => t.actions))) {
      const { kind, variable } = scalars[target]!;
      if (kind !== 'discrete' || assigned.has(target)) continue;
      assigned.add(target);
      this.hold(target, variable?.guard ?? [], origin);
    }
  }

  /** A state that declares a shared variable needs an equation for it, be it one outside of the machine. */
  checkShared(machines: readonly FlatMachine[]): void {
    const guards = this.guardsOf(machines.flatMap((m) => m.states.flatMap((s) => s.outputs)));
    for (const { states } of machines) {
      const own = new Set(states.map((s) => s.condition));
      for (const { name, condition, outputs } of states) {
        const isElsewhere = (guard: Guard) =>
          guard.some((l) => own.has(l.condition) && l.value !== (l.condition === condition));
        const missing = outputs
          .flatMap((variable) => this.sink.symbolsOf(variable))
          .find((symbol) => guards.get(symbol)!.every(isElsewhere));
        if (missing !== undefined) throw new Failure('translate', [this.undetermined(missing, name)]);
      }
    }
  }

  /** By symbol of these variables: the guards of the equations in which it occurs. */
  private guardsOf(variables: readonly number[]): Map<number, Guard[]> {
    const guards = new Map<number, Guard[]>();
    for (const variable of variables)
      for (const symbol of this.sink.symbolsOf(variable)) guards.set(symbol, []);
    if (guards.size === 0) return guards;
    for (const { guard, left, right } of this.sink.equations)
      for (const symbol of [left, right].flatMap(symbolsOf)) guards.get(symbol)?.push(guard);
    return guards;
  }

  private undetermined(symbol: number, state: string): Diagnostic {
    const { name, variable } = this.sink.scalars[symbol]!;
    const message = `The state ${state} declares ${name} as \`outer output\`, but no equation determines it there.`;
    const hint = `Give ${name} a value in ${state}, or remove its declaration there: then it keeps its last value.`;
    return error('unbalanced', message, { span: variable?.origin.span, hint });
  }

  private hold(symbol: number, guard: Guard, origin: Origin): void {
    const { pool, equations } = this.sink;
    equations.push(definition(this.sink, symbol, pool.pre(symbol), guard, origin));
  }
}
