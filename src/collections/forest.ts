/** Disjoint sets as forests: each member knows one above it, and a root stands for its set. */

/** The root of a member; `parents[root]` is the root itself. What is passed on the way is put directly below it. */
export function rootIn(parents: number[] | Int32Array, member: number): number {
  let root = member;
  while (parents[root] !== root) root = parents[root]!;
  for (let at = member; parents[at] !== root; ) {
    const next = parents[at]!;
    parents[at] = root;
    at = next;
  }
  return root;
}

/** Numbers that are tied together two by two: those that nobody tied are by themselves. */
export class Ties {
  private readonly parents = new Map<number, number>();

  tie(a: number, b: number): void {
    this.parents.set(this.root(a), this.root(b));
  }

  /** The given numbers, and all that are tied to one of them. */
  with(numbers: Iterable<number>): Set<number> {
    const all = new Set(numbers);
    const roots = new Set([...all].map((number) => this.root(number)));
    for (const number of this.parents.keys()) if (roots.has(this.root(number))) all.add(number);
    for (const root of roots) all.add(root);
    return all;
  }

  /** What stands for all numbers that are tied to this one. */
  root(number: number): number {
    let at = number;
    for (let up = this.parents.get(at); up !== undefined && up !== at; up = this.parents.get(at)) {
      this.parents.set(at, this.parents.get(up) ?? up);
      at = up;
    }
    return at;
  }
}
