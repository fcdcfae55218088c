/** Sweeps in the studio: a family of curves, each of which is the run of its value. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { between } from '../../src/studio/page/sweep.ts';
import { browsing, eventually, isInstalled, run, shownValue, status, textOf } from './browser.ts';

describe('values of a sweep', () => {
  it('begin and end with the bounds', () => {
    expect(between(0, 0.3, 4, false)).toEqual([0, 0.1, 0.2, 0.3]);
    expect(between(5, -5, 3, false)).toEqual([5, 0, -5]);
  });

  it('have equal ratios where that is asked for', () => {
    expect(between(1, 1000, 4, true)).toEqual([1, 10, 100, 1000]);
    expect(between(-1, -4, 3, true)).toEqual([-1, -2, -4]);
  });
});

/** The speed of the first shaft of IdealClutch after 10 s: both slow down, and have a common speed from 5 s to 7 s. */
function speedAfter(j1: number): number {
  const [j2, k1, k2] = [2, 0.01, 0.0125];
  const [w1, w2] = [Math.exp((-k1 * 5) / j1), 1.5 * Math.exp((-k2 * 5) / j2)];
  const common = (j1 * w1 + j2 * w2) / (j1 + j2);
  return common * Math.exp((-(k1 + k2) * 2) / (j1 + j2)) * Math.exp((-k1 * 3) / j1);
}

describe.skipIf(!isInstalled)('sweeps of the studio', () => {
  const open = browsing();

  const begin = async (page: Page): Promise<void> => {
    const button = page.getByRole('button', { name: 'Sweep of j1', exact: true });
    await button.focus();
    await button.press('Enter');
  };
  const member = (page: Page, label: string) => page.locator('.family').getByRole('button', { name: label });

  it('shows the runs of all values, and chooses among them', async () => {
    const { page, problems } = await open();
    await run(page);
    await begin(page);
    const dialog = page.getByRole('dialog', { name: 'Sweep of j1' });
    await dialog.getByLabel('From').fill('1');
    await dialog.getByLabel('To').fill('8');
    await dialog.getByLabel('Runs').fill('4');
    await dialog.getByLabel('Equal ratios').check();
    await dialog.getByRole('button', { name: 'Sweep', exact: true }).click();
    await eventually(async () => expect(await page.locator('.family .name').count()).toBe(4));
    // The colours beside a run are those that its curves have in the legends.
    const shade = (place: string): Promise<string> =>
      page
        .locator(`${place} .swatch`)
        .first()
        .evaluate((swatch) => getComputedStyle(swatch).background);
    for (const label of ['j1 = 1 kg', 'j1 = 8 kg']) {
      await member(page, label).click();
      await eventually(async () => {
        const color = /rgb\([\d, ]+\)/.exec(await shade('.legend'))![0];
        expect(await shade('.family [aria-pressed="true"]')).toContain(color);
      });
    }
    for (const value of [1, 2, 4, 8]) {
      await member(page, `j1 = ${value} kg`).click();
      await eventually(async () => {
        expect(await shownValue(page, 'w1')).toBeCloseTo(speedAfter(value), 4);
      });
    }
    // The model has its own value still, and another run is one run again.
    expect(await page.getByRole('textbox', { name: 'j1', exact: true }).inputValue()).toBe('1');
    await run(page);
    await eventually(async () => {
      expect(await page.locator('.family').isVisible()).toBe(false);
      expect(await shownValue(page, 'w1')).toBeCloseTo(speedAfter(1), 4);
    });
    expect(problems).toEqual([]);
  });

  it('says what is wrong with bounds and numbers', async () => {
    const { page, problems } = await open();
    await run(page);
    await begin(page);
    const dialog = page.getByRole('dialog', { name: 'Sweep of j1' });
    const tried = async (from: string, to: string, count: string): Promise<string> => {
      await dialog.getByLabel('From').fill(from);
      await dialog.getByLabel('To').fill(to);
      await dialog.getByLabel('Runs').fill(count);
      await dialog.getByRole('button', { name: 'Sweep', exact: true }).click();
      return textOf(dialog.getByRole('alert'));
    };
    expect(await tried('much', '8', '4')).toBe('Both bounds have to be numbers.');
    expect(await tried('1', '8', '1')).toContain('from 2 to 50');
    expect(await tried('1', '8', '1e9')).toContain('from 2 to 50');
    expect(await tried('3', '3', '4')).toBe('All runs would have the same value.');
    await dialog.getByLabel('Equal ratios').check();
    expect(await tried('0', '8', '4')).toContain('none of them zero');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
  });

  it('keeps what the others have come to where one fails', async () => {
    const { page, problems } = await open();
    await run(page);
    await begin(page);
    const dialog = page.getByRole('dialog', { name: 'Sweep of j1' });
    await dialog.getByLabel('From').fill('-2');
    await dialog.getByLabel('To').fill('1');
    await dialog.getByLabel('Runs').fill('2');
    await dialog.getByRole('button', { name: 'Sweep', exact: true }).click();
    // A sum of inertias of zero has no common speed.
    await page.locator('.messages').getByText('In the run with j1 = −2 kg·m².').first().waitFor();
    await member(page, 'j1 = 1 kg').waitFor();
    await status(page).filter({ hasText: /^Done/ }).waitFor();
    expect(problems).toEqual([]);
  });
});
