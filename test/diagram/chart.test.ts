/** Charts of state machines. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Chart, chartOf } from '../../src/diagram/chart.ts';
import { boundsOf, type Extent } from '../../src/diagram/geometry.ts';
import { type Group, pointsOf, type Shape } from '../../src/diagram/shapes.ts';
import { drawingSvg } from '../../src/diagram/svg.ts';
import { classIn, component, diagram, texts } from './notation.ts';

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');
const example = (name: string): string => read(`../../examples/${name}.mo`);
const chart = (text: string, name?: string): Chart => chartOf(classIn(text, name))!;

describe('the gallery', () => {
  test.each([
    ['clocked', drawingSvg(chart(example('ClockedMachines')), { ground: '#ffffff' })],
    ['circuit', drawingSvg(chart(example('TwoMachines'), 'TwoMachines.Circuit'), { ground: '#ffffff' })],
    ['annotated', drawingSvg(chart(read('machine.mo'), 'Annotated'), { ground: '#ffffff' })],
    ['loops', drawingSvg(chart(read('machine.mo'), 'Loops'), { ground: '#ffffff' })],
  ])('%s looks as it did', async (name, svg) => {
    await expect(svg).toMatchFileSnapshot(`snapshots/chart-${name}.svg`);
  });
});

/** The groups of a role, at any depth. */
const groups = (shapes: readonly Shape[], role: string): Group[] =>
  shapes.flatMap((shape) =>
    shape.kind === 'group' ? [...(shape.role === role ? [shape] : []), ...groups(shape.shapes, role)] : [],
  );

const boxOf = ({ shapes }: Group): Extent => boundsOf(pointsOf(shapes))!;
const isInside = ([a, b]: Extent, [c, d]: Extent): boolean =>
  a[0] >= c[0] && a[1] >= c[1] && b[0] <= d[0] && b[1] <= d[1];
const overlap = ([a, b]: Extent, [c, d]: Extent): boolean =>
  a[0] < d[0] && c[0] < b[0] && a[1] < d[1] && c[1] < b[1];

describe('a chart', () => {
  const clocked = chart(example('ClockedMachines'));

  test('has all states by their paths, those of machines inside of states in them', () => {
    expect(clocked.states.map(({ path, initial, machine }) => [path, initial, machine])).toEqual(
      expect.arrayContaining([
        ['state1', true, 0],
        ['state2', false, 0],
        ['state1.stateA', true, 0],
        ['state1.stateD', false, 0],
        ['state1.stateX', true, 1],
        ['state1.stateY', false, 1],
      ]),
    );
    const states = groups(clocked.shapes, 'state');
    expect(states.map(({ key }) => key).sort()).toEqual(clocked.states.map(({ path }) => path).sort());
    const [outer] = states.filter(({ key }) => key === 'state1');
    for (const state of states)
      if (state.key!.startsWith('state1.')) expect(isInside(boxOf(state), boxOf(outer!))).toBe(true);
    expect(groups(clocked.shapes, 'initial').map(({ key }) => key)).toEqual(
      expect.arrayContaining(['state1', 'state1.stateA', 'state1.stateX']),
    );
  });

  test('has transitions with all that they say, and where they are written', () => {
    const text = example('ClockedMachines');
    const last = clocked.transitions.find(
      ({ from, to }) => from === 'state1.stateC' && to === 'state1.stateA',
    )!;
    expect(last).toMatchObject({
      condition: 'true',
      priority: 2,
      immediate: false,
      reset: true,
      synchronize: false,
      class: 'ClockedMachines.State1',
    });
    expect(text.slice(last.equation.from, last.equation.to)).toBe(
      'transition(stateC, stateA, true, immediate = false, priority = 2)',
    );
    expect(clocked.transitions.find(({ to }) => to === 'state1.stateY')!.reset).toBe(false);
    expect(texts(clocked)).toContain('2: true');
    const hybrid = chart(example('HybridAutomaton'));
    expect(texts(hybrid)).toContain('x > 2 / reinit(x, 2*x)');
    expect(hybrid.transitions[0]).toMatchObject({ actions: 'reinit(x, 2*x)' });
  });

  test('draws states beside each other, and words of transitions upon nothing', () => {
    for (const own of [clocked, chart(read('machine.mo'), 'Loops')]) {
      const boxes = groups(own.shapes, 'state').map((state) => ({ key: state.key!, box: boxOf(state) }));
      for (const [k, one] of boxes.entries())
        for (const other of boxes.slice(k + 1)) {
          const isNested = one.key.startsWith(`${other.key}.`) || other.key.startsWith(`${one.key}.`);
          expect([one.key, other.key, overlap(one.box, other.box)]).toEqual([one.key, other.key, isNested]);
        }
      for (const transition of groups(own.shapes, 'transition')) {
        const words = boundsOf(pointsOf(transition.shapes.filter(({ kind }) => kind === 'words')))!;
        const [from] = transition.key!.split(',');
        for (const { key, box } of boxes) {
          const isAround = from!.startsWith(`${key}.`);
          if (!isAround)
            expect([transition.key, key, overlap(words, box)]).toEqual([transition.key, key, false]);
        }
      }
    }
  });

  test('writes loops and branches out as far as their values are known', () => {
    const { states, transitions } = chart(read('machine.mo'), 'Loops');
    expect(states.map(({ path }) => path).sort()).toEqual(['error', 'idle', 's[1]', 's[2]', 's[3]', 's[4]']);
    expect(transitions.filter(({ from, to }) => from === to).map(({ from }) => from)).toEqual([
      's[4]',
      'error',
    ]);
    const chosen = chart(
      'model M parameter Boolean b = true; block S end S; S s, t, u; equation initialState(s); if b then transition(s, t, true); else transition(s, u, true); end if; end M;',
    );
    expect(chosen.transitions.map(({ to }) => to)).toEqual(['t']);
  });

  test('is drawn as annotations say where all states and transitions have them', () => {
    const own = chart(read('machine.mo'), 'Annotated');
    const [up] = groups(own.shapes, 'state').filter(({ key }) => key === 'up');
    expect(boxOf(up!)).toEqual([
      [-80, 20],
      [-30, 50],
    ]);
    const [line] = groups(own.shapes, 'transition')[0]!.shapes;
    expect(line?.kind === 'path' && line.pieces[0]).toEqual(['M', [-30, 35]]);
  });

  test('there is none without a machine, and wrong calls are passed over', () => {
    expect(chartOf(classIn('model M Real x; end M;'))).toBeUndefined();
    expect(
      chartOf(
        classIn(
          'model M Real x; equation transition(a, b, true); initialState(x.y); transition(1, 2, true); end M;',
        ),
      ),
    ).toBeUndefined();
    const endless = chart(
      'model M block S T t; equation initialState(t); end S; block T S s; equation initialState(s); end T; S s; equation initialState(s); end M;',
    );
    expect(endless.states.length).toBeGreaterThan(0);
  });
});

describe('transitions in a diagram', () => {
  test('are lines between states, drawn or routed, one forth and one back apart', () => {
    const text = `model M block S end S; S a annotation(Placement(transformation(extent = {{-60, -10}, {-40, 10}}))); S b annotation(Placement(transformation(extent = {{40, -10}, {60, 10}})));
      equation initialState(a); transition(a, b, time > 1); transition(b, a, time > 2) annotation(Line(points = {{40, -5}, {-40, -5}})); transition(b, a, time > 3, priority = 2); end M;`;
    const { transitions } = diagram(text);
    expect(transitions.map(({ from, to, automatic, condition }) => [from, to, automatic, condition])).toEqual(
      [
        ['a', 'b', true, 'time > 1'],
        ['b', 'a', false, 'time > 2'],
        ['b', 'a', true, 'time > 3'],
      ],
    );
    expect(transitions[1]!.points).toEqual([
      [40, -5],
      [-40, -5],
    ]);
    const heights = [transitions[0]!, transitions[2]!].map(({ points }) => points[0]![1]);
    expect(heights[0]).not.toBe(heights[1]);
    expect(texts(diagram(text))).toEqual(expect.arrayContaining(['time > 1', '2: time > 3']));
    expect(component(diagram(text), 'a').name).toBe('a');
  });
});
