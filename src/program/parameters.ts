/** Parameters when a run begins: each has its value after those that it depends on. */
import { type Diagnostic, error, warning } from '../diagnostic/diagnostic.ts';
import { Failure } from '../diagnostic/failure.ts';
import { pulse } from '../diagnostic/pulse.ts';
import { undeclaredStart } from '../modes/variables.ts';
import { leaves } from '../symbolic/analyse.ts';
import type { Expr } from '../symbolic/expr.ts';
import type { LastingModel, RunValues } from './evaluation.ts';
import type { Wording } from './wording.ts';

/** Evaluates all parameters, as they are given or declared. */
export function evaluateParameters(values: RunValues, wording: Wording): void {
  const { model, pool, given, texts } = values;
  const { scalars } = model;
  const state = new Uint8Array(scalars.length); // 0 new, 1 under way, 2 done
  for (let root = 0; root < scalars.length; root++) {
    const stack = [root];
    while (stack.length > 0) {
      pulse();
      const symbol = stack[stack.length - 1]!;
      const scalar = scalars[symbol]!;
      if (scalar.kind !== 'parameter' || state[symbol] === 2) {
        stack.pop();
        continue;
      }
      const own = given.get(symbol);
      const value = own === undefined ? (scalar.binding ?? scalar.start) : undefined;
      const open = state[symbol] === 1 ? [] : openParameters(model, value, state);
      if (open.length === 0) {
        stack.pop();
        state[symbol] = 2;
        if (typeof own === 'string') texts.set(symbol, own);
        else if (own !== undefined) values.set(pool.ref(symbol), own);
        else if (scalar.variable?.type === 'String') texts.set(symbol, value ? values.text(value) : '');
        else {
          const known = value ? values.evaluate(value) : undeclaredStart(scalar);
          values.set(pool.ref(symbol), checked(values, wording, symbol, known));
        }
        continue;
      }
      state[symbol] = 1;
      const cyclic = open.find((s) => state[s] === 1);
      if (cyclic !== undefined) throw new Failure('translate', [cyclicParameter(model, cyclic)]);
      stack.push(...open);
    }
  }
}

/** What is no number, and Integers that doubles cannot hold exactly, are no values. */
function checked(values: RunValues, wording: Wording, symbol: number, value: number): number {
  const { type, name, variable, binding } = values.model.scalars[symbol]!;
  const isNumber = !Number.isNaN(value);
  if (isNumber && (type !== 'Integer' || Number.isSafeInteger(value))) return value;
  const fault = binding && values.faultIn(binding);
  const reason = isNumber
    ? `is ${value}: Integers beyond 2^53 are not exact`
    : `has no value${fault ? `: ${fault.reason} in ${wording.print(fault.expr)}` : ''}`;
  const { span } = variable?.origin ?? {};
  throw Failure.of('translate', 'bad-evaluation', `The parameter ${name} ${reason}.`, { span });
}

function openParameters({ scalars }: LastingModel, value: Expr | undefined, state: Uint8Array): number[] {
  if (!value) return [];
  return leaves(value).flatMap((leaf) =>
    leaf.kind === 'ref' && scalars[leaf.symbol]?.kind === 'parameter' && state[leaf.symbol] !== 2
      ? [leaf.symbol]
      : [],
  );
}

function cyclicParameter({ scalars }: LastingModel, symbol: number): Diagnostic {
  const { name, variable } = scalars[symbol]!;
  return error('cyclic-definition', `The parameter ${name} is defined in terms of itself.`, {
    span: variable?.origin.span,
    hint: 'Give one parameter of the cycle a value that does not depend on the others.',
  });
}

/** Parameters and inputs without a value are worth a warning: a run with a silent zero is a trap. */
export function missingValues(values: RunValues, wording: Wording): Diagnostic[] {
  return values.model.scalars.flatMap((scalar, symbol) => {
    const { kind } = scalar;
    if ((kind !== 'parameter' && kind !== 'input') || scalar.binding) return [];
    if (!scalar.variable || scalar.element > 0 || values.given.has(symbol)) return [];
    if (scalar.variable.type === 'String' || scalar.variable.fixed === false) return [];
    const used = `${scalar.start ? 'its start value ' : ''}${startText(values, wording, symbol)}`;
    const { name } = scalar.variable;
    const isInput = kind === 'input';
    return [
      warning('no-value', `The ${kind} ${name} has no value; ${used} is used.`, {
        span: scalar.variable.origin.span,
        hint: `Give it one in a modifier, or among the values of the run${isInput ? ', or a column in the table of its inputs' : ''}.`,
        commandHint: `Give it one, for example with --set ${name}=…${isInput ? ', with a table (--input)' : ''} or in a modifier.`,
      }),
    ];
  });
}

/** The start value of a variable as messages show it. */
export function startText(values: RunValues, wording: Wording, symbol: number): string {
  const { start, variable, type } = values.model.scalars[symbol]!;
  const value = values.startOf(symbol);
  if (variable?.literals) return variable.literals[value - 1] ?? `${value}`;
  if (start && values.evaluate(start) === value && start.kind !== 'const') return wording.print(start);
  return type === 'Boolean' ? String(value !== 0) : `${value}`;
}
