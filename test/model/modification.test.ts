/** Modifications and redeclarations: specification 3.6, chapter 7. Expectations are derived from the text of the rules. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instantiate } from '../../src/model/instances/instantiate.ts';
import { at, load, problems, show, toOverrides, tree, written } from './notation.ts';

describe('merging (7.2.4)', () => {
  it('the outer modifier wins, attribute by attribute', () => {
    const root = tree(`
      model A parameter Real x(start = 1, unit = "m") = 1; end A;
      model B A a(x(start = 2) = 2); end B;
      model M B b(a(x = 3)); end M;`);
    expect(show(root)).toEqual(['b.a.x (start = 2, unit = "m") = 3']);
  });

  it('modifiers of an extends clause lie between declaration and component', () => {
    const root = tree(`
      model A parameter Real p = 1; parameter Real q = 1; parameter Real r = 1; end A;
      model B extends A(p = 2, q = 2); end B;
      model M B b(p = 3); end M;`);
    expect(show(root)).toEqual(['b.p = 3', 'b.q = 2', 'b.r = 1']);
  });

  it('modifiers pass through chains of extends clauses and short classes', () => {
    const root = tree(`
      model A parameter Real p = 1; parameter Real q = 1; Real x(start = 0); end A;
      model B extends A(q = 2, x(start = 2)); end B;
      model C = B(p = 3);
      model M extends C(q = 4); end M;`);
    expect(show(root)).toEqual(['p = 3', 'q = 4', 'x (start = 2)']);
  });

  it('dotted names are nested modifiers', () => {
    const root = tree(`
      model A parameter Real p = 1; Real x; end A;
      model B A a; end B;
      model M B b(a.p = 2, a.x(start = 3), a.x.min = 0); end M;`);
    expect(show(root)).toEqual(['b.a.p = 2', 'b.a.x (start = 3, min = 0)']);
  });

  it('a type passes its attributes on', () => {
    const root = tree(`
      type Length = Real(unit = "m", min = 0);
      type Height = Length(max = 10, min = 1);
      model M Height h(min = 2); end M;`);
    expect(show(root)).toEqual(['h (unit = "m", min = 2, max = 10)']);
  });

  it('values are looked up where they are written', () => {
    const root = tree(`
      model A parameter Real p; parameter Real q = p; end A;
      model M parameter Real p = 5; A a(p = p); end M;`);
    const inner = at(root, 'a.p');
    const own = at(root, 'a.q');
    if (inner.kind !== 'variable' || own.kind !== 'variable') throw new Error();
    expect(inner.binding?.scope.instance).toBe(root);
    expect(inner.binding?.scope.lexical.path).toBe('M');
    expect(own.binding?.scope.instance).toBe(at(root, 'a'));
    expect(own.binding?.scope.lexical.path).toBe('A');
  });

  it('a value of a record as a whole replaces those of its members', () => {
    const root = tree(`
      record R parameter Real x(unit = "m") = 1; end R;
      model M parameter R s; parameter R r = s; parameter R t(x = 2); end M;`);
    expect(show(root)).toEqual(['s.x (unit = "m") = 1', 'r.x (unit = "m")', 't.x (unit = "m") = 2']);
    const r = at(root, 'r');
    expect(r.kind === 'object' && written(r.binding)).toBe('s');
  });

  it('`break` takes a value away', () => {
    const root = tree(`
      model A parameter Real p = 1; end A;
      model M A a(p = break); end M;`);
    expect(show(root)).toEqual(['a.p']);
  });
});

describe('arrays of components (7.2.5)', () => {
  const cell = 'model A parameter Real p = 0; Real x[2](start = {7, 8}); end A;';

  it('an array value is distributed, `each` is not', () => {
    const root = tree(`${cell}
      model M parameter Real v[2] = {1, 2}; A a[2](p = v, each x(start = {5, 6})); end M;`);
    expect(show(root)).toEqual([
      'v[2] = {1, 2}',
      'a[1].p = v@[1]',
      'a[1].x[2] (start = {5, 6})',
      'a[2].p = v@[2]',
      'a[2].x[2] (start = {5, 6})',
    ]);
  });

  it('an array of expressions is taken apart', () => {
    const root = tree(`${cell}
      model M parameter Real v = 1; A a[2](p = {v, v + 1}); end M;`);
    expect(show(root)).toEqual([
      'v = 1',
      'a[1].p = v',
      'a[1].x[2] (start = {7, 8})',
      'a[2].p = v + 1',
      'a[2].x[2] (start = {7, 8})',
    ]);
  });

  it('nested arrays take one subscript a level', () => {
    const root = tree(`
      model A parameter Real p; end A;
      model B A a[2]; end B;
      model M parameter Real m[2, 2]; B b[2](a(p = m)); end M;`);
    expect(show(root)).toEqual([
      'm[2,2]',
      'b[1].a[1].p = m@[1,1]',
      'b[1].a[2].p = m@[1,2]',
      'b[2].a[1].p = m@[2,1]',
      'b[2].a[2].p = m@[2,2]',
    ]);
  });

  it('matrices of components are in row-major order', () => {
    const root = tree(`model A parameter Real p; end A;
      model M A a[2, 2](p = {{1, 2}, {3, 4}}); end M;`);
    expect(show(root)).toEqual(['a[1,1].p = 1', 'a[1,2].p = 2', 'a[2,1].p = 3', 'a[2,2].p = 4']);
  });

  it('`each start` of an array variable holds for all its elements', () => {
    const root = tree(
      'model M Real x[3](each start = 1), y[2](start = {1, 2}), z[2](each start = 4); end M;',
    );
    expect(show(root)).toEqual(['x[3] (start = each 1)', 'y[2] (start = {1, 2})', 'z[2] (start = each 4)']);
  });

  it('`each` before a variable is about the arrays around it', () => {
    const root = tree(`model A parameter Real p[:] = {0}; end A;
      model M A a[2](each p = {1, 2, 3}); end M;`);
    expect(show(root)).toEqual(['a[1].p[3] = {1, 2, 3}', 'a[2].p[3] = {1, 2, 3}']);
  });

  it('records in arrays take their part of a value', () => {
    const root = tree(`record R Real x; end R;
      model M parameter R s[2]; parameter R r[2] = s; end M;`);
    const second = at(root, 'r[2]');
    expect(second.kind === 'object' && written(second.binding)).toBe('s@[2]');
  });

  it('sizes of values are checked', () => {
    expect(problems('model A parameter Real p; end A;\nmodel M\n  A a[2](p = {1, 2, 3});\nend M;')).toEqual([
      '3:14 dimension-mismatch `a` has 2 elements, but 3 values are given.',
    ]);
    expect(problems('model A parameter Real p; end A;\nmodel M\n  A a[2](p = 1);\nend M;')).toEqual([
      '3:10 warning dimension-mismatch A scalar modifies each element of the array `a`. | Write `each` before the modifier.',
    ]);
  });
});

describe('final (7.2.6)', () => {
  it('protects a declaration and a modifier', () => {
    expect(
      problems('model A\n  final parameter Real p = 1;\nend A;\nmodel M\n  A a(p = 2);\nend M;'),
    ).toEqual([
      '5:7 bad-binding This modifies an element that is declared final. | Remove the modifier, or the prefix `final` of the declaration.',
    ]);
    expect(
      problems(
        'model A parameter Real p = 1; end A;\nmodel B A a(final p = 2); end B;\nmodel M B b(a(p = 3)); end M;',
      ),
    ).toEqual([
      '3:15 bad-binding This modifies an element that is declared final. | Remove the modifier, or the prefix `final` of the declaration.',
    ]);
  });

  it('keeps the inner value after the error', () => {
    const library = load('model A final parameter Real p = 1; end A; model M A a(p = 2); end M;');
    expect(show(instantiate(library, 'M').root!)).toEqual(['a.p = 1']);
  });

  it('protects attributes of a type', () => {
    expect(problems('type T = Real(final unit = "m");\nmodel M\n  T x(unit = "s");\nend M;')).toEqual([
      '3:7 bad-binding This modifies an element that is declared final. | Give values in the unit of the type. `displayUnit` is the unit in which results are shown.',
    ]);
  });
});

describe('final on two ways (7.1)', () => {
  const diamond = (one: string, other: string): string => `
    model A parameter Real k = 1; parameter Real m = 2; end A;
    partial model L extends A(${one}); end L;
    partial model R extends A(${other}); end R;
    model M extends L; extends R; end M;`;

  it('is said twice where both ways say the same', () => {
    expect(show(tree(diamond('final k = m + 3', 'final k = m + 3')))).toEqual(['k = m + 3', 'm = 2']);
    expect(problems(diamond('final k = m + 3', 'final k = m + 3'))).toEqual([]);
  });

  it('is an error where the other way says something else', () => {
    for (const other of ['final k = m + 4', 'k = m + 4', 'k(min = 1)'])
      expect(problems(diamond('final k = m + 3', other)).join()).toContain('bad-binding');
  });
});

describe('mistakes', () => {
  it('unknown names, with the nearest one', () => {
    const text = 'model R parameter Real resistance = 1; end R;\nmodel M\n  R r(resistence = 2);\nend M;';
    expect(problems(text)).toEqual([
      '3:7 unknown-modifier `R` has no element `resistence` to modify. | Did you mean `resistance`?',
    ]);
  });

  it('unknown names in extends clauses and short classes, once', () => {
    expect(
      problems('model A Real x; end A;\nmodel B\n  extends A(y = 1);\nend B;\nmodel M B b[3]; end M;'),
    ).toEqual(['3:13 unknown-modifier `A` has no element `y` to modify.']);
    expect(problems('model A Real x; end A;\nmodel B = A(y = 1);\nmodel M B b; end M;')).toEqual([
      '2:13 unknown-modifier `A` has no element `y` to modify.',
    ]);
  });

  it('unknown attributes', () => {
    expect(problems('model M\n  Real x(strat = 1);\nend M;')).toEqual([
      '2:10 unknown-modifier `x` of type `Real` has no attribute `strat`. | Did you mean `start`?',
    ]);
    expect(problems('model M\n  Boolean b(unit = "m");\nend M;')).toEqual([
      '2:13 unknown-modifier `b` of type `Boolean` has no attribute `unit`.',
    ]);
  });

  it('two modifiers for one thing', () => {
    const twice = (arguments_: string) =>
      problems(`model A Real x; end A;\nmodel M\n  A a(${arguments_});\nend M;`);
    expect(twice('x = 1, x = 2')).toEqual([
      '3:14 duplicate-name `x` is modified twice. | Remove one of the two modifiers.',
    ]);
    expect(twice('x(start = 1), x.start = 2')).toEqual([
      expect.stringMatching(/^3:\d+ duplicate-name `x\.start` is modified twice\./),
    ]);
    expect(twice('x(start = 1), x(min = 2)')).toEqual([]);
  });
});

describe('redeclaration (7.3)', () => {
  it('replaces the class of a component and keeps its modifiers', () => {
    const root = tree(`
      model A parameter Real p = 1; end A;
      model B extends A; parameter Real q = 2; end B;
      model C replaceable A a(p = 3) "kept"; end C;
      model M C c(redeclare B a(q = 4)); end M;`);
    expect(show(root)).toEqual(['c.a.p = 3', 'c.a.q = 4']);
    expect(at(root, 'c.a')).toMatchObject({ class: { path: 'B' }, description: 'kept' });
  });

  it('with a constraining clause, only its modifiers are kept', () => {
    const root = tree(`
      model A parameter Real p = 1; parameter Real q = 1; end A;
      model B extends A; end B;
      model C replaceable A a(p = 3, q = 3) constrainedby A(p = 5); end C;
      model M C c1; C c2(redeclare B a); end M;`);
    expect(show(root)).toEqual(['c1.a.p = 3', 'c1.a.q = 3', 'c2.a.p = 5', 'c2.a.q = 1']);
  });

  it('keeps prefixes and sizes that are not repeated', () => {
    const root = tree(`
      model C replaceable parameter Real x[2] = {1, 2}; end C;
      model M C c(redeclare Real x(unit = "m")); end M;`);
    expect(show(root)).toEqual(['c.x[2] (unit = each "m") = {1, 2}']);
    expect(at(root, 'c.x')).toMatchObject({ variability: 'parameter' });
  });

  it('replaces a local class in all its uses', () => {
    const root = tree(`
      model A Real x; end A;
      model B extends A; Real y; end B;
      model Base replaceable model T = A; T t1; end Base;
      model C extends Base; T t2; end C;
      model M C c1; C c2(redeclare model T = B(y(start = 3))); end M;`);
    expect(show(root)).toEqual([
      'c1.t1.x',
      'c1.t2.x',
      'c2.t1.x',
      'c2.t1.y (start = 3)',
      'c2.t2.x',
      'c2.t2.y (start = 3)',
    ]);
  });

  it('a redeclared package changes constants, types and functions', () => {
    const root = tree(
      `
      package P constant Integer n = 1; model S Real x[n]; end S; end P;
      package Q extends P(n = 3); redeclare model extends S Real y; end S; end Q;
      model C replaceable package Medium = P; Medium.S s; Real z[Medium.n]; end C;
      model M
        package Own = Q;
        C c1;
        C c2(redeclare package Medium = Own);
      end M;`.replace('model S Real', 'replaceable model S Real'),
    );
    expect(show(root)).toEqual(['c1.s.x[1]', 'c1.z[1]', 'c2.s.x[3]', 'c2.s.y', 'c2.z[3]']);
  });

  it('modifiers of a redeclared class see the component that redeclares it', () => {
    const root = tree(`
      model A parameter Real k = 1; end A;
      model C replaceable model T = A; T t; end C;
      model M parameter Real gain = 2; C c(redeclare model T = A(k = gain)); end M;`);
    const k = at(root, 'c.t.k');
    if (k.kind !== 'variable') throw new Error();
    expect(written(k.binding)).toBe('gain');
    expect(k.binding?.scope.instance).toBe(root);
  });

  it('elements of a class can redeclare inherited ones', () => {
    const root = tree(`
      model A replaceable Real x(start = 1); replaceable model T Real u; end T; T t; end A;
      model M extends A; redeclare Real x(start = 2); redeclare model T Real v; Real u; end T; end M;`);
    expect(show(root)).toEqual(['x (start = 2)', 't.v', 't.u']);
  });

  it('what is not replaceable stays', () => {
    const base =
      'model A Real x; end A; model B extends A; end B;\nmodel C A a; model T Real u; end T; end C;\n';
    expect(problems(`${base}model M\n  C c(redeclare B a);\nend M;`)).toEqual([
      '4:7 bad-binding `a` is redeclared but not replaceable. | Declare it `replaceable` to allow this redeclaration.',
    ]);
    expect(problems(`${base}model M\n  C c(redeclare model T = A);\nend M;`)).toEqual([
      '4:7 bad-binding The class `T` is redeclared but not replaceable. | Declare it `replaceable` to allow this redeclaration.',
    ]);
    expect(problems(`${base}model M\n  extends C;\n  redeclare B a;\nend M;`)).toEqual([
      '5:15 bad-binding `a` is redeclared but not replaceable. | Declare it `replaceable` to allow this redeclaration.',
    ]);
  });

  it('a replacement must fit its constraint', () => {
    const base = 'model A Real x; end A;\nmodel B Real y; end B;\nmodel C replaceable A a; end C;\n';
    expect(problems(`${base}model M\n  C c(redeclare B a);\nend M;`)).toEqual([
      '5:7 type-mismatch `B` cannot replace `A`: it has no element `x`.',
    ]);
    const local =
      'model A Real x; end A;\nmodel B Real y; end B;\nmodel C replaceable model T = A; T t; end C;\n';
    expect(problems(`${local}model M\n  C c(redeclare model T = B);\nend M;`)).toEqual([
      '5:7 type-mismatch `B` cannot replace `A`: it has no element `x`.',
    ]);
  });
});

describe('overrides', () => {
  it('are the outermost modifiers', () => {
    const library = load(
      'model A parameter Real p = 1; Real x(start = 1); end A; model M A a(p = 2); end M;',
    );
    const { root, diagnostics } = instantiate(library, 'M', {
      overrides: toOverrides({ 'a.p': '3', 'a.x.start': '-4' }),
    });
    expect(diagnostics).toEqual([]);
    expect(show(root!)).toEqual(['a.p = 3', 'a.x (start = -4)']);
  });

  it('a number for an array of components is that of each element', () => {
    const text = 'model A parameter Real p = 1; end A; model M A a[2]; end M;';
    expect(problems(text, { 'a.p': '3' })).toEqual([]);
    expect(problems(text, { 'a[2].p': '3' })).toEqual([]);
    expect(problems(text, { 'a[3].p': '3' })).toEqual([
      '1:1 unknown-modifier There is no `a[3]`: `a` has sizes [2].',
    ]);
  });

  it('that name nothing are reported', () => {
    const text = 'model A parameter Real power = 1; end A; model M A a; end M;';
    expect(problems(text, { 'a.pover': '3' })).toEqual([
      '1:1 unknown-modifier `A` has no element `pover` to modify. | Did you mean `power`?',
    ]);
    expect(problems(text, { b: '3' })).toEqual(['1:1 unknown-modifier `M` has no element `b` to modify.']);
    const nested = `model R parameter Real R = 1; end R; model P R a; parameter Real q = 2; end P;
      model M P p; R r[3]; end M;`;
    const hints = (name: string) => problems(nested, { [name]: '3' }).map((text) => text.split(' | ')[1]);
    expect(hints('q')).toEqual(['Did you mean `p.q`?']);
    expect(hints('Q')).toEqual(['Did you mean `p.q`?']);
    expect(hints('a')).toEqual(['Did you mean `p.a`?']);
    // What is near at the top comes first.
    expect(hints('R')).toEqual(['Did you mean `r`?']);
    expect(hints('zeta')).toEqual([undefined]);
  });
});

describe('laws', () => {
  const names = ['a', 'b', 'c', 'd', 'e'];

  it('the order of modifiers in one list does not matter', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(names), fc.shuffledSubarray(names), (first, second) => {
        const declarations = names.map((name) => `parameter Real ${name} = 0;`).join(' ');
        const list = (chosen: string[]) => chosen.map((name) => `${name} = ${name.charCodeAt(0)}`).join(', ');
        const base = `model A ${declarations} end A; model M A x(${list(first)}), y(${list(second)}); end M;`;
        const expected = (path: string, chosen: string[]) =>
          names.map((name) => `${path}.${name} = ${chosen.includes(name) ? name.charCodeAt(0) : 0}`);
        expect(show(tree(base))).toEqual([...expected('x', first), ...expected('y', second)]);
      }),
      { numRuns: 50 },
    );
  });

  it('of any layers of modifiers the outermost that names an element wins', () => {
    const layer = fc.subarray(names);
    fc.assert(
      fc.property(
        fc.array(layer, { minLength: 1, maxLength: 5 }),
        fc.array(fc.boolean()),
        (layers, styles) => {
          let text = `model L0 ${names.map((name) => `parameter Real ${name} = 0;`).join(' ')} end L0;`;
          const value = new Map(names.map((name) => [name, 0]));
          for (const [k, chosen] of layers.entries()) {
            const list = chosen.map((name) => `${name} = ${k + 1}`).join(', ');
            for (const name of chosen) value.set(name, k + 1);
            text += styles[k]
              ? `model L${k + 1} = L${k}(${list});`
              : `model L${k + 1} extends L${k}(${list}); end L${k + 1};`;
          }
          expect(show(tree(text))).toEqual(names.map((name) => `${name} = ${value.get(name)}`));
        },
      ),
      { numRuns: 50 },
    );
  });
});
