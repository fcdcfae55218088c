/**
 * Classes as seen from a place. The same text can be several classes: `Medium.BaseProperties` depends on which medium was
 * put in place of a replaceable one, and a class that is inherited sees the elements of the class that inherits it. So
 * a `ClassEntity` is a definition together with its enclosing scope and the modifications of its elements.
 *
 * Three entities play together where a class B is inherited by D:
 *   `origin`  B itself, as declared; its elements decide which names belong to the scope of B,
 *   `self`    D, whose elements (with their modifications and redeclarations) these names mean,
 *   the entity with both, "B seen by D", is the lexical scope of everything that is written in B.
 */
import { remember } from '../../collections/memo.ts';
import type { Span } from '../../diagnostic/source.ts';
import type * as ast from '../../syntax/ast.ts';
import type { ClassNode, Instance, ObjectInstance, Scope } from '../instance.ts';
import type { Found } from './lookup.ts';
import type { Modifier } from './modification.ts';
import type { Shape } from './shape.ts';
import type { ClassStore } from './store.ts';

export interface EntityOptions {
  readonly modifier?: Modifier | undefined;
  /** Modifiers that hold for every class in this place, below those that the class writes itself (section 7.3.2). */
  readonly constraint?: Modifier | undefined;
  readonly origin?: ClassEntity;
  readonly self?: ClassEntity;
  /** The inherited class that `class extends` refines. */
  readonly refined?: ClassEntity;
  /** Inner classes that are extended in the place of outer ones, by their definitions. */
  readonly inners?: Inners | undefined;
  /** The folder whose files hold further classes of this package. */
  readonly folder?: string | undefined;
  /** The class as its file declares it, where this is what it is by way of a class that inherits or modifies what is around it. */
  readonly stored?: ClassEntity | undefined;
}

export type Inners = ReadonlyMap<ast.ClassDef, ClassEntity>;

export class ClassEntity implements ClassNode {
  readonly modifier: Modifier | undefined;
  readonly constraint: Modifier | undefined;
  readonly origin: ClassEntity;
  readonly self: ClassEntity;
  readonly refined: ClassEntity | undefined;
  readonly inners: Inners | undefined;
  readonly folder: string | undefined;
  readonly stored: ClassEntity | undefined;

  /** Results of lookups that start here, `null` for names that were not found. */
  readonly found = new Map<string, Found | null>();
  /** Constants of this class that were instantiated. */
  readonly constants = new Map<string, Instance>();
  /** Constants that are being instantiated: a second request for one is a cycle. */
  readonly making = new Set<string>();
  /** Classes from the folder, `null` where there is no file; and those added with `within`. */
  readonly filed = new Map<string, ClassEntity | null>();
  /** The elements, or those collected so far while `collecting`. */
  shape: Shape | undefined;
  collecting = false;
  /** The instantiation for which the elements were last asked for: what is wrong with them concerns its model. */
  consulted = 0;
  private readonly seen = new Map<ClassEntity, ClassEntity>();
  /** Itself where it extends inner classes, by the first of these. */
  private extended: WeakMap<ClassEntity, ClassEntity[]> | undefined;

  constructor(
    readonly library: ClassStore,
    readonly definition: ast.ClassDef,
    readonly parent: ClassEntity | undefined,
    readonly path: string,
    options: EntityOptions = {},
  ) {
    this.modifier = options.modifier;
    this.constraint = options.constraint;
    this.origin = options.origin ?? this;
    this.self = options.self ?? this;
    this.refined = options.refined;
    this.inners = options.inners;
    this.folder = options.folder;
    this.stored = options.stored;
  }

  /** This class as a scope in which names mean the elements of `self`. */
  seenBy(self: ClassEntity): ClassEntity {
    if (self === this.self) return this;
    if (self === this.origin) return this.origin;
    return remember(self.seen, this.origin, () => {
      const { library, definition, parent, path, origin, refined, folder, stored } = this;
      return new ClassEntity(library, definition, parent, path, { origin, self, refined, folder, stored });
    });
  }

  /** The same class with further modifications of its elements. */
  modified(modifier: Modifier): ClassEntity {
    const { library, definition, parent, path, constraint, origin, refined, folder, stored, inners } = this;
    return new ClassEntity(library, definition, parent, path, {
      modifier,
      ...{ constraint, origin, refined, folder, stored, inners },
    });
  }

  /** The same class where it extends these inner classes in the place of outer ones. */
  extending(inners: Inners): ClassEntity {
    const [first] = inners.values();
    const others = remember((this.extended ??= new WeakMap()), first!, () => []);
    const known = others.find((one) =>
      [...inners].every(([outer, inner]) => one.inners!.get(outer) === inner),
    );
    if (known) return known;
    const { library, definition, parent, path, modifier, constraint, origin, refined, folder, stored } = this;
    const made = new ClassEntity(library, definition, parent, path, {
      ...{ modifier, constraint, origin, refined, folder, stored, inners },
    });
    others.push(made);
    return made;
  }

  span(node: ast.Node): Span {
    return { source: this.definition.source, start: node.start, end: node.end };
  }
}

export function entityOf(node: ClassNode): ClassEntity {
  if (!(node instanceof ClassEntity)) throw new TypeError(`class ${node.path} does not come from a library`);
  return node;
}

/** What a class declares itself, indexed once a definition. */
export interface OwnElements {
  readonly classes: ReadonlyMap<string, OwnClass>;
  readonly components: readonly OwnComponent[];
  readonly componentNames: ReadonlySet<string>;
  readonly imports: readonly ast.ImportClause[];
  readonly extends: readonly OwnExtends[];
  readonly sections: readonly (ast.EquationSection | ast.AlgorithmSection)[];
  /** Classes declared a second time under the same name. */
  readonly repeated: readonly ast.ClassDef[];
}

export interface OwnExtends {
  readonly clause: ast.ExtendsClause;
  /** Then all that is inherited is. */
  readonly protected: boolean;
}

export interface OwnClass {
  readonly definition: ast.ClassDef;
  readonly protected: boolean;
}

export interface OwnComponent {
  readonly clause: ast.ComponentClause;
  readonly declaration: ast.Declaration;
  readonly protected: boolean;
}

const ownElements = new WeakMap<ast.ClassDef, OwnElements>();

export function elementsOf(definition: ast.ClassDef): OwnElements {
  return remember(ownElements, definition, () => indexElements(definition));
}

function indexElements(definition: ast.ClassDef): OwnElements {
  const classes = new Map<string, OwnClass>();
  const components: OwnComponent[] = [];
  const imports: ast.ImportClause[] = [];
  const bases: OwnExtends[] = [];
  const sections: (ast.EquationSection | ast.AlgorithmSection)[] = [];
  const repeated: ast.ClassDef[] = [];
  for (const section of definition.body.kind === 'long' ? definition.body.sections : []) {
    if (section.kind !== 'elements') {
      sections.push(section);
      continue;
    }
    const hidden = section.visibility === 'protected';
    for (const element of section.elements) {
      switch (element.kind) {
        case 'import':
          imports.push(element);
          break;
        case 'extends':
          bases.push({ clause: element, protected: hidden });
          break;
        case 'class':
          if (classes.has(element.name.text)) repeated.push(element);
          else classes.set(element.name.text, { definition: element, protected: hidden });
          break;
        case 'component':
          for (const declaration of element.declarations) {
            components.push({ clause: element, declaration, protected: hidden });
          }
          break;
        default:
          element satisfies never;
      }
    }
  }
  const componentNames = new Set(components.map((component) => component.declaration.name.text));
  return { classes, components, componentNames, imports, extends: bases, sections, repeated };
}

/**
 * The instance to which a modifier of a class belongs: the object itself where it is written in the class or a base of it,
 * the enclosing object for the modifiers of a short class that is local to it.
 */
export function instanceFor(scope: Scope, owner: ObjectInstance): Instance | undefined {
  const { self } = entityOf(scope.lexical);
  for (let at: Instance | undefined = owner; at; at = at.parent) {
    if (at.kind !== 'object' || at.dims.length > 0 || at.class !== self) continue;
    return at.scope;
  }
  return undefined;
}
