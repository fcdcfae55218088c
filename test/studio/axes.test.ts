/** Axes of the studio: what stands at them can be read, and means what it says. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { fitted, timeTicks, valueTicks } from '../../src/studio/page/curves/axes.ts';
import { browsing, drawn, eventually, isInstalled, legendValue, run, textOf, write } from './browser.ts';

/** Each character is as wide as all others. */
const measure = (text: string): number => 7 * text.length;

describe('labels of axes', () => {
  it('have their power of ten and their unit once, apart from the numbers', () => {
    expect(timeTicks(0, 5e-4, 5)).toEqual({
      values: [0, 1e-4, 2e-4, 3e-4, 4e-4, 5e-4],
      labels: ['0', '100', '200', '300', '400', '500'],
      scale: '×10⁻⁶ s',
    });
    expect(valueTicks([], 'N.m', [0, 0.003], 3, measure)).toEqual({
      values: [0, 0.001, 0.002, 0.003],
      labels: ['0', '1', '2', '3'],
      scale: '×10⁻³ N·m',
    });
    expect(valueTicks([], '1', [0, 2], 2, measure).scale).toBe('');
  });

  it('are cut at their ends, as far as there is no room', () => {
    expect(fitted('short', 35, measure)).toBe('short');
    expect(fitted('much longer', 35, measure)).toBe('much…');
    expect(fitted('much longer', 7, measure)).toBe('');
  });
});

interface Written {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly width: number;
}

/** What is written into canvases, and where. */
async function watchTexts(page: Page): Promise<() => Promise<readonly Written[]>> {
  await page.evaluate(() => {
    const all: Written[] = [];
    Object.assign(globalThis, { writtenTexts: all });
    const { fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
      const { width } = this.measureText(text);
      const left = x - { left: 0, start: 0, center: width / 2, right: width, end: width }[this.textAlign];
      all.push({ text, left, right: left + width, width: this.canvas.width });
      fillText.call(this, text, x, y);
    };
  });
  return () => page.evaluate(() => (globalThis as unknown as { writtenTexts: Written[] }).writtenTexts);
}

describe.skipIf(!isInstalled)('axes of the studio', () => {
  const open = browsing();

  it('have room for all of their labels, with units', async () => {
    const { page, problems } = await open();
    await write(
      page,
      `model Wide
  type Color = enumeration(green_with_many_stripes_and_dots, red);
  Color c = if time > 2e-4 then Color.green_with_many_stripes_and_dots else Color.red;
  Real far(unit = "m") = 1e6 + 1e-3*sin(2e4*time);
  Real small(unit = "N") = -3.25e-12*time;
  Real p(unit = "Pa", displayUnit = "bar") = 123456;
  annotation(experiment(StopTime = 5e-4));
end Wide;
`,
    );
    await run(page);
    const texts = await watchTexts(page);
    await page.setViewportSize({ width: 1280, height: 1000 });
    const find = async (text: string): Promise<Written | undefined> =>
      (await texts()).findLast((one) => one.text.trim() === text);
    for (const text of ['red', '×10⁻⁶ s', '500', '1.0000000000'])
      await eventually(async () => expect(await find(text)).toBeDefined());
    await drawn(page);
    for (const { text, left, right, width } of await texts()) {
      expect(left, text).toBeGreaterThanOrEqual(0);
      expect(right, text).toBeLessThanOrEqual(width);
    }
    const scales = page.locator('.diagram .scale');
    expect(await scales.allTextContents()).toEqual(['', '×10⁶ m', '×10⁻¹⁵ N', 'bar']);
    for (const one of await scales.all())
      expect(await one.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
    expect((await texts()).some(({ text }) => /^green_.*…$/.test(text))).toBe(true);
    // Values have the digits that their axis has.
    expect(Number((await textOf(legendValue(page, 'far'))).replace(' m', ''))).toBeCloseTo(
      1e6 + 1e-3 * Math.sin(10),
      5,
    );
    expect(problems).toEqual([]);
  });

  it('have the time cursor at its time, also when there comes another one, or another diagram', async () => {
    const { page } = await open();
    await run(page);
    const field = page.getByRole('textbox', { name: 'Time', exact: true });
    await field.fill('2.5');
    await field.press('Enter');
    const marks = async (count: number): Promise<void> =>
      eventually(async () => {
        const places = await page.locator('.diagram .u-over').evaluateAll((areas) =>
          areas.map((area) => {
            const mark = area.querySelector<HTMLElement>('.mark.cursor')!;
            const { left, width } = area.getBoundingClientRect();
            return mark.hidden ? Number.NaN : (mark.getBoundingClientRect().left - left) / width;
          }),
        );
        expect(places).toHaveLength(count);
        for (const place of places) expect(place).toBeCloseTo(0.25, 2);
      });
    await marks(2);
    const before = (await page.locator('.u-over').first().boundingBox())!.width;
    // A torque beside speeds has its axis at the right.
    await page.getByRole('tab', { name: 'Variables' }).click();
    const item = (name: string) =>
      page.getByRole('treeitem').filter({ has: page.getByText(name, { exact: true }) });
    await item('f2').dragTo(page.locator('.diagram').first());
    await eventually(async () =>
      expect((await page.locator('.u-over').first().boundingBox())!.width).toBeLessThan(before - 20),
    );
    await marks(2);
    await page.getByRole('button', { name: 'New diagram' }).click();
    await item('w2').dragTo(page.locator('.diagram').nth(2));
    await marks(3);
  });

  it('leave room for the text in windows of any width', async () => {
    const { page } = await open();
    for (const width of [870, 900, 1024, 1280]) {
      await page.setViewportSize({ width, height: 700 });
      const widths = await page
        .locator('.grid > .area')
        .evaluateAll((areas) => areas.map(({ clientWidth }) => clientWidth));
      for (const one of widths) expect(one).toBeGreaterThanOrEqual(120);
      expect(widths[1], `${width}`).toBeGreaterThanOrEqual(299);
      expect(widths.reduce((sum, one) => sum + one)).toBeLessThanOrEqual(width);
    }
    // On a telephone all stand below each other, and names of parameters above their fields.
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    const names = page.locator('.parameters .row .name');
    await names.first().waitFor();
    for (const name of await names.all())
      expect(await name.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
  });
});
