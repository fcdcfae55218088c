/** Linear models against closed forms: the matrices of textbooks, through algebraic loops, constraints and modes. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Failure,
  instantiate,
  type Linearization,
  type LinearizeOptions,
  linearize,
  loadModel,
} from '../../src/index.ts';
import { runsOf } from '../runs.ts';
import { example } from './notation.ts';

const linear = (text: string, options: LinearizeOptions = {}): Promise<Linearization> =>
  linearize(loadModel(text), options);

type Rows = readonly (readonly number[])[];

function near(found: Rows, wanted: Rows, relative = 1e-9): void {
  expect(found.map((row) => row.length)).toEqual(wanted.map((row) => row.length));
  for (const [i, row] of wanted.entries())
    for (const [j, value] of row.entries())
      expect(
        Math.abs(found[i]![j]! - value),
        `row ${i + 1}, column ${j + 1}: ${found[i]![j]}`,
      ).toBeLessThanOrEqual(relative * Math.max(1, Math.abs(value)));
}

const names = (list: readonly { readonly name: string }[]): string[] => list.map(({ name }) => name);

/** The messages of a failure. */
async function refusal(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'no failure',
    (failure: Failure) =>
      failure.diagnostics
        .filter((d) => d.severity === 'error')
        .map((d) => `${d.code}: ${d.message}`)
        .join('\n'),
  );
}

// No two columns can be computed together where one row is full.
test('a tank from which all consumers draw', async () => {
  const x = Array.from({ length: 12 }, (_, i) => (i + 1) / 11);
  const found =
    await linear(`model Tank Real T(start = 2, fixed = true); output Real most = max(T, ${x.map((_, i) => `x${i}`).join(' + ')});
    ${x.map((value, i) => `Real x${i}(start = ${value}, fixed = true); Real q${i};`).join(' ')} equation
    der(T) = ${x.map((_, i) => `- q${i}`).join(' ')};
    ${x.map((_, i) => `q${i} = 3*(T - x${i})*tanh(x${i}); der(x${i}) = q${i} - (if x${i} > 0.5 then x${i}^2 else 4*x${i});`).join('\n')}
    end Tank;`);
  const byTank = x.map((v) => 3 * Math.tanh(v));
  const byOwn = x.map((v) => 3 * (-Math.tanh(v) + (2 - v) / Math.cosh(v) ** 2));
  const loss = x.map((v) => (v > 0.5 ? 2 * v : 4));
  near(found.A, [
    [-byTank.reduce((sum, g) => sum + g, 0), ...byOwn.map((g) => -g)],
    ...x.map((_, i) => [byTank[i]!, ...x.map((_, j) => (i === j ? byOwn[i]! - loss[i]! : 0))]),
  ]);
  near(found.C, [[0, ...x.map(() => 1)]]);
});

describe('textbook systems', () => {
  test('a mass on a spring with a damper', async () => {
    const found =
      await linear(`model Msd parameter Real m = 2, c = 8, d = 0.5; input Real F; output Real y = x;
      Real x(start = 1, fixed = true), v(start = 0, fixed = true);
      equation der(x) = v; m*der(v) = F - c*x - d*v; end Msd;`);
    near(found.A, [
      [0, 1],
      [-8 / 2, -0.5 / 2],
    ]);
    near(found.B, [[0], [1 / 2]]);
    near(found.C, [[1, 0]]);
    near(found.D, [[0]]);
    expect([names(found.states), names(found.inputs), names(found.outputs)]).toEqual([
      ['x', 'v'],
      ['F'],
      ['y'],
    ]);
    expect(found.rates).toEqual([0, -4]);
    expect(found.exact).toBe(true);
    // s^2 + s/4 + 4 = 0
    near([found.poles!.map(({ re }) => re)], [[-1 / 8, -1 / 8]]);
    near([found.poles!.map(({ im }) => im)], [[Math.sqrt(4 - 1 / 64), -Math.sqrt(4 - 1 / 64)]]);
    expect(found.diagnostics).toEqual([]);
  });

  test('a motor with inductance', async () => {
    const [R, L, k, J, d] = [2, 0.5, 0.1, 0.02, 0.003];
    const found = await linear(`model Motor parameter Real R = ${R}, L = ${L}, k = ${k}, J = ${J}, d = ${d};
      input Real u, load; output Real w(start = 0, fixed = true), tau; Real i(start = 0, fixed = true);
      equation L*der(i) = u - R*i - k*w; J*der(w) = tau - d*w - load; tau = k*i; end Motor;`);
    expect(names(found.states)).toEqual(['w', 'i']);
    near(found.A, [
      [-d / J, k / J],
      [-k / L, -R / L],
    ]);
    near(found.B, [
      [0, -1 / J],
      [1 / L, 0],
    ]);
    near(found.C, [
      [1, 0],
      [0, k],
    ]);
  });

  test('a pendulum that stands on a cart: accelerations are solved for together', async () => {
    const [M, m, l, g] = [3, 0.5, 0.8, 9.81];
    const found =
      await linear(`model Cart parameter Real M = ${M}, m = ${m}, l = ${l}, g = ${g}; input Real F;
      Real x(start = 0, fixed = true), v(start = 0, fixed = true), phi(start = 0, fixed = true), w(start = 0, fixed = true);
      equation der(x) = v; der(phi) = w;
        (M + m)*der(v) + m*l*der(w)*cos(phi) - m*l*w^2*sin(phi) = F;
        l*der(w) + der(v)*cos(phi) - g*sin(phi) = 0; end Cart;`);
    expect(names(found.states)).toEqual(['x', 'v', 'phi', 'w']);
    near(found.A, [
      [0, 1, 0, 0],
      [0, 0, (-m * g) / M, 0],
      [0, 0, 0, 1],
      [0, 0, ((M + m) * g) / (M * l), 0],
    ]);
    near(found.B, [[0], [1 / M], [0], [-1 / (M * l)]]);
    // The pole to the right: the pendulum falls.
    expect(Math.max(...found.poles!.map(({ re }) => re))).toBeCloseTo(Math.sqrt(((M + m) * g) / (M * l)), 9);
  });

  test('a circuit whose node voltages are solved for together, and a diode', async () => {
    const [R1, R2, R3, C] = [100, 220, 47, 1e-5];
    const found = await linear(`model Circuit parameter Real R1 = ${R1}, R2 = ${R2}, R3 = ${R3}, C = ${C};
      input Real u; output Real v1; Real v(start = 0, fixed = true), i1, i2, i3;
      equation u - v1 = R1*i1; v1 = R2*i2; v1 - v = R3*i3; i1 = i2 + i3; C*der(v) = i3; end Circuit;`);
    const T = C * (R3 + (R1 * R2) / (R1 + R2));
    near(found.A, [[-1 / T]]);
    near(found.B, [[R2 / (R1 + R2) / T]]);
    const parallel = 1 / (1 / R1 + 1 / R2 + 1 / R3);
    near(found.C, [[parallel / R3]]);
    near(found.D, [[parallel / R1]]);
    // i = Is (exp(v/VT) - 1) in series with R at u: dv/du = 1/(1 + R Is/VT exp(v/VT))
    const diode =
      await linear(`model Diode parameter Real R = 50, Is = 1e-9, VT = 0.025; input Real u(start = 3);
      output Real v(start = 0.5); equation (u - v)/R = Is*(exp(v/VT) - 1); end Diode;`);
    const v = diode.outputs[0]!.value;
    expect(50e-9 * (Math.exp(v / 0.025) - 1) + v).toBeCloseTo(3, 8);
    near(diode.D, [[1 / (1 + (50e-9 / 0.025) * Math.exp(v / 0.025))]]);
    expect(diode.A).toEqual([]);
    expect(diode.C).toEqual([[]]);
  });
});

describe('constraints', () => {
  const pendulum = (x: number, vx: number) => `model Pendulum parameter Real L = 2, g = 9.81;
    Real x(start = ${x}, fixed = true), y(start = -1.5), vx(start = ${vx}, fixed = true), vy, F;
    output Real height = y;
    equation x^2 + y^2 = L^2; der(x) = vx; der(y) = vy; der(vx) = -F*x; der(vy) = -F*y - g; end Pendulum;`;

  test('a pendulum in Cartesian coordinates, of index 3, that hangs', async () => {
    const found = await linear(pendulum(0, 0));
    expect(names(found.states)).toEqual(['x', 'vx']);
    near(found.A, [
      [0, 1],
      [-9.81 / 2, 0],
    ]);
  });

  test('and one that swings', async () => {
    const [x, v, L, g] = [0.7, 1.3, 2, 9.81];
    const found = await linear(pendulum(x, v));
    // With y = -sqrt(L² - x²): der(vx) = -x vx²/y² + g x y/L²
    const y = -Math.sqrt(L * L - x * x);
    const byX =
      -(v * v) / y ** 2 - (2 * x * x * v * v) / y ** 4 + (g * y) / L ** 2 - (g * x * x) / (y * L ** 2);
    near(found.A, [
      [0, 1],
      [byX, (-2 * x * v) / y ** 2],
    ]);
    near(found.C, [[-x / y, 0]]);
  });

  test('two masses on one shaft are one state', async () => {
    const found =
      await linear(`model Shaft input Real tau; Real w1(start = 0, fixed = true), w2, t; output Real torque = t;
      equation 2*der(w1) = tau - t - w1; 3*der(w2) = t; w1 = w2; end Shaft;`);
    expect(found.states.length).toBe(1);
    near(found.A, [[-1 / 5]]);
    near(found.B, [[1 / 5]]);
    // t = 3 der(w)
    near(found.C, [[-3 / 5]]);
    near(found.D, [[3 / 5]]);
  });

  test('a motion that is prescribed: what its derivatives act on cannot be described', async () => {
    const text = (output: string) => `model Moved input Real u; Real x, v, a, z(start = 0, fixed = true);
      output Real y = ${output}; equation x = u; der(x) = v; der(v) = a; der(z) = x - z; end Moved;`;
    const found = await linear(text('x'));
    near(found.B, [[1]]);
    near(found.D, [[1]]);
    expect(await refusal(linear(text('a')))).toBe(
      'not-linearisable: The derivative of the input `u` by time acts on `y`: no matrices A, B, C, D can describe that.',
    );
    // der(u) - der(der(u)) is no cancellation.
    expect(await refusal(linear(text('v - a')))).toMatch(/derivative of the input `u`/);
  });
});

describe('points', () => {
  const decay = `model Decay parameter Real k = 1; input Real u(start = 2); Real x(start = 1, fixed = true);
    output Real y = u*x; equation der(x) = -k*x^2 + u; end Decay;`;

  test('at a time', async () => {
    // der(x) = 2 - x²: x = sqrt(2) tanh(sqrt(2) t + artanh(1/sqrt(2)))
    const found = await linear(decay, { at: 0.5, tolerance: 1e-10 });
    const x = Math.SQRT2 * Math.tanh(Math.SQRT2 * 0.5 + Math.atanh(Math.SQRT1_2));
    expect(found.time).toBe(0.5);
    near([[found.states[0]!.value]], [[x]], 1e-8);
    near(found.A, [[-2 * x]], 1e-8);
    near(found.C, [[2]]);
    near(found.D, [[x]], 1e-8);
  });

  test('at a steady state', async () => {
    const found = await linear(decay, { steady: true });
    near(found.A, [[-2 * Math.SQRT2]]);
    expect(found.rates[0]).toBeCloseTo(0, 12);
  });

  test('inputs with values: of a declaration, of a merge, of a table', async () => {
    const valued = decay.replace('u(start = 2)', 'u = 2*time');
    const declared = await linear(valued, { at: 3 });
    expect(declared.inputs).toEqual([{ name: 'u', unit: '', value: 6 }]);
    near(declared.B, [[1]]);
    const merged = await instantiate(decay).linearize({ merge: { u: 8, k: 2 }, steady: true });
    expect(merged.inputs[0]!.value).toBe(8);
    near(merged.A, [[-8]]);
    for (const hold of [false, true]) {
      const driven = await linear(decay, {
        inputs: { time: [0, 2], u: [0, 4] },
        hold,
        at: 1,
        tolerance: 1e-10,
      });
      expect(driven.inputs[0]!.value).toBe(hold ? 0 : 2);
      near(driven.B, [[1]]);
      near(driven.D, [[driven.states[0]!.value]]);
    }
  });

  test('discrete values stay what they are', async () => {
    const found = await linear(
      `model Sampled input Real u; Real x(start = 1, fixed = true); discrete Real z(start = 0, fixed = true); output Real y = 3*x + z;
        equation der(x) = -x + z + u; when sample(0, 0.1) then z = 5*x; end when; end Sampled;`,
      { at: 0.25 },
    );
    near(found.A, [[-1]]);
    near(found.C, [[3]]);
    const none = await linear(
      'model None discrete Real z(start = 1, fixed = true); output Real y = z; output Integer n = 3; equation when sample(0, 1) then z = 2*pre(z); end when; end None;',
    );
    expect([none.A, none.B, none.C, none.D]).toEqual([[], [], [[]], [[]]]);
    expect(none.outputs).toEqual([{ name: 'y', unit: '', value: 2 }]);
    expect(none.diagnostics.map((d) => d.message)).toEqual([
      'Outputs that are not Real, or do not exist in this mode, are left out: `n`.',
    ]);
  });

  test('the mode that a model is in', async () => {
    const [j1, j2, k1, k2] = [1, 2, 0.01, 0.0125];
    const clutch = example('IdealClutch');
    const open = await linear(clutch, { at: 1 });
    expect(open.mode).toBe('not closed');
    near(open.A, [
      [-k1 / j1, 0],
      [0, -k2 / j2],
    ]);
    for (const at of [5, 6]) {
      const closed = await linear(clutch, { at });
      expect(closed.mode).toBe('closed');
      near(closed.A, [[-(k1 + k2) / (j1 + j2)]]);
    }
  });

  test('what happens at the end of a run does not happen there', async () => {
    const found = await linear(
      'model End Real x(start = 1, fixed = true); equation der(x) = -x; when terminal() then reinit(x, 100); end when; end End;',
      { at: 1 },
    );
    expect(found.states[0]!.value).toBeCloseTo(Math.exp(-1), 5);
  });
});

describe('outputs', () => {
  const text = `model Names parameter Real p = 1; input Real u; Real x(start = 1, fixed = true), a[3]; Boolean b = x > 0; Real off = 2*x;
    equation der(x) = u - x; a = {1, 2, 3}*x; end Names;`;

  test('by names, globs and derivatives', async () => {
    const found = await linear(text, { outputs: ['a[2]', 'der(x)', 'o*', 'a'] });
    expect(names(found.outputs)).toEqual(['a[2]', 'der(x)', 'off', 'a[1]', 'a[3]']);
    near(found.C, [[2], [-1], [2], [1], [3]]);
    near(found.D, [[0], [1], [0], [0], [0]]);
  });

  test('what cannot be one', async () => {
    expect(await refusal(linear(text, { outputs: ['of'] }))).toBe(
      'bad-option: No variable of the model matches the output `of`.',
    );
    expect(await refusal(linear(text, { outputs: ['p'] }))).toMatch(
      /`p` cannot be an output of a linear model: it is a parameter/,
    );
    expect(await refusal(linear(text, { outputs: ['b'] }))).toMatch(/it is of type Boolean/);
  });

  test('wrong options', async () => {
    expect(await refusal(linear(text, { at: -1 }))).toBe(
      'bad-option: The time -1 lies before the start time 0.',
    );
    expect(await refusal(linear(text, { at: Number.NaN }))).toMatch(/must be a finite number/);
    expect(await refusal(linear(text, { output: 'x' } as object))).toMatch(/has no option `output`/);
    expect(
      await refusal(
        linear(
          'model Ends Real x = time; equation when time > 1 then terminate("over"); end when; end Ends;',
          { at: 2 },
        ),
      ),
    ).toMatch(/The model ended its run at time 1, before 2/);
  });
});

describe('built-in components', () => {
  test('a pendulum of bodies: differences stand for derivatives', async () => {
    const found = await linear(`model Swing import Mutabor.Bodies.*; World world; Object3D hinge;
      Box bar(parent = "hinge", translation = {0.5, 0, 0}, lengthX = 1, lengthY = 0.1, lengthZ = 0.1, material = "Steel");
      Revolute joint(obj1 = "world", obj2 = "hinge", phi0 = -Mutabor.Constants.pi/2); end Swing;`);
    // About its hinge, a bar has the inertia m ((a² + b²)/12 + d²).
    const stiffness = (9.81 * 0.5) / ((1 + 0.01) / 12 + 0.25);
    expect(found.exact).toBe(false);
    expect(found.states.length).toBe(2);
    near(
      found.A,
      [
        [0, 1],
        [-stiffness, 0],
      ],
      1e-8,
    );
    expect(found.diagnostics.map((d) => d.severity)).toEqual(['info']);
  });

  test('a delay is told', async () => {
    const found = await linear(
      'model Late input Real u; Real x(start = 0, fixed = true); output Real y = delay(x, 1); equation der(x) = u - x; end Late;',
    );
    expect(found.diagnostics.map((d) => d.severity)).toEqual(['warning']);
    near(found.C, [[0]]);
  });
});

const number = fc.integer({ min: -50, max: 50 }).map((n) => n / 8);
const matrix = (rows: number, columns: number) =>
  fc.array(fc.array(number, { minLength: columns, maxLength: columns }), {
    minLength: rows,
    maxLength: rows,
  });
const textOf = (rows: Rows): string => `{${rows.map((row) => `{${row.join(', ')}}`).join(', ')}}`;
const sizes = fc.record({
  n: fc.integer({ min: 1, max: 6 }),
  m: fc.integer({ min: 1, max: 3 }),
  p: fc.integer({ min: 1, max: 3 }),
});
const systems = sizes.chain(({ n, m, p }) =>
  fc.record({ A: matrix(n, n), B: matrix(n, m), C: matrix(p, n), D: matrix(p, m), E: matrix(n, n) }),
);

test('linear systems are given back as they are', async () => {
  await fc.assert(
    fc.asyncProperty(systems, async ({ A, B, C, D }) => {
      const found =
        await linear(`model Linear parameter Real A[:, :] = ${textOf(A)}, B[:, :] = ${textOf(B)}, C[:, :] = ${textOf(C)}, D[:, :] = ${textOf(D)};
        Real x[size(A, 1)](each start = 1, each fixed = true); input Real u[size(B, 2)]; output Real y[size(C, 1)];
        equation der(x) = A*x + B*u; y = C*x + D*u; end Linear;`);
      expect([found.A, found.B, found.C, found.D]).toEqual(
        [A, B, C, D].map((rows) => rows.map((row) => row.map((v) => v + 0))),
      );
    }),
    { numRuns: runsOf(20) },
  );
});

test('and those with a matrix at the derivatives are solved', async () => {
  await fc.assert(
    fc.asyncProperty(systems, async ({ A, B, E }) => {
      // A diagonal that is larger than all else in its row makes E regular. Numbers are whole: where equations are solved for one unknown
      // after the other, a factor that is tiny beside others would cost digits.
      const n = A.length;
      const own = E.map((row, i) => row.map((value, j) => (i === j ? 60 : Math.round(value))));
      const found =
        await linear(`model Descriptor parameter Real E[:, :] = ${textOf(own)}, A[:, :] = ${textOf(A)}, B[:, :] = ${textOf(B)};
        Real x[${n}](each start = 1, each fixed = true); input Real u[size(B, 2)]; equation E*der(x) = A*x + B*u; end Descriptor;`);
      const times = (rows: Rows): number[][] =>
        own.map((row) =>
          rows[0]!.map((_, j) => row.reduce((sum, value, k) => sum + value * rows[k]![j]!, 0)),
        );
      near(times(found.A), A, 1e-8);
      near(times(found.B), B, 1e-8);
    }),
    { numRuns: runsOf(20) },
  );
});
