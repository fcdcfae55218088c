/** The studio with the files of a folder, from the server of `mutabor studio`, in a real browser. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Folder } from '../../src/cli/folder.ts';
import { type StudioServer, serveStudio } from '../../src/cli/serve.ts';
import { folder } from '../cli/terminal.ts';
import {
  browsing,
  eventually,
  isInstalled,
  openFile,
  run,
  runButton,
  shownValue,
  site,
  textOf,
  write,
} from './browser.ts';

const decay = (rate: number): string =>
  `model Decay Real x(start = 1, fixed = true); equation der(x) = -${rate}*x; end Decay;\n`;

describe.skipIf(!isInstalled)('the studio with a folder', () => {
  const open = browsing();
  const home = folder({
    'Decay.mo': decay(1),
    'Lib/package.mo': 'package Lib end Lib;',
    'Lib/Grow.mo': 'within Lib; model Grow extends Base(k = 2); end Grow;',
    'Lib/Base.mo':
      'within Lib; partial model Base parameter Real k; Real x(start = 1, fixed = true); equation der(x) = k*x; end Base;',
  });
  const shared = folder({
    'Vats/package.mo': 'package Vats end Vats;',
    'Vats/Half.mo':
      'within Vats; model Half Real y(start = 1, fixed = true); equation der(y) = -y/2; end Half;',
  });
  const folderOf = (path: string): Folder => new Folder({ cwd: path, drafting: () => {} }, path);
  let server: StudioServer;
  beforeAll(async () => {
    server = await serveStudio(folderOf(home), await site(), 0, [folderOf(shared)]);
  }, 180_000);
  afterAll(() => server?.close());
  const address = (): string => `${server.address}#code=${server.newCode()}`;

  it('loads less than a megabyte until a model has run, and the rest when somebody looks for it', async () => {
    const { page, problems } = await open();
    const asked: string[] = [];
    page.context().on('request', (request) => asked.push(new URL(request.url()).pathname.slice(1)));
    await page.goto(address());
    await openFile(page, 'IdealClutch.mo');
    await run(page);
    const first = asked.filter((path) => !path.startsWith('api/')).map((path) => path || 'index.html');
    expect([...new Set(first)].sort()).toEqual([
      'engine.js',
      'examples.js',
      'index.html',
      'page.js',
      'studio.css',
    ]);
    const folder = await site();
    const sizes = [...new Set(first)].map((path) => gzipSync(readFileSync(join(folder, path))).length);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(1e6);
    await page.getByRole('tab', { name: 'Diagram', exact: true }).click();
    await page.locator('.drawing .picture svg').waitFor();
    expect(asked).toContain('late.js');
    expect(asked).not.toContain('models.js');
    await page.getByRole('tab', { name: 'Libraries' }).click();
    await page.locator('.libraries .item[data-name="Mutabor"]').waitFor();
    expect(asked).toContain('models.js');
    expect(problems).toEqual([]);
  });

  it('opens, runs and saves files, also those of packages', async () => {
    const { page, problems } = await open(address());
    // What lets it see files does not stay in the address.
    expect(page.url()).toBe(server.address);
    await openFile(page, 'Lib/Grow.mo');
    await page.locator('.cm-line').filter({ hasText: 'within Lib' }).waitFor();
    await run(page);
    await eventually(async () => expect(await shownValue(page, 'x')).toBeCloseTo(Math.exp(2), 4));
    await openFile(page, 'Decay.mo');
    await write(page, decay(3));
    await page.locator('.file .changed').waitFor();
    expect(readFileSync(join(home, 'Decay.mo'), 'utf8')).toBe(decay(1));
    await page.keyboard.press('ControlOrMeta+s');
    await eventually(async () => expect(readFileSync(join(home, 'Decay.mo'), 'utf8')).toBe(decay(3)));
    await run(page);
    await eventually(async () => expect(await shownValue(page, 'x')).toBeCloseTo(Math.exp(-3), 5));
    // A page that is loaded again still may.
    await page.reload();
    await openFile(page, 'Decay.mo');
    await page.locator('.cm-line').filter({ hasText: '-3*x' }).waitFor();
    expect(problems).toEqual([]);
  });

  it('keeps line ends, the mark and the letters of files, and finds places in them', async () => {
    const windows = (name: string): string =>
      [
        '\ufeffmodel Windows',
        `  Real ${name}(start = 1);`,
        'equation',
        `  der(${name}) = -${name};`,
        'end Windows;',
        '',
      ].join('\r\n');
    const old = (more: string): Buffer =>
      Buffer.from(`model Old "Kr\u00e4fte"\n  Real x = time;\nend Old;\n${more}`, 'latin1');
    writeFileSync(join(home, 'Windows.mo'), windows('x'));
    writeFileSync(join(home, 'Old.mo'), old(''));
    const { page, problems } = await open(address());
    await openFile(page, 'Windows.mo');
    await page.locator('.cm-line').filter({ hasText: 'der(x) = -x' }).click();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('F2');
    await page.getByRole('dialog').getByRole('textbox').fill('y');
    await page.keyboard.press('Enter');
    await page.locator('.cm-line').filter({ hasText: 'der(y) = -y;' }).waitFor();
    await page.keyboard.press('ControlOrMeta+s');
    const saved = (name: string): Buffer => readFileSync(join(home, name));
    await eventually(async () => expect(saved('Windows.mo').toString()).toBe(windows('y')));
    await openFile(page, 'Old.mo');
    await page.locator('.cm-line').filter({ hasText: 'Kräfte' }).waitFor();
    await page.locator('.cm-content').click();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.insertText('// wei\u00df');
    await page.keyboard.press('ControlOrMeta+s');
    await eventually(async () => expect(saved('Old.mo')).toEqual(old('// wei\u00df')));
    for (const name of ['Windows.mo', 'Old.mo']) rmSync(join(home, name));
    expect(problems).toEqual([]);
  });

  it('asks where a file was changed on the disk meanwhile, and shows both', async () => {
    writeFileSync(join(home, 'Decay.mo'), decay(1));
    const { page } = await open(address());
    await openFile(page, 'Decay.mo');
    await write(page, decay(5));
    writeFileSync(join(home, 'Decay.mo'), decay(7));
    await page.keyboard.press('ControlOrMeta+s');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    expect(await dialog.locator('pre').allTextContents()).toEqual([decay(5), decay(7)]);
    expect(readFileSync(join(home, 'Decay.mo'), 'utf8')).toBe(decay(7));
    await dialog.getByRole('button', { name: 'Keep mine' }).click();
    await eventually(async () => expect(readFileSync(join(home, 'Decay.mo'), 'utf8')).toBe(decay(5)));
    // The other way round.
    await write(page, decay(6));
    writeFileSync(join(home, 'Decay.mo'), decay(8));
    await page.keyboard.press('ControlOrMeta+s');
    await dialog.getByRole('button', { name: 'Take the one of the disk' }).click();
    await page.locator('.cm-line').filter({ hasText: '-8*x' }).waitFor();
    expect(readFileSync(join(home, 'Decay.mo'), 'utf8')).toBe(decay(8));
  });

  it('shows two texts of which one has long lines in equal parts, and marks what differs', async () => {
    const long = `// ${'as long as lines of documentation are, '.repeat(20)}\n`;
    writeFileSync(join(home, 'Decay.mo'), long + decay(1));
    const { page } = await open(address());
    await openFile(page, 'Decay.mo');
    await write(page, long + decay(5));
    writeFileSync(join(home, 'Decay.mo'), `${decay(7)}// new\n`);
    await page.keyboard.press('ControlOrMeta+s');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    const [mine, theirs] = [dialog.locator('pre').first(), dialog.locator('pre').last()];
    const [own, other] = [(await mine.boundingBox())!, (await theirs.boundingBox())!];
    expect(own.width).toBeCloseTo(other.width, 0);
    expect(other.x).toBeGreaterThan(own.x + own.width);
    const frame = (await dialog.boundingBox())!;
    expect(other.x + other.width).toBeLessThanOrEqual(frame.x + frame.width);
    expect(await mine.locator('mark').allTextContents()).toEqual([long, decay(5)]);
    expect(await theirs.locator('mark').allTextContents()).toEqual([decay(7), '// new\n']);
    // Neither is cut off in a narrow window: they stand below each other.
    await page.setViewportSize({ width: 400, height: 800 });
    const narrow = await Promise.all([mine.boundingBox(), theirs.boundingBox()]);
    for (const box of narrow) expect(box!.x + box!.width).toBeLessThanOrEqual(400);
    expect(narrow[1]!.y).toBeGreaterThan(narrow[0]!.y);
    await dialog.getByRole('button', { name: 'Take the one of the disk' }).click();
  });

  it('follows the disk where nothing was changed here', async () => {
    writeFileSync(join(home, 'Decay.mo'), decay(1));
    const { page } = await open(address());
    await openFile(page, 'Decay.mo');
    await page.locator('.cm-line').filter({ hasText: '-1*x' }).waitFor();
    writeFileSync(join(home, 'Decay.mo'), decay(9));
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await page.locator('.cm-line').filter({ hasText: '-9*x' }).waitFor();
    // Also where a tab comes to the front without the focus of its window.
    writeFileSync(join(home, 'Decay.mo'), decay(11));
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await page.locator('.cm-line').filter({ hasText: '-11*x' }).waitFor();
    // What is deleted is not written on as if it were there.
    rmSync(join(home, 'Decay.mo'));
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await page.locator('.notice').filter({ hasText: 'Decay.mo was deleted elsewhere' }).waitFor();
    expect(await page.locator('.explorer .file.open').count()).toBe(0);
    // Then there is nothing that could run, and that is said.
    await page.locator('.text').getByText('No file is open.').waitFor();
    await eventually(async () => expect(await runButton(page).isDisabled()).toBe(true));
    expect(await textOf(page.locator('.toolbar select').first())).toContain('No file is open.');
    // What was being written stays, also when the page is loaded again.
    writeFileSync(join(home, 'Decay.mo'), decay(1));
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await openFile(page, 'Decay.mo');
    await write(page, decay(13));
    await page.locator('.file .changed').waitFor();
    await page.waitForTimeout(600);
    rmSync(join(home, 'Decay.mo'));
    await page.reload();
    await openFile(page, 'Decay.mo');
    await page.locator('.cm-line').filter({ hasText: '-13*x' }).waitFor();
    writeFileSync(join(home, 'Decay.mo'), decay(1));
  });

  it('says which files are too large to be shown', async () => {
    writeFileSync(join(home, 'Large.mo'), Buffer.alloc(17 * 2 ** 20, ' '));
    const { page } = await open(address());
    await page
      .locator('.notice')
      .filter({ hasText: /Large\.mo cannot be shown: .*16 MB/ })
      .waitFor();
    rmSync(join(home, 'Large.mo'));
  });

  it('makes and deletes files', async () => {
    const { page } = await open(address());
    await page.getByRole('button', { name: 'New file' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('New/Thing');
    await page.keyboard.press('Enter');
    await eventually(async () =>
      expect(readFileSync(join(home, 'New/Thing.mo'), 'utf8')).toContain('model Thing'),
    );
    await page.getByRole('button', { name: 'Delete New/Thing.mo' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await eventually(async () => expect(existsSync(join(home, 'New/Thing.mo'))).toBe(false));
  });

  it('has the libraries that the command was told of', async () => {
    const { page, problems } = await open(address());
    await page.getByRole('tab', { name: 'Libraries' }).click();
    await page.locator('.libraries .item[data-name="Vats"]').waitFor();
    expect(await page.locator('.libraries .packs button').count()).toBe(0);
    await page.getByRole('tab', { name: 'Files' }).click();
    await openFile(page, 'Decay.mo');
    await write(page, 'model Decay extends Vats.Half; end Decay;');
    await run(page);
    await eventually(async () => expect(await shownValue(page, 'y')).toBeCloseTo(Math.exp(-0.5), 5));
    expect(problems).toEqual([]);
  });

  it('shows examples, and no files, to who has no token', async () => {
    const { page } = await open(server.address);
    await openFile(page, 'IdealClutch.mo');
    expect(await textOf(page.locator('.explorer'))).not.toContain('Decay.mo');
  });
});
