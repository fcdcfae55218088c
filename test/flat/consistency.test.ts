/** Units in equations: what is found, where, and what is left in peace. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../src/diagnostic/diagnostic.ts';
import { flattened, inModel } from './notation.ts';

/** Warnings about units. */
function warnings(text: string): readonly Diagnostic[] {
  const { model, diagnostics } = flattened(text);
  const errors = diagnostics.filter(({ severity, code }) => severity === 'error' && code !== 'unbalanced');
  expect(errors.map(({ message }) => message)).toEqual([]);
  expect(model).toBeDefined();
  return diagnostics.filter(({ code }) => code === 'unit-mismatch' || code === 'bad-unit');
}

/** The text that a warning points at, and its message. */
const told = (text: string): string[] =>
  warnings(text).map(({ span, message }) => `${span?.source.text.slice(span.start, span.end)}: ${message}`);

/** Quantities of mechanics, electricity and heat, none of them with an equation yet. */
const quantities = `
  input Real m(unit = "kg"), x(unit = "m"), y(unit = "mm"), v(unit = "m/s"), a(unit = "m/s2"), F(unit = "N"), E(unit = "J");
  input Real phi(unit = "rad"), deg(unit = "deg"), w(unit = "rad/s"), n(unit = "rpm"), tau(unit = "N.m");
  input Real u(unit = "V"), i(unit = "A"), R(unit = "Ohm"), P(unit = "kW"), t(unit = "s"), f(unit = "Hz");
  input Real T(unit = "K"), Tc(unit = "degC"), eta(unit = "1"), p(unit = "Pa"), pb(unit = "bar");
  input Real Tabs(unit = "K", quantity = "ThermodynamicTemperature");
  input Real A(unit = "m2"), V(unit = "m3"), rho(unit = "kg/m3"), r[3](each unit = "m"), s[3](each unit = "s");
  input Integer k;
`;

/** Warnings about one more equation among the quantities. */
const about = (equation: string, declarations = ''): string[] =>
  told(inModel(`${quantities}${declarations}\nReal unknown;\nequation\n${equation};`)).map((line) =>
    line.replace(/^.*?: /s, ''),
  );

describe('equations that are right', () => {
  test.each([
    'F = m*a',
    'E = m*v^2/2',
    'E = 0.5*m*v*v',
    'der(x) = v',
    'der(E) = F*v',
    'E = tau*phi',
    'u = R*i',
    'v = sqrt(2*E/m)',
    'x = V^(1/3)',
    'A = x*x*sin(phi)',
    'x = v/f',
    'f = 1/t',
    'w = 2*3.141592653589793*f',
    'T - Tabs = 5',
    'x = if v > 0 then x else 0',
    'x = max(x, 0)',
    'x = min(x, v*t)',
    'x = abs(v)*t + 3',
    'x = v*time',
    'phi = atan2(x, v*t)',
    'phi = asin(x/(v*t))',
    'eta = exp(-t/time)',
    'x = k*x/3',
    'r = {x, v*t, 0}',
    'r*r = A',
    'x = sum(r)',
    'v = r[1]/s[2]',
    'x = sign(v)*x',
    'x = mod(x, v*t)',
    'x = smooth(1, noEvent(if x > 0 then x else 2*x))',
    'Tc = Tc + T',
    'T = Tc - Tc',
    'p = F/A',
    'p = rho*x*a',
  ])('%s', (equation) => {
    expect(about(equation)).toEqual([]);
  });

  test.each([
    ['numbers that are no simple ones may carry a unit', 'F = 9.81*m'],
    ['or convert one', 'y = 1000*x'],
    ['numbers go with every unit in sums', 'T = Tc + 273.15'],
    ['in comparisons', 'x = if T > 300 then x else 0'],
    ['and alone', 'x = 5'],
    ['a signal goes with every unit', 'u = 2*sin(2*3.141592653589793*f*time)'],
    ['time alone as an angle', 'x = 1 - cos(time)'],
    ['a plain number times time as an angle', 'F = 5*sin(3*time)'],
    ['shifted', 'u = 4*time + 1'],
    ['divided', 'eta = exp(-time/2)'],
    ['negative', 'eta = exp(-time)'],
    ['a plain number times time as a way', 'x = 2*time'],
    ['and its square', 'x = 3 + 0.5*time^2'],
    ['a number added to time', 'T = 20 + time'],
    ['subtracted from it', 'x = time - 3'],
    ['a simple number as a rate', 'der(p) = -3*p'],
    ['as another one', 'der(p) = -3.1*p'],
    ['in a sum', 'der(p) = 1 - 2*p'],
    ['of a difference', 'der(x) = 4*(r[1] - x)/3 - 2*x'],
    ['divided by a time', 'der(p) = -p/2'],
    ['a time constant', '2*der(p) = -p'],
    ['a frequency, squared', 'der(der(x)) = -4*x'],
    ['powers that are no simple fractions', 'F = p^0.5432'],
    ['variables without unit', 'unknown = x'],
    ['a variable as exponent', 'E = x^k'],
  ])('%s: %s', (_, equation) => {
    expect(about(equation)).toEqual([]);
  });
});

describe('equations that are wrong', () => {
  test.each([
    ['F = m*v', 'The sides of the equation have different units: `F` is in `N`, but `m*v` is in `kg.m/s`.'],
    [
      'der(m) = v',
      'The sides of the equation have different units: `der(m)` is in `kg/s`, but `v` is in `m/s`.',
    ],
    ['x = v + x', 'Different units are added: `v` is in `m/s`, but `x` is in `m`.'],
    ['x = y', 'The sides of the equation have different units: `x` is in `m`, but `y` is in `mm`.'],
    ['w = n', 'The sides of the equation have different units: `w` is in `rad/s`, but `n` is in `rpm`.'],
    ['u*i = P', 'The sides of the equation have different units: `u*i` is in `W`, but `P` is in `kW`.'],
    ['p = pb', 'The sides of the equation have different units: `p` is in `Pa`, but `pb` is in `bar`.'],
    ['T = Tc', 'The sides of the equation have different units: `T` is in `K`, but `Tc` is in `degC`.'],
    ['T = Tabs - Tc', 'Different units are added: `Tabs` is in `K`, but `Tc` is in `degC`.'],
    ['eta = sin(x)', '`sin` needs a number without unit, but `x` is in `m`.'],
    ['eta = cos(deg)', '`cos` needs a number without unit, but `deg` is in `deg`.'],
    ['eta = exp(t)', '`exp` needs a number without unit, but `t` is in `s`.'],
    [
      'x = sin(phi)',
      'The sides of the equation have different units: `x` is in `m`, but `sin(phi)` is in `1`.',
    ],
    ['eta = eta^x', 'An exponent is a number without unit, but `x` is in `m`.'],
    ['x = if x > v then x else 0', 'Different units are compared: `x` is in `m`, but `v` is in `m/s`.'],
    [
      'x = if u > 0 then x else t',
      'Values of different units stand for each other: `x` is in `m`, but `t` is in `s`.',
    ],
    ['x = max(x, t)', 'Values of different units stand for each other: `x` is in `m`, but `t` is in `s`.'],
    ['r = {x, t, 0}', 'The sides of the equation have different units: `r` is in `m`, but `t` is in `s`.'],
    ['r = s', 'The sides of the equation have different units: `r` is in `m`, but `s` is in `s`.'],
    ['x = r*r', 'The sides of the equation have different units: `x` is in `m`, but `r*r` is in `m2`.'],
    [
      'x = sqrt(E/m)',
      'The sides of the equation have different units: `x` is in `m`, but `sqrt(E/m)` is in `m/s`.',
    ],
    ['f = t', 'The sides of the equation have different units: `f` is in `Hz`, but `t` is in `s`.'],
    ['x = 2*t', 'The sides of the equation have different units: `x` is in `m`, but `2*t` is in `s`.'],
    ['x = 1/t', 'The sides of the equation have different units: `x` is in `m`, but `1/t` is in `1/s`.'],
    [
      'F = u*i*x',
      'The sides of the equation have different units: `F` is in `N`, but `u*i*x` is in `V.A.m`.',
    ],
    ['x = R*w', 'The sides of the equation have different units: `x` is in `m`, but `R*w` is in `Ohm/s`.'],
    ['P = u^2', 'The sides of the equation have different units: `P` is in `kW`, but `u^2` is in `V2`.'],
    [
      'E = R/der(i)',
      'The sides of the equation have different units: `E` is in `J`, but `R/der(i)` is in `Ohm.s/A`.',
    ],
    [
      'x = 3*t*time',
      'The sides of the equation have different units: `x` is in `m`, but `3*(time*t)` is in `s2`.',
    ],
    [
      'der(p) = -p',
      'The sides of the equation have different units: `der(p)` is in `Pa/s`, but `-p` is in `Pa`.',
    ],
    [
      'der(p) = 3*x',
      'The sides of the equation have different units: `der(p)` is in `Pa/s`, but `3*x` is in `m`.',
    ],
    ['phi = atan2(x, v)', '`atan2` needs arguments of the same unit, but `x` is in `m` and `v` is in `m/s`.'],
    ['v = time', 'The sides of the equation have different units: `v` is in `m/s`, but `time` is in `s`.'],
  ])('%s', (equation, message) => {
    expect(about(equation)).toEqual([message]);
  });
});

test('what is missing is said in the units of the variables', () => {
  const hint = (equation: string): string | undefined =>
    warnings(
      inModel(`Real tau(unit = "N.m"), i(unit = "A"), u(unit = "V"), Q(unit = "W"); equation ${equation};`),
    )[0]!.hint;
  expect(hint('tau = i')).toContain('They differ by a factor in `N.m/A`.');
  expect(hint('Q = u^2')).toContain('They differ by a factor in `W/V2`.');
  expect(hint('tau = Q')).toContain('They differ by a factor in `N.m/W`.');
});

test('numbers and signals beside a product, and as factors of it, do not hide its units', () => {
  const units = (value: string): string => {
    const [found] = warnings(
      inModel(`input Real k(unit = "N/m"), v(unit = "m/s"), F(unit = "N"), C(unit = "F"), i(unit = "A"), u(unit = "V");
        Real r; equation ${value}; r = 1;`),
    );
    const [, unit] = /but .* is in `(.*)`\.$/.exec(found!.message)!;
    return `${unit}, ${/factor in `(.*?)`/.exec(found!.hint!)![1]}`;
  };
  expect(units('F = 20 + k*v')).toBe('N/s, s');
  expect(units('F = 5*time - k*v')).toBe('N/s, s');
  expect(units('F = sin(time)*k*v')).toBe('N/s, s');
  expect(units('F = max(0, k*v)')).toBe('N/s, s');
  expect(units('F = if v > 1 then 0 else k*v')).toBe('N/s, s');
  expect(units('u = 3*time + C*i')).toBe('F.A, V/(F.A)');
});

describe('variables without a unit', () => {
  test('get it from an equation, and carry it to others', () => {
    const text = inModel(`
      parameter Real c = 30;
      Real s(unit = "m", start = 1, fixed = true), v(unit = "m/s"), F(unit = "N"), G(unit = "N"), h;
    equation
      der(s) = v;
      F = -c*s;
      v = F/c;
      h = c*s;
      G = h/s;`);
    expect(told(text)).toEqual([
      'v = F/c: The sides of the equation have different units: `v` is in `m/s`, but `F/c` is in `m`.',
    ]);
    const [{ notes, hint }] = warnings(text) as [Diagnostic];
    expect(
      notes.map(({ message, span }) => [message, span!.source.text.slice(span!.start, span!.end)]),
    ).toEqual([
      ['`v` is declared in `m/s`', 'v'],
      ['`F` is declared in `N`', 'F'],
      ['`c` has no unit of its own; here it gets `N/m`', 'F = -c*s'],
    ]);
    expect(hint).toBe(
      'They differ by a factor in `1/s`. Correct the equation, or the unit of one of the variables.',
    );
  });

  test('through a chain of connections, in any order', () => {
    const chain = (last: string): string => `
      connector In = input Real;
      connector Out = output Real;
      block Gain parameter Real k(unit = "1") = 2; In u; Out y; equation y = k*u; end Gain;
      model M
        Gain a, b, c;
        Real w(unit = "rad/s") = 5;
        Real end1(unit = "${last}");
      equation
        end1 = c.y;
        connect(b.y, c.u);
        connect(a.y, b.u);
        a.u = w;
      end M;`;
    expect(told(chain('Hz'))).toEqual([]);
    expect(told(chain('N.m'))).toHaveLength(1);
  });

  test('a wrong use is told once, not wherever its consequences show', () => {
    const uses = Array.from({ length: 5 }, (_, k) => `Real F${k}(unit = "N") = c;`).join('\n');
    expect(told(inModel(`parameter Real c = 1; Real x(unit = "m") = c;\n${uses}`))).toHaveLength(1);
  });

  test('may be a quantity of another kind in each branch', () => {
    expect(
      told(
        inModel(`
        Real s, v(unit = "V"), i(unit = "A"), R(unit = "Ohm") = 1;
        Boolean off = s < 0;
      equation
        v = if off then s else 0;
        i = if off then 0 else s;`),
      ),
    ).toEqual([]);
    expect(
      told(
        inModel(`
        Real s, v(unit = "V"), i(unit = "A");
        Boolean off = s < v;
      equation
        if off then v = s + v; i = 0; else v = 0; i = s - i; end if;`),
      ),
    ).toEqual([]);
  });

  test('may be so in arrays of components as well, whatever their size', () => {
    const parts = (array: string) => `
      model Switch
        Real s, v(unit = "V") = 1, i(unit = "A");
        Boolean off = s < v;
      equation
        if off then i = s - v; else i = s + v; end if;
      end Switch;
      model M Switch a${array}; end M;`;
    for (const array of ['', '[1]', '[3]', '[20]']) expect(told(parts(array)), array).toEqual([]);
    const wrong = (array: string) => parts(array).replace('i = s - v', 'i = 2*v - v');
    for (const array of ['', '[1]', '[3]', '[20]']) expect(told(wrong(array)), array).toHaveLength(1);
  });

  test('are left in peace where no unit is declared, and where one is missing whatever they are', () => {
    expect(told(inModel('Real x(start = 1, fixed = true); equation der(x) = -x + sin(x);'))).toEqual([]);
    expect(
      told(
        inModel(
          'Real x(start = 1, fixed = true), p, q, L(unit = "m") = 1; equation der(x) = -x; der(p) = q; der(q) = -p;',
        ),
      ),
    ).toEqual([]);
  });

  test('arrays may hold different units, and constants are numbers', () => {
    expect(
      told(
        inModel(`
        Real x[2]; Real phi(unit = "rad") = 1, w(unit = "rad/s") = 2;
        constant Real small = 1e-9;
        Real a(unit = "m", min = small) = 1 + small, b(unit = "s", min = small) = 2 + small;
      equation
        x = {phi, w};`),
      ),
    ).toEqual([]);
  });
});

describe('values and calls', () => {
  test('bindings, start values and limits', () => {
    const declared = 'parameter Real L(unit = "m") = 1, t0(unit = "s") = 2;';
    expect(told(inModel(`${declared} parameter Real d(unit = "m") = 2*t0;`))).toEqual([
      '2*t0: The sides of the equation have different units: `d` is in `m`, but `2*t0` is in `s`.',
    ]);
    expect(told(inModel(`${declared} Real x(unit = "m", start = t0) = L;`))).toEqual([
      't0: The sides of the equation have different units: `x` is in `m`, but `t0` is in `s`.',
    ]);
    expect(
      told(inModel(`${declared} Real x(unit = "m", start = L, max = 2*L, nominal = t0) = L;`)),
    ).toHaveLength(1);
    expect(
      told(inModel(`${declared} Real x(unit = "m", start = L, max = 2*L, nominal = L/2) = L + 1;`)),
    ).toEqual([]);
  });

  test('a modifier from outside is told where it is written', () => {
    const text = `
      model Part parameter Real L(unit = "m") = 1; Real y(unit = "m") = 2*L; end Part;
      model M parameter Real t0(unit = "s") = 1; Part part(L = t0); end M;`;
    expect(told(text)).toEqual([
      't0: The sides of the equation have different units: `part.L` is in `m`, but `t0` is in `s`.',
    ]);
  });

  test('inputs and outputs of functions', () => {
    const f = `function kinetic input Real m(unit = "kg"); input Real v(unit = "m/s"); output Real E(unit = "J");
      algorithm E := m*v^2/2; end kinetic;`;
    const used = (equation: string): string[] =>
      told(
        `${f} model M Real m(unit = "kg") = 1, v(unit = "m/s") = 2, E(unit = "J"), P(unit = "W"); equation P = 1; ${equation}; end M;`,
      );
    expect(used('E = kinetic(m, 2*v)')).toEqual([]);
    expect(used('E = kinetic(1, v)')).toEqual([]);
    expect(used('E = kinetic(v, m)')).toHaveLength(1);
    expect(used('E = kinetic(m, m)')).toEqual([
      'E = kinetic(m, m): The input `v` of `kinetic` is in `m/s`, but `m` is in `kg`.',
    ]);
    expect(used('E = kinetic(m, v)*v')).toEqual([
      'E = kinetic(m, v)*v: The sides of the equation have different units: `E` is in `J`, but `kinetic(m, v)*v` is in `kg.m3/s3`.',
    ]);
  });

  test('a function converts units, whether it is to be inlined or not', () => {
    const converted = (annotation: string): string[] =>
      told(`function toDegrees input Real phi(unit = "rad"); output Real d(unit = "deg");
        algorithm d := phi*57.3; ${annotation} end toDegrees;
        model M input Real phi(unit = "rad"); Real d(unit = "deg"), s[2](each unit = "m"); equation d = toDegrees(phi); s = toDegrees({phi, phi}); end M;`);
    expect(converted('')).toHaveLength(1);
    expect(converted('annotation(Inline = true);')).toEqual(converted(''));
  });

  test('units of records, of several outputs and of types', () => {
    const text = (equation: string): string => `
      type Length = Real(unit = "m");
      record Point Length x; Real t(unit = "s"); end Point;
      function apart input Point p; output Length d; output Real t(unit = "s");
      algorithm d := p.x; t := p.t; end apart;
      model M Point p(x = 1, t = 2); Length a; Real b(unit = "s"); equation ${equation}; end M;`;
    expect(told(text('(a, b) = apart(p)'))).toEqual([]);
    expect(told(text('(b, a) = apart(p)'))).toHaveLength(1);
    expect(told(text('a = p.t; b = 1'))).toHaveLength(1);
    expect(told(text('(a, b) = apart(Point(p.t, 1))'))).toEqual([
      '(a, b) = apart(Point(p.t, 1)): The input `p.x` of `apart` is in `m`, but `p.t` is in `s`.',
    ]);
  });

  test('constants of packages stand for quantities', () => {
    expect(
      told(`
      package P constant Real m(unit = "kg") = 2; constant Real two = 2; end P;
      model M Real F(unit = "N"), a(unit = "m/s2") = 1; equation F = P.m*a; end M;`),
    ).toEqual([]);
  });
});

describe('all that a model can hold', () => {
  const s =
    'Real x(unit = "m", start = 1, fixed = true), v(unit = "m/s", start = 0, fixed = true); parameter Real t0(unit = "s") = 1;';
  test.each([
    [
      'connect',
      `connector C Real p(unit = "m"); flow Real q(unit = "N"); end C; C a; ${s} equation der(x) = v; der(v) = 1; a.p = v;`,
    ],
    [
      'initial equation',
      `${s} Real y(unit = "m"); initial equation y = t0; equation der(x) = v; der(v) = 1; der(y) = v;`,
    ],
    [
      'when',
      `${s} discrete Real n(unit = "m"); equation der(x) = v; der(v) = 1; when x > 2 then n = v; end when;`,
    ],
    ['reinit', `${s} equation der(x) = v; der(v) = -9.81; when x < 0 then reinit(v, x); end when;`],
    [
      'condition of when',
      `${s} equation der(x) = v; der(v) = -9.81; when x < v then reinit(v, 0); end when;`,
    ],
    ['if-equation', `${s} equation if x > 1 then der(x) = v; else der(x) = x; end if; der(v) = 1;`],
    [
      'for-equation',
      `${s} Real r[1000](each unit = "m"); equation der(x) = v; der(v) = 1; for i in 1:1000 loop r[i] = i*v; end for;`,
    ],
    ['assert', `${s} equation der(x) = v; der(v) = 1; assert(x < v, "no");`],
    [
      'algorithm',
      `${s} Real y(unit = "m"); algorithm y := 0; if x > 1 then y := v; end if; equation der(x) = v; der(v) = 1;`,
    ],
    [
      'clocked equation',
      `${s} Real y(unit = "m"); equation der(x) = v; der(v) = 1; y = sample(v, Clock(0.1));`,
    ],
    ['second derivative', `${s} Real a(unit = "m/s"); equation der(x) = v; der(v) = a;`],
    [
      'state of a machine',
      `model S outer output Real y; equation y = time*1; end S; inner Real y(unit = "m"); S a, b; equation initialState(a); transition(a, b, y > 3);`,
    ],
    [
      'transition of a machine',
      `model S outer output Real y; equation y = 2*time; end S; inner Real y(unit = "m"); S a, b; parameter Real t0(unit = "s") = 1; equation initialState(a); transition(a, b, y > t0);`,
    ],
  ])('%s', (_, body) => {
    expect(told(inModel(body))).toHaveLength(1);
  });

  test('many instances of one class are told of once', () => {
    const text = (n: number): string => `
      model Part Real x(unit = "m", start = 0, fixed = true), v(unit = "V") = 1; equation der(x) = v; end Part;
      model M Part a, b, c; Part d[${n}]; end M;`;
    expect(told(text(3))).toHaveLength(1);
    expect(told(text(300))).toHaveLength(1);
  });
});

describe('texts of units', () => {
  test('a displayUnit that cannot be read does not concern equations', () => {
    const [found, ...others] = warnings(
      inModel('Real E(unit = "J", displayUnit = "kWh") = 1, x(unit = "m") = E;'),
    ) as [Diagnostic];
    expect(found.message).toBe('`kWh` is not a unit: there is no unit `kWh`. Values are not shown in it.');
    expect(found.hint).toBe('Did you mean `kW.h`?');
    expect(others).toHaveLength(1);
  });

  test.each([
    ['Nm', 'N.m'],
    ['kWh', 'kW.h'],
    ['KWh', 'kW.h'],
    ['Ah', 'A.h'],
    ['mAh', 'mA.h'],
    ['Pas', 'Pa.s'],
    ['Kg', 'kg'],
    ['Cd', 'cd'],
    ['Bar', 'bar'],
    ['bars', 'bar'],
    ['kmh', 'km/h'],
    ['Kelvin', 'K'],
  ])('%s may be meant for %s', (text, meant) => {
    expect(warnings(inModel(`Real x(unit = "${text}") = 1;`))[0]!.hint).toBe(`Did you mean \`${meant}\`?`);
  });

  test.each(['Xy', 'Q', 'Kx'])('%s is nothing', (text) => {
    expect(warnings(inModel(`Real x(unit = "${text}") = 1;`))[0]!.hint).toBeUndefined();
  });

  test('results are shown in units of the same kind', () => {
    expect(
      told(
        inModel('Real T(unit = "K", displayUnit = "degC") = 300, p(unit = "Pa", displayUnit = "bar") = 1e5;'),
      ),
    ).toEqual([]);
    expect(
      told(
        inModel('Real T(unit = "K", displayUnit = "bar") = 300, U(unit = "K", displayUnit = "bar") = 300;'),
      ),
    ).toEqual(['"bar": `T` is in `K`, and cannot be shown in `bar`, which measures something else.']);
  });

  test('what cannot be read is told at its character', () => {
    const at = (unit: string): string[] =>
      warnings(inModel(`Real x(unit = "${unit}") = 1, y(unit = "${unit}") = x;`)).map(
        ({ span, message, hint }) =>
          `${span!.source.text.slice(span!.start, span!.end)} ${message.split(': ').slice(1).join(': ')} | ${hint}`,
      );
    expect(at('kg.sec')).toEqual([
      'sec there is no unit `sec`. Equations with it are not checked. | Did you mean `s`?',
    ]);
    expect(at('m/s/s')).toEqual([
      '/ there is more than one `/`. Equations with it are not checked. | Write `a/(b.c)`.',
    ]);
    expect(at('m*s')).toEqual([
      '* `*` does not join units. Equations with it are not checked. | Write `.` between factors.',
    ]);
    expect(at('m^2')).toEqual(['^2 an exponent follows its unit without `^`. | Write `m2`.']);
    expect(at('J/kg.K')).toEqual(['kg.K it is not clear what stands below `/`. | Write `/(kg.K)`.']);
    expect(at('(m/s')).toEqual([
      '( a parenthesis is not closed. Equations with it are not checked. | undefined',
    ]);
    expect(at('m/')).toEqual([
      '/ something is missing at its end. Equations with it are not checked. | undefined',
    ]);
    expect(at('dB')).toEqual([]);
    expect(at('q'.repeat(1000))[0]!.length).toBeLessThan(1200);
    expect(at(`${'m.'.repeat(50_000)}m`)).toEqual([]);
  });
});

describe('functions', () => {
  const f = (body: string): string => `
    function area input Real a(unit = "m"); input Real b; output Real A(unit = "m2");
    protected Real t(unit = "s"); Real free; constant Real one(unit = "m") = 1;
    algorithm t := 1; ${body} end area;
    model M Real A(unit = "m2") = area(2, 1); end M;`;

  test('are looked into', () => {
    expect(told(f('A := a*a;'))).toEqual([]);
    expect(told(f('A := a;'))).toEqual([
      'A := a: The sides of the equation have different units: `A` is in `m2`, but `a` is in `m`.',
    ]);
    expect(told(f('A := a*a + t;'))).toEqual([
      'A := a*a + t: Different units are added: `a^2` is in `m2`, but `t` is in `s`.',
    ]);
  });

  test('with variables that may be anything, and constants that are 1 but have a unit', () => {
    expect(told(f('free := t; free := a; A := free*a; A := b*a; A := a*one;'))).toEqual([]);
    expect(told(f('A := a*one*one;'))).toHaveLength(1);
  });

  test('are told of once', () => {
    expect(
      told(f('A := a; A := t; for i in 1:3 loop A := i*a; end for; if b > 1 then A := a/t; end if;')),
    ).toHaveLength(1);
  });

  test('constants of packages that are 1 leave no trace, so that nothing is said', () => {
    const text = (equation: string): string => `
      package P constant Real unitCurrent(unit = "A") = 1; constant Real unitVoltage(unit = "V") = 1; end P;
      model M Real u(unit = "V") = 1, i(unit = "A"), free; equation ${equation}; end M;`;
    expect(told(text('i = u*P.unitCurrent/P.unitVoltage; free = i'))).toEqual([]);
    expect(told(text('free = u*P.unitCurrent/P.unitVoltage; i = free'))).toEqual([]);
    expect(told(text('i = u; free = 1'))).toHaveLength(1);
  });
});

describe('one warning for one mistake', () => {
  const body = (unit: string): string =>
    inModel(`
      parameter Real m(unit = "${unit}") = 2, c(unit = "N/m") = 3, d(unit = "N.s/m") = 0.1;
      Real s(unit = "m", start = 1, fixed = true), v(unit = "m/s", start = 0, fixed = true), p(unit = "N.s"), E(unit = "J"), F(unit = "N");
    equation
      der(s) = v;
      m*der(v) = F;
      F = -c*s - d*v;
      p = m*v;
      E = m*v^2/2 + c*s^2/2;`);

  test('a declaration that fits nowhere', () => {
    expect(told(body('kg'))).toEqual([]);
    const [{ message, span, notes }, ...others] = warnings(body('g')) as [Diagnostic];
    expect(others).toEqual([]);
    expect(message).toBe('`m` is declared in `g`, but 3 equations with it ask for `kg`.');
    expect(span!.source.text.slice(span!.start, span!.end)).toBe('m');
    expect(notes.map((note) => note.span!.source.text.slice(note.span!.start, note.span!.end))).toEqual([
      'm*der(v) = F',
      'p = m*v',
      'E = m*v^2/2 + c*s^2/2',
    ]);
    expect(warnings(body('s'))[0]!.message).toBe(
      '`m` is declared in `s`, but 3 equations with it ask for `kg`.',
    );
  });

  test('two declarations, and an equation besides', () => {
    const circuit = `Real u(unit = "V"), i(unit = "A"), P(unit = "W"), G(unit = "S"); parameter Real R(unit = "S") = 2;
    equation der(v) = s; u = R*i; P = R*i^2; G = 1/R; i = 5; der(v)`;
    const text = body('g').replace('equation', circuit.slice(0, -6));
    expect(told(text).map((line) => line.split(':')[0])).toEqual(['R', 'm', 'der(v) = s']);
  });

  test('where it is not clear which declaration is wrong, all equations are told', () => {
    const text = inModel(`
      Real a(unit = "m"), b(unit = "s"), A(unit = "m2"), B(unit = "m2");
    equation A = a*b; B = 2*a*b; a = 1; b = 1;`);
    expect(told(text).map((line) => line.split(':')[0])).toEqual(['A = a*b', 'B = 2*a*b']);
  });

  test('mistakes that ask a declaration for different units are told one by one', () => {
    const wrong = (body: string): string[] =>
      told(inModel(body)).map((line) => line.replace(/: .*?: /, ': '));
    // `T` in any other unit would not mend the sum.
    expect(
      wrong(`parameter Real m(unit = "kg") = 1, cp(unit = "J/(kg.K)") = 1, G(unit = "W/K") = 1;
        Real T(unit = "K") = time; Real y(unit = "W") = G*T + m*cp*T;`),
    ).toEqual([
      'time: `T` is in `K`, but `time` is in `s`.',
      'G*T + m*cp*T: `G*T` is in `W`, but `m*cp*T` is in `J`.',
    ]);
    // One equation asks for a length, the other one for a time.
    expect(
      wrong('parameter Real k(unit = "N/m") = 1; Real v(unit = "m/s") = time; Real y(unit = "N") = k*v;'),
    ).toEqual(['time: `v` is in `m/s`, but `time` is in `s`.', 'k*v: `y` is in `N`, but `k*v` is in `N/s`.']);
  });

  test('a wrong unit of one instance is not taken for that of its class, nor of arrays of it', () => {
    const text = `
      model Plant parameter Real k(unit = "K/W") = 1, tau(unit = "s") = 5; Real P(unit = "W"); Real T(unit = "K", start = 300, fixed = true);
        equation tau*der(T) = k*P - T; end Plant;
      model M Plant p[3](k = {1, 2, 3}); Plant q(k(unit = "1") = 3, P = 1);
        equation p[1].P = 2; p[2].P = 3; p[3].P = p[1].T; end M;`;
    expect(told(text)).toEqual([
      'p[3].P = p[1].T: The sides of the equation have different units: `p[3].P` is in `W`, but `p[1].T` is in `K`.',
      'tau*der(T) = k*P - T: Different units are added: `q.k*q.P` is in `W`, but `q.T` is in `K`.',
    ]);
  });

  test('an array whose unit fits nowhere', () => {
    const text = inModel(`Real x[3](each unit = "s"), v[3](each unit = "m/s"); Real y(unit = "m");
      equation der(x) = v; y = x[1]; for i in 1:3 loop v[i] = i; end for;`);
    expect(told(text)).toEqual(['x: `x` is declared in `s`, but 2 equations with it ask for `m`.']);
  });

  test('a thousand mistakes are not listed', () => {
    const wrong = Array.from(
      { length: 1000 },
      (_, k) => `Real a${k}(unit = "m") = b${k}, b${k}(unit = "s") = 1;`,
    );
    const found = told(inModel(wrong.join('\n')));
    expect(found).toHaveLength(21);
    expect(found.at(-1)).toBe('undefined: Units do not fit in 980 more equations.');
  });

  test('a connector that is used by many classes', () => {
    const text = `
      connector Pin Real v(unit = "A"); flow Real i(unit = "A"); end Pin;
      partial model Two Pin p, n; Real v(unit = "V"), i(unit = "A"); equation v = p.v - n.v; i = p.i; p.i + n.i = 0; end Two;
      model R extends Two; parameter Real R(unit = "Ohm") = 1; equation v = R*i; end R;
      model Ground Pin p; equation p.v = 0; end Ground;
      model Source Pin p; parameter Real V(unit = "V") = 1; equation p.v = V; end Source;
      model M R r1, r2; Source s; Ground g; equation connect(s.p, r1.p); connect(r1.n, r2.p); connect(r2.n, g.p); end M;`;
    expect(told(text)).toEqual(['v: `r1.p.v` is declared in `A`, but 2 equations with it ask for `V`.']);
  });
});

// ---------------------------------------------------------------- laws

/** Exponents of m, kg, s, A, K. */
type Dimension = readonly number[];
const bases = ['m', 'kg', 's', 'A', 'K'];
const unitText = (dimension: Dimension): string =>
  dimension.flatMap((n, k) => (n === 0 ? [] : [`${bases[k]}${n}`])).join('.') || '1';
const times = (a: Dimension, b: Dimension, sign = 1): Dimension => a.map((n, k) => n + sign * b[k]!);
const none: Dimension = bases.map(() => 0);

/** An expression with all leaves different, so that nothing cancels; `{n}` stands for the leaf number n. */
interface Term {
  readonly text: string;
  readonly leaves: readonly Leaf[];
}
interface Leaf {
  readonly dimension: Dimension;
  /** Declared without its unit. */
  readonly bare: boolean;
}

const dimension: fc.Arbitrary<Dimension> = fc.tuple(
  ...bases.map(() => fc.integer({ min: -2, max: 2 })),
) as fc.Arbitrary<Dimension>;

/** Joins expressions by a text in which `a` and `b` stand for them. */
function joined(pattern: string, ...parts: readonly Term[]): Term {
  const leaves: Leaf[] = [];
  const texts = parts.map((part) => {
    const shift = leaves.length;
    leaves.push(...part.leaves);
    return part.text.replace(/\{(\d+)\}/g, (_, n) => `{${Number(n) + shift}}`);
  });
  return { text: pattern.replace(/\$(\d)/g, (_, k) => texts[Number(k)]!), leaves };
}

/** Random expressions of a unit: rewritten from a leaf by rules that keep it. `bare` leaves, whose unit must be found, stand as factors. */
function expressions(wanted: Dimension, depth: number, bare: boolean): fc.Arbitrary<Term> {
  const leaf = fc.constant<Term>({ text: '{0}', leaves: [{ dimension: wanted, bare: false }] });
  if (depth === 0) return leaf;
  const of = (other: Dimension): fc.Arbitrary<Term> => expressions(other, depth - 1, bare);
  const pair = (pattern: string, first: Dimension, second: Dimension): fc.Arbitrary<Term> =>
    fc.tuple(of(first), of(second)).map(([a, b]) => joined(pattern, a, b));
  const single = (pattern: string, other: Dimension): fc.Arbitrary<Term> =>
    of(other).map((a) => joined(pattern, a));
  const rules = [
    leaf,
    fc
      .constantFrom('($0 + $1)', '($0 - $1)', 'max($0, $1)', 'min($0, $1)')
      .chain((p) => pair(p, wanted, wanted)),
    dimension.chain((other) => pair('$0*$1', other, times(wanted, other, -1))),
    dimension.chain((other) => pair('$0/($1)', times(wanted, other), other)),
    fc
      .constantFrom('abs($0)', '(-$0)', '2*$0', '$0/4', '($0 + 7)', 'noEvent($0)')
      .chain((p) => single(p, wanted)),
    single('sqrt($0)', times(wanted, wanted)),
    pair('$0*cos($1)', wanted, none),
    single('der(der($0))', wanted).map((term) =>
      term.leaves.length === 1 && term.text === 'der(der({0}))'
        ? joined('der($0)', {
            text: '{0}',
            leaves: [{ dimension: times(wanted, [0, 0, 1, 0, 0]), bare: false }],
          })
        : joined('(if time > 1 then $0 else 0)', { ...term, text: term.text.slice(8, -2) }),
    ),
    ...(bare
      ? [
          dimension.chain((other) =>
            of(times(wanted, other, -1)).map((a) =>
              joined('$0*$1', a, { text: '{0}', leaves: [{ dimension: other, bare: true }] }),
            ),
          ),
        ]
      : []),
  ];
  return fc.oneof(...rules);
}

const equation = (bare: boolean): fc.Arbitrary<Term> =>
  dimension.chain((unit) =>
    fc.tuple(expressions(unit, 3, bare), expressions(unit, 2, bare)).map(([a, b]) => joined('$0 = $1', a, b)),
  );

/** A model of one equation; `wrong` are the leaves that are declared in other units. */
function modelOf({ text, leaves }: Term, wrong: ReadonlyMap<number, Dimension> = new Map()): string {
  const declared = leaves.map(({ dimension: own, bare }, n) =>
    bare && !wrong.has(n) ? `Real x${n};` : `Real x${n}(unit = "${unitText(wrong.get(n) ?? own)}");`,
  );
  return inModel(`${declared.join('\n')}\nequation\n${text.replace(/\{(\d+)\}/g, 'x$1')};`);
}

describe('laws', () => {
  test('equations that are rewritten from right ones are right', () => {
    fc.assert(
      fc.property(equation(true), (term) => {
        expect(told(modelOf(term))).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  test('a variable in another unit is always found, and told once', () => {
    fc.assert(
      fc.property(equation(false), fc.nat(), dimension, (term, pick, other) => {
        const n = pick % term.leaves.length;
        fc.pre(unitText(term.leaves[n]!.dimension) !== unitText(other));
        expect(told(modelOf(term, new Map([[n, other]])))).toHaveLength(1);
      }),
      { numRuns: 100 },
    );
  });

  test('a unit that is found is the only one that fits', () => {
    const withBare = equation(true).filter(({ leaves }) => leaves.filter(({ bare }) => bare).length === 1);
    fc.assert(
      fc.property(withBare, dimension, ({ text, leaves }, other) => {
        const n = leaves.findIndex(({ bare }) => bare);
        const own = leaves[n]!.dimension;
        const model = (use: Dimension): string =>
          modelOf({ text, leaves }).replace(
            'equation\n',
            `Real use(unit = "${unitText(use)}");\nequation\nuse = x${n};\n`,
          );
        expect(told(model(own))).toEqual([]);
        fc.pre(unitText(own) !== unitText(other) && !/if time|cos/.test(text));
        expect(told(model(other))).toHaveLength(1);
      }),
      { numRuns: 60 },
    );
  });
});
