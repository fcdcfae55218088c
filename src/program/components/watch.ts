/**
 * Watches the code of a built-in component: what it throws, promises that it gives, and numbers that it does not write become
 * diagnostics with the name of the component, the function and the time.
 */
import { type Diagnostic, error, type Stage } from '../../diagnostic/diagnostic.ts';
import { Failure } from '../../diagnostic/failure.ts';
import { Interrupted } from '../../diagnostic/pulse.ts';
import type { FlatComponent } from '../../flat/flat.ts';
import { titleOf } from './equations.ts';

export class ComponentWatch {
  /** What goes wrong belongs to this stage of the run. */
  stage: Stage = 'initialise';

  constructor(
    private readonly flat: FlatComponent,
    private readonly time: () => number,
  ) {}

  /** Calls a function of the component. */
  call<T>(fn: string, work: () => T): T {
    try {
      return this.ended(work());
    } catch (problem) {
      throw this.thrown(fn, problem);
    }
  }

  /** What a function gave, which must have done its work: nothing here waits for promises. */
  ended<T>(result: T): T {
    if (!isPromise(result)) return result;
    // What it rejects with later is of no interest any more.
    result.then(
      () => {},
      () => {},
    );
    throw new Error('it is asynchronous, and what it computes would come too late');
  }

  /** What a function of the component threw, as a failure. */
  thrown(fn: string, problem: unknown): Error {
    if (problem instanceof Failure || problem instanceof Interrupted) return problem;
    return this.broken(fn, problem instanceof Error ? problem.message : String(problem));
  }

  broken(fn: string, what: string): Failure {
    return new Failure(this.stage, [this.breach(fn, what)]);
  }

  breach(fn: string, what: string): Diagnostic {
    const text = /[.!?]$/.test(what) ? what : `${what}.`;
    return error('component', `${titleOf(this.flat)} failed in \`${fn}\` at time ${this.time()}: ${text}`, {
      span: this.flat.origin.span,
      hint: 'This is a mistake in the code of the component, not in the equations of the model.',
    });
  }
}

function isPromise(result: unknown): result is PromiseLike<unknown> {
  return (
    typeof result === 'object' && result !== null && typeof (result as { then?: unknown }).then === 'function'
  );
}

/** A NaN that arithmetic on numbers does not give: halves of its bits, in the order of the machine. */
const mark = new Uint32Array(BigUint64Array.of(0x7ff8_0000_6d75_7461n).buffer);
const first = mark[0]!;
const second = mark[1]!;

/** Below so many halves a loop is faster. */
const few = 32;

/** So many that any of them find theirs among them. */
let marks = new Uint32Array(0);

function marksOf(length: number): Uint32Array {
  if (marks.length < length) {
    marks = new Uint32Array(2 * length);
    for (let i = 0; i < marks.length; i++) marks[i] = mark[i % 2]!;
  }
  return marks.subarray(0, length);
}

/** Numbers that a function has to write: before the call all of them are a special NaN, so that it is known which it left out. */
export class Blanks {
  private readonly bits: Uint32Array;
  /** What all of them are before the call: to copy it is faster than to write it. */
  private marks: Uint32Array | undefined;

  constructor(private readonly numbers: Float64Array) {
    const { buffer, byteOffset, length } = numbers;
    this.bits = new Uint32Array(buffer, byteOffset, 2 * length);
  }

  /** Those of an array, which may have been made already. */
  static of(numbers: Float64Array, known: Blanks | undefined): Blanks {
    return known?.numbers === numbers ? known : new Blanks(numbers);
  }

  fill(start = 0, end = this.numbers.length): void {
    const { bits } = this;
    if (end - start === this.numbers.length && bits.length > few) {
      this.marks ??= marksOf(bits.length);
      bits.set(this.marks);
      return;
    }
    for (let i = 2 * start; i < 2 * end; i += 2) {
      bits[i] = first;
      bits[i + 1] = second;
    }
  }

  has(i: number): boolean {
    return this.bits[2 * i] === first && this.bits[2 * i + 1] === second;
  }
}
