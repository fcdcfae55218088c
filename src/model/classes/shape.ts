/**
 * The shape of a class: all its elements after inheritance (specification 3.6, sections 5.6 and 7.1), with the modifiers of
 * extends clauses and short class definitions attached to the elements they concern. A shape is computed once a class
 * entity and shared by all its instances.
 */
import { type Diagnostic, error, type Note, warning } from '../../diagnostic/diagnostic.ts';
import { respelt } from '../../diagnostic/fix.ts';
import { didYouMean, nearest } from '../../diagnostic/nearest.ts';
import type * as ast from '../../syntax/ast.ts';
import type { Enumeration } from '../instance.ts';
import { type PredefinedType, predefinedClasses, predefinedType } from '../predefined.ts';
import { classNameProblem } from './access.ts';
import { baseProblems, combinedProblem, kindProblem, wholeness } from './bases.ts';
import {
  type ClassEntity,
  elementsOf,
  entityOf,
  type OwnClass,
  type OwnComponent,
  type OwnExtends,
} from './class.ts';
import { eachProblems } from './each.ts';
import { type Filed, filedClass, filedTwice } from './filed.ts';
import { functionProblems, takeCausality } from './functions.ts';
import { importProblems } from './imports.ts';
import { isOuter } from './inner.ts';
import { findClass, nestedClass, unknownClass } from './lookup.ts';
import {
  classModifierOf,
  type Modifier,
  merge,
  ofEachElement,
  outsideName,
  type Redeclare,
  type Report,
} from './modification.ts';
import { operatorProblems } from './operators.ts';
import { refines } from './replace.ts';
import { classProblems } from './rules.ts';
import { LeftOut } from './selection.ts';
import { DeclarationOrder, isByPosition } from './sequence.ts';
import { absoluteValue, annotationOf, builtInName, insteadOf, settingProblems } from './settings.ts';
import {
  classDifference,
  contradiction,
  difference,
  doubledProblems,
  sameModifiers,
  sameType,
  withoutRepeated,
  withoutSame,
} from './twice.ts';

/** A declared component with what extends clauses say about it. */
export interface ShapeComponent {
  readonly kind: 'component';
  readonly name: string;
  readonly clause: ast.ComponentClause;
  readonly declaration: ast.Declaration;
  /** The class that declares it, as seen by the class whose shape this is. */
  readonly lexical: ClassEntity;
  readonly protected: boolean;
  /** From extends clauses, merged; the declaration's own modification is not part of it. */
  readonly modifier: Modifier | undefined;
  /** The inherited component that this one, declared with `redeclare`, replaces. */
  readonly replaced?: ShapeComponent;
}

export interface ShapeClass {
  readonly kind: 'class';
  readonly name: string;
  readonly definition: ast.ClassDef;
  readonly lexical: ClassEntity;
  readonly protected: boolean;
  readonly modifier: Modifier | undefined;
  /** What `class extends` refines or `redeclare` replaces. */
  inherited: ShapeClass | undefined;
  /** The class itself, found when it is first asked for. */
  entity: ClassEntity | undefined;
  /** The class as its own file declares it, where it has one. */
  readonly stored?: ClassEntity | undefined;
}

export interface ShapeSection {
  readonly section: ast.EquationSection | ast.AlgorithmSection;
  readonly lexical: ClassEntity;
}

export interface Shape {
  /** Its number in the order in which shapes were completed. */
  order: number;
  readonly components: Map<string, ShapeComponent>;
  readonly classes: Map<string, ShapeClass>;
  /** Packages whose folders hold further classes: itself, and inherited ones. */
  readonly filed: Filed[];
  readonly sections: ShapeSection[];
  /** The predefined type that the class specialises, and its attributes. */
  predefined: PredefinedType | undefined;
  enumeration: Enumeration | undefined;
  modifier: Modifier | undefined;
  /** Array sizes of `type V = Real[3]`, outermost first. */
  readonly subscripts: { readonly subscript: ast.Subscript; readonly lexical: ClassEntity }[];
  /** `connector RealInput = input Real`. */
  causality: 'input' | 'output' | undefined;
  /** False for types of differences, as the annotation `absoluteValue` says (section 18.6). */
  absolute: boolean | undefined;
  restriction: ast.Restriction;
  /** Declared so, or a short class of one that is (section 4.5.1). */
  partial: boolean;
  external: { readonly external: ast.External; readonly lexical: ClassEntity } | undefined;
  /** `function f = der(g, x)`: what is differentiated, and by which of its inputs. */
  derived: { readonly base: ClassEntity; readonly by: readonly ast.Ident[] } | undefined;
  /** True for classes that extend `ExternalObject`. */
  externalObject: boolean;
  /** Outer classes that it extends, for which no inner ones are known. */
  readonly outerBases: ClassEntity[];
  readonly problems: Diagnostic[];
}

/** The shape of a class; while it is being computed, what is known of it so far. */
export function shapeOf(entity: ClassEntity): Shape {
  entity.library.consult(entity);
  if (entity.shape) return entity.shape;
  const shape: Shape = {
    order: 0,
    components: new Map(),
    classes: new Map(),
    filed: [],
    sections: [],
    predefined: undefined,
    enumeration: undefined,
    modifier: undefined,
    subscripts: [],
    causality: undefined,
    absolute: undefined,
    restriction: entity.definition.restriction,
    partial: false,
    external: undefined,
    derived: undefined,
    externalObject: false,
    outerBases: [],
    problems: [],
  };
  entity.shape = shape;
  entity.collecting = true;
  try {
    const collector = new Collector(entity, shape);
    collector.collect(entity, entity.modifier);
    shape.problems.push(...filedTwice(entity, shape.filed, [...shape.classes.values()]));
    collector.checkNames(entity, entity.modifier);
    if (isFunction(shape)) takeCausality(shape);
    shape.problems.push(...classProblems(entity, shape));
    if (isFunction(shape)) shape.problems.push(...functionProblems(entity, shape));
  } catch (problem) {
    // Stopped halfway: whoever asks again gets a whole one.
    entity.shape = undefined;
    throw problem;
  } finally {
    entity.collecting = false;
  }
  shape.order = entity.library.nextShape();
  shape.problems.push(...operatorProblems(entity));
  return shape;
}

const isFunction = ({ restriction }: Shape): boolean =>
  restriction === 'function' || restriction === 'operator function';

/** An element of a class by name: declared, inherited or from a file of its folder. */
export function elementOf(entity: ClassEntity, name: string): ShapeComponent | ShapeClass | undefined {
  const shape = shapeOf(entity);
  const element = shape.components.get(name) ?? shape.classes.get(name);
  if (element) return element;
  const filed = filedClass(entity, shape.filed, name, (problem) => shape.problems.push(problem));
  if (filed) shape.classes.set(name, filed);
  return filed;
}

/** The class with those modifiers that concern its local classes: redeclared ones change what names in it mean. */
export function modifiedClass(
  type: ClassEntity,
  modifier: Modifier | undefined,
  report: Report,
): ClassEntity {
  if (!modifier || modifier.children.size === 0) return type;
  let classes: Map<string, Modifier> | undefined;
  for (const [name, child] of modifier.children) {
    if (elementOf(type, name)?.kind === 'class') (classes ??= new Map()).set(name, child);
  }
  if (!classes) return type;
  const only: Modifier = { ...modifier, children: classes, value: undefined, redeclare: undefined };
  return type.modified(merge(only, type.modifier, report)!);
}

/** Names of all elements, for suggestions. */
export function elementNames(entity: ClassEntity): string[] {
  const shape = shapeOf(entity);
  const names = [...shape.components.keys(), ...shape.classes.keys()];
  for (const { origin } of shape.filed) names.push(...entity.library.nestedNames(origin));
  return names;
}

/** Limits the length of a chain of extends clauses and short classes. */
const LONGEST_CHAIN = 200;

class Collector {
  private readonly chain: ast.ClassDef[] = [];
  /** Sections with the classes that they were inherited through. */
  private readonly inherited: (ShapeSection & { readonly heirs: Set<ast.ClassDef> })[] = [];
  private readonly report: Report;
  /** Whether what is collected is inherited as protected. */
  private hidden = false;
  /** The classes that declare a nested class on all the ways on which it is inherited. */
  private readonly ways = new Map<ShapeClass, Set<ast.ClassDef>>();
  /** The classes that are on all ways on which a component is inherited. */
  private readonly heirs = new Map<string, readonly ast.ClassDef[]>();
  /** What extends clauses around it leave out, the outermost first. */
  private readonly leftOut: LeftOut[] = [];

  constructor(
    private readonly self: ClassEntity,
    private readonly shape: Shape,
  ) {
    this.report = (problem) => shape.problems.push(problem);
  }

  /** Adds the elements of `entity`, a base class of `self` or itself, modified by `outer`. */
  collect(entity: ClassEntity, outer: Modifier | undefined): void {
    const { definition } = entity;
    const lexical = entity.seenBy(this.self);
    if (this.chain.includes(definition)) {
      this.error('cyclic-definition', `The class \`${entity.path}\` inherits from itself.`, {
        span: entity.span(definition.name),
        hint: 'Remove one of the extends clauses of the cycle.',
      });
      return;
    }
    if (this.chain.length > LONGEST_CHAIN) {
      const message = `\`${this.self.path}\` inherits \`${entity.path}\` through a chain of more than ${LONGEST_CHAIN} classes.`;
      this.error('limit-exceeded', message, { span: entity.span(definition.name) });
      return;
    }
    if (definition.partial && this.chain.every(({ body }) => body.kind === 'short'))
      this.shape.partial = true;
    this.chain.push(definition);
    for (const problem of settingProblems(entity)) this.report(problem);
    this.shape.absolute ??= absoluteValue(annotationOf(definition));
    const { body } = definition;
    // What a short class writes itself goes before the constraint.
    const whole = body.kind === 'short' ? outer : merge(outer, entity.constraint, this.report);
    switch (body.kind) {
      case 'long':
        this.collectLong(entity, lexical, body, whole);
        break;
      case 'short':
        this.collectShort(entity, lexical, body, whole);
        break;
      case 'enumeration':
        this.shape.predefined = 'enumeration';
        this.shape.enumeration = {
          path: entity.path,
          literals: (body.literals ?? []).map((literal) => literal.name.text),
        };
        this.shape.modifier = whole;
        break;
      case 'der':
        this.collectDerivative(entity, lexical, body, outer);
        break;
      default:
        body satisfies never;
    }
    this.chain.pop();
  }

  private collectLong(
    entity: ClassEntity,
    lexical: ClassEntity,
    body: ast.LongBody,
    outer: Modifier | undefined,
  ): void {
    const { definition } = entity;
    const own = elementsOf(definition);
    const predefined = predefinedType(definition);
    if (predefined) {
      this.shape.predefined = predefined;
      this.shape.modifier = outer;
      return;
    }
    if (definition === predefinedClasses.get('ExternalObject')) this.becomeObject();
    if (entity.folder !== undefined || entity.origin.stored || entity.origin.filed.size > 0)
      this.shape.filed.push({ origin: entity.origin, modifier: outer, hidden: this.hidden });
    for (const [name, item] of own.classes) this.addClass(name, item, lexical, outer);
    for (const repeated of own.repeated) this.reportDuplicate(repeated.name, entity);
    for (const problem of importProblems(entity)) this.report(problem);
    if (body.classExtends && entity.refined) {
      const { modification } = body.classExtends;
      const problem = kindProblem(definition, entity.refined);
      if (problem)
        this.error('not-allowed', problem.message, {
          span: entity.span(definition.name),
          hint: problem.hint,
        });
      const modifier = classModifierOf(modification, { instance: undefined, lexical }, this.report);
      this.inherit(entity.refined, merge(outer, modifier, this.report));
    }
    for (const problem of doubledProblems(own, lexical)) this.report(problem);
    const order = isByPosition(definition) ? new DeclarationOrder(this.shape.components) : undefined;
    for (const item of own.extends) {
      this.collectBase(lexical, item, outer);
      order?.added(item.clause);
    }
    for (const item of own.components) {
      this.addComponent(item, lexical, outer);
      order?.added(item.declaration);
    }
    order?.restore();
    for (const section of own.sections) this.addSection(section, lexical);
    if (body.external) this.shape.external = { external: body.external, lexical };
  }

  /** An external object is a value of which nobody sees the inside: like an enumeration without literals. */
  private becomeObject(): void {
    this.shape.externalObject = true;
    this.shape.predefined = 'enumeration';
    this.shape.enumeration = { path: this.self.path, literals: [] };
  }

  private collectBase(
    lexical: ClassEntity,
    { clause, protected: hidden }: OwnExtends,
    outer: Modifier | undefined,
  ): void {
    const base = this.found(lexical, clause.base);
    if (!base) return;
    for (const problem of baseProblems(lexical.definition, base, lexical, clause.base)) this.report(problem);
    const before = wholeness(this.shape);
    const around = this.hidden;
    const leftOut = LeftOut.of(lexical, clause);
    this.hidden ||= hidden;
    if (leftOut) this.leftOut.push(leftOut);
    this.inheritModified(base, lexical, clause, outer, { isElement: this.shape.subscripts.length > 0 });
    this.hidden = around;
    if (leftOut) {
      this.leftOut.pop();
      for (const problem of leftOut.problems(this.shape)) this.report(problem);
    }
    const what = wholeness(this.shape);
    const combined = what && what !== before ? combinedProblem(lexical, base, clause, what) : undefined;
    if (combined) this.report(combined);
  }

  private found(lexical: ClassEntity, name: ast.Name): ClassEntity | undefined {
    const base = findClass(lexical, name);
    const problem = base ? classNameProblem(lexical, name) : unknownClass(lexical, name);
    if (problem) this.report(problem);
    return base && this.innerOf(base, lexical, name);
  }

  /** The class to extend where a name leads through an outer one: what is found in the inner one, where that is known. */
  private innerOf(base: ClassEntity, lexical: ClassEntity, name: ast.Name): ClassEntity {
    const through = outerIn(lexical, name);
    if (!through) return base;
    const inner = this.self.inners?.get(through.outer.definition);
    if (!inner) {
      this.shape.outerBases.push(through.outer);
      return base;
    }
    let found: ClassEntity | undefined = inner;
    for (const { text } of name.parts.slice(through.length)) found = found && nestedClass(found, text);
    return found ?? base;
  }

  private collectShort(
    entity: ClassEntity,
    lexical: ClassEntity,
    body: ast.ShortBody,
    outer: Modifier | undefined,
  ): void {
    // The base and the modifiers of a short class belong to the scope around it.
    const around = entity.parent ?? lexical;
    const base = this.found(around, body.base);
    if (!base) return;
    for (const problem of baseProblems(entity.definition, base, around, body.base)) this.report(problem);
    this.shape.causality ??= body.basePrefix;
    const isElement = this.shape.subscripts.length > 0;
    for (const subscript of body.subscripts) this.shape.subscripts.push({ subscript, lexical: around });
    const isArray = body.subscripts.length > 0;
    this.inheritModified(base, around, body, outer, { constraint: entity.constraint, isArray, isElement });
    if (this.chain.length === 1 && entity.definition.restriction === 'class') {
      this.shape.restriction = base.definition.restriction;
    }
  }

  /** A partial derivative has the inputs and outputs of the function that it is one of (section 12.7.2). */
  private collectDerivative(
    entity: ClassEntity,
    lexical: ClassEntity,
    body: ast.DerivativeBody,
    outer: Modifier | undefined,
  ): void {
    const around = entity.parent ?? lexical;
    const base = this.found(around, body.base);
    if (!base) return;
    const { restriction } = base.definition;
    if (!restriction.endsWith('function')) {
      const message = `\`${base.path}\` is a ${restriction}: only functions have partial derivatives.`;
      const hint = 'Name a function as the first argument of `der`.';
      this.error('bad-call', message, { span: entity.span(body.base), hint });
      return;
    }
    this.shape.derived ??= { base, by: body.variables };
    this.inherit(base, outer);
  }

  /** Adds the elements of a base class, as `extends A(…)` or `type B = A(…)` modifies it: an array of `A`, or the element of an array that a class derived from it is. */
  private inheritModified(
    base: ClassEntity,
    lexical: ClassEntity,
    { modification }: Pick<ast.ExtendsClause, 'modification'>,
    outer: Modifier | undefined,
    { constraint, isArray, isElement }: { constraint?: Modifier; isArray?: boolean; isElement: boolean },
  ): void {
    const written = classModifierOf(modification, { instance: undefined, lexical }, this.report);
    this.checkNames(base, written);
    if (!isArray) for (const problem of eachProblems(base, modification, lexical)) this.report(problem);
    const modifier = merge(written, constraint, this.report);
    const own = modifier && isElement && !isArray ? ofEachElement(modifier) : modifier;
    this.inherit(base, merge(outer, own, this.report));
  }

  private inherit(base: ClassEntity, modifier: Modifier | undefined): void {
    this.collect(base, merge(modifier, base.modifier, this.report));
  }

  private addClass(name: string, item: OwnClass, lexical: ClassEntity, outer: Modifier | undefined): void {
    const modifier = outer?.children.get(name);
    const added: ShapeClass = {
      kind: 'class',
      name,
      definition: item.definition,
      lexical,
      protected: item.protected || this.hidden,
      modifier,
      inherited: undefined,
      entity: undefined,
    };
    if (modifier?.redeclare?.element.kind === 'component') this.reportKind(name, modifier.redeclare);
    this.ways.set(added, new Set([lexical.definition]));
    const top = this.shape.classes.get(name);
    if (top) this.addInherited(top, added);
    else this.shape.classes.set(name, added);
  }

  /** One more class of a name: below what replaces or refines it on its way, and the same as what came on another one. */
  private addInherited(top: ShapeClass, added: ShapeClass): void {
    const isOnWay = (one: ShapeClass): boolean =>
      this.chain.some((definition) => this.ways.get(one)?.has(definition));
    // `top` was declared nearest to `self`; what arrives now is inherited.
    let present = top;
    while ((refines(present.definition) || present.definition.prefixes.redeclare) && isOnWay(present)) {
      if (!present.inherited) {
        present.inherited = added;
        return;
      }
      present = present.inherited;
    }
    const problem = classDifference(present, added, this.self);
    if (problem) this.report(problem);
    this.ways.get(present)?.add(added.lexical.definition);
  }

  private addComponent(item: OwnComponent, lexical: ClassEntity, outer: Modifier | undefined): void {
    const { name } = item.declaration;
    const present = this.shape.components.get(name.text);
    const added: ShapeComponent = {
      kind: 'component',
      name: name.text,
      ...item,
      protected: item.protected || this.hidden,
      lexical,
      modifier: outer?.children.get(name.text),
    };
    if (this.leftOut.findLast((one) => one.omits(added))) return;
    if (!present) {
      if (this.shape.classes.has(name.text)) this.reportDuplicate(name, lexical);
      this.shape.components.set(name.text, added);
      this.heirs.set(name.text, [...this.chain]);
      return;
    }
    const heirs = this.heirs.get(name.text);
    this.heirs.set(name.text, heirs?.filter((one) => this.chain.includes(one)) ?? []);
    if (item.clause.prefixes.redeclare && heirs?.includes(lexical.definition)) {
      this.shape.components.set(name.text, this.redeclared(present, added));
    } else if (present.declaration !== item.declaration && this.isRedeclared(name.text, heirs)) {
      // What replaces it on this way is yet to come.
    } else if (
      present.lexical.definition === lexical.definition &&
      present.declaration !== item.declaration
    ) {
      this.reportDuplicate(name, lexical, present);
    } else if (present.declaration !== item.declaration && !sameType(present, added)) {
      this.reportDuplicate(name, lexical, present);
    } else if (present.declaration === item.declaration) {
      this.shape.components.set(name.text, this.joined(present, added));
    } else if (!sameModifiers(present, added)) {
      this.error('duplicate-name', `\`${name.text}\` is declared twice, with different modifiers.`, {
        span: lexical.span(name),
        hint: 'Keep one declaration, and modify it where it is inherited: `extends A(x = 2)`.',
        notes: [otherDeclaration(present)],
      });
    }
  }

  /** Whether a class redeclares a component as its element that is on the way to the one that is collected, and not on others. */
  private isRedeclared(name: string, heirs: readonly ast.ClassDef[] = []): boolean {
    const around = this.chain.slice(0, -1).filter((definition) => !heirs.includes(definition));
    return around.some((definition) =>
      elementsOf(definition).components.some(
        ({ clause, declaration }) => clause.prefixes.redeclare && declaration.name.text === name,
      ),
    );
  }

  /**
   * One declaration that is inherited on two ways has to be the same on both (section 5.6.1.4). Models of programs may change it on one of
   * them: what they inherit twice is merged.
   */
  private joined(present: ShapeComponent, added: ShapeComponent): ShapeComponent {
    const isMerged = this.self.definition.source.isComposed;
    const other = isMerged ? contradiction(present.modifier, added.modifier) : difference(present, added);
    if (other)
      this.report(
        (isMerged ? warning : error)(
          'duplicate-name',
          `\`${added.name}\` is inherited in two ways with different modifiers.`,
          {
            span: other.later.span,
            hint: isMerged
              ? 'This modifier takes effect; the other one does not. Modify it where both ways meet.'
              : `Say the same on both, or modify it where they meet, in both extends clauses: \`extends A(${added.name} = …)\`.`,
            notes: other.earlier
              ? [{ message: 'The other modifier is here.', span: other.earlier.span }]
              : [],
          },
        ),
      );
    const more = withoutSame(added.modifier, present.modifier);
    return { ...present, modifier: merge(more, present.modifier, this.report) };
  }

  /**
   * Equations that are inherited on two ways are there once (section 7.1: of those that are syntactically equivalent, one is kept). Where
   * one class extends the other, the repetition is a mistake of its author.
   */
  private addSection(written: ShapeSection['section'], lexical: ClassEntity): void {
    const section = this.leftOut.reduceRight((rest, one) => one.without(rest), written);
    const known = this.inherited.find((other) => other.section === section);
    if (known) {
      for (const definition of this.chain) known.heirs.add(definition);
      return;
    }
    const beside = this.inherited.filter(({ heirs }) => !heirs.has(lexical.definition));
    const rest = beside.length > 0 ? withoutRepeated(section, lexical, beside) : section;
    if (rest) this.shape.sections.push({ section: rest, lexical });
    this.inherited.push({ section, lexical, heirs: new Set(this.chain) });
  }

  /** An element `redeclare T x` of a class replaces the inherited `x` and keeps the prefixes it does not repeat. */
  private redeclared(present: ShapeComponent, added: ShapeComponent): ShapeComponent {
    const clause = keepingPrefixes(added.clause, present.clause);
    return { ...added, clause, replaced: present };
  }

  /** Modifiers must name something in the class. */
  checkNames(base: ClassEntity, modifier: Modifier | undefined): void {
    if (!modifier || modifier.children.size === 0) return;
    const shape = shapeOf(base);
    if (base.collecting || shape.predefined) return;
    for (const [name, child] of modifier.children) {
      if (!elementOf(base, name)) this.report(unknownModifier(name, child, base));
    }
  }

  private reportKind(name: string, { span }: Redeclare): void {
    this.error('bad-binding', `\`${name}\` is a class, but it is redeclared as a component.`, { span });
  }

  private error(...problem: Parameters<typeof error>): void {
    this.report(error(...problem));
  }

  private reportDuplicate(name: ast.Ident, where: ClassEntity, other?: ShapeComponent): void {
    this.error('duplicate-name', `\`${name.text}\` is declared twice in \`${this.self.path}\`.`, {
      span: where.span(name),
      hint: 'Rename or remove one of the two declarations.',
      notes: other ? [otherDeclaration(other)] : [],
    });
  }
}

/** A redeclared component keeps the prefixes that the redeclaration does not repeat. */
export const keepingPrefixes = (
  element: ast.ComponentClause,
  original: ast.ComponentClause,
): ast.ComponentClause => ({
  ...element,
  connection: element.connection ?? original.connection,
  variability: element.variability ?? original.variability,
  causality: element.causality ?? original.causality,
});

/** Whether a constructor of a record takes a value for a field: final ones, and constants with values, have theirs (section 12.6). */
export const isModifiable = ({ clause, declaration, modifier }: ShapeComponent): boolean =>
  !clause.prefixes.final &&
  !modifier?.final &&
  (clause.variability !== 'constant' || !(declaration.modification?.value ?? modifier?.value));

/** `R r(a = 1)`: the value that a declaration, or an extends clause, gives to a field. */
export function modifierOfField(
  { modifier, declaration, lexical }: ShapeComponent,
  name: string,
): { readonly expr: ast.Expression; readonly lexical: ClassEntity } | undefined {
  const outer = modifier?.children.get(name)?.value;
  if (outer) return { expr: outer.value, lexical: entityOf(outer.scope.lexical) };
  for (const argument of declaration.modification?.arguments?.arguments ?? []) {
    if (argument.kind !== 'modify' || argument.name.parts.length !== 1) continue;
    const value = argument.name.parts[0]!.text === name ? argument.modification?.value : undefined;
    if (value && value !== 'break') return { expr: value, lexical };
  }
  return undefined;
}

/** A field that is a record, with what modifiers of the whole say of its own fields. */
export function modifiedMember(component: ShapeComponent, member: ShapeComponent): ShapeComponent {
  const outer = component.modifier?.children.get(member.name);
  if (outer) return { ...member, modifier: outer };
  for (const argument of component.declaration.modification?.arguments?.arguments ?? []) {
    if (argument.kind !== 'modify' || argument.name.parts.length !== 1) continue;
    const { modification } = argument;
    if (argument.name.parts[0]!.text === member.name && modification?.arguments)
      return { ...member, declaration: { ...member.declaration, modification } };
  }
  return member;
}

/** `inside` gives the path of what has this name further inside. */
export function unknownModifier(
  name: string,
  modifier: Modifier,
  target: ClassEntity,
  inside: (name: string) => string | undefined = () => undefined,
): Diagnostic {
  const known = nearest(name, elementNames(target));
  const near = known ?? inside(name);
  const isCode = outsideName(modifier) !== undefined && builtInName(target) !== undefined;
  const hidden = isCode ? `The initial value of a hidden state is \`${name}.start\`.` : undefined;
  const hint = insteadOf(target, name) ?? didYouMean(near) ?? hidden;
  return error('unknown-modifier', `\`${target.path}\` has no element \`${name}\` to modify.`, {
    span: modifier.span,
    hint,
    fix: respelt(modifier.span, name, known),
  });
}

const otherDeclaration = ({ lexical, declaration }: ShapeComponent): Note => ({
  message: 'The other declaration is here.',
  span: lexical.span(declaration.name),
});

/** The first class in a name that is declared `outer`, and how many parts of the name lead to it. */
function outerIn(
  lexical: ClassEntity,
  name: ast.Name,
): { readonly outer: ClassEntity; readonly length: number } | undefined {
  for (let length = 1; length <= name.parts.length; length++) {
    const outer = findClass(lexical, { ...name, parts: name.parts.slice(0, length) });
    if (outer && isOuter(outer)) return { outer, length };
  }
  return undefined;
}
