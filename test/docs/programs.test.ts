/** The programs of the pages use the package as its types say. That they run is tested by `examples.test.ts`. */
import { execFile } from 'node:child_process';
import { readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { folder } from '../cli/terminal.ts';
import { readPages, root } from './pages.ts';

test('programs in the pages have no type errors', async () => {
  // A folder for each page, because its programs can import each other.
  const programs = readPages().flatMap((page) =>
    page.blocks
      .filter((block) => block.language === 'ts' && !block.info.has('example'))
      .map((block) => {
        const name = block.info.get('file') ?? `line${block.line}.ts`;
        return [`${page.path.replaceAll('/', '-')}/${name}`, block.text] as const;
      }),
  );
  expect(programs.length).toBeGreaterThan(5);
  const settings = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      module: 'esnext',
      moduleResolution: 'bundler',
      paths: {
        mutabor: [join(root, 'src/index.ts')],
        'mutabor/animation': [join(root, 'src/animation.ts')],
        'mutabor/actions': [join(root, 'src/actions.ts')],
        'mutabor/bodies': [join(root, 'src/bodies.ts')],
        'mutabor/results': [join(root, 'src/results.ts')],
        'mutabor/models': ['./models.d.ts'],
      },
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
    },
    include: ['*/*.ts'],
  };
  const place = folder({
    ...Object.fromEntries(programs),
    'tsconfig.json': JSON.stringify(settings),
    'package.json': '{ "type": "module" }',
  });
  await promisify(execFile)(process.execPath, [join(root, 'build/models.mjs'), place]);
  for (const name of readdirSync(place))
    if (name.endsWith('.md')) symlinkSync(join(root, 'examples'), join(place, name, 'examples'));
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const problems = await promisify(execFile)(process.execPath, [compiler, '-p', place]).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );
  // Sources of the package are checked elsewhere.
  expect(problems.split('\n').filter((line) => /\.md\/[\w.-]+\.ts\(/.test(line))).toEqual([]);
});
