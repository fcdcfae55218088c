/** Input that nobody writes by accident: it ends in a diagnostic within seconds, and never in a crash. */
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Source } from '../../src/diagnostic/source.ts';
import { tokenize } from '../../src/syntax/lexer.ts';
import { run } from '../cli/terminal.ts';
import { expectPlain, home } from './mistakes.ts';

async function codes(
  text: string | Uint8Array,
  command = 'check',
): Promise<{ status: number; codes: string[] }> {
  writeFileSync(join(home, 'hostile.mo'), text);
  const { status, json } = await run([command, 'hostile.mo', '--json'], { cwd: home });
  const errors = json.diagnostics.filter((d: { severity: string }) => d.severity === 'error');
  return { status, codes: [...new Set<string>(errors.map((d: { code: string }) => d.code))] };
}

const times = (n: number, text: (k: number) => string): string =>
  Array.from({ length: n }, (_, k) => text(k)).join('');

describe('limits', () => {
  it.each([
    ['parentheses', `model M Real x = ${'('.repeat(1e5)}1${')'.repeat(1e5)}; end M;`],
    ['if-equations', `model M Real x; equation ${'if time > 1 then '.repeat(1e4)}`],
    ['packages', times(1e4, (k) => `package P${k} `)],
    ['calls', `model M Real x = ${'sin('.repeat(1e4)}1${')'.repeat(1e4)}; end M;`],
    ['a long sum', `model M Real x = ${'time + '.repeat(1e5)}1; end M;`],
    ['modifiers', `model M Real x${'(a'.repeat(1e4)}${')'.repeat(1e4)}; end M;`],
    [
      'base classes',
      `${times(3000, (k) => `model M${k} extends M${k + 1}; end M${k};`)}model M3000 end M3000; model Z extends M0; end Z;`,
    ],
    ['a huge array', 'model M Real x[1000000000]; equation x = zeros(1000000000); end M;'],
    ['a huge matrix', 'model M parameter Real A[3000, 3000] = identity(3000); Real x = A[1, 1]; end M;'],
    ['a huge loop', 'model M Real x; equation for i in 1:1000000000 loop x = i; end for; end M;'],
    [
      'nested loops',
      `model M Real x; equation ${times(5, (k) => `for i${k} in 1:1000 loop `)}x = 1; ${'end for; '.repeat(5)}end M;`,
    ],
    ['a huge sum', 'model M Real x = sum(i for i in 1:1000000000); end M;'],
    [
      'a constant without end',
      'model M function f input Real x; output Real y; algorithm y := f(x); end f; constant Real c = f(1); Real x[integer(c)]; end M;',
    ],
    [
      'a loop without end',
      'model M function f output Integer n; algorithm n := 1; while true loop n := 2; end while; end f; Real x[f()]; end M;',
    ],
    ['components without end', 'model A B b; end A; model B A a; end B;'],
  ])('%s', async (_, text) => {
    const result = await codes(text);
    expect(result.status).toBe(1);
    expect(result.codes).not.toContain('internal');
    expect(result.codes.some((code) => ['limit-exceeded', 'cyclic-definition'].includes(code))).toBe(true);
  });

  it.each([
    ['a loop', 'while y < 1 loop y := y*0.5; end while;'],
    ['a recursion', 'y := f(x + 1);'],
  ])('%s without end while the model runs', async (_, body) => {
    const f = `function f input Real x; output Real y; algorithm y := x; ${body} end f;`;
    expect(await codes(`model M ${f} Real y = f(time); end M;`, 'simulate')).toEqual({
      status: 1,
      codes: ['limit-exceeded'],
    });
  });

  it('a sample that ticks without end', async () => {
    const text =
      'model M Integer n(start = 0); equation when sample(0, 1e-12) then n = pre(n) + 1; end when; end M;';
    expect(await codes(text, 'simulate')).toEqual({ status: 1, codes: ['limit-exceeded'] });
  });

  it('prints no more than can be read', async () => {
    writeFileSync(join(home, 'hostile.mo'), `model M equation ${times(500, (k) => `x${k} = 1;\n`)} end M;`);
    const { err } = await run(['check', 'hostile.mo'], { cwd: home });
    expect(err.match(/unknown-name/g)).toHaveLength(20);
    expect(err).toContain('… and 480 more.');
  });
});

describe('texts that are none', () => {
  it.each([
    [
      'random bytes',
      Uint8Array.from({ length: 5000 }, (_, k) => (k * k * 31 + 7 * k) % 251),
      'is no Modelica text.',
    ],
    ['UTF-16', Buffer.from('\uFEFFmodel M Real x = 1; end M;', 'utf16le'), 'seems to be in UTF-16.'],
    ['UTF-16 without a mark', Buffer.from('model M Real x = 1; end M;', 'utf16le'), 'seems to be in UTF-16.'],
  ])('%s are told of in one sentence', async (_, text, said) => {
    writeFileSync(join(home, 'hostile.mo'), text);
    const { err, status } = await run(['check', 'hostile.mo'], { cwd: home });
    expect(status).toBe(1);
    expect(err.match(/error:/g)).toHaveLength(1);
    expect(err.split('\n')[0]).toContain(said);
  });

  it('a text with some characters of another encoding is read', async () => {
    const text = `model M "Gr\xf6\xdfe \xfcber ${'\xe4'.repeat(7)}" Real x = 1; end M;`;
    writeFileSync(join(home, 'hostile.mo'), Buffer.from(text, 'latin1'));
    expect((await run(['check', 'hostile.mo'], { cwd: home })).status).toBe(0);
  });

  it.each([
    ['all bytes', Uint8Array.from({ length: 2560 }, (_, k) => k % 256)],
    ['UTF-16', Buffer.from('\uFEFFmodel M Real x = 1; end M;', 'utf16le')],
    ['a zero byte', 'model M Real x\0 = 1; end M;'],
  ])('%s', async (_, text) => {
    const result = await codes(text);
    expect(result.status).toBe(1);
    expect(result.codes).toContain('bad-character');
  });

  it('keeps lines and columns with byte order mark and CRLF', async () => {
    writeFileSync(
      join(home, 'hostile.mo'),
      '\uFEFFmodel M\r\n  Real x;\r\nequation\r\n  x = yy;\r\nend M;\r\n',
    );
    const { json } = await run(['check', 'hostile.mo', '--json'], { cwd: home });
    expect(json.diagnostics[0]).toMatchObject({ code: 'unknown-name', line: 4, column: 7, endColumn: 9 });
  });

  it('links that lead to themselves', async () => {
    symlinkSync('loop.mo', join(home, 'loop.mo'));
    const { status, err } = await run(['check', 'loop.mo'], { cwd: home });
    expect(status).toBe(2);
    expect(err).toContain('[file-not-found]');
  });
});

describe('names', () => {
  it('of JavaScript are names like others', async () => {
    const names = ['constructor', 'toString', '__proto__', "'__proto__'", 'hasOwnProperty', 'valueOf'];
    const text = `model M\n${names.map((name, k) => `Real ${name} = ${k}*time;\n`).join('')}end M;`;
    writeFileSync(join(home, 'names.mo'), text);
    const { status, json } = await run(['simulate', 'names.mo', '--json'], { cwd: home });
    expect(status).toBe(0);
    expect(Object.entries(json.final)).toEqual(names.map((name, k) => [name, k]));
    expect((await codes('model M Real x = constructor; end M;')).codes).toEqual(['unknown-name']);
    expect((await codes('model M toString x; end M;')).codes).toEqual(['unknown-class']);
  });

  it('in quotes may hold anything', async () => {
    writeFileSync(join(home, 'quoted.mo'), `model 'a b.c' Real 'x,"<b>' = time; end 'a b.c';`);
    const { status, json } = await run(['simulate', 'quoted.mo', '--json', '--plot', 'quoted.svg'], {
      cwd: home,
    });
    expect(status).toBe(0);
    expect(json).toMatchObject({ model: "'a b.c'", final: { "'x,\"<b>'": 1 } });
    expect(readFileSync(join(home, 'quoted.svg'), 'utf8')).not.toContain('<b>');
  });
});

describe('damaged examples', () => {
  const folder = new URL('../../examples/', import.meta.url);
  const examples = readdirSync(folder)
    .filter((name) => name.endsWith('.mo'))
    .map((name) => wordsOf(readFileSync(new URL(name, folder), 'utf8')));

  it('are checked to an end, in plain words', async () => {
    const damage = fc.record({
      example: fc.constantFrom(...examples),
      edits: fc.array(
        fc.record({
          kind: fc.constantFrom('drop', 'double', 'swap', 'replace'),
          at: fc.nat(),
          other: fc.nat(),
        }),
        { minLength: 1, maxLength: 3 },
      ),
    });
    await fc.assert(
      fc.asyncProperty(damage, async ({ example, edits }) => {
        writeFileSync(join(home, 'damaged.mo'), edits.reduce(edit, example).join(' '));
        const { status, err, out } = await run(['check', 'damaged.mo'], { cwd: home });
        expect([0, 1, 2]).toContain(status);
        expect(status === 0 || err.includes('error: ')).toBe(true);
        expect(err).not.toContain('[internal]');
        expectPlain(err + out);
      }),
      { numRuns: 300 },
    );
  });
});

function wordsOf(text: string): string[] {
  const { count, start, end } = tokenize(new Source('example', text));
  return Array.from({ length: count }, (_, k) => text.slice(start[k], end[k]));
}

function edit(
  words: readonly string[],
  { kind, at, other }: { kind: string; at: number; other: number },
): string[] {
  const i = at % words.length;
  const j = other % words.length;
  const word = words[i]!;
  switch (kind) {
    case 'drop':
      return words.toSpliced(i, 1);
    case 'double':
      return words.toSpliced(i, 0, word);
    case 'swap':
      return words.with(i, words[j]!).with(j, word);
    default:
      return words.with(i, words[j]!);
  }
}
