/** Lookup of names: specification 3.6, chapter 5 and section 13.2. */
import { describe, expect, it } from 'vitest';
import { resolve } from '../../src/model/classes/lookup.ts';
import type { Instance, ObjectInstance, Resolution } from '../../src/model/instance.ts';
import { instantiate } from '../../src/model/instances/instantiate.ts';
import type { Library } from '../../src/model/library.ts';
import { evaluate } from '../../src/model/values/evaluate.ts';
import type * as ast from '../../src/syntax/ast.ts';
import { at, expression, load, problems, show, tree } from './notation.ts';

const reference = (text: string): ast.ComponentRef => {
  const parsed = expression(text);
  if (parsed.kind !== 'ref') throw new Error(text);
  return parsed;
};

/** What a reference means in the model itself, or in one of its components. */
function meaning(text: string, ref: string, component?: string): string {
  const { root } = model(text);
  const instance = component ? at(root, component) : root;
  if (instance.kind !== 'object') throw new Error(component);
  return told(resolve({ instance, lexical: instance.class }, reference(ref)));
}

function model(text: string): { library: Library; root: ObjectInstance } {
  const library = load(text);
  const { root, diagnostics } = instantiate(library, library.classes.at(-1)!.path);
  if (!root || diagnostics.length > 0) throw new Error(diagnostics.map((d) => d.message).join('\n'));
  return { library, root };
}

function told(resolution: Resolution): string {
  switch (resolution.kind) {
    case 'component':
      return `component ${resolution.parts.map(({ instance }) => instance.path).join(' > ')}`;
    case 'constant':
      return `constant ${resolution.instance.path}${'[]'.repeat(resolution.subscripts.length)}`;
    case 'class':
      return `class ${resolution.class.path}`;
    case 'literal':
      return `literal ${resolution.enumeration}.${resolution.literals[resolution.index - 1]} (${resolution.index})`;
    case 'builtin':
      return `builtin ${resolution.name}`;
    case 'absent':
      return `absent ${resolution.path}`;
    case 'unknown':
      return `unknown part ${resolution.part} in ${resolution.within}, nearest ${resolution.nearest}`;
    default:
      return resolution satisfies never;
  }
}

describe('simple names (5.3.1)', () => {
  it('members of the instance, inherited ones included', () => {
    const text = 'model A Real x; end A; model M extends A; Real y; A a; end M;';
    expect(meaning(text, 'x')).toBe('component x');
    expect(meaning(text, 'y')).toBe('component y');
    expect(meaning(text, 'x', 'a')).toBe('component a.x');
  });

  it('constants and classes of enclosing classes', () => {
    const text = `
      package P
        constant Real c = 1;
        package Q constant Real d = 2; model M Real x; end M; end Q;
        function f input Real u; output Real y; algorithm y := u; end f;
      end P;
      model T extends P.Q.M; end T;`;
    const { library, root } = model(text);
    const lexical = library.byPath(['P', 'Q', 'M'])!;
    const here = (ref: string) => told(resolve({ instance: root, lexical }, reference(ref)));
    expect(here('c')).toBe('constant P.c');
    expect(here('d')).toBe('constant P.Q.d');
    expect(here('f')).toBe('class P.f');
    expect(here('Q.d')).toBe('constant P.Q.d');
    expect(here('.P.c')).toBe('constant P.c');
  });

  it('the innermost declaration hides the outer ones', () => {
    const text = `
      package P
        constant Integer n = 1;
        package Q constant Integer n = 2; model M Real x[n]; end M; end Q;
        model N Real x[n]; end N;
      end P;
      model T P.Q.M m; P.N n; end T;`;
    expect(show(tree(text))).toEqual(['m.x[2]', 'n.x[1]']);
  });

  it('names that a derived class adds do not change a base class', () => {
    const text = `
      package P
        constant Integer n = 1;
        model A Real x[n]; end A;
      end P;
      model M extends P.A; parameter Integer n = 5; Real y[n]; end M;`;
    expect(show(tree(text))).toEqual(['x[1]', 'n = 5', 'y[5]']);
  });

  it('predefined names come last', () => {
    const text =
      'model M Real x; function sin input Real u; output Real y; algorithm y := u; end sin; end M;';
    expect(meaning(text, 'sin')).toBe('class M.sin');
    expect(meaning(text, 'cos')).toBe('builtin cos');
    expect(meaning(text, 'time')).toBe('builtin time');
    expect(meaning(text, 'Integer')).toBe('builtin Integer');
    expect(meaning(text, 'Connections.branch')).toBe('builtin Connections.branch');
  });

  it('enumeration literals', () => {
    const text = 'type E = enumeration(one, two); model M type F = E(start = E.two); Real x; end M;';
    expect(meaning(text, 'E.two')).toBe('literal E.two (2)');
    expect(meaning(text, 'F.one')).toBe('literal E.one (1)');
    expect(meaning(text, 'StateSelect.prefer')).toBe('literal StateSelect.prefer (4)');
    expect(meaning(text, 'E.too')).toBe('unknown part 1 in E, nearest two');
  });

  it('parameters of an enclosing class are out of reach', () => {
    expect(
      problems('model M\n  parameter Integer n = 2;\n  model A\n    Real x[n];\n  end A;\n  A a;\nend M;'),
    ).toEqual([
      '4:12 unknown-name `n` of the class `M` is no constant, so it has no value outside its instances.',
    ]);
  });

  it('an encapsulated class ends the search', () => {
    const text =
      'package P\n  constant Integer n = 2;\n  encapsulated model M\n    Real x[n];\n  end M;\nend P;\nmodel T\n  P.M m;\nend T;';
    expect(problems(text)).toEqual(['4:12 unknown-name `n` is not declared in `P.M`.']);
  });
});

describe('composite names (5.3.2)', () => {
  it('members of components', () => {
    const text = 'connector C Real v; end C; model A C p; end A; model M A a; A b[2]; A e[0]; end M;';
    expect(meaning(text, 'a.p.v')).toBe('component a > a.p > a.p.v');
    expect(meaning(text, 'b[2].p.v')).toBe('component b > b.p > b.p.v');
    expect(meaning(text, 'e.p')).toBe('component e > e[0].p');
    expect(meaning(text, 'a.q')).toBe('unknown part 1 in a, nearest undefined');
  });

  it('fields and elements of constants', () => {
    const text = `
      package P
        record R Real x[2]; end R;
        constant R r(x = {1, 2});
        constant Real m[2, 2] = {{1, 2}, {3, 4}};
      end P;
      model M Real x; end M;`;
    expect(meaning(text, 'P.r.x[1]')).toBe('constant P.r.x[]');
    expect(meaning(text, 'P.m[1, 2]')).toBe('constant P.m[][]');
  });

  it('functions of components', () => {
    const text = `
      model W parameter Real g = 3; function f input Real u; output Real y; algorithm y := 2 * u; end f; end W;
      model M W w; end M;`;
    expect(meaning(text, 'w.f')).toBe('class W.f');
  });

  it('absent components', () => {
    const text = 'model A Real x; end A; model M A a if false; Real y if false; end M;';
    expect(meaning(text, 'a.x')).toBe('absent a');
    expect(meaning(text, 'y')).toBe('absent y');
  });

  it('suggests the nearest name', () => {
    const text = 'model M Real voltage; Real current; end M;';
    expect(meaning(text, 'volatge')).toBe('unknown part 0 in M, nearest voltage');
    expect(meaning(text, 'Currrent')).toBe('unknown part 0 in M, nearest current');
  });
});

describe('imports (13.2)', () => {
  const library = `
    package Lib
      package Sub constant Integer one = 1; constant Integer two = 2; type T = Real(unit = "V"); end Sub;
    end Lib;`;
  const sized = (clause: string, size: string): string[] =>
    show(tree(`${library} model M ${clause} Real x[${size}]; end M;`));

  it('qualified, renaming, wildcard and selection', () => {
    expect(sized('import Lib.Sub;', 'Sub.two')).toEqual(['x[2]']);
    expect(sized('import Lib.Sub.two;', 'two')).toEqual(['x[2]']);
    expect(sized('import S = Lib.Sub;', 'S.one')).toEqual(['x[1]']);
    expect(sized('import Lib.Sub.*;', 'two')).toEqual(['x[2]']);
    expect(sized('import Lib.Sub.{one, two};', 'two + one')).toEqual(['x[3]']);
  });

  it('are ambiguous where several wildcards give a name, and it is used', () => {
    const two = `package A constant Integer n = 1; type T = Real(unit = "V"); end A;
package B constant Integer n = 2; type T = Real(unit = "A"); constant Integer k = 3; end B;
model M
  import A.*;
  import B.*;
`;
    const hint = 'Import the one that is meant by its name.';
    expect(problems(`${two}  T x;\nend M;`)).toEqual([
      `6:3 unknown-class \`T\` is ambiguous: \`import A.*\` and \`import B.*\` give one each. | ${hint}`,
    ]);
    expect(problems(`${two}  Real x[n];\nend M;`)[0]).toContain(
      '`n` is ambiguous: `import A.*` and `import B.*`',
    );
    expect(show(tree(`${two} Real x[k]; end M;`))).toEqual(['x[3]']);
    expect(show(tree(`${two} import A.n; Real x[n]; end M;`))).toEqual(['x[1]']);
    expect(show(tree(`${two} import A.*; Real x[A.n]; end M;`))).toEqual(['x[1]']);
  });

  it('are used for types', () => {
    expect(show(tree(`${library} model M import Lib.Sub.T; T x; end M;`))).toEqual(['x (unit = "V")']);
  });

  it('are not inherited', () => {
    expect(
      problems(
        `${library}\nmodel A import Lib.Sub; Real x; end A;\nmodel M\n  extends A;\n  Sub.T y;\nend M;`,
      ),
    ).toEqual([
      '8:3 unknown-class The class `Sub.T` cannot be found from `M`. | No library with a package `Sub` is loaded; load the model into a `Library` whose `roots` hold it.',
    ]);
  });

  it('hold for text in a base class', () => {
    expect(
      show(tree(`${library} model A import Lib.Sub.two; Real x[two]; end A; model M extends A; end M;`)),
    ).toEqual(['x[2]']);
  });

  it('are looked up from the top level', () => {
    const text = `${library} package P package Lib constant Integer one = 7; end Lib; model M import Lib.Sub.one; Real x[one]; end M; end P;`;
    expect(show(tree(text, 'P.M'))).toEqual(['x[1]']);
  });
});

describe('unknown classes', () => {
  it('are named with the nearest one', () => {
    expect(
      problems('package P model Resistor Real x; end Resistor; end P;\nmodel M\n  P.Resistr r;\nend M;'),
    ).toEqual([
      '3:3 unknown-class The class `P.Resistr` cannot be found from `M`. | Did you mean `P.Resistor`?',
    ]);
    expect(problems('model M\n  extends Baes;\nend M;')).toEqual([
      '2:11 unknown-class The class `Baes` cannot be found from `M`.',
    ]);
    expect(problems('model M\n  Rael x;\nend M;')).toEqual([
      '2:3 unknown-class The class `Rael` cannot be found from `M`. | Did you mean `Real`?',
    ]);
  });

  it('a model to instantiate', () => {
    const library = load('model Circuit Real x; end Circuit;');
    const { root, diagnostics } = instantiate(library, 'Circiut');
    expect(root).toBeUndefined();
    expect(diagnostics).toMatchObject([
      { code: 'unknown-class', message: 'There is no class `Circiut`.', hint: 'Did you mean `Circuit`?' },
    ]);
  });
});

describe('inherited packages', () => {
  it('functions and models see the constants of the package that inherits them', () => {
    const text = `
      partial package Partial
        constant Integer n;
        constant Integer m = n + 1;
        replaceable function f input Real u; output Real y; algorithm y := u + n; end f;
        model A Real x[n]; Real y[m]; end A;
      end Partial;
      package Two extends Partial(n = 2); end Two;
      package Three extends Partial(n = 3); end Three;
      model M Two.A a; Three.A b; end M;`;
    expect(show(tree(text))).toEqual(['a.x[2]', 'a.y[3]', 'b.x[3]', 'b.y[4]']);
    const { root } = model(text);
    const value = (source: string) =>
      evaluate({ instance: root, lexical: root.class }, expression(source)).value;
    expect(value('Two.f(10)')).toEqual({ kind: 'real', value: 12 });
    expect(value('Three.f(10)')).toEqual({ kind: 'real', value: 13 });
  });

  it('the same constant is instantiated once', () => {
    const { root } = model('package P constant Real c = 1; end P; model M Real x; end M;');
    const scope = { instance: root as Instance, lexical: root.class };
    const [a, b] = [resolve(scope, reference('P.c')), resolve(scope, reference('.P.c'))];
    expect(a.kind === 'constant' && b.kind === 'constant' && a.instance === b.instance).toBe(true);
  });

  it('names in the value of a constant mean constants of its class', () => {
    const { root } = model(
      'package P constant Real a = 2 * b; constant Real b = 1; end P; model M Real x; end M;',
    );
    const scope = { instance: root as Instance, lexical: root.class };
    const a = resolve(scope, reference('P.a'));
    if (a.kind !== 'constant' || a.instance.kind !== 'variable') throw new Error();
    const { binding } = a.instance;
    expect(binding?.scope).toMatchObject({ instance: undefined, lexical: { path: 'P' } });
    expect(told(resolve(binding!.scope, reference('b')))).toBe('constant P.b');
  });
});
