/** Equations and statements inside others. */

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
