/** Addresses of array elements in the frame of a user function, with the checks of their subscripts. */
import type { Local } from '../symbolic/expr.ts';
import type { EmitContext } from './context.ts';
import { type Body, f64, i32, op } from './encoder.ts';
import type { FrameVariables, Handover } from './frame.ts';

type Checks = Pick<EmitContext, 'site' | 'fault'>;

/** The element that is addressed, and where its instructions go. */
interface Subject {
  readonly body: Body;
  readonly context: Checks;
  readonly variables: FrameVariables;
  readonly expr: Local;
}

/**
 * Leaves the address of an array element on the stack and gives the constant offset that is to be added. Subscripts
 * that are not constant are on the stack as doubles, all of them if any is not constant.
 */
export function elementAddress(
  body: Body,
  context: Checks,
  variables: FrameVariables,
  expr: Local,
  place: Handover,
): number {
  const subject: Subject = { body, context, variables, expr };
  const { dims } = place;
  const subscripts = expr.subscripts;
  if (subscripts.length !== dims.length)
    throw new Error('an array of a function needs all its subscripts here');
  if (subscripts.every((s) => s.kind === 'const')) {
    let element = 0;
    for (const [k, s] of subscripts.entries()) {
      const value = (s as { value: number }).value;
      if (!Number.isInteger(value) || value < 1 || value > dims[k]!) alwaysFails(subject, k, value);
      else element = element * dims[k]! + value - 1;
    }
    body.opIndex(op.localGet, variables.frame);
    return place.offset + 8 * (subscripts.length === 0 ? 0 : element);
  }
  const positions = dims.map(() => body.allocate(i32));
  for (let k = dims.length - 1; k >= 0; k--) checkSubscript(subject, k, dims[k]!, positions[k]!);
  for (const [k, position] of positions.entries()) {
    if (k > 0) {
      body.constI32(dims[k]!);
      body.op(op.i32Mul);
    }
    body.opIndex(op.localGet, position);
    if (k > 0) body.op(op.i32Add);
  }
  body.constI32(8);
  body.op(op.i32Mul);
  body.op(op.i32Add, variables.frame);
  for (const position of positions) body.release(i32, position);
  return place.offset;
}

/** Takes the subscript from the stack, leaves it in `position`, counted from 0. */
function checkSubscript(subject: Subject, k: number, size: number, position: number): void {
  const { body, context } = subject;
  const subscript = body.allocate(f64);
  body.opIndex(op.localTee, subscript);
  body.op(op.saturating);
  body.code.u32(2);
  body.constI32(1);
  body.op(op.i32Sub);
  body.opIndex(op.localTee, position);
  body.constI32(size);
  body.op(op.i32GeU);
  body.opIndex(op.localGet, position);
  body.constI32(1);
  body.op(op.i32Add);
  body.op(op.f64ConvertI32S);
  body.op(op.f64Ne, subscript);
  body.op(op.i32Or);
  body.open(op.if);
  body.constI32(siteOf(subject, k));
  body.opIndex(op.localGet, subscript);
  body.opIndex(op.call, context.fault());
  body.close();
  body.release(f64, subscript);
}

function alwaysFails(subject: Subject, k: number, value: number): void {
  const { body, context } = subject;
  body.constI32(siteOf(subject, k));
  body.const(value);
  body.opIndex(op.call, context.fault());
}

function siteOf({ context, variables, expr }: Subject, k: number): number {
  const size = variables.array(expr.index)!.dims[k]!;
  const name = variables.name(expr.index);
  const message = (value: number, fn: string): string =>
    `Subscript ${value} of ${name} in ${fn} is outside 1:${size}.`;
  return context.site('index-out-of-range', variables.span, message);
}
