/**
 * Expressions in the user's words. Lowering adds variables of its own (`$when1`, `$floor2`) and flags; messages and
 * mode signatures show what these stand for: `edge(h < 0)`, `floor(x)`, `der(C*v)`, `sample(0, 0.1)`, `initial()`.
 */
import { sameItems } from '../collections/lists.ts';
import type { Origin } from '../flat/flat.ts';
import { type GuardedModel, valueName } from '../modes/guarded.ts';
import type { EquationDescription, IdleFlow } from '../structure/explain.ts';
import { children, fold, rebuild, symbolsOf } from '../symbolic/analyse.ts';
import type { Expr, Ref } from '../symbolic/expr.ts';
import type { FunctionDef } from '../symbolic/function.ts';
import { type Names, printExpr } from '../symbolic/print.ts';

export class Wording {
  /** What added variables are, by symbol. */
  private readonly meanings: Map<number, Expr>;
  private readonly shown = new Map<Expr, Expr>();
  private readonly inner: ReadonlySet<string>;

  constructor(
    private readonly model: GuardedModel,
    private readonly functions: readonly FunctionDef[],
  ) {
    const { equations, scalars } = model;
    this.meanings = meaningsOf(model);
    this.inner = innerNames(model);
    for (const { left, right, assigns } of equations) {
      if (left.kind !== 'ref' || left.order > 0 || scalars[left.symbol]!.variable) continue;
      this.meanings.set(left.symbol, assigns === undefined ? right : plainValue(right));
    }
  }

  /** A variable by its name, an added one by what it stands for. */
  nameOf(symbol: number): string {
    const meaning = this.meanings.get(symbol);
    return meaning ? this.print(meaning) : (this.model.scalars[symbol]?.name ?? `$${symbol}`);
  }

  /** `x`, `der(x)`, `der(x, 2)`. */
  nameOfRef({ symbol, order }: Ref): string {
    const name = this.nameOf(symbol);
    if (order === 0) return name;
    return order === 1 ? `der(${name})` : `der(${name}, ${order})`;
  }

  describeEquation(index: number): EquationDescription & { readonly origin: Origin } {
    const { left, right, origin } = this.model.equations[index]!;
    const own = left.kind === 'ref' && left.order === 0 ? this.model.scalars[left.symbol] : undefined;
    const wanted = left.kind === 'ref' ? left : undefined;
    const value = this.followsTable(index) ? 'its value in the table of inputs' : this.print(right, wanted);
    const text = own && !own.variable ? value : `${this.print(left)} = ${value}`;
    const idle = this.idleFlow(index);
    const isInner = [left, right].some((side) =>
      symbolsOf(side).some((symbol) => this.inner.has(this.model.scalars[symbol]!.name.split('[')[0]!)),
    );
    return { text, origin, span: origin.span, component: origin.component, isInner, ...(idle && { idle }) };
  }

  /** What an equation says of a flow that nothing is connected with. */
  private idleFlow(index: number): IdleFlow | undefined {
    const { left, right, origin } = this.model.equations[index]!;
    const own = left.kind === 'ref' && left.order === 0 ? this.model.scalars[left.symbol] : undefined;
    const isZero = right.kind === 'const' && right.value === 0;
    if (!own?.variable?.flow || !isZero || origin.span !== own.variable.origin.span) return undefined;
    return { flow: own.name, source: sources[own.variable.unit] };
  }

  /** Whether an equation is that of an input and its table. */
  followsTable(index: number): boolean {
    const { left, right } = this.model.equations[index]!;
    const { scalars } = this.model;
    return (
      left.kind === 'ref' &&
      scalars[left.symbol]!.variable?.driven === true &&
      symbolsOf(right).some((symbol) => scalars[symbol]!.name.startsWith('$'))
    );
  }

  /** The text of an expression; where it is the value of a variable, by names that its values have. */
  print(expr: Expr, variable?: Ref): string {
    const names: Names = {
      nameOfSymbol: (symbol) => this.nameOf(symbol),
      nameOfValue: (symbol, value) => valueName(this.model.scalars[symbol]!, value),
      nameOfRelation: (relation) => this.relation(relation),
      nameOfFunction: (fn) => this.functions[fn]!.name,
    };
    return printExpr(this.readable(expr), names, variable);
  }

  relation(relation: number): string {
    const { op, left, right } = this.model.relations[relation]!;
    return this.print(this.model.pool.raw(op, [left, right]));
  }

  private readable(root: Expr): Expr {
    return fold(root, this.shown, (node) => this.edgeOf(node) ?? this.meaningOf(node) ?? this.copyOf(node));
  }

  private copyOf(node: Expr): Expr {
    const { pool } = this.model;
    const below = children(node).map((child) => this.shown.get(child)!);
    if (sameItems(below, children(node))) return node;
    return node.kind === 'apply' ? pool.raw(node.op, below) : rebuild(pool, node, below);
  }

  private meaningOf(node: Expr): Expr | undefined {
    const meaning = node.kind === 'ref' ? this.meanings.get(node.symbol) : undefined;
    if (!meaning) return undefined;
    this.shown.set(node, node);
    const value = this.readable(meaning);
    return node.kind === 'ref' && node.order > 0 ? this.model.pool.raw('der', [value]) : value;
  }

  /** `b and not pre(b)`, also with `and not initial()`, is `edge(b)`. */
  private edgeOf(node: Expr): Expr | undefined {
    if (node.kind !== 'apply' || node.op !== 'and') return undefined;
    const [left, right] = node.args as [Expr, Expr];
    if (right.kind !== 'apply' || right.op !== 'not') return undefined;
    const denied = right.args[0]!;
    if (denied.kind === 'ref' && denied.symbol === this.model.flags.initial) return this.edgeOf(left);
    if (left.kind !== 'ref' || denied.kind !== 'pre' || left.symbol !== denied.symbol) return undefined;
    return this.model.pool.raw('edge', [this.readable(left)]);
  }
}

/** Classes that give the potential beside a flow, by the unit of the flow. */
const sources: Readonly<Record<string, string>> = {
  'N.m': 'Mutabor.Rotational.Position',
  N: 'Mutabor.Translational.Position',
  A: 'Mutabor.Electrical.SignalVoltage',
};

/** Names of variables that the parts of a whole have together: no text declares them. */
const innerNames = ({ components }: GuardedModel): ReadonlySet<string> =>
  new Set(
    components.flatMap(({ flat: { whole, outputs } }) =>
      outputs.flatMap(({ name, value }) =>
        value.kind === 'ref' && whole?.symbols.has(value.symbol) ? [name] : [],
      ),
    ),
  );

/** What flags, and parameters that hold start values, stand for. */
export function meaningsOf({ pool, flags, samples, scalars }: GuardedModel): Map<number, Expr> {
  const meanings = new Map<number, Expr>();
  meanings.set(flags.initial, pool.raw('initial', []));
  meanings.set(flags.terminal, pool.raw('terminal', []));
  if (flags.acting !== undefined) meanings.set(flags.acting, pool.one);
  for (const { flag, start, interval } of samples) meanings.set(flag, pool.raw('sample', [start, interval]));
  for (const { start, startSymbol } of scalars)
    if (start && startSymbol !== undefined) meanings.set(startSymbol, start);
  return meanings;
}

/** Values near an event are rounded to its side; the last branch is the plain value. What is there to be kept is what was computed at an event. */
export function plainValue(value: Expr): Expr {
  let plain = value;
  while (plain.kind === 'apply' && plain.op === 'if')
    plain = plain.args[2]!.kind === 'pre' ? plain.args[1]! : plain.args[2]!;
  return plain;
}
