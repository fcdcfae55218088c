/** Libraries on top of each other: a model means the same whether the classes that it uses are in one library or in two. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { renderDiagnostic } from '../../src/diagnostic/render.ts';
import { Source } from '../../src/diagnostic/source.ts';
import { printFlat } from '../../src/flat/print/class.ts';
import { lastModel, translate } from '../../src/load.ts';
import type { LibraryOptions } from '../../src/model/classes/store.ts';
import { TextFiles } from '../../src/model/classes/texts.ts';
import { Library } from '../../src/model/library.ts';
import { parse } from '../../src/syntax/parser.ts';

function meaning(library: Library, text: string): string {
  const { definition } = parse(new Source('M.mo', text));
  const clashes = library.add(definition);
  const { model, diagnostics } = translate(library, lastModel(definition.classes)!);
  const told = [...clashes, ...diagnostics].map((one) => renderDiagnostic(one));
  return [...told, model ? printFlat(model) : 'no model'].join('\n');
}

/** What a text means in a library, and on top of one, before and after other texts were there. */
function same(texts: readonly string[], options: LibraryOptions = {}): void {
  const base = new Library(options);
  for (const text of [...texts, ...texts])
    expect(meaning(new Library({}, { base }), text)).toBe(meaning(new Library(options), text));
}

const examples = fileURLToPath(new URL('../../examples', import.meta.url));

describe('a library on top of another', () => {
  test('examples with classes of the own library', () => {
    const names = readdirSync(examples).filter((name) => name.endsWith('.mo'));
    const texts = names.map((name) => readFileSync(`${examples}/${name}`, 'utf8'));
    same(texts.filter((text) => text.includes('Mutabor.')).slice(0, 8));
  });

  const files = new TextFiles({
    'libs/Lib/package.mo': `package Lib
        constant Real c = 2;
        replaceable package Medium = Water;
        package Water constant Real rho = 1000; function f input Real x; output Real y; algorithm y := x*rho; end f; end Water;
        partial model Base replaceable model Part = Plain; Part part; end Base;
        model Plain parameter Real p = 1; Real x = p; end Plain;
        model Tank replaceable package M = Water; Real h = M.rho*M.f(time); end Tank;
        annotation(version = "2.0.0", uses(Other(version = "1")));
      end Lib;`,
    'libs/Lib/Filed.mo': 'within Lib; model Filed extends Plain(p = c); end Filed;',
    'libs/Other.mo': 'package Other constant Real d = 3; annotation(version = "1"); end Other;',
  });
  const options = { files, roots: ['libs'] };

  test('with redeclarations, files and constants of the lower one', () => {
    same(
      [
        'model M Lib.Filed a; Lib.Plain b(p = Lib.c + Other.d); end M;',
        'package Oil constant Real rho = 800; function f input Real x; output Real y; algorithm y := -x*rho; end f; end Oil; model M Lib.Tank t(redeclare package M = Oil); end M;',
        'model Mine extends Lib.Plain; Real z = time; end Mine; model M extends Lib.Base(redeclare model Part = Mine); end M;',
        'model M import Lib.*; Filed f; Plain q(pp = 1); end M;',
        'package P extends Lib; model M Filed f; Plain p; end M; end P;',
        'model M Lib.Filled f; end M;',
        'model M Lib.Tank t(redeclare package M = Nothing); end M;',
        'model M Lib.Plain a; annotation(uses(Lib(version = "1.0.0"))); end M;',
      ],
      options,
    );
  });

  test('texts of the upper one are not seen by the lower one', () => {
    const base = new Library({
      files: new TextFiles({ 'libs/L.mo': 'model L X x; end L;' }),
      roots: ['libs'],
    });
    expect(meaning(new Library({}, { base }), 'model X end X; model M L l; end M;')).toContain(
      'The class `X` cannot be found from `L`',
    );
  });
});
