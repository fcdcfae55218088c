/**
 * User functions: typed locals and statements over expressions. A function is specialised for fixed array sizes,
 * so that code generation knows its memory.
 */
import type { Span } from '../diagnostic/source.ts';
import type { Expr } from './expr.ts';

export type ValueType = 'Real' | 'Integer' | 'Boolean' | 'String';

/** A user function for fixed array sizes; `Call.fn` indexes `FlatModel.functions`. */
export interface FunctionDef {
  readonly name: string;
  /** Inputs first, then outputs, then protected variables; `Local.index` counts through them. */
  readonly locals: readonly FunctionLocal[];
  readonly inputs: number;
  readonly outputs: number;
  readonly body: readonly FunctionStatement[];
  readonly span: Span | undefined;
}

export interface FunctionLocal {
  readonly name: string;
  readonly type: ValueType;
  readonly dims: readonly number[];
  /** Default of an output or protected variable. */
  readonly initial: Expr | undefined;
}

export type FunctionStatement =
  | { readonly kind: 'assign'; readonly target: Expr; readonly value: Expr; readonly span: Span | undefined }
  | {
      readonly kind: 'multiassign';
      readonly targets: readonly (Expr | undefined)[];
      readonly fn: number;
      readonly args: readonly Expr[];
      readonly span: Span | undefined;
    }
  | {
      readonly kind: 'if';
      readonly branches: readonly {
        readonly condition: Expr | undefined;
        readonly body: readonly FunctionStatement[];
      }[];
    }
  | {
      readonly kind: 'for';
      readonly iterator: number;
      readonly range: Expr;
      readonly body: readonly FunctionStatement[];
    }
  | { readonly kind: 'while'; readonly condition: Expr; readonly body: readonly FunctionStatement[] }
  | { readonly kind: 'break' }
  | { readonly kind: 'return' }
  | {
      readonly kind: 'assert';
      readonly condition: Expr;
      readonly message: Expr;
      readonly span: Span | undefined;
    };
