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
import { nearest } from '../diagnostic/nearest.ts';
import {
  compatibleUnits,
  dimensionsOf,
  expanded,
  inUnit,
  isModifier,
  type Problems,
  readAttributes,
  shapeOf,
  sizesOf,
} from './attributes.ts';
import { Template } from './template.ts';
import {
  type Attributes,
  type Change,
  ChangeSet,
  type Changes,
  type ComponentAttributes,
  type ComponentMember,
  type Definition,
  type Item,
  type Items,
  isPlain,
  isReserved,
  type Literal,
  type Member,
  ModelData,
  type Modified,
  noChanges,
  Redeclared,
  type SectionName,
  type Shortcut,
  sectionNames,
  type Templates,
  type Value,
  Variable,
  type VariableMember,
  type Written,
} from './value.ts';

/** Objects in objects beyond this depth are taken for a circle. */
const DEEPEST = 100;

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

/** Layers of changes of one model, the strongest last; they are replaced as they change. */
type Layers = Changes[];

interface Context {
  readonly problems: Problems;
  /** Names from the model that is changed down to here. */
  readonly path: readonly string[];
  /** Dimensions of the arrays of components on this way. */
  readonly dimensions: number;
}

const named = ({ path }: Context, name: string): string => [...path, name].join('.');

function editAll(definition: Definition, layers: Layers, items: Items, context: Context): Definition {
  if (context.path.length > DEEPEST) {
    context.problems.add('cyclic-definition', `The changes of \`${context.path[0]}\` contain themselves.`);
    return definition;
  }
  let edited = definition;
  for (const [name, item] of Object.entries(items)) {
    if (item === undefined) continue;
    edited = isReserved(name)
      ? editReserved(edited, name, item, context)
      : edit(edited, layers, name, item, context);
  }
  return edited;
}

// ---------------------------------------------------------------- members

/** A member by its name, own or inherited. */
export function memberOf(definition: Definition, name: string): Member | undefined {
  if (definition.kind === 'named') return undefined;
  const own = definition.members.get(name);
  if (own) return own;
  for (const base of definition.extends) {
    const inherited = memberOf(base.definition, name);
    if (inherited) return inherited;
  }
  return undefined;
}

/** The names of all members, those that are inherited first. */
export function memberNames(definition: Definition): string[] {
  if (definition.kind === 'named') return [];
  return [
    ...definition.extends.flatMap((base) => memberNames(base.definition)),
    ...definition.members.keys(),
  ];
}

/** Whether there may be members that only a Modelica library knows. */
export function isOpen(definition: Definition): boolean {
  if (definition.kind === 'named') return true;
  return definition.declarations.length > 0 || definition.extends.some((base) => isOpen(base.definition));
}

/** Changes what a definition or those that it extends have under a name. */
function edit(
  definition: Definition,
  layers: Layers,
  name: string,
  item: Item,
  context: Context,
): Definition {
  if (memberOf(definition, name)) return editMember(definition as Written, layers, name, item, context);
  if (!isOpen(definition)) unknown(definition, name, context);
  else if (item === null || item instanceof Redeclared || item instanceof ModelData) {
    context.problems.add(
      'unsupported',
      `\`${named(context, name)}\` is declared in Modelica; it cannot be taken away or replaced from outside.`,
      'Its values can be changed, and what is replaceable redeclared by a class written in Modelica.',
    );
  } else editOpen(layers, name, item, context);
  return definition;
}

function unknown(definition: Definition, name: string, context: Context): void {
  const names = memberNames(definition);
  const meant = nearest(name, names);
  const owner = context.path.length > 0 ? `\`${context.path.join('.')}\`` : title(definition);
  const list = names.slice(0, 8).join(', ') + (names.length > 8 ? ', …' : '');
  const adding = 'Use a `Model` instead of a map to add something.';
  context.problems.add(
    'unknown-modifier',
    `There is no \`${name}\` in ${owner}.`,
    meant ? `Did you mean \`${meant}\`?` : names.length > 0 ? `It has ${list}. ${adding}` : adding,
  );
}

export const title = (definition: Definition): string =>
  definition.name === undefined ? 'the model' : `\`${definition.name}\``;

function editMember(
  definition: Written,
  layers: Layers,
  name: string,
  item: Item,
  context: Context,
): Definition {
  const own = definition.members.get(name);
  if (own) {
    const member = editOwn(own, layers, name, item, context);
    if (member === own) return definition;
    const members = new Map(definition.members);
    if (member) members.set(name, member);
    else members.delete(name);
    return { ...definition, members };
  }
  const bases = definition.extends.map((base) => {
    if (!memberOf(base.definition, name)) return base;
    const inner: Layers = [base.changes, ...layers];
    const edited = edit(base.definition, inner, name, item, context);
    const [changes, ...outer] = inner;
    layers.splice(0, layers.length, ...outer);
    return edited === base.definition && changes === base.changes
      ? base
      : { definition: edited, changes: changes! };
  });
  return bases.every((base, k) => base === definition.extends[k])
    ? definition
    : { ...definition, extends: bases };
}

/** What becomes of a member; undefined if it is taken away. */
function editOwn(
  member: Member,
  layers: Layers,
  name: string,
  item: Item,
  context: Context,
): Member | undefined {
  if (item === null || item instanceof Redeclared) {
    for (const [k, layer] of layers.entries()) layers[k] = withChange(layer, name, undefined);
    if (item === null) return undefined;
    const { member: replacement, changes } = replacementOf(item);
    const last = layers.length - 1;
    layers[last] = withChange(layers[last]!, name, { value: undefined, inside: changes });
    return replacement;
  }
  return member.kind === 'variable'
    ? editVariable(member, layers, name, item, context)
    : editComponent(member, layers, name, item, context);
}

/** What is put in place of a member: its changes are written where the replacement is, so they stay outside. */
function replacementOf({ item }: Redeclared): { member: Member; changes: Changes } {
  if (item instanceof Variable)
    return { member: { kind: 'variable', attributes: item.attributes }, changes: noChanges };
  const { definition, changes, attributes } = item;
  return { member: { kind: 'component', definition, changes: noChanges, attributes }, changes };
}

function editComponent(
  member: ComponentMember,
  layers: Layers,
  name: string,
  item: Item,
  context: Context,
): ComponentMember {
  const items = componentItems(member, item, named(context, name), context.problems);
  if (!items) return member;
  const inner: Layers = [member.changes, ...layers.map((layer) => layer.get(name)?.inside ?? noChanges)];
  const definition = editAll(member.definition, inner, items, {
    problems: context.problems,
    path: [...context.path, name],
    dimensions: context.dimensions + dimensionsOf(member.attributes.size).length,
  });
  const [changes, ...outer] = inner;
  for (const [k, inside] of outer.entries()) {
    const before = layers[k]!.get(name);
    if (inside !== (before?.inside ?? noChanges))
      layers[k] = withChange(layers[k]!, name, { value: before?.value, inside });
  }
  if (definition === member.definition && changes === member.changes) return member;
  return { ...member, definition, changes: changes! };
}

/** Changes for a component; a model of the same definition says the same by its changes. */
function componentItems(
  member: ComponentMember,
  item: Item,
  name: string,
  problems: Problems,
): Items | undefined {
  if (item instanceof ChangeSet) return item.items;
  if (isPlain(item)) return item;
  if (item instanceof ModelData) {
    if (item.definition === member.definition) return itemsOf(item.changes);
    problems.add(
      'bad-binding',
      `\`${name}\` is a component of another model already.`,
      `Write \`${name}: redeclare(…)\` to replace it, or a map to change it.`,
    );
    return undefined;
  }
  problems.add(
    'bad-binding',
    `\`${name}\` is a component; it cannot have a value.`,
    `Write \`${name}: { … }\` with the names inside it.`,
  );
  return undefined;
}

/** Changes as a user would write them. */
export function itemsOf(changes: Changes): Items {
  return Object.fromEntries(
    [...changes].map(([name, { value, inside }]) => {
      if (inside.size === 0) return [name, value];
      const items = itemsOf(inside);
      return [name, value === undefined ? items : new Variable({ ...items, value } as Attributes)];
    }),
  );
}

// ---------------------------------------------------------------- variables

function editVariable(
  member: VariableMember,
  layers: Layers,
  name: string,
  item: Item,
  context: Context,
): VariableMember {
  const { problems } = context;
  const full = `\`${named(context, name)}\``;
  const written = attributesIn(item, full, problems);
  if (!written) return member;
  const declared: Record<string, unknown> = { ...member.attributes };
  const unit = unitIn(member, layers, name);
  if (written.unit && unit && !compatibleUnits(written.unit, unit)) {
    problems.add(
      'type-mismatch',
      `The unit of ${full} is \`${unit}\`; \`${written.unit}\` is of another kind.`,
    );
  }
  for (const [key, given] of Object.entries(expanded(written))) {
    if (given === null) {
      strip(layers, name, key);
      delete declared[key];
    } else if (key !== 'value' && !isModifier(key)) declared[key] = given;
    else {
      const own = written.unit ?? unit;
      const converted = inUnit(given as Value, own, full, problems);
      if (converted.unit !== own) declared.unit = converted.unit;
      if (resizes(member.attributes, key, converted.value, context.dimensions)) {
        strip(layers, name, key);
        declared[key] = converted.value;
      } else layers[layers.length - 1] = withAttribute(layers.at(-1)!, name, key, converted.value);
    }
  }
  return sameAttributes(declared, member.attributes) ? member : { kind: 'variable', attributes: declared };
}

/** What is said of a variable, as attributes. */
export function attributesIn(item: Item, what: string, problems: Problems): Attributes | undefined {
  if (item instanceof Variable) return item.attributes;
  if (isShortcut(item)) return item.variable.attributes;
  if (item instanceof ChangeSet) return readAttributes(item.items, what, problems);
  if (isPlain(item)) return readAttributes(item, what, problems);
  if (item instanceof ModelData) {
    problems.add(
      'bad-binding',
      `${what} is a variable, not a component.`,
      'Use `redeclare(…)` to replace it.',
    );
    return undefined;
  }
  return readAttributes({ value: item }, what, problems);
}

export const isShortcut = (item: unknown): item is Shortcut =>
  typeof item === 'function' && (item as Partial<Shortcut>).variable instanceof Variable;

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
  const sizes = sizesOf(attributes);
  const all = shapeOf(value) ?? [];
  const shape = all.length === dimensions + sizes.length ? all.slice(dimensions) : all;
  if (key !== 'value' && shape.length === 0) return false;
  return shape.length !== sizes.length || shape.some((n, k) => sizes[k] !== ':' && sizes[k] !== n);
}

function sameAttributes(a: Readonly<Record<string, unknown>>, b: Attributes): boolean {
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => a[key] === (b as Readonly<Record<string, unknown>>)[key])
  );
}

// ---------------------------------------------------------------- layers

/** Changes of what is declared in Modelica: whether a name is a variable or a component is not known. */
function editOpen(layers: Layers, name: string, item: Item, context: Context): void {
  const { problems } = context;
  const last = layers.length - 1;
  const set = (key: string, value: Value): void => {
    layers[last] = withAttribute(
      layers[last]!,
      name,
      key,
      inUnit(value, undefined, `\`${name}\``, problems).value,
    );
  };
  const inner = item instanceof ChangeSet ? item.items : item;
  if (inner instanceof Variable || isShortcut(inner) || !isPlain(inner)) {
    const attributes = attributesIn(inner, `\`${named(context, name)}\``, problems) ?? {};
    for (const [key, value] of Object.entries(expanded(attributes))) {
      if (value === null) strip(layers, name, key);
      else if (key === 'value' || isModifier(key)) set(key, value as Value);
    }
    return;
  }
  if (context.path.length > DEEPEST) {
    problems.add('cyclic-definition', `The changes of \`${context.path[0]}\` contain themselves.`);
    return;
  }
  const inside: Layers = layers.map((layer) => layer.get(name)?.inside ?? noChanges);
  for (const [key, value] of Object.entries(inner)) {
    if (key === 'init') {
      editOpen(inside, 'start', value, context);
      editOpen(inside, 'fixed', value === null ? null : true, context);
    } else if (value === null)
      for (const [k, one] of inside.entries()) inside[k] = withChange(one, key, undefined);
    else if (value !== undefined) editOpen(inside, key, value, { ...context, path: [...context.path, name] });
  }
  for (const [k, one] of inside.entries()) {
    const before = layers[k]!.get(name);
    if (one !== (before?.inside ?? noChanges))
      layers[k] = withChange(layers[k]!, name, { value: before?.value, inside: one });
  }
}

/** Changes with another one for a name; an empty one is left out. */
function withChange(changes: Changes, name: string, change: Change | undefined): Changes {
  const empty = !change || (change.value === undefined && change.inside.size === 0);
  if (empty && !changes.has(name)) return changes;
  const edited = new Map(changes);
  if (empty) edited.delete(name);
  else edited.set(name, change);
  return edited;
}

/** Changes with a value for a variable, or for one of its attributes. */
function withAttribute(changes: Changes, name: string, key: string, value: Value): Changes {
  const { value: own, inside } = changes.get(name) ?? { value: undefined, inside: noChanges };
  if (key === 'value') return withChange(changes, name, { value, inside });
  return withChange(changes, name, {
    value: own,
    inside: withChange(inside, key, { value, inside: noChanges }),
  });
}

/** Takes an attribute of a variable out of all layers. */
function strip(layers: Layers, name: string, key: string): void {
  for (const [k, layer] of layers.entries()) {
    const change = layer.get(name);
    if (!change) continue;
    const { value, inside } = change;
    layers[k] = withChange(
      layer,
      name,
      key === 'value' ? { value: undefined, inside } : { value, inside: withChange(inside, key, undefined) },
    );
  }
}

// ---------------------------------------------------------------- equations

/** Appends to a section of the outermost definition, or empties the section in all of them. */
function editReserved(definition: Definition, name: string, item: Item, context: Context): Definition {
  const { problems } = context;
  const section = sectionNames.find((one) => one === name);
  if (!section || definition.kind === 'named') {
    problems.add(
      'bad-binding',
      section
        ? `Equations cannot be added to ${title(definition)}, which is written in Modelica.`
        : `\`${name}\` cannot be merged.`,
      'Use a `Model` that extends it.',
    );
    return definition;
  }
  let edited = definition;
  for (const one of Array.isArray(item) ? item.flat(8) : [item]) {
    if (one === null) edited = withoutSection(edited, section);
    else edited = withSection(edited, section, templatesIn(one, section, problems));
  }
  return edited;
}

/** A definition with more in a section; what is there already, or inherited, is not repeated. */
export function withSection(
  definition: Written,
  section: SectionName,
  templates: readonly Template[],
): Written {
  const known = new Set(sectionTexts(definition, section));
  const added = templates.filter((template) => !known.has(template));
  if (added.length === 0) return definition;
  const sections = { ...definition.sections, [section]: [...definition.sections[section], ...added] };
  return { ...definition, sections };
}

function withoutSection(definition: Written, section: SectionName): Written {
  const bases = definition.extends.map((base) =>
    base.definition.kind === 'named'
      ? base
      : { ...base, definition: withoutSection(base.definition, section) },
  );
  return { ...definition, extends: bases, sections: { ...definition.sections, [section]: [] } };
}

/** The templates of a section with those that are inherited. */
export function sectionTexts(definition: Definition, section: SectionName): Template[] {
  if (definition.kind === 'named') return [];
  return [
    ...definition.extends.flatMap((base) => sectionTexts(base.definition, section)),
    ...definition.sections[section],
  ];
}

/** The templates that a section consists of, each read once to find mistakes. */
export function templatesIn(
  item: unknown,
  section: SectionName | 'declarations',
  problems: Problems,
): Template[] {
  const reading =
    section === 'declarations' ? 'elements' : /lgorithm/.test(section) ? 'statements' : 'equations';
  const list = flatten(item as Templates);
  return list.filter((template): template is Template => {
    if (!(template instanceof Template)) {
      problems.add(
        'bad-binding',
        `\`${section}\` consists of something that is not a template.`,
        'Write equations as modelica`…`, or a list of such templates.',
      );
      return false;
    }
    const found = template.problems(reading);
    problems.list.push(...found);
    return found.length === 0;
  });
}

const flatten = (item: Templates): readonly unknown[] =>
  Array.isArray(item) ? (item as readonly Templates[]).flat(8) : [item];

// ---------------------------------------------------------------- maps

/** Two maps of changes as one: what the second says of a name is merged with what the first says. */
export function mergeItems(first: Items, second: Items, problems: Problems, depth = 0): Items {
  const merged: Record<string, Item> = { ...first };
  for (const [name, item] of Object.entries(second)) {
    if (item === undefined) continue;
    const before = merged[name];
    // The order of attributes counts: `start` after `init` is another start value.
    delete merged[name];
    merged[name] = before === undefined ? item : mergeItem(name, before, item, problems, depth);
  }
  return merged;
}

function mergeItem(name: string, first: Item, second: Item, problems: Problems, depth: number): Item {
  if (depth > DEEPEST) {
    problems.add('cyclic-definition', `The changes of \`${name}\` contain themselves.`);
    return second;
  }
  if (isReserved(name)) return second === null ? null : ([first, second].flat(8) as readonly Template[]);
  if (first === null || second === null || second instanceof Redeclared || second instanceof ModelData)
    return second;
  if (first instanceof Redeclared) return new Redeclared(mergeData(first.item, second, problems));
  if (first instanceof ModelData) return mergeData(first, second, problems);
  if (isValue(first) && isValue(second)) return second;
  const merged = mergeItems(contentOf(first), contentOf(second), problems, depth + 1);
  return isMap(first) && isMap(second) ? merged : new Variable(merged as Attributes);
}

const isValue = (item: Item): boolean => !isMap(item) && !(item instanceof Variable) && !isShortcut(item);

const isMap = (item: Item): item is Items | ChangeSet => item instanceof ChangeSet || isPlain(item);

function contentOf(item: Item): Items {
  if (item instanceof ChangeSet) return item.items;
  if (isPlain(item)) return item;
  if (item instanceof Variable) return item.attributes as Items;
  return isShortcut(item) ? (item.variable.attributes as Items) : { value: item };
}

function mergeData<Data extends ModelData | Variable>(data: Data, item: Item, problems: Problems): Data {
  if (data instanceof Variable)
    return new Variable({ ...data.attributes, ...(contentOf(item) as Attributes) }) as Data;
  if (isMap(item)) return withChanged(data, changed(data, contentOf(item), problems)) as Data;
  problems.add('bad-binding', 'A component cannot have a value.');
  return data;
}

/** The same kind of thing with other data. */
export function withChanged(model: ModelData, { definition, changes }: Modified): ModelData {
  if (definition === model.definition && changes === model.changes) return model;
  return Object.assign(Object.create(Object.getPrototypeOf(model)), model, { definition, changes });
}
