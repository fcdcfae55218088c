/**
 * Runs a user function on known values, for parameters that shape the model. Statements are counted, so that a loop that
 * never ends is given up.
 */
import type { Expr } from '../symbolic/expr.ts';
import type { FunctionStatement } from '../symbolic/function.ts';
import { evaluateExpr, numbers, type Sight } from './constants.ts';
import type { Builder, Data } from './context.ts';

const maximalSteps = 1_000_000;
const maximalDepth = 200;

/** The outputs of a function, or undefined where it cannot be evaluated. */
export function run(builder: Builder, fn: number, args: readonly Data[]): (Data | undefined)[] | undefined {
  const definition = builder.functions[fn];
  if (!definition || depth >= maximalDepth) return undefined;
  depth++;
  try {
    return new Run(builder, fn, args).outputs();
  } finally {
    depth--;
  }
}

/** Nesting of runs, which a recursive function may drive too far. */
let depth = 0;

type Flow = 'next' | 'break' | 'return' | 'failed';

class Run {
  private readonly builder: Builder;
  private readonly fn: number;
  private readonly values: (Data | undefined)[];
  private readonly iterators = new Map<number, number>();
  private steps = 0;
  private readonly sight: Sight = {
    parameters: true,
    local: (index) => this.values[index],
    iterator: (iterator) => this.iterators.get(iterator),
  };

  constructor(builder: Builder, fn: number, args: readonly Data[]) {
    this.builder = builder;
    this.fn = fn;
    const { locals } = builder.functions[fn]!;
    this.values = locals.map((_, i) => args[i]);
    for (const [i, local] of locals.entries()) {
      if (i < args.length) continue;
      const initial = local.initial && this.value(local.initial);
      this.values[i] = initial ?? (local.dims.length > 0 ? zeros(local.dims) : undefined);
    }
  }

  outputs(): (Data | undefined)[] | undefined {
    const { body, inputs, outputs } = this.builder.functions[this.fn]!;
    if (this.block(body) === 'failed') return undefined;
    return this.values.slice(inputs, inputs + outputs);
  }

  private value(expr: Expr): Data | undefined {
    return evaluateExpr(this.builder, expr, this.sight);
  }

  private block(body: readonly FunctionStatement[]): Flow {
    for (const statement of body) {
      if (++this.steps > maximalSteps) return 'failed';
      const flow = this.statement(statement);
      if (flow !== 'next') return flow;
    }
    return 'next';
  }

  private statement(node: FunctionStatement): Flow {
    switch (node.kind) {
      case 'assign':
        return this.assign(node.target, this.value(node.value)) ? 'next' : 'failed';
      case 'multiassign': {
        const args = node.args.map((arg) => this.value(arg));
        if (args.includes(undefined)) return 'failed';
        const outputs = run(this.builder, node.fn, args as Data[]);
        if (!outputs) return 'failed';
        return node.targets.every((target, k) => !target || this.assign(target, outputs[k]))
          ? 'next'
          : 'failed';
      }
      case 'if':
        for (const branch of node.branches) {
          const test = branch.condition ? this.value(branch.condition) : 1;
          if (test === undefined) return 'failed';
          if (test) return this.block(branch.body);
        }
        return 'next';
      case 'for':
        return this.loop(node);
      case 'while':
        return this.whileLoop(node);
      case 'break':
        return 'break';
      case 'return':
        return 'return';
      case 'assert':
        return this.value(node.condition) ? 'next' : 'failed';
    }
  }

  private loop(node: Extract<FunctionStatement, { kind: 'for' }>): Flow {
    const range = this.value(node.range);
    if (range === undefined) return 'failed';
    for (const at of numbers(range)) {
      this.iterators.set(node.iterator, at);
      const flow = this.block(node.body);
      if (flow === 'break') break;
      if (flow !== 'next') return flow;
    }
    return 'next';
  }

  private whileLoop(node: Extract<FunctionStatement, { kind: 'while' }>): Flow {
    for (;;) {
      if (++this.steps > maximalSteps) return 'failed';
      const test = this.value(node.condition);
      if (test === undefined) return 'failed';
      if (!test) return 'next';
      const flow = this.block(node.body);
      if (flow === 'break') return 'next';
      if (flow !== 'next') return flow;
    }
  }

  private assign(target: Expr, value: Data | undefined): boolean {
    if (target.kind !== 'local' || value === undefined) return false;
    if (target.subscripts.length === 0) {
      this.values[target.index] = value;
      return true;
    }
    const subscripts = target.subscripts.map((s) =>
      s.kind === 'apply' && s.op === 'colon' ? ':' : this.value(s),
    );
    if (subscripts.includes(undefined)) return false;
    const changed = replaced(this.values[target.index], subscripts as (Data | ':')[], value);
    if (changed === undefined) return false;
    this.values[target.index] = changed;
    return true;
  }
}

/** The array with the elements that the subscripts choose replaced. */
function replaced(
  array: Data | undefined,
  subscripts: readonly (Data | ':')[],
  value: Data,
): Data | undefined {
  const [first, ...rest] = subscripts;
  if (first === undefined) return value;
  if (!Array.isArray(array)) return undefined;
  const copy = [...(array as Data[])];
  const all = first === ':' ? copy.map((_, i) => i + 1) : numbers(first as Data);
  const single = typeof first === 'number';
  for (const [k, at] of all.entries()) {
    const part = single ? value : (value as readonly Data[])[k];
    const inner = part === undefined ? undefined : replaced(copy[at - 1], rest, part);
    if (inner === undefined || at < 1 || at > copy.length) return undefined;
    copy[at - 1] = inner;
  }
  return copy;
}

function zeros(dims: readonly number[]): Data {
  const [n, ...rest] = dims;
  return n === undefined ? 0 : Array.from({ length: n }, () => zeros(rest));
}
