/** Tanks that run over and run dry one after the other. */
import { describe, expect, test } from 'vitest';
import { run } from '../simulate/notation.ts';

/** Three tanks in a row; the source stops at 100 s, the valve of the last one opens at 300 s. */
const cascade = `model Cascade
  import Mutabor.Fluid.*;
  Tank t1(A = 0.1, height = 1, h(start = 0.5, fixed = true)), t2(A = 0.1, height = 1, h(start = 0.2, fixed = true));
  Tank t3(A = 0.2, height = 1, h(start = 0, fixed = true));
  PrescribedFlow source(m_flow = if time < 100 then 1 + time/100 else 0);
  Orifice o12(A = 1e-3), o23(A = 1e-3), out(A = 1e-3);
  Valve valve(open = time >= 300);
  Ambient ambient;
  Real gone(start = 0, fixed = true) "What has left";
equation
  der(gone) = t1.overflow + t2.overflow + t3.overflow + out.m_flow;
  connect(source.port, t1.inlet);
  connect(t1.outlet, o12.port_a);
  connect(o12.port_b, t2.inlet);
  connect(t2.outlet, o23.port_a);
  connect(o23.port_b, t3.inlet);
  connect(t3.outlet, valve.port_a);
  connect(valve.port_b, out.port_a);
  connect(out.port_b, ambient.port);
end Cascade;`;

/** The same by small explicit steps, with outflows that end where a tank is empty. */
function stepped(): { readonly h: number[]; readonly at: (time: number) => number[] } {
  const [g, area, dt] = [9.80665, [0.1, 0.1, 0.2], 1e-3];
  const h = [0.5, 0.2, 0];
  const kept = new Map<number, number[]>();
  for (let k = 0; k <= 600_000; k++) {
    const time = k * dt;
    if (k % 50_000 === 0) kept.set(Math.round(time), h.slice());
    const flow = h.map((level) => Math.sqrt(2 * g * Math.max(level, 0)));
    if (time < 300) flow[2] = 0;
    const inflow = [time < 100 ? 1 + time / 100 : 0, flow[0]!, flow[1]!];
    for (let i = 0; i < 3; i++)
      h[i] = Math.min(1, Math.max(0, h[i]! + (dt * (inflow[i]! - flow[i]!)) / (1000 * area[i]!)));
  }
  return { h, at: (time) => kept.get(time)! };
}

describe('a cascade of tanks', () => {
  const reference = stepped();

  test.each([1e-6, 1e-7, 3e-8, 1e-8])('with the tolerance %s', async (tolerance) => {
    const { status, table, impulses, diagnostics } = await run(cascade, { stopTime: 600, tolerance });
    expect([status, diagnostics, impulses]).toEqual(['done', [], []]);
    for (const time of [50, 100, 150, 250, 350, 400, 450, 600])
      for (const k of [1, 2, 3])
        expect(Math.abs(table.value(`t${k}.h`, time) - reference.at(time)[k - 1]!)).toBeLessThan(2e-4);
    const stored =
      100 * table.value('t1.h', 600) + 100 * table.value('t2.h', 600) + 200 * table.value('t3.h', 600);
    // 70 kg at first and 150 kg from the source.
    expect(Math.abs(stored + table.value('gone', 600) - 220)).toBeLessThan(
      220 * 100 * Math.max(tolerance, 1e-8),
    );
  });
});
