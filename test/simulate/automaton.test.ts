/**
 * One hybrid automaton in the styles that the literature uses: a shared variable with actions on the transitions or with an
 * indirect reset (Elmqvist, Mattsson and Otter 2014, figures 2 to 4), local variables with a merging equation and start
 * values by a constant, by an input and by a shared variable (Thiele 2016, figure 4). All give the same trajectory.
 */
import { describe, expect, test } from 'vitest';
import { close, done } from './notation.ts';

const transitions = (first: string, second: string, third: string) => `
  Boolean a = time > 2.5;
equation
  initialState(mode1);
  transition(mode1, mode2, x > 2${first});
  transition(mode2, mode3, a${second});
  transition(mode3, mode1, x >= 3${third});
  annotation(experiment(StopTime = 9));
end Automaton;`;

const shared = (rest: readonly [string, string, string]) => `
  block Mode1 outer output Real x; ${rest[0]} der(x) = 1; end Mode1;
  block Mode2 outer output Real x; ${rest[1]} der(x) = -x; end Mode2;
  block Mode3 outer output Real x; ${rest[2]} der(x) = 1 + sin(time + 0.5); end Mode3;
  Mode1 mode1;
  Mode2 mode2;
  Mode3 mode3;`;

const merged =
  'Real x = if activeState(mode1) then mode1.x elseif activeState(mode2) then mode2.x else mode3.x;';

const styles = {
  'actions on the transitions': `model Automaton
  inner Real x(start = 1, fixed = true);
  ${shared(['equation', 'equation', 'equation'])}
  ${transitions(', actions = {reinit(x, 2*x)}', '', ', actions = {reinit(x, 1)}')}`,

  'a shared start value that the entered mode sets': `model Automaton
  inner Real xstart(start = 1, fixed = true);
  inner Real x(start = xstart, fixed = true);
  ${shared([
    'outer output Real xstart; equation xstart = 1;',
    'outer output Real xstart; equation xstart = 2*x;',
    'outer output Real xstart; equation xstart = x;',
  ])}
  ${transitions('', '', '')}`,

  'local variables, start values by constant, input and shared variable': `model Automaton
  block Mode1 Real x(start = 1, fixed = true); equation der(x) = 1; end Mode1;
  block Mode2 input Real xstart; Real x(start = xstart, fixed = true); equation der(x) = -x; end Mode2;
  block Mode3 outer Real xstart3; Real x(start = xstart3, fixed = true); equation der(x) = 1 + sin(time + 0.5); end Mode3;
  Mode1 mode1;
  Mode2 mode2(xstart = 2*x);
  Mode3 mode3;
  inner Real xstart3 = x;
  ${merged}
  ${transitions('', '', '')}`,

  'local variables, start values by expressions of the merged one': `model Automaton
  block Mode1 Real x(start = 1, fixed = true); equation der(x) = 1; end Mode1;
  block Mode2 Real x(fixed = true); equation der(x) = -x; end Mode2;
  block Mode3 Real x(fixed = true); equation der(x) = 1 + sin(time + 0.5); end Mode3;
  Mode1 mode1;
  Mode2 mode2(x(start = 2*x));
  Mode3 mode3(x(start = x));
  ${merged}
  ${transitions('', '', '')}`,
};

/** The cascade at one instant: 2 -> 4 -> 4 -> 1. */
function exact(t: number, change: number): number {
  if (t < 1) return 1 + t;
  if (t < 2.5) return 4 * Math.exp(1 - t);
  if (t < change) return 4 * Math.exp(-1.5) + (t - 2.5) + Math.cos(3) - Math.cos(t + 0.5);
  return 1 + ((t - change) % 1);
}

describe('a hybrid automaton', () => {
  const change = 6.4083428106;

  test.each(Object.entries(styles))('%s', async (_, text) => {
    const { table, modes } = await done(text, { model: 'Automaton', intervals: 90 });
    for (const [t, x] of [
      [2.5, 0.8925206406],
      [3, 1.3389848313],
      [4, 1.6133239434],
      [5, 1.6938583697],
      [6, 2.4259405183],
    ] as const) {
      close(exact(t, change), x, 1e-9);
      close(table.value('x', t), x, 1e-7);
    }
    for (let k = 0; k <= 90; k++) {
      const t = k / 10;
      if (Math.abs(t - 1) > 1e-3) close(table.value('x', t), exact(t, change), 1e-6);
    }
    expect(modes.map((m) => m.signature)).toEqual(['mode1', 'mode2', 'mode3', 'mode1']);
    close(modes[3]!.from, change, 1e-8);
    expect(modes.map((m) => m.states.length)).toEqual([1, 1, 1, 1]);
  });

  test('has the same switching times in all styles', async () => {
    const times = await Promise.all(
      Object.values(styles).map(async (text) => {
        const { modes } = await done(text, { model: 'Automaton' });
        return modes.map((m) => m.from);
      }),
    );
    for (const other of times.slice(1))
      for (const [k, t] of other.entries()) expect(Math.abs(t - times[0]![k]!)).toBeLessThan(1e-8);
  });
});

describe('values on entry', () => {
  const ramp = 'block Ramp Real y(start = 0, fixed = true); equation der(y) = 1; end Ramp;';

  test('by a chain of inputs, through a connection, and from outputs of the state that is left', async () => {
    const { table } = await done(
      `connector In = input Real;
       connector Out = output Real;
       model Chain
         ${ramp}
         block Hold
           In u;
           Real scaled = 3*u;
           parameter Real offset = 1;
           Real z(start = scaled + offset, fixed = true);
         equation
           der(z) = 0;
         end Hold;
         block Level Out y; equation y = 5 + time; end Level;
         Ramp ramp;
         Hold hold;
         Level level;
         Real z(start = 0, fixed = true);
         Real last = if activeState(hold) then hold.z else 0;
         block Last parameter Real k; Real w(fixed = true); equation der(w) = k; end Last;
         Last third(k = 2, w(start = 10*last));
       equation
         der(z) = last;
         connect(level.y, hold.u);
         initialState(ramp);
         transition(ramp, hold, time >= 1);
         transition(hold, third, time >= 2);
       end Chain;`,
      { model: 'Chain', stopTime: 3 },
    );
    // u = 6 at 1 s, scaled 18, plus 1.
    close(table.value('hold.z', 1.5), 19);
    close(table.value('z', 3), 19);
    close(table.value('third.w', 2, 'after'), 190);
    close(table.value('third.w', 3), 192);
  });

  test('an output connected outside has its value before the change', async () => {
    const { table } = await done(
      `connector Out = output Real;
       connector In = input Real;
       model Handover
         block First Out y(start = 0, fixed = true); equation der(y) = 2; end First;
         block Second Out y(fixed = true); equation der(y) = -1; end Second;
         block Sink In u; end Sink;
         First first;
         Second second(y(start = sink.u));
         Sink sink;
       equation
         connect(first.y, sink.u);
         connect(second.y, sink.u);
         initialState(first);
         transition(first, second, time >= 1 and time < 2);
         transition(second, first, time >= 2, reset = false);
       end Handover;`,
      { model: 'Handover', stopTime: 3 },
    );
    close(table.value('sink.u', 1, 'after'), 2);
    close(table.value('sink.u', 2, 'before'), 1);
    // Without reset the first one goes on where it was left.
    close(table.value('sink.u', 2, 'after'), 2);
    close(table.value('sink.u', 3), 4);
  });

  test('a transition to the state itself begins it anew', async () => {
    const { table } = await done(
      `model Doubling
         block S Real x(start = 1, fixed = true); Real y(start = 2*y + 1, fixed = true); equation der(x) = 1; der(y) = 0; end S;
         S s;
       equation
         initialState(s);
         transition(s, s, timeInState() >= 1);
       end Doubling;`,
      { model: 'Doubling', stopTime: 3.5 },
    );
    close(table.value('s.x', 3.5), 1.5);
    // y(0) is the solution of y = 2 y + 1; then 2 (-1) + 1 = -1 again.
    close(table.value('s.y', 3.5), -1);
  });
});
