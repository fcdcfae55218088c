/**
 * Instantiation of a model by its name (specification 3.6, section 5.6). The work is done by
 * `builder.ts`.
 */

import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import type { ClassEntity } from '../classes/class.ts';
import { deadImports } from '../classes/imports.ts';
import type { ShapeComponent } from '../classes/shape.ts';
import type { ClassStore } from '../classes/store.ts';
import type { ObjectInstance } from '../instance.ts';
import { InstanceBuilder } from './builder.ts';
import type { ObjectNode } from './node.ts';
import type { Override } from './outside.ts';

export interface InstantiationLimits {
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
export function instantiate(
  library: ClassStore,
  name: string,
  options: InstantiationLimits = {},
): Instantiation {
  library.begin();
  const overrides = options.overrides ?? [];
  let builder = new InstanceBuilder(library);
  let root = builder.root(name, overrides);
  for (let inners = builder.missingInners(); inners; inners = builder.missingInners()) {
    builder = new InstanceBuilder(library, inners);
    root = builder.root(name, overrides);
  }
  return {
    root,
    diagnostics: distinct([...library.takeProblems(), ...builder.diagnostics]),
    deadImports: () => (root ? deadImports(library, [root.class, ...builder.classes]) : []),
  };
}

/** An instance of a class, of which only those members are made that somebody asks for. Partial classes have one too, and mistakes are not reported. */
export interface OnDemand {
  readonly root: ObjectInstance;
  /** The class of a member of the root or of an object below it, whether the member is there or not. */
  typeOf(owner: ObjectInstance, component: ShapeComponent): ClassEntity | undefined;
  /** Makes all members of an object, at any depth. */
  complete(object: ObjectInstance): void;
}

export function onDemand(entity: ClassEntity): OnDemand {
  const builder = new InstanceBuilder(entity.library);
  const root = builder.onDemand(entity);
  return {
    root,
    typeOf: (owner, component) => builder.typeOf(owner as ObjectNode, component),
    complete: (object) => builder.complete(object as ObjectNode),
  };
}

/** Diagnostics without repetitions: a constant that fails does so at every use. */
function distinct(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const seen = new Set<string>();
  return diagnostics.filter(({ message, span }) => {
    const key = `${span?.source.name} ${span?.start} ${message}`;
    return !seen.has(key) && seen.add(key);
  });
}
