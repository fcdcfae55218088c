/**
 * Built-in components of a model: instances of classes with `annotation(__Mutabor(builtIn = "name"))`, joined with the code of that name.
 * The class declares what the model sees (variables, connectors, equations around them); the code says which of these variables it
 * reads and which it determines. An annotation is inherited.
 */
import type { BuiltIn } from '../../builtin/component.ts';
import type { HiddenStart } from '../../builtin/starts.ts';
import { type BuiltInPart, isPart } from '../../builtin/whole.ts';
import { type Diagnostic, type DiagnosticOptions, error, warning } from '../../diagnostic/diagnostic.ts';
import { nearest } from '../../diagnostic/nearest.ts';
import { Source } from '../../diagnostic/source.ts';
import { entityOf } from '../../model/classes/class.ts';
import { resolve } from '../../model/classes/lookup.ts';
import { builtInName, type Setting } from '../../model/classes/settings.ts';
import type { Bound, ObjectInstance, VariableInstance } from '../../model/instance.ts';
import { ObjectNode } from '../../model/instances/node.ts';
import { hiddenStarts } from '../../model/instances/outside.ts';
import { elementsOf, isNumber } from '../../model/value.ts';
import { evaluateBound } from '../../model/values/evaluate.ts';
import type * as ast from '../../syntax/ast.ts';
import { parse } from '../../syntax/parser.ts';
import { contextOf, type FlatBuilder } from '../core/context.ts';
import { atMost, count } from '../core/values.ts';
import type { FlatComponent, FlatEquation, FlatModel, FlatPort } from '../flat.ts';
import { equationsIn, guarded, objectsOf } from './equations.ts';
import { type FoundPart, joinParts } from './wholes.ts';

/** Built-in components, and equations that they bring along. */
export interface FoundComponents {
  readonly components: readonly FlatComponent[];
  readonly equations: readonly FlatEquation[];
}

/** The built-in components below a model, itself included. What is wrong is reported to the builder. */
export function findComponents(builder: FlatBuilder, root: ObjectInstance): FoundComponents {
  const known = new Map<string, BuiltIn | BuiltInPart>();
  for (const builtIn of builder.builtIns) {
    if ((known.get(builtIn.name) ?? builtIn) !== builtIn) builder.diagnostics.push(sameName(builtIn.name));
    known.set(builtIn.name, builtIn);
  }
  const looked = new Set<BuiltIn>();
  const marks = new Map<ast.ClassDef, Setting<string> | undefined>();
  const components: FlatComponent[] = [];
  const parts: FoundPart[] = [];
  for (const object of objectsOf(root)) {
    const entity = entityOf(object.class);
    if (!marks.has(entity.definition)) marks.set(entity.definition, builtInName(entity));
    const mark = marks.get(entity.definition);
    if (!mark) continue;
    const code = known.get(mark.value);
    if (!code) builder.diagnostics.push(unknownName(mark, object, known));
    else if (isPart(code)) parts.push(...new Joining(builder, object, mark, code).part(code));
    else {
      if (!looked.has(code)) builder.diagnostics.push(...misspelt(looked, code, mark));
      components.push(...new Joining(builder, object, mark, code).component(code));
    }
  }
  const joined = joinParts(builder, parts);
  return { components: [...components, ...joined.components], equations: joined.equations };
}

/** All that a built-in component may have. */
const memberNames: { readonly [Name in keyof Required<BuiltIn>]: true } = {
  name: true,
  inputs: true,
  outputs: true,
  coordinates: true,
  storesStates: true,
  stepped: true,
  absorbs: true,
  equations: true,
  instead: true,
  allocate: true,
  begin: true,
  stateOutputs: true,
  directOutput: true,
  derivatives: true,
  variables: true,
  indicators: true,
  sides: true,
  lookAhead: true,
  follow: true,
  event: true,
  pattern: true,
  arrays: true,
  save: true,
  load: true,
  end: true,
  picture: true,
  explain: true,
};

/** Members that are none, but nearly called like one that is missing. Code may have others of its own. */
function misspelt(looked: Set<BuiltIn>, builtIn: BuiltIn, { span }: Setting<string>): Diagnostic[] {
  looked.add(builtIn);
  const missing = Object.keys(memberNames).filter((name) => !(name in builtIn));
  const own = new Set<string>();
  for (let at: object = builtIn; at && at !== Object.prototype; at = Object.getPrototypeOf(at))
    for (const name of Object.getOwnPropertyNames(at)) if (!Object.hasOwn(memberNames, name)) own.add(name);
  return [...own].flatMap((name) => {
    const meant = nearest(name, missing);
    if (meant === undefined) return [];
    const message = `The built-in component "${builtIn.name}" has a member \`${name}\`, which nothing calls.`;
    return [warning('component', message, { span, hint: `Did you mean \`${meant}\`?` })];
  });
}

const sameName = (name: string) =>
  error('duplicate-name', `Two different built-in components are named "${name}".`, {
    hint: 'Rename one of them.',
  });

/** The model with the equations of these components, by their paths, in the place of their code. */
export function withEquations(flat: FlatModel, paths: ReadonlySet<string>): FlatModel {
  const [written, components] = [new Set<FlatComponent>(), [] as FlatComponent[]];
  for (const component of flat.components) {
    if (component.equations && paths.has(component.path)) written.add(component);
    else components.push(component);
  }
  if (written.size === 0) return flat;
  const own = (part: 'always' | 'initial') =>
    [...written].flatMap(({ guard, equations }) => guarded(guard, equations![part]));
  return {
    ...flat,
    components,
    equations: [...flat.equations, ...own('always')],
    initialEquations: [...flat.initialEquations, ...own('initial')],
  };
}

/** Scalar equations that components stand for. */
export function determinedScalars(components: readonly FlatComponent[]): number {
  let sum = 0;
  for (const { outputs } of components) for (const { dims } of outputs) sum += count(dims);
  return sum;
}

function unknownName(
  mark: Setting<string>,
  object: ObjectInstance,
  known: ReadonlyMap<string, BuiltIn | BuiltInPart>,
): Diagnostic {
  const near = nearest(mark.value, known.keys());
  const given = [...known].flatMap(([name, code]) => (isPart(code) ? [] : [`"${name}"`])).join(', ');
  return error('unknown-name', `There is no built-in component "${mark.value}".`, {
    span: mark.span,
    hint:
      near !== undefined
        ? `Did you mean "${near}"?`
        : given === ''
          ? 'None was given: hand the objects over where the model is loaded, as { builtIns: [ … ] }.'
          : `Those that were given are ${given}.`,
    notes: object.path === '' ? [] : [{ message: `needed for ${object.path}`, span: object.span }],
  });
}

/** Values are handed on by so many parameters at most; rings are told elsewhere. */
const mostHands = 100;

/** Joins one instance with its code. */
class Joining {
  private readonly members = new Map<string, VariableInstance>();
  private wrong = false;

  constructor(
    private readonly builder: FlatBuilder,
    private readonly object: ObjectInstance,
    private readonly mark: Setting<string>,
    private readonly code: { readonly name: string; readonly inputs?: readonly string[] },
  ) {
    this.collect(object, '');
  }

  component(builtIn: BuiltIn): FlatComponent[] {
    const outputs = builtIn.outputs ?? {};
    const joined = this.joined(Object.keys(outputs), builtIn.stepped);
    for (const [name, direct] of Object.entries(outputs)) this.checkDirect(name, direct);
    const equations = this.equations(builtIn);
    return this.wrong ? [] : [{ ...joined, builtIn, equations }];
  }

  part(kind: BuiltInPart): FoundPart[] {
    const joined = this.joined(kind.outputs ?? []);
    if (this.wrong) return [];
    const known = (name: string) => this.knownValue(name);
    return [{ ...joined, kind, known, handedFrom: (name) => this.handedFrom(name) }];
  }

  private knownValue(name: string): string | boolean | undefined {
    const bound = this.members.get(name)?.binding;
    const value = bound && evaluateBound(bound).value;
    return value?.kind === 'string' || value?.kind === 'boolean' ? value.value : undefined;
  }

  private handedFrom(name: string): string | undefined {
    let bound = this.members.get(name)?.binding;
    for (let hands = 0; bound?.value.kind === 'ref' && hands < mostHands; hands++) {
      const found = resolve(bound.scope, bound.value);
      const last = found.kind === 'component' ? found.parts.at(-1)!.instance : undefined;
      bound = last?.kind === 'variable' ? last.binding : undefined;
    }
    const path = bound?.scope.instance?.path;
    return path === (this.object.parent?.path ?? '') ? undefined : path;
  }

  /** What any instance has that is code. */
  private joined(
    outputs: readonly string[],
    stepped: readonly string[] = [],
  ): Omit<FlatComponent, 'builtIn' | 'equations'> {
    const { builder, object } = this;
    const parameters = new Map<string, number>();
    for (const [name, variable] of this.members)
      if (atMost(variable.variability, 'parameter')) parameters.set(name, builder.symbols.get(variable)!);
    return {
      path: object.path,
      starts: this.starts(),
      inputs: (this.code.inputs ?? []).flatMap((name) => this.port(name, 'reads')),
      outputs: outputs.flatMap((name) => this.output(name, stepped.includes(name))),
      parameters,
      guard: builder.guardOf(object),
      origin: { span: object.path === '' ? this.mark.span : object.span, component: object.path },
    };
  }

  /** Initial values of hidden states that are given from outside; they must be known before the run. */
  private starts(): ReadonlyMap<string, HiddenStart> {
    const starts = new Map<string, HiddenStart>();
    if (!(this.object instanceof ObjectNode)) return starts;
    for (const [name, { value, elements = [], span }] of hiddenStarts(this.object)) {
      const single = elements.map(({ numbers, value: own }) => ({
        index: numbers.at(-2)!,
        value: this.known(own)?.[0] ?? 0,
      }));
      // A value that was given to one element of an array of components is that of the whole state in it.
      const own = single.findLast(({ index }) => index.length === 0)?.value;
      const all = value && this.known(value);
      const whole = own ?? (value?.value.kind === 'array' ? all : all?.[0]);
      starts.set(name, { whole, elements: single.filter(({ index }) => index.length > 0), span });
    }
    return starts;
  }

  private known(bound: Bound): readonly number[] | undefined {
    const { value, diagnostics } = evaluateBound(bound);
    const numbers = value && elementsOf(value);
    if (numbers?.every(isNumber)) return numbers.map((one) => one.value);
    const name = bound.outside!.name;
    const message = `\`${name}\` must be a number, or a list of numbers, that is known before the run.`;
    this.builder.diagnostics.push(...diagnostics, error('type-mismatch', message, { span: bound.span }));
    return undefined;
  }

  /** Variables by their names relative to the instance; what lies in components of its own belongs to these. */
  private collect(object: ObjectInstance, prefix: string): void {
    for (const [name, member] of object.members) {
      if (member.kind === 'variable') this.members.set(prefix + name, member);
      else if (member.dims.length === 0) this.collect(member, `${prefix}${name}.`);
      else if (this.builder.families.of(member)) this.builder.families.various.add(member);
      else for (const element of member.elements) this.collect(element, `${prefix}${element.name}.`);
    }
  }

  private port(name: string, does: string): FlatPort[] {
    const { builder, code } = this;
    const variable = this.members.get(name);
    if (!variable) {
      const near = nearest(name, this.members.keys());
      const message = `The built-in component "${code.name}" ${does} ${name}, which its class does not have.`;
      this.report('unknown-name', message, {
        hint: near === undefined ? `Declare ${name} in the class.` : `The class has ${near}.`,
      });
      return [];
    }
    if (variable.type === 'String' || variable.type === 'Clock') {
      const message = `The built-in component "${code.name}" ${does} ${name}, which is a ${variable.type}.`;
      this.report('type-mismatch', message);
      return [];
    }
    return [{ name, value: builder.pool.ref(builder.symbols.get(variable)!), dims: variable.dims }];
  }

  /** What is stepped may be declared as discrete. */
  private output(name: string, isStepped = false): FlatPort[] {
    const ports = this.port(name, 'determines');
    const variable = this.members.get(name);
    if (ports.length === 0 || !variable) return [];
    const isFit = variable.variability === 'continuous' || (variable.variability === 'discrete' && isStepped);
    if (variable.type !== 'Real' || !isFit) {
      const kind = variable.type === 'Real' ? `a ${variable.variability}` : `of type ${variable.type}`;
      const message = `The built-in component "${this.code.name}" determines ${name}, which is ${kind}: it must be a continuous Real.`;
      this.report('type-mismatch', message);
    }
    return ports;
  }

  private checkDirect(name: string, direct: readonly string[]): void {
    const inputs = this.code.inputs ?? [];
    for (const input of direct) {
      if (inputs.includes(input)) continue;
      const near = nearest(input, inputs);
      const message = `The built-in component "${this.code.name}" says that ${input} acts on ${name}, but ${input} is none of its inputs.`;
      this.report('unknown-name', message, near === undefined ? {} : { hint: `Did you mean ${near}?` });
    }
  }

  /** The equations that the code says it can be replaced by. */
  private equations(builtIn: BuiltIn): FlatComponent['equations'] {
    const { object, builder } = this;
    if (builtIn.equations === undefined) return undefined;
    const text = `model Equations equation\n${builtIn.equations}\nend Equations;`;
    const source = new Source(`built-in ${builtIn.name}`, text);
    const { definition, diagnostics } = parse(source);
    builder.diagnostics.push(...diagnostics);
    const body = definition.classes[0]?.body;
    if (diagnostics.length > 0 || body?.kind !== 'long') return undefined;
    const scope = { instance: object, lexical: object.class, source };
    const translated = (initial: boolean): FlatEquation[] => {
      const context = contextOf(builder, scope, object.path, initial ? 'initial' : 'equation');
      return body.sections.flatMap((section) =>
        section.kind === 'equations' && section.initial === initial
          ? equationsIn(section.equations, context)
          : [],
      );
    };
    return { always: translated(false), initial: translated(true) };
  }

  private report(
    code: 'unknown-name' | 'type-mismatch',
    message: string,
    options: DiagnosticOptions = {},
  ): void {
    this.wrong = true;
    this.builder.reportAt(code, message, { span: this.mark.span, ...options });
  }
}
