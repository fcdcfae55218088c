import { describe, expect, test } from 'vitest';
import { analyse, type Setting, sorted } from './notation.ts';

const select = (stateSelect: 'never' | 'avoid' | 'default' | 'prefer' | 'always') => ({ stateSelect });
const statesOf = (equations: readonly string[], setting: Setting = {}) =>
  [...sorted(equations, setting).states].sort();

describe('the attribute stateSelect (Means to control the selection of states)', () => {
  const rotor = ["p1' = w1", "p2' = w2", "w1' = -t", "w2' = t", 'rel = p2 - p1', 't = 10*rel'];

  test('only what appears differentiated is a candidate', () => {
    expect(statesOf(rotor)).toEqual(['p1', 'p2', 'w1', 'w2']);
  });

  test('always: a variable that does not appear differentiated is differentiated', () => {
    expect(statesOf(rotor, { attributes: { rel: select('always') } })).toEqual(['p1', 'rel', 'w1', 'w2']);
    expect(statesOf(["x' = -x", 'y = 2*x'], { attributes: { y: select('always') } })).toEqual(['y']);
  });

  test('always: values before initialisation, where constraints may be dependent, do not decide', () => {
    const slope = ["phi' = 1 - y", "y' = z", 'y*y + phi = 1'];
    const setting = { attributes: { phi: select('always') }, values: { y: 0, phi: 0 } };
    expect(statesOf(slope, setting)).toEqual(['phi']);
  });

  test('two constrained variables with always are an error that names both', () => {
    const attributes = { x: select('always'), y: select('always') };
    for (const constraint of ['y = 2*x', 'x = y', 'y = sin(x)']) {
      const { result } = analyse(["x' = -x", constraint], { attributes });
      expect(result.mode).toBeUndefined();
      expect(result.diagnostics.map(({ code }) => code)).toEqual(['state-constraint']);
      expect(result.diagnostics[0]!.message).toMatch(/^[xy] has stateSelect=always, but .* from [xy]\.$/);
    }
  });

  test('never solves the problem of sensors', () => {
    // Two sensors of the position r; only the body's own position shall be a state.
    const equations = ["r' = v", "v' = -r", 'sensor = r', "speed = sensor'"];
    expect(statesOf(equations)).toContain('v');
    expect(statesOf(equations, { attributes: { sensor: select('never') } })).toEqual(['r', 'v']);
    expect(statesOf(equations, { attributes: { r: select('never') } })).toEqual(['sensor', 'v']);
  });

  test('never makes a state of an algebraic variable that determines it', () => {
    // Flux of a winding, flux of the core and current: the flux of the winding is not to be integrated.
    const winding = ["flux' = -v", 'v = 3*i - 1', 'flux = core - 2*i', "core' = i - core"];
    const states = (attributes: Setting['attributes']) => statesOf(winding, { attributes: attributes! });
    expect(states({})).toEqual(['core', 'flux']);
    expect(states({ flux: select('never'), i: select('prefer') })).toEqual(['core', 'i']);
    expect(states({ flux: select('never'), v: select('prefer') })).toEqual(['core', 'v']);
    expect(states({ flux: select('never'), i: select('never') })).toEqual(['core', 'v']);
    const all = { flux: select('never'), i: select('never'), v: select('never') };
    expect(analyse(winding, { attributes: all }).result.diagnostics[0]!.message).toContain('flux');
  });

  test('prefer makes a state of an algebraic variable in the place of one that is not preferred', () => {
    // Mass and energy of a gas, from its pressure and temperature.
    const gas = ["m' = w", "u' = 1000*w", 'm = p/T', 'u = 3*m*T', 'w = 1 - p'];
    expect(statesOf(gas)).toEqual(['m', 'u']);
    expect(statesOf(gas, { attributes: { p: select('prefer'), T: select('prefer') } })).toEqual(['T', 'p']);
    const kept = { p: select('prefer'), T: select('prefer'), m: select('prefer'), u: select('always') };
    expect(statesOf(gas, { attributes: kept })).toEqual(['m', 'u']);
  });

  test('prefer is no reason to integrate what time determines', () => {
    const equations = ["x' = -x*p", 'p = sin(time)', 'q = 2*p'];
    expect(statesOf(equations, { attributes: { p: select('prefer'), q: select('prefer') } })).toEqual(['x']);
  });

  test('never on what nothing else can replace is an error', () => {
    const { result } = analyse(["x' = -x"], { attributes: { x: select('never') } });
    expect(result.diagnostics[0]).toMatchObject({ code: 'state-constraint' });
    expect(result.diagnostics[0]!.message).toContain('stateSelect=never');
  });

  test('prefer, default and avoid in this order', () => {
    const gear = ["a' = u", "b' = v", 'a = 3*b', "2*u' = 1 - t", "v' = 3*t"];
    expect(statesOf(gear)).toEqual(['a', 'u']);
    expect(statesOf(gear, { attributes: { b: select('prefer'), v: select('prefer') } })).toEqual(['b', 'v']);
    expect(statesOf(gear, { attributes: { a: select('avoid'), u: select('avoid') } })).toEqual(['b', 'v']);
  });

  test('relative positions are preferred over absolute ones', () => {
    const equations = [...rotor, "wrel = rel'", "arel = wrel'"];
    const attributes = { rel: select('prefer'), wrel: select('prefer') };
    expect(statesOf(equations, { attributes })).toEqual(['p1', 'rel', 'w1', 'wrel']);
  });

  test('der(r) is no candidate where index reduction introduces its derivative', () => {
    // der(r) = v, m*der(v) = F with a constraint on r: v is the state, not der(r).
    const equations = ["r1' = v1", "r2' = v2", "v1' = F", "2*v2' = -F", 'r1 = 2*r2'];
    expect(statesOf(equations)).toEqual(['r1', 'v1']);
  });

  test('derivatives of algebraic variables do not make them candidates', () => {
    // Enthalpy is stored; the temperature is differentiated only because another equation needs its
    // derivative.
    expect(statesOf(["h' = q", 'h = 4*T + T^3', "q = 1 - T'"], { values: { T: 0.5 } })).toEqual(['T']);
    expect(statesOf(["h' = q", 'h = 4*T + T^3', 'q = 1 - T'], { values: { T: 0.5 } })).toEqual(['h']);
  });
});

describe('static and dynamic choices', () => {
  const pendulum = ["x'' = -l*x", "y'' = -l*y - 9.81", 'x^2 + y^2 = 1'];

  test('a choice that depends on values is dynamic, and can be given', () => {
    const at = (x: number, y: number) => sorted(pendulum, { values: { x, y } });
    expect(at(0.8, -0.6).selections).toEqual([{ candidates: ["x'", "y'"], dependent: ["x'"] }]);
    expect(at(0.6, -0.8).states).toEqual(['x', "x'"]);
    const given = sorted(pendulum, { values: { x: 0.6, y: -0.8 }, choices: [[0]] });
    expect(given.states).toEqual(['y', "y'"]);
    const nonsense = sorted(pendulum, { values: { x: 0.6, y: -0.8 }, choices: [[0, 1, 7]] });
    expect(nonsense.states).toEqual(['x', "x'"]);
  });

  test('its Jacobian is that of the constraint', () => {
    const { mode, notation } = sorted(pendulum, { values: { x: 0.6, y: -0.8 } });
    const value = notation.options({ x: 0.6, y: -0.8 }).evaluate!;
    expect(mode.selections[0]!.constraints.map((row) => row.map((e) => [e.column, value(e.value)]))).toEqual([
      [
        [0, 1.2],
        [1, -1.6],
      ],
    ]);
  });

  test('without usable values a choice is still made', () => {
    for (const values of [{}, { x: 0, y: 0 }] as Record<string, number>[]) {
      const { states, selections } = sorted(pendulum, { values });
      expect(states.length).toBe(2);
      expect(selections.length).toBe(1);
    }
  });

  test('always makes it static', () => {
    const { states, selections } = sorted(pendulum, {
      values: { x: 0.8, y: -0.6 },
      attributes: { x: { stateSelect: 'always' } },
    });
    expect(states).toEqual(['x', "x'"]);
    expect(selections).toEqual([]);
  });

  test('a constraint that gives a variable explicitly needs no dynamic choice', () => {
    const track = ["x'' = f", "y'' = -9.81 - n", 'y = sin(x)', 'f = n*cos(x)'];
    const { states, selections } = sorted(track, { values: { x: 0.1 } });
    expect(selections).toEqual([]);
    expect(states).toEqual(['x', "x'"]);
  });

  test('parametric coefficients are static', () => {
    const { states, selections } = sorted(["a' = s", "b' = -s", 'a = p*b'], { known: { p: 5 } });
    expect(selections).toEqual([]);
    expect(states).toEqual(['a']);
  });
});

describe('what depends on values is small', () => {
  // A pendulum of which cameras show images: x and y are measured in many ways.
  const pendulum = ["x'' = -l*x", "y'' = -l*y - 9.81", 'x^2 + y^2 = 1'];

  test('what follows from the candidates by constant coefficients is none', () => {
    const images = ['p = x + 2*y', 'q = x - p', "p'' + q'' = f"];
    const { selections } = sorted([...pendulum, ...images], { values: { x: 0.6, y: -0.8 } });
    expect(selections).toEqual([{ candidates: ["x'", "y'"], dependent: ["y'"] }]);
  });

  test('phi and w always: der(phi) = w gives der(phi)', () => {
    // A crank of radius 1 that drives a piston by a rod of length 3; both rows of velocities change with phi.
    const crank = [
      "phi' = w",
      "2*w' = tau - l*s",
      'c = cos(phi)',
      's = sin(phi)',
      '(z - c)^2 + s^2 = 9',
      "z'' = l",
      'tau = 1',
    ];
    const always = { stateSelect: 'always' } as const;
    const { states, selections } = sorted(crank, {
      values: { phi: 0.5, z: 4 },
      attributes: { phi: always, w: always },
    });
    expect(selections).toEqual([]);
    expect(states).toEqual(['phi', 'w']);
  });
});
