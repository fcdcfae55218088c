/** The page of an animation in a real browser, where one is installed: what it draws is looked at pixel by pixel. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnimatedNode, Animation, Triple } from '../../src/animation/animation.ts';
import { animationGlb } from '../../src/animation/glb.ts';
import { animationPage } from '../../src/animation/html.ts';
import { tableOfColumns } from '../../src/results/table/builder.ts';
import { executablePath } from '../chromium.ts';
import { signal } from '../results/signals.ts';
import { doublePendulum } from './gallery.ts';
import { type Picture, pictureOf } from './pixels.ts';
import { animation, byRow, cube, turn } from './scenes.ts';

/** Without graphics hardware. */
const flags = ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];

/** Machines may be busy. */
const patience = { timeout: 30_000 };

const red = { color: [0.9, 0.05, 0.05], roughness: 1 } as const;

/** From six metres in front of the origin; at the distance of the origin half of the height is 1.8 m. */
const front = { position: [0, 0, 6], target: [0, 0, 0], fieldOfView: 2 * Math.atan(0.3) } as const;

/** A red cube of 0.6 m, in front of a camera that does not move. */
const seen = (
  times: readonly number[],
  more: Partial<AnimatedNode>,
  about: Partial<Animation> = {},
): Animation =>
  animation(times, [cube('box', { geometry: small, material: red, ...more })], { camera: front, ...about });

const small = (() => {
  const { geometry } = cube('');
  if (!geometry || 'kind' in geometry) throw new Error('A cube has triangles.');
  return { ...geometry, positions: geometry.positions.map((value) => 0.6 * value) };
})();

const moving = (more: Partial<AnimatedNode> = {}, about: Partial<Animation> = {}): Animation =>
  seen([0, 2], { positions: [-1, 0, 0, 1, 0, 0], ...more }, about);

const isRed = ([r, g, b]: readonly [number, number, number]): boolean => r > 90 && g < 0.5 * r && b < 0.5 * r;

describe.skipIf(!executablePath)('the page of an animation', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mutabor-animation-'));
  let browser: Browser;
  let page: Page;
  const problems: string[] = [];

  const fresh = async (options: BrowserContextOptions = {}) => {
    await page?.context().close();
    const context = await browser.newContext({ viewport: { width: 440, height: 330 }, ...options });
    page = await context.newPage();
    page.on('pageerror', (problem) => problems.push(problem.message));
    page.on('console', (message) => problems.push(message.text()));
    page.on('request', (request) => {
      if (!request.url().startsWith('file:')) problems.push(request.url());
    });
  };

  const open = async (given: Animation) => {
    writeFileSync(join(folder, 'page.html'), animationPage(given));
    await page.goto(pathToFileURL(join(folder, 'page.html')).href);
    await settled();
  };

  /** Two pictures later. */
  const settled = () =>
    page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

  const seek = async (time: number) => {
    await page.getByRole('slider').evaluate((slider, value) => {
      (slider as HTMLInputElement).value = String(value);
      slider.dispatchEvent(new Event('input'));
    }, time);
    await settled();
  };

  /** The picture without what stands in front of it. */
  const look = async (): Promise<Picture> =>
    pictureOf(
      await page
        .locator('canvas')
        .screenshot({ style: '.menus, .menus *, .labels, h1 { visibility: hidden !important; }' }),
    );

  /** Where the camera `front` shows a point, by the law of the pinhole. */
  const placeOf = ({ width, height }: Picture, [x, y, z]: Triple): [number, number] => {
    const scale = height / 2 / 0.3 / (6 - z);
    return [width / 2 + x * scale, height / 2 - y * scale];
  };

  const redAt = async (...points: Triple[]): Promise<boolean[]> => {
    const picture = await look();
    return points.map((point) => isRed(picture.at(...placeOf(picture, point))));
  };

  /** How many pixels are red. */
  const redness = async (): Promise<number> => {
    const picture = await look();
    let count = 0;
    for (let y = 0; y < picture.height; y++)
      for (let x = 0; x < picture.width; x++) if (isRed(picture.at(x, y))) count++;
    return count;
  };

  const time = async (): Promise<number> =>
    Number((await page.locator('output').first().textContent())!.replace(' s', ''));

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executablePath!, args: flags });
    await fresh();
  });

  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('shows an object where it is at each time, and asks nobody for anything', async () => {
    await open(moving());
    const [left, middle, right]: Triple[] = [
      [-1, 0, 0.3],
      [0, 0, 0.3],
      [1, 0, 0.3],
    ];
    expect(await redAt(left!, middle!, right!)).toEqual([true, false, false]);
    await seek(1);
    expect(await redAt(left!, middle!, right!)).toEqual([false, true, false]);
    // A quarter of the way; its sides are 0.3 m away.
    await seek(0.5);
    expect(
      await redAt([-0.5 - 0.28, 0, 0.3], [-0.5 + 0.28, 0.28, 0.3], [-0.5 - 0.33, 0, 0.3], [-0.5, 0.33, 0.3]),
    ).toEqual([true, true, false, false]);
    await seek(2);
    expect(await redAt(left!, middle!, right!)).toEqual([false, false, true]);
    expect(await page.title()).toBe('test');
    expect(problems).toEqual([]);
  });

  it('turns objects', async () => {
    // By 45 degrees about z the corners are up, down and at the sides.
    await open(seen([0, 1], { rotations: [1, 0, 0, 0, ...turn([0, 0, 1], Math.PI / 2)] }));
    const corner: Triple = [0.27, 0.27, 0.3];
    const top: Triple = [0, 0.39, 0.3];
    expect(await redAt(corner, top)).toEqual([true, false]);
    await seek(0.5);
    expect(await redAt(corner, top)).toEqual([false, true]);
    await seek(1);
    expect(await redAt(corner, top)).toEqual([true, false]);
  });

  it('turns what is fast as it turns, and says when a screen cannot', async () => {
    // A bar turns at 300 rad/s about the axis of the camera; between two rows there are 12 rad.
    const rows = 26;
    const times = Array.from({ length: rows }, (_, i) => i / 25);
    const bar = {
      ...small,
      positions: small.positions.map((value, i) => (i % 3 === 0 ? 4 * value : value / 2)),
    };
    await open(
      seen(times, {
        geometry: bar,
        rotations: times.flatMap((t) => turn([0, 0, 1], 300 * t)),
        angularVelocities: times.flatMap(() => [0, 0, 300]),
      }),
    );
    // At quarters of a turn it is upright or level, and on the way between.
    const at = (angle: number): Triple => [Math.cos(angle), Math.sin(angle), 0.15];
    for (const angle of [0.5, 1, 2, 3, 50.2, 299]) {
      await seek(angle / 300);
      expect(await redAt(at(angle), at(angle + Math.PI / 2), at(angle - 0.5))).toEqual([true, false, false]);
    }
    const note = page.getByText('Something turns faster than a screen can show');
    expect(await note.isVisible()).toBe(false);
    await page.getByLabel('Speed').selectOption('1×');
    await page.getByRole('button', { name: 'Repeat' }).click();
    await page.getByRole('button', { name: 'Play' }).click();
    await note.waitFor({ state: 'visible' });
    await page.getByLabel('Speed').selectOption('0.1×');
    await note.waitFor({ state: 'hidden' });
    expect(problems).toEqual([]);
  });

  it('stretches objects', async () => {
    await open(seen([0, 1], { scales: [1, 1, 1, 5, 1, 1] }));
    expect(await redAt([0.4, 0, 0.3])).toEqual([false]);
    await seek(0.5);
    // Three times as long: 0.9 m to each side.
    expect(await redAt([0.85, 0, 0.3], [-0.85, 0, 0.3], [0.95, 0, 0.3], [0, 0.35, 0.3])).toEqual([
      ...[true, true],
      ...[false, false],
    ]);
  });

  it('says what it does not show, and shows frames where nothing has a shape', async () => {
    await open(seen([0, 1], { geometry: undefined }, { ground: false }));
    const note = page.getByText('No object has a shape');
    expect(await note.isVisible()).toBe(true);
    const picture = await look();
    const [r, g, b] = picture.at(...placeOf(picture, [0, 0.2, 0]));
    expect(g).toBeGreaterThan(1.5 * Math.max(r, b));
    await page.getByRole('button', { name: 'Close' }).click();
    expect(await note.count()).toBe(0);
  });

  it('turns text to the reader where that is wanted, and colours vertices', async () => {
    // From the side a text is a line.
    const camera = { ...front, position: [6, 0, 0] } as const;
    const text = { kind: 'text', text: 'HHH', height: 0.8 } as const;
    await open(seen([], { geometry: text }, { camera, ground: false }));
    expect(await redness()).toBeLessThan(20);
    await open(seen([], { geometry: { ...text, facing: true } }, { camera, ground: false }));
    expect(await redness()).toBeGreaterThan(500);
    const colors = small.positions.map((_, i) => (i % 3 === 0 ? 0.9 : 0.05));
    await open(seen([], { geometry: { ...small, colors }, material: { color: [0, 1, 0] } }));
    expect(await redAt([0, 0, 0.3])).toEqual([true]);
    expect(problems).toEqual([]);
  });

  it('jumps, and lets objects appear and disappear', async () => {
    await open(
      seen([0, 1, 1, 2, 3], {
        positions: [-1, 0, 0, -1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0],
        visible: [1, 1, 1, 0, 1],
      }),
    );
    const sides: Triple[] = [
      [-1, 0, 0.3],
      [1, 0, 0.3],
    ];
    await seek(0.999);
    expect(await redAt(...sides)).toEqual([true, false]);
    await seek(1);
    expect(await redAt(...sides)).toEqual([false, true]);
    await seek(2.5);
    expect(await redAt(...sides)).toEqual([false, false]);
    await seek(3);
    expect(await redAt(...sides)).toEqual([false, true]);
    expect(problems).toEqual([]);
  });

  it('has up where the animation says', async () => {
    const camera = { ...front, position: [0, -6, 0] } as const;
    await open(seen([], { positions: [0, 0, 1] }, { up: [0, 0, 1], camera }));
    // A step towards the camera is one along -y, and x is to the right.
    expect(await redAt([0, 1, 0.3], [0, -1, 0.3])).toEqual([true, false]);
  });

  it('shows all that happens where no camera is given', async () => {
    const rows = 21;
    const times = Array.from({ length: rows }, (_, i) => i / 10);
    const positions = byRow(rows, (i) => [100 + 4 * Math.cos(i / 3), 20 * Math.sin(i / 3), 7]);
    await open(animation(times, [cube('box', { material: red, positions })], { ground: false }));
    for (const t of times.filter((_, i) => i % 5 === 0)) {
      await seek(t);
      const picture = await look();
      let inside = 0;
      let border = 0;
      for (let y = 0; y < picture.height; y++)
        for (let x = 0; x < picture.width; x++) {
          if (!isRed(picture.at(x, y))) continue;
          inside++;
          if (Math.min(x, y, picture.width - 1 - x, picture.height - 1 - y) < 2) border++;
        }
      expect(inside).toBeGreaterThan(4);
      expect(border).toBe(0);
    }
  });

  it('stays sharp far from the origin of the model', async () => {
    const far = 3e7;
    const camera = { ...front, position: [far, far, far + 6], target: [far, far, far] } as const;
    await open(seen([0, 2], { positions: [far - 1, far, far, far + 1, far, far] }, { camera }));
    await seek(0.5);
    expect(
      await redAt([-0.5 - 0.28, 0, 0.3], [-0.5 + 0.28, 0.28, 0.3], [-0.5 - 0.33, 0, 0.3], [-0.5, 0.33, 0.3]),
    ).toEqual([true, true, false, false]);
  });

  it('plays in real time, at other speeds, to the end, and again', async () => {
    await open(seen([0, 20], { positions: [-1, 0, 0, 1, 0, 0] }));
    await page.getByRole('button', { name: 'Play' }).click();
    await expect.poll(time, patience).toBeGreaterThan(0.2);
    await page.getByRole('button', { name: 'Pause' }).click();
    const paused = await time();
    expect(paused).toBeLessThan(20);
    await page.waitForTimeout(200);
    expect(await time()).toBe(paused);
    await page.getByLabel('Speed').selectOption('10×');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Play' }).click();
    await expect.poll(time, patience).toBe(20);
    await page.getByRole('button', { name: 'Play' }).waitFor();
    expect(await redAt([1, 0, 0.3])).toEqual([true]);
    // From the end it begins again, and with repetition it goes on.
    await page.getByRole('button', { name: 'Repeat' }).click();
    await page.getByRole('button', { name: 'Play' }).click();
    const times: number[] = [];
    await expect
      .poll(
        async () => {
          times.push(await time());
          return times.filter((own, i) => i > 0 && own < times[i - 1]!).length;
        },
        { ...patience, interval: 30 },
      )
      .toBeGreaterThan(1);
    expect(problems).toEqual([]);
  });

  it('draws nothing while nothing changes', async () => {
    await fresh();
    await page.addInitScript(() => {
      const counter = globalThis as unknown as { draws: number };
      counter.draws = 0;
      for (const name of ['drawElements', 'drawArrays'] as const) {
        const own = WebGL2RenderingContext.prototype[name] as (...all: unknown[]) => void;
        WebGL2RenderingContext.prototype[name] = function (this: unknown, ...all: unknown[]) {
          counter.draws++;
          own.apply(this, all);
        };
      }
    });
    await open(moving());
    const draws = () => page.evaluate(() => (globalThis as unknown as { draws: number }).draws);
    await page.waitForTimeout(200);
    const before = await draws();
    expect(before).toBeGreaterThan(0);
    await page.waitForTimeout(500);
    expect(await draws()).toBe(before);
    await seek(1);
    expect(await draws()).toBeGreaterThan(before);
    await fresh();
  });

  it('is steered by keys', async () => {
    await open(moving());
    await page.keyboard.press('End');
    await expect.poll(time, patience).toBe(2);
    await page.keyboard.press('ArrowLeft');
    await expect.poll(time, patience).toBe(1.98);
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('PageUp');
    await expect.poll(time, patience).toBe(0.22);
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Play' }).waitFor();
    // Half a turn about the vertical axis: left is right.
    await page.keyboard.press('Home');
    await settled();
    expect(await redAt([-1, 0, 0.3], [1, 0, 0.3])).toEqual([true, false]);
    for (let i = 0; i < 24; i++) await page.keyboard.press('Shift+ArrowLeft');
    await settled();
    expect(await redAt([-1, 0, 0.3], [1, 0, 0.3])).toEqual([false, true]);
    await page.keyboard.press('0');
    await settled();
    expect(await redAt([-1, 0, 0.3], [1, 0, 0.3])).toEqual([true, false]);
    expect(problems).toEqual([]);
  });

  it('orbits by the mouse, zooms by the wheel, and goes back', async () => {
    await open(moving({ positions: [0, 0, 0] }));
    const { x, y, width, height } = (await page.locator('canvas').boundingBox())!;
    const before = await redness();
    await page.mouse.move(x + width / 2, y + height / 2);
    for (let i = 0; i < 6; i++) await page.mouse.wheel(0, -200);
    await expect.poll(redness, patience).toBeGreaterThan(1.3 * before);
    await page.getByRole('button', { name: 'Reset view' }).click();
    await expect.poll(redness, patience).toBe(before);
    // Dragged over an eighth of the height: an eighth of a turn, and a corner is in front.
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width / 2 + height / 8, y + height / 2, { steps: 4 });
    await page.mouse.up();
    await settled();
    expect(await redAt([-0.34, 0, 0.3])).toEqual([true]);
    await page.getByRole('button', { name: 'Reset view' }).click();
    await settled();
    expect(await redAt([-0.34, 0, 0.3])).toEqual([false]);
    expect(problems).toEqual([]);
  });

  it('orbits by a finger, and zooms by two', async () => {
    await fresh({ hasTouch: true });
    await open(moving({ positions: [0, 0, 0] }));
    const { x, y, width, height } = (await page.locator('canvas').boundingBox())!;
    const session = await page.context().newCDPSession(page);
    const touch = async (type: 'touchStart' | 'touchMove' | 'touchEnd', ...shifts: readonly number[]) => {
      const touchPoints = shifts.map((shift, id) => ({ id, x: x + width / 2 + shift, y: y + height / 2 }));
      await session.send('Input.dispatchTouchEvent', { type, touchPoints });
    };
    const edge: Triple = [-0.34, 0, 0.3];
    expect(await redAt(edge)).toEqual([false]);
    // An eighth of a turn, as with the mouse.
    await touch('touchStart', 0);
    for (const share of [0.25, 0.5, 0.75, 1]) await touch('touchMove', (share * height) / 8);
    await touch('touchEnd');
    await settled();
    expect(await redAt(edge)).toEqual([true]);
    const before = await redness();
    await touch('touchStart', -20, 20);
    for (const apart of [24, 28, 32, 36, 40]) await touch('touchMove', -apart, apart);
    await touch('touchEnd');
    await expect.poll(redness, patience).toBeGreaterThan(2 * before);
    expect(problems).toEqual([]);
    await fresh();
  });

  it('hides objects, shows their names and frames, and follows them', async () => {
    await open(moving());
    await page.getByText('Objects', { exact: true }).click();
    await page.getByRole('checkbox', { name: 'box' }).uncheck();
    await settled();
    expect(await redAt([-1, 0, 0.3])).toEqual([false]);
    await page.getByRole('checkbox', { name: 'box' }).check();
    await settled();
    expect(await redAt([-1, 0, 0.3])).toEqual([true]);
    await page.getByText('View', { exact: true }).click();
    await page.getByRole('checkbox', { name: 'Names' }).check();
    await settled();
    const label = page.locator('.labels span');
    expect(await label.allTextContents()).toEqual(['box']);
    const { x } = (await label.boundingBox())!;
    await seek(2);
    const picture = await look();
    const moved = placeOf(picture, [1, 0, 0])[0] - placeOf(picture, [-1, 0, 0])[0];
    expect(Math.abs((await label.boundingBox())!.x - x - moved)).toBeLessThan(2);
    await page.getByRole('checkbox', { name: 'Frames' }).check();
    await settled();
    // The arm of y is green, of a fifth of half of the height.
    const [r, g, b] = (await look()).at(...placeOf(picture, [1, 0.2, 0]));
    expect(g).toBeGreaterThan(2 * r);
    expect(g).toBeGreaterThan(1.5 * b);
    await page.getByRole('checkbox', { name: 'Frames' }).uncheck();
    // What is followed is in the middle at all times.
    await page.getByLabel('Follow an object').selectOption('box');
    await page.keyboard.press('Escape');
    for (const t of [2, 1.3, 0]) {
      await seek(t);
      const followed = await look();
      expect(isRed(followed.at(followed.width / 2, followed.height / 2))).toBe(true);
    }
    expect(problems).toEqual([]);
  });

  it('follows what the animation says from near by, and shows what is tiny as a dot', async () => {
    // A cube of 0.6 m that goes a kilometre.
    const far = { positions: [0, 0, 0, 1000, 0, 0] } as const;
    await open(seen([0, 10], far, { camera: undefined, follow: 'box', ground: false }));
    await seek(7);
    expect(await redness()).toBeGreaterThan(500);
    // Without being told: everything flies away.
    await open(seen([0, 10], far, { camera: undefined, ground: false }));
    await seek(7);
    expect(await redness()).toBeGreaterThan(500);
    await page.getByRole('button', { name: 'Reset view' }).click();
    await settled();
    expect(await redness()).toBeGreaterThan(500);
    const camera = { position: [500, 0, 900], target: [500, 0, 0] } as const;
    await open(seen([0, 10], far, { camera, ground: false }));
    await seek(7);
    // A disc of three pixels has some twenty.
    const dot = await redness();
    expect(dot).toBeGreaterThan(8);
    expect(dot).toBeLessThan(40);
  });

  it('shows forces on request, as long as they are large', async () => {
    const nan = Number.NaN;
    const arrows = [
      {
        name: 'push',
        kind: 'force',
        origins: [0, 0, 0],
        vectors: [8, 0, 0, 8, 0, 0, 4, 0, 0, nan, nan, nan],
      },
    ] as const;
    await open(seen([0, 1, 2, 3], { positions: [0, -1, 0] }, { arrows, ground: false }));
    // The longest one has 0.6 of half of the height: 1.08 m at the origin.
    const isArrow = async (x: number) => {
      const picture = await look();
      const [r, g, b] = picture.at(...placeOf(picture, [x, 0, 0]));
      return r > 180 && g > 60 && g < 140 && b < 60;
    };
    expect(await isArrow(0.4)).toBe(false);
    await page.keyboard.press('a');
    await settled();
    expect([await isArrow(0.4), await isArrow(0.95), await isArrow(1.15)]).toEqual([true, true, false]);
    expect(await page.locator('.labels span').allTextContents()).toEqual(['push 8 N']);
    await seek(2);
    expect([await isArrow(0.4), await isArrow(0.95)]).toEqual([true, false]);
    expect(await page.locator('.labels span').allTextContents()).toEqual(['push 4 N']);
    await seek(3);
    expect(await isArrow(0.4)).toBe(false);
    expect(await page.locator('.labels span').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('shows where surfaces touch, and their normal, while they do', async () => {
    const arrows = [
      {
        name: 'touch',
        kind: 'force',
        origins: [0, 0, 0],
        vectors: [8, 0, 0, 8, 0, 0, 0, 0, 0],
        normals: [0, 0.6, 0.8],
      },
    ] as const;
    await open(seen([0, 1, 2], { positions: [0, -1, 0] }, { arrows, ground: false }));
    const isDark = async (x: number, y: number) => {
      const picture = await look();
      const [r, g, b] = picture.at(...placeOf(picture, [x, y, 0]));
      return Math.max(r, g, b) < 110;
    };
    expect(await isDark(0.04, 0)).toBe(false);
    await page.keyboard.press('a');
    await settled();
    // The disc has a radius of 0.05 of 1.08 m, the pin is 2.4 times as long, of which 0.6 are seen from the front.
    expect([await isDark(-0.04, 0), await isDark(0, 0.065), await isDark(0, -0.065)]).toEqual([
      true,
      true,
      false,
    ]);
    await seek(2);
    expect([await isDark(-0.04, 0), await isDark(0, 0.065)]).toEqual([false, false]);
    expect(problems).toEqual([]);
  });

  it('shows forces that point into a body', async () => {
    const arrows = [{ name: 'push', kind: 'force', origins: [-0.3, 0, 0], vectors: [1, 0, 0] }] as const;
    await open(seen([0, 1], {}, { arrows, ground: false }));
    expect(await redAt([0.1, 0, 0.3])).toEqual([true]);
    await page.keyboard.press('a');
    await settled();
    const picture = await look();
    const [r, g, b] = picture.at(...placeOf(picture, [0.1, 0, 0]));
    expect(r > 180 && g > 60 && g < 140 && b < 60).toBe(true);
  });

  it('shows names beside each other, and frames as large as bodies are', async () => {
    await fresh({ viewport: { width: 1200, height: 900 } });
    const tiny = { geometry: { ...small, positions: small.positions.map((value) => value / 2) } };
    const nodes = ['first', 'second', 'third'].map((name) => cube(name, { ...tiny, material: red }));
    await open(animation([0, 1], nodes, { camera: front, ground: false }));
    await page.keyboard.press('n');
    await page.keyboard.press('f');
    await settled();
    const boxes = await Promise.all(
      [0, 1, 2].map(async (i) => (await page.locator('.labels span').nth(i).boundingBox())!),
    );
    for (const [i, a] of boxes.entries())
      for (const b of boxes.slice(i + 1))
        expect(
          a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y,
        ).toBe(true);
    // Arms as long as from the middle of a cube of 0.3 m to a corner, 0.26 m; without bodies they would have 0.36 m.
    const picture = await look();
    const isGreen = (y: number): boolean => {
      const [r, g, b] = picture.at(...placeOf(picture, [0, y, 0]));
      return g > 1.5 * r && g > 1.5 * b;
    };
    expect([isGreen(0.2), isGreen(0.3)]).toEqual([true, false]);
    await fresh();
  });

  it('keeps objects out from below its buttons, on a phone', async () => {
    await fresh({ viewport: { width: 390, height: 844 } });
    const results = tableOfColumns([signal('x')], [0, 2], [[-1, 1]]);
    const tower = {
      geometry: { ...small, positions: small.positions.map((value, i) => value * [1, 9, 1][i % 3]!) },
    };
    await open(seen([0, 2], tower, { camera: undefined, ground: false, results }));
    const picture = await look();
    let highest = picture.height;
    for (let y = picture.height - 1; y >= 0; y--)
      for (let x = 0; x < picture.width; x++) if (isRed(picture.at(x, y))) highest = y;
    const menus = (await page.locator('.menus').boundingBox())!;
    expect(highest).toBeGreaterThan(menus.y + menus.height);
    expect(highest).toBeLessThan(0.4 * picture.height);
    await fresh();
  });

  it('has a list of signals that fits beside the picture, and closes', async () => {
    await fresh({ viewport: { width: 800, height: 600 } });
    const results = tableOfColumns(
      [signal('x'), signal('y')],
      [0, 1, 2],
      [
        [-1, 0, 1],
        [0, 1, 0],
      ],
    );
    await open(moving({}, { results }));
    const list = page.locator('.side .list');
    const signals = page.getByText('Signals', { exact: true });
    await signals.click();
    const { x, width } = (await list.boundingBox())!;
    expect(x).toBeGreaterThan(400);
    expect(x + width).toBeLessThanOrEqual(800);
    await page.keyboard.press('Escape');
    expect(await list.isVisible()).toBe(false);
    await signals.click();
    expect(await list.isVisible()).toBe(true);
    await page.locator('canvas').click({ position: { x: 20, y: 300 } });
    expect(await list.isVisible()).toBe(false);
    expect(problems).toEqual([]);
    await fresh();
  });

  it('has a plot whose cursor moves with the picture, and which moves it', async () => {
    await fresh({ viewport: { width: 1200, height: 600 } });
    const results = tableOfColumns([signal('x', undefined, { unit: 'm' })], [0, 1, 2], [[-1, 0, 1]]);
    await open(moving({}, { results }));
    const grid = (await page.locator('.grid').first().boundingBox())!;
    const marker = async () => (await page.locator('.marker').boundingBox())!.x;
    const at = (share: number) => grid.x + share * grid.width;
    for (const share of [0, 0.25, 1]) {
      await seek(2 * share);
      expect(Math.abs((await marker()) - at(share))).toBeLessThan(4);
    }
    await page.mouse.click(at(0.5), grid.y + 40);
    await settled();
    expect(Math.abs((await time()) - 1)).toBeLessThan(0.02);
    expect(await redAt([0, 0, 0.3])).toEqual([true]);
    await page.mouse.move(at(0.5), grid.y + 40);
    await page.mouse.down();
    await page.mouse.move(at(0.75), grid.y + 60, { steps: 3 });
    await settled();
    expect(Math.abs((await time()) - 1.5)).toBeLessThan(0.02);
    expect(Math.abs((await marker()) - at(0.75))).toBeLessThan(4);
    await page.mouse.up();
    // Playing moves both.
    await page.keyboard.press('Home');
    await page.keyboard.press('Space');
    await expect.poll(marker, patience).toBeGreaterThan(at(0.1));
    expect(problems).toEqual([]);
    await fresh();
  });

  it('shows a still picture without a timeline', async () => {
    await open(seen([], {}));
    expect(await redAt([0, 0, 0.3])).toEqual([true]);
    expect(await page.locator('.timeline').isVisible()).toBe(false);
    expect(problems).toEqual([]);
  });

  it('shows names and titles as they are written, whatever they contain', async () => {
    const evil = '</script><img src=x onerror="document.title=1"><b>&amp;';
    const results = tableOfColumns([signal(evil)], [0, 1], [[0, 1]]);
    const arrows = [{ name: evil, kind: 'force', origins: [0, 0, 0], vectors: [1, 0, 0] }] as const;
    await open(moving({ name: evil }, { title: evil, results, arrows }));
    await page.keyboard.press('n');
    await page.keyboard.press('a');
    await settled();
    expect(await page.title()).toBe(evil);
    expect(await page.locator('h1').textContent()).toBe(evil);
    expect(await page.locator('.labels span').allTextContents()).toEqual([evil, `${evil} 1 N`]);
    expect(await page.locator('img, b').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('says so where the browser has no WebGL, and plots all the same', async () => {
    await fresh({ viewport: { width: 1200, height: 600 } });
    await page.addInitScript(() => {
      HTMLCanvasElement.prototype.getContext = () => null;
    });
    const results = tableOfColumns([signal('x')], [0, 2], [[-1, 1]]);
    await open(moving({}, { results }));
    expect(await page.getByRole('alert').textContent()).toContain('WebGL 2');
    expect(await page.locator('.curve').count()).toBe(1);
    await seek(1);
    expect(await time()).toBe(1);
    expect(problems).toEqual([]);
    await fresh();
  });

  it('fits into narrow windows, in light and dark', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await fresh({ viewport: { width: 360, height: 640 }, colorScheme });
      await open(doublePendulum());
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
      const picture = await look();
      const brightness = Math.max(...picture.at(3, picture.height - 4));
      expect(brightness > 128).toBe(colorScheme === 'light');
      await page.getByText('View', { exact: true }).click();
      const panel = (await page.locator('.panel:visible').boundingBox())!;
      expect(panel.x).toBeGreaterThanOrEqual(0);
      expect(panel.x + panel.width).toBeLessThanOrEqual(360);
    }
    expect(problems).toEqual([]);
    await fresh();
  });
});

describe.skipIf(!executablePath)('an animation as glTF, in a page with three.js', () => {
  it('has its objects where they are at each time', async () => {
    const rows = 41;
    const times = Array.from({ length: rows }, (_, i) => 5 + i / 20);
    const place = (t: number): Triple => [Math.cos(3 * t), t * t, -2];
    const given = animation(
      [...times.slice(0, 21), ...times.slice(20)],
      [
        cube('arm.link', {
          positions: [...times.slice(0, 21), ...times.slice(20)].flatMap(place),
          rotations: [...times.slice(0, 21), ...times.slice(20)].flatMap((t) => turn([0, 1, 0], 2 * t)),
        }),
        cube('guest', { visible: Array.from({ length: rows + 1 }, (_, i) => (i < 21 ? 0 : 1)) }),
      ],
      { up: [0, 0, 1] },
    );
    const { outputFiles } = await build({
      stdin: {
        contents: `import { AnimationMixer } from 'three';
          import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
          globalThis.load = async (bytes, times) => {
            const { scene, animations, cameras } = await new GLTFLoader().parseAsync(Uint8Array.from(bytes).buffer, '');
            const mixer = new AnimationMixer(scene);
            mixer.clipAction(animations[0]).play();
            const found = (name) => { let own; scene.traverse((one) => { if (one.userData.name === name || one.name === name) own = one; }); return own; };
            return { cameras: cameras.length, poses: times.map((time) => {
              mixer.setTime(time);
              scene.updateMatrixWorld(true);
              return ['arm.link', 'guest'].map((name) => [...found(name).matrixWorld.elements]);
            }) };
          };`,
        resolveDir: fileURLToPath(new URL('.', import.meta.url)),
      },
      bundle: true,
      write: false,
      format: 'iife',
    });
    const browser = await chromium.launch({ executablePath: executablePath!, args: flags });
    try {
      const page = await browser.newPage();
      await page.addScriptTag({ content: outputFiles[0]!.text });
      const asked = [0, 0.35, 0.95, 1.05, 1.9];
      const { poses, cameras } = await page.evaluate(
        ([bytes, asked]) =>
          (
            globalThis as unknown as {
              load(bytes: number[], times: number[]): Promise<{ poses: number[][][]; cameras: number }>;
            }
          ).load(bytes, asked),
        [[...animationGlb(given)], asked] as const as [number[], number[]],
      );
      expect(cameras).toBe(1);
      for (const [i, time] of asked.entries()) {
        const t = 5 + time;
        const [x, y, z] = place(t);
        const [s, c] = [Math.sin(2 * t), Math.cos(2 * t)];
        // Columns of the matrix: turned about y by 2 t, then z upward: (x, y, z) becomes (x, z, -y).
        const expected = [c, -s, 0, 0, 0, 0, -1, 0, s, c, 0, 0, x, z, -y, 1];
        for (const [k, value] of poses[i]![0]!.entries()) expect(value).toBeCloseTo(expected[k]!, 4.5);
        const size = time < 1 ? 0 : 1;
        expect(poses[i]![1]!.map((value) => Math.abs(value) + 0)).toEqual(
          [size, 0, 0, 0, 0, 0, size, 0, 0, size, 0, 0, 0, 0, 0, 1].map((value) => expect.closeTo(value, 6)),
        );
      }
    } finally {
      await browser.close();
    }
  });
});
