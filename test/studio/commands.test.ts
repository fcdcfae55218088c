/** The studio by keys alone: the list of commands reaches all that a pointer does. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { browsing, eventually, isInstalled, runButton, status, textOf } from './browser.ts';

describe.skipIf(!isInstalled)('commands of the studio', () => {
  const open = browsing();

  const command = async (page: Page, words: string): Promise<void> => {
    await page.keyboard.press('ControlOrMeta+k');
    const input = page.getByRole('combobox', { name: 'Search commands' });
    await input.waitFor();
    await input.fill(words);
    await page.keyboard.press('Enter');
    await input.waitFor({ state: 'hidden' });
  };

  it('are found by words, and done by keys', async () => {
    const { page, problems } = await open();
    await command(page, 'open bouncingball');
    await page.locator('.explorer .file.open').filter({ hasText: 'BouncingBall.mo' }).waitFor();
    await eventually(async () =>
      expect(await page.getByLabel('Model', { exact: true }).inputValue()).toBe('BouncingBall'),
    );
    await command(page, 'run');
    await status(page).filter({ hasText: /^Done/ }).waitFor();
    await command(page, 'go to parameters');
    expect(await page.evaluate(() => document.activeElement?.closest('.parameters') !== null)).toBe(true);
    await command(page, 'go to text');
    await eventually(async () =>
      expect(
        await page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.matches('.cm-content')),
      ).toBe(true),
    );
    expect(problems).toEqual([]);
  });

  it('have files, sweeps and libraries; letters in their order find one, and files are opened to write', async () => {
    const { page, problems } = await open();
    await eventually(async () => expect(await page.locator('.parameters .row').count()).toBe(4));
    await page.keyboard.press('ControlOrMeta+k');
    const input = page.getByRole('combobox', { name: 'Search commands' });
    const list = page.getByRole('listbox', { name: 'All commands' });
    const titles = (): Promise<string[]> => list.getByRole('option').locator('span').allTextContents();
    expect(await titles()).toContain('Go to: Libraries');
    // Without a run there are no results of one.
    expect((await titles()).filter((title) => title.startsWith('Save as a file: R'))).toEqual([]);
    await page.keyboard.press('Escape');
    await command(page, 'run');
    await status(page).filter({ hasText: /^Done/ }).waitFor();
    const download = page.waitForEvent('download');
    await command(page, 'results csv');
    expect((await download).suggestedFilename()).toBe('IdealClutch.csv');
    await command(page, 'sweep j2');
    await page.getByRole('dialog', { name: 'j2' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('ControlOrMeta+k');
    await input.fill('breakpend');
    expect(await titles()).toEqual(['Open (examples)/BreakingPendulum.mo']);
    await page.keyboard.press('Enter');
    await page.locator('.explorer .file.open').filter({ hasText: 'BreakingPendulum.mo' }).waitFor();
    await eventually(async () =>
      expect(
        await page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.matches('.cm-content')),
      ).toBe(true),
    );
    expect(problems).toEqual([]);
  });

  it('stand beside the Tab key, for which all files are one stop, with arrows from file to file', async () => {
    const { page } = await open();
    await eventually(async () => expect(await runButton(page).isEnabled()).toBe(true));
    await page.getByRole('button', { name: 'New file' }).focus();
    const at = (): Promise<string | null> =>
      page.evaluate(() => document.activeElement?.getAttribute('data-path') ?? null);
    await page.keyboard.press('Tab');
    expect(await at()).toBe('(examples)/IdealClutch.mo');
    await page.keyboard.press('Home');
    expect(await at()).toBe('(examples)/Arm.mo');
    await page.keyboard.press('ArrowDown');
    expect(await at()).toBe('(examples)/Billiard.mo');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('.explorer') === null)).toBe(true);
    await page.keyboard.press('Shift+Tab');
    expect(await at()).toBe('(examples)/Billiard.mo');
  });

  it('are chosen by arrows; those that have no meaning now are not there', async () => {
    const { page, problems } = await open();
    await eventually(async () => expect(await runButton(page).isEnabled()).toBe(true));
    await page.keyboard.press('F1');
    const list = page.getByRole('listbox', { name: 'All commands' });
    const chosen = list.getByRole('option', { selected: true });
    expect(await textOf(chosen)).toBe('RunCtrl+Enter');
    expect(await list.getByRole('option', { name: 'Stop' }).count()).toBe(0);
    await page.keyboard.press('ArrowDown');
    expect(await textOf(chosen)).toBe('Go to the next event');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await chosen.filter({ hasText: /^Open / }).waitFor();
    await page.getByRole('combobox', { name: 'Search commands' }).fill('no such thing');
    await list.getByText('Nothing is called so.').waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'hidden' });
    expect(problems).toEqual([]);
  });
});
