/** The page of a plot in a real browser, where one is installed. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type readJson, toJson } from '../../../src/results/files/json.ts';
import { plotHtml } from '../../../src/results/plot/html.ts';
import { byUnit } from '../../../src/results/plot/layout.ts';
import type { showPlot } from '../../../src/results/plot/viewer.ts';
import { tableOfColumns } from '../../../src/results/table/builder.ts';
import { executablePath } from '../../chromium.ts';
import { bouncingBall, clutch, heater, rocket } from '../gallery.ts';
import { signal } from '../signals.ts';

/** What a page of a user has. */
interface Own {
  readonly readJson: typeof readJson;
  readonly showPlot: typeof showPlot;
  show(which: string): void;
}

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
    expect(lines[1]).toBe('mode: engaged=true');
    expect(lines[2]).toMatch(/^inertia1\.w = 4\.(1|09|10)\d* rad\/s$/);
    expect(lines[4]).toBe('engaged = true');
    // After four seconds the second shaft is gone.
    await page.mouse.move(box.x + box.width * 0.9, box.y + 20);
    expect((await readout.locator('div').allTextContents())[3]).toBe('inertia2.w = missing');
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
    expect(lines).toHaveLength(4);
    expect(lines[1]).toBe('mode: together');
    expect(lines[2]).toMatch(/^h = 2\.[23]\d* km$/);
    // A pixel is 0.2 s.
    expect(Math.abs(Number(/^m = (.*) kg$/.exec(lines[3]!)![1]) - 5400)).toBeLessThan(50);
    // At the beginning height and velocity are zero.
    await page.mouse.move(right.x + 20, right.y + right.height - 12);
    expect(await readout.locator('div').allTextContents()).toEqual([
      'time = 0 s',
      'mode: together',
      'h = 0 km',
      'v = 0 m/s',
    ]);
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

  /** The first and the last label of the time axis, and what it is labelled with. */
  const timeLabels = async () => {
    const labels = await page.locator('.tick[text-anchor=middle]').allTextContents();
    return { first: Number(labels[0]), last: Number(labels.at(-2)), label: labels.at(-1) };
  };

  it('zooms by the wheel about the pointer, pans by dragging, and shows all after a double click', async () => {
    await open(plotHtml(bouncingBall(), 'h'));
    const box = (await page.locator('.grid').first().boundingBox())!;
    const middle = [box.x + box.width / 2, box.y + box.height / 2] as const;
    const all = await timeLabels();
    await page.mouse.move(...middle);
    // Each step of the wheel shows exp(-0.6) of the time; twelve of them some thousandths.
    for (let i = 0; i < 12; i++) await page.mouse.wheel(0, -400);
    await expect.poll(async () => (await timeLabels()).label).toBe('time [ms]');
    const close = await timeLabels();
    const [from, to] = [close.first / 1000, close.last / 1000];
    const half = (bouncingBall().time[0]! + bouncingBall().time.at(-1)!) / 2;
    // The pointer is at the middle to a pixel of the whole.
    expect(Math.abs((from + to) / 2 - half)).toBeLessThan(2 * half * (2 / box.width));
    expect(to - from).toBeLessThan(0.01 * all.last);
    // To the left by half of the width: what is seen lies later by half of it.
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.25, middle[1], { steps: 4 });
    await page.mouse.up();
    await expect.poll(async () => (await timeLabels()).first).toBeGreaterThan(close.first);
    await page.mouse.dblclick(...middle);
    await expect.poll(timeLabels).toEqual(all);
    expect(problems).toEqual([]);
  });

  it('leaves the wheel to a page that scrolls, until the plot is clicked or Ctrl is held', async () => {
    const table = rocket();
    await open(plotHtml(table, 'h; v; m; h, m; v, m; h, v'));
    const box = (await page.locator('.grid').first().boundingBox())!;
    const all = await timeLabels();
    const scrolled = () => page.evaluate(() => window.scrollY);
    const top = async () => {
      await page.evaluate(() => window.scrollTo(0, 0));
      await page.mouse.move(box.x + box.width / 2, box.y + 20);
    };
    await top();
    await page.mouse.wheel(0, 100);
    await expect.poll(scrolled).toBeGreaterThan(50);
    await page.mouse.wheel(0, -300);
    await expect.poll(scrolled).toBe(0);
    expect(await timeLabels()).toEqual(all);
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -400);
    await page.keyboard.up('Control');
    await expect.poll(async () => (await timeLabels()).last).toBeLessThan(all.last);
    await page.mouse.dblclick(box.x + box.width / 2, box.y + 20);
    await expect.poll(timeLabels).toEqual(all);
    // The double click gave it the focus: the wheel zooms in and out again, and then scrolls.
    await page.mouse.wheel(0, -400);
    await expect.poll(async () => (await timeLabels()).last).toBeLessThan(all.last);
    expect(await scrolled()).toBe(0);
    await page.mouse.wheel(0, 600);
    await expect.poll(timeLabels).toEqual(all);
    expect(await scrolled()).toBe(0);
    await page.mouse.wheel(0, 100);
    await expect.poll(scrolled).toBeGreaterThan(50);
    // Elsewhere: the wheel is the page's again.
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await top();
    await page.mouse.wheel(0, -400);
    await page.mouse.wheel(0, 100);
    await expect.poll(scrolled).toBeGreaterThan(50);
    expect(await timeLabels()).toEqual(all);
    expect(problems).toEqual([]);
  });

  it('draws the signals that were chosen among all, not among those that it carries', async () => {
    const rows = 201;
    const time = Array.from({ length: rows }, (_, i) => i);
    const names = Array.from({ length: 2000 }, (_, i) => `T[${i + 1}]`);
    const columns = names.map((_, i) => time.map((t) => t * i));
    const table = tableOfColumns(
      names.map((name) => signal(name, undefined, { role: 'state' })),
      time,
      columns,
    );
    // Eight at equal distances from 1 to 2000: the page carries about half of them.
    const chosen = Array.from({ length: 8 }, (_, i) => `T[${Math.round((i * 1999) / 7) + 1}]`);
    await open(plotHtml(table));
    expect(await page.locator('.curve title').allTextContents()).toEqual(chosen);
    expect(await page.locator('.remarks').textContent()).toContain('more signals are in the results');
    await page.locator('summary').click();
    await expect.poll(() => page.locator('.list input:indeterminate').count()).toBe(1);
    expect(problems).toEqual([]);
  });

  it('says that the run failed', async () => {
    const table = bouncingBall().with({ attributes: { status: 'failed', other: 1 } });
    await open(plotHtml(table, 'h'));
    const end = bouncingBall().time.at(-1)!;
    expect(await page.locator('.title').textContent()).toMatch(/ \(failed at .* s\)$/);
    expect(await page.locator('.title').textContent()).toContain(String(Number(end.toPrecision(6))));
  });

  it('reads out as many digits as the zoom shows', async () => {
    await open(plotHtml(tableOfColumns([signal('x')], [0, 10], [[100, 110]]), 'x'));
    const box = (await page.locator('.axis').first().boundingBox())!;
    await page.mouse.move(box.x + box.width / 3, box.y + 20);
    for (let i = 0; i < 22; i++) await page.mouse.wheel(0, -400);
    // 10 exp(-13.2) s are seen, some 20 µs on nearly a thousand pixels.
    const readout = page.locator('.mutabor-readout div');
    const seen = new Set<string>();
    for (const share of [0.3, 0.4, 0.5]) {
      await page.mouse.move(box.x + box.width * share, box.y + 20);
      const [time, x] = (await readout.allTextContents()).map((line) =>
        Number(line.replace(/^.* = ([\d.]+).*$/, '$1')),
      );
      // x is 100 + time, to the last digit that is shown.
      expect(Math.abs(100 + time! - x!)).toBeLessThan(1e-6);
      seen.add(`${time} ${x}`);
    }
    expect(seen.size).toBe(3);
  });

  it('has true values of many rows where it is zoomed, and reads them out at the new time', async () => {
    // A thousand changes a second: the Boolean is true in every second millisecond, in which the other value falls from 1 to 0.
    const time = Array.from({ length: 20_000 }, (_, i) => Math.ceil(i / 2) / 1000);
    const table = tableOfColumns([signal('on', undefined, { type: 'Boolean' }), signal('x')], time, [
      time.map((_, i) => (i % 4 < 2 ? 1 : 0)),
      time.map((_, i) => (i % 4 === 0 || i % 4 === 3 ? 1 : 0)),
    ]);
    await open(plotHtml(table, 'x; on'));
    const box = (await page.locator('.grid').first().boundingBox())!;
    const readout = page.locator('.mutabor-readout div');
    const [x, y] = [Math.round(box.x + box.width / 2) + 7, box.y + 30];
    await page.mouse.move(x, y);
    for (let i = 0; i < 12; i++) await page.mouse.wheel(0, -400);
    await expect.poll(async () => (await timeLabels()).label).toBe('time [ms]');
    const expectTruth = async () => {
      const lines = await readout.allTextContents();
      const time = Number(/^time = ([\d.]+) ms$/.exec(lines[0]!)![1]);
      const [whole, rest] = [Math.floor(time), time - Math.floor(time)];
      const wave = whole % 2 === 0 ? 1 - rest : rest;
      // The time is read to six digits.
      expect(Math.abs(Number(/^x = (.*)$/.exec(lines[1]!)![1]) - wave)).toBeLessThan(0.006);
      expect(lines[2]).toBe(`on = ${whole % 2 === 0}`);
      return time;
    };
    // The pointer did not move; where it stands among the labels says the time.
    const ticks = page.locator('.tick[text-anchor=middle]');
    const centre = async (n: number) => {
      const { x, width } = (await ticks.nth(n).boundingBox())!;
      return { at: x + width / 2, time: Number(await ticks.nth(n).textContent()) };
    };
    const [first, second] = [await centre(0), await centre(1)];
    const expected = first.time + ((x - first.at) / (second.at - first.at)) * (second.time - first.time);
    expect(Math.abs((await expectTruth()) - expected)).toBeLessThan(0.05);
    for (let i = 1; i <= 5; i++) {
      await page.mouse.move(x + 61 * i, y);
      await expectTruth();
    }
    // The lane has vertical and horizontal lines only.
    const path = (await page.locator('.curve').nth(1).locator('path').last().getAttribute('d'))!;
    const numbers = path.slice(1).split(/[ L]/).map(Number);
    const points = numbers.flatMap((x, i) => (i % 2 === 0 ? [[x, numbers[i + 1]!] as const] : []));
    expect(points.length).toBeGreaterThan(8);
    for (const [i, point] of points.entries())
      if (i > 0) expect(point[0] === points[i - 1]![0] || point[1] === points[i - 1]![1]).toBe(true);
    expect(problems).toEqual([]);
  });

  it('zooms into a result that is thinned out as far as the picture is right, and reads out ranges', async () => {
    // A wave of 100 Hz in 1000 seconds, and what is true in every second of its periods.
    const time = Array.from({ length: 700_000 }, (_, i) => i / 700);
    const on = signal('on', undefined, { type: 'Boolean' });
    const wave = time.map((t) => Math.sin(200 * Math.PI * t));
    const table = tableOfColumns([signal('x'), on], time, [wave, time.map((t) => Math.floor(100 * t) % 2)]);
    await open(plotHtml(table, 'x, on'));
    expect(await page.locator('.remarks').textContent()).toMatch(/^\d+ of 700000 rows, with the extremes/);
    const box = (await page.locator('.grid').first().boundingBox())!;
    await page.mouse.move(Math.round(box.x + box.width / 2), box.y + 30);
    for (let i = 0; i < 30; i++) await page.mouse.wheel(0, -400);
    await expect.poll(async () => (await timeLabels()).label).toBe('time [s]');
    const { first, last } = await timeLabels();
    // About the time that was pointed at, and no closer than a row a pixel.
    expect(first).toBeLessThan(500);
    expect(last).toBeGreaterThan(500);
    expect(last - first).toBeGreaterThan(1);
    const lines = await page.locator('.mutabor-readout div').allTextContents();
    const [low, high] = /^x from −(\S+) to (\S+)$/.exec(lines[1]!)!.slice(1).map(Number);
    // Seven points of a period, or more: the extremes to its half of a seventh.
    expect(Math.min(low!, high!)).toBeGreaterThan(Math.cos(Math.PI / 7));
    expect(lines[2]).toBe('on from false to true');
    expect(problems).toEqual([]);
  });

  it('zooms into an interval that is dragged over, and back by keys and buttons', async () => {
    await open(plotHtml(clutch(), 'inertia1.w; engaged'));
    const box = (await page.locator('.grid').first().boundingBox())!;
    const all = await timeLabels();
    await page.mouse.move(box.x + box.width / 2, box.y + 30);
    await page.mouse.down();
    await page.mouse.move(box.x + (box.width * 5) / 6, box.y + 60, { steps: 3 });
    await page.mouse.up();
    // From 3 s to 5 s.
    await expect.poll(async () => (await timeLabels()).first).toBeGreaterThanOrEqual(2.99);
    expect((await timeLabels()).last).toBeLessThanOrEqual(5.01);
    expect(await page.locator('.strip').count()).toBe(2);
    await page.keyboard.press('Escape');
    await page.locator('.mutabor-viewer').focus();
    await page.keyboard.press('0');
    await expect.poll(timeLabels).toEqual(all);
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await expect.poll(async () => (await timeLabels()).last).toBeLessThan(all.last);
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect.poll(timeLabels).toEqual(all);
    expect(problems).toEqual([]);
  });

  it('zooms into what is dragged over in any column, and beyond its edge', async () => {
    await open(plotHtml(rocket(), 'h | v'));
    const axis = (await page.locator('.axis').nth(1).boundingBox())!;
    // From 45 s on in the second column, until far to the right of it.
    await page.mouse.move(axis.x + axis.width / 2, axis.y + 30);
    await page.mouse.down();
    await page.mouse.move(axis.x + axis.width + 10, axis.y + 60, { steps: 3 });
    await page.mouse.up();
    await expect.poll(async () => (await timeLabels()).first).toBeGreaterThanOrEqual(44);
    expect((await timeLabels()).last).toBe(90);
    expect(problems).toEqual([]);
  });

  it('keeps the time under the pointer in its place on a logarithmic axis', async () => {
    const time = [0, 0.01, 1, 100];
    await open(plotHtml(tableOfColumns([signal('x')], time, [time]), 'x over log(time)'));
    const axis = (await page.locator('.axis').first().boundingBox())!;
    const at = [axis.x + axis.width * 0.75, axis.y + 40] as const;
    const readTime = async () => {
      await page.mouse.move(at[0] + 1, at[1]);
      await page.mouse.move(...at);
      return Number(
        /= ([\d.]+) s/.exec((await page.locator('.mutabor-readout div').allTextContents())[0]!)![1],
      );
    };
    // Three quarters of the way from 0.01 to 100.
    expect(Math.abs((await readTime()) - 10)).toBeLessThan(0.5);
    await page.mouse.wheel(0, -400);
    await expect.poll(async () => (await timeLabels()).last).toBeLessThan(80);
    expect(problems).toEqual([]);
  });

  it('zooms by two fingers that part', async () => {
    await open(plotHtml(clutch(), 'inertia1.w'));
    const all = await timeLabels();
    const box = (await page.locator('.grid').first().boundingBox())!;
    await page.locator('.picture').evaluate((picture, { x, y, width }) => {
      const touch = (type: string, pointerId: number, share: number) =>
        picture.dispatchEvent(
          new PointerEvent(type, {
            ...{ pointerId, pointerType: 'touch', bubbles: true },
            ...{ clientX: x + share * width, clientY: y + 40 },
          }),
        );
      touch('pointerdown', 1, 0.25);
      touch('pointerdown', 2, 0.5);
      touch('pointermove', 2, 0.75);
      touch('pointerup', 1, 0.25);
      touch('pointerup', 2, 0.75);
    }, box);
    // Twice as far apart, about a quarter of six seconds: from 0.75 s to 3.75 s.
    await expect.poll(async () => (await timeLabels()).last).toBeLessThan(all.last);
    const { first, last } = await timeLabels();
    expect(first).toBeGreaterThanOrEqual(0.74);
    expect(first).toBeLessThan(1.3);
    expect(last).toBeGreaterThan(3.2);
    expect(last).toBeLessThanOrEqual(3.76);
    expect(problems).toEqual([]);
  });

  it('chooses signals from a list that can be searched', async () => {
    await open(plotHtml(rocket(), 'h'));
    const entries = () => page.locator('.entry').allTextContents();
    expect(await page.locator('.curve').count()).toBe(1);
    await page.getByText('Signals', { exact: true }).click();
    await page.getByRole('searchbox').fill('velocity of');
    const box = page.getByRole('checkbox');
    expect(await box.count()).toBe(1);
    await box.check();
    expect(await page.locator('.curve').count()).toBe(2);
    expect((await entries())[1]).toContain('stage1.v');
    await page.getByRole('searchbox').fill('p');
    // An array is one entry.
    await page.getByLabel(/^p /).check();
    expect(await page.locator('.curve').count()).toBe(5);
    await page.getByLabel(/^p /).uncheck();
    await page.getByRole('searchbox').fill('height');
    await page.getByLabel(/^h /).uncheck();
    expect(await page.locator('.curve title').allTextContents()).toEqual(['stage1.v']);
    expect(problems).toEqual([]);
  });

  it('shows nothing where the last signal of its own choice is switched off', async () => {
    await open(
      plotHtml(
        tableOfColumns(
          [signal('x'), signal('y')],
          [0, 1],
          [
            [0, 1],
            [1, 0],
          ],
        ),
      ),
    );
    expect(await page.locator('.curve').count()).toBe(2);
    await page.getByText('Signals', { exact: true }).click();
    await page.getByRole('checkbox', { name: 'x' }).uncheck();
    await page.getByRole('checkbox', { name: 'y' }).uncheck();
    expect(await page.locator('.curve').count()).toBe(0);
    await page.getByRole('checkbox', { name: 'y' }).check();
    expect(await page.locator('.curve title').allTextContents()).toEqual(['y']);
    expect(problems).toEqual([]);
  });

  it('fits a phone: no line is wider than the page, columns stand above each other, a finger reads out', async () => {
    const phone = await browser.newPage({ viewport: { width: 360, height: 700 }, hasTouch: true });
    writeFileSync(join(folder, 'phone.html'), plotHtml(rocket(), 'h | v; m | stage1.v'));
    await phone.goto(pathToFileURL(join(folder, 'phone.html')).href);
    const wide = await phone.evaluate(() => document.documentElement.scrollWidth);
    expect(wide).toBeLessThanOrEqual(360);
    const axes = await phone.locator('.axis').all();
    const boxes = await Promise.all(axes.map(async (axis) => (await axis.boundingBox())!));
    const lefts = boxes.map(({ x }) => x);
    expect(Math.max(...lefts) - Math.min(...lefts)).toBeLessThan(2);
    const first = (await phone.locator('.grid').first().boundingBox())!;
    await phone.touchscreen.tap(first.x + first.width / 3, first.y + 40);
    const readout = phone.locator('.mutabor-readout');
    await expect.poll(() => readout.isVisible()).toBe(true);
    const place = (await readout.boundingBox())!;
    expect(place.x).toBeGreaterThanOrEqual(0);
    expect(place.x + place.width).toBeLessThanOrEqual(360);
    await phone.close();
  });

  it('names enumerations, and reads a map element by element', async () => {
    const cells = Array.from({ length: 20 }, (_, i) => `T[${i + 1}]`);
    const gear = signal('gear', undefined, { type: 'Integer', literals: ['neutral', 'first', 'second'] });
    const table = tableOfColumns(
      [...cells.map((name) => signal(name, undefined, { unit: 'K' })), gear],
      [0, 1, 1, 2],
      [...cells.map((_, i) => [i, i, i, i]), [1, 1, 3, 3]],
    );
    await open(plotHtml(table, 'map(T); gear'));
    expect(await page.locator('.tick').allTextContents()).toContain('second');
    const box = (await page.locator('.axis').first().boundingBox())!;
    const width = (await page.locator('.grid').first().boundingBox())!.width;
    // Three quarters of the time; the third of twenty rows from below.
    await page.mouse.move(box.x + width * 0.75, box.y + box.height * (1 - 2.5 / 20));
    const lines = await page.locator('.mutabor-readout div').allTextContents();
    expect(lines.slice(1)).toEqual(['T[3] = 2 K', 'gear = second']);
    expect(problems).toEqual([]);
  });

  it('is a function for other pages: results, layout and window can change, and it can be removed', async () => {
    const bundled = await build({
      stdin: {
        contents: `import { readJson, showPlot } from 'mutabor/results'; Object.assign(window, { readJson, showPlot });`,
        resolveDir: folder,
      },
      bundle: true,
      write: false,
      format: 'iife',
      alias: { 'mutabor/results': fileURLToPath(new URL('../../../src/results.ts', import.meta.url)) },
      logLevel: 'silent',
    });
    writeFileSync(join(folder, 'own.js'), bundled.outputFiles[0]!.text);
    await open(
      '<!doctype html><p>Before</p><div id="here" style="width: 700px"></div><script src="own.js"></script>',
    );
    await page.evaluate(
      ([first, second]) => {
        const own = window as unknown as Own;
        const here = document.getElementById('here')!;
        const viewer = own.showPlot(here, own.readJson(first!), 'h', { title: 'Mine' });
        own.show = (which) => {
          if (which === 'other') viewer.update(own.readJson(second!), 'inertia1.w');
          else if (which === 'part') viewer.zoom(2, 4);
          else viewer.remove();
        };
      },
      [toJson(bouncingBall()), toJson(clutch())],
    );
    const show = (which: string) => page.evaluate((name) => (window as unknown as Own).show(name), which);
    expect(await page.locator('#here .title').textContent()).toBe('Mine');
    expect(await page.locator('svg').getAttribute('width')).toBe('700');
    await page.evaluate(() => (document.getElementById('here')!.style.width = '500px'));
    await expect.poll(() => page.locator('svg').getAttribute('width')).toBe('500');
    await show('other');
    expect(await page.locator('.curve title').allTextContents()).toEqual(['inertia1.w']);
    await show('part');
    const labels = await timeLabels();
    expect([labels.first, labels.last]).toEqual([2, 4]);
    await show('nothing');
    expect(await page.locator('#here').innerHTML()).toBe('');
    expect(await page.locator('p').textContent()).toBe('Before');
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
