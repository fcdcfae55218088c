/**
 * What is computed once, before a run: initial values of the states, and parameters that only the vector part knows. They are arrays like
 * all others: one formula and a loop for all elements, never one expression for each.
 */
import type { FlatVariable } from '../../flat/flat.ts';
import type { Knowledge } from '../../structure/nonzero.ts';
import { reachable } from '../../symbolic/analyse.ts';
import type { Expr, Ref } from '../../symbolic/expr.ts';
import type { Pool } from '../../symbolic/pool.ts';
import { type Arrays, Unfit } from '../elements/affine.ts';
import type { Kernel } from '../elements/kernel.ts';
import { nodesOf, referencesIn } from '../elements/nodes.ts';
import { Divisors } from './divisors.ts';
import type { Match } from './match.ts';
import { orderMatches } from './order.ts';

export class Once {
  private readonly pool: Pool;
  private readonly divisors: Divisors;
  private readonly matches: Match[] = [];

  constructor(
    private readonly arrays: Arrays,
    private readonly knowledge: Knowledge,
  ) {
    this.pool = arrays.pool;
    this.divisors = new Divisors(arrays.pool, knowledge, () => undefined);
  }

  /** How `symbol := value` is computed; undefined where there is no formula of parameters for its elements. */
  formula(symbol: number, value: Expr, { origin }: FlatVariable): readonly Match[] | undefined {
    const body = { kind: 'equal', left: this.pool.ref(symbol), right: value, origin } as const;
    const nodes = nodesOf(this.arrays, { equation: -1, loops: [], body });
    if (nodes instanceof Unfit || !nodes.every((node) => this.isKnown(node.right))) return undefined;
    return nodes.map((node) => ({ node, target: node.left as Ref, value: node.right }));
  }

  add(formula: readonly Match[]): void {
    this.matches.push(...formula);
  }

  /** Symbols that have been read so far. */
  read(): number[] {
    return this.matches.flatMap(({ value }) => referencesIn(value).map(({ symbol }) => symbol));
  }

  /** In order; undefined where values are defined in terms of each other. */
  kernels(): readonly Kernel[] | undefined {
    const kernels = orderMatches(this.pool, this.matches, this.divisors);
    return 'symbols' in kernels ? undefined : kernels;
  }

  private isKnown(expr: Expr): boolean {
    return !reachable(expr, (node) => {
      if (node.kind !== 'ref') return node.kind === 'time';
      return node.order > 0 || !this.knowledge.isParameter(node.symbol);
    });
  }
}
