/** Redeclarations (specification 3.6, sections 7.3.1 to 7.3.3): what stands in the place of an element, and what may not. */
import { describe, expect, test } from 'vitest';
import { problems, show, tree } from './notation.ts';

const models = `
  model A parameter Real x = 1; end A;
  model B parameter Real x = 2; parameter Real y = 3; end B;
  model C parameter Real x = 4; parameter Real y = 5; parameter Real z = 6; end C;
`.replaceAll('\n', ' ');

describe('modifiers that hold for every replacement', () => {
  test.each([
    // Those of the first declaration, below those of the redeclaration.
    [
      'model D replaceable A a(x = 10); end D; model M D d(redeclare B a); end M;',
      ['d.a.x = 10', 'd.a.y = 3'],
    ],
    [
      'model D replaceable A a(x = 10); end D; model M D d(redeclare B a(x = 11)); end M;',
      ['d.a.x = 11', 'd.a.y = 3'],
    ],
    [
      'model D replaceable A a(x = 10); end D; model M extends D; redeclare B a; end M;',
      ['a.x = 10', 'a.y = 3'],
    ],
    [
      'model D replaceable model T = A(x = 10); T t; end D; model M D d(redeclare model T = B); end M;',
      ['d.t.x = 10', 'd.t.y = 3'],
    ],
    [
      'model D replaceable model T = A(x = 10); T t; end D; model M D d(redeclare model T = B(x = 11)); end M;',
      ['d.t.x = 11', 'd.t.y = 3'],
    ],
    [
      'model D replaceable model T = A(x = 10); T t; end D; model M extends D; redeclare model T = B; end M;',
      ['t.x = 10', 't.y = 3'],
    ],
    // Those of the constraining clause alone, where there is one.
    [
      'model D replaceable B b(y = 12) constrainedby A(x = 10); end D; model M D d; D e(redeclare C b); end M;',
      ['d.b.x = 10', 'd.b.y = 12', 'e.b.x = 10', 'e.b.y = 5', 'e.b.z = 6'],
    ],
    // Those of a redeclaration go with it, those of its constraining clause stay.
    [
      'model D replaceable A a; end D; model E extends D(redeclare replaceable B a(y = 13)); end E; model M E e; E f(redeclare C a); end M;',
      ['e.a.x = 2', 'e.a.y = 13', 'f.a.x = 4', 'f.a.y = 5', 'f.a.z = 6'],
    ],
    [
      'model D replaceable A a; end D; model E extends D(replaceable B a constrainedby B(y = 13)); end E; model M E e; E f(redeclare C a); end M;',
      ['e.a.x = 2', 'e.a.y = 13', 'f.a.x = 4', 'f.a.y = 13', 'f.a.z = 6'],
    ],
    [
      'model D replaceable model T = A; T t; end D; model E extends D(redeclare replaceable model T = B(y = 13)); end E; model M E f(redeclare model T = C); end M;',
      ['f.t.x = 4', 'f.t.y = 5', 'f.t.z = 6'],
    ],
    // Those that are given to the element, whatever stands there.
    [
      'model D replaceable A a; end D; model E extends D(a(x = 10)); end E; model M E e(redeclare B a); end M;',
      ['e.a.x = 10', 'e.a.y = 3'],
    ],
    [
      'model D replaceable A a; end D; model E extends D(redeclare replaceable B a); end E; model F extends E(a(x = 10)); end F; model M F f(redeclare C a); end M;',
      ['f.a.x = 10', 'f.a.y = 5', 'f.a.z = 6'],
    ],
  ])('%s', (text, values) => {
    expect(show(tree(models + text, 'M'))).toEqual(values);
  });
});

test('sizes, prefixes and conditions that a redeclaration does not write are those of what it replaces', () => {
  const text = `
    model A parameter Integer n = 2; parameter Boolean c = false; replaceable parameter Real p[n] = {1, 2}; replaceable Real x if c; end A;
    model B extends A; redeclare Real p(unit = "m"); end B;
    model M B b; A a(n = 3, redeclare Real x, redeclare Real p = {1, 2, 3}); end M;`;
  const root = tree(text, 'M');
  expect(show(root)).toEqual([
    'b.n = 2',
    'b.c = false',
    'b.p[2] (unit = each "m") = {1, 2}',
    'a.n = 3',
    'a.c = false',
    'a.p[3] = {1, 2, 3}',
  ]);
});

test('the sizes of a component can be redeclared, although it is not replaceable', () => {
  const root = tree('model A Real x[:, :] = ones(2, 3); end A; model M A a(redeclare Real x[2, 3]); end M;');
  expect(show(root)).toEqual(['a.x[2,3] = ones(2, 3)']);
});

describe('a redeclaration is refused', () => {
  test.each([
    // Of what is not replaceable, final or constant.
    [
      'model D replaceable A a; end D; model E extends D(redeclare B a); end E; model M\nE e(redeclare C a); end M;',
      '2:5 bad-binding `a` is redeclared but not replaceable. | Write `redeclare replaceable` there to allow further redeclarations.',
    ],
    [
      'model D replaceable A a; end D; model E extends D; redeclare B a; end E; model M\nE e(redeclare C a); end M;',
      '2:5 bad-binding `a` is redeclared but not replaceable. | Declare it `replaceable` to allow this redeclaration.',
    ],
    [
      'model D final replaceable model T = A; T t; end D; model M\nD d(redeclare model T = B); end M;',
      '2:5 bad-binding This modifies an element that is declared final. | Remove the modifier, or the prefix `final` of the declaration.',
    ],
    [
      'model D final replaceable model T = A; end D; model M extends D; redeclare model\nT = B; T t; end M;',
      '2:1 bad-binding This modifies an element that is declared final. | Remove the modifier, or the prefix `final` of the declaration.',
    ],
    [
      'model D replaceable constant Real x = 1; end D; model M extends D; redeclare Real\nx = 2; end M;',
      '2:1 not-allowed `x` is a constant, which cannot be redeclared. | Give it another value instead.',
    ],
    [
      'model D replaceable constant Real x = 1; end D; model M\nD d(redeclare Real x = 2); end M;',
      '2:5 not-allowed `x` is a constant, which cannot be redeclared. | Give it another value instead.',
    ],
    // With another visibility.
    [
      'model D protected replaceable A a; end D; model M extends D; redeclare A\na; end M;',
      '2:1 not-allowed `a` is protected, and redeclared as public. | Redeclare it in a `protected` section.',
    ],
    [
      'model D replaceable model T = A; end D; model M extends D; protected redeclare model\nT = B; T t; end M;',
      '2:1 not-allowed `T` is public, and redeclared as protected. | Redeclare it in a `public` section.',
    ],
    // Of other dimensions or prefixes.
    [
      'model D replaceable Real x[2]; end D; model M\nD d(redeclare Real x[2, 2]); end M;',
      '2:5 type-mismatch `x` cannot be redeclared so: it has 2 dimensions, not 1.',
    ],
    [
      'model D replaceable parameter Real p = 1; end D; model M\nD d(redeclare discrete Real p = 2); end M;',
      '2:5 type-mismatch `p` cannot be redeclared so: it is discrete, not a parameter.',
    ],
    // By what is no subtype of the constraining class.
    [
      'model D replaceable model T = B; end D; model M\nD d(redeclare model T = A); end M;',
      '2:5 type-mismatch `A` cannot replace `B`: it has no element `y`.',
    ],
    [
      'model D replaceable model T = A; end D; model E extends D(redeclare replaceable model T = B constrainedby B); end E; model M\nE e(redeclare model T = A); end M;',
      '2:5 type-mismatch `A` cannot replace `B`: it has no element `y`.',
    ],
    [
      'model D replaceable B b; end D; model E extends D(replaceable C b constrainedby\nA); end E; model M E e; end M;',
      '2:1 type-mismatch `A` cannot constrain `b` in place of `B`: it has no element `y`.',
    ],
    [
      'model M replaceable A\na constrainedby B; end M;',
      '2:1 type-mismatch `A` cannot be the default of `a`, which `B` constrains: it has no element `y`.',
    ],
    [
      'model M replaceable model\nT = A constrainedby B; T t; end M;',
      '2:1 type-mismatch `A` cannot be the default of `T`, which `B` constrains: it has no element `y`.',
    ],
    [
      'type R3 = Real[3]; type R23 = Real[2, 3]; model M replaceable type\nT = R3[2] constrainedby R23; end M;',
      '2:1 type-mismatch `R3` cannot be the default of `T`, which `R23` constrains: it has 1 dimension, not 2.',
    ],
    [
      'type R3 = Real[3]; type R23 = Real[2, 3]; model M replaceable R3\nx[2] = ones(2, 3) constrainedby R23; end M;',
      '2:1 type-mismatch `R3` cannot be the default of `x`, which `R23` constrains: it has 1 dimension, not 2.',
    ],
    [
      'model D replaceable function f = g; end D; function g input Real u; output Real y; end g; function h input Real v; output Real y; end h; model M\nD d(redeclare function f = h); end M;',
      '2:5 type-mismatch `h` cannot replace `g`: it has no input `u`.',
    ],
    // By what needs a connection that nobody can make.
    [
      'connector I = input Real; model P extends A; I u; end P; model D replaceable A a; end D; model M\nD d(redeclare P a); end M;',
      '2:5 type-mismatch `P` cannot replace `A`: its `u` is an input, to which nothing outside can be connected.',
    ],
    // Of what is not inherited.
    [
      'model M redeclare A\na; end M;',
      '2:1 unknown-name There is no inherited `a` that could be redeclared. | Extend the class that has it, or remove `redeclare`.',
    ],
    [
      'model M model extends\nT Real x = 1; end T; T t; end M;',
      '2:1 unknown-name There is no inherited `T` that could be redeclared. | Extend the class that has it, or remove `redeclare`.',
    ],
    // `class extends` follows the same rules.
    [
      'model D model T Real x = 1; end T; end D; model M extends D; redeclare model extends\nT Real y = 2; end T; T t; end M;',
      '2:1 bad-binding The class `T` is redeclared but not replaceable. | Declare it `replaceable` to allow this redeclaration.',
    ],
    [
      'model D replaceable model T Real x = 1; end T; end D; model E extends D; redeclare model extends T Real y = 2; end T; end E; model M extends E; redeclare model extends\nT Real z = 3; end T; T t; end M;',
      '2:1 bad-binding The class `T` is redeclared but not replaceable. | Declare it `replaceable` to allow this redeclaration.',
    ],
  ])('%s', (text, problem) => {
    expect(problems(models + text)).toEqual([problem]);
  });
});

test('a component of the class itself may need connections that its constraining class does not', () => {
  const text =
    'connector I = input Real; model P extends A; I u; end P; model D replaceable A a; end D; model M extends D(redeclare P a); equation a.u = time; end M;';
  expect(problems(models + text)).toEqual([]);
});

test('a `class extends` without `redeclare` leaves the inherited class to the text that uses it', () => {
  const base = 'model D replaceable model T Real x = 1; end T; T d; end D;';
  const added = `${base} model M extends D; model extends T Real y = 2; end T; T t; end M;`;
  expect(show(tree(added))).toEqual(['d.x = 1', 't.x = 1', 't.y = 2']);
  const replaced = `${base} model M extends D; redeclare model extends T Real y = 2; end T; T t; end M;`;
  expect(show(tree(replaced))).toEqual(['d.x = 1', 'd.y = 2', 't.x = 1', 't.y = 2']);
});

test('a constraining class must exist', () => {
  const names = (text: string) => problems(`${models}\n${text}`).map((line) => line.replace(/^\S+ /, ''));
  for (const text of [
    'model M replaceable A a constrainedby NoSuch; end M;',
    'model D replaceable A a; end D; model M D d(redeclare replaceable B a constrainedby NoSuch); end M;',
  ])
    expect(names(text).join()).toContain('unknown-class The class `NoSuch` cannot be found');
});
