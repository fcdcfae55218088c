/**
 * The law of printing on random models: expressions of all types, shapes and operators, under names of all kinds, in equations,
 * algorithms, functions and for-equations. The flat text, the exported text and the text in Base Modelica load again, and their results are those of the model.
 */
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { printBase } from '../../src/flat/print/base.ts';
import { printFlat } from '../../src/flat/print/class.ts';
import { loadModel } from '../../src/index.ts';
import { exportText, runOf, sameResults } from './printed.ts';
import { cases, law, patience } from './random.ts';

/** Variables that expressions are made of, by type and shape; their names are filled in. */
const leavesOf = {
  real: [
    'time',
    'R0',
    'R1',
    'part.x',
    'c[2].x',
    'v[2]',
    'A[2, 1]',
    'v[1 + mod(I0, 2)]',
    'chosen[B0]',
    'table[I0]',
    'p',
  ],
  integer: ['I0', '1', '2', 'n[1]', 'size(A, 1)', 'k', 'Integer(E.b)'],
  boolean: ['B0', 'true', 'false', '(time > 0.45)', 'b[2]', 'q'],
  vector: [
    'v',
    'A[:, 2]',
    'A[1, :]',
    '{time, 2}',
    'c.x',
    'w',
    'fill(time, 2)',
    'linspace(0, time, 2)',
    'v[{2, 1}]',
  ],
  matrix: ['A', '[v, w]', '[time, 1; 2, 3]', 'identity(2)', 'diagonal(v)', 'M', '{v, w}', 'cat(1, {v}, {w})'],
  string: [
    '"plain"',
    '"with \\"quotes\\" and \\\\ and \\n\\t\\r\\a\\b\\f\\v"',
    's',
    'String(I0)',
    'String(1.23456, significantDigits = 3)',
    'String(true)',
  ],
} as const;

type Kind = keyof typeof leavesOf;

const text = (...parts: readonly (string | fc.Arbitrary<string>)[]): fc.Arbitrary<string> =>
  fc
    .tuple(...parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part)))
    .map((all) => all.join(''));

const expressions = fc.letrec<Record<Kind, string>>((tie) => {
  const leaf = (kind: Kind) => fc.constantFrom(...leavesOf[kind]);
  const [r, i, b, v, m] = (['real', 'integer', 'boolean', 'vector', 'matrix'] as const).map((kind) =>
    tie(kind),
  ) as [
    fc.Arbitrary<string>,
    fc.Arbitrary<string>,
    fc.Arbitrary<string>,
    fc.Arbitrary<string>,
    fc.Arbitrary<string>,
  ];
  const of = (kind: Kind, ...forms: fc.Arbitrary<string>[]) =>
    fc.oneof({ depthSize: 'small', withCrossShrink: true }, leaf(kind), ...forms);
  return {
    real: of(
      'real',
      text('(', r, fc.constantFrom(' + ', ' - ', '*', ' .+ ', ' .* '), r, ')'),
      text('(', r, '/(1 + (', r, ')^2))'),
      text('(-', r, ')'),
      text('(', r, fc.constantFrom('^2', '^3'), ')'),
      text(
        fc.constantFrom('sin', 'cos', 'atan', 'tanh', 'abs', 'floor', 'ceil', 'sign', 'noEvent'),
        '(',
        r,
        ')',
      ),
      text(fc.constantFrom('min', 'max', 'atan2', 'double'), '(', r, ', ', r, ')'),
      text('(if ', b, ' then ', r, ' else ', r, ')'),
      text(fc.constantFrom('sum', 'product', 'min', 'max', 'scaled'), '(', v, ')'),
      text('sum(', m, ')'),
      text('(', v, '*', v, ')'),
      text('sum(j*', r, ' for j in 1:3)'),
      text('smooth(0, ', r, ')'),
      text('(', v, ')[2]'),
      text('mod(', r, ', 3)'),
    ),
    integer: of(
      'integer',
      text('(', i, fc.constantFrom(' + ', ' - ', '*'), i, ')'),
      text('integer(', r, ')'),
      text(fc.constantFrom('div', 'mod', 'rem'), '(', i, ', 2)'),
      text('(if ', b, ' then ', i, ' else ', i, ')'),
      text('counted(', b, ', ', i, ')'),
      text('(-', i, ')'),
      text('sum({', i, ', ', i, '})'),
    ),
    boolean: of(
      'boolean',
      text('(', b, fc.constantFrom(' and ', ' or '), b, ')'),
      text('(not ', b, ')'),
      text('(', r, fc.constantFrom(' < ', ' >= '), r, ')'),
      text('(', i, fc.constantFrom(' == ', ' <> ', ' <= '), i, ')'),
      text('(', b, fc.constantFrom(' == ', ' <> '), b, ')'),
      text('(if ', b, ' then ', b, ' else ', b, ')'),
    ),
    vector: of(
      'vector',
      text('(', v, fc.constantFrom(' + ', ' - ', ' .* ', ' .+ '), v, ')'),
      text('(', v, ' ./ (1 .+ ', v, ' .^ 2))'),
      text('(', r, fc.constantFrom('*', ' .+ ', ' .* ', ' .- '), v, ')'),
      text('(', v, '/2)'),
      text('(', m, '*', v, ')'),
      text('(', v, '*', m, ')'),
      text('{', r, ', ', r, '}'),
      text('{j + ', r, ' for j in 1:2}'),
      text('(if ', b, ' then ', v, ' else ', v, ')'),
      text('(', m, ')[:, 1]'),
      text(fc.constantFrom('sin', 'abs'), '(', v, ')'),
      text('(-', v, ')'),
      text('cat(1, {', r, '}, {', r, '})'),
      text('vector([', r, ', ', r, '])'),
    ),
    matrix: of(
      'matrix',
      text('(', m, fc.constantFrom(' + ', ' - ', ' .* ', '*'), m, ')'),
      text('(', m, '^2)'),
      text('(', r, '*', m, ')'),
      text('(2 ./ (1 .+ ', m, ' .^ 2))'),
      text('transpose(', m, ')'),
      text('[', v, ', ', v, ']'),
      text('{', v, ', ', v, '}'),
      text('outerProduct(', v, ', ', v, ')'),
      text('{{', r, '*j + k for j in 1:2} for k in 1:2}'),
      text('symmetric(', m, ')'),
      text('cat(1, {', v, '}, {', v, '})'),
    ),
    string: of(
      'string',
      text('(', tie('string'), ' + ', tie('string'), ')'),
      text('String(I0, minimumLength = 5, leftJustified = ', fc.constantFrom('true', 'false'), ')'),
    ),
  };
});

/** Names of variables: plain ones, quoted ones, and words that mean something else. */
const names = [
  'x',
  'i1',
  'j',
  'mode',
  'next',
  "'end'",
  "'a.b'",
  "'x\\\\y'",
  "'it\\'s'",
  "'time'",
  "'der'",
  'Real_',
  "'1'",
  "'algorithm'",
];

interface Random {
  readonly names: readonly string[];
  readonly values: { readonly [kind in Kind]: string };
  readonly inFunction: string;
  readonly inLoop: string;
  readonly inAlgorithm: string;
  readonly changes: boolean;
}

const random: fc.Arbitrary<Random> = fc.record({
  names: fc.shuffledSubarray(names, { minLength: 8, maxLength: 8 }),
  values: fc.record({
    real: expressions.real,
    integer: expressions.integer,
    boolean: expressions.boolean,
    vector: expressions.vector,
    matrix: expressions.matrix,
    string: expressions.string,
  }),
  inFunction: fc.constantFrom(
    '2*u',
    'u^2',
    'if u > 0.5 then u else -u',
    'sum(j*u for j in 1:2)',
    '({u, 2} .* {1, u})[2]',
  ),
  inLoop: expressions.real,
  inAlgorithm: expressions.real,
  changes: fc.boolean(),
});

const values = ['real', 'integer', 'boolean', 'vector', 'matrix', 'string'] as const;

function write({ names: own, values: given, inFunction, inLoop, inAlgorithm, changes }: Random): string {
  const of = (kind: Kind): string => own[values.indexOf(kind)]!;
  const mode = changes
    ? 'Real u1, u2; equation u1 + u2 = time; if time < 0.35 then u1 = 1; else u2 = time; end if;'
    : '';
  return `package P
  type E = enumeration(a, b);
  constant Real table[5] = {1, 4, 9, 16, 25};
  function double input Real u; input Real k; output Real y; protected Real j = ${inFunction}; algorithm y := 0.1*j + k; end double;
  function scaled input Real u[:]; output Real y; algorithm y := 0; for i in 1:size(u, 1) loop y := y + i*u[i]; end for; end scaled;
  function counted input Boolean b; input Integer n; output Integer y; algorithm y := if b then n + 1 else n; end counted;
  function both input Real u[:]; output Real first; output Real second; algorithm first := u[1]; second := sum(u); end both;
  model Part Real x; parameter Real k = 2; equation x = k*time; end Part;
  model M
    Part part; Part c[2](k = {1, 3});
    parameter Real p = 0.75; parameter Integer k = 2; parameter Boolean q = true; parameter String s = "said";
    Real R0 = 1 + time; Real R1 = time^2 - 0.5; Integer I0 = 1 + integer(3*time); Boolean B0 = time > 0.25;
    Integer n[2] = {I0, 2}; Boolean b[2] = {B0, not B0};
    Real v[2] = {time, 1}; Real w[2] = {R1, -time}; Real A[2, 2] = {{1, time}, {2, R0}}; Real M[2, 2] = {{0, 1}, {time, 0}};
    Real chosen[Boolean] = {1, 2};
    Real f1, f2, g1, g2; Real each_[2]; Real done;
    Real ${of('real')}; Integer ${of('integer')}; Boolean ${of('boolean')}; Real ${of('vector')}[2]; Real ${of('matrix')}[2, 2];
    parameter String ${of('string')} = ${given.string.replace(/I0/g, 'k')};
    ${changes ? mode : ''}
  equation
    ${of('real')} = ${given.real}; ${of('integer')} = ${given.integer}; ${of('boolean')} = ${given.boolean};
    ${of('vector')} = ${given.vector}; ${of('matrix')} = ${given.matrix};
    (f1, f2) = both({time, 2}); (g1, g2) = both({time, 2, 3});
    for i in 1:2 loop each_[i] = i*${inLoop}; end for;
    assert(time < 2, ${of('string')});
  algorithm
    done := ${inAlgorithm};
    if done > 1 then done := 1; end if;
    annotation(experiment(StopTime = 1));
  end M;
end P;`;
}

describe('a random model', () => {
  test(
    'is printed as texts that have its results',
    () =>
      law(cases(random, write), 12, async ({ text: source }) => {
        const model = loadModel(source, 'P.M');
        const result = await runOf(model);
        if (result.status !== 'done') throw new Error(result.diagnostics.map((d) => d.message).join('; '));
        await sameResults(model, result, printFlat(loadModel(source, 'P.M')));
        const exported = exportText(loadModel(source, 'P.M'));
        if (exported !== undefined) await sameResults(model, result, exported);
        await sameResults(model, result, printBase(loadModel(source, 'P.M')));
      }),
    patience,
  );
});
