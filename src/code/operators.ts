/**
 * The scalar operators as instructions. Each takes its operands from the stack and leaves its result there, with the
 * meaning that `symbolic/arithmetic.ts` defines.
 */
import type { Apply } from '../symbolic/expr.ts';
import { elementary, type MathFunction } from '../symbolic/operators.ts';
import { type Body, f64, op } from './encoder.ts';
import { isSmallPower } from './graph.ts';

export type { MathFunction };

/** The imported functions of `Math`, by the operator they are the value of. */
export const mathFunctions: readonly MathFunction[] = [...elementary, 'pow'];

/** Writes a scalar operator whose operands are on the stack. */
export function writeOperator(body: Body, expr: Apply, math: (name: MathFunction) => number): void {
  const instruction = instructions[expr.op];
  if (instruction !== undefined) {
    body.op(instruction);
    return;
  }
  switch (expr.op) {
    case 'pow':
      if (isSmallPower(expr.args[1]!)) smallPower(body, (expr.args[1] as { value: number }).value);
      else body.opIndex(op.call, math('pow'));
      break;
    case 'sign':
      sign(body);
      break;
    case 'exact':
      exact(body);
      break;
    case 'idiv':
      body.op(op.f64Div);
      body.op(op.f64Trunc);
      break;
    case 'mod':
      remainder(body, op.f64Floor);
      break;
    case 'rem':
      remainder(body, op.f64Trunc);
      break;
    default:
      if (!elementary.has(expr.op as MathFunction))
        throw new Error(`operator ${expr.op} cannot stand in code`);
      body.opIndex(op.call, math(expr.op as MathFunction));
  }
}

/** x^n for n in 2, 3, 4, -1, -2; x is on the stack. */
function smallPower(body: Body, exponent: number): void {
  const x = body.allocate(f64);
  const square = (): void => {
    body.opIndex(op.localTee, x);
    body.op(op.f64Mul, x);
  };
  if (exponent !== -1) square();
  if (exponent === 4) square();
  if (exponent === 3) {
    body.op(op.f64Mul, x);
  }
  if (exponent < 0) {
    body.opIndex(op.localSet, x);
    body.const(1);
    body.op(op.f64Div, x);
  }
  body.release(f64, x);
}

/** (x > 0) - (x < 0): zero for NaN and both zeros. */
function sign(body: Body): void {
  const x = body.allocate(f64);
  body.opIndex(op.localTee, x);
  body.const(0);
  body.op(op.f64Gt);
  body.opIndex(op.localGet, x);
  body.const(0);
  body.op(op.f64Lt);
  body.op(op.i32Sub);
  body.op(op.f64ConvertI32S);
  body.release(f64, x);
}

/** x where |x| < 2^53, otherwise NaN. */
function exact(body: Body): void {
  const x = body.allocate(f64);
  body.opIndex(op.localTee, x);
  body.const(Number.NaN);
  body.op(op.f64Abs, x);
  body.const(Number.MAX_SAFE_INTEGER);
  body.op(op.f64Le);
  body.op(op.select);
  body.release(f64, x);
}

/** x - round(x/y)*y. */
function remainder(body: Body, rounding: number): void {
  const x = body.allocate(f64);
  const y = body.allocate(f64);
  body.opIndex(op.localSet, y);
  body.opIndex(op.localTee, x);
  body.op(op.f64Div, x, y);
  body.op(rounding);
  body.op(op.f64Mul, y);
  body.op(op.f64Sub);
  body.release(f64, x);
  body.release(f64, y);
}

/** Operators that are one instruction. */
const instructions: { readonly [name: string]: number | undefined } = Object.assign(Object.create(null), {
  add: op.f64Add,
  sub: op.f64Sub,
  mul: op.f64Mul,
  div: op.f64Div,
  neg: op.f64Neg,
  sqrt: op.f64Sqrt,
  abs: op.f64Abs,
  min: op.f64Min,
  max: op.f64Max,
  floor: op.f64Floor,
  ceil: op.f64Ceil,
  lt: op.f64Lt,
  le: op.f64Le,
  gt: op.f64Gt,
  ge: op.f64Ge,
  eq: op.f64Eq,
  ne: op.f64Ne,
  and: op.i32And,
  or: op.i32Or,
  not: op.i32Eqz,
});
