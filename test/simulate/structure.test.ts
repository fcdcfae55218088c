/**
 * Models whose structure changes. The numbers are exact or were computed independently (closed forms in the comments).
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { close, done, example } from './notation.ts';

describe('ideal clutch: 2, 1, 2 states', () => {
  test('momentum is conserved when the clutch closes, and the torque has an impulse', async () => {
    const { table, modes, impulses, statistics } = await done(example('IdealClutch'));
    close(table.value('w1', 5, 'before'), Math.exp(-0.05));
    close(table.value('w2', 5, 'before'), 1.5 * Math.exp(-0.03125));
    const joint = (Math.exp(-0.05) + 3 * Math.exp(-0.03125)) / 3;
    close(table.value('w1', 5, 'after'), joint);
    close(table.value('w1', 5, 'after'), 1.2863097093);
    close(table.value('w2', 5, 'after'), joint);
    close(table.value('f1', 5, 'after'), 0.0032157743);
    close(table.value('w1', 7), 1.2671590527);
    close(table.value('w1', 10), 1.229708843);
    close(table.value('w2', 10), 1.2436211776);
    expect(modes.map((m) => [m.signature, m.states.length, m.index])).toEqual([
      ['not closed', 2, 1],
      ['closed', 1, 2],
      ['not closed', 2, 1],
    ]);
    expect(impulses.map((i) => [i.time, i.variable])).toEqual([
      [5, 'f1'],
      [5, 'f2'],
    ]);
    close(impulses[0]!.weight, 0.3350802848);
    close(impulses[1]!.weight, -0.3350802848);
    expect(statistics.modeChanges).toBe(2);
    expect(statistics.modesCompiled).toBe(2);
  });
});

describe('charge sharing', () => {
  test('charge is conserved: 4 V and an impulse of 6 As', async () => {
    const { table, impulses, modes } = await done(example('ChargeSharing'));
    close(table.value('v1', 1, 'after'), 4);
    close(table.value('v2', 2), 4);
    expect(impulses).toHaveLength(1);
    expect(impulses[0]!.variable).toBe('i');
    close(impulses[0]!.weight, 6);
    expect(modes.map((m) => m.states.length)).toEqual([2, 1]);
  });

  test('a conditional expression changes the structure as an if-equation does', async () => {
    const { table, impulses, modes } = await done(
      `model Expression
         Real v(start = 1, fixed = true);
         Real i;
       equation
         2*der(v) = i;
         0 = if time >= 1 then v - 5 else i;
       end Expression;`,
      { stopTime: 2 },
    );
    close(table.value('v', 1, 'after'), 5);
    close(impulses[0]!.weight, 8);
    expect(modes.map((m) => m.states.length)).toEqual([1, 0]);
  });

  test('a charged source on a capacitor: 8 As', async () => {
    const { table, impulses } = await done(
      `model Source
         Real v(start = 1, fixed = true);
         Real i;
       equation
         2*der(v) = i;
         if time >= 1 then v = 5; else i = 0; end if;
       end Source;`,
      { stopTime: 2 },
    );
    close(table.value('v', 1, 'after'), 5);
    close(impulses[0]!.weight, 8);
  });
});

describe('number of states', () => {
  test('1 to 0: the model of specification issue 2411', async () => {
    const { table, modes } = await done(example('VaryingStates'), { model: 'VaryingStates.OneToNone' });
    close(table.value('x', 0.5, 'before'), 5);
    expect(table.value('x', 0.5, 'after')).toBe(-5);
    expect(modes.map((m) => [m.states, m.index])).toEqual([
      [['x'], 0],
      [[], 1],
    ]);
    expect(table.value('der(x)', 0.25)).toBe(10);
    expect(table.value('der(x)', 0.75)).toBeNaN();
  });

  test('1 to 2', async () => {
    const { table, modes } = await done(example('VaryingStates'), { model: 'VaryingStates.OneToTwo' });
    close(table.value('b', 3), 4);
    close(table.value('b', 4), 3);
    close(table.value('a', 4), 5);
    expect(modes.map((m) => [m.states, m.index])).toEqual([
      [['a'], 1],
      [['a', 'b'], 0],
    ]);
  });

  test('a parameter chooses the structure', async () => {
    const text = `model Switch
        parameter Integer dyn = 1;
        parameter Real c = 1;
        Real x(start = 1, fixed = dyn == 1);
      equation
        if dyn == 1 then der(x) = -c*x; else x = c; end if;
      end Switch;`;
    const moving = await done(text, { stopTime: 1 });
    close(moving.table.value('x', 1), 0.3678794412);
    expect(moving.modes.map((m) => m.states.length)).toEqual([1]);
    const still = await done(text, { stopTime: 1, set: { dyn: 0 } });
    expect(still.modes.map((m) => m.states.length)).toEqual([0]);
    expect(still.table.value('x', 1)).toBe(1);
  });
});

describe('a pendulum that breaks', () => {
  test('index 3 with two states, then free flight with four; the force is missing afterwards', async () => {
    const { table, modes } = await done(example('BreakingPendulum'));
    expect(modes.at(-1)).toMatchObject({ signature: 'broken', from: 2, to: 3, index: 0 });
    expect(modes.at(-1)!.states).toEqual(['x', 'y', 'vx', 'vy']);
    expect(modes.slice(0, -1).every((m) => m.index === 3 && m.states.length === 2)).toBe(true);
    expect(table.value('F', 2, 'before')).toBeGreaterThan(0);
    expect(table.value('F', 2, 'after')).toBeNaN();
    // Released at rest from the horizontal: v^2 = -2 g y; then a parabola from the point of the break.
    const at = (name: string) => table.value(name, 2);
    close(at('vx') ** 2 + at('vy') ** 2, -2 * 9.81 * at('y'));
    close(table.value('x', 3), at('x') + at('vx'));
    close(table.value('y', 3), at('y') + at('vy') - 9.81 / 2);
  });
});

describe('a string that becomes taut', () => {
  test('the radial velocity is lost in an impulse, the tangential one stays', async () => {
    // Free flight from (0.6, 0), horizontal; taut at x^2 + y^2 = 1 (time given, so that the change is timed exactly).
    const { table, impulses, modes } = await done(
      `model Taut
         parameter Real tTaut;
         Real x(start = 0.6, fixed = true), y(start = 0, fixed = true), vx(start = 1, fixed = true), vy(start = 0, fixed = true), F;
       equation
         der(x) = vx;
         der(y) = vy;
         der(vx) = -F*x;
         der(vy) = -F*y - 9.81;
         if time < tTaut then F = 0; else x^2 + y^2 = 1; end if;
       end Taut;`,
      { set: { tTaut: tautTime() }, stopTime: 0.5 },
    );
    const t = tautTime();
    const [x, y, vx, vy] = [0.6 + t, (-9.81 * t * t) / 2, 1, -9.81 * t];
    const radial = x * vx + y * vy;
    close(table.value('vx', t, 'after'), vx - radial * x);
    close(table.value('vy', t, 'after'), vy - radial * y);
    expect(impulses.map((i) => i.variable)).toEqual(['F']);
    close(impulses[0]!.weight, radial);
    expect(modes[0]).toMatchObject({ index: 1 });
    expect(modes[1]).toMatchObject({ index: 3 });
  });

  test('a change that positions contradict is an error that names the constraint', async () => {
    const result = await import('./notation.ts').then(({ run }) =>
      run(
        `model Impossible
           Real x(start = 0.5, fixed = true), v(start = 0, fixed = true), F;
         equation
           der(x) = v;
           der(v) = F;
           if time < 1 then F = 0; else x = 0.8; end if;
         end Impossible;`,
        { stopTime: 2 },
      ),
    );
    expect(result.status).toBe('failed');
    expect(result.stage).toBe('simulate');
    expect(result.time).toBe(1);
    const [problem] = result.diagnostics.filter((d) => d.severity === 'error');
    expect(problem!.code).toBe('impossible-change');
    expect(problem!.message).toContain('x = 0.8');
    expect(problem!.message).toContain('-0.3');
    expect(result.table.value('x', 0.5)).toBeCloseTo(0.5, 12);
  });
});

/** When (0.6 + t)^2 + (9.81 t^2/2)^2 = 1, by bisection. */
function tautTime(): number {
  let low = 0;
  let high = 1;
  while (high - low > Number.EPSILON) {
    const t = (low + high) / 2;
    if ((0.6 + t) ** 2 + ((9.81 * t * t) / 2) ** 2 < 1) low = t;
    else high = t;
    if (t === low && t === high) break;
    if (high - low < 1e-16) break;
  }
  return high;
}

describe('parameters that are zero', () => {
  test('a conductance of zero behind an inductor: no current, and the voltage of the source', async () => {
    const { table, modes } = await done(
      `model Open
         parameter Real g = 0;
         Real i, v;
       equation
         0.5*der(i) = sin(time) - v;
         i = g*v;
       end Open;`,
    );
    close(table.value('v', 0.7), Math.sin(0.7));
    close(table.value('i', 0.7), 0);
    expect(modes[0]!.states).toEqual([]);
  });

  test('a damping of zero between a spring and a torque: the angle is no state', async () => {
    const text = `model Spring
         parameter Real c = 4, d = 0;
         Real phi(start = 0), tau = 8*time;
       equation
         tau = c*phi + d*der(phi);
       end Spring;`;
    const stiff = await done(text);
    expect(stiff.modes[0]!.states).toEqual([]);
    close(stiff.table.value('phi', 0.5), 1);
    const damped = await done(text, { set: { d: 2 } });
    expect(damped.modes[0]!.states).toEqual(['phi']);
    // 2 phi' + 4 phi = 8 t
    close(damped.table.value('phi', 0.5), 2 * 0.5 - 1 + Math.exp(-1));
  });

  test('one that initial equations compute may be zero before', async () => {
    const { table } = await done(
      `model Free
         parameter Real k(fixed = false, start = 0);
         Real x(start = 1, fixed = true);
       equation
         der(x) = -k*x;
       initial equation
         der(x) = -3;
       end Free;`,
    );
    close(table.value('x', 1), Math.exp(-3));
  });
});

test('a coil for the sum of currents carries none while their star point is open, though heat of them is nonlinear', async () => {
  // Open: each current is what its voltage exceeds the mean by, over R. Earthed: i0 follows the mean with L0/R.
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 2, maxLength: 7 }),
      fc.double({ min: 0.5, max: 4, noNaN: true }),
      fc.double({ min: 0.1, max: 2, noNaN: true }),
      async (u, R, L0) => {
        const m = u.length;
        const { table, modes } = await done(
          `
model Star
  parameter Real R = ${R}, L0 = ${L0}, u[${m}] = {${u}};
  Real i[${m}], i0, v0, star, heat;
equation
  for k in 1:${m} loop
    u[k] - star = R*i[k] + v0;
  end for;
  ${m}*i0 = sum(i);
  v0 = L0*der(i0);
  heat = R*i*i;
  if time < 1 then
    sum(i) = 0;
  else
    star = 0;
  end if;
end Star;`,
          { stopTime: 2 },
        );
        expect(modes.map(({ states }) => states.length)).toEqual([0, 1]);
        const mean = u.reduce((sum, each) => sum + each, 0) / m;
        const decay = Math.exp(-R / L0);
        for (const [k, each] of u.entries()) {
          expect(table.value(`i[${k + 1}]`, 0.5)).toBeCloseTo((each - mean) / R, 9);
          expect(table.value(`i[${k + 1}]`, 2)).toBeCloseTo((each - mean * decay) / R, 6);
        }
        expect(table.value('star', 0.5)).toBeCloseTo(mean, 9);
        expect(table.value('i0', 0.5)).toBe(0);
        expect(table.value('i0', 2)).toBeCloseTo((mean / R) * (1 - decay), 6);
      },
    ),
    { numRuns: 20 },
  );
});
