/**
 * Equations as text for the tests of `structure/`: `x'' = -l*x`, `z := 2*x` for a discrete-time equation,
 * `p`, `q` … known where they are given a value. Functions are those of `ScalarOp` with one argument. And
 * numbers: blocks are run by a dense Newton iteration with difference quotients, which shares nothing with
 * the solvers of the package.
 */

import type { Block, ScalarEquation, ScalarVariable, SortedMode } from '../../src/structure/analysis.ts';
import type { ModeOptions, ModeResult } from '../../src/structure/mode.ts';
import { sortMode } from '../../src/structure/mode.ts';
import { evaluate } from '../../src/symbolic/evaluate.ts';
import type { Expr, Ref, ScalarOp } from '../../src/symbolic/expr.ts';
import { Pool } from '../../src/symbolic/pool.ts';

export class Notation {
  readonly pool = new Pool();
  readonly names: string[] = [];
  readonly known: Record<string, number>;
  private readonly texts: string[] = [];

  constructor(known: Record<string, number> = {}) {
    this.known = known;
  }

  symbol(name: string): number {
    if (!this.names.includes(name)) this.names.push(name);
    return this.names.indexOf(name);
  }

  name(symbol: number): string {
    return this.names[symbol]!;
  }

  text(ref: Ref): string {
    return this.name(ref.symbol) + "'".repeat(ref.order);
  }

  expr(text: string): Expr {
    const tokens = text.match(/[a-zA-Z_]\w*'*|[\d.]+|[-+*/^(),]/g) ?? [];
    let at = 0;
    const take = (token: string) => tokens[at] === token && ++at > 0;
    const sum = (): Expr => {
      let value = take('-') ? this.pool.neg(product()) : product();
      for (;;) {
        if (take('+')) value = this.pool.add(value, product());
        else if (take('-')) value = this.pool.sub(value, product());
        else return value;
      }
    };
    const product = (): Expr => {
      let value = power();
      for (;;) {
        if (take('*')) value = this.pool.mul(value, power());
        else if (take('/')) value = this.pool.div(value, power());
        else return value;
      }
    };
    const power = (): Expr => {
      const base = factor();
      return take('^') ? this.pool.apply('pow', base, factor()) : base;
    };
    const factor = (): Expr => {
      const token = tokens[at++]!;
      if (token === '(') {
        const value = sum();
        take(')');
        return value;
      }
      if (/^[\d.]/.test(token)) return this.pool.const(Number(token));
      if (token === 'time') return this.pool.time;
      if (take('(')) {
        const args = [sum()];
        while (take(',')) args.push(sum());
        take(')');
        return this.pool.apply(token as ScalarOp, ...args);
      }
      const name = token.replace(/'+$/, '');
      return this.pool.ref(this.symbol(name), token.length - name.length);
    };
    return sum();
  }

  equation(text: string): ScalarEquation {
    const index = this.texts.push(text) - 1;
    const [left, right] = text.split(/:?=/).map((side) => this.expr(side)) as [Expr, Expr];
    const assigns = text.includes(':=') && left.kind === 'ref' ? left.symbol : undefined;
    return { left, right, assigns, index };
  }

  /** All symbols that are not known, with attributes; those assigned by `:=` are discrete. */
  variables(
    equations: readonly ScalarEquation[],
    attributes: Record<string, Partial<ScalarVariable>> = {},
  ): ScalarVariable[] {
    const assigned = new Set(equations.map(({ assigns }) => assigns));
    return this.names
      .map((name, symbol) => ({
        symbol,
        stateSelect: 'default' as const,
        discrete: assigned.has(symbol),
        weight: 0,
        ...attributes[name],
      }))
      .filter(({ symbol }) => !(this.names[symbol]! in this.known));
  }

  options(values: Record<string, number> = {}): ModeOptions {
    return {
      isParameter: (symbol) => this.name(symbol) in this.known,
      evaluate: (expr) =>
        evaluate(expr, (leaf) => {
          if (leaf.kind === 'time') return 0;
          if (leaf.kind !== 'ref') throw new Error(`no value of ${leaf.kind}`);
          return this.known[this.name(leaf.symbol)] ?? values[this.text(leaf)] ?? Number.NaN;
        }),
      nameOfSymbol: (symbol) => this.name(symbol),
      describeEquation: (index) => ({ text: this.texts[index]!, component: '' }),
    };
  }
}

export interface Setting {
  readonly known?: Record<string, number>;
  readonly attributes?: Record<string, Partial<ScalarVariable>>;
  /** Current values of variables and derivatives. */
  readonly values?: Record<string, number>;
  readonly choices?: readonly (readonly number[])[];
}

export interface TestMode {
  readonly notation: Notation;
  readonly result: ModeResult;
}

export function analyse(equations: readonly string[], setting: Setting = {}): TestMode {
  const notation = new Notation(setting.known);
  const list = equations.map((text) => notation.equation(text));
  const variables = notation.variables(list, setting.attributes);
  const options = {
    ...notation.options(setting.values),
    ...(setting.choices && { choices: setting.choices }),
  };
  return { notation, result: sortMode(notation.pool, list, variables, options) };
}

/** A mode that must be right, with its states and blocks as text. */
export function sorted(equations: readonly string[], setting: Setting = {}) {
  const { notation, result } = analyse(equations, setting);
  if (!result.mode) throw new Error(result.diagnostics.map((d) => d.message).join('\n'));
  const mode: SortedMode = result.mode;
  const text = (ref: Ref) => notation.text(ref);
  return {
    notation,
    mode,
    states: mode.states.map(text),
    blocks: mode.blocks.map((block) =>
      block.kind === 'assign'
        ? text(block.unknown)
        : `[${[...block.inner.map(({ unknown }) => unknown), ...block.tears].map(text).sort().join(' ')}]`,
    ),
    aliases: mode.aliases.map(
      ({ symbol, target, sign }) =>
        `${notation.name(symbol)} = ${sign === 1 ? '' : '-'}${notation.name(target)}`,
    ),
    selections: mode.selections.map(({ candidates, dependent }) => ({
      candidates: candidates.map(text),
      dependent: dependent.map((k) => text(candidates[k]!)),
    })),
  };
}

/** Runs blocks from given values; Newton starts from what `values` holds, or 0.1. */
export function runBlocks(blocks: readonly Block[], values: Map<Expr, number>, time = 0): void {
  const of = (expr: Expr) =>
    evaluate(expr, (leaf) => {
      if (leaf.kind === 'time') return time;
      const value = values.get(leaf);
      if (value === undefined) throw new Error('used before it is computed');
      return value;
    });
  for (const block of blocks) {
    if (block.kind === 'assign') {
      values.set(block.unknown, of(block.value));
      continue;
    }
    const residuals = (x: readonly number[]) => {
      block.tears.forEach((tear, k) => {
        values.set(tear, x[k]!);
      });
      for (const { unknown, value } of block.inner) values.set(unknown, of(value));
      return block.residuals.map(of);
    };
    const x = newton(
      residuals,
      block.tears.map((tear) => values.get(tear) ?? 0.1),
      block.linear ? 2 : 60,
    );
    residuals(x);
  }
}

function newton(
  f: (x: readonly number[]) => number[],
  start: readonly number[],
  iterations: number,
): number[] {
  let x = [...start];
  for (let k = 0; k < iterations; k++) {
    const base = f(x);
    const columns = x.map((value, j) => {
      const h = 1e-7 * Math.max(1, Math.abs(value));
      return f(x.map((v, i) => (i === j ? v + h : v))).map((r, i) => (r - base[i]!) / h);
    });
    const step = solveDense(
      base.map((_, i) => columns.map((column) => column[i]!)),
      base,
    );
    x = x.map((v, j) => v - step[j]!);
    if (Math.max(...step.map(Math.abs)) < 1e-13) break;
  }
  return x;
}

export function solveDense(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const n = right.length;
  const a = matrix.map((row, i) => [...row, right[i]!]);
  for (let k = 0; k < n; k++) {
    let p = k;
    for (let i = k + 1; i < n; i++) if (Math.abs(a[i]![k]!) > Math.abs(a[p]![k]!)) p = i;
    [a[k], a[p]] = [a[p]!, a[k]!];
    if (Math.abs(a[k]![k]!) < 1e-13) throw new Error('singular');
    for (let i = k + 1; i < n; i++) {
      const factor = a[i]![k]! / a[k]![k]!;
      for (let j = k; j <= n; j++) a[i]![j]! -= factor * a[k]![j]!;
    }
  }
  const x = new Array<number>(n).fill(0);
  for (let k = n - 1; k >= 0; k--) {
    let value = a[k]![n]!;
    for (let j = k + 1; j < n; j++) value -= a[k]![j]! * x[j]!;
    x[k] = value / a[k]![k]!;
  }
  return x;
}
