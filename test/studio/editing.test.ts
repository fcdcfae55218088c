/** Writing with the language service, as a person does it in a real browser. */
import { describe, expect, it } from 'vitest';
import { browsing, eventually, isInstalled, openFile, run, shownValue, textOf, write } from './browser.ts';

const decay = `model Decay "Something that fades"
  parameter Real rate(unit = "1/s") = 2 "How fast it fades";
  Real x(start = 1, fixed = true) "What fades";
equation
  der(x) = -rate*x;
  annotation(experiment(StopTime = 1));
end Decay;
`;

describe.skipIf(!isInstalled)('the editor of the studio', () => {
  const open = browsing();

  it('completes names with what they mean', async () => {
    const { page, problems } = await open();
    await write(page, decay);
    await page.locator('.cm-line').filter({ hasText: 'der(x)' }).click();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.type('*ra');
    const option = page.locator('.cm-tooltip-autocomplete li').filter({ hasText: 'rate' }).first();
    await option.waitFor();
    await page.locator('.cm-completionInfo').filter({ hasText: 'How fast it fades' }).waitFor();
    // Keys that come sooner than a person can have seen the list (75 ms) are not meant for it.
    await page.waitForTimeout(200);
    await page.keyboard.press('Enter');
    await page.locator('.cm-line').filter({ hasText: 'der(x) = -rate*x*rate;' }).waitFor();
    expect(problems).toEqual([]);
  });

  it('says what a name is, and goes to where it is declared', async () => {
    const { page, problems } = await open();
    await write(page, decay);
    const line = page.locator('.cm-line').filter({ hasText: 'der(x)' });
    const box = (await line.boundingBox())!;
    // In `rate`, the 13th character; a character is less than 8 pixels wide.
    const width = await line.evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return range.getBoundingClientRect().width / element.textContent!.length;
    });
    const start = await line.evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return range.getBoundingClientRect().left;
    });
    const at = { x: start + 13.5 * width, y: box.y + box.height / 2 };
    await page.mouse.move(at.x, at.y);
    const hover = page.locator('.cm-hover');
    await hover.waitFor();
    expect(await textOf(hover)).toContain('How fast it fades');
    expect(await textOf(hover)).toContain('unit 1/s');
    await page.mouse.click(at.x, at.y);
    await page.keyboard.press('F12');
    await eventually(async () => {
      const selected = await page.locator('.editor').evaluate((element) => {
        const lines = [...element.shadowRoot!.querySelectorAll('.cm-line')];
        return lines.findIndex((one) => one.classList.contains('cm-activeLine'));
      });
      expect(selected).toBe(1);
    });
    expect(problems).toEqual([]);
  });

  it('renames everywhere, refuses what would mean something else, and undoes it', async () => {
    const { page } = await open();
    await write(page, decay);
    await page.locator('.cm-line').filter({ hasText: 'parameter' }).click();
    await page.keyboard.press('Home');
    for (let k = 0; k < 'parameter Real r'.length; k++) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('F2');
    const field = page.getByRole('dialog').getByRole('textbox');
    await field.fill('x');
    await field.press('Enter');
    // The dialog stays, says why beside the name, and takes another one.
    await page.getByRole('dialog').getByRole('alert').filter({ hasText: 'Decay has x already.' }).waitFor();
    expect(await page.locator('.notice').count()).toBe(0);
    await page.locator('.cm-line').filter({ hasText: '-rate*x' }).waitFor();
    await field.fill('speed');
    await page.keyboard.press('Enter');
    await page.locator('.cm-line').filter({ hasText: 'der(x) = -speed*x;' }).waitFor();
    await run(page);
    await eventually(async () => expect(await shownValue(page, 'x')).toBeCloseTo(Math.exp(-2), 5));
    await page.locator('.cm-content').focus();
    await page.keyboard.press('ControlOrMeta+z');
    await page.locator('.cm-line').filter({ hasText: 'der(x) = -rate*x;' }).waitFor();
  });

  it('marks mistakes while one writes, and puts them right', async () => {
    const { page, problems } = await open();
    await write(page, decay.replace('-rate*x;', '-raet*x;'));
    await page.locator('.cm-lintRange-error').first().waitFor();
    await page.locator('.cm-lintRange-error').first().hover();
    const action = page.locator('.cm-diagnosticAction').first();
    await action.waitFor();
    await action.click();
    await page.locator('.cm-line').filter({ hasText: 'der(x) = -rate*x;' }).waitFor();
    await eventually(async () => expect(await page.locator('.cm-lintRange-error').count()).toBe(0));
    // By keys, with a mistake of syntax.
    await write(page, decay.replace('"What fades";', '"What fades"'));
    await page.locator('.cm-lintRange-error, .cm-lintPoint-error').first().waitFor({ state: 'attached' });
    await page.locator('.cm-line').filter({ hasText: 'What fades' }).click();
    await page.keyboard.press('ControlOrMeta+.');
    await page.locator('.cm-line').filter({ hasText: '"What fades";' }).waitFor();
    expect(problems).toEqual([]);
  });

  it('tells of all mistakes in the text, also where no model is left, and puts them right where they are told', async () => {
    const { page } = await open();
    const messages = page.locator('.messages');
    await write(page, `model Other\n  Rael y = 1;\nend Other;\n${decay}`);
    // The model that is chosen is right; another class is not.
    await page.locator('.message.error').filter({ hasText: 'Did you mean Real?' }).waitFor();
    expect(await page.locator('.message').count()).toBe(1);
    expect(await textOf(page.locator('[data-tab=messages]'))).toBe('Messages');
    expect(await page.locator('[data-tab=messages]').getAttribute('data-count')).toBe('1');
    await page.locator('.message').getByRole('button', { name: 'Write Real' }).click();
    await page.locator('.cm-line').filter({ hasText: 'Real y = 1;' }).waitFor();
    await eventually(async () => expect(await textOf(messages)).toBe('Nothing to report.'));
    await write(page, 'modl Decay\nend Decay;\n');
    await page.locator('.message.error').filter({ hasText: 'modl is not a reserved word' }).waitFor();
    await write(page, 'anything at all;\n');
    await page.locator('.message.error').filter({ hasText: 'IdealClutch.mo:1:1' }).waitFor();
    const start = page.locator('.curves .placeholder button');
    await eventually(async () => expect(await start.isDisabled()).toBe(true));
    await eventually(async () => expect(await page.locator('.message').count()).toBe(1));
    // What is told of a text is over with it.
    await openFile(page, 'Pendulum.mo');
    await eventually(async () => expect(await textOf(messages)).toBe('Nothing to report.'));
    await eventually(async () => expect(await start.isDisabled()).toBe(false));
  });

  it('lets the Tab key by, and indents for who writes', async () => {
    const { page } = await open();
    await write(page, decay);
    const text = () => page.locator('.cm-content').evaluate((content) => content.textContent);
    const before = await text();
    const isInText = () => page.evaluate(() => document.activeElement?.className === 'editor');
    await page.getByRole('button', { name: 'Share' }).focus();
    for (let k = 0; !(await isInText()); k++) {
      expect(k).toBeLessThan(40);
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    expect(await isInText()).toBe(false);
    await page.keyboard.press('Shift+Tab');
    expect(await isInText()).toBe(true);
    expect(await text()).toBe(before);
    await page.locator('.cm-line').nth(2).click();
    await page.keyboard.press('Tab');
    await eventually(async () => expect(await text()).toContain('    Real x(start'));
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    expect(await isInText()).toBe(false);
  });

  it('begins lines where they belong, and goes on where a word is written out', async () => {
    const { page } = await open();
    await write(page, '');
    const lines = [
      'model A',
      'Real x;',
      'equation',
      'x = 1;',
      'if x > 0 then',
      'assert(true, "a");',
      'end if;',
      'end A;',
    ];
    for (const line of lines) {
      await page.keyboard.type(line);
      // A person sees by now what could be completed.
      if (line === 'equation') {
        await page.locator('.cm-tooltip-autocomplete li').first().waitFor();
        await page.waitForTimeout(200);
      }
      await page.keyboard.press('Enter');
    }
    const written = await page
      .locator('.cm-line')
      .evaluateAll((all) => all.map(({ textContent }) => textContent));
    expect(written).toEqual([
      'model A',
      '  Real x;',
      'equation',
      '  x = 1;',
      '  if x > 0 then',
      '    assert(true, "a");',
      '  end if;',
      'end A;',
      '',
    ]);
  });

  it('shows another text from its beginning', async () => {
    const { page } = await open();
    await write(page, `// ${'long '.repeat(100)}\n${decay}`);
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('End');
    const left = () => page.locator('.cm-scroller').evaluate((scroller) => scroller.scrollLeft);
    await eventually(async () => expect(await left()).toBeGreaterThan(500));
    await openFile(page, 'BreakingPendulum.mo');
    await eventually(async () => expect(await left()).toBeLessThan(2));
  });

  it('has an outline that leads to places, and folds', async () => {
    const { page, problems } = await open();
    await openFile(page, 'IdealClutch.mo');
    await write(page, decay);
    await page.locator('.cm-content').focus();
    await page.keyboard.press('ControlOrMeta+Shift+o');
    const item = page.getByRole('treeitem').filter({ hasText: 'rate' });
    await item.waitFor();
    await item.click();
    await eventually(async () =>
      expect(await textOf(page.locator('.cm-activeLine').first())).toContain('parameter Real rate'),
    );
    await page.locator('.cm-foldGutter span[title="Fold line"]').first().click();
    await page.locator('.cm-foldPlaceholder').waitFor();
    expect(await page.locator('.cm-line').count()).toBeLessThan(4);
    expect(problems).toEqual([]);
  });

  it('shows names and descriptions as text, whatever they are', async () => {
    const { page, problems } = await open();
    await write(
      page,
      'model Script\n  Real \'<img src=x onerror="globalThis.wasRun=1">\' = 1 "<script>globalThis.wasRun=1</script>";\nend Script;\n',
    );
    await page.locator('.cm-content').focus();
    await page.keyboard.press('ControlOrMeta+Shift+o');
    await page.getByRole('treeitem').filter({ hasText: '<img' }).waitFor();
    await page
      .locator('.cm-line')
      .nth(1)
      .hover({ position: { x: 90, y: 8 } });
    await page.locator('.cm-hover').filter({ hasText: '<script>' }).waitFor();
    expect(await page.evaluate(() => 'wasRun' in globalThis)).toBe(false);
    expect(problems).toEqual([]);
  });
});
