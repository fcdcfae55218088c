import fc from 'fast-check';
import { expect, test } from 'vitest';
import { interpretUnit } from '../../src/code/interpret.ts';
import { Memory } from '../../src/code/memory.ts';
import { SharedCode } from '../../src/code/shared.ts';
import { Temporaries } from '../../src/code/temporaries.ts';
import type { CodeUnit, Routine, SlotAssignment } from '../../src/code/unit.ts';
import { compileUnit } from '../../src/code/wasm.ts';
import { Pool } from '../../src/symbolic/pool.ts';

/** `x[to] := 0.5*x[from] + constant`, as numbers. */
type Line = readonly [to: number, from: number, constant: number];

const variables = 12;
const lines = fc.array(
  fc.tuple(fc.nat(variables - 1), fc.nat(variables - 1), fc.integer({ min: -3, max: 3 })),
  { maxLength: 300 },
);

class Setting {
  readonly pool = new Pool();
  readonly memory = new Memory();
  private readonly refs = Array.from({ length: variables }, (_, k) => this.pool.ref(k));
  private readonly first = this.memory.layout.place(this.refs);
  /** Assignments that were compiled. */
  compiled = 0;
  readonly compile = (unit: CodeUnit) => {
    for (const { body } of unit.routines) this.compiled += body.length;
    return compileUnit(unit, this.memory);
  };

  unit(...routines: readonly (readonly Line[])[]): CodeUnit {
    const { pool, refs, first } = this;
    const half = pool.const(0.5);
    const assignment = ([to, from, constant]: Line): SlotAssignment => ({
      slot: first + to,
      value: pool.add(pool.mul(half, refs[from]!), pool.const(constant)),
    });
    return {
      routines: routines.map((body, k): Routine => ({ name: `r${k}`, body: body.map(assignment) })),
      functions: [],
      slotOf: this.memory.slotOf,
    };
  }

  begin(): void {
    for (let k = 0; k < variables; k++) this.memory.values[this.first + k] = k * k + 1;
  }

  get values(): number[] {
    return [...this.memory.values.slice(this.first, this.first + variables)];
  }
}

test('routines that share code compute what each of them says', () => {
  fc.assert(
    fc.property(lines, lines, lines, (before, middle, after) => {
      const setting = new Setting();
      const shared = new SharedCode(setting.compile, 100);
      // The third program consists of pieces of the first two, in another order.
      for (const list of [
        [...before, ...middle],
        [...middle, ...after],
        [...after, ...middle, ...before],
      ]) {
        const unit = setting.unit(list, before);
        const program = shared.program(unit);
        const oracle = interpretUnit(unit, setting.memory);
        for (const routine of [0, 1]) {
          setting.begin();
          oracle.run(routine);
          const expected = setting.values;
          setting.begin();
          program.run(routine);
          expect(setting.values).toEqual(expected);
        }
        expect(shared.size).toBeLessThanOrEqual(100);
      }
    }),
    { numRuns: 40 },
  );
});

test('after a change in the middle, little is compiled', () => {
  const setting = new Setting();
  // Slots that differ, so that cuts are where they are in a model.
  const slots = setting.memory.reserve(1000);
  const body = Array.from(
    { length: 1000 },
    (_, k): SlotAssignment => ({
      slot: slots + k,
      value: setting.pool.mul(setting.pool.const(k), setting.pool.ref(k % variables)),
    }),
  );
  const unit = (list: readonly SlotAssignment[]): CodeUnit => ({
    ...setting.unit(),
    routines: [{ name: 'r', body: list }],
  });
  const shared = new SharedCode(setting.compile, 10_000);
  shared.program(unit(body));
  expect(setting.compiled).toBe(1000);
  shared.program(
    unit([...body.slice(0, 500), { slot: slots, value: setting.pool.time }, ...body.slice(501)]),
  );
  expect(setting.compiled).toBeLessThan(1000 + 256);
});

test('temporaries belong to values; scratch is used again', () => {
  const { pool, memory } = new Setting();
  const temporaries = new Temporaries(pool, memory, variables);
  const value = pool.add(pool.ref(0), pool.ref(1));
  expect(temporaries.of(value)).toBe(temporaries.of(value));
  expect(temporaries.of(value)).not.toBe(temporaries.of(pool.ref(0)));
  const take = () =>
    temporaries.scratch(() => [temporaries.fresh(), temporaries.run(5), temporaries.run(500)]);
  const first = take();
  const { size } = memory.layout;
  expect(take()).toEqual(first);
  expect(memory.layout.size).toBe(size);
  const nested = temporaries.scratch(() => [temporaries.fresh(), take()[0]]);
  expect(nested[0]).not.toBe(nested[1]);
});

test('values that are asked for have the same slots whatever stands beside them, and are assigned once', () => {
  const { pool, memory } = new Setting();
  const temporaries = new Temporaries(pool, memory, variables);
  const [a, b] = [pool.ref(0), pool.ref(1)];
  const sum = pool.add(a, b);
  const product = pool.mul(a, b);
  const body: SlotAssignment[] = [];
  const slots = temporaries.slotsOf([sum, a, pool.const(3), sum, product], body);
  expect(slots).toEqual(Int32Array.of(slots[0]!, memory.slotOf(a), memory.constant(3), slots[0]!, slots[4]!));
  expect(body).toEqual([
    { slot: slots[0]!, value: sum },
    { slot: slots[4]!, value: product },
  ]);
  expect(new Set(slots).size).toBe(4);
  const other: SlotAssignment[] = [];
  expect(temporaries.slotsOf([product, b, sum], other)).toEqual(
    Int32Array.of(slots[4]!, memory.slotOf(b), slots[0]!),
  );
  expect(other).toEqual(body.toReversed());
});
