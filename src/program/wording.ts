/**
 * Expressions in the user's words. Lowering adds variables of its own (`$when1`, `$floor2`) and flags; messages and
 * mode signatures show what these stand for: `edge(h < 0)`, `floor(x)`, `der(C*v)`, `sample(0, 0.1)`, `initial()`.
 */
import { sameItems } from '../collections/lists.ts';
import type { Origin } from '../flat/flat.ts';
import type { GuardedModel } from '../modes/guarded.ts';
import type { EquationDescription } from '../structure/explain.ts';
import { children, fold, rebuild } from '../symbolic/analyse.ts';
import type { Expr, Ref } from '../symbolic/expr.ts';
import type { FunctionDef } from '../symbolic/function.ts';
import { printExpr } from '../symbolic/print.ts';

export class Wording {
  /** What added variables are, by symbol. */
  private readonly meanings: Map<number, Expr>;
  private readonly shown = new Map<Expr, Expr>();

  constructor(
    private readonly model: GuardedModel,
    private readonly functions: readonly FunctionDef[],
  ) {
    const { equations, scalars } = model;
    this.meanings = meaningsOf(model);
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
    const added = left.kind === 'ref' && left.order === 0 && !this.model.scalars[left.symbol]!.variable;
    const text = added ? this.print(right) : `${this.print(left)} = ${this.print(right)}`;
    return { text, origin, span: origin.span, component: origin.component };
  }

  print(expr: Expr): string {
    return printExpr(this.readable(expr), {
      nameOfSymbol: (symbol) => this.nameOf(symbol),
      nameOfRelation: (relation) => {
        const { op, left, right } = this.model.relations[relation]!;
        return this.print(this.model.pool.raw(op, [left, right]));
      },
      nameOfFunction: (fn) => this.functions[fn]!.name,
    });
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

/** What flags, and parameters that hold start values, stand for. */
export function meaningsOf({ pool, flags, samples, scalars }: GuardedModel): Map<number, Expr> {
  const meanings = new Map<number, Expr>();
  meanings.set(flags.initial, pool.raw('initial', []));
  meanings.set(flags.terminal, pool.raw('terminal', []));
  for (const { flag, start, interval } of samples) meanings.set(flag, pool.raw('sample', [start, interval]));
  for (const { start, startSymbol } of scalars)
    if (start && startSymbol !== undefined) meanings.set(startSymbol, start);
  return meanings;
}

/** Values near an event are rounded to its side; the last branch is the plain value. */
export function plainValue(value: Expr): Expr {
  let plain = value;
  while (plain.kind === 'apply' && plain.op === 'if') plain = plain.args[2]!;
  return plain;
}
