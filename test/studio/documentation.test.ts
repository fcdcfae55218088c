/** Documentation and figures of models in the studio, looked at as a person does it in a real browser; what is written there must not do anything. */
import { zipSync } from 'fflate';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { browsing, eventually, isInstalled, legendValue, run, textOf, write } from './browser.ts';

/** One pixel. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const evil = `<html><h1>Words</h1>
<script>globalThis.bad = 1</script><img src=x onerror='globalThis.bad = 2'><p onclick='globalThis.bad = 3'>press</p>
<a href='javascript:globalThis.bad = 4'>go</a><svg onload='globalThis.bad = 5'><script>globalThis.bad = 6</script></svg>
<iframe src='https://example.com/frame'></iframe><img src='https://example.com/picture.png' alt='far away'>
<form action='https://example.com'><input name='body'></form><style>body { display: none }</style>
<p style='position: fixed' id='mine'>styled</p><math><mtext><img src=y onerror='globalThis.bad = 7'></mtext></math>
<link rel='stylesheet' href='https://example.com/style.css'><base href='https://example.com/'><object data='https://example.com'></object>
<a href='modelica://Vats.Other'>other</a><img src='modelica://Vats/Resources/dot.png'></html>`;

const model = `model Fall "Something falls"
  Real h(start = 1, fixed = true);
  Real v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -2;
  annotation(experiment(StopTime = 1), Documentation(info = "${evil}", revisions = "<html><p>First one</p></html>",
    figures = {
      Figure(title = "All of it", plots = {Plot(curves = {Curve(y = h), Curve(x = v, y = h)})}),
      Figure(title = "What counts", preferred = true, plots = {Plot(title = "How fast", curves = {Curve(y = v, legend = "Speed"), Curve(y = der(h))})})}));
end Fall;
`;

const library = {
  'Vats/package.mo': new TextEncoder().encode('package Vats end Vats;'),
  'Vats/Other.mo': new TextEncoder().encode(
    'within Vats; model Other annotation(Documentation(info = "a < b, plainly")); end Other;',
  ),
  'Vats/Resources/dot.png': new Uint8Array(Buffer.from(PNG, 'base64')),
};

describe.skipIf(!isInstalled)('documentation in the studio', () => {
  const open = browsing();
  const bad = (page: Page): Promise<unknown> => page.evaluate(() => (globalThis as { bad?: number }).bad);

  it('is shown with pictures of libraries and links to classes, and does nothing', async () => {
    const { page, problems } = await open();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.getByRole('tab', { name: 'Libraries' }).click();
    await page.locator('.libraries input[accept]').setInputFiles({
      name: 'vats.zip',
      mimeType: 'application/zip',
      buffer: Buffer.from(zipSync(library)),
    });
    await page.locator('.libraries .item[data-name="Vats"]').waitFor();
    await write(page, model);
    await page
      .locator('.toolbar select')
      .first()
      .locator('option', { hasText: 'Fall' })
      .waitFor({ state: 'attached' });
    await page.getByRole('tab', { name: 'Documentation' }).click();
    const words = page.locator('.documentation .words');
    await words.getByRole('heading', { name: 'Words' }).waitFor();
    expect(await textOf(page.locator('.documentation header'))).toContain('Fall');
    await words.getByText('First one').waitFor();
    // A picture of a library is there; one from elsewhere is its name.
    await words.locator('img[src^="data:image/png"]').waitFor();
    await words.getByText('press').click();
    await words.getByText('go', { exact: true }).click();
    expect(await words.locator('script, iframe, svg, form, input, style, link, object, math').count()).toBe(
      0,
    );
    expect(await words.locator('img[alt="far away"]').getAttribute('src')).toBeNull();
    expect(await words.locator('[style], [onclick], [onerror]').count()).toBe(0);
    expect(await page.locator('body').isVisible()).toBe(true);
    await words.getByRole('link', { name: 'other' }).click();
    await words.getByText('a < b, plainly').waitFor();
    await page.getByRole('button', { name: 'Back' }).click();
    await words.getByRole('heading', { name: 'Words' }).waitFor();
    expect(await bad(page)).toBeUndefined();
    expect(asked.filter((address) => /example\.com|modelica:/.test(address))).toEqual([]);
    // The policy says what it has refused even to a text that is only read.
    expect(problems.filter((text) => !/base-uri|inline event handler/.test(text))).toEqual([]);
  });

  it('has figures, which are shown as diagrams', async () => {
    const { page } = await open();
    await write(page, model);
    await run(page);
    // What the model prefers is there at once: v = -2t.
    await eventually(async () => expect(await textOf(page.locator('.legend').first())).toContain('How fast'));
    expect(await page.locator('.diagram').count()).toBe(1);
    await eventually(async () => expect(await textOf(legendValue(page, 'v'))).toContain('−2'));
    expect(await textOf(page.locator('.entry').first())).toContain('Speed');
    await page.getByRole('combobox', { name: 'Figures' }).selectOption({ label: 'All of it' });
    await eventually(async () => expect(await textOf(legendValue(page, 'h'))).toMatch(/^0|^−?\d.*e/));
    // Curves over other variables than time are pictures: v goes from 0 to -2, h from 1 to 0.
    const across = page.locator('.diagram').filter({ hasText: 'h over v' });
    const numbers = async (): Promise<number[]> =>
      (await across.locator('svg text').allTextContents())
        .map((text) => Number(text.replace('−', '-')))
        .filter(Number.isFinite);
    await eventually(async () => expect(Math.min(...(await numbers()))).toBeCloseTo(-2, 6));
    expect(Math.max(...(await numbers()))).toBeCloseTo(1, 6);
    expect(await across.locator('svg text').allTextContents()).toContain('v');
    // They stay in the next run.
    await run(page);
    expect(await page.locator('.diagram').count()).toBe(2);
    await legendValue(page, 'h').waitFor();
    expect(await across.locator('svg path').count()).toBeGreaterThan(0);
    expect(await page.locator('.notice').count()).toBe(0);
    // In the dark too they have the colours of the page, whose policy lets no styles of pictures count.
    const ground = (): Promise<string> =>
      across
        .locator('svg .f-ground')
        .first()
        .evaluate((one) => getComputedStyle(one).fill);
    expect(await ground()).toBe('rgb(255, 255, 255)');
    await page.emulateMedia({ colorScheme: 'dark' });
    await eventually(async () => expect(await ground()).toBe('rgb(20, 24, 29)'));
  });
});
