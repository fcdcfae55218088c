/** The page of a plot in a real browser, where one is installed. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plotHtml } from '../../../src/results/plot/html.ts';
import { byUnit } from '../../../src/results/plot/layout.ts';
import { clutch, heater, rocket } from '../gallery.ts';

const executablePath = (process.env.PATH ?? '')
  .split(delimiter)
  .flatMap((folder) => ['chromium', 'chromium-browser', 'google-chrome'].map((name) => join(folder, name)))
  .find(existsSync);

describe.skipIf(!executablePath)('the page of a plot', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mutabor-page-'));
  let browser: Browser;
  let page: Page;
  const problems: string[] = [];

  const open = async (html: string) => {
    writeFileSync(join(folder, 'plot.html'), html);
    await page.goto(pathToFileURL(join(folder, 'plot.html')).href);
  };

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] });
    page = await browser.newPage({ viewport: { width: 1000, height: 740 } });
    page.on('pageerror', (problem) => problems.push(problem.message));
    page.on('console', (message) => problems.push(message.text()));
    page.on('request', (request) => {
      if (!request.url().startsWith('file:')) problems.push(request.url());
    });
  });

  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('shows values under the pointer', async () => {
    await open(plotHtml(clutch(), byUnit(clutch(), ['inertia1.w', 'inertia2.w', 'engaged'])));
    const box = (await page.locator('.grid').first().boundingBox())!;
    const readout = page.locator('.mutabor-readout');
    expect(await readout.isVisible()).toBe(false);
    // Half of the six seconds: both shafts turn with 4.5 - 0.4 rad/s.
    await page.mouse.move(box.x + box.width / 2, box.y + 20);
    const lines = await readout.locator('div').allTextContents();
    expect(lines[0]).toMatch(/^time = (3|2\.99\d*|3\.00\d*) s$/);
    expect(lines[1]).toMatch(/^inertia1\.w = 4\.(1|09|10)\d* rad\/s$/);
    expect(lines[3]).toBe('engaged = true');
    // After four seconds the second shaft is gone.
    await page.mouse.move(box.x + box.width * 0.9, box.y + 20);
    expect((await readout.locator('div').allTextContents())[2]).toBe('inertia2.w = missing');
    await page.mouse.move(2, 2);
    expect(await readout.isVisible()).toBe(false);
    expect(problems).toEqual([]);
  });

  it('shows the column under the pointer, and the nearest point of a curve over another signal', async () => {
    await open(plotHtml(rocket(), 'h | v over h; m | stage1.v'));
    const axes = page.locator('.axis');
    const readout = page.locator('.mutabor-readout');
    const [left, right] = [(await axes.nth(0).boundingBox())!, (await axes.nth(1).boundingBox())!];
    // A third of the 90 seconds: 2.5 · 30² m, 9000 − 120 · 30 kg.
    const width = (await page.locator('.grid').nth(0).boundingBox())!.width;
    await page.mouse.move(left.x + width / 3, left.y + 30);
    const lines = await readout.locator('div').allTextContents();
    expect(lines).toHaveLength(3);
    expect(lines[1]).toMatch(/^h = 2\.2\d* km$/);
    // A pixel is 0.2 s.
    expect(Math.abs(Number(/^m = (.*) kg$/.exec(lines[2]!)![1]) - 5400)).toBeLessThan(50);
    // At the beginning height and velocity are zero.
    await page.mouse.move(right.x + 20, right.y + right.height - 12);
    expect(await readout.locator('div').allTextContents()).toEqual(['time = 0 s', 'v = 0 m/s']);
    expect(problems).toEqual([]);
  });

  it('switches signals off and on by mouse and keyboard', async () => {
    await open(plotHtml(clutch(), ['inertia1.w', 'inertia2.w']));
    const curve = page.locator('.curve').first();
    const entry = page.locator('.entry').first();
    await entry.click();
    expect(await curve.isVisible()).toBe(false);
    expect(await entry.getAttribute('aria-pressed')).toBe('false');
    await entry.focus();
    await page.keyboard.press('Enter');
    expect(await curve.isVisible()).toBe(true);
    expect(problems).toEqual([]);
  });

  it('follows the colour scheme and runs no text of a model', async () => {
    await open(plotHtml(heater()));
    const ground = () => page.locator('.ground').evaluate((element) => getComputedStyle(element).fill);
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await ground()).toBe('rgb(255, 255, 255)');
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await ground()).toBe('rgb(20, 24, 29)');
    expect(problems).toEqual([]);
  });
});
