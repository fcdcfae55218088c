/** Hints speak the language of whoever reads them: programs read of options of functions, people at the command line of `--options`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exportModelica, Failure, loadModel, simulate } from '../../src/index.ts';

const root = resolve(import.meta.dirname, '../../src');

/** Names of properties of style sheets begin with two hyphens as well; what the page of the studio says stands in one file of it. */
const isStyling = (name: string): boolean =>
  name.endsWith('style.ts') || (/^studio.page/.test(name) && !name.endsWith('texts.ts'));

describe('hints', () => {
  it('name options and subcommands of the command line only in what the command line prints', () => {
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.ts') && !name.startsWith('cli') && !isStyling(name),
    );
    expect(files.length).toBeGreaterThan(200);
    const found = files.flatMap((name) => {
      const text = readFileSync(join(root, name), 'utf8')
        .replace(/\/\*\*.*?\*\//gs, '')
        .replace(/^\s*\/\/.*$/gm, '')
        .replace(/commandHint:\s*('[^']*'|`(?:\$\{[^}]*\}|[^`])*`)/g, '');
      const strings = text.match(/'[^'\n]*'|`[^`]*`/g) ?? [];
      return strings.filter((string) =>
        /(^|[\s`'(])--[a-z]{2}|\bmutabor (export|modes|check|list|flatten)\b/.test(string),
      );
    });
    expect(found).toEqual([]);
  });

  it('of a machine in one structure are those of the caller', async () => {
    const text = `model M
  model A Real x(start = 0); equation der(x) = 1; end A;
  model B Real y; equation y = 2*time; end B;
  A a; B b;
equation
  initialState(a);
  transition(a, b, time > 1);
end M;`;
    const { diagnostics } = await simulate(loadModel(text), { singleMode: true });
    expect(diagnostics[0]!.hint).toContain('`singleMode`');
    expect(diagnostics[0]!.hint).not.toContain('--');
    expect(diagnostics[0]!.commandHint).toContain('--single-mode');
  });

  it('of too many modes are those of the caller', () => {
    const one = (k: number) =>
      `Real u${k}, i${k}, s${k}; Boolean b${k} = s${k} > 0; equation 0 = if b${k} then u${k} else i${k}; s${k} = if b${k} then i${k} else u${k}; sin(time + ${k}) = u${k} + i${k};`;
    const model = loadModel(`model M ${Array.from({ length: 8 }, (_, k) => one(k)).join(' public ')} end M;`);
    let failure: unknown;
    try {
      exportModelica(model, { limit: 2 });
    } catch (problem) {
      failure = problem;
    }
    expect(failure).toBeInstanceOf(Failure);
    const [problem] = (failure as Failure).diagnostics;
    expect(problem).toMatchObject({ code: 'not-exportable' });
    expect(problem!.hint).toContain('the option `limit`');
    expect(problem!.commandHint).toContain('--limit');
  });

  it('come with the values of relations and Booleans as true and false', async () => {
    const text = `model M Real x(start = 0, fixed = true), y; Boolean b(start = false, fixed = true);
      equation der(x) = 1; when x > 0.2 then b = true; end when; y = sqrt((if b then 0.5 else 2) - (if x >= 2 then 3 else x)); end M;`;
    const { diagnostics } = await simulate(loadModel(text));
    const [, values] = /values: (.*)/.exec(diagnostics[0]!.notes.map(({ message }) => message).join())!;
    expect(values!.split(', ').filter((one) => !one.startsWith('x = '))).toEqual([
      'b = true',
      'x >= 2 is false',
    ]);
  });
});
