/**
 * User functions: typed locals and statements over expressions. A function is specialised for fixed array sizes,
 * so that code generation knows its memory.
 */
import type { Span } from '../diagnostic/source.ts';
import type { Expr } from './expr.ts';
import type { ForeignFunction } from './foreign.ts';

export type ValueType = 'Real' | 'Integer' | 'Boolean' | 'String';

/** A user function for fixed array sizes; `Call.fn` indexes `FlatModel.functions`. */
export interface FunctionDef {
  readonly name: string;
  /** Inputs first, then outputs, then protected variables; `Local.index` counts through them. */
  readonly locals: readonly FunctionLocal[];
  readonly inputs: number;
  readonly outputs: number;
  readonly body: readonly FunctionStatement[];
  /** For what is code from outside: who computes the outputs from the inputs. */
  readonly external?: ExternalCode;
  /** For a partial derivative: the function, and the variables by which it was differentiated. */
  readonly partial?: { readonly of: number; readonly by: readonly string[] };
  /** Made by differentiating another one, in lowered form: there is no text of it. */
  readonly derived?: true;
  /** Functions that compute its derivative, by preference; without one that fits its statements are differentiated. */
  readonly given?: readonly GivenDerivative[];
  /** Functions that compute an input from the output and the other inputs. */
  readonly inverses?: readonly GivenInverse[];
  /** What it calls in another language, as text: `external "C" y = f(x)`. The body does that. */
  readonly clause?: string;
  /** For what is interpreted: itself and the functions that it calls, where text can say them. */
  readonly sources?: readonly FunctionSource[];
  /** Equal calls of it may give different values: its value is not known before it is called in a run. */
  readonly impure?: true;
  /**
   * It is one call of an impure function, or statements with such calls, where the model begins or reacts to events, and is carried out once each time (`repeats.ts`). So many of
   * its last inputs say in which turns of loops around the call.
   */
  readonly turns?: number;
  /** How many continuous derivatives it is promised to have. */
  readonly smooth?: number | undefined;
  /**
   * Calls of it are to be written out where they stand, and whether relations in it cause events there; `demanded`: they have to, so
   * that branches and loops are written out as well.
   */
  readonly inline?: 'demanded' | 'events' | 'silent' | undefined;
  readonly span: Span | undefined;
}

/** A function as it was written. */
export interface FunctionSource {
  readonly path: string;
  /** Of its variables and iterators. */
  readonly names: readonly string[];
  /** Its lines, where functions have these names. */
  readonly lines: (nameOf: (path: string) => string) => readonly string[];
}

export type ExternalCode = ComponentCode | ForeignCode;

/**
 * A function that computes the derivatives of the outputs of another one, from its inputs and then the derivatives of those in
 * `along`. Inputs are numbers of locals.
 */
export interface GivenDerivative {
  readonly fn: number;
  readonly along: readonly number[];
  /** Inputs that must be constant. */
  readonly constant: readonly number[];
  /** Inputs whose derivative by time the function does without. */
  readonly ignored: readonly number[];
  /** Pairs of inputs: the second must be the derivative of the first. For derivatives of derivatives. */
  readonly pairs: readonly (readonly [number, number])[];
  /** By output: that of the function that is its derivative; undefined where the derivative is 0. */
  readonly outputs: readonly (number | undefined)[];
}

/** A function of scalars that computes the input number `input` of another one, from inputs of it, by their numbers, and its output, which is counted after them. */
export interface GivenInverse {
  readonly fn: number;
  readonly input: number;
  readonly args: readonly number[];
}

/**
 * An output of a built-in component. The first input stands for its states, the second is the array of the inputs that act on the
 * output; a derivative has as third one the direction in which these move.
 */
export interface ComponentCode {
  readonly kind: 'component';
  readonly component: number;
  readonly output: number;
  readonly derivative: boolean;
}

/**
 * A function in another language. Its one input is the array of the elements of all arguments, its one output that of the elements of all that it
 * writes. A derivative has all inputs twice: the second time, the direction in which they move.
 */
export interface ForeignCode {
  readonly kind: 'foreign';
  readonly foreign: ForeignFunction;
  /** How often it was differentiated. */
  readonly order: number;
}

/** Computes external code. */
export interface ExternalCalls {
  /** Reads the elements of the inputs at `inputs`, and writes those of the output at `outputs`. */
  component(code: ComponentCode, values: Float64Array, inputs: number, outputs: number): void;
  /** Gives the elements of the output for those of the inputs. Strings may be given, and are given back, as texts or by their numbers. */
  foreign(code: ForeignCode, args: readonly (number | string)[]): (number | string)[];
}

export interface FunctionLocal {
  readonly name: string;
  readonly type: ValueType;
  readonly dims: readonly number[];
  /** Default of an output or protected variable. */
  readonly initial: Expr | undefined;
  /** No value before statements assign one: until then its elements are no numbers, so that a use of them does not go unnoticed. */
  readonly bare?: true;
  /** Where one is declared. */
  readonly unit?: string;
  /** The class of an external object: its value is a number that stands for one. */
  readonly object?: string;
}

/** What elements of a variable without a default are before statements assign to them. */
export const beginningOf = ({ bare }: FunctionLocal): number => (bare ? Number.NaN : 0);

/** A statement; `Other` are kinds that do not occur in functions. */
export type Statement<Other> =
  | Other
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
        readonly body: readonly Statement<Other>[];
      }[];
    }
  | {
      readonly kind: 'for';
      readonly iterator: number;
      readonly range: Expr;
      readonly body: readonly Statement<Other>[];
    }
  | { readonly kind: 'while'; readonly condition: Expr; readonly body: readonly Statement<Other>[] }
  | { readonly kind: 'break' }
  | { readonly kind: 'return' }
  | {
      readonly kind: 'assert';
      readonly condition: Expr;
      readonly message: Expr;
      readonly span: Span | undefined;
    };

export type FunctionStatement = Statement<never>;

export type Assignment = Extract<FunctionStatement, { kind: 'assign' }>;
export type MultiAssignment = Extract<FunctionStatement, { kind: 'multiassign' }>;

/** How a translation of functions treats what assigns; conditions, ranges and messages are expressions like others. */
export interface StatementRewriter {
  assign(statement: Assignment): FunctionStatement[];
  multiassign(statement: MultiAssignment): FunctionStatement[];
  expression(expr: Expr): Expr;
  range(expr: Expr): Expr;
}

/** Rewrites all statements, branches and loops included. */
export function rewriteStatements(
  rewriter: StatementRewriter,
  body: readonly FunctionStatement[],
): FunctionStatement[] {
  return body.flatMap((statement) => rewriteStatement(rewriter, statement));
}

function rewriteStatement(rewriter: StatementRewriter, statement: FunctionStatement): FunctionStatement[] {
  switch (statement.kind) {
    case 'assign':
      return rewriter.assign(statement);
    case 'multiassign':
      return rewriter.multiassign(statement);
    case 'if': {
      const branches = statement.branches.map((branch) => ({
        condition: branch.condition && rewriter.expression(branch.condition),
        body: rewriteStatements(rewriter, branch.body),
      }));
      return [{ kind: 'if', branches }];
    }
    case 'for': {
      const range = rewriter.range(statement.range);
      return [{ ...statement, range, body: rewriteStatements(rewriter, statement.body) }];
    }
    case 'while': {
      const condition = rewriter.expression(statement.condition);
      return [{ ...statement, condition, body: rewriteStatements(rewriter, statement.body) }];
    }
    case 'assert': {
      const condition = rewriter.expression(statement.condition);
      return [{ ...statement, condition, message: rewriter.expression(statement.message) }];
    }
    case 'break':
    case 'return':
      return [statement];
  }
}

/** What statements of all kinds have inside: expressions, the body of a loop, branches. */
export interface NestedStatement<S> {
  readonly kind: string;
  readonly target?: Expr;
  readonly targets?: readonly (Expr | undefined)[];
  readonly value?: Expr;
  readonly args?: readonly Expr[];
  readonly range?: Expr;
  readonly condition?: Expr;
  readonly message?: Expr;
  readonly body?: readonly S[];
  readonly branches?: readonly { readonly condition: Expr | undefined; readonly body: readonly S[] }[];
}

/** Statements at any depth, outer ones before those inside. */
export function* statementsIn<S extends NestedStatement<S>>(statements: readonly S[]): Generator<S> {
  for (const statement of statements) {
    yield statement;
    if (statement.body) yield* statementsIn(statement.body);
    if (statement.branches) for (const { body } of statement.branches) yield* statementsIn(body);
  }
}

/** All expressions of statements at any depth, targets included. */
export function* statementExpressions<S extends NestedStatement<S>>(
  statements: readonly S[],
): Generator<Expr> {
  for (const statement of statementsIn(statements)) yield* expressionsOf(statement);
}

/** The expressions of one statement, without those of statements inside. */
export function expressionsOf<S>(statement: NestedStatement<S>): Expr[] {
  const { target, targets, value, args, range, condition, message, branches } = statement;
  const tests = branches?.map((branch) => branch.condition) ?? [];
  const all = [target, ...(targets ?? []), value, ...(args ?? []), range, condition, message, ...tests];
  return all.filter((expr) => expr !== undefined);
}
