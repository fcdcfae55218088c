/** Modes of a run in the studio: the graph, which one is present, and what is solved in it, as a person looks at them in a real browser. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { graphOf } from '../../src/studio/page/modes/graph.ts';
import { Run } from '../../src/studio/page/run.ts';
import { browsing, eventually, isInstalled, openFile, run, status, textOf, write } from './browser.ts';

/** A run that goes through modes, one second each. */
function through(signatures: readonly string[], impulses: Run['impulses'] = []): Run {
  const order = { run: 1, file: 'A.mo', model: 'A', settings: {}, values: {}, watched: null };
  const made = new Run(order, { startTime: 0, stopTime: signatures.length });
  made.modes = signatures.map((signature, k) => ({ signature, from: k, to: k + 1, states: 1, index: 0 }));
  made.impulses = impulses;
  return made;
}

describe('the graph of modes', () => {
  it('has a node for each mode and an edge for each kind of change, with impulses where they happen', () => {
    const graph = graphOf(
      through(
        ['a', 'b', 'a', 'b', 'b', 'c'],
        [
          { time: 1, variable: 'f', weight: 2, unit: 'N.s' },
          { time: 1.5, variable: 'g', weight: 1, unit: 'N.s' },
        ],
      ),
      [],
    );
    expect(graph.nodes.map(({ signature, visits, time }) => [signature, visits, time])).toEqual([
      ['a', 2, 2],
      ['b', 3, 3],
      ['c', 1, 1],
    ]);
    expect(graph.edges.map(({ from, to, times }) => [from, to, times])).toEqual([
      [0, 1, [1, 3]],
      [1, 0, [2]],
      [1, 2, [5]],
    ]);
    expect(graph.edges.map(({ impulses }) => impulses.map(({ variable }) => variable))).toEqual([
      ['f'],
      [],
      [],
    ]);
    expect(graph.nodes.map(({ impulses }) => impulses.map(({ variable }) => variable))).toEqual([
      [],
      ['g'],
      [],
    ]);
    expect(graph.edges[0]!.lines.map(({ text }) => text)).toEqual(['1 s, 3 s', 'f 2 N·s']);
  });

  it('stands where nothing covers anything, whatever was visited', () => {
    let seed = 1;
    const random = (n: number): number => {
      seed = (seed * 16807) % 2147483647;
      return seed % n;
    };
    for (let k = 0; k < 30; k++) {
      const count = 1 + random(12);
      const graph = graphOf(
        through(Array.from({ length: 1 + random(40) }, () => `m${random(count)}, not b`)),
        [],
      );
      const boxes = [
        ...graph.nodes.map(({ middle, size }) => ({ middle, size })),
        ...graph.edges.map(({ middle, lines }) => ({ middle, size: [20, 16 * lines.length] as const })),
      ];
      for (const [i, { middle: a, size: s }] of boxes.entries()) {
        for (const axis of [0, 1] as const) {
          expect(a[axis] - s[axis] / 2).toBeGreaterThanOrEqual(0);
          expect(a[axis] + s[axis] / 2).toBeLessThanOrEqual(graph.size[axis]);
        }
        for (const { middle: b, size: t } of boxes.slice(i + 1))
          expect(
            Math.abs(a[0] - b[0]) >= (s[0] + t[0]) / 2 - 1e-6 ||
              Math.abs(a[1] - b[1]) >= (s[1] + t[1]) / 2 - 1e-6,
          ).toBe(true);
      }
    }
  });

  it('leaves out modes that are too many, and says how many', () => {
    const graph = graphOf(through(Array.from({ length: 100 }, (_, k) => `m${k}`)), []);
    expect([graph.nodes.length, graph.left]).toEqual([30, 70]);
    expect(graph.nodes[0]!.signature).toBe('m0');
  });
});

describe.skipIf(!isInstalled)('modes of the studio', () => {
  const open = browsing();
  const node = (page: Page, signature: string) => page.locator(`.mode[data-mode="${signature}"]`);
  /** Which mode is present, and which one is looked at. */
  const marked = async (page: Page) => [
    await page.locator('.mode.present').getAttribute('data-mode'),
    await page.locator('.mode.looked').getAttribute('data-mode'),
  ];
  const selected = (page: Page) =>
    page.locator('.editor').evaluate((element) => {
      const root = element.shadowRoot as ShadowRoot & { getSelection?(): Selection | null };
      return (root.getSelection?.() ?? document.getSelection())?.toString() ?? '';
    });

  it('are a graph in which the present one is lit, with changes and impulses', async () => {
    const { page, problems } = await open();
    await page.getByRole('tab', { name: 'Modes' }).click();
    await page.getByText('Run the model to see the modes').waitFor();
    await run(page);
    await node(page, 'closed').waitFor();
    expect(await page.locator('.mode').count()).toBe(2);
    expect(await textOf(node(page, 'not closed'))).toContain('2 states: w1, w2');
    expect(await textOf(node(page, 'closed'))).toContain('index 2, 2 s');
    // 1 (w1 - w) where both are joined at 5 s: exp(-0.05) and 1.5 exp(-0.03125) become the mean by inertia.
    const [w1, w2] = [Math.exp(-0.05), 1.5 * Math.exp(-0.03125)];
    const impulse = (w1 + 2 * w2) / 3 - w1;
    const changes = page.locator('.change');
    expect(await textOf(changes.first())).toContain(`5 sf1 ${Number(impulse.toPrecision(4))} N·m·s`);
    // It ends in the mode in which it begins.
    await eventually(async () => expect(await marked(page)).toEqual(['not closed', 'not closed']));
    const time = page.locator('.timebar').getByRole('textbox', { name: 'Time' });
    await time.fill('6');
    await time.press('Enter');
    await eventually(async () => expect(await marked(page)).toEqual(['closed', 'closed']));
    await page.locator('.mode-heading').getByText('w2 no longer a state').waitFor();
    // One that is chosen stays; the lit one follows the time.
    await node(page, 'not closed').click();
    await eventually(async () => expect(await marked(page)).toEqual(['closed', 'not closed']));
    await page.getByRole('button', { name: 'Put the time cursor into 7 – 10 s' }).click();
    await eventually(async () => expect(await marked(page)).toEqual(['not closed', 'not closed']));
    expect(await time.inputValue()).toBe('8.5');
    // By keys.
    await node(page, 'not closed').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await eventually(async () => expect(await marked(page)).toEqual(['not closed', 'closed']));
    await page.keyboard.press('Escape');
    await eventually(async () => expect(await marked(page)).toEqual(['not closed', 'not closed']));
    expect(problems).toEqual([]);
  });

  it('tell what is solved in them, in its order, with lines of the text', async () => {
    const { page, problems } = await open();
    await run(page);
    await page.getByRole('tab', { name: 'Modes' }).click();
    await node(page, 'closed').click();
    const system = page.locator('.blocks > .linear');
    await system.waitFor();
    expect(await textOf(system)).toContain('linear system of 3');
    for (const equation of ['j1*der(w1) = f1 - w1*k1', 'j2*der(w2) = f2 - w2*k2', 'w1 = w2'])
      expect(await textOf(system)).toContain(equation);
    expect(await textOf(system.locator('ul > li').filter({ hasText: 'w1 = w2' }))).toContain(
      'differentiated',
    );
    expect(await page.locator('.matrix .block').count()).toBe(await page.locator('.blocks > li').count());
    // A line leads into the text, whatever is seen in its place.
    await page.getByRole('tab', { name: 'Diagram' }).click();
    await system.getByRole('button', { name: 'line 16, in IdealClutch.mo' }).click();
    await eventually(async () => expect(await selected(page)).toContain('w1 = w2'));
    // The text is another one now: what ran is still told, but lines are not what they were.
    await write(page, 'model IdealClutch Real x = time; end IdealClutch;');
    await page.locator('.mode').first().click();
    await openFile(page, 'BouncingBall.mo');
    await page
      .locator('.solved .stale')
      .filter({ hasText: 'IdealClutch.mo changed since this run' })
      .waitFor();
    expect(await page.locator('.blocks button.place').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('lead into texts of libraries', async () => {
    const { page, problems } = await open();
    await openFile(page, 'DriveTrain.mo');
    await page
      .locator('.toolbar select')
      .first()
      .locator('option', { hasText: /^DriveTrain$/ })
      .waitFor({ state: 'attached' });
    await run(page);
    await page.getByRole('tab', { name: 'Modes' }).click();
    await page.locator('.blocks button.place').filter({ hasText: 'Inertia.mo' }).first().click();
    await page.locator('.cm-line').filter({ hasText: 'model Inertia' }).waitFor();
    expect(problems).toEqual([]);
  });

  it('are those so far while a run is held, and text whatever they are called', async () => {
    const { page, problems } = await open();
    const evil = `model Evil
  Real x(start = 0, fixed = true), '</svg><img src=x onerror=alert(1)>';
  Boolean '<script>alert(1)</script>' = time >= 0.5;
equation
  der(x) = '</svg><img src=x onerror=alert(1)>';
  if '<script>alert(1)</script>' then '</svg><img src=x onerror=alert(1)>' = 1; else x = 0; end if;
end Evil;
`;
    let dialogs = 0;
    page.on('dialog', (dialog) => {
      dialogs++;
      void dialog.dismiss();
    });
    await write(page, evil);
    await page.getByRole('tab', { name: 'Modes' }).click();
    await page.getByRole('button', { name: 'Go to the next event' }).click();
    await status(page).filter({ hasText: 'Held at 0.5 s' }).waitFor();
    await eventually(async () => expect(await page.locator('.mode').count()).toBe(2));
    await page.getByRole('button', { name: 'Go on' }).click();
    await status(page).filter({ hasText: 'Done at 1 s' }).waitFor();
    await eventually(async () =>
      expect(await textOf(page.locator('.mode.present'))).toContain('<script>alert(1)'),
    );
    expect(await textOf(page.locator('.blocks'))).toContain('</svg><img src=x onerror=alert(1)>');
    expect(await page.locator('.modes-view').locator('img, script').count()).toBe(0);
    expect(dialogs).toBe(0);
    expect(problems).toEqual([]);
  });

  it('belong to the model of a text that stands in no other', async () => {
    const { page } = await open();
    await openFile(page, 'HybridAutomaton.mo');
    await eventually(async () =>
      expect(await page.locator('.toolbar select').first().inputValue()).toBe('HybridAutomaton'),
    );
  });
});
