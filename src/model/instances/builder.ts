/**
 * Instantiation (specification 3.6, sections 5.6.1 and 7.2): a class becomes a tree of instances, modifiers merged from outside
 * inwards. Objects are completed from a stack of work, not by recursion, so that deep models need no deep call stack;
 * a member that a size or a condition needs is made ahead of its turn. Limits on depth, number and size turn endless
 * models into diagnostics.
 */
import { type Diagnostic, error } from '../../diagnostic/diagnostic.ts';
import type { Source } from '../../diagnostic/source.ts';
import { classNameProblem, protectedModifier } from '../classes/access.ts';
import { type ClassEntity, instanceFor } from '../classes/class.ts';
import { isOuter, noInnerClass } from '../classes/inner.ts';
import { classByName, findClass, nestedClass, unknownClass } from '../classes/lookup.ts';
import {
  bind,
  checkDistribution,
  distribute,
  forArray,
  type Modifier,
  merge,
  outsideName,
  type Report,
  withoutValue,
} from '../classes/modification.ts';
import { absoluteValue, markedUniform } from '../classes/settings.ts';
import {
  elementOf,
  modifiedClass,
  type Shape,
  type ShapeComponent,
  shapeOf,
  unknownModifier,
} from '../classes/shape.ts';
import type { ClassStore } from '../classes/store.ts';
import type { ElementNumber, Instance, InstanceBase, Scope, VariableInstance } from '../instance.ts';
import { joined } from '../instance.ts';
import { extentProblems } from '../types/extents.ts';
import { redeclarationProblems } from '../types/redeclarations.ts';
import { product } from '../value.ts';
import { evaluateCondition } from '../values/evaluate.ts';
import { Account } from './account.ts';
import {
  connectorProblem,
  endlessNesting,
  isWithin,
  noSuchClass,
  notAModel,
  partialClass,
  valueProblem,
} from './admission.ts';
import { attributesIn } from './attributes.ts';
import { declare, takesRecordValue } from './declare.ts';
import { gathered, groupsOf, type Siblings, siblingsOf } from './gather.ts';
import { type AddedInner, innersFor, type MissingInner } from './missing.ts';
import { type DeclaredNode, ObjectNode, type Sibling } from './node.ts';
import { enterOuter, noInner, outerClassProblems } from './outer.ts';
import type { Override } from './outside.ts';
import {
  checkElements,
  checkOutside,
  elementModifier,
  isHiddenStart,
  ofComponent,
  overriding,
  pathInside,
  settled,
  variousArray,
} from './outside.ts';
import { baseOf, discreteUnlessReal, elementBase, rootBase } from './prefixes.ts';
import { componentProblems } from './rules.ts';
import { componentSizes, indexTypesOf, isResizable } from './sizes.ts';

/** Elements of one array. */
const LARGEST_ARRAY = 1e7;
/** Members that need each other to be made; each takes part of the call stack. */
const DEEPEST_NEED = 100;

export class InstanceBuilder {
  private readonly account = new Account();
  private readonly work: ObjectNode[] = [];
  /** Shapes of the classes that were instantiated. */
  private readonly used = new Set<Shape>();
  /** Places of declarations of arrays whose elements turned out to differ: other arrays of these are not uniform either. */
  private readonly various = new Map<Source, Set<number>>();
  /** Siblings in objects that were gathered, or turned out to be none. */
  private readonly considered = new Map<ObjectNode, Set<Siblings>>();
  /** Outer components without an inner one. */
  private readonly missing: MissingInner[] = [];
  private model: ClassEntity | undefined;
  /** Whether values are given from outside the text. */
  private overridden = false;
  private running = false;
  private nesting = 0;

  /** `inners` are added to the model. */
  constructor(
    private readonly library: ClassStore,
    private readonly inners: ReadonlyMap<string, AddedInner> = new Map(),
  ) {}

  get diagnostics(): readonly Diagnostic[] {
    return this.account.diagnostics;
  }

  root(name: string, overrides: readonly Override[]): ObjectNode | undefined {
    const entity = classByName(this.library, name);
    if (!entity) {
      this.account.report(noSuchClass(this.library, name));
      return undefined;
    }
    this.model = entity;
    const own = this.shape(entity);
    const shape = this.inners.size > 0 ? this.withInners(own) : own;
    const problem = notAModel(entity, shape);
    if (problem) {
      this.account.report(problem);
      this.reportClasses();
      return undefined;
    }
    let node: ObjectNode | undefined;
    const modifier = overriding(overrides, entity, () => node, this.account.report);
    this.overridden = modifier !== undefined;
    const base = rootBase(entity);
    const root = new ObjectNode(this, base, entity, shape, { modifier });
    node = root;
    this.work.push(node);
    this.run();
    this.checkNames(entity, ofModel(modifier, this.inners), this.account.report, (name) =>
      pathInside(root, name),
    );
    this.reportClasses();
    return node;
  }

  /** An instance whose members are made when they are asked for; nothing is reported of them. */
  onDemand(entity: ClassEntity): ObjectNode {
    return new ObjectNode(this, rootBase(entity), entity, shapeOf(entity), { silent: true });
  }

  /** Makes all that is below an object. */
  complete(object: ObjectNode): void {
    const work = this.work.splice(0);
    this.work.push(object);
    this.run();
    this.work.push(...work);
  }

  /** The class of a member of an object, as redeclarations and modifiers make it, whether the member is there or not. */
  typeOf(owner: ObjectNode, component: ShapeComponent): ClassEntity | undefined {
    const { clause, lexical, modifier } = this.declared(owner, component, () => {});
    const type = findClass(lexical, clause.type, owner) ?? findClass(lexical, clause.type);
    return type && modifiedClass(type, modifier, () => {});
  }

  private withInners(shape: Shape): Shape {
    const components = new Map(shape.components);
    for (const [name, { component, notice }] of this.inners) {
      components.set(name, component);
      this.account.report(notice);
    }
    return { ...shape, components };
  }

  constant(owner: ClassEntity, component: ShapeComponent): Instance | undefined {
    const shape = shapeOf(owner);
    const base = { ...rootBase(owner), path: owner.path, variability: 'constant' as const };
    const holder = new ObjectNode(this, base, owner, shape, { isClass: true });
    const member = holder.member(component.name);
    const made = typeof member === 'string' ? undefined : member;
    if (made) {
      owner.constants.set(component.name, made);
      try {
        this.run();
      } catch (stopped) {
        // Whoever asks again gets a whole one.
        owner.constants.delete(component.name);
        throw stopped;
      }
    }
    this.library.addProblems(this.diagnostics);
    return made;
  }

  /** Makes all that is below the objects at hand. */
  private run(): void {
    this.running = true;
    try {
      this.runStack();
    } catch (thrown) {
      // The limits keep well below the usual size of the call stack; where it is smaller, it is a limit too.
      if (!(thrown instanceof RangeError)) throw thrown;
      this.account.end(error('limit-exceeded', 'The declarations of the model are nested too deeply.'));
    } finally {
      this.running = false;
    }
  }

  private runStack(): void {
    for (let node = this.work.pop(); node && !this.account.isClosed; node = this.work.pop()) {
      const first = this.work.length;
      for (const problem of outerClassProblems(node)) this.reporterFor(node)(problem);
      node.complete();
      // What was pushed last is taken first: keep the order of declaration.
      reverseFrom(this.work, first);
    }
  }

  /** Makes one member of an object and enters it there. */
  make(owner: ObjectNode, component: ShapeComponent): void {
    if (this.account.isClosed) return;
    if (this.nesting >= DEEPEST_NEED) {
      this.account.exceed(
        owner.path,
        component.lexical.span(component.declaration.name),
        'Sizes and conditions depend on each other in a chain that is too long.',
      );
      return;
    }
    this.nesting++;
    this.makeMember(owner, component, this.reporterFor(owner));
    this.nesting--;
  }

  private makeMember(owner: ObjectNode, component: ShapeComponent, report: Report): void {
    const { inner, outer } = component.clause.prefixes;
    if (outer && !enterOuter(owner, component, report)) this.lack(owner, component, report);
    if (outer && !inner) return;
    if (this.gather(owner, component, report)) return;
    const declared = this.declared(owner, component, report);
    if (outer && isOneVariable(declared)) return;
    this.makeDeclared(owner, component, declared, report);
  }

  private lack(owner: ObjectNode, component: ShapeComponent, report: Report): void {
    if (owner.isClass) report(noInner(owner, component));
    else if (!owner.silent) this.missing.push({ owner, component });
  }

  /** The inner components that the model lacks, and those that were given; undefined where there is nothing to add. */
  missingInners(): ReadonlyMap<string, AddedInner> | undefined {
    if (!this.model || this.missing.length === 0) return undefined;
    const before = this.diagnostics.length;
    const added = innersFor(this.missing, this.model, this.account.report);
    const isRefused = this.diagnostics.slice(before).some(({ severity }) => severity === 'error');
    return isRefused ? undefined : new Map([...this.inners, ...added]);
  }

  /** The declaration of a component with all its modifiers. */
  private declared(owner: ObjectNode, component: ShapeComponent, report: Report): DeclaredNode {
    const inherited = bind(component.modifier, (scope) => instanceFor(scope, owner));
    const incoming = merge(
      owner.modifier?.children.get(component.name),
      takesRecordValue(component, owner) ? withoutValue(inherited) : inherited,
      report,
    );
    return declare(component, incoming, owner, report);
  }

  private makeDeclared(
    owner: ObjectNode,
    component: ShapeComponent,
    declared: DeclaredNode,
    report: Report,
  ): void {
    if (declared.condition && !this.isPresent(declared.condition, owner, report)) {
      owner.addAbsent(component.name);
      return;
    }
    const type = findClass(declared.lexical, declared.clause.type, owner);
    if (!type) {
      // Outer classes without inner ones are reported as such.
      if (!findClass(declared.lexical, declared.clause.type))
        report(unknownClass(declared.lexical, declared.clause.type));
      return;
    }
    const refused = classNameProblem(declared.lexical, declared.clause.type);
    if (refused) report(refused);
    const shape = this.shape(type);
    const base = baseOf(owner, component, declared, shape);
    for (const problem of componentProblems({ owner, clause: declared.clause, shape, base })) report(problem);
    if (shape.predefined) this.makeVariable(owner, base, type, shape, declared, report);
    else this.makeObject(owner, base, type, declared, report);
  }

  /** A member depends on itself through its size, condition or type. */
  cycle(owner: ObjectNode, name: string): void {
    const component = owner.shape.components.get(name)!;
    const message = `The size or condition of \`${joined(owner.path, name)}\` depends on itself.`;
    this.reporterFor(owner)(
      error('cyclic-definition', message, { span: component.lexical.span(component.declaration.name) }),
    );
  }

  private isPresent(
    { expression, lexical }: NonNullable<DeclaredNode['condition']>,
    owner: ObjectNode,
    report: Report,
  ): boolean {
    const scope: Scope = { instance: owner.scope, lexical };
    const { value, diagnostics } = evaluateCondition(scope, expression);
    for (const problem of diagnostics) report(problem);
    return value ?? true;
  }

  private makeVariable(
    owner: ObjectNode,
    base: InstanceBase,
    type: ClassEntity,
    shape: Shape,
    declared: DeclaredNode,
    report: Report,
  ): void {
    if (!this.account.admit(base)) return;
    const ofType = bind(shape.modifier, (scope) => instanceFor(scope, owner));
    const merged = merge(declared.modifier, ofType, report);
    const isArray = declared.subscripts.length + shape.subscripts.length > 0;
    if (this.overridden && !this.isUniform(merged, isArray || owner.bound)) return;
    const modifier = this.overridden && merged ? settled(merged, base, shape, report) : merged;
    // A connect gives the sizes that an expandable connector leaves open.
    const isOpen = owner.restriction === 'expandable connector' && !modifier?.value;
    if (isOpen && declared.subscripts.some(({ subscript }) => subscript.kind === 'colon')) return;
    const dims = this.sizes(owner, base, declared, shape, modifier, report);
    if (!dims) return;
    if (this.overridden) checkElements(merged, dims, base.path, report);
    const attributes = attributesIn(base, type, shape, modifier, declared, dims, report);
    // `each` before the name of a variable is about the arrays around it, not about its own sizes.
    const value = modifier?.value && { ...modifier.value, each: false };
    const binding = value?.outside ? forArray(value, dims) : value;
    const variable: VariableInstance = {
      kind: 'variable',
      ...base,
      variability: discreteUnlessReal(base.variability, shape),
      type: shape.predefined!,
      enumeration: shape.enumeration,
      dims,
      indexTypes: indexTypesOf(owner, declared, shape),
      resizable: dims.length > 0 && isResizable(owner, declared, shape),
      attributes,
      difference: (absoluteValue(base.annotation) ?? shape.absolute) === false,
      binding,
      ...constraintIn(type, shape),
      structural: false,
    };
    if (this.overridden) checkOutside(variable, owner, report);
    owner.members.set(base.name, variable);
  }

  /** False where values of single elements make those of an array around differ, which then is made anew. */
  private isUniform(modifier: Modifier | undefined, isWhole: boolean): boolean {
    const various = modifier && variousArray(modifier, isWhole);
    if (!(various instanceof ObjectNode)) return true;
    if (various.template) this.writeOut(various);
    return false;
  }

  private makeObject(
    owner: ObjectNode,
    base: InstanceBase,
    type: ClassEntity,
    declared: DeclaredNode,
    report: Report,
  ): void {
    const entity = modifiedClass(type, declared.modifier, report);
    const shape = this.shape(entity);
    this.checkNames(entity, declared.modifier, report);
    const problem = shape.restriction.endsWith('connector')
      ? connectorProblem(shape, declared.clause, declared.modifier, base)
      : valueProblem(shape, declared.modifier, base);
    if (problem) report(problem);
    if (!this.isInstantiable(entity, shape, base, owner, report)) return;
    const dims = this.sizes(owner, base, declared, shape, declared.modifier, report);
    if (!dims || !this.account.admit(base)) return;
    if (this.overridden) checkElements(declared.modifier, dims, base.path, report);
    const modifier = declared.modifier && ofComponent(declared.modifier, base, shape, report);
    if (dims.length === 0) {
      const node = new ObjectNode(this, base, entity, shape, { modifier, binding: modifier?.value });
      owner.members.set(base.name, node);
      this.work.push(node);
      return;
    }
    const indexTypes = indexTypesOf(owner, declared, shape);
    const resizable = isResizable(owner, declared, shape);
    const array = new ObjectNode(this, base, entity, shape, { modifier, dims, indexTypes, resizable });
    this.makeArray(owner, array, report);
  }

  private makeArray(owner: ObjectNode, array: ObjectNode, report: Report): void {
    const { dims } = array;
    owner.members.set(array.name, array);
    checkDistribution(array.modifier, dims, array.path, report);
    if (product(dims) === 0) {
      const none = dims.map(() => 0);
      array.prototype = this.makeElement(array, none, `[${none.join(',')}]`, true);
    } else if (
      array.variability === 'constant' ||
      array.modifier?.elements ||
      markedUniform(array.class) === false ||
      this.isVarious(array)
    )
      this.makeElements(array);
    else {
      const numbers = dims.map((_, dimension) => ({ array, dimension }));
      array.template = this.makeElement(array, numbers, '', false);
    }
  }

  /** Makes siblings that are all the same as one array; true if the component was among them. */
  private gather(owner: ObjectNode, component: ShapeComponent, report: Report): boolean {
    const siblings = owner.isClass || owner.silent ? undefined : siblingsOf(owner.shape, component.name);
    if (!siblings) return false;
    const considered = this.considered.get(owner) ?? new Set();
    if (considered.has(siblings)) return false;
    this.considered.set(owner, considered.add(siblings));
    const declared = siblings.components.map((one) => ({
      component: one,
      declared: this.declared(owner, one, report),
    }));
    for (const group of groupsOf(siblings.class, declared))
      if (group.length >= siblings.least) this.makeGathered(owner, siblings.class, group, report);
    return owner.members.has(component.name);
  }

  private makeGathered(
    owner: ObjectNode,
    entity: ClassEntity,
    group: readonly Sibling[],
    report: Report,
  ): void {
    const { component, declared } = group[0]!;
    const shape = this.shape(entity);
    const first = baseOf(owner, component, declared, shape);
    if (first.variability === 'constant' || this.isVarious(first)) return;
    if (modifiedClass(entity, declared.modifier, report) !== entity || isWithin(entity, owner)) return;
    if (isOuter(entity) || classNameProblem(declared.lexical, declared.clause.type)) return;
    if (partialClass(entity, shape, first) || !this.account.admit(first)) return;
    for (const one of group) this.checkNames(entity, one.declared.modifier, report);
    const name = `{${component.name}..${group.at(-1)!.component.name}}`;
    const base = { ...first, name, path: joined(owner.path, name), description: '' };
    const array = new ObjectNode(this, base, entity, shape, { dims: [group.length], siblings: group });
    const modifiers = group.map((one) => one.declared.modifier);
    array.template = this.elementNode(array, gathered(modifiers, { array, dimension: 0 }), '', false);
    owner.addGathered(array);
  }

  /** Elements that are found to differ while the tree grows, or by those who translate it, are made one by one. */
  writeOut(array: ObjectNode): void {
    const { source, start } = array.span;
    this.various.set(source, (this.various.get(source) ?? new Set()).add(start));
    array.template = undefined;
    const before = this.diagnostics.length;
    if (array.siblings) this.makeSiblings(array, array.siblings);
    else this.makeElements(array);
    if (this.running) return;
    this.run();
    this.library.addProblems(this.diagnostics.slice(before));
  }

  augment(owner: ObjectNode, name: string, like: ObjectNode, dims: readonly number[]): void {
    const { class: entity, shape, span, description, variability } = like;
    const base: InstanceBase = {
      ...rootBase(entity),
      ...{ name, path: joined(owner.path, name), parent: owner, variability, description, span },
    };
    const modifier = like.modifier && parametersOnly(like.modifier, shape);
    const indexTypes = dims.map(() => 'Integer' as const);
    const node = new ObjectNode(this, base, entity, shape, { modifier, dims, indexTypes });
    owner.members.set(name, node);
    const before = this.diagnostics.length;
    if (dims.length === 0) this.work.push(node);
    else {
      const index = dims.map(() => 1);
      for (let k = 0; k < product(dims); k++) {
        node.addElement(this.elementNode(node, modifier, `[${index.join(',')}]`, false));
        advance(index, dims);
      }
    }
    this.run();
    this.library.addProblems(this.diagnostics.slice(before));
  }

  /** Makes gathered components one by one. */
  private makeSiblings(array: ObjectNode, siblings: readonly Sibling[]): void {
    const owner = array.parent as ObjectNode;
    for (const { component, declared } of siblings) {
      this.makeDeclared(owner, component, declared, this.reporterFor(owner));
      const made = owner.members.get(component.name);
      if (made instanceof ObjectNode && made !== array) array.addElement(made);
    }
  }

  private isVarious({ span }: InstanceBase): boolean {
    return this.various.get(span.source)?.has(span.start) ?? false;
  }

  private makeElements(array: ObjectNode): void {
    const { dims } = array;
    const size = product(dims);
    if (!this.account.admit(array, size)) return;
    const index = dims.map(() => 1);
    for (let k = 0; k < size && !this.account.isClosed; k++) {
      const element = this.makeElement(array, index, `[${index.join(',')}]`, false);
      array.addElement(element);
      advance(index, dims);
    }
  }

  private makeElement(
    array: ObjectNode,
    index: readonly (number | ElementNumber)[],
    subscripts: string,
    silent: boolean,
  ): ObjectNode {
    return this.elementNode(array, elementModifier(distribute(array.modifier, index)), subscripts, silent);
  }

  private elementNode(
    array: ObjectNode,
    own: Modifier | undefined,
    subscripts: string,
    silent: boolean,
  ): ObjectNode {
    const base = elementBase(array, subscripts);
    const node = new ObjectNode(this, base, array.class, array.shape, {
      modifier: own,
      binding: own?.value,
      silent,
    });
    this.work.push(node);
    return node;
  }

  private isInstantiable(
    entity: ClassEntity,
    shape: Shape,
    base: InstanceBase,
    owner: ObjectNode,
    report: Report,
  ): boolean {
    const partial = owner.silent ? undefined : partialClass(entity, shape, base);
    if (partial) {
      report(partial);
      return false;
    }
    const endless = endlessNesting(entity, base, owner);
    if (!endless) return true;
    this.account.end(endless);
    return false;
  }

  private sizes(
    owner: ObjectNode,
    base: InstanceBase,
    declared: DeclaredNode,
    shape: Shape,
    modifier: Modifier | undefined,
    report: Report,
  ): readonly number[] | undefined {
    const count = declared.subscripts.length + shape.subscripts.length;
    if (count === 0) return noDims;
    const dims = componentSizes(owner, base, declared, shape, modifier, report);
    if (!dims) return undefined;
    const size = product(dims);
    if (size <= LARGEST_ARRAY) return dims;
    const message = `The array \`${base.path}\` has ${size} elements, more than ${LARGEST_ARRAY}.`;
    report(error('limit-exceeded', message, { span: base.span }));
    return undefined;
  }

  /** Modifiers must name elements of the class that are not protected. */
  private checkNames(
    entity: ClassEntity,
    modifier: Modifier | undefined,
    report: Report = this.account.report,
    inside: (name: string) => string | undefined = () => undefined,
  ): void {
    for (const [name, child] of modifier?.children ?? []) {
      const element = elementOf(entity, name);
      if (!element && !isHiddenStart(entity, child)) report(unknownModifier(name, child, entity, inside));
      if (element?.protected && outsideName(child) === undefined)
        report(protectedModifier(name, child, entity));
    }
  }

  private shape(entity: ClassEntity): Shape {
    const shape = shapeOf(entity);
    if (!this.used.has(shape))
      for (const outer of shape.outerBases) {
        const { reason, hint } = noInnerClass(outer);
        const span = entity.span(entity.definition.name);
        this.account.report(
          error('unknown-class', `${reason}: \`${entity.path}\` cannot extend it.`, { span, hint }),
        );
      }
    this.used.add(shape);
    return shape;
  }

  /** The classes in which the text of what was instantiated is written. */
  get classes(): ReadonlySet<ClassEntity> {
    const shapes = [...this.used];
    const parts = shapes.flatMap(({ components, sections }) => [...components.values(), ...sections]);
    return new Set(parts.map(({ lexical }) => lexical));
  }

  /** Problems of the classes that were instantiated, and of the packages and functions that were looked into for that. */
  private reportClasses(): void {
    const concerned = this.library
      .consulted()
      .filter(
        ({ shape }) =>
          this.used.has(shape!) || shape!.restriction === 'package' || shape!.restriction === 'function',
      );
    for (const entity of concerned) {
      for (const problem of entity.shape!.problems) this.account.report(problem);
      for (const problem of redeclarationProblems(entity)) this.account.report(problem);
      for (const problem of extentProblems(entity.shape!)) this.account.report(problem);
    }
  }

  private reporterFor(owner: ObjectNode): Report {
    const { silent, gathered: array } = owner;
    if (silent) return () => {};
    // What is wrong with gathered siblings is reported for each, by its name.
    return array ? () => array.template && this.writeOut(array) : this.account.report;
  }
}

const noDims: readonly number[] = [];

/** A variable that is inner and outer at once, without a value of its own, is the same for the objects inside. */
function isOneVariable({ lexical, clause, modifier }: DeclaredNode): boolean {
  const type = findClass(lexical, clause.type);
  return type !== undefined && shapeOf(type).predefined !== undefined && !modifier?.value;
}

/** Modifiers without those that give values to variables. */
function parametersOnly(modifier: Modifier, { components }: Shape): Modifier {
  const isFixed = (name: string): boolean =>
    /^(parameter|constant)$/.test(components.get(name)?.clause.variability ?? '');
  const children = new Map([...modifier.children].filter(([name]) => isFixed(name)));
  return { ...modifier, children, value: undefined };
}

/** A modifier without what it says of added components. */
function ofModel(
  modifier: Modifier | undefined,
  added: ReadonlyMap<string, AddedInner>,
): Modifier | undefined {
  if (!modifier || added.size === 0) return modifier;
  return { ...modifier, children: new Map([...modifier.children].filter(([name]) => !added.has(name))) };
}

/** Few types have classes in them. */
function constraintIn(type: ClassEntity, { classes }: Shape): Pick<VariableInstance, 'constraint'> {
  const constraint = classes.size > 0 ? nestedClass(type, 'equalityConstraint') : undefined;
  return constraint ? { constraint } : {};
}

/** The next subscripts in row-major order. */
function advance(index: number[], dims: readonly number[]): void {
  for (let d = dims.length - 1; d >= 0; d--) {
    if (++index[d]! <= dims[d]!) return;
    index[d] = 1;
  }
}

function reverseFrom(list: ObjectNode[], first: number): void {
  for (let low = first, high = list.length - 1; low < high; low++, high--) {
    [list[low], list[high]] = [list[high]!, list[low]!];
  }
}
