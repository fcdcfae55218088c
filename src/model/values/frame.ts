/**
 * What an evaluation carries along: local names, a budget of steps and depth, and the way in which it ends early.
 */
import { type Diagnostic, error } from '../../diagnostic/diagnostic.ts';
import type { Span } from '../../diagnostic/source.ts';
import { ForeignCalls, type ForeignRun } from '../../symbolic/foreign.ts';
import { StringTable } from '../../symbolic/strings.ts';
import type { Value } from '../value.ts';

/** Ends an evaluation that has no value; without a problem where that is already reported. Never leaves this folder. */
export class Stop {
  constructor(readonly problem: Diagnostic | undefined) {}
}

/** Ends an evaluation with a problem. */
export function stop(...problem: Parameters<typeof error>): never {
  throw new Stop(error(...problem));
}

const MOST_STEPS = 2e6;
/** Nested expressions and calls; each takes part of the call stack. */
const DEEPEST = 250;

/** What one evaluation may spend, and the external functions that it calls: they belong to a run, or to this evaluation alone. */
export class Budget {
  private left = MOST_STEPS;
  private depth = 0;
  readonly foreign: ForeignCalls;

  constructor(run?: ForeignRun) {
    this.foreign = new ForeignCalls(new StringTable(), run);
  }

  step(span: Span): void {
    if (--this.left < 0) this.exceeded('takes more than two million steps', span);
  }

  enter(span: Span): void {
    if (++this.depth > DEEPEST) this.exceeded('is nested too deeply', span);
  }

  leave(): void {
    this.depth--;
  }

  private exceeded(what: string, span: Span): never {
    stop('limit-exceeded', `The evaluation of this expression ${what}.`, { span });
  }
}

/** Local names: iterators, and the variables of a function. `undefined` is a variable without a value yet. */
export class Frame {
  readonly values: Map<string, Value | undefined>;

  constructor(
    readonly parent: Frame | undefined,
    values: ReadonlyMap<string, Value | undefined>,
  ) {
    this.values = new Map(values);
  }

  /** The innermost frame that has the name. */
  holder(name: string): Frame | undefined {
    let frame: Frame | undefined = this;
    while (frame && !frame.values.has(name)) frame = frame.parent;
    return frame;
  }
}
