/** Models of earlier versions of libraries (specification 3.6, section 18.8.2): what rules make of them, by values that are computed by hand. */
import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../../src/diagnostic/diagnostic.ts';
import { Source } from '../../src/diagnostic/source.ts';
import { simulate } from '../../src/index.ts';
import { translate } from '../../src/load.ts';
import { Library } from '../../src/model/library.ts';
import { parse } from '../../src/syntax/parser.ts';
import { lines, MemoryFiles } from './notation.ts';

/** The library in its version 2.0. In 1.0 gains were products with `g`, `Sum` was `Add` with inputs `a` and `b`, `Units` was `SIunits`. */
const library = (
  script: string,
  from = 'version = {"0.9", "1.0"}, script = "modelica://L/Resources/convert.mos"',
) => ({
  '/l/L/package.mo': `package L
    package Units type Length = Real(unit = "m"); package Old type Mile = Real(unit = "km"); end Old; end Units;
    package Constants constant Real mu = 7; end Constants;
    type Kind = enumeration(slow, fast);
    connector Port Real p; flow Real f; end Port;
    block Gain parameter Real k = 1; parameter Integer n = 1; input Real u; output Real y = k*u*n; end Gain;
    block Add input Real u1; input Real u2; output Real y = u1 + 10*u2; end Add;
    block Special parameter Real s = 3; output Real y = 100*s; end Special;
    function f input Real x; input Real scale = 1; output Real y = x*scale; end f;
    annotation(version = "2.0", conversion(noneFromVersion = "1.9", from(${from})));
  end L;`,
  '/l/L/Resources/convert.mos': script,
});

const rules = `// rules
convertClear();
convertClass("L.SIunits", "L.Units");
convertClass({"L.SIunits.Miles", "L.Sum"}, {"L.Units.Old.Mile", "L.Add"});
convertClass("L.Constants.mue", "L.Constants.mu");
convertClassIf("L.Gain", "special", "true", "L.Special");
convertElement("L.Sum", {"a", "b"}, {"u1", "u2"});
convertElement({"L.f"}, "factor", "scale");
convertModifiers("L.Gain", {"g=2", "h=1"}, {"k=%g%*%h%"}, true);
convertModifiers({"L.Gain"}, {"unused"}, fill("", 0));
convertModifiers("L.Sum", fill("", 0), {"y(start=1)"});
convertMessage("L.Gone", "Use a Gain.");
`;

interface Outcome {
  readonly values: (...names: string[]) => number[];
  readonly diagnostics: readonly Diagnostic[];
}

async function run(
  text: string,
  files: Record<string, string> = library(rules),
  name = 'U',
): Promise<Outcome> {
  const loaded = new Library({ files: new MemoryFiles(files), roots: ['/l'] });
  const { definition, diagnostics: mistakes } = parse(new Source('u.mo', text));
  const problems = [...mistakes, ...loaded.add(definition)];
  const { model, diagnostics } = translate(loaded, name);
  const all = [...problems, ...diagnostics].filter(({ severity }) => severity !== 'info');
  if (!model) return { values: () => [], diagnostics: all };
  const { table } = await simulate(model, { stopTime: 1 });
  return { values: (...names) => names.map((name) => table.value(name, 1)), diagnostics: all };
}

const user = (body: string, name = 'U', version = '1.0') =>
  `model ${name} ${body} annotation(uses(L(version = "${version}"))); end ${name};`;

describe('a model of an earlier version', () => {
  it('has new names of classes and elements', async () => {
    const { values, diagnostics } = await run(
      user(`L.SIunits.Length x = 2; L.SIunits.Miles d = 3; L.Sum sum(a = 4, b = x); Real z = sum.y + sum.b;
        Real c = L.Constants.mue; Real v = L.f(3, factor = 5);`),
    );
    expect(lines(diagnostics)).toEqual([]);
    // 4 + 10 2 = 24; 24 + 2; 7; 3 5.
    expect(values('x', 'd', 'sum.y', 'z', 'c', 'v')).toEqual([2, 3, 24, 26, 7, 15]);
  });

  it('has new modifiers, made from old ones and their defaults', async () => {
    const { values, diagnostics } = await run(
      user(
        `L.Gain both(g = 3, h = 4, u = 1), one(h = 5, u = 1), none(u = 1), kept(k = 6, g = 3, u = 1, unused = 3);`,
      ),
    );
    expect(lines(diagnostics)).toEqual([]);
    // 3 4; 2 5, with the default of g; the own default 1; what is written itself.
    expect(values('both.y', 'one.y', 'none.y', 'kept.y')).toEqual([12, 10, 1, 6]);
  });

  it('has another class where a modifier says so', async () => {
    const { values, diagnostics } = await run(user('L.Gain s(special = true, s = 2); L.Gain t(u = 1);'));
    expect(lines(diagnostics)).toEqual([]);
    expect(values('s.y', 't.y')).toEqual([200, 1]);
  });

  it.each([
    ['by an import with another name', 'import S = L.SIunits; S.Length x = 2; S.Miles d = 3;'],
    [
      'by an import of a class',
      'import L.SIunits.Length; import L.SIunits.Miles; Length x = 2; Miles d = 3;',
    ],
    ['by an import of several', 'import L.SIunits.{Length, Miles}; Length x = 2; Miles d = 3;'],
    ['by an import of all', 'import L.SIunits.*; Length x = 2; Miles d = 3;'],
    ['from the top', '.L.SIunits.Length x = 2; .L.SIunits.Miles d = 3;'],
    ['by a class of its own', 'package S = L.SIunits; type D = L.SIunits.Miles; S.Length x = 2; D d = 3;'],
  ])('names classes %s', async (_, body) => {
    const { values, diagnostics } = await run(user(body));
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(values('x', 'd')).toEqual([2, 3]);
  });

  it('may inherit', async () => {
    const { values, diagnostics } = await run(
      user(`block Mine extends L.Sum(a = 1); Real twice = 2*b; end Mine;
        block Yours = L.Gain(g = 3, h = 1); Mine m(b = 5); Yours y(u = 2); Real z = m.b;
        model Inner Mine i(b = 7); end Inner; Inner j(i(a = 2));`),
    );
    expect(lines(diagnostics)).toEqual([]);
    // m: 1 + 50, y: 3 2, j: 2 + 70.
    expect(values('m.y', 'm.twice', 'y.y', 'z', 'j.i.y')).toEqual([51, 10, 6, 5, 72]);
  });

  it('keeps names of its own', async () => {
    const { values } = await run(
      user(
        'record Sum Real a; Real b; end Sum; package SIunits type Length = Real; end SIunits; Sum sum(a = 1, b = 2); SIunits.Length x = sum.a;',
      ),
    );
    expect(values('sum.b', 'x')).toEqual([2, 1]);
  });

  it('may be a package in a folder', async () => {
    const { values, diagnostics } = await run('model U K.Sub.M m; end U;', {
      ...library(rules),
      '/l/K/package.mo': 'package K import S = L.SIunits; annotation(uses(L(version = "1.0"))); end K;',
      '/l/K/Sub/package.mo': 'within K; package Sub end Sub;',
      '/l/K/Sub/M.mo': 'within K.Sub; model M S.Miles d = 3; L.Sum sum(a = d, b = 1); end M;',
    });
    expect(lines(diagnostics)).toEqual([]);
    expect(values('m.d', 'm.sum.y')).toEqual([3, 13]);
  });

  it('goes by several versions', async () => {
    const from =
      'version = "1.0", to = "1.5", change = {convertClass("L.A", "L.B")}), from(version = "1.5", change = {convertClass("L.B", "L.Gain")}';
    const { values, diagnostics } = await run(user('L.A a(k = 3, u = 2);'), library('', from));
    expect(lines(diagnostics)).toEqual([]);
    expect(values('a.y')).toEqual([6]);
  });

  it('is told that it is converted', () => {
    const loaded = new Library({ files: new MemoryFiles(library(rules)), roots: ['/l'] });
    loaded.add(parse(new Source('u.mo', user('L.Sum s(a = 1, b = 2);'))).definition);
    expect(lines(translate(loaded, 'U').diagnostics)).toEqual([
      '1:48 info library-version `U` was written for version 1.0 of `L` and is converted to version 2.0.',
    ]);
  });
});

describe('what cannot be converted is told', () => {
  it('where the library says so', async () => {
    const { diagnostics } = await run(user('L.Gone g;'));
    expect(lines(diagnostics)).toEqual([
      '1:9 warning library-version `L.Gone` cannot be converted to the version that is there. | Use a Gain.',
      '1:9 unknown-class The class `L.Gone` cannot be found from `U`.',
    ]);
  });

  it.each([
    ['convertMWClass("a", "b");', 'there is no conversion function `convertMWClass`'],
    ['x := 3;', 'only calls of conversion functions have a meaning'],
    ['convertClass("a");', '`convertClass` needs 2 arguments, which are strings or lists of them'],
    ['convertClass("a", 3);', '`convertClass` needs 2 arguments, which are strings or lists of them'],
    ['convertClass({"a", "b"}, "c");', 'there are not as many new classes as old ones'],
    ['convertClass("a", "inner b");', '`inner b` is no name of a class'],
    ['convertElement("L.Sum", "p.s[1]", "u");', '`p.s[1]` and `u` are not names of elements'],
    ['convertModifiers("L.Sum", {"a"}, {"b=("});', '`b=(` is no modifier'],
  ])('rules that mean nothing: %s', async (rule, why) => {
    const { values, diagnostics } = await run(user('L.Sum s(a = 1, b = 2);'), library(`${rule}\n${rules}`));
    expect(lines(diagnostics)).toEqual([
      `1:1 warning library-version A rule for the conversion of models is left out: ${why}.`,
    ]);
    expect(values('s.y')).toEqual([21]);
  });

  it.each([
    'modelica://L/Resources/none.mos',
    'modelica://Other/convert.mos',
    '../convert.mos',
    '/etc/hostname',
  ])('scripts that cannot be read: %s', async (script) => {
    const { diagnostics } = await run(
      user('L.Gain g(u = 1);'),
      library(rules, `version = "1.0", script = "${script}"`),
    );
    expect(lines(diagnostics)).toEqual([
      expect.stringContaining(`The conversion script \`${script}\` cannot be read.`),
    ]);
  });

  it('versions that the library knows nothing of', async () => {
    const { values, diagnostics } = await run(user('L.Gain g(u = 1, k = 3);', 'U', '0.1'));
    expect(values('g.y')).toEqual([3]);
    expect(lines(diagnostics)).toEqual([
      expect.stringContaining('`U` uses version 0.1 of `L`, but what is there is version 2.0.'),
    ]);
  });

  it('classes that inherit from each other do not hang', async () => {
    const { diagnostics } = await run(
      user('model A extends B; extends L.Sum; end A; model B extends A; extends A; end B; A a(a = 1);'),
    );
    expect(diagnostics.some(({ code }) => code === 'cyclic-definition')).toBe(true);
  });
});
