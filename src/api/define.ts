/** From what a user wrote in `Model({ … })` to a definition: members are declared, inherited ones are changed. */
import type { BuiltIn } from '../builtin/component.ts';
import { append } from '../collections/groups.ts';
import { nearest, suggestion } from '../diagnostic/nearest.ts';
import { kind, type OptionKind } from '../diagnostic/options.ts';
import { keywords } from '../syntax/tokens.ts';
import { checkType, checkValue, inUnit, isShortcut, mergeAttributes, type Problems } from './attributes.ts';
import { noScope, typeOf } from './infer.ts';
import {
  declaredIn,
  depthOf,
  experimentOf,
  inheritsModelica,
  isInModelica,
  memberOf,
  sectionOf,
} from './members.ts';
import { changed } from './merge.ts';
import { withNames, withNamesIn } from './references.ts';
import { templatesIn } from './sections.ts';
import { Template } from './template.ts';
import {
  type Attributes,
  ChangeSet,
  DEEPEST,
  type Definition,
  type Experiment,
  emptyDefinition,
  type Item,
  type Items,
  isPlain,
  isReserved,
  type Member,
  ModelData,
  type Modified,
  noChanges,
  Redeclared,
  type Restriction,
  reservedNames,
  type SectionName,
  sections,
  type Value,
  Variable,
  type Written,
} from './value.ts';

/** The definition that a user wrote. */
export function define(name: string | undefined, items: Items, problems: Problems): Written {
  if (name !== undefined) checkName(name, 'a model', problems);
  const templates = (section: SectionName | 'declarations'): readonly Template[] => {
    const item = items[section];
    return item === undefined || item === null ? [] : templatesIn(item, section, problems);
  };
  const own: Written = {
    kind: 'written',
    name,
    ...simpleItems(items, problems),
    extends: basesIn(items.extends, problems),
    members: new Map(),
    declarations: templates('declarations'),
    sections: sections(templates),
  };
  const members = Object.entries(items).filter(([key, item]) => item !== undefined && !isReserved(key));
  const isDeclared = (key: string) => own.extends.some((base) => declaredIn(base.definition, key));
  const siblings = new Map<Item, string[]>();
  for (const [key, item] of members) if (!isDeclared(key)) append(siblings, item, key);
  const named = members.map(([key, item]): [string, Item] => [
    key,
    withNamesIn(item, key, siblings, problems),
  ]);
  const whole = assemble(own, named, problems);
  const bases = whole.extends.map(({ definition, changes }) => ({
    definition,
    changes: withNames(changes, '', siblings, problems),
  }));
  return { ...whole, extends: bases };
}

/** A definition that also inherits other models, in front of what it inherits already. */
export function compose(definition: Definition, bases: readonly Modified[], problems: Problems): Written {
  if (definition.kind === 'named')
    return assemble(
      { ...emptyDefinition, extends: [...bases, { definition, changes: noChanges }] },
      [],
      problems,
    );
  const members = [...definition.members].map(([name, member]): [string, Item] => [name, itemOf(member)]);
  const name = definition.name ?? bases[0]?.definition.name;
  const inherited = bases.map((base) => ({ definition: base.definition, changes: base.changes }));
  const own = { ...definition, name, extends: [...inherited, ...definition.extends], members: new Map() };
  return assemble(own, members, problems);
}

function itemOf(member: Member): Item {
  if (member.kind === 'variable') return new Variable(member.attributes);
  return new ModelData(member.definition, member.changes, member.attributes);
}

/** Puts members in their places: a name that is inherited changes what is inherited, another one is declared. */
function assemble(own: Written, items: readonly (readonly [string, Item])[], problems: Problems): Written {
  let bases = own.extends;
  if (bases.some((base) => depthOf(base.definition) >= DEEPEST)) {
    problems.add('limit-exceeded', `More than ${DEEPEST} models extend each other in a chain.`);
    return own;
  }
  const members = new Map<string, Member>();
  for (const [name, item] of items) {
    const heirs = bases.filter(
      ({ definition }) => memberOf(definition, name) ?? declaredIn(definition, name),
    );
    const open = item instanceof Redeclared && bases.find((base) => isInModelica(base.definition, name));
    if (heirs.length === 0 && open) heirs.push(open);
    if (heirs.length > 0) {
      bases = bases.map((base) => (heirs.includes(base) ? changed(base, { [name]: item }, problems) : base));
    } else {
      const before = problems.list.length;
      const member = declare(name, item, bases, problems);
      if (member) members.set(name, member);
      else problems.suggest(before, nearest(name, reservedNames));
    }
  }
  // A template that is inherited on two ways, or merged twice, is one section of equations.
  const distinct = sections((section) => {
    const known = new Set(bases.flatMap((base) => sectionOf(base.definition, section)));
    return [...new Set(own.sections[section])].filter((template) => !known.has(template));
  });
  const experiment = own.experiment ?? bases.map(experimentOf).find((one) => one !== undefined);
  return { ...own, extends: bases, members, sections: distinct, experiment };
}

function basesIn(item: unknown, problems: Problems): readonly Modified[] {
  const list = item === undefined || item === null ? [] : [item].flat();
  return list.flatMap((one) => {
    if (one instanceof ModelData && one.attributes.size === undefined)
      return [{ definition: one.definition, changes: one.changes }];
    const found = one instanceof ModelData ? ', not an array of components' : '';
    problems.add('bad-binding', `\`extends\` needs a model, or a list of models${found}.`);
    return [];
  });
}

// ---------------------------------------------------------------- members

/** A member of its own. */
function declare(
  name: string,
  item: Item,
  bases: readonly Modified[],
  problems: Problems,
): Member | undefined {
  const what = `\`${name}\``;
  if (!checkName(name, 'a member', problems)) return undefined;
  if (item instanceof ModelData) {
    const { definition, changes, attributes } = item;
    return { kind: 'component', definition, changes, attributes };
  }
  if (item === null || item instanceof Redeclared) {
    const open = bases.some((base) => base.definition.kind === 'named' || inheritsModelica(base.definition));
    problems.add(
      'unknown-modifier',
      `There is no ${what} to be ${item === null ? 'removed' : 'replaced'}.`,
      open ? 'What is declared in Modelica cannot be removed from here.' : undefined,
    );
    return undefined;
  }
  if (isPlain(item) || item instanceof ChangeSet) {
    problems.add(
      'bad-binding',
      `${what} is an object, but there is nothing that it could change.`,
      'Write `Model({ … })` for a component, or `Var({ … })` for a variable.',
    );
    return undefined;
  }
  if (item instanceof Variable || isShortcut(item)) {
    return variable((isShortcut(item) ? item.variable : item).attributes, what, problems);
  }
  if (Array.isArray(item) && item.some((one) => one instanceof ModelData)) {
    problems.add(
      'bad-binding',
      `${what} is a list of models.`,
      'Write `array(model, n)` for an array of components, with arrays of values where they differ.',
    );
    return undefined;
  }
  if (!checkValue(item, what, problems)) return undefined;
  return variable(
    item instanceof Template ? { value: item } : { parameter: true, value: item },
    what,
    problems,
  );
}

/** A variable with its values in its unit. */
function variable(written: Attributes, what: string, problems: Problems): Member {
  const given = Object.entries(mergeAttributes(written)).filter(([, item]) => item !== null);
  const attributes: Record<string, unknown> = Object.fromEntries(given);
  for (const key of ['value', 'start', 'min', 'max', 'nominal'] as const) {
    const own = attributes[key] as Value | undefined;
    if (own === undefined) continue;
    const { value, unit } = inUnit(own, attributes.unit as string | undefined, what, problems);
    attributes[key] = value;
    if (unit !== undefined) attributes.unit = unit;
    const named = key === 'value' ? what : `\`${key}\` of ${what}`;
    checkType(value, typeOf(attributes, noScope), named, problems);
  }
  return { kind: 'variable', attributes };
}

function checkName(name: string, what: string, problems: Problems): boolean {
  if (/^'[^'\\]*'$/.test(name)) return true;
  const reserved = (keywords as readonly string[]).includes(name);
  if (/^[A-Za-z_]\w*$/.test(name) && !reserved) return true;
  const reason = reserved ? 'it is a reserved word of Modelica' : 'names consist of letters, digits and `_`';
  return problems.add(
    'bad-binding',
    `\`${name}\` cannot be the name of ${what}: ${reason}.`,
    `In quotes it can: \`'${name}'\`.`,
  );
}

// ---------------------------------------------------------------- reserved names

type Simple = Pick<Written, 'restriction' | 'info' | 'partial' | 'uniform' | 'builtIn' | 'experiment'>;

const restrictions: readonly unknown[] = ['model', 'block', 'connector', 'record'];

const simpleKinds: Readonly<Record<string, OptionKind>> = {
  class: { is: (item) => restrictions.includes(item), what: `one of ${restrictions.join(', ')}` },
  info: kind.text,
  partial: kind.flag,
  uniform: kind.flag,
  builtIn: { is: isBuiltIn, what: 'a built-in component with a `name`, `allocate` and `begin`' },
};

function simpleItems(items: Items, problems: Problems): Simple {
  const { class: restriction, info, partial, uniform, builtIn, experiment } = items;
  for (const [name, { is, what }] of Object.entries(simpleKinds))
    if (items[name] !== undefined && !is(items[name]))
      problems.add('bad-binding', `\`${name}\` must be ${what}.`);
  return {
    restriction: restriction as Restriction | undefined,
    info: info as string | undefined,
    partial: partial === true,
    uniform: typeof uniform === 'boolean' ? uniform : undefined,
    builtIn: builtIn as BuiltIn | undefined,
    experiment: experimentIn(experiment, problems),
  };
}

export function isBuiltIn(item: unknown): item is BuiltIn {
  const candidate = item as Partial<BuiltIn> | null | undefined;
  return (
    typeof candidate === 'object' &&
    typeof candidate?.name === 'string' &&
    typeof candidate.allocate === 'function' &&
    typeof candidate.begin === 'function'
  );
}

const experimentNames = ['startTime', 'stopTime', 'tolerance', 'interval'] as const;

function experimentIn(item: unknown, problems: Problems): Experiment | undefined {
  if (item === undefined) return undefined;
  const read: Record<string, number> = {};
  for (const [name, value] of Object.entries(isPlain(item) ? item : {})) {
    const known = experimentNames.find((one) => one === name);
    if (!known) {
      const hint = suggestion(name, experimentNames) ?? `It has ${experimentNames.join(', ')}.`;
      problems.add('unknown-modifier', `\`experiment\` has no \`${name}\`.`, hint);
    } else if (typeof value === 'number' && Number.isFinite(value)) read[known] = value;
    else problems.add('bad-binding', `\`${name}\` of the experiment must be a number.`);
  }
  if (!isPlain(item))
    problems.add('bad-binding', '`experiment` must be an object such as `{ stopTime: 10 }`.');
  return read;
}
