/**
 * The pages of the documentation and the code blocks in them. The line that opens a block names its language and says
 * what is to be done with it:
 *
 *     ```modelica                    a whole model: it is simulated and must succeed
 *     ```modelica file=A.mo          kept under this name for the commands and programs that follow on the page
 *     ```modelica error=unknown-name must fail with this code (also `warning=`, `info=`: must succeed and say so)
 *     ```modelica fragment           not a whole model; not run
 *     ```modelica example=A.mo       the text of a file in `examples`
 *     ```sh                          lines with `npx mutabor` are run (`status=1`: the exit status)
 *     ```ts                          a program, run by Node with `mutabor` as the package
 *     ```ts file=a.ts                kept as well, so that programs that follow on the page can import it
 *     ```ts example=a.ts             the text of a file in `examples`
 *     ```text output                 what the block before it prints
 *     ```text content=A.csv          what is in a file that a command before it wrote
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Page {
  /** Relative to the repository, with `/`. */
  readonly path: string;
  readonly text: string;
  readonly blocks: readonly Block[];
}

export interface Block {
  /** Of the opening fence, from 1. */
  readonly line: number;
  readonly language: string;
  /** `name=value` words of the opening fence; a word alone has the value `''`. */
  readonly info: ReadonlyMap<string, string>;
  readonly text: string;
  /** Offset of `text` in the page. */
  readonly start: number;
}

export function readPages(): Page[] {
  const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((name) => posix.join('docs', name.split('\\').join('/')))
    .filter((name) => name.endsWith('.md'))
    .sort();
  return ['README.md', 'CONTRIBUTING.md', ...docs].map((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    return { path, text, blocks: blocksOf(text) };
  });
}

export function blocksOf(text: string): Block[] {
  return [...text.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map((match) => {
    const [language = '', ...words] = match[1]!.trim().split(/\s+/);
    return {
      line: text.slice(0, match.index).split('\n').length,
      language,
      info: new Map(words.map((word) => [word.split('=')[0]!, word.split('=').slice(1).join('=')])),
      text: match[2]!,
      start: match.index + match[0].indexOf('\n') + 1,
    };
  });
}

/** The text of a page without its code blocks. */
export function proseOf(text: string): string {
  return text.replace(/^```.*\n[\s\S]*?^```$/gm, '');
}

export interface Command {
  readonly words: readonly string[];
  /** Variables that are set before the command: `MODELICAPATH=lib npx mutabor …`. */
  readonly env: Readonly<Record<string, string>>;
}

/** The `mutabor` commands of a shell block. */
export function commandsOf(block: Block): Command[] {
  return block.text
    .replaceAll('\\\n', ' ')
    .split('\n')
    .flatMap((line) => {
      const match = /((?:\b\w+=\S+ )*)\bnpx mutabor\s+((?:'[^']*'|"[^"]*"|[^#|>'"])*)/.exec(line);
      if (!match) return [];
      const env = Object.fromEntries(match[1]!.split(' ').flatMap((word) => (word ? [word.split('=')] : [])));
      const words = (match[2]!.match(/'[^']*'|"[^"]*"|\S+/g) ?? []).map((w) =>
        w.replace(/^(['"])(.*)\1$/, '$2'),
      );
      return [{ words, env }];
    });
}

/** A number as the tool prints it; the minus sign may be typographic. */
const NUMBER = /[-−]?\d+(?:\.\d+)?(?:e[-−+]?\d+)?/g;
/** Numbers may differ by this share: pages show what a run gives, not the last digits of a solver. */
const SHARE = 1e-3;

/**
 * Whether two outputs say the same, line by line: layout, times of computation and the last digits of numbers do not
 * count. Where the expected text has `…`, anything may stand.
 */
export function agree(actual: string, expected: string): boolean {
  const [a, b] = [linesOf(actual), linesOf(expected)];
  return a.length === b.length && a.every((line, i) => agreeLine(line, b[i]!));
}

/** New output in place of what a page showed: lines that the page left open with `…` stay open. */
export function renew(actual: string, shown: string): string {
  const open = shown.split('\n').filter((line) => line.includes('…'));
  const lines = actual.trimEnd().split('\n');
  return `${lines.map((line) => open.find((old) => agree(line, old)) ?? line).join('\n')}\n`;
}

function linesOf(text: string): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines
    .filter((line) => !line.includes(' to translate, '))
    .map((line) => line.replace(/\s+/g, ' ').trim());
}

function agreeLine(actual: string, expected: string): boolean {
  if (expected.includes('…')) {
    const parts = expected.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    return new RegExp(`^${parts.join('.*')}$`).test(actual);
  }
  const [a, b] = [actual, expected].map(essence) as [Essence, Essence];
  return a.words === b.words && a.numbers.every((x, i) => close(x, b.numbers[i]!));
}

interface Essence {
  readonly words: string;
  readonly numbers: readonly number[];
}

function essence(line: string): Essence {
  const numbers = line.match(NUMBER) ?? [];
  return { words: line.replace(NUMBER, '#'), numbers: numbers.map((n) => Number(n.replaceAll('−', '-'))) };
}

function close(a: number, b: number): boolean {
  return Math.abs(a - b) <= SHARE * Math.max(Math.abs(a), Math.abs(b)) || Math.abs(a - b) < 1e-6;
}
