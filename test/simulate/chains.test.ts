/** Flows through parts that hold nothing: what they carry is known also where nothing flows, and whichever way it flows. */
import { describe, expect, it } from 'vitest';
import { close, done, run } from './notation.ts';

const parts = `
  connector Port
    Real p; flow Real m; Real h; flow Real H;
  end Port;
  model Reservoir
    Port port; parameter Real h; input Real m;
  equation
    port.m = -m;
    port.H = semiLinear(port.m, port.h, h);
  end Reservoir;
  model Open
    Port port; parameter Real h;
  equation
    port.p = 0;
    port.H = semiLinear(port.m, port.h, h);
  end Open;
  model Part "Holds nothing"
    Port a, b; Real h, Q; parameter Real heating = 0;
  equation
    a.p = b.p;
    a.m + b.m = 0;
    a.H + b.H + Q = 0;
    Q = heating*a.m;
    a.H = semiLinear(a.m, a.h, h);
    b.H = semiLinear(b.m, b.h, h);
  end Part;`;

describe('parts in a row', () => {
  const row = (flow: string, heating = '') => `${parts}
    model Row
      Reservoir left(h = 10, m = ${flow});
      Part first${heating}, second, third;
      Open right(h = 4);
      Real carried(start = 0, fixed = true);
    equation
      connect(left.port, first.a);
      connect(first.b, second.b) "the other way round";
      connect(second.a, third.a);
      connect(third.b, right.port);
      der(carried) = right.port.H;
      annotation(experiment(StopTime = 3));
    end Row;`;
  const names = ['first.h', 'second.h', 'third.h', 'first.a.h', 'second.b.h', 'third.b.h'];

  it('without a flow, forwards and backwards', async () => {
    const { table } = await done(row('if time < 1 then 0 elseif time < 2 then 1 else -1'));
    // Without a flow either end would do, for all alike.
    const atRest = table.value('first.h', 0);
    expect([10, 4]).toContain(atRest);
    for (const [time, h, H] of [
      [0, atRest, 0],
      [0.5, atRest, 0],
      [1.5, 10, 10],
      [2.5, 4, -4],
    ] as const) {
      for (const name of names) close(table.value(name, time), h, 1e-12);
      close(table.value('right.port.H', time), H, 1e-12);
    }
    close(table.value('carried', 3), 10 - 4, 1e-6);
  });

  it('with a flow that turns', async () => {
    const { table } = await done(row('cos(time)'));
    for (const name of names) {
      close(table.value(name, 1.5), 10, 1e-12);
      close(table.value(name, 1.7), 4, 1e-12);
    }
    close(table.value('carried', 3), 10 - 4 * (1 - Math.sin(3)), 1e-5);
  });

  it('that is never there', async () => {
    const { table } = await done(row('0'));
    for (const name of names) expect([10, 4]).toContain(table.value(name, 3));
  });

  it('with heat on the way it is no chain', async () => {
    const { table } = await done(row('if time < 1.5 then 2 else 1', '(heating = 3)'));
    // H + 3 m arrives: 10 + 3 in all that comes after.
    close(table.value('first.h', 1), 13, 1e-12);
    close(table.value('third.h', 3), 13, 1e-12);
    close(table.value('carried', 3), 1.5 * 26 + 1.5 * 13, 1e-6);
  });
});

describe('where several parts meet', () => {
  const meeting = (left: string, middle: string) => `${parts}
    model Meeting
      Reservoir left(h = 10, m = ${left}), middle(h = 1, m = ${middle});
      Part first, second, third;
      Open right(h = 4);
      Real carried(start = 0, fixed = true);
    equation
      connect(left.port, first.a);
      connect(middle.port, second.b) "the other way round";
      connect(first.b, second.a);
      connect(first.b, third.b);
      connect(third.a, right.port);
      der(carried) = right.port.H;
      annotation(experiment(StopTime = 3));
    end Meeting;`;
  /** What is carried to the meeting point: the mixture of what flows there. */
  const mixed = (left: number, middle: number) => {
    const flows = [left, middle, -left - middle].map((flow) => Math.max(flow, 0));
    const total = flows.reduce((sum, flow) => sum + flow, 0);
    return flows.reduce((sum, flow, k) => sum + flow * [10, 1, 4][k]!, 0) / total;
  };

  it.each([
    ['from two sides', 2, 1],
    ['to two sides', -2, -1],
    ['through, with one side at rest', 3, 0],
    ['from one side, and back to another', 3, -3],
    ['from the far side, and one of the others', 1, -5],
  ])('and flow %s, after none did', async (_, left, middle) => {
    const { table } = await done(
      meeting(`if time < 1 then 0 else ${left}`, `if time < 1 then 0 else ${middle}`),
    );
    const h = mixed(left, middle);
    close(table.value('first.b.h', 2), h, 1e-12);
    close(table.value('second.a.h', 2), h, 1e-12);
    const out = left + middle;
    close(table.value('right.port.H', 2), out > 0 ? out * h : out * 4, 1e-12);
    close(table.value('carried', 3), 2 * (out > 0 ? out * h : out * 4), 1e-6);
    // Without a flow nothing is carried, and what stands there is something that is around.
    expect(table.value('right.port.H', 0.5)).toBeCloseTo(0, 12);
    expect(table.value('first.b.h', 0.5)).toBeGreaterThanOrEqual(1);
    expect(table.value('first.b.h', 0.5)).toBeLessThanOrEqual(10);
  });

  it('and turn', async () => {
    const { table } = await done(meeting('cos(2*time)', 'sin(time)'));
    const h = table.get('first.b.h');
    for (const [row, time] of table.time.entries())
      close(h[row]!, mixed(Math.cos(2 * time), Math.sin(time)), 1e-6);
    // The integral of what flows to the right, by Simpson's rule on small steps.
    const n = 30_000;
    const carried = (t: number) => {
      const [left, middle] = [Math.cos(2 * t), Math.sin(t)];
      return (left + middle) * (left + middle > 0 ? mixed(left, middle) : 4);
    };
    let sum = 0;
    for (let k = 0; k < n; k++) {
      const [a, b] = [(3 * k) / n, (3 * (k + 1)) / n];
      sum += ((b - a) / 6) * (carried(a) + 4 * carried((a + b) / 2) + carried(b));
    }
    close(table.value('carried', 3), sum, 1e-5);
  });
});

describe('a condition without events', () => {
  const pump = (
    speed: string,
  ) => `model Pump "A characteristic that is divided by speed, in a loop with a pipe"
      Real w = ${speed};
      Real dp, V, tau;
    equation
      if noEvent(abs(w) < 1e-300) then
        dp = 0;
        tau = 0;
      else
        dp = -w^2*(1 - V/w);
        tau*w = -dp*V;
      end if;
      dp = -V;
      annotation(experiment(StopTime = 2));
    end Pump;`;

  it('may choose between equations that contain different variables', async () => {
    const { table } = await done(pump('max(0, time - 1)'));
    // w^2 (1 - V/w) = V, so V = w^2/(1 + w); tau = V^2/w
    for (const time of [0, 0.5, 1, 1.5, 2]) {
      const w = Math.max(0, time - 1);
      const V = (w * w) / (1 + w);
      close(table.value('V', time), V, 1e-9);
      close(table.value('tau', time), w === 0 ? 0 : (V * V) / w, 1e-9);
    }
  });

  it('cannot choose between derivatives', async () => {
    const { diagnostics } = await run(
      `model M
        Real x(start = 1);
      equation
        if noEvent(time < 1) then
          der(x) = 1;
        else
          x = 5;
        end if;
      end M;`,
    );
    expect(diagnostics[0]?.code).toBe('variability');
  });
});
