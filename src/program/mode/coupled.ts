/**
 * A mode with its large algebraic systems in the open: an implicit integrator solves for their unknowns together with the states, instead of solving each
 * system to the end inside every evaluation. What couples everything with everything, as the nodes of a line of diodes do, then stays sparse: a system that is
 * solved inside makes every derivative depend on every state that enters it.
 */
import { planDerivatives } from '../../code/jacobian.ts';
import type { Plan, PlanItem, SystemPlan } from '../../code/plan.ts';
import type { CoupledSystem } from '../../solve/integrator.ts';
import type { ReadyMode } from '../ready.ts';
import type { CodeStore } from '../store.ts';
import { derivativeEntries } from './jacobian.ts';

/** Systems with fewer unknowns are cheap to solve inside, and fill little. */
const fewest = 30;

/** Sizes of unknowns depend on the run. */
export type ModeCoupling = Omit<CoupledSystem, 'nominal'>;

/** The numbers of the systems that can be solved together with the states; none where it does not pay. */
export function openSystems(plan: Plan): readonly number[] {
  return plan.items.flatMap((item) =>
    item.kind === 'system' && plan.systems[item.system]!.unknowns.length >= fewest ? [item.system] : [],
  );
}

/** `open`: the systems whose unknowns are in the open, in order of computation. */
export function coupledMode(code: CodeStore, mode: ReadyMode, open: readonly number[]): ModeCoupling {
  const n = mode.states.length;
  const { memory } = code;
  const systems = open.map((k) => mode.plan.systems[k]!);
  const unknowns = Int32Array.from(systems.flatMap((system) => [...system.unknowns]));
  const residuals = Int32Array.from(systems.flatMap((system) => [...system.residuals]));
  const plan = planDerivatives(code, differentiated(code, mode, open));
  const entriesAt = derivativeEntries(code, mode, plan);
  const scratch = new Float64Array(n + unknowns.length);
  const write: CoupledSystem['write'] = (point) => {
    const { values } = memory;
    for (let i = 0; i < unknowns.length; i++) values[unknowns[i]!] = point[n + i]!;
  };
  const evaluate: CoupledSystem['evaluate'] = (t, point, out) => {
    if (!mode.place(t, point)) return false;
    write(point);
    if (!mode.execute(mode.plan.dynamics, true) || !mode.readDerivatives(out)) return false;
    const { values } = memory;
    let check = 0;
    for (let i = 0; i < residuals.length; i++) {
      const value = values[residuals[i]!]!;
      out[n + i] = value;
      check += value * 0;
    }
    return check === 0;
  };
  return {
    m: unknowns.length,
    iterated: systems.some(({ linear }) => !linear),
    evaluate,
    jacobian: {
      pattern: { n: n + unknowns.length, starts: plan.starts, rows: plan.rows },
      evaluate: (t, point, entries) => evaluate(t, point, scratch) && entriesAt(entries),
    },
    write,
    read: (point) => {
      const { values } = memory;
      for (let i = 0; i < unknowns.length; i++) point[n + i] = values[unknowns[i]!]!;
    },
  };
}

/** Derivatives and residuals by states and unknowns: the open systems are assignments of their inner unknowns. */
function differentiated({ pool, memory }: CodeStore, { plan, states }: ReadyMode, open: readonly number[]) {
  const isOpen = new Set(open);
  const opened = ({ block }: SystemPlan): PlanItem[] =>
    block.inner.map(({ unknown, value }) => ({
      kind: 'assign',
      leaf: unknown,
      slot: memory.slotOf(unknown),
      value,
      discrete: false,
    }));
  const blocks = open.map((k) => plan.systems[k]!.block);
  return {
    items: plan.items.flatMap((item) =>
      item.kind === 'system' && isOpen.has(item.system) ? opened(plan.systems[item.system]!) : [item],
    ),
    systems: plan.systems,
    sources: [...states, ...blocks.flatMap(({ tears }) => tears)],
    targets: [
      ...states.map((s) => pool.ref(s.symbol, s.order + 1)),
      ...blocks.flatMap(({ residuals }) => residuals),
    ],
  };
}
