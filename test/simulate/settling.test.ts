/**
 * Networks of many unilateral elements. Which of them conduct after an instant is a complementarity problem; the expected values solve it by other
 * means: isotonic regression where charge moves forward only, and small implicit steps with projected relaxation.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { agree, cases, law, patience, succeed, tenths } from '../behaviour/random.ts';
import { close, done, run } from './notation.ts';
import { parts } from './parts.ts';

/** The nearest sequence that does not fall, in the mean weighted square (pool adjacent violators). */
function isotonic(values: readonly number[], weights: readonly number[]): number[] {
  const pools: { sum: number; weight: number; count: number }[] = [];
  for (const [k, value] of values.entries()) {
    pools.push({ sum: value * weights[k]!, weight: weights[k]!, count: 1 });
    for (;;) {
      const [b, a] = [pools.at(-1)!, pools.at(-2)];
      if (!a || a.sum / a.weight <= b.sum / b.weight) break;
      pools.splice(-2, 2, { sum: a.sum + b.sum, weight: a.weight + b.weight, count: a.count + b.count });
    }
  }
  return pools.flatMap(({ sum, weight, count }) => new Array<number>(count).fill(sum / weight));
}

interface Row {
  readonly start: readonly number[];
  readonly size: readonly number[];
}

/** Vessels of some size with levels to begin with. */
const row = (most: number): fc.Arbitrary<Row> =>
  fc.integer({ min: 2, max: most }).chain((n) =>
    fc.record({
      start: fc.array(tenths(-5, 5), { minLength: n, maxLength: n }),
      size: fc.array(tenths(0.5, 2), { minLength: n, maxLength: n }),
    }),
  );

describe('charge moves forward only', () => {
  /** Capacitors, with diodes from each to the next that are connected at one instant. */
  const chain = ({ start, size }: Row) => `${parts}
model Chain
  Ground g;
  ${start.map((v, k) => `Capacitor c${k}(C = ${size[k]}, v(start = ${v}, fixed = true));`).join('\n  ')}
  ${start
    .slice(1)
    .map((_, k) => `Diode d${k}; Switch s${k}(closed = time >= 0.5);`)
    .join('\n  ')}
equation
  ${start.map((_, k) => `connect(c${k}.n, g.p);`).join(' ')}
  ${start
    .slice(1)
    .map((_, k) => `connect(c${k}.p, s${k}.p); connect(s${k}.n, d${k}.p); connect(d${k}.n, c${k + 1}.p);`)
    .join('\n  ')}
end Chain;`;

  test(
    'along random chains of capacitors and diodes',
    async () => {
      await law(cases(row(30), chain), 20, async ({ text, data }) => {
        const { table, statistics } = await succeed(text, { stopTime: 1, intervals: 4 });
        const expected = isotonic(data.start, data.size);
        for (const [k, v] of expected.entries()) agree(table.value(`c${k}.v`, 1), v, 1e-9, `c${k}`);
        expect(statistics.modesCompiled).toBeLessThanOrEqual(20);
      });
    },
    patience,
  );
});

describe('random networks of capacitors, resistors, sources and many diodes, from rest', () => {
  interface Branch {
    readonly from: number;
    readonly to: number;
  }
  interface Network {
    /** By node: capacity and conductance to ground, the source behind 1 Ohm. */
    readonly nodes: readonly { c: number; g: number; a: number; phase: number; step: number }[];
    /** From and to, node 0 is the ground. */
    readonly capacitors: readonly (Branch & { c: number })[];
    readonly diodes: readonly Branch[];
  }

  const network: fc.Arbitrary<Network> = fc.integer({ min: 2, max: 10 }).chain((n) => {
    const branch = fc
      .record({ from: fc.integer({ min: 0, max: n }), step: fc.integer({ min: 1, max: n }) })
      .map(({ from, step }) => ({ from, to: (from + step) % (n + 1) }));
    const capacitor = fc.tuple(branch, tenths(0.1, 1)).map(([ends, c]) => ({ ...ends, c }));
    return fc.record({
      nodes: fc.array(
        fc.record({
          c: fc.oneof(fc.constant(0), tenths(0.1, 1)),
          g: fc.oneof(fc.constant(0.1), tenths(0.5, 2)),
          a: fc.oneof(fc.constant(0), tenths(-5, 5)),
          phase: tenths(0, 6),
          step: fc.oneof(fc.constant(0), tenths(-5, 5)),
        }),
        { minLength: n, maxLength: n },
      ),
      capacitors: fc.array(capacitor, { maxLength: n }),
      diodes: fc.array(branch, { minLength: 2, maxLength: 25 }),
    });
  });

  const stepTime = 0.73;
  const source = ({ a, phase, step }: Network['nodes'][number], t: number, isBehind: boolean) =>
    a * (Math.sin(3 * t + phase) - Math.sin(phase)) + (isBehind ? step : 0);

  function write({ nodes, capacitors, diodes }: Network): string {
    const declared: string[] = [];
    const lines: string[] = [];
    const join = (name: string, { from, to }: Branch) =>
      lines.push(`connect(n${from}.p, ${name}.p); connect(${name}.n, n${to}.p);`);
    for (const [k, { c, g, a, phase, step }] of nodes.entries()) {
      declared.push(`Node n${k + 1}; Resistor r${k}(R = ${1 / g}); Source e${k}; Resistor q${k};`);
      join(`r${k}`, { from: k + 1, to: 0 });
      lines.push(`connect(n0.p, e${k}.n); connect(e${k}.p, q${k}.p); connect(q${k}.n, n${k + 1}.p);`);
      lines.push(
        `e${k}.v = (${a})*(sin(3*time + (${phase})) - sin(${phase})) + (if time >= ${stepTime} then ${step} else 0);`,
      );
      if (c === 0) continue;
      declared.push(`Capacitor c${k}(C = ${c}, v(start = 0, fixed = true));`);
      join(`c${k}`, { from: k + 1, to: 0 });
    }
    for (const [k, { c, ...ends }] of capacitors.entries()) {
      declared.push(`Capacitor b${k}(C = ${c}, v(start = 0));`);
      join(`b${k}`, ends);
    }
    for (const [k, ends] of diodes.entries()) {
      declared.push(`Diode d${k};`);
      join(`d${k}`, ends);
    }
    return `${parts}
model Node
  Pin p;
equation
  p.i = 0;
end Node;
model Source
  extends TwoPin;
end Source;
model Network
  Ground n0;
  ${declared.join('\n  ')}
equation
  ${lines.join('\n  ')}
end Network;`;
  }

  const looked = [0.7, 1.4, 2];

  /**
   * Voltages of the nodes at the times that are looked at, after implicit steps of some size: those before the sources jump, and those behind it, so that no step holds the jump
   * in its midst. Errors of one half of the steps are half as large, and go.
   */
  function expected(data: Network, size: number): number[][] {
    const [coarse, fine] = [size, size / 2].map((h) => {
      let [v, from] = [data.nodes.map(() => 0), 0];
      const found: number[][] = [];
      for (const time of [...looked, stepTime].sort((a, b) => a - b)) {
        v = stepped(data, v, from, time, h);
        if (time !== stepTime) found.push(v);
        from = time;
      }
      return found;
    });
    return fine!.map((values, n) => values.map((v, k) => 2 * v - coarse![n]![k]!));
  }

  /** Voltages after implicit steps from one time to another, by their size at most; diodes by projected relaxation of their currents. */
  function stepped(
    { nodes, capacitors, diodes }: Network,
    start: readonly number[],
    from: number,
    to: number,
    size: number,
  ): number[] {
    const n = nodes.length;
    const count = Math.ceil((to - from) / size);
    const rate = count / (to - from);
    const G = Array.from({ length: n }, () => new Array<number>(n).fill(0));
    const C = Array.from({ length: n }, () => new Array<number>(n).fill(0));
    const stamp = (M: number[][], { from, to }: Branch, g: number) => {
      for (const [a, b] of [
        [from, to],
        [to, from],
      ] as const) {
        if (a === 0) continue;
        M[a - 1]![a - 1]! += g;
        if (b !== 0) M[a - 1]![b - 1]! -= g;
      }
    };
    for (const [k, { c, g }] of nodes.entries()) {
      stamp(G, { from: k + 1, to: 0 }, g + 1);
      stamp(C, { from: k + 1, to: 0 }, c * rate);
    }
    for (const { c, ...ends } of capacitors) stamp(C, ends, c * rate);
    const whole = G.map((line, i) => line.map((g, j) => g + C[i]![j]!));
    const inverse = inverted(whole);
    const at = (v: readonly number[], node: number) => (node === 0 ? 0 : v[node - 1]!);
    // Voltages at all nodes for a current of one through each diode.
    const reaction = diodes.map(({ from, to }) =>
      inverse.map((line) => (to === 0 ? 0 : line[to - 1]!) - (from === 0 ? 0 : line[from - 1]!)),
    );
    const own = diodes.map(({ from, to }, d) => at(reaction[d]!, to) - at(reaction[d]!, from));
    const i = diodes.map(() => 0);
    let v = [...start];
    for (let step = 1; step <= count; step++) {
      const t = from + step / rate;
      const flow = nodes.map(
        (node, k) => source(node, t, from >= stepTime) + C[k]!.reduce((sum, c, j) => sum + c * v[j]!, 0),
      );
      v = inverse.map((line) => line.reduce((sum, x, j) => sum + x * flow[j]!, 0));
      for (const [d, current] of i.entries()) for (let k = 0; k < n; k++) v[k]! += reaction[d]![k]! * current;
      for (let sweep = 0, change = 1; change > 1e-9 && sweep < 10_000; sweep++) {
        change = 0;
        for (const [d, { from, to }] of diodes.entries()) {
          const next = Math.max(0, i[d]! + (at(v, from) - at(v, to)) / own[d]!);
          const more = next - i[d]!;
          if (more === 0) continue;
          i[d] = next;
          for (let k = 0; k < n; k++) v[k]! += reaction[d]![k]! * more;
          change = Math.max(change, Math.abs(more) * own[d]!);
        }
      }
    }
    return v;
  }

  test(
    'follow small implicit steps',
    async () => {
      await law(cases(network, write), 15, async ({ text, data }) => {
        const { table } = await succeed(text, { stopTime: 2, intervals: 40 });
        const actual = looked.map((time) => data.nodes.map((_, k) => table.value(`n${k + 1}.p.v`, time)));
        const isNear = (v: number, n: number, k: number) =>
          Math.abs(actual[n]![k]! - v) <= 1e-2 * Math.max(1, Math.abs(v));
        // Where diodes change within steps, extrapolation is no better than these: smaller ones tell who is wrong.
        if (expected(data, 4e-3).every((values, n) => values.every((v, k) => isNear(v, n, k)))) return;
        for (const [n, values] of expected(data, 2.5e-4).entries())
          for (const [k, v] of values.entries()) agree(actual[n]![k]!, v, 1e-2, `n${k + 1} at ${looked[n]}`);
      });
    },
    patience,
  );
});

describe('voltage multipliers from rest', () => {
  /** Capacitors and ideal diodes, maybe with a resistance in the source and a load behind the last stage. */
  const multiplier = (n: number, { inner = false, load = false } = {}) => `${parts}
model Multiplier
  Sine source(V = 100, w = 100*3.141592653589793);
  Capacitor pump[${n}](each C = 1e-6, v(each start = 0, each fixed = true));
  Capacitor store[${n}](each C = 2e-6, v(each start = 0, each fixed = true));
  Diode up[${n}] "From the stores to the pumps";
  Diode down[${n}] "From the pumps to the stores";
  Ground ground;
  ${inner ? 'Resistor internal(R = 10);' : ''}
  ${load ? 'Resistor load(R = 1e6);' : ''}
equation
  connect(source.n, ground.p);
  connect(store[1].p, ground.p);
  ${inner ? 'connect(source.p, internal.p); connect(internal.n, pump[1].p);' : 'connect(source.p, pump[1].p);'}
  ${load ? `connect(load.p, store[${n}].n); connect(load.n, ground.p);` : ''}
  for j in 1:${n} loop
    connect(store[j].p, up[j].p);
    connect(up[j].n, pump[j].n);
    connect(pump[j].n, down[j].p);
    connect(down[j].n, store[j].n);
  end for;
  for j in 1:${n} - 1 loop
    connect(pump[j].n, pump[j + 1].p);
    connect(store[j].n, store[j + 1].p);
  end for;
end Multiplier;`;

  const unloaded = {
    pump: [-78.48058392, -79.06484445, -17.17895307, -3.368953468, -0.3793459669, -0.01806409366],
    store: [-111.3439686, -46.2014598, -17.17895307, -3.368953468, -0.3793459669, -0.01806409366],
  };

  // Without resistances voltages are piecewise linear in that of the source: 40 pieces, each by a complementarity problem that has one solution. With
  // them, the problem was stepped 50000, 100000 and 200000 times and extrapolated, to an error below 2e-6.
  test.each([
    [2, {}, { pump: [-86.27411133, -91.60697048], store: [-112.1958035, -65.68527833] }],
    [
      4,
      { inner: true, load: true },
      {
        pump: [-77.38141, -75.647859, -14.572395, -1.699879],
        store: [-109.204574, -43.719412, -14.572395, -1.699879],
      },
    ],
    [
      5,
      { load: true },
      {
        pump: [-77.346311, -75.613071, -14.572298, -1.699735],
        store: [-109.222452, -43.736931, -14.572298, -1.699735],
      },
    ],
    [10, {}, unloaded],
    [15, {}, unloaded],
  ])('of %i stages', async (n, options, expected) => {
    const { table, statistics } = await done(multiplier(n, options), { stopTime: 0.1, tolerance: 1e-6 });
    for (const name of ['pump', 'store'] as const)
      for (const [k, v] of expected[name].entries())
        expect(Math.abs(table.value(`${name}[${k + 1}].v`, 0.1) - v), `${name}[${k + 1}]`).toBeLessThan(1e-3);
    // Rounding errors of stages without charge make no events, and modes are compiled to be visited.
    expect(statistics.events).toBeLessThanOrEqual(80);
    expect(statistics.modesCompiled).toBeLessThanOrEqual(60);
  });
});

test('a diode between two closed switches to ground conducts nothing', async () => {
  const { table } = await done(
    `${parts}
model Shorted
  Constant battery(V = 10);
  Resistor r;
  Diode d, e, f;
  Switch a(closed = time >= 0.3), b(closed = time >= 0.3);
  Ground g;
equation
  connect(battery.n, g.p); connect(battery.p, r.p); connect(r.n, d.p);
  connect(d.n, e.p); connect(e.n, f.p); connect(f.n, g.p);
  connect(a.p, e.p); connect(a.n, g.p);
  connect(b.p, e.n); connect(b.n, g.p);
end Shorted;`,
  );
  close(table.value('f.i', 0.2), 10);
  close(table.value('d.i', 0.8), 10);
  close(table.value('a.i', 0.8), 10);
  for (const name of ['e.i', 'e.v', 'f.i', 'b.i'])
    expect(Math.abs(table.value(name, 0.8))).toBeLessThan(1e-9);
});

describe('other unilateral elements', () => {
  const freewheels = ({ start, size }: Row) => `model Train
  ${start.map((w, k) => `Real w${k}(start = ${w}, fixed = true);`).join(' ')}
  ${start
    .slice(1)
    .map((_, k) => `Real t${k}, s${k}(start = -1); Boolean free${k}(start = true);`)
    .join(' ')}
equation
  ${start
    .map(
      (_, k) =>
        `${size[k]}*der(w${k}) = ${k > 0 ? `t${k - 1}` : '0'} - ${k + 1 < start.length ? `t${k}` : '0'};`,
    )
    .join('\n  ')}
  ${start
    .slice(1)
    .map(
      (_, k) => `free${k} = s${k} < 0 or time < 0.5;
  if free${k} then
    t${k} = 0;
    w${k} - w${k + 1} = s${k};
  else
    w${k} = w${k + 1};
    t${k} = s${k};
  end if;`,
    )
    .join('\n  ')}
end Train;`;

  test(
    'freewheels in a row let none fall behind the one that drives it',
    async () => {
      await law(cases(row(12), freewheels), 15, async ({ text, data }) => {
        const { table, statistics } = await succeed(text, { stopTime: 1, intervals: 4 });
        const expected = isotonic(data.start, data.size);
        for (const [k, w] of expected.entries()) agree(table.value(`w${k}`, 1), w, 1e-9, `w${k}`);
        expect(statistics.modesCompiled).toBeLessThanOrEqual(20);
      });
    },
    patience,
  );
});

test('a negative resistance in the network ends with a message, if not with a solution', async () => {
  const { status, diagnostics } = await run(`${parts}
model Active
  Sine source(V = 10, w = 6);
  Resistor r, negative[4](each R = -0.5);
  Diode d[4];
  Ground g;
equation
  connect(source.n, g.p);
  connect(source.p, r.p);
  for k in 1:4 loop
    connect(r.n, d[k].p);
    connect(d[k].n, negative[k].p);
    connect(negative[k].n, g.p);
  end for;
end Active;`);
  if (status !== 'done') expect(diagnostics.some((d) => d.severity === 'error')).toBe(true);
}, 60_000);

/** The inverse of a matrix that is positive definite. */
function inverted(matrix: readonly (readonly number[])[]): number[][] {
  const n = matrix.length;
  const rows = matrix.map((line, i) => [...line, ...line.map((_, j) => (i === j ? 1 : 0))]);
  for (let k = 0; k < n; k++) {
    const pivot = rows[k]![k]!;
    for (let c = 0; c < 2 * n; c++) rows[k]![c]! /= pivot;
    for (let r = 0; r < n; r++) {
      if (r === k) continue;
      const factor = rows[r]![k]!;
      if (factor !== 0) for (let c = 0; c < 2 * n; c++) rows[r]![c]! -= factor * rows[k]![c]!;
    }
  }
  return rows.map((line) => line.slice(n));
}
