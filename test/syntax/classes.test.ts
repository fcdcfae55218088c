import { describe, expect, test } from 'vitest';
import { bare, read, readClass, readElement, readSections, tree } from './notation.ts';

const plain = { redeclare: false, final: false, inner: false, outer: false, replaceable: false, each: false };

describe('stored definitions', () => {
  test('without within', () => expect(read('model A end A;').within).toBeUndefined());
  test('within nothing', () => expect(read('within; model A end A;').within?.parts).toEqual([]));
  test('within a package', () => {
    expect(read('within A.B; model C end C;').within?.parts.map((p) => p.text)).toEqual(['A', 'B']);
  });
  test('empty', () => expect(read('').classes).toEqual([]));
  test('several classes, one final', () => {
    const { classes } = read('final package P end P; model A end A;');
    expect(classes.map((c) => [c.name.text, c.prefixes.final])).toEqual([
      ['P', true],
      ['A', false],
    ]);
  });
  test('byte order mark, comments', () => {
    const definition = read('\ufeff// one\nmodel A /* two */ end A; // three');
    expect(definition.classes[0]!.name.text).toBe('A');
    expect(definition.comments.map((c) => c.text)).toEqual(['// one', '/* two */', '// three']);
  });
});

describe('class prefixes', () => {
  test.each([
    ['class', {}],
    ['model', {}],
    ['record', {}],
    ['block', {}],
    ['connector', {}],
    ['type', {}],
    ['package', {}],
    ['function', {}],
    ['operator', {}],
    ['operator record', {}],
    ['operator function', {}],
    ['expandable connector', {}],
    ['partial model', { restriction: 'model', partial: true }],
    ['encapsulated partial package', { restriction: 'package', partial: true, encapsulated: true }],
    ['pure function', { restriction: 'function', purity: 'pure' }],
    ['impure operator function', { restriction: 'operator function', purity: 'impure' }],
  ])('%s', (words, expected) => {
    expect(readClass(`${words} A end A;`)).toMatchObject({
      name: { text: 'A' },
      restriction: words,
      partial: false,
      encapsulated: false,
      ...expected,
    });
  });
});

describe('class specifiers', () => {
  test('long', () => {
    expect(bare(readClass('model A "text" end A;').body)).toEqual({
      kind: 'long',
      description: { value: 'text', parts: [{ kind: 'string', value: 'text', text: '"text"' }] },
      sections: [],
    });
  });
  test('joined description', () => {
    expect(readClass('model A "one " + "two" end A;').body).toMatchObject({
      description: { value: 'one two' },
    });
  });
  test('class extends', () => {
    expect(readClass('model extends A(x = 1) "d" Real y; end A;')).toMatchObject({
      name: { text: 'A' },
      body: {
        kind: 'long',
        classExtends: { modification: { arguments: [{ name: { parts: [{ text: 'x' }] } }] } },
      },
    });
  });
  test('short', () => {
    expect(bare(readClass('connector C = input .A.B[3](min = 0) "d";').body)).toMatchObject({
      kind: 'short',
      basePrefix: 'input',
      base: { global: true, parts: [{ text: 'A' }, { text: 'B' }] },
      subscripts: [{ kind: 'number', value: 3 }],
      modification: { arguments: [{ kind: 'modify' }] },
      comment: { description: { value: 'd' } },
    });
    expect(readClass('type C = output Real;').body).toMatchObject({ basePrefix: 'output' });
  });
  test('enumeration', () => {
    expect(bare(readClass('type E = enumeration(a "first", b) "d";').body)).toMatchObject({
      kind: 'enumeration',
      literals: [
        { name: { text: 'a' }, comment: { description: { value: 'first' } } },
        { name: { text: 'b' } },
      ],
      comment: { description: { value: 'd' } },
    });
    expect(readClass('type E = enumeration();').body).toMatchObject({ literals: [] });
    expect(readClass('type E = enumeration(:);').body).toMatchObject({ literals: undefined });
  });
  test('derivative of a function', () => {
    expect(bare(readClass('function g = der(P.f, x, y);').body)).toEqual({
      kind: 'der',
      base: { global: false, parts: [{ text: 'P' }, { text: 'f' }] },
      variables: [{ text: 'x' }, { text: 'y' }],
      comment: {},
    });
  });
});

describe('sections', () => {
  test('in the order of the text', () => {
    const text = `Real a; public Real b; protected Real c; equation a = 1; initial equation b = 2;
      algorithm c := 3; initial algorithm c := 4; public Real d;`;
    const sections = readSections(text).map((s) => [
      s.kind,
      s.kind === 'elements' ? s.visibility : s.initial,
    ]);
    expect(sections).toEqual([
      ['elements', undefined],
      ['elements', 'public'],
      ['elements', 'protected'],
      ['equations', false],
      ['equations', true],
      ['algorithm', false],
      ['algorithm', true],
      ['elements', 'public'],
    ]);
  });
  test('empty sections are kept', () => {
    expect(readSections('public equation algorithm').map((s) => s.kind)).toEqual([
      'elements',
      'equations',
      'algorithm',
    ]);
  });
  test('annotation of the class', () => {
    expect(readClass('model A equation annotation(Icon(x = 1)); end A;').body).toMatchObject({
      annotation: { modification: { arguments: [{ name: { parts: [{ text: 'Icon' }] } }] } },
    });
  });
  test.each([
    ['external;', {}],
    ['external "C";', { language: { value: 'C' } }],
    ['external "C" f();', { functionName: { text: 'f' }, arguments: [] }],
    [
      'external "FORTRAN 77" r.x = f(a, size(b, 1));',
      { result: { kind: 'ref' }, arguments: [{}, { kind: 'call' }] },
    ],
    ['external f(a) annotation(Library = "m");', { annotation: { modification: {} }, language: undefined }],
  ])('%s', (text, expected) => {
    const { body } = readClass(`function f input Real a; ${text} annotation(Inline = true); end f;`);
    expect(body).toMatchObject({ external: expected, annotation: { modification: { arguments: [{}] } } });
  });
});

describe('elements', () => {
  test.each([
    ['import A.B.C;', { name: { parts: [{}, {}, { text: 'C' }] }, wildcard: false }],
    ['import D = A.B "d";', { alias: { text: 'D' }, comment: { description: { value: 'd' } } }],
    ['import A.B.*;', { name: { parts: [{}, {}] }, wildcard: true }],
    ['import A. *;', { name: { parts: [{}] }, wildcard: true }],
    ['import A.{B, C};', { name: { parts: [{}] }, selection: [{ text: 'B' }, { text: 'C' }] }],
    ['import A.{B};', { selection: [{ text: 'B' }] }],
  ])('%s', (text, expected) => {
    expect(readElement(text)).toMatchObject({ kind: 'import', ...expected });
  });

  test.each([
    ['extends .A.B;', { base: { global: true } }],
    [
      'extends A(x = 1, redeclare model M = N);',
      { modification: { arguments: [{ kind: 'modify' }, { kind: 'redeclare' }] } },
    ],
    [
      'extends A(break x, break connect(a.p, b), y = 2) annotation(z = 3);',
      {
        modification: {
          arguments: [
            { kind: 'break', target: { text: 'x' } },
            { kind: 'break', target: { kind: 'connect' } },
            { kind: 'modify' },
          ],
        },
        annotation: {},
      },
    ],
  ])('%s', (text, expected) => {
    expect(readElement(text)).toMatchObject({ kind: 'extends', ...expected });
  });

  test.each([
    ['Real x;', {}],
    ['flow Real x;', { connection: 'flow' }],
    ['stream Real x;', { connection: 'stream' }],
    ['parameter Real x;', { variability: 'parameter' }],
    ['constant Real x;', { variability: 'constant' }],
    ['discrete output Real x;', { variability: 'discrete', causality: 'output' }],
    ['flow parameter input Real x;', { connection: 'flow', variability: 'parameter', causality: 'input' }],
    ['Real[2, :] x;', { subscripts: [{ value: 2 }, { kind: 'colon' }] }],
    ['.A.B x[3];', { type: { global: true }, declarations: [{ subscripts: [{ value: 3 }] }] }],
    ['Real x, y;', { declarations: [{ name: { text: 'x' } }, { name: { text: 'y' } }] }],
    [
      'Real x = 1 "d" annotation(a = 1);',
      { declarations: [{ comment: { description: { value: 'd' }, annotation: {} } }] },
    ],
    ['Real x if b;', { declarations: [{ condition: { kind: 'ref' } }] }],
    [
      'Real x(start = 1) = 2 if b > 1;',
      { declarations: [{ condition: { kind: 'binary' }, modification: { value: { value: 2 } } }] },
    ],
    ['final Real x;', { prefixes: { ...plain, final: true } }],
    ['inner outer Real x;', { prefixes: { ...plain, inner: true, outer: true } }],
    [
      'redeclare final inner outer replaceable Real x;',
      {
        prefixes: { redeclare: true, final: true, inner: true, outer: true, replaceable: true, each: false },
      },
    ],
    [
      'replaceable A x constrainedby B(y = 1) "d";',
      { constrainedBy: { name: { parts: [{ text: 'B' }] }, comment: { description: { value: 'd' } } } },
    ],
  ])('%s', (text, expected) => {
    expect(readElement(text)).toMatchObject({ kind: 'component', ...expected });
  });

  test('replaceable class with a constraint', () => {
    expect(
      readElement('replaceable package P = Q constrainedby R "d" annotation(choices = 1);'),
    ).toMatchObject({
      kind: 'class',
      prefixes: { replaceable: true },
      body: { kind: 'short' },
      constrainedBy: { name: { parts: [{ text: 'R' }] }, comment: { annotation: {} } },
    });
  });

  test('nested class', () => {
    expect(readElement('encapsulated function f end f;')).toMatchObject({
      kind: 'class',
      encapsulated: true,
    });
  });
});

describe('modifications', () => {
  const modification = (text: string) => {
    const element = readElement(`A a${text};`);
    return element.kind === 'component' ? element.declarations[0]!.modification : undefined;
  };
  test('none', () => expect(modification('')).toBeUndefined());
  test('value', () =>
    expect(bare(modification(' = 1'))).toMatchObject({ value: { value: 1 }, assignment: false }));
  test('break', () => expect(modification(' = break')).toMatchObject({ value: 'break' }));
  test('old assignment', () => expect(modification(' := 1')).toMatchObject({ assignment: true }));
  test('empty list and value', () => {
    expect(modification('() = 1')).toMatchObject({ arguments: { arguments: [] }, value: { value: 1 } });
  });
  test('names, each and final', () => {
    expect(modification('(each final b.c(d = 1) = 2 "e")')?.arguments?.arguments).toMatchObject([
      {
        kind: 'modify',
        each: true,
        final: true,
        name: { parts: [{ text: 'b' }, { text: 'c' }] },
        modification: { arguments: { arguments: [{}] }, value: { value: 2 } },
        description: { value: 'e' },
      },
    ]);
  });
  test.each([
    ['redeclare B b', { kind: 'component', prefixes: { ...plain, redeclare: true } }],
    [
      'redeclare each final parameter B b = 1',
      {
        kind: 'component',
        variability: 'parameter',
        prefixes: { ...plain, redeclare: true, each: true, final: true },
      },
    ],
    ['redeclare replaceable B b constrainedby C(x = 1)', { kind: 'component', constrainedBy: { name: {} } }],
    ['redeclare model M = N(x = 1) "d"', { kind: 'class', restriction: 'model' }],
    [
      'each final replaceable package P = Q',
      { kind: 'class', prefixes: { ...plain, each: true, final: true, replaceable: true } },
    ],
    ['redeclare function extends f = g', undefined],
  ])('%s', (text, element) => {
    if (!element) expect(() => modification(`(${text})`)).toThrow();
    else
      expect(modification(`(${text})`)?.arguments?.arguments).toMatchObject([{ kind: 'redeclare', element }]);
  });
  test('annotation with choices', () => {
    const element = readElement('A a annotation(choices(choice(redeclare B b "x"), choice = 1));');
    expect(element).toMatchObject({ declarations: [{ comment: { annotation: {} } }] });
  });
});

test('places of classes, elements and equations', () => {
  const text = 'model A "d"\n  parameter Real x = 1 "e";\nequation\n  x = 2;\nend A;';
  const { body, ...definition } = readClass(text);
  if (body.kind !== 'long') throw new Error('not long');
  const [elements, equations] = body.sections;
  const part = (node: { start: number; end: number }): string => text.slice(node.start, node.end);
  expect(part(definition)).toBe('model A "d"\n  parameter Real x = 1 "e";\nequation\n  x = 2;\nend A');
  expect(elements?.kind === 'elements' && part(elements.elements[0]!)).toBe('parameter Real x = 1 "e"');
  expect(equations?.kind === 'equations' && part(equations.equations[0]!)).toBe('x = 2');
  expect(equations && part(equations)).toBe('equation\n  x = 2;');
  const first = elements?.kind === 'elements' ? elements.elements[0]! : undefined;
  const value = first?.kind === 'component' ? first.declarations[0]!.modification?.value : undefined;
  expect(value && value !== 'break' && tree(value)).toBe('1');
});
