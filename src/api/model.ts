/**
 * The functions with which models are written:
 *
 *     const Pin = Model({ v: potential({ unit: 'V' }), i: flow({ unit: 'A' }) });
 *     const OnePort = Model({ partial: true, p: Pin, n: Pin, v: Var({ unit: 'V' }), i: Var({ unit: 'A' }),
 *       equations: modelica`v = p.v - n.v; 0 = p.i + n.i; i = p.i;` });
 *     const Resistor = Model({ extends: OnePort, R: Par({ value: 1, unit: 'Ohm' }), equations: modelica`R*i = v;` });
 *     const Two = Model({ r1: Resistor.with({ R: 5 }), r2: Resistor, connections: connect('r1.n', 'r2.p') });
 *
 * Models are values: nothing changes them, and merging makes new ones. What is wrong is reported at once, by a `Failure` that the call
 * throws.
 */
import { shown } from '../diagnostic/options.ts';
import {
  attributesIn,
  isClassName,
  isNumeric,
  isShortcut,
  mergeAttributes,
  Problems,
  readComponentAttributes,
} from './attributes.ts';
import { compose, define } from './define.ts';
import { mergeItems, withChanged } from './maps.ts';
import { changed } from './merge.ts';
import { callSite, failure } from './template.ts';
import type { ChangesOf, Members, Merged, Opened, Redeclaring, Reserved } from './types.ts';
import {
  type Attributes,
  ChangeSet,
  type ClassKind,
  type ComponentAttributes,
  classKinds,
  type Dimension,
  type Items,
  isPlain,
  itemsOf,
  ModelData,
  type NumberOrArray,
  noChanges,
  Quantity,
  Redeclared,
  type Shortcut,
  type Value,
  Variable,
} from './value.ts';

/** A model; `M` are its members. */
export class ModelValue<M = Members> extends ModelData {
  /** The same model with other values, or without some members: `Filter.with({ R: { R: 5 }, C: { v: { init: 1 } } })`. */
  with(changes: ChangesOf<M>): this;
  with(changes: Redeclaring<M>): ModelValue<Opened<M>>;
  with(changes: Redeclaring<M>): this | ModelValue<Opened<M>> {
    const edited = checked((problems) => changed(this, itemsIn(changes, problems), problems));
    return withChanged(this, edited) as this;
  }

  get name(): string | undefined {
    return this.definition.name;
  }
}

/**
 * A model of its members by name. A number, string, Boolean or array is a parameter, a template a variable with this value, a
 * model a component; `Var` and `Par` say more. What else a model has is listed in `Reserved`. A name as the first argument is that of
 * the class in messages and in Modelica text.
 */
export function Model<const M extends Members>(members: M & Reserved): ModelValue<M>;
export function Model<const M extends Members>(name: string, members: M & Reserved): ModelValue<M>;
export function Model(first: string | Members, second?: Members): ModelValue {
  const [name, items] = typeof first === 'string' ? [first, second] : [undefined, first];
  const definition = checked((problems) => {
    if (name === undefined && second !== undefined)
      problems.add(
        'bad-binding',
        'A model is made of one object.',
        'Write `Model({ … })`, or `Model(name, { … })`; `merge` puts models together.',
      );
    return define(name, itemsIn(items, problems), problems);
  });
  return new ModelValue(definition, noChanges);
}

/** A class of a Modelica library by its name, to be a component or to be extended. */
export function Class(name: string): ModelValue {
  return checked((problems) => {
    const found =
      typeof name === 'string' ? `\`${name}\` is not the name of a class.` : 'The name of a class is a text.';
    if (!isClassName(name)) problems.add('bad-binding', found, 'Names have the form `Package.Class`.');
    return new ModelValue({ kind: 'named', name }, noChanges);
  });
}

/** A model with attributes of the component that it becomes: `Component(World, { inner: true })`. */
export function Component<M>(model: ModelValue<M>, attributes: ComponentAttributes): ModelValue<M> {
  return checked((problems) => componentOf(model, attributes, problems));
}

/**
 * An array of components: `array(Cell, 5)`, `array(Cell, 'n', 2)`. When it is changed, a number goes to each element, and an array is
 * spread over them.
 */
export function array<M>(model: ModelValue<M>, ...size: readonly Dimension[]): ModelValue<M> {
  return checked((problems) => {
    if (size.length === 0)
      problems.add('bad-binding', 'An array of components needs a size.', 'Write `array(model, 5)`.');
    return componentOf(model, { size }, problems);
  });
}

function componentOf<M>(model: ModelValue<M>, attributes: object, problems: Problems): ModelValue<M> {
  if (!(model instanceof ModelData)) {
    problems.add(
      'bad-binding',
      'A component needs a model.',
      'Write `Model({ … })`, or the name of a model.',
    );
    return model;
  }
  const read = readComponentAttributes(itemsIn(attributes, problems), problems);
  return new ModelValue(model.definition, model.changes, Object.freeze({ ...model.attributes, ...read }));
}

/**
 * Something that replaces what it is merged into, instead of being merged with it. A class that is replaceable in Modelica needs the kind that it
 * is of: `redeclare(Class('Lib.Water'), 'package')`.
 */
export function redeclare(item: ModelData | Variable | Shortcut, kind?: ClassKind): Redeclared {
  return checked((problems) => {
    const plain = isShortcut(item) ? item.variable : item;
    if (kind !== undefined && !classKinds.includes(kind))
      problems.add(
        'bad-binding',
        `What is redeclared is a kind of class, not ${shown(kind)}.`,
        `Kinds are ${classKinds.join(', ')}.`,
      );
    if (!(plain instanceof ModelData) && !(plain instanceof Variable))
      problems.add('bad-binding', 'Only a model or a variable can replace something.');
    return new Redeclared(plain, kind);
  });
}

/** Changes as a value of their own; a plain object says the same. */
export function Changes(items: Items): ChangeSet {
  return new ChangeSet(items);
}

/** A number in a unit; it is converted to that of the variable that it is given to. */
export function quantity(value: NumberOrArray, unit: string): Quantity {
  return checked((problems) => {
    if (!isNumeric(value))
      problems.add('bad-binding', `The value of a quantity must be numbers, not ${shown(value)}.`);
    if (typeof unit !== 'string')
      problems.add(
        'bad-binding',
        `The unit of a quantity must be a text, not ${shown(unit)}.`,
        "Write `quantity(5, 'm/s')`.",
      );
    return new Quantity(value, unit);
  });
}

// ---------------------------------------------------------------- variables

/** What a variable is made from: attributes, other variables, or its value. */
export type VariableItem = Attributes | Variable | Shortcut | Value;

/** A variable: `Var({ unit: 'V', init: 1 })`, `Var(input, { unit: 'V' })`. Later attributes count; what is none is the value. */
export const Var: (...items: readonly VariableItem[]) => Variable = variableMaker({});

/** A parameter: `Par(5)`, `Par({ value: 5, unit: 'Ohm' })`. */
export const Par = variableMaker({ parameter: true });

/** An Integer parameter; JavaScript cannot tell 5 from 5.0. */
export const Integer = variableMaker({ parameter: true, type: 'Integer' });

export const parameter = shortcut({ parameter: true });
export const constant = shortcut({ constant: true });
export const input = shortcut({ input: true });
export const output = shortcut({ output: true });
export const potential = shortcut({ potential: true });
export const flow = shortcut({ flow: true });

function variableMaker(attributes: Attributes): (...items: readonly VariableItem[]) => Variable {
  return (...items) => checked((problems) => variableOf(attributes, items, problems));
}

function shortcut(attributes: Attributes): Shortcut {
  return Object.assign(variableMaker(attributes), { variable: new Variable(attributes) });
}

function variableOf(first: Attributes, items: readonly VariableItem[], problems: Problems): Variable {
  for (const item of items) {
    if (item !== undefined && item !== null) continue;
    problems.add(
      'bad-binding',
      `The variable is given ${item}.`,
      'Give it a value or attributes, or nothing.',
    );
    return new Variable(first);
  }
  const attributes = items.map((item) => attributesIn(item, 'The variable', problems) ?? {});
  return new Variable(mergeAttributes(first, ...attributes));
}

// ---------------------------------------------------------------- merging

/**
 * Merges from left to right. A map, or plain object, changes what a model has; a model over a model extends it. What both say of a
 * name is merged, `null` takes a name away, equations are added, `redeclare` replaces.
 */
export function merge<M, N>(base: ModelValue<M>, model: ModelValue<N>): ModelValue<Merged<M, N>>;
export function merge<M>(model: ModelValue<M>, ...changes: readonly ChangesOf<M>[]): ModelValue<M>;
export function merge<M>(model: ModelValue<M>, ...changes: readonly Redeclaring<M>[]): ModelValue<Opened<M>>;
export function merge(first: Variable, ...others: readonly (Variable | Shortcut | Attributes)[]): Variable;
export function merge(first: ChangeSet | Items, ...others: readonly (ChangeSet | Items)[]): ChangeSet;
export function merge(first: unknown, ...others: readonly unknown[]): unknown {
  const merged = checked((problems) =>
    others.reduce<unknown>((left, right) => mergeTwo(left, right, problems), first),
  );
  return isPlain(merged) ? new ChangeSet(merged) : merged;
}

function mergeTwo(left: unknown, right: unknown, problems: Problems): unknown {
  if (left instanceof Variable) return variableOf(left.attributes, [right as VariableItem], problems);
  if (left instanceof ModelData) {
    return right instanceof ModelData
      ? new ModelValue(compose(right.definition, [left], problems), right.changes, {
          ...left.attributes,
          ...right.attributes,
        })
      : withChanged(left, changed(left, itemsIn(right, problems), problems));
  }
  if (right instanceof ModelData) {
    problems.add('bad-binding', 'A model cannot be merged into a map.', 'Write the model first.');
    return left;
  }
  return new ChangeSet(mergeItems(itemsIn(left, problems), itemsIn(right, problems), problems));
}

/** What the function that asks makes for its caller; throws a `Failure` that points at the call if something is wrong. */
export function checked<Made>(make: (problems: Problems) => Made): Made {
  const problems = new Problems();
  const made = make(problems);
  if (problems.list.length > 0) throw failure(problems.list, callSite(1));
  return made;
}

/** What a user wrote where names with values belong. */
export function itemsIn(item: unknown, problems: Problems): Items {
  const items = itemsOf(item);
  if (!items)
    problems.add(
      'bad-binding',
      'An object with names and values is needed here.',
      'Write `{ name: value, … }`.',
    );
  return items ?? {};
}
