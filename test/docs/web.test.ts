/** The web page of the how-to, bundled as it says and opened under the policy that it names. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { expect, test } from 'vitest';
import { folder } from '../cli/terminal.ts';
import { readPages, root } from './pages.ts';

const page = readPages().find(({ path }) => path === 'docs/howto/programs.md')!;

const files = Object.fromEntries(
  page.blocks.flatMap(({ language, info, text }) =>
    language === 'html' || language === 'js' ? [[info.get('file')!, text]] : [],
  ),
);
const policy = /Content-Security-Policy: (.*)/.exec(page.text)![1]!;

test('the page shows the plot of a model that a worker simulates', async () => {
  const place = folder(files);
  const bundled = await build({
    entryPoints: ['page.js', 'worker.js'].map((name) => join(place, name)),
    bundle: true,
    format: 'esm',
    outdir: join(place, 'out'),
    write: false,
    alias: { mutabor: join(root, 'src/index.ts'), 'mutabor/results': join(root, 'src/results.ts') },
    logLevel: 'silent',
  });
  const scripts = new Map(bundled.outputFiles.map((file) => [file.path.slice(place.length), file.text]));
  const server = createServer((request, response) => {
    const script = scripts.get(request.url!);
    const type = script === undefined ? 'text/html' : 'text/javascript';
    response.writeHead(200, { 'content-type': type, 'content-security-policy': policy });
    response.end(script ?? files['index.html']);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
    ],
  });
  try {
    const tab = await browser.newPage();
    const errors: string[] = [];
    tab.on('pageerror', (problem) => errors.push(String(problem)));
    tab.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await tab.waitForSelector('#plot svg');
    expect(await tab.textContent('#status')).toBe('done');
    expect(await tab.textContent('#plot')).toContain('w1');
    // The favicon that browsers ask for is no part of the page.
    expect(errors.filter((text) => !text.includes('favicon'))).toEqual([]);
  } finally {
    await browser.close();
    server.close();
  }
}, 120_000);
