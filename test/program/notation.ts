/** Notation of these tests: the text of a model in, its modes and the values in its memory out; no time passes. */
import { loadModel } from '../../src/index.ts';
import { lowerModel } from '../../src/modes/lower.ts';
import { ModeBank } from '../../src/program/cache.ts';
import type { CompiledMode } from '../../src/program/mode/compiled.ts';
import { Runtime } from '../../src/program/runtime.ts';
import type { Expr } from '../../src/symbolic/expr.ts';

export class Program {
  readonly runtime: Runtime;
  readonly bank: ModeBank;

  /** Parameters and start values are in the memory. */
  constructor(body: string, keptModes = 100) {
    this.runtime = new Runtime(lowerModel(loadModel(`model M\n${body}\nend M;`)));
    this.runtime.begin();
    this.runtime.values.prepare();
    this.bank = new ModeBank(this.runtime, keptModes, false);
  }

  /** The mode in which the conditions with these labels hold, and no others. */
  mode(...holding: string[]): CompiledMode {
    return this.bank.get(this.runtime.model.conditions.map(({ label }) => holding.includes(label)));
  }

  /** The value of a variable, or of its derivative: `x`, `der(x)`. */
  value(name: string): number {
    return this.runtime.values.get(this.leaf(name));
  }

  values(...names: string[]): number[] {
    return names.map((name) => this.value(name));
  }

  /** Gives variables a value and the same left limit. */
  set(values: Readonly<Record<string, number>>): void {
    for (const [name, value] of Object.entries(values)) {
      this.runtime.values.set(this.leaf(name), value);
      this.runtime.values.set(this.runtime.values.pool.pre(this.symbol(name)), value);
    }
  }

  symbol(name: string): number {
    const symbol = this.runtime.model.scalars.findIndex((scalar) => scalar.name === name);
    if (symbol < 0) throw new Error(`there is no ${name}`);
    return symbol;
  }

  private leaf(name: string): Expr {
    const [, of] = /^der\((.*)\)$/.exec(name) ?? [];
    return this.runtime.values.pool.ref(this.symbol(of ?? name), of === undefined ? 0 : 1);
  }
}
