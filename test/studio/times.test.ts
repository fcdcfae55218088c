/** Times of the studio are in seconds wherever they stand, in a real browser. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { browsing, eventually, isInstalled, run, shownValue, status, textOf, write } from './browser.ts';

describe.skipIf(!isInstalled)('times of the studio', () => {
  const open = browsing();

  it('have one unit in fields, messages and pictures, also where days pass', async () => {
    const { page } = await open();
    await write(
      page,
      'model Slow Real x(start = 1, fixed = true); equation der(x) = -x/2e5; annotation(experiment(StopTime = 1e6)); end Slow;',
    );
    await run(page);
    expect(await textOf(status(page))).toBe('Done at 1e6 s');
    const field = page.locator('.timebar').getByRole('textbox', { name: 'Time' });
    expect(Number(await field.inputValue())).toBe(1e6);
    expect(await textOf(page.locator('.timebar .unit'))).toBe('s');
    await field.fill('2e5');
    await field.press('Enter');
    await eventually(async () => expect(await shownValue(page, 'x')).toBeCloseTo(Math.exp(-1), 4));
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    const given = page.waitForEvent('download');
    await page.getByRole('dialog').getByRole('button', { name: 'Curves (SVG)' }).click();
    const picture = readFileSync(await (await given).path(), 'utf8');
    expect(picture).toMatch(/>time [^<]*\[s\]</);
  });
});
