/** Bodies in space in the studio, watched as a person does it in a real browser. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { browsing, eventually, isInstalled, openFile, patience, run } from './browser.ts';

describe.skipIf(!isInstalled)('bodies of the studio', () => {
  const open = browsing(true);
  const scripts = (page: Page): Promise<boolean> =>
    page.locator('script[src="scene.js"]').count().then(Boolean);

  const picture = (page: Page) => page.locator('.space-picture canvas');
  const seen = async (page: Page): Promise<string> => (await picture(page).screenshot()).toString('base64');

  it('move with the time cursor, and are loaded when they are looked at', async () => {
    const { page, problems } = await open();
    await run(page);
    expect(await page.getByRole('tab', { name: '3D' }).count()).toBe(0);
    await openFile(page, 'SpacePendulum.mo');
    await run(page);
    const tab = page.getByRole('tab', { name: '3D' });
    await tab.waitFor(patience);
    expect(await scripts(page)).toBe(false);
    await tab.click();
    await page.locator('.space-picture canvas').waitFor();
    expect(await scripts(page)).toBe(true);
    const slider = page.getByRole('slider', { name: 'Time cursor' });
    await slider.focus();
    await page.keyboard.press('Home');
    await page.waitForTimeout(1000);
    const start = await seen(page);
    await page.keyboard.press('End');
    await eventually(async () => expect(await seen(page)).not.toBe(start));
    await page.keyboard.press('Home');
    await eventually(async () => expect(await seen(page)).toBe(start));
    // Keys turn it.
    await picture(page).focus();
    await page.waitForTimeout(200);
    const focused = await seen(page);
    await page.keyboard.press('Shift+ArrowLeft');
    await eventually(async () => expect(await seen(page)).not.toBe(focused));
    await page.keyboard.press('0');
    await eventually(async () => expect(await seen(page)).toBe(focused));
    // A longer bar is seen as soon as its run has ended.
    await page.getByRole('textbox', { name: 'L', exact: true }).fill('0.6');
    await page.keyboard.press('Enter');
    await eventually(async () => expect(await seen(page)).not.toBe(start));
    await page.getByRole('button', { name: 'Back to the value of the model: L', exact: true }).click();
    await eventually(async () => expect(await seen(page)).toBe(start));
    // Another model has none.
    await openFile(page, 'IdealClutch.mo');
    await run(page);
    await eventually(async () => expect(await page.getByRole('tab', { name: '3D' }).count()).toBe(0));
    expect(problems).toEqual([]);
  });

  it('say so where a worker has forgotten them', async () => {
    const { page } = await open();
    await openFile(page, 'SpacePendulum.mo');
    await run(page);
    const tab = page.getByRole('tab', { name: '3D' });
    await tab.waitFor();
    for (const worker of page.workers())
      await worker.evaluate(() => (globalThis as unknown as Worker & { close(): void }).close());
    await page.locator('.notice').filter({ hasText: 'was started again' }).waitFor();
    await tab.click();
    await page.locator('.space [role=status]').filter({ hasText: 'Run the model again' }).waitFor();
    await run(page);
    await picture(page).waitFor();
  });
});
