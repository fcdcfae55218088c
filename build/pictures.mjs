/**
 * Draws the pictures of bodies in `docs/pictures`: the examples below at a time of their runs, as their animations show them.
 *
 * `node build/pictures.mjs [example ...]`, after a build; it needs Chromium, which is looked for as `chromium` or where the variable `CHROMIUM` says.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

/** By example, a model or a module: the name of its picture, the time that it shows, and whether forces are seen. */
const pictures = {
  SpacePendulum: ['space-pendulum', 0.3],
  DoublePendulumInSpace: ['double-pendulum-in-space', 0.6],
  Gyroscope: ['gyroscope', 0.3],
  TumblingBody: ['tumbling-body', 0.9],
  FourBar: ['four-bar', 0.5],
  SliderCrank: ['slider-crank', 0.005],
  FurutaPendulum: ['furuta-pendulum', 0.2],
  TwoStageRocket3D: ['two-stage-rocket-3d', 5.3],
  Satellite: ['satellite', 10],
  BreakingChain: ['breaking-chain', 0.35],
  Arm: ['arm', 2.7],
  BouncingShapes: ['bouncing-shapes', 0.45],
  Billiard: ['billiard', 0.8],
  NewtonsCradle: ['newtons-cradle', 0.55],
  Rattleback: ['rattleback', 0.55, 'forces'],
  Dominoes: ['dominoes', 0.52],
  Stack: ['stack', 1.1],
  Slope: ['slope', 0.6, 'forces'],
  TwoFingers: ['two-fingers', 1.2, 'forces'],
  Curling: ['curling', 2.4],
  'typescript/youbot.mjs': ['youbot', 7],
  'typescript/dropping.mjs': ['dropping', 5.2],
  'typescript/gripping.mjs': ['gripping', 6.6, 'forces'],
  'typescript/carrying.mjs': ['carrying', 7.6, 'forces'],
  'typescript/handover.mjs': ['handover', 13],
  'typescript/walking.mjs': ['walking', 4.8],
};

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'mutabor-pictures-'));
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});
const chosen = process.argv.slice(2);
for (const [example, [name, time, forces]] of Object.entries(pictures)) {
  if (chosen.length > 0 && !chosen.includes(example)) continue;
  const file = join(folder, `${name}.html`);
  const model = join(root, 'examples', extname(example) ? example : `${example}.mo`);
  execFileSync(process.execPath, [join(root, 'bin/mutabor.js'), model, '--animation', file, '--quiet']);
  const page = await browser.newPage({ viewport: { width: 720, height: 760 }, colorScheme: 'light' });
  await page.goto(pathToFileURL(file).href);
  if (forces) await page.keyboard.press('a');
  const slider = page.getByRole('slider');
  await slider.evaluate((element, value) => {
    element.value = String(value);
    element.dispatchEvent(new Event('input'));
  }, time);
  const drawn = () =>
    new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 300))));
  await page.evaluate(drawn);
  await page.locator('canvas').screenshot({
    path: join(root, 'docs/pictures', `${name}-bodies.jpg`),
    type: 'jpeg',
    quality: 85,
    style: '.menus, .menus *, .labels, h1 { visibility: hidden !important; }',
  });
  await page.close();
}
await browser.close();
rmSync(folder, { recursive: true });
