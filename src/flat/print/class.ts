/**
 * The text of a model as one class, in the Modelica that all tools of version 3 read: functions first, inside of the class, then
 * variables with their attributes, then equations. States of machines and built-in components are components of the text, all others have
 * dissolved. Read again, it means the same. The same model gives the same text.
 */
import { stringLiteral } from '../../names/literals.ts';
import { prefixesOf } from '../../names/names.ts';
import type { Expr } from '../../symbolic/expr.ts';
import type { FunctionDef } from '../../symbolic/function.ts';
import { exprText, type NameTable } from '../core/text.ts';
import {
  type Experiment,
  experimentNames,
  type FlatComponent,
  type FlatEquation,
  type FlatModel,
  type FlatPort,
  type FlatVariable,
  isObject,
} from '../flat.ts';
import { bodyLines, functionLines, objectLines, singleLines, statementLines } from './equations.ts';
import { addInner, identifier, namesOf, WrittenNames } from './names.ts';
import { type Nest, Nests, typeIn } from './nested.ts';
import { managesObjects, objectClasses } from './objects.ts';
import { machineLines, OperatorWords } from './operators.ts';
import { type Spoken, withOperators } from './past.ts';

/** What is written of a model. */
export interface TextParts {
  readonly functions: readonly FunctionDef[];
  readonly declarations: readonly PrintedDeclaration[];
  readonly initial: readonly FlatEquation[];
  readonly sections: readonly PrintedSection[];
  /** Lines of comment at the top. */
  readonly remarks: readonly string[];
}

/** A variable of the text. */
export interface PrintedDeclaration {
  readonly symbol: number;
  readonly variable: FlatVariable;
}

export interface PrintedSection {
  readonly title: string;
  readonly equations: readonly FlatEquation[];
}

/** A flat model as it is. What no text can say is left out, and the text says so. */
export function printFlat(flat: FlatModel): string {
  const spoken = withOperators(inParts(flat));
  const { model } = spoken;
  const missing = unwritten(model);
  const head: Head = {
    remarks: [
      ...needed(model, flat),
      ...(missing.length > 0 ? ['This text cannot be run: no words say this.', ...missing] : []),
    ],
    partial: missing.length > 0,
  };
  const plain = new FlatText(spoken, false);
  const text = plain.text(head);
  return plain.clash ? new FlatText(spoken, true).text(head) : text;
}

/** The model with the parts of components that are several together; what joins them comes back when the text is read. */
function inParts(model: FlatModel): FlatModel {
  const wholes = model.components.flatMap(({ whole }) => whole ?? []);
  if (wholes.length === 0) return model;
  const isOwn = (equation: FlatEquation) => !wholes.some(({ equations }) => equations.has(equation));
  return {
    ...model,
    components: model.components.flatMap((component) => component.whole?.parts ?? component),
    equations: model.equations.filter(isOwn),
    ...(model.unclocked && {
      unclocked: { ...model.unclocked, equations: model.unclocked.equations.filter(isOwn) },
    }),
    variables: model.variables.map((variable, symbol) =>
      wholes.some(({ symbols }) => symbols.has(symbol)) ? { ...variable, engine: true } : variable,
    ),
  };
}

/** What cannot be written. */
function unwritten({ components, variables, functions }: FlatModel): string[] {
  const called = functions.flatMap(({ name, locals, clause, external, sources }) => {
    const isInterpreted =
      clause === undefined && !sources && locals.some((local) => local.name === '$written');
    const takesRecords =
      external?.kind === 'foreign' && external.foreign.args.some(({ given }) => given.kind !== 'value');
    return [
      ...(isInterpreted ? [`  The function ${name} has sizes that are known only when it runs.`] : []),
      ...(takesRecords ? [`  The external function ${name} takes records.`] : []),
    ];
  });
  const classes = objectClasses(functions, (path) => path);
  const objects = variables
    .filter((variable) => isObject(variable) && !classes.has(variable.enumeration ?? ''))
    .map(({ name }) => `  The external object ${name} is more than a number.`);
  const makers = functions
    .filter((definition) => [...classes.values()].some((one) => managesObjects(definition, one)))
    .map(({ name }) => `  The function ${name} has external objects of its own.`);
  const parts = components.flatMap((component) => {
    const { path, starts } = component;
    const ownPath = path === '' ? '' : `${path}.`;
    const isInArray = variables.some(
      ({ name }) =>
        name.startsWith(ownPath) &&
        prefixesOf(name.slice(ownPath.length)).some((prefix) => prefix.endsWith(']')),
    );
    const reasons = [
      ...(isInArray ? ['has arrays of components'] : []),
      ...(starts && starts.size > 0 ? ['has initial values that were given from outside'] : []),
    ];
    return reasons.map((reason) => `  The built-in component ${path} ${reason}.`);
  });
  return [...parts, ...objects, ...makers, ...called];
}

/** The code that a text cannot say: it has to be there when the text is read again. That of the own library always is. */
const needed = ({ components }: FlatModel, model: FlatModel): string[] =>
  model.components
    .filter((component) => !component.whole && components.includes(component))
    .map((component) => `This needs the ${componentText(component, model)}.`);

/** What a built-in component determines and reads. */
function componentText({ path, builtIn, inputs, outputs }: FlatComponent, model: FlatModel): string {
  const names = namesOf(model);
  const listed = (ports: readonly FlatPort[]) => ports.map(({ value }) => exprText(value, names)).join(', ');
  const gives = outputs.length > 0 ? ` gives ${listed(outputs)}` : '';
  const reads = inputs.length > 0 ? ` from ${listed(inputs)}` : '';
  return `built-in component ${path === '' ? '' : `${path} `}"${builtIn.name}"${gives}${reads}`;
}

// ---------------------------------------------------------------- a flat model

/** A class of the text, when it is known what is said in it; what is declared is put together when all of the text is. */
interface Written {
  readonly nest: Nest;
  readonly members: readonly Member[];
  readonly rows: readonly string[];
}

type Member = Written | { readonly name: string; readonly text: string; readonly hidden: boolean };

class FlatText {
  private readonly model: FlatModel;
  private readonly names: WrittenNames;
  private readonly nests: Nests;
  private readonly words: OperatorWords;
  private readonly machines: FlatModel['machines'];
  private readonly always: ReadonlyMap<Nest, FlatEquation[]>;
  private readonly initial: ReadonlyMap<Nest, FlatEquation[]>;

  /** With `apart`, names in classes inside differ from all names around them. */
  constructor(
    private readonly spoken: Spoken,
    apart: boolean,
  ) {
    const { model, outputs } = spoken;
    this.model = model;
    const { unclocked, variables } = model;
    const { equations, machines } = unclocked ?? model;
    this.machines = machines;
    this.names = new WrittenNames(model.functions, (symbol) => variables[symbol]!);
    // What the engine, clocks and machines need besides is not declared.
    const declared = [...variables.keys()].filter(
      (symbol) =>
        !variables[symbol]!.engine &&
        (outputs.has(symbol) || symbol < (unclocked?.declared ?? variables.length)),
    );
    this.nests = new Nests(model, machines, declared, this.names, apart);
    addInner(this.names, model, equations);
    this.words = new OperatorWords(model, machines, this.names, this.nests);
    const isClosed = (equation: FlatEquation) => unclocked?.notes.clockOf.has(equation) ?? false;
    this.always = this.nests.placed(equations, isClosed);
    this.initial = this.nests.placed(unclocked?.initialEquations ?? model.initialEquations, isClosed);
  }

  /** Whether the text says something that it does not mean. */
  get clash(): boolean {
    return this.nests.clash;
  }

  text(head: Head): string {
    const { root } = this.nests;
    const written = this.written(root);
    const clocks = this.words.clockLines(this.words.in(root));
    const declarations = [
      ...clocks.map(({ name, text }) => `  ${root.inners.has(name) ? 'inner ' : ''}${text};`),
      ...declarationLines(written.members.map((member) => this.declared(member, root))),
    ];
    const body = { ...head, declarations, equations: written.rows };
    return classText(this.model, this.names, body, root.component);
  }

  private written(nest: Nest): Written {
    const { model, nests } = this;
    for (const symbol of nest.state?.outputs ?? []) nests.output(symbol, nest);
    const inside = this.words.in(nest);
    const names: NameTable = { ...inside, sentence: (equation) => this.spoken.sentence(equation, inside) };
    const members = nest.members.map((member) =>
      typeof member === 'number' ? this.variable(member, nest, names) : this.written(member),
    );
    const machines = this.machines.filter((machine) => nests.ofMachine(machine) === nest);
    const own = machines.flatMap((machine) => machineLines(machine, nests, nest, names));
    const sections = [{ title: '', equations: this.always.get(nest) ?? [] }];
    return { nest, members, rows: equationRows(model, names, this.initial.get(nest) ?? [], sections, own) };
  }

  /** In a class inside, what is hidden can be spoken of from outside: it is not protected. */
  private variable(symbol: number, nest: Nest, names: NameTable): Member {
    const variable = this.model.variables[symbol]!;
    const name = names.variable(symbol);
    const hidden = nest === this.nests.root && variable.hidden;
    if (typeIn(this.model, symbol) === 'Clock')
      return { name, text: `Clock ${name}${described(variable.description)}`, hidden: false };
    const plain = this.words.isClocked(symbol)
      ? { ...variable, variability: 'continuous' as const }
      : variable;
    const settings = settingText(variable, variable.hidden && !hidden);
    return { name, text: declaration(plain, name, names) + settings, hidden };
  }

  /** The lines of a declaration; what is a component has its class before it. */
  private declared(member: Member, around: Nest): Lines {
    const prefix = (name: string): string => (around.inners.has(name) ? 'inner ' : '');
    if (!('nest' in member)) {
      const [, final = '', rest] = /^(final )?(.*)$/s.exec(member.text)!;
      return { lines: [`  ${final}${prefix(member.name)}${rest};`], hidden: member.hidden };
    }
    const { nest, members, rows } = member;
    const inside = [
      ...[...nest.outers.values()].map((text) => `  ${text};`),
      ...members.flatMap((inner) => this.declared(inner, nest).lines),
      ...rows,
      ...annotationLines(nest.component),
    ];
    const lines = [
      `  model ${nest.className}`,
      ...inside.map((line) => `  ${line}`),
      `  end ${nest.className};`,
      `  ${prefix(nest.name)}${nest.className} ${nest.name};`,
    ];
    return { lines, hidden: false };
  }
}

interface Lines {
  readonly lines: readonly string[];
  readonly hidden: boolean;
}

// ---------------------------------------------------------------- classes

interface Head {
  readonly remarks: readonly string[];
  /** Some of the model cannot be written: the text is no model that could run. */
  readonly partial?: boolean;
}

/** All of a flat model that is variables, equations and functions. */
export const partsOf = (model: FlatModel): TextParts => ({
  functions: model.functions,
  declarations: model.variables.map((variable, symbol) => ({ symbol, variable })),
  initial: model.initialEquations,
  sections: [{ title: '', equations: model.equations }],
  remarks: [],
});

export function modelText(flat: FlatModel, names: WrittenNames, parts: TextParts): string {
  const equations = equationRows(flat, names, parts.initial, parts.sections);
  const declared = parts.declarations.map(({ symbol, variable }) => ({
    lines: [`  ${declaration(variable, names.variable(symbol), names)};`],
    hidden: variable.hidden,
  }));
  const { functions, remarks } = parts;
  return classText({ ...flat, functions }, names, {
    remarks,
    equations,
    declarations: declarationLines(declared),
  });
}

function classText(
  flat: FlatModel,
  names: WrittenNames,
  {
    remarks,
    partial,
    declarations,
    equations,
  }: Head & { readonly declarations: readonly string[]; readonly equations: readonly string[] },
  component?: FlatComponent,
): string {
  const name = identifier(flat.name.replace(/\./g, '_'));
  return [
    ...remarks.map((remark) => `// ${remark.replace(/[\r\n]+/g, ' ')}`),
    `${partial ? 'partial ' : ''}model ${name}${described(flat.description)}`,
    ...functionsOf(flat, names).map((line) => `  ${line}`),
    ...declarations,
    ...equations,
    ...annotationLines(component, experimentText(flat.experiment)),
    `end ${name};\n`,
  ].join('\n');
}

/** The functions of a text, when all else is written: those that have one of several outputs alone come last. */
export function functionsOf({ functions }: FlatModel, names: WrittenNames): string[] {
  const objects = [...names.objects.values()];
  const isInside = (k: number): boolean =>
    objects.some(({ constructors, destructor }) => k === destructor || constructors.has(k));
  const whole = functions.flatMap((definition, k) =>
    definition.external || isInside(k)
      ? []
      : (sourceLines(definition, names, k) ?? functionLines(definition, functions, names, names.fn(k, 0))),
  );
  const singles = names.singles.flatMap((single) =>
    singleLines(functions[single.fn]!, single, names.fn(single.fn, 0), names),
  );
  const helpers = functions.flatMap(({ sources = [] }) => sources.slice(1));
  const called = new Map(helpers.map((source) => [source.path, source]));
  return [
    ...objects.flatMap((one) => objectLines(one, functions, names)),
    ...whole,
    ...[...called.values()].flatMap(({ lines }) => lines(names.source)),
    ...singles,
  ];
}

/** An interpreted function as it was written; what it calls has names of its own. */
function sourceLines(
  { sources }: FunctionDef,
  names: WrittenNames,
  fn: number,
): readonly string[] | undefined {
  const [own] = sources ?? [];
  return own?.lines((path) => (path === own.path ? names.fn(fn, 0) : names.source(path)));
}

export function annotationLines(component: FlatComponent | undefined, experiment = ''): string[] {
  const parts = [
    ...(component ? [`__Mutabor(builtIn = ${stringLiteral(component.builtIn.name)})`] : []),
    ...(experiment ? [experiment] : []),
  ];
  return parts.length > 0 ? [`  annotation(${parts.join(', ')});`] : [];
}

/** The sections of a class; `machines` are further lines of equations. */
export function equationRows(
  flat: FlatModel,
  names: NameTable,
  initial: readonly FlatEquation[],
  sections: readonly PrintedSection[],
  machines: readonly string[] = [],
): string[] {
  const lines = (list: readonly FlatEquation[]): string[] =>
    bodyLines(
      list.filter(({ kind }) => kind !== 'algorithm'),
      flat,
      names,
      '  ',
    );
  const always = sections.flatMap(({ title, equations }) => [
    ...(title ? [`  // ${title}`] : []),
    ...lines(equations),
  ]);
  const isEmpty = machines.length === 0 && sections.every((section) => section.equations.length === 0);
  return [
    ...(initial.some(({ kind }) => kind !== 'algorithm') ? ['initial equation'] : []),
    ...lines(initial),
    ...algorithmLines('initial algorithm', initial, names),
    ...(isEmpty ? [] : ['equation']),
    ...machines,
    ...always,
    ...sections.flatMap(({ equations }) => algorithmLines('algorithm', equations, names)),
  ];
}

/** Those of the equations that are algorithm sections. */
function algorithmLines(head: string, equations: readonly FlatEquation[], names: NameTable): string[] {
  return equations.flatMap((equation) =>
    equation.kind === 'algorithm' ? [head, ...statementLines(equation.body, names, '  ')] : [],
  );
}

export const described = (text: string): string => (text ? ` ${stringLiteral(text)}` : '');

// ---------------------------------------------------------------- variables

function declarationLines(declared: readonly Lines[]): string[] {
  const result: string[] = [];
  let before = false;
  for (const { lines, hidden } of declared) {
    if (hidden !== before) result.push(hidden ? 'protected' : 'public');
    before = hidden;
    result.push(...lines);
  }
  return result;
}

export function declaration(variable: FlatVariable, name: string, names: NameTable): string {
  const { variability, causality, dims, binding, description } = variable;
  const object = isObject(variable) ? names.object?.(variable.enumeration ?? '') : undefined;
  const type = object ?? variable.type;
  const prefixes: string[] = [];
  if (variable.structural && variability === 'parameter') prefixes.push('final');
  if (variability === 'parameter' || variability === 'constant') prefixes.push(variability);
  if (variability === 'discrete' && type === 'Real') prefixes.push('discrete');
  if (causality !== 'local') prefixes.push(causality);
  const size = dims.length > 0 ? `[${dims.join(', ')}]` : '';
  const attributes = object === undefined ? attributeTexts(variable, names) : [];
  const modification = attributes.length > 0 ? `(${attributes.join(', ')})` : '';
  const value = binding ? ` = ${exprText(binding, names, variable.type)}` : '';
  const literals = variable.literals && object === undefined ? ` /* ${variable.literals.join(', ')} */` : '';
  const head = [...prefixes, type + size, name].join(' ');
  return head + modification + value + described(description) + literals;
}

/** What follows from connectors and annotations of the model. */
export function settingText({ potential, kept }: FlatVariable, hidden: boolean): string {
  const settings = [...(potential ? ['potential = true'] : []), ...(kept ? [`${kept} = true`] : [])];
  const parts = [
    ...(hidden ? ['HideResult = true'] : []),
    ...(settings.length > 0 ? [`__Mutabor(${settings.join(', ')})`] : []),
  ];
  return parts.length > 0 ? ` annotation(${parts.join(', ')})` : '';
}

/** The attributes of a variable as modifiers; one value for all elements of an array is `each` of them. */
function attributeTexts(variable: FlatVariable, names: NameTable): string[] {
  const result: string[] = [];
  const isArray = variable.dims.length > 0;
  const add = (name: string, value: string, each = isArray): void => {
    result.push(`${each ? 'each ' : ''}${name} = ${value}`);
  };
  const text = (name: string, value: string): void => {
    if (value) add(name, stringLiteral(value));
  };
  const expr = (name: string, value: Expr | undefined): void => {
    if (value) add(name, exprText(value, names, variable.type), isArray && names.typing!.rank(value) === 0);
  };
  text('quantity', variable.quantity);
  text('unit', variable.unit);
  text('displayUnit', variable.displayUnit);
  expr('min', variable.min);
  expr('max', variable.max);
  // Without a start value, an enumeration begins with its first literal.
  if (variable.literals && !variable.start && !variable.binding) add('start', '1');
  else expr('start', variable.start);
  const { fixed } = variable;
  if (typeof fixed === 'boolean') add('fixed', String(fixed));
  else if (fixed) add('fixed', nested(fixed, variable.dims), false);
  expr('nominal', variable.nominal);
  if (variable.stateSelect !== 'default') add('stateSelect', `StateSelect.${variable.stateSelect}`);
  return result;
}

/** Row-major values as an array of the given sizes. */
function nested(values: readonly boolean[], dims: readonly number[]): string {
  const [first, ...rest] = dims;
  if (first === undefined) return String(values[0]);
  const size = values.length / first;
  const parts = Array.from({ length: first }, (_, k) => nested(values.slice(k * size, (k + 1) * size), rest));
  return `{${parts.join(', ')}}`;
}

export function experimentText(experiment: Experiment): string {
  const parts = Object.entries(experimentNames).flatMap(([name, key]) =>
    experiment[key] === undefined ? [] : [`${name} = ${experiment[key]}`],
  );
  return parts.length > 0 ? `experiment(${parts.join(', ')})` : '';
}
