/**
 * Variables of the flat model with their attributes (Modelica 3.6, sections 4.4 and 4.9), and the experiment annotation
 * (18.4).
 */
import {
  markedHidden,
  markedKept,
  markedPotential,
  variableSettingProblems,
} from '../model/classes/settings.ts';
import type { Bound, Instance, ObjectInstance, VariableInstance } from '../model/instance.ts';
import { bracketed, subscriptsOf } from '../names/names.ts';
import type { Expr } from '../symbolic/expr.ts';
import { unitOf } from '../units/unit.ts';
import type { FlatBuilder } from './core/context.ts';
import { arraysAround, ofAllElements, outerDims, partsOf } from './core/families.ts';
import { atMost, count, type Simple, storage, type Type } from './core/values.ts';
import { bindingOf, boundValue } from './expressions/bindings.ts';
import { fixedNumber, fixedValue, numbers } from './expressions/constants.ts';
import { isDiscrete, symbolDims, variableType } from './expressions/references.ts';
import { type FlatVariable, isObject, type Origin, type StateSelect } from './flat.ts';

const stateSelects: readonly StateSelect[] = ['never', 'avoid', 'default', 'prefer', 'always'];

/** All flat variables, by symbol. */
export function flatVariables(builder: FlatBuilder): FlatVariable[] {
  const variables = builder.instances.map((instance) => flatVariable(builder, instance));
  // An attribute may have needed the value of a parameter that was translated before it.
  return variables.map((variable, symbol) =>
    builder.isStructural(builder.instances[symbol]!) && !variable.structural
      ? { ...variable, structural: true }
      : variable,
  );
}

function flatVariable(builder: FlatBuilder, instance: VariableInstance): FlatVariable {
  const type = variableType(instance);
  const value = (name: string, of: Type): Simple | undefined => {
    const bound = instance.attributes.get(name);
    return bound && boundValue(builder, bound, instance, { name, type: of });
  };
  // It has no effect, but a type.
  value('unbounded', 'Boolean');
  const text = (name: string): string => {
    const found = value(name, 'String');
    const data = found && fixedValue(builder, found.expr);
    if (found && data === undefined) builder.families.demandCommon(found.expr);
    const only = data?.items[0];
    return typeof only === 'string' ? only : '';
  };
  const isFixed = instance.variability === 'constant' || instance.variability === 'parameter';
  const expr = (name: string): Expr | undefined => {
    const own = value(name, type);
    if (own && !isSettled(name, own, isFixed))
      return notKnown(builder, name, instance, instance.attributes.get(name)!);
    return attributeOfAll(builder, instance, own);
  };
  const binding = isFixed ? parameterBinding(builder, instance)?.expr : undefined;
  const families = builder.families.around(instance);
  if (typeof type === 'object' && type.literals.length === 0 && !instance.binding) {
    const message = `The external object \`${instance.path}\` has no value.`;
    const hint = `Construct it where it is declared: \`${instance.name} = ${type.path}(…)\`.`;
    builder.reportAt('no-value', message, { span: instance.span, hint });
  }
  return {
    name: instance.path,
    ...(families.length > 0 && { within: arraysAround(families) }),
    ...(builder.families.anyGathered && { turn: builder.turns[builder.symbols.get(instance)!]! }),
    type: storage(type),
    ...(instance.enumeration && {
      literals: instance.enumeration.literals,
      enumeration: instance.enumeration.path,
    }),
    dims: symbolDims(builder, instance),
    ...((instance.resizable || families.some(({ array }) => array.resizable)) && { resizable: true }),
    variability: isDiscrete(builder, instance) ? 'discrete' : instance.variability,
    causality: causalityOf(builder, instance),
    ...(isValuedInput(builder, instance) && { valued: true }),
    flow: instance.connection === 'flow',
    ...measureOf(text, instance.difference),
    description: instance.description,
    start: expr('start'),
    fixed: fixedOf(builder, instance),
    min: expr('min'),
    max: expr('max'),
    nominal: expr('nominal'),
    stateSelect: stateSelectOf(builder, instance),
    binding: binding && families.length > 0 ? ofAllElements(builder.pool, families, binding) : binding,
    hidden: instance.protected || isObject(instance.enumeration ?? {}) || markedHidden(instance.annotation),
    ...keptOf(builder, instance),
    ...(isPotential(builder, instance) && { potential: true }),
    ...lockOf(instance),
    structural: builder.isStructural(instance),
    guard: builder.guardOf(instance),
    origin: { span: instance.span, component: instance.parent?.path ?? '', ...givenOf(instance) },
  };
}

/** Where the value of a parameter with bounds comes from: a modification, or the component of the model to which it is given from outside. */
function givenOf({ binding, span, parent, attributes }: VariableInstance): Pick<Origin, 'given'> {
  if (!binding || !(attributes.has('min') || attributes.has('max'))) return {};
  let given = binding.span;
  if (binding.outside) {
    given = span;
    for (let at: Instance | undefined = parent; at?.parent; at = at.parent) given = at.span;
  }
  return given.source === span.source && given.start === span.start ? {} : { given };
}

/**
 * A difference of temperatures is not shifted, neither where it is shown nor where units are compared: it is shown in its own unit where the zero
 * of the other one lies elsewhere, and is no temperature, whatever its type says.
 */
function measureOf(
  text: (name: string) => string,
  isMarked: boolean,
): Pick<FlatVariable, 'unit' | 'displayUnit' | 'quantity'> {
  const [unit, displayUnit, quantity] = [text('unit'), text('displayUnit'), text('quantity')];
  if (!isMarked && quantity !== 'TemperatureDifference') return { unit, displayUnit, quantity };
  const [own, shown] = [unitOf(unit), unitOf(displayUnit)];
  return {
    unit,
    displayUnit: own && shown && own.offset !== shown.offset ? '' : displayUnit,
    quantity: quantity === 'ThermodynamicTemperature' ? 'TemperatureDifference' : quantity,
  };
}

/** Attributes are fixed before the run (section 4.9); beyond the specification start values of variables are not: these may begin to exist later. */
const isSettled = (name: string, { variability }: Simple, isFixed: boolean): boolean =>
  (name === 'start' && !isFixed) || atMost(variability, 'parameter');

function keptOf(builder: FlatBuilder, { annotation, span }: VariableInstance): Pick<FlatVariable, 'kept'> {
  builder.diagnostics.push(...variableSettingProblems(annotation, span));
  const kept = markedKept(annotation);
  return kept ? { kept } : {};
}

/** A variable of a connector that has flows. */
function isPotential(builder: FlatBuilder, instance: VariableInstance): boolean {
  const { parent, connection, annotation } = instance;
  if (connection !== undefined || causalityOf(builder, instance) !== 'local') return false;
  if (markedPotential(annotation)) return true;
  if (parent?.kind !== 'object' || !parent.parent || !/connector/.test(parent.restriction)) return false;
  return [...parent.members.values()].some((one) => one.kind === 'variable' && one.connection === 'flow');
}

function lockOf(instance: VariableInstance): Pick<FlatVariable, 'locked'> {
  if (isObject(instance.enumeration ?? {})) return { locked: { value: 'final', start: 'final' } };
  if (instance.protected) return { locked: { value: 'protected', start: 'protected' } };
  for (let at: Instance | undefined = instance; at; at = at.parent)
    if (at.final) return { locked: { value: 'final', start: 'final' } };
  return instance.attributes.get('start')?.final ? { locked: { start: 'final' } } : {};
}

/** An attribute of one element for all elements of uniform arrays; a scalar that they share stays one. */
function attributeOfAll(
  builder: FlatBuilder,
  instance: VariableInstance,
  value: Simple | undefined,
): Expr | undefined {
  const around = builder.families.around(instance);
  if (!value || around.length === 0) return value?.expr;
  const { pool, families } = builder;
  if (value.dims.length === 0 && families.in(value.expr).length === 0) return value.expr;
  const own = value.dims.length === 0 ? instance.dims.map((n) => pool.const(n)) : [];
  const element = own.length > 0 ? pool.apply('fill', value.expr, ...own) : value.expr;
  return ofAllElements(pool, around, element);
}

/**
 * Inputs and outputs are those of the model itself; inside components they are ordinary variables, and so is an input
 * that its declaration gives a value.
 */
function causalityOf(builder: FlatBuilder, instance: VariableInstance): FlatVariable['causality'] {
  const { causality } = instance;
  if (!causality || (causality === 'input' && bindingOf(builder, instance))) return 'local';
  return isOfModel(instance) ? causality : 'local';
}

/** Whether a variable is one of the model itself, perhaps in a connector. */
function isOfModel({ parent }: VariableInstance): boolean {
  let at: Instance | undefined = parent;
  while (at?.kind === 'object' && at.parent && /connector|record/.test(at.restriction)) at = at.parent;
  return !at?.parent;
}

const isValuedInput = (builder: FlatBuilder, instance: VariableInstance): boolean =>
  instance.causality === 'input' && isOfModel(instance) && bindingOf(builder, instance) !== undefined;

/** The value of a parameter or constant; it may depend on parameters and constants only. */
function parameterBinding(builder: FlatBuilder, instance: VariableInstance): Simple | undefined {
  const binding = bindingOf(builder, instance);
  if (!binding) {
    if (instance.variability === 'constant' && !instance.binding) {
      const message = `The constant \`${instance.path}\` has no value.`;
      builder.reportAt('no-value', message, { span: instance.span });
    }
    return undefined;
  }
  const limit = instance.variability === 'constant' ? 'constant' : 'parameter';
  if (atMost(binding.variability, limit)) return binding;
  const isParameter = atMost(binding.variability, 'parameter');
  const why = isParameter ? 'depends on parameters' : 'changes during simulation';
  builder.reportAt('variability', `\`${instance.path}\` is a ${limit}, but its value ${why}.`, {
    span: instance.binding?.span ?? instance.span,
    hint: isParameter
      ? 'Use constants only, or declare it as a `parameter`.'
      : 'Use constants and parameters only, or declare it without `parameter`.',
  });
  return undefined;
}

function fixedOf(builder: FlatBuilder, instance: VariableInstance): FlatVariable['fixed'] {
  const bound = instance.attributes.get('fixed');
  if (!bound) return undefined;
  const value = boundValue(builder, bound, instance, { name: 'fixed', type: 'Boolean' });
  if (!value) return undefined;
  const data = fixedValue(builder, attributeOfAll(builder, instance, value)!);
  if (data === undefined) return notKnown(builder, 'fixed', instance, bound);
  const all = numbers(data).map((n) => n !== 0);
  if (instance.variability === 'constant' && all.includes(false)) {
    const message = `\`${instance.path}\` is a constant: it cannot have \`fixed = false\`.`;
    const hint = 'Declare it as a parameter, if initial equations determine it.';
    builder.reportAt('not-allowed', message, { span: bound.span, hint });
  }
  return data.dims.length === 0 ? all[0]! : all;
}

function notKnown(builder: FlatBuilder, name: string, instance: VariableInstance, bound: Bound): undefined {
  const message = `\`${name}\` of \`${instance.path}\` must be known before the simulation starts.`;
  builder.reportAt('variability', message, {
    span: bound.span,
  });
}

function stateSelectOf(builder: FlatBuilder, instance: VariableInstance): StateSelect {
  const bound = instance.attributes.get('stateSelect');
  if (!bound) return 'default';
  const type = { path: 'StateSelect', literals: stateSelects };
  const value = boundValue(builder, bound, instance, { name: 'stateSelect', type });
  const number = value && fixedNumber(builder, value.expr);
  if (value && number === undefined) {
    builder.families.demandCommon(value.expr);
    notKnown(builder, 'stateSelect', instance, bound);
  }
  return stateSelects[(number ?? 3) - 1] ?? 'default';
}

/** All variables below a model in order of declaration, each with its symbol; those of gathered components where the first of them is. */
export function declareVariables(builder: FlatBuilder, root: ObjectInstance): void {
  const stack: Instance[] = [root];
  let unknowns = 0;
  for (let next = stack.pop(), turn = 0; next; next = stack.pop(), turn++) {
    if (next.kind === 'variable') {
      unknowns = checkSize(builder, next, unknowns);
      for (const one of clockElements(builder, next) ?? [next]) {
        builder.symbols.set(one, builder.instances.length);
        builder.instances.push(one);
        builder.turns.push(turn);
      }
      continue;
    }
    const isKnown = builder.families.of(next) !== undefined;
    if (next.template && !isKnown) {
      const names = next.dims.length === 1 ? ['i'] : next.dims.map((_, d) => `i${d + 1}`);
      builder.families.add(
        next,
        names.map((name) => builder.iterator(name)),
      );
    }
    if (next.names) builder.families.take(next, turn);
    if (isKnown) continue;
    const below = next.dims.length === 0 ? [...next.members.values()] : partsOf(next);
    for (let i = below.length - 1; i >= 0; i--) stack.push(below[i]!);
  }
}

/** The elements of an array of clocks, each as a variable of its own: every one may tick by itself. */
function clockElements(
  builder: FlatBuilder,
  array: VariableInstance,
): readonly VariableInstance[] | undefined {
  if (array.type !== 'Clock' || array.dims.length === 0) return undefined;
  builder.families.demandSingle(array);
  const elements = Array.from({ length: count(array.dims) }, (_, k): VariableInstance => {
    const at = bracketed(subscriptsOf(array.dims, k).map(String));
    const { name, path } = array;
    return { ...array, name: name + at, path: path + at, dims: [], indexTypes: [], binding: undefined };
  });
  builder.clockArrays.set(array, elements);
  for (const [position, one] of elements.entries()) builder.clockElements.set(one, { array, position });
  return elements;
}

/** Elements of one array symbol; arrays of components multiply. */
const largestSymbol = 1e7;
/** Unknowns of a model, elements of arrays counted: with more, a computer of usual size runs out of memory. */
const mostUnknowns = 4e6;

/** Reports what is too large; gives the number of unknowns so far. */
function checkSize(builder: FlatBuilder, instance: VariableInstance, before: number): number {
  const size = count(outerDims(builder.families.around(instance))) * count(instance.dims);
  const { variability, path, span } = instance;
  const isUnknown = variability !== 'parameter' && variability !== 'constant';
  const unknowns = isUnknown ? before + size : before;
  if (size > largestSymbol) {
    const message = `\`${path}\` has ${size} elements, more than ${largestSymbol}.`;
    builder.reportAt('limit-exceeded', message, { span });
  } else if (before <= mostUnknowns && unknowns > mostUnknowns) {
    const message = `With \`${path}\` the model has ${unknowns} unknowns, more than ${mostUnknowns}.`;
    builder.reportAt('limit-exceeded', message, { span });
  }
  return unknowns;
}
