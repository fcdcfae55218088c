/**
 * Models as JSON, to be kept and exchanged:
 *
 *     { "format": "mutabor-model", "version": 1,
 *       "definitions": [ { "name": "Resistor", "extends": [{ "definition": 0 }], "members": {…}, "equations": ["R*i = v;"] }, … ],
 *       "model": { "definition": 3, "changes": { "R": { "inside": { "R": { "value": 5 } } } } } }
 *
 * A definition stands once, before those that use it, and is named by its number. Templates are `{ "modelica": "…" }` where a value
 * could stand. Built-in components are named; whoever reads the text supplies them.
 */
import type { BuiltIn } from '../builtin/component.ts';
import { remember } from '../collections/memo.ts';
import { Failure } from '../diagnostic/failure.ts';
import { kind, requireArgument } from '../diagnostic/options.ts';
import { Problems } from './attributes.ts';
import { declared } from './declared.ts';
import { define } from './define.ts';
import { ModelValue } from './model.ts';
import { unnamed } from './references.ts';
import { Template, templateOf } from './template.ts';
import {
  type Change,
  type Changes,
  type ComponentAttributes,
  classKinds,
  type Definition,
  type Item,
  type Items,
  isPlain,
  type Member,
  ModelData,
  type Modified,
  type Named,
  noChanges,
  type Replacement,
  sectionNames,
  type Value,
  Variable,
  type Written,
} from './value.ts';

const FORMAT = 'mutabor-model';
const VERSION = 1;

/** The text of a model. */
export function modelToJson(model: ModelData): string {
  requireArgument(model, kind.instanceOf(ModelData, 'a model made by `Model`'), 'The model', 'modelToJson');
  const numbers = new Map<Definition, number>();
  const definitions: object[] = [];
  const numberOf = (definition: Definition): number =>
    remember(numbers, definition, () => {
      const written = definitionJson(definition, (used) => modifiedJson(used, numberOf));
      return definitions.push(written) - 1;
    });
  const root = {
    ...modifiedJson(model, numberOf),
    ...present({ attributes: attributesJson(model.attributes) }),
  };
  return `${JSON.stringify({ format: FORMAT, version: VERSION, definitions, model: root }, null, 2)}\n`;
}

/** The model of a text. Throws a `Failure` if it is none. */
export function modelFromJson(text: string, builtIns: readonly BuiltIn[] = []): ModelValue {
  return new Reader(builtIns).read(text);
}

// ---------------------------------------------------------------- writing

function definitionJson(definition: Definition, modified: (used: Modified) => object): object {
  if (definition.kind === 'named') return present({ class: definition.name, members: definition.members });
  const { name, restriction, info, partial, uniform, members, declarations, sections } = definition;
  const memberJson = (member: Member): object =>
    member.kind === 'variable'
      ? { variable: attributesJson(member.attributes) }
      : { component: modified(member), ...present({ attributes: attributesJson(member.attributes) }) };
  const texts = (templates: readonly Template[]): readonly string[] =>
    templates.map((template) => template.text);
  return present({
    name,
    restriction,
    info,
    partial: partial || undefined,
    uniform,
    extends: definition.extends.map(modified),
    members: Object.fromEntries([...members].map(([key, member]) => [key, memberJson(member)])),
    declarations: texts(declarations),
    ...Object.fromEntries(sectionNames.map((section) => [section, texts(sections[section])])),
    builtIn: definition.builtIn?.name,
    experiment: definition.experiment,
  });
}

function modifiedJson(
  { definition, changes }: Modified,
  numberOf: (definition: Definition) => number,
): object {
  return { definition: numberOf(definition), ...present({ changes: changesJson(changes, numberOf) }) };
}

function changesJson(changes: Changes, numberOf: (definition: Definition) => number): object {
  const changeJson = ([name, { value, inside, replacement, member }]: [string, Change]): [string, object] => {
    if (member) throw unnamed(name);
    const json = present({
      value: value === undefined ? undefined : valueJson(value),
      inside: changesJson(inside, numberOf),
      redeclare:
        replacement && present({ definition: numberOf(replacement.definition), kind: replacement.kind }),
    });
    return [name, json];
  };
  return Object.fromEntries([...changes].map(changeJson));
}

function attributesJson(attributes: object): object {
  return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, valueJson(value)]));
}

const valueJson = (value: unknown): unknown =>
  value instanceof Template ? { modelica: value.text } : Array.isArray(value) ? value.map(valueJson) : value;

/** An object without what is not there or empty. */
function present(object: Readonly<Record<string, unknown>>): object {
  const isEmpty = (value: unknown): boolean =>
    value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
  return Object.fromEntries(Object.entries(object).filter(([, value]) => !isEmpty(value)));
}

// ---------------------------------------------------------------- reading

class Reader {
  private readonly definitions: Definition[] = [];
  /** Equal texts are one template, so that merging knows equations that are there already. */
  private readonly templates = new Map<string, Template>();

  constructor(private readonly builtIns: readonly BuiltIn[]) {}

  read(text: string): ModelValue {
    let content: unknown;
    try {
      content = JSON.parse(text);
    } catch (problem) {
      throw refusal(`The text is not JSON: ${(problem as Error).message}.`);
    }
    const { format, version, definitions, model } = object(content, 'the text');
    if (format !== FORMAT) throw refusal(`The text is not a model: \`format\` is not \`${FORMAT}\`.`);
    if (version !== VERSION) throw refusal(`Version ${String(version)} of the format is not known.`);
    for (const item of list(definitions, 'definitions'))
      this.definitions.push(this.definition(object(item, 'a definition')));
    const root = object(model, 'model');
    const { definition, changes } = this.modified(root);
    return new ModelValue(definition, changes, this.attributes(root.attributes));
  }

  private definition(json: Items): Definition {
    if (typeof json.class === 'string')
      return { kind: 'named', name: json.class, members: this.members(json.class, json.members) };
    const { name, restriction, members, builtIn, extends: bases, ...others } = json;
    const items: Record<string, Item> = Object.assign(Object.create(null), {
      ...(others as Items),
      class: restriction,
      extends: list(bases ?? [], 'extends').map((base) => this.data(object(base, 'a base'))),
      builtIn: builtIn === undefined ? undefined : this.builtIn(builtIn),
    });
    for (const section of [...sectionNames, 'declarations'] as const)
      if (section in json) items[section] = list(json[section], section).map((text) => this.template(text));
    for (const [key, member] of Object.entries(object(members ?? {}, 'members')))
      items[key] = this.member(object(member, `the member ${key}`));
    const problems = new Problems();
    const definition: Written = define(name as string | undefined, items, problems);
    if (problems.list.length > 0) throw new Failure('syntax', problems.list);
    return definition;
  }

  /** What is known of the names in a class of a library. */
  private members(of: string, json: unknown): Named['members'] {
    if (json === undefined) return undefined;
    const members = Object.entries(object(json, `the members of ${of}`));
    const wrong = members.find(([, text]) => typeof text !== 'string' || !declared(text));
    if (wrong) throw refusal(`It is not known what \`${wrong[0]}\` of ${of} is.`);
    return Object.fromEntries(members) as Readonly<Record<string, string>>;
  }

  private member({ variable, component, attributes }: Items): Item {
    if (variable !== undefined) return new Variable(this.attributes(variable) as object);
    return this.data(object(component, 'a component'), attributes);
  }

  private data(json: Items, attributes?: unknown): ModelData {
    const { definition, changes } = this.modified(json);
    return new ModelData(definition, changes, this.attributes(attributes));
  }

  private modified({ definition, changes }: Items): Modified {
    const found = typeof definition === 'number' ? this.definitions[definition] : undefined;
    if (!found) throw refusal(`There is no definition ${String(definition)} before the one that uses it.`);
    return { definition: found, changes: this.changes(changes) };
  }

  private changes(json: unknown, depth = 0): Changes {
    if (json === undefined) return noChanges;
    if (depth > 100) throw refusal('Changes are nested too deeply.');
    return new Map(
      Object.entries(object(json, 'changes')).map(([name, item]): [string, Change] => {
        const { value, inside, redeclare } = object(item, `the change of ${name}`);
        const change: Change = {
          value: this.value(value) as Value | undefined,
          inside: this.changes(inside, depth + 1),
          ...(redeclare !== undefined && { replacement: this.replacement(redeclare) }),
        };
        return [name, change];
      }),
    );
  }

  private replacement(json: unknown): Replacement {
    const { kind: given, ...rest } = object(json, 'what is redeclared');
    const found = classKinds.find((one) => one === given);
    if (given !== undefined && !found) throw refusal(`${String(given)} is no kind of class.`);
    return { definition: this.modified(rest).definition, kind: found };
  }

  private attributes(json: unknown): ComponentAttributes {
    const entries = Object.entries(object(json ?? {}, 'attributes'));
    return Object.fromEntries(entries.map(([name, value]) => [name, this.value(value)]));
  }

  private value(json: unknown): unknown {
    if (Array.isArray(json)) return json.map((item) => this.value(item));
    return isPlain(json) && 'modelica' in json ? this.template(json.modelica) : json;
  }

  private template(text: unknown): Template {
    if (typeof text !== 'string') throw refusal('A template is not a text.');
    return remember(this.templates, text, () => templateOf(text));
  }

  private builtIn(name: unknown): BuiltIn {
    const found = this.builtIns.find((one) => one.name === name);
    if (!found) throw refusal(`The built-in component \`${String(name)}\` was not given.`);
    return found;
  }
}

const refusal = (message: string): Failure => Failure.of('syntax', 'bad-binding', message);

function object(json: unknown, what: string): Items {
  if (isPlain(json)) return json;
  throw refusal(`What should be ${what} is not an object.`);
}

function list(json: unknown, what: string): readonly unknown[] {
  if (Array.isArray(json)) return json;
  throw refusal(`\`${what}\` is not a list.`);
}
