/** The package as npm packs it, installed in a folder of its own. */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { readResults } from '../../src/results/files/formats.ts';
import { folder } from './terminal.ts';

const root = resolve(import.meta.dirname, '../..');
const home = folder({
  'package.json': '{ "type": "module" }',
  'program.ts': `import { instantiate, loadModel, Model, modelica, simulate, Var } from 'mutabor';
import { Program } from 'mutabor/actions';
import { type Animation, animationOf, animationPage } from 'mutabor/animation';
import { Revolute, Sphere, World } from 'mutabor/bodies';
import { models } from 'mutabor/models';
import { plotSvg, readCsv, type SignalTable, toCsv } from 'mutabor/results';
const text: string = models['Mutabor/package.mo']!;
const Decay = Model({ k: 1, x: Var({ init: 1 }), equations: modelica\`der(x) = -k*x\` });
const { table } = await instantiate(Decay).simulate({ stopTime: 1, tolerance: 1e-9, merge: { k: 2 } });
// @ts-expect-error: there is no such parameter
void instantiate(Decay).simulate({ merge: { q: 2 } });
const flat = loadModel('model M Mutabor.Thermal.HeatCapacitor c(C = 2, T(start = 300, fixed = true)); end M;');
const result = await simulate(flat, { inputs: undefined });
const [world, ball] = [World(), Sphere({ mass: 1 })];
// @ts-expect-error: there is no such parameter
try { Sphere({ radius: 1 }); } catch {}
const turning = Model({ world, ball, joint: Revolute({ obj1: world, obj2: ball, w0: 2 }) });
const run = await instantiate(turning).simulate({ stopTime: 1, merge: { ball: { mass: 2 } } });
const seen: Animation = animationOf(run)!;
const slide = Program('Slide', { axes: { speed: [1], acceleration: [1] }, *run({ move }) { yield move([1]); } });
const slid = await instantiate(Model({ slide })).simulate({ stopTime: 2 });
const read: SignalTable = readCsv(toCsv(table));
console.log(text.length > 0, read.value('x', 1).toFixed(6), result.status, run.table.value('joint.phi', 1).toFixed(6), slid.table.value('slide.position[1]', 2), animationPage(seen).slice(0, 9), plotSvg(table).slice(0, 4));
`,
  'alone.ts': `import { fromArrays, plotSvg } from 'mutabor/results';
export const picture = plotSvg(fromArrays({ time: [0, 1], x: [0, 1] }));
`,
  'former.ts': `import { Map as Former, Changes, plotSvg, SignalTable } from 'mutabor';
import * as results from 'mutabor/results';
console.log(Former === Changes, plotSvg === results.plotSvg, SignalTable === results.SignalTable);
`,
  'Decay.mo': 'model Decay Real x(start = 1, fixed = true); equation der(x) = -x; end Decay;',
  'bare.ts': `import { loadModel, simulate } from 'mutabor';
export const { table } = await simulate(loadModel('model M Real x = time; end M;'));
`,
});
const installed = join(home, 'node_modules/mutabor');
/** Bytes of the archive. */
let archived = 0;
const files = (): string[] =>
  readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(installed, name)).isFile(),
  );
const command = join(installed, 'bin/mutabor.js');
const mutabor = (...args: string[]) =>
  spawnSync(process.execPath, [command, ...args], { cwd: home, encoding: 'utf8' });

beforeAll(() => {
  const place = folder();
  for (const name of readdirSync(root))
    if (!['node_modules', 'dist', 'test', 'bench', '.git', '.ci'].includes(name))
      cpSync(join(root, name), join(place, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'));
  const packed = execFileSync('npm', ['pack', '--silent'], { cwd: place, encoding: 'utf8' });
  mkdirSync(installed, { recursive: true });
  const archive = join(place, packed.trim().split('\n').at(-1)!);
  archived = statSync(archive).size;
  execFileSync('tar', ['-xzf', archive, '-C', installed, '--strip-components=1']);
  // Packing leaves the README of the repository as it was.
  expect(readFileSync(join(place, 'README.md'), 'utf8')).toBe(readFileSync(join(root, 'README.md'), 'utf8'));
}, 180_000);

describe('the package', () => {
  it('holds the code bundled, for Node and for the studio, with the declarations that programs can reach', () => {
    const own = files().filter((name) => !/^(docs|examples|models)\//.test(name));
    const code = own.filter((name) => /\.[cm]?[jt]s$/.test(name) && !name.endsWith('.d.ts'));
    expect(code.filter((name) => !/^dist\/(bundle|node|studio)\//.test(name))).toEqual(['bin/mutabor.js']);
    expect(code.filter((name) => name.startsWith('dist/studio/')).sort()).toEqual(
      ['documentation', 'engine', 'examples', 'late', 'models', 'page', 'scene'].map(
        (name) => `dist/studio/${name}.js`,
      ),
    );
    expect(files().filter((name) => name.endsWith('.map'))).toEqual([]);
    expect(own.filter((name) => name.startsWith('dist/types/cli/'))).toEqual([]);
  });

  it('is as large as its README says', () => {
    const text = readFileSync(join(root, 'README.md'), 'utf8').replaceAll('\n', ' ');
    const size = String.raw`(\d+\.\d) MB`;
    const words = ['module of ', ' .unpacked ', '.*documentation and pictures are ', ' and the code '];
    const said = new RegExp(`${[...words, ';.*minified ', ', compressed '].join(size)}${size}`).exec(text)!;
    const bytes = (pattern: RegExp): number =>
      files()
        .filter((name) => pattern.test(name))
        .reduce((sum, name) => sum + statSync(join(installed, name)).size, 0);
    const page = buildSync({
      entryPoints: [join(installed, 'dist/bundle/index.js')],
      bundle: true,
      minify: true,
      format: 'esm',
      write: false,
    }).outputFiles[0]!.contents;
    const found = [
      archived,
      bytes(/./),
      bytes(/^docs\//),
      bytes(/^dist\/bundle\//),
      page.length,
      gzipSync(page).length,
    ];
    // They stay true while texts grow a little.
    const off = found.filter((size, k) => {
      const [told, real] = [Number(said[k + 1]), size / 1e6];
      return Math.abs(told - real) > Math.max(0.1, 0.05 * real);
    });
    expect(off).toEqual([]);
    expect(files().length).toBeLessThan(900);
  });

  it('has declarations that TypeScript reads from version 5.0 on', () => {
    // Typed arrays have type parameters since 5.7.
    for (const name of files().filter((file) => file.endsWith('.d.ts')))
      expect(readFileSync(join(installed, name), 'utf8')).not.toMatch(/Array<ArrayBuffer/);
  });

  it('has a README whose links are addresses of files in it', () => {
    const readme = readFileSync(join(installed, 'README.md'), 'utf8');
    const links = [...readme.matchAll(/\]\(([^)#]+)/g)].map(([, link]) => link!);
    expect(links.length).toBeGreaterThan(10);
    const { version } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    const base = `https://unpkg.com/mutabor@${version}/`;
    for (const link of links) {
      expect(link).toContain(base);
      expect({ link, exists: existsSync(join(installed, link.slice(base.length))) }).toEqual({
        link,
        exists: true,
      });
    }
  });

  it('keeps what V8 has compiled for the next process, and believes nothing else', () => {
    const kept = () => files().filter((name) => name.endsWith('.bin'));
    expect(kept()).toEqual([]);
    mutabor('--version');
    expect(kept()).toEqual([]);
    const run = () => mutabor('simulate', 'Decay.mo', '--stop', '2', '--output', 'kept.csv', '--quiet');
    const result = () => readFileSync(join(home, 'kept.csv'), 'utf8');
    expect(run().status).toBe(0);
    const first = result();
    expect(kept()).toHaveLength(1);
    const place = join(installed, kept()[0]!);
    const made = readFileSync(place);
    for (const damage of [
      (bytes: Buffer) => bytes,
      (bytes: Buffer) => bytes.subarray(0, bytes.length / 2),
      (bytes: Buffer) => bytes.fill(0xff, bytes.length - 1000),
      () => Buffer.alloc(0),
    ]) {
      writeFileSync(place, damage(Buffer.from(made)));
      const { status, stderr } = run();
      expect({ status, stderr, result: result() }).toEqual({ status: 0, stderr: '', result: first });
      // What is no good has been made anew.
      const now = readFileSync(place);
      expect(now.subarray(0, 32)).toEqual(createHash('sha256').update(now.subarray(32)).digest());
    }
    expect(kept()).toHaveLength(1);
  });

  it('gives modules to whoever bundles a program for Node', () => {
    const { outputFiles, metafile } = buildSync({
      entryPoints: [join(home, 'bare.ts')],
      absWorkingDir: home,
      bundle: true,
      platform: 'node',
      format: 'esm',
      write: false,
      metafile: true,
    });
    expect(Object.keys(metafile.inputs).filter((path) => path.includes('dist/node'))).toEqual([]);
    writeFileSync(join(home, 'bundled.mjs'), outputFiles[0]!.contents);
    const { status, stderr } = spawnSync(process.execPath, ['bundled.mjs'], { cwd: home, encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it('has examples that run where they are', () => {
    const modules = [
      'crane',
      'filter',
      'gripping',
      'handover',
      'motor',
      'tanks',
      'thermostat',
      'walking',
      'youbot',
    ].map((name) => `typescript/${name}.mjs`);
    for (const name of ['BouncingBall.mo', 'DriveTrain.mo', 'IdealClutch.mo', ...modules]) {
      const { status, stderr } = mutabor(join(installed, 'examples', name), '--quiet');
      expect({ name, status, stderr }).toEqual({ name, status: 0, stderr: '' });
    }
    for (const name of readdirSync(join(installed, 'examples/typescript')))
      expect(readFileSync(join(installed, 'examples/typescript', name), 'utf8')).not.toContain('../../');
  });

  it('ends a program that has a wrong model with the place and a hint, not with its own code', () => {
    const text = "import { loadModel } from 'mutabor'; loadModel('model M\\n  Reel x;\\nend M;');";
    const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', text], {
      cwd: home,
      encoding: 'utf8',
    });
    expect(stderr).toContain('model.mo:2:3: error: The class `Reel` cannot be found from `M`.');
    expect(stderr).toContain('hint: Did you mean `Real`?');
    expect(stderr.length).toBeLessThan(3000);
  });

  it('leaves the README of the repository as it is where packing fails', () => {
    const place = folder();
    for (const name of ['package.json', 'README.md', 'build'])
      cpSync(join(root, name), join(place, name), { recursive: true });
    const { status } = spawnSync('npm', ['pack', '--silent'], { cwd: place });
    expect(status).not.toBe(0);
    expect(readFileSync(join(place, 'README.md'), 'utf8')).toBe(
      readFileSync(join(root, 'README.md'), 'utf8'),
    );
  });

  it('has a lock file that names the packages of all platforms, as `npm ci` asks for', () => {
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { version: string; optionalDependencies?: Record<string, string> }>;
    };
    const missing = Object.values(packages)
      .flatMap(({ optionalDependencies = {} }) => Object.entries(optionalDependencies))
      .filter(([name]) => packages[`node_modules/${name}`] === undefined);
    expect(missing).toEqual([]);
  });

  it('serves typed programs', () => {
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')];
    const manner = ['--strict', '--noUncheckedIndexedAccess', '--module', 'nodenext', '--target', 'es2022'];
    const { stdout } = spawnSync(
      process.execPath,
      [compiler, ...manner, ...types, 'program.ts', 'former.ts'],
      {
        cwd: home,
        encoding: 'utf8',
      },
    );
    expect(stdout).toBe('');
    // Nor are the libraries of Node or of pages needed, for programs that do without them.
    const bare = ['--lib', 'es2022', '--types', '', '--noEmit', 'bare.ts', 'alone.ts'];
    const checked = spawnSync(process.execPath, [compiler, ...manner, ...bare], {
      cwd: home,
      encoding: 'utf8',
    });
    expect(checked.stdout).toBe('');
    const run = spawnSync(process.execPath, ['program.js'], { cwd: home, encoding: 'utf8' });
    expect(run.stderr).toBe('');
    expect(run.stdout).toBe(`true ${Math.exp(-2).toFixed(6)} done 2.000000 1 <!doctype <svg\n`);
    // Names of versions before.
    const former = spawnSync(process.execPath, ['former.js'], { cwd: home, encoding: 'utf8' });
    expect(former.stderr + former.stdout).toBe('true true true\n');
  });
});

describe('a kill at any moment', () => {
  /** Enough of them are tried by hand when something changes here. */
  const kills = Number(process.env.KILLS ?? 20);

  it.each(['csv', 'mat', 'arrow', 'json'])('leaves the old or the new results as %s', (format) => {
    const path = join(home, `killed.${format}`);
    const line = ['simulate', 'Decay.mo', '--intervals', '50000', '--quiet', '--output', `killed.${format}`];
    mutabor(...line, '--stop', '2');
    const old = readFileSync(path);
    const began = performance.now();
    mutabor(...line);
    const length = performance.now() - began;
    const made = readFileSync(path);
    expect(readResults(new Uint8Array(made)).rowCount).toBe(50001);
    expect(Buffer.compare(old, made)).not.toBe(0);
    for (let n = 0; n < kills / 4; n++) {
      writeFileSync(path, old);
      // Files are written in the second half of the time.
      const timeout = Math.round(length * (0.4 + 0.7 * Math.random()));
      spawnSync(process.execPath, [command, ...line], { cwd: home, timeout, killSignal: 'SIGKILL' });
      const { rowCount, time } = readResults(new Uint8Array(readFileSync(path)));
      expect(rowCount).toBe(50001);
      expect([1, 2]).toContain(time.at(-1));
    }
  });
});
