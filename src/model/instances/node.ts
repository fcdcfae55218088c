/**
 * An object of the instance tree while it grows. Members that are not made yet are `pending`; asking for one makes it.
 * When all are made they stand in the order of declaration.
 */
import type { Span } from '../../diagnostic/source.ts';
import type * as ast from '../../syntax/ast.ts';
import type { ClassEntity } from '../classes/class.ts';
import type { Modifier } from '../classes/modification.ts';
import type { Shape, ShapeComponent } from '../classes/shape.ts';
import type {
  BehaviourSection,
  Bound,
  IndexType,
  Instance,
  InstanceBase,
  InstanceVariability,
  ObjectInstance,
  Scope,
  VariableInstance,
} from '../instance.ts';
import { joined } from '../instance.ts';

/** Makes members of objects; implemented by instantiation. */
export interface Maker {
  make(owner: ObjectNode, component: ShapeComponent): void;
  /** Makes the elements of an array that was uniform. */
  writeOut(array: ObjectNode): void;
  /** Reports that a member needs itself to be made. */
  cycle(owner: ObjectNode, name: string): void;
  /** Makes a member of an expandable connector after the model of another connector. */
  augment(owner: ObjectNode, name: string, like: ObjectNode, dims: readonly number[]): void;
}

const noOuters: ReadonlyMap<string, Instance> = new Map();
const noNames: ReadonlySet<string> = new Set();
const noIndexTypes: readonly IndexType[] = [];
const noSections: readonly BehaviourSection[] = [];

export class ObjectNode implements ObjectInstance {
  readonly kind = 'object';
  readonly name: string;
  readonly path: string;
  readonly parent: Instance | undefined;
  readonly variability: InstanceVariability;
  readonly causality: 'input' | 'output' | undefined;
  readonly connection: 'flow' | 'stream' | undefined;
  readonly inner: boolean;
  readonly outer: boolean;
  readonly protected: boolean;
  readonly final: boolean;
  readonly conditional: boolean;
  readonly description: string;
  readonly annotation: ast.Annotation | undefined;
  readonly span: Span;
  readonly class: ClassEntity;
  readonly restriction: ast.Restriction;
  readonly dims: readonly number[];
  readonly indexTypes: readonly IndexType[];
  readonly resizable: boolean;
  readonly members = new Map<string, Instance>();
  readonly binding: Bound | undefined;
  // Most objects have none of these: they share empty ones until they do.
  outers: ReadonlyMap<string, Instance> = noOuters;
  outerOutputs: ReadonlySet<string> = noNames;
  absent: ReadonlySet<string> = noNames;
  potential: ReadonlyMap<string, Instance> = noOuters;
  readonly sections: readonly BehaviourSection[];
  template: ObjectNode | undefined;
  prototype?: ObjectNode;
  /** What was gathered in this array, in the order of its elements. */
  readonly siblings: readonly Sibling[] | undefined;
  readonly names: readonly string[] | undefined;

  readonly modifier: Modifier | undefined;
  readonly depth: number;
  /** True for the holder of constants of a class, which is no instance: names in it mean constants. */
  readonly isClass: boolean;
  /** True where the value of this record, or of one around it, is given as a whole. */
  readonly bound: boolean;
  /** Problems below this object are not reported: it stands for the elements of an empty array. */
  readonly silent: boolean;
  /** The innermost array of gathered siblings that this object stands in: its problems are theirs. */
  readonly gathered: ObjectNode | undefined;
  /** Members asked for and not yet made: a second request for one of them is a cycle. */
  private making: string[] | undefined;
  /** True once a member was made ahead of its turn. */
  private early = false;
  private failed: Set<string> | undefined;
  private readonly made: ObjectNode[] = [];

  constructor(
    readonly maker: Maker,
    base: InstanceBase,
    entity: ClassEntity,
    readonly shape: Shape,
    options: {
      readonly modifier?: Modifier | undefined;
      readonly dims?: readonly number[];
      readonly indexTypes?: readonly IndexType[];
      readonly resizable?: boolean;
      readonly binding?: Bound | undefined;
      readonly silent?: boolean;
      readonly isClass?: boolean;
      readonly siblings?: readonly Sibling[];
    },
  ) {
    this.name = base.name;
    this.path = base.path;
    this.parent = base.parent;
    this.variability = base.variability;
    this.causality = base.causality;
    this.connection = base.connection;
    this.inner = base.inner;
    this.outer = base.outer;
    this.protected = base.protected;
    this.final = base.final;
    this.conditional = base.conditional;
    this.description = base.description;
    this.annotation = base.annotation;
    this.span = base.span;
    this.class = entity;
    this.restriction = shape.restriction;
    this.modifier = options.modifier;
    this.isClass = options.isClass ?? false;
    this.dims = options.dims ?? [];
    this.indexTypes = options.indexTypes ?? noIndexTypes;
    this.resizable = options.resizable ?? false;
    this.binding = options.binding;
    const above = base.parent instanceof ObjectNode ? base.parent : undefined;
    this.depth = above ? above.depth + 1 : 0;
    this.bound = options.binding !== undefined || (above?.bound ?? false);
    this.silent = (options.silent ?? false) || (above?.silent ?? false);
    this.siblings = options.siblings;
    this.names = options.siblings?.map(({ component }) => component.name);
    this.gathered = above?.siblings ? above : above?.gathered;
    const isArray = this.dims.length > 0;
    this.sections =
      isArray || shape.sections.length === 0
        ? noSections
        : shape.sections.map(({ section, lexical }) => ({ section, scope: { instance: this, lexical } }));
  }

  get elements(): readonly ObjectNode[] {
    this.writeOut();
    return this.made;
  }

  addElement(element: ObjectNode): void {
    this.made.push(element);
  }

  /** The instance of scopes for text in this object. */
  get scope(): ObjectNode | undefined {
    return this.isClass ? undefined : this;
  }

  find(name: string): Instance | 'absent' | undefined {
    const member = this.member(name);
    if (member !== 'cycle') return member;
    this.maker.cycle(this, name);
    return undefined;
  }

  writeOut(): void {
    if (this.template) this.maker.writeOut(this);
  }

  /** A member by name, made now if need be; `'cycle'` if it is being made. */
  member(name: string, inTurn = false): Instance | 'absent' | 'cycle' | undefined {
    const known = this.outers.get(name) ?? this.members.get(name);
    if (known) return known;
    if (this.absent.has(name) || this.potential.has(name)) return 'absent';
    if (this.dims.length > 0 || this.failed?.has(name)) return undefined;
    const component = this.shape.components.get(name);
    if (!component) return undefined;
    if (this.making?.includes(name)) return 'cycle';
    this.early ||= !inTurn;
    (this.making ??= []).push(name);
    this.maker.make(this, component);
    this.making.pop();
    if (this.absent.has(name)) return 'absent';
    const made = this.outers.get(name) ?? this.members.get(name);
    if (!made) (this.failed ??= new Set()).add(name);
    return made;
  }

  /** What a member declared `inner` is for the objects inside: where it is `outer` too, not what its name means here. */
  innerMember(name: string): Instance | 'absent' | 'cycle' | undefined {
    const member = this.member(name);
    return this.members.get(name) ?? member;
  }

  /** Enters an array as what the names of its elements mean. */
  addGathered(array: ObjectNode): void {
    for (const name of array.names ?? []) this.members.set(name, array);
    this.early = true;
  }

  addOuter(name: string, instance: Instance, output: boolean): void {
    this.outers = new Map(this.outers).set(name, instance);
    if (output) this.outerOutputs = new Set(this.outerOutputs).add(name);
  }

  addAbsent(name: string): void {
    this.absent = new Set(this.absent).add(name);
  }

  /** Makes all members in the order of declaration. */
  complete(): void {
    if (this.dims.length > 0) return;
    for (const name of this.shape.components.keys()) this.member(name, true);
    if (this.early) this.sort();
    if (this.restriction === 'expandable connector') this.hidePotential();
  }

  augment(name: string, like: Instance, dims: readonly number[]): void {
    const declared = this.potential.get(name);
    if (declared) {
      this.members.set(name, declared);
      this.potential = new Map([...this.potential].filter(([own]) => own !== name));
    } else if (like.kind === 'variable') this.members.set(name, variableLike(like, this, name, dims));
    else this.maker.augment(this, name, like as ObjectNode, dims);
  }

  /** What an expandable connector declares is present where a connect names it; parameters always are. */
  private hidePotential(): void {
    const potential = new Map(this.potential);
    for (const [name, member] of this.members) {
      if (member.variability === 'parameter' || member.variability === 'constant') continue;
      potential.set(name, member);
      this.members.delete(name);
    }
    this.potential = potential;
  }

  private sort(): void {
    const made = new Map(this.members);
    this.members.clear();
    for (const name of this.shape.components.keys()) {
      const member = made.get(name);
      if (member) this.members.set(name, member);
    }
  }
}

const measures: ReadonlySet<string> = new Set(['quantity', 'unit', 'displayUnit']);

/** A variable of an expandable connector, of the same type as another one. */
function variableLike(
  like: VariableInstance,
  owner: ObjectNode,
  name: string,
  dims: readonly number[],
): VariableInstance {
  const { binding: _, ...own } = like;
  const isWhole = dims.length === like.dims.length;
  return {
    ...own,
    ...{ name, path: joined(owner.path, name), parent: owner, causality: undefined, binding: undefined },
    ...{ inner: false, outer: false, protected: false, final: false, structural: false },
    variability: like.type === 'Real' ? 'continuous' : 'discrete',
    dims,
    indexTypes: dims.map(() => 'Integer' as const),
    attributes: new Map([...like.attributes].filter(([attribute]) => isWhole && measures.has(attribute))),
  };
}

/** A component with its declaration and all modifiers. */
export interface Sibling {
  readonly component: ShapeComponent;
  readonly declared: DeclaredNode;
}

export interface DeclaredNode {
  readonly clause: ast.ComponentClause;
  readonly declaration: ast.Declaration;
  /** Scope of the type's name. */
  readonly lexical: ClassEntity;
  readonly modifier: Modifier | undefined;
  /** Sizes with the scope of each, those of the name first. */
  readonly subscripts: readonly { readonly subscript: ast.Subscript; readonly scope: Scope }[];
  /** Sizes of what a redeclaration with sizes of its own replaces. */
  readonly replaced?: DeclaredNode['subscripts'];
  /** Whether it is there, with the class in which that is written. */
  readonly condition: { readonly expression: ast.Expression; readonly lexical: ClassEntity } | undefined;
}
