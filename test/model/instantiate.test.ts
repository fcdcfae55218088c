/** Instantiation: members, inheritance, arrays, conditions, prefixes, and every way in which it can fail. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Source } from '../../src/diagnostic/source.ts';
import { instantiate } from '../../src/model/instances/instantiate.ts';
import { Library } from '../../src/model/library.ts';
import { parse } from '../../src/syntax/parser.ts';
import { almostLinear, orderOf } from '../growth.ts';
import { at, load, problems, show, tree } from './notation.ts';

describe('members', () => {
  it('inherited ones come first, in the order of declaration', () => {
    const root = tree(`
      model A Real a; Real b; end A;
      model B Real c; extends A; Real d; end B;`);
    expect([...root.members.keys()]).toEqual(['a', 'b', 'c', 'd']);
  });

  it('keep the order of declaration when a size needs a later one', () => {
    const root = tree('model M Real x[n]; Real y; parameter Integer n = 2; end M;');
    expect(show(root)).toEqual(['x[2]', 'y', 'n = 2']);
    expect(at(root, 'n')).toMatchObject({ structural: true, variability: 'parameter' });
  });

  it('carry types, attributes and descriptions', () => {
    const root = tree(`
      package P
        type Voltage = Real(unit = "V", final quantity = "ElectricPotential");
        connector Pin Voltage v; flow Real i; end Pin;
      end P;
      model M "a model"
        P.Pin p "positive pin";
      protected
        parameter P.Voltage u(start = 1) = 2;
      end M;`);
    expect(root).toMatchObject({ path: '', description: 'a model', kind: 'object' });
    expect(at(root, 'p')).toMatchObject({
      kind: 'object',
      restriction: 'connector',
      description: 'positive pin',
    });
    expect(at(root, 'p.i')).toMatchObject({ path: 'p.i', name: 'i', connection: 'flow', type: 'Real' });
    expect(at(root, 'u')).toMatchObject({ protected: true, variability: 'parameter' });
    expect(show(root)).toEqual([
      'p.v (unit = "V", quantity = "ElectricPotential")',
      'p.i',
      'u (unit = "V", quantity = "ElectricPotential", start = 1) = 2',
    ]);
  });
});

describe('prefixes', () => {
  it('of an object hold for what is in it', () => {
    const root = tree(`
      record R Real x; Integer k; end R;
      record F Real x; end F;
      connector C Real e; flow F f; end C;
      model A Real y; discrete Real d; end A;
      model M parameter R p; input R u; C c; constant F a; A b; Integer i; Boolean flag; end M;`);
    expect(at(root, 'p.x')).toMatchObject({ variability: 'parameter' });
    expect(at(root, 'p.k')).toMatchObject({ variability: 'parameter', type: 'Integer' });
    expect(at(root, 'u.x')).toMatchObject({ variability: 'continuous', causality: 'input' });
    expect(at(root, 'u.k')).toMatchObject({ variability: 'discrete', causality: 'input' });
    expect(at(root, 'c.e')).toMatchObject({ connection: undefined });
    expect(at(root, 'c.f.x')).toMatchObject({ connection: 'flow' });
    expect(at(root, 'a.x')).toMatchObject({ variability: 'constant' });
    expect(at(root, 'b.d')).toMatchObject({ variability: 'discrete' });
    expect(at(root, 'i')).toMatchObject({ variability: 'discrete' });
    expect(at(root, 'flag')).toMatchObject({ variability: 'discrete', type: 'Boolean' });
  });

  it('of a short class', () => {
    const root = tree(
      'connector In = input Real(unit = "m"); model M In u; final parameter Real k = 1; end M;',
    );
    expect(at(root, 'u')).toMatchObject({ kind: 'variable', causality: 'input' });
    expect(at(root, 'k')).toMatchObject({ final: true });
  });

  it('protected members stay protected inside', () => {
    const root = tree('model A Real x; end A; model M A a; protected A b; end M;');
    expect(at(root, 'a.x')).toMatchObject({ protected: false });
    expect(at(root, 'b.x')).toMatchObject({ protected: true });
  });
});

describe('types', () => {
  it('enumerations', () => {
    const root = tree(`
      package P type E = enumeration(off "not on", on); type F = E(start = E.on); end P;
      model M P.E e; P.F f; StateSelect s = StateSelect.always; Real x[P.E]; Real y[Boolean]; end M;`);
    const enumeration = { path: 'P.E', literals: ['off', 'on'] };
    expect(at(root, 'e')).toMatchObject({ type: 'enumeration', enumeration, variability: 'discrete' });
    expect(at(root, 'f')).toMatchObject({ enumeration });
    expect(at(root, 's')).toMatchObject({ enumeration: { path: 'StateSelect' } });
    expect(show(root)).toEqual(['e', 'f (start = E.on)', 's = StateSelect.always', 'x[2]', 'y[2]']);
  });

  it('a long class that extends a predefined type', () => {
    expect(show(tree('type T extends Real(unit = "m"); end T; model M T x(min = 0); end M;'))).toEqual([
      'x (unit = "m", min = 0)',
    ]);
  });
});

describe('array sizes', () => {
  it('can be those of other dimensions of the same array', () => {
    const root = tree(`model M
      parameter Real A[:, size(A, 1)] = [1, 2; 3, 4];
      parameter Real B[size(B, 2), :] = zeros(3, 3);
      Real C[2, size(C, 1), size(C, 2)];
    end M;`);
    expect(['A', 'B', 'C'].map((name) => at(root, name))).toMatchObject([
      { dims: [2, 2] },
      { dims: [3, 3] },
      { dims: [2, 2, 2] },
    ]);
    for (const wrong of ['A[size(A, 1)]', 'A[size(A, 2), size(A, 1)]', 'A[2, size(A, 3)]'])
      expect(problems(`model M Real ${wrong}; end M;`).join()).toContain('depends on itself');
  });

  it('of name, clause and type, outermost first', () => {
    const root = tree('type V = Real[4]; model M Real[3] x[2]; V y[2]; V[3] z; end M;');
    expect(show(root)).toEqual(['x[2,3]', 'y[2,4]', 'z[3,4]']);
  });

  it('from bindings', () => {
    const root = tree(`
      function f input Integer n; output Real y[n]; algorithm y := ones(n); end f;
      model M
        Real u[3];
        parameter Real a[:] = {1, 2}, b[:, :] = [1, 2; 3, 4; 5, 6], c[:] = f(4), d[:] = a;
        parameter Real g[:] = {i for i in 1:5}, h[:] = if size(a, 1) > 1 then {1} else {1, 2};
        Real v[:] = 2 * u, w[:] = sin(u), t[:, :] = transpose({u}), k[:] = b[2, :], e[:] = fill(0.0, 0);
        Real now[:] = {time, 2*time};
        Boolean late[:] = {time > 1, true};
      end M;`);
    const sizes = Object.fromEntries(
      [...root.members].map(([name, { dims }]) => [name, (dims as number[]).join()]),
    );
    expect(sizes).toEqual({
      u: '3',
      a: '2',
      b: '3,2',
      c: '4',
      d: '2',
      g: '5',
      h: '1',
      v: '3',
      w: '3',
      t: '3,1',
      k: '2',
      e: '0',
      now: '2',
      late: '2',
    });
  });

  it('of members of records that are given as a whole', () => {
    const root = tree(`
      record R parameter Real x[:] = {0}; end R;
      model M parameter R s(x = {1, 2, 3}); parameter R r = s; parameter R t = R(x = {1, 2}); end M;`);
    expect(at(root, 'r.x')).toMatchObject({ dims: [3] });
    expect(at(root, 't.x')).toMatchObject({ dims: [2] });
  });

  it('of components; an empty array has a prototype', () => {
    const root = tree(
      'model A Real x[n]; parameter Integer n = 2; end A; model M A a[0]; A b[2](n = {1, 3}); end M;',
    );
    const empty = at(root, 'a');
    expect(empty).toMatchObject({ dims: [0], elements: [] });
    expect(empty.kind === 'object' && [...empty.prototype!.members.keys()]).toEqual(['x', 'n']);
    expect(show(root)).toEqual(['b[1].x[1]', 'b[1].n = 1', 'b[2].x[3]', 'b[2].n = 3']);
  });

  it.each([
    ['Real x[2.5];', '2:10 type-mismatch An array size must be an Integer, not Real.'],
    ['Real x[-1];', '2:10 dimension-mismatch An array size cannot be negative (-1).'],
    ['Real x[k];', '2:10 unknown-name `k` is not declared in `M`.'],
    [
      'Real x[y]; Real y;',
      '2:10 variability `y` is not a parameter, so its value is not known here. | Sizes and conditions may depend on parameters and constants alone.',
    ],
    [
      'parameter Integer n; Real x[n];',
      '2:31 no-value The parameter `n` has no value, but it is needed here. | Give it a value in its declaration or by a modifier.',
    ],
    [
      'Real x[:];',
      '2:8 no-value The size of `x` is not known: `:` takes it from a value, which is missing. | Give the array a value or a size.',
    ],
    ['Real x[100000, 1000];', '2:8 limit-exceeded The array `x` has 100000000 elements, more than 10000000.'],
    [
      'parameter Integer n = m; parameter Integer m = n; Real x[n];',
      '2:21 cyclic-definition The value of `n` depends on itself.',
    ],
    ['Real x[size(x, 1)];', '2:8 cyclic-definition The size or condition of `x` depends on itself.'],
  ])('%s', (declaration, expected) => {
    expect(problems(`model M\n  ${declaration}\nend M;`)).toEqual([expected]);
  });
});

describe('conditional components', () => {
  it('are absent where the condition is false', () => {
    const root = tree(`
      model A Real x; end A;
      model M parameter Boolean on = false; A a if on; A b if not on; Real y if on; end M;`);
    expect([...root.members.keys()]).toEqual(['on', 'b']);
    expect([...root.absent]).toEqual(['a', 'y']);
    expect(at(root, 'on')).toMatchObject({ structural: true });
  });

  it('depend on modifiers from outside', () => {
    const library = load('model A parameter Boolean on = true; Real x if on; end A; model M A a; end M;');
    const value = { kind: 'boolean', value: false, start: 0, end: 0 } as const;
    const span = at(instantiate(library, 'M').root!, 'a').span;
    const { root } = instantiate(library, 'M', { overrides: [{ name: 'a.on', value, span }] });
    const a = at(root!, 'a');
    expect(a.kind === 'object' && [...a.absent]).toEqual(['x']);
  });

  it('need a Boolean parameter', () => {
    expect(problems('model M\n  Real x if 1;\nend M;')).toEqual([
      '2:13 type-mismatch A condition must be Boolean, not Integer.',
    ]);
    expect(problems('model M\n  Real x if y > 0;\n  Real y;\nend M;')).toEqual([
      '2:13 variability `y` is not a parameter, so its value is not known here. | Sizes and conditions may depend on parameters and constants alone.',
    ]);
  });
});

describe('inner and outer', () => {
  it('an outer component is the nearest inner one', () => {
    const root = tree(`
      model World parameter Real g = 9.81; end World;
      model A outer World world; Real x; end A;
      model B inner World world(g = 1); A a; end B;
      model M A a; B b; inner World world; end M;`);
    const outers = (path: string) => {
      const object = at(root, path);
      return object.kind === 'object' ? object.outers?.get('world') : undefined;
    };
    expect(outers('a')).toBe(at(root, 'world'));
    expect(outers('b.a')).toBe(at(root, 'b.world'));
    expect(show(root)).toEqual(['a.x', 'b.world.g = 1', 'b.a.x', 'world.g = 9.81']);
  });

  it('sizes can come from an inner component', () => {
    const root = tree(`
      model World parameter Integer n = 2; end World;
      model A outer World world; Real x[world.n]; end A;
      model M A a; inner World world(n = 4); end M;`);
    expect(show(root)).toEqual(['a.x[4]', 'world.n = 4']);
  });
});

describe('behaviour', () => {
  it('sections are inherited first, with the scope of their text', () => {
    const root = tree(`
      model A Real x; equation x = 1; end A;
      model M extends A; Real y; initial equation y = 0; equation y = x; algorithm y := 1; end M;`);
    expect(
      root.sections.map(({ section, scope }) => [section.kind, section.initial, scope.lexical.path]),
    ).toEqual([
      ['equations', false, 'A'],
      ['equations', true, 'M'],
      ['equations', false, 'M'],
      ['algorithm', false, 'M'],
    ]);
    expect(root.sections.every(({ scope }) => scope.instance === root)).toBe(true);
  });
});

it('what is inherited twice may say the same in different ways', () => {
  const text = `
    model A parameter Real s = 2; Real x(min = 0, start = s) = 1; end A;
    model B parameter Real s = 2; Real x(start = s); end B;
    model M extends B(x(min = 0) = 1); extends A; end M;`;
  expect(problems(text)).toEqual([]);
});

it('a leading dot begins at the predefined types', () => {
  expect(
    problems(
      'model M type StateSelect = enumeration(one, two); .Real x = 1.5; .StateSelect s = .StateSelect.never; end M;',
    ),
  ).toEqual([]);
});

describe('mistakes in classes', () => {
  it.each([
    [
      'two components of one name',
      'model M\n  Real x;\n  Integer x;\nend M;',
      '3:11 duplicate-name `x` is declared twice in `M`. | Rename or remove one of the two declarations.',
    ],
    [
      'the same component twice',
      'model M\n  Real x;\n  Real x;\nend M;',
      '3:8 duplicate-name `x` is declared twice in `M`. | Rename or remove one of the two declarations.',
    ],
    [
      'a component with the name of an inherited one',
      'model A Real x; end A;\nmodel M\n  extends A;\n  Integer x;\nend M;',
      '4:11 duplicate-name `x` is declared twice in `M`. | Rename or remove one of the two declarations.',
    ],
    [
      'an inherited component with another value',
      'model A Real x = 1; end A;\nmodel M\n  extends A;\n  Real x = 2;\nend M;',
      '4:8 duplicate-name `x` is declared twice, with different modifiers. | Keep one declaration, and modify it where it is inherited: `extends A(x = 2)`.',
    ],
    [
      'a component that two classes declare with different attributes',
      'model A Real x(start = 1); end A;\nmodel B\n  Real x(start = 2);\nend B;\nmodel M extends A(x = 1); extends B; end M;',
      '3:8 duplicate-name `x` is declared twice, with different modifiers. | Keep one declaration, and modify it where it is inherited: `extends A(x = 2)`.',
    ],
    [
      'a value of a model',
      'model A Real x; equation x = 1; end A;\nmodel M\n  A a = 5;\nend M;',
      '3:9 bad-binding `a` is a model, which has no value of its own. | Give values to its parameters and inputs: `M m(p = 1)`. Only variables, records and connectors have values.',
    ],
    [
      'a value of an array of blocks in a modifier',
      'block A Real x; equation x = 1; end A;\nmodel B A a[2]; end B;\nmodel M\n  B b(a = {1, 2});\nend M;',
      '4:11 bad-binding `b.a` is a block, which has no value of its own. | Give values to its parameters and inputs: `M m(p = 1)`. Only variables, records and connectors have values.',
    ],
    [
      'a component with the name of a class',
      'model M\n  model x Real y; end x;\n  Real x;\nend M;',
      '3:8 duplicate-name `x` is declared twice in `M`. | Rename or remove one of the two declarations.',
    ],
    [
      'two classes of one name',
      'model M\n  model A Real y; end A;\n  model A Real z; end A;\nend M;',
      '3:9 duplicate-name `A` is declared twice in `M`. | Rename or remove one of the two declarations.',
    ],
    [
      'a partial class',
      'partial model A Real x; end A;\nmodel M\n  A a;\nend M;',
      '3:5 type-mismatch `a` has the partial class `A`. | Use, or redeclare it to, a class that is not partial.',
    ],
    [
      'a partial model',
      'partial model M\n  Real x;\nend M;',
      '1:15 no-model `M` is partial, so it cannot be simulated by itself. | Choose a model that extends it.',
    ],
    ['a function', 'function f\n  output Real y;\nend f;', '1:10 no-model `f` is a function, not a model.'],
    ['a type', 'type T = Real;', '1:6 no-model `T` is a type, not a model.'],
    [
      'inheritance in a circle',
      'model A extends B; end A;\nmodel B extends A; end B;\nmodel M A a; end M;',
      '1:7 cyclic-definition The class `A` inherits from itself. | Remove one of the extends clauses of the cycle.',
    ],
    [
      'a short class of itself',
      'model A = A;\nmodel M A a; end M;',
      '1:7 cyclic-definition The class `A` inherits from itself. | Remove one of the extends clauses of the cycle.',
    ],
    [
      'a chain of extends clauses without end',
      `model A0 end A0;\n${Array.from({ length: 210 }, (_, k) => `model A${k + 1} extends A${k}; end A${k + 1};`).join('\n')}\nmodel M extends A210; end M;`,
      '11:7 limit-exceeded `M` inherits `A10` through a chain of more than 200 classes.',
    ],
    [
      'external objects',
      'class T extends ExternalObject; function constructor output T t; external; end constructor; end T;\nmodel M\n  T t;\nend M;',
      '1:7 not-allowed The external object `T` has no function `destructor`. | It needs the functions `constructor` and `destructor`.',
    ],
  ])('%s', (_, text, expected) => {
    expect(problems(text)).toEqual([expected]);
  });

  it('a problem of a class is reported once, however many instances it has', () => {
    expect(problems('model A\n  Real x[k];\nend A;\nmodel M A a[100]; A b; end M;')).toEqual([
      '2:10 unknown-name `k` is not declared in `A`.',
    ]);
  });

  it('problems of a package that is only looked into', () => {
    expect(
      problems(
        'package P\n  extends Missing;\n  constant Integer n = 1;\nend P;\nmodel M Real x[P.n]; end M;',
      ),
    ).toEqual(['2:11 unknown-class The class `Missing` cannot be found from `P`.']);
  });

  it('the rest of the model is still made', () => {
    const library = load('model M Unknown u; Real x; Real y[k]; Real z; end M;');
    expect(show(instantiate(library, 'M').root!)).toEqual(['x', 'z']);
  });
});

describe('recursion and limits', () => {
  it('a class that contains itself', () => {
    expect(problems('model M\n  M m;\nend M;')).toEqual([
      expect.stringMatching(/^2:5 cyclic-definition The class `M` contains itself\./),
    ]);
    const branching = `model M\n  ${Array.from({ length: 20 }, (_, k) => `M m${k};`).join(' ')}\nend M;`;
    expect(problems(branching)).toEqual([
      expect.stringContaining('cyclic-definition The class `M` contains itself.'),
    ]);
  });

  it('a recursion that a condition ends is allowed', () => {
    const root = tree(
      'model N parameter Integer n = 5; Real x; N inner_(n = n - 1) if n > 1; end N;'.replaceAll(
        'inner_',
        'next',
      ),
    );
    expect(show(root)).toHaveLength(10);
    expect(at(root, 'next.next.next.next')).toMatchObject({ kind: 'object' });
  });

  it('too many components', () => {
    expect(
      problems(
        'model A parameter Integer n; Real a[n]; end A;\nmodel M\n  A b[1000000](n = 1:1000000);\nend M;',
      ),
    ).toEqual([
      '3:5 limit-exceeded The model has more than 300000 components and variables. | The limit was reached at `b`.',
    ]);
  });

  it('long chains of sizes end in a diagnostic, not in a crash', () => {
    const links = Array.from({ length: 5000 }, (_, k) => `Real x${k}[size(x${k + 1}, 1)];`).join('\n');
    expect(problems(`model M\n${links}\nReal x5000[2];\nend M;`)).toEqual([
      expect.stringContaining(
        'limit-exceeded Sizes and conditions depend on each other in a chain that is too long.',
      ),
    ]);
    const values = Array.from({ length: 5000 }, (_, k) => `parameter Integer n${k} = n${k + 1};`).join('\n');
    expect(problems(`model M\n${values}\nparameter Integer n5000 = 1;\nReal x[n0];\nend M;`)).toEqual([
      expect.stringContaining('limit-exceeded The evaluation of this expression is nested too deeply.'),
    ]);
  });

  it('constants whose sizes depend on themselves', () => {
    expect(
      problems('package P\n  constant Real x[size(x, 1)];\nend P;\nmodel M Real y[size(P.x, 1)]; end M;'),
    ).toEqual(['2:17 cyclic-definition The size of the constant `P.x` depends on itself.']);
    expect(
      problems('package P\n  constant Integer a = b, b = a;\nend P;\nmodel M Real y[P.a]; end M;'),
    ).toEqual(['2:20 cyclic-definition The value of `P.a` depends on itself.']);
  });

  it('no mutilated text makes it crash or hang', () => {
    const words = `
      package P constant Integer n = 2; type V = Real ( unit = "V" ) ; replaceable model T Real x [ n ] ; end T ;
        function f input Integer k ; output Integer y ; algorithm y := k + n ; end f ; end P ;
      model A replaceable P . T t ( x ( start = { 1 , 2 } ) ) ; parameter Integer m = P . f ( 1 ) ; Real z [ m ] ; end A ;
      model B extends A ( m = 4 , redeclare P . T t ) ; outer A a ; P . V v if m > 3 ; end B ;
      model M inner A a ; B b [ 2 ] ( each m = 3 ) ; Real q [ : ] = b . v ; end M ;`
      .trim()
      .split(/\s+/);
    const place = fc.nat(words.length - 1);
    const edits = fc.array(fc.record({ at: place, from: place, drop: fc.boolean() }), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(edits, (list) => {
        const text = [...words];
        for (const { at: position, from, drop } of list) text[position] = drop ? '' : words[from]!;
        const library = new Library();
        library.add(parse(new Source('mutilated.mo', text.join(' '))).definition);
        for (const known of library.classes) {
          const { root, diagnostics } = instantiate(library, known.path);
          expect(root !== undefined || diagnostics.some(({ severity }) => severity === 'error')).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('components nested a hundred deep are no problem', () => {
    const levels = Array.from({ length: 100 }, (_, k) => `model L${k + 1} L${k} c; end L${k + 1};`).join(
      '\n',
    );
    expect(show(tree(`model L0 Real x; end L0;\n${levels}`))).toEqual([`${'c.'.repeat(100)}x`]);
  });

  it('makes ten thousand components, in time that grows as their number', () => {
    const components = (n: number) => {
      const library = load(`
      connector Pin Real v; flow Real i; end Pin;
      model R Pin p, n; parameter Real R = 1; Real v; equation v = p.v - n.v; end R;
      model M R r[${n}](each R = 2); end M;`);
      return () => instantiate(library, 'M');
    };
    const { root, diagnostics } = components(10_000)();
    expect(diagnostics).toEqual([]);
    expect(at(root!, 'r[10000].n.i')).toMatchObject({ connection: 'flow' });
    expect(orderOf(components, 2500)).toBeLessThan(almostLinear);
  });
});
