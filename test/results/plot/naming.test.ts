import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { briefNames, compact, shorterNames } from '../../../src/results/plot/naming.ts';

describe('conditions as one text', () => {
  it.each([
    [['a', 'not b'], 'a, not b'],
    [['d[1].off', 'd[2].off', 'd[3].off', 'd[7].off'], 'd[1:3,7].off'],
    [['not d[1].off', 'd[2].off', 'not d[3].off'], 'not d[1,3].off, d[2].off'],
    [['d[2].on', 'e[2].on', 'd[1].on'], 'd[1:2].on, e[2].on'],
    [['not (p[1] == Phase.solid)', 'not (p[2] == Phase.solid)'], 'not (p[1:2] == Phase.solid)'],
    // Two subscripts, and elements of elements: what differs is not the first one alone.
    [['m[1,2].on', 'm[1,3].on'], 'm[1,2].on, m[1,3].on'],
    [['c[1].d[1].on', 'c[1].d[2].on', 'c[2].d[2].on'], 'c[1].d[1].on, c[1:2].d[2].on'],
    [[], ''],
  ] as const)('%j', (conditions, text) => {
    expect(compact(conditions)).toBe(text);
  });
});

describe('shorter names', () => {
  /** All kinds that there are, as lists. */
  const kinds = (...signatures: readonly string[]) =>
    shorterNames(signatures).map(({ names }) => signatures.map((signature) => names.get(signature)));

  it('are of one kind for all modes', () => {
    const [changing, holding] = kinds(
      'sw.closed, d.off, x',
      'not sw.closed, not d.off, x',
      'not sw.closed, d.off, x',
    );
    expect(changing).toEqual(['sw.closed, d.off', 'not sw.closed, not d.off', 'not sw.closed, d.off']);
    expect(holding).toEqual(['sw.closed, d.off', 'none of these', 'd.off']);
  });

  it('leave out what tells nothing apart, and say so, where all of it is too long', () => {
    // Four modes of 40 switches with names of their own: two of the switches tell them apart.
    const switches = Array.from(
      { length: 40 },
      (_, i) => `switch${String.fromCharCode(97 + (i % 26))}${i}.closed`,
    );
    const signatures = [0, 1, 2, 3].map((mode) =>
      switches.map((name, i) => ((mode >> (i % 2)) & 1 ? name : `not ${name}`)).join(', '),
    );
    const told = kinds(...signatures).at(-1)!;
    const [a, b] = switches;
    expect(told).toEqual([
      `not ${a}, not ${b}, …`,
      `${a}, not ${b}, …`,
      `not ${a}, ${b}, …`,
      `${a}, ${b}, …`,
    ]);
  });

  it('are different for different modes, whatever these are', () => {
    const conditions = fc.subarray(['a', 'b', 'c[1]', 'c[2]', 'c[3]', 'x > 1'], { minLength: 1 });
    const mode = conditions.chain((list) =>
      fc.tuple(...list.map((one) => fc.boolean().map((holds) => (holds ? one : `not (${one})`)))),
    );
    fc.assert(
      fc.property(
        fc.uniqueArray(
          mode.map((list) => list.join(', ')),
          { minLength: 2 },
        ),
        (signatures) => {
          for (const list of kinds(...signatures)) expect(new Set(list).size).toBe(signatures.length);
        },
      ),
    );
  });
});

describe('names in lines of text', () => {
  it('are whole where all of them are short', () => {
    expect([...briefNames(['a, b', '', 'a, b'], 20)]).toEqual([
      ['a, b', 'a, b'],
      ['', '(no choices)'],
    ]);
  });

  it('have ranges of elements where some are long', () => {
    const signature = (off: number) =>
      Array.from({ length: 24 }, (_, i) => `${i < off ? '' : 'not '}d[${i + 1}].off`).join(', ');
    const [one, other] = [signature(3), signature(4)];
    expect([...briefNames([one, other], 80).values()]).toEqual(['not d[4].off', 'd[4].off']);
    // Nothing tells one mode alone from others: all of it is said, in short.
    expect([...briefNames([one], 80).values()]).toEqual(['d[1:3].off, not d[4:24].off']);
  });
});
