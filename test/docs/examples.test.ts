/**
 * What the pages show is true: models, commands and programs are run, page by page in a folder of their own, and print
 * what the pages say. `npm run docs` runs this file in the mode `refresh`: it writes the outputs and pictures instead
 * of comparing them.
 */
import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { build, type Plugin } from 'esbuild';
import { afterAll, describe, expect, test } from 'vitest';
import { scriptModule } from '../../build/page.mjs';
import { folder, run } from '../cli/terminal.ts';
import { agree, type Block, commandsOf, type Page, proseOf, readPages, renew, root } from './pages.ts';

const refresh = (import.meta as { env?: { MODE?: string } }).env?.MODE === 'refresh';
const pages = readPages();

describe.each(pages.filter((page) => page.blocks.some(isRun)))('$path', (page) => {
  const place = folder();
  symlinkSync(join(root, 'examples'), join(place, 'examples'));
  const outputs = new Map<Block, string>();
  const compare = (output: string, shown: Block): void => {
    if (refresh) outputs.set(shown, output);
    else expect(agree(output, shown.text), `Instead of\n${shown.text}\nit gives\n${output}`).toBe(true);
  };

  for (const [i, block] of page.blocks.entries()) {
    if (block.info.has('file')) writeFile(join(place, block.info.get('file')!), block.text);
    if (block.info.has('content')) {
      test(`the content of a file in line ${block.line}`, () => {
        compare(readFileSync(join(place, block.info.get('content')!), 'utf8'), block);
      });
    }
    if (block.info.has('example')) {
      const text = readFileSync(join(root, 'examples', block.info.get('example')!), 'utf8');
      if (refresh) outputs.set(block, text);
      else test(`the text of an example in line ${block.line}`, () => expect(block.text).toBe(text));
    }
    if (!isRun(block)) continue;
    const next = page.blocks[i + 1];
    const shown = next?.info.has('output') ? next : undefined;
    test(`the ${block.language} block in line ${block.line}`, async () => {
      const output = await runBlock(block, place);
      if (shown) compare(output, shown);
    });
  }

  if (refresh) {
    afterAll(() => {
      writeFileSync(join(root, page.path), renewed(page, outputs));
      mkdirSync(join(root, 'docs/pictures'), { recursive: true });
      for (const name of picturesOf(pages)) {
        if (existsSync(join(place, name))) copyFileSync(join(place, name), join(root, 'docs/pictures', name));
      }
    });
  }
});

function writeFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function isRun(block: Block): boolean {
  if (block.info.has('example')) return false;
  switch (block.language) {
    case 'modelica':
      return !block.info.has('fragment');
    case 'sh':
      return commandsOf(block).length > 0;
    case 'ts':
      return true;
    default:
      return false;
  }
}

/** Runs a block and gives what it prints. */
async function runBlock(block: Block, place: string): Promise<string> {
  switch (block.language) {
    case 'modelica':
      return runModel(block, place);
    case 'sh':
      return runCommands(block, place);
    default:
      return runProgram(block, place);
  }
}

async function runModel(block: Block, place: string): Promise<string> {
  const file = block.info.get('file') ?? 'Model.mo';
  writeFile(join(place, file), block.text);
  const { status, out, err } = await run(['simulate', file], { cwd: place });
  const code = ['error', 'warning', 'info'].flatMap((severity) => block.info.get(severity) ?? [])[0];
  if (code !== undefined) expect(err).toContain(`[${code}]`);
  else expect(err).toBe('');
  expect({ status, out }).toEqual({ status: block.info.has('error') ? 1 : 0, out });
  return err || out;
}

async function runCommands(block: Block, place: string): Promise<string> {
  let text = '';
  for (const { words, env } of commandsOf(block)) {
    const { status, out, err } = await run(words, { cwd: place, env });
    expect({ words, status, err }).toEqual({ words, status: Number(block.info.get('status') ?? 0), err });
    text += err + out;
  }
  return text;
}

/**
 * The package as the programs of all pages import it: made of the sources once, when the first of them needs it, so that nothing has to be built or installed
 * before.
 */
let made: Promise<string> | undefined;
const ownPackage = folder();

async function makePackage(): Promise<string> {
  await promisify(execFile)(process.execPath, [join(root, 'build/models.mjs'), ownPackage]);
  const modules = ['index', 'animation', 'actions', 'bodies', 'results'];
  await build({
    entryPoints: [...modules.map((name) => join(root, `src/${name}.ts`)), join(ownPackage, 'models.js')],
    entryNames: '[name]',
    outdir: join(ownPackage, 'bundle'),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    plugins: [pagePlugin],
    logLevel: 'silent',
  });
  return join(ownPackage, 'bundle');
}

/** The scripts of pages, which the sources do not hold. */
const pagePlugin: Plugin = {
  name: 'page-script',
  setup: (bundler) =>
    bundler.onLoad({ filter: /script\.ts$/ }, async ({ path }) => {
      const contents = await scriptModule(join(root, 'src'), path);
      return contents === undefined ? undefined : { contents, loader: 'js' };
    }),
};

async function runProgram(block: Block, place: string): Promise<string> {
  made ??= makePackage();
  const modules = await made;
  const entry = join(place, `line${block.line}.ts`);
  const outfile = join(place, `line${block.line}.mjs`);
  writeFileSync(entry, block.text);
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    plugins: [
      {
        name: 'package',
        setup: (bundler) =>
          bundler.onResolve({ filter: /^mutabor(\/\w+)?$/ }, ({ path }) => ({
            path: join(modules, `${path.split('/')[1] ?? 'index'}.mjs`),
            external: true,
          })),
      },
    ],
    logLevel: 'silent',
  });
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [outfile], { cwd: place });
  return stderr + stdout;
}

/** The page with new outputs in place of the old ones. */
function renewed(page: Page, outputs: ReadonlyMap<Block, string>): string {
  const text = readFileSync(join(root, page.path), 'utf8');
  if (text !== page.text) throw new Error(`${page.path} changed while it was read.`);
  return [...page.blocks].reverse().reduce((result, block) => {
    const output = outputs.get(block);
    if (output === undefined || (!block.info.has('example') && agree(output, block.text))) return result;
    const after = block.start + block.text.length;
    const text = block.info.has('example') ? output : renew(output, block.text);
    return `${result.slice(0, block.start)}${text}${result.slice(after)}`;
  }, text);
}

/** The pictures that pages refer to. */
function picturesOf(all: readonly Page[]): Set<string> {
  return new Set(
    all.flatMap(({ text }) => [...proseOf(text).matchAll(/pictures\/([\w-]+\.svg)/g)].map((m) => m[1]!)),
  );
}
