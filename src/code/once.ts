/**
 * Programs that may be needed once only: values after a change to a mode that never returns. Code for them would take longer to make than the
 * interpreter takes to run them. Where they are needed again, code is made.
 */
import { eachNode } from '../symbolic/analyse.ts';
import { interpretUnit } from './interpret.ts';
import { type Memory, timeSlot } from './memory.ts';
import type { CodeUnit, Program } from './unit.ts';

/** Computations at one instant that are interpreted: proposals of a mode, corrections of its values. */
const mostComputations = 8;

export class OnceProgram implements Program {
  private program: Program;
  private compiled = false;
  /** How often it was needed while interpreted, and when first. */
  private computations = 0;
  private instant = Number.NaN;

  /** `compile` makes the code. */
  constructor(
    unit: CodeUnit,
    private readonly memory: Memory,
    private readonly compile: () => Program,
  ) {
    this.program = interpretUnit(unit, memory);
    if (!isInterpretedExactly(unit)) this.settle();
  }

  /** A computation begins, in which routines run a few times. */
  begin(): void {
    if (this.compiled) return;
    const time = this.memory.values[timeSlot]!;
    if (this.computations === 0) this.instant = time;
    if (this.computations++ === mostComputations || time !== this.instant) this.settle();
  }

  /** From now on there is code. */
  settle(): void {
    if (!this.compiled) this.program = this.compile();
    this.compiled = true;
  }

  run(k: number): void {
    this.program.run(k);
  }
}

/** Whether the interpreter gives what code gives, bit by bit: in code small powers are products, and calls fail in other words. */
function isInterpretedExactly({ routines }: CodeUnit): boolean {
  let exact = true;
  const values = routines.flatMap(({ body }) => body.map(({ value }) => value));
  eachNode(values, (node) => {
    if (node.kind === 'call' || (node.kind === 'apply' && node.op === 'pow')) exact = false;
  });
  return exact;
}
