/**
 * Surveys of modes. Degrees of freedom and index of the models of physics are those of the Sigma-method, computed by hand:
 * number of states = sum of d minus sum of c, index = max c, plus 1 if some d is 0.
 */
import { describe, expect, test } from 'vitest';
import { loadModel, loadText, type SurveyOptions, simulate, surveyModes } from '../../src/index.ts';
import { example } from './notation.ts';

const survey = (text: string, options?: SurveyOptions, model?: string) =>
  surveyModes(model ? loadModel(loadText(text), model) : loadModel(text), options);

/** Signature, number of states and index of each mode; `singular` where it has none. */
const table = (text: string, options?: SurveyOptions, model?: string) =>
  survey(text, options, model).modes.map(({ signature, structure }) =>
    structure ? [signature, structure.states.length, structure.index] : [signature, 'singular'],
  );

const lines = (equations: readonly { text: string; span: unknown }[]) => equations.map((e) => e.text);

const parallelCapacitors = `model Parallel "V - R1 - (C2 parallel to C1 or R2)"
  Real v(start = 0, fixed = true), v1, i, i1, i2, ir;
  Boolean capacitor = time < 0.5 or time >= 1;
equation
  10 - v = 100*i;
  i = i2 + i1 + ir;
  2e-3*der(v) = i2;
  if capacitor then
    v1 = v;
    1e-3*der(v1) = i1;
    ir = 0;
  else
    v = 50*ir;
    i1 = 0;
  end if;
end Parallel;`;

const twoDiodes = `model RLDC2 "Two branches of diode and capacitor, two of resistor and inductor, all parallel"
  Real i1, i2 "Currents of the capacitors", j1, j2 "Currents of the inductors";
  Real u1, u2 "Voltages of the diodes", v1, v2 "Of the capacitors", w1, w2 "Of the inductors";
  Boolean on1 = time < 1, on2 = time < 2;
equation
  0 = i1 + i2 + j1 + j2;
  j1 + w1 = u1 + v1;
  u1 + v1 = u2 + v2;
  u2 + v2 = j2 + w2;
  w1 = der(j1);
  w2 = der(j2);
  i1 = der(v1);
  i2 = der(v2);
  if on1 then u1 = 0; else i1 = 0; end if;
  if on2 then u2 = 0; else i2 = 0; end if;
end RLDC2;`;

const halfWave = `model HalfWave "Source, inductor and ideal diode, then capacitor and load"
  Real i(start = 0), v(start = 0), u, ud;
  Boolean on = time < 1;
equation
  u = sin(time);
  2*der(i) = u - ud - v;
  3*der(v) = i - v/50;
  if on then ud = 0; else i = 0; end if;
end HalfWave;`;

const brokenShaft = `model Shaft "Two inertias that a rigid shaft joins until it breaks"
  Real phi1, phi2, w1, w2, tau;
  Boolean broken = time >= 0.5;
equation
  der(phi1) = w1;
  der(phi2) = w2;
  2*der(w1) = 3 - tau;
  1*der(w2) = tau;
  if broken then tau = 0; else phi1 = phi2; end if;
end Shaft;`;

const string = `model Taut "A mass on a string, taut or slack"
  Real x(start = 1), y(start = 0.1), vx, vy, F;
  Boolean taut = time < 1;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -F*x;
  der(vy) = -F*y - 9.81;
  if taut then x^2 + y^2 = 1; else F = 0; end if;
end Taut;`;

const switches = (n: number) => `model Switches
  Real x[${n}](each start = 1);
  Boolean on[${n}];
equation
  for k in 1:${n} loop
    on[k] = time > k;
    if on[k] then x[k] = 2; else der(x[k]) = -x[k]; end if;
  end for;
end Switches;`;

const sources = `model Sources "Two ideal sources and a switch between them"
  Real v1, v2, i;
  Boolean closed = time > 1;
equation
  v1 = 5;
  v2 = 3;
  if closed then
    v1 = v2;
  else
    i = 0;
  end if;
end Sources;`;

describe('number of states and index by mode', () => {
  test.each([
    [
      'clutch',
      example('IdealClutch'),
      undefined,
      [
        ['not closed', 2, 1],
        ['closed', 1, 2],
      ],
    ],
    [
      'two capacitors',
      example('ChargeSharing'),
      undefined,
      [
        ['not closed', 2, 1],
        ['closed', 1, 2],
      ],
    ],
    [
      'a pendulum that breaks',
      example('BreakingPendulum'),
      undefined,
      [
        ['not broken', 2, 3],
        ['broken', 4, 0],
      ],
    ],
    [
      'parallel capacitors',
      parallelCapacitors,
      undefined,
      [
        ['capacitor', 1, 2],
        ['not capacitor', 1, 1],
      ],
    ],
    [
      'a state that becomes a constant',
      example('VaryingStates'),
      'VaryingStates.OneToNone',
      [
        ['time < 0.5', 1, 0],
        ['not (time < 0.5)', 0, 1],
      ],
    ],
    [
      'a variable that becomes a state',
      example('VaryingStates'),
      'VaryingStates.OneToTwo',
      [
        ['time <= 3', 1, 1],
        ['not (time <= 3)', 2, 0],
      ],
    ],
    [
      'two diodes with capacitors and inductors',
      twoDiodes,
      undefined,
      [
        ['on1, on2', 3, 2],
        ['not on1, on2', 4, 1],
        ['on1, not on2', 4, 1],
        ['not on1, not on2', 3, 2],
      ],
    ],
    [
      'half wave with an inductor',
      halfWave,
      undefined,
      [
        ['on', 2, 1],
        ['not on', 1, 2],
      ],
    ],
    [
      'a shaft that breaks',
      brokenShaft,
      undefined,
      [
        ['not broken', 2, 3],
        ['broken', 4, 1],
      ],
    ],
    [
      'a string that becomes slack',
      string,
      undefined,
      [
        ['taut', 2, 3],
        ['not taut', 4, 1],
      ],
    ],
    ['a model with one mode', example('VanDerPol'), undefined, [['', 2, 0]]],
  ])('%s', (_, text, model, expected) => {
    expect(table(text, {}, model)).toEqual(expected);
    expect(survey(text, {}, model).status).toBe('ok');
  });
});

describe('differences', () => {
  test('what comes and goes when the rod breaks', () => {
    const [initial, broken] = survey(example('BreakingPendulum')).modes;
    const nothing = { states: [], variables: [], equations: [] };
    expect(initial).toMatchObject({
      changes: 0,
      predecessor: undefined,
      appears: nothing,
      disappears: nothing,
    });
    expect(broken).toMatchObject({ changes: 1, predecessor: 'not broken' });
    expect(broken!.appears.variables).toEqual([]);
    expect(broken!.disappears.variables).toEqual(['F']);
    expect(broken!.appears.states).toHaveLength(2);
    expect(broken!.disappears.states).toEqual([]);
    expect(broken!.appears.equations).toHaveLength(2);
    expect(lines(broken!.disappears.equations)).toContain('x^2 + y^2 = L^2');
    const { span } = broken!.disappears.equations.at(-1)!;
    expect(span!.source.position(span!.start).line).toBe(21);
  });

  test('the branches of a conditional expression', () => {
    const { modes, conditions } = survey(`model Expression
      Real v(start = 1, fixed = true), i;
    equation
      2*der(v) = i;
      0 = if time >= 1 then v - 5 else i;
    end Expression;`);
    expect(conditions).toEqual(['time >= 1']);
    expect(modes.map((m) => [m.signature, m.structure!.states])).toEqual([
      ['not (time >= 1)', ['v']],
      ['time >= 1', []],
    ]);
    expect(lines(modes[1]!.appears.equations)).toEqual(['0 = v - 5']);
    expect(lines(modes[1]!.disappears.equations)).toEqual(['0 = i']);
    expect(modes[1]!.disappears.states).toEqual(['v']);
  });

  test('candidates of a choice that is made while running', () => {
    const [pendulum, broken] = survey(example('BreakingPendulum')).modes;
    const positions = pendulum!.structure!.selections.find((s) => s.candidates.includes('x'))!;
    expect(positions).toEqual({ candidates: ['x', 'y'], states: 1 });
    expect(broken!.structure!.selections).toEqual([]);
  });
});

describe('the search', () => {
  test('goes from the initial mode outwards', () => {
    const { modes, combinations } = survey(switches(2));
    expect(combinations).toBe(4);
    expect(modes.map((m) => [m.changes, m.signature, m.structure!.states])).toEqual([
      [0, 'not on[1], not on[2]', ['x[1]', 'x[2]']],
      [1, 'on[1], not on[2]', ['x[2]']],
      [1, 'not on[1], on[2]', ['x[1]']],
      [2, 'on[1], on[2]', []],
    ]);
    expect(modes[3]!.predecessor).toBe('on[1], not on[2]');
  });

  test('is bounded, and says so', () => {
    const { modes, combinations, conditions, complete } = survey(switches(8));
    expect([modes.length, combinations, conditions.length, complete]).toEqual([64, 256, 8, false]);
    // 1 + 8 + 28 modes within two changes, the rest three away.
    expect([0, 1, 2, 3].map((k) => modes.filter((m) => m.changes === k).length)).toEqual([1, 8, 28, 27]);
    expect(new Set(modes.map((m) => m.signature)).size).toBe(64);
    expect(survey(switches(8), { limit: 5 }).modes).toHaveLength(5);
    const all = survey(switches(8), { limit: 256 });
    expect([all.modes.length, all.complete]).toEqual([256, true]);
  });

  test('begins again when a later mode makes a condition structural', () => {
    // The conditional expression belongs to no system before `linked`, and then to a constraint that is differentiated.
    const { modes, conditions } = survey(`model Late
      Real x(start = 1, fixed = true), y(start = 1, fixed = true), f;
      Boolean linked = time > 1;
      Boolean upper = time > 2;
    equation
      der(x) = f;
      der(y) = -y;
      if linked then
        x = if upper then y else 3;
      else
        f = 0;
      end if;
    end Late;`);
    expect(conditions.toSorted()).toEqual(['linked', 'upper']);
    // While not linked, `upper` chooses between nothing.
    expect(modes.map((m) => [m.signature, m.structure?.states.length])).toEqual([
      ['not linked', 2],
      ['linked, not upper', 1],
      ['linked, upper', 1],
    ]);
  });

  test('leaves out what parameters decide', () => {
    const text = `model Fixed
      parameter Boolean dynamic = true;
      Real x;
    equation
      if dynamic then der(x) = 1; else x = 2; end if;
    end Fixed;`;
    expect(table(text)).toEqual([['', 1, 0]]);
    expect(surveyModes(loadModel(text, undefined, { dynamic: false })).modes[0]!.structure!.states).toEqual(
      [],
    );
  });
});

describe('singular modes', () => {
  test('are named with their equations and places', () => {
    const { status, modes } = survey(sources);
    expect(status).toBe('singular');
    expect(modes.map((m) => [m.signature, m.structure !== undefined])).toEqual([
      ['not closed', true],
      ['closed', false],
    ]);
    const [problem] = modes[1]!.diagnostics;
    expect(problem!.code).toBe('unbalanced');
    const named = problem!.notes.map((note) => [
      note.message,
      note.span?.source.position(note.span.start).line,
    ]);
    expect(named).toContainEqual(['too many equations: v1 = 5', 5]);
    expect(named).toContainEqual(['too many equations: v2 = 3', 6]);
    expect(named).toContainEqual(['new in this mode: v1 = v2', 8]);
  });

  test('the initial mode may be one of them, and the others are still examined', () => {
    expect(table(sources.replace('time > 1', 'time < 1'))).toEqual([
      ['closed', 'singular'],
      ['not closed', 0, 1],
    ]);
  });

  test('as many equations as unknowns, but in the wrong places', () => {
    const { modes } = survey(
      sources.replace('v1 = v2;', 'v1 = v2 + 1;').replace('v2, i;', 'v2, i, p = i*v1;'),
    );
    expect(modes[1]!.diagnostics.map((d) => d.code)).toEqual(['structurally-singular']);
    expect(modes[1]!.diagnostics[0]!.message).toContain('i, p');
  });
});

describe('one mode by its signature', () => {
  test.each([
    ['on[1], on[2]', 'on[1], on[2]', 2],
    ['on[2]', 'not on[1], on[2]', 1],
    ['not on[1]', 'not on[1], not on[2]', 0],
    [' on [ 2 ] ,not (on[1]) ', 'not on[1], on[2]', 1],
  ])('%s', (mode, signature, changes) => {
    const { modes, combinations } = survey(switches(2), { mode });
    expect(modes.map((m) => [m.signature, m.changes])).toEqual([[signature, changes]]);
    expect(modes[0]!.predecessor).toBe(changes === 0 ? undefined : 'not on[1], not on[2]');
    expect(combinations).toBe(4);
  });

  test('relations are written as in signatures', () => {
    const options = { mode: 'not (time<0.5)' };
    expect(table(example('VaryingStates'), options, 'VaryingStates.OneToNone')).toEqual([
      ['not (time < 0.5)', 0, 1],
    ]);
  });

  test('a condition that is written twice, with `not` and without, is named once', async () => {
    const text = `model Twice
      Boolean apart = time >= 1;
      Real x(start = 1, fixed = true), y(start = x, fixed = true);
    equation
      if not apart then der(x) = 1; end if;
      if apart then der(y) = -1; end if;
    end Twice;`;
    const { modes } = await simulate(loadModel(text), { stopTime: 2 });
    expect(modes.map((m) => m.signature)).toEqual(['not apart', 'apart']);
    expect(table(text, { mode: 'apart' })).toEqual([['apart', 1, 0]]);
    expect(table(text, { mode: 'not apart' })).toEqual([['not apart', 1, 0]]);
  });

  test.each([
    ['not closd', 'No mode of the model depends on `closd`.', 'Did you mean `closed`?'],
    ['wxyz', 'No mode of the model depends on `wxyz`.', 'Modes differ in: `closed`.'],
    ['closed, not closed', 'The mode `closed, not closed` wants `closed` to be true and false.', undefined],
  ])('%s is wrong', (mode, message, hint) => {
    const { status, diagnostics } = survey(example('IdealClutch'), { mode });
    expect(status).toBe('failed');
    expect(diagnostics.map((d) => [d.code, d.message, d.hint])).toEqual([['bad-option', message, hint]]);
  });

  test('a condition that makes no modes', () => {
    const text = `model Same
      parameter Boolean p = true;
      Real x, y;
    equation
      if time > 1 then x = 1; else x = 2; end if;
      if p then der(y) = 1; else y = 1; end if;
    end Same;`;
    const [problem] = survey(text, { mode: 'time > 1' }).diagnostics;
    expect(problem!.message).toContain('selects no modes: the equations have the same structure');
    expect(survey(text, { mode: 'p' }).diagnostics[0]!.message).toContain('depends on parameters alone');
    expect(survey(text, { mode: 'q' }).diagnostics[0]!.hint).toBe('The model has one mode only.');
  });
});

describe('state machines', () => {
  const nested = `model Nested
    model Inner
      block State end State;
      State p, q;
    equation
      initialState(p);
      transition(p, q, time > 0.2);
      transition(q, p, time > 5);
    end Inner;
    model Rest
      Real z(start = 0);
    equation
      der(z) = 1;
    end Rest;
    Inner a;
    Rest b, c;
    Real x(start = 1);
    Boolean on = time > 3;
  equation
    initialState(a);
    transition(a, b, time > 1);
    transition(b, c, time > 7);
    if on then x = 2; else der(x) = 1; end if;
  end Nested;`;

  test('change along their transitions, while the state that contains them is active', () => {
    const { modes, conditions, machines, combinations, complete } = survey(nested, {}, 'Nested');
    expect(conditions).toEqual(['on']);
    expect(machines.map((m) => m.length).toSorted()).toEqual([2, 3]);
    expect([combinations, complete]).toEqual([12, true]);
    expect(modes.map((m) => [m.changes, m.signature, m.structure!.states.length]).toSorted()).toEqual(
      [
        [0, 'a, a.p, not on', 1],
        [1, 'a, a.p, on', 0],
        [1, 'a, a.q, not on', 1],
        [1, 'b, not on', 2],
        [2, 'a, a.q, on', 0],
        [2, 'b, on', 1],
        [2, 'c, not on', 2],
        [3, 'c, on', 1],
      ].toSorted(),
    );
  });

  test('are asked for by their states', () => {
    expect(table(nested, { mode: 'on, b' }, 'Nested')).toEqual([['b, on', 1, 1]]);
    expect(table(nested, { mode: 'a.q' }, 'Nested')).toEqual([['a, a.q, not on', 1, 0]]);
    expect(table(nested, { mode: 'not a' }, 'Nested')).toEqual([['b, not on', 2, 0]]);
    const [problem] = survey(nested, { mode: 'a.q, b' }, 'Nested').diagnostics;
    expect(problem).toMatchObject({
      code: 'bad-option',
      message: 'There is no mode `a.q, b`: `a.q` is impossible in it.',
    });
  });
});

test('a model that is wrong as a whole', () => {
  const { status, stage, diagnostics, modes } = survey(`model Silent
    connector Pin
      Real v;
      flow Real i;
    end Pin;
    Pin a, b;
  equation
    if noEvent(time > 1) then connect(a, b); end if;
    a.v = 1;
    b.i = 2*b.v;
  end Silent;`);
  expect({ status, stage, modes }).toEqual({ status: 'failed', stage: 'translate', modes: [] });
  expect(diagnostics.map((d) => d.code)).toEqual(['variability']);
});
