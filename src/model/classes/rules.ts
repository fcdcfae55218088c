/**
 * What each kind of class may contain, and what a declaration may be called (specification 3.6, sections 4.6 to 4.9 and 12.2). Each rule
 * looks at the elements of a class, inherited ones included, and gives what breaks it; `functions.ts` says what functions may do.
 */
import { type Diagnostic, error } from '../../diagnostic/diagnostic.ts';
import type { Span } from '../../diagnostic/source.ts';
import type * as ast from '../../syntax/ast.ts';
import { everyNode } from '../../syntax/walk.ts';
import { attributesOf, builtinNames, predefinedClasses, predefinedType } from '../predefined.ts';
import { inheritedBases } from './bases.ts';
import type { ClassEntity } from './class.ts';
import { eachInDeclarations } from './each.ts';
import type { Shape, ShapeComponent } from './shape.ts';

export function classProblems(entity: ClassEntity, shape: Shape): Diagnostic[] {
  return rules.flatMap((rule) => [...rule(entity, shape)]);
}

type Rule = (entity: ClassEntity, shape: Shape) => Iterable<Diagnostic>;

const rules: readonly Rule[] = [
  reservedNames,
  literals,
  onlyDeclarations,
  onlyPublic,
  prefixes,
  noTime,
  onlyConstants,
  onlyFunctions,
  outerClasses,
  encapsulatedNames,
  functionParts,
  objectParts,
  functionParameters,
  inheritedBases,
  eachInDeclarations,
];

const notAllowed = (message: string, span: Span, hint: string): Diagnostic =>
  error('not-allowed', message, { span, hint });

/** The place of a component's name. */
const placeOf = ({ lexical, declaration }: ShapeComponent): Span => lexical.span(declaration.name);

/** `A record`, `An operator record`. */
export const aKind = (kind: ast.Restriction): string => `${/^[aeio]/.test(kind) ? 'An' : 'A'} ${kind}`;

const isRecord = (kind: ast.Restriction): boolean => kind.endsWith('record');
const isConnector = (kind: ast.Restriction): boolean => kind.endsWith('connector');
const isFunction = (kind: ast.Restriction): boolean => kind.endsWith('function');
/** Classes that hold data and have no behaviour. */
const isData = (kind: ast.Restriction): boolean => isRecord(kind) || isConnector(kind);

// ---------------------------------------------------------------- names

/** The names of the predefined types mean these everywhere (section 4.9). */
const reserved: ReadonlySet<string> = new Set(['Real', 'Integer', 'Boolean', 'String']);

function* reservedNames(entity: ClassEntity, { components }: Shape): Iterable<Diagnostic> {
  const problem = (name: string, span: Span): Diagnostic =>
    notAllowed(`\`${name}\` is a predefined type: nothing else can have its name.`, span, 'Rename it.');
  const { definition } = entity;
  if (reserved.has(definition.name.text) && !predefinedType(definition))
    yield problem(definition.name.text, entity.span(definition.name));
  for (const component of components.values())
    if (reserved.has(component.name)) yield problem(component.name, placeOf(component));
}

/** Literals of an enumeration differ, and are not called like its attributes (section 4.9.5.1). */
function* literals(entity: ClassEntity): Iterable<Diagnostic> {
  const { body } = entity.definition;
  if (body.kind !== 'enumeration') return;
  const known = new Set<string>();
  for (const { name } of body.literals ?? []) {
    const { text } = name;
    if (known.has(text))
      yield error('duplicate-name', `\`${entity.path}\` has the literal \`${text}\` twice.`, {
        span: entity.span(name),
        hint: 'Rename or remove one of the two.',
      });
    if (attributesOf.enumeration.has(text)) {
      const message = `A literal cannot be called \`${text}\`: this is an attribute of every enumeration.`;
      yield notAllowed(message, entity.span(name), 'Rename the literal.');
    }
    known.add(text);
  }
}

// ---------------------------------------------------------------- sections

/** Records, connectors, packages and operators have no behaviour (section 4.6). */
function* onlyDeclarations(_: ClassEntity, { restriction: kind, sections }: Shape): Iterable<Diagnostic> {
  if (!isData(kind) && kind !== 'package' && kind !== 'operator') return;
  for (const { section, lexical } of sections) {
    const message = `${aKind(kind)} cannot have ${sectionName(section)}.`;
    yield notAllowed(message, lexical.span(firstOf(section)), 'Move it to the model that uses it.');
  }
}

const sectionName = ({ kind, initial }: ast.EquationSection | ast.AlgorithmSection): string =>
  `${initial ? 'initial ' : kind === 'algorithm' ? 'an ' : ''}${kind === 'algorithm' ? 'algorithm' : 'equations'}`;

const firstOf = (section: ast.EquationSection | ast.AlgorithmSection): ast.Node =>
  (section.kind === 'algorithm' ? section.statements[0] : section.equations[0]) ?? section;

/** Records and connectors show all that they have. */
function* onlyPublic(
  _: ClassEntity,
  { restriction: kind, components, classes }: Shape,
): Iterable<Diagnostic> {
  if (!isData(kind)) return;
  const problem = (name: string, span: Span): Diagnostic =>
    notAllowed(`${aKind(kind)} cannot have protected elements: \`${name}\`.`, span, 'Make it public.');
  for (const component of components.values())
    if (component.protected) yield problem(component.name, placeOf(component));
  for (const { name, definition, lexical, protected: hidden } of classes.values())
    if (hidden) yield problem(name, lexical.span(definition.name));
}

// ---------------------------------------------------------------- components

/** Data and functions take nothing from around them; records say nothing of how they are connected. */
function* prefixes(_: ClassEntity, { restriction: kind, components }: Shape): Iterable<Diagnostic> {
  if (!isData(kind) && !isFunction(kind)) return;
  for (const component of components.values()) {
    const { clause } = component;
    const { inner, outer } = clause.prefixes;
    const causality = isRecord(kind) ? clause.causality : undefined;
    const connection = isConnector(kind) ? undefined : clause.connection;
    const prefix = inner ? 'inner' : outer ? 'outer' : (causality ?? connection);
    if (!prefix) continue;
    const message = `${aKind(kind)} cannot have elements that are \`${prefix}\`: \`${component.name}\`.`;
    const hint =
      inner || outer
        ? 'Declare it in a model instead.'
        : isRecord(kind)
          ? `Write \`${prefix}\` before a component of the record, not in it.`
          : `Only variables of connectors are \`${prefix}\`.`;
    yield notAllowed(message, placeOf(component), hint);
  }
}

/** `time` is known in models and blocks (section 3.6.7). */
function* noTime(_: ClassEntity, { restriction: kind, components }: Shape): Iterable<Diagnostic> {
  if (!isData(kind) || components.has('time')) return;
  for (const { declaration, lexical } of components.values())
    for (const node of everyNode(declaration.modification))
      if (node.kind === 'ref' && !node.global && node.parts.length === 1 && node.parts[0]!.name === 'time') {
        const hint = 'Give the value where the component is declared, in a model.';
        yield notAllowed(`${aKind(kind)} cannot use \`time\`.`, lexical.span(node), hint);
      }
}

function* onlyConstants(_: ClassEntity, { restriction: kind, components }: Shape): Iterable<Diagnostic> {
  if (kind !== 'package') return;
  for (const component of components.values())
    if (component.clause.variability !== 'constant') {
      const message = `\`${component.name}\` is no constant: a package can have no other variables.`;
      yield notAllowed(message, placeOf(component), 'Declare it `constant`, or in a model.');
    }
}

function* onlyFunctions(
  _: ClassEntity,
  { restriction: kind, components, classes }: Shape,
): Iterable<Diagnostic> {
  if (kind !== 'operator') return;
  const problem = (name: string, span: Span): Diagnostic =>
    notAllowed(
      `\`${name}\` is no function: an operator can have nothing else.`,
      span,
      'Declare it elsewhere.',
    );
  for (const component of components.values()) yield problem(component.name, placeOf(component));
  for (const { name, definition, lexical } of classes.values())
    if (!isFunction(definition.restriction)) yield problem(name, lexical.span(definition.name));
}

/** A class that is declared `outer` names the type that its inner one has, and no more (section 5.4). */
function* outerClasses(_: ClassEntity, { classes }: Shape): Iterable<Diagnostic> {
  for (const { name, definition, lexical } of classes.values()) {
    // Bodies are read when they are asked for.
    if (!definition.prefixes.outer || definition.prefixes.inner) continue;
    const { body } = definition;
    if (body.kind !== 'short' || !body.modification) continue;
    const message = `The outer class \`${name}\` is modified, but all that it has comes from its inner class.`;
    yield notAllowed(message, lexical.span(body.modification), 'Modify the inner class.');
  }
}

/** A short class that is encapsulated sees nothing around it, neither for its base nor for what modifies that (section 4.5.1). */
function* encapsulatedNames({ definition, path }: ClassEntity): Iterable<Diagnostic> {
  if (!definition.encapsulated) return;
  const { body } = definition;
  if (body.kind !== 'short' && body.kind !== 'der') return;
  const written = body.kind === 'short' ? [body.subscripts, body.modification] : [];
  for (const { global, first, node } of [nameOf(body.base), ...namesIn(written)]) {
    if (global || predefinedClasses.has(first) || builtinNames.has(first)) continue;
    const message = `\`${path}\` is encapsulated: \`${first}\` around it cannot be found from it.`;
    const { source } = definition;
    const hint = `Leave \`encapsulated\` out, or write the whole name with a dot before it, \`.A.B\`.`;
    yield notAllowed(message, { source, start: node.start, end: node.end }, hint);
  }
}

interface WrittenName {
  readonly global: boolean;
  readonly first: string;
  readonly node: ast.Node;
}

const nameOf = (node: ast.Name): WrittenName => ({
  global: node.global,
  first: node.parts[0]?.text ?? '',
  node,
});

/** Names of values, functions and classes in modifiers and sizes. */
function* namesIn(part: unknown): Iterable<WrittenName> {
  for (const node of everyNode(part) as Iterable<ast.ComponentRef | ast.ComponentClause | ast.ShortBody>) {
    if (node.kind === 'ref') yield { global: node.global, first: node.parts[0]?.name ?? '', node };
    else if (node.kind === 'component') yield nameOf(node.type);
    else if (node.kind === 'short') yield nameOf(node.base);
  }
}

// ---------------------------------------------------------------- functions

/** An external object has a constructor and a destructor, and nothing else (section 12.9.7). */
function* objectParts(
  entity: ClassEntity,
  { externalObject, components, classes }: Shape,
): Iterable<Diagnostic> {
  const { definition, path } = entity;
  if (!externalObject || definition.partial || definition.name.text === 'ExternalObject') return;
  for (const component of components.values())
    yield notAllowed(
      `The external object \`${path}\` cannot have the variable \`${component.name}\`.`,
      placeOf(component),
      'It has the functions `constructor` and `destructor` only.',
    );
  for (const name of ['constructor', 'destructor'])
    if (classes.get(name)?.definition.restriction !== 'function')
      yield notAllowed(
        `The external object \`${path}\` has no function \`${name}\`.`,
        entity.span(definition.name),
        'It needs the functions `constructor` and `destructor`.',
      );
}

/** The body of a function is one algorithm, or an external function (section 12.2). */
function* functionParts(
  _: ClassEntity,
  { restriction: kind, sections, external }: Shape,
): Iterable<Diagnostic> {
  if (!isFunction(kind)) return;
  let bodies = external ? 1 : 0;
  for (const { section, lexical } of sections) {
    const span = lexical.span(firstOf(section));
    if (section.kind === 'equations' || section.initial)
      yield notAllowed(`A function cannot have ${sectionName(section)}.`, span, 'Write `algorithm` instead.');
    else if (bodies++ > 0) {
      const hint = external ? 'Remove the algorithm, or `external`.' : 'Join the two algorithms.';
      const before = external ? 'an external function' : 'an algorithm';
      yield notAllowed(`A function cannot have a second body: it has ${before} already.`, span, hint);
    }
  }
}

function* functionParameters(_: ClassEntity, { restriction: kind, components }: Shape): Iterable<Diagnostic> {
  if (!isFunction(kind)) return;
  for (const component of components.values()) {
    const { clause, name } = component;
    if (component.protected || clause.causality || clause.variability) continue;
    const message = `\`${name}\` is neither an input nor an output, and public in a function.`;
    yield notAllowed(message, placeOf(component), 'Declare it in a `protected` section.');
  }
}
