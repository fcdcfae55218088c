import { describe, expect, it } from 'vitest';
import { layoutFigure, runsOf } from '../../../src/results/plot/figure.ts';
import { modeCells, modesOf, restartPlaces } from '../../../src/results/plot/strip.ts';
import { plotSvg } from '../../../src/results/plot/svg.ts';
import { TableBuilder } from '../../../src/results/table/builder.ts';
import type { SignalTable } from '../../../src/results/table/table.ts';
import { signal } from '../signals.ts';
import { parseXml, texts, withClass } from './picture.ts';

/** A table whose modes have the given signatures, one second each. */
function visiting(...signatures: readonly string[]): SignalTable {
  const builder = new TableBuilder([signal('x')]);
  for (const [i, signature] of signatures.entries()) {
    builder.beginSegment(signature, [true]);
    builder.append(i, Float64Array.of(0));
    builder.append(i + 1, Float64Array.of(0));
  }
  return builder.finish({ model: 'M', impulses: [] });
}

const seconds = { unit: 's', scale: 1, offset: 0 };
const cells = (table: SignalTable, width: number) =>
  modeCells(table, modesOf([table])[0], seconds, { low: 0, high: table.time.at(-1)! }, [0, width]);
/** Labels in a strip of about this width, and in the key. */
const named = (width: number, ...signatures: readonly string[]) => {
  const { strips, key } = layoutFigure(runsOf(visiting(...signatures)), 'x', { width: width + 56 });
  return {
    strip: strips[0]!.cells.map(({ label }) => label),
    key: key?.entries.map(({ label }) => label),
  };
};
const labels = (width: number, ...signatures: readonly string[]) => named(width, ...signatures).strip;

describe('labels of modes', () => {
  const modes = ['not a.on, not b.on, max(c, d) > 1', 'a.on, not b.on, max(c, d) > 1'];

  it('are whole where there is room', () => {
    expect(labels(800, ...modes)).toEqual(modes);
  });

  it('are shortened to what changes, then to what holds of it', () => {
    expect(labels(200, ...modes)).toEqual(['not a.on', 'a.on']);
    const three = ['a.on, not b.on', 'b.on, not a.on', 'not a.on, not b.on'];
    expect(named(200, ...three)).toEqual({
      strip: ['a.on', 'b.on', ''],
      key: ['a.on', 'b.on', 'none of these'],
    });
  });

  it('are the names that the key has', () => {
    const common = 'not brake.backward';
    const three = [
      `not c.engaged, not brake.forward, ${common}`,
      `c.engaged, brake.forward, ${common}`,
      `c.engaged, not brake.forward, ${common}`,
    ];
    const shorter = three.map((name) => name.replace(`, ${common}`, ''));
    // The second mode lasts long, so that there would be room for its signature.
    const visits = [three[0]!, ...Array.from({ length: 30 }, () => three[1]!), three[2]!];
    const { strip, key } = named(800, ...visits);
    expect(strip).toEqual(['', shorter[1], '']);
    expect(key).toEqual(shorter);
    expect(named(1400, ...three)).toEqual({ strip: three, key: undefined });
  });

  it('tell modes apart where nothing of them holds, or all of it in both', () => {
    const common = 'pump.running';
    const pair = [`${common}, not valve.open, x`, `${common}, not flap.open, x`];
    expect(labels(230, ...pair)).toEqual(['not valve.open', 'not flap.open']);
    expect(labels(300, 'a, b', '')).toEqual(['a, b', '(no choices)']);
    expect(labels(200, `${common}, a`, `a, ${common}`).join()).toContain('…');
  });

  it('differ in the key where modes have many conditions', () => {
    // Of the first four modes only the last two conditions differ, in the fifth all others.
    const signature = (mode: number) =>
      Array.from({ length: 24 }, (_, i) => {
        const holds = i < 22 ? mode < 4 : (mode >> (i - 22)) & 1;
        return `${holds ? '' : 'not '}part${String.fromCharCode(97 + i)}.valve.open`;
      }).join(', ');
    const { key } = named(900, ...[0, 1, 2, 3, 4].map(signature));
    expect(key).toEqual([
      'parta.valve.open, not partw.valve.open, not partx.valve.open, …',
      'parta.valve.open, partw.valve.open, not partx.valve.open, …',
      'parta.valve.open, not partw.valve.open, partx.valve.open, …',
      'parta.valve.open, partw.valve.open, partx.valve.open, …',
      'not parta.valve.open, not partw.valve.open, not partx.valve.open, …',
    ]);
  });

  it('keep conditions with commas together', () => {
    expect(
      labels(250, 'p(1, 2), q[1, 2], long name of a state', 'p(1, 3), q[1, 2], long name of a state'),
    ).toEqual(['p(1, 2)', 'p(1, 3)']);
  });
});

describe('colours of modes', () => {
  it('are the same wherever a mode is visited, and different for others', () => {
    const [a, b, again] = cells(visiting('a', 'b', 'a'), 600).map(({ color }) => color);
    expect(again).toBe(a);
    expect(b).not.toBe(a);
  });

  it('are explained below the strip where a name has no room', () => {
    const keys = (table: SignalTable, width: number) =>
      withClass(parseXml(plotSvg(table, 'x', { width })), 'mode').map(({ children }) => children[0]!.text);
    const modes = ['alpha.closed', 'beta.closed', 'gamma.closed'];
    expect(keys(visiting(...modes), 600)).toEqual([]);
    expect(keys(visiting(...modes), 240)).toEqual(modes);
    // The beginning of a name is not enough.
    expect(keys(visiting('', 'a long name of a mode'), 240)).toEqual([
      '(no choices)',
      'a long name of a mode',
    ]);
  });

  it('have numbers where they are too few', () => {
    const many = Array.from({ length: 20 }, (_, i) => `mode${i}.active`);
    const plot = parseXml(plotSvg(visiting(...many), 'x', { width: 600 }));
    expect(withClass(plot, 'strip').flatMap(texts)).toEqual(many.map((_, i) => String(i + 1)));
    expect(withClass(plot, 'mode').flatMap(texts)[15]).toBe('16: mode15.active');
    expect(withClass(plot, 'note').flatMap(texts)).toEqual(['and 4 more modes']);
  });

  it('name every mode of a cell that stands for several', () => {
    const many = Array.from({ length: 400 }, (_, i) => (i % 2 ? 'a' : 'b'));
    const narrow = cells(visiting(...many), 200);
    expect(narrow.length).toBeLessThanOrEqual(201);
    // Two visits of a second each in a pixel.
    expect(narrow[0]!.tooltip).toBe('b; a from 0 s to 2 s');
  });
});

describe('marks of restarts', () => {
  const places = (width: number, ...signatures: readonly string[]) =>
    restartPlaces(visiting(...signatures), { low: 0, high: signatures.length }, [0, width]);

  it('stand where a segment begins in the same mode', () => {
    expect(places(400, 'a', 'a', 'b', 'b')).toEqual([100, 300]);
    expect(places(400, 'a', 'b')).toEqual([]);
    expect(places(400, ...Array.from({ length: 60 }, () => 'a'))).toEqual([]);
  });

  it('go through all diagrams over the time', () => {
    const picture = parseXml(plotSvg(visiting('a', 'a'), 'x; x'));
    const [line, ...others] = withClass(picture, 'change');
    expect(others).toEqual([]);
    expect(line!.attributes.d!.match(/M/g)).toHaveLength(2);
    expect(withClass(picture, 'strip')).toEqual([]);
  });
});

describe('marks of changes', () => {
  it('begin with the second mode', () => {
    expect(cells(visiting('a', 'b', 'a'), 600).map(({ marked }) => marked)).toEqual([false, true, true]);
  });

  it('are left out where they would hide the curves', () => {
    const many = Array.from({ length: 60 }, (_, i) => (i % 2 ? 'a' : 'b'));
    expect(cells(visiting(...many), 600).some(({ marked }) => marked)).toBe(false);
    expect(cells(visiting(...many), 6000).some(({ marked }) => marked)).toBe(true);
  });

  it('are not drawn for a run with one mode', () => {
    expect(cells(visiting('a'), 600)).toEqual([]);
    expect(cells(visiting('a', 'a'), 600)).toEqual([]);
  });
});
