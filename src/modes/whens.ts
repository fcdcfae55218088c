/**
 * When-equations (specification 8.3.5): what they assign becomes an equation of a discrete variable, `v = if fire then e else pre(v)`; what
 * they do besides becomes an action. A branch fires where its condition becomes true and that of no earlier branch does.
 */
import { append } from '../collections/groups.ts';
import { Failure } from '../diagnostic/failure.ts';
import type { FlatAction, FlatAssert, FlatWhen, Guard, Origin } from '../flat/flat.ts';
import type { Expr } from '../symbolic/expr.ts';
import type { Pool } from '../symbolic/pool.ts';
import { auxiliary } from './events.ts';
import type { Action, GuardedEquation } from './guarded.ts';
import type { Destination, KeptCalls } from './kept.ts';
import { definition, type ScalarSink } from './sink.ts';

/** By variable: the branches that assign it. */
type Assigned = Map<number, { fire: Expr; value: Expr }[]>;

export class WhenLowering {
  private readonly pool: Pool;
  private count = 0;

  constructor(private readonly sink: ScalarSink & { readonly kept: KeptCalls }) {
    this.pool = sink.pool;
  }

  lower(equation: FlatWhen, guard: Guard, out: GuardedEquation[]): void {
    const { pool } = this;
    const assigned: Assigned = new Map();
    let earlier: Expr = pool.zero;
    for (const branch of equation.branches) {
      const conditions = this.sink.elements(branch.condition, equation.origin);
      const triggered = this.trigger(conditions, guard, equation.origin, out);
      const fire = pool.and(triggered, pool.not(earlier));
      earlier = pool.apply('or', earlier, triggered);
      for (const action of branch.body) this.act(action, fire, assigned, guard, out);
    }
    for (const [symbol, values] of assigned) {
      let value: Expr = pool.pre(symbol);
      for (let k = values.length - 1; k >= 0; k--) value = pool.if(values[k]!.fire, values[k]!.value, value);
      out.push({ guard, left: pool.ref(symbol), right: value, assigns: symbol, origin: equation.origin });
    }
  }

  /**
   * True at the events at which one of the conditions becomes true. During initialisation a when-clause is in force only
   * where its condition is `initial()` (specification 8.6).
   */
  trigger(conditions: readonly Expr[], guard: Guard, origin: Origin, out: GuardedEquation[]): Expr {
    const { pool } = this;
    const initial = pool.ref(this.sink.flags.initial);
    let any: Expr = pool.zero;
    for (const part of conditions) {
      const isInitial = part === initial;
      if (this.sink.changesContinuously(part)) throw unseen(origin);
      const own = isInitial ? initial : rise(this.sink, `$when${++this.count}`, part, guard, origin, out);
      any = pool.apply('or', any, own);
    }
    return any;
  }

  private act(
    action: FlatAction,
    triggered: Expr,
    assigned: Assigned,
    guard: Guard,
    out: GuardedEquation[],
  ): void {
    const { sink } = this;
    const { origin } = action;
    const only = 'when' in action && action.when ? sink.scalar(action.when, origin) : this.pool.one;
    const fire = this.pool.and(triggered, only);
    switch (action.kind) {
      case 'assign':
        for (const { target, value } of this.pairs(
          action,
          this.kept(action.value, fire, { guard, origin, out }),
        ))
          append(assigned, target, { fire, value });
        return;
      case 'reinit':
        for (const pair of this.pairs(action))
          sink.actions.push({ kind: 'reinit', fire, ...pair, origin, guard });
        return;
      case 'assert':
        sink.actions.push(assertion(sink, action, fire, guard));
        return;
      case 'terminate': {
        const message = sink.scalar(action.message, origin);
        sink.actions.push({ kind: 'terminate', fire, message, origin, guard });
        return;
      }
    }
  }

  /** The elements of a call that keeps its results. */
  private kept(value: Expr, fire: Expr, where: Destination): readonly Expr[] | undefined {
    const { sink } = this;
    if (value.kind !== 'call' || !sink.kept.keeps(value.fn)) return undefined;
    const args = value.args.map((arg) => sink.elements(arg, where.origin));
    return sink.kept.outputs(value.fn, args, fire, where).outputs[value.output];
  }

  /** Scalar variables with the values that an action gives them. */
  private pairs(
    { kind, target, value, origin }: FlatAction & { kind: 'assign' | 'reinit' },
    values: readonly Expr[] = this.sink.elements(value, origin),
  ) {
    return this.sink.elements(target, origin).map((own, k) => {
      if (own.kind !== 'ref') throw new Error(`${kind} without a variable reached lowering`);
      return { target: own.symbol, value: values[k]! };
    });
  }
}

const unseen = ({ span }: Origin): Failure =>
  Failure.of(
    'translate',
    'variability',
    'The condition of this `when` changes without an event: nothing would tell when it becomes true.',
    {
      span,
      hint: 'Use relations outside of `noEvent` and of functions, and `<` or `>` in place of `==`.',
    },
  );

/** True where a value becomes true, but not at the beginning; `name` is that of the discrete variable that follows it. */
export function rise(
  sink: Pick<ScalarSink, 'pool' | 'flags' | 'scalars' | 'addScalar'>,
  name: string,
  value: Expr,
  guard: Guard,
  origin: Origin,
  out: GuardedEquation[],
): Expr {
  const { pool } = sink;
  const symbol = sink.addScalar(auxiliary(name, 'discrete', 'Boolean'));
  out.push(definition(sink, symbol, value, guard, origin));
  const rises = pool.and(pool.ref(symbol), pool.not(pool.pre(symbol)));
  return pool.and(rises, pool.not(pool.ref(sink.flags.initial)));
}

/** An assertion that is checked where `fire` holds; without it, always. */
export function assertion(
  sink: Pick<ScalarSink, 'scalar'>,
  { condition, message, level, origin }: FlatAssert,
  fire: Expr | undefined,
  guard: Guard,
): Action {
  return {
    kind: 'assert',
    fire,
    condition: sink.scalar(condition, origin),
    message: sink.scalar(message, origin),
    level,
    origin,
    guard,
  };
}
