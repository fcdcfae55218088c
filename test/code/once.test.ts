/** What is computed once is interpreted, and code is made where it is computed again. */
import { expect, test } from 'vitest';
import { type Memory, Memory as Slots, timeSlot } from '../../src/code/memory.ts';
import { OnceProgram } from '../../src/code/once.ts';
import type { CodeUnit } from '../../src/code/unit.ts';
import { compileUnit } from '../../src/code/wasm.ts';
import type { Expr } from '../../src/symbolic/expr.ts';
import { Pool } from '../../src/symbolic/pool.ts';

/** `y := value(x)`, and how often code was made of it. */
class Setting {
  readonly pool = new Pool();
  readonly memory: Memory = new Slots();
  readonly x = this.memory.slotOf(this.pool.ref(0));
  readonly y = this.memory.slotOf(this.pool.ref(1));
  compilations = 0;
  readonly program: OnceProgram;

  constructor(value: (pool: Pool, x: Expr) => Expr) {
    const body = [{ slot: this.y, value: value(this.pool, this.pool.ref(0)) }];
    const unit: CodeUnit = { routines: [{ name: 'r', body }], functions: [], slotOf: this.memory.slotOf };
    this.program = new OnceProgram(unit, this.memory, () => {
      this.compilations++;
      return compileUnit(unit, this.memory);
    });
  }

  at(time: number, x: number): number {
    const { memory, program } = this;
    memory.values[timeSlot] = time;
    memory.values[this.x] = x;
    program.begin();
    program.run(0);
    return memory.values[this.y]!;
  }
}

const sine = (pool: Pool, x: Expr) => pool.add(pool.apply('sin', x), pool.const(0.1));

test('computations of one instant are interpreted, the next instant makes code, with the same bits', () => {
  const setting = new Setting(sine);
  expect(setting.at(1, 0.7)).toBe(Math.sin(0.7) + 0.1);
  expect(setting.at(1, 0.8)).toBe(Math.sin(0.8) + 0.1);
  expect(setting.compilations).toBe(0);
  expect(setting.at(2, 0.7)).toBe(Math.sin(0.7) + 0.1);
  expect(setting.at(3, 0.9)).toBe(Math.sin(0.9) + 0.1);
  expect(setting.compilations).toBe(1);
});

test('many computations at one instant make code too', () => {
  const setting = new Setting(sine);
  for (let k = 0; k < 30; k++) expect(setting.at(1, k)).toBe(Math.sin(k) + 0.1);
  expect(setting.compilations).toBe(1);
});

test('powers, which code rounds differently, are compiled from the start', () => {
  const setting = new Setting((pool, x) => pool.raw('pow', [x, pool.const(3)]));
  expect(setting.compilations).toBe(1);
  expect(setting.at(1, 2)).toBe(8);
});
