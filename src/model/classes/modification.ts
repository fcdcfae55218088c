/**
 * Modifications (specification 3.6, chapter 7). The nested arguments of the text become a tree of `Modifier`s, each value
 * paired with the scope of the place where it was written; trees of several layers (extends clauses, declarations,
 * enclosing components) are merged from outside inwards: the outer value wins, unless the inner one is final.
 *
 * A modifier that is written in a class holds for all instances of that class, so its scopes have no instance yet;
 * `bind` completes them for one instance.
 */
import { type Diagnostic, error, warning } from '../../diagnostic/diagnostic.ts';
import { type Fix, inserted } from '../../diagnostic/fix.ts';
import type { Span } from '../../diagnostic/source.ts';
import type * as ast from '../../syntax/ast.ts';
import type { Bound, ElementBound, ElementNumber, Instance, Scope } from '../instance.ts';
import { attributesOf } from '../predefined.ts';

export interface Modifier {
  /** Where it was written; of merged ones the outermost. */
  readonly span: Span;
  readonly each: boolean;
  readonly final: boolean;
  readonly value: Bound | undefined;
  /** Values of single elements, given from outside the text; of two for one element the later one counts. */
  readonly elements?: readonly ElementValue[];
  /** `= break`: the inner value is taken away. */
  readonly removed: boolean;
  readonly children: ReadonlyMap<string, Modifier>;
  readonly redeclare: Redeclare | undefined;
  /** True where no name occurs in any value, so that scopes do not matter. */
  readonly closed: boolean;
}

/** A value for one element of an array, or for something in one element of an array of components. */
export interface ElementValue {
  /**
   * Numbers of the element (from 1), a list for each name from the outermost array down to the value, empty where there are none and where
   * the modifier was distributed already.
   */
  readonly numbers: readonly (readonly number[])[];
  /** It holds where elements of uniform arrays have these numbers. */
  readonly where: ElementBound['where'];
  readonly value: Bound;
}

export interface Redeclare {
  readonly element: ast.ClassDef | ast.ComponentClause;
  readonly scope: Scope;
  readonly span: Span;
  /** Modifiers of what is replaced that hold for every replacement: those of the constraining clause, and those given to the element inside of this. */
  readonly under: Modifier | undefined;
  /** Modifiers that were given to the replaced element outside of this: they hold for the next replacement too. */
  readonly over: Modifier | undefined;
  /** The redeclaration that this one replaces. */
  readonly previous: Redeclare | undefined;
}

export type Report = (problem: Diagnostic) => void;

const noChildren: ReadonlyMap<string, Modifier> = new Map();

/** The modifier that a declaration's modification stands for; `undefined` where there is none. */
export function modifierOf(
  modification: ast.Modification | undefined,
  scope: Scope,
  report: Report,
): Modifier | undefined {
  if (!modification) return undefined;
  return build(modification, modification.arguments, scope, { each: false, final: false }, report);
}

/** The modifier of `extends A(…)` or `type B = A(…)`. */
export function classModifierOf(
  modification: ast.ClassModification | undefined,
  scope: Scope,
  report: Report,
): Modifier | undefined {
  if (!modification) return undefined;
  return build(undefined, modification, scope, { each: false, final: false }, report, modification);
}

interface Flags {
  readonly each: boolean;
  readonly final: boolean;
}

function build(
  modification: ast.Modification | undefined,
  nested: ast.ClassModification | undefined,
  scope: Scope,
  flags: Flags,
  report: Report,
  at: ast.Node = modification!,
): Modifier {
  const span = spanIn(scope, at);
  const written = modification?.value;
  const value: Bound | undefined =
    written && written !== 'break'
      ? { value: written, scope, span: spanIn(scope, written), subscripts: [], each: flags.each }
      : undefined;
  const children = nested ? buildChildren(nested.arguments, scope, report) : noChildren;
  let closed = !value || isClosed(value.value);
  for (const child of children.values()) closed &&= child.closed;
  return { span, ...flags, value, removed: written === 'break', children, redeclare: undefined, closed };
}

function buildChildren(
  args: readonly ast.Argument[],
  scope: Scope,
  report: Report,
): ReadonlyMap<string, Modifier> {
  const children = new Map<string, Modifier>();
  for (const argument of args) {
    switch (argument.kind) {
      case 'modify':
        addChild(children, argument.name.parts, 0, modifyArgument(argument, scope, report), report);
        break;
      case 'redeclare':
        addChild(children, [nameOf(argument.element)], 0, redeclareArgument(argument, scope, report), report);
        break;
      case 'break':
        // What is left out of an extended class is not there to be modified (`selection.ts`).
        break;
      default:
        argument satisfies never;
    }
  }
  return children;
}

function modifyArgument(argument: ast.ElementModification, scope: Scope, report: Report): Modifier {
  const { each, final, modification } = argument;
  return {
    ...build(modification, modification?.arguments, scope, { each, final }, report, argument),
    span: spanIn(scope, argument),
  };
}

function redeclareArgument(argument: ast.Redeclaration, scope: Scope, report: Report): Modifier {
  const { element } = argument;
  const { each, final } = element.prefixes;
  const span = spanIn(scope, argument);
  const under = classModifierOf(element.constrainedBy?.modification, scope, report);
  const redeclare: Redeclare = { element, scope, span, under, over: undefined, previous: undefined };
  const declared = element.kind === 'component' ? element.declarations[0]?.modification : undefined;
  const own = build(declared, declared?.arguments, scope, { each, final }, report, argument);
  return { ...own, span, redeclare, closed: false };
}

function nameOf(element: ast.ClassDef | ast.ComponentClause): ast.Ident {
  if (element.kind === 'class') return element.name;
  return element.declarations[0]?.name ?? { start: element.start, end: element.end, text: '' };
}

/** Puts a modifier at the place of a dotted name; two values for the same thing in one modification are an error. */
function addChild(
  children: Map<string, Modifier>,
  parts: readonly ast.Ident[],
  index: number,
  leaf: Modifier,
  report: Report,
): void {
  const name = parts[index]?.text ?? '';
  const present = children.get(name);
  if (index < parts.length - 1) {
    const nested = new Map(present?.children);
    addChild(nested, parts, index + 1, leaf, report);
    const holder = present ?? { ...leaf, value: undefined, removed: false, redeclare: undefined };
    // `each` and `final` of `each a.b = 1` belong to the leaf.
    const flags = present ? {} : { each: false, final: false };
    children.set(name, { ...holder, ...flags, children: nested, closed: holder.closed && leaf.closed });
    return;
  }
  if (!present) {
    children.set(name, leaf);
    return;
  }
  if (present.redeclare || leaf.redeclare || (given(present) && given(leaf))) {
    report(
      error('duplicate-name', `\`${parts.map((part) => part.text).join('.')}\` is modified twice.`, {
        span: leaf.span,
        hint: 'Remove one of the two modifiers.',
        notes: [{ message: 'The other modifier is here.', span: present.span }],
      }),
    );
    return;
  }
  const merged = new Map(present.children);
  for (const [key, child] of leaf.children) {
    addChild(merged, [{ start: child.span.start, end: child.span.end, text: key }], 0, child, report);
  }
  children.set(name, {
    ...(given(leaf) ? leaf : present),
    each: present.each || leaf.each,
    final: present.final || leaf.final,
    children: merged,
    closed: present.closed && leaf.closed,
  });
}

const given = (modifier: Modifier): boolean => modifier.value !== undefined || modifier.removed;

/**
 * `outer` on top of `inner`. Changing what the inner one declares `final` is an error and has no effect. A value
 * for the whole overrides the values that the inner layer gives to parts, but not their attributes.
 */
export function merge(
  outer: Modifier | undefined,
  inner: Modifier | undefined,
  report: Report,
  name?: string,
): Modifier | undefined {
  if (!outer) return inner;
  if (!inner) return outer;
  if (inner.final && (given(outer) || outer.elements || outer.redeclare || outer.children.size > 0)) {
    report(finalError(outer, inner, name));
    return inner;
  }
  if (outer.redeclare) return redeclaring(outer, outer.redeclare, inner, report);
  const children = mergeChildren(outer, inner, report);
  const source = given(outer) ? outer : inner;
  const elements = given(outer) ? outer.elements : joined(inner.elements, outer.elements);
  return {
    span: outer.span,
    each: source.each,
    final: outer.final || inner.final,
    value: given(outer) && inner.value && !inner.value.outside ? replacing(outer.value) : source.value,
    ...(elements && { elements }),
    removed: source.removed,
    children,
    redeclare: inner.redeclare && {
      ...inner.redeclare,
      over: merge(outer, inner.redeclare.over, report),
    },
    closed: outer.closed && inner.closed,
  };
}

/** A redeclaration on top of other modifiers. Its own modifiers go before those of what it replaces, which wait in `under`. */
const redeclaring = (outer: Modifier, redeclare: Redeclare, inner: Modifier, report: Report): Modifier => ({
  ...outer,
  redeclare: {
    ...redeclare,
    under: merge(redeclare.under, lasting(inner, report), report),
    previous: following(redeclare.previous, inner.redeclare),
  },
});

/** Redeclarations, and then those that they replace. */
const following = (later: Redeclare | undefined, earlier: Redeclare | undefined): Redeclare | undefined =>
  later ? { ...later, previous: following(later.previous, earlier) } : earlier;

/** What a modifier says of every class that is put in the place of the element (section 7.3.2). */
export const lasting = (modifier: Modifier, report: Report): Modifier | undefined =>
  modifier.redeclare ? merge(modifier.redeclare.over, modifier.redeclare.under, report) : modifier;

const joined = <T>(a: readonly T[] | undefined, b: readonly T[] | undefined): readonly T[] | undefined =>
  a && b ? [...a, ...b] : (a ?? b);

/** A value from outside that takes the place of one of the text. */
export const replacing = (value: Bound | undefined): Bound | undefined =>
  value?.outside ? { ...value, outside: { ...value.outside, replaces: true } } : value;

function mergeChildren(outer: Modifier, inner: Modifier, report: Report): ReadonlyMap<string, Modifier> {
  const kept = given(outer) ? withoutValues(inner) : inner.children;
  if (outer.children.size === 0) return kept;
  if (kept.size === 0) return outer.children;
  const children = new Map(kept);
  for (const [name, child] of outer.children) {
    children.set(name, merge(child, kept.get(name), report, name)!);
  }
  return children;
}

/** What a class says about a part of a record whose value is given as a whole: attributes, but no values that are not final. */
export function withoutValue(modifier: Modifier | undefined): Modifier | undefined {
  if (!modifier || modifier.final) return modifier;
  return { ...modifier, value: undefined, children: withoutValues(modifier) };
}

/**
 * Values of parts that a value of the whole replaces; modifiers of attributes of parts stay. An attribute (`start = 1`) has no children of
 * its own and stays as it is: it is told apart by its name.
 */
const withoutValues = (modifier: Modifier): Modifier['children'] =>
  mapChildren(modifier, (child, name) =>
    child.final || attributesOf.Real.has(name) ? child : { ...child, value: undefined },
  );

function mapChildren(
  { children }: Modifier,
  map: (child: Modifier, name: string) => Modifier,
): Modifier['children'] {
  if (children.size === 0) return children;
  const mapped = new Map<string, Modifier>();
  for (const [name, child] of children) mapped.set(name, map(child, name));
  return mapped;
}

export function finalError(
  outer: { readonly span: Span } | Modifier,
  inner: { readonly span: Span } | Modifier,
  element?: string,
): Diagnostic {
  const name = 'children' in outer ? outsideName(outer) : undefined;
  const [message, hint] =
    name === undefined
      ? [
          'This modifies an element that is declared final.',
          element === 'unit' && 'value' in inner
            ? unitHint(inner.value)
            : 'Remove the modifier, or the prefix `final` of the declaration.',
        ]
      : [`\`${name}\` is final.`, 'Remove the prefix `final` to give it other values.'];
  const notes = [{ message: 'It is final here.', span: inner.span }];
  return error('bad-binding', message, { span: outer.span, hint, notes });
}

function unitHint(unit: Bound | undefined): string {
  const { value } = unit ?? {};
  const isAngle = value?.kind === 'string' && value.value === 'rad';
  const degrees = isAngle ? ': multiply degrees by `Mutabor.Constants.pi/180`' : '';
  return `Give values in the unit of the type${degrees}. \`displayUnit\` is the unit in which results are shown.`;
}

/** The name by which a modifier, or one inside it, was given from outside the text. */
export function outsideName({ value, elements, children }: Modifier): string | undefined {
  const given = value?.outside ?? elements?.at(-1)?.value.outside;
  if (given) return given.name;
  for (const child of children.values()) {
    const name = outsideName(child);
    if (name !== undefined) return name;
  }
  return undefined;
}

/** The modifier for one instance: scopes without an instance get the one that `instanceOf` finds. */
export function bind(
  modifier: Modifier | undefined,
  instanceOf: (scope: Scope) => Instance | undefined,
): Modifier | undefined {
  if (!modifier || modifier.closed) return modifier;
  const complete = (scope: Scope): Scope => {
    if (scope.instance) return scope;
    const instance = instanceOf(scope);
    return instance ? { instance, lexical: scope.lexical } : scope;
  };
  return bindScopes(modifier, complete);
}

function bindScopes(modifier: Modifier, complete: (scope: Scope) => Scope): Modifier {
  if (modifier.closed) return modifier;
  const { value, redeclare } = modifier;
  return {
    ...modifier,
    value: value && { ...value, scope: complete(value.scope) },
    children: mapChildren(modifier, (child) => bindScopes(child, complete)),
    redeclare: redeclare && {
      ...redeclare,
      scope: complete(redeclare.scope),
      under: redeclare.under && bindScopes(redeclare.under, complete),
      over: redeclare.over && bindScopes(redeclare.over, complete),
    },
  };
}

/** The part of a modifier of an array of components that holds for the element with these subscripts (from 1). */
export function distribute(
  modifier: Modifier | undefined,
  index: readonly (number | ElementNumber)[],
): Modifier | undefined {
  // `each` before the array itself is about arrays around it.
  return modifier && { ...distributed({ ...modifier, each: false }, index, false, 0), each: modifier.each };
}

function distributed(
  modifier: Modifier,
  index: readonly (number | ElementNumber)[],
  outerEach: boolean,
  depth: number,
): Modifier {
  const each = outerEach || modifier.each;
  if (each && !hasElements(modifier)) return modifier;
  const { value, elements } = modifier;
  return {
    ...modifier,
    value: value && !each ? subscripted(value, index) : value,
    ...(elements && { elements: elements.flatMap((element) => elementIn(element, index, depth)) }),
    children: mapChildren(modifier, (child) => distributed(child, index, each, depth + 1)),
  };
}

/** A value of a single element in the element with these subscripts; none where it is that of another one. */
function elementIn(
  element: ElementValue,
  index: readonly (number | ElementNumber)[],
  depth: number,
): ElementValue[] {
  const level = element.numbers.length - 1 - depth;
  const own = element.numbers[level] ?? [];
  if (own.length === 0) return [element];
  const where = [...element.where];
  for (const [d, is] of own.entries()) {
    const at = index[d];
    if (typeof at === 'object') where.push({ at, is });
    else if (at !== is) return [];
  }
  return [{ ...element, where, numbers: element.numbers.with(level, []) }];
}

/** Whether a modifier says something of single elements. */
export function hasElements(modifier: Modifier): boolean {
  if (modifier.elements) return true;
  for (const child of modifier.children.values()) if (hasElements(child)) return true;
  return false;
}

/** The element of a value: picked from the text where that is an array of expressions, otherwise noted. */
export function subscripted(bound: Bound, index: readonly (number | ElementNumber)[]): Bound {
  let value = bound.value;
  let used = 0;
  if (bound.subscripts.length === 0) {
    for (let at = index[0]; typeof at === 'number' && value.kind === 'array'; at = index[used]) {
      const element: ast.Expression | undefined = value.elements[at - 1];
      if (!element) break;
      value = element;
      used++;
    }
  }
  // A literal holds for all elements: it was reported where the array was created.
  if (isScalarLiteral(value)) return { ...bound, value };
  return { ...bound, value, subscripts: [...bound.subscripts, ...index.slice(used)] };
}

/** Where `each` is missing (section 7.2.5); what is meant is clear without it. */
export const scalarGiven = (what: string, why: string): string =>
  `A scalar is given for ${what}, which ${why}.`;
export const eachHint = 'Write `each` before the modifier.';

/** `each` before the modifier that a span is, or is the value of. */
export function eachFix({ source, start }: Span): Fix | undefined {
  const [written] = /[A-Za-z_][\w.]*\s*=\s*$/.exec(source.text.slice(Math.max(0, start - 200), start)) ?? [];
  const at = start - (written?.length ?? 0);
  return /^[A-Za-z_]/.test(source.text.slice(at, at + 1)) ? inserted(source, at, 'each ') : undefined;
}

/** A modifier of a class as one of each element of an array: `type T = Real(min = 0); type V = T[3]`. */
export function ofEachElement(modifier: Modifier): Modifier {
  const children = new Map<string, Modifier>();
  for (const [name, child] of modifier.children) {
    const inner = ofEachElement(child);
    const value = child.value && { ...child.value, each: true };
    children.set(name, value ? { ...inner, each: true, value } : inner);
  }
  return { ...modifier, children };
}

/** A literal scalar given to an array holds for all its elements. */
export const forArray = (bound: Bound, dims: readonly number[]): Bound =>
  dims.length > 0 && !bound.each && isScalarLiteral(bound.value) ? { ...bound, each: true } : bound;

/** A literal for an array of components needs `each`, and an array literal must have the array's size. */
export function checkDistribution(
  modifier: Modifier | undefined,
  dims: readonly number[],
  path: string,
  report: Report,
): void {
  if (!modifier) return;
  const { value } = modifier;
  if (value && value.subscripts.length === 0 && !value.each) {
    if (isScalarLiteral(value.value)) {
      report(
        warning('dimension-mismatch', `A scalar modifies each element of the array \`${path}\`.`, {
          span: modifier.span,
          hint: eachHint,
          fix: eachFix(modifier.span),
        }),
      );
    } else if (value.value.kind === 'array' && value.value.elements.length !== dims[0]) {
      const given = value.value.elements.length;
      report(
        error('dimension-mismatch', `\`${path}\` has ${dims[0]} elements, but ${given} values are given.`, {
          span: value.span,
        }),
      );
    }
  }
  for (const child of modifier.children.values())
    if (!child.each) checkDistribution(child, dims, path, report);
}

export const isScalarLiteral = (value: ast.Expression): boolean =>
  value.kind === 'number' ||
  value.kind === 'string' ||
  value.kind === 'boolean' ||
  (value.kind === 'unary' && isScalarLiteral(value.operand));

function isClosed(value: ast.Expression): boolean {
  return value.kind === 'array' ? value.elements.every(isClosed) : isScalarLiteral(value);
}

const spanIn = (scope: Scope, node: ast.Node): Span => ({
  source: scope.lexical.definition.source,
  start: node.start,
  end: node.end,
});
