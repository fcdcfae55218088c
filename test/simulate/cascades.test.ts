/** Chains at one instant: what trips takes its own cause away and is the cause of the next. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { close, done } from './notation.ts';

describe('what was seen once is remembered, though its cause is gone', () => {
  test('a when-clause that ends its condition', async () => {
    const { table } = await done(`model Relay
        Real v;
        Boolean p = time >= 0.5, q(start = false, fixed = true);
      equation
        when v < 1 then q = true; end when;
        v = if p and not q then 0 else 5;
      end Relay;`);
    expect(['q', 'v'].map((name) => table.value(name, 1))).toEqual([1, 5]);
    expect(table.value('q', 0.4)).toBe(0);
  });

  test('one such clause after the other, and a counter of the last one', async () => {
    const { table } = await done(`model Dominoes
        Real v1, v2;
        Boolean p = time >= 0.5, q(start = false, fixed = true), r(start = false, fixed = true);
        Integer n(start = 0, fixed = true);
      equation
        when v1 < 1 then q = true; end when;
        when v2 > 3 then r = true; end when;
        when r then n = pre(n) + 1; end when;
        v1 = if p and not q then 0 else 5;
        v2 = if q and not r then 4 else 0;
      end Dominoes;`);
    expect(['q', 'r', 'n', 'v1', 'v2'].map((name) => table.value(name, 1))).toEqual([1, 1, 1, 5, 0]);
  });

  test('two shafts without inertia break one after the other at the same time', async () => {
    const { table, modes } = await done(`model Shafts
        import Mutabor.Rotational.*;
        Fixed f;
        Torque q(tau = 3*time);
        Spring s0(c = 0.2), s[2](each c = 1);
        BreakingShaft b[2](tau_max = {1, 1.5});
      equation
        connect(q.flange, s0.flange_b);
        connect(s0.flange_a, f.flange);
        for k in 1:2 loop
          connect(f.flange, b[k].flange_a);
          connect(b[k].flange_b, s[k].flange_a);
          connect(s[k].flange_b, q.flange);
        end for;
      end Shafts;`);
    close(table.value('q.flange.phi', 1), 15, 1e-9);
    expect(modes).toHaveLength(2);
  });

  test('a value that only a relation on its way takes is not remembered', async () => {
    const { table } = await done(`model Glitch
        Real u = if time >= 0.5 then 2 else 0, z = if u > 1 then 0 else 10*u;
        Boolean low(start = false, fixed = true) = z > 15 or pre(low);
      end Glitch;`);
    expect(table.value('low', 1)).toBe(0);
  });
});

test('thirty fibres break one after the other at one instant, each once', async () => {
  // With k of them broken, each of the others carries x = 10/(30.5 - k), just above the limit of the next one.
  const limits = Array.from({ length: 30 }, (_, k) => (10 / (30.5 - k)) * 0.999);
  const { table } = await done(`model Bundle
      parameter Real L[30] = {${limits}};
      Real x, f[30];
      Boolean b[30](each start = false, each fixed = true);
      Integer k[30](each start = 0, each fixed = true);
    equation
      (if time < 0.5 then 0.1 else 10) = 0.5*x + sum(f);
      for i in 1:30 loop
        f[i] = if b[i] then 0 else x;
        when f[i] > L[i] then b[i] = true; k[i] = pre(k[i]) + 1; end when;
      end for;
    end Bundle;`);
  close(table.value('x', 1), 20, 1e-9);
  for (let i = 1; i <= 30; i++) expect(table.value(`k[${i}]`, 1)).toBe(1);
});

test('twelve fibres that break one after the other at the beginning', async () => {
  const limits = Array.from({ length: 12 }, (_, k) => (10 / (12.5 - k)) * 0.999);
  const { table } = await done(`model Bundle
      parameter Real L[12] = {${limits}};
      Real x, f[12];
      Boolean b[12](each start = false, each fixed = true);
    equation
      10 = 0.5*x + sum(f);
      for i in 1:12 loop
        f[i] = if b[i] then 0 else x;
        b[i] = f[i] > L[i] or pre(b[i]);
      end for;
    end Bundle;`);
  close(table.value('x', 1), 20, 1e-9);
});

describe('breakers in parallel, fed by a current that grows', () => {
  /** Conductances and largest currents; the last one never opens. */
  interface Breakers {
    readonly g: readonly number[];
    readonly most: readonly number[];
  }
  const fed = 10;
  const leak = 0.2;

  /** Those that open, and when: all that carry too much open together, then those that carry too much after that. */
  function opened({ g, most }: Breakers): (number | undefined)[] {
    const times: (number | undefined)[] = g.map(() => undefined);
    for (let time = 0; ; ) {
      const closed = g.flatMap((_, k) => (times[k] === undefined ? [k] : []));
      const total = closed.reduce((sum, k) => sum + g[k]!, leak);
      const due = closed.map((k) => (most[k]! * total) / (g[k]! * fed));
      const next = Math.max(time, Math.min(...due));
      if (!(next < 1)) return times;
      time = next;
      for (const [j, k] of closed.entries()) if (due[j]! <= time * (1 + 1e-12)) times[k] = time;
    }
  }

  const forms: Readonly<Record<string, string>> = {
    'when-clauses and if-equations': `when i[k] > most[k] then open[k] = true; end when;
      if open[k] then i[k] = 0; else i[k] = g[k]*v; end if;`,
    'latches and if-equations': `open[k] = i[k] > most[k] or pre(open[k]);
      if open[k] then i[k] = 0; else i[k] = g[k]*v; end if;`,
    'latches and if-expressions': `open[k] = i[k] > most[k] or pre(open[k]);
      i[k] = if open[k] then 0 else g[k]*v;`,
    'when-clauses and factors': `when i[k] > most[k] then open[k] = true; end when;
      i[k] = (if open[k] then 0 else 1)*g[k]*v;`,
  };

  const breakers = fc
    .array(fc.tuple(fc.integer({ min: 2, max: 20 }), fc.integer({ min: 3, max: 30 })), {
      minLength: 2,
      maxLength: 7,
    })
    .map(
      (list): Breakers => ({
        g: list.map(([g]) => g / 10),
        // No two of them open at nearly the same time by chance.
        most: list.map(([, most], k) => (most / 10) * (1 + 0.0137 * k)),
      }),
    );

  test.each(Object.entries(forms))('%s', async (_, each) => {
    await fc.assert(
      fc.asyncProperty(breakers, async ({ g, most }) => {
        const n = g.length;
        const times = opened({ g, most });
        const { table } = await done(`model Breakers
            parameter Real g[${n}] = {${g}}, most[${n}] = {${most}};
            Real v, i[${n}];
            Boolean open[${n}](each start = false, each fixed = true);
            discrete Real at[${n}](each start = -1, each fixed = true);
          equation
            ${fed}*time = ${leak}*v + sum(i);
            for k in 1:${n} loop
              ${each}
              when open[k] then at[k] = time; end when;
            end for;
          end Breakers;`);
        for (const [k, time] of times.entries()) close(table.value(`at[${k + 1}]`, 1), time ?? -1, 1e-6);
        const left = g.reduce((sum, own, k) => sum + (times[k] === undefined ? own : 0), leak);
        close(table.value('v', 1), fed / left, 1e-9);
      }),
      { numRuns: 25 },
    );
  });

  test('a line of twenty opens without a search over all modes', async () => {
    const g = Array.from({ length: 20 }, (_, k) => 1 / (1 + 0.3 * k));
    const most = g.map((_, k) => 0.2 + 0.03 * ((k * 7) % 20));
    const { statistics, table } = await done(`model Line
        parameter Real g[20] = {${g}}, most[20] = {${most}};
        Real v, i[20];
        Boolean open[20](each start = false, each fixed = true);
      equation
        ${fed}*time = ${leak}*v + sum(i);
        for k in 1:20 loop
          ${forms['latches and if-equations']}
        end for;
      end Line;`);
    for (const [k, time] of opened({ g, most }).entries())
      expect(table.value(`open[${k + 1}]`, 1)).toBe(time === undefined ? 0 : 1);
    expect(statistics.modesCompiled).toBeLessThan(60);
  });
});
