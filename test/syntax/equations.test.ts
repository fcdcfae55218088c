import { describe, expect, test } from 'vitest';
import { readEquation, readSections, readStatement, tree } from './notation.ts';

const described = { comment: { description: { value: 'd' } } };

describe('equations', () => {
  test('equality', () => {
    const equation = readEquation('der(x) = if a then 1 else 2 "d";');
    expect(equation).toMatchObject({ kind: 'equal', ...described });
    if (equation.kind === 'equal') {
      expect(tree(equation.left)).toBe('(der! x)');
      expect(tree(equation.right)).toBe('(if a 1 2)');
    }
  });
  test('outputs of a function', () => {
    const equation = readEquation('(a, , b) = f(x);');
    expect(equation.kind === 'equal' && tree(equation.left)).toBe('<a _ b>');
  });
  test('connect with an annotation', () => {
    const equation = readEquation('connect(a.p[1], b) annotation(Line(points = {{0, 0}}));');
    expect(equation).toMatchObject({ kind: 'connect', comment: { annotation: {} } });
    expect(equation.kind === 'connect' && [tree(equation.left), tree(equation.right)]).toEqual([
      'a.p[1]',
      'b',
    ]);
  });
  test.each([
    ['assert(x > 0, "m") "d";', '(assert! (> x 0) "m")'],
    ['Connections.root(a.R) "d";', '(Connections.root! a.R)'],
    ['initialState(s) "d";', '(initialState! s)'],
    [
      'transition(s, t, x > 1, immediate = false, priority = 2) "d";',
      '(transition! s t (> x 1) immediate=false priority=2)',
    ],
  ])('%s', (text, expected) => {
    const equation = readEquation(text);
    expect(equation).toMatchObject({ kind: 'call', ...described });
    expect(equation.kind === 'call' && tree(equation.call)).toBe(expected);
  });
  test('initial() begins an equation, initial equation a section', () => {
    expect(readSections('equation initial() = b; initial equation x = 1;')).toMatchObject([
      { initial: false, equations: [{ kind: 'equal', left: { kind: 'call' } }] },
      { initial: true, equations: [{ kind: 'equal' }] },
    ]);
  });
  test('if', () => {
    expect(readEquation('if a then x = 1; elseif b then x = 2; y = 3; else end if "d";')).toMatchObject({
      kind: 'if',
      branches: [
        { condition: { kind: 'ref' }, body: [{}] },
        { condition: { kind: 'ref' }, body: [{}, {}] },
      ],
      otherwise: [],
      ...described,
    });
    expect(readEquation('if a then end if;')).toMatchObject({ otherwise: undefined });
  });
  test('for', () => {
    expect(readEquation('for i in 1:n, j loop x[i, j] = 1; end for;')).toMatchObject({
      kind: 'for',
      iterators: [
        { name: { text: 'i' }, range: { kind: 'range' } },
        { name: { text: 'j' }, range: undefined },
      ],
      body: [{ kind: 'equal' }],
    });
  });
  test('when', () => {
    expect(
      readEquation('when {a, initial()} then reinit(x, 1); elsewhen b then y = pre(y); end when "d";'),
    ).toMatchObject({
      kind: 'when',
      branches: [{ body: [{ kind: 'call' }] }, { body: [{ kind: 'equal' }] }],
      ...described,
    });
  });
});

describe('statements', () => {
  test('assignment', () => {
    const statement = readStatement('a.b[1] := x + 1 "d";');
    expect(statement).toMatchObject({ kind: 'assign', ...described });
    expect(statement.kind === 'assign' && [tree(statement.target), tree(statement.value)]).toEqual([
      'a.b[1]',
      '(+ x 1)',
    ]);
  });
  test('several results', () => {
    const statement = readStatement('(a, , b[2]) := f(x, y = 1);');
    expect(statement.kind === 'multiassign' && statement.targets.map(tree)).toEqual(['a', '_', 'b[2]']);
    expect(statement.kind === 'multiassign' && tree(statement.call)).toBe('(f! x y=1)');
  });
  test('call', () => {
    expect(readStatement('Streams.print("x") "d";')).toMatchObject({ kind: 'call', ...described });
  });
  test('break and return', () => {
    expect(readStatement('break "d";')).toMatchObject({ kind: 'break', ...described });
    expect(readStatement('return;')).toMatchObject({ kind: 'return' });
  });
  test('if', () => {
    expect(readStatement('if a then x := 1; elseif b then else y := 2; end if;')).toMatchObject({
      kind: 'if',
      branches: [{ body: [{}] }, { body: [] }],
      otherwise: [{ kind: 'assign' }],
    });
  });
  test('for', () => {
    expect(readStatement('for i loop x := i; end for;')).toMatchObject({
      kind: 'for',
      iterators: [{}],
      body: [{}],
    });
  });
  test('while', () => {
    expect(readStatement('while a loop break; end while;')).toMatchObject({
      kind: 'while',
      body: [{ kind: 'break' }],
    });
  });
  test('when', () => {
    expect(readStatement('when a then x := 1; elsewhen b then y := 1; end when;')).toMatchObject({
      kind: 'when',
      branches: [{}, {}],
    });
  });
});
