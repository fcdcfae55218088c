/** Laws of merging, on random changes of a model with components, inheritance and arrays; and ways out of a model and back. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { printFlat } from '../../src/flat/print/class.ts';
import {
  type AnyModel,
  array,
  Changes,
  Failure,
  type Items,
  loadModel,
  Model,
  merge,
  modelFromJson,
  modelica,
  modelToJson,
  redeclare,
  toModelica,
  Var,
} from '../../src/index.ts';

const Leaf = Model('Leaf', {
  a: 1,
  b: 2,
  spare: 3,
  x: Var({ init: 1 }),
  equations: modelica`der(x) = b - a*x`,
});
const Other = Model('Other', { extends: Leaf, extra: 7 });
const Middle = Model('Middle', {
  left: Leaf,
  right: Leaf.with({ a: 3, x: { start: 4 } }),
  row: array(Leaf.with({ b: 5 }), 2),
  c: 5,
});
const Top = Model('Top', {
  extends: Middle.with({ left: { a: 9 } }),
  k: 2,
  t: Leaf.with({ a: modelica`k` }),
  c: { min: 0 },
});

const number = fc.integer({ min: -9, max: 9 });
const attributes = fc.record(
  {
    init: fc.option(number),
    start: fc.option(number),
    nominal: fc.option(fc.integer({ min: 1, max: 9 })),
    fixed: fc.option(fc.boolean()),
    unit: fc.constant('m'),
  },
  { requiredKeys: [] },
);
const variable = fc.oneof(
  attributes,
  attributes.map((one) => Var(one)),
);
const value = fc.oneof(
  number,
  number.map((one) => modelica`2*${one}`),
  number.map((one) => Var({ value: one, min: -100 })),
);

/** Changes of a leaf; `lasting` ones can be made twice. */
const leaf = (lasting: boolean): fc.Arbitrary<Items> =>
  fc.record(
    {
      a: value,
      b: value,
      spare: lasting ? value : fc.option(value, { freq: 2 }),
      x: variable,
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<Items>;

const top = (lasting: boolean): fc.Arbitrary<Items> => {
  const part = fc.oneof(
    { arbitrary: leaf(lasting), weight: 4 },
    {
      arbitrary: leaf(lasting).map((one) => Changes(one)),
      weight: 1,
    },
  );
  const replaced = lasting
    ? part
    : fc.oneof({ arbitrary: part, weight: 4 }, { arbitrary: fc.constant(redeclare(Other)), weight: 1 });
  return fc.record(
    {
      left: replaced,
      right: part,
      row: part,
      t: part,
      k: value,
      c: lasting ? value : fc.option(value, { freq: 2 }),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<Items>;
};

/** What a model means: its flat model, whatever the classes are called. */
const meaning = (model: AnyModel): string => printFlat(loadModel(model, 'M'));

/** A result, or undefined where names are changed that were taken away before. */
function attempt<Result>(make: () => Result): Result | undefined {
  try {
    return make();
  } catch (problem) {
    if (problem instanceof Failure) return undefined;
    throw problem;
  }
}

const apply = (model: typeof Top, changes: Items | ReturnType<typeof Changes>): typeof Top =>
  model.with(changes as Items as never);

const runs = { numRuns: 25 };

describe('merging', () => {
  test('one change after the other is both at once', () => {
    fc.assert(
      fc.property(top(false), top(false), (first, second) => {
        const stepwise = attempt(() => apply(apply(Top, first), second));
        if (!stepwise) return;
        expect(meaning(apply(Top, merge(first, second)))).toBe(meaning(stepwise));
      }),
      runs,
    );
  });

  test('maps are merged in any grouping', () => {
    fc.assert(
      fc.property(top(true), top(true), top(true), (a, b, c) => {
        expect(meaning(apply(Top, merge(merge(a, b), c)))).toBe(meaning(apply(Top, merge(a, merge(b, c)))));
      }),
      runs,
    );
  });

  test('nothing changes nothing', () => {
    fc.assert(
      fc.property(top(true), (changes) => {
        const changed = apply(Top, changes);
        expect(changed.with({})).toBe(changed);
        expect(meaning(apply(Top, merge({}, changes)))).toBe(meaning(changed));
        expect(meaning(apply(Top, merge(changes, {})))).toBe(meaning(changed));
      }),
      runs,
    );
    expect(Top.with({ left: {}, row: {} })).toBe(Top);
  });

  test('the same change twice is one change', () => {
    fc.assert(
      fc.property(top(true), (changes) => {
        const once = apply(Top, changes);
        expect(meaning(apply(once, changes))).toBe(meaning(once));
      }),
      runs,
    );
    const more = modelica`spare2 = 2`;
    const Base = Model({ spare2: Var() });
    const once = Base.with({ equations: more });
    expect(once.with({ equations: more })).toBe(once);
    expect(meaning(merge(once, Model({ equations: more })))).toBe(meaning(once));
  });

  test('what is taken away is gone, and nothing else', () => {
    fc.assert(
      fc.property(top(true), (changes) => {
        const before = meaning(apply(Top, { ...changes, left: { spare: 3 } })).split('\n');
        const after = meaning(
          apply(apply(Top, { ...changes, left: { spare: 3 } }), { left: { spare: null } }),
        ).split('\n');
        expect(after).toEqual(before.filter((line) => !line.includes('left.spare')));
      }),
      runs,
    );
  });

  test('changes of different names can be made in any order', () => {
    fc.assert(
      fc.property(leaf(true), leaf(true), (a, b) => {
        const one = apply(apply(Top, { left: a }), { right: b });
        const other = apply(apply(Top, { right: b }), { left: a });
        expect(meaning(one)).toBe(meaning(other));
      }),
      runs,
    );
  });

  test('the model that was merged stays as it is', () => {
    const before = modelToJson(Top);
    fc.assert(
      fc.property(top(false), (changes) => void apply(Top, changes)),
      runs,
    );
    expect(modelToJson(Top)).toBe(before);
  });

  test('models with other values share their definition', () => {
    expect(Top.with({ left: { a: 5 }, k: 7 }).definition).toBe(Top.definition);
    expect(Top.with({ left: { spare: null } }).definition).not.toBe(Top.definition);
  });
});

describe('ways out and back', () => {
  test('Modelica text means the same', () => {
    fc.assert(
      fc.property(top(false), (changes) => {
        const model = apply(Top, changes);
        const text = toModelica({ M: model });
        expect(printFlat(loadModel(text, 'M'))).toBe(meaning(model));
      }),
      runs,
    );
    const text = toModelica({ Leaf, Other, Middle, Top });
    expect(printFlat(loadModel(text, 'Top')).replaceAll('Top', 'M')).toBe(meaning(Top));
    expect(text).toContain('extends Middle(left(a = 9), c(min = 0));');
    expect(text.match(/\bmodel \w+/g)).toEqual(['model Leaf', 'model Other', 'model Middle', 'model Top']);
  });

  test('JSON gives the same model, and the same JSON', () => {
    fc.assert(
      fc.property(top(false), (changes) => {
        const model = apply(Top, changes);
        const text = modelToJson(model);
        const read = modelFromJson(text);
        expect(modelToJson(read)).toBe(text);
        expect(meaning(read)).toBe(meaning(model));
      }),
      runs,
    );
  });

  test('JSON that is none is refused', () => {
    const refused = (text: string): string => {
      try {
        modelFromJson(text);
      } catch (problem) {
        if (problem instanceof Failure) return problem.message;
        throw problem;
      }
      return '';
    };
    expect(refused('{')).toMatch(/not JSON/);
    expect(refused('5')).toMatch(/not an object/);
    expect(refused('{}')).toMatch(/`format` is not/);
    const text = modelToJson(Top);
    expect(refused(text.replace('"version": 1', '"version": 7'))).toMatch(/Version 7/);
    expect(refused(text.replaceAll('"definition": 0', '"definition": 99'))).toMatch(/no definition 99/);
    expect(refused(text.replace('der(x) = b - a*x', 'der(x) == b'))).toMatch(/`==` compares/);
  });

  test('JSON of any kind never breaks the reader', () => {
    const valid = JSON.parse(modelToJson(Top)) as Record<string, unknown>;
    fc.assert(
      fc.property(fc.json(), fc.constantFrom('definitions', 'model'), (text, key) => {
        attempt(() => loadModel(modelFromJson(text)));
        attempt(() => loadModel(modelFromJson(JSON.stringify({ ...valid, [key]: JSON.parse(text) }))));
      }),
    );
  });
});
