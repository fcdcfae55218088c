/**
 * Laws of conditions that belong to the solution: chains of ideal diodes and capacitors behind a source keep the running
 * maximum of its voltage. Which diodes conduct is for the simulation to find; conducting ones tie capacitors
 * together (index 2), so the number of states changes all the time.
 */
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { agree, cases, law, patience, type Signal, signalAt, signalText, succeed, tenths } from './random.ts';

interface Chain {
  readonly source: Signal;
  readonly capacities: readonly number[];
  /** How far each capacitor is above the one before at the start; the first one above the source. */
  readonly steps: readonly number[];
  readonly form: 'parametric' | 'components';
}

const chain: fc.Arbitrary<Chain> = fc.integer({ min: 1, max: 4 }).chain((n) =>
  fc.record({
    source: fc.array(
      fc.oneof(
        fc.record({ kind: fc.constant('power' as const), a: tenths(-2, 2), n: fc.constant(1) }),
        fc.record({
          kind: fc.constant('sin' as const),
          a: tenths(0.5, 2),
          w: tenths(2, 12),
          p: tenths(0, 6),
        }),
      ),
      { minLength: 1, maxLength: 2 },
    ),
    capacities: fc.array(tenths(0.5, 2), { minLength: n, maxLength: n }),
    steps: fc.array(tenths(0.1, 0.8), { minLength: n, maxLength: n }),
    form: fc.constantFrom('parametric' as const, 'components' as const),
  }),
);

/** Initial voltages: ascending, so that no diode conducts at the start. */
function starts({ source, steps }: Chain): number[] {
  let v = signalAt(source, 0);
  return steps.map((step) => (v += step));
}

function write(c: Chain): string {
  const start = starts(c);
  const n = start.length;
  if (c.form === 'parametric') {
    const diodes = start.flatMap((_, k) => {
      const before = k === 0 ? signalText(c.source) : `v${k - 1}`;
      return [
        `off${k} = s${k} < 0;`,
        `${before} - v${k} = if off${k} then s${k} else 0;`,
        `i${k} = if off${k} then 0 else s${k};`,
        `${c.capacities[k]}*der(v${k}) = i${k}${k + 1 < n ? ` - i${k + 1}` : ''};`,
      ];
    });
    const declarations = start.map(
      (v, k) =>
        `Real v${k}(start = ${v}, fixed = true), i${k}, s${k}(start = -1);\n  Boolean off${k}(start = true);`,
    );
    return `model Chain\n  ${declarations.join('\n  ')}\nequation\n  ${diodes.join('\n  ')}\nend Chain;`;
  }
  const parts = start.map(
    (v, k) => `Diode d${k};\n  Capacitor c${k}(C = ${c.capacities[k]}, v(start = ${v}, fixed = true));`,
  );
  const connects = start.map(
    (_, k) =>
      `connect(${k === 0 ? 'source' : `c${k - 1}`}.p, d${k}.p); connect(d${k}.n, c${k}.p); connect(c${k}.n, source.n);`,
  );
  return `connector Pin
  Real v;
  flow Real i;
end Pin;
partial model TwoPin
  Pin p, n;
  Real v = p.v - n.v;
  Real i = p.i;
equation
  p.i + n.i = 0;
end TwoPin;
model Source
  extends TwoPin;
equation
  v = ${signalText(c.source)};
end Source;
model Ground
  Pin p;
equation
  p.v = 0;
end Ground;
model Capacitor
  extends TwoPin;
  parameter Real C;
equation
  C*der(v) = i;
end Capacitor;
model Diode
  extends TwoPin;
  Real s(start = -1);
  Boolean off(start = true) = s < 0;
equation
  v = if off then s else 0;
  i = if off then 0 else s;
end Diode;
model Chain
  Ground ground;
  Source source;
  ${parts.join('\n  ')}
equation
  connect(ground.p, source.n);
  ${connects.join('\n  ')}
end Chain;`;
}

describe('random chains of ideal diodes', () => {
  test(
    'keep the running maximum of the source',
    async () => {
      await law(cases(chain, write), 20, async ({ text, data: c }) => {
        const { table } = await succeed(text, { intervals: 200 });
        const name = (k: number) => (c.form === 'parametric' ? `v${k}` : `c${k}.v`);
        let [peak, grid] = [signalAt(c.source, 0), 0];
        for (const [row, t] of table.time.entries()) {
          for (; grid / 1e5 < t; grid++) peak = Math.max(peak, signalAt(c.source, grid / 1e5));
          peak = Math.max(peak, signalAt(c.source, t));
          for (const [k, v] of starts(c).entries())
            agree(table.at(name(k), row), Math.max(v, peak), 1e-6, `${name(k)} at ${t}`);
        }
      });
    },
    patience,
  );
});
