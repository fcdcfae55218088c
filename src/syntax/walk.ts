/** Equations and statements inside others, and all that is in a tree. */
import type { Call, ComponentRef, Statement } from './ast.ts';

/** What equations and statements of all kinds have inside: the body of a loop, branches. */
interface Nested<N> {
  readonly kind: string;
  readonly body?: readonly N[];
  readonly branches?: readonly { readonly body: readonly N[] }[];
  readonly otherwise?: readonly N[] | undefined;
}

/** Equations, or statements, at any depth, outer ones before those inside. */
export function* nodesIn<N extends Nested<N>>(nodes: readonly N[]): Generator<N> {
  for (const node of nodes) {
    yield node;
    if (node.body) yield* nodesIn(node.body);
    if (node.branches) for (const { body } of node.branches) yield* nodesIn(body);
    if (node.otherwise) yield* nodesIn(node.otherwise);
  }
}

/** All nodes of a part of a tree that have a kind, those of annotations excepted; the callers tell these apart. */
export function* everyNode(root: unknown): Generator<Call | ComponentRef | Statement> {
  const stack: unknown[] = [root];
  while (stack.length > 0) {
    const node = stack.pop();
    if (typeof node !== 'object' || node === null) continue;
    if ('kind' in node) yield node as Call | ComponentRef | Statement;
    for (const [name, part] of Object.entries(node)) if (name !== 'annotation') stack.push(part);
  }
}
