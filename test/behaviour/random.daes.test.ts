/** Laws of simulation, on random differential-algebraic equations of index 0 to 3 with a known solution. */
import fc from 'fast-check';
import { describe, test } from 'vitest';
import type { SimulateOptions, SimulationResult } from '../../src/index.ts';
import { dae, type Form, form, type System, system, type Written, write } from './daes.ts';
import { agree, cases, law, patience, signalAt, succeed } from './random.ts';

/** Compares all variables with the known solution at all rows. */
function followsSolution({ table }: SimulationResult, system: System, names: readonly string[]): void {
  for (const [k, { signal }] of system.variables.entries()) {
    const values = table.get(names[k]!);
    for (const [row, t] of table.time.entries()) {
      agree(values[row]!, signalAt(signal, t), 1e-5, `${names[k]} at ${t}`);
    }
  }
}

function span({ from }: Form): SimulateOptions {
  return { startTime: from, stopTime: from + 1 };
}

/** Compares two runs of one system, whatever it is called in them. */
function sameTrajectories(
  a: SimulationResult,
  b: SimulationResult,
  names: readonly [readonly string[], readonly string[]],
  tolerance: number,
): void {
  for (const [k, name] of names[0].entries()) {
    const first = a.table.get(name);
    const second = b.table.get(names[1][k]!);
    for (const [row, value] of first.entries())
      agree(second[row]!, value, tolerance, `${names[1][k]} at ${a.table.time[row]}`);
  }
}

describe('random DAEs', () => {
  test(
    'follow their known solution',
    async () => {
      await law(
        fc.tuple(dae, fc.constantFrom('auto' as const, 'bdf' as const, 'rk' as const)),
        40,
        async ([{ text, data }, method]) => {
          const result = await succeed(text, { method, tolerance: 1e-9, ...span(data.form) });
          followsSolution(result, data.system, write(data.system, data.form).names);
          const { states } = result.statistics;
          if (states.length !== data.system.freedom)
            throw new Error(`${states.length} states (${states}), not ${data.system.freedom}`);
        },
      );
    },
    patience,
  );

  test(
    'are the same on the interpreter and in WebAssembly',
    async () => {
      await law(dae, 12, async ({ text, data }) => {
        const compiled = await succeed(text, span(data.form));
        const interpreted = await succeed(text, { interpret: true, ...span(data.form) });
        const { names } = write(data.system, data.form);
        sameTrajectories(compiled, interpreted, [names, names], 1e-9);
        for (const count of ['steps', 'evaluations', 'events'] as const) {
          const [a, b] = [compiled.statistics[count], interpreted.statistics[count]];
          if (a !== b) throw new Error(`${count}: ${a} in WebAssembly, ${b} interpreted`);
        }
      });
    },
    patience,
  );

  test(
    'are the same in whatever form they are written',
    async () => {
      const pairs = cases(fc.record({ system, one: form, other: form }), (data) =>
        [data.one, data.other].map((f) => write(data.system, f).text).join('\n\n'),
      );
      await law(pairs, 15, async ({ data }) => {
        const forms = [data.one, { ...data.other, from: data.one.from }];
        const written: Written[] = forms.map((f) => write(data.system, f));
        const options = { tolerance: 1e-10, ...span(data.one) };
        const [a, b] = [await succeed(written[0]!.text, options), await succeed(written[1]!.text, options)];
        sameTrajectories(a, b, [written[0]!.names, written[1]!.names], 1e-7);
      });
    },
    patience,
  );
});
