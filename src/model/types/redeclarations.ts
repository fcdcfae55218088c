/**
 * Which redeclarations the language allows (specification 3.6, sections 7.3.2 and 7.3.3). What stands in the place of an element is a row of
 * declarations: the first one, those that `redeclare` in a class puts in its place, and those of modifiers from inside outwards. Each must be
 * allowed by the one that it replaces, and be a subtype of the constraining class, which a declaration may narrow for all that follow.
 */
import { remember } from '../../collections/memo.ts';
import { type Diagnostic, error } from '../../diagnostic/diagnostic.ts';
import type { Span } from '../../diagnostic/source.ts';
import type * as ast from '../../syntax/ast.ts';
import { replaceableIn } from '../classes/bases.ts';
import { ClassEntity, entityOf } from '../classes/class.ts';
import { findClass, unknownClass } from '../classes/lookup.ts';
import {
  classModifierOf,
  finalError,
  type Modifier,
  modifierOf,
  type Redeclare,
} from '../classes/modification.ts';
import { classOfElement, refines } from '../classes/replace.ts';
import {
  elementOf,
  type ShapeClass,
  type ShapeComponent,
  shapeOf,
  unknownModifier,
} from '../classes/shape.ts';
import type { ClassStore } from '../classes/store.ts';
import { placeOf } from '../classes/twice.ts';
import { classMisfit, type Misfit, misfitText, prefixesMisfit, replacementMisfit } from './subtype.ts';

/** One of the declarations in the place of an element. */
interface Layer {
  readonly element: ast.ClassDef | ast.ComponentClause;
  /** Where it is written. */
  readonly span: Span;
  /** Where the names in it are looked up. */
  readonly lexical: ClassEntity;
  /** The class itself, or that of the component; of `type T = R[3]` it is `R`. */
  readonly class: ClassEntity | undefined;
  /** Undefined for those of modifiers, which have the visibility of what they replace. */
  readonly protected: boolean | undefined;
  /** The component that it makes, and what it was before. */
  readonly component?: ShapeComponent;
  readonly before?: ShapeComponent | undefined;
  /** What the modifiers of the component give values to. */
  readonly given?: Modifier | undefined;
  /** Whether nothing can be connected to what it has more than the one before (section 6.5). */
  readonly plugged: boolean;
}

/** What is wrong with redeclarations in a class: of elements that it inherits, and of its own by modifiers. */
export function* redeclarationProblems(entity: ClassEntity): Iterable<Diagnostic> {
  const { classes, components } = shapeOf(entity);
  for (const element of classes.values()) {
    const { name, definition, inherited, modifier } = element;
    const problems = (): Diagnostic[] => [...problemsOf(name, classLayers(element, entity))];
    if (modifier?.redeclare) yield* problems();
    else if (inherited || isRestricted(definition))
      yield* remember(knownIn(element.lexical.library), definition, problems);
  }
  for (const component of components.values()) {
    const { name, clause, declaration, replaced, modifier } = component;
    const problems = (): Diagnostic[] => [...problemsOf(name, componentLayers(component, modifier))];
    if (modifier?.redeclare) yield* problems();
    else if (replaced || isRestricted(clause))
      yield* remember(knownIn(component.lexical.library), declaration, problems);
  }
}

/** Problems of declarations that no modifier replaces: they are the same in all classes of a library that inherit them. */
const known = new WeakMap<ClassStore, WeakMap<ast.ClassDef | ast.Declaration, readonly Diagnostic[]>>();

const knownIn = (library: ClassStore) =>
  remember(known, library, () => new WeakMap<ast.ClassDef | ast.Declaration, readonly Diagnostic[]>());

/** Whether a declaration by itself may break a rule. */
const isRestricted = (element: ast.ClassDef | ast.ComponentClause): boolean =>
  element.constrainedBy !== undefined ||
  replacesInherited(element) ||
  (element.kind === 'component' && element.prefixes.replaceable);

const replacesInherited = (element: ast.ClassDef | ast.ComponentClause): boolean =>
  element.prefixes.redeclare || (element.kind === 'class' && refines(element));

/** What is wrong with the redeclarations of a component by modifiers of the object in which it is. */
export const componentRedeclarationProblems = (
  component: ShapeComponent,
  modifier: Modifier,
): Iterable<Diagnostic> => problemsOf(component.name, componentLayers(component, modifier));

// ---------------------------------------------------------------- rows of declarations

function classLayers(element: ShapeClass, owner: ClassEntity): Layer[] {
  const declared: ShapeClass[] = [];
  for (let at: ShapeClass | undefined = element; at; at = at.inherited) declared.unshift(at);
  return [
    ...declared.map((one): Layer => {
      const { definition, lexical } = one;
      const isLast = one === element && !one.modifier?.redeclare;
      const own = isLast ? classOfElement(one, owner) : unmodified(definition, lexical, one.name, owner);
      return {
        element: definition,
        span: placeOf(one),
        lexical,
        class: typePart(own, lexical),
        protected: one.protected,
        plugged: true,
      };
    }),
    ...redeclarations(element.modifier).map((redeclare): Layer => {
      const { element: replacement, span, scope } = redeclare;
      const lexical = entityOf(scope.lexical);
      const own =
        redeclare === element.modifier?.redeclare
          ? classOfElement(element, owner)
          : replacement.kind === 'class'
            ? unmodified(replacement, lexical, element.name, owner)
            : undefined;
      const type = own && typePart(own, lexical);
      return { element: replacement, span, lexical, class: type, protected: undefined, plugged: true };
    }),
  ];
}

const unmodified = (
  definition: ast.ClassDef,
  lexical: ClassEntity,
  name: string,
  { library, path }: ClassEntity,
): ClassEntity => new ClassEntity(library, definition, lexical, `${path}.${name}`);

/**
 * What counts in comparisons: of a short class that modifies nothing its base, which is known already. The dimensions that a short class
 * adds do not count (section 7.3.2).
 */
function typePart(entity: ClassEntity, lexical: ClassEntity): ClassEntity | undefined {
  const { body } = entity.definition;
  if (body.kind !== 'short' || body.basePrefix) return entity;
  return body.subscripts.length > 0 || !body.modification ? findClass(lexical, body.base) : entity;
}

function componentLayers(component: ShapeComponent, modifier: Modifier | undefined): Layer[] {
  const declared: ShapeComponent[] = [];
  for (let at: ShapeComponent | undefined = component; at; at = at.replaced) declared.unshift(at);
  const replacements = redeclarations(modifier);
  // Modifiers of an extends clause are about components of the class itself, which can be connected there.
  const inClass = redeclarations(component.modifier).length;
  return [
    ...declared.map((one): Layer => {
      const { clause, declaration, lexical, protected: hidden } = one;
      const type = findClass(lexical, clause.type);
      const span = lexical.span(declaration.name);
      return {
        ...{ element: clause, span, lexical, class: type, protected: hidden, plugged: false },
        ...{ component: { ...one, modifier: undefined }, before: one.replaced },
      };
    }),
    ...replacements.map((redeclare, k): Layer => {
      const { element, span, scope } = redeclare;
      const lexical = entityOf(scope.lexical);
      if (element.kind === 'class')
        return { element, span, lexical, class: undefined, protected: undefined, plugged: false };
      const isLast = k === replacements.length - 1;
      return {
        element,
        span,
        lexical,
        class: findClass(lexical, element.type),
        protected: undefined,
        component: { ...component, modifier: { ...modifier!, redeclare } },
        before: { ...component, modifier: undefined },
        given: isLast ? modifier : modifierOf(element.declarations[0]?.modification, scope, () => {}),
        plugged: k >= inClass,
      };
    }),
  ];
}

/** Redeclarations from the innermost to the one in force. */
function redeclarations(modifier: Modifier | undefined): Redeclare[] {
  const found: Redeclare[] = [];
  for (let at = modifier?.redeclare; at; at = at.previous) found.unshift(at);
  return found;
}

// ---------------------------------------------------------------- rules

/** What limits replacements, and where it is written. */
interface Constraint {
  readonly class: ClassEntity;
  /** As the text names it. */
  readonly name: string;
  readonly span: Span;
}

function* problemsOf(name: string, layers: readonly Layer[]): Iterable<Diagnostic> {
  const first = layers[0]!;
  let constraint = firstConstraint(first);
  if (replacesInherited(first.element))
    yield error('unknown-name', `There is no inherited \`${name}\` that could be redeclared.`, {
      span: first.span,
      hint: 'Extend the class that has it, or remove `redeclare`.',
    });
  for (const layer of layers) yield* constraintProblems(layer);
  if (layers.length === 1) yield* defaultProblems(name, first);
  for (const [k, later] of layers.entries()) {
    const earlier = layers[k - 1];
    if (!earlier) continue;
    if (earlier.element.kind !== later.element.kind) return;
    const refused = notReplaceable(name, later, earlier);
    if (refused) {
      yield refused;
      return;
    }
    yield* changedVisibility(name, later, earlier);
    if (!constraint) return;
    yield* narrowed(name, later, constraint);
    const own = ownConstraint(later);
    if (own) {
      const found = classMisfit(own.class, constraint.class);
      const message = `\`${own.name}\` cannot constrain \`${name}\` in place of \`${constraint.name}\``;
      if (found) yield mismatch(message, found, own.span, constraint);
      constraint = own;
    }
  }
}

/** The constraining class exists, has what its modifiers name, and cannot be replaced itself (section 7.1.4). */
function* constraintProblems({ element, lexical }: Layer): Iterable<Diagnostic> {
  const { constrainedBy } = element;
  const isOpen = element.kind === 'component' && element.prefixes.replaceable;
  const name = constrainedBy?.name ?? (isOpen ? element.type : undefined);
  const changing = name && replaceableIn(lexical, name);
  if (changing) {
    const message = `\`${changing.path}\` is replaceable: it cannot constrain what else can be replaced.`;
    const hint = 'Name a class that is not replaceable: `… constrainedby A`.';
    yield error('not-allowed', message, { span: lexical.span(name), hint });
  }
  if (!constrainedBy) return;
  const type = findClass(lexical, constrainedBy.name);
  if (!type) yield unknownClass(lexical, constrainedBy.name);
  if (!type || shapeOf(type).predefined) return;
  const modifier = classModifierOf(constrainedBy.modification, { instance: undefined, lexical }, () => {});
  for (const [name, child] of modifier?.children ?? [])
    if (!elementOf(type, name)) yield unknownModifier(name, child, type);
}

function firstConstraint(layer: Layer): Constraint | undefined {
  const { element, class: type, lexical } = layer;
  const own = ownConstraint(layer);
  if (own || !type) return own;
  const at =
    element.kind === 'component'
      ? element.type
      : element.body.kind === 'short'
        ? element.body.base
        : element.name;
  return { class: type, name: classText(layer), span: lexical.span(at) };
}

function ownConstraint({ element, lexical }: Layer): Constraint | undefined {
  const { constrainedBy } = element;
  const type = constrainedBy && findClass(lexical, constrainedBy.name);
  return type && { class: type, name: type.path, span: lexical.span(constrainedBy.name) };
}

const mismatch = (message: string, found: Misfit, span: Span, { span: at }: Constraint): Diagnostic =>
  error('type-mismatch', `${message}: ${misfitText(found)}.`, {
    span,
    notes: [{ message: 'The constraining class is given here.', span: at }],
  });

/** What is declared first is a subtype of what constrains it, too. */
function* defaultProblems(name: string, layer: Layer): Iterable<Diagnostic> {
  const own = ownConstraint(layer);
  const found = own && layer.class && classMisfit(layer.class, own.class);
  if (!found) return;
  const message = `\`${classText(layer)}\` cannot be the default of \`${name}\`, which \`${own.name}\` constrains`;
  yield mismatch(message, found, layer.span, own);
}

/** A class as the text names it. */
function classText({ element, class: type, lexical }: Layer): string {
  const isShort = element.kind === 'class' && element.body.kind === 'short';
  const base = isShort ? findClass(lexical, (element.body as ast.ShortBody).base) : type;
  return base?.path ?? type?.path ?? '';
}

/** Only what is replaceable, not final and no constant can be replaced; a component also by one of the same class. */
function notReplaceable(name: string, later: Layer, earlier: Layer): Diagnostic | undefined {
  const { element } = earlier;
  const { span } = later;
  const what = element.kind === 'class' ? `The class \`${name}\`` : `\`${name}\``;
  const notes = [{ message: 'It is declared here.', span: earlier.span }];
  if (element.prefixes.final) return finalError({ span }, { span: earlier.span });
  if (earlier.component?.clause.variability === 'constant')
    return error('not-allowed', `${what} is a constant, which cannot be redeclared.`, {
      span,
      hint: 'Give it another value instead.',
      notes,
    });
  const isSame = element.kind === 'component' && later.class?.definition === earlier.class?.definition;
  if (element.prefixes.replaceable || isSame) return undefined;
  const isModifier = earlier.protected === undefined;
  const hint = isModifier
    ? 'Write `redeclare replaceable` there to allow further redeclarations.'
    : 'Declare it `replaceable` to allow this redeclaration.';
  return error('bad-binding', `${what} is redeclared but not replaceable.`, { span, hint, notes });
}

function* changedVisibility(name: string, later: Layer, earlier: Layer): Iterable<Diagnostic> {
  if (later.protected === undefined || later.protected === earlier.protected) return;
  const [own, other] = later.protected ? ['protected', 'public'] : ['public', 'protected'];
  yield error('not-allowed', `\`${name}\` is ${other}, and redeclared as ${own}.`, {
    span: later.span,
    hint: `Redeclare it in a \`${other}\` section.`,
    notes: [{ message: `It is ${other} here.`, span: earlier.span }],
  });
}

/** A replacement is a subtype of the constraining class. A class that is refined has all that it had. */
function* narrowed(name: string, later: Layer, constraint: Constraint): Iterable<Diagnostic> {
  const { element, class: type, component, before, given, plugged, span } = later;
  if (!type || (element.kind === 'class' && refines(element))) return;
  const found = plugged
    ? replacementMisfit(type, constraint.class, given)
    : classMisfit(type, constraint.class);
  const prefixes = component && before && prefixesMisfit(component, before);
  if (found)
    yield mismatch(`\`${classText(later)}\` cannot replace \`${constraint.name}\``, found, span, constraint);
  else if (prefixes)
    yield error('type-mismatch', `\`${name}\` cannot be redeclared so: ${misfitText(prefixes)}.`, {
      span,
      notes: [{ message: 'It is declared here.', span: before.lexical.span(before.declaration.name) }],
    });
}
