/** Values as text and back. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromText, toText } from '../../src/collections/plain.ts';

test('all that a state is made of comes back', () => {
  const typed = fc.oneof(
    fc.array(fc.double()).map((list) => Float64Array.from(list)),
    fc.array(fc.integer()).map((list) => Int32Array.from(list)),
    fc.array(fc.integer()).map((list) => Uint8Array.from(list)),
    fc.array(fc.integer()).map((list) => Int8Array.from(list)),
  );
  const leaf = fc.oneof(
    fc.double(),
    fc.string(),
    fc.boolean(),
    fc.constant(null),
    fc.constant(undefined),
    fc.constant(-0),
    typed,
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      leaf,
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(
        fc.string().filter((key) => key !== '$' && key !== '__proto__'),
        tie('value'),
        { maxKeys: 3, noNullPrototype: true },
      ),
      fc.array(fc.tuple(fc.string(), tie('value')), { maxLength: 3 }).map((pairs) => new Map(pairs)),
      fc.array(fc.integer(), { maxLength: 3 }).map((list) => new Set(list)),
    ),
  }));
  fc.assert(
    fc.property(value, (one) => {
      expect(fromText(toText(one))).toStrictEqual(one);
    }),
  );
});

test('other texts are refused', () => {
  for (const text of ['', '{"$":"Map"}', '{"$":"Date","of":[1]}', '[1'])
    expect(() => fromText(text)).toThrow(SyntaxError);
});
