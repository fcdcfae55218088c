/** Parameters when a run begins: each has its value after those that it depends on. */
import { remember } from '../collections/memo.ts';
import { neededFirst } from '../collections/order.ts';
import { type Diagnostic, error, warning } from '../diagnostic/diagnostic.ts';
import { attempted, Failure } from '../diagnostic/failure.ts';
import { pulse } from '../diagnostic/pulse.ts';
import { isInvariant, type Scalar } from '../modes/guarded.ts';
import { openParameters, undeclaredStart } from '../modes/variables.ts';
import { children, reachable, symbolsOf } from '../symbolic/analyse.ts';
import type { Expr } from '../symbolic/expr.ts';
import type { GivenValues, LastingModel, RunValues } from './evaluation.ts';
import type { Wording } from './wording.ts';

/** Evaluates all parameters, as they are given or declared. */
export function evaluateParameters(values: RunValues, wording: Wording): void {
  const { model, given } = values;
  const { scalars } = model;
  const waiting = waitingCalls(model);
  for (const symbol of orderOf(model, given)) {
    pulse();
    const own = given.get(symbol);
    const scalar = scalars[symbol]!;
    if (typeof own === 'string') values.setVariable(symbol, values.pool.strings.numberOf(own));
    else if (own !== undefined) values.setVariable(symbol, own);
    else {
      const formula = formulaOf(scalar);
      const known =
        formula && !waiting.has(symbol) ? attempted(() => values.evaluate(formula)) : undeclaredStart(scalar);
      if (known instanceof Failure) throw placed(known, scalar);
      values.setVariable(symbol, checked(values, wording, symbol, known));
    }
  }
}

/** A function that fails says nothing of whose value it was to give: tables of many components have one constructor. */
function placed(failure: Failure, { name, variable }: Scalar): Failure {
  const note = { message: `in the value of ${name}`, span: variable?.origin.span };
  return new Failure(failure.stage, () =>
    failure.diagnostics.map((problem) => ({ ...problem, notes: [...(problem.notes ?? []), note] })),
  );
}

/** Parameters that are given by impure functions of what initial equations determine: no guesses of it are handed to these, which may do something with them. */
function waitingCalls(model: LastingModel): ReadonlySet<number> {
  const { functions, scalars } = model;
  if (!functions.some(({ impure }) => impure)) return new Set();
  const acts = (expr: Expr): boolean =>
    reachable(expr, (node) => node.kind === 'call' && functions[node.fn]!.impure === true);
  return new Set(
    [...openParameters(model)].filter((symbol) => acts(scalars[symbol]!.binding ?? model.pool.zero)),
  );
}

/** What parameters depend on, where they are not given. */
const formulaOf = ({ binding, start }: Scalar): Expr | undefined => binding ?? start;

/** The order of the last run: it is the same as long as the same parameters are given. */
const orders = new WeakMap<
  LastingModel,
  { readonly given: readonly number[]; readonly order: readonly number[] }
>();

/** All parameters, each after those that it depends on. */
function orderOf(model: LastingModel, given: GivenValues): readonly number[] {
  const last = orders.get(model);
  if (last?.given.length === given.size && last.given.every((symbol) => given.has(symbol))) return last.order;
  const { scalars } = model;
  const isParameter = (symbol: number): boolean => scalars[symbol]?.kind === 'parameter';
  const needs = (symbol: number): number[] => {
    pulse();
    const formula = given.has(symbol) ? undefined : formulaOf(scalars[symbol]!);
    return formula ? symbolsOf(formula).filter(isParameter) : [];
  };
  const done = new Set<number>();
  for (const symbol of neededFirst([...scalars.keys()].filter(isParameter).reverse(), needs)) {
    const cyclic = needs(symbol).find((needed) => !done.has(needed));
    if (cyclic !== undefined) throw new Failure('translate', [cyclicParameter(model, cyclic)]);
    done.add(symbol);
  }
  const order = [...done];
  orders.set(model, { given: [...given.keys()], order });
  return order;
}

/**
 * What is no number, and Integers that doubles cannot hold exactly, are no values. What a function leaves without one, as a field of a record that is of no
 * use to it, is worth a warning where it is at most handed on to functions.
 */
function checked(values: RunValues, wording: Wording, symbol: number, value: number): number {
  const { type, name, variable, binding } = values.model.scalars[symbol]!;
  const isNumber = !Number.isNaN(value);
  if (!isNumber && values.foreign.lenient) return value;
  if (isNumber && (type !== 'Integer' || Number.isSafeInteger(value))) return value;
  const fault = binding && values.faultIn(binding);
  if (fault?.isUnset && fault.expr === binding && !isUsed(values.model, symbol)) return value;
  const reason = isNumber
    ? `is ${value}: Integers beyond 2^53 are not exact`
    : `has no value${fault ? `: ${fault.reason} in ${wording.print(fault.expr)}` : ''}`;
  const { span } = variable?.origin ?? {};
  const what = isInvariant(values.model.scalars[symbol]!) ? 'variable' : 'parameter';
  throw Failure.of('translate', 'bad-evaluation', `The ${what} ${name} ${reason}.`, { span });
}

/** Whether anything is computed with a symbol, other than by functions that it is handed on to. */
function isUsed(model: LastingModel, symbol: number): boolean {
  const { equations, initialEquations, relations, actions, ticks, samples, scalars } = model;
  const parts = [
    ...equations,
    ...initialEquations,
    ...relations,
    ...actions,
    ...ticks,
    ...samples,
    ...scalars,
  ];
  const speaks = (value: unknown): boolean =>
    isExpr(value) &&
    reachable(
      value,
      (node) => node.kind === 'ref' && node.symbol === symbol,
      new Set(),
      (node) => (node.kind === 'call' ? [] : children(node)),
    );
  return parts.some((part: object) => Object.values(part).some(speaks));
}

const isExpr = (value: unknown): value is Expr =>
  typeof value === 'object' && value !== null && 'kind' in value && 'id' in value;

function cyclicParameter({ scalars }: LastingModel, symbol: number): Diagnostic {
  const { name, variable } = scalars[symbol]!;
  return error('cyclic-definition', `The parameter ${name} is defined in terms of itself.`, {
    span: variable?.origin.span,
    hint: 'Give one parameter of the cycle a value that does not depend on the others.',
  });
}

/** What is worth a warning of the values with which a run begins. */
export function parameterWarnings(
  values: RunValues,
  wording: Wording,
  /** What has its value from elsewhere. */
  known: ReadonlySet<number> = new Set(),
): Diagnostic[] {
  return [...missingValues(values, wording, known), ...infiniteValues(values, wording)];
}

/** So many values are named at most where a parameter cannot be computed from them. */
const MOST_OPERANDS = 8;

/** Parameters that are infinite, or no numbers, although all that they are computed from is finite: one for each variable. */
function infiniteValues(values: RunValues, wording: Wording): Diagnostic[] {
  const told = new Set<unknown>();
  return computedIn(values.model).flatMap((symbol) => {
    const { variable, binding, name } = values.model.scalars[symbol]!;
    if (!variable || !binding || values.given.has(symbol)) return [];
    if (Number.isFinite(values.getVariable(symbol)) || told.has(variable)) return [];
    const isInfinite = (needed: number): boolean =>
      values.model.scalars[needed]!.kind === 'parameter' && !Number.isFinite(values.getVariable(needed));
    const isMeant = reachable(binding, (node) => node.kind === 'const' && !Number.isFinite(node.value));
    if (isMeant || symbolsOf(binding).some(isInfinite)) return [];
    const fault = values.faultIn(binding);
    // Where a run is only looked at, functions without an implementation give no numbers.
    if (Number.isNaN(values.getVariable(symbol)) && !fault?.isUnset) return [];
    told.add(variable);
    const reason =
      fault && !fault.isUnset ? `${fault.reason} in ${wording.print(fault.expr)}` : fault?.reason;
    const what = fault?.isUnset ? 'has no value' : 'is infinite';
    const operands = symbolsOf(fault?.expr ?? binding)
      .filter((needed) => values.model.scalars[needed]!.kind === 'parameter')
      .map((needed) => `${values.model.scalars[needed]!.name} = ${values.getVariable(needed)}`);
    return [
      warning('bad-evaluation', `The parameter ${name} ${what}: ${reason ?? wording.print(binding)}.`, {
        span: variable.origin.span,
        hint: fault?.isUnset
          ? 'It is only handed on to functions, which may not need it. Assign it on all ways through this one.'
          : 'Change the values that it is computed from, or give it one of its own.',
        notes:
          operands.length === 0
            ? []
            : [{ message: `values: ${operands.slice(0, MOST_OPERANDS).join(', ')}` }],
      }),
    ];
  });
}

/** Of a model: parameters that are computed, and parameters and inputs that a run has to give a value. */
const computed = new WeakMap<LastingModel, readonly number[]>();
const open = new WeakMap<LastingModel, readonly number[]>();

const computedIn = (model: LastingModel): readonly number[] =>
  remember(computed, model, () =>
    model.scalars.flatMap(({ kind, variable, binding }, symbol) =>
      kind === 'parameter' && variable && binding ? [symbol] : [],
    ),
  );

const openIn = (model: LastingModel): readonly number[] =>
  remember(open, model, () =>
    model.scalars.flatMap(({ kind, variable, binding, element }, symbol) => {
      if ((kind !== 'parameter' && kind !== 'input') || binding) return [];
      if (!variable || variable.copy || element > 0) return [];
      return variable.type === 'String' || variable.fixed === false ? [] : [symbol];
    }),
  );

/** Parameters and inputs without a value: a run with a silent zero is a trap. */
function missingValues(values: RunValues, wording: Wording, known: ReadonlySet<number>): Diagnostic[] {
  return openIn(values.model).flatMap((symbol) => {
    const scalar = values.model.scalars[symbol]!;
    const { kind } = scalar;
    if (!scalar.variable || values.given.has(symbol) || known.has(symbol)) return [];
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
