import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJson } from '../../../src/results/files/json.ts';
import { chooseSignals } from '../../../src/results/plot/choose.ts';
import { plotHtml } from '../../../src/results/plot/html.ts';
import { byUnit } from '../../../src/results/plot/layout.ts';
import { plotSvg } from '../../../src/results/plot/svg.ts';
import { tableOfColumns } from '../../../src/results/table/builder.ts';
import type { SignalTable } from '../../../src/results/table/table.ts';
import { bouncingBall, clutch, dense, heater, waves } from '../gallery.ts';
import { alias, anyTable, constant, missing, signal } from '../signals.ts';
import { find, parseXml, runs, texts, withClass } from './picture.ts';

/** A million rows, made once. */
const million = dense();

const clutchSignals = ['inertia1.w', 'inertia2.w', 'clutch.tau', 'engaged', 'overloaded'];

describe('the gallery', () => {
  it.each([
    ['ball', plotSvg(bouncingBall())],
    ['clutch', plotSvg(clutch(), byUnit(clutch(), clutchSignals))],
    ['heater', plotSvg(heater())],
    ['waves', plotSvg(waves(), [waves().names])],
  ])('%s looks as it did', async (name, svg) => {
    await expect(svg).toMatchFileSnapshot(`../snapshots/${name}.svg`);
  });
});

describe('an SVG plot', () => {
  const picture = parseXml(plotSvg(clutch(), byUnit(clutch(), clutchSignals)));

  it('has one curve a signal and one panel a unit, with its label', () => {
    expect(withClass(picture, 'curve').map((curve) => curve.children[0]!.text)).toEqual(clutchSignals);
    expect(withClass(picture, 'grid')).toHaveLength(3);
    expect(withClass(picture, 'unit').flatMap(texts)).toEqual(['rad/s', 'N·m']);
    expect(texts(picture)).toContain('time [s]');
    expect(withClass(picture, 'title').flatMap(texts)).toEqual(['Drive.Clutch']);
    expect(withClass(picture, 'entry').flatMap(texts)[0]).toBe('inertia1.wspeed of the motor');
  });

  it('draws a jump as a vertical line', () => {
    const [points, ...others] = runs(withClass(picture, 'curve')[0]!);
    expect(others).toEqual([]);
    const jumps = points!.filter(
      ([x, y], i) => i > 0 && points![i - 1]![0] === x && points![i - 1]![1] !== y,
    );
    expect(jumps).toHaveLength(1);
  });

  it('cuts a curve where the variable is missing', () => {
    const ofLoad = runs(withClass(picture, 'curve')[1]!);
    expect(ofLoad).toHaveLength(1);
    const [left, right] = [ofLoad[0]![0]![0], ofLoad[0]!.at(-1)![0]];
    const whole = runs(withClass(picture, 'curve')[0]!)[0]!;
    // The load is there in the first four of six seconds.
    expect((right - left) / (whole.at(-1)![0] - whole[0]![0])).toBeCloseTo(4 / 6, 3);

    const holes = tableOfColumns([signal('x')], [0, 1, 2, 3, 4], [[1, 2, missing, 4, 5]]);
    const cut = runs(withClass(parseXml(plotSvg(holes, ['x'])), 'curve')[0]!);
    expect(cut.map((run) => run.length)).toEqual([2, 2]);
  });

  it('draws a value that exists for an instant as a dot', () => {
    const table = tableOfColumns([signal('x')], [0, 1, 2], [[missing, 2, missing]]);
    const path = withClass(parseXml(plotSvg(table, ['x'])), 'curve')[0]!.children[1]!.attributes;
    expect(path.d).toMatch(/^M[\d.]+ [\d.]+h0$/);
    expect(path['stroke-linecap']).toBe('round');
  });

  it('marks changes of mode and labels them where there is room', () => {
    expect(withClass(picture, 'change')).toHaveLength(2);
    expect(withClass(picture, 'strip').flatMap(texts)).toEqual([
      'engaged=false',
      'engaged=true',
      'load lost',
    ]);
    expect(withClass(picture, 'strip')[1]!.children[0]!.text).toBe('engaged=true from 2 s to 4 s');
    expect(withClass(parseXml(plotSvg(bouncingBall())), 'strip')).toEqual([]);
    const narrow = parseXml(plotSvg(clutch(), byUnit(clutch(), clutchSignals), { width: 240 }));
    expect(withClass(narrow, 'strip').flatMap(texts)).toEqual([]);
  });

  it('draws impulses as arrows from zero to the edge', () => {
    const [arrow, ...others] = withClass(picture, 'impulse');
    expect(others).toEqual([]);
    expect(arrow!.children[0]!.text).toBe('impulse of clutch.tau at 2 s: 3.5 N·m·s');
    expect(arrow!.children.map(({ text }) => text)).toContain('3.5 N·m·s');
    const [, x, from, to] = /^M([\d.]+) ([\d.]+)L[\d.]+ ([\d.]+)$/
      .exec(arrow!.children[1]!.attributes.d!)!
      .map(Number);
    expect(to).toBeLessThan(from!);
    // At the same place as the change of mode.
    expect(withClass(picture, 'change')[0]!.attributes.d).toContain(`M${x} `);
  });

  it('places values where the ticks say', () => {
    const table = tableOfColumns([signal('x')], [0, 10], [[-5, 5]]);
    const plot = parseXml(plotSvg(table, ['x'], { title: '' }));
    const [first, last] = runs(withClass(plot, 'curve')[0]!)[0]!;
    const ticks = withClass(plot, 'tick').map(({ text, attributes }) => ({
      text,
      x: Number(attributes.x),
      y: Number(attributes.y) - 4,
      anchor: attributes['text-anchor'],
    }));
    const time = (text: string) => ticks.find((tick) => tick.anchor === 'middle' && tick.text === text)!;
    const value = (text: string) => ticks.find((tick) => tick.anchor === 'end' && tick.text === text)!;
    expect(time('0').x).toBeCloseTo(first![0], 2);
    expect(time('10').x).toBeCloseTo(last![0], 2);
    expect(value('0').y).toBeCloseTo((first![1] + last![1]) / 2, 1);
    expect(value('4').y).toBeCloseTo(last![1] + (first![1] - last![1]) / 10, 1);
  });

  it('shows display units', () => {
    const plot = parseXml(plotSvg(heater()));
    expect(withClass(plot, 'unit').flatMap(texts)).toEqual(['×10³ Pa', '×10⁻⁶ m³/s', '°C']);
    expect(texts(plot)).toContain('80');
  });

  it('draws Booleans as lanes with their own ground', () => {
    expect(texts(picture).filter((text) => text === 'true')).toHaveLength(2);
    expect(withClass(picture, 'area')).toHaveLength(2);
    const [first, second] = withClass(picture, 'curve')
      .slice(3)
      .map((curve) => runs(curve).flat());
    expect(Math.max(...first!.map(([, y]) => y))).toBeLessThan(Math.min(...second!.map(([, y]) => y)));
  });

  it('keeps files of a million points small, and their extremes', () => {
    const svg = plotSvg(million);
    expect(svg.length).toBeLessThan(80_000);
    const points = runs(withClass(parseXml(svg), 'curve')[0]!).flat();
    expect(points.length).toBeLessThan(4 * 800);
    const whole = parseXml(
      plotSvg(tableOfColumns([signal('y')], [0, 0.5, 1], [[0, 1, -1]], [], { model: 'Dense' }), ['y']),
    );
    const heights = (list: readonly (readonly [number, number])[]) => list.map(([, y]) => y);
    const [low, high] = [Math.min(...heights(points)), Math.max(...heights(points))];
    const expected = heights(runs(withClass(whole, 'curve')[0]!).flat());
    expect(low).toBeCloseTo(Math.min(...expected), 0);
    expect(high).toBeCloseTo(Math.max(...expected), 0);
  });

  it('knows light and dark, or one of them', () => {
    const media = '@media (prefers-color-scheme:dark)';
    expect(plotSvg(waves(), [], { theme: 'auto' })).toContain(media);
    expect(plotSvg(waves(), [], { theme: 'dark' })).not.toContain(media);
    expect(plotSvg(waves(), [], { theme: 'dark' })).toContain('--ground:#14181d');
    expect(plotSvg(waves(), [], { theme: 'light' })).toContain('--ground:#ffffff');
  });

  it('escapes every text', () => {
    const plot = parseXml(plotSvg(heater()));
    expect(find(plot, ({ tag }) => tag === 'script' || tag === 'b')).toEqual([]);
    expect(texts(plot)).toContain("Plant.'Heater <b>'");
  });

  it('is well-formed for any table, also empty ones', () => {
    fc.assert(
      fc.property(anyTable, fc.boolean(), (table, all) => {
        parseXml(plotSvg(table, all ? table.names : []));
      }),
    );
    parseXml(plotSvg(tableOfColumns([], [], [])));
    parseXml(plotSvg(tableOfColumns([signal('x')], [], [[]]), ['x']));
    parseXml(plotSvg(tableOfColumns([signal('x')], [1], [[missing]]), ['x']));
  });

  it('survives extreme numbers', () => {
    const extremes = [-1.7e308, 1.7e308, Number.POSITIVE_INFINITY, 5e-324, 0, 1e17, 1e17 + 16];
    const time = [1e17, 1e17 + 16, 1e17 + 32, 1e17 + 48, 1e17 + 64, 1e17 + 80, 1e17 + 96];
    const svg = plotSvg(tableOfColumns([signal('x')], time, [extremes]), ['x']);
    expect(svg).not.toMatch(/NaN|Infinity/);
    parseXml(svg);
  });

  it('refuses a name that is not in the table', () => {
    expect(() => plotSvg(clutch(), ['nothing'])).toThrow('There is no signal named nothing.');
  });
});

describe('the choice of signals', () => {
  it('takes states and outputs of the model first, then states of components', () => {
    const table = tableOfColumns(
      [
        signal('a.x', undefined, { role: 'state' }),
        signal('z'),
        signal('y', undefined, { role: 'output' }),
        signal('h', undefined, { role: 'state', hidden: true }),
        signal('der(x)', undefined, { role: 'derivative' }),
        signal('x', undefined, { role: 'state' }),
        alias('w', 'x'),
        constant('p', 1),
      ],
      [0],
      [[0], [0], [0], [0], [0], [0]],
    );
    expect(chooseSignals(table)).toEqual(['y', 'x', 'a.x']);
  });

  it('takes elements from all of an array, and something of every array', () => {
    const array = (name: string, size: number) => Array.from({ length: size }, (_, i) => `${name}[${i + 1}]`);
    const chosen = (names: string[]) => {
      const signals = names.map((name) => signal(name, undefined, { role: 'state' }));
      return chooseSignals(
        tableOfColumns(
          signals,
          [0],
          names.map(() => [0]),
        ),
      );
    };
    expect(chosen(array('T', 15))).toEqual([1, 3, 5, 7, 9, 11, 13, 15].map((i) => `T[${i}]`));
    expect(chosen(['x', ...array('T', 100), ...array('p', 3)])).toEqual([
      'x',
      'T[1]',
      'T[51]',
      'T[100]',
      'p[1]',
      'p[2]',
      'p[3]',
    ]);
    expect(chosen(array('T', 3))).toEqual(['T[1]', 'T[2]', 'T[3]']);
  });

  it('adds variables with impulses', () => {
    expect(chooseSignals(clutch())).toEqual(['inertia1.w', 'inertia2.w', 'clutch.tau']);
  });

  it('tells how many variables with impulses have no room', () => {
    const struck = (count: number) => {
      const names = ['x', ...Array.from({ length: count }, (_, i) => `f${i}`)];
      const hidden = signal('h', undefined, { hidden: true });
      const signals = names.map((name) => signal(name, undefined, name === 'x' ? { role: 'state' } : {}));
      const impulses = [...names.slice(1), 'h', 'g'].map((variable) => ({ time: 1, variable, weight: 1 }));
      const columns = [...names, 'h'].map(() => [0, 0]);
      // The reaction to a force that is drawn.
      const all = [...signals, hidden, alias('g', 'f0', -1)];
      return tableOfColumns(all, [0, 2], columns, [], { impulses });
    };
    const notes = (table: SignalTable, layout?: string) =>
      withClass(parseXml(plotSvg(table, layout)), 'note').flatMap(texts);
    // The state and seven of them are drawn.
    expect(notes(struck(7)).join()).not.toContain('more variable');
    expect(notes(struck(8))).toContain('1 more variable has impulses');
    expect(notes(struck(12).visible())).toContain('5 more variables have impulses');
    expect(notes(struck(12), 'x')).toEqual([]);
  });

  it('takes other variables where there are no states, eight at most', () => {
    const names = ['c.a', ...Array.from({ length: 9 }, (_, i) => `x${i}`)];
    const table = tableOfColumns(
      names.map((name) => signal(name)),
      [0],
      names.map(() => [0]),
    );
    expect(chooseSignals(table)).toEqual(names.slice(1, 9));
  });
});

describe('an HTML plot', () => {
  const html = plotHtml(heater());

  it('holds the picture and asks for nothing from elsewhere', () => {
    expect(html).toContain('<svg xmlns="http://www.w3.org/2000/svg"');
    expect(html.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|src=|href=|@import|url\(/);
    expect(html).toContain("default-src 'none'");
  });

  it('cannot be broken out of by names', () => {
    // The results, what is said beside them, and the script.
    expect(html.match(/<script/g)).toHaveLength(3);
    expect(html.match(/<\/script>/g)).toHaveLength(3);
    expect(carried(html).names).toContain("'<script>alert(1)</script>'");
  });

  it('carries the results that it draws', () => {
    const table = carried(html);
    expect(table.value('wall.T', 0)).toBe(293.15);
    expect(table.info('wall.T')).toMatchObject({ unit: 'K', displayUnit: 'degC' });
  });

  it('carries two million numbers at most, the extremes of the curves among them', () => {
    const large = plotHtml({ one: million, other: million }, 'y');
    const [one, other] = ['one', 'other'].map((label) => carried(large, label));
    expect(2 * one!.rowCount + 2 * other!.rowCount).toBeLessThanOrEqual(2e6);
    expect(large).toContain(`${one!.rowCount} of 1000000 rows`);
    for (const of of [Math.min, Math.max]) {
      const extreme = (values: Float64Array) => values.reduce((a, b) => of(a, b));
      expect(extreme(one!.get('y'))).toBe(extreme(million.get('y')));
    }
  });

  it('is the picture alone, and says so, where rows cannot be left out of it', () => {
    const page = plotHtml({ one: million, other: million }, 'y over y');
    expect(page).toContain('more than 2 million numbers');
    expect(page).not.toContain('<script');
    parseXml(/<svg.*<\/svg>/s.exec(page)![0]);
  });

  it('carries other signals as far as there is room, and tells how many it leaves out', () => {
    const names = Array.from({ length: 300 }, (_, i) => `x${i}`);
    const time = Array.from({ length: 1000 }, (_, i) => i);
    const wide = tableOfColumns(
      names.map((name) => signal(name)),
      time,
      names.map(() => time),
    );
    const page = plotHtml(wide, 'x299');
    // 200000 numbers.
    expect(carried(page).size).toBe(200);
    expect(carried(page).has('x299')).toBe(true);
    expect(page).toContain('100 more signals are in the results, but not in this page');
  });
});

/** The results in a page. */
const carried = (html: string, label = '') =>
  readJson(new RegExp(`data-label="${label}">(.*?)</script>`, 's').exec(html)![1]!);
