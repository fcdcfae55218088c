/** Which classes a class may inherit (specification 3.6, sections 4.5.2 and 7.1), and what is visible of what it inherits. */
import { describe, expect, test } from 'vitest';
import { shapeOf } from '../../src/model/classes/shape.ts';
import { load, problems, refusals } from './notation.ts';

/** A class of each kind, with nothing in it that could not be in others. */
const bodies: Record<string, string> = {
  class: 'class B end B;',
  package: 'package B end B;',
  function: 'function B end B;',
  type: 'type B = Real;',
  record: 'record B end B;',
  connector: 'connector B end B;',
  'expandable connector': 'expandable connector B end B;',
  block: 'block B end B;',
  model: 'model B end B;',
};

/** The table of section 7.1.3; a `class` can extend all that has instances. */
const table: Record<string, readonly string[]> = {
  package: ['package', 'class'],
  function: ['function', 'class'],
  type: ['type', 'class'],
  record: ['record', 'class'],
  'expandable connector': ['expandable connector', 'class'],
  connector: ['type', 'record', 'connector', 'class'],
  block: ['record', 'block', 'class'],
  model: ['record', 'block', 'model', 'class'],
  class: ['class', 'type', 'record', 'connector', 'block', 'model'],
};

describe.each(Object.keys(table))('%s', (kind) => {
  test.each(Object.keys(bodies))('extends %s', (base) => {
    const derived = load(`${bodies[base]} ${kind} D extends B; end D;`).topLevel('D')!;
    const refused = shapeOf(derived).problems.map(({ code, message }) => `${code} ${message}`);
    const article = kind.startsWith('e') ? 'An' : 'A';
    const message = `not-allowed ${article} ${kind} cannot extend the ${base} \`B\`.`;
    expect(refused).toEqual(table[kind]!.includes(base) ? [] : [message]);
  });
});

describe('a class cannot extend', () => {
  test.each([
    // What can be replaced.
    [
      'model M replaceable model A Real x = 1; end A; extends\nA; end M;',
      '2:1 not-allowed `M.A` is replaceable: it cannot be extended. | Extend a class that is not replaceable, or refine an inherited one: `redeclare model extends A`.',
    ],
    [
      'model D replaceable package P model A Real x = 1; end A; end P; end D; model M package Q = D.P; extends\nQ.A; end M;',
      '2:1 not-allowed `D.P` is replaceable: it cannot be extended. | Extend a class that is not replaceable, or refine an inherited one: `redeclare model extends A`.',
    ],
    // What another base class has.
    [
      'model D model A Real x = 1; end A; end D; model M extends D; extends\nA; end M;',
      '2:1 not-allowed `A` is inherited: `M` cannot extend it, or what is in it. | Write its whole name, from the class that declares it.',
    ],
    // Arrays, simple types and classes with a prefix, besides other things.
    [
      'model A Real x = 1; end A; model A3 = A[3]; model B extends\nA3; Real y = 1; end B; model M B b; end M;',
      '2:1 not-allowed `B` extends `A3`, which is an array, and has more besides. | Declare a component of this class instead.',
    ],
    [
      'model A Real x = 1; end A; model D end D; model I = input A; model B extends\nI; extends D; end B; model M B b; end M;',
      '2:1 not-allowed `B` extends `I`, which is `input`, and has more besides. | Declare a component of this class instead.',
    ],
    [
      'connector B extends\nReal; flow Real f; end B; model M B b; end M;',
      '2:1 not-allowed `B` extends `Real`, which is a simple type, and has more besides. | Declare a component of this class instead.',
    ],
  ])('%s', (text, problem) => {
    expect(problems(text)).toContain(problem);
  });
});

test.each([
  'package P replaceable model A Real x = 1; end A; end P; model B Real x = 2; end B; package Q = P(redeclare model A = B); model M extends Q.A; end M;',
  'model A Real x = 1; end A; model A3 = A[3]; model B extends A3; end B; model M B b; end M;',
  'type T extends Real(unit = "m"); function equalityConstraint input T a; input T b; output Real r[0]; end equalityConstraint; end T; model M T x = 1; end M;',
  'model D model A Real x = 1; end A; end D; model M extends D; extends D.A; end M;',
])('what may be inherited: %s', (text) => {
  expect(problems(text)).toEqual([]);
});

test('what is inherited in a protected section is protected', () => {
  const text =
    'model A Real x = 1; end A; model B protected extends A; end B; model M B b; Real y =\nb.x; end M;';
  expect(refusals(text)).toEqual([
    '2:3 unknown-name `x` of `b` is protected: only its class `B`, and those that extend it, can use it.',
  ]);
  const inside =
    'model A Real x = 1; end A; model B protected extends A; public Real y = x; end B; model M B b; end M;';
  expect(refusals(inside)).toEqual([]);
});
