/** The core in a browser: bundled, run in headless Chromium under a policy without `unsafe-eval`. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { build } from 'esbuild';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { example } from '../simulate/notation.ts';

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** WebAssembly is allowed, code from text is not. */
const policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'";

type Entries = typeof import('../../src/index.ts') & typeof import('../../src/results.ts');

let server: Server;
let browser: Browser;

beforeAll(async () => {
  const bundled = await build({
    stdin: {
      contents: "export * from './index.ts'; export * from './results.ts';",
      resolveDir: new URL('../../src', import.meta.url).pathname,
    },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    logLevel: 'silent',
  });
  const script = bundled.outputFiles[0]!.text;
  const files: Record<string, readonly [type: string, content: string]> = {
    '/': ['text/html', '<!doctype html><title>Mutabor</title><script type="module" src="/page.js"></script>'],
    '/page.js': ['text/javascript', "import * as mutabor from '/mutabor.js'; globalThis.mutabor = mutabor;"],
    '/mutabor.js': ['text/javascript', script],
  };
  server = createServer((request, response) => {
    const [type, content] = files[request.url ?? ''] ?? ['text/plain', ''];
    response.writeHead(200, { 'content-type': type, 'content-security-policy': policy });
    response.end(content);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  browser = await chromium.launch({ executablePath, args: flags });
}, 120_000);

afterAll(async () => {
  await browser?.close();
  server?.close();
});

test('a model that changes its structure runs in Chromium as it does in Node', async () => {
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on('pageerror', (problem) => errors.push(String(problem)));
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await page.waitForFunction(() => 'mutabor' in globalThis);
  const result = await page.evaluate(async (text) => {
    const { mutabor } = globalThis as unknown as { mutabor: Entries };
    const { status, table, impulses } = await mutabor.simulate(mutabor.loadModel(text), { tolerance: 1e-8 });
    return { status, final: table.value('w1', 10), impulses, svg: mutabor.plotSvg(table).slice(0, 4) };
  }, example('IdealClutch'));
  expect(errors).toEqual([]);
  expect(result.status).toBe('done');
  expect(result.final).toBeCloseTo(1.229708843, 8);
  expect(result.impulses[0]!.weight).toBeCloseTo(0.3350802848, 9);
  expect(result.svg).toBe('<svg');
});
