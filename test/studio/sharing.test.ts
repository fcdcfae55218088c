/** Sharing, as a person does it in a real browser: links that are made, sent and opened, and files that leave the studio. */
import { readFileSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { readCsv } from '../../src/results/files/csv.ts';
import { readMat } from '../../src/results/files/mat.ts';
import { packLink, type Shared } from '../../src/studio/link.ts';
import {
  browsing,
  eventually,
  isInstalled,
  legendValue,
  openFile,
  run,
  runButton,
  shownValue,
  status,
  textOf,
  write,
} from './browser.ts';

/** Names and texts in which markup would do something if it were not text. */
const evil = `model Evil "<img src=x onerror=alert(1)></style><script>globalThis.wasRun = true</script>"
  parameter Real 'k<b>"&' = 2 "</td><script>globalThis.wasRun = true</script>";
  Real 'x</svg><script>alert(1)</script>'(start = 1, fixed = true) "<i>";
equation
  der('x</svg><script>alert(1)</script>') = -'k<b>"&'; // </pre><script>globalThis.wasRun = true</script>
  annotation(experiment(StopTime = 1), Diagram(graphics = {Text(extent = {{-90, -20}, {90, 20}}, textString = "</svg><script>globalThis.wasRun = true</script>")}));
end Evil;
`;

const decay: Shared = {
  files: {
    'Main.mo': 'model Main extends Lib.Decay; annotation(experiment(StopTime = 3)); end Main;\n',
    'Lib/package.mo': 'package Lib end Lib;\n',
    'Lib/Decay.mo':
      'within Lib; model Decay parameter Real k = 1; Real x(start = 1, fixed = true), y = 2*x; equation der(x) = -k*x; end Decay;\n',
  },
  file: 'Main.mo',
  model: 'Main',
  settings: { stopTime: 2 },
  values: { k: 0.5 },
  view: { diagrams: [['y'], ['x']], window: [0.5, 1.5], cursor: 1 },
};

async function share(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  const field = page.getByRole('dialog').getByRole('textbox', { name: 'Link', exact: true });
  await field.waitFor();
  return field.inputValue();
}

async function saved(page: Page, title: string): Promise<{ readonly name: string; readonly bytes: Buffer }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('dialog').getByRole('button', { name: title }).click(),
  ]);
  return { name: download.suggestedFilename(), bytes: readFileSync((await download.path())!) };
}

const ready = (page: Page, model: string) =>
  page
    .locator('.toolbar select')
    .first()
    .locator('option', { hasText: new RegExp(`^${model}$`) })
    .waitFor({ state: 'attached' });

describe.skipIf(!isInstalled)('sharing', () => {
  const open = browsing();

  it('shows the areas that were seen when the link was made', async () => {
    const { page } = await open();
    await run(page);
    for (const name of ['Diagram', 'Modes', 'Variables']) await page.getByRole('tab', { name }).click();
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    const link = await page
      .getByRole('dialog')
      .getByRole('textbox', { name: 'Link', exact: true })
      .inputValue();
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    for (const name of ['Text', 'Curves', 'Parameters']) await page.getByRole('tab', { name }).click();
    await page.goto('about:blank');
    await page.goto(link);
    for (const name of ['Diagram', 'Modes', 'Variables'])
      await page.getByRole('tab', { name, selected: true }).waitFor();
  });

  it('makes a link of the model with its values and what is shown, and another reader sees the same', async () => {
    const { page, problems } = await open();
    const field = page.getByRole('textbox', { name: 'j2' });
    await field.fill('4');
    await field.press('Enter');
    await run(page);
    const stop = page.locator('.toolbar').getByRole('textbox', { name: 'Stop time' });
    await stop.fill('8');
    await stop.press('Enter');
    await run(page);
    await page.getByRole('tab', { name: 'Variables' }).click();
    await page.getByRole('searchbox', { name: 'Search variables' }).fill('f2');
    await page.getByRole('treeitem').first().focus();
    await page.keyboard.press('Enter');
    await legendValue(page, 'f2').waitFor();
    const w1 = await shownValue(page, 'w1');
    const address = await share(page);
    const dialog = page.getByRole('dialog');
    expect(await textOf(dialog)).toContain('Holds IdealClutch.mo, 2 values other than in the model');
    await dialog.getByRole('button', { name: 'Close' }).click();
    expect(problems).toEqual([]);

    const other = await open(address);
    await ready(other.page, 'IdealClutch');
    await other.page.locator('.notice').filter({ hasText: 'It has not been run' }).waitFor();
    // Nothing has run.
    expect(await textOf(status(other.page))).toBe('');
    expect(await other.page.locator('.file.open').filter({ hasText: 'IdealClutch.mo' }).count()).toBe(1);
    expect(await textOf(other.page.locator('.explorer section').first())).toContain('From a link');
    // Variables were seen when the link was made.
    await other.page.getByRole('tab', { name: 'Variables', selected: true }).waitFor();
    await other.page.getByRole('tab', { name: 'Parameters' }).click();
    expect(await other.page.getByRole('textbox', { name: 'j2' }).inputValue()).toBe('4');
    await run(other.page);
    expect(await textOf(status(other.page))).toBe('Done at 8 s');
    await legendValue(other.page, 'f2').waitFor();
    await eventually(async () => expect(await shownValue(other.page, 'w1')).toBe(w1));
    // The example is as it was.
    await other.page.locator('.explorer .name[data-path="(examples)/IdealClutch.mo"]').click();
    expect(await other.page.locator('.file .changed').count()).toBe(0);
    expect(other.problems).toEqual([]);
  });

  it('opens models of several files, with a view, and keeps them when the reader says so', async () => {
    const link = (await packLink(decay)) as string;
    const { page, problems } = await open();
    // Somebody has a file of that name already.
    await page.getByRole('button', { name: 'New file' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('Main');
    await page.getByRole('dialog').getByRole('button', { name: 'OK' }).click();
    await page.locator('.cm-line').filter({ hasText: 'model Main' }).waitFor();
    await write(page, 'model Main "mine" Real q = time; end Main;');
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Open a link' }).fill('https://example.com/#share=1.AAAA');
    await dialog.getByRole('button', { name: 'Open', exact: true }).click();
    await dialog.getByRole('alert').filter({ hasText: 'This is no link of a studio' }).waitFor();
    await dialog
      .getByRole('textbox', { name: 'Open a link' })
      .fill(`https://elsewhere.example/studio/#${link}`);
    await dialog.getByRole('button', { name: 'Open', exact: true }).click();
    await page.locator('.cm-line').filter({ hasText: 'extends Lib.Decay' }).waitFor();
    await ready(page, 'Main');
    await runButton(page).click();
    await status(page).filter({ hasText: 'Done at 2 s' }).waitFor();
    // The view of the link: y above x, cursor at 1.
    await eventually(async () => {
      expect(await page.locator('.diagram .entry .name').allTextContents()).toEqual(['y', 'x']);
      expect(await shownValue(page, 'y')).toBeCloseTo(2 * Math.exp(-0.5), 5);
    });
    expect(Number(await page.getByRole('slider', { name: 'Time cursor' }).inputValue())).toBe(5000);

    await page.getByRole('button', { name: 'Keep as my files' }).first().click();
    await dialog.filter({ hasText: 'You have Main.mo already.' }).waitFor();
    await dialog.getByRole('button', { name: 'Keep both' }).click();
    await page.locator('.explorer .name[data-path="shared/Main.mo"]').waitFor();
    expect(await page.locator('.explorer .name[data-path^="(shared)"]').count()).toBe(0);
    expect(await page.getByRole('textbox', { name: 'k', exact: true }).inputValue()).toBe('0.5');
    await run(page);
    await eventually(async () => expect(await shownValue(page, 'x')).toBeCloseTo(Math.exp(-0.5), 5));
    await page.locator('.explorer .name[data-path="Main.mo"]').click();
    await page.locator('.cm-line').filter({ hasText: '"mine"' }).waitFor();
    expect(problems).toEqual([]);
  });

  it('says what is wrong with links that are broken, and is as always then', async () => {
    const { page, problems } = await open();
    for (const [fragment, words] of [
      ['share=1.abc', 'This is no link of a studio'],
      ['share=', 'This is no link of a studio'],
      ['share=9.abc', 'made by a newer studio'],
      [`share=1.${'A'.repeat(120_000)}`, 'holds more than a studio opens'],
    ] as const) {
      await page.evaluate((hash) => {
        location.hash = hash;
      }, fragment);
      await page.locator('.notice.error').filter({ hasText: words }).waitFor();
      await page.locator('.notice.error').getByRole('button', { name: 'Close' }).click();
    }
    await page.reload();
    await page.locator('.notice.error').waitFor();
    await page.locator('.cm-line').filter({ hasText: 'model IdealClutch' }).waitFor();
    expect(problems).toEqual([]);
  });

  it('finds changes of what came from a link again', async () => {
    const link = (await packLink(decay)) as string;
    const { page } = await open();
    await page.evaluate((hash) => {
      location.hash = hash;
    }, link);
    await page.locator('.cm-line').filter({ hasText: 'extends Lib.Decay' }).waitFor();
    await write(page, 'model Main Real other = 1; end Main;');
    await page.locator('.file .changed').waitFor();
    await page.waitForTimeout(600);
    await page.reload();
    await page.locator('.cm-line').filter({ hasText: 'Real other' }).waitFor();
    await page.getByRole('button', { name: 'Put away' }).click();
    await eventually(async () => expect(await page.locator('[data-path^="(shared)"]').count()).toBe(0));
    expect(new URL(page.url()).hash).toBe('');
  });

  it('says which libraries readers need as well', async () => {
    const { page, problems } = await open();
    const library = zipSync({
      'Vats 2.1/package.mo': strToU8(
        'package Vats model Vat Real h(start = 1, fixed = true); equation der(h) = -h; end Vat; end Vats;',
      ),
    });
    await page.getByRole('tab', { name: 'Libraries' }).click();
    await page
      .locator('.libraries input[accept]')
      .setInputFiles({ name: 'vats.zip', mimeType: 'application/zip', buffer: Buffer.from(library) });
    await page.getByRole('treeitem').filter({ hasText: 'Vats' }).waitFor();
    await page.getByRole('tab', { name: 'Text' }).click();
    await write(page, 'model User extends Vats.Vat; annotation(experiment(StopTime = 1)); end User;');
    await ready(page, 'User');
    await run(page);
    const address = await share(page);
    await page.getByRole('dialog').getByText('Readers need the library Vats 2.1 as well.').waitFor();
    const packed = Buffer.from(address.split('#share=1.')[1]!, 'base64url');
    const { files } = JSON.parse(inflateRawSync(packed.subarray(4)).toString('utf8'));
    expect(Object.keys(files)).toEqual(['IdealClutch.mo']);
    expect(problems).toEqual([]);
  });

  it('saves results and pictures', async () => {
    const { page, problems } = await open();
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    const report = page.getByRole('dialog').getByRole('button', { name: 'Report (HTML)' });
    expect(await report.isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await run(page);
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    const csv = await saved(page, 'Results (CSV)');
    expect(csv.name).toBe('IdealClutch.csv');
    const mat = await saved(page, 'Results (MAT)');
    expect(mat.name).toBe('IdealClutch.mat');
    for (const table of [readCsv(csv.bytes.toString('utf8')), readMat(mat.bytes)])
      expect(table.value('w1', 4)).toBeCloseTo(Math.exp(-0.04), 5);
    const svg = await saved(page, 'Curves (SVG)');
    expect(svg.bytes.toString('utf8')).toMatch(/^<svg .*>w1<.*<\/svg>\s*$/s);
    const png = await saved(page, 'Curves (PNG)');
    // Its signature and, in the last chunk, IEND: nothing is cut.
    expect(png.bytes.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
    expect(png.bytes.subarray(-8, -4).toString('latin1')).toBe('IEND');
    await page.getByRole('dialog').getByRole('button', { name: 'Diagram (SVG)' }).click();
    await page.getByRole('dialog').getByText('There is nothing in the diagram of the model.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'State chart (SVG)' }).click();
    await page.getByRole('dialog').getByText('The model has no state machine.').waitFor();
    await page.keyboard.press('Escape');
    await openFile(page, 'DriveTrain.mo');
    await ready(page, 'DriveTrain');
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    const diagram = await saved(page, 'Diagram (SVG)');
    expect(diagram.bytes.toString('utf8')).toMatch(/^<svg .*data-key=".*<\/svg>\s*$/s);
    const picture = await saved(page, 'Diagram (PNG)');
    expect(picture.bytes.subarray(-8, -4).toString('latin1')).toBe('IEND');
    expect(problems).toEqual([]);
  });

  it('saves reports that need nothing and can do nothing', async () => {
    const { page, problems } = await open();
    await openFile(page, 'IdealClutch.mo');
    await run(page);
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    const { name, bytes } = await saved(page, 'Report (HTML)');
    expect(name).toBe('IdealClutch.html');
    expect(problems).toEqual([]);
    const reader = await page.context().newPage();
    const asked: string[] = [];
    reader.on('request', ({ url }) => asked.push(url()));
    await reader.setContent(bytes.toString('utf8'));
    expect(asked).toEqual([]);
    const seen = await textOf(reader.locator('body'));
    for (const part of ['Done at 10 s', 'not closed', 'closed', 'Ideal', '5 s', '0.01'])
      expect(seen).toContain(part);
    expect(await reader.locator('figure.curves svg').count()).toBe(1);
    // The impulse of the clutch: what joins both speeds.
    const impulses = reader
      .locator('section')
      .filter({ has: reader.getByRole('heading', { name: 'Impulses' }) });
    expect(await impulses.locator('tbody tr').count()).toBe(2);
    await reader.close();
  });

  it('shows names in messages of reports as code', async () => {
    const { page } = await open();
    await write(page, 'model Odd Real x(unit = "m") = 1; Real y(unit = "s") = x; end Odd;');
    await ready(page, 'Odd');
    await run(page);
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    const { bytes } = await saved(page, 'Report (HTML)');
    const reader = await page.context().newPage();
    await reader.setContent(bytes.toString('utf8'));
    const messages = reader.locator('.messages');
    expect(await messages.locator('li code').allTextContents()).toContain('x');
    expect(await textOf(messages)).not.toContain('`');
    await reader.close();
  });

  it('has no markup of models in reports', async () => {
    const { page, problems } = await open();
    await write(page, evil);
    await ready(page, 'Evil');
    await run(page);
    expect(await textOf(status(page))).toBe('Done at 1 s');
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    const { bytes } = await saved(page, 'Report (HTML)');
    const html = bytes.toString('utf8');
    expect(html).not.toContain('<script');
    expect(html).toContain("default-src 'none'");
    const reader = await page.context().newPage();
    let dialogs = 0;
    reader.on('dialog', (dialog) => {
      dialogs++;
      void dialog.dismiss();
    });
    // Without the policy nothing happens, either.
    await reader.setContent(html.replace(/<meta http-equiv[^>]*>/, ''));
    expect(await reader.evaluate(() => 'wasRun' in globalThis)).toBe(false);
    expect(await reader.locator('script, img, i, td > b b').count()).toBe(0);
    expect(await textOf(reader.locator('pre'))).toContain('</pre><script>globalThis.wasRun = true</script>');
    expect(dialogs).toBe(0);
    await reader.close();
    const link = await page
      .getByRole('dialog')
      .getByRole('textbox', { name: 'Link', exact: true })
      .inputValue();
    const packed = Buffer.from(link.split('#share=1.')[1]!, 'base64url');
    expect(JSON.parse(inflateRawSync(packed.subarray(4)).toString('utf8')).files['IdealClutch.mo']).toBe(
      evil,
    );
    expect(problems).toEqual([]);
  });
});
