/** Routines, and systems that are solved between them, as one function: it gives how many of these steps were carried out before a system could not be solved. */
import { CallWriter, type Counted, type Entry } from './calls.ts';
import { i32, op } from './encoder.ts';
import type { Memory } from './memory.ts';

/** Functions to be called, or one that solves a system and gives 1. */
export type SequenceStep = readonly Entry[] | Counted;

export function planSequence(memory: Memory, steps: readonly SequenceStep[]): Counted {
  const isSolving = (step: SequenceStep): step is Counted => typeof step === 'function';
  const entries = steps.flatMap((step) => (isSolving(step) ? [] : step));
  const calls = new CallWriter('sequence', entries, steps.filter(isSolving));
  return calls.make(memory, (body) => {
    const done = body.allocate(i32);
    body.open(op.block);
    for (const [k, step] of steps.entries()) {
      if (!isSolving(step)) {
        calls.call(...step);
        continue;
      }
      body.constI32(k);
      body.opIndex(op.localSet, done);
      calls.call(step);
      body.op(op.i32Eqz);
      body.opIndex(op.brIf, 0);
    }
    body.constI32(steps.length);
    body.opIndex(op.localSet, done);
    body.close();
    body.opIndex(op.localGet, done);
  });
}
