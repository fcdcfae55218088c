/**
 * The steps of a mode that run through in one piece: where its systems are solved by code of their own, that code and the routines around it become one function. Where a
 * system is not solved in this way, the steps from it on are carried out one by one.
 */
import { attempt, type Counted, type Entry } from '../../code/calls.ts';
import type { Memory } from '../../code/memory.ts';
import type { Step } from '../../code/plan.ts';
import { planSequence, type SequenceStep } from '../../code/sequence.ts';
import type { Program } from '../../code/unit.ts';
import { sameItems } from '../../collections/lists.ts';
import { remember } from '../../collections/memo.ts';
import type { SystemSolver } from '../systems.ts';
import type { WrittenSystem } from '../written.ts';

/** Longer ones have routines beside which it costs nothing to come back. */
const mostEntries = 2000;

interface Sequence {
  readonly run: Counted;
  /** By step: the code that solves its system. */
  readonly written: readonly (WrittenSystem | undefined)[];
  /** How often it ran since that was told to the systems. */
  runs: number;
}

/** A function that was planned, and what it calls. */
interface Planned {
  readonly run: Counted;
  readonly calls: readonly (Entry | Counted)[];
}

export class Sequences {
  private readonly made = new Map<readonly Step[], Sequence>();
  private readonly planned = new Map<readonly Step[], Planned[]>();

  constructor(
    private readonly memory: Memory,
    private readonly systems: readonly SystemSolver[],
  ) {}

  forget(): void {
    this.settle();
    this.made.clear();
  }

  /** Makes one of these steps of a program, up to the first system that has no code. */
  make(steps: readonly Step[], program: Program): void {
    const parts: SequenceStep[] = [];
    const written: (WrittenSystem | undefined)[] = [];
    let entries = 0;
    for (const step of steps) {
      const code = step.kind === 'solve' ? this.systems[step.system]!.code : undefined;
      const part = step.kind === 'run' ? program.entries?.(step.routine) : code?.iterate;
      if (!part) break;
      parts.push(part);
      written.push(code);
      entries += typeof part === 'function' ? 1 : part.length;
    }
    if (entries > mostEntries || written.every((code) => !code)) return;
    this.made.set(steps, { run: this.planFor(steps, parts), written, runs: 0 });
  }

  /** Functions are the same ones as long as routines and pivots are: mostly all runs of a mode come to the same. */
  private planFor(steps: readonly Step[], parts: readonly SequenceStep[]): Counted {
    const calls = parts.flat() as readonly (Entry | Counted)[];
    const known = remember(this.planned, steps, () => []);
    const same = known.find((one) => sameItems(one.calls, calls));
    if (same) return same.run;
    const run = planSequence(this.memory, parts);
    known.push({ run, calls });
    return run;
  }

  /** Carries out as many of the steps as it can; gives their number. */
  run(steps: readonly Step[]): number {
    const sequence = this.made.get(steps);
    if (!sequence) return 0;
    const { run, written } = sequence;
    const done = attempt(run, this.memory) ?? 0;
    if (done === written.length) {
      sequence.runs++;
      return done;
    }
    for (const code of written) code?.restore();
    this.settle();
    const step = steps[done]!;
    if (step.kind === 'solve' && this.systems[step.system]!.code !== written[done]) this.made.delete(steps);
    return done;
  }

  /** Tells the systems how often they were solved. */
  settle(): void {
    for (const [steps, sequence] of this.made) {
      if (sequence.runs === 0) continue;
      for (const [k] of sequence.written.entries()) {
        const step = steps[k]!;
        if (step.kind === 'solve') this.systems[step.system]!.solvedElsewhere(sequence.runs);
      }
      sequence.runs = 0;
    }
  }
}
