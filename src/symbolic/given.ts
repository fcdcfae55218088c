/** Derivatives and inverses of calls by functions that are given for it (`GivenDerivative`, `GivenInverse`). */
import type { Call, Expr } from './expr.ts';
import type { FunctionDef, GivenDerivative } from './function.ts';
import type { Pool } from './pool.ts';
import { outputOffset, sizeOf } from './shape.ts';

/** The argument of a scalarised call that gives a value, by a function that is given for it; undefined where there is none. */
export function givenInverse(
  pool: Pool,
  functions: readonly FunctionDef[],
  { fn, args, output }: Call,
  input: number,
  value: Expr,
): Expr | undefined {
  const inverse = output === 0 ? functions[fn]?.inverses?.find((one) => one.input === input) : undefined;
  return (
    inverse &&
    pool.call(
      inverse.fn,
      inverse.args.map((k) => args[k] ?? value),
      0,
    )
  );
}

/** The derivative of a scalarised call, for derivatives of its arguments, by the first of the given functions that can be used. */
export function givenDerivative(
  pool: Pool,
  functions: readonly FunctionDef[],
  call: Call,
  seeds: readonly Expr[],
): Expr | undefined {
  const given = usableDerivative(pool, functions, call, seeds, false);
  return given && derivativeBy(pool, functions, call, given, seeds);
}

/** The first of the given functions that can be used; `byTime`: what they ignore is known to follow from the rest. */
export function usableDerivative(
  pool: Pool,
  functions: readonly FunctionDef[],
  call: Call,
  seeds: readonly Expr[],
  byTime: boolean,
): GivenDerivative | undefined {
  const fn = functions[call.fn]!;
  return fn.given?.find((one) => isUsable(pool, fn, one, call, seeds, byTime));
}

/** The derivative of a scalarised call by one of the functions given for it. */
export function derivativeBy(
  pool: Pool,
  functions: readonly FunctionDef[],
  call: Call,
  given: GivenDerivative,
  seeds: readonly Expr[],
): Expr {
  const fn = functions[call.fn]!;
  const [output, element] = outputAt(fn, call.output);
  const derivative = given.outputs[output];
  if (derivative === undefined) return pool.zero;
  const along = given.along.flatMap((input) => elementsOf(fn, seeds, input));
  const first = outputOffset(functions[given.fn]!, derivative);
  return pool.call(given.fn, [...call.args, ...along], first + element);
}

function isUsable(
  pool: Pool,
  fn: FunctionDef,
  { constant, ignored, pairs }: GivenDerivative,
  call: Call,
  seeds: readonly Expr[],
  byTime: boolean,
): boolean {
  const isConstant = (input: number): boolean =>
    elementsOf(fn, seeds, input).every((seed) => seed === pool.zero);
  const isDerivative = ([input, derivative]: readonly [number, number]): boolean => {
    const values = elementsOf(fn, call.args, derivative);
    return elementsOf(fn, seeds, input).every((seed, e) => seed === values[e]);
  };
  return constant.every(isConstant) && (byTime || ignored.every(isConstant)) && pairs.every(isDerivative);
}

/** Those of the elements of all inputs that belong to one of them. */
function elementsOf({ locals }: FunctionDef, elements: readonly Expr[], input: number): readonly Expr[] {
  let first = 0;
  for (let k = 0; k < input; k++) first += sizeOf(locals[k]!.dims);
  return elements.slice(first, first + sizeOf(locals[input]!.dims));
}

/** The output to which a scalar result belongs, and which of its elements it is. */
function outputAt({ locals, inputs }: FunctionDef, result: number): [output: number, element: number] {
  let rest = result;
  for (let k = 0; ; k++) {
    const size = sizeOf(locals[inputs + k]!.dims);
    if (rest < size) return [k, rest];
    rest -= size;
  }
}
