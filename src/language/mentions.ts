/**
 * All names in a text with what they mean. The walk follows the tree, so that it knows the scope of every name: a modifier names an element of the class that is modified, the name
 * of an argument an input of the function, and an iterator hides what is outside of its loop. What a name means is found when it is asked for.
 */
import type { Source } from '../diagnostic/source.ts';
import type { ClassEntity } from '../model/classes/class.ts';
import { elementOf, shapeOf } from '../model/classes/shape.ts';
import type { Library } from '../model/library.ts';
import { builtinNames } from '../model/predefined.ts';
import type * as ast from '../syntax/ast.ts';
import type { Document } from './document.ts';
import {
  calledBy,
  classOf,
  elementIn,
  type Meaning,
  meaningOf,
  memberOf,
  modifiable,
  type Scope,
  topLevel,
} from './meaning.ts';
import { endName, entityOf, packageOf } from './scopes.ts';

/** A name in a text. */
export interface Mention {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** `declares`: the declaration itself; `refers`: any other place. */
  readonly role: 'declares' | 'refers';
  readonly meaning: () => Meaning | undefined;
}

/** The part of a text that is looked at; names outside of it may be left out. */
export interface Region {
  readonly from: number;
  readonly to: number;
}

/** Calls `visit` for each name in a text, or at least for those in a region of it. */
export function eachMention(
  document: Document,
  library: Library,
  visit: (mention: Mention) => void,
  region: Region = { from: 0, to: document.text.length },
): void {
  new Walk(document, library, visit, region).stored(document.definition);
}

/** The name at a place. */
export function mentionAt(document: Document, library: Library, offset: number): Mention | undefined {
  let found: Mention | undefined;
  const region = { from: offset, to: offset };
  const visit = (mention: Mention): void => {
    const { from, to } = mention;
    // At the end of one name and the beginning of another, the latter is meant.
    if (from <= offset && offset <= to && (!found || from > found.from)) found = mention;
  };
  eachMention(document, library, visit, region);
  return found;
}

type Find = () => Meaning | undefined;

const nothing: Find = () => undefined;

/** The value of a thunk, computed once. */
function once(find: Find): Find {
  let known: { readonly meaning: Meaning | undefined } | undefined;
  return () => (known ??= { meaning: find() }).meaning;
}

class Walk {
  private readonly source: Source;

  constructor(
    private readonly document: Document,
    private readonly library: Library,
    private readonly visit: (mention: Mention) => void,
    private readonly region: Region,
  ) {
    this.source = document.source;
  }

  private misses({ start, end }: ast.Node): boolean {
    return end < this.region.from || start > this.region.to;
  }

  private mention(ident: ast.Ident, meaning: Find, role: Mention['role'] = 'refers'): void {
    if (!this.misses(ident))
      this.visit({ from: ident.start, to: ident.end, text: ident.text, role, meaning });
  }

  // ---------------------------------------------------------------- classes

  stored({ within, classes }: ast.StoredDefinition): void {
    if (within) this.globalName(within);
    const parent = packageOf(this.document, this.library);
    for (const item of classes) this.classDef(item, parent);
  }

  private classDef(definition: ast.ClassDef, parent: ClassEntity | undefined): void {
    if (this.misses(definition)) return;
    const { name, body, constrainedBy } = definition;
    const entity = entityOf(this.library, definition, parent);
    const own: Find = once(() => declaredClass(entity, definition, parent));
    this.mention(name, own, 'declares');
    const around = this.scope(parent);
    if (constrainedBy) this.constraint(constrainedBy, around);
    switch (body.kind) {
      case 'long':
        this.longBody(body, entity, own);
        break;
      case 'short':
        this.shortBody(body, around, this.scope(entity));
        break;
      case 'enumeration':
        for (const literal of body.literals ?? []) {
          this.mention(literal.name, () => elementIn(entity, literal.name.text), 'declares');
          this.comment(literal.comment, this.scope(entity));
        }
        this.comment(body.comment, this.scope(entity));
        break;
      case 'der': {
        const base = this.name(body.base, around);
        for (const variable of body.variables) this.mention(variable, within(base, elementIn, variable.text));
        this.comment(body.comment, this.scope(entity));
        break;
      }
      default:
        body satisfies never;
    }
  }

  private scope(entity: ClassEntity | undefined): Scope {
    return { entity, library: this.library, iterators: [] };
  }

  private longBody(body: ast.LongBody, entity: ClassEntity, own: Find): void {
    const scope = this.scope(entity);
    const end = endName(body, this.source.text);
    if (end) this.mention(end, own);
    if (body.classExtends?.modification) this.arguments(body.classExtends.modification, own, scope);
    for (const section of body.sections) {
      if (this.misses(section)) continue;
      if (section.kind === 'elements') for (const element of section.elements) this.element(element, entity);
      else if (section.kind === 'equations') this.equations(section.equations, scope);
      else this.statements(section.statements, scope);
    }
    if (body.external) {
      const { result, arguments: list, annotation } = body.external;
      if (result) this.ref(result, scope);
      for (const argument of list) this.expression(argument, scope);
      this.annotation(annotation, scope);
    }
    this.annotation(body.annotation, scope);
  }

  /** The base and the modifiers of a short class belong to the scope around it. */
  private shortBody(body: ast.ShortBody, around: Scope, inside: Scope): void {
    const base = this.name(body.base, around);
    this.subscripts(body.subscripts, around);
    if (body.modification) this.arguments(body.modification, base, around);
    this.comment(body.comment, inside);
  }

  private element(element: ast.Element, entity: ClassEntity): void {
    if (this.misses(element)) return;
    const scope = this.scope(entity);
    switch (element.kind) {
      case 'import': {
        const whole = this.globalName(element.name);
        if (element.alias) this.mention(element.alias, whole, 'declares');
        for (const name of element.selection ?? []) this.mention(name, within(whole, elementIn, name.text));
        this.comment(element.comment, scope);
        break;
      }
      case 'extends': {
        const base = this.name(element.base, scope);
        if (element.modification) this.arguments(element.modification, base, scope);
        this.annotation(element.annotation, scope);
        break;
      }
      case 'class':
        this.classDef(element, entity);
        break;
      case 'component':
        this.component(
          element,
          scope,
          (declaration) => () => declared(entity, element, declaration),
          'declares',
        );
        break;
      default:
        element satisfies never;
    }
  }

  /** A component clause; `own` says what the names that it declares mean. */
  private component(
    clause: ast.ComponentClause,
    scope: Scope,
    own: (declaration: ast.Declaration) => Find,
    role: Mention['role'],
  ): void {
    const type = this.name(clause.type, scope);
    this.subscripts(clause.subscripts, scope);
    if (clause.constrainedBy) this.constraint(clause.constrainedBy, scope);
    for (const declaration of clause.declarations) {
      if (this.misses(declaration)) continue;
      this.mention(declaration.name, once(own(declaration)), role);
      this.subscripts(declaration.subscripts, scope);
      this.modification(declaration.modification, type, scope);
      if (declaration.condition) this.expression(declaration.condition, scope);
      this.comment(declaration.comment, scope);
    }
  }

  private constraint({ name, modification, comment }: ast.ConstrainedBy, scope: Scope): void {
    const base = this.name(name, scope);
    if (modification) this.arguments(modification, base, scope);
    this.comment(comment, scope);
  }

  // ---------------------------------------------------------------- modifications

  private modification(modification: ast.Modification | undefined, target: Find, scope: Scope): void {
    if (!modification || this.misses(modification)) return;
    if (modification.arguments) this.arguments(modification.arguments, target, scope);
    if (modification.value && modification.value !== 'break') this.expression(modification.value, scope);
  }

  private arguments({ arguments: list }: ast.ClassModification, target: Find, scope: Scope): void {
    for (const argument of list) {
      if (this.misses(argument)) continue;
      switch (argument.kind) {
        case 'modify': {
          let at = target;
          for (const part of argument.name.parts) {
            at = within(at, modifiable, part.text);
            this.mention(part, at);
          }
          this.modification(argument.modification, at, scope);
          break;
        }
        case 'redeclare':
          this.redeclaration(argument.element, target, scope);
          break;
        case 'break':
          if ('text' in argument.target)
            this.mention(argument.target, within(target, elementIn, argument.target.text));
          else {
            this.refIn(argument.target.left, target, scope);
            this.refIn(argument.target.right, target, scope);
          }
          break;
        default:
          argument satisfies never;
      }
    }
  }

  /** What is redeclared is an element of what is modified. */
  private redeclaration(element: ast.ClassDef | ast.ComponentClause, target: Find, scope: Scope): void {
    const { kind, constrainedBy } = element;
    if (kind === 'component') {
      this.component(element, scope, ({ name }) => within(target, elementIn, name.text), 'refers');
      return;
    }
    this.mention(element.name, within(target, elementIn, element.name.text));
    if (constrainedBy) this.constraint(constrainedBy, scope);
    if (element.body.kind === 'short') this.shortBody(element.body, scope, scope);
  }

  // ---------------------------------------------------------------- annotations

  private comment({ annotation }: ast.Comment, scope: Scope): void {
    this.annotation(annotation, scope);
  }

  /** The names of an annotation are no names of the model; its values are. */
  private annotation(annotation: ast.Annotation | undefined, scope: Scope): void {
    if (!annotation || this.misses(annotation)) return;
    this.annotationArguments(annotation.modification, scope);
  }

  private annotationArguments({ arguments: list }: ast.ClassModification, scope: Scope): void {
    for (const argument of list) {
      if (this.misses(argument) || argument.kind === 'break') continue;
      if (argument.kind === 'redeclare') {
        // Choices of redeclarations are made of the class.
        const own: Find = () => scope.entity && { kind: 'class', entity: scope.entity };
        this.redeclaration(argument.element, own, scope);
        continue;
      }
      const { modification } = argument;
      if (modification?.arguments) this.annotationArguments(modification.arguments, scope);
      // Graphical values are records that are no classes: their names mean nothing.
      if (modification?.value && modification.value !== 'break') this.expression(modification.value, scope);
    }
  }

  /** `%R` and `%{R}` in a text that is drawn. */
  private macros({ text, start }: ast.StringLiteral, scope: Scope): void {
    for (const found of text.matchAll(/%(?:\{([A-Za-z_][\w.]*)\}|([A-Za-z_]\w*))/g)) {
      const path = (found[1] ?? found[2]!).split('.');
      let at = start + found.index + (found[1] === undefined ? 1 : 2);
      let meaning: Find = nothing;
      for (const [k, name] of path.entries()) {
        const before = meaning;
        meaning = once(k === 0 ? () => drawn(scope, name) : within(before, elementIn, name));
        this.mention({ start: at, end: at + name.length, text: name }, meaning);
        at += name.length + 1;
      }
    }
  }

  // ---------------------------------------------------------------- equations and statements

  private equations(equations: readonly ast.Equation[], scope: Scope): void {
    for (const equation of equations) {
      if (this.misses(equation)) continue;
      this.comment(equation.comment, scope);
      switch (equation.kind) {
        case 'equal':
          this.expression(equation.left, scope);
          this.expression(equation.right, scope);
          break;
        case 'connect':
          this.ref(equation.left, scope);
          this.ref(equation.right, scope);
          break;
        case 'call':
          this.expression(equation.call, scope);
          break;
        case 'if':
        case 'when':
          this.branches(equation.branches, scope, (body) => this.equations(body, scope));
          if (equation.kind === 'if' && equation.otherwise) this.equations(equation.otherwise, scope);
          break;
        case 'for':
          this.equations(equation.body, this.iterated(equation.iterators, scope));
          break;
        default:
          equation satisfies never;
      }
    }
  }

  private statements(statements: readonly ast.Statement[], scope: Scope): void {
    for (const statement of statements) {
      if (this.misses(statement)) continue;
      this.comment(statement.comment, scope);
      switch (statement.kind) {
        case 'assign':
          this.ref(statement.target, scope);
          this.expression(statement.value, scope);
          break;
        case 'multiassign':
          for (const target of statement.targets) if (target) this.ref(target, scope);
          this.expression(statement.call, scope);
          break;
        case 'call':
          this.expression(statement.call, scope);
          break;
        case 'if':
        case 'when':
          this.branches(statement.branches, scope, (body) => this.statements(body, scope));
          if (statement.kind === 'if' && statement.otherwise) this.statements(statement.otherwise, scope);
          break;
        case 'while':
          this.expression(statement.condition, scope);
          this.statements(statement.body, scope);
          break;
        case 'for':
          this.statements(statement.body, this.iterated(statement.iterators, scope));
          break;
        case 'break':
        case 'return':
          break;
        default:
          statement satisfies never;
      }
    }
  }

  private branches<Item>(
    branches: readonly ast.Branch<Item>[],
    scope: Scope,
    inside: (body: readonly Item[]) => void,
  ): void {
    for (const { condition, body } of branches) {
      this.expression(condition, scope);
      inside(body);
    }
  }

  /** The scope inside of a loop. */
  private iterated(iterators: readonly ast.Iterator[], outer: Scope): Scope {
    let scope = outer;
    for (const iterator of iterators) {
      if (iterator.range) this.expression(iterator.range, scope);
      const own = { iterator, source: this.source };
      this.mention(iterator.name, () => ({ kind: 'iterator', ...own }), 'declares');
      scope = { ...scope, iterators: [...scope.iterators, own] };
    }
    return scope;
  }

  // ---------------------------------------------------------------- expressions

  /** Expressions may be deep: a stack of work instead of recursion. */
  private expression(root: ast.Expression | ast.PartialApplication, outer: Scope): void {
    const work: [ast.Expression | ast.PartialApplication | ast.Colon | undefined, Scope][] = [[root, outer]];
    for (let next = work.pop(); next; next = work.pop()) {
      const [node, scope] = next;
      if (!node || this.misses(node)) continue;
      const push = (
        ...parts: readonly (ast.Expression | ast.PartialApplication | ast.Colon | undefined)[]
      ): void => {
        for (const part of parts) if (part) work.push([part, scope]);
      };
      switch (node.kind) {
        case 'number':
        case 'string':
        case 'boolean':
        case 'end':
        case 'colon':
          break;
        case 'ref':
          this.ref(node, scope);
          break;
        case 'call':
          for (const [part, inner] of this.call(node, scope)) work.push([part, inner]);
          break;
        case 'partial': {
          const fn = this.name(node.function, scope);
          for (const { name, value } of node.arguments) {
            this.mention(name, within(fn, elementIn, name.text));
            push(value);
          }
          break;
        }
        case 'unary':
          push(node.operand);
          break;
        case 'binary':
          push(node.left, node.right);
          break;
        case 'if':
          for (const { condition, value } of node.branches) push(condition, value);
          push(node.otherwise);
          break;
        case 'range':
          push(node.first, node.step, node.last);
          break;
        case 'array':
          push(...node.elements);
          break;
        case 'matrix':
          for (const row of node.rows) push(...row);
          break;
        case 'comprehension':
          work.push([node.value, this.iterated(node.iterators, scope)]);
          break;
        case 'index':
          push(node.array, ...node.subscripts);
          break;
        case 'tuple':
          push(...node.members);
          break;
        default:
          node satisfies never;
      }
    }
  }

  /** The arguments of a call with their scopes. */
  private call(node: ast.Call, outer: Scope): [ast.Expression | ast.PartialApplication, Scope][] {
    const callee = this.ref(node.callee, outer);
    const scope = node.iterators ? this.iterated(node.iterators, outer) : outer;
    const parts = node.positional.map((argument): [ast.Expression | ast.PartialApplication, Scope] => [
      argument,
      scope,
    ]);
    for (const { name, value } of node.named) {
      this.mention(name, () => {
        const fn = calledBy(callee());
        return fn && elementIn(fn, name.text);
      });
      if (name.text === 'textString' && value.kind === 'string') this.macros(value, scope);
      parts.push([value, scope]);
    }
    return parts;
  }

  private subscripts(subscripts: readonly ast.Subscript[], scope: Scope): void {
    for (const subscript of subscripts) if (subscript.kind !== 'colon') this.expression(subscript, scope);
  }

  // ---------------------------------------------------------------- names

  /** A reference; gives what it means as a whole. */
  private ref(ref: ast.ComponentRef, scope: Scope): Find {
    const first = ref.parts[0]!;
    const start: Find = ref.global
      ? () => topLevel(this.library, first.name)
      : () => meaningOf(scope, first.name);
    return this.refParts(ref, start, scope);
  }

  /** A reference to something inside of a class: `break connect(a, b)`. */
  private refIn(ref: ast.ComponentRef, target: Find, scope: Scope): void {
    this.refParts(ref, within(target, elementIn, ref.parts[0]!.name), scope);
  }

  private refParts(ref: ast.ComponentRef, start: Find, scope: Scope): Find {
    if (this.misses(ref)) return once(() => wholeOf(ref, start));
    let meaning: Find = nothing;
    for (const [k, part] of ref.parts.entries()) {
      const before = meaning;
      meaning = once(k === 0 ? start : () => next(before(), part.name));
      const name = { start: part.start, end: part.start + part.name.length, text: part.name };
      this.mention(name, k > 0 && k === ref.parts.length - 1 ? orOperator(meaning, ref) : meaning);
      this.subscripts(part.subscripts, scope);
    }
    return ref.parts.length > 1 ? orOperator(meaning, ref) : meaning;
  }

  /** The name of a class; gives what it means as a whole. */
  private name(name: ast.Name, scope: Scope): Find {
    const first = name.parts[0];
    if (!first) return nothing;
    if (name.global) return this.globalName(name);
    return this.nameParts(name, () => meaningOf(scope, first.text));
  }

  private globalName(name: ast.Name): Find {
    const first = name.parts[0];
    return first ? this.nameParts(name, () => topLevel(this.library, first.text)) : nothing;
  }

  private nameParts({ parts }: ast.Name, start: Find): Find {
    let meaning: Find = nothing;
    for (const [k, part] of parts.entries()) {
      const before = meaning;
      meaning = once(k === 0 ? start : () => next(before(), part.text));
      this.mention(part, meaning);
    }
    return meaning;
  }
}

const next = (before: Meaning | undefined, name: string): Meaning | undefined =>
  before && memberOf(before, name);

function wholeOf({ parts }: ast.ComponentRef, start: Find): Meaning | undefined {
  return parts.slice(1).reduce((meaning, { name }) => next(meaning, name), start());
}

/** Operators such as `Connections.root` have a dotted name, of which the first part means nothing. */
const orOperator =
  (meaning: Find, { parts }: ast.ComponentRef): Find =>
  () => {
    const dotted = parts.map(({ name }) => name).join('.');
    return meaning() ?? (builtinNames.has(dotted) ? { kind: 'builtin', name: dotted } : undefined);
  };

/** Something in the class of what is meant. */
const within = (
  target: Find,
  look: (entity: ClassEntity, name: string) => Meaning | undefined,
  name: string,
): Find =>
  once(() => {
    const meaning = target();
    const entity = meaning && classOf(meaning);
    return entity && look(entity, name);
  });

/** What a macro of a drawn text means: only components have values. */
function drawn({ entity }: Scope, name: string): Meaning | undefined {
  const meaning = entity && elementIn(entity, name);
  return meaning?.kind === 'component' ? meaning : undefined;
}

/** A class that is declared here: the element of the class around it, unless another one has its name. */
function declaredClass(
  entity: ClassEntity,
  { name }: ast.ClassDef,
  parent: ClassEntity | undefined,
): Meaning {
  const element = parent && shapeOf(parent.self).classes.get(name.text);
  const isOwn =
    element?.definition.name.start === name.start &&
    element.definition.source.name === entity.definition.source.name;
  return { kind: 'class', entity, element: isOwn ? element : undefined };
}

/** A component that is declared here: the element of the class, unless another declaration has its name. */
function declared(owner: ClassEntity, clause: ast.ComponentClause, declaration: ast.Declaration): Meaning {
  const element = elementOf(owner.self, declaration.name.text);
  if (element?.kind === 'component' && element.declaration.name.start === declaration.name.start)
    return { kind: 'component', component: element, owner };
  const { text: name } = declaration.name;
  const component = {
    kind: 'component',
    name,
    clause,
    declaration,
    lexical: owner,
    protected: false,
  } as const;
  return { kind: 'component', component: { ...component, modifier: undefined }, owner };
}
