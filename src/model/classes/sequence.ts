/**
 * The order of components in functions and records, by which calls give them their values: what an extends clause adds stands where the clause
 * does (specification 3.6, sections 5.6.1.4 and 12.4.1).
 */
import type * as ast from '../../syntax/ast.ts';

export const isByPosition = ({ restriction }: ast.ClassDef): boolean =>
  restriction.endsWith('function') || restriction.endsWith('record');

/** Components that are added to a shape in another order than that of the text. */
export class DeclarationOrder<T> {
  private readonly groups: { readonly at: number; readonly names: string[] }[] = [];
  private known: number;

  constructor(private readonly components: Map<string, T>) {
    this.known = components.size;
  }

  /** Notes what an element of the text has added. */
  added({ start }: ast.Node): void {
    const { size } = this.components;
    if (size > this.known)
      this.groups.push({ at: start, names: [...this.components.keys()].slice(this.known) });
    this.known = size;
  }

  /** Puts what was added into the order of the text. */
  restore(): void {
    const sorted = this.groups.toSorted((a, b) => a.at - b.at);
    if (sorted.every((group, k) => group === this.groups[k])) return;
    for (const name of sorted.flatMap(({ names }) => names)) {
      const component = this.components.get(name)!;
      this.components.delete(name);
      this.components.set(name, component);
    }
  }
}
