/** `mutabor draw`. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readPng } from '../../src/paint/readpng.ts';
import { find, parseXml, withClass } from '../results/plot/picture.ts';
import { run } from './terminal.ts';

const home = mkdtempSync(join(tmpdir(), 'mutabor-draw-'));
afterAll(() => rmSync(home, { recursive: true }));

writeFileSync(
  join(home, 'Circuit.mo'),
  `model Circuit import Mutabor.Electrical.*; Resistor r(R = 10); Ground g; ConstantVoltage s(V = 1);
   equation connect(s.p, r.p); connect(r.n, g.p); connect(s.n, g.p); end Circuit;`,
);
writeFileSync(
  join(home, 'Picture.mo'),
  'model Picture annotation(Icon(graphics = {Bitmap(extent = {{0, 0}, {1, 1}}, fileName = "modelica://Nothing/a.png")})); end Picture;',
);
writeFileSync(join(home, 'Broken.mo'), 'model Broken Real x end Broken;');

const mutabor = (...words: string[]) => run(words, { cwd: home });

describe('draw', () => {
  it('prints the diagram as SVG', async () => {
    const { status, out } = await mutabor('draw', 'Circuit.mo');
    expect(status).toBe(0);
    const picture = parseXml(out.trim());
    expect(withClass(picture, 'component').map(({ attributes }) => attributes['data-key'])).toEqual([
      'r',
      'g',
      's',
    ]);
    expect(withClass(picture, 'connection')).toHaveLength(3);
    expect(find(picture, ({ tag, text }) => tag === 'text' && text === 'R=10 Ω')).toHaveLength(1);
  });

  it('writes SVG and PNG files, of icons too', async () => {
    expect(await mutabor('draw', 'Circuit.mo', '--output', 'c.svg')).toMatchObject({ status: 0, out: '' });
    expect(readFileSync(join(home, 'c.svg'), 'utf8')).toMatch(/^<svg /);
    expect(
      (
        await mutabor(
          'draw',
          'Circuit.mo',
          '--model',
          'Mutabor.Electrical.Resistor',
          '--icon',
          '--output',
          'r.png',
        )
      ).status,
    ).toBe(0);
    expect(readPng(readFileSync(join(home, 'r.png')))!.width).toBe(400);
  });

  it('tells programs what is where', async () => {
    const { json } = await mutabor('draw', 'Circuit.mo', '--json');
    expect(json).toMatchObject({ model: 'Circuit', status: 'done' });
    const { components, connections } = json as unknown as {
      components: { name: string; class: string }[];
      connections: { from: string }[];
    };
    expect(components.map((one) => [one.name, one.class])[0]).toEqual(['r', 'Mutabor.Electrical.Resistor']);
    expect(connections.map(({ from }) => from)).toEqual(['s.p', 'r.n', 's.n']);
  });

  it('draws charts of state machines', async () => {
    writeFileSync(
      join(home, 'Machine.mo'),
      'model Machine block S end S; S a, b; equation initialState(a); transition(a, b, time > 1); end Machine;',
    );
    const { status, json } = await mutabor('draw', 'Machine.mo', '--chart', '--json');
    expect(status).toBe(0);
    expect(json).toMatchObject({
      states: [{ path: 'a', initial: true }, { path: 'b' }],
      transitions: [{ from: 'a', to: 'b', condition: 'time > 1' }],
    });
  });

  it('says what is wrong', async () => {
    const cases = [
      [['draw', 'Circuit.mo', '--output', 'c.gif'], 2, 'Use a name that ends in .svg or .png.'],
      [['draw', 'Circuit.mo', '--model', 'Nothing'], 2, 'Nothing'],
      [['draw', 'Broken.mo'], 1, 'expected'],
      [['draw', 'None.mo'], 2, 'does not exist'],
      [['draw', 'Picture.mo', '--icon'], 0, 'The picture `modelica://Nothing/a.png` cannot be read'],
      [['draw', 'Circuit.mo', '--chart'], 2, '`Circuit` has no state machine'],
      [['draw', 'Circuit.mo', '--chart', '--icon'], 2, 'are two drawings'],
      [['drawing', 'Circuit.mo'], 2, 'Did you mean `draw`?'],
    ] as const;
    for (const [words, status, text] of cases) {
      const ended = await mutabor(...words);
      expect([words, ended.status]).toEqual([words, status]);
      expect(ended.err).toContain(text);
    }
  });
});
