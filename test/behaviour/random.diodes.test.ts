/**
 * Laws of conditions that belong to the solution: which diodes conduct is for the simulation to find.
 *
 * Chains of ideal diodes and capacitors behind a source keep the running maximum of its voltage; conducting diodes tie capacitors
 * together (index 2), so the number of states changes all the time. Networks of resistors and diodes with resistances have one
 * solution at every time; it is found here by looking at all combinations of diodes.
 */
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { parts as circuit } from '../simulate/parts.ts';
import { eliminate } from './elimination.ts';
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
  return `${circuit}
model Source
  extends TwoPin;
equation
  v = ${signalText(c.source)};
end Source;
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

// ---------------------------------------------------------------- diodes with resistances

/** From one node to another; node 0 is the ground, node 1 the source behind its resistor. */
interface Branch {
  readonly from: number;
  readonly to: number;
}

interface Leaking {
  readonly nodes: number;
  readonly w: number;
  readonly resistors: readonly (Branch & { readonly R: number })[];
  readonly diodes: readonly (Branch & {
    readonly Ron: number;
    readonly Goff: number;
    readonly knee: number;
  })[];
}

const sourceVoltage = 10;

/** Resistors make a tree, so that all nodes are connected; all else is anywhere. */
const leaking: fc.Arbitrary<Leaking> = fc.integer({ min: 2, max: 5 }).chain((nodes) => {
  const branch = fc
    .record({ from: fc.integer({ min: 0, max: nodes - 1 }), step: fc.integer({ min: 1, max: nodes - 1 }) })
    .map(({ from, step }) => ({ from, to: (from + step) % nodes }));
  const size = (lowest: number, highest: number) =>
    fc.integer({ min: lowest, max: highest }).map((n) => 10 ** n);
  const tree = fc.tuple(
    ...Array.from({ length: nodes - 1 }, (_, k) =>
      fc.record({ from: fc.integer({ min: 0, max: k }), to: fc.constant(k + 1), R: tenths(1, 20) }),
    ),
  );
  const diode = fc
    .record({ branch, Ron: size(-5, -1), Goff: size(-5, -2), knee: fc.constantFrom(0, 0.7, 2) })
    .map(({ branch: ends, ...values }) => ({ ...ends, ...values }));
  return fc.record({
    nodes: fc.constant(nodes),
    w: tenths(3, 9),
    resistors: tree,
    diodes: fc.array(diode, { minLength: 1, maxLength: 5 }),
  });
});

function writeLeaking({ nodes, w, resistors, diodes }: Leaking): string {
  const names = ['Ground n0;', 'Resistor r(R = 1);', `Sine source(V = ${sourceVoltage}, w = ${w});`];
  const lines = ['connect(n0.p, source.n);', 'connect(source.p, r.p);', 'connect(r.n, n1.p);'];
  for (let k = 1; k < nodes; k++) names.push(`Node n${k};`);
  for (const [k, { from, to, R }] of resistors.entries()) {
    names.push(`Resistor r${k}(R = ${R});`);
    lines.push(`connect(n${from}.p, r${k}.p);`, `connect(r${k}.n, n${to}.p);`);
  }
  for (const [k, { from, to, Ron, Goff, knee }] of diodes.entries()) {
    names.push(`Leaky d${k}(Ron = ${Ron}, Goff = ${Goff}, knee = ${knee});`);
    lines.push(`connect(n${from}.p, d${k}.p);`, `connect(d${k}.n, n${to}.p);`);
  }
  return `${circuit}
model Node
  Pin p;
equation
  p.i = 0;
end Node;
model Leaking
  ${names.join('\n  ')}
equation
  ${lines.join('\n  ')}
end Leaking;`;
}

/** Potentials of the nodes for a voltage of the source: those of the combination of diodes that agrees with them best. */
function potentials({ nodes, resistors, diodes }: Leaking, voltage: number): number[] {
  let best: { v: number[]; worst: number } | undefined;
  for (let combination = 0; combination < 1 << diodes.length; combination++) {
    const rows = Array.from({ length: nodes }, () => new Array<number>(nodes + 1).fill(0));
    /** The current G (v_from - v_to) + I leaves one node and enters the other. */
    const add = ({ from, to }: Branch, G: number, I: number) => {
      for (const [node, other, sign] of [
        [from, to, 1],
        [to, from, -1],
      ] as const) {
        rows[node]![node]! += G;
        rows[node]![other]! -= G;
        rows[node]![nodes]! -= sign * I;
      }
    };
    add({ from: 1, to: 0 }, 1, -voltage);
    for (const r of resistors) add(r, 1 / r.R, 0);
    const laws = diodes.map((d, k) => {
      const G = (combination >> k) & 1 ? 1 / d.Ron : d.Goff;
      return { ...d, G, I: d.Goff * d.knee - G * d.knee };
    });
    for (const d of laws) add(d, d.G, d.I);
    rows[0] = [1, ...new Array<number>(nodes).fill(0)];
    const v = eliminate(rows);
    if (!v) continue;
    const violation = laws.map((d, k) => {
      const above = v[d.from]! - v[d.to]! - d.knee;
      return (combination >> k) & 1 ? -above : above;
    });
    const worst = Math.max(...violation);
    if (!best || worst < best.worst) best = { v, worst };
  }
  return best!.v;
}

describe('random networks of diodes with resistances', () => {
  test(
    'are at every time where the laws of all branches hold',
    async () => {
      await law(cases(leaking, writeLeaking), 20, async ({ text, data }) => {
        const { table } = await succeed(text, { intervals: 20, stopTime: 1.5 });
        for (const [row, t] of table.time.entries()) {
          const v = potentials(data, sourceVoltage * Math.sin(data.w * t));
          for (let k = 1; k < data.nodes; k++)
            agree(table.at(`n${k}.p.v`, row), v[k]!, 1e-7, `n${k} at ${t}`);
        }
      });
    },
    patience,
  );
});
