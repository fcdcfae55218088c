/**
 * From models to Modelica text, which the ordinary front end reads: one language, two notations. Each definition becomes a class.
 * Models that are given with names become classes of these names at top level; definitions that they use and that have no such
 * class are written inside. Definitions of equal text are one class, so that a model that a function makes a hundred times is one class
 * with a hundred instances.
 *
 * Templates enter the text as they are, and the text remembers where they come from (`Part`), so that later messages
 * point at the template and not at the text.
 */
import type { BuiltIn } from '../builtin/component.ts';
import { grouped } from '../collections/groups.ts';
import { Failure } from '../diagnostic/failure.ts';
import type { Source } from '../diagnostic/source.ts';
import { capitalised } from '../diagnostic/words.ts';
import { predefinedClasses } from '../model/predefined.ts';
import { literalText, stringLiteral } from '../names/literals.ts';
import { dimensionsOf, modifierNames } from './attributes.ts';
import { type InferenceScope, rankOfValue, scopeOf, sizesOf, typeOf } from './infer.ts';
import { experimentOf, inheritsModelica, memberNames, memberOf } from './members.ts';
import { unnamed } from './references.ts';
import { Template } from './template.ts';
import { joined, Text } from './text.ts';
import {
  type Attributes,
  type Change,
  type Changes,
  type ComponentAttributes,
  type ComponentMember,
  type Definition,
  type Dimension,
  type Experiment,
  emptyDefinition,
  type Member,
  type Modified,
  Quantity,
  type Replacement,
  sectionNames,
  type Value,
  type Written,
} from './value.ts';

/** Levels of components in components beyond which a model is refused. */
const MOST_LEVELS = 500;

/** The Modelica text of models, a text for each class, by the names of the classes. */
export function write(models: Readonly<Record<string, Modified>>): Source[] {
  const given = new Map<Definition, string>();
  for (const [name, model] of Object.entries(models)) {
    // A model with changes is a class that extends the one without; that one may be given, too.
    if (model.changes.size === 0 && !given.has(model.definition)) given.set(model.definition, name);
  }
  return Object.entries(models).map(([name, model]) => new ClassWriter(given, name).top(model).source(name));
}

/** The built-in components that models use, each once. Two with one name cannot be told apart. */
export function builtInsOf(models: Iterable<Modified>): BuiltIn[] {
  const found = new Map<string, BuiltIn>();
  const reached = new Set<Definition>();
  for (const model of models) reach(model.definition, reached);
  for (const definition of reached) {
    const builtIn = definition.kind === 'written' ? definition.builtIn : undefined;
    if (!builtIn) continue;
    if ((found.get(builtIn.name) ?? builtIn) !== builtIn) {
      const message = `Two different built-in components are named \`${builtIn.name}\`.`;
      throw Failure.of('flatten', 'duplicate-name', message, { hint: 'Rename one of them.' });
    }
    found.set(builtIn.name, builtIn);
  }
  return [...found.values()];
}

/** Adds a definition with all that it uses, used ones first; those that are given are left out. */
function reach(
  definition: Definition,
  reached: Set<Definition>,
  given?: ReadonlyMap<Definition, string>,
  depth = 0,
): void {
  if (reached.has(definition) || given?.has(definition)) return;
  if (depth > MOST_LEVELS) {
    const message = `Components are nested in each other to more than ${MOST_LEVELS} levels.`;
    throw Failure.of('flatten', 'limit-exceeded', message);
  }
  if (definition.kind === 'written')
    for (const used of usedBy(definition)) reach(used, reached, given, depth + 1);
  reached.add(definition);
}

function usedBy({ extends: bases, members }: Written): Definition[] {
  const components = [...members.values()].filter((member) => member.kind === 'component');
  return [...bases, ...components].flatMap(({ definition, changes }) => [
    definition,
    ...replacementsIn(changes).map(([, replacement]) => replacement),
  ]);
}

/** The definitions that take the place of something in Modelica, with the names of what they replace. */
function replacementsIn(changes: Changes): [string, Definition][] {
  return [...changes].flatMap(([name, { inside, replacement }]): [string, Definition][] => [
    ...(replacement ? [[name, replacement.definition] as [string, Definition]] : []),
    ...replacementsIn(inside),
  ]);
}

// ---------------------------------------------------------------- classes

class ClassWriter {
  /** Classes of definitions, those at top level included. */
  private readonly names: Map<Definition, string>;
  /** Classes inside, by the text of their bodies. */
  private readonly bodies = new Map<string, string>();
  private readonly taken = new Set<string>(['time', 'Modelica', ...predefinedClasses.keys()]);
  private readonly inner: Text[] = [];
  /** What the names of classes inside begin with. */
  private prefix = '';

  constructor(
    private readonly given: ReadonlyMap<Definition, string>,
    private readonly name: string,
  ) {
    this.names = new Map(given);
    for (const used of given.values()) this.taken.add(used);
    this.taken.add(name);
  }

  /** The class of a model at top level. */
  top(model: Modified): Text {
    const { definition } = model;
    const isOwn =
      model.changes.size === 0 && definition.kind === 'written' && this.names.get(definition) === this.name;
    // How a model is simulated is not inherited in Modelica; changed values are no reason to forget it.
    const root: Written = isOwn
      ? definition
      : { ...emptyDefinition, experiment: experimentOf(model), extends: [model] };
    const others = new Map(this.names);
    others.delete(root);
    const reached = new Set<Definition>();
    reach(root, reached, others);
    for (const one of reached) for (const name of namesIn(one)) this.taken.add(name);
    const hints = hintsOf(reached);
    // What is inherited from Modelica may have classes of its own, whose names would hide those made here or clash with them.
    if ([...reached].some(inheritsModelica)) this.prefix = this.name;
    for (const one of reached) if (one !== root) this.class(one, hints.get(one) ?? 'Base');
    const body = this.body(root, this.inner);
    return new Text().add(restrictionOf(root), ' ', this.name, body, 'end ', this.name, ';\n');
  }

  /** Writes the class of a definition, unless it has one. */
  private class(definition: Definition, hint: string): void {
    if (definition.kind === 'named' || this.names.has(definition)) return;
    const body = this.body(definition, []);
    const restriction = restrictionOf(definition);
    const key = `${restriction} ${body}`;
    const known = this.bodies.get(key);
    const name = known ?? this.free(`${this.prefix}${definition.name ?? hint}`);
    this.names.set(definition, name);
    if (known !== undefined) return;
    this.bodies.set(key, name);
    this.inner.push(new Text().add('  ', restriction, ' ', name, body, '  end ', name, ';\n'));
  }

  private free(wanted: string): string {
    let name = wanted;
    for (let k = 2; this.taken.has(name); k++) name = `${wanted}${k}`;
    this.taken.add(name);
    return name;
  }

  /** The name of a class as it is written in a definition; names from the top level are never hidden. */
  private typeName(definition: Definition, within: Written): string {
    if (definition.kind === 'named') return definition.name;
    const name = this.names.get(definition)!;
    return inheritsModelica(within) && this.given.has(definition) ? `.${name}` : name;
  }

  private around(within: Written): Around {
    return { scope: scopeOf(within), typeName: (definition) => this.typeName(definition, within) };
  }

  /** What stands between the name of a class and its `end`. */
  private body(definition: Written, classes: readonly Text[]): Text {
    const text = new Text().add(
      definition.info === undefined ? '\n' : ` ${stringLiteral(definition.info)}\n`,
    );
    for (const inner of classes) text.add(inner);
    for (const base of definition.extends)
      text.add(
        '  extends ',
        this.typeName(base.definition, definition),
        modifiers(base, 0, this.around(definition)),
        ';\n',
      );
    for (const template of definition.declarations) text.add('  ', terminated(template), '\n');
    const members = grouped(definition.members, ([, { attributes }]) => attributes.protected === true);
    const add = ([name, member]: [string, Member]) => text.add(this.member(name, member, definition));
    members.get(false)?.forEach(add);
    if (members.has(true)) text.add('protected\n');
    members.get(true)?.forEach(add);
    for (const section of sectionNames) {
      const templates = definition.sections[section];
      if (templates.length > 0) text.add(sectionWords[section], '\n');
      for (const template of templates) text.add('  ', terminated(template), '\n');
    }
    const annotation = annotationOf(definition);
    return text.add(annotation === '' ? '' : `  annotation(${annotation});\n`);
  }

  private member(name: string, member: Member, within: Written): Text {
    const declaration =
      member.kind === 'variable'
        ? variable(name, member.attributes, within)
        : this.component(name, member, within);
    return new Text().add('  ', declaration, ';\n');
  }

  private component(name: string, member: ComponentMember, within: Written): Text {
    const { definition, changes, attributes } = member;
    const sizes = dimensionsOf(attributes.size);
    const text = new Text().add(
      prefixes(attributes),
      this.typeName(definition, within),
      ' ',
      name,
      sizesText(sizes),
    );
    text.add(modifiers({ definition, changes }, sizes.length, this.around(within)));
    if (attributes.value) text.add(' = ', attributes.value);
    return text.add(tail(attributes));
  }
}

const sectionWords = {
  initialEquations: 'initial equation',
  equations: 'equation',
  connections: 'equation',
  initialAlgorithm: 'initial algorithm',
  algorithm: 'algorithm',
} as const;

/** Names that a definition declares, in templates as well. */
function namesIn(definition: Definition): readonly string[] {
  if (definition.kind === 'named') return [];
  return [
    ...definition.members.keys(),
    ...definition.declarations.flatMap((template) => template.declared()),
  ];
}

/** Names for classes that have none, from the first component of each. */
function hintsOf(definitions: Iterable<Definition>): Map<Definition, string> {
  const hints = new Map<Definition, string>();
  for (const definition of definitions) {
    if (definition.kind === 'named') continue;
    const components = [...definition.members].flatMap(([name, member]): [string, Definition][] =>
      member.kind === 'component' ? [[name, member.definition], ...replacementsIn(member.changes)] : [],
    );
    const replacements = definition.extends.flatMap(({ changes }) => replacementsIn(changes));
    for (const [name, used] of [...components, ...replacements]) {
      if (hints.has(used)) continue;
      const plain = /^\w*?([A-Za-z]\w*)$/.exec(name.replace(/\W/g, ''))?.[1] ?? 'part';
      hints.set(used, capitalised(plain));
    }
  }
  return hints;
}

/** A definition with potentials or flows is a connector. */
function restrictionOf(definition: Written): string {
  const partial = definition.partial ? 'partial ' : '';
  if (definition.restriction) return partial + definition.restriction;
  const connects = memberNames(definition).some((name) => {
    const member = memberOf(definition, name);
    if (member?.kind !== 'variable') return false;
    const { flow, potential, stream } = member.attributes;
    return flow || potential || stream;
  });
  return `${partial}${connects ? 'connector' : 'model'}`;
}

function annotationOf({ experiment, builtIn, uniform }: Written): string {
  const list: string[] = [];
  if (experiment) list.push(`experiment(${experimentText(experiment)})`);
  const settings: string[] = [];
  if (builtIn) settings.push(`builtIn = ${stringLiteral(builtIn.name)}`);
  if (uniform !== undefined) settings.push(`uniform = ${uniform}`);
  if (settings.length > 0) list.push(`__Mutabor(${settings.join(', ')})`);
  return list.join(', ');
}

function experimentText({ startTime, stopTime, tolerance, interval }: Experiment): string {
  const values = { StartTime: startTime, StopTime: stopTime, Tolerance: tolerance, Interval: interval };
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return given.map(([name, value]) => `${name} = ${value}`).join(', ');
}

// ---------------------------------------------------------------- declarations

function variable(name: string, attributes: Attributes, within: Written): Text {
  const scope = scopeOf(within);
  const sizes = sizesOf(attributes, scope);
  const text = new Text().add(
    prefixes(attributes),
    connectionWords(attributes),
    typeOf(attributes, scope),
    ' ',
    name,
    sizesText(sizes),
  );
  const list = modifierNames.flatMap((key) => {
    const value = attributes[key];
    return value === undefined || value === null ? [] : [attribute(key, value, sizes.length, scope)];
  });
  text.add(parenthesised(list));
  const { value } = attributes;
  if (value !== undefined && value !== null) text.add(' = ', filled(value, sizes));
  return text.add(tail(attributes));
}

function connectionWords({ flow, stream, parameter, constant, discrete, input, output }: Attributes): string {
  const words = [
    flow ? 'flow' : stream ? 'stream' : '',
    constant ? 'constant' : parameter ? 'parameter' : discrete ? 'discrete' : '',
    input ? 'input' : output ? 'output' : '',
  ];
  return words.map((word) => word && `${word} `).join('');
}

const prefixes = ({ final, inner, outer }: Attributes | ComponentAttributes): string =>
  `${final ? 'final ' : ''}${inner ? 'inner ' : ''}${outer ? 'outer ' : ''}`;

/** Condition, description and annotation of a declaration. */
function tail(attributes: Attributes | ComponentAttributes): Text {
  const text = new Text();
  const { if: condition, info } = attributes;
  if (condition !== undefined && condition !== null) text.add(' if ', valueText(condition));
  if (info !== undefined && info !== null) text.add(' ', stringLiteral(info));
  return text.add(
    'hideResult' in attributes && attributes.hideResult ? ' annotation(HideResult = true)' : '',
  );
}

function attribute(key: string, value: Value, dimensions: number, scope: InferenceScope): Text {
  const each = dimensions > 0 && rankOfValue(value, scope) === 0 ? 'each ' : '';
  const text = key === 'stateSelect' ? `StateSelect.${String(value)}` : valueText(value);
  return new Text().add(each, key, ' = ', text);
}

/** A scalar that is the value of an array is the value of all its elements. */
function filled(value: Value, sizes: readonly Dimension[]): string | Template | Text {
  const isScalar = !(value instanceof Template) && typeof value !== 'object';
  if (sizes.length === 0 || !isScalar || sizes.includes(':')) return valueText(value);
  return new Text().add(
    'fill(',
    valueText(value),
    ...sizes.flatMap((size) => [', ', dimensionText(size)]),
    ')',
  );
}

function sizesText(sizes: readonly Dimension[]): Text {
  const text = new Text();
  for (const [k, size] of sizes.entries()) text.add(k === 0 ? '[' : ', ', dimensionText(size));
  return text.add(sizes.length > 0 ? ']' : '');
}

const dimensionText = (size: Dimension): string | Template =>
  typeof size === 'number' ? String(size) : size;

// ---------------------------------------------------------------- modifiers

/** The model around, in which values stand, and how it calls classes. */
interface Around {
  readonly scope: InferenceScope;
  readonly typeName: (definition: Definition) => string;
}

/** Changes, and what they change where that is known. */
type Changed = Pick<Modified, 'changes'> & Partial<Modified>;

/** `(a = 1, b(start = 2))`; `dimensions` are those of the arrays of components around. */
function modifiers({ definition, changes }: Changed, dimensions: number, around: Around): Text {
  const list = [...changes].map(([name, change]) => {
    if (change.member) throw unnamed(name);
    if (change.replacement)
      return replacementText(name, change.replacement, change.inside, dimensions, around);
    const { value } = change;
    const member = definition && memberOf(definition, name);
    const rank = definition ? scopeOf(definition).rank(name) : 0;
    // In an array of components a value is that of each element, unless it has more dimensions than the variable.
    const isForEach = value !== undefined && dimensions > 0 && rankOfValue(value, around.scope) <= rank;
    const text = new Text().add(isForEach ? 'each ' : '', name);
    text.add(inner(member, change, dimensions + rank, around));
    return value === undefined ? text : text.add(' = ', valueText(value));
  });
  return parenthesised(list);
}

const parenthesised = (list: readonly Text[]): Text =>
  list.length === 0 ? new Text() : new Text().add('(', joined(list, ', '), ')');

/** `redeclare Lib.Inductor load(L = 2)`, `redeclare package Medium = Lib.Water`. */
function replacementText(
  name: string,
  { definition, kind }: Replacement,
  changes: Changes,
  dimensions: number,
  around: Around,
): Text {
  const type = around.typeName(definition);
  const text = new Text().add('redeclare ', ...(kind ? [kind, ' ', name, ' = ', type] : [type, ' ', name]));
  return text.add(modifiers({ definition, changes }, dimensions, around));
}

/** Changes inside a member: attributes of a variable, members of a component. */
function inner(member: Member | undefined, { inside }: Change, dimensions: number, around: Around): Text {
  if (member?.kind !== 'variable')
    return modifiers({ definition: member?.definition, changes: inside }, dimensions, around);
  return parenthesised(
    [...inside].map(([key, { value }]) => attribute(key, value!, dimensions, around.scope)),
  );
}

// ---------------------------------------------------------------- values

function valueText(value: Value): string | Template {
  if (value instanceof Template) return value;
  return literalText(value instanceof Quantity ? value.value : value);
}

/** Equations of a template with the `;` that may be missing at their end. */
function terminated(template: Template): Text {
  const text = new Text().add(template);
  return template.isTerminated() ? text : text.add('\n;');
}
