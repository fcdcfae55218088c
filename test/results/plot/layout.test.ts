/** Which diagrams a plot has: name, tuple, vector, matrix, as arrays and as text. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plotHtml } from '../../../src/results/plot/html.ts';
import { byUnit, type Layout, resolveLayout } from '../../../src/results/plot/layout.ts';
import { plotSvg } from '../../../src/results/plot/svg.ts';
import { fromArrays } from '../../../src/results/table/arrays.ts';
import { tableOfColumns } from '../../../src/results/table/builder.ts';
import { clutch, rocket } from '../gallery.ts';
import { anyTable, signal } from '../signals.ts';
import { colorOf, parseXml, runs, texts, withClass } from './picture.ts';

const table = rocket();
/** Diagrams in a short notation: rows of lists of names, with what they are over. */
const resolved = (layout: Layout) =>
  resolveLayout([table], layout).map((row) =>
    row.map((diagram) => {
      if (!diagram) return null;
      const { signals, over, heading, as, log, logOver, at } = diagram;
      const kind = [...(log ? ['log'] : []), ...(as === 'curves' ? [] : [as])]
        .map((word) => `${word}: `)
        .join('');
      const along = over ?? (logOver ? 'time' : undefined);
      const below = along ? ` over ${logOver ? 'log ' : ''}${along}` : '';
      return `${heading && `"${heading}" `}${kind}${signals.join(' ')}${at ? ` at ${at.join(' ')}` : ''}${below}`;
    }),
  );

describe('the grammar of diagrams', () => {
  it.each<[string, Layout, (string | null)[][]]>([
    ['a name', 'h', [['h']]],
    ['a tuple', 'h, v', [['h v']]],
    ['a vector', ['h', 'v'], [['h'], ['v']]],
    ['a vector with a tuple', [['h', 'v'], 'm'], [['h v'], ['m']]],
    ['a vector as text', 'h, v; m', [['h v'], ['m']]],
    [
      'a matrix',
      {
        rows: [
          ['h', 'v'],
          ['m', ['stage1.h', 'stage1.v']],
        ],
      },
      [
        ['h', 'v'],
        ['m', 'stage1.h stage1.v'],
      ],
    ],
    [
      'a matrix as text',
      'h | v; m | stage1.h, stage1.v',
      [
        ['h', 'v'],
        ['m', 'stage1.h stage1.v'],
      ],
    ],
    [
      'an empty place',
      'h | ; m | v',
      [
        ['h', null],
        ['m', 'v'],
      ],
    ],
    ['an empty place in arrays', { rows: [[null, 'h']] }, [[null, 'h']]],
    ['another axis', 'h over x; v over time', [['h over x'], ['v']]],
    [
      'another axis in arrays',
      [{ curves: ['h', 'stage1.h'], over: 'x', heading: 'Path' }],
      [['"Path" h stage1.h over x']],
    ],
    ['a heading', '"Up; and | away" h, v', [['"Up; and | away" h v']]],
    ['an array', 'p', [['p[1] p[2] p[3]']]],
    ['a part of an array', 'p[2:3], p[1]', [['p[2] p[3] p[1]']]],
    ['a glob', 'stage1.*; *h', [['stage1.h stage1.v'], ['h stage1.h']]],
    ['a name twice', 'h, h', [['h']]],
    ['a logarithmic axis', 'log(h, v); m', [['log: h v'], ['m']]],
    [
      'logarithmic axes',
      'log(h) over log(x); v over log(time)',
      [['log: h over log x'], ['v over log time']],
    ],
    ['a map', '"Tank" map(p)', [['"Tank" map: p[1] p[2] p[3]']]],
    [
      'a profile',
      'profile(p) | log(profile(p[1:2] at 0, 1e1))',
      [['profile: p[1] p[2] p[3]', 'log: profile: p[1] p[2] at 0 10']],
    ],
    ['a profile in arrays', [{ curves: 'p', as: 'profile', at: [5] }], [['profile: p[1] p[2] p[3] at 5']]],
    ['logarithms in arrays', [{ curves: 'h', over: 'x', log: true, logOver: true }], [['log: h over log x']]],
  ])('%s', (_, layout, expected) => {
    expect(resolved(layout)).toEqual(expected);
  });

  it.each<[Layout, string]>([
    ['hh', 'There is no signal named hh.'],
    ['stage1.w', 'There is no signal named stage1.w. Did you mean stage1.h?'],
    ['h,', 'A name is missing in the diagram "h,".'],
    ['h;;v', 'Row 2 of the diagrams "h;;v" is empty.'],
    ['', 'Row 1 of the diagrams "" is empty.'],
    ['h over p', 'p means 3 signals, but an axis takes one.'],
    ['h over nothing', 'There is no signal named nothing.'],
    ['p[7]', 'There is no signal named p[7].'],
    [[[]], 'A diagram has no curves.'],
    ['profile(p) over x', 'A profile has axes of its own: it cannot be drawn over x.'],
    ['map(p) over x', 'A map has axes of its own: it cannot be drawn over x.'],
    ['log(map(p))', 'A map has no logarithmic axis.'],
    ['profile(p at soon)', '"soon" in the diagram "profile(p at soon)" is no list of times.'],
    ['profile(p at 1,,2)', '"1,,2" in the diagram "profile(p at 1,,2)" is no list of times.'],
    [[{ curves: 'p', at: [1] }], 'Times are those of a profile, but p are drawn as curves.'],
    ['log(h), log(v)', 'There is no signal named log(h).'],
    ['map()', 'A name is missing in the diagram "map()".'],
  ])('refuses %j', (layout, message) => {
    expect(() => resolveLayout([table], layout)).toThrow(RangeError);
    expect(() => resolveLayout([table], layout)).toThrow(message);
  });

  it('takes the name of a signal as it is, whatever it contains', () => {
    fc.assert(
      fc.property(anyTable, (any) => {
        for (const name of any.names) expect(resolveLayout([any], name)[0]![0]!.signals).toEqual([name]);
        expect(resolveLayout([any], any.names).map((row) => row[0]!.signals[0])).toEqual(any.names);
      }),
    );
  });

  it('takes names from all results, and refuses those that none has', () => {
    const [a, b] = [fromArrays({ time: [0], x: [0] }), fromArrays({ time: [0], y: [0] })];
    expect(resolveLayout([a, b], 'x, y')[0]![0]!.signals).toEqual(['x', 'y']);
    expect(() => resolveLayout([a, b], 'z')).toThrow('There is no signal named z.');
  });

  it('draws long arrays as maps, whole', () => {
    const names = (array: string, size: number) =>
      Array.from({ length: size }, (_, i) => `${array}[${i + 1}]`);
    const arrays = tableOfColumns(
      [...names('T', 17), ...names('u', 16)].map((name) => signal(name, undefined, { unit: 'K' })),
      [0],
      Array.from({ length: 33 }, () => [0]),
    );
    expect(byUnit(arrays, ['u', 'T'])).toEqual([
      { curves: names('u', 16) },
      { curves: names('T', 17), as: 'map' },
    ]);
  });

  it('groups by unit', () => {
    expect(byUnit(table, ['h', 'v', 'stage1.h', 'p'])).toEqual([
      { curves: ['h', 'stage1.h'] },
      { curves: ['v'] },
      { curves: ['p[1]', 'p[2]', 'p[3]'] },
    ]);
  });
});

const picture = (layout: Layout, options = {}) => parseXml(plotSvg(table, layout, options));
/** Horizontal extent of the axes of the panels. */
const axes = (layout: Layout) =>
  withClass(picture(layout), 'axis').map(({ attributes }) =>
    /^M([\d.]+) ([\d.]+)L[\d.]+ ([\d.]+)/.exec(attributes.d!)!.slice(1).map(Number),
  );

describe('a plot of several diagrams', () => {
  it('looks as it did', async () => {
    const grid = plotSvg(table, '"Height" h, stage1.h | "Path" h over x; v, stage1.v | p', {
      title: 'Two stages',
    });
    await expect(grid).toMatchFileSnapshot('../snapshots/grid.svg');
    await expect(plotSvg(table, [['h', 'v', 'stage1.h'], 'm'])).toMatchFileSnapshot('../snapshots/tuple.svg');
  });

  it('puts diagrams of a row side by side and rows above each other', () => {
    const [a, b, c, d] = axes('h | v; m | p') as [number[], number[], number[], number[]];
    expect(a[0]).toBe(c[0]);
    expect(b[0]).toBe(d[0]);
    expect(a[0]!).toBeLessThan(b[0]!);
    expect(a[1]).toBe(b[1]);
    expect(a[2]!).toBeLessThan(c[1]!);
  });

  it('labels the time below every column, and another axis with its name and unit', () => {
    expect(texts(picture('h | v; m | p')).filter((text) => text === 'time [s]')).toHaveLength(2);
    expect(texts(picture('h; v; m')).filter((text) => text === 'time [s]')).toHaveLength(1);
    const mixed = texts(picture('h; v over x; m'));
    expect(mixed.filter((text) => text === 'time [s]')).toHaveLength(2);
    expect(mixed).toContain('x [km]');
  });

  it('draws curves over another signal where both exist, and marks changes of mode on them', () => {
    const plot = picture('stage1.v over stage1.h');
    const [run, ...others] = runs(withClass(plot, 'curve')[0]!);
    expect(others).toEqual([]);
    // The height has its maximum where the velocity is zero; before and after it the curve goes to and fro.
    const heights = run!.map(([x]) => x);
    const top = heights.indexOf(Math.max(...heights));
    expect(top).toBeGreaterThan(0);
    expect(top).toBeLessThan(heights.length - 1);
    expect(withClass(picture('h over x'), 'mark')).toHaveLength(2);
    expect(withClass(plot, 'mark')[0]!.children[0]!.text).toBe('separated from 40 s on');
    expect(withClass(picture('h over x'), 'strip')).toEqual([]);
  });

  it('cuts curves where a stage does not exist', () => {
    const [run, ...others] = runs(withClass(picture('stage1.h'), 'curve')[0]!);
    expect(others).toEqual([]);
    const whole = runs(withClass(picture('h'), 'curve')[0]!)[0]!;
    const share = (run!.at(-1)![0] - run![0]![0]) / (whole.at(-1)![0] - whole[0]![0]);
    expect(share).toBeCloseTo(30 / 90, 3);
  });

  it('tells units in the legend where they differ, otherwise at the axis', () => {
    expect(withClass(picture('h, v'), 'entry').flatMap(texts)).toEqual(['h[km] height', 'v[m/s] velocity']);
    expect(withClass(picture('h, v'), 'unit').flatMap(texts)).toEqual([]);
    expect(withClass(picture('h, stage1.h'), 'unit').flatMap(texts)).toEqual(['km']);
  });

  it('gives a signal the same colour everywhere', () => {
    const curves = withClass(picture('h, v; v over x'), 'curve').map(colorOf);
    expect(curves[2]).toBe(curves[1]);
    expect(curves[0]).not.toBe(curves[1]);
  });

  it('limits the legend', () => {
    const plot = picture('p, h, v', { legend: 2 });
    expect(withClass(plot, 'entry')).toHaveLength(2);
    expect(texts(plot)).toContain('and 3 more');
    expect(withClass(plot, 'curve')).toHaveLength(5);
  });

  it('keeps headings, legends and frames apart, however many lines a legend has', () => {
    const many = Array.from({ length: 40 }, (_, i) => `component${i}.voltage`);
    const wide = tableOfColumns(
      many.map((name) => signal(name)),
      [0, 1],
      many.map((_, i) => [i, 0]),
    );
    const plot = parseXml(
      plotSvg(wide, {
        rows: [
          [
            { curves: many, heading: 'All' },
            { curves: many[0]!, heading: 'One' },
          ],
        ],
      }),
    );
    const at = (name: string) => withClass(plot, name).map(({ attributes }) => Number(attributes.y));
    const lines = withClass(plot, 'entry').map(({ children }) => Number(children[1]!.attributes.y));
    const top = Number(/^M[\d.]+ ([\d.]+)/.exec(withClass(plot, 'axis')[0]!.attributes.d!)![1]);
    expect(withClass(plot, 'note').flatMap(texts)).toEqual(['and 16 more']);
    // Letters are 13 pixels high above their line, and 4 below.
    expect(at('heading')[0]! + 4).toBeLessThanOrEqual(Math.min(...lines));
    // An entry is 19 pixels high.
    expect(Math.max(...lines.map((y) => y + 19), ...at('note').map((y) => y + 4))).toBeLessThanOrEqual(top);
    // The legend of one entry stands directly above its frame, and its heading above it.
    expect(at('heading')[1]!).toBeGreaterThan(at('heading')[0]!);
    expect(top - at('heading')[1]!).toBeLessThan(45);
  });

  it('has headings and a title', () => {
    expect(withClass(picture('"Up" h | v'), 'heading').flatMap(texts)).toEqual(['Up']);
    expect(withClass(picture('h', { title: 'A & B' }), 'title').flatMap(texts)).toEqual(['A & B']);
  });

  it('draws Booleans beside numbers as numbers', () => {
    const mixed = parseXml(plotSvg(clutch(), 'engaged, clutch.tau'));
    expect(texts(mixed)).not.toContain('true');
    expect(withClass(mixed, 'area')).toEqual([]);
    expect(texts(parseXml(plotSvg(clutch(), 'engaged, overloaded')))).toContain('true');
  });

  it('is well-formed for any table', () => {
    fc.assert(
      fc.property(anyTable, (any) => {
        const [a, b, c] = any.names as [string, string, string];
        parseXml(
          plotSvg(any, {
            rows: [
              [a, [a, b]],
              [{ curves: b, over: c }, null],
            ],
          }),
        );
        plotHtml(any, [{ curves: [a, b], over: c }]);
      }),
    );
  });
});
