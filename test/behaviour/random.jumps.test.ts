/**
 * Laws of jumps while the mode stays. Masses M with constant forces f are tied together by constraints G x = u(t), or G q = integral of u for
 * positions, whose right sides step in many ways; now and then a coefficient of G steps too. With constant f everything is linear in
 * time between the steps, and at a step M (x+ - x-) = G' Y and G x+ = u+: a small dense system that this file solves by elimination.
 *
 * Stores with nonlinear charges that are joined at once: the sum of the charges stays.
 */
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { eliminate } from './elimination.ts';
import { agree, cases, law, literal, patience, succeed, tenths } from './random.ts';

// ---------------------------------------------------------------- constraints that step

const ways = ['if', 'when', 'sample', 'state', 'equation', 'floor', 'abs', 'max', 'nested'] as const;

interface Constraint {
  /** By mass; at least one is not zero. */
  readonly coefficients: readonly number[];
  readonly way: (typeof ways)[number];
  /** How the right side steps, and at which tenths of a second. */
  readonly steps: readonly number[];
  readonly times: readonly number[];
  /** The coefficient that steps with the first step, and by how much; none where this is zero. */
  readonly shift: { readonly mass: number; readonly by: number };
}

interface System {
  readonly level: 'speeds' | 'positions';
  readonly masses: readonly { readonly m: number; readonly f: number; readonly start: number }[];
  readonly constraints: readonly Constraint[];
}

const constraint: fc.Arbitrary<Constraint> = fc
  .record({
    coefficients: fc.array(fc.integer({ min: -2, max: 2 }), { minLength: 4, maxLength: 4 }),
    way: fc.constantFrom(...ways),
    steps: fc.array(tenths(-3, 3, { zero: false }), { minLength: 1, maxLength: 3 }),
    times: fc.uniqueArray(fc.integer({ min: 1, max: 9 }), { minLength: 3, maxLength: 3 }),
    shift: fc.record({ mass: fc.nat({ max: 3 }), by: fc.constantFrom(0, 0, 1, -1) }),
  })
  .map((c) => ({ ...c, times: c.times.toSorted((a, b) => a - b) }));

const system: fc.Arbitrary<System> = fc
  .record({
    level: fc.constantFrom('speeds' as const, 'positions' as const),
    masses: fc.array(fc.record({ m: tenths(0.2, 3), f: tenths(-2, 2), start: tenths(-3, 3) }), {
      minLength: 2,
      maxLength: 4,
    }),
    constraints: fc.array(constraint, { minLength: 1, maxLength: 2 }),
  })
  .map((s) => ({
    ...s,
    constraints: s.constraints.slice(0, s.masses.length - 1).map((c) => ({
      ...c,
      coefficients: c.coefficients.slice(0, s.masses.length),
      // Positions cannot jump.
      shift:
        s.level === 'positions'
          ? { mass: 0, by: 0 }
          : { mass: c.shift.mass % s.masses.length, by: c.shift.by },
    })),
  }))
  .filter((s) => Array.from({ length: 11 }, (_, k) => k / 10).every((t) => isRegular(s, t)));

/** Coefficients after what happens at time t. */
function coefficientsAt({ coefficients, shift, times }: Constraint, t: number): number[] {
  return coefficients.map((g, i) => (i === shift.mass && t >= times[0]! / 10 ? g + shift.by : g));
}

/** The right side after what happens at time t, without its first value. */
function stepsAt({ steps, times, way }: Constraint, t: number): number {
  if (way === 'sample') return steps[0]! * Math.floor((t - 0.05 + 1e-12) / 0.3 + 1);
  if (way === 'floor') return steps[0]! * Math.floor(t / 0.4 + 1e-12);
  const count = way === 'abs' || way === 'max' ? 1 : steps.length;
  let sum = 0;
  for (let k = 0; k < count; k++) if (t >= times[k]! / 10 - 1e-12) sum += steps[k]!;
  return sum;
}

function isRegular(s: System, t: number): boolean {
  const g = s.constraints.map((c) => coefficientsAt(c, t));
  const a = g.map((row, k) => [...g.map((other) => product(s, row, other)), k]);
  const scale = Math.max(...g.map((row) => product(s, row, row)));
  const solution = eliminate(a.map((row) => row.map((v, j) => (j < g.length ? v / (scale || 1) : v))));
  return solution?.every((v) => Math.abs(v) < 50) ?? false;
}

function product({ masses }: System, a: readonly number[], b: readonly number[]): number {
  return masses.reduce((sum, { m }, i) => sum + (a[i]! * b[i]!) / m, 0);
}

function write(s: System): string {
  const { level, masses, constraints } = s;
  const declarations: string[] = ['Real clock(start = 0, fixed = true);'];
  const lines: string[] = ['der(clock) = 1;'];
  const dependent = dependents(constraints.map((c) => c.coefficients));
  for (const [i, { m, f, start }] of masses.entries()) {
    const fixed = dependent.includes(i) ? '' : ', fixed = true';
    const forces = constraints.flatMap((c, k) => [` + ${coefficientText(c, i, k)}*y${k}`]);
    declarations.push(`Real x${i}(start = ${start}${fixed});`);
    lines.push(`${m}*der(x${i}) = ${literal(f)}${forces.join('')};`);
    if (level === 'speeds') continue;
    declarations.push(`Real q${i}(start = 0${fixed});`);
    lines.push(`der(q${i}) = x${i};`);
  }
  for (const [k, c] of constraints.entries()) {
    declarations.push(`Real y${k};`, `Real p${k}(start = 0, fixed = true);`);
    lines.push(`der(p${k}) = y${k};`);
    if (c.shift.by !== 0) {
      const before = c.coefficients[c.shift.mass]!;
      declarations.push(
        `Real g${k} = if time < ${c.times[0]! / 10} then ${before} else ${before + c.shift.by};`,
      );
    }
    const variable = level === 'speeds' ? 'x' : 'q';
    const sum = masses.map((_, i) => `${coefficientText(c, i, k)}*${variable}${i}`).join(' + ');
    const first = c.coefficients.reduce((total, g, i) => total + g * masses[i]!.start, 0);
    const { declared, right, equations } = source(c, k, level, first);
    declarations.push(...declared);
    lines.push(...(equations ?? [`${sum} = ${right};`]).map((line) => line.replaceAll('SUM', sum)));
  }
  return `model Jumps\n  ${declarations.join('\n  ')}\nequation\n  ${lines.join('\n  ')}\nend Jumps;`;
}

/** As many masses as there are constraints, whose speeds follow from those of the others: pivots of an elimination. */
function dependents(g: readonly (readonly number[])[]): number[] {
  const rows = g.map((row) => row.slice());
  const pivots: number[] = [];
  for (const [k, row] of rows.entries()) {
    const pivot = row.reduce((best, v, i) => (Math.abs(v) > Math.abs(row[best]!) ? i : best), 0);
    pivots.push(pivot);
    for (const other of rows.slice(k + 1)) {
      const factor = other[pivot]! / row[pivot]!;
      for (const i of other.keys()) other[i]! -= factor * row[i]!;
    }
  }
  return pivots;
}

function coefficientText(c: Constraint, i: number, k: number): string {
  return c.shift.by !== 0 && i === c.shift.mass ? `g${k}` : literal(c.coefficients[i]!);
}

/** The right side of a constraint, or whole equations with SUM for its left side. */
function source(
  c: Constraint,
  k: number,
  level: System['level'],
  first: number,
): { declared: string[]; right: string; equations?: string[] } {
  const { way, steps, times } = c;
  const at = times.map((t) => t / 10);
  /** A piece with slope `u` that continues what was before it, or the value itself. */
  const pieces = [{ value: first, offset: 0 }];
  for (const [n, step] of steps.entries()) {
    const { value, offset } = pieces[n]!;
    pieces.push({ value: value + step, offset: offset - step * at[n]! });
  }
  const piece = (n: number, time = 'time') => {
    const { value, offset } = pieces[n]!;
    return level === 'speeds' ? literal(value) : `(${literal(value)}*${time} + ${literal(offset)})`;
  };
  const chosen = (clock: string) => {
    let text = piece(steps.length);
    for (let n = steps.length - 1; n >= 0; n--)
      text = `(if ${clock} < ${at[n]} then ${piece(n)} else ${text})`;
    return text;
  };
  const u = `u${k}`;
  switch (way) {
    case 'if':
      return { declared: [], right: chosen('time') };
    case 'state':
      return { declared: [], right: chosen('clock') };
    case 'nested':
      return { declared: [`Real ${u} = ${chosen('time')};`, `Real w${k} = 2*${u};`], right: `w${k} - ${u}` };
    case 'equation': {
      const branches = steps.map(
        (_, n) => `${n === 0 ? 'if' : 'elseif'} time < ${at[n]} then SUM = ${piece(n)};`,
      );
      return {
        declared: [],
        right: '',
        equations: [`${branches.join(' ')} else SUM = ${piece(steps.length)}; end if;`],
      };
    }
    case 'when': {
      const whens = steps.map(
        (_, n) =>
          `${n === 0 ? '' : 'else'}when time >= ${at[n]} then ${u} = ${literal(pieces[n + 1]!.value)};`,
      );
      const declared = [`discrete Real ${u}(start = ${first}, fixed = true);`];
      const equations = [`${whens.join(' ')} end when;`];
      if (level === 'speeds') return { declared, right: u, equations: [...equations, `SUM = ${u};`] };
      // The path is the integral of the discrete value: a constraint on speeds after all.
      return {
        declared: [...declared, `Real path${k}(start = 0, fixed = true);`],
        right: '',
        equations: [...equations, `der(path${k}) = ${u};`, `SUM = path${k};`],
      };
    }
    case 'sample': {
      const declared = [`discrete Real ${u}(start = ${first}, fixed = true);`];
      const equations = [`when sample(0.05, 0.3) then ${u} = pre(${u}) + ${literal(steps[0]!)}; end when;`];
      if (level === 'speeds') return { declared, right: u, equations: [...equations, `SUM = ${u};`] };
      return {
        declared: [...declared, `Real path${k}(start = 0, fixed = true);`],
        right: '',
        equations: [...equations, `der(path${k}) = ${u};`, `SUM = path${k};`],
      };
    }
    case 'floor': {
      const value = `${literal(first)} + ${literal(steps[0]!)}*floor(time/0.4)`;
      if (level === 'speeds') return { declared: [], right: value };
      return {
        declared: [`Real path${k}(start = 0, fixed = true);`],
        right: '',
        equations: [`der(path${k}) = ${value};`, `SUM = path${k};`],
      };
    }
    case 'abs':
    case 'max': {
      const [t, step] = [at[0]!, steps[0]!];
      if (level === 'speeds')
        return {
          declared: [],
          right: `(if time < ${t} then ${literal(first)} else ${literal(first + step)})`,
        };
      const bend =
        way === 'max'
          ? `${literal(step)}*max(0, time - ${t})`
          : `${literal(step / 2)}*(abs(${t} - time) + time - ${t})`;
      return { declared: [], right: `${literal(first)}*time + ${bend}` };
    }
  }
}

/** Speeds, integrals of the forces of constraints, and impulses by constraint and time. */
function solution(s: System, until: number) {
  const { masses, constraints } = s;
  const first = constraints.map((c) => c.coefficients.reduce((sum, g, i) => sum + g * masses[i]!.start, 0));
  const instants = new Set<number>();
  for (const c of constraints) for (const t of candidates(c)) instants.add(t);
  let x = masses.map((m) => m.start);
  const p = constraints.map(() => 0);
  const impulses: { t: number; k: number; weight: number }[] = [];
  let now = 0;
  const states: { t: number; x: number[] }[] = [{ t: 0, x }];
  for (const t of [...instants]
    .filter((i) => i > 0 && i < until)
    .sort((a, b) => a - b)
    .concat(until)) {
    const g = constraints.map((c) => coefficientsAt(c, (now + t) / 2));
    // Between steps G x' = 0: M x' = f + G' y.
    const y = multipliers(
      s,
      g,
      g.map((row) => -row.reduce((sum, v, i) => sum + (v * masses[i]!.f) / masses[i]!.m, 0)),
    );
    const rate = masses.map(({ m, f }, i) => (f + g.reduce((sum, row, k) => sum + row[i]! * y[k]!, 0)) / m);
    x = x.map((v, i) => v + rate[i]! * (t - now));
    for (const k of p.keys()) p[k]! += y[k]! * (t - now);
    now = t;
    if (t === until) break;
    const after = constraints.map((c) => coefficientsAt(c, t + 1e-9));
    const missing = after.map(
      (row, k) =>
        first[k]! + stepsAt(constraints[k]!, t + 1e-9) - row.reduce((sum, v, i) => sum + v * x[i]!, 0),
    );
    const weights = multipliers(s, after, missing);
    x = x.map((v, i) => v + after.reduce((sum, row, k) => sum + row[i]! * weights[k]!, 0) / masses[i]!.m);
    for (const k of p.keys()) p[k]! += weights[k]!;
    for (const [k, weight] of weights.entries()) impulses.push({ t, k, weight });
    states.push({ t, x });
  }
  return { x, p, impulses, states };
}

function candidates({ way, times }: Constraint): number[] {
  if (way === 'sample') return [0.05, 0.35, 0.65, 0.95, ...times.map((t) => t / 10)];
  if (way === 'floor') return [0.4, 0.8, ...times.map((t) => t / 10)];
  return times.map((t) => t / 10);
}

/** The multipliers Y with G M^-1 G' Y = missing. */
function multipliers(s: System, g: readonly (readonly number[])[], missing: readonly number[]): number[] {
  return eliminate(g.map((row, k) => [...g.map((other) => product(s, row, other)), missing[k]!]))!;
}

describe('constraints whose right sides and coefficients step', () => {
  test(
    'momentum changes by the impulses of the constraints',
    () =>
      law(cases(system, write), 60, async ({ data, text }) => {
        const stopTime = 1;
        const result = await succeed(text, { stopTime });
        const expected = solution(data, stopTime);
        for (const i of data.masses.keys())
          agree(result.table.value(`x${i}`, stopTime), expected.x[i]!, 1e-6, `x${i}`);
        for (const { t, x } of expected.states)
          for (const i of data.masses.keys())
            agree(valueAfter(result.table, `x${i}`, t), x[i]!, 1e-6, `x${i} after ${t}`);
        for (const k of data.constraints.keys())
          agree(result.table.value(`p${k}`, stopTime), expected.p[k]!, 1e-6, `p${k}`);
        for (const { t, k, weight } of expected.impulses) {
          const own = result.impulses.filter((i) => i.variable === `y${k}` && Math.abs(i.time - t) < 1e-6);
          agree(
            own.reduce((sum, i) => sum + i.weight, 0),
            weight,
            1e-6,
            `impulse of y${k} at ${t}`,
          );
        }
      }),
    patience,
  );
});

function valueAfter(
  table: { readonly time: ArrayLike<number>; value(name: string, t: number): number },
  name: string,
  t: number,
): number {
  for (let row = table.time.length - 1; row >= 0; row--)
    if (Math.abs(table.time[row]! - t) < 1e-7) return table.value(name, table.time[row]!);
  return table.value(name, t);
}

// ---------------------------------------------------------------- nonlinear charges

const charges = {
  cubic: {
    q: (v: number, a: number) => v + a * v ** 3,
    text: (v: string, a: number) => `${v} + ${a}*${v}^3`,
    slope: (v: string, a: number) => `(1 + ${3 * a}*${v}^2)`,
  },
  exponential: {
    q: (v: number, a: number) => v + a * Math.exp(v),
    text: (v: string, a: number) => `${v} + ${a}*exp(${v})`,
    slope: (v: string, a: number) => `(1 + ${a}*exp(${v}))`,
  },
  saturated: {
    q: (v: number, a: number) => v + a * Math.tanh(v),
    text: (v: string, a: number) => `${v} + ${a}*tanh(${v})`,
    slope: (v: string, a: number) => `(1 + ${a}*(1 - tanh(${v})^2))`,
  },
  root: {
    q: (v: number, a: number) => a * Math.sign(v) * Math.log(1 + Math.abs(v)) + v,
    text: (v: string, a: number) => `${v} + ${a}*(if ${v} > 0 then 1 else -1)*log(1 + noEvent(abs(${v})))`,
    slope: (v: string, a: number) => `(1 + ${a}/(1 + noEvent(abs(${v}))))`,
  },
} as const;

interface Charged {
  readonly kind: keyof typeof charges;
  readonly form: 'der' | 'product' | 'variable' | 'quotient' | 'charge';
  readonly a: number;
  readonly start: number;
}

const charged: fc.Arbitrary<Charged> = fc.record({
  kind: fc.constantFrom(...(Object.keys(charges) as (keyof typeof charges)[])),
  form: fc.constantFrom(
    'der' as const,
    'product' as const,
    'variable' as const,
    'quotient' as const,
    'charge' as const,
  ),
  a: tenths(0.1, 2),
  start: tenths(-4, 4),
});

function writeCharged(stores: readonly Charged[]): string {
  const declarations: string[] = [];
  const lines: string[] = [];
  for (const [k, { kind, form, a, start }] of stores.entries()) {
    const v = `v${k}`;
    const { text, slope } = charges[kind];
    declarations.push(`Real ${v}(start = ${start}, fixed = true), i${k};`);
    switch (form) {
      case 'der':
        lines.push(`der(${text(v, a)}) = i${k};`);
        break;
      case 'product':
        lines.push(`${slope(v, a)}*der(${v}) = i${k};`);
        break;
      case 'variable':
        declarations.push(`Real c${k} = ${slope(v, a)};`);
        lines.push(`c${k}*der(${v}) = i${k};`);
        break;
      case 'quotient':
        lines.push(`der(${v}) = i${k}/${slope(v, a)};`);
        break;
      case 'charge':
        declarations.push(`Real q${k};`);
        lines.push(`q${k} = ${text(v, a)};`, `der(q${k}) = i${k};`);
        break;
    }
    if (k > 0) lines.push(`if time >= 0.5 then v${k} = v0; else i${k} = 0; end if;`);
  }
  lines.push(`0 = ${stores.map((_, k) => `i${k}`).join(' + ')};`);
  return `model Charges\n  ${declarations.join('\n  ')}\nequation\n  ${lines.join('\n  ')}\nend Charges;`;
}

describe('stores with nonlinear charges', () => {
  test(
    'keep the sum of their charges when they are joined',
    () =>
      law(
        cases(fc.array(charged, { minLength: 2, maxLength: 4 }), writeCharged),
        40,
        async ({ data, text }) => {
          const result = await succeed(text, { stopTime: 1 });
          const total = data.reduce((sum, { kind, a, start }) => sum + charges[kind].q(start, a), 0);
          const common = bisect((v) =>
            data.reduce((sum, { kind, a }) => sum + charges[kind].q(v, a), -total),
          );
          for (const [k, { kind, a, start }] of data.entries()) {
            agree(result.table.value(`v${k}`, 1), common, 1e-7, `v${k}`);
            const own = result.impulses.filter((i) => i.variable === `i${k}`);
            const weight = charges[kind].q(common, a) - charges[kind].q(start, a);
            agree(
              own.reduce((sum, i) => sum + i.weight, 0),
              weight,
              1e-7,
              `impulse of i${k}`,
            );
          }
          const warnings = result.diagnostics.filter((d) => d.code === 'impulse');
          if (warnings.length > 0) throw new Error(warnings[0]!.message);
        },
      ),
    patience,
  );
});

/** The root of an increasing function. */
function bisect(f: (v: number) => number): number {
  let [a, b] = [-100, 100];
  for (let n = 0; n < 200; n++) {
    const m = (a + b) / 2;
    if (f(m) > 0) b = m;
    else a = m;
  }
  return (a + b) / 2;
}
