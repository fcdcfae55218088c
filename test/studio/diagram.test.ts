/** Diagrams and state charts of the studio, changed and watched as a person does it in a real browser. */
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { browsing, eventually, isInstalled, openFile, run, write } from './browser.ts';

const circuit = `model Circuit
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  model Part
    Pin p annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
    Pin n annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
  end Part;
  Part a annotation(Placement(transformation(extent = {{-60, -10}, {-40, 10}})));
  Part b annotation(Placement(transformation(extent = {{40, -10}, {60, 10}})));
end Circuit;
`;

const machine = `model Turns
  model State
  end State;
  State first;
  State second;
equation
  initialState(first);
  transition(first, second, time > 1);
  annotation(experiment(StopTime = 2));
end Turns;
`;

/** Where an element of a picture is, which may just be drawn anew. */
async function boxOf(element: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  let box = await element.boundingBox();
  await eventually(async () => {
    box ??= await element.boundingBox();
    expect(box).not.toBeNull();
  });
  return box!;
}

describe.skipIf(!isInstalled)('diagrams of the studio', () => {
  const open = browsing();
  const code = (page: Page) =>
    page
      .locator('.editor')
      .evaluate((element) => element.shadowRoot!.querySelector('.cm-content')!.textContent ?? '');

  it('moves, turns, connects and removes components, as changes of the text that can be undone', async () => {
    const { page, problems } = await open();
    await write(page, circuit);
    await page
      .locator('.toolbar select')
      .first()
      .locator('option', { hasText: /^Circuit$/ })
      .waitFor({ state: 'attached' });
    await page.locator('.toolbar select').first().selectOption({ label: 'Circuit' });
    await page.getByRole('tab', { name: 'Diagram' }).click();
    const part = page.locator('.picture .component[data-key="a"]');
    await part.waitFor();
    const box = await boxOf(part);
    const unit = await page.locator('.picture svg').evaluate((svg: SVGSVGElement) => svg.getScreenCTM()!.a);
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2 - 20 * unit, { steps: 4 });
    await page.mouse.up();
    await eventually(async () => expect(await code(page)).toContain('origin = {0, 20}'));
    await page.keyboard.press('ControlOrMeta+z');
    await eventually(async () => expect(await code(page)).not.toContain('origin'));
    // The frame of what is chosen has two pixels, however large the picture is, which may just be drawn anew.
    const frame = page.locator('.picture .focus');
    await eventually(async () => {
      await part.focus();
      expect(await frame.count()).toBe(1);
      expect(await part.evaluate((one) => getComputedStyle(one).outlineStyle)).toBe('none');
      expect(await frame.evaluate((one) => getComputedStyle(one).vectorEffect)).toBe('non-scaling-stroke');
      expect(await frame.evaluate((one) => getComputedStyle(one).strokeWidth)).toBe('2px');
    });
    await page.keyboard.press('r');
    await eventually(async () => expect(await code(page)).toContain('rotation = 90, origin = {-50, 0}'));
    // It is undone from anywhere beside it.
    await page.getByRole('tab', { name: 'Diagram' }).click();
    await page.keyboard.press('ControlOrMeta+z');
    await eventually(async () => expect(await code(page)).not.toContain('rotation'));
    await page.waitForTimeout(400);
    await page
      .locator('.picture .connector[data-key="a.n"]')
      .dragTo(page.locator('.picture .connector[data-key="b.p"]'));
    await eventually(async () => expect(await code(page)).toContain('connect(a.n, b.p)'));
    await page.locator('.picture .connection').waitFor({ state: 'attached' });
    await part.focus();
    await page.keyboard.press('Delete');
    await eventually(async () => expect(await code(page)).not.toContain('Part a'));
    expect(await code(page)).not.toContain('connect(');
    expect(problems).toEqual([]);
  });

  it('keeps its measure while components are added: each stands where it was dropped', async () => {
    const { page, problems } = await open();
    await write(page, circuit.replace(/^ {2}Part [ab].*\n/gm, ''));
    await page
      .locator('.toolbar select')
      .first()
      .locator('option', { hasText: /^Circuit$/ })
      .waitFor({ state: 'attached' });
    await page.locator('.toolbar select').first().selectOption({ label: 'Circuit' });
    await page.getByRole('tab', { name: 'Diagram' }).click();
    const svg = page.locator('.picture svg');
    await svg.waitFor();
    const box = (await svg.boundingBox())!;
    const scale = (): Promise<number> => svg.evaluate((one: SVGSVGElement) => one.getScreenCTM()!.a);
    const before = await scale();
    for (const [name, dx, dy] of [
      ['part', -0.2, 0],
      ['part1', 0.2, 0.1],
    ] as const) {
      const [x, y] = [box.x + box.width * (0.5 + dx), box.y + box.height * (0.5 + dy)];
      await page.locator('.picture').evaluate(
        (target, at) => {
          const dataTransfer = new DataTransfer();
          dataTransfer.setData('application/x-mutabor-class', 'Circuit.Part');
          target.dispatchEvent(
            new DragEvent('drop', { clientX: at.x, clientY: at.y, dataTransfer, bubbles: true }),
          );
        },
        { x, y },
      );
      const component = page.locator(`.picture .component[data-key="${name}"]`);
      await component.waitFor();
      const own = (await component.boundingBox())!;
      // Places are on the grid of 2.
      expect(Math.abs(own.x + own.width / 2 - x)).toBeLessThanOrEqual(2 * before);
      expect(await scale()).toBe(before);
    }
    expect(problems).toEqual([]);
  });

  it('lights up the active state at the time cursor', async () => {
    const { page, problems } = await open();
    await write(page, machine);
    await page
      .locator('.toolbar select')
      .first()
      .locator('option', { hasText: /^Turns$/ })
      .waitFor({ state: 'attached' });
    await page.locator('.toolbar select').first().selectOption({ label: 'Turns' });
    await page.getByRole('tab', { name: 'Diagram' }).click();
    await page.locator('.picture .state[data-key="first"]').waitFor();
    await run(page);
    await page.locator('.picture .state.active[data-key="second"]').waitFor();
    await page.getByRole('slider', { name: 'Time cursor' }).focus();
    await page.keyboard.press('Home');
    await page.locator('.picture .state.active[data-key="first"]').waitFor();
    expect(await page.locator('.picture .state.active').count()).toBe(1);
    // The picture stays while the text cannot be read.
    await page.getByRole('tab', { name: 'Text' }).click();
    await write(page, 'model Turns State ');
    await page.getByRole('tab', { name: 'Diagram' }).click();
    await page.locator('.picture .state[data-key="first"]').waitFor();
    expect(problems).toEqual([]);
  });

  it('are looked at more closely by the wheel, keys and dragging, and changed as exactly', async () => {
    const { page, problems } = await open();
    await write(page, circuit);
    const models = page.locator('.toolbar select').first();
    await models.locator('option', { hasText: /^Circuit$/ }).waitFor({ state: 'attached' });
    await models.selectOption({ label: 'Circuit' });
    await page.getByRole('tab', { name: 'Diagram' }).click();
    const part = page.locator('.picture .component[data-key="b"]');
    await part.waitFor();
    const middle = async (): Promise<[number, number]> => {
      const { x, y, width, height } = await boxOf(part);
      return [x + width / 2, y + height / 2];
    };
    const unit = (): Promise<number> =>
      page.locator('.picture svg').evaluate((svg: SVGSVGElement) => svg.getScreenCTM()!.a);
    const [x, y] = await middle();
    const whole = await unit();
    await page.mouse.move(x, y);
    await page.mouse.wheel(0, -400);
    // What is below the pointer stays there.
    await eventually(async () => expect((await unit()) / whole).toBeCloseTo(Math.exp(0.6), 3));
    for (const [k, at] of (await middle()).entries()) expect(Math.abs(at - [x, y][k]!)).toBeLessThan(1);
    await page.mouse.down();
    await page.mouse.move(x, y - 20 * (await unit()), { steps: 4 });
    await page.mouse.up();
    await eventually(async () => expect(await code(page)).toContain('origin = {0, 20}'));
    // The picture that shows the change is seen as closely.
    expect((await unit()) / whole).toBeCloseTo(Math.exp(0.6), 3);
    const [, before] = await middle();
    await page.mouse.move(x - 60, y + 90);
    await page.mouse.down();
    await page.mouse.move(x - 60, y + 50, { steps: 4 });
    await page.mouse.up();
    expect((await middle())[1] - before).toBeCloseTo(-40, 0);
    expect(await code(page)).toContain('origin = {0, 20}');
    await page.locator('.picture').focus();
    await page.keyboard.press('0');
    expect(await unit()).toBeCloseTo(whole, 6);
    await page.keyboard.press('+');
    expect((await unit()) / whole).toBeCloseTo(1.5, 3);
    // While the text cannot be read, the picture stays, and says why it cannot be changed.
    await page.getByRole('tab', { name: 'Text' }).click();
    await write(page, circuit.replace('end Circuit;', 'end'));
    await page.getByRole('tab', { name: 'Diagram' }).click();
    await part.focus();
    await page.keyboard.press('ArrowUp');
    await page.locator('.notice').filter({ hasText: 'The text cannot be read as it is' }).waitFor();
    expect(problems).toEqual([]);
  });

  it('are of the text that is open, with values of its own runs', async () => {
    const { page, problems } = await open();
    const chart = (name: string): string => machine.replaceAll('Turns', name);
    await write(page, `${chart('Turns')}${chart('Others')}`);
    const models = page.locator('.toolbar select').first();
    await models.locator('option', { hasText: /^Turns$/ }).waitFor({ state: 'attached' });
    await models.selectOption({ label: 'Turns' });
    await page.getByRole('tab', { name: 'Diagram' }).click();
    await run(page);
    await page.locator('.picture .state.active[data-key="second"]').waitFor();
    await models.selectOption({ label: 'Others' });
    await eventually(async () => expect(await page.locator('.picture .state.active').count()).toBe(0));
    expect(await page.locator('.picture .state').count()).toBe(2);
    await openFile(page, 'VanDerPol');
    await eventually(async () => expect(await page.locator('.picture .state').count()).toBe(0));
    await page.getByText('The model has no components.').waitFor();
    expect(problems).toEqual([]);
  });

  it('of a text that was written a moment ago are changed, not those of the text before', async () => {
    const { page } = await open();
    await page.getByRole('tab', { name: 'Libraries' }).click();
    await page.getByRole('searchbox', { name: 'Search classes' }).fill('rotational inertia');
    const found = page.locator('.libraries .item[data-name="Mutabor.Rotational.Inertia"]');
    await found.focus();
    await write(page, 'model Fresh\nend Fresh;\n');
    // At once: a person is slower than this, machines that are busy are slower than a person.
    await found.evaluate((row) => {
      row.focus();
      row.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
    });
    await eventually(async () => expect(await code(page)).toContain('Mutabor.Rotational.Inertia inertia'));
    expect(await code(page)).toContain('model Fresh');
  });
});
