/** A very small implicit step over undecided equations, against what it is by hand: impulse, value and direction of indicators. */
import { describe, expect, test } from 'vitest';
import { loadModel } from '../../src/index.ts';
import { lowerModel } from '../../src/modes/lower.ts';
import { leak, undecided } from '../../src/modes/undecided.ts';
import { Runtime } from '../../src/program/runtime.ts';
import { foreseen } from '../../src/simulate/instant/settling.ts';
import { EulerStep } from '../../src/simulate/instant/stepping.ts';

/** The step of a model from its start values, and its settled conditions by their labels. */
function prepared(text: string) {
  const runtime = new Runtime(lowerModel(loadModel(text)));
  runtime.begin();
  runtime.values.prepare();
  const { model } = runtime;
  const values = model.conditions.map(() => true);
  const equations = undecided(model, values, runtime.code.calls);
  const step = equations && EulerStep.of(runtime, equations);
  const settled = () => {
    const found = foreseen(runtime, values, undefined);
    return found && Object.fromEntries(model.conditions.map(({ label }, k) => [label, found[k]]));
  };
  return { step, settled };
}

/** The only indicator after a step of length h. */
function indicator(text: string, held: boolean, h: number): number {
  const { step } = prepared(text);
  step!.start();
  return step!.step([held], h)!.indicators[0]!;
}

const charge = (v: number, branches: string) => `model Charge "A battery of 3 V, a diode, a capacitor of 2 F"
  Real v(start = ${v}), i, s;
  Boolean off = s < 0;
equation
  2*der(v) = i;
  ${branches}
end Charge;`;

describe.each([
  ['expressions', '3 - v = if off then s else 0; i = if off then 0 else s;'],
  ['equations', 'if off then i = 0; 3 - v = s; else 3 = v; i = s; end if;'],
  ['equations in another order', 'if off then s = 3 - v; i = 0; else i = s; v = 3; end if;'],
])('a diode of %s', (_, branches) => {
  test('blocks with the voltage across it', () => {
    expect(indicator(charge(5, branches), true, 1e-7)).toBeCloseTo(-2, 6);
  });

  test('conducts with an impulse of the charge that is missing', () => {
    // The resistance of the other branch is in series with the capacitor: i = 2*(3 - 1)/(h + 2*leak).
    for (const h of [1e-6, 1e-7, 1e-8])
      expect(indicator(charge(1, branches), false, h) * (h + 2 * leak)).toBeCloseTo(4, 8);
  });

  test('is settled', () => {
    const conditional = branches.startsWith('if');
    expect(prepared(charge(1, branches)).settled()).toEqual(conditional ? { off: false } : {});
    expect(prepared(charge(5, branches)).settled()).toEqual(conditional ? { off: true } : {});
  });
});

test('at zero the direction decides', () => {
  const ramp = (slope: number) => `model Ramp
  Real v(start = 0, fixed = true), i, s;
  Boolean off = s < 0;
equation
  der(v) = i;
  if off then
    i = 0;
    ${slope}*time - v = s;
  else
    i = s;
    v = ${slope}*time;
  end if;
end Ramp;`;
  expect(prepared(ramp(2)).settled()).toEqual({ off: false });
  expect(prepared(ramp(-2)).settled()).toEqual({ off: true });
});

test('rounding errors of large terms are zero', () => {
  const { step } = prepared(`model Small
  Real a(start = 0.1), b(start = 0.2), c(start = 0.30000000000000004), s, y;
  Boolean up = s > 0;
equation
  der(a) = 0; der(b) = 0; der(c) = 0;
  s = 1e6*(a + b) - 1e6*c;
  y = if up then 1 else 0;
end Small;`);
  step!.start();
  const { indicators, zeros } = step!.step([false], 1e-7)!;
  expect(Math.abs(indicators[0]!)).toBeLessThan(1e-9);
  expect(zeros[0]).toBeGreaterThan(Math.abs(indicators[0]!));
  expect(zeros[0]).toBeLessThan(1e-6);
});
