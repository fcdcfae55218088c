/**
 * Instantiation of a model by its name, and of constants on demand (specification 3.6, section 5.6). The work is done by
 * `builder.ts`.
 */
import { type Diagnostic, error } from '../../diagnostic/diagnostic.ts';
import type { Span } from '../../diagnostic/source.ts';
import type * as ast from '../../syntax/ast.ts';
import type { ClassEntity } from '../classes/class.ts';
import type { Library } from '../classes/library.ts';
import { deadImports } from '../classes/lookup.ts';
import type { ShapeComponent } from '../classes/shape.ts';
import type { Instance, ObjectInstance } from '../instance.ts';
import { Builder } from './builder.ts';
import { ObjectNode } from './node.ts';

export interface Override {
  /** Dotted. */
  readonly name: string;
  readonly value: ast.Expression;
  readonly span: Span;
}

export interface InstantiateOptions {
  /** Outermost modifiers, as `--set a.b=3` gives them. */
  readonly overrides?: readonly Override[];
}

export interface Instantiation {
  readonly root: ObjectInstance | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** Warnings that matter only where nothing else is wrong. */
  readonly deadImports: () => Diagnostic[];
}

/** The instance tree of a model by its qualified name. */
export function instantiate(library: Library, name: string, options: InstantiateOptions = {}): Instantiation {
  const builder = new Builder(library);
  const root = builder.root(name, options.overrides ?? []);
  return {
    root,
    diagnostics: distinct([...library.takeProblems(), ...builder.diagnostics]),
    deadImports: () => (root ? deadImports(library, [root.class, ...builder.classes]) : []),
  };
}

/** A member of an object, also of one that is not complete yet. */
export function memberOf(instance: ObjectInstance, name: string): Instance | 'absent' | undefined {
  if (instance instanceof ObjectNode) {
    const member = instance.member(name);
    if (member !== 'cycle') return member;
    instance.maker.cycle(instance, name);
    return undefined;
  }
  const member = instance.members.get(name) ?? instance.outers?.get(name);
  return member ?? (instance.absent.has(name) ? 'absent' : undefined);
}

/** Makes the elements of an array of components one by one, because they turn out to differ. */
export function writeOut(array: ObjectInstance): void {
  if (array instanceof ObjectNode && array.template) array.maker.writeOut(array);
}

/** A constant of a class, instantiated when it is first used. */
export function constantOf(owner: ClassEntity, component: ShapeComponent): Instance | undefined {
  const { name } = component;
  const known = owner.constants.get(name);
  if (known) return known;
  if (owner.making.has(name)) {
    const span = component.lexical.span(component.declaration.name);
    const message = `The size of the constant \`${owner.path}.${name}\` depends on itself.`;
    owner.library.addProblems([error('cyclic-definition', message, { span })]);
    return undefined;
  }
  owner.making.add(name);
  const made = new Builder(owner.library).constant(owner, component);
  owner.making.delete(name);
  return made;
}

/** Diagnostics without repetitions: a constant that fails does so at every use. */
function distinct(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const seen = new Set<string>();
  return diagnostics.filter(({ message, span }) => {
    const key = `${span?.source.name} ${span?.start} ${message}`;
    return !seen.has(key) && seen.add(key);
  });
}
