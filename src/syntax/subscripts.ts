/** Where an iterator stands alone as a subscript: these places give it its range where none is written (specification 3.6, section 11.2.2.1). */
import type { ComponentRef, Expression, Iterator } from './ast.ts';

/** `a.x[k, i]`: the iterator `i` is subscript number `dimension`, counted from 0, of part number `part`. */
export interface SubscriptUse {
  readonly ref: ComponentRef;
  readonly part: number;
  readonly dimension: number;
}

/** All such places in a tree, without those where an inner iterator of the same name is meant. */
export function* subscriptUses(name: string, root: unknown): Generator<SubscriptUse> {
  if (typeof root !== 'object' || root === null) return;
  if (Array.isArray(root)) {
    for (const item of root) yield* subscriptUses(name, item);
    return;
  }
  const node = root as Partial<ComponentRef> & { readonly iterators?: readonly Iterator[] };
  if (node.iterators?.some((iterator) => iterator.name.text === name)) return;
  if (node.kind === 'ref') yield* usesIn(name, node as ComponentRef);
  for (const part of Object.values(node)) yield* subscriptUses(name, part);
}

function* usesIn(name: string, ref: ComponentRef): Generator<SubscriptUse> {
  for (const [part, { subscripts }] of ref.parts.entries())
    for (const [dimension, subscript] of subscripts.entries())
      if (subscript.kind === 'ref' && isName(subscript, name)) yield { ref, part, dimension };
}

/** Whether an expression is just a name. */
export const isName = (node: Expression, name: string): boolean =>
  node.kind === 'ref' &&
  !node.global &&
  node.parts.length === 1 &&
  node.parts[0]!.name === name &&
  node.parts[0]!.subscripts.length === 0;
