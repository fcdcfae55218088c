/** The variables of the text with their attributes: those of the model, and those that the text needs besides. */
import type { FlatVariable } from '../flat/flat.ts';
import type { PrintedDeclaration } from '../flat/print/class.ts';
import type { GuardedModel, Scalar } from '../modes/guarded.ts';
import { leaves } from '../symbolic/analyse.ts';
import type { Expr, Ref } from '../symbolic/expr.ts';
import type { ExportFrame } from './frame.ts';

export class Declarations {
  constructor(private readonly frame: ExportFrame) {}

  /** Parameters and inputs, then what is `determined` by equations. */
  all(determined: Iterable<number>): PrintedDeclaration[] {
    const { model } = this.frame;
    const known = model.scalars.flatMap((s, symbol) =>
      (s.kind === 'parameter' && s.variable) || s.kind === 'input' ? [symbol] : [],
    );
    const alphaOf = new Map([...this.frame.alphas].map(([ref, alpha]) => [alpha.symbol, ref]));
    return [...known, ...new Set(determined)].map((symbol) => {
      const scalar = model.scalars[symbol];
      if (scalar) return { symbol, variable: this.attributes(scalar, symbol) };
      const own = this.frame.words.declaration(symbol);
      const state = alphaOf.get(symbol);
      return state ? { symbol, variable: this.alphaAttributes(own.variable, state) } : own;
    });
  }

  private attributes(scalar: Scalar, symbol: number): FlatVariable {
    const { variable, start, binding, nominal, kind, type } = scalar;
    const say = (e: Expr | undefined) => e && this.frame.words.say(e);
    const usable =
      start && (kind === 'parameter' || isParametric(this.frame.model, start)) ? start : undefined;
    const base = variable ?? this.frame.words.declaration(this.frame.mode.symbol).variable;
    const common = {
      ...base,
      name: scalar.name,
      type: variable?.type ?? type,
      dims: [],
      flow: false,
      min: variable?.dims.length ? undefined : say(base.min),
      max: variable?.dims.length ? undefined : say(base.max),
      nominal: say(nominal),
      binding: say(binding),
      start: say(usable),
      structural: base.structural || this.decides(symbol),
    };
    if (kind === 'parameter' || kind === 'input') return common;
    const local = { ...common, description: variable?.description ?? '', causality: 'local' as const };
    if (kind === 'continuous')
      return {
        ...local,
        start: say(this.frame.fixed.get(symbol) ?? usable),
        fixed: this.frame.fixed.has(symbol) ? true : undefined,
        stateSelect: this.frame.isCommon(this.frame.pool.ref(symbol)) ? 'always' : 'default',
        variability: 'continuous',
      };
    const given = this.frame.systems[0]!.mode.initialEquations.some((e) =>
      leaves(e.left).some((leaf) => (leaf.kind === 'pre' || leaf.kind === 'ref') && leaf.symbol === symbol),
    );
    return {
      ...local,
      // Without a start value, the value at the beginning: nothing has changed before it.
      start: common.start ?? this.first(symbol, common.type),
      fixed: given ? undefined : true,
      variability: 'discrete',
    };
  }

  private first(symbol: number, type: FlatVariable['type']): Expr {
    const { pool, collection } = this.frame;
    const value = collection.values.get(pool.ref(symbol));
    return type === 'String' ? pool.text(pool.strings.textOf(value)) : pool.const(value);
  }

  /** A state of the initial mode is determined by its variable; any other begins somewhere. */
  private alphaAttributes(variable: FlatVariable, ref: Ref): FlatVariable {
    const start = ref.order === 0 ? this.frame.model.scalars[ref.symbol]!.start : undefined;
    const usable = start && isParametric(this.frame.model, start) ? start : this.frame.pool.zero;
    return { ...variable, start: usable, fixed: this.frame.systems[0]!.states.has(ref) ? undefined : true };
  }

  /** Whether the modes that there are depend on a parameter. */
  private decides(symbol: number): boolean {
    return this.frame.model.conditions.some(
      (c) =>
        c.structural &&
        c.constant &&
        leaves(c.value).some((leaf) => leaf.kind === 'ref' && leaf.symbol === symbol),
    );
  }
}

/** Whether an expression depends on parameters only. */
export function isParametric(model: GuardedModel, expr: Expr): boolean {
  return leaves(expr).every(
    (leaf) => leaf.kind === 'ref' && leaf.order === 0 && model.scalars[leaf.symbol]!.kind === 'parameter',
  );
}
