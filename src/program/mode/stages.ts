/**
 * All stages of a step of the explicit pair (`solve/rk.ts`) as one routine. Where the right-hand side is short, calling it costs more
 * than computing it: six calls a step, each with values that are carried into the memory and out of it. So its assignments are written
 * once for each stage, between the argument of the stage and its slope:
 *
 *     time := t + c h,   x := y + h (a1 k1 + a2 k2 + …),   right-hand side,   k := der(x)
 *
 * The operations and their order are those of the integrator, and so are the results, to the last bit.
 */
import { timeSlot } from '../../code/memory.ts';
import type { SlotAssignment } from '../../code/unit.ts';
import type { Stages } from '../../solve/integrator.ts';
import { TSITOURAS } from '../../solve/rk.ts';
import type { Expr } from '../../symbolic/expr.ts';
import type { ReadyMode } from '../ready.ts';
import type { CodeStore } from '../store.ts';

/** Beyond so many assignments calls hardly matter, and making the code takes longer than it saves. */
const mostAssignments = 600;

/** Undefined where there are systems or components to be computed between assignments, or more of these than it pays for. */
export function modeStages(code: CodeStore, mode: ReadyMode): Stages | undefined {
  const { items } = mode.plan;
  const n = mode.states.length;
  if (mode.parts.length > 0 || items.some((item) => item.kind === 'system')) return undefined;
  if ((items.length + 2 * n) * (TSITOURAS.a.length - 1) > mostAssignments) return undefined;
  const { given, results, body } = code.temporaries.scratch(() => stageCode(code, mode));
  const program = code.compile(code.unitOf([{ name: 'stages', body }]), true);
  return (t, h, y, slope, out) => {
    const { values } = code.memory;
    values[given[0]!] = t;
    values[given[1]!] = h;
    for (let i = 0; i < n; i++) {
      values[given[2 + i]!] = y[i]!;
      values[given[2 + n + i]!] = slope[i]!;
    }
    program.run(0);
    for (let k = 0; k < results.length; k++) out[k] = values[results[k]!]!;
  };
}

interface StageCode {
  /** Slots of t, h, y and the slopes at the beginning of the step. */
  readonly given: Int32Array;
  /** Slots of what `Stages` writes, in its order. */
  readonly results: Int32Array;
  readonly body: readonly SlotAssignment[];
}

function stageCode(code: CodeStore, { plan, states }: ReadyMode): StageCode {
  const { pool, temporaries, memory } = code;
  const { a, c } = TSITOURAS;
  // Built as they stand: simplification may change the order of operations.
  const sum = (x: Expr, y: Expr): Expr => pool.raw('add', [x, y]);
  const product = (x: Expr, y: Expr): Expr => pool.raw('mul', [x, y]);
  const fresh = (): Expr => temporaries.fresh();
  const body: SlotAssignment[] = [];
  const assign = (leaf: Expr, value: Expr) => body.push({ slot: memory.slotOf(leaf), value });
  const [t, h] = [fresh(), fresh()];
  const y = states.map(fresh);
  const slopes = [states.map(fresh)];
  const given = Int32Array.from([t, h, ...y, ...slopes[0]!], memory.slotOf);
  const derivatives = states.map((s) => pool.ref(s.symbol, s.order + 1));
  /** The argument of the last stage but one. */
  const argument = states.map(fresh);
  for (let stage = 1; stage < a.length; stage++) {
    body.push({ slot: timeSlot, value: sum(t, product(pool.const(c[stage]!), h)) });
    for (const [i, state] of states.entries()) {
      const terms = a[stage]!.map((weight, k) => product(pool.const(weight), slopes[k]![i]!));
      assign(state, sum(y[i]!, product(h, terms.reduce(sum))));
    }
    for (const item of plan.items) if (item.kind === 'assign') body.push(item);
    slopes.push(derivatives.map(fresh));
    for (const [i, leaf] of slopes[stage]!.entries()) assign(leaf, derivatives[i]!);
    if (stage === a.length - 2) for (const [i, leaf] of argument.entries()) assign(leaf, states[i]!);
  }
  const written = [...slopes.slice(1).flat(), ...argument, ...states];
  return { given, results: Int32Array.from(written, memory.slotOf), body };
}
