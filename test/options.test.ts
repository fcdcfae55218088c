/** What programs in plain JavaScript get wrong: each mistake is told with what to write instead; nothing is ignored. */
import { describe, expect, test } from 'vitest';
import * as api from '../src/index.ts';

const { Failure, Library, instantiate, loadModel, Model, modelica, Par, renderDiagnostic, simulate, Var } =
  api;

/** The functions as JavaScript sees them. */
// biome-ignore lint/suspicious/noExplicitAny: what is wrong by type is tested
const js = api as any;

const text = 'model D parameter Real k = 1; Real x(start = 1, fixed = true); equation der(x) = -k*x; end D;';
const flat = loadModel(text);
const simulation = instantiate(text);
const Decay = Model({ k: 1, x: Var({ init: 1 }), equations: modelica`der(x) = -k*x` });
const { table } = await simulation.simulate();

/** What a call has to say, as a user reads it, without the place in this file. */
async function said(call: () => unknown): Promise<string> {
  try {
    const { status, diagnostics } = (await call()) as api.SimulationResult;
    expect(status).toBe('failed');
    return diagnostics.map((problem) => renderDiagnostic(problem)).join('\n');
  } catch (problem) {
    if (problem instanceof RangeError) return problem.message;
    if (!(problem instanceof Failure)) throw problem;
    const rendered = problem.diagnostics.map((one) => renderDiagnostic(one)).join('\n');
    return rendered.replace(/^.*options\.test\.ts:\d+:\d+: /gm, '');
  }
}

const runOptions =
  'startTime, stopTime, tolerance, intervals, method, sliding, keptModes, singleMode, scalars, interpret, audit, inputs, hold, resumable, resume, from, fromTime, signal, shelf, onProgress, onEvent';

describe('runs', () => {
  test.each<[string, unknown, string]>([
    [
      'a name',
      { stoptime: 3 },
      'error: `simulate` has no option `stoptime`. [bad-option]\n  hint: Did you mean `stopTime`?',
    ],
    [
      'half a name',
      { stop: 3 },
      'error: `simulate` has no option `stop`. [bad-option]\n  hint: Did you mean `stopTime`?',
    ],
    [
      'another name',
      { foo: 1 },
      `error: \`simulate\` has no option \`foo\`. [bad-option]\n  hint: Options are ${runOptions}.`,
    ],
    [
      'a text',
      { stopTime: '3' },
      "error: The option `stopTime` of `simulate` must be a number, not the text '3'. [bad-option]",
    ],
    [
      'null',
      { tolerance: null },
      'error: The option `tolerance` of `simulate` must be a number, not null. [bad-option]',
    ],
    [
      'a method',
      { method: 'bfd' },
      "error: The option `method` of `simulate` must be one of 'auto', 'bdf', 'radau', 'rk', not the text 'bfd'. [bad-option]",
    ],
    [
      'a flag',
      { sliding: 'yes' },
      "error: The option `sliding` of `simulate` must be true or false, not the text 'yes'. [bad-option]",
    ],
    [
      'a signal',
      { signal: 3 },
      'error: The option `signal` of `simulate` must be an AbortSignal, not 3. [bad-option]',
    ],
    [
      'a function',
      { onProgress: [] },
      'error: The option `onProgress` of `simulate` must be a function, not a list. [bad-option]',
    ],
    [
      'several',
      { stoptime: 3, interpret: 1 },
      'error: `simulate` has no option `stoptime`. [bad-option]\n  hint: Did you mean `stopTime`?\n' +
        'error: The option `interpret` of `simulate` must be true or false, not 1. [bad-option]',
    ],
  ])('%s', async (_, options, expected) => {
    expect(await said(() => js.simulate(flat, options))).toBe(expected);
    const own = expected.replace('onEvent.', 'onEvent, merge.');
    expect(await said(() => (simulation as typeof js).simulate(options))).toBe(own);
    // What is undefined counts as left out, and nothing of a failed run stays.
    expect((await simulation.simulate({ stopTime: undefined } as never)).status).toBe('done');
  });

  test.each([null, 3, 'x', []])('%j is no object', async (options) => {
    const expected = `error: The options of \`simulate\` must be an object. [bad-option]\n  hint: Options are ${runOptions}`;
    expect(await said(() => js.simulate(flat, options))).toBe(`${expected}.`);
    expect(await said(() => (simulation as typeof js).simulate(options))).toBe(`${expected}, merge.`);
  });

  test('what is merged', async () => {
    expect(await said(() => (simulation as typeof js).simulate({ merge: 3 }))).toBe(
      'error: What is merged must be an object. [bad-binding]\n  hint: Write `merge: { name: value, … }`.',
    );
  });
});

const noFlat = (name: string, found: string): string =>
  `error: \`${name}\` needs a flat model, not ${found}. [no-model]\n  hint: ${
    found === 'a text'
      ? `Make one of the text: \`${name}(loadModel(text))\`.`
      : 'Make one of Modelica text, a `Library` or a model in TypeScript: `loadModel(model)`.'
  }`;

describe('models', () => {
  test.each<[string, () => unknown, string]>([
    ['simulate(text)', () => js.simulate(text), noFlat('simulate', 'a text')],
    ['simulate(model)', () => js.simulate(Decay), noFlat('simulate', 'an object')],
    ['simulate()', () => js.simulate(), noFlat('simulate', 'undefined')],
    ['check(text)', () => js.check(text), noFlat('check', 'a text')],
    ['surveyModes(null)', () => js.surveyModes(null), noFlat('surveyModes', 'null')],
    ['surveyArrays(3)', () => js.surveyArrays(3), noFlat('surveyArrays', '3')],
    ['exportModelica(text)', () => js.exportModelica(text), noFlat('exportModelica', 'a text')],
    [
      'surveyModes(flat, { limt })',
      () => js.surveyModes(flat, { limt: 3 }),
      'error: `surveyModes` has no option `limt`. [bad-option]\n  hint: Did you mean `limit`?',
    ],
    [
      'exportModelica(flat, { limit })',
      () => js.exportModelica(flat, { limit: '3' }),
      "error: The option `limit` of `exportModelica` must be a number, not the text '3'. [bad-option]",
    ],
    [
      'instantiate(text, { merg })',
      () => js.instantiate(text, { merg: { k: 3 } }),
      'error: `instantiate` has no option `merg`. [bad-option]\n  hint: Did you mean `merge`?',
    ],
    [
      'instantiate(text, name)',
      () => js.instantiate(text, 'D'),
      'error: The options of `instantiate` must be an object. [bad-option]\n  hint: Options are name, library, merge, overrides, builtIns, externals, files, print.',
    ],
    [
      'instantiate(text, { name: 3 })',
      () => js.instantiate(text, { name: 3 }),
      'error: The option `name` of `instantiate` must be a text, not 3. [bad-option]',
    ],
    [
      'instantiate(model, { library: text })',
      () => js.instantiate(Decay, { library: 'x' }),
      "error: The option `library` of `instantiate` must be a `Library`, not the text 'x'. [bad-option]",
    ],
    [
      'instantiate(text, { overrides: {} })',
      () => js.instantiate(text, { overrides: { k: 3 } }),
      'error: The option `overrides` of `instantiate` must be a list of `Override`s (plain values are given by `merge`), not an object. [bad-option]',
    ],
    [
      'instantiate(text, { builtIns: {} })',
      () => js.instantiate(text, { builtIns: [{ name: 'a' }] }),
      'error: The option `builtIns` of `instantiate` must be a list of built-in components, not a list. [bad-option]',
    ],
    [
      'loadModel(flat)',
      () => js.loadModel(flat),
      'error: The model of `loadModel` must be Modelica text, a `Library`, or a model made by `Model`, not an object. [bad-option]',
    ],
    [
      'loadModel(text, values)',
      () => js.loadModel(text, { k: 3 }),
      'error: The name of `loadModel` must be a text, not an object. [bad-option]\n  hint: Values are the third argument: `loadModel(model, name, { k: 2 })`.',
    ],
    [
      'loadModel(text, name, { k: null })',
      () => js.loadModel(text, 'D', { k: null }),
      'error: The value of `k` is null. [bad-binding]\n  hint: Values are finite numbers, Booleans, lists of them, and texts with Modelica expressions.',
    ],
    [
      'loadModel(text, name, { x: {} })',
      () => js.loadModel(text, 'D', { x: { start: 3 } }),
      "error: The value of `x` is an object. [bad-binding]\n  hint: Write dotted names: `'x.start': 1`.",
    ],
    [
      'loadModel(text, name, 3)',
      () => js.loadModel(text, 'D', 3),
      'error: The overrides of `loadModel` must be an object, not 3. [bad-option]\n  hint: Write `{ name: value, … }`.',
    ],
    [
      'loadModel(…, { builtins })',
      () => js.loadModel(text, 'D', {}, { builtins: [] }),
      'error: `loadModel` has no option `builtins`. [bad-option]\n  hint: Did you mean `builtIns`?',
    ],
    [
      'loadText(3)',
      () => js.loadText(3),
      'error: The text of `loadText` must be a text, not 3. [bad-option]',
    ],
    [
      'flatModelOf(text)',
      () => js.flatModelOf('model D end D;'),
      "error: The model of `flatModelOf` must be a model made by `Model`, not the text 'model D end D;'. [bad-option]",
    ],
    [
      'libraryOf(model, { nam })',
      () => js.libraryOf(Decay, { nam: 'A' }),
      'error: `libraryOf` has no option `nam`. [bad-option]\n  hint: Did you mean `name`?',
    ],
    [
      'translate(text, name)',
      () => js.translate('model D end D;', 'D'),
      "error: The library of `translate` must be a `Library`, not the text 'model D end D;'. [bad-option]\n  hint: Make one of text: `loadText(text)`.",
    ],
    [
      'new Library({ root })',
      () => new (Library as typeof js)({ root: ['x'] }),
      'error: `Library` has no option `root`. [bad-option]\n  hint: Did you mean `roots`?',
    ],
    [
      'addModels(library, model)',
      () => js.addModels(new Library(), Decay),
      'error: The models of `addModels` must be an object with models by name, `{ Name: model }`, not an object. [bad-option]',
    ],
    [
      'modelToJson(3)',
      () => js.modelToJson(3),
      'error: The model of `modelToJson` must be a model made by `Model`, not 3. [bad-option]',
    ],
  ])('%s', async (_, call, expected) => {
    expect(await said(call)).toBe(expected);
  });

  test('lists are values of overrides', async () => {
    const list = 'model L parameter Real v[3] = {1, 2, 3}, m[:, :] = {{1}}; end L;';
    const { table } = await simulate(loadModel(list, 'L', { v: [4, 5, 6], m: [[1, 2]] }));
    expect([table.value('v[2]', 0), table.value('m[1,2]', 0)]).toEqual([5, 2]);
  });
});

describe('results', () => {
  test.each<[string, () => unknown, string]>([
    [
      'plotSvg',
      () => js.plotSvg(table, 'x', { widht: 3 }),
      '`plotSvg` has no option `widht`. Did you mean `width`?',
    ],
    [
      'plotHtml',
      () => js.plotHtml(table, 'x', { theme: 'drak' }),
      "The option `theme` of `plotHtml` must be one of 'auto', 'light', 'dark', not the text 'drak'.",
    ],
    [
      'a diagram',
      () => js.plotSvg(table, [{ curve: ['x'] }]),
      '`Diagram` has no option `curve`. Did you mean `curves`?',
    ],
    ['a diagram of nothing', () => js.plotSvg(table, [{ heading: 'x' }]), 'A diagram has no curves.'],
    ['a layout', () => js.plotSvg(table, { row: [] }), '`Layout` has no option `row`. Did you mean `rows`?'],
    [
      'compareResults',
      () => js.compareResults(table, table, { tolerence: 3 }),
      '`compareResults` has no option `tolerence`. Did you mean `tolerance`?',
    ],
    [
      'toArrays',
      () => js.toArrays(table, ['x'], { mising: 0 }),
      '`toArrays` has no option `mising`. Did you mean `missing`?',
    ],
    [
      'fromArrays',
      () => js.fromArrays({ time: [0, 1] }, { unit: {} }),
      '`fromArrays` has no option `unit`. Did you mean `units`?',
    ],
    [
      'a result for a table',
      () => js.plotSvg(simulation.lastResult),
      '`plotSvg` needs a `SignalTable`, not an object. Write `result.table`.',
    ],
  ])('%s', async (_, call, expected) => {
    expect(await said(call)).toBe(expected);
  });
});

const needed =
  'error: An object with names and values is needed here. [bad-binding]\n  hint: Write `{ name: value, … }`.';

describe('models in TypeScript', () => {
  test.each<[string, () => unknown, string]>([
    [
      'equation',
      () => js.Model({ x: Var(), equation: modelica`x` }),
      'error: `equation` cannot be the name of a member: it is a reserved word of Modelica. [bad-binding]\n  hint: Did you mean `equations`?',
    ],
    [
      'experiments',
      () => js.Model({ experiments: { stopTime: 3 } }),
      'error: `experiments` is an object, but there is nothing that it could change. [bad-binding]\n  hint: Did you mean `experiment`?',
    ],
    [
      'two objects',
      () => js.Model({ a: 1 }, { b: 2 }),
      'error: A model is made of one object. [bad-binding]\n  hint: Write `Model({ … })`, or `Model(name, { … })`; `merge` puts models together.',
    ],
    ['Model(3)', () => js.Model(3), needed],
    ['Component(model, 3)', () => js.Component(Decay, 3), needed],
    [
      'Par(undefined)',
      () => js.Par(undefined),
      'error: The variable is given undefined. [bad-binding]\n  hint: Give it a value or attributes, or nothing.',
    ],
    [
      'Par({ unt })',
      () => js.Par({ unt: 'V' }),
      'error: The variable has no attribute `unt`. [unknown-modifier]\n  hint: Did you mean `unit`?',
    ],
    [
      'elements of different types',
      () => js.Model({ A: [1, 'a'] }),
      'error: The elements in the value of `A` are of different types: numbers and texts. [type-mismatch]',
    ],
    [
      'a text for a Real',
      () => Model({ x: Var({ type: 'Real', init: 'a' }) }),
      'error: `start` of `x` is Real but is given String. [type-mismatch]',
    ],
    [
      'a fraction for an Integer',
      () => Model({ n: api.Integer(2.5) }),
      'error: `n` is Integer but is given Real. [type-mismatch]',
    ],
    [
      'a text for a number, in a change',
      () => Model({ d: Decay }).with({ d: { k: 'a' } }),
      'error: `d.k` is Real but is given String. [type-mismatch]',
    ],
    [
      'a list for a number, in a change',
      () => Decay.with({ k: [1, 2] }),
      'error: `k` is a scalar but is given [2]. [dimension-mismatch]\n  hint: Write `redeclare(Par(…))` to make something else of it.',
    ],
    [
      'a number for a matrix, in a change',
      () => Model({ A: [[1]] }).with({ A: 5 }),
      'error: `A` has 2 dimensions but is given a scalar. [dimension-mismatch]\n  hint: Write `redeclare(Par(…))` to make something else of it.',
    ],
    [
      'a Boolean for a bound',
      () => Model({ k: Par({ value: 1, min: false }) }),
      'error: `min` of `k` is Real but is given Boolean. [type-mismatch]',
    ],
    [
      'quantity(text)',
      () => js.quantity('5', 'V'),
      "error: The value of a quantity must be numbers, not the text '5'. [bad-binding]",
    ],
    [
      'quantity(5)',
      () => js.quantity(5),
      "error: The unit of a quantity must be a text, not undefined. [bad-binding]\n  hint: Write `quantity(5, 'm/s')`.",
    ],
    [
      'array(model)',
      () => js.array(Decay),
      'error: An array of components needs a size. [bad-binding]\n  hint: Write `array(model, 5)`.',
    ],
    ['connect(name, 3)', () => js.connect('a', 3), 'error: The names of connectors are texts. [bad-binding]'],
  ])('%s', async (_, call, expected) => {
    expect(await said(call)).toBe(expected);
  });

  test('a template under a misspelt name', async () => {
    for (const [name, template, meant] of [
      ['equatoins', modelica`x = 1`, 'equations'],
      ['connection', api.connect('a', 'b'), 'connections'],
      ['declaration', modelica`parameter Real y = 1;`, 'declarations'],
      ['initialEquation', modelica`x = 1`, 'initialEquations'],
    ] as const)
      expect(await said(() => js.Model({ [name]: template }))).toMatch(
        new RegExp(`\\[syntax-error\\][^]*\\n  hint: Did you mean \`${meant}\`\\?$`),
      );
  });

  test('chains of models that extend each other are bounded', async () => {
    const long = (extend: (base: typeof Decay, k: number) => typeof Decay) => () => {
      let model = Decay;
      for (let k = 0; k < 3000; k++) model = extend(model, k);
    };
    const expected = 'error: More than 100 models extend each other in a chain. [limit-exceeded]';
    expect(await said(long((base, k) => Model({ extends: base, [`k${k}`]: k }) as never))).toBe(expected);
    expect(await said(long((base, k) => api.merge(base, Model({ [`k${k}`]: k })) as never))).toBe(expected);
  });
});
