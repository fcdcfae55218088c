/**
 * When a class or a component can stand where another one is expected (specification 3.6, chapter 6). Each relation gives what is in
 * its way, or `undefined` where it holds:
 *
 *   `classMisfit(a, b)`       `a` is a subtype of `b`: its interface has all that the interface of `b` has (section 6.4),
 *   `componentMisfit(a, b)`   the same of two components, with their prefixes and number of dimensions,
 *   `plugMisfit(a, b)`        besides, what `a` has and `b` has not needs no connection from outside (section 6.5),
 *   `functionMisfit(a, b)`    besides, calls of `b` are calls of `a` (section 6.6); `closureMisfit` says it of functions as arguments.
 *
 * `misfitText` says a misfit in words: "it has no element `x`", "its `p.v` is Integer, not Real".
 *
 * `b` is taken by its constraining interface: of what is replaceable in it, the constraining classes count. A class that inherits `b` has
 * all elements of `b`; replacements among these are checked where they are written.
 */
import { remember } from '../../collections/memo.ts';
import type * as ast from '../../syntax/ast.ts';
import { type ClassEntity, elementsOf, entityOf } from '../classes/class.ts';
import { findClass } from '../classes/lookup.ts';
import type { Modifier } from '../classes/modification.ts';
import { operatorRecordOf } from '../classes/overloads.ts';
import { classOfElement } from '../classes/replace.ts';
import {
  elementOf,
  keepingPrefixes,
  type Shape,
  type ShapeClass,
  type ShapeComponent,
  shapeOf,
} from '../classes/shape.ts';

/** What keeps one thing from standing for another: the names that lead to it from there, and what is wrong with it. */
export interface Misfit {
  readonly at: readonly string[];
  readonly what: string;
}

/** `missing` says it of an element, all others of the thing that has these names. */
const missing = 'is missing';

export function misfitText({ at, what }: Misfit): string {
  const name = `\`${at.join('.')}\``;
  if (at.length === 0) return `it ${what}`;
  return what === missing ? `it has no element ${name}` : `its ${name} ${what}`;
}

const misfit = (what: string): Misfit => ({ at: [], what });

const inside = (name: string, found: Misfit | undefined): Misfit | undefined =>
  found && { ...found, at: [name, ...found.at] };

// ---------------------------------------------------------------- subtypes

/** What keeps a class from being a subtype of another one. */
export function classMisfit(a: ClassEntity, b: ClassEntity): Misfit | undefined {
  if (a === b) return undefined;
  const [own, wanted] = [shapeOf(a), shapeOf(b)];
  return (
    typeMisfit(a, b) ??
    rankMisfit(own.subscripts.length, wanted.subscripts.length) ??
    causalityMisfit(own.causality, wanted.causality)
  );
}

/** What keeps a component from standing for another one. Prefixes and dimensions that their types have count as well. */
export function componentMisfit(a: ShapeComponent, b: ShapeComponent): Misfit | undefined {
  if (a === b) return undefined;
  const [own, wanted] = [inForce(a), constraining(b)];
  const [type, constraint] = [typeOf(own), typeOf(wanted)];
  if (!type || !constraint) return undefined;
  return typeMisfit(type, constraint) ?? declaredMisfit(own, shapeOf(type), wanted, shapeOf(constraint));
}

/** The same, but for what their classes have inside. */
export function prefixesMisfit(a: ShapeComponent, b: ShapeComponent): Misfit | undefined {
  const [own, wanted] = [inForce(a), inForce(b)];
  const [type, constraint] = [typeOf(own), typeOf(wanted)];
  if (!type || !constraint) return undefined;
  return declaredMisfit(own, shapeOf(type), wanted, shapeOf(constraint)) ?? sizesMisfit(a, b);
}

function declaredMisfit(own: Declared, type: Shape, wanted: Declared, constraint: Shape): Misfit | undefined {
  return (
    connectionMisfit(own.clause.connection, wanted.clause.connection) ??
    variabilityMisfit(own, type, wanted, constraint) ??
    causalityMisfit(
      own.clause.causality ?? type.causality,
      wanted.clause.causality ?? constraint.causality,
    ) ??
    surroundingMisfit(own.clause.prefixes, wanted.clause.prefixes) ??
    rankMisfit(sizesOf(own, type).length, sizesOf(wanted, constraint).length) ??
    conditionMisfit(own.declaration, wanted.declaration)
  );
}

/** A declaration as it stands in the text. */
export interface Declared {
  readonly clause: ast.ComponentClause;
  readonly declaration: ast.Declaration;
  readonly lexical: ClassEntity;
}

const typeOf = ({ lexical, clause }: Declared): ClassEntity | undefined => findClass(lexical, clause.type);

/** The declaration that holds for a component of a class: that of a redeclaration with what it keeps of the one that it replaces. */
export function inForce(component: ShapeComponent): Declared {
  const { clause, declaration, lexical, modifier, replaced } = component;
  const declared = { clause, declaration, lexical };
  const whole = replaced ? keeping(declared, inForce(replaced)) : declared;
  const redeclare = modifier?.redeclare;
  if (redeclare?.element.kind !== 'component') return whole;
  const { element, scope } = redeclare;
  const own = element.declarations[0] ?? declaration;
  return keeping({ clause: element, declaration: own, lexical: entityOf(scope.lexical) }, whole);
}

/** A redeclaration keeps the prefixes, the sizes and the condition that it does not write itself (section 7.3). */
function keeping({ clause, declaration, lexical }: Declared, before: Declared): Declared {
  const hasSizes = clause.subscripts.length + declaration.subscripts.length > 0;
  const { inner, outer } = before.clause.prefixes;
  return {
    clause: {
      ...keepingPrefixes(clause, before.clause),
      prefixes: { ...clause.prefixes, inner, outer },
      subscripts: hasSizes ? clause.subscripts : before.clause.subscripts,
      constrainedBy: clause.constrainedBy ?? before.clause.constrainedBy,
    },
    declaration: {
      ...declaration,
      subscripts: hasSizes ? declaration.subscripts : before.declaration.subscripts,
      condition: declaration.condition ?? before.declaration.condition,
    },
    lexical,
  };
}

/** The declaration with its constraining class in place of its class. */
function constraining(component: ShapeComponent): Declared {
  const declared = inForce(component);
  const { constrainedBy } = declared.clause;
  return constrainedBy ? { ...declared, clause: { ...declared.clause, type: constrainedBy.name } } : declared;
}

const sizesOf = ({ clause, declaration }: Declared, { subscripts }: Shape): ast.Subscript[] => [
  ...declaration.subscripts,
  ...clause.subscripts,
  ...subscripts.map(({ subscript }) => subscript),
];

/** Pairs that were compared, or are being compared: those are taken for compatible where they need each other. */
const compared = new WeakMap<ClassEntity, WeakMap<ClassEntity, { readonly misfit: Misfit | undefined }>>();

/** What keeps the values, or the elements, of a class from being those of another; prefixes and dimensions aside. */
function typeMisfit(a: ClassEntity, b: ClassEntity): Misfit | undefined {
  if (a === b) return undefined;
  const known = remember(
    compared,
    a,
    () => new WeakMap<ClassEntity, { readonly misfit: Misfit | undefined }>(),
  );
  const before = known.get(b);
  if (before) return before.misfit;
  const [own, wanted] = [shapeOf(a), shapeOf(b)];
  if (a.collecting || b.collecting) return undefined;
  known.set(b, { misfit: undefined });
  try {
    const found = kindMisfit(own, wanted) ?? namedTypeMisfit(a, b) ?? valueMisfit(own, wanted);
    const misfit = found ?? (wanted.predefined || inherits(a, b) ? undefined : elementsMisfit(a, b));
    known.set(b, { misfit });
    return misfit;
  } catch (stopped) {
    known.delete(b);
    throw stopped;
  }
}

/** Kinds of classes that can stand for each other; a `class` can stand for all. */
const groups: readonly RegExp[] = [
  /function$/,
  /^package$/,
  /connector$/,
  /^(model|block)$/,
  /^(type|record|operator record)$/,
  /^operator$/,
];

function kindMisfit({ restriction: own }: Shape, { restriction: wanted }: Shape): Misfit | undefined {
  if (own === 'class' || wanted === 'class') return undefined;
  const group = groups.find((one) => one.test(wanted));
  return group?.test(own) ? undefined : misfit(`is a ${own}, not a ${wanted}`);
}

/** Operator records and external objects are the same type where they have the same name (sections 6.3 and 14.2). */
function namedTypeMisfit(a: ClassEntity, b: ClassEntity): Misfit | undefined {
  const [own, wanted] = [operatorRecordOf(a), operatorRecordOf(b)];
  if (own?.definition !== wanted?.definition)
    return misfit(wanted ? `is not the operator record \`${wanted.path}\`` : 'is an operator record');
  const isObject = shapeOf(b).externalObject;
  if (shapeOf(a).externalObject !== isObject || (isObject && !inherits(a, b)))
    return misfit(isObject ? `is not the external object \`${b.path}\`` : 'is an external object');
  return undefined;
}

function valueMisfit(own: Shape, wanted: Shape): Misfit | undefined {
  if (own.predefined !== wanted.predefined)
    return misfit(wanted.predefined ? `is ${nameOf(own)}, not ${nameOf(wanted)}` : `is ${nameOf(own)}`);
  if (!own.enumeration || !wanted.enumeration) return undefined;
  const [given, literals] = [own.enumeration.literals, wanted.enumeration.literals];
  const isSame = literals.length === given.length && literals.every((literal, k) => literal === given[k]);
  // `enumeration(:)` has no literals: all enumerations are of this type.
  return isSame || literals.length === 0
    ? undefined
    : misfit(`is \`${own.enumeration.path}\`, not \`${wanted.enumeration.path}\``);
}

const nameOf = ({ predefined, enumeration, restriction }: Shape): string =>
  enumeration ? `\`${enumeration.path}\`` : (predefined ?? `a ${restriction}`);

/** Whether a class is another one, or inherits it whole. */
export function inherits(a: ClassEntity, b: ClassEntity, seen = new Set<ast.ClassDef>()): boolean {
  const { definition } = a;
  const { body: wanted } = b.definition;
  if (definition === b.definition) return true;
  // A short class without redeclarations has the elements of its base.
  if (wanted.kind === 'short' && !redeclares(wanted.modification)) {
    const base = findClass(b.parent ?? b, wanted.base);
    return base !== undefined && inherits(a, base, seen);
  }
  if (seen.has(definition)) return false;
  seen.add(definition);
  const { body } = definition;
  const through = (base: ClassEntity | undefined): boolean => base !== undefined && inherits(base, b, seen);
  if (body.kind === 'short') return through(findClass(a.parent ?? a, body.base));
  if (body.kind !== 'long') return false;
  return (
    through(a.refined) ||
    elementsOf(definition).extends.some(
      ({ clause }) => !leavesOut(clause.modification) && through(findClass(a, clause.base)),
    )
  );
}

const redeclares = (modification: ast.ClassModification | undefined): boolean =>
  modification?.arguments.some(
    (one) => one.kind === 'redeclare' || (one.kind === 'modify' && redeclares(one.modification?.arguments)),
  ) ?? false;

const leavesOut = (modification: ast.ClassModification | undefined): boolean =>
  modification?.arguments.some(({ kind }) => kind === 'break') ?? false;

function elementsMisfit(a: ClassEntity, b: ClassEntity): Misfit | undefined {
  const { components, classes } = shapeOf(b);
  for (const wanted of [...components.values(), ...classes.values()]) {
    if (wanted.protected) continue;
    const found = inside(wanted.name, elementMisfit(elementOf(a, wanted.name), wanted, a, b));
    if (found) return found;
  }
  return undefined;
}

function elementMisfit(
  own: ShapeComponent | ShapeClass | undefined,
  wanted: ShapeComponent | ShapeClass,
  a: ClassEntity,
  b: ClassEntity,
): Misfit | undefined {
  if (!own) return misfit(missing);
  if (own.protected) return misfit('is protected');
  if (own.kind === 'component')
    return wanted.kind === 'component'
      ? (componentMisfit(own, wanted) ?? sizesMisfit(own, wanted))
      : misfit('is a component, not a class');
  if (wanted.kind === 'component') return misfit('is a class, not a component');
  const constraint = constrainingClass(wanted, b);
  return constraint && replacementMisfit(classOfElement(own, a), constraint);
}

/** The class that limits what a local class can be replaced by: that of its constraining clause, or itself. */
export function constrainingClass(element: ShapeClass, owner: ClassEntity): ClassEntity | undefined {
  const { constrainedBy } = element.definition;
  return constrainedBy && !element.modifier?.redeclare
    ? findClass(element.lexical, constrainedBy.name)
    : classOfElement(element, owner);
}

// ---------------------------------------------------------------- prefixes

const connectionMisfit = (own: string | undefined, wanted: string | undefined): Misfit | undefined =>
  prefixMisfit(own, wanted, 'flow or stream');

const causalityMisfit = (own: string | undefined, wanted: string | undefined): Misfit | undefined =>
  prefixMisfit(own, wanted, 'input or output');

function prefixMisfit(own: string | undefined, wanted: string | undefined, kind: string): Misfit | undefined {
  if (own === wanted) return undefined;
  return misfit(
    own ? `is \`${own}\`, not ${wanted ? `\`${wanted}\`` : `without ${kind}`}` : `is not \`${wanted}\``,
  );
}

const variabilities = ['constant', 'parameter', 'discrete', 'continuous'] as const;

function variabilityMisfit(
  own: Declared,
  ownShape: Shape,
  wanted: Declared,
  wantedShape: Shape,
): Misfit | undefined {
  const [is, most] = [variabilityOf(own, ownShape), variabilityOf(wanted, wantedShape)];
  return variabilities.indexOf(is) > variabilities.indexOf(most)
    ? misfit(`is ${variabilityText[is]}, not ${variabilityText[most]}`)
    : undefined;
}

function variabilityOf({ clause }: Declared, { predefined }: Shape): (typeof variabilities)[number] {
  const isDiscrete = predefined !== undefined && predefined !== 'Real';
  return clause.variability ?? (isDiscrete ? 'discrete' : 'continuous');
}

const variabilityText = {
  constant: 'a constant',
  parameter: 'a parameter',
  discrete: 'discrete',
  continuous: 'continuous',
};

function surroundingMisfit(own: ast.ElementPrefixes, wanted: ast.ElementPrefixes): Misfit | undefined {
  for (const prefix of ['inner', 'outer'] as const)
    if (own[prefix] !== wanted[prefix]) return misfit(`is ${own[prefix] ? '' : 'not '}\`${prefix}\``);
  return undefined;
}

function rankMisfit(own: number, wanted: number): Misfit | undefined {
  const dimensions = (rank: number): string => `${rank} dimension${rank === 1 ? '' : 's'}`;
  return own === wanted ? undefined : misfit(`has ${dimensions(own)}, not ${wanted}`);
}

/** Sizes that are numbers must be the same; all others are known when there are instances. */
function sizesMisfit(a: ShapeComponent, b: ShapeComponent): Misfit | undefined {
  const [own, wanted] = [a, b].map((component) => {
    const declared = inForce(component);
    const type = typeOf(declared);
    return type ? sizesOf(declared, shapeOf(type)) : [];
  });
  for (const [d, size] of wanted!.entries()) {
    const is = own![d];
    if (size.kind === 'number' && is?.kind === 'number' && size.value !== is.value)
      return misfit(`has the size ${is.value}, not ${size.value}`);
  }
  return undefined;
}

function conditionMisfit(own: ast.Declaration, wanted: ast.Declaration): Misfit | undefined {
  if ((own.condition === undefined) === (wanted.condition === undefined)) return undefined;
  return misfit(own.condition ? 'is conditional' : 'is not conditional');
}

// ---------------------------------------------------------------- replacements

/** What keeps a class from being put in the place of another one, of whatever kind. */
export function replacementMisfit(
  a: ClassEntity,
  b: ClassEntity,
  given: Modifier | undefined = undefined,
): Misfit | undefined {
  if (a === b) return undefined;
  const isFunction = shapeOf(b).restriction.endsWith('function');
  return isFunction ? functionMisfit(a, b) : plugMisfit(a, b, given);
}

/** What keeps a class, with modifiers that are given where it is used, from being plug-compatible with another one. */
export function plugMisfit(
  a: ClassEntity,
  b: ClassEntity,
  given: Modifier | undefined = undefined,
): Misfit | undefined {
  const found = classMisfit(a, b);
  if (found || a === b) return found;
  const { components, restriction, predefined } = shapeOf(a);
  const wanted = shapeOf(b).components;
  if (predefined || restriction === 'package') return undefined;
  for (const component of components.values()) {
    if (component.protected || wanted.has(component.name)) continue;
    const problem = inside(component.name, unconnected(component, given?.children.get(component.name)));
    if (problem) return problem;
  }
  return undefined;
}

/** What must be connected or given from outside of a component. */
function unconnected(component: ShapeComponent, given: Modifier | undefined): Misfit | undefined {
  const declared = inForce(component);
  const type = typeOf(declared);
  if (!type || declared.declaration.condition || given?.value || hasValue(component)) return undefined;
  const { clause } = declared;
  const { restriction, predefined, causality, components } = shapeOf(type);
  const isConnector = restriction.endsWith('connector');
  const isInput = (clause.causality ?? causality) === 'input';
  if (restriction === 'expandable connector')
    return misfit('is an expandable connector, to which nothing outside can be connected');
  if (isInput && isConnector) return misfit('is an input, to which nothing outside can be connected');
  if (predefined) return isInput ? misfit('is an input without a value') : undefined;
  if (!isConnector && !restriction.endsWith('record')) return undefined;
  for (const part of components.values()) {
    const found = inside(part.name, unconnected(part, given?.children.get(part.name)));
    if (found) return found;
  }
  return undefined;
}

const hasValue = ({ modifier, declaration }: ShapeComponent): boolean =>
  (modifier?.value ?? declaration.modification?.value) !== undefined;

/** What keeps a function from being called wherever another one is. */
export function functionMisfit(a: ClassEntity, b: ClassEntity): Misfit | undefined {
  if (a === b) return undefined;
  const [own, wanted] = [shapeOf(a), shapeOf(b)];
  if (a.collecting || b.collecting) return undefined;
  return (
    kindMisfit(own, wanted) ??
    argumentsMisfit(argumentsOf(own, 'input'), argumentsOf(wanted, 'input'), 'input') ??
    argumentsMisfit(argumentsOf(own, 'output'), argumentsOf(wanted, 'output'), 'output') ??
    purityMisfit(a, b)
  );
}

/**
 * What keeps a function from being given for an argument of a function type (section 12.4.2): inputs in `bound` have their values already, and
 * outputs, which calls cannot name, may be called otherwise.
 */
export function closureMisfit(
  a: ClassEntity,
  b: ClassEntity,
  bound: ReadonlySet<string>,
): Misfit | undefined {
  const free = argumentsOf(shapeOf(a), 'input').filter(({ name }) => !bound.has(name));
  const outputs = argumentsOf(shapeOf(b), 'output');
  const own = argumentsOf(shapeOf(a), 'output').map((output, k) =>
    k < outputs.length ? { ...output, name: outputs[k]!.name } : output,
  );
  return (
    argumentsMisfit(free, argumentsOf(shapeOf(b), 'input'), 'input') ??
    argumentsMisfit(own, outputs, 'output') ??
    purityMisfit(a, b)
  );
}

const argumentsOf = ({ components }: Shape, causality: 'input' | 'output'): ShapeComponent[] =>
  [...components.values()].filter(
    ({ clause, protected: hidden }) => !hidden && clause.causality === causality,
  );

function argumentsMisfit(
  own: readonly ShapeComponent[],
  wanted: readonly ShapeComponent[],
  kind: 'input' | 'output',
): Misfit | undefined {
  for (const [k, argument] of wanted.entries()) {
    const { name } = argument;
    const at = own.findIndex((one) => one.name === name);
    const found = own[at];
    if (!found) return misfit(`has no ${kind} \`${name}\``);
    if (at !== k) return misfit(`has the ${kind} \`${name}\` in place ${at + 1}, not ${k + 1}`);
    // A default value that is missing shows where a call needs it: libraries redeclare functions without.
    const problem = inside(name, componentMisfit(found, argument));
    if (problem) return problem;
  }
  const more = kind === 'input' ? own.slice(wanted.length).find((one) => !hasValue(one)) : undefined;
  return more && misfit(`has a further input \`${more.name}\` without a default value`);
}

function purityMisfit(a: ClassEntity, b: ClassEntity): Misfit | undefined {
  const isImpure = ({ definition }: ClassEntity): boolean => definition.purity === 'impure';
  return isImpure(a) && !isImpure(b) ? misfit('is impure') : undefined;
}
