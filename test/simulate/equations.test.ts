/** What is solved in a mode: blocks in their order, as one finds them by hand, and laws that hold for all modes of all examples. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { locate } from '../../src/diagnostic/source.ts';
import { instantiate } from '../../src/instantiate.ts';
import { loadModel } from '../../src/load.ts';
import { type ModeEquations, modeEquations, simulate, surveyModes } from '../../src/simulate/index.ts';

async function solvedIn(text: string, stopTime = 1): Promise<ModeEquations[]> {
  const { modes } = await simulate(loadModel(text), { stopTime });
  return modes.map((mode) => modeEquations(mode)!);
}

const steps = ({ blocks }: ModeEquations): string[] =>
  blocks.flatMap(({ kind, steps: list, tears }) => [
    ...(kind === 'assignment' ? [] : [`${kind} ${tears.join(' ')}`]),
    ...list.map(({ unknown, value }) => `${unknown} := ${value}`),
  ]);

describe('equations of modes', () => {
  it('are assignments in their order, with their lines', async () => {
    const text = `model Chain
  Real x(start = 1, fixed = true);
  Real a, b, c;
equation
  c = a + b;
  b = 2*a;
  a = 3*x;
  der(x) = -c;
end Chain;`;
    const [mode] = await solvedIn(text);
    expect(mode!.states).toEqual(['x']);
    expect(steps(mode!)).toEqual(['a := 3*x', 'b := 2*a', 'c := a + b', 'der(x) := -c']);
    expect(mode!.blocks.map(({ needs }) => needs)).toEqual([[], [0], [0, 1], [2]]);
    expect(mode!.blocks.map(({ states }) => states)).toEqual([['x'], [], [], []]);
    const lines = mode!.blocks.map(({ equations }) =>
      equations.map(({ span }) => {
        const { source, start } = locate(span!);
        return source.position(start).line;
      }),
    );
    expect(lines).toEqual([[7], [6], [5], [8]]);
  });

  it('tell linear systems from others, and what is solved for in them', async () => {
    const text = `model Systems
  Real x, y, u, v, w;
equation
  x + y = 3 + time;
  x - y = 1;
  u^3 + u = x + v;
  v = sin(u);
  w = u*v;
end Systems;`;
    const [mode] = await solvedIn(text);
    const [linear, nonlinear, last] = mode!.blocks;
    expect(mode!.blocks.length).toBe(3);
    expect([linear!.kind, [...linear!.unknowns].sort()]).toEqual(['linear', ['x', 'y']]);
    expect(linear!.equations.map(({ text: t }) => t).sort()).toEqual(['x + y = time + 3', 'x - y = 1']);
    expect([nonlinear!.kind, [...nonlinear!.unknowns].sort()]).toEqual(['nonlinear', ['u', 'v']]);
    // One guess is enough: v follows from u.
    expect(nonlinear!.tears).toEqual(['u']);
    expect(nonlinear!.steps).toEqual([{ unknown: 'v', value: 'sin(u)' }]);
    expect(nonlinear!.residuals.length).toBe(1);
    expect(nonlinear!.needs).toEqual([0]);
    expect([last!.kind, last!.unknowns, last!.needs]).toEqual(['assignment', ['w'], [1]]);
  });

  it('say how often they are differentiated, and which variables are one', async () => {
    const pendulum = `model Pendulum
  Real x(start = 1, fixed = true), y, vx, vy(start = 0, fixed = true), F, alias;
equation
  der(x) = vx; der(y) = vy; der(vx) = -F*x; der(vy) = -F*y - 9.81;
  x^2 + y^2 = 1;
  alias = -F;
end Pendulum;`;
    const [mode] = await solvedIn(pendulum, 0.1);
    const length = mode!.blocks
      .flatMap(({ equations }) => equations)
      .filter(({ text }) => text.includes('^2'));
    // As it is for a position, once for a speed, twice for the force.
    expect(length.map(({ differentiations }) => differentiations)).toEqual([0, 1, 2]);
    const [position, speed, force] = mode!.blocks.filter(({ equations }) =>
      equations.some(({ text }) => text.includes('^2')),
    );
    expect([position!.kind, speed!.kind, force!.kind]).toEqual(['nonlinear', 'linear', 'linear']);
    expect(force!.unknowns).toContain('F');
    expect(mode!.aliases).toContainEqual({ name: 'alias', target: 'F', sign: -1 });
    expect(mode!.states.length).toBe(2);
  });

  it('are those of the mode that a visit is in', async () => {
    const text = readFileSync(join(import.meta.dirname, '../../examples/IdealClutch.mo'), 'utf8');
    const [open, closed, again] = await solvedIn(text, 10);
    expect(open!.states).toEqual(['w1', 'w2']);
    expect(open!.blocks.every(({ kind }) => kind === 'assignment')).toBe(true);
    expect(closed!.states.length).toBe(1);
    // The torque follows from both accelerations being one.
    const system = closed!.blocks.find(({ kind }) => kind === 'linear')!;
    expect(system.equations.map(({ text: t }) => t)).toContain('w1 = w2');
    expect(system.equations.find(({ text: t }) => t === 'w1 = w2')!.differentiations).toBe(1);
    expect(steps(again!)).toEqual(steps(open!));
    // A survey tells the same.
    const survey = surveyModes(loadModel(text));
    expect(survey.modes.map((mode) => steps(modeEquations(mode)!))).toEqual(
      [open, closed].map((m) => steps(m!)),
    );
    expect(modeEquations({ signature: 'closed' })).toBeUndefined();
  });

  it('stay what they were when other values lead to another structure', async () => {
    const simulation = instantiate(
      'model Spring parameter Real m = 1; Real x(start = 1), v(start = 0); equation der(x) = v; m*der(v) = -x; end Spring;',
    );
    const first = await simulation.simulate({ stopTime: 1 });
    const before = steps(modeEquations(first.modes[0]!)!);
    expect(before).toEqual(['der(x) := v', 'der(v) := -x/m']);
    const massless = await simulation.simulate({ stopTime: 1, merge: { m: 0 } });
    expect(massless.modes[0]!.states.length).toBeLessThan(2);
    expect(steps(modeEquations(first.modes[0]!)!)).toEqual(before);
  });

  const folder = join(import.meta.dirname, '../../examples');
  const names = [
    'BreakingPendulum',
    'BuckConverter',
    'ChargeSharing',
    'DriveTrain',
    'HybridAutomaton',
    'Rocket',
    'ClockedMachines',
  ];
  it.each(readdirSync(folder).filter((name) => names.includes(name.replace('.mo', ''))))(
    'of %s compute each unknown once, from what is known',
    async (name) => {
      const { modes } = await simulate(loadModel(readFileSync(join(folder, name), 'utf8')));
      expect(modes.length).toBeGreaterThan(0);
      for (const visit of new Map(modes.map((mode) => [mode.signature, mode])).values()) {
        const { states, blocks, aliases } = modeEquations(visit)!;
        const known = new Set(states);
        for (const [
          k,
          { needs, unknowns, tears, steps: list, kind, residuals, equations },
        ] of blocks.entries()) {
          expect(needs.every((other) => other < k)).toBe(true);
          for (const unknown of unknowns) {
            expect([unknown, known.has(unknown)]).toEqual([unknown, false]);
            known.add(unknown);
          }
          const solved = kind === 'assignment' ? unknowns : tears;
          expect(kind === 'assignment' ? 1 : residuals.length).toBe(solved.length);
          expect(unknowns.length).toBe(kind === 'assignment' ? 1 : tears.length + list.length);
          expect(equations.length).toBeGreaterThan(0);
        }
        for (const { name: alias, target } of aliases)
          expect([alias, known.has(alias), target !== alias]).toEqual([alias, false, true]);
      }
    },
  );
});
