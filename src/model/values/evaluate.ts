/**
 * Evaluation of constant and parameter expressions at the level of syntax, for what instantiation needs: sizes, conditions,
 * enumeration values, texts. Expressions are evaluated in `evaluator.ts`, user functions in `interpret.ts`. A parameter that was used is marked
 * `structural`: the instance tree holds for its value only. Work and depth are limited.
 */

import { type Diagnostic, error } from '../../diagnostic/diagnostic.ts';
import type { Span } from '../../diagnostic/source.ts';
import { elementOf } from '../../names/names.ts';
import type { ForeignRun } from '../../symbolic/foreign.ts';
import type * as ast from '../../syntax/ast.ts';
import { type ClassEntity, entityOf } from '../classes/class.ts';
import { operatorRecordOf } from '../classes/overloads.ts';
import { shapeOf } from '../classes/shape.ts';
import type {
  Bound,
  ElementBound,
  ElementNumber,
  Instance,
  ObjectInstance,
  Scope,
  VariableInstance,
} from '../instance.ts';
import { arrayOf, at, dimsOf, elementsOf, real, typeName, type Value } from '../value.ts';
import { Evaluator } from './evaluator.ts';
import { Budget, Frame, Stop, stop } from './frame.ts';
import { outputsWith } from './interpret.ts';

export interface Evaluation<T = Value> {
  readonly value: T | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** The value of an expression in a scope; values of iterators and other local names go before those of the scope. */
export function evaluate(
  scope: Scope,
  expression: ast.Expression,
  locals?: ReadonlyMap<string, Value>,
): Evaluation {
  const frame = locals && new Frame(undefined, locals);
  return guarded(() => new Evaluator(new Budget(), scope, undefined, frame).value(expression));
}

/** The outputs of a function for values of its inputs; `at` is the place of the call. */
export function evaluateFunction(
  entity: ClassEntity,
  inputs: ReadonlyMap<string, Value>,
  at: ast.Node,
  run?: ForeignRun,
): Evaluation<readonly Value[]> {
  const scope: Scope = { instance: undefined, lexical: entity };
  return guarded(() => outputsWith(new Evaluator(new Budget(run), scope), entity, inputs, at));
}

/** The value of a modifier or declaration equation. */
export function evaluateBound(bound: Bound): Evaluation {
  return guarded(() => boundValue(new Budget(), bound));
}

export function evaluateCondition(scope: Scope, condition: ast.Expression): Evaluation<boolean> {
  const { value, diagnostics } = evaluate(scope, condition);
  if (!value) return { value: undefined, diagnostics };
  if (value.kind === 'boolean') return { value: value.value, diagnostics };
  const span = { source: scope.lexical.definition.source, start: condition.start, end: condition.end };
  const problem = error('type-mismatch', `A condition must be Boolean, not ${typeName(value)}.`, { span });
  return { value: undefined, diagnostics: [problem] };
}

function guarded<T>(run: () => T): Evaluation<T> {
  try {
    return { value: run(), diagnostics: [] };
  } catch (thrown) {
    if (thrown instanceof Stop)
      return { value: undefined, diagnostics: thrown.problem ? [thrown.problem] : [] };
    throw thrown;
  }
}

/** Values of parameters and constants that are known; `busy` while one is being evaluated. */
const values = new WeakMap<Instance, Value | 'busy'>();

function boundValue(budget: Budget, bound: Bound): Value {
  const evaluator = new Evaluator(budget, bound.scope, bound.span.source);
  const value = evaluator.value(bound.value);
  if (bound.subscripts.length === 0 || bound.each) return value;
  const subscripts = bound.subscripts.map(knownNumber);
  const part = at(value, subscripts);
  if (part) return part;
  const [given, wanted] = [dimsOf(value).join(', '), subscripts.join(', ')];
  return evaluator.fail(
    'dimension-mismatch',
    `The value has sizes [${given}] and no element [${wanted}].`,
    bound.value,
  );
}

/** A value that is not the same for all elements of an array shapes the model: the array is not uniform. */
function knownNumber(subscript: number | ElementNumber): number {
  return typeof subscript === 'number' ? subscript : knownElement(subscript.array);
}

function knownElement(array: ObjectInstance): never {
  array.writeOut();
  throw new Stop(undefined);
}

/** What is asked of every element of an array, by its template; undefined where that shows that the elements differ. */
export function ofTemplate<T>(array: ObjectInstance, ask: (template: ObjectInstance) => T): T | undefined {
  if (!array.template) return undefined;
  try {
    const answer = ask(array.template);
    return array.template && answer;
  } catch (thrown) {
    if (!(thrown instanceof Stop) || array.template) throw thrown;
    return undefined;
  }
}

/** The value of a constant or parameter: its binding, a part of the binding of its record, or its start value. */
export function variableValue(budget: Budget, variable: VariableInstance, use: Span | undefined): Value {
  const known = values.get(variable);
  if (known === 'busy') {
    stop('cyclic-definition', `The value of \`${variable.path}\` depends on itself.`, {
      span: variable.span,
    });
  }
  if (variable.variability === 'parameter') variable.structural = true;
  if (known) return known;
  if (variable.variability !== 'constant' && variable.variability !== 'parameter') {
    stop('variability', `\`${variable.path}\` is not a parameter, so its value is not known here.`, {
      span: use ?? variable.span,
      hint: 'Sizes and conditions may depend on parameters and constants alone.',
    });
  }
  values.set(variable, 'busy');
  try {
    const whole = fitted(variable, givenValue(budget, variable, use));
    const value = withElements(budget, whole, variable.binding?.elements);
    values.set(variable, value);
    return value;
  } catch (thrown) {
    values.delete(variable);
    throw thrown;
  }
}

function givenValue(budget: Budget, variable: VariableInstance, use: Span | undefined): Value {
  if (variable.binding) return boundValue(budget, variable.binding);
  const inRecord = recordPart(budget, variable);
  if (inRecord) return inRecord;
  const start = variable.attributes.get('start');
  if (start) return boundValue(budget, start);
  const message = `The ${variable.variability} \`${variable.path}\` has no value, but it is needed here.`;
  const hint = 'Give it a value in its declaration or by a modifier.';
  return stop('no-value', message, {
    span: use ?? variable.span,
    hint,
    notes: [{ message: 'It is declared here.', span: variable.span }],
  });
}

/** A value with other values for single elements. */
function withElements(budget: Budget, whole: Value, single: readonly ElementBound[] = []): Value {
  const elements = [...elementsOf(whole)];
  for (const { index, where, value } of single) {
    for (const { at: number } of where) knownElement(number.array);
    const k = index.reduce((before, n, d) => before * dimsOf(whole)[d]! + n - 1, 0);
    elements[k] = boundValue(budget, value);
  }
  return whole.kind === 'array' ? { ...whole, elements } : elements[0]!;
}

/** What has a place in a record: an instance, or one that is still being made. */
type Placed = Pick<Instance, 'name' | 'parent'>;

/** The value inside the binding of an enclosing record, which may be an element of an array of records. */
export function recordPart(budget: Budget, instance: Placed): Value | undefined {
  const { parent, name } = instance;
  if (parent?.kind !== 'object') return undefined;
  const whole = parent.binding ? boundValue(budget, parent.binding) : recordPart(budget, parent);
  if (!whole) return undefined;
  if (parent.template) return knownElement(parent);
  if (parent.dims.length > 0) {
    const element = elementOf(name);
    // What stood for all elements before these turned out to differ is not needed any more.
    if (!element) throw new Stop(undefined);
    return at(whole, element.indices);
  }
  return whole.kind === 'record' ? whole.fields.get(name) : undefined;
}

/** The value in the type and shape of the variable. */
function fitted(variable: VariableInstance, value: Value): Value {
  const shaped =
    variable.dims.length > 0 && value.kind !== 'array' ? arrayOf(variable.dims, () => value) : value;
  const wanted = { Real: 'real', Integer: 'integer', Boolean: 'boolean', String: 'string' } as const;
  const kind = variable.type in wanted ? wanted[variable.type as keyof typeof wanted] : variable.type;
  const convert = (x: Value): Value => {
    if (kind === 'real' && x.kind === 'integer') return real(x.value);
    if (x.kind === kind) return x;
    const message = `\`${variable.path}\` has type ${variable.type}, but its value is ${typeName(x)}.`;
    return stop('type-mismatch', message, { span: variable.binding?.span ?? variable.span });
  };
  if (shaped.kind !== 'array') return convert(shaped);
  return { ...shaped, elements: shaped.elements.map(convert) };
}

export function objectValue(budget: Budget, object: ObjectInstance, use: Span): Value {
  if (object.dims.length > 0) {
    const common = ofTemplate(object, (template) => objectValue(budget, template, use));
    return arrayOf(object.dims, (k) => common ?? objectValue(budget, object.elements[k]!, use));
  }
  budget.step(use);
  const fields = new Map<string, Value>();
  for (const name of shapeOf(entityOf(object.class)).components.keys()) {
    const member = object.find(name);
    if (!member || member === 'absent') continue;
    fields.set(
      name,
      member.kind === 'variable' ? variableValue(budget, member, use) : objectValue(budget, member, use),
    );
  }
  const operators = operatorRecordOf(entityOf(object.class));
  return { kind: 'record', path: object.class.path, operators, fields };
}
