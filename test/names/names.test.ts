/** Names with dots, subscripts and quotes are taken apart and put together; values are written as Modelica. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Failure, instantiate, loadModel } from '../../src/index.ts';
import { type Literal, literalText, numberLiteral, shapeOf } from '../../src/names/literals.ts';
import {
  elementName,
  elementOf,
  partsOf,
  prefixesOf,
  subscriptsOf,
  withoutSubscripts,
} from '../../src/names/names.ts';

const identifier = fc.oneof(
  fc.constantFrom('a', 'b2', 'T_out'),
  fc
    .array(fc.constantFrom('x', '.', '[', ']', '1', ',', ' ', "\\'", '\\\\', '(', ')'), { minLength: 1 })
    .map((letters) => `'${letters.join('')}'`),
);
const part = fc.record({
  name: identifier,
  indices: fc.array(fc.integer({ min: 1, max: 999 }), { maxLength: 2 }),
});
const written = ({ name, indices }: { name: string; indices: readonly number[] }): string =>
  indices.length > 0 ? `${name}[${indices.join(',')}]` : name;

describe('names', () => {
  test('are taken apart at dots and brackets outside of quotes', () => {
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), (parts) => {
        const texts = parts.map(written);
        const name = texts.join('.');
        const bare = parts.map((one) => one.name).join('.');
        const indices = parts.flatMap((one) => one.indices);
        expect(partsOf(name)).toEqual(texts);
        expect(prefixesOf(name)).toEqual(texts.slice(1).map((_, k) => texts.slice(0, k + 1).join('.')));
        expect(withoutSubscripts(name)).toBe(bare);
        expect(elementOf(name)).toEqual(indices.length > 0 ? { array: bare, indices } : undefined);
      }),
    );
  });

  test('of elements count row by row', () => {
    expect([0, 1, 2, 3, 4, 5].map((k) => elementName('T', subscriptsOf([2, 3], k)))).toEqual([
      'T[1,1]',
      'T[1,2]',
      'T[1,3]',
      'T[2,1]',
      'T[2,2]',
      'T[2,3]',
    ]);
    expect(elementName('der(T)', [2])).toBe('der(T[2])');
    expect(elementName("'T[1]'", [2])).toBe("'T[1]'[2]");
  });

  test('in quotes are no elements of what they look like', async () => {
    const model = loadModel(`model M
      model Part parameter Real 'k.l[1]' = 1; Real y = 'k.l[1]'*time; end Part;
      parameter Real 'p[1]' = 1; parameter Real 'p[2]'[2] = {2, 3};
      Part part[3];
      Real y = 'p[1]'*time, z = sum('p[2]')*time;
    end M;`);
    const shared = instantiate(model);
    for (const name of ["'p'", "'p'[1]", "part[1].'k.l'", "'p[2]'[3]"]) {
      const merge = { [name]: name === "'p'" ? [5] : 5 };
      const refused = await shared.simulate({ merge }).catch((problem: unknown) => problem as Failure);
      const { code } = refused.diagnostics.find(({ severity }) => severity === 'error')!;
      expect([name, code]).toEqual([name, 'unknown-modifier']);
    }
    const merge = { "'p[1]'": 5, "'p[2]'[2]": 7, "part[2].'k.l[1]'": 11 };
    const { table } = await shared.simulate({ merge, stopTime: 1, intervals: 1 });
    const last = ['y', 'z', 'part[1].y', 'part[2].y', 'part[3].y'].map((name) => table.value(name, 1));
    expect(last).toEqual([5, 9, 1, 11, 1]);
  });
});

const scalar = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.boolean(),
  fc.constantFrom('', 'a "b" \\ \n\t', 'ä'),
);

describe('values as text', () => {
  test('have the forms of Modelica', () => {
    const cases: [Literal, string][] = [
      [1.5, '1.5'],
      [-0, '-0'],
      [1e300, '1e+300'],
      [true, 'true'],
      ['a "b"\n', '"a \\"b\\"\\n"'],
      [[1, 2], '{1, 2}'],
      [[[1], [2]], '{{1}, {2}}'],
      [[], 'zeros(0)'],
      [[[], []], 'zeros(2, 0)'],
    ];
    for (const [value, text] of cases) expect(literalText(value)).toBe(text);
    expect(literalText(['2*x', 3], (text) => text)).toBe('{2*x, 3}');
  });

  test('scalars are read back as they were', () => {
    fc.assert(
      fc.property(scalar, (value) => {
        const text = literalText(value);
        if (typeof value === 'number') {
          expect(text).toBe(numberLiteral(value));
          expect(Number(text)).toBe(value);
        } else if (typeof value === 'string') {
          expect(JSON.parse(text)).toBe(value);
        } else expect(text).toBe(String(value));
      }),
    );
  });

  test('rows of different lengths have no sizes', () => {
    expect(shapeOf([[1, 2], [3]])).toBeUndefined();
    expect(
      shapeOf([
        [1, 2],
        [3, 4],
        [5, 6],
      ]),
    ).toEqual([3, 2]);
  });
});
