/**
 * Systems of equations that are singular at their solution and have others beside it, as `c*(x + y) = 0` while `c` is zero. The solution nearest to the guess is taken; the user is told, once for each
 * unknown.
 */
import { type Diagnostic, warning } from '../../diagnostic/diagnostic.ts';
import { equationNotes, listUnknowns } from '../explain.ts';
import type { Runtime } from '../runtime.ts';
import type { SystemSolver } from '../systems.ts';

/** A system that is singular again and again has one solution: it is looked at so often. */
const mostLooks = 3;

export class UndeterminedWatch {
  private readonly told = new Set<number>();
  private readonly looks = new Map<SystemSolver, number>();

  constructor(private readonly runtime: Runtime) {}

  /** Warnings about the systems of a mode whose solutions the memory holds. */
  warnings(systems: readonly SystemSolver[]): Diagnostic[] {
    return systems.flatMap((system) => (system.isSingular ? this.look(system) : []));
  }

  private look(system: SystemSolver): Diagnostic[] {
    const count = (this.looks.get(system) ?? 0) + 1;
    if (count > mostLooks) return [];
    this.looks.set(system, count);
    const { block } = system.plan;
    const free = system.undetermined().map((i) => block.tears[i]!);
    if (free.length === 0 || free.every(({ symbol }) => this.told.has(symbol))) return [];
    for (const { symbol } of free) this.told.add(symbol);
    const { runtime } = this;
    const notes = equationNotes(runtime, block.equations);
    const message = `The equations do not determine ${listUnknowns(runtime, free)} at time ${runtime.values.time}. Values near the last ones, or near start values, are taken.`;
    return [
      warning('singular-system', message, {
        span: notes[0]?.span,
        notes,
        hint: 'Some of the equations say nothing at these values, or the same. What depends on these variables follows from that choice.',
      }),
    ];
  }
}
