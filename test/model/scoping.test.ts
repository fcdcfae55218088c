/** What names may reach (specification 3.6, sections 4.1, 5.3, 5.4 and 13.2): wrong models, with the place and the message, and right ones beside them. */
import { describe, expect, test } from 'vitest';
import { problems, refusals } from './notation.ts';

const hidden = 'model A protected model B Real x = 1; end B; constant Real c = 2; Real y = 3; B b; end A;';
const protectedIn = (name: string, owner = 'A'): string => {
  const users = owner === 'a' ? 'its class `A`' : 'this class';
  return `\`${name}\` of \`${owner}\` is protected: only ${users}, and those that extend it, can use it.`;
};
const noPackage = (name: string): string =>
  `\`${name}\` of \`A\` cannot be used here, because \`A\` has more than classes and constants: it is no package.`;

describe('protected elements', () => {
  test.each([
    [`${hidden} model M A.\nB b; end M;`, `2:1 not-allowed ${protectedIn('B')}`],
    [`${hidden} model M extends A; A.\nB ab; end M;`, `2:1 not-allowed ${protectedIn('B')}`],
    [`${hidden} model M extends A.\nB; end M;`, `2:1 not-allowed ${protectedIn('B')}`],
    [`${hidden} model M model C = A.\nB; C c; end M;`, `2:1 not-allowed ${protectedIn('B')}`],
    [`${hidden} model M Real x = A.\nc; end M;`, `2:1 unknown-name ${protectedIn('c')}`],
    [`${hidden} model M A a; Real x = a.\ny; end M;`, `2:1 unknown-name ${protectedIn('y', 'a')}`],
    [
      `model A protected function f input Real x; output Real y = x; algorithm end f; end A; model M A a; Real x = a.\nf(1); end M;`,
      `2:1 unknown-name ${protectedIn('f', 'a')}`,
    ],
    [
      `package P protected package Q constant Real x = 1; end Q; end P; model M Real x = P.\nQ.x; end M;`,
      `2:1 unknown-name ${protectedIn('Q', 'P')}`,
    ],
    [
      `${hidden} model M A a(\ny = 4); end M;`,
      '2:1 not-allowed `y` of `A` is protected: components of this class cannot modify it.',
    ],
    [
      `${hidden} model D A a; end D; model M D d(a(\ny = 4)); end M;`,
      '2:1 not-allowed `y` of `A` is protected: components of this class cannot modify it.',
    ],
    [
      `${hidden} model M A a(\nB(x = 4)); end M;`,
      '2:1 not-allowed `B` of `A` is protected: components of this class cannot modify it.',
    ],
    [
      'model A protected replaceable Real y = 3; end A; model M A a(\nredeclare Real y = 4); end M;',
      '2:1 not-allowed `y` of `A` is protected: components of this class cannot modify it.',
    ],
    [
      'model C Real y = 1; end C; model A protected extends C; end A; model M A a; Real x = a.\ny; end M;',
      `2:1 unknown-name ${protectedIn('y', 'a')}`,
    ],
    [
      'model D Real y = 1; end D; model C extends D; end C; model A protected extends C(y = 3); end A; model M A a(\ny = 4); end M;',
      '2:1 not-allowed `y` of `A` is protected: components of this class cannot modify it.',
    ],
  ])('%s', (text, expected) => {
    expect(refusals(text)).toEqual([expected]);
  });

  test('are there for classes that extend, which can modify them, and for the class itself', () => {
    expect(
      refusals(`${hidden} model M extends A(y = 4, B(x = 5)); B b2; Real z = y + b.x + c; end M;`),
    ).toEqual([]);
    expect(refusals(`${hidden} model D = A(y = 4); model M D d; end M;`)).toEqual([]);
  });
});

describe('what a class shows', () => {
  const models =
    'class A Real v = 1; constant Real c = 2; model B Real y = 3; end B; encapsulated model E Real y = 3; end E; end A;';

  test.each([
    [`${models} model M A.\nB b; end M;`, `2:1 not-allowed ${noPackage('B')}`],
    [`${models} model M .A.\nB b; end M;`, `2:1 not-allowed ${noPackage('B')}`],
    [`${models} model M Real x = A.\nc; end M;`, `2:1 unknown-name ${noPackage('c')}`],
    [
      'partial package P constant Real x = 1; end P; model M Real y = P.\nx; end M;',
      '2:1 unknown-name `P` is partial, so that `x` in it cannot be used.',
    ],
    [
      'partial package P type T = Real; end P; model M P.\nT y = 1; end M;',
      '2:1 not-allowed `P` is partial, so that `T` in it cannot be used.',
    ],
    [
      'model A function f input Real x; output Real y = x; algorithm end f; end A; model M A a[3]; Real x = a.\nf(1); end M;',
      '2:1 unknown-name `f` of `a` cannot be used: `a` is an array of components.',
    ],
    [
      'model A function f input Real x; output Real y = x; algorithm end f; end A; model M A a[3]; Real x = a[2].\nf(1); end M;',
      '2:1 unknown-name `f` of `a` cannot be used: `a` is an array of components.',
    ],
  ])('%s', (text, expected) => {
    expect(refusals(text)).toEqual([expected]);
  });

  test('encapsulated classes; all of what a package could be, and of packages that extend partial ones', () => {
    expect(refusals(`${models} model M A.E e; end M;`)).toEqual([]);
    expect(
      refusals(
        'class A constant Real c = 2; model B Real y = c; end B; end A; model M A.B b; Real x = A.c; end M;',
      ),
    ).toEqual([]);
    expect(
      refusals(
        'partial package P constant Real x; end P; package Q extends P(x = 2); end Q; model M Real y = Q.x; end M;',
      ),
    ).toEqual([]);
  });
});

describe('short classes that are encapsulated', () => {
  const around = (text: string): string =>
    `package P constant Real c = 2; type A = Real(start = c); ${text} end P; model M P.T x; equation x = 1; end M;`;
  const beyond = (name: string): string =>
    `2:1 not-allowed \`P.T\` is encapsulated: \`${name}\` around it cannot be found from it.`;

  test.each([
    ['encapsulated type T =\nA;', 'A'],
    ['encapsulated type T =\nP.A;', 'P'],
    ['encapsulated type T = Real(start =\nc);', 'c'],
    ['encapsulated type T = Real(start = 1 +\nP.c);', 'P'],
  ])('%s', (text, name) => {
    expect(refusals(around(text))).toEqual([beyond(name)]);
  });

  test.each([
    'encapsulated type T = Real(start = sin(1), stateSelect = StateSelect.avoid);',
    'encapsulated type T = .P.A(start = .P.c);',
    'type T = A(start = c);',
    'encapsulated package Q import P; type B = P.A; end Q; type T = Q.B;',
  ])('%s', (text) => {
    expect(refusals(around(text))).toEqual([]);
  });
});

describe('imports', () => {
  const packages =
    'package P constant Real x = 1; protected constant Real y = 2; end P; package Q constant Real x = 3; end Q;';

  test.each([
    [
      `${packages} model M import P.y; Real z =\ny; end M;`,
      '2:1 unknown-name `y` of `P` is protected, and cannot be imported.',
    ],
    [`${packages} model M import P.*; Real z =\ny; end M;`, '2:1 unknown-name There is no `y` in M.'],
    [
      'model A encapsulated model B Real x = 1; end B; end A; model M import A.B;\nB b; end M;',
      '2:1 not-allowed `B` is imported from the model `A`, and only packages can be imported from.',
    ],
    [
      'model A encapsulated model B Real x = 1; end B; end A; model M import C = A.B;\nC b; end M;',
      '2:1 not-allowed `B` is imported from the model `A`, and only packages can be imported from.',
    ],
    [
      'model A encapsulated model B Real x = 1; end B; end A; model M import A.*;\nB b; end M;',
      '2:1 not-allowed `B` is imported from the model `A`, and only packages can be imported from.',
    ],
    [
      `${packages} model M import P.x;\nimport Q.x; Real z = x; end M;`,
      '2:1 duplicate-name `x` is imported twice.',
    ],
    [
      `${packages} model M import P.{x, y};\nimport y = Q.x; Real z = x; end M;`,
      '2:1 duplicate-name `y` is imported twice.',
    ],
  ])('%s', (text, expected) => {
    expect(refusals(text)).toEqual([expected]);
  });

  test('a protected name of one package does not hide that of another', () => {
    const other = 'package R constant Real y = 4; end R;';
    expect(refusals(`${packages} ${other} model M import P.*; import R.*; Real z = x + y; end M;`)).toEqual(
      [],
    );
  });
});

describe('outer elements', () => {
  const mismatch = (name: string, why: string): string =>
    `The inner \`${name}\` cannot stand for the outer \`a.${name}\`: ${why}.`;

  test.each([
    // Types.
    [
      'model A outer\nInteger p; end A; model M inner Real p = 1; A a; end M;',
      `2:9 type-mismatch ${mismatch('p', 'it is Real, not Integer')}`,
    ],
    [
      'type E = enumeration(a, b); type F = enumeration(b, c); model A outer\nF p; end A; model M inner E p = E.a; A a; end M;',
      `2:3 type-mismatch ${mismatch('p', 'it is `E`, not `F`')}`,
    ],
    [
      'record R Real x; end R; record S Real x; Real y; end S; model A outer\nS p; end A; model M inner R p = R(1); A a; end M;',
      `2:3 type-mismatch ${mismatch('p', 'it has no element `y`')}`,
    ],
    [
      'model A outer\nparameter Real p; end A; model M inner Real p = time; A a; end M;',
      `2:16 type-mismatch ${mismatch('p', 'it is continuous, not a parameter')}`,
    ],
    // Sizes.
    [
      'model A outer\nReal p; end A; model M inner Real p[2] = {1, 2}; A a; end M;',
      `2:6 type-mismatch ${mismatch('p', 'it has 1 dimension, not 0')}`,
    ],
    [
      'model A outer\nReal p[3]; end A; model M inner Real p[2] = {1, 2}; A a; end M;',
      '2:6 dimension-mismatch The outer `a.p` has sizes [3], but the inner `p` has [2].',
    ],
    // Modifiers.
    [
      'model A outer parameter Real p\n= 2; end A; model M inner parameter Real p = 1; A a; end M;',
      '2:1 not-allowed `a.p` is outer: it cannot be modified here.',
    ],
    [
      'model A outer parameter Real p; end A; model M inner parameter Real p = 1; A a(\np = 2); end M;',
      '2:1 not-allowed `a.p` is outer: it cannot be modified here.',
    ],
    [
      'model A outer Real p; end A; model M inner Real p = 1; A a(\np(unit = "V")); end M;',
      '2:1 not-allowed `a.p` is outer: it cannot be modified here.',
    ],
    [
      'model A outer Real p; end A; model B extends A(\np(unit = "V")); end B; model M inner Real p = 1; B a; end M;',
      '2:1 not-allowed `a.p` is outer: it cannot be modified here.',
    ],
    // What the type of the outer one does not have.
    [
      'record R Real x; end R; record S extends R; Real y; end S; model A outer R p; Real z = p.\ny; end A; model M inner S p = S(1, 2); A a; end M;',
      '2:1 unknown-name `p` is declared as an outer `R`, which has no `y`.',
    ],
    // Classes.
    [
      'model A outer function\nf = F; Real y = f(1); end A; partial function F input Real x; output Real y; end F; model M A a; end M;',
      '2:1 unknown-class The outer function `A.f` has no inner function.',
    ],
    [
      'partial model W Real x; end W; model A outer model\nV = W; V v; end A; model M A a; end M;',
      '2:1 unknown-class The outer model `A.V` has no inner model.',
    ],
    [
      'partial function F input Real x; output Real y; end F; function G input Real x; input Real z; output Real y = x + z; algorithm end G; model A outer function\nf = F; Real y = f(1); end A; model M inner function f = G; A a; end M;',
      '2:1 type-mismatch The inner `M.f` cannot stand for the outer `A.f`: it has a further input `z` without a default value.',
    ],
  ])('%s', (text, expected) => {
    expect(refusals(text)).toEqual([expected]);
  });

  test.each([
    [
      'sizes that are left open',
      'model A outer Real p[:]; Real s = sum(p); end A; model M inner Real p[2] = {1, 2}; A a; end M;',
    ],
    [
      'a constant for a parameter',
      'model A outer parameter Real p; parameter Real q = p; end A; model M inner constant Real p = 1; A a; end M;',
    ],
    [
      'a partial type',
      'partial record R Real x; end R; record S extends R; Real y; end S; model A outer R p; Real z = p.x; end A; model M inner S p = S(1, 2); A a; end M;',
    ],
  ])('%s', (_, text) => {
    expect(refusals(text)).toEqual([]);
  });
});

describe('a missing inner component', () => {
  const world =
    'model World parameter Real g = 9.81; annotation(missingInnerMessage = "Drag a world into the model."); end World;';

  test('is added, with a warning in the words of its class', () => {
    expect(problems(`${world} model A outer\nWorld world; end A;\nmodel M A a; A b; end M;`)).toEqual([
      '2:7 warning unknown-name The outer component `a.world` has no inner component: `inner World world` is added to the model. | Drag a world into the model.',
    ]);
  });

  test('is an error where outer ones are of different classes', () => {
    const more = 'model More extends World; parameter Real h = 2; end More;';
    const text = `${world} ${more} model A outer\nWorld world; Real x = world.g; end A; model B outer\nMore world; Real x = world.h; end B; model M A a; B b; end M;`;
    const hint = (type: string): string =>
      `None can be added, since those that are outer are of different classes, \`World\` and \`More\`. Declare \`inner ${type} world;\` in the model or in a component that contains this one.`;
    expect(problems(text)).toEqual([
      `2:7 unknown-name The outer component \`a.world\` has no inner component. | ${hint('World')}`,
      `3:6 unknown-name The outer component \`b.world\` has no inner component. | ${hint('More')}`,
    ]);
  });

  test('can be one that the model itself declares outer', () => {
    expect(
      problems(`${world} model A outer World world; end A; model M outer\nWorld world; A a; end M;`),
    ).toEqual([
      '2:7 warning unknown-name The outer component `world` has no inner component: `inner World world` is added to the model. | Drag a world into the model.',
    ]);
  });

  test.each([
    ['model A outer\nReal x; end A; model M A a; end M;', 'Real x'],
    ['partial model W Real g; end W; model A outer\nW x; end A; model M A a; end M;', 'W x'],
    ['model W parameter Real g = 1; end W; model A outer\nW x[2]; end A; model M A a; end M;', 'W x'],
    ['model W parameter Real g = 1; end W; model A outer\nW x; end A; model M A a; W x; end M;', 'W x'],
  ])('is an error where it cannot be added: %s', (text, declaration) => {
    expect(problems(text)).toEqual([
      `2:${declaration.length} unknown-name The outer component \`a.x\` has no inner component. | Declare \`inner ${declaration};\` in the model or in a component that contains this one.`,
    ]);
  });

  test('is an error where the types of the outer ones contradict each other', () => {
    const text =
      'model V Real x = 1; end V; model W Integer x = 1; end W; model A outer V w; end A; model B outer W w; end B; model M A a; B b; end M;';
    expect(refusals(text).map((line) => line.replace(/^\S+ /, ''))).toEqual([
      'unknown-name The outer component `a.w` has no inner component.',
      'unknown-name The outer component `b.w` has no inner component.',
    ]);
  });
});
