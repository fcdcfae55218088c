/** Quick fixes: where one is offered, making it leaves nothing of the mistake. */
import { describe, expect, test } from 'vitest';
import { check, loadModel, simulate } from '../../src/index.ts';
import { TextFiles } from '../../src/model/classes/texts.ts';
import { changedText } from '../../src/syntax/change.ts';
import { having, shown } from './notation.ts';

/** The text after the fix of its first mistake. */
function fixed(text: string): string | undefined {
  const service = having(text);
  const [first] = service.diagnostics('M.mo').filter(({ fix }) => fix);
  const fix = first && service.fix(first);
  return fix && changedText(text, fix.changes.get('M.mo')!);
}

describe('fixes', () => {
  test.each([
    // syntax
    [
      'model M\n  Real x\n  Real y = 1;\nequation\n  x = 1;\nend M;',
      'model M\n  Real x;\n  Real y = 1;\nequation\n  x = 1;\nend M;',
    ],
    ['model M Real x equation x = 1; end M;', 'model M Real x; equation x = 1; end M;'],
    ['model M Real x; equation x = 1 end M;', 'model M Real x; equation x = 1; end M;'],
    ['model M Real x; equation x = sin(1; end M;', 'model M Real x; equation x = sin(1); end M;'],
    [
      'model M Real x; equation if time > 1\n  x = 1; else x = 2; end if; end M;',
      'model M Real x; equation if time > 1 then\n  x = 1; else x = 2; end if; end M;',
    ],
    [
      'model M Real x; equation if time > 1 then x = 1; else x = 2; end M;',
      'model M Real x; equation if time > 1 then x = 1; else x = 2;\nend if; end M;',
    ],
    ['model M Real x = 1;', 'model M Real x = 1;\nend M;'],
    ['model M Real x = 1; end N;', 'model M Real x = 1; end M;'],
    ['model M Real x = 1; end;', 'model M Real x = 1; end M;'],
    ['package P model M Real x = 1; end P;', 'package P model M Real x = 1; end M;\nend P;'],
    ['model M Real x; equation x := 1; end M;', 'model M Real x; equation x = 1; end M;'],
    ['model M Real x; equation x == 1; end M;', 'model M Real x; equation x = 1; end M;'],
    ['model M Real x; algorithm x = 1; end M;', 'model M Real x; algorithm x := 1; end M;'],
    ['model M paramter Real x = 1; end M;', 'model M parameter Real x = 1; end M;'],
    ['model M Boolean b = 1 != 2; end M;', 'model M Boolean b = 1 <> 2; end M;'],
    ['model M Boolean b = true && false; end M;', 'model M Boolean b = true  and  false; end M;'],
    [
      'model M Real x = 2y; parameter Real y = 1; end M;',
      'model M Real x = 2*y; parameter Real y = 1; end M;',
    ],
    ['model M Real x[2] = {1 2}; end M;', 'model M Real x[2] = {1, 2}; end M;'],
    ["model M Real end; equation 'end' = 1; end M;", "model M Real 'end'; equation 'end' = 1; end M;"],
    ['model M Real x = 1;\u00a0end M;', 'model M Real x = 1; end M;'],
    // names
    ['model M Real speed; equation sped = 1; end M;', 'model M Real speed; equation speed = 1; end M;'],
    [
      'model A Real speed = 1; end A; model M A a; Real y = a.sped; end M;',
      'model A Real speed = 1; end A; model M A a; Real y = a.speed; end M;',
    ],
    ['model M Real x = sinn(1); end M;', 'model M Real x = sin(1); end M;'],
    ['model Wheel end Wheel; model M Weel w; end M;', 'model Wheel end Wheel; model M Wheel w; end M;'],
    [
      'package P model Wheel end Wheel; end P; model M P.Weel w; end M;',
      'package P model Wheel end Wheel; end P; model M P.Wheel w; end M;',
    ],
    [
      'package P model Wheel end Wheel; end P; model M import P.Weel; Real x = 1; end M;',
      'package P model Wheel end Wheel; end P; model M import P.Wheel; Real x = 1; end M;',
    ],
    [
      'model A parameter Real mass = 1; end A; model M A a(maas = 2); end M;',
      'model A parameter Real mass = 1; end A; model M A a(mass = 2); end M;',
    ],
    [
      'model A parameter Real mass = 1; end A; model M extends A(maas = 2); end M;',
      'model A parameter Real mass = 1; end A; model M extends A(mass = 2); end M;',
    ],
    ['model M Real x(strat = 1) = 2; end M;', 'model M Real x(start = 1) = 2; end M;'],
    [
      'function f input Real width; output Real y = width; end f; model M Real x = f(widht = 2); end M;',
      'function f input Real width; output Real y = width; end f; model M Real x = f(width = 2); end M;',
    ],
    [
      'model M parameter Integer count = 2; Real x[cuont] = {1, 2}; end M;',
      'model M parameter Integer count = 2; Real x[count] = {1, 2}; end M;',
    ],
    // each
    ['model M Real x[2](start = 1) = {1, 2}; end M;', 'model M Real x[2](each start = 1) = {1, 2}; end M;'],
    [
      'model A parameter Real p = 1; end A; model M A a[2](p = 3); end M;',
      'model A parameter Real p = 1; end A; model M A a[2](each p = 3); end M;',
    ],
    [
      'model A parameter Real p = 1; end A; model M A a(each p = 3); end M;',
      'model A parameter Real p = 1; end A; model M A a(p = 3); end M;',
    ],
    // units
    ['model M Real x(unit = "sec") = 1; end M;', 'model M Real x(unit = "s") = 1; end M;'],
    ['model M Real x(unit = "m^2") = 1; end M;', 'model M Real x(unit = "m2") = 1; end M;'],
    ['model M Real x(unit = "N*m") = 1; end M;', 'model M Real x(unit = "N.m") = 1; end M;'],
    ['model M Real x(unit = "J/kg.K") = 1; end M;', 'model M Real x(unit = "J/(kg.K)") = 1; end M;'],
    // others
    ['model A model B end B; end A; model M extends A; model B Real x = 1; end B; end M;', undefined],
  ])('%j', (text, expected) => {
    const result = fixed(text);
    expect(result).toBe(expected);
    if (result !== undefined) expect(shown(having(result).diagnostics('M.mo'))).toEqual([]);
  });

  test('a class of the own library', () => {
    expect(fixed('model M Resistor r(R = 1); end M;')).toMatch(
      /model M Mutabor\.\w+(\.\w+)* r\(R = 1\); end M;/,
    );
  });

  test('within', () => {
    const texts = {
      'L/package.mo': 'package L end L;',
      'L/A.mo': 'within K; model A end A;',
      'M.mo': 'model M L.A a; end M;',
    };
    const service = having(texts);
    const [problem] = service.diagnostics('M.mo');
    const fix = service.fix(problem!)!;
    expect(changedText(texts['L/A.mo'], fix.changes.get('L/A.mo')!)).toBe('within L; model A end A;');
  });

  test('libraries are not changed, nor texts that have become others', () => {
    const files = new TextFiles({ 'libs/L.mo': 'model L Real speed; equation sped = 1; end L;' });
    const service = having('model M L l; end M;', { files, libraries: ['libs'] });
    const [problem] = service.diagnostics('M.mo');
    expect(problem!.fix).toBeDefined();
    expect(service.fix(problem!)).toBeUndefined();
    const other = having('model M Real speed; equation sped = 1; end M;');
    const [misspelt] = other.diagnostics('M.mo');
    other.open('M.mo', 'model M end M;');
    expect(other.fix(misspelt!)).toBeUndefined();
  });

  test('initial values that are missing', async () => {
    const text = 'model M Real x(start = 1), y; equation der(x) = -x; der(y) = x; end M;';
    const { diagnostics } = await simulate(loadModel(text), { stopTime: 0.1 });
    const [problem] = diagnostics.filter(({ code }) => code === 'initial-underdetermined');
    const changes = problem!.fix!.changes.map(({ span, insert }) => ({
      from: span.start,
      to: span.end,
      insert,
    }));
    const changed = changedText(text, changes);
    expect(changed).toBe(
      'model M Real x(fixed = true, start = 1), y(fixed = true); equation der(x) = -x; der(y) = x; end M;',
    );
    expect((await simulate(loadModel(changed), { stopTime: 0.1 })).diagnostics).toEqual([]);
    expect(check(loadModel(changed)).diagnostics).toEqual([]);
  });
});
