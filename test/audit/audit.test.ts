/** The audit as it is asked for: options, what is counted, what is declared, the command. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { instantiate, loadModel, loadText, simulate } from '../../src/index.ts';
import { audited } from '../audited.ts';
import { folder, run } from '../cli/terminal.ts';
import { library } from '../models/notation.ts';
import { done } from '../simulate/notation.ts';

const swing = (damping: number, setting: string): string => `model Swing
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
  Real E = (x^2 + v^2)/2 annotation(__Mutabor(${setting} = true));
equation
  der(x) = v;
  der(v) = -x - (${damping})*v;
end Swing;`;

const codes = async (text: string): Promise<string[]> =>
  (await simulate(loadModel(text), { stopTime: 20, audit: true })).diagnostics.map(({ code }) => code);

describe('what is declared', () => {
  test('a conserved quantity stays', async () => {
    expect(await codes(swing(0, 'conserved'))).toEqual([]);
    expect(await codes(swing(0.1, 'conserved'))).toEqual(['audit']);
    expect(await codes(swing(-0.01, 'conserved'))).toEqual(['audit']);
  });

  test('a dissipated one does not grow', async () => {
    expect(await codes(swing(0, 'dissipated'))).toEqual([]);
    expect(await codes(swing(0.1, 'dissipated'))).toEqual([]);
    expect(await codes(swing(-0.01, 'dissipated'))).toEqual(['audit']);
  });

  test('events are no exception: momentum stays when a clutch closes, energy does not', async () => {
    const clutch = (setting: string) => `model Clutch
      Real w1(start = 0, fixed = true), w2(start = 3, fixed = true), f;
      ${setting};
    equation
      der(w1) = f;
      2*der(w2) = -f;
      if time >= 1 then w1 = w2; else f = 0; end if;
    end Clutch;`;
    expect(await codes(clutch('Real p = w1 + 2*w2 annotation(__Mutabor(conserved = true))'))).toEqual([]);
    expect(await codes(clutch('Real E = w1^2/2 + w2^2 annotation(__Mutabor(conserved = true))'))).toEqual([
      'audit',
    ]);
    expect(await codes(clutch('Real E = w1^2/2 + w2^2 annotation(__Mutabor(dissipated = true))'))).toEqual(
      [],
    );
  });

  test('settings that mean nothing are told', () => {
    const { diagnostics } = instantiate(swing(0, 'conserverd'));
    expect(diagnostics.map(({ code, hint }) => [code, hint])).toEqual([
      ['unknown-modifier', 'Did you mean `conserved`?'],
    ]);
  });
});

describe('what is counted', () => {
  test('algorithm sections are not checked', async () => {
    const { audit } = await done(`model M
      Real x, y(start = 0, fixed = true);
    equation
      der(y) = x;
    algorithm
      x := time;
      x := if x > 0.5 then 1 else x;
    end M;`);
    expect(audit).toMatchObject({ equations: 1, unchecked: 1 });
  });

  test('arrays count by their elements, whether they are computed in loops or not', async () => {
    const text = `model Rod
      parameter Integer n = 30;
      Real T[n](each start = 1, each fixed = true);
    equation
      der(T[1]) = T[2] - T[1];
      for i in 2:n - 1 loop der(T[i]) = T[i - 1] - 2*T[i] + T[i + 1]; end for;
      der(T[n]) = -T[n];
    end Rod;`;
    for (const scalars of [false, true])
      expect((await done(text, { scalars })).audit).toMatchObject({
        equations: 30,
        points: 501,
        unchecked: 0,
      });
  });

  test('second derivatives are stored where equations have them', async () => {
    const { audit, table } = await done(`model M
      Real x(start = 1, fixed = true);
    initial equation
      der(x) = 0;
    equation
      der(der(x)) = -x;
    end M;`);
    expect(audit?.unchecked).toBe(0);
    expect(table.value('der(der(x))', 1)).toBeCloseTo(-Math.cos(1), 6);
  });

  test('a failed run has no audit; without being asked for there is none', async () => {
    const text = 'model M Real x(start = 1, fixed = true); equation der(x) = x^2; end M;';
    const failed = await simulate(loadModel(text), { stopTime: 2, audit: true });
    expect([failed.status, failed.audit]).toEqual(['failed', undefined]);
    expect((await simulate(loadModel(text), { stopTime: 0.5 })).audit).toBeUndefined();
  });

  test('values of a run are those that are checked', async () => {
    const decay = instantiate(
      'model D parameter Real k = 1; Real x(start = 1, fixed = true); equation der(x) = -k*x; end D;',
    );
    const { audit, table } = await decay.simulate({ audit: true, merge: { k: 3 }, tolerance: 1e-8 });
    expect(audit?.diagnostics).toEqual([]);
    expect(table.value('x', 1)).toBeCloseTo(Math.exp(-3), 6);
  });
});

describe('the examples pass', () => {
  const root = new URL('../../examples/', import.meta.url);
  const files = readdirSync(root).filter((name) => name.endsWith('.mo'));

  test.each(files)('%s', async (file) => {
    const text = readFileSync(new URL(file, root), 'utf8');
    const model = loadModel(loadText(text, file, library()));
    // Contact is code, which takes long and is nothing that equations tell: the first half has all kinds of events.
    const stopTime = model.experiment.stopTime! / (text.includes('contact = true') ? 2 : 1);
    const result = audited(await simulate(model, { audit: true, stopTime }));
    expect(result.audit?.unchecked).toBe(0);
  });
});

describe('mutabor simulate --audit', () => {
  const cwd = folder({ 'Right.mo': swing(0, 'conserved'), 'Wrong.mo': swing(0.1, 'conserved') });

  test('ends with a line, or with an error and status 1', async () => {
    const right = await run(['simulate', 'Right.mo', '--audit'], { cwd });
    expect(right.status).toBe(0);
    expect(right.out).toMatch(/audit: 3 equations, 501 points, 0 events; largest residual \S+ of the terms/);
    const wrong = await run(['simulate', 'Wrong.mo', '--audit'], { cwd });
    expect(wrong.status).toBe(1);
    expect(wrong.err).toContain('Wrong.mo:3:8: error: E is to be conserved, but has changed');
    expect(wrong.out).toContain('1 offence');
    expect((await run(['simulate', 'Wrong.mo'], { cwd })).status).toBe(0);
  });

  test('--json keeps the status of the run', async () => {
    const { json, status } = await run(['simulate', 'Wrong.mo', '--audit', '--json'], { cwd });
    expect(status).toBe(1);
    expect(json.status).toBe('done');
    expect(json.audit).toMatchObject({ equations: 3, points: 501, events: 0, unchecked: 0, offences: 1 });
    expect(json.diagnostics).toMatchObject([{ code: 'audit', severity: 'error' }]);
  });
});
