/**
 * Laws of changes between structures that agree: one smooth solution, and equations that are replaced again and again by
 * others that it satisfies too, of another index and with other states. Nothing may jump, and there are no impulses.
 */
import fc from 'fast-check';
import { describe, test } from 'vitest';
import {
  agree,
  cases,
  derivative,
  law,
  literal,
  patience,
  type Signal,
  signal,
  signalAt,
  signalText,
  succeed,
  tenths,
} from './random.ts';

/** Left sides of equations of three variables a, b = der(a) and c, and the number of states. */
const variants = {
  /** Two states and an algebraic variable. */
  free: [['der(a) - b', 'der(b) + a + c', 'c + 0.2*c^3'], 2],
  /** Index 3: c moves a along its course. */
  guided: [['der(a) - b', 'der(b) + 2*c', 'a + 0.2*a^3'], 0],
  /** Index 2. */
  driven: [['der(a) - b', 'der(b) + sinh(c)', '2*b + sin(b)'], 1],
  algebraic: [['exp(0.5*a) + 0.2*sin(b)', 'b - 0.3*a', 'c + atan(c) + b'], 0],
  dynamic: [['der(a) + a', 'der(b) + 0.3*der(a) + b', 'der(c) + c + a'], 3],
  /** Index 2 with a multiplier. */
  bound: [['der(a) + c', 'der(b) + 2*c', 'a + 0.5*b + 0.1*b^3'], 1],
} as const satisfies Record<string, readonly [readonly [string, string, string], number]>;
type Variant = keyof typeof variants;

interface Part {
  readonly a: Signal;
  readonly c: Signal;
  /** Times of change in tenths, ascending, and the variants between them. */
  readonly times: readonly number[];
  readonly phases: readonly Variant[];
  readonly factor: number;
}

interface Model {
  readonly condition: 'time' | 'ramp' | 'boolean';
  readonly parts: readonly Part[];
}

const variant = fc.constantFrom(...(Object.keys(variants) as Variant[]));

const part: fc.Arbitrary<Part> = fc
  .record({
    a: signal,
    c: signal,
    first: variant,
    changes: fc.uniqueArray(fc.record({ time: fc.integer({ min: 1, max: 9 }), to: variant }), {
      selector: (change) => change.time,
      maxLength: 4,
    }),
    factor: tenths(-1, 1),
  })
  .map(({ first, changes, ...rest }) => {
    const sorted = [...changes].sort((x, y) => x.time - y.time);
    return {
      ...rest,
      times: sorted.map((change) => change.time / 10),
      phases: [first, ...sorted.map((change) => change.to)],
    };
  });

const model: fc.Arbitrary<Model> = fc.record({
  condition: fc.constantFrom('time' as const, 'ramp' as const, 'boolean' as const),
  parts: fc.array(part, { minLength: 1, maxLength: 3 }),
});

type Name = 'a' | 'b' | 'c';
const names = ['a', 'b', 'c'] as const;

function signalOf(part: Part, name: Name): Signal {
  return name === 'a' ? part.a : name === 'b' ? derivative(part.a) : part.c;
}

/** The equations of a part in a phase; every part after the first has a term in the one before. */
function equations(m: Model, k: number, phase: Variant): string[] {
  const part = m.parts[k]!;
  const before = m.parts[k - 1];
  const fill = (template: string, v: (name: Name) => string, d: (name: Name) => string) =>
    template.replace(/der\(([abc])\)|\b([abc])\b/g, (_, der?: Name, name?: Name) =>
      der ? d(der) : v(name!),
    );
  return variants[phase][0].map((template, row) => {
    const left = fill(
      template,
      (n) => `${n}${k}`,
      (n) => `der(${n}${k})`,
    );
    const right = fill(
      template,
      (n) => signalText(signalOf(part, n)),
      (n) => signalText(derivative(signalOf(part, n))),
    );
    if (!before || row === 0) return `${left} = ${right};`;
    const factor = literal(part.factor);
    return `${left} + ${factor}*sin(a${k - 1}) = ${right} + ${factor}*sin(${signalText(before.a)});`;
  });
}

function write(m: Model): string {
  const declarations: string[] = m.condition === 'ramp' ? ['Real ramp(start = 0, fixed = true);'] : [];
  const lines: string[] = m.condition === 'ramp' ? ['der(ramp) = 1;'] : [];
  for (const [k, part] of m.parts.entries()) {
    for (const name of names)
      declarations.push(`Real ${name}${k}(start = ${signalAt(signalOf(part, name), 0)});`);
    const conditions = part.times.map((t, n) => {
      if (m.condition !== 'boolean') return `${m.condition} < ${t}`;
      declarations.push(`Boolean early${k}${n} = time < ${t};`);
      return `early${k}${n}`;
    });
    const bodies = part.phases.map((phase) =>
      equations(m, k, phase)
        .map((line) => `    ${line}`)
        .join('\n'),
    );
    if (bodies.length === 1) lines.push(bodies[0]!.trim());
    else {
      const branches = conditions.map((c, n) => `${n === 0 ? 'if' : 'elseif'} ${c} then\n${bodies[n]}`);
      lines.push(`${branches.join('\n  ')}\n  else\n${bodies.at(-1)}\n  end if;`);
    }
  }
  return `model Changing\n  ${declarations.join('\n  ')}\nequation\n  ${lines.join('\n  ')}\nend Changing;`;
}

function phaseAt(part: Part, t: number): Variant {
  return part.phases[part.times.filter((change) => change <= t).length]!;
}

describe('random changes between structures with one solution', () => {
  test(
    'leave the solution as it is',
    async () => {
      await law(cases(model, write), 25, async ({ text, data: m }) => {
        const { table, modes, impulses } = await succeed(text);
        for (const [k, part] of m.parts.entries()) {
          for (const name of names) {
            const values = table.get(`${name}${k}`);
            for (const [row, t] of table.time.entries())
              agree(values[row]!, signalAt(signalOf(part, name), t), 1e-5, `${name}${k} at ${t}`);
          }
        }
        for (const { variable, weight, time } of impulses)
          agree(weight, 0, 1e-6, `the impulse of ${variable} at ${time}`);
        for (const { from, to, states } of modes) {
          const phases = m.parts.map((part) => phaseAt(part, (from + to) / 2));
          const expected =
            phases.reduce((sum, phase) => sum + variants[phase][1], 0) + (m.condition === 'ramp' ? 1 : 0);
          if (states.length !== expected)
            throw new Error(`${states.length} states in [${from}, ${to}] (${states}), not ${expected}`);
        }
      });
    },
    patience,
  );
});
