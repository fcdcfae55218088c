import { describe, expect, it } from 'vitest';

import { Source } from '../../src/diagnostic/source.ts';
import { flatten } from '../../src/flat/flatten.ts';
import { printFlat } from '../../src/flat/print/class.ts';
import { instantiate } from '../../src/model/instances/instantiate.ts';
import { Library } from '../../src/model/library.ts';
import { parse } from '../../src/syntax/parser.ts';

function flatListing(text: string, name: string): string {
  const library = new Library();
  const { definition, diagnostics } = parse(new Source('test.mo', text));
  expect([...diagnostics, ...library.add(definition)]).toEqual([]);
  const { root, diagnostics: problems } = instantiate(library, name);
  expect(problems).toEqual([]);
  const flat = flatten(root!, library);
  expect(flat.diagnostics).toEqual([]);
  return printFlat(flat.model!);
}

describe('the listing of a flat model', () => {
  it('is Modelica without classes', () => {
    const text = `
      function twice input Real u; output Real y; algorithm
        y := u; while y < 2*u loop y := y + 1; end while;
      end twice;
      model Part parameter Real k = 2 "gain"; input Real u; output Real y; equation y = k*u; end Part;
      model M "shows everything"
        Part part(k = 3);
        Real x(start = 1, fixed = true, unit = "m");
        Real z[2];
        Boolean b(start = false, fixed = true);
        Boolean on = true;
      equation
        part.u = x;
        der(x) = twice(x);
        for i in 1:2 loop z[i] = x/i; end for;
        when x < 0.5 then b = not pre(b); reinit(x, 1); end when;
        assert(x > -1, "low");
        annotation(experiment(StopTime = 2));
      end M;`;
    const listing = flatListing(text, 'M');
    const lines = listing.split('\n').map((line) => line.trim());
    for (const expected of [
      'function twice',
      'input Real u;',
      'output Real y;',
      'y := u;',
      'while y < 2*u loop',
      'model M "shows everything"',
      'parameter Real \'part.k\' = 3 "gain";',
      'Real x(unit = "m", start = 1, fixed = true);',
      'Real[2] z;',
      'Boolean b(start = false, fixed = true);',
      'Boolean on;',
      'on = true;',
      'equation',
      "'part.u' = x;",
      'der(x) = twice(x);',
      'for i in 1:2 loop',
      'z[i] = x/i;',
      'when x < 0.5 then',
      'b = not pre(b);',
      'reinit(x, 1);',
      'assert(x > -1, "low");',
      'end M;',
    ]) {
      expect(lines).toContain(expected);
    }
  });

  it('keeps the branches of if-equations', () => {
    const text = `model M Boolean c = time < 1; Real v; Real i; equation
      v + i = 1; if c then v = 0; elseif time > 2 then i = 1; else i = 0; end if; end M;`;
    expect(flatListing(text, 'M')).toContain(
      [
        '  if c then',
        '    v = 0;',
        '  elseif time > 2 then',
        '    i = 1;',
        '  else',
        '    i = 0;',
        '  end if;',
      ].join('\n'),
    );
  });
});
