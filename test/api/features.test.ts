/** What models in TypeScript can say: components, arrays, recursion, modes, machines, clocks, units, and Modelica beside them. */
import { describe, expect, test } from 'vitest';
import { printFlat } from '../../src/flat/print/class.ts';
import {
  type AnyModel,
  addModels,
  array,
  Class,
  Component,
  connect,
  constant,
  flatModelOf,
  flow,
  Integer,
  input,
  Library,
  loadModel,
  loadText,
  Model,
  merge,
  modelica,
  output,
  Par,
  potential,
  quantity,
  redeclare,
  simulate,
  toModelica,
  Var,
} from '../../src/index.ts';
import { Capacitor, ConstantVoltage, Ground, Inductor, Resistor } from './electric.ts';
import { expectClose, final } from './notation.ts';

describe('arrays of components', () => {
  const Port = Model('Port', { T: potential({ unit: 'K' }), Q: flow({ unit: 'W' }) });
  const Cell = Model('Cell', {
    a: Port,
    b: Port,
    C: 1,
    G: 2,
    T: Var({ unit: 'K', init: 300 }),
    equations: modelica`
      C*der(T) = a.Q + b.Q;
      a.Q = G*(a.T - T);
      b.Q = G*(b.T - T);
    `,
  });
  const Fixed = Model('Fixed', { port: Port, T: 400, equations: modelica`port.T = T` });
  const chain = modelica`
    connect(hot.port, c[1].a);
    for i in 1:n - 1 loop
      connect(c[i].b, c[i + 1].a);
    end for;
  `;
  const Rod = Model('Rod', { n: Integer(2), hot: Fixed, c: array(Cell, 'n'), connections: chain });

  test('with names of their own are as good as an array', async () => {
    // Between 300 K and 400 K: a straight line, and a wave on it that decays.
    const n = 1000;
    const wave = (300 * Math.PI) / n;
    const at = (k: number, t: number): number =>
      300 +
      (100 * (k + 0.5)) / n +
      10 * Math.sin(wave * (k + 0.5)) * Math.exp(-4 * Math.sin(wave / 2) ** 2 * t);
    const names = Array.from({ length: n }, (_, k) => `cell${k + 1}`);
    const links = names.slice(1).map((name, k) => connect(`${names[k]}.b`, `${name}.a`));
    const Named = Model('Named', {
      cold: Fixed.with({ T: 300 }),
      hot: Fixed,
      ...Object.fromEntries(names.map((name, k) => [name, Cell.with({ T: Var({ init: at(k, 0) }) })])),
      connections: [connect('cold.port', 'cell1.a'), ...links, connect(`cell${n}.b`, 'hot.port')],
    });
    const { variables } = loadModel(Named);
    expect(variables.map(({ name }) => name).filter((name) => name.includes('cell'))).toEqual(
      ['a.T', 'a.Q', 'b.T', 'b.Q', 'C', 'G', 'T'].map((name) => `{cell1..cell1000}.${name}`),
    );
    expectClose(
      await final(
        Named,
        1,
        names.map((name) => `${name}.T`),
      ),
      names.map((_, k) => at(k, 1)),
      1e-8,
    );
  });

  test('may be marked, so that two are enough', () => {
    const pair = (uniform: boolean | undefined) => {
      const Own = Model('Own', { extends: Cell, ...(uniform !== undefined && { uniform }) });
      return loadModel(Model('Two', { one: Own, two: Own.with({ C: 3 }), three: Own.with({ C: 4 }) }));
    };
    const names = (uniform?: boolean) =>
      new Set(pair(uniform).variables.map(({ name }) => name.split('.T')[0]));
    expect(names()).toContain('two');
    expect(names(false)).toContain('two');
    expect(names(true)).toContain('{one..three}');
    expect(() => Model('Own', { uniform: 3 as unknown as boolean })).toThrow(
      /`uniform` must be true or false/,
    );
  });

  test('are connected by index', async () => {
    // Two cells: T1' = 2 (400 - T1) - (T1 - T2), T2' = T1 - T2; eigenvalues of [-3 1; 1 -1].
    const root = Math.sqrt(2);
    const [l1, l2] = [-2 + root, -2 - root];
    const [v1, v2] = [
      [1, 3 + l1],
      [1, 3 + l2],
    ] as const;
    // -100 (1, 1) = p v1 + q v2.
    const p = (-100 * (v2[1] - 1)) / (v2[1] - v1[1]);
    const q = -100 - p;
    const at = (t: number): number[] =>
      [0, 1].map((k) => 400 + p * v1[k]! * Math.exp(l1 * t) + q * v2[k]! * Math.exp(l2 * t));
    expectClose(await final(Rod, 1, ['c[1].T', 'c[2].T']), at(1), 1e-8);
  });

  test('take numbers for each element, and arrays element by element', async () => {
    const Alone = Model({ x: Var({ init: 1 }), k: 1, equations: modelica`der(x) = -k*x` });
    const All = Model({
      k0: 2,
      a: array(Alone, 3).with({ k: [1, 2, 3] }),
      b: array(Alone, 2).with({ k: 4, x: { init: [1, 2] } }),
      c: array(Alone, 2).with({ k: modelica`k0`, x: Var({ init: 3 }) }),
      d: array(Alone, 2).with({ k: modelica`{k0, 3*k0}` }),
    });
    expectClose(await final(All, 1, ['a[2].x', 'a[3].x', 'b[1].x', 'b[2].x', 'c[2].x', 'd[2].x']), [
      Math.exp(-2),
      Math.exp(-3),
      Math.exp(-4),
      2 * Math.exp(-4),
      3 * Math.exp(-2),
      Math.exp(-6),
    ]);
  });
});

describe('arrays of variables', () => {
  const flatDims = (model: AnyModel): Record<string, readonly number[]> =>
    Object.fromEntries(loadModel(model).variables.map(({ name, dims }) => [name, dims]));

  test('have the sizes of their values', async () => {
    const Sizes = Model({
      n: Integer(3),
      A: modelica`[1, 2; 3, 4; 5, 6]`,
      v: modelica`{i^2 for i in 1:n}`,
      u: [1, 2],
      x: Var({ init: [1, 2, 3] }),
      y: modelica`2*x + v`,
      z: modelica`A*u`,
      s: modelica`u*u`,
      t: modelica`if time < 1 then -y else y`,
      row: modelica`A[2, :]`,
      one: modelica`y[2]`,
      grid: modelica`zeros(2, n)`,
      ramp: modelica`linspace(0, 1, n)`,
      flags: modelica`{time > 1, true}`,
      w: modelica`der(x)`,
      equations: modelica`der(x) = -x`,
    });
    expect(flatDims(Sizes)).toMatchObject({
      ...{ A: [3, 2], v: [3], u: [2], x: [3], y: [3], z: [3], s: [], t: [3], row: [2], one: [] },
      ...{ grid: [2, 3], ramp: [3], flags: [2], w: [3] },
    });
    expectClose(await final(Sizes, 1, ['z[3]', 's', 'row[2]']), [17, 5, 4]);
  });

  test('are spread over arrays of components by name', async () => {
    const Part = Model({ k: 1, b: [1, 2], y: modelica`k + sum(b)` });
    const All = Model({
      k0: [1, 2, 3],
      b0: [5, 6],
      m: 7,
      c: array(Part, 3).with({ k: modelica`k0`, b: modelica`b0` }),
      d: array(Part, 3).with({
        k: modelica`m`,
        b: [
          [1, 1],
          [2, 2],
          [3, 3],
        ],
      }),
    });
    expectClose(await final(All, 1, ['c[1].y', 'c[3].y', 'd[1].y', 'd[3].y']), [12, 14, 9, 13]);
  });

  test('are found through many names, in any order', () => {
    const names = Array.from({ length: 60 }, (_, k) => {
      const before = `y${k - 1}`;
      return [`y${k}`, k === 0 ? [1, 2] : modelica`${before} + ${before}`] as const;
    });
    expect(flatDims(Model(Object.fromEntries(names))).y59).toEqual([2]);
    expect(flatDims(Model(Object.fromEntries([...names].reverse()))).y59).toEqual([2]);
  });
});

describe('models that functions make', () => {
  test('a mobile: recursion', async () => {
    const Weight = Model('Weight', { m: 1 });
    const Mobile = (depth: number): AnyModel =>
      depth === 0
        ? Weight
        : Model({
            m: Var(),
            left: Mobile(depth - 1),
            right: Mobile(depth - 1),
            equations: modelica`m = left.m + right.m`,
          });
    const flat = loadModel(Mobile(8));
    expect(flat.variables.filter(({ name }) => name.endsWith('.m') || name === 'm').length).toBe(2 ** 9 - 1);
    const { table } = await simulate(flat);
    expect(table.final().get('m')).toBe(2 ** 8);
  });

  test('a ladder of filters in a loop', async () => {
    const ladder = (n: number) =>
      Model({
        V: ConstantVoltage.with({ V: 1 }),
        ground: Ground,
        ...Object.fromEntries(Array.from({ length: n }, (_, k) => [`R${k}`, Resistor])),
        ...Object.fromEntries(Array.from({ length: n }, (_, k) => [`C${k}`, Capacitor])),
        connections: [
          connect('V.p', 'R0.p'),
          connect('V.n', 'ground.p', ...Array.from({ length: n }, (_, k) => `C${k}.n`)),
          ...Array.from({ length: n }, (_, k) =>
            k + 1 < n ? connect(`R${k}.n`, `C${k}.p`, `R${k + 1}.p`) : connect(`R${k}.n`, `C${k}.p`),
          ),
        ],
      });
    expectClose(await final(ladder(1), 1, ['C0.v']), [1 - Math.exp(-1)]);
    expectClose(await final(ladder(20), 1e4, ['C19.v']), [1], 1e-6);
  });
});

describe('modes', () => {
  test('a clutch in an if-equation', async () => {
    const Clutch = Model({
      w1: Var({ init: 0 }),
      w2: Var({ init: 3 }),
      f: Var(),
      equations: modelica`
        der(w1) = f;
        2*der(w2) = -f;
        if time >= 1 then
          w1 = w2;
        else
          f = 0;
        end if;
      `,
    });
    const { table, modes } = await simulate(loadModel(Clutch), { stopTime: 2 });
    expect(modes.length).toBe(2);
    expectClose([table.value('w1', 2), table.value('w2', 2)], [2, 2]);
  });

  test('a state machine: states are members', async () => {
    const Grow = Model('Grow', {
      x: Var({ outer: true, output: true }),
      equations: modelica`der(x) = 1`,
    });
    const Shrink = Model('Shrink', {
      x: Var({ outer: true, output: true }),
      r: 1,
      equations: modelica`der(x) = -r*x`,
    });
    const Machine = Model('Machine', {
      x: Var({ inner: true, init: 0 }),
      grow: Grow,
      shrink: Shrink.with({ r: 2 }),
      equations: modelica`
        initialState(grow);
        transition(grow, shrink, x >= 1);
        transition(shrink, grow, x <= 0.5);
      `,
    });
    const t = 1 + Math.log(2) / 2;
    const { table } = await simulate(loadModel(Machine), { stopTime: t + 0.25, tolerance: 1e-10 });
    expectClose([table.value('x', 1), table.value('x', t), table.value('x', t + 0.25)], [1, 0.5, 0.75], 1e-8);
  });
});

describe('variables', () => {
  test('kinds, types and attributes', () => {
    const flat = loadModel(
      Model({
        declarations: modelica`
          type Gear = enumeration(low, high);
          constant Real tau = 2*Modelica_pi;
          constant Real Modelica_pi = 3.14159;
        `,
        c: constant({ value: 2 }),
        p: Par({ value: 3, min: 0, max: 10, info: 'A parameter' }),
        n: Integer(4),
        on: true,
        name: 'motor',
        gear: Var({ type: 'Gear', parameter: true, value: modelica`Gear.high` }),
        y: Var(output, { value: modelica`c*p` }),
        positive: modelica`y > 0`,
        same: modelica`if time < 1 then positive else not positive`,
        copy: modelica`same`,
        hidden: Var({ value: modelica`2*y`, protected: true }),
        q: Par({ value: modelica`p + n` }),
        x: Var({ init: modelica`2*p`, nominal: 10, stateSelect: 'prefer', unit: 'm' }),
        z: Var({ size: [2, 'n'], value: 1 }),
        heater: Var({ if: modelica`not on`, value: modelica`time` }),
        equations: modelica`der(x) = -x`,
      }),
    );
    const names = flat.variables.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['c', 'p', 'n', 'on', 'y', 'positive', 'hidden', 'q', 'x', 'z']),
    );
    expect(names).not.toContain('heater');
    const x = flat.variables.find(({ name }) => name === 'x')!;
    expect([x.unit, x.stateSelect]).toEqual(['m', 'prefer']);
    for (const logical of ['positive', 'same', 'copy'])
      expect(flat.variables.find(({ name }) => name === logical)!.type).toBe('Boolean');
    expect(flat.variables.find(({ name }) => name === 'p')!.description).toBe('A parameter');
  });

  test('values with units are converted', async () => {
    const Move = Model({
      v: Par({ value: quantity(36, 'km/h'), unit: 'm/s' }),
      T: Par({ value: quantity(20, 'degC') }),
      p: Par({ value: 1, unit: 'Pa' }),
      s: Var({ init: quantity(1, 'km'), unit: 'm' }),
      equations: modelica`der(s) = v`,
    });
    expectClose(await final(Move, 1, ['v', 'T', 's']), [10, 293.15, 1010]);
    const other = Move.with({
      v: quantity(1, 'cm/s'),
      p: quantity(2, 'bar'),
      s: { init: quantity(-5, 'mm') },
    });
    expectClose(await final(other, 1, ['v', 'p', 's']), [0.01, 2e5, 0.005]);
    const flat = loadModel(Move);
    expect(flat.variables.find(({ name }) => name === 'T')!.unit).toBe('K');
  });

  test('inner and outer', async () => {
    const World = Model('World', { g: 9.81 });
    const Body = Model('Body', {
      world: Component(World, { outer: true }),
      v: Var({ init: 0 }),
      equations: modelica`der(v) = -world.g`,
    });
    const Scene = Model({ world: Component(World.with({ g: 2 }), { inner: true }), body: Body });
    expectClose(await final(Scene, 3, ['body.v']), [-6]);
  });

  test('algorithms, when and initial equations', async () => {
    const Counter = Model({
      n: Var({ type: 'Integer', init: 0 }),
      x: Var({ start: 0 }),
      y: Var(),
      equations: modelica`
        when sample(0.25, 0.5) then
          n = pre(n) + 1;
        end when;
        der(x) = -x + 2;
      `,
      initialEquations: modelica`der(x) = 1`,
      algorithm: modelica`
        y := 0;
        for i in 1:3 loop
          y := y + i*x;
        end for;
      `,
    });
    const x = 2 - Math.exp(-1);
    expectClose(await final(Counter, 1, ['n', 'x', 'y']), [2, x, 6 * x]);
  });
});

describe('templates', () => {
  test('contain comments and strings, and have or have no semicolon at their end', async () => {
    const sum = modelica`
      a // the first
      + b`;
    const Odd = Model({
      info: 'Quotes " and \\ and \n lines',
      s: 'http://mutabor "quoted"',
      a: 1,
      b: modelica`2 // two`,
      c: modelica`${sum}*3`,
      x: Var({ init: 0, info: 'with "quotes"' }),
      equations: [
        modelica`der(x) = c "rate; or http://speed" // a comment`,
        modelica`
          assert(b > 0, "http://positive");
        `,
        modelica`assert(a > 0, "no // comment; really");`,
      ],
    });
    expectClose(await final(Odd, 1, ['c', 'x']), [9, 9]);
    const flat = loadModel(Odd);
    expect(flat.variables.find(({ name }) => name === 'x')!.description).toBe('with "quotes"');
    expect(printFlat(loadModel(toModelica({ Odd }), 'Odd'))).toBe(printFlat(loadModel(Odd, 'Odd')));
  });

  test('insert numbers, arrays, names and templates', () => {
    const x = modelica`a + b`;
    expect(modelica`y = 2*${x} - ${-1} + ${[1, [2]]}*${'c[3].d'} and ${true};`.text).toBe(
      'y = 2*(a + b) - (-1) + {1, {2}}*c[3].d and true;',
    );
    expect(modelica`${modelica`a = b;`} ${modelica`f(x)`} ${[]} ${1e-7} ${1e21}`.text).toBe(
      'a = b; f(x) zeros(0) 1e-7 1e+21',
    );
  });
});

describe('how a model is simulated', () => {
  test('is kept by what changes or extends it', () => {
    const Base = Model({ k: 1, experiment: { stopTime: 7, tolerance: 1e-7 } });
    const stops = [Base, Base.with({ k: 2 }), Model({ extends: Base }), merge(Base, Model({ n: 1 }))].map(
      (model) => loadModel(model).experiment.stopTime,
    );
    expect(stops).toEqual([7, 7, 7, 7]);
    expect(loadModel(Model({ extends: Base, experiment: { stopTime: 1 } })).experiment.stopTime).toBe(1);
  });
});

describe('structure by merging', () => {
  const Circuit = Model({
    V: ConstantVoltage.with({ V: 2 }),
    R: Resistor,
    load: Capacitor,
    ground: Ground,
    connections: [connect('V.p', 'R.p'), connect('R.n', 'load.p'), connect('load.n', 'V.n', 'ground.p')],
  });

  test('a component is replaced', async () => {
    const Other = Circuit.with({ load: redeclare(Inductor.with({ L: 2 })) });
    expectClose(await final(Other, 1, ['load.i']), [2 * (1 - Math.exp(-1 / 2))]);
    expectClose(await final(Circuit, 1, ['load.v']), [2 * (1 - Math.exp(-1))]);
    // The value of the replacement is written outside, where it sees other names.
    const Around = Model({ L0: 2, c: Circuit.with({ load: redeclare(Inductor.with({ L: modelica`L0` })) }) });
    expectClose(await final(Around, 1, ['c.load.i']), [2 * (1 - Math.exp(-1 / 2))]);
  });

  test('a component is taken away, and equations are replaced', async () => {
    const Short = Circuit.with({
      load: null,
      connections: null,
    });
    const Closed = merge(
      Short,
      Model({ connections: [connect('V.p', 'R.p'), connect('R.n', 'V.n', 'ground.p')] }),
    );
    expectClose(await final(Closed, 1, ['R.i']), [2]);
  });

  test('a variable becomes a parameter', async () => {
    const Free = Model({ u: input, x: Var({ init: 0 }), equations: modelica`der(x) = u` });
    const Given = merge(Free, { u: Var({ input: null, parameter: true, value: 3 }) });
    expectClose(await final(Given, 2, ['x']), [6]);
    expectClose(await final(Given.with({ u: 4 }), 2, ['x']), [8]);
    const u = loadModel(Given).variables.find(({ name }) => name === 'u')!;
    expect([u.variability, u.causality]).toEqual(['parameter', 'local']);
  });

  test('a component keeps its place when it is replaced or extended', async () => {
    const Decay = Model({ k: 1, x: Var({ init: 1 }), equations: modelica`der(x) = -k*x` });
    const Slow = Model({ extends: Decay.with({ k: 0.5 }), note: 1 });
    const Row = Model({ c: array(Decay, 2) });
    expectClose(await final(Row.with({ c: redeclare(Slow.with({ k: 3 })) }), 1, ['c[2].x']), [Math.exp(-3)]);
    const Longer = Model({ c: merge(array(Decay, 2), Model({ extra: 5 })).with({ k: [1, 2] }) });
    expectClose(await final(Longer, 1, ['c[2].x', 'c[1].extra']), [Math.exp(-2), 5]);
  });

  test('values see the model around, also at the top', async () => {
    const Two = Model({ a: Model({ k: 1 }), b: Model({ k: 5 }) });
    expectClose(await final(Two.with({ a: { k: modelica`2*b.k` } }), 1, ['a.k']), [10]);
  });

  test('equations are added', async () => {
    const Open = Model({ x: Var(), y: Var(), equations: modelica`y = 2*x` });
    const Closed = Open.with({ equations: modelica`x = 3*time` });
    expectClose(await final(Closed, 1, ['y']), [6]);
    expectClose(await final(Model({ c: Open.with({ equations: modelica`x = 3*time` }) }), 1, ['c.y']), [6]);
  });

  test('a changed base is inherited with its changes', async () => {
    const A = Model({ k: 1, x: Var({ init: 1 }), equations: modelica`der(x) = -k*x` });
    const B = Model({ extends: A.with({ k: modelica`2*r` }), r: 3, x: { init: 5 } });
    expectClose(await final(B, 1, ['x']), [5 * Math.exp(-6)]);
    expectClose(await final(Model({ b: B.with({ r: 1 }) }), 1, ['b.x']), [5 * Math.exp(-2)]);
    // The nearest enclosing model gives the names.
    const Outer = Model({ r: 0.5, b: B.with({ r: modelica`r` }) });
    expectClose(await final(Outer, 1, ['b.x']), [5 * Math.exp(-1)]);
  });
});

describe('with Modelica', () => {
  const text = `
    package Lib
      connector Pin Real v; flow Real i; end Pin;
      model Resistor
        parameter Real R = 1;
        Pin p, n;
      equation
        R*p.i = p.v - n.v;
        p.i + n.i = 0;
      end Resistor;
      model Lag
        parameter Real T = 1;
        input Real u;
        Real y(start = 0, fixed = true);
      equation
        T*der(y) = u - y;
      end Lag;
      function twice input Real x; output Real y; algorithm y := 2*x; end twice;
    end Lib;`;

  test('a class of a library is a component, or extended', async () => {
    const Lag = Class('Lib.Lag');
    const Uses = Model('Uses', {
      declarations: modelica`import Lib.twice;`,
      a: Lag.with({ T: 2, u: modelica`twice(x)` }),
      b: array(Lag.with({ u: 1 }), 2).with({ T: [1, 2], y: { init: 0.5 } }),
      x: 1,
    });
    const { table } = await simulate(flatModelOf(Uses, { library: loadText(text) }), {
      stopTime: 1,
      tolerance: 1e-10,
    });
    expectClose(
      ['a.y', 'b[1].y', 'b[2].y'].map((name) => table.value(name, 1)),
      [2 * (1 - Math.exp(-0.5)), 1 - 0.5 * Math.exp(-1), 1 - 0.5 * Math.exp(-0.5)],
      1e-8,
    );
    const Slow = Model('Slow', { extends: Lag.with({ T: modelica`3*k`, u: modelica`k` }), k: 2 });
    const slow = await simulate(flatModelOf(Slow, { library: loadText(text) }), {
      stopTime: 1,
      tolerance: 1e-10,
    });
    expectClose([slow.table.value('y', 1)], [2 * (1 - Math.exp(-1 / 6))], 1e-8);
  });

  test('names inside a class of a library do not hide those of models', async () => {
    const library = loadText(`
      package Lib
        partial model Hiding
          model Part Real y = 5; end Part;
          Part own;
        end Hiding;
      end Lib;`);
    const Part = Model('Part', { y: modelica`7` });
    const Uses = Model('Uses', { extends: [Class('Lib.Hiding'), Model('Base', { z: 1 })], part: Part });
    const { table } = await simulate(flatModelOf(Uses, { library }));
    expect(['own.y', 'part.y', 'z'].map((name) => table.value(name, 1))).toEqual([5, 7, 1]);
  });

  test('names of declarations are not given to classes', () => {
    const Uses = Model({
      declarations: modelica`
        type Gear = enumeration(low, high) "// no comment";
        import Other = Modelica.Constants;
      `,
      gear: Model({ ratio: 2 }),
      other: Model({ x: 1 }),
      g: Var({ type: 'Gear', constant: true, value: modelica`Gear.low` }),
    });
    expect(loadModel(Uses).variables.map(({ name }) => name)).toEqual(['gear.ratio', 'other.x', 'g']);
  });

  test('a model is one class of a library, however often it is used', () => {
    const library = loadText(text);
    const Uses = Model('Uses', { a: Class('Lib.Lag') });
    expect(flatModelOf(Uses, { library }).name).toBe('Uses');
    expect(flatModelOf(Uses, { library }).name).toBe('Uses');
    expect(flatModelOf(Uses.with({ a: { T: 2 } }), { library }).name).toBe('Uses2');
  });

  test('Modelica text extends and uses models of TypeScript', async () => {
    const library = new Library();
    const Decay = Model({ k: 1, x: Var({ init: 1 }), equations: modelica`der(x) = -k*x` });
    addModels(library, { Decay, Twice: Model({ a: Decay, b: Decay.with({ k: 2 }) }) });
    loadText('model Uses extends Twice(a(k = 3)); Decay c(x(start = 4)); end Uses;', 'uses.mo', library);
    const { table } = await simulate(loadModel(library, 'Uses'), { stopTime: 1, tolerance: 1e-10 });
    expectClose(
      ['a.x', 'b.x', 'c.x'].map((name) => table.value(name, 1)),
      [Math.exp(-3), Math.exp(-2), 4 * Math.exp(-1)],
      1e-8,
    );
  });
});
