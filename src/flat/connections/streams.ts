/**
 * The equations of connection sets of stream variables (Modelica 3.6, section 15.2). What streams into one member of a set is the mixture of what the
 * other members give, weighted with what flows out of them: of inside connectors their stream variables, of outside connectors what
 * streams into these from beyond. Into inside connectors it is `inStream`; for outside connectors it is the stream variable itself.
 *
 * With one other member the mixture is what that gives, whatever flows. With more, weights are those of the
 * specification: exact where anything flows at all, and equal where nothing does; in between they are continuously differentiable. Members that
 * nothing can flow out of, by the bounds of their flows, give nothing.
 */
import type { VariableInstance } from '../../model/instance.ts';
import type { Expr } from '../../symbolic/expr.ts';
import type { FlatBuilder } from '../core/context.ts';
import { outerDims } from '../core/families.ts';
import { boundValue } from '../expressions/bindings.ts';
import { fixedNumber } from '../expressions/constants.ts';
import { flowOf, inwardSymbol } from '../expressions/streams.ts';
import type { FlatEquation, Origin } from '../flat.ts';
import type { ConnectionSets, SetNode } from './sets.ts';

/** Below this part of its nominal value, a flow counts as none where streams are mixed. */
const negligible = 1e-8;

/** What a member gives to a mixture. */
interface Source {
  /** What flows out of the member. */
  readonly flow: Expr;
  readonly value: Expr;
  readonly nominal: number;
  /** It can be positive. */
  readonly flows: boolean;
}

/** Exactly one scalar flow goes with the streams of a connector. */
export function checkStreams(builder: FlatBuilder): void {
  const seen = new Set<VariableInstance['parent']>();
  for (const variable of builder.instances) {
    const { parent, span } = variable;
    if (variable.connection !== 'stream') continue;
    if (seen.has(parent)) continue;
    seen.add(parent);
    let connector = parent;
    while (connector?.kind === 'object' && connector.restriction.endsWith('record'))
      connector = connector.parent;
    if (connector?.kind !== 'object' || !connector.restriction.endsWith('connector')) {
      builder.reportAt('bad-stream', `\`${variable.path}\` is a stream variable, but not in a connector.`, {
        span,
        hint: 'Declare it in a connector, or without `stream`.',
      });
      continue;
    }
    const flows = [...connector.members.values()].filter((one) => one.connection === 'flow');
    const only = flows.length === 1 ? flows[0]! : undefined;
    if (only?.kind === 'variable' && only.dims.length === 0 && only.type === 'Real') continue;
    const has = only
      ? `\`${only.name}\`, which is not a scalar Real`
      : flows.length === 0
        ? 'none'
        : flows.map(({ name }) => `\`${name}\``).join(', ');
    const message = `The connector \`${connector.class.path}\` has streams, so it needs exactly one flow variable; it has ${has}.`;
    builder.reportAt('bad-stream', message, {
      span,
      hint: 'Declare one scalar `flow` variable in the connector: what carries the streams.',
      notes: flows.map(({ name, span: at }) => ({ message: `\`${name}\` is declared here`, span: at })),
    });
  }
}

/** Asks for what streams into outside connectors: mixtures beyond them contain it. */
export function requestStreams(builder: FlatBuilder, { nodes, members }: ConnectionSets): void {
  if (!nodes.blocks.some(({ variable }) => variable.connection === 'stream')) return;
  for (const node of members) {
    const { variable, outside } = nodes.at(node);
    if (outside && variable.connection === 'stream') inwardSymbol(builder, variable);
  }
}

export class StreamLaws {
  private readonly bounds = new Map<VariableInstance, { readonly min: number; readonly max: number }>();
  private readonly nominals = new Map<VariableInstance, number>();

  constructor(private readonly builder: FlatBuilder) {}

  /** The equations of one set; `at` are the subscripts of its members. */
  equations(
    nodes: readonly SetNode[],
    at: readonly (readonly Expr[])[],
    dims: readonly number[],
    origin: Origin,
  ): FlatEquation[] {
    const { builder } = this;
    const refs = nodes.map(({ variable }, k) =>
      this.ref(builder.symbols.get(variable)!, variable, at[k]!, dims),
    );
    const inward = nodes.map(({ variable }, k) => {
      const symbol = builder.streams.get(variable);
      return symbol === undefined ? undefined : this.ref(symbol, variable, at[k]!, dims);
    });
    const sources = nodes.map((node, k) => this.source(node, at[k]!, node.outside ? inward[k]! : refs[k]!));
    return nodes.flatMap(({ outside }, k): FlatEquation[] => {
      const left = outside ? refs[k]! : inward[k];
      if (!left) return [];
      const others = sources.filter((_, other) => other !== k);
      const right = this.mixture(others, dims) ?? (outside ? inward[k]! : refs[k]!);
      return left === right ? [] : [{ kind: 'equal', left, right, dims, origin }];
    });
  }

  private ref(
    symbol: number,
    variable: VariableInstance,
    at: readonly Expr[],
    dims: readonly number[],
  ): Expr {
    const { pool } = this.builder;
    if (at.length === 0) return pool.ref(symbol);
    const rest = dims.length > 0 ? variable.dims.map(() => pool.apply('colon')) : [];
    return pool.ref(symbol, 0, [...at, ...rest]);
  }

  private source({ variable, outside }: SetNode, at: readonly Expr[], value: Expr): Source {
    const { pool, symbols, families } = this.builder;
    const flow = flowOf(variable);
    const symbol = flow && symbols.get(flow);
    if (!flow || symbol === undefined) return { flow: pool.zero, value, nominal: 1, flows: true };
    const own = pool.ref(symbol, 0, at.slice(0, outerDims(families.around(flow)).length));
    const { min, max } = this.boundsOf(flow);
    return {
      flow: outside ? own : pool.neg(own),
      value,
      nominal: this.nominalOf(flow),
      flows: outside ? max > 0 : min < 0,
    };
  }

  /** Undefined where nothing gives anything. */
  private mixture(others: readonly Source[], dims: readonly number[]): Expr | undefined {
    if (others.length === 1) return others[0]!.value;
    const sources = others.filter(({ flows }) => flows);
    if (sources.length < 2) return sources[0]?.value;
    const { builder } = this;
    const { pool } = builder;
    const outflows = sources.map(({ flow }) => pool.apply('max', flow, pool.zero));
    const eps = pool.const(negligible * Math.min(...sources.map(({ nominal }) => nominal)));
    const total = sum(builder, outflows, []);
    const alpha = this.alpha(total, eps);
    const least = pool.mul(pool.sub(pool.one, alpha), eps);
    // The weights are alpha*outflow + least; their sums are written with each term once.
    const carried = sources.map(({ value }, k) => builder.apply('mul', dims, outflows[k]!, value));
    const values = sources.map(({ value }) => value);
    const given = builder.apply('mul', dims, alpha, sum(builder, carried, dims));
    const shared = builder.apply('mul', dims, least, sum(builder, values, dims));
    const weight = pool.add(pool.mul(alpha, total), pool.mul(least, pool.const(sources.length)));
    return builder.apply('div', dims, builder.apply('add', dims, given, shared), weight);
  }

  /** 0 where nothing flows, 1 where more than `eps` does, and a smooth curve in between. */
  private alpha(total: Expr, eps: Expr): Expr {
    const { pool } = this.builder;
    const part = pool.div(total, eps);
    const curve = pool.mul(pool.mul(part, part), pool.sub(pool.const(3), pool.mul(pool.const(2), part)));
    const low = pool.if(pool.apply('gt', total, pool.zero), curve, pool.zero);
    return pool.apply('smooth', pool.one, pool.if(pool.apply('gt', total, eps), pool.one, low));
  }

  private boundsOf(flow: VariableInstance): { readonly min: number; readonly max: number } {
    const known = this.bounds.get(flow);
    if (known) return known;
    const [min, max] = [this.attribute(flow, 'min') ?? -Infinity, this.attribute(flow, 'max') ?? Infinity];
    const bounds = { min, max };
    this.bounds.set(flow, bounds);
    return bounds;
  }

  private nominalOf(flow: VariableInstance): number {
    const known = this.nominals.get(flow);
    if (known !== undefined) return known;
    const nominal = Math.abs(this.attribute(flow, 'nominal') ?? 1) || 1;
    this.nominals.set(flow, nominal);
    return nominal;
  }

  /** What is wrong with an attribute is reported where the variable is made. */
  private attribute(flow: VariableInstance, name: 'min' | 'max' | 'nominal'): number | undefined {
    const bound = flow.attributes.get(name);
    if (!bound) return undefined;
    const mark = this.builder.mark();
    const value = boundValue(this.builder, bound, flow, { name, type: 'Real' });
    const number = value && fixedNumber(this.builder, value.expr);
    this.builder.rewind(mark);
    return number;
  }
}

function sum(builder: FlatBuilder, terms: readonly Expr[], dims: readonly number[]): Expr {
  return terms.reduce((total, term) => builder.apply('add', dims, total, term));
}
