/** Laws of events: random piecewise models with known switching times, and sampled systems with known recurrences. */
import fc from 'fast-check';
import { describe, test } from 'vitest';
import type { SimulationResult } from '../../src/index.ts';
import { agree, cases, law, literal, patience, succeed, tenths } from './random.ts';

/** Times of the events of a table: rows that share their time with the row before. */
function eventTimes({ table: { time } }: SimulationResult): number[] {
  const times: number[] = [];
  for (let k = 1; k < time.length; k++)
    if (time[k] === time[k - 1] && times.at(-1) !== time[k]) times.push(time[k]!);
  return times;
}

/** Events at exactly these times, to rounding. */
function eventsAt(result: SimulationResult, expected: readonly number[], tolerance: number): void {
  const times = eventTimes(result);
  const wanted = expected.filter((t) => t > 0 && t < 1 - 1e-6).sort((a, b) => a - b);
  for (const t of wanted)
    if (!times.some((found) => Math.abs(found - t) <= tolerance * t))
      throw new Error(`no event at ${t}; there are ${times.join(', ')}`);
  for (const found of times)
    if (found < 1 - 1e-6 && !wanted.some((t) => Math.abs(found - t) <= tolerance * t))
      throw new Error(`an event at ${found}; there should be ${wanted.join(', ')}`);
}

/** A state that must not jump at events. */
function continuous({ table }: SimulationResult, name: string): void {
  const values = table.get(name);
  for (let row = 1; row < values.length; row++)
    if (table.time[row] === table.time[row - 1])
      agree(values[row]!, values[row - 1]!, 1e-12, `${name} after ${table.time[row]}`);
}

// ---------------------------------------------------------------- times known beforehand

interface Pieces {
  readonly form: 'expression' | 'equation' | 'boolean' | 'when';
  /** Bounds in hundredths, ascending, and the slope after each. */
  readonly bounds: readonly number[];
  readonly slopes: readonly number[];
}

const pieces: fc.Arbitrary<Pieces> = fc
  .record({
    form: fc.constantFrom('expression' as const, 'equation' as const, 'boolean' as const, 'when' as const),
    parts: fc.uniqueArray(fc.record({ bound: fc.integer({ min: 1, max: 99 }), slope: tenths(-5, 5) }), {
      minLength: 1,
      maxLength: 5,
      selector: (p) => p.bound,
    }),
    first: tenths(-5, 5),
  })
  .map(({ form, parts, first }) => {
    const sorted = [...parts].sort((a, b) => a.bound - b.bound);
    // A bound between equal slopes would be no event.
    const slopes = [first];
    for (const { slope } of sorted) slopes.push(slope === slopes.at(-1) ? slope + 1 : slope);
    return { form, bounds: sorted.map((p) => p.bound / 100), slopes };
  });

function writePieces({ form, bounds, slopes }: Pieces): string {
  const last = slopes.length - 1;
  const chain = (branch: (slope: number) => string, elseif: string, end: string) =>
    `${bounds.map((b, k) => `${k === 0 ? 'if' : elseif} time < ${b} then ${branch(slopes[k]!)}`).join(' ')} else ${branch(slopes[last]!)}${end}`;
  const x = 'Real x(start = 0, fixed = true);';
  switch (form) {
    case 'expression':
      return `model Pieces\n  ${x}\nequation\n  der(x) = ${chain((s) => `${s}`, 'elseif', '')};\nend Pieces;`;
    case 'equation':
      return `model Pieces\n  ${x}\nequation\n  ${chain((s) => `der(x) = ${s};`, 'elseif', ' end if')};\nend Pieces;`;
    case 'boolean':
      return `model Pieces\n  ${x}\n  Boolean b[${bounds.length}] = {${bounds.map((b) => `time >= ${b}`).join(', ')}};
equation\n  der(x) = ${literal(slopes[0]!)} + ${bounds.map((_, k) => `(if b[${k + 1}] then ${literal(slopes[k + 1]! - slopes[k]!)} else 0)`).join(' + ')};\nend Pieces;`;
    case 'when': {
      const whens = bounds.map(
        (b, k) => `${k === 0 ? 'when' : 'elsewhen'} time >= ${b} then s = ${slopes[k + 1]};`,
      );
      return `model Pieces\n  ${x}\n  discrete Real s(start = ${slopes[0]}, fixed = true);\nequation\n  der(x) = s;\n  ${whens.join('\n  ')}\n  end when;\nend Pieces;`;
    }
  }
}

function integral({ bounds, slopes }: Pieces, t: number): number {
  let [sum, from] = [0, 0];
  for (const [k, slope] of slopes.entries()) {
    const to = Math.min(t, bounds[k] ?? t);
    if (to > from) sum += slope * (to - from);
    from = Math.max(from, to);
  }
  return sum;
}

// ---------------------------------------------------------------- crossings of ramps

interface Ramp {
  readonly start: number;
  readonly slope: number;
  readonly level: number;
  readonly op: '<' | '<=' | '>' | '>=';
  readonly gain: number;
}

const ramp: fc.Arbitrary<Ramp> = fc
  .record({
    start: tenths(-2, 2),
    slope: tenths(-5, 5, { zero: false }),
    level: tenths(-2, 2),
    op: fc.constantFrom('<' as const, '<=' as const, '>' as const, '>=' as const),
    gain: tenths(-3, 3),
  })
  .filter((r) => r.start !== r.level);

const crossing = (r: Ramp) => (r.level - r.start) / r.slope;

function writeRamps(ramps: readonly Ramp[]): string {
  const n = ramps.length;
  const list = (f: (r: Ramp, k: number) => unknown) => `{${ramps.map(f).join(', ')}}`;
  return `model Ramps
  Real r[${n}](start = ${list((r) => r.start)}, each fixed = true);
  Real x(start = 0, fixed = true);
  discrete Real seen[${n}](each start = -1, each fixed = true);
  Integer count(start = 0, fixed = true);
equation
  der(r) = ${list((r) => r.slope)};
  der(x) = ${ramps.map((r, k) => `(if r[${k + 1}] ${r.op} ${r.level} then ${literal(r.gain)} else 0)`).join(' + ')};
  ${ramps.map((r, k) => `when r[${k + 1}] ${r.slope > 0 ? '>' : '<'} ${r.level} then seen[${k + 1}] = time; end when;`).join('\n  ')}
  when ${list((r, k) => `r[${k + 1}] ${r.slope > 0 ? '>' : '<'} ${r.level}`)} then count = pre(count) + 1; end when;
end Ramps;`;
}

/** Time in [0, t] for which the relation of a ramp is true. */
function timeTrue(r: Ramp, t: number): number {
  const at = crossing(r);
  const trueAfter = r.slope > 0 === r.op.startsWith('>');
  const before = Math.min(t, Math.max(0, at));
  return trueAfter ? t - before : before;
}

// ---------------------------------------------------------------- hysteresis

interface Saw {
  readonly up: number;
  readonly down: number;
  readonly low: number;
  readonly width: number;
}

function writeSaw({ up, down, low, width }: Saw): string {
  const high = low + width;
  return `model Saw
  Real x(start = ${low + width / 2}, fixed = true);
  Boolean rising(start = true, fixed = true);
  Integer turns(start = 0, fixed = true);
equation
  der(x) = if rising then ${up} else ${-down};
  rising = x < ${high} and (pre(rising) or x <= ${low});
  when change(rising) then turns = pre(turns) + 1; end when;
end Saw;`;
}

describe('random piecewise models', () => {
  test(
    'switch exactly at times that are known',
    async () => {
      await law(cases(pieces, writePieces), 50, async ({ text, data }) => {
        const result = await succeed(text);
        const { table } = result;
        eventsAt(result, data.bounds, 1e-15);
        continuous(result, 'x');
        for (const [row, t] of table.time.entries())
          agree(table.at('x', row), integral(data, t), 1e-9, `x at ${t}`);
      });
    },
    patience,
  );

  test(
    'switch where ramps cross their levels',
    async () => {
      const ramps = cases(fc.array(ramp, { minLength: 1, maxLength: 4 }), writeRamps);
      await law(ramps, 50, async ({ text, data }) => {
        const result = await succeed(text);
        const { table } = result;
        const inside = data.filter((r) => crossing(r) > 0 && crossing(r) < 1 - 1e-6);
        eventsAt(result, inside.map(crossing), 1e-9);
        continuous(result, 'x');
        for (const [k, r] of data.entries()) {
          continuous(result, `r[${k + 1}]`);
          if (inside.includes(r))
            agree(table.value(`seen[${k + 1}]`, 1), crossing(r), 1e-9, `seen[${k + 1}]`);
        }
        for (const [row, t] of table.time.entries()) {
          const expected = data.reduce((sum, r) => sum + r.gain * timeTrue(r, t), 0);
          agree(table.at('x', row), expected, 1e-8, `x at ${t}`);
        }
      });
    },
    patience,
  );

  test(
    'go back and forth between two levels',
    async () => {
      const saws = cases(
        fc.record({ up: tenths(1, 20), down: tenths(1, 20), low: tenths(-1, 1), width: tenths(0.5, 3) }),
        writeSaw,
      );
      await law(saws, 30, async ({ text, data }) => {
        const { up, down, width } = data;
        const result = await succeed(text);
        const expected: number[] = [];
        for (let t = width / 2 / up; t < 1; ) {
          expected.push(t);
          t += expected.length % 2 === 1 ? width / down : width / up;
        }
        eventsAt(result, expected, 1e-9);
        continuous(result, 'x');
        const passed = expected.filter((t) => t < 0.97).length;
        const after = expected.filter((t) => Math.abs(t - 0.97) < 1e-6).length;
        if (after === 0) agree(result.table.value('turns', 0.97), passed, 0, 'turns');
      });
    },
    patience,
  );
});

// ---------------------------------------------------------------- sampled systems

interface Loop {
  /** Plant der(x) = -a x + b u with u held. */
  readonly a: number;
  readonly b: number;
  readonly start: number;
  /** Controller: z := m pre(z) + g x + w time; u := c z. */
  readonly m: readonly (readonly number[])[];
  readonly g: readonly number[];
  readonly w: number;
  readonly c: readonly number[];
  /** Sampling in hundredths, first tick and interval. */
  readonly first: number;
  readonly interval: number;
  readonly form: 'equations' | 'matrix';
}

const loop: fc.Arbitrary<Loop> = fc.integer({ min: 1, max: 3 }).chain((n) => {
  const row = fc.array(tenths(-0.5, 0.5), { minLength: n, maxLength: n });
  return fc.record({
    a: tenths(0.1, 3),
    b: tenths(-2, 2),
    start: tenths(-2, 2),
    m: fc.array(row, { minLength: n, maxLength: n }),
    g: row,
    w: tenths(-1, 1),
    c: row,
    first: fc.nat({ max: 30 }),
    interval: fc.integer({ min: 3, max: 40 }),
    form: fc.constantFrom('equations' as const, 'matrix' as const),
  });
});

function writeLoop(l: Loop): string {
  const n = l.g.length;
  const head = `model Loop
  Real x(start = ${l.start}, fixed = true);
  discrete Real z[${n}](each start = 0, each fixed = true);
  discrete Real u(start = 0, fixed = true);`;
  const clock = `sample(${l.first / 100}, ${l.interval / 100})`;
  const row = (k: number) =>
    `${l.m[k]!.map((m, j) => `${literal(m)}*pre(z[${j + 1}])`).join(' + ')} + ${literal(l.g[k]!)}*x + ${literal(l.w)}*time`;
  const output = l.c.map((c, k) => `${literal(c)}*z[${k + 1}]`).join(' + ');
  const plant = `der(x) = ${-l.a}*x + ${literal(l.b)}*u;`;
  switch (l.form) {
    case 'equations':
      return `${head}
equation
  ${plant}
  when ${clock} then
    ${l.g.map((_, k) => `z[${k + 1}] = ${row(k)};`).join('\n    ')}
    u = ${output};
  end when;
end Loop;`;
    case 'matrix':
      return `${head}
  parameter Real M[${n}, ${n}] = {${l.m.map((r) => `{${r.join(', ')}}`).join(', ')}};
  parameter Real g[${n}] = {${l.g.join(', ')}}, c[${n}] = {${l.c.join(', ')}}, w = ${l.w};
equation
  ${plant}
  when ${clock} then
    z = M*pre(z) + g*x + fill(w*time, ${n});
    u = c*z;
  end when;
end Loop;`;
  }
}

describe('random sampled systems', () => {
  test(
    'follow their recurrence',
    async () => {
      await law(cases(loop, writeLoop), 60, async ({ text, data: l }) => {
        const { table } = await succeed(text);
        let [t, x, u] = [0, l.start, 0];
        let z = l.g.map(() => 0);
        const move = (to: number): void => {
          const rest = (l.b * u) / l.a;
          x = rest + (x - rest) * Math.exp(-l.a * (to - t));
          t = to;
        };
        for (let k = 0; l.first + k * l.interval < 100; k++) {
          const tick = (l.first + k * l.interval) / 100;
          move(tick);
          const before = z;
          z = l.m.map(
            (row, i) => row.reduce((sum, m, j) => sum + m * before[j]!, 0) + l.g[i]! * x + l.w * tick,
          );
          u = l.c.reduce((sum, c, i) => sum + c * z[i]!, 0);
          const between = tick + l.interval / 250;
          if (between > 1) break;
          move(between);
          const rows = [...table.time.keys()].filter(
            (r) => table.time[r]! > tick - 1e-9 && table.time[r]! <= between,
          );
          const row = rows.at(-1)!;
          for (const [i, value] of z.entries())
            agree(table.at(`z[${i + 1}]`, row), value, 1e-6, `z[${i + 1}] after ${tick}`);
          agree(table.at('u', row), u, 1e-6, `u after ${tick}`);
        }
      });
    },
    patience,
  );
});

// ---------------------------------------------------------------- discrete logic

type Logic =
  | { readonly kind: 'after'; readonly time: number }
  | { readonly kind: 'pre' | 'now'; readonly of: number }
  | { readonly kind: 'and' | 'or' | 'xor'; readonly of: readonly [Logic, Logic] }
  | { readonly kind: 'not'; readonly of: Logic };

const { logic } = fc.letrec<{ logic: Logic }>((tie) => ({
  logic: fc.oneof(
    { maxDepth: 3 },
    fc.record({ kind: fc.constant('after' as const), time: tenths(0.1, 0.9) }),
    fc.record({ kind: fc.constantFrom('pre' as const, 'now' as const), of: fc.nat({ max: 5 }) }),
    fc.record({
      kind: fc.constantFrom('and' as const, 'or' as const, 'xor' as const),
      of: fc.tuple(tie('logic'), tie('logic')),
    }),
    fc.record({ kind: fc.constant('not' as const), of: tie('logic') }),
  ),
}));

/** Booleans by formulas: `now` refers to those before, `pre` to any. */
type Circuit = readonly Logic[];

function writeLogic(e: Logic, k: number, n: number): string {
  switch (e.kind) {
    case 'after':
      return `time >= ${e.time}`;
    case 'pre':
      return `pre(b[${1 + (e.of % n)}])`;
    case 'now':
      return k === 0 ? 'false' : `b[${1 + (e.of % k)}]`;
    case 'not':
      return `not (${writeLogic(e.of, k, n)})`;
    case 'xor':
      return `((${writeLogic(e.of[0], k, n)}) <> (${writeLogic(e.of[1], k, n)}))`;
    default:
      return `((${writeLogic(e.of[0], k, n)}) ${e.kind} (${writeLogic(e.of[1], k, n)}))`;
  }
}

function writeCircuit(circuit: Circuit): string {
  const n = circuit.length;
  return `model Circuit
  Boolean b[${n}](each start = false, each fixed = true);
  Integer rises[${n}](each start = 0, each fixed = true);
equation
  ${circuit.map((e, k) => `b[${k + 1}] = ${writeLogic(e, k, n)};`).join('\n  ')}
  for k in 1:${n} loop
    when b[k] then rises[k] = pre(rises[k]) + 1; end when;
  end for;
end Circuit;`;
}

function logicValue(
  e: Logic,
  k: number,
  time: number,
  pre: readonly boolean[],
  now: readonly boolean[],
): boolean {
  const value = (of: Logic) => logicValue(of, k, time, pre, now);
  switch (e.kind) {
    case 'after':
      return time >= e.time;
    case 'pre':
      return pre[e.of % pre.length]!;
    case 'now':
      return k > 0 && now[e.of % k]!;
    case 'not':
      return !value(e.of);
    case 'and':
      return value(e.of[0]) && value(e.of[1]);
    case 'or':
      return value(e.of[0]) || value(e.of[1]);
    case 'xor':
      return value(e.of[0]) !== value(e.of[1]);
  }
}

/** Iterates a circuit until nothing changes, counting rises, but for those of initial values; undefined where it never settles. */
function settle(
  circuit: Circuit,
  time: number,
  start: readonly boolean[],
  rises: number[],
): boolean[] | undefined {
  let pre = start;
  for (let n = 0; n < 50; n++) {
    const now: boolean[] = [];
    for (const [k, e] of circuit.entries()) now.push(logicValue(e, k, time, pre, now));
    const isInitial = time === 0 && n === 0;
    for (const [k, value] of now.entries()) if (value && !pre[k] && !isInitial) rises[k]!++;
    if (now.every((value, k) => value === pre[k])) return now;
    pre = now;
  }
  return undefined;
}

describe('random discrete logic', () => {
  test(
    'settles at every instant as iteration by hand does',
    async () => {
      await law(
        cases(fc.array(logic, { minLength: 1, maxLength: 4 }), writeCircuit),
        60,
        async ({ text, data }) => {
          const rises = data.map(() => 0);
          const start = data.map(() => false);
          let values: boolean[] | undefined = settle(data, 0, start, rises);
          const history: { time: number; values: boolean[]; rises: number[] }[] = [];
          for (let step = 0; step < 10 && values; step++) {
            history.push({ time: step / 10, values, rises: [...rises] });
            values = settle(data, (step + 1) / 10, values, rises);
          }
          if (!values) return;
          const { table } = await succeed(text);
          for (const { time, values, rises } of history) {
            for (const [k, value] of values.entries()) {
              agree(table.value(`b[${k + 1}]`, time + 0.05), value ? 1 : 0, 0, `b[${k + 1}] after ${time}`);
              agree(
                table.value(`rises[${k + 1}]`, time + 0.05),
                rises[k]!,
                0,
                `rises[${k + 1}] after ${time}`,
              );
            }
          }
        },
      );
    },
    patience,
  );
});

// ---------------------------------------------------------------- jumps of states

interface Jumps {
  readonly slopes: readonly number[];
  readonly jumps: readonly {
    readonly time: number;
    readonly matrix: readonly (readonly number[])[];
    readonly shift: readonly number[];
  }[];
}

const jumps: fc.Arbitrary<Jumps> = fc.integer({ min: 1, max: 3 }).chain((n) => {
  const row = fc.array(tenths(-1, 1), { minLength: n, maxLength: n });
  return fc.record({
    slopes: row,
    jumps: fc.uniqueArray(
      fc.record({
        time: tenths(0.1, 0.9),
        matrix: fc.array(row, { minLength: n, maxLength: n }),
        shift: row,
      }),
      { maxLength: 3, selector: (j) => j.time },
    ),
  });
});

function writeJumps({ slopes, jumps }: Jumps): string {
  const n = slopes.length;
  const value = (row: readonly number[], shift: number) =>
    `${row.map((m, j) => `${literal(m)}*x[${j + 1}]`).join(' + ')} + ${literal(shift)}`;
  const whens = jumps.map(
    ({ time, matrix, shift }) =>
      `when time >= ${time} then ${matrix.map((row, i) => `reinit(x[${i + 1}], ${value(row, shift[i]!)});`).join(' ')} end when;`,
  );
  return `model Jumps
  Real x[${n}](start = {${slopes.map((_, k) => k + 1).join(', ')}}, each fixed = true);
equation
  der(x) = {${slopes.join(', ')}};
  ${whens.join('\n  ')}
end Jumps;`;
}

describe('random jumps of states', () => {
  test(
    'are simultaneous: new values follow from the ones before',
    async () => {
      await law(cases(jumps, writeJumps), 40, async ({ text, data }) => {
        const { table } = await succeed(text);
        let time = 0;
        let x = data.slopes.map((_, k) => k + 1);
        const move = (to: number): void => {
          x = x.map((value, k) => value + data.slopes[k]! * (to - time));
          time = to;
        };
        const compare = (side: 'before' | 'after'): void => {
          for (const [k, value] of x.entries())
            agree(table.value(`x[${k + 1}]`, time, side), value, 1e-9, `x[${k + 1}] ${side} ${time}`);
        };
        for (const jump of [...data.jumps].sort((a, b) => a.time - b.time)) {
          move(jump.time);
          compare('before');
          x = jump.matrix.map((row, i) => row.reduce((sum, m, j) => sum + m * x[j]!, jump.shift[i]!));
          compare('after');
        }
        move(1);
        compare('before');
      });
    },
    patience,
  );
});
