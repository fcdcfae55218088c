/**
 * The equations of one connection set, written out (Modelica 3.6, section 9.2): the potentials are equal and the flows sum to zero, those of outside
 * connectors with a minus sign. Streams are mixed (`streams.ts`).
 */

import { isConnector } from '../../model/types/connectors.ts';
import type { Expr } from '../../symbolic/expr.ts';
import type { FlatBuilder } from '../core/context.ts';
import { arraysAround, outerDims, subscriptedName } from '../core/families.ts';
import { symbolDims } from '../expressions/references.ts';
import type { FlatEquation, Origin } from '../flat.ts';
import { type ConnectionSet, type SetNode, wholeSymbol } from './sets.ts';
import { StreamLaws } from './streams.ts';

/** A summand of flows. */
export interface Term {
  readonly expr: Expr;
  readonly outside: boolean;
}

export class SetLaws {
  private readonly streams: StreamLaws;

  constructor(private readonly builder: FlatBuilder) {
    this.streams = new StreamLaws(builder);
  }

  setEquations({ nodes, origin }: Pick<ConnectionSet, 'nodes' | 'origin'>): FlatEquation[] {
    const at = nodes.map((node) => this.subscripts(node).map((own) => this.builder.pool.const(own)));
    return this.equationsOf(nodes, at, origin);
  }

  /** The equations of a set whose members have these subscripts. */
  equationsOf(nodes: readonly SetNode[], at: readonly (readonly Expr[])[], origin: Origin): FlatEquation[] {
    const first = nodes[0]!;
    const dims = first.number === wholeSymbol ? symbolDims(this.builder, first.variable) : ownDims(first);
    if (first.variable.connection === 'stream') return this.streams.equations(nodes, at, dims, origin);
    const exprs = nodes.map((node, k) => this.expr(node, at[k]!));
    if (first.variable.connection === 'flow') {
      const terms = nodes.map(({ outside }, k) => ({ expr: exprs[k]!, outside }));
      const ordered = [...terms.filter((t) => !t.outside), ...terms.filter((t) => t.outside)];
      return [this.zeroSum(ordered, dims, origin)];
    }
    const [left, ...others] = exprs as [Expr, ...Expr[]];
    return others.flatMap((right) => (right === left ? [] : [{ kind: 'equal', left, right, dims, origin }]));
  }

  zeroSum(terms: readonly Term[], dims: readonly number[], origin: Origin): FlatEquation {
    const { builder } = this;
    const { pool } = builder;
    let sum: Expr | undefined;
    for (const { expr, outside } of terms) {
      if (!sum) sum = outside ? builder.apply('neg', dims, expr) : expr;
      else sum = builder.apply(outside ? 'sub' : 'add', dims, sum, expr);
    }
    const zero =
      dims.length === 0 ? pool.zero : pool.apply('fill', pool.zero, ...dims.map((n) => pool.const(n)));
    return { kind: 'equal', left: sum!, right: zero, dims, origin };
  }

  /** Subscripts of a node in its symbol, as far as it has them. */
  subscripts({ variable, number, split }: SetNode): number[] {
    if (number === wholeSymbol) return [];
    const around = this.builder.families.around(variable);
    if (around.length === 0 && !split) return [];
    const result: number[] = [];
    pushSubscripts(result, number, split ? symbolDims(this.builder, variable) : outerDims(around));
    return result;
  }

  expr(node: SetNode, subscripts?: readonly Expr[]): Expr {
    const { pool, symbols } = this.builder;
    const own = subscripts ?? this.subscripts(node).map((at) => pool.const(at));
    const symbol = symbols.get(node.variable)!;
    if (own.length === 0) return pool.ref(symbol);
    return pool.ref(symbol, 0, [...own, ...ownDims(node).map(() => pool.apply('colon'))]);
  }

  /** The connector of a variable. */
  connectorName(node: SetNode): string {
    const { parent } = node.variable;
    const name = parent?.kind === 'object' && isConnector(parent) ? parent.path : node.variable.path;
    const around = this.builder.families.around(node.variable);
    const own = this.subscripts(node).slice(0, outerDims(around).length);
    return subscriptedName({ name, within: arraysAround(around) }, own.map(String));
  }
}

/** Appends the subscripts, from 1, of the element with a row-major number. */
export function pushSubscripts(list: number[], number: number, dims: readonly number[]): void {
  if (dims.length === 1) {
    list.push(number + 1);
    return;
  }
  const from = list.length;
  let rest = number;
  for (let d = dims.length - 1; d >= 0; d--) {
    list[from + d] = (rest % dims[d]!) + 1;
    rest = Math.floor(rest / dims[d]!);
  }
}

/** The sizes of what a node stands for. */
export const ownDims = ({ variable, split }: SetNode): readonly number[] => (split ? [] : variable.dims);
