/** The programs of the pages use the package as its types say. That they run is tested by `examples.test.ts`. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { folder } from '../cli/terminal.ts';
import { readPages, root } from './pages.ts';

test('programs in the pages have no type errors', async () => {
  const programs = readPages().flatMap((page) =>
    page.blocks
      .filter((block) => block.language === 'ts')
      .map((block) => [`${page.path.replaceAll('/', '-')}.${block.line}.ts`, block.text] as const),
  );
  expect(programs.length).toBeGreaterThan(5);
  const settings = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      module: 'esnext',
      moduleResolution: 'bundler',
      paths: { mutabor: [join(root, 'src/index.ts')] },
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
    },
    include: ['*.ts'],
  };
  const place = folder({
    ...Object.fromEntries(programs),
    'tsconfig.json': JSON.stringify(settings),
    'package.json': '{ "type": "module" }',
  });
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const problems = await promisify(execFile)(process.execPath, [compiler, '-p', place]).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );
  // Sources of the package are checked elsewhere.
  expect(
    problems.split('\n').filter((line) => /^[\w.-]+\.md\.\d+\.ts/.test(line.split('/').at(-1)!)),
  ).toEqual([]);
});
