/**
 * Modifications (specification 3.6, chapter 7). The nested arguments of the text become a tree of `Modifier`s, each value
 * paired with the scope of the place where it was written; trees of several layers (extends clauses, declarations,
 * enclosing components) are merged from outside inwards: the outer value wins, unless the inner one is final.
 *
 * A modifier that is written in a class holds for all instances of that class, so its scopes have no instance yet;
 * `bind` completes them for one instance.
 */
import { type Diagnostic, error, warning } from '../diagnostic/diagnostic.ts';
import type { Span } from '../diagnostic/source.ts';
import type * as ast from '../syntax/ast.ts';
import type { ClassEntity } from './class.ts';
import type { Bound, ElementNumber, Instance, Scope } from './instance.ts';
import type { Override } from './instantiate.ts';

export interface Modifier {
  /** Where it was written; of merged ones the outermost. */
  readonly span: Span;
  readonly each: boolean;
  readonly final: boolean;
  readonly value: Bound | undefined;
  /** `= break`: the inner value is taken away. */
  readonly removed: boolean;
  readonly children: ReadonlyMap<string, Modifier>;
  readonly redeclare: Redeclare | undefined;
  /** True where no name occurs in any value, so that scopes do not matter. */
  readonly closed: boolean;
}

export interface Redeclare {
  readonly element: ast.ClassDef | ast.ComponentClause;
  readonly scope: Scope;
  readonly span: Span;
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
        report(
          error('unsupported', 'Selective model extension (`break` in a modification) is not supported.', {
            span: spanIn(scope, argument),
          }),
        );
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
  const redeclare: Redeclare = { element, scope, span };
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
): Modifier | undefined {
  if (!outer) return inner;
  if (!inner) return outer;
  if (inner.final && (given(outer) || outer.redeclare || outer.children.size > 0)) {
    report(finalError(outer, inner));
    return inner;
  }
  const children = mergeChildren(outer, inner, report);
  const source = given(outer) ? outer : inner;
  return {
    span: outer.span,
    each: source.each,
    final: outer.final || inner.final,
    value: source.value,
    removed: source.removed,
    children,
    redeclare: outer.redeclare ?? inner.redeclare,
    closed: outer.closed && inner.closed,
  };
}

function mergeChildren(outer: Modifier, inner: Modifier, report: Report): ReadonlyMap<string, Modifier> {
  const kept = given(outer) ? withoutValues(inner.children) : inner.children;
  if (outer.children.size === 0) return kept;
  if (kept.size === 0) return outer.children;
  const children = new Map(kept);
  for (const [name, child] of outer.children) {
    children.set(name, merge(child, kept.get(name), report)!);
  }
  return children;
}

/** What a class says about a part of a record whose value is given as a whole: attributes, but no values. */
export function withoutValue(modifier: Modifier | undefined): Modifier | undefined {
  return modifier && { ...modifier, value: undefined, children: withoutValues(modifier.children) };
}

/** Values of parts that a value of the whole replaces; modifiers of attributes of parts stay. */
function withoutValues(children: ReadonlyMap<string, Modifier>): ReadonlyMap<string, Modifier> {
  if (children.size === 0) return children;
  const kept = new Map<string, Modifier>();
  for (const [name, child] of children) {
    // An attribute (`start = 1`) has no children of its own and stays as it is: it is told apart by its name.
    kept.set(name, attributeNames.has(name) ? child : { ...child, value: undefined });
  }
  return kept;
}

const attributeNames: ReadonlySet<string> = new Set(
  'quantity unit displayUnit min max start fixed nominal unbounded stateSelect'.split(' '),
);

export function finalError(outer: { readonly span: Span }, inner: { readonly span: Span }): Diagnostic {
  return error('bad-binding', 'This modifies an element that is declared final.', {
    span: outer.span,
    hint: 'Remove the modifier, or the prefix `final` of the declaration.',
    notes: [{ message: 'It is final here.', span: inner.span }],
  });
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
  let children = modifier.children;
  if (children.size > 0) {
    const bound = new Map<string, Modifier>();
    for (const [name, child] of children) bound.set(name, bindScopes(child, complete));
    children = bound;
  }
  return {
    ...modifier,
    value: value && { ...value, scope: complete(value.scope) },
    children,
    redeclare: redeclare && { ...redeclare, scope: complete(redeclare.scope) },
  };
}

/** The part of a modifier of an array of components that holds for the element with these subscripts (from 1). */
export function distribute(
  modifier: Modifier | undefined,
  index: readonly (number | ElementNumber)[],
): Modifier | undefined {
  if (!modifier || modifier.each) return modifier;
  const { value } = modifier;
  let children = modifier.children;
  if (children.size > 0) {
    const distributed = new Map<string, Modifier>();
    for (const [name, child] of children) distributed.set(name, distribute(child, index)!);
    children = distributed;
  }
  return { ...modifier, value: value && subscripted(value, index), children };
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
  if (!modifier || modifier.each) return;
  const { value } = modifier;
  if (value && value.subscripts.length === 0 && !value.each) {
    if (isScalarLiteral(value.value)) {
      report(
        warning('dimension-mismatch', `A scalar modifies each element of the array \`${path}\`.`, {
          span: modifier.span,
          hint: 'Write `each` before the modifier.',
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
  for (const child of modifier.children.values()) checkDistribution(child, dims, path, report);
}

const isScalarLiteral = (value: ast.Expression): boolean =>
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

/**
 * The outermost modifier: values that are given from outside the text, as if written in the model, whose class is `lexical` and which `root`
 * gives when it is made.
 */
export function overriding(
  overrides: readonly Override[],
  lexical: ClassEntity,
  root: () => Instance | undefined,
  report: Report,
): Modifier | undefined {
  let result: Modifier | undefined;
  for (const { name, value, span } of overrides) {
    const scope: Scope = {
      get instance() {
        return root();
      },
      lexical,
      source: span.source,
    };
    const flags = { span, each: false, final: false, removed: false, redeclare: undefined, closed: false };
    // Who gives a number to an array of components from outside means each of them, and has no place to write so.
    const each = isScalarLiteral(value);
    const bound: Bound = { value, scope, span, subscripts: [], each: false };
    let modifier: Modifier = { ...flags, each, value: bound, children: new Map() };
    for (const part of name.split('.').reverse()) {
      modifier = { ...flags, value: undefined, children: new Map([[part, modifier]]) };
    }
    result = merge(modifier, result, report);
  }
  return result;
}
