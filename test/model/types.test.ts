/** Subtypes, plug-compatible classes and functions (specification 3.6, chapter 6): whether `A` can stand for `B`, and what is in its way. */
import { describe, expect, test } from 'vitest';
import type { ClassEntity } from '../../src/model/classes/class.ts';
import { elementOf, type ShapeComponent } from '../../src/model/classes/shape.ts';
import {
  classMisfit,
  componentMisfit,
  functionMisfit,
  type Misfit,
  misfitText,
  plugMisfit,
} from '../../src/model/types/subtype.ts';
import { load } from './notation.ts';

/** What a relation says of the classes `A` and `B` of a text. */
function relation(of: (a: ClassEntity, b: ClassEntity) => Misfit | undefined, text: string) {
  const library = load(text);
  const found = of(library.topLevel('A')!, library.topLevel('B')!);
  return found && misfitText(found);
}

/** What keeps the component `a` of the model `M` of a text from standing for its component `b`. */
function components(text: string): string | undefined {
  const model = load(text).topLevel('M')!;
  const [a, b] = ['a', 'b'].map((name) => elementOf(model, name) as ShapeComponent);
  const found = componentMisfit(a!, b!);
  return found && misfitText(found);
}

describe('a subtype', () => {
  test.each([
    'model B Real x; end B; model A Real x; Real y; end A;',
    'model B Real x; protected Real z; end B; model A Real x; end A;',
    'model B Real x; end B; block A Real x; end A;',
    'class B Real x; end B; model A Real x; end A;',
    'type B = Real; type A = Real(unit = "V");',
    'type B = enumeration(:); type A = enumeration(a, b);',
    'type B = enumeration(a, b); type A = enumeration(a, b);',
    'record B Real x; end B; record A extends B; Integer n; end A;',
    'model B Real x; end B; model C extends B; end C; model A = C(x = 2);',
    'package P replaceable model M Real x; end M; end P; package B = P; package A extends P; redeclare model extends M Real y; end M; end A;',
    'model B replaceable B0 c constrainedby B1; end B; model B1 Real x; end B1; model B0 Real x; Real y; end B0; model A B1 c; end A;',
    'model B Real x; end B; model A parameter Real x; end A;',
    'model B B b[0]; Real x; end B; model A A b[0]; Real x; end A;',
    'model B function f input Real u; output Real y; end f; end B; model A function f input Real u; output Real y; end f; end A;',
  ])('%s', (text) => {
    expect(relation(classMisfit, text)).toBeUndefined();
  });

  test.each([
    ['model B Real x; Real y; end B; model A Real x; end A;', 'it has no element `y`'],
    ['model B Real x; end B; model A protected Real x; end A;', 'its `x` is protected'],
    ['model B Real x; end B; model A Integer x; end A;', 'its `x` is Integer, not Real'],
    [
      'record R Real v; end R; record Q Integer v; end Q; model B R p; end B; model A Q p; end A;',
      'its `p.v` is Integer, not Real',
    ],
    ['model B Real x; end B; model A model x end x; end A;', 'its `x` is a class, not a component'],
    ['model B model x end x; end B; model A Real x; end A;', 'its `x` is a component, not a class'],
    ['model B Real x; end B; record A Real x; end A;', 'it is a record, not a model'],
    ['type B = Real; type A = Integer;', 'it is Integer, not Real'],
    ['record B Real x; end B; type A = Real;', 'it is Real'],
    ['type B = Real[3]; type A = Real;', 'it has 0 dimensions, not 1'],
    ['model B Real x[2]; end B; model A Real x; end A;', 'its `x` has 0 dimensions, not 1'],
    ['connector B = input Real; connector A = output Real;', 'it is `output`, not `input`'],
    ['type B = enumeration(a, b); type A = enumeration(b, a);', 'it is `A`, not `B`'],
    ['connector B flow Real f; end B; connector A Real f; end A;', 'its `f` is not `flow`'],
    ['model B parameter Real p; end B; model A Real p; end A;', 'its `p` is continuous, not a parameter'],
    ['model B Real x; end B; model A outer Real x; end A;', 'its `x` is `outer`'],
    ['model B Real x; end B; model A Real x if false; end A;', 'its `x` is conditional'],
    [
      'operator record B Real x; end B; operator record A Real x; end A;',
      'it is not the operator record `B`',
    ],
    ['model B model C Real x; end C; end B; model A model C end C; end A;', 'it has no element `C.x`'],
  ])('%s: %s', (text, reason) => {
    expect(relation(classMisfit, text)).toBe(reason);
  });
});

describe('components', () => {
  test.each([
    ['model M Real a; Real b; end M;', undefined],
    ['type T = Real[2]; model M T a; Real b[3]; end M;', undefined],
    ['connector C = input Real; model M C a; C b; end M;', undefined],
    ['model M Real a[2]; Real b; end M;', 'it has 1 dimension, not 0'],
    ['model M output Real a; input Real b; end M;', 'it is `output`, not `input`'],
    ['model M discrete Real a; constant Real b; end M;', 'it is discrete, not a constant'],
  ])('%s %s', (text, reason) => {
    expect(components(text)).toBe(reason);
  });
});

describe('a plug-compatible class', () => {
  const input = 'connector RealInput = input Real; model B Real x; end B;';
  test.each([
    [`${input} model A extends B; connector C Real e; flow Real f; end C; C c; end A;`, undefined],
    [`${input} model A extends B; RealInput u if false; input Real v = 1; end A;`, undefined],
    [
      `${input} model A extends B; RealInput u; end A;`,
      'its `u` is an input, to which nothing outside can be connected',
    ],
    [`${input} model A extends B; input Real u; end A;`, 'its `u` is an input without a value'],
    [
      `${input} model A extends B; connector C input Real e; end C; C c; end A;`,
      'its `c.e` is an input without a value',
    ],
    [
      `${input} model A extends B; expandable connector C end C; C bus; end A;`,
      'its `bus` is an expandable connector, to which nothing outside can be connected',
    ],
  ])('%s %s', (text, reason) => {
    expect(relation(plugMisfit, text)).toBe(reason);
  });
});

describe('a function', () => {
  const body = 'function B input Real u; input Real v = 1; output Real y; end B;';
  test.each([
    [`${body} function A input Real u; input Real v = 2; input Real w = 3; output Real y; end A;`, undefined],
    [`${body} function A extends B; output Real z; end A;`, undefined],
    [
      `${body} function A input Real v = 1; input Real u; output Real y; end A;`,
      'it has the input `u` in place 2, not 1',
    ],
    [`${body} function A input Real u; input Real v; output Real y; end A;`, undefined],
    [
      `${body} function A extends B; input Real w; end A;`,
      'it has a further input `w` without a default value',
    ],
    [
      `${body} function A input Real u; input Real v = 1; output Integer y; end A;`,
      'its `y` is Integer, not Real',
    ],
    [`${body} function A input Real u; input Real v = 1; output Real z; end A;`, 'it has no output `y`'],
    [`${body} impure function A extends B; end A;`, 'it is impure'],
    [`${body} model A end A;`, 'it is a model, not a function'],
  ])('%s %s', (text, reason) => {
    expect(relation(functionMisfit, text)).toBe(reason);
  });
});
