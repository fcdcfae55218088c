/** Bodies of classes and annotations that are passed over at first are those that are read at once. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../src/diagnostic/diagnostic.ts';
import type { ClassDef, StoredDefinition } from '../../src/syntax/ast.ts';
import { argumentsNamed } from '../../src/syntax/lazy.ts';
import { outline } from '../../src/syntax/outline.ts';
import { parse } from '../../src/syntax/parser.ts';
import { print } from '../../src/syntax/print.ts';
import { runsOf } from '../runs.ts';
import { storedDefinition } from './arbitrary.ts';
import { messages, source } from './notation.ts';

/** What is between names and ends, nested as the classes are. */
function bodies(text: string): unknown {
  const shown = (list: ReturnType<typeof outline>): unknown =>
    list?.map(({ start, end, inner }) =>
      inner.length > 0 ? [text.slice(start, end).trim(), shown(inner)] : text.slice(start, end).trim(),
    );
  return shown(outline(text));
}

function late(text: string): {
  definition: StoredDefinition;
  first: readonly Diagnostic[];
  later: Diagnostic[];
} {
  const later: Diagnostic[] = [];
  const { definition, diagnostics } = parse(source(text), { later: (mistakes) => later.push(...mistakes) });
  return { definition, first: diagnostics, later };
}

/** A tree with all that is read late, without comments, which are not kept there. */
const whole = (definition: StoredDefinition): unknown =>
  JSON.parse(
    JSON.stringify(definition, (key, value) => (key === 'source' || key === 'comments' ? undefined : value)),
  );

const elementsOf = ({ body }: ClassDef): readonly ClassDef[] =>
  body.kind === 'long'
    ? body.sections.flatMap((s) =>
        s.kind === 'elements' ? s.elements.filter((e) => e.kind === 'class') : [],
      )
    : [];

const isRead = (definition: ClassDef): boolean =>
  Object.getOwnPropertyDescriptor(definition, 'body')?.get === undefined;

describe('an outline', () => {
  test.each([
    ['model A Real x; end A;', ['Real x;']],
    ['within P;\nmodel A "end A;" Real x; end A;', ['"end A;" Real x;']],
    [
      'package P model A end A; type T = Real; block B end B; end P;',
      [['model A end A; type T = Real; block B end B;', ['', '']]],
    ],
    // Strings, comments and quoted names hold no words.
    [
      'model A "a \\" end A;" // end A;\n Real x; /* end A; */ Real \'end A;\'; end A;',
      ['"a \\" end A;" // end A;\n Real x; /* end A; */ Real \'end A;\';'],
    ],
    ['model A "\\\\" Real x; end A;', ['"\\\\" Real x;']],
    // Other ends.
    [
      'model A equation if b then x[end] = x[end - 1]; end if; for i loop when c then y = 1; end when; end for; end A;',
      ['equation if b then x[end] = x[end - 1]; end if; for i loop when c then y = 1; end when; end for;'],
    ],
    ['model A Real x = y[if b then end else 1]; end A;', ['Real x = y[if b then end else 1];']],
    // Words that open no class, or none with an end.
    [
      'model A Real x = f(function g(a = 1), function .P.h()); end A;',
      ['Real x = f(function g(a = 1), function .P.h());'],
    ],
    [
      'model A extends B(redeclare model M = N, redeclare function f = g); end A;',
      ['extends B(redeclare model M = N, redeclare function f = g);'],
    ],
    [
      "operator record C operator function '+' end '+'; encapsulated operator 'constructor' function f end f; end 'constructor'; end C;",
      [
        [
          "operator function '+' end '+'; encapsulated operator 'constructor' function f end f; end 'constructor';",
          ['', ['function f end f;', ['']]],
        ],
      ],
    ],
    [
      'package P redeclare model extends M(x = 1) Real y; end M; end P;',
      [['redeclare model extends M(x = 1) Real y; end M;', ['(x = 1) Real y;']]],
    ],
    ['model/* a */A Real model_x, endA; end // b\n A;', ['Real model_x, endA;']],
    ['model A end A; model B end B;', ['', '']],
  ])('of %j', (text, expected) => {
    const plain = (list: unknown): unknown => (Array.isArray(list) ? list.map(plain) : list);
    expect(plain(bodies(text))).toEqual(expected);
  });

  test.each([
    'model A end B;',
    'model A Real x;',
    'end A;',
    'model A "string end A;',
    'model A /* comment end A;',
    "model A Real 'x; end A;",
    'model A model B end A; end B;',
    'model A Real x = y .// z; end A;\n; end A;',
  ])('there is none of %j', (text) => {
    expect(outline(text)).toBeUndefined();
  });
});

describe('what is read late', () => {
  const text = `within Q;
package P "text" // a comment
  constant Real c = 1 annotation(HideResult = true);
  replaceable model A "first"
    Real x annotation(Placement(transformation(extent = {{-10, 10}, {10, -10}})));
    model Inner Real z; end Inner;
  equation
    x = c annotation(Line(points = {{1, 2}}));
    annotation(Documentation(info = "<html>(</html>"), experiment(StopTime = 3));
  end A constrainedby B "bound";
  redeclare function extends f(n = 2) input Real u; end f;
  annotation(version = "1.0", Icon(graphics = {Line(points = {{0, 0}})}));
end P;`;

  test('is the same tree, with its places', () => {
    const { definition, first, later } = late(text);
    const [P] = definition.classes;
    const [A, f] = elementsOf(P!);
    expect([isRead(P!), isRead(A!), isRead(f!)]).toEqual([true, false, false]);
    expect([A!.constrainedBy?.name.parts[0]?.text, f!.refining, A!.refining]).toEqual(['B', true, false]);
    const [Inner] = elementsOf(A!);
    expect([isRead(A!), isRead(Inner!)]).toEqual([true, false]);
    expect(whole(definition)).toEqual(whole(parse(source(text)).definition));
    expect([first, later]).toEqual([[], []]);
  });

  test('annotations are asked for by name', () => {
    const body = late(text).definition.classes[0]!.body;
    const annotation = body.kind === 'long' ? body.annotation : undefined;
    const isUnread = () => Object.getOwnPropertyDescriptor(annotation, 'modification')?.get !== undefined;
    expect(argumentsNamed(annotation, 'experiment')).toEqual([]);
    expect(isUnread()).toBe(true);
    expect(argumentsNamed(annotation, 'version').length).toBe(1);
    expect(isUnread()).toBe(false);
    expect(argumentsNamed(annotation, 'points')).toEqual([]);
  });

  test('mistakes are told when it is read', () => {
    const wrong =
      'package P model A Real x; equation x = ; y = 1; end A; model B annotation(Icon(, a)); end B; end P;';
    const { definition, first, later } = late(wrong);
    const [A, B] = elementsOf(definition.classes[0]!);
    expect(messages([...first, ...later])).toEqual([]);
    const { body } = A!;
    expect(messages(later)).toEqual(messages(parse(source(wrong)).diagnostics).slice(0, 1));
    // The rest of the class is there.
    expect(body.kind === 'long' && body.sections.map(({ kind }) => kind)).toEqual(['elements', 'equations']);
    expect(B!.body.kind === 'long' && B!.body.annotation?.modification.arguments).toEqual([]);
    expect(later.length).toBe(2);
  });

  test('a text whose classes do not end is read at once', () => {
    const wrong = 'package P model A Real x; end B; end P;';
    expect(messages(late(wrong).first)).toEqual(messages(parse(source(wrong)).diagnostics));
  });

  test('whatever the text is', () => {
    fc.assert(
      fc.property(storedDefinition, (tree) => {
        const printed = print(tree);
        const { definition, first, later } = late(printed);
        const eager = parse(source(printed));
        expect(whole(definition)).toEqual(whole(eager.definition));
        expect(first.length + later.length > 0).toBe(eager.diagnostics.length > 0);
      }),
      { numRuns: runsOf(300) },
    );
  });
});
