import { describe, expect, test } from 'vitest';
import { renderDiagnostic } from '../../src/diagnostic/render.ts';
import { parse } from '../../src/syntax/parser.ts';
import { messages, source } from './notation.ts';

const errors = (text: string): string[] => messages(parse(source(text)).diagnostics);

/** The mistakes in the lines of a class `M`, which begin in line 2. */
const inModel = (...lines: string[]): string[] => errors(['model M', ...lines, 'end M;'].join('\n'));

describe('one mistake, one message', () => {
  test.each<[string, string[], string[]]>([
    ['missing ; after a declaration', ['  Real x', '  Real y;'], ['2:9 expected `;` after this declaration']],
    [
      'missing ; after an equation',
      ['equation', '  x = 1', '  y = 2;'],
      ['3:8 expected `;` after this equation'],
    ],
    [
      'missing ; after a statement',
      ['algorithm', '  x := 1', '  y := 2;'],
      ['3:9 expected `;` after this statement'],
    ],
    ['missing ; after a class', ['  model A end A', '  Real x;'], ['2:16 expected `;` after this class']],
    ['missing ; at the end', ['equation', '  x = 1'], ['3:8 expected `;` after this equation']],
    [
      'two operands',
      ['equation', '  x = 1 2;', '  y = 2;'],
      ['3:9 expected `;` after this equation, found `2`'],
    ],
    [':= in an equation', ['equation', '  x := 1;'], ['3:5 `:=` where `=` is needed in an equation']],
    ['== in an equation', ['equation', '  x == 1;'], ['3:5 `==` compares; an equation is written with `=`']],
    ['= in an algorithm', ['algorithm', '  x = 1;'], ['3:5 `=` where `:=` is needed in an algorithm']],
    [
      '= in a condition',
      ['equation', '  when x = 1 then', '    y = 2;', '  end when;'],
      ['3:10 `=` where the comparison `==` is needed'],
    ],
    [
      'no equation',
      ['equation', '  x + 1;', '  y = 2;'],
      ['3:8 expected `=` and the right side of this equation, found `;`'],
    ],
    ['no right side', ['equation', '  x = ;', '  y = 2;'], ['3:7 expected an expression, found `;`']],
    [
      'unclosed call',
      ['equation', '  x = sin(y;', '  y = 2;'],
      ['3:12 expected `)` to close this call, found `;`'],
    ],
    [
      'closed too often',
      ['equation', '  x = sin(y));', '  y = 2;'],
      ['3:13 expected `;` after this equation, found `)`'],
    ],
    [
      'broken matrix',
      ['equation', '  x = [1, 2; 3 4; 5, 6];', '  y = 2;'],
      ['3:16 expected `,` or `]`, found `4`'],
    ],
    [
      'missing then',
      ['equation', '  if a', '    x = 1;', '  end if;'],
      ['3:7 expected `then` after this condition'],
    ],
    [
      'missing loop',
      ['equation', '  for i in 1:3', '    x[i] = 1;', '  end for;'],
      ['3:15 expected `loop` after these iterators'],
    ],
    ['missing end if', ['equation', '  if a then', '    x = 1;', '  y = 2;'], ['5:9 expected `end if;`']],
    [
      'missing end if inside when',
      ['equation', '  when a then', '    if b then', '      x = 1;', '  end when;'],
      ['5:13 expected `end if;`'],
    ],
    [
      'wrong end of a block',
      ['equation', '  if a then', '    x = 1;', '  end for;', '  y = 2;'],
      ['4:11 expected `end if;`'],
    ],
    [
      'end alone',
      ['equation', '  if a then', '    x = 1;', '  end;', '  y = 2;'],
      ['4:11 expected `end if;`'],
    ],
    [
      'else if',
      ['equation', '  if a then', '    x = 1;', '  else if b then', '    x = 2;', '  end if;'],
      ['7:10 expected `end if;`'],
    ],
    ['stray end', ['equation', '  x = 1;', '  end if;', '  y = 2;'], ['4:3 `end if` without `if`']],
    [
      'elsewhen in if',
      ['equation', '  if a then', '    x = 1;', '  elsewhen b then', '    y = 2;', '  end if;'],
      ['5:3 `elsewhen` cannot stand in this `if` here'],
    ],
    [
      'while among equations',
      ['equation', '  while a loop', '    x = 1;', '  end while;', '  y = 1;'],
      ['3:3 `while` can only stand in an algorithm'],
    ],
    [
      'connect in an algorithm',
      ['algorithm', '  connect(a, b);', '  x := 1;'],
      ['3:3 `connect` can only stand in an equation section'],
    ],
    [
      'connect of expressions',
      ['equation', '  connect(a + b, c);'],
      ['3:13 expected `,` between the two connectors, found `+`'],
    ],
    ['assigned expression', ['algorithm', '  (a + 1, b) := f(x);'], ['3:4 only a variable can be assigned']],
    [
      'assigned from no call',
      ['algorithm', '  (a, b) := c;'],
      ['3:13 several variables can only be assigned from a function call'],
    ],
    [
      'missing comma',
      ['  A a(x = 1', '    y = 2, z = {1 2});', '  Real x;'],
      ['2:12 expected `,` or `)`', '3:19 expected `,` or `}`, found `2`'],
    ],
    [
      'missing parenthesis before a new line',
      ['  A a(x = 1;', '  Real y;', 'equation', '  x = sin(y', '  z = 2;'],
      ['2:12 expected `)` to close this modification, found `;`', '5:12 expected `)` to close this call'],
    ],
    [
      'prefix before an equation',
      ['  final x = 2;', '  Real y;'],
      ['2:11 expected the name of a component, found `=`'],
    ],
    [
      'call among declarations',
      ['  Real x;', '  assert(x > 1, "m");', '  Real y;', '  parameter Real z;'],
      ['3:9 expected a declaration, found `(`'],
    ],
    [
      'reserved word as a name',
      ['  Real flow;', '  Real x;'],
      ['2:8 `flow` is a reserved word and cannot be the name of a component'],
    ],
    ['missing name', ['  Real ;', '  Real x;'], ['2:8 expected the name of a component, found `;`']],
    [
      'equation among declarations',
      ['  Real x;', '  x = 1;', '  y.z[1] = 2;', '  der(x) = 3;'],
      ['3:5 expected a declaration, found `=`'],
    ],
    [
      'statement among declarations',
      ['  Real x;', '  x := 1;', '  y := 2;'],
      ['3:5 expected a declaration, found `:=`'],
    ],
    [
      'misspelt section',
      ['  Real x;', 'equaton', '  der(x) = 1;', '  y = 2;'],
      ['3:1 `equaton` is not a reserved word'],
    ],
    [
      'misspelt section, hidden',
      ['  Real x;', 'equaton', '  x = 1;', '  y = 2;'],
      ['3:1 `equaton` is not a reserved word'],
    ],
    ['misspelt prefix', ['  paramter Real x = 1;', '  Real y;'], ['2:3 `paramter` is not a reserved word']],
    [
      'misspelt block',
      ['equation', '  whn x > 1 then', '    y = 2;', '  end when;'],
      ['3:3 `whn` is not a reserved word'],
    ],
    [
      'annotation in the middle',
      ['  annotation(a = 1);', '  Real x;'],
      ['3:3 the annotation of a class must be its last element'],
    ],
    ['two annotations', ['  annotation(a = 1);', '  annotation(b = 2);'], ['3:3 a class has one annotation']],
    [
      'annotation without list',
      ['  Real x annotation;', '  Real y;'],
      ['2:20 expected `(` after `annotation`, found `;`'],
    ],
    [
      'long class in a modification',
      ['  A a(redeclare model B Real x; end B);', '  Real y;'],
      ['2:23 a class in a modification must have the form `model A = B`'],
    ],
    ['bad character', ['equation', '  x = 3 § 4;', '  y = 2;'], ['3:9 the character `§` cannot stand here']],
    ['unclosed string', ['equation', '  x = "abc;', '  y = 2;'], ['3:7 this string is not closed']],
    [
      'foreign operator',
      ['equation', '  b = x != 1 && y;'],
      ['3:9 `!=` is not an operator of Modelica', '3:14 `&&` is not an operator of Modelica'],
    ],
  ])('%s', (_, lines, expected) => {
    expect(inModel(...lines)).toEqual(expected);
  });

  test.each<[string, string[], string[]]>([
    ['misspelt model', ['modle A', '  Real x;', 'end A;'], ['1:1 `modle` is not a reserved word']],
    ['wrong end', ['model A', 'end B;', 'model C', 'end C;'], ['2:5 `end B` closes the class `A`']],
    [
      'missing end of an inner class',
      ['package P', '  model A', '    Real x;', 'end P;'],
      ['4:1 `end A;` is missing before this'],
    ],
    [
      'missing end at the end',
      ['package P', '  model A', '    Real x;'],
      ['3:12 expected `end A;`, found the end of the text'],
    ],
    [
      'end without a name',
      ['model A', 'end;', 'model B', 'end B;'],
      ['2:4 expected `A` after `end`, found `;`'],
    ],
    ['missing end before the name', ['model A', '  Real x;', 'A;'], ['2:10 expected `end A;`']],
    ['no class', ['x = 1;', 'model A end A;'], ['1:1 expected a class definition, found `x`']],
    [
      'reserved word as a class',
      ['model block', '  Real x;', 'end block;'],
      ['1:7 `block` is a reserved word and cannot be the name of a class'],
    ],
    [
      'number as a class',
      ['model 1', '  Real x;', 'end A;'],
      ['1:7 expected the name of this class, found `1`'],
    ],
    [
      'no kind of class',
      ['partial A', 'end A;'],
      ['1:9 expected a kind of class such as `model`, `package` or `function`, found `A`'],
    ],
    ['no function', ['pure model A', 'end A;'], ['1:6 expected `function`, found `model`']],
    [
      'expandable model',
      ['expandable A', 'end A;'],
      ['1:12 expected `connector` after `expandable`, found `A`'],
    ],
    ['within without ;', ['within A', 'model B end B;'], ['1:9 expected `;` after this within clause']],
    ['text after the class', ['model A end A;', ')'], ['2:1 expected a class definition, found `)`']],
  ])('%s', (_, lines, expected) => {
    expect(errors(lines.join('\n'))).toEqual(expected);
  });
});

describe('the rest of the text', () => {
  test('several mistakes in one file are all reported', () => {
    const text = [
      'model A',
      '  Real x = ;',
      'equation',
      '  x := 1;',
      '  y = (2;',
      'end A;',
      'model B',
      '  Real y',
      'end C;',
    ];
    expect(errors(text.join('\n'))).toEqual([
      '2:12 expected an expression, found `;`',
      '4:5 `:=` where `=` is needed in an equation',
      '5:9 expected `)` to close this parenthesis, found `;`',
      '8:9 expected `;` after this declaration',
      '9:5 `end C` closes the class `B`',
    ]);
  });

  test('is in the tree', () => {
    const { definition } = parse(
      source('model A Real x = ; Real y; equation y := 1; z = ; end A; model B end B;'),
    );
    expect(definition.classes).toMatchObject([
      {
        name: { text: 'A' },
        body: {
          sections: [
            { elements: [{ declarations: [{ name: { text: 'y' } }] }] },
            { equations: [{ kind: 'equal', left: { parts: [{ name: 'y' }] } }] },
          ],
        },
      },
      { name: { text: 'B' } },
    ]);
  });
});

describe('shown to the user', () => {
  const shown = (text: string): string =>
    parse(source(text))
      .diagnostics.map((d) => renderDiagnostic(d))
      .join('\n');

  test('missing semicolon', () => {
    expect(shown('model M\n  Real x\nend M;')).toBe(
      [
        'test.mo:2:9: error: expected `;` after this declaration [syntax-error]',
        '  2 |   Real x',
        '    |         ^',
      ].join('\n'),
    );
  });

  test('wrong end', () => {
    expect(shown('model Ball\nend Bal;')).toBe(
      [
        'test.mo:2:5: error: `end Bal` closes the class `Ball` [end-name-mismatch]',
        '  2 | end Bal;',
        '    |     ^^^',
        'test.mo:1:7: note: `Ball` begins here',
        '  1 | model Ball',
        '    |       ^^^^',
        '  hint: write `end Ball`',
      ].join('\n'),
    );
  });

  test('else if', () => {
    expect(shown('model M\nequation\n  if a then\n  else if b then\n  end if;\nend M;')).toBe(
      [
        'test.mo:5:10: error: expected `end if;` [syntax-error]',
        '  5 |   end if;',
        '    |          ^',
        'test.mo:3:3: note: this `if` is not closed',
        '  3 |   if a then',
        '    |   ^^',
        '  hint: `else if` needs an `end if` of its own, `elseif` does not',
      ].join('\n'),
    );
  });

  test('misspelt word', () => {
    expect(shown('model M\n  protcted Real x;\nend M;')).toBe(
      [
        'test.mo:2:3: error: `protcted` is not a reserved word [syntax-error]',
        '  2 |   protcted Real x;',
        '    |   ^^^^^^^^',
        '  hint: did you mean `protected`?',
      ].join('\n'),
    );
  });
});

describe('limits', () => {
  const n = 100_000;
  const nested = (before: string, open: string, inner: string, close: string, after: string): string =>
    before + open.repeat(n) + inner + close.repeat(n) + after;
  test.each([
    ['parentheses', nested('model A equation x = ', '(', '1', ')', '; end A;')],
    ['open parentheses', nested('model A equation x = ', '(', '', '', '')],
    ['calls', nested('model A equation x = ', 'f(a = ', '1', ')', '; end A;')],
    ['arrays', nested('model A equation x = ', '{', '1', '}', '; end A;')],
    ['matrices', nested('model A equation x = ', '[', '1', ']', '; end A;')],
    ['subscripts', nested('model A equation x = ', 'a[', '1', ']', '; end A;')],
    ['if-expressions', nested('model A equation x = ', 'if a then b else ', '1', '', '; end A;')],
    ['if-conditions', nested('model A equation x = ', 'if ', 'a', ' then b else c', '; end A;')],
    ['ranges of iterators', nested('model A equation x = ', '{i for i in ', 'a', '}', '; end A;')],
    ['classes', nested('', 'model A ', '', ' end A;', '')],
    ['equations', nested('model A equation ', 'if a then ', '', ' end if;', ' end A;')],
    ['statements', nested('model A algorithm ', 'while a loop ', '', ' end while;', ' end A;')],
    ['modifications', nested('model A B b', '(c', '', ')', '; end A;')],
    ['redeclarations', nested('model A B b', '(redeclare C c', '', ')', '; end A;')],
    ['redeclared classes', nested('model A B b', '(redeclare model C = D', '', ')', '; end A;')],
    ['annotations', nested('model A Real x', ' annotation(a(redeclare B b', '', '))', '; end A;')],
  ])('%s', (_, text) => {
    const { diagnostics } = parse(source(text));
    expect(diagnostics.map((d) => d.code)).toEqual(['limit-exceeded']);
    expect(diagnostics[0]!.message).toBe('more than 250 levels of nesting; the rest of the text is not read');
  });

  test('operators', () => {
    const { diagnostics } = parse(source(`model A equation x = 1${' + a'.repeat(n)}; end A;`));
    expect(messages(diagnostics)).toEqual([
      '1:8024 an expression with more than 2000 operators inside one another; the rest of the text is not read',
    ]);
    expect(errors(`model A equation x = 1${' + a'.repeat(2000)}; end A;`)).toEqual([]);
  });

  test('many terms without depth are fine', () => {
    expect(errors(`model A equation x = {${'a + b*c, '.repeat(5000)}1}; end A;`)).toEqual([]);
  });

  test('what was read before a limit is kept', () => {
    const { definition } = parse(source(`model A end A; model B equation x = ${'('.repeat(n)}; end B;`));
    expect(definition.classes.map((c) => c.name.text)).toEqual(['A']);
  });

  test('mistakes', () => {
    const { diagnostics } = parse(source(`model A equation ${'x = ;\n'.repeat(1000)} end A;`));
    expect(diagnostics).toHaveLength(101);
    expect(diagnostics.at(-1)!.code).toBe('limit-exceeded');
  });
});
