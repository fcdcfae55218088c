/** The studio as a person uses it, in a real browser: writing, running, watching. Expected values are closed forms. */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { policy } from '../../src/cli/serve.ts';
import {
  browsing,
  drawn,
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

/** The clutch: speeds of two shafts with friction before it closes at 5 s, the common one then, and the impulse that makes it. */
function clutch(j1 = 1, j2 = 2, k1 = 0.01, k2 = 0.0125) {
  const [w1, w2] = [Math.exp((-k1 / j1) * 5), 1.5 * Math.exp((-k2 / j2) * 5)];
  const common = (j1 * w1 + j2 * w2) / (j1 + j2);
  const end = common * Math.exp((-(k1 + k2) / (j1 + j2)) * 2);
  return { common, impulse: j1 * (common - w1), w1AtEnd: end * Math.exp((-k1 / j1) * 3) };
}

describe.skipIf(!isInstalled)('the studio', () => {
  const open = browsing();

  it('runs from the disk: the clutch closes, with modes and an impulse', async () => {
    const { page, problems } = await open();
    await run(page);
    expect(await textOf(status(page))).toBe('Done at 10 s');
    await eventually(async () => expect(await shownValue(page, 'w1')).toBeCloseTo(clutch().w1AtEnd, 5));
    expect(await page.locator('.strip output').textContent()).toBe('Mode: not closed');
    // Something is drawn: curves have their colours.
    const colours = await page
      .locator('.plot canvas')
      .first()
      .evaluate((canvas: HTMLCanvasElement) => {
        const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
        let blue = 0;
        for (let k = 0; k < data.length; k += 4) if (data[k]! < 30 && data[k + 2]! > 150) blue++;
        return blue;
      });
    expect(colours).toBeGreaterThan(200);
    expect(problems).toEqual([]);
  });

  it('has a policy that refuses code from text, scripts in the page, and other origins', async () => {
    const { page } = await open();
    const said = await page.locator('meta[http-equiv=Content-Security-Policy]').getAttribute('content');
    // What `frame-ancestors` says counts in headers only.
    expect(said).toBe(policy.replace("; frame-ancestors 'none'", ''));
    const tried = await page.evaluate(async () => {
      const found: string[] = [];
      // What the test itself does is not refused; what happens later is done by the page.
      await new Promise<void>((resolve) =>
        setTimeout(() => {
          try {
            // biome-ignore lint/security/noGlobalEval: it is tried that it is refused
            globalThis.eval('1');
          } catch (problem) {
            found.push((problem as Error).name);
          }
          resolve();
        }),
      );
      const script = document.createElement('script');
      script.textContent = 'globalThis.wasRun = true';
      document.body.append(script);
      found.push(String('wasRun' in globalThis));
      await fetch('https://example.com/').catch(() => found.push('refused'));
      return found;
    });
    expect(tried).toEqual(['EvalError', 'false', 'refused']);
  });

  it('runs what is written, and says where it is wrong', async () => {
    const { page, problems } = await open();
    await openFile(page, 'IdealClutch.mo');
    await page.locator('.cm-line').filter({ hasText: 'Inertia of shaft 2' }).click();
    await page.keyboard.press('Home');
    for (let k = 0; k < 'parameter Real j2(unit = "kg.m2") = '.length; k++)
      await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Delete');
    await page.keyboard.type('4');
    await page.keyboard.press('ControlOrMeta+Enter');
    await eventually(async () => expect(await shownValue(page, 'w1')).toBeCloseTo(clutch(1, 4).w1AtEnd, 5));
    // The file is changed, and can be as it was again.
    await page.getByRole('button', { name: 'Back to the original' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Back to the original' }).click();
    await page.locator('.cm-line').filter({ hasText: 'j2(unit = "kg.m2") = 2' }).waitFor();

    await write(page, 'model Wrong\n  Reel x;\nequation\n  der(x) = 1;\nend Wrong;\n');
    const message = page.locator('.message.error').first();
    await message.waitFor();
    expect(await textOf(message)).toContain('The class Reel cannot be found from Wrong.');
    expect(await textOf(message)).toContain('Did you mean Real?');
    await message.getByRole('button', { name: 'IdealClutch.mo:2:3' }).click();
    await page.keyboard.type('Real');
    await eventually(async () => expect(await textOf(page.locator('.messages'))).toBe('Nothing to report.'));
    await run(page);
    await eventually(async () => expect(await shownValue(page, 'x')).toBeCloseTo(1, 6));
    expect(problems).toEqual([]);
  });

  it('runs the model of a text that was written a moment ago', async () => {
    const { page } = await open();
    await write(page, 'model Quick Real z(start = 1, fixed = true); equation der(z) = 2; end Quick;\n');
    await page.keyboard.press('ControlOrMeta+Enter');
    await eventually(async () => expect(await shownValue(page, 'z')).toBeCloseTo(3, 6));
    expect(await textOf(page.locator('.messages'))).toBe('Nothing to report.');
  });

  it('moves parameters while the slider is dragged', async () => {
    const { page } = await open();
    await run(page);
    const slider = page.getByRole('slider', { name: 'j1, slider' });
    const box = (await slider.boundingBox())!;
    const before = await shownValue(page, 'w1');
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    const seen = new Set([before]);
    for (let k = 1; k <= 6; k++) {
      await page.mouse.move(box.x + box.width * (0.5 + 0.07 * k), box.y + box.height / 2);
      // Curves follow while the button is still down.
      await eventually(async () => expect(seen.has(await shownValue(page, 'w1'))).toBe(false));
      seen.add(await shownValue(page, 'w1'));
    }
    await page.mouse.up();
    const j1 = Number(await page.getByRole('textbox', { name: 'j1' }).inputValue());
    expect(j1).toBeGreaterThan(1.5);
    await eventually(async () => expect(await shownValue(page, 'w1')).toBeCloseTo(clutch(j1).w1AtEnd, 4));
    // Back to what the model says.
    await page.getByRole('button', { name: 'All as in the model' }).click();
    await eventually(async () => expect(await shownValue(page, 'w1')).toBeCloseTo(clutch().w1AtEnd, 5));
  });

  it('puts values away of parameters that the model no longer has', async () => {
    const { page, problems } = await open();
    const model = (name: string): string =>
      `model Falling parameter Real ${name} = 2; Real z(start = 0, fixed = true); equation der(z) = ${name}; end Falling;\n`;
    await write(page, model('k'));
    const field = page.getByRole('textbox', { name: 'k', exact: true });
    await field.fill('5');
    await field.press('Enter');
    await run(page);
    await eventually(async () => expect(await shownValue(page, 'z')).toBeCloseTo(5, 6));
    await write(page, model('speed'));
    await page.getByText('The model has no k any more').waitFor();
    // Information goes away by itself.
    await eventually(async () => expect(await page.locator('.notice').count()).toBe(0));
    await run(page);
    await eventually(async () => expect(await shownValue(page, 'z')).toBeCloseTo(2, 6));
    expect(problems).toEqual([]);
  });

  it('takes numbers in fields, and says what is wrong with others', async () => {
    const { page } = await open();
    await run(page);
    const field = page.getByRole('textbox', { name: 'j2' });
    await field.fill('4');
    await field.press('Enter');
    await eventually(async () => expect(await shownValue(page, 'w1')).toBeCloseTo(clutch(1, 4).w1AtEnd, 5));
    await field.fill('many');
    await field.press('Enter');
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    await field.fill('4');
    const stop = page.locator('.toolbar').getByRole('textbox', { name: 'Stop time' });
    await stop.fill('5.5');
    await stop.press('Enter');
    await run(page);
    expect(await textOf(status(page))).toBe('Done at 5.5 s');
  });

  it('refuses to run while a field has no value in it, and leads there', async () => {
    const { page } = await open();
    const field = (name: string) => page.getByRole('textbox', { name, exact: true });
    const notice = page.locator('.notice');
    for (const [text, name] of [
      ['3;', 'Stop time'],
      ['abc', 'Stop time'],
      ['1e400', 'Stop time'],
      ['many', 'j2'],
    ] as const) {
      await page.getByRole('tab', { name: 'Parameters' }).click();
      await field(name).fill(text);
      await page.getByRole('tab', { name: 'Variables' }).click();
      await runButton(page).click();
      expect(await textOf(notice)).toBe(
        `Nothing runs before ${name} is put right. “${text}” is not a number.`,
      );
      expect(await field(name).evaluate((input) => input === document.activeElement)).toBe(true);
      // Also where the person is still in the field.
      await page.keyboard.type('x');
      await page.keyboard.press('ControlOrMeta+Enter');
      await notice.filter({ hasText: '“x” is not a number.' }).waitFor();
      await field(name).fill('');
    }
    await page.locator('summary[aria-label="Settings of the run"]').click();
    await field('Tolerance').fill('2');
    await page.locator('summary[aria-label="Settings of the run"]').click();
    await runButton(page).click();
    await notice.filter({ hasText: 'The tolerance lies between 0 and 1.' }).waitFor();
    expect(await field('Tolerance').evaluate((input) => input === document.activeElement)).toBe(true);
    expect(await textOf(status(page))).toBe('');
    await field('Tolerance').fill('1e-6');
    await field('Stop time').fill('5.5');
    await run(page);
    expect(await textOf(status(page))).toBe('Done at 5.5 s');
    expect(await notice.count()).toBe(0);
  });

  it('goes from event to event, and on', async () => {
    const { page } = await open();
    await page.getByRole('button', { name: 'Go to the next event' }).click();
    await status(page).filter({ hasText: 'Held at 5 s' }).waitFor();
    await eventually(async () => expect(await shownValue(page, 'w1')).toBeCloseTo(clutch().common, 5));
    await page.getByRole('button', { name: 'Go to the next event' }).click();
    await status(page).filter({ hasText: 'Held at 7 s' }).waitFor();
    await page.getByRole('button', { name: 'Go on' }).click();
    await status(page).filter({ hasText: 'Done at 10 s' }).waitFor();
    await eventually(async () => expect(await shownValue(page, 'w1')).toBeCloseTo(clutch().w1AtEnd, 5));
  });

  it('leads the time cursor and the window to the event, wherever the person has put them', async () => {
    const { page } = await open();
    await page.getByRole('button', { name: 'Go to the next event' }).click();
    await status(page).filter({ hasText: 'Held at 5 s' }).waitFor();
    const slider = page.getByRole('slider', { name: 'Time cursor' });
    const box = (await page.locator('.u-over').first().boundingBox())!;
    await page.mouse.move(box.x + 0.1 * box.width, box.y + 40);
    await page.mouse.down();
    await page.mouse.move(box.x + 0.2 * box.width, box.y + 40);
    await page.mouse.move(box.x + 0.3 * box.width, box.y + 40);
    await page.mouse.up();
    await drawn(page);
    await page.mouse.click(box.x + 0.5 * box.width, box.y + 40);
    await eventually(async () => expect(Number(await slider.inputValue())).toBeCloseTo(2000, -2));
    await page.getByRole('button', { name: 'Go to the next event' }).click();
    await status(page).filter({ hasText: 'Held at 7 s' }).waitFor();
    await eventually(async () => expect(Number(await slider.inputValue())).toBe(7000));
    // From 6 to 8 is seen now: its middle is 7, and a quarter of it 6.5.
    await drawn(page);
    await page.mouse.click(box.x + 0.25 * box.width, box.y + 40);
    await eventually(async () => expect(Number(await slider.inputValue())).toBeCloseTo(6500, -2));
  });

  it('says that the text has changed since the run, and each warning once', async () => {
    const { page, problems } = await open();
    const model = (rate: number): string =>
      `model Odd Real x(start = 1, fixed = true, unit = "nonsense"); equation der(x) = -${rate}*x; end Odd;\n`;
    await write(page, model(1));
    await run(page);
    await eventually(async () => expect(await shownValue(page, 'x')).toBeCloseTo(Math.exp(-1), 5));
    expect(await page.locator('.message.warning').filter({ hasText: 'nonsense' }).count()).toBe(1);
    const stale = page.locator('.curves .stale');
    expect(await stale.isVisible()).toBe(false);
    await write(page, model(2));
    await stale.filter({ hasText: 'The text has changed since this run.' }).waitFor();
    await stale.getByRole('button', { name: 'Run' }).click();
    await eventually(async () => expect(await shownValue(page, 'x')).toBeCloseTo(Math.exp(-2), 5));
    await stale.waitFor({ state: 'hidden' });
    expect(problems).toEqual([]);
  });

  it('pauses and stops a long run, and keeps what has come of it', async () => {
    const { page } = await open();
    const long = `model Long Real x(start = 0, fixed = true), y(start = 1, fixed = true);
equation der(x) = 100*y; der(y) = -100*x; annotation(experiment(StopTime = 5e5)); end Long;`;
    await write(page, long);
    await page
      .locator('.toolbar select')
      .first()
      .locator('option', { hasText: 'Long' })
      .waitFor({ state: 'attached' });
    await runButton(page).click();
    await status(page).filter({ hasText: ' of ' }).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await status(page).filter({ hasText: 'Held at' }).waitFor();
    const held = await textOf(status(page));
    await page.getByRole('button', { name: 'Go on' }).click();
    await status(page).filter({ hasText: ' of ' }).waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await status(page).filter({ hasText: 'Stopped at' }).waitFor();
    const timeIn = (text: string): number => Number(/at ([\d.e]+)/.exec(text)![1]);
    expect(timeIn(await textOf(status(page)))).toBeGreaterThan(timeIn(held));
    await eventually(async () => expect(Math.abs(await shownValue(page, 'x'))).toBeLessThanOrEqual(1.01));
  });

  it('shows variables that are searched for and dragged into diagrams', async () => {
    const { page } = await open();
    await run(page);
    await page.getByRole('tab', { name: 'Variables' }).click();
    await page.getByRole('searchbox', { name: 'Search variables' }).fill('f2');
    const item = page.getByRole('treeitem').filter({ hasText: 'f2' });
    await item.dragTo(page.locator('.diagram').nth(1));
    await legendValue(page, 'f2').waitFor();
    await eventually(async () => expect(await textOf(legendValue(page, 'f2'))).toBe('0 N·m'));
    // By keys, into a diagram that measures the same, and another one for what measures something else.
    await page.getByRole('searchbox', { name: 'Search variables' }).fill('der(w1');
    await page.getByRole('treeitem').first().focus();
    await page.keyboard.press('Enter');
    await legendValue(page, 'der(w1)').waitFor();
    await page.getByRole('button', { name: 'Remove f2' }).click();
    await eventually(async () => expect(await legendValue(page, 'f2').count()).toBe(0));
  });

  it('zooms, and has one time for all diagrams', async () => {
    const { page } = await open();
    await run(page);
    const over = page.locator('.u-over').first();
    const box = (await over.boundingBox())!;
    const at = (time: number, [from, to] = [0, 10]) => box.x + ((time - from) / (to - from)) * box.width;
    // A click puts the cursor there.
    await page.mouse.click(at(6), box.y + 40);
    await page.mouse.move(10, 10);
    const { common } = clutch();
    const w = common * Math.exp((-0.0225 / 3) * 1);
    await eventually(async () => {
      expect(await shownValue(page, 'w1')).toBeCloseTo(w, 2);
      expect(await page.locator('.strip output').textContent()).toBe('Mode: closed');
    });
    const slider = page.getByRole('slider', { name: 'Time cursor' });
    expect(Number(await slider.inputValue())).toBeCloseTo(6000, -2);
    // Dragging chooses from 4 to 8.
    await page.mouse.move(at(4), box.y + 40);
    await page.mouse.down();
    await page.mouse.move(at(6), box.y + 50);
    await page.mouse.move(at(8), box.y + 50);
    await page.mouse.up();
    await drawn(page);
    // There, the middle is 6 again.
    await page.mouse.click(at(5), box.y + 40);
    await eventually(async () => expect(Number(await slider.inputValue())).toBeCloseTo(6000, -2));
    await page.mouse.dblclick(at(2), box.y + 40);
    await drawn(page);
    await page.mouse.click(at(3), box.y + 40);
    await eventually(async () => expect(Number(await slider.inputValue())).toBeCloseTo(3000, -2));
    // Keys do the same.
    await page.locator('.diagram').first().focus();
    await page.keyboard.press('+');
    await page.keyboard.press('0');
    await page.keyboard.press('Alt+ArrowRight');
    await eventually(async () => expect(Number(await slider.inputValue())).toBeGreaterThan(3020));
  });

  it('compares with the run before, and says what that had other', async () => {
    const { page } = await open();
    await run(page);
    const compare = page.getByRole('button', { name: 'Compare with the run before' });
    await compare.click();
    expect(await compare.getAttribute('aria-pressed')).toBe('true');
    const legend = page.locator('.compared');
    expect(await textOf(legend)).toContain('There is no other run of this model yet');
    const field = page.getByRole('textbox', { name: 'j2' });
    const give = async (value: string): Promise<void> => {
      await field.fill(value);
      await field.press('Enter');
      await eventually(async () =>
        expect(await shownValue(page, 'w1')).toBeCloseTo(clutch(1, Number(value)).w1AtEnd, 5),
      );
    };
    await give('4');
    expect(await textOf(legend)).toBe('Dashed: the run before, with j2 = 2 kg·m²');
    // The same once more is no other run.
    await run(page);
    expect(await textOf(legend)).toBe('Dashed: the run before, with j2 = 2 kg·m²');
    await give('3');
    expect(await textOf(legend)).toBe('Dashed: the run before, with j2 = 4 kg·m²');
    // All steps of a slider that keys move are one change.
    await page.getByRole('slider', { name: 'k1, slider' }).focus();
    for (let k = 0; k < 3; k++) await page.keyboard.press('ArrowRight');
    await eventually(async () =>
      expect(await textOf(legend)).toBe('Dashed: the run before, with k1 = 0.01 N·m·s/rad'),
    );
  });

  it('has room for the axis of time below legends of two rows, and shows the file that is open in its list', async () => {
    const { page } = await open();
    // It stands below what there is room for.
    const hasOpen = (): Promise<boolean> =>
      page.locator('.explorer').evaluate((list) => {
        const [open, all] = [list.querySelector('.file.open')!, list].map((one) =>
          one.getBoundingClientRect(),
        );
        return open!.top >= all!.top && open!.bottom <= all!.bottom;
      });
    await eventually(async () => expect(await hasOpen()).toBe(true));
    await openFile(page, 'FourBar.mo');
    await run(page);
    await legendValue(page, 'joint4.phi').filter({ hasText: '°' }).waitFor();
    const overflow = (): Promise<number> =>
      page
        .locator('.plot')
        .first()
        .evaluate((plot) => plot.querySelector('canvas')!.clientHeight - plot.clientHeight);
    await eventually(async () => expect(await overflow()).toBe(0));
    // Narrower: the legend gets another row.
    await page.setViewportSize({ width: 1100, height: 800 });
    await eventually(async () => expect(await overflow()).toBe(0));
    await page.setViewportSize({ width: 420, height: 600 });
    const isInView = (what: string): Promise<boolean> =>
      page.locator(what).evaluate((element) => {
        const { top, bottom } = element.getBoundingClientRect();
        return top >= 0 && top < 0.6 * innerHeight && bottom > 0;
      });
    // In a narrow window, what runs is brought into view.
    await page.locator('.grid').evaluate((grid) => grid.scrollTo(0, 0));
    expect(await isInView('.area.watch')).toBe(false);
    await run(page);
    await eventually(async () => expect(await isInView('.area.watch')).toBe(true));
  });

  it('keeps what is written, also when the page is closed', async () => {
    const { page } = await open();
    await page.getByRole('button', { name: 'New file' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').fill('../evil.mo');
    await dialog.getByRole('button', { name: 'OK' }).click();
    expect(await textOf(dialog.getByRole('alert'))).toContain('“..” is none.');
    // What is typed replaces all of the name that is proposed, with its ending.
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'New file' }).click();
    await page.keyboard.type('Mine.mo');
    await dialog.getByRole('button', { name: 'OK' }).click();
    await page.locator('.cm-line').filter({ hasText: 'model Mine' }).waitFor();
    await write(page, 'model Mine "kept" Real x = time; end Mine;');
    await openFile(page, 'BouncingBall.mo');
    await write(page, '// changed');
    await eventually(async () => expect(await page.locator('.file .changed').count()).toBe(1));
    await page.waitForTimeout(600);
    await page.reload();
    await openFile(page, 'Mine.mo');
    await page.locator('.cm-line').filter({ hasText: '"kept"' }).waitFor();
    await openFile(page, 'BouncingBall.mo');
    await page.locator('.cm-line').filter({ hasText: '// changed' }).waitFor();
  });

  it('goes on when a worker dies', async () => {
    const { page } = await open();
    await run(page);
    for (const worker of page.workers())
      await worker.evaluate(() => (globalThis as unknown as Worker & { close(): void }).close());
    await page.locator('.notice').filter({ hasText: 'was started again' }).waitFor();
    await write(
      page,
      'model Again Real x(start = 1, fixed = true); equation der(x) = -x; annotation(experiment(StopTime = 2)); end Again;',
    );
    await page
      .locator('.toolbar select')
      .first()
      .locator('option', { hasText: 'Again' })
      .waitFor({ state: 'attached' });
    await run(page);
    await eventually(async () => expect(await shownValue(page, 'x')).toBeCloseTo(Math.exp(-2), 5));
  });

  it('is light or dark as the system says, until somebody chooses', async () => {
    const { page } = await open(undefined, { colorScheme: 'dark' });
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(await ground()).toBe('rgb(20, 24, 29)');
    await page.getByRole('button', { name: 'Light or dark' }).click();
    expect(await ground()).toBe('rgb(255, 255, 255)');
  });
});

it('says in one place what its policy is', () => {
  const text = readFileSync(new URL('../../src/studio/page/index.html', import.meta.url), 'utf8');
  expect(text).toContain(policy.replace("; frame-ancestors 'none'", ''));
});
