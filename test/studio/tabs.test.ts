/** Two tabs of one browser with the same files: nothing that is written in one of them is lost by the other. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { browsing, eventually, isInstalled, openFile, textOf, write } from './browser.ts';

/** The same studio in another tab. */
async function another(page: Page): Promise<Page> {
  const other = await page.context().newPage();
  other.setDefaultTimeout(60_000);
  await other.goto(page.url());
  await other.locator('.cm-line').first().waitFor();
  return other;
}

const textIn = (page: Page): Promise<string> =>
  page.locator('.cm-line').evaluateAll((lines) => lines.map(({ textContent }) => textContent).join('\n'));

async function newFile(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'New file' }).click();
  await page.getByRole('dialog').getByRole('textbox').fill(name);
  await page.keyboard.press('Enter');
  await page
    .locator('.cm-line')
    .filter({ hasText: `model ${name}` })
    .waitFor();
}

describe.skipIf(!isInstalled)('the studio in two tabs', () => {
  const open = browsing();

  it('shows in each what is written in the other, and loses nothing', async () => {
    const { page, problems } = await open();
    const other = await another(page);
    await openFile(page, 'IdealClutch.mo');
    await openFile(other, 'IdealClutch.mo');
    await write(other, 'model A\n  Real x = 1;\nend A;');
    await page.locator('.cm-line').filter({ hasText: 'Real x = 1' }).waitFor();
    await page.locator('.cm-line').filter({ hasText: 'end A' }).click();
    await page.keyboard.press('End');
    await page.keyboard.type(' // here');
    await eventually(async () => expect(await textIn(other)).toBe('model A\n  Real x = 1;\nend A; // here'));
    await page.reload();
    await openFile(page, 'IdealClutch.mo');
    await eventually(async () => expect(await textIn(page)).toBe('model A\n  Real x = 1;\nend A; // here'));
    // Files that are made and deleted in one tab, come and go in the other one.
    await newFile(other, 'Mine');
    await openFile(page, 'Mine.mo');
    await other.getByRole('button', { name: 'Delete Mine.mo' }).click();
    await other.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.locator('.notice').filter({ hasText: 'Mine.mo was deleted elsewhere' }).waitFor();
    expect(await page.locator('.explorer .file').filter({ hasText: 'Mine.mo' }).count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('asks before it is closed where the browser keeps nothing', async () => {
    const { page } = await open();
    await page.addInitScript(() => {
      Object.defineProperty(globalThis, 'indexedDB', { value: undefined });
    });
    await page.reload();
    await page.locator('.notice').filter({ hasText: 'This browser keeps no files' }).waitFor();
    await openFile(page, 'IdealClutch.mo');
    await write(page, '// nowhere');
    const asked = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    await (await asked).dismiss();
    expect(await textIn(page)).toBe('// nowhere');
  });

  it('asks where both have changed the same', async () => {
    const { page } = await open();
    await newFile(page, 'Mine');
    // A tab that slept has heard nothing of the other one.
    const other = await page.context().newPage();
    await other.addInitScript(() => {
      BroadcastChannel.prototype.postMessage = () => {};
    });
    await other.goto(page.url());
    await openFile(other, 'Mine.mo');
    await write(other, '// theirs');
    await other.waitForTimeout(600);
    await write(page, '// mine');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    expect(await textOf(dialog)).toContain('Mine.mo was changed in another tab meanwhile.');
    // What nobody keeps yet is not lost without a word.
    const asked = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    const question = await asked;
    expect(question.type()).toBe('beforeunload');
    await question.dismiss();
    expect(await dialog.locator('pre').allTextContents()).toEqual(['// mine', '// theirs']);
    await dialog.getByRole('button', { name: 'Take the one of the other tab' }).click();
    await eventually(async () => expect(await textIn(page)).toBe('// theirs'));
    // The other way round.
    await write(other, '// theirs again');
    await other.waitForTimeout(600);
    await write(page, '// mine again');
    await dialog.getByRole('button', { name: 'Keep mine' }).click();
    await other.evaluate(() => window.dispatchEvent(new Event('focus')));
    await eventually(async () => expect(await textIn(other)).toBe('// mine again'));
  });
});
