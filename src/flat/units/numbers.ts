/** Numbers and time in expressions, as units see them: what may carry a unit that is not written. */
import { leaves } from '../../symbolic/analyse.ts';
import type { Expr } from '../../symbolic/expr.ts';

/** What depends on `time` alone: a number that multiplies it is a frequency, or a velocity, whose unit is not written. */
export const isOfTime = (expr: Expr): boolean => {
  const found = leaves(expr);
  return found.length > 0 && found.every(({ kind }) => kind === 'time');
};

/** `time`, and what is shifted against it by a number. */
export function isTime(expr: Expr): boolean {
  if (expr.kind === 'time') return true;
  if (expr.kind !== 'apply' || (expr.op !== 'add' && expr.op !== 'sub')) return false;
  return expr.args.every(({ kind }) => kind === 'time' || kind === 'const');
}

/** Time that is shifted by a number: it grows as what it is a value of does. */
export const isRamp = (expr: Expr): boolean => expr.kind !== 'time' && isTime(expr);

/** Whether a number multiplies an expression, or all its terms that are no numbers themselves. */
export function hasNumber(expr: Expr): boolean {
  if (expr.kind !== 'apply') return false;
  switch (expr.op) {
    case 'neg':
      return hasNumber(expr.args[0]!);
    case 'mul':
    case 'div':
      return expr.args.some((arg) => (arg.kind === 'const' && Math.abs(arg.value) !== 1) || hasNumber(arg));
    case 'add':
    case 'sub':
      return expr.args.every((arg) => arg.kind === 'const' || hasNumber(arg));
    default:
      return false;
  }
}

/** The order of a derivative, by itself or with a number or sign; 0 for all else. */
export function derivativeOrder(expr: Expr): number {
  if (expr.kind === 'ref') return expr.order;
  if (expr.kind !== 'apply') return 0;
  const [a, b] = expr.args;
  if (expr.op === 'neg' || (expr.op === 'div' && b!.kind === 'const')) return derivativeOrder(a!);
  if (expr.op !== 'mul') return 0;
  return a!.kind === 'const' ? derivativeOrder(b!) : b!.kind === 'const' ? derivativeOrder(a!) : 0;
}

/** Numbers that stand in formulas for what they are: they neither carry a unit nor convert one. */
const simpleNumbers: ReadonlySet<string> = (() => {
  const above = [1, 2, 3, 4, 6, 8];
  const below = [1, 2, 3, 4, 6, 8, 12, 16, 32, 64];
  const fractions = above.flatMap((p) => below.map((q) => p / q));
  const circular = fractions.flatMap((number) => [number * Math.PI, number / Math.PI]);
  return new Set([0, ...fractions, ...circular].map(rounded));
})();

function rounded(value: number): string {
  return Math.abs(value).toPrecision(10);
}

export const isSimple = (value: number): boolean => simpleNumbers.has(rounded(value));
