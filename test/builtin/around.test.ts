/** What the rest of the system does with models that have built-in components: text, export, states that are chosen at run time. */
import { describe, expect, it } from 'vitest';
import { capacitor } from '../../examples/typescript/capacitor.ts';
import { printFlat } from '../../src/flat/print/class.ts';
import { type BuiltIn, exportModelica, loadModel, simulate, surveyModes } from '../../src/index.ts';

const stores = `
  model Store
    parameter Real C = 2, v0 = 1;
    input Real u;
    output Real y(start = v0, fixed = true);
    annotation(__Mutabor(builtIn = "store"));
  end Store;
  model Discharge
    Store c(u = -4*c.y);
  end Discharge;`;
const store: BuiltIn = {
  ...capacitor,
  name: 'store',
  inputs: ['u'],
  outputs: { y: [] },
  equations: 'C*der(y) = u;',
};
const { equations: _, ...codeOnly } = store;
const load = (builtIn: BuiltIn) => loadModel(stores, 'Discharge', {}, { builtIns: [builtIn] });

/** Gives its own time, which is a state. */
const clock: BuiltIn<undefined> = {
  name: 'clock',
  outputs: { y: [] },
  allocate: () => undefined,
  begin: (_, segment) => segment.state('x', { start: 0, derivative: true }),
  stateOutputs(_, { x, y }) {
    y[0] = x[0]!;
  },
  derivatives: (_, { dx }) => void dx.fill(1),
};
const clockClass = `
  model Ticker
    output Real y;
    annotation(__Mutabor(builtIn = "clock"));
  end Ticker;`;

describe('models with built-in components', () => {
  it('are listed with what components read and give', () => {
    const text = printFlat(load(codeOnly));
    expect(text).toContain('built-in component c "store" gives c.y from c.u');
  });

  it('are exported where components have equations', async () => {
    expect(() => exportModelica(load(codeOnly))).toThrow('is code without equations');
    const { text } = exportModelica(load(store));
    expect(text).not.toContain('built-in');
    const { table } = await simulate(loadModel(text), { stopTime: 1, tolerance: 1e-9 });
    expect(table.value("'c.y'", 1)).toBeCloseTo(Math.exp(-2), 7);
  });

  it('are surveyed', () => {
    const { status, modes } = surveyModes(load(codeOnly));
    expect([status, modes.length]).toEqual(['ok', 1]);
  });

  it('an output may have a fixed start value, as its equations would need it', async () => {
    const { table, diagnostics } = await simulate(load(store), { stopTime: 1, tolerance: 1e-9 });
    expect(diagnostics).toEqual([]);
    expect(table.value('c.v', 1)).toBeCloseTo(Math.exp(-2), 7);
  });

  it('a pendulum that chooses its states as it swings drives a component all the way', async () => {
    const text = `
      model Work
        input Real u;
        output Real y;
        annotation(__Mutabor(builtIn = "work"));
      end Work;
      model M
        Real x(start = 1, fixed = true), y(start = 0), vx, vy(start = 0, fixed = true), F;
        Work work(u = vy);
      equation
        der(x) = vx;
        der(y) = vy;
        der(vx) = -F*x;
        der(vy) = -F*y - 9.81;
        x^2 + y^2 = 1;
      end M;`;
    const work: BuiltIn<undefined> = {
      ...clock,
      name: 'work',
      inputs: ['u'],
      derivatives(_, { u, dx }) {
        dx[0] = u[0]!;
      },
    };
    const model = loadModel(text, 'M', {}, { builtIns: [work] });
    const { table, status, segments } = await simulate(model, { stopTime: 5, tolerance: 1e-9 });
    expect(status).toBe('done');
    // The integral of the velocity is the height, whatever the states are.
    for (const t of [1, 2, 3, 4, 5]) expect(table.value('work.x', t)).toBeCloseTo(table.value('y', t), 6);
    expect(table.value('der(work.x)', 5)).toBeCloseTo(table.value('vy', 5), 6);
    expect(segments.every((s) => s.states === 3)).toBe(true);
  });

  it('a relation on its boundary looks ahead along the states of components', async () => {
    const text = `${clockClass}
      model M
        Ticker c;
        Boolean late(start = false) = c.y > 0;
        Real z(start = 0, fixed = true);
      equation
        der(z) = if late then 1 else -1;
      end M;`;
    const { table, status } = await simulate(loadModel(text, 'M', {}, { builtIns: [clock] }), {
      stopTime: 1,
      tolerance: 1e-9,
    });
    expect(status).toBe('done');
    expect(table.value('z', 1)).toBeCloseTo(1, 6);
    expect(table.value('late', 0.5)).toBe(1);
  });

  it('an ideal switch that joins two stores while they run uses their equations from the start', async () => {
    const text = `${stores}
      model Joined
        Store a(u = -i, v0 = 3), b(u = i, C = 1, v0 = 0);
        Boolean closed = time >= 1;
        Real i;
      equation
        if closed then
          a.y = b.y;
        else
          i = 0;
        end if;
      end Joined;`;
    const model = loadModel(text, 'Joined', {}, { builtIns: [store] });
    const { status, table, diagnostics } = await simulate(model, { stopTime: 2 });
    expect(diagnostics.filter((d) => d.code === 'component-equations')).toHaveLength(2);
    expect(status).toBe('done');
    // Charge is kept: (2*3 + 1*0)/3.
    expect(table.value('a.y', 0.5)).toBe(3);
    expect(table.value('b.y', 2)).toBeCloseTo(2, 9);
  });
});
