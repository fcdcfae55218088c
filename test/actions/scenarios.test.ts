import { test } from 'vitest';
import { loadModel, renderDiagnostic, simulate } from '../../src/index.ts';
import { atPlate, ball, cellOf, grip, lifted, open, type Steps, stateNames } from './youbot.ts';

const fixSphere: Steps = function* ({ attach, handOver, move }) {
  yield attach('piece', 'plate');
  yield move(atPlate(0, open), atPlate(1.04, open), atPlate(1.04, grip));
  yield handOver('piece', 'hand');
  yield move(lifted(grip), atPlate(1.04, grip), atPlate(1.04, open));
  yield handOver('piece', 'plate');
  yield move(lifted(open), atPlate(1.04, open), atPlate(1.04, grip));
  yield handOver('piece', 'hand');
  yield move(lifted(grip));
};
const X = [
  3.14159265309, 4.2e-10, 0.06412355377, -0.38052257793, 1.50666602067, 0.38051733026, 0.08493903919,
  -0.50388170924, -2.1e-8, 1.2e-8, -1.445e-6, -0.37696907541, -0.39024017678, -0.14172504709, 4.01718e-4,
  2.92e-5, 0.04800059579, -5.9566e-7,
];
test('2a', async () => {
  try {
    const model = loadModel(cellOf(ball(0.1792), fixSphere));
    for (const tolerance of [1e-6, 1e-8]) {
      const result = await simulate(model, { stopTime: 13.5, tolerance });
      for (const d of result.diagnostics) console.log(renderDiagnostic(d));
      console.log(
        result.status,
        result.table.time.at(-1),
        result.segments,
        result.statistics,
        result.impulses,
      );
      const t = result.table.time.at(-1)!;
      console.log(
        stateNames
          .map((n, k) => {
            const v = result.table.value(n, t);
            return `${n} ${v} ${(v - X[k]!).toExponential(2)}`;
          })
          .join('\n'),
      );
    }
  } catch (e) {
    console.log((e as any).diagnostics?.map((d: any) => renderDiagnostic(d)).join('\n') ?? e);
    throw e;
  }
});
