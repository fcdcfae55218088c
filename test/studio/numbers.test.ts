/** Numbers that the studio shows and takes: in which unit, with which digits, and by which names. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
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

describe.skipIf(!isInstalled)('numbers of the studio', () => {
  const open = browsing();
  const legend = async (page: Page, name: string, text: string): Promise<void> =>
    eventually(async () => expect(await textOf(legendValue(page, name))).toBe(text));

  it('have the unit and the names that the text of the run gives them, also where only these have changed', async () => {
    const { page } = await open();
    const model = (literals: string, displayUnit: string): string => `model Change
  type Gear = enumeration(${literals});
  Gear gear = if time > 0.5 then Gear.low else Gear.high;
  Real T(unit = "K", displayUnit = "${displayUnit}") = 300;
end Change;
`;
    await write(page, model('high, low', 'degC'));
    await run(page);
    await page.getByRole('tab', { name: 'Variables' }).click();
    await page.getByRole('treeitem', { name: /^gear/ }).press('Enter');
    await legend(page, 'T', '26.85 °C');
    await legend(page, 'gear', 'low');
    await write(page, model('low, high', 'K'));
    await run(page);
    await legend(page, 'T', '300 K');
    await legend(page, 'gear', 'low');
  });

  it('of parameters can be all that is between the bounds, by sliders, fields and sweeps', async () => {
    const { page, problems } = await open();
    await write(
      page,
      `model Bounded
  parameter Real q(min = 0, max = 0.12345) = 0.1;
  parameter Real T(unit = "K", displayUnit = "degC", min = 293.15, max = 293.95) = 293.2;
  parameter Real p(unit = "Pa", displayUnit = "bar", min = 101000, max = 101600) = 101325;
  parameter Real c(unit = "m/s") = 299792458;
  Real y = q;
  Real z(unit = "Pa", displayUnit = "bar") = p;
end Bounded;
`,
    );
    const field = (name: string) => page.getByRole('textbox', { name, exact: true });
    const slider = (name: string) => page.getByRole('slider', { name: `${name}, slider` });
    await eventually(async () => expect(await field('c').inputValue()).toBe('299792458'));
    await run(page);
    for (const [name, key, text] of [
      ['q', 'End', '0.12345'],
      ['T', 'Home', '20'],
      ['p', 'End', '1.016'],
    ] as const) {
      await slider(name).press(key);
      await eventually(async () => expect(await field(name).inputValue()).toBe(text));
      await eventually(async () => expect(await textOf(status(page))).toBe('Done at 1 s'));
      expect(await textOf(page.locator('.messages'))).toBe('Nothing to report.');
    }
    await legend(page, 'y', '0.12345');
    await legend(page, 'z', '1.016 bar');
    await field('p').fill('1.01');
    await field('p').press('Enter');
    await legend(page, 'z', '1.01 bar');
    // What is proposed for a sweep are the bounds.
    await page.getByRole('button', { name: 'Sweep of p', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Sweep of p' });
    await dialog.getByLabel('Runs').fill('4');
    await dialog.getByRole('button', { name: 'Sweep', exact: true }).click();
    const members = page.locator('.family .name');
    await eventually(async () =>
      expect(await members.allTextContents()).toEqual([
        'p = 1.01 bar',
        'p = 1.012 bar',
        'p = 1.014 bar',
        'p = 1.016 bar',
      ]),
    );
    expect(problems).toEqual([]);
  });

  it('says of which model the curves are while another one is open, and begins with the time of that', async () => {
    const { page, problems } = await open();
    await run(page);
    const stale = page.locator('.curves .stale');
    await page.locator('.timebar input[type=range]').fill('2000');
    await eventually(async () => expect(await shownValue(page, 'w1')).toBeCloseTo(Math.exp(-0.02), 5));
    await openFile(page, 'BreakingPendulum');
    await stale.filter({ hasText: 'This is a run of IdealClutch.' }).waitFor();
    await eventually(async () => expect(await textOf(status(page))).toBe('IdealClutch: Done at 10 s'));
    await stale.getByRole('button', { name: 'Run' }).click();
    await eventually(async () => expect(await textOf(status(page))).toBe('Done at 3 s'));
    await stale.waitFor({ state: 'hidden' });
    // It broke at 2 s, and falls since.
    expect(await page.locator('.timebar input[type=text]').inputValue()).toBe('3');
    expect(problems).toEqual([]);
  });

  it('shows no values of times that a run has not come to', async () => {
    const { page } = await open();
    await write(
      page,
      `model Ending Real x = time; equation when time > 0.5 then terminate("enough"); end when; end Ending;\n`,
    );
    await run(page);
    expect(await textOf(status(page))).toBe('Ended by the model at 0.5 s');
    await page.locator('.timebar input[type=text]').fill('0.25');
    await page.locator('.timebar input[type=text]').press('Enter');
    await eventually(async () => expect(await textOf(legendValue(page, 'x'))).toBe('0.25'));
    await page.locator('.timebar input[type=text]').fill('0.75');
    await page.locator('.timebar input[type=text]').press('Enter');
    await eventually(async () => expect(await textOf(legendValue(page, 'x'))).toBe(''));
  });

  it('of impulses are in the unit in which their variable is shown, times a second', async () => {
    const { page, problems } = await open();
    await write(
      page,
      `model Struck
  Real w(unit = "rad/s", displayUnit = "rpm", start = 100, fixed = true);
  Real tau(unit = "N.m", displayUnit = "kN.m");
  Boolean isHeld = time > 0.5;
equation
  2*der(w) = tau;
  if isHeld then w = 0; else tau = 0; end if;
end Struck;
`,
    );
    await run(page);
    await page.getByRole('tab', { name: 'Modes' }).click();
    // 2 kg·m² lose 100 rad/s.
    await page.getByText('tau −0.2 kN·m·s').first().waitFor();
    expect(await page.getByText('N·m·s').count()).toBe(await page.getByText('−0.2 kN·m·s').count());
    expect(problems).toEqual([]);
  });

  it('of arrays have a field for each element, also in arrays of components', async () => {
    const { page, problems } = await open();
    await write(
      page,
      `model Arrays
  model Part
    parameter Real k = 1;
    Real x(start = k, fixed = true);
  equation
    der(x) = -k*x;
  end Part;
  Part c[2](k = {1, 2});
  parameter Real T[2, 2](each unit = "K", each displayUnit = "degC") = {{273.15, 274.15}, {283.15, 293.15}};
  Real sum = T[1, 2] + T[2, 1];
end Arrays;
`,
    );
    const field = (name: string) => page.getByRole('textbox', { name, exact: true });
    await eventually(async () => expect(await field('T[2,1]').inputValue()).toBe('10'));
    expect(await field('c[2].k').inputValue()).toBe('2');
    await run(page);
    await legend(page, 'c[1].x', '0.367879');
    await field('c[2].k').fill('3');
    await field('c[2].k').press('Enter');
    // 3 exp(-3)
    await legend(page, 'c[2].x', '0.149361');
    await legend(page, 'c[1].x', '0.367879');
    await page.getByRole('tab', { name: 'Variables' }).click();
    await page.getByRole('treeitem', { name: /^sum/ }).press('Enter');
    await legend(page, 'sum', '557.3');
    await page.getByRole('tab', { name: 'Parameters' }).click();
    await field('T[2,1]').fill('20');
    await field('T[2,1]').press('Enter');
    await legend(page, 'sum', '567.3');
    expect(problems).toEqual([]);
  });

  it('are not asked for again where a run has failed: messages say why', async () => {
    const { page } = await open();
    await write(page, 'model Bare Real x; Real y; equation x = 1; end Bare;');
    await run(page);
    const failed = page.locator('.curves').getByText('The run has failed before anything came of it');
    await failed.waitFor();
    // Messages of another model say nothing of it.
    await openFile(page, 'Pendulum.mo');
    await page.locator('.curves').getByText('Press Run to see curves.').waitFor();
    await openFile(page, 'IdealClutch.mo');
    await failed.waitFor();
    await write(page, 'model Bare Real x; equation x = 1; end Bare;');
    await run(page);
    await legend(page, 'x', '1');
  });

  it('are in view, also of a run that ends before the times that were looked at', async () => {
    const { page } = await open();
    await write(page, 'model Line Real x = time; annotation(experiment(StopTime = 10)); end Line;');
    await run(page);
    const diagram = page.locator('.diagram').first();
    await diagram.focus();
    for (const key of ['+', '+', '+', '+']) await page.keyboard.press(key);
    for (let k = 0; k < 30; k++) await page.keyboard.press('ArrowRight');
    const middle = async (): Promise<number> => {
      await diagram.locator('.u-over').hover();
      return shownValue(page, 'x');
    };
    await eventually(async () => expect(await middle()).toBeGreaterThan(8.5));
    const stop = page.locator('.toolbar').getByRole('textbox', { name: 'Stop time' });
    await stop.fill('1');
    await run(page);
    await eventually(async () => expect(await middle()).toBeCloseTo(0.5, 2));
  });

  it('are those of the last time that is known while a run goes on', async () => {
    const { page } = await open();
    await write(
      page,
      `model Long
  Real x(start = 1, fixed = true);
  Real y(start = 0, fixed = true);
equation
  der(x) = y;
  der(y) = -x;
  annotation(experiment(StopTime = 1e7, Tolerance = 1e-8));
end Long;
`,
    );
    await runButton(page).click();
    await status(page)
      .filter({ hasText: /s of 1e7 s/ })
      .waitFor();
    await eventually(async () => expect(Math.abs(await shownValue(page, 'x'))).toBeLessThanOrEqual(1.1));
    expect(await textOf(legendValue(page, 'x'))).toMatch(/^−?\d/);
    expect(await textOf(status(page))).toMatch(/s of 1e7 s/);
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await status(page).filter({ hasText: 'Stopped' }).waitFor();
  });
});
