/** Libraries of the studio, added, looked at and used as a person does it in a real browser. Expected values are closed forms. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { folder } from '../cli/terminal.ts';
import {
  browsing,
  eventually,
  isInstalled,
  run,
  runButton,
  shownValue,
  status,
  textOf,
  write,
} from './browser.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A decay of 2 per second, with icons and names that would be dangerous as HTML. */
const library = {
  'Vats/package.mo': `package Vats "<img src=x onerror=alert(1)>"
  annotation(Icon(graphics = {Rectangle(extent = {{-100, -100}, {100, 100}}, fillPattern = FillPattern.Solid)}));
end Vats;`,
  'Vats/package.order': 'Parts\nUse\n',
  'Vats/Parts/package.mo': 'within Vats; package Parts end Parts;',
  'Vats/Parts/Decay.mo': `within Vats.Parts; model Decay "Something that goes away"
  parameter Real rate = 2;
  Real x(start = 1, fixed = true);
equation
  der(x) = -rate*x;
end Decay;`,
  'Vats/Use.mo': 'within Vats; model Use extends Parts.Decay(rate = 3); end Use;',
};
const zip = (files: Readonly<Record<string, string>>): Buffer =>
  Buffer.from(zipSync(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, bytes(text)]))));

describe.skipIf(!isInstalled)('libraries of the studio', () => {
  const open = browsing();
  const row = (page: Page, name: string) => page.locator(`.libraries .item[data-name="${name}"]`);
  const code = (page: Page) =>
    page
      .locator('.editor')
      .evaluate((element) => element.shadowRoot!.querySelector('.cm-content')!.textContent ?? '');
  const show = (page: Page) => page.getByRole('tab', { name: 'Libraries' }).click();
  const add = (page: Page, name: string, buffer: Buffer) =>
    page.locator('.libraries input[accept]').setInputFiles({ name, mimeType: 'application/zip', buffer });

  it('are added from a zip file, opened level by level, and give components with Enter and by dragging', async () => {
    const { page, problems } = await open();
    await write(page, 'model Mine\n  annotation(experiment(StopTime = 1));\nend Mine;\n');
    await show(page);
    // Those of Mutabor itself are there at once.
    await row(page, 'Mutabor').waitFor();
    await add(page, 'vats.zip', zip(library));
    await row(page, 'Vats').click();
    // Descriptions are text.
    expect(await textOf(page.locator('.chosen'))).toContain('<img src=x onerror=alert(1)>');
    await row(page, 'Vats.Parts').waitFor();
    expect(await page.locator('.libraries .item[data-name^="Vats."]').count()).toBe(2);
    await page.locator('.libraries [data-icon="Vats"] img').waitFor();
    await row(page, 'Vats').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await row(page, 'Vats.Parts.Decay').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await eventually(async () => {
      expect(await page.locator('.notice').allTextContents()).toEqual([]);
      expect(await code(page)).toContain('Vats.Parts.Decay decay');
    });
    await row(page, 'Vats.Parts.Decay').dragTo(page.locator('.picture'), {
      targetPosition: { x: 40, y: 90 },
    });
    await eventually(async () => expect(await code(page)).toContain('Vats.Parts.Decay decay1'));
    await page.locator('.picture .component[data-key="decay1"]').waitFor();
    await run(page);
    await eventually(async () => expect(await shownValue(page, 'decay1.x')).toBeCloseTo(Math.exp(-2), 5));
    expect(problems).toEqual([]);
  });

  it('are kept, also where a worker dies; their models run, and their texts are read only', async () => {
    const home = folder({});
    for (const [path, text] of Object.entries(library)) {
      mkdirSync(join(home, 'Folder', path, '..'), { recursive: true });
      writeFileSync(join(home, 'Folder', path), text);
    }
    const { page, problems } = await open();
    await show(page);
    await page.locator('.libraries input[webkitdirectory]').setInputFiles(join(home, 'Folder'));
    await row(page, 'Vats').waitFor();
    await page.reload();
    await page.locator('.libraries .packs li').filter({ hasText: 'Folder' }).waitFor();
    await row(page, 'Vats').waitFor();
    for (const worker of page.workers())
      await worker.evaluate(() => (globalThis as unknown as Worker & { close(): void }).close());
    await page.locator('.notice').filter({ hasText: 'was started again' }).waitFor();
    const search = page.getByRole('searchbox', { name: 'Search classes' });
    await search.fill('vats use');
    await row(page, 'Vats.Use').focus();
    await page.getByRole('button', { name: 'Show the text of Vats.Use' }).click();
    await page.locator('.cm-line').filter({ hasText: 'within Vats' }).waitFor();
    await page
      .locator('.toolbar select')
      .first()
      .locator('option', { hasText: /^Use$/ })
      .waitFor({ state: 'attached' });
    await run(page);
    await eventually(async () => expect(await shownValue(page, 'x')).toBeCloseTo(Math.exp(-3), 5));
    await search.fill('Decay');
    await row(page, 'Vats.Parts.Decay').focus();
    await page.keyboard.press('Enter');
    await page.locator('.notice').filter({ hasText: 'read only' }).waitFor();
    expect(await code(page)).not.toContain('decay');
    expect(problems).toEqual([]);
  });

  it('show components before types of the same name, which no diagram can have', async () => {
    const { page } = await open();
    await show(page);
    const search = page.getByRole('searchbox', { name: 'Search classes' });
    await search.fill('inertia');
    await row(page, 'Mutabor.Units.Inertia').waitFor();
    const names = await page
      .locator('.libraries .item')
      .evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset.name));
    expect(names.slice(0, 2)).toEqual(['Mutabor.Rotational.Inertia', 'Mutabor.Units.Inertia']);
    // Who hears them can tell them apart as well.
    await page.getByRole('treeitem', { name: /^Inertia Mutabor\.Rotational/ }).waitFor();
    await page.getByRole('treeitem', { name: /^Inertia Mutabor\.Units/ }).waitFor();
  });

  it('lead from messages to their texts, and say where a class stands that was found', async () => {
    const { page, problems } = await open();
    const deep = 'Vats/Far/Away';
    const packages = ['Vats/Far', deep].map((path) => {
      const parts = path.split('/');
      return [
        `${path}/package.mo`,
        `within ${parts.slice(0, -1).join('.')}; package ${parts.at(-1)} end ${parts.at(-1)};`,
      ];
    });
    const within = `within ${deep.replaceAll('/', '.')};`;
    await show(page);
    await add(
      page,
      'vats.zip',
      zip({
        ...library,
        ...Object.fromEntries(packages),
        [`${deep}/Wrong.mo`]: `${within}\nmodel Wrong\n  Real x = missing;\nend Wrong;`,
      }),
    );
    await row(page, 'Vats').waitFor();
    await page.getByRole('searchbox', { name: 'Search classes' }).fill('Wrong');
    const where = row(page, 'Vats.Far.Away.Wrong').locator('.where');
    await where.waitFor();
    // The whole of it can be seen.
    expect(await where.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
    await write(page, 'model Mine\n  extends Vats.Far.Away.Wrong;\nend Mine;');
    await runButton(page).click();
    const link = page.locator('.message.error').getByRole('button', { name: 'Wrong.mo:3:12' });
    await link.first().click();
    await page.locator('.cm-line').filter({ hasText: 'Real x = missing' }).waitFor();
    // The name of a model is not hidden behind those of its packages.
    const models = page.locator('.toolbar select').first();
    await models.locator('option', { hasText: /^Wrong$/ }).waitFor({ state: 'attached' });
    expect(problems).toEqual([]);
  });

  it('that are removed, are gone for models that use them', async () => {
    const { page } = await open();
    await show(page);
    await add(page, 'vats.zip', zip(library));
    await row(page, 'Vats').waitFor();
    await write(page, 'model Mine extends Vats.Use; end Mine;');
    await run(page);
    expect(await textOf(status(page))).toContain('Done');
    await page.getByRole('button', { name: 'Remove Vats' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await eventually(async () => expect(await row(page, 'Vats').count()).toBe(0));
    await page.locator('.message.error').filter({ hasText: 'Vats' }).first().waitFor();
  });

  it('that are none, or wrong, are refused with the reason', async () => {
    const { page, problems } = await open();
    await show(page);
    const refused = async (name: string, buffer: Buffer, why: string): Promise<void> => {
      await add(page, name, buffer);
      await page.locator('.notice.error').filter({ hasText: why }).waitFor();
      await page.getByRole('button', { name: 'Close' }).click();
    };
    await refused('words.zip', Buffer.from('no archive at all'), 'no zip file');
    await refused('empty.zip', zip({ 'readme.txt': 'x' }), 'no Modelica files');
    await refused('slip.zip', zip({ '../../evil.mo': 'model A end A;' }), 'path that no library');
    await refused('half.zip', zip(library).subarray(0, 200), 'no zip file');
    await refused('bomb.zip', zip({ 'a.csv': '0'.repeat(40e6), 'A.mo': 'model A end A;' }), 'hundred times');
    expect(await page.locator('.libraries .packs').textContent()).toContain('kept in this browser');
    // A library in which a file is wrong is there; who uses that file is told.
    await add(
      page,
      'vats.zip',
      zip({ ...library, 'Vats/Use.mo': 'within Vats; model Use Real x = ; end Use;' }),
    );
    await row(page, 'Vats').waitFor();
    for (const word of ['Mine', 'Other']) {
      await write(page, `model ${word} extends Vats.Use; end ${word};`);
      await page.locator('.message.error').filter({ hasText: 'expression' }).first().waitFor();
      await run(page);
      expect(await textOf(status(page))).not.toContain('Done');
    }
    expect(problems).toEqual([]);
  });
});
