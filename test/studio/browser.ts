/** The studio in a real browser: built once, opened from the disk or from a server, with a list of all that goes wrong in it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { buildStudio } from '../../build/studio.mjs';
import { executablePath } from '../chromium.ts';

const flags = [
  '--no-sandbox',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
];
/** Without graphics hardware, pictures in space take long; all else is quicker without them. */
const plane = ['--disable-gpu'];
const space = ['--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];

/** Machines may be busy. */
export const patience = { timeout: 60_000 };

export const isInstalled = executablePath !== undefined;

let built: Promise<string> | undefined;

/** The folder of the studio. */
export function site(): Promise<string> {
  built ??= (async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mutabor-studio-'));
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
    await buildStudio(folder);
    return folder;
  })();
  return built;
}

export interface Opened {
  readonly page: Page;
  /** Errors and warnings of the page, also those of its policy. */
  readonly problems: string[];
}

/** Opens pages in one browser; call it in a suite. */
export function browsing(
  inSpace = false,
): (address?: string, options?: BrowserContextOptions) => Promise<Opened> {
  let browser: Browser;
  const all: Opened[] = [];
  beforeAll(async () => {
    await site();
    browser = await chromium.launch({
      executablePath: executablePath!,
      args: [...flags, ...(inSpace ? space : plane)],
    });
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
  });
  return async (address, options = {}) => {
    for (const { page } of all.splice(0)) await page.context().close();
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(patience.timeout);
    const opened = { page, problems: [] as string[] };
    page.on('pageerror', (problem) => opened.problems.push(problem.message));
    page.on('console', (message) => {
      const text = message.text();
      // Browsers try to keep the style of a text that is replaced by an attribute, which the policy refuses.
      if (text.startsWith('Applying inline style violates')) return;
      if (['error', 'warning'].includes(message.type())) opened.problems.push(text);
    });
    all.push(opened);
    await page.goto(address ?? pathToFileURL(join(await site(), 'index.html')).href);
    await page.locator('.cm-line').first().waitFor();
    return opened;
  };
}

/** The button that runs the model. */
export const runButton = (page: Page): Locator =>
  page.locator('.toolbar').getByRole('button', { name: 'Run', exact: true });

/** What the toolbar says of the run. */
export const status = (page: Page): Locator => page.locator('.toolbar .status');

/** Runs the model to its end. */
export async function run(page: Page): Promise<void> {
  await runButton(page).click();
  await status(page)
    .filter({ hasText: /^(Done|Ended|Failed|Stopped|The run)/ })
    .waitFor();
}

/** Opens a file of the explorer. */
export async function openFile(page: Page, name: string): Promise<void> {
  await page.locator('.explorer .file .name').filter({ hasText: name }).first().click();
  await page.locator('.explorer .file.open').filter({ hasText: name }).waitFor();
}

/** The value that the legend shows of a curve. */
export const legendValue = (page: Page, name: string): Locator =>
  page
    .locator('.entry')
    .filter({ has: page.getByRole('button', { name: `Show ${name}`, exact: true }) })
    .locator('output');

/** The text of an element. */
export const textOf = async (element: Locator): Promise<string> => (await element.textContent()) ?? '';

/** The number in it. It is there, or somebody looks again (`eventually`): who waited long here would hide what is wrong. */
export async function shownValue(page: Page, name: string): Promise<number> {
  const text = await legendValue(page, name).textContent({ timeout: 5000 });
  return Number((text ?? '').replace('−', '-').split(' ')[0]);
}

/** Puts another text into the editor, as a person would who marks all and types. */
export async function write(page: Page, text: string): Promise<void> {
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}

/** Waits until what was done is seen: a click means what a person sees there. */
export const drawn = (page: Page): Promise<void> =>
  page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );

/** Tries until it holds. */
export const eventually = (look: () => Promise<void>): Promise<void> =>
  expect
    .poll(
      () =>
        look().then(
          () => 'yes',
          (problem: unknown) => String(problem),
        ),
      patience,
    )
    .toBe('yes');
