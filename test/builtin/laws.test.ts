/** Laws: it does not matter which part of a linear system is a component, and patterns hold what is there. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BuiltIn, type Columns, loadModel, scattered, simulate } from '../../src/index.ts';
import { lowerModel } from '../../src/modes/lower.ts';
import { mergedPattern } from '../../src/program/mode/pattern.ts';
import { Runtime } from '../../src/program/runtime.ts';
import { Engine } from '../../src/simulate/run/engine.ts';
import { settingsOf } from '../../src/simulate/settings.ts';

type Matrix = readonly (readonly number[])[];

/** x' = A x; the states of a component are those from `first` on. */
interface System {
  readonly A: Matrix;
  readonly first: number;
  readonly x0: readonly number[];
}

const systems: fc.Arbitrary<System> = fc.integer({ min: 2, max: 6 }).chain((n) =>
  fc.record({
    A: fc.array(
      fc.array(
        fc.oneof(
          fc.constant(0),
          fc.integer({ min: -8, max: 8 }).map((k) => k / 4),
        ),
        {
          minLength: n,
          maxLength: n,
        },
      ),
      { minLength: n, maxLength: n },
    ),
    first: fc.integer({ min: 0, max: n - 1 }),
    x0: fc.array(fc.integer({ min: -4, max: 4 }), { minLength: n, maxLength: n }),
  }),
);

/** exp(A) x0 by its series. */
function exact({ A, x0 }: System): number[] {
  let term = [...x0];
  const sum = [...x0];
  for (let k = 1; k < 80; k++) {
    term = A.map((row) => row.reduce((s, a, j) => s + a * term[j]!, 0) / k);
    term.forEach((value, i) => {
      sum[i]! += value;
    });
  }
  return sum;
}

function nonzeros(matrix: Matrix, columns: number): Columns {
  return scattered(
    columns,
    matrix.flatMap((row, i) => row.flatMap((a, j) => (a === 0 ? [] : [[i, j] as const]))),
  );
}

/** The component of a system, with its pattern if that is wanted. */
function componentOf({ A, first, x0 }: System, withPattern: boolean): BuiltIn<undefined> {
  const own = A.slice(first).map((row) => row.slice(first));
  const others = A.slice(first).map((row) => row.slice(0, first));
  const m = own.length;
  const component: BuiltIn<undefined> = {
    name: 'part',
    inputs: ['u'],
    outputs: { y: [] },
    allocate: () => undefined,
    begin: (_, segment) => segment.state('x', { start: x0.slice(first) }),
    stateOutputs: (_, { x, y }) => y.set(x),
    derivatives(_, { x, u, dx }) {
      for (let i = 0; i < m; i++) {
        let sum = 0;
        for (let j = 0; j < m; j++) sum += own[i]![j]! * x[j]!;
        for (let j = 0; j < first; j++) sum += others[i]![j]! * u[j]!;
        dx[i] = sum;
      }
    },
  };
  if (!withPattern) return component;
  const pattern = {
    derivativesByStates: nonzeros(own, m),
    derivativesByInputs: nonzeros(others, first),
    outputsByStates: nonzeros(
      own.map((_, i) => own.map((__, j) => Number(i === j))),
      m,
    ),
  };
  return { ...component, pattern: () => pattern };
}

/** The model around it: scalar equations of the states before `first`. */
function modelOf(system: System, withPattern: boolean) {
  const { A, first, x0 } = system;
  const m = A.length - first;
  const value = (j: number) => (j < first ? `z${j}` : `part.y[${j - first + 1}]`);
  const rows = A.slice(0, first).map((row, i) => {
    const terms = row.flatMap((a, j) => (a === 0 ? [] : [`(${a})*${value(j)}`]));
    return `der(z${i}) = ${terms.join(' + ') || '0'};`;
  });
  const text = `
    model Part
      parameter Integer m, n;
      input Real u[n];
      output Real y[m];
      annotation(__Mutabor(builtIn = "part"));
    end Part;
    model M
      Part part(m = ${m}, n = ${first}, u = ${first === 0 ? 'fill(0.0, 0)' : `{${A.slice(0, first).map((_, j) => `z${j}`)}}`});
      ${x0
        .slice(0, first)
        .map((x, i) => `Real z${i}(start = ${x}, fixed = true);`)
        .join('\n')}
    equation
      ${rows.join('\n')}
    end M;`;
  return loadModel(text, 'M', {}, { builtIns: [componentOf(system, withPattern)] });
}

describe('a linear system', () => {
  it('moves in the same way, whichever part of it is a component', async () => {
    await fc.assert(
      fc.asyncProperty(
        systems,
        fc.constantFrom('bdf', 'rk'),
        fc.boolean(),
        async (system, method, withPattern) => {
          const options = { stopTime: 1, tolerance: 1e-9, intervals: 1, method } as const;
          const { status, table } = await simulate(modelOf(system, withPattern), options);
          expect(status).toBe('done');
          const expected = exact(system);
          const size = Math.max(1, ...expected.map(Math.abs));
          for (const [i, x] of expected.entries()) {
            const name = i < system.first ? `z${i}` : `part.x[${i - system.first + 1}]`;
            expect(Math.abs(table.value(name, 1) - x) / size).toBeLessThan(1e-6);
          }
        },
      ),
      { numRuns: 25 },
    );
  });

  it('has the pattern of its matrix', () => {
    fc.assert(
      fc.property(systems, (system) => {
        const flat = modelOf(system, true);
        const runtime = new Runtime(lowerModel(flat));
        runtime.begin();
        const mode = new Engine(runtime, settingsOf(flat.experiment, {})).enterInitialMode();
        mode.layOut();
        const { starts, rows } = mergedPattern(
          runtime.values,
          mode,
          mode.parts.map(({ live }) => live.pattern()),
        );
        const order = [...mode.states.map((s) => Number(/\d+/.exec(runtime.wording.nameOf(s.symbol))![0]))];
        for (let j = system.first; j < system.A.length; j++) order.push(j);
        const found = order.flatMap((_, j) =>
          [...rows.slice(starts[j], starts[j + 1])].map((i) => `${order[i]} ${order[j]}`),
        );
        const expected = system.A.flatMap((row, i) => row.flatMap((a, j) => (a === 0 ? [] : [`${i} ${j}`])));
        expect(found.sort()).toEqual(expected.sort());
      }),
      { numRuns: 60 },
    );
  });
});
