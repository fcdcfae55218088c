/** State machines as they are written: where transitions may stand, and mistakes. */
import { describe, expect, test } from 'vitest';
import { Failure, loadModel, simulate } from '../../src/index.ts';

const machine = (body: string, declared = '') => `model M
  block S Real x(start = 0, fixed = true); equation der(x) = 1; end S;
  S a, b, c; ${declared}
equation
  ${body}
end M;`;

async function visited(text: string, set: Record<string, number | boolean> = {}): Promise<string[]> {
  const { status, modes } = await simulate(loadModel(text, 'M', set), { stopTime: 1 });
  expect(status).toBe('done');
  return modes.map((m) => `${m.signature} ${Math.round(m.from * 1e6) / 1e6}`);
}

describe('transitions may stand', () => {
  test('in loops', async () => {
    const text = machine(
      `initialState(s[1]);
  for k in 1:n - 1 loop transition(s[k], s[k + 1], time > 0.1*k); end for;`,
      'parameter Integer n = 4; S s[n];',
    );
    expect(await visited(text)).toEqual(['s[1] 0', 's[2] 0.1', 's[3] 0.2', 's[4] 0.3']);
    expect(await visited(text, { n: 2 })).toEqual(['s[1] 0', 's[2] 0.1']);
  });

  test('in nested loops', async () => {
    const text = machine(
      `initialState(s[1, 1]);
  for i in 1:2, j in 1:2 loop
    if i + j < 4 then transition(s[i, j], s[if j == 2 then 2 else i, if j == 2 then 1 else 2], time > 0.2*i + 0.1*j); end if;
  end for;`,
      'S s[2, 2];',
    );
    expect(await visited(text)).toEqual(['s[1,1] 0', 's[1,2] 0.3', 's[2,1] 0.4', 's[2,2] 0.5']);
  });

  test('under conditions that parameters decide', async () => {
    const text = machine(
      `if early then
    initialState(a);
    transition(a, b, time > 0.2);
  else
    initialState(c);
    transition(c, b, time > 0.6);
  end if;`,
      'parameter Boolean early = true;',
    );
    expect(await visited(text)).toEqual(['a 0', 'b 0.2']);
    expect(await visited(text, { early: false })).toEqual(['c 0', 'b 0.6']);
  });

  test('in each of an array of components', async () => {
    const text = `model M
  block S Real x(start = 0, fixed = true); equation der(x) = 1; end S;
  model Pair
    parameter Real T;
    S a, b;
  equation
    initialState(a);
    transition(a, b, time > T);
  end Pair;
  Pair pair[2](T = {0.6, 0.3});
end M;`;
    expect(await visited(text)).toEqual([
      'pair[1].a, pair[2].a 0',
      'pair[1].a, pair[2].b 0.3',
      'pair[1].b, pair[2].b 0.6',
    ]);
  });
});

describe('mistakes are explained', () => {
  test.each([
    ['an unknown state', 'initialState(a); transition(a, d, time > 1);', 'no `d` in M', 5],
    ['no initial state', 'transition(a, b, time > 1);', '`a`, `b` has no initial state', 5],
    [
      'two initial states',
      'initialState(a);\n  initialState(b);\n  transition(a, b, time > 1);',
      '`a`, `b` has several initial states',
      6,
    ],
    [
      'transitions with the same priority',
      'initialState(a);\n  transition(a, b, time > 1);\n  transition(a, c, time > 2);',
      'from a to b and c have the same priority 1',
      7,
    ],
    [
      'a priority that is no positive whole number',
      'initialState(a);\n  transition(a, b, time > 1, priority = 0);',
      'not 0',
      6,
    ],
    [
      'transitions that come and go',
      'initialState(a);\n  if time > 1 then transition(a, b, true); end if;',
      'must be fixed before the run',
      6,
    ],
    [
      'a condition that is no Boolean',
      'initialState(a);\n  transition(a, b, 3);',
      'must be Boolean, not Integer',
      6,
    ],
    ['a variable as a state', 'initialState(a.x);', 'must be a component', 5],
    [
      'a transition inside when',
      'initialState(a);\n  when time > 1 then transition(a, b, true); end when;',
      'inside `when`',
      6,
    ],
    ['an array as a state', 'initialState(s);', 'must be a component', 5, 'S s[2];'],
    ['an absent component as a state', 'initialState(s);', 'is absent here', 5, 'S s if false;'],
    [
      'an action that gives a Boolean to a Real',
      'der(q) = 1;\n  initialState(a);\n  transition(a, b, time > 1, actions = {reinit(q, true)});',
      'type Real cannot get a value of type Boolean',
      7,
      'Real q;',
    ],
    [
      'two actions for one variable',
      'der(q) = 1;\n  initialState(a);\n  transition(a, b, time > 1, actions = {reinit(q, 1),\n    reinit(q, 2)});',
      'already gives this variable a value',
      8,
      'Real q;',
    ],
    [
      'an action on an unknown variable',
      'initialState(a);\n  transition(a, b, time > 1, actions = {reinit(qq, 1)});',
      'There is no `qq`',
      6,
    ],
    [
      'activeState of a component that is no state',
      'initialState(a);',
      '`activeState` takes a state',
      3,
      'Boolean q = activeState(c);',
    ],
    [
      'activeState of two states',
      'initialState(a);',
      '`activeState` takes a state',
      3,
      'Boolean q = activeState(a, a);',
    ],
  ])('%s', (_, body, words, line, declared = '') => {
    const [problem] = problems(machine(body, declared));
    expect(problem!.message).toContain(words);
    expect(lineOf(problem!.span!.source.text, problem!.span!.start)).toBe(line);
  });

  test('machines of other components are their own business', () => {
    const text = (body: string) => `model M
  block S Real y = 1; end S;
  model Pair
    S a, b;
  equation
    initialState(a);
    transition(a, b, time > 1);
  end Pair;
  Pair u, v;
equation
  ${body}
end M;`;
    for (const body of ['transition(u.a, v.b, time > 1);', 'initialState(u.a);']) {
      const [problem] = problems(text(body));
      expect(problem!.message).toContain('`u.a` is a part of another component');
      expect(problem!.hint).toContain('in the class of that component');
    }
  });

  test('initialState in an initial equation section', () => {
    const [problem] = problems(
      machine('').replace('equation\n  \nend', 'initial equation initialState(a); end'),
    );
    expect(problem!.message).toContain('cannot stand here');
  });
});

describe('variables of states that are not active', () => {
  test('cannot be used by equations outside', async () => {
    const text = machine('initialState(a);\n  transition(a, b, time > 0.5);\n  y = 2*a.x;', 'Real y;');
    const { status, time, diagnostics } = await simulate(loadModel(text, 'M'), {});
    expect({ status, time }).toEqual({ status: 'failed', time: 0.5 });
    const problem = diagnostics.find((d) => d.severity === 'error')!;
    expect(problem.message).toBe('The equation y = 2*a.x uses a.x, which exists only while a is active.');
    expect(lineOf(text, problem.span!.start)).toBe(7);
  });

  test('need no equations; those of active ones do', async () => {
    const text = `model M
  block A Real x; equation x = 1; end A;
  block B Real x;
    Real z;
  equation x = 1; end B;
  A a;
  B b;
equation
  initialState(a);
  transition(a, b, time > 0.5);
end M;`;
    const { time, diagnostics } = await simulate(loadModel(text, 'M'), {});
    expect(time).toBe(0.5);
    const problem = diagnostics.find((d) => d.severity === 'error')!;
    expect(problem.message).toContain('1 equation missing among those that determine b.z');
    expect(lineOf(text, problem.span!.start)).toBe(4);
  });
});

function problems(text: string) {
  try {
    loadModel(text, 'M');
  } catch (problem) {
    if (problem instanceof Failure) return problem.diagnostics;
    throw problem;
  }
  throw new Error('no mistake was found');
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
