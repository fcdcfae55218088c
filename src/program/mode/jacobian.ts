/** Jacobians of a mode at run time: of its right-hand side, as integrators ask for it, and of anything that it computes. */
import type { AccumulationPlan } from '../../code/accumulation.ts';
import { type DirectionPlan, type JacobianPlan, planJacobian, systemsIn } from '../../code/jacobian.ts';
import type { OdeJacobian } from '../../solve/integrator.ts';
import type { ReadyMode } from '../ready.ts';
import type { CodeStore } from '../store.ts';

/** The Jacobian of the derivatives of the states by the states. */
export function systemJacobian(code: CodeStore, mode: ReadyMode): OdeJacobian {
  const plan = planJacobian(code, mode.plan, mode.states);
  const { starts, rows } = plan;
  const dy = new Float64Array(mode.states.length);
  const entriesAt = derivativeEntries(code, mode, plan);
  return {
    pattern: { n: mode.states.length, starts, rows },
    evaluate: (t, y, entries) => mode.derivatives(t, y, dy) && entriesAt(entries),
  };
}

/** Writes the entries of a planned Jacobian at the point where the mode was evaluated; false where a system is singular there. */
export function derivativeEntries(
  code: CodeStore,
  mode: ReadyMode,
  plan: JacobianPlan,
): (entries: Float64Array) => boolean {
  return plan.kind === 'accumulation' ? accumulated(code, plan) : carried(code, mode, plan);
}

function accumulated(code: CodeStore, plan: AccumulationPlan): (entries: Float64Array) => boolean {
  const { routines, sources, products, places } = plan;
  const program = code.compile(code.unitOf(routines));
  const cells = new Float64Array(plan.cells).fill(1, 0, sources);
  return (entries) => {
    program.run(0);
    const { values } = code.memory;
    cells.fill(0, sources);
    for (let k = 0; k < products.length; k += 3) {
      const target = products[k]!;
      cells[target] = cells[target]! + values[products[k + 1]!]! * cells[products[k + 2]!]!;
    }
    for (let k = 0; k < places.length; k++) entries[k] = cells[places[k]!]!;
    return true;
  };
}

function carried(
  code: CodeStore,
  mode: ReadyMode,
  { routines, starts, rows, seeds, results, groups, steps }: DirectionPlan,
): (entries: Float64Array) => boolean {
  const program = code.compile(code.unitOf(routines));
  const systems = systemsIn(steps).map((k) => mode.systems[k]!);
  const buffers = steps.map((s) => new Float64Array(s.kind === 'solve' ? s.unknowns.length : 0));

  const propagate = (values: Float64Array): void => {
    for (let k = 0; k < steps.length; k++) {
      const step = steps[k]!;
      if (step.kind === 'run') {
        program.run(step.routine);
        continue;
      }
      const buffer = buffers[k]!;
      for (let i = 0; i < buffer.length; i++) buffer[i] = values[step.residualSlot + i]!;
      mode.systems[step.system]!.tangent(buffer);
      for (let i = 0; i < buffer.length; i++) values[step.unknowns[i]!] = buffer[i]!;
    }
  };

  return (entries) => {
    for (const system of systems) if (!system.factor()) return false;
    const { values } = code.memory;
    for (let i = 0; i < seeds.length; i++) values[seeds[i]!] = 0;
    for (const group of groups) {
      for (const j of group) values[seeds[j]!] = 1;
      propagate(values);
      for (const j of group) {
        for (let k = starts[j]!; k < starts[j + 1]!; k++) entries[k] = values[results[rows[k]!]!]!;
        values[seeds[j]!] = 0;
      }
    }
    return true;
  };
}
