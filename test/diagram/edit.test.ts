/** Edits of diagrams as changes of text: what is written, what stays, what is refused. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Source } from '../../src/diagnostic/source.ts';
import { diagramOf } from '../../src/diagram/diagram.ts';
import { addComponent, removeComponent } from '../../src/diagram/edit/component.ts';
import { connectComponents, removeConnection, rerouteConnection } from '../../src/diagram/edit/connection.ts';
import { setModifier } from '../../src/diagram/edit/modifier.ts';
import { placeComponent } from '../../src/diagram/edit/place.ts';
import type { Edit } from '../../src/diagram/edit/text.ts';
import { type Placing, placingMatrix } from '../../src/diagram/geometry.ts';
import { printFlat } from '../../src/flat/print/class.ts';
import { loadModel } from '../../src/load.ts';
import type { ClassEntity } from '../../src/model/classes/class.ts';
import { classByName } from '../../src/model/classes/lookup.ts';
import { changedText } from '../../src/syntax/change.ts';
import { parse } from '../../src/syntax/parser.ts';
import { print } from '../../src/syntax/print.ts';
import { classIn, component, diagram } from './notation.ts';

const library = `package L
  connector Pin Real v; flow Real i; annotation(Icon(graphics = {Rectangle(extent = {{-100, -100}, {100, 100}}, lineColor = {0, 0, 255})})); end Pin;
  connector Plug Real v; flow Real i; Real extra; end Plug;
  connector In = input Real; connector Out = output Real;
  expandable connector Bus end Bus;
  model Part "Two pins" parameter Real R = 1; parameter Real k[2] = {1, 2}; final parameter Real f = 2; protected parameter Real hidden = 3; public
    Pin p annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}}))); Pin n annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
  equation p.v - n.v = R*p.i; p.i + n.i = 0; end Part;
  model Ground Pin p; equation p.v = 0; annotation(defaultComponentName = "ground1"); end Ground;
  model World annotation(defaultComponentName = "world", defaultComponentPrefixes = "inner"); end World;
  block Gain In u; Out y; equation y = u; end Gain;
  model Pair Part a, b; end Pair;
end L;
`;

/** The text of `M` after an edit. */
function textAfter(
  text: string,
  edit: (entity: ClassEntity, named: (name: string) => ClassEntity) => Edit,
  name = 'M',
): string {
  const entity = classIn(`${library}${text}`, name);
  const result = edit(entity, (other) => classByName(entity.library, other)!);
  if (!result.ok) throw new Error(result.problems.map(({ message }) => message).join('\n'));
  const whole = changedText(entity.definition.source.text, result.changes);
  const { diagnostics } = parse(new Source('test.mo', whole));
  expect(diagnostics).toEqual([]);
  expect(whole.startsWith(library)).toBe(true);
  return whole.slice(library.length);
}

/** Why an edit is refused, with its hint. */
function refusal(
  text: string,
  edit: (entity: ClassEntity, named: (name: string) => ClassEntity) => Edit,
): string {
  const entity = classIn(`${library}${text}`, 'M');
  const result = edit(entity, (other) => classByName(entity.library, other)!);
  expect(result.ok).toBe(false);
  if (result.ok) return '';
  return result.problems
    .map(({ message, hint }) => [message, hint].filter((one) => one).join(' '))
    .join('\n');
}

const at = (x: number, y: number, rotation = 0, size = 10): Placing => ({
  extent: [
    [-size, -size],
    [size, size],
  ],
  rotation,
  origin: [x, y],
});
const PLACE = 'Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {20, 30}))';

describe('placing a component', () => {
  const place = (text: string, placing = at(20, 30)): string =>
    textAfter(text, (entity) => placeComponent(entity, 'a', placing));

  test.each([
    ['model M L.Part a; end M;', `model M L.Part a annotation(${PLACE}); end M;`],
    ['model M L.Part a, b; end M;', `model M L.Part a annotation(${PLACE}), b; end M;`],
    ['model M L.Part b, a "x"; end M;', `model M L.Part b, a "x" annotation(${PLACE}); end M;`],
    [
      'model M L.Part a(R = 2) if true "x" /* y */; end M;',
      `model M L.Part a(R = 2) if true "x" annotation(${PLACE}) /* y */; end M;`,
    ],
    [
      'model M L.Part a annotation(Dialog(group = "g")); end M;',
      `model M L.Part a annotation(Dialog(group = "g"), ${PLACE}); end M;`,
    ],
    ['model M L.Part a annotation(); end M;', `model M L.Part a annotation(${PLACE}); end M;`],
    [
      'model M L.Part a annotation(Placement(visible = true), Evaluate = true); end M;',
      'model M L.Part a annotation(Placement(visible = true, transformation(extent = {{-10, -10}, {10, 10}}, origin = {20, 30})), Evaluate = true); end M;',
    ],
    [
      'model M replaceable L.Part a constrainedby L.Part annotation(choicesAllMatching = true); end M;',
      `model M replaceable L.Part a constrainedby L.Part annotation(choicesAllMatching = true, ${PLACE}); end M;`,
    ],
  ])('%s', (before, expected) => {
    expect(place(before)).toBe(expected);
  });

  test('changes the values that are there, and no others', () => {
    const text = (extent: string, more: string): string =>
      `model M\n  L.Part a // here\n    annotation (Placement(\n      transformation(extent=${extent}${more}), iconTransformation(extent={{0,0},{1,1}})));\nend M;`;
    expect(place(text('{{0,0},{20,20}}', ''))).toBe(text('{{-10,-10},{10,10}}', ',origin={20,30}'));
    expect(place(text('{{0,0},{20,20}}', ', origin={1, 2}, rotation=45'))).toBe(
      text('{{-10,-10},{10,10}}', ', origin={20,30}, rotation=0'),
    );
    expect(place(text('{{0,0},{20,20}}', ''), at(0, 0, 270))).toBe(
      text('{{-10,-10},{10,10}}', ',rotation=-90'),
    );
    const icon = textAfter(text('{{0,0},{20,20}}', ''), (entity) =>
      placeComponent(entity, 'a', at(5, 0), { layer: 'Icon' }),
    );
    expect(icon).toContain('iconTransformation(extent={{-10,-10},{10,10}},origin={5,0})');
    expect(icon).toContain('transformation(extent={{0,0},{20,20}}),');
  });

  test('lines follow, and stay horizontal and vertical', () => {
    const text = (a: string, points: string, more = ''): string =>
      `model M L.Part a annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}${a}))); L.Part b annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {100, 40}))); equation connect(a.n, b.p) annotation(Line(points = ${points}, color = {0, 0, 255}))${more}; end M;`;
    const move = (before: string): string =>
      textAfter(before, (entity) => placeComponent(entity, 'a', at(0, 20), { lines: true }));
    expect(move(text('', '{{10, 0}, {50, 0}, {50, 40}, {90, 40}}', ' /* c */'))).toBe(
      text(', origin = {0, 20}', '{{10, 20}, {50, 20}, {50, 40}, {90, 40}}', ' /* c */'),
    );
    expect(move(text('', '{{10, 0}, {90, 0}}'))).toBe(
      text(', origin = {0, 20}', '{{10, 20}, {50, 20}, {50, 0}, {90, 0}}'),
    );
    expect(move(text('', '{{10, 0}, {90, 40}}'))).toBe(text(', origin = {0, 20}', '{{10, 20}, {90, 40}}'));
  });

  test('is refused for what the class does not declare itself', () => {
    const edit = (entity: ClassEntity): Edit => placeComponent(entity, 'a', at(0, 0));
    expect(refusal('model B L.Part a; end B; model M extends B; end M;', edit)).toBe(
      '`a` is inherited from `B`. Change it in `B`, where it is declared.',
    );
    expect(refusal('model M L.Part b; end M;', edit)).toBe('`M` has no component `a`.');
    expect(refusal('model B L.Part a; end B; model M = B;', edit)).toContain('is a short class');
  });
});

describe('adding a component', () => {
  const add = (text: string, type = 'L.Part', name?: string): string =>
    textAfter(text, (entity, named) =>
      addComponent(entity, named(type), { placing: at(20, 30), ...(name !== undefined && { name }) }),
    );

  test.each([
    ['model M end M;', `model M L.Part part annotation(${PLACE}); end M;`],
    ['model M "x"\nend M;\n', `model M "x"\n  L.Part part annotation(${PLACE});\nend M;\n`],
    [
      'model M\n    Real x; // height\nequation\n  x = 1;\nend M;',
      `model M\n    Real x;\n    L.Part part annotation(${PLACE}); // height\nequation\n  x = 1;\nend M;`,
    ],
    [
      'model M\n  L.Part part;\nprotected\n  Real x;\nend M;',
      `model M\n  L.Part part;\n  L.Part part1 annotation(${PLACE});\nprotected\n  Real x;\nend M;`,
    ],
    [
      'model M\nprotected\n  Real x;\nend M;',
      `model M\n  L.Part part annotation(${PLACE});\nprotected\n  Real x;\nend M;`,
    ],
    [
      'model M\r\n  Real x;\r\nend M;\r\n',
      `model M\r\n  Real x;\r\n  L.Part part annotation(${PLACE});\r\nend M;\r\n`,
    ],
    ['model M\n  import L.*;\nend M;', `model M\n  import L.*;\n  Part part annotation(${PLACE});\nend M;`],
    ['model M\n  Real x; end M;', `model M\n  Real x;\n  L.Part part annotation(${PLACE});\n end M;`],
  ])('%s', (before, expected) => {
    expect(add(before)).toBe(expected);
  });

  test('names it as its class proposes, and counts on where that is taken', () => {
    expect(add('model M end M;', 'L.Ground')).toContain('L.Ground ground1 ');
    expect(add('model M L.Ground ground1; end M;', 'L.Ground')).toContain('L.Ground ground2 ');
    expect(add('model B Real ground1, ground; end B; model M extends B; end M;', 'L.Ground')).toContain(
      'L.Ground ground2 ',
    );
    expect(add('model M end M;', 'L.World')).toContain('inner L.World world ');
    expect(add('model M end M;', 'L.Part', "'my part'")).toContain("L.Part 'my part' ");
    expect(add('model PI end PI; model M end M;', 'PI')).toContain('PI pi ');
    expect(add('model Model end Model; model M end M;', 'Model')).toContain('Model model1 ');
    expect(add("model '1 a' end '1 a'; model M end M;", "'1 a'")).toContain("'1 a' c1_a1 ");
  });

  test('is refused where there can be none', () => {
    const adding =
      (type: string, name?: string) =>
      (entity: ClassEntity, named: (name: string) => ClassEntity): Edit =>
        addComponent(entity, named(type), { placing: at(0, 0), ...(name && { name }) });
    expect(refusal('model M end M;', adding('L'))).toBe('`L` is a package: there can be no component of it.');
    expect(refusal('model M end M;', adding('M'))).toContain('`M` contains `M`, or is the same.');
    expect(refusal('model M end M; model N M m; end N;', adding('N'))).toContain(
      '`N` contains `M`, or is the same.',
    );
    expect(refusal('model M end M; model N extends M; end N;', adding('N'))).toContain('`N` contains `M`');
    expect(refusal('model M L.World world; end M;', adding('L.World'))).toBe(
      '`M` has `world` already, and one is enough.',
    );
    expect(refusal('model M Real x; end M;', adding('L.Part', 'x'))).toBe('`M` has `x` already.');
    expect(refusal('model M end M;', adding('L.Part', 'a b'))).toContain(
      '`a b` cannot be the name of a component.',
    );
    expect(refusal('package M end M;', adding('L.Part'))).toContain(
      '`M` is a package, which has no components in a diagram.',
    );
  });
});

describe('removing a component', () => {
  const remove = (text: string): string => textAfter(text, (entity) => removeComponent(entity, 'a'));

  test.each([
    ['model M L.Part a; end M;', 'model M end M;'],
    ['model M\n  L.Part a "x" annotation(Placement());\n  L.Part b;\nend M;', 'model M\n  L.Part b;\nend M;'],
    ['model M\n  L.Part a, b, c;\nend M;', 'model M\n  L.Part b, c;\nend M;'],
    ['model M\n  L.Part b, a /* first */, c;\nend M;', 'model M\n  L.Part b /* first */, c;\nend M;'],
    ['model M\n  L.Part b, a;\nend M;', 'model M\n  L.Part b;\nend M;'],
    ['model M\n  // kept\n  L.Part a; // also kept\nend M;', 'model M\n  // kept\n  // also kept\nend M;'],
    [
      'model M\n  L.Part a, b; L.Part c;\nequation\n  connect(a.n, b.p) annotation(Line(points = {{0, 0}, {1, 1}}));\n  connect(b.n, c.p);\n  for i in 1:2 loop\n    connect(c.n, a.p);\n  end for;\nend M;',
      'model M\n  L.Part b; L.Part c;\nequation\n  connect(b.n, c.p);\n  for i in 1:2 loop\n  end for;\nend M;',
    ],
    [
      'model M\n  L.Part a, b;\nequation\n  initialState(a); transition(a, b, true);\nend M;',
      'model M\n  L.Part b;\nequation\n  \nend M;',
    ],
  ])('%s', (before, expected) => {
    expect(remove(before)).toBe(expected);
  });

  test('tells what else names it', () => {
    const entity = classIn(
      `${library} model M L.Part a; Real x; equation x = a.p.v; algorithm x := a.R; end M;`,
      'M',
    );
    const result = removeComponent(entity, 'a');
    expect(
      result.ok && result.warnings.map(({ span }) => span!.source.text.slice(span!.start, span!.end)),
    ).toEqual(['x = a.p.v', 'x := a.R']);
  });
});

describe('connecting', () => {
  const parts =
    'L.Part a annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}))); L.Part b annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {60, 0})));';
  const join = (text: string, from = 'a.n', to = 'b.p'): string =>
    textAfter(text, (entity) => connectComponents(entity, from, to));
  const LINE = 'annotation(Line(points = {{10, 0}, {50, 0}}, color = {0, 0, 255}))';

  test.each([
    [`model M ${parts} end M;`, `model M ${parts} equation connect(a.n, b.p) ${LINE}; end M;`],
    [`model M\n  ${parts}\nend M;`, `model M\n  ${parts}\nequation\n  connect(a.n, b.p) ${LINE};\nend M;`],
    [
      `model M\n  ${parts}\nequation\n    a.p.v = 1;\n  annotation(experiment());\nend M;`,
      `model M\n  ${parts}\nequation\n    a.p.v = 1;\n    connect(a.n, b.p) ${LINE};\n  annotation(experiment());\nend M;`,
    ],
    [
      `model M\n  ${parts}\ninitial equation\n  a.p.v = 1;\nend M;`,
      `model M\n  ${parts}\ninitial equation\n  a.p.v = 1;\nequation\n  connect(a.n, b.p) ${LINE};\nend M;`,
    ],
  ])('%s', (before, expected) => {
    expect(join(before)).toBe(expected);
  });

  test('writes the points that are given', () => {
    const text = textAfter(`model M ${parts} end M;`, (entity) =>
      connectComponents(entity, 'a.p', 'b.n', {
        points: [
          [-10, 0],
          [-20.5, 0],
          [-20.5, 30],
        ],
      }),
    );
    expect(text).toContain(
      'connect(a.p, b.n) annotation(Line(points = {{-10, 0}, {-20.5, 0}, {-20.5, 30}}, color = {0, 0, 255}));',
    );
  });

  test('reaches elements of arrays and members of buses', () => {
    expect(join('model M L.Part a[2]; L.Part b; end M;', 'a[1].n', 'b.p')).toContain('connect(a[1].n, b.p)');
    expect(join('model M L.Bus bus; L.Gain g; end M;', 'bus.speed', 'g.u')).toContain(
      'connect(bus.speed, g.u)',
    );
    expect(join('model M L.In u[2]; L.Gain g[2]; end M;', 'u', 'g.u')).toContain('connect(u, g.u)');
  });

  test('is refused for what cannot be connected, with the reasons that a model gets', () => {
    const joining =
      (from: string, to: string) =>
      (entity: ClassEntity): Edit =>
        connectComponents(entity, from, to);
    const text = `model M ${parts} L.Plug plug; L.Gain g; Real x; L.Part c if false; L.Part many[3]; L.Part others[2]; equation connect(a.n, b.p); end M;`;
    expect(refusal(text, joining('a.p', 'plug'))).toContain(
      '`a.p` and `plug` cannot be connected: only the second one has `extra`.',
    );
    expect(refusal(text, joining('a.p', 'g.u'))).toContain(
      'cannot be connected: only one of them has members.',
    );
    expect(refusal(text, joining('a', 'b.n'))).toBe(
      '`a` is not a connector. Its connectors are `a.p`, `a.n`.',
    );
    expect(refusal(text, joining('x', 'b.n'))).toBe(
      '`x` is not a connector. Write an equation instead of connect.',
    );
    expect(refusal(text, joining('a.q', 'b.n'))).toContain('`a.q` is not declared in `M`.');
    expect(refusal(text, joining('c.p', 'b.n'))).toContain('`c.p` is not there: it is conditional.');
    expect(refusal(text, joining('b.p', 'a.n'))).toBe('`b.p` and `a.n` are connected already.');
    expect(refusal(text, joining('a.p', 'a.p'))).toBe('`a.p` cannot be connected with itself.');
    expect(refusal(text, joining('many.p', 'others.p'))).toBe(
      '`many.p` and `others.p` have different sizes: [3] and [2].',
    );
    expect(refusal(text, joining('1 + 2', 'a.p'))).toBe('`1 + 2` is no name of a connector.');
  });

  test('lines are changed, and connections removed', () => {
    const which = { from: 'a.n', to: 'b.p' };
    const reroute = (text: string): string =>
      textAfter(text, (entity) =>
        rerouteConnection(entity, which, [
          [10, 0],
          [30, 0],
          [30, 5],
        ]),
      );
    expect(reroute(`model M ${parts} equation connect(a.n, b.p) "x"; end M;`)).toContain(
      'connect(a.n, b.p) "x" annotation(Line(points = {{10, 0}, {30, 0}, {30, 5}}, color = {0, 0, 255}));',
    );
    expect(
      reroute(
        `model M ${parts} equation connect(a.n, b.p) annotation(Line(points = {{0, 0}, {1, 1}}, thickness = 1), Text()); end M;`,
      ),
    ).toContain('annotation(Line(points = {{10, 0}, {30, 0}, {30, 5}}, thickness = 1), Text());');
    expect(
      textAfter(
        `model M\n  ${parts}\nequation\n  connect(a.n, b.p);\n  connect(b.n, a.p);\nend M;`,
        (entity) => removeConnection(entity, which),
      ),
    ).toBe(`model M\n  ${parts}\nequation\n  connect(b.n, a.p);\nend M;`);
    const removing = (entity: ClassEntity): Edit => removeConnection(entity, which);
    expect(
      refusal(`model B ${parts} equation connect(a.n, b.p); end B; model M extends B; end M;`, removing),
    ).toContain('This connection is inherited from `B`.');
    expect(refusal(`model M ${parts} end M;`, removing)).toBe('`M` does not connect `a.n` and `b.p`.');
  });
});

describe('values of parameters', () => {
  const set = (text: string, path: string[], value: string | undefined, name = 'a'): string =>
    textAfter(text, (entity) => setModifier(entity, name, path, value));

  test.each([
    ['L.Part a', ['R'], '2', 'L.Part a(R = 2)'],
    ['L.Part a[3]', ['R'], '2', 'L.Part a[3](R = 2)'],
    ['L.Part b, a "x"', ['R'], '2', 'L.Part b, a(R = 2) "x"'],
    ['L.Part a(R=1)', ['R'], '2', 'L.Part a(R=2)'],
    ['L.Part a(k={1,2})', ['R'], '2', 'L.Part a(k={1,2}, R=2)'],
    ['L.Part a(R(unit = "V"), k = {1, 2})', ['R'], '2*x', 'L.Part a(R(unit = "V") = 2*x, k = {1, 2})'],
    ['L.Part a()', ['R'], '2', 'L.Part a(R = 2)'],
    ['L.Pair a', ['b', 'R'], '2', 'L.Pair a(b(R = 2))'],
    ['L.Pair a(b(R = 1))', ['b', 'R'], '2', 'L.Pair a(b(R = 2))'],
    ['L.Pair a(b.R = 1)', ['b', 'R'], '2', 'L.Pair a(b.R = 2)'],
    ['L.Pair a(b(k = {3, 4}))', ['a', 'R'], '2', 'L.Pair a(b(k = {3, 4}), a(R = 2))'],
    ['parameter Real a = 1 "x"', [], '2', 'parameter Real a = 2 "x"'],
    ['parameter Real a(min = 0)', [], '2', 'parameter Real a(min = 0) = 2'],
    ['Real a(start = 1)', ['start'], '5', 'Real a(start = 5)'],
    ['Real a[2]', ['start'], '{1, 2}', 'Real a[2](start = {1, 2})'],
  ])('%s and %j = %s', (before, path, value, expected) => {
    expect(set(`model M ${before}; end M;`, path, value)).toBe(`model M ${expected}; end M;`);
  });

  test.each([
    ['L.Part a(R = 2)', ['R'], 'L.Part a'],
    ['L.Part a(R = 2, k = {1, 2})', ['R'], 'L.Part a(k = {1, 2})'],
    ['L.Part a(k = {1, 2}, R = 2) "x"', ['R'], 'L.Part a(k = {1, 2}) "x"'],
    ['L.Part a(R(unit = "V") = 2)', ['R'], 'L.Part a(R(unit = "V"))'],
    ['L.Pair a(b(R = 2))', ['b', 'R'], 'L.Pair a'],
    ['L.Pair a(b(R = 2, k = {1, 2}), a(R = 1))', ['a', 'R'], 'L.Pair a(b(R = 2, k = {1, 2}))'],
    ['L.Part a(/* c */ R = 2)', ['R'], 'L.Part a(/* c */ )'],
    ['parameter Real a(min = 0) = 1', [], 'parameter Real a(min = 0)'],
    ['parameter Real a = 1', [], 'parameter Real a'],
    ['L.Part a', ['R'], 'L.Part a'],
  ])('%s without %j', (before, path, expected) => {
    expect(set(`model M ${before}; end M;`, path, undefined)).toBe(`model M ${expected}; end M;`);
  });

  test('are refused where they make no sense', () => {
    const setting =
      (path: string[], value = '1', name = 'a') =>
      (entity: ClassEntity): Edit =>
        setModifier(entity, name, path, value);
    const text = 'model B L.Part b; end B; model M extends B; L.Part a; Real x; end M;';
    expect(refusal(text, setting(['r']))).toBe('`L.Part` has no element `r` to modify. Did you mean `R`?');
    expect(refusal(text, setting(['f']))).toBe('`a.f` is final: it cannot be modified.');
    expect(refusal(text, setting(['hidden']))).toBe('`a.hidden` is protected: it cannot be modified.');
    expect(refusal(text, setting(['R'], '1 +'))).not.toBe('');
    expect(refusal(text, setting(['R'], '1); Real evil(start = 1'))).not.toBe('');
    expect(refusal(text, setting(['R'], '2', 'b'))).toContain('`b` is inherited from `B`.');
    expect(refusal(text, setting(['strat'], '2', 'x'))).toBe(
      '`x` has no attribute `strat`. Did you mean `start`?',
    );
  });
});

describe('classes in files of libraries', () => {
  test('are edited where they are written', () => {
    const text =
      'package Lib "x"\n  model Part\n  end Part;\n  model M // c\n    Part a annotation(Placement(transformation(extent={{0,0},{1,1}})));\n  end M;\nend Lib;\n';
    const files = { 'Lib/package.mo': text };
    const entity = classIn('model Other end Other;', 'Lib.M', files);
    const moved = placeComponent(entity, 'a', at(20, 30));
    expect(moved.ok && changedText(text, moved.changes)).toBe(
      text.replace('{{0,0},{1,1}}', '{{-10,-10},{10,10}},origin={20,30}'),
    );
    const more = addComponent(entity, classByName(entity.library, 'Lib.Part')!, { placing: at(20, 30) });
    expect(more.ok && changedText(text, more.changes)).toContain(
      '\n    Part part annotation (Placement(transformation(extent={{-10,-10},{10,10}},origin={20,30})));\n  end M;',
    );
  });
});

// ---------------------------------------------------------------- laws

/** Models in many hands: declared one by one and in lists, with comments, descriptions and annotations of other kinds. */
const models = fc
  .record({
    declarations: fc.array(
      fc.record({
        names: fc.integer({ min: 1, max: 3 }),
        prefix: fc.constantFrom('', 'replaceable ', 'inner '),
        modifier: fc.constantFrom('', '(R = 2)', '(R=3)', '(k = {3, 4})', '(/* c */ R = 2, k = {1, 2})'),
        description: fc.constantFrom('', ' "some"', ' "a" + "b"'),
        annotation: fc.constantFrom(
          '',
          ' annotation(Evaluate = false)',
          ' annotation (Placement(transformation(extent={{0,0},{20,20}}, rotation=90)), Dialog(tab = "x"))',
          ' annotation(/* empty */)',
        ),
        comment: fc.constantFrom('', ' // a comment; with connect(a.n, b.p)', ' /* end M; */'),
        gap: fc.constantFrom(' ', '  ', '\n  '),
      }),
      { minLength: 1, maxLength: 4 },
    ),
    newline: fc.constantFrom('\n', '\r\n', ' '),
    connects: fc.array(fc.tuple(fc.nat(10), fc.nat(10), fc.boolean()), { maxLength: 4 }),
  })
  .map(({ declarations, newline, connects }) => {
    const names: string[] = [];
    const break_ = newline;
    const lines = declarations.map(
      ({ names: count, prefix, modifier, description, annotation, comment, gap }) => {
        const own = Array.from({ length: count }, () => {
          names.push(`c${names.length}`);
          return `${names.at(-1)}${modifier}${description}${annotation}`;
        });
        const tail = newline === ' ' && comment.includes('//') ? '' : comment;
        return `${prefix}L.Part${gap.replace('\n', break_)}${own.join(`,${gap.replace('\n', break_)}`)};${tail}`;
      },
    );
    const equations = connects.map(
      ([a, b, drawn]) =>
        `connect(${names[a % names.length]}.n, ${names[b % names.length]}.p)${drawn ? ' annotation(Line(points={{0,0},{10,10}}))' : ''};`,
    );
    const body = [...lines, ...(equations.length > 0 ? ['equation', ...equations] : [])];
    return { text: ['model M', ...body.map((line) => `  ${line}`), 'end M;', ''].join(break_), names };
  });

const printed = (text: string): string => print(parse(new Source('test.mo', text)).definition);
const changed = (text: string, edit: Edit): string => {
  expect(edit.ok).toBe(true);
  return edit.ok ? changedText(text, edit.changes) : text;
};
const entityOf = (text: string): ClassEntity => classIn(library + text, 'M');
const placings = fc.record({
  extent: fc
    .tuple(
      fc.tuple(fc.integer({ min: -50, max: -1 }), fc.integer({ min: -50, max: -1 })),
      fc.tuple(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 50 })),
    )
    .chain(([a, b]) =>
      fc.constantFrom(
        [a, b] as const,
        [
          [b[0], a[1]],
          [a[0], b[1]],
        ] as const,
        [
          [a[0], b[1]],
          [b[0], a[1]],
        ] as const,
      ),
    ),
  rotation: fc.constantFrom(0, 90, 180, 270, -90, 45),
  origin: fc.tuple(fc.integer({ min: -100, max: 100 }), fc.integer({ min: -100, max: 100 })),
});

describe('laws of edits', () => {
  test('a place that was given is read back, and giving back the old one gives the old class', () => {
    fc.assert(
      fc.property(models, placings, fc.nat(20), ({ text, names }, placing, k) => {
        const name = names[k % names.length]!;
        const before = component(diagramOf(entityOf(text)), name);
        const moved = changed(library + text, placeComponent(entityOf(text), name, placing)).slice(
          library.length,
        );
        const now = component(diagram(library + moved, 'M'), name);
        const { extent } = now.system;
        const matrix = placingMatrix(now.placing, extent);
        for (const [i, value] of placingMatrix(placing, extent).entries())
          expect(matrix[i]).toBeCloseTo(value, 9);
        expect(now.automatic).toBe(false);
        const back = changed(library + moved, placeComponent(entityOf(moved), name, before.placing)).slice(
          library.length,
        );
        const again = component(diagram(library + back, 'M'), name);
        expect(placingMatrix(again.placing, extent)).toEqual(placingMatrix(before.placing, extent));
        // All else is as it was: other components, and what is printed without this annotation.
        const without = (one: string): string =>
          one
            .replace(/Placement\((?:[^()]|\([^()]*\))*\)/g, '')
            .replace(/annotation *\([\s,]*\)|\s+|,(?=\s*\))/g, '')
            .replace(/\/\*empty\*\/|annotation\(\)/g, '');
        expect(without(moved)).toBe(without(text));
      }),
    );
  });

  test('what is added can be removed again', () => {
    fc.assert(
      fc.property(models, placings, ({ text }, placing) => {
        const entity = entityOf(text);
        const result = addComponent(entity, classByName(entity.library, 'L.Part')!, { placing });
        const more = changed(library + text, result).slice(library.length);
        const name = result.ok ? result.name : '';
        expect(component(diagram(library + more, 'M'), name).class).toBe('L.Part');
        const back = changed(library + more, removeComponent(entityOf(more), name));
        expect(printed(back)).toBe(printed(library + text));
      }),
    );
  });

  test('what is connected can be disconnected again, and the model has that connection', () => {
    fc.assert(
      fc.property(models, fc.nat(20), fc.nat(20), ({ text, names }, a, b) => {
        const [from, to] = [`${names[a % names.length]}.p`, `${names[b % names.length]}.n`];
        const result = connectComponents(entityOf(text), from, to);
        if (!result.ok) {
          expect(result.problems[0]!.message).toContain('connected already');
          return;
        }
        const more = changed(library + text, result).slice(library.length);
        const { connections } = diagram(library + more, 'M');
        expect(connections.at(-1)).toMatchObject({ from, to, automatic: false });
        const back = changed(library + more, removeConnection(entityOf(more), { from, to }));
        expect(diagram(back, 'M').connections).toEqual(diagram(library + text, 'M').connections);
      }),
    );
  });

  test('a value that was set can be taken away again', () => {
    fc.assert(
      fc.property(models, fc.nat(20), fc.constantFrom('5', '2*3 + 1', '-1'), ({ text, names }, k, value) => {
        const name = names[k % names.length]!;
        const more = changed(library + text, setModifier(entityOf(text), name, ['R'], value)).slice(
          library.length,
        );
        expect(more).toContain(value);
        const back = changed(library + more, setModifier(entityOf(more), name, ['R'], undefined)).slice(
          library.length,
        );
        const plain = changed(library + text, setModifier(entityOf(text), name, ['R'], undefined));
        expect(printed(library + back)).toBe(printed(plain));
      }),
    );
  });

  test('the flat model changes by what was edited', () => {
    const text =
      'model M\n  L.Part a, b "x"; // c\n  L.Ground g;\nequation\n  connect(a.n, b.p);\n  connect(b.n, g.p);\nend M;\n';
    const flat = (whole: string): string[] => printFlat(loadModel(whole, 'M')).split('\n');
    const base = flat(library + text);
    const difference = (edit: Edit): string[] => {
      const now = flat(changed(library + text, edit));
      return [
        ...base.filter((line) => !now.includes(line)).map((line) => `- ${line.trim()}`),
        ...now.filter((line) => !base.includes(line)).map((line) => `+ ${line.trim()}`),
      ];
    };
    const entity = entityOf(text);
    expect(difference(placeComponent(entity, 'a', at(10, 10)))).toEqual([]);
    expect(difference(setModifier(entity, 'a', ['R'], '7'))).toEqual([
      expect.stringMatching(/^- parameter Real 'a\.R' = 1/),
      expect.stringMatching(/^\+ parameter Real 'a\.R' = 7/),
    ]);
    expect(
      difference(connectComponents(entity, 'a.p', 'g.p')).some((line) => /^\+ .*'a\.p\.v'/.test(line)),
    ).toBe(true);
    const gone = difference(removeComponent(entity, 'a'));
    expect(gone.every((line) => !line.startsWith('+') || !line.includes("'a."))).toBe(true);
    expect(gone.some((line) => line.startsWith("- parameter Real 'a.R'"))).toBe(true);
  });
});
