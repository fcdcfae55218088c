/** Everything that was named is drawn: long arrays, many signals, several results, crowded impulses. */
import { describe, expect, it } from 'vitest';
import { placeX, placeY } from '../../../src/results/plot/curve.ts';
import { layoutFigure, runsOf } from '../../../src/results/plot/figure.ts';
import { byUnit } from '../../../src/results/plot/layout.ts';
import { plotSvg } from '../../../src/results/plot/svg.ts';
import type { Range } from '../../../src/results/plot/ticks.ts';
import { fromArrays } from '../../../src/results/table/arrays.ts';
import { TableBuilder, tableOfColumns } from '../../../src/results/table/builder.ts';
import type { SignalTable, TableImpulse } from '../../../src/results/table/table.ts';
import { missing, signal } from '../signals.ts';
import { colorOf, type Element, parseXml, runs, texts, withClass } from './picture.ts';

const names = (array: string, size: number) => Array.from({ length: size }, (_, i) => `${array}[${i + 1}]`);

/** `T[i]` is `i` all the time; the last is missing in the second half. */
const staircase = (size: number): SignalTable =>
  tableOfColumns(
    names('T', size).map((name) => signal(name, undefined, { unit: 'K' })),
    [0, 1, 1, 2],
    names('T', size).map((_, i) =>
      i === size - 1 ? [i + 1, i + 1, missing, missing] : [i + 1, i + 1, i + 1, i + 1],
    ),
  );

const frameOf = (plot: Element) => {
  const [x, top, bottom] = /^M([\d.]+) ([\d.]+)L[\d.]+ ([\d.]+)/
    .exec(withClass(plot, 'axis')[0]!.attributes.d!)!
    .slice(1)
    .map(Number) as [number, number, number];
  const right = Math.max(
    ...[...withClass(plot, 'axis')[0]!.attributes.d!.matchAll(/[\d.]+(?= )/g)].map(Number),
  );
  return { left: Math.floor(x), right, top, bottom: Math.floor(bottom) };
};

/** Boxes of a map: place, size and colour. */
const boxesOf = (plot: Element) =>
  withClass(plot, 'cells').flatMap(({ attributes }) =>
    [...attributes.d!.matchAll(/M([\d.]+) ([\d.]+)h([\d.]+)v([\d.]+)/g)].map((match) => {
      const [x, y, width, height] = match.slice(1).map(Number) as [number, number, number, number];
      return { x, y, width, height, color: attributes.fill! };
    }),
  );

describe('a map', () => {
  const plot = parseXml(plotSvg(staircase(20), 'map(T)'));
  const frame = frameOf(plot);
  const boxes = boxesOf(plot);

  it('has a row for every element, from below, as long as it exists', () => {
    expect(boxes).toHaveLength(20);
    const rows = boxes.sort((a, b) => b.y - a.y);
    expect(rows[0]!.y + rows[0]!.height).toBe(frame.bottom);
    expect(rows[19]!.y).toBe(frame.top);
    for (const [i, row] of rows.entries()) {
      const share = row.width / (frame.right - frame.left);
      expect(share).toBeCloseTo(i === 19 ? 0.5 : 1, 2);
    }
  });

  it('has other colours for other values, which the legend explains', () => {
    expect(new Set(boxes.map(({ color }) => color)).size).toBe(20);
    expect(withClass(plot, 'entry').flatMap(texts)).toEqual(['T[1] … T[20]', '1', '20 K']);
  });

  it('covers its frame without gaps, also with more elements than pixels', () => {
    const large = parseXml(plotSvg(staircase(1000), byUnit(staircase(1000), ['T'])));
    const { left, right, top, bottom } = frameOf(large);
    const area = boxesOf(large).reduce((sum, { width, height }) => sum + width * height, 0);
    const whole = (right - left) * (bottom - top);
    expect(area / whole).toBeGreaterThan(0.99);
    expect(area / whole).toBeLessThanOrEqual(1);
    expect(withClass(large, 'curve')).toEqual([]);
    expect(withClass(large, 'entry').flatMap(texts)[0]).toBe('T[1] … T[1000]');
  });

  it('has the scale of the least and the greatest value, however few cells there are', () => {
    // One element of a thousand is warm for an instant, another one is cold.
    const time = Array.from({ length: 501 }, (_, row) => row);
    const field = tableOfColumns(
      names('T', 1000).map((name) => signal(name)),
      time,
      names('T', 1000).map((_, i) =>
        time.map((row) => (i === 3 && row === 250 ? 1000 : i === 800 && row === 1 ? -7 : 20)),
      ),
    );
    const scale = (width: number, window?: Range) => {
      const view = window ? { window } : {};
      const { low, high } = layoutFigure(runsOf(field), 'map(T)', { width }, view).panels[0]!.map!;
      return [low, high];
    };
    expect(scale(300)).toEqual([-7, 1000]);
    expect(scale(1600)).toEqual([-7, 1000]);
    // Half way to the instant: half of the way from 20 to 1000.
    expect(scale(800, { low: 100, high: 249.5 })).toEqual([20, 510]);
    expect(scale(800, { low: 300, high: 400 })).toEqual([20, 20]);
  });

  it('is over what the subscripts count', () => {
    const row = [1, 2, 3];
    const options = { dimensions: { x: [0, 5, 10] }, over: { T: ['x'] }, units: { x: 'm' } };
    const field = fromArrays({ time: [0, 1], T: [row, row] }, options);
    expect(withClass(parseXml(plotSvg(field, 'map(T)')), 'unit').flatMap(texts)).toEqual(['x [m]']);
    expect(texts(parseXml(plotSvg(field, 'profile(T)')))).toContain('x [m]');
  });

  it('shows one result only', () => {
    expect(() => plotSvg({ a: staircase(3), b: staircase(3) }, 'map(T)')).toThrow(
      'A map shows one result, but T[1] is in 2 of them.',
    );
  });
});

describe('a profile', () => {
  const rod = tableOfColumns(
    names('T', 5).map((name) => signal(name, undefined, { unit: 'K', displayUnit: 'degC' })),
    [0, 10],
    names('T', 5).map((_, i) => [273.15, 273.15 + 10 * (i + 1)]),
  );

  it('draws the values of an array over its index at the times that were named', () => {
    const plot = parseXml(plotSvg(rod, 'profile(T at 0, 5, 10)'));
    expect(withClass(plot, 'entry').flatMap(texts)).toEqual(['0 s', '5 s', '10 s']);
    expect(withClass(plot, 'heading').flatMap(texts)).toEqual(['T[1] … T[5]']);
    expect(texts(plot)).toContain('index');
    const [cold, half, warm] = withClass(plot, 'curve').map((curve) => runs(curve)[0]!);
    const rise = (line: readonly (readonly [number, number])[]) => line[0]![1] - line[4]![1];
    // T[i] rises by i degrees a second: linear over the index, half as steep at half of the time.
    expect(cold).toHaveLength(5);
    expect(rise(cold!)).toBe(0);
    expect(rise(half!) / rise(warm!)).toBeCloseTo(0.5, 3);
    expect(warm![1]![0] - warm![0]![0]).toBeCloseTo(warm![4]![0] - warm![3]![0], 1);
  });

  it('has steps where the elements are not real', () => {
    const flags = tableOfColumns(
      names('b', 4).map((name) => signal(name, undefined, { type: 'Boolean' })),
      [0, 1],
      [
        [0, 0],
        [1, 1],
        [1, 1],
        [0, 0],
      ],
    );
    const [steps] = withClass(parseXml(plotSvg(flags, 'profile(b at 0)')), 'curve').flatMap(runs);
    const [low, high] = [steps![0]![1], steps![2]![1]];
    expect(low).toBeGreaterThan(high);
    expect(steps!.map(([, y]) => y)).toEqual([low, low, high, high, high, low, low]);
    const width = steps![1]![0] - steps![0]![0];
    // Every element is as wide as the others; the change is half-way between two of them.
    expect(steps!.map(([x]) => Math.round((x - steps![0]![0]) / width))).toEqual([0, 1, 1, 2, 3, 3, 4]);
  });

  it('tells times at which there is nothing', () => {
    const plot = parseXml(plotSvg(rod, 'profile(T at 5, 50)'));
    expect(withClass(plot, 'note').flatMap(texts)).toEqual(['nothing exists at 50 s']);
  });

  it('takes times from all of the run where none are named', () => {
    const plot = parseXml(plotSvg(rod, 'profile(T)'));
    expect(withClass(plot, 'entry').flatMap(texts)).toEqual(['0 s', '2 s', '4 s', '6 s', '8 s', '10 s']);
  });
});

describe('many curves', () => {
  it('of an array have colours in order, and one entry in the legend', () => {
    const plot = parseXml(plotSvg(staircase(30), 'T'));
    const curves = withClass(plot, 'curve');
    expect(curves).toHaveLength(30);
    expect(new Set(curves.map(colorOf)).size).toBeGreaterThan(25);
    expect(withClass(plot, 'entry').flatMap(texts)).toEqual(['T[1]', 'T[30]']);
  });

  it('are all drawn, or refused', () => {
    expect(withClass(parseXml(plotSvg(staircase(1000), 'T')), 'curve')).toHaveLength(1000);
    expect(() => plotSvg(staircase(2001), 'T')).toThrow(
      'The diagrams have 2001 curves; more than 2000 are no picture.',
    );
  });
});

describe('among many curves', () => {
  const time = Array.from({ length: 1201 }, (_, row) => row / 100);
  const stepped = [...time.slice(0, 711), ...time.slice(710)];
  const waves = names('T', 600).map((_, i) => stepped.map((t) => Math.exp(-t / 3) * Math.sin(t + i / 50)));
  const table = tableOfColumns(
    [...names('T', 600), 'P', 'noise', 'both'].map((name) => signal(name)),
    stepped,
    [
      ...waves,
      stepped.map((_, row) => (row <= 710 ? 100 : 0)),
      stepped.map((_, row) => (row * row * 7919) % 1009),
      stepped.map((_, row) => ((row * row * 7919) % 1009) + (row <= 710 ? 0 : 9000)),
    ],
  );
  const { panels } = layoutFigure(runsOf(table), 'T; P; noise; both', { width: 1000 });
  const lineOf = (panel: number, curve = 0) => {
    const [line, ...others] = panels[panel]!.curves[curve]!.lines;
    expect(others).toEqual([]);
    return line!.flatMap((x, i) => (i % 2 === 0 ? [[x, line![i + 1]!] as const] : []));
  };

  it('a step stays vertical', () => {
    const { frame } = panels[1]!;
    const line = lineOf(1);
    const at = frame.left + (7.1 / 12) * (frame.right - frame.left);
    expect(line.map(([x]) => x)).toEqual([frame.left, at, at, frame.right].map((x) => expect.closeTo(x, 2)));
    expect(line[0]![1]).toBe(line[1]![1]);
    expect(line[2]![1]).toBe(line[3]![1]);
    expect(line[2]![1]).toBeGreaterThan(line[1]![1] + 50);
  });

  it('all points are beside their curve by less than a quarter of a pixel', () => {
    const { frame } = panels[0]!;
    for (const curve of [0, 77, 599]) {
      const line = lineOf(0, curve);
      expect(line.length).toBeLessThan(300);
      let piece = 0;
      for (const [row, t] of stepped.entries()) {
        const [x, y] = [placeX(frame, t), placeY(frame, waves[curve]![row]!)];
        while (line[piece + 1]![0] < x - 0.005 && piece < line.length - 2) piece++;
        const [[x0, y0], [x1, y1]] = [line[piece]!, line[piece + 1]!];
        expect(Math.abs(y0 + ((y1 - y0) * (x - x0)) / (x1 - x0) - y)).toBeLessThan(0.25);
      }
    }
  });

  it('noise has few points, with its extremes', () => {
    const line = lineOf(2);
    // A share of 300,000 points in all.
    expect(line.length).toBeLessThan(300_000 / 603 + 6);
    const { frame } = panels[2]!;
    const heights = line.map(([, y]) => y);
    expect(Math.min(...heights)).toBeCloseTo(placeY(frame, Math.max(...table.get('noise'))), 1);
    expect(Math.max(...heights)).toBeCloseTo(placeY(frame, Math.min(...table.get('noise'))), 1);
  });

  it('a step of noise is vertical, too', () => {
    const { frame } = panels[3]!;
    const line = lineOf(3);
    const up = line.findIndex(([, y]) => y < placeY(frame, 5000));
    expect(line.length).toBeLessThan(300_000 / 603 + 6);
    expect(line[up]![0]).toBeCloseTo(placeX(frame, 7.1), 1);
    expect(line[up - 1]![0]).toBe(line[up]![0]);
  });
});

describe('several results', () => {
  const long = tableOfColumns(
    [signal('x', undefined, { unit: 'm' }), signal('v')],
    [0, 4],
    [
      [0, 4],
      [1, 1],
    ],
  );
  const short = tableOfColumns([signal('x', undefined, { unit: 'm' })], [0, 1], [[0, 2]]);

  it('have a colour each in all diagrams, and are drawn as far as they reach', () => {
    const plot = parseXml(plotSvg({ long, short, again: long }, 'x; x, v'));
    const curves = withClass(plot, 'curve');
    expect(curves.map((curve) => curve.children[0]!.text)).toEqual([
      ...['x (long)', 'x (short)', 'x (again)'],
      ...['x (long)', 'x (short)', 'x (again)', 'v (long)', 'v (again)'],
    ]);
    const colors = curves.map(colorOf);
    expect(new Set(colors).size).toBe(3);
    expect(colors[3]).toBe(colors[0]);
    expect(colors[6]).toBe(colors[0]);
    const [all, part] = [runs(curves[0]!)[0]!, runs(curves[1]!)[0]!];
    expect((part[1]![0] - part[0]![0]) / (all[1]![0] - all[0]![0])).toBeCloseTo(1 / 4, 3);
    expect(withClass(plot, 'heading').flatMap(texts)).toEqual(['x']);
    expect(withClass(plot, 'entry').flatMap(texts).slice(0, 3)).toEqual(['long', 'short', 'again']);
  });

  it('have strips of modes below each other', () => {
    const run = (at: number) => {
      const builder = new TableBuilder([signal('x')]);
      builder.beginSegment('a');
      builder.append(0, Float64Array.of(0));
      builder.append(at, Float64Array.of(0));
      builder.beginSegment('b');
      builder.append(at, Float64Array.of(1));
      builder.append(10, Float64Array.of(1));
      return builder.finish({ model: 'M' });
    };
    const strips = withClass(parseXml(plotSvg({ early: run(2), late: run(8) }, 'x')), 'strip');
    expect(strips.map((strip) => strip.children[0]!.text)).toEqual([
      ...['a from 0 s to 2 s', 'b from 2 s to 10 s'],
      ...['a from 0 s to 8 s', 'b from 8 s to 10 s'],
    ]);
    const tops = strips.map((strip) => Number(strip.children[1]!.attributes.y));
    expect(tops[0]).toBe(tops[1]);
    expect(tops[2]! - tops[0]!).toBeGreaterThanOrEqual(16);
    expect(strips[0]!.children[1]!.attributes.fill).toBe(strips[2]!.children[1]!.attributes.fill);
  });
});

describe('impulses', () => {
  const struck = (...impulses: readonly (readonly [time: number, weight: number])[]): Element => {
    const list = impulses.map(([time, weight]): TableImpulse => ({ time, weight, variable: 'f' }));
    return parseXml(plotSvg(tableOfColumns([signal('f')], [0, 10], [[0, 1]], [], { impulses: list }), 'f'));
  };
  const labels = (plot: Element) =>
    withClass(plot, 'weight').map(({ text, attributes }) => ({
      text,
      x: Number(attributes.x),
      anchor: attributes['text-anchor'],
    }));

  it('have their weights inside the picture, at its edges too', () => {
    const found = labels(struck([0, 123456], [10, -123456]));
    expect(found.map(({ text }) => text)).toEqual(['123456', '−123456']);
    expect(found[0]!.anchor).toBeUndefined();
    // At the right edge the label ends before the arrow.
    expect(found[1]!.anchor).toBe('end');
    expect(found[1]!.x).toBeLessThan(784);
  });

  it('leave out weights that would cover each other, and say how many', () => {
    const crowd = struck([1, 1], [5, 1000], [5.1, 2000], [5.2, 3000], [9, 4], [5.1, -7]);
    expect(withClass(crowd, 'impulse')).toHaveLength(6);
    const texts = labels(crowd).map(({ text }) => text);
    expect(texts).toEqual(expect.arrayContaining(['1', '4', '−7', '1000', '3000']));
    expect(texts).not.toContain('2000');
    expect(withClass(crowd, 'note').map(({ text }) => text)).toEqual([
      '1 impulse without room for the weight',
    ]);
  });
});

describe('values with names', () => {
  const gear = signal('gear', undefined, { type: 'Integer', literals: ['neutral', 'first', 'second'] });
  const on = signal('on', undefined, { type: 'Boolean' });
  const table = tableOfColumns(
    [gear, on, signal('x')],
    [0, 1, 1, 2],
    [
      [1, 1, 3, 3],
      [0, 0, 1, 1],
      [0, 1, 1, 2],
    ],
  );

  it('are lanes with the names as labels', () => {
    const plot = parseXml(plotSvg(table, byUnit(table, ['gear', 'on', 'x'])));
    const labels = withClass(plot, 'tick').filter(({ attributes }) => attributes['text-anchor'] === 'end');
    const place = Object.fromEntries(labels.map(({ text, attributes }) => [text, Number(attributes.y) - 4]));
    const line = runs(withClass(plot, 'curve')[0]!)[0]!;
    expect(line[0]![1]).toBeCloseTo(place.neutral!, 1);
    expect(line.at(-1)![1]).toBeCloseTo(place.second!, 1);
    expect(place.first).toBeCloseTo((place.neutral! + place.second!) / 2, 1);
    expect(place.true).toBeLessThan(place.false!);
    expect(place.false!).toBeGreaterThan(place.neutral!);
  });
});

describe('a logarithmic axis', () => {
  it('makes a line of an exponential, and tells what it cannot show', () => {
    const time = [0, 1, 2, 3];
    const table = tableOfColumns([signal('x'), signal('y')], time, [
      time.map((t) => 10 ** t),
      [1, 0, -1, 10],
    ]);
    const [line] = runs(withClass(parseXml(plotSvg(table, 'log(x)')), 'curve')[0]!);
    const steps = [1, 2, 3].map((i) => line![i]![1] - line![i - 1]![1]);
    expect(steps[1]).toBeCloseTo(steps[0]!, 1);
    expect(steps[2]).toBeCloseTo(steps[0]!, 1);
    expect(withClass(parseXml(plotSvg(table, 'log(x)')), 'note')).toEqual([]);
    const cut = parseXml(plotSvg(table, 'log(y)'));
    expect(runs(withClass(cut, 'curve')[0]!).map((run) => run.length)).toEqual([1, 1]);
    expect(withClass(cut, 'note').flatMap(texts)).toEqual([
      'values up to zero have no place on a logarithmic axis',
    ]);
    expect(plotSvg(table, 'log(y) over log(x); x over log(time)')).not.toMatch(/NaN|Infinity/);
  });
});

describe('the time axis', () => {
  const lasting = (length: number, timeUnit?: 's' | 'h') =>
    texts(
      parseXml(
        plotSvg(tableOfColumns([signal('x')], [0, length], [[0, 1]]), 'x', timeUnit ? { timeUnit } : {}),
      ),
    );

  it('has the unit that suits the run, or the one that was asked for', () => {
    expect(lasting(0.02)).toEqual(expect.arrayContaining(['time [ms]', '20']));
    expect(lasting(7200)).toEqual(expect.arrayContaining(['time [h]', '2.0']));
    expect(lasting(7200, 's')).toEqual(expect.arrayContaining(['time [s]', '7000']));
    expect(() => plotSvg(staircase(1), 'T', { timeUnit: 'week' as 'h' })).toThrow("must be one of 'ns'");
  });
});

describe('Booleans and enumerations', () => {
  const phase = { type: 'Integer', literals: ['solid', 'liquid', 'gas'] } as const;
  const table = tableOfColumns(
    [
      ...names('p', 3).map((name) => signal(name, undefined, phase)),
      ...names('b', 3).map((name) => signal(name, undefined, { type: 'Boolean' })),
      signal('x'),
    ],
    [0, 1],
    [
      [1, 2],
      [2, 3],
      [1, 1],
      [0, 1],
      [0, 0],
      [1, 1],
      [5, 6],
    ],
  );
  const figure = (layout: string) => layoutFigure(runsOf(table), layout).panels[0]!;

  it('name the ends of the scale of a map', () => {
    expect(figure('map(p)').legend[0]!.ramp).toMatchObject({ from: 'solid', to: 'gas' });
    expect(figure('map(b)').legend[0]!.ramp).toMatchObject({ from: 'false', to: 'true' });
  });

  it('name the axis of a profile, of a curve over another signal, and of what is drawn over them', () => {
    for (const layout of ['profile(p)', 'p[1] over x']) {
      const { ticks, frame } = figure(layout);
      expect(ticks).toMatchObject({ values: [1, 2, 3], labels: ['solid', 'liquid', 'gas'] });
      expect(frame.y).toEqual({ low: 0.5, high: 3.5 });
    }
    expect(figure('profile(b)').ticks.labels).toEqual(['false', 'true']);
    expect(figure('x over p[1]').acrossTicks.labels).toEqual(['solid', 'liquid', 'gas']);
    // Numbers and names together, or names of different kinds, are numbers.
    expect(figure('p[1], x over x').ticks.labels).not.toContain('solid');
    expect(figure('p[1], b[1] over x').ticks.labels).not.toContain('solid');
  });
});

describe('several arrays in one diagram', () => {
  const [size, time] = [12, [0, 1]];
  const table = tableOfColumns(
    [
      ...names('T', size).map((name) => signal(name, undefined, { unit: 'K', displayUnit: 'degC' })),
      ...names('q', size).map((name) => signal(name, undefined, { unit: 'W/m2' })),
    ],
    time,
    [...names('T', size), ...names('q', size)].map((_, i) => [300 + i, 300 + i]),
  );

  it('have colours and units of their own', () => {
    const { legend, members } = layoutFigure(runsOf(table), 'T, q', { width: 900 }).panels[0]!;
    expect(legend.map(({ detail }) => detail)).toEqual(['[°C]', '[W/m²]']);
    expect(new Set(members.map(({ color }) => color)).size).toBe(2 * size);
    const alone = layoutFigure(runsOf(table), 'T').panels[0]!;
    expect(alone.legend.map(({ detail }) => detail)).toEqual(['']);
  });
});

describe('axes', () => {
  const curve = (from: number, to: number) => tableOfColumns([signal('x')], [from, to], [[1, 2]]);

  it('have labels of a late time that neither touch nor leave the picture', () => {
    const { panels, width } = layoutFigure(runsOf(curve(1e6, 1e6 + 0.1)), 'x', { width: 500 });
    const { acrossTicks, frame } = panels[0]!;
    // Digits are 0.62 of the size wide, the point 0.38.
    const half = (label: string) => ((label.length - 1) * 0.62 + 0.38) * 5.5;
    const ends = acrossTicks.values.map((value, i) => {
      const place = placeX(frame, value);
      return [place - half(acrossTicks.labels[i]!), place + half(acrossTicks.labels[i]!)] as const;
    });
    expect(ends.length).toBeGreaterThanOrEqual(2);
    expect(ends.at(-1)![1]).toBeLessThanOrEqual(width);
    for (const [i, [left]] of ends.entries()) if (i > 0) expect(left).toBeGreaterThan(ends[i - 1]![1]);
  });

  it('say that times up to zero are left out', () => {
    const notes = (from: number) =>
      layoutFigure(runsOf(curve(from, 10)), 'x over log(time)').panels[0]!.notes.map(({ text }) => text);
    expect(notes(0)).toEqual(['times up to zero have no place on a logarithmic axis']);
    expect(notes(1)).toEqual([]);
  });

  it('have powers on all of a logarithmic axis, or on none', () => {
    const labels = (to: number) =>
      layoutFigure(runsOf(tableOfColumns([signal('x')], [0, 1], [[100, to]])), 'log(x)').panels[0]!.ticks
        .labels;
    expect(labels(1e4)).toEqual(['100', '200', '500', '1000', '2000', '5000', '10000']);
    expect(labels(1e6)).toEqual(['10²', '10³', '10⁴', '10⁵', '10⁶']);
  });
});

describe('a profile without times', () => {
  it('has round ones, in the unit of the axis, and both ends', () => {
    const table = tableOfColumns(
      names('T', 3).map((name) => signal(name)),
      [0, 20000],
      [
        [1, 2],
        [1, 2],
        [1, 2],
      ],
    );
    const { legend } = layoutFigure(runsOf(table), 'profile(T)').panels[0]!;
    // 20000 s are 5 5/9 h.
    expect(legend.map(({ name }) => name)).toEqual(['0 h', '1 h', '2 h', '3 h', '4 h', '5 h', '5.55556 h']);
  });
});

describe('a run that did not come to its end', () => {
  const ended = (status: string) =>
    tableOfColumns([signal('x')], [0, 4.0625], [[1, 2]]).with({ model: 'Ball', attributes: { status } });
  const title = (plotted: Parameters<typeof runsOf>[0], options = {}) =>
    layoutFigure(runsOf(plotted), 'x', options).title;

  it('says so in the title, whatever that is', () => {
    expect(title(ended('failed'))).toBe('Ball (failed at 4.0625 s)');
    expect(title(ended('stopped'), { title: 'Mine' })).toBe('Mine (stopped at 4.0625 s)');
    expect(title(ended('failed'), { title: '' })).toBe('failed at 4.0625 s');
    expect(title({ a: ended('failed'), b: ended('done') }, { title: 'Two' })).toBe(
      'Two (a failed at 4.0625 s)',
    );
    expect(title(ended('failed'), { title: 'long '.repeat(50) })).toMatch(/… \(failed at 4\.0625 s\)$/);
    for (const status of ['done', 'terminated', 'nonsense']) expect(title(ended(status))).toBe('Ball');
    expect(title(tableOfColumns([signal('x')], [0, 1], [[1, 2]]).with({ model: 'Ball' }))).toBe('Ball');
  });
});
