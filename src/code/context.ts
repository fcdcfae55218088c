/** What the code of expressions needs to know of the module that it becomes part of. */
import type { Span } from '../diagnostic/source.ts';
import type { Expr } from '../symbolic/expr.ts';
import type { TextOperator } from '../symbolic/strings.ts';
import type { FaultKind, Message } from './fault.ts';
import type { Callee } from './frame.ts';
import type { MathFunction } from './operators.ts';

/** What emission needs to know of the module around it. */
export interface EmitContext {
  readonly slotOf: (leaf: Expr) => number;
  readonly math: (name: MathFunction) => number;
  /** Imported function of an operator on texts. */
  readonly text: (name: TextOperator) => number;
  /** The number that stands for a text. */
  readonly numberOf: (text: string) => number;
  readonly callee: (fn: number) => Callee;
  /** The slot that holds a constant; undefined where it stands in the code. */
  readonly constant: (value: number) => number | undefined;
  /** Index of the global that holds the address of the next frame. */
  readonly stackPointer: () => number;
  /** Registers a check and gives the number that `fault` is called with. */
  readonly site: (kind: FaultKind, span: Span | undefined, message: Message) => number;
  /** Function that records a failed check (site, value) and traps. */
  readonly fault: () => number;
}
