/**
 * Merging: how changes get into a model. A change of a value or attribute becomes a modifier, so that models with other values share
 * their definition. What a modifier cannot say (a member is taken away or replaced, a variable becomes a parameter, equations are
 * added) gives a new definition with all else as it was.
 *
 * A member is found in the definition itself or in one that it extends, and several layers of changes may speak of it: those of
 * the extends clauses and components on the way first, the changes of the model itself last.
 *
 *     Filter.with({ R: { R: 5 } })     layers for R inside Filter.R:  what Filter says of its component R,  {R: 5}
 *
 * New values enter the last layer. What is taken away is taken from all of them.
 */

import { didYouMean, nearest, suggestion } from '../diagnostic/nearest.ts';
import { shown } from '../diagnostic/options.ts';
import { shapeOf } from '../names/literals.ts';
import {
  attributesIn,
  checkType,
  compatibleUnits,
  dimensionsOf,
  expanded,
  inUnit,
  isModifier,
  isShortcut,
  type Problems,
} from './attributes.ts';
import {
  dropAttribute,
  dropName,
  type Layers,
  layersInside,
  putInside,
  setAttribute,
  setChange,
} from './changes.ts';
import type { Declared } from './declared.ts';
import { noScope, sizesOf, typeOf } from './infer.ts';
import { declaredIn, isInModelica, memberNames, memberOf, title } from './members.ts';
import { editSection } from './sections.ts';
import { Template, templateOf } from './template.ts';
import {
  type Attributes,
  ChangeSet,
  type Changes,
  type ComponentAttributes,
  type ComponentMember,
  DEEPEST,
  type Definition,
  type Item,
  type Items,
  isPlain,
  isReserved,
  itemsOf,
  type Literal,
  type Member,
  ModelData,
  type Modified,
  noChanges,
  Redeclared,
  type Value,
  Variable,
  type VariableMember,
  type Written,
} from './value.ts';

/** A model with changes; what is wrong with them goes to `problems`. */
export function changed(
  model: Modified & { readonly attributes?: ComponentAttributes },
  items: Items,
  problems: Problems,
): Modified {
  const layers: Layers = [model.changes];
  const dimensions = dimensionsOf(model.attributes?.size).length;
  const definition = editAll(model.definition, layers, items, { problems, path: [], dimensions });
  return { definition, changes: layers[0]! };
}

interface Context {
  readonly problems: Problems;
  /** Names from the model that is changed down to here. */
  readonly path: readonly string[];
  /** Dimensions of the arrays of components on this way. */
  readonly dimensions: number;
}

/** What is said of one name. */
interface Edit extends Context {
  readonly name: string;
  readonly item: Item;
}

const fullName = ({ path, name }: Edit): string => `\`${[...path, name].join('.')}\``;

function editAll(definition: Definition, layers: Layers, items: Items, context: Context): Definition {
  if (isTooDeep(context)) return definition;
  let edited = definition;
  for (const [name, item] of Object.entries(items)) {
    if (item === undefined) continue;
    edited = isReserved(name)
      ? editSection(edited, name, item, context.problems)
      : edit(edited, layers, { ...context, name, item });
  }
  return edited;
}

function isTooDeep({ path, problems }: Context): boolean {
  if (path.length <= DEEPEST) return false;
  problems.add('cyclic-definition', `The changes of \`${path[0]}\` contain themselves.`);
  return true;
}

/** Changes what a definition, or one that it extends, has under a name. */
function edit(definition: Definition, layers: Layers, change: Edit): Definition {
  const { name, item, problems } = change;
  if (memberOf(definition, name)) return editMember(definition as Written, layers, change);
  if (!isInModelica(definition, name)) unknown(definition, change);
  else if (item === null)
    problems.add(
      'unsupported',
      `${fullName(change)} is declared in Modelica; it cannot be removed from outside.`,
      'Its values can be changed, and what is replaceable can be replaced: `redeclare(…)`.',
    );
  else editModelica(layers, change, declaredIn(definition, name));
  return definition;
}

function unknown(definition: Definition, { name, path, problems }: Edit): void {
  const names = memberNames(definition);
  const meant = nearest(name, names);
  const owner = path.length > 0 ? `\`${path.join('.')}\`` : title(definition);
  const list = names.slice(0, 8).join(', ') + (names.length > 8 ? ', …' : '');
  const adding = 'Use a `Model` instead of a map to add something.';
  problems.add(
    'unknown-modifier',
    `There is no \`${name}\` in ${owner}.`,
    didYouMean(meant) ?? (names.length > 0 ? `It has ${list}. ${adding}` : adding),
  );
}

function editMember(definition: Written, layers: Layers, change: Edit): Definition {
  const { name } = change;
  const own = definition.members.get(name);
  if (own) {
    const member = editOwn(own, layers, change);
    if (member === own) return definition;
    const members = new Map(definition.members);
    if (member) members.set(name, member);
    else members.delete(name);
    return { ...definition, members };
  }
  const bases = definition.extends.map((base) => {
    if (!memberOf(base.definition, name)) return base;
    const all: Layers = [base.changes, ...layers];
    const edited = edit(base.definition, all, change);
    const [changes, ...outer] = all;
    layers.splice(0, layers.length, ...outer);
    const isSame = edited === base.definition && changes === base.changes;
    return isSame ? base : { definition: edited, changes: changes! };
  });
  const isSame = bases.every((base, k) => base === definition.extends[k]);
  return isSame ? definition : { ...definition, extends: bases };
}

/** What becomes of a member; undefined if it is taken away. */
function editOwn(member: Member, layers: Layers, change: Edit): Member | undefined {
  const { name, item } = change;
  if (item === null) {
    dropName(layers, name);
    return undefined;
  }
  if (item instanceof Redeclared) {
    if (item.kind !== undefined)
      change.problems.add(
        'bad-binding',
        `${fullName(change)} is a ${member.kind}, not a ${item.kind}.`,
        'Write `redeclare(…)` with one argument.',
      );
    dropName(layers, name);
    const { member: replacement, changes } = replacementOf(item, member);
    setChange(layers, name, { value: undefined, inside: changes });
    return replacement;
  }
  return member.kind === 'variable'
    ? editVariable(member, layers, change)
    : editComponent(member, layers, change);
}

/**
 * What is put in place of a member. Its changes are written where the replacement is, so they stay outside; a component keeps its
 * place, that is, its sizes and conditions, unless the replacement has others.
 */
function replacementOf({ item }: Redeclared, before: Member): { member: Member; changes: Changes } {
  if (item instanceof Variable)
    return { member: { kind: 'variable', attributes: item.attributes }, changes: noChanges };
  const { definition, changes } = item;
  const attributes =
    before.kind === 'component' ? { ...before.attributes, ...item.attributes } : item.attributes;
  return { member: { kind: 'component', definition, changes: noChanges, attributes }, changes };
}

// ---------------------------------------------------------------- components

function editComponent(member: ComponentMember, layers: Layers, change: Edit): ComponentMember {
  const { name, path, dimensions, problems } = change;
  const items = componentItems(member, change);
  if (!items) return member;
  const all: Layers = [member.changes, ...layersInside(layers, name)];
  const definition = editAll(member.definition, all, items, {
    problems,
    path: [...path, name],
    dimensions: dimensions + dimensionsOf(member.attributes.size).length,
  });
  const [changes, ...outer] = all;
  putInside(layers, name, outer);
  const isSame = definition === member.definition && changes === member.changes;
  return isSame ? member : { ...member, definition, changes: changes! };
}

/** Changes for a component; a model of the same definition says the same by its changes. */
function componentItems(member: ComponentMember, change: Edit): Items | undefined {
  const { name, item, problems } = change;
  const items = itemsOf(item);
  if (items) return items;
  if (item instanceof ModelData && item.definition === member.definition) return writtenItems(item.changes);
  const [what, how] =
    item instanceof ModelData
      ? ['is a component of another model already.', `redeclare(…)\` to replace it, or a map to change it.`]
      : ['is a component; it cannot have a value.', `{ … }\` with the names inside it.`];
  problems.add('bad-binding', `${fullName(change)} ${what}`, `Write \`${name}: ${how}`);
  return undefined;
}

/** Changes as a user would write them. */
function writtenItems(changes: Changes): Items {
  return Object.fromEntries(
    [...changes].map(([name, { value, inside, replacement, member }]) => {
      if (member) return [name, member];
      if (replacement)
        return [name, new Redeclared(new ModelData(replacement.definition, inside), replacement.kind)];
      if (inside.size === 0) return [name, value];
      const items = writtenItems(inside);
      return [name, value === undefined ? items : new Variable({ ...items, value } as Attributes)];
    }),
  );
}

// ---------------------------------------------------------------- variables

function editVariable(member: VariableMember, layers: Layers, change: Edit): VariableMember {
  const { name, item, problems, dimensions } = change;
  const what = fullName(change);
  const written = attributesIn(item, what, problems);
  if (!written) return member;
  const declared: Record<string, unknown> = { ...member.attributes };
  const before = unitIn(member, layers, name);
  if (written.unit && before && !compatibleUnits(written.unit, before)) {
    const message = `The unit of ${what} is \`${before}\`; \`${written.unit}\` is of another kind.`;
    problems.add('type-mismatch', message);
  }
  const unit = written.unit ?? before;
  for (const [key, given] of Object.entries(expanded(written))) {
    if (given === null) {
      dropAttribute(layers, name, key);
      delete declared[key];
    } else if (key !== 'value' && !isModifier(key)) declared[key] = given;
    else {
      const converted = inUnit(given as Value, unit, what, problems);
      const named = key === 'value' ? what : `\`${key}\` of ${what}`;
      if (typedKeys.has(key))
        checkType(converted.value, typeOf(declared as Attributes, noScope), named, problems);
      if (converted.unit !== unit) declared.unit = converted.unit;
      if (key === 'value') checkRank(member.attributes, converted.value, dimensions, what, problems);
      if (resizes(member.attributes, key, converted.value, dimensions)) {
        dropAttribute(layers, name, key);
        declared[key] = converted.value;
      } else setAttribute(layers, name, key, converted.value);
    }
  }
  return isEqual(declared, member.attributes) ? member : { kind: 'variable', attributes: declared };
}

/** Attributes that have the type of their variable. */
const typedKeys: ReadonlySet<string> = new Set(['value', 'start', 'min', 'max', 'nominal']);

/** The unit of a variable with all changes. */
function unitIn({ attributes }: VariableMember, layers: Layers, name: string): string | undefined {
  const said = layers
    .map((layer) => layer.get(name)?.inside.get('unit')?.value)
    .findLast((one) => one !== undefined);
  return typeof said === 'string' ? said : (attributes.unit ?? undefined);
}

/**
 * Whether a value has other sizes than those that the values of the declaration gave the variable. In an array of components, with
 * so many dimensions, it may also be an array of values.
 */
function resizes(
  attributes: Attributes,
  key: string,
  value: Literal | Template,
  dimensions: number,
): boolean {
  if ((attributes.size ?? undefined) !== undefined || value instanceof Template) return false;
  const sizes = sizesOf(attributes, noScope);
  const all = shapeOf(value) ?? [];
  const shape = all.length === dimensions + sizes.length ? all.slice(dimensions) : all;
  if (key !== 'value' && shape.length === 0) return false;
  return shape.length !== sizes.length || shape.some((n, k) => sizes[k] !== ':' && sizes[k] !== n);
}

/** A number stays a number, and a matrix a matrix: their equations would mean something else. */
function checkRank(
  attributes: Attributes,
  value: Literal | Template,
  dimensions: number,
  what: string,
  problems: Problems,
): void {
  const { size, value: before } = attributes;
  if (value instanceof Template || before instanceof Template || size !== undefined) return;
  if (before === undefined || before === null) return;
  const rank = sizesOf(attributes, noScope).length;
  const shape = shapeOf(value) ?? [];
  if (shape.length === rank || shape.length === dimensions + rank) return;
  const is = rank === 0 ? 'is a scalar' : `has ${rank === 1 ? 'one dimension' : `${rank} dimensions`}`;
  const given = shape.length === 0 ? 'a scalar' : `[${shape.join(', ')}]`;
  problems.add(
    'dimension-mismatch',
    `${what} ${is} but is given ${given}.`,
    'Write `redeclare(Par(…))` to make something else of it.',
  );
}

function isEqual(a: Readonly<Record<string, unknown>>, b: object): boolean {
  const other = b as Readonly<Record<string, unknown>>;
  const keys = Object.keys(a);
  return keys.length === Object.keys(other).length && keys.every((key) => a[key] === other[key]);
}

// ---------------------------------------------------------------- what is declared in Modelica

/**
 * Changes of what is declared in Modelica: whether a name is a variable or a component need not be known. Where it is, values are
 * checked and converted.
 */
function editModelica(layers: Layers, change: Edit, known?: Declared): void {
  const { name, problems } = change;
  const item = change.item instanceof ChangeSet ? change.item.items : change.item;
  if (item instanceof Redeclared) {
    replaceModelica(layers, change, item);
    return;
  }
  if (item instanceof ModelData && known?.isName) {
    setChange(layers, name, { value: undefined, inside: noChanges, member: item });
    return;
  }
  if (item instanceof ModelData) {
    const message = `${fullName(change)} is declared in Modelica; a model cannot be merged into it.`;
    problems.add('bad-binding', message, `Write \`${name}: redeclare(…)\` to replace it.`);
    return;
  }
  if (isPlain(item) && !isShortcut(item)) {
    if (isTooDeep(change)) return;
    const inside = layersInside(layers, name);
    const context = { ...change, path: [...change.path, name] };
    for (const [key, inner] of Object.entries(withInit(item))) {
      if (inner === null) dropName(inside, key);
      else if (inner !== undefined)
        editModelica(inside, { ...context, name: key, item: inner }, typedKeys.has(key) ? known : undefined);
    }
    putInside(layers, name, inside);
    return;
  }
  const attributes = attributesIn(item, fullName(change), problems) ?? {};
  for (const [key, given] of Object.entries(expanded(attributes))) {
    if (given === null) dropAttribute(layers, name, key);
    else if (key === 'value' || isModifier(key)) {
      const of = typedKeys.has(key) ? known : undefined;
      const { value } = inUnit(given as Value, of?.unit, fullName(change), problems);
      setAttribute(layers, name, key, of ? fitting(value, of, change) : value);
    }
  }
}

/** A value as what is declared takes it: of its type, with its sizes, and a literal of an enumeration by its whole name. */
function fitting(value: Literal | Template, known: Declared, change: Edit): Literal | Template {
  const { problems, dimensions } = change;
  const what = fullName(change);
  if (value instanceof Template) return value;
  if (known.literals) {
    if (known.literals.includes(value as string)) return templateOf(`${known.type}.${String(value)}`);
    const hint = suggestion(String(value), known.literals) ?? `It is one of ${known.literals.join(', ')}.`;
    problems.add('type-mismatch', `${what} cannot be ${shown(value)}.`, hint);
    return value;
  }
  checkType(value, known.type, what, problems);
  const shape = shapeOf(value) ?? [];
  const { sizes } = known;
  // In an array of components each element may have a value of its own.
  const own = shape.length === dimensions + sizes.length ? shape.slice(dimensions) : shape;
  if (own.length !== sizes.length || own.some((n, k) => n !== sizes[k])) {
    const is = sizes.length === 0 ? 'is a scalar' : `has the size [${sizes.join(', ')}]`;
    const given = shape.length === 0 ? 'a scalar' : `[${shape.join(', ')}]`;
    problems.add('dimension-mismatch', `${what} ${is} but is given ${given}.`);
  }
  return value;
}

/** What is `replaceable` in Modelica; whether it is, and may be replaced by this, is known when the model is translated. */
function replaceModelica(layers: Layers, change: Edit, { item, kind }: Redeclared): void {
  const { name, problems } = change;
  if (!(item instanceof ModelData) || Object.keys(item.attributes).length > 0) {
    const what = item instanceof ModelData ? 'a model without attributes of a component' : 'a model';
    problems.add('bad-binding', `${fullName(change)} is declared in Modelica; only ${what} can replace it.`);
    return;
  }
  dropName(layers, name);
  const { definition, changes } = item;
  setChange(layers, name, { value: undefined, inside: changes, replacement: { definition, kind } });
}

/** `init` is an attribute also where it is not known that a name is a variable. */
const withInit = (items: Items): Items =>
  'init' in items ? (expanded(items as Attributes) as Items) : items;
