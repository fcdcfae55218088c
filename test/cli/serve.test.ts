/** The server of the studio: what it gives, and what it refuses to whom. */
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Folder, LARGEST_FILE } from '../../src/cli/folder.ts';
import { policy, type StudioServer, serveStudio } from '../../src/cli/serve.ts';
import { folder, run } from './terminal.ts';

const outside = folder({ 'secret.mo': 'model Secret end Secret;', 'inner/deep.mo': 'model Deep end Deep;' });
const home = folder({
  'Ball.mo': 'model Ball end Ball;',
  'Lib/package.mo': 'package Lib end Lib;',
  '.hidden.mo': 'model Hidden end Hidden;',
  '.git/config.mo': 'nothing for others',
  'node_modules/M.mo': 'model M end M;',
  'program.exe': 'no text',
});
symlinkSync(join(outside, 'secret.mo'), join(home, 'linked.mo'));
symlinkSync(outside, join(home, 'away'));
symlinkSync(join(outside, 'new.mo'), join(home, 'dangling.mo'));
symlinkSync(join(home, 'Ball.mo'), join(home, 'same.mo'));
symlinkSync(join(outside, 'nowhere'), join(home, 'gone'));
mkdirSync(join(home, 'folder.mo'));
const shared = folder({ 'Vats/package.mo': 'package Vats end Vats;', 'Vats/a.csv': '1', 'Vats/.b.mo': 'no' });
const site = folder({ 'index.html': '<!doctype html>', 'page.js': '"use strict";', 'notes.txt': 'no page' });

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers: IncomingHttpHeaders;
}

let server: StudioServer;
const port = (): number => Number(new URL(server.address).port);

/** Sends what it is told to, also what browsers would not. */
const send = (method: string, path: string, headers: Record<string, string> = {}, body?: string | Buffer) =>
  new Promise<Answer>((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port: port(), method, path, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve({
          status: response.statusCode!,
          body: Buffer.concat(parts).toString('utf8'),
          headers: response.headers,
        }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });

const api = (method: string, path: string, headers: Record<string, string> = {}, body?: string | Buffer) =>
  send(method, path, { 'x-mutabor-token': server.token, ...headers }, body);
const file = (path: string): string => `/api/file?path=${encodeURIComponent(path)}`;
const create = { 'if-none-match': '*' };

beforeAll(async () => {
  const folderOf = (path: string): Folder => new Folder({ cwd: path, drafting: () => {} }, path);
  server = await serveStudio(folderOf(home), site, 0, [folderOf(shared)]);
});
afterAll(() => server.close());

describe('the page', () => {
  it('is served with a policy that allows no code from text and no other origin', async () => {
    const { status, headers, body } = await send('GET', '/');
    expect({ status, body }).toEqual({ status: 200, body: '<!doctype html>' });
    expect(headers['content-security-policy']).toBe(policy);
    expect(policy).not.toMatch(/'unsafe-(eval|inline)'|\*|https?:/);
    expect(policy).toMatch(/^default-src 'none'; script-src 'self' 'wasm-unsafe-eval';/);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    });
    const zipped = await send('GET', '/page.js', { 'accept-encoding': 'gzip' });
    expect(zipped.headers['content-encoding']).toBe('gzip');
    const smaller = await send('GET', '/page.js', { 'accept-encoding': 'gzip, deflate, br' });
    expect(smaller.headers['content-encoding']).toBe('br');
    const plain = await send('GET', '/page.js', { 'accept-encoding': 'br;q=0' });
    expect(plain.headers['content-encoding']).toBeUndefined();
  });

  it('consists of its own files, wherever a path leads', async () => {
    for (const path of [
      '/notes.txt',
      '/../secret.mo',
      '/%2e%2e/secret.mo',
      '/..%2fsecret.mo',
      '//etc/passwd',
      '/x',
    ])
      expect({ path, status: (await send('GET', path)).status }).toEqual({ path, status: 404 });
    expect((await send('POST', '/')).status).toBe(405);
  });
});

describe('the API', () => {
  it('gives libraries as a whole, to read only, to who has the token', async () => {
    const [library] = JSON.parse((await api('GET', '/api/libraries')).body) as [
      { files: { path: string; size: number }[]; isAll: boolean },
    ];
    expect(library.isAll).toBe(true);
    expect(library.files.map(({ path, size }) => [path, size])).toEqual([
      ['Vats/a.csv', 1],
      ['Vats/package.mo', 22],
    ]);
    expect((await api('GET', '/api/library?number=0')).body).toBe('1package Vats end Vats;');
    for (const number of ['1', '-1', 'x', '0.5'])
      expect((await api('GET', `/api/library?number=${number}`)).status).toBe(404);
    expect((await api('PUT', '/api/library?number=0')).status).toBe(404);
    expect((await send('GET', '/api/library?number=0')).status).toBe(401);
    expect((await send('GET', '/api/libraries')).status).toBe(401);
  });

  it('lists, reads, creates, replaces and removes files', async () => {
    const { body } = await api('GET', '/api/files');
    const listed = JSON.parse(body) as { files: { path: string }[]; isAll: boolean };
    expect(listed.files.map(({ path }) => path)).toEqual(['Ball.mo', 'Lib/package.mo', 'same.mo']);
    expect(listed.isAll).toBe(true);
    const { texts } = JSON.parse((await api('GET', '/api/texts')).body) as {
      texts: { path: string; text: string }[];
    };
    expect(texts.map(({ path, text }) => [path, text.split(' ')[1]])).toEqual([
      ['Ball.mo', 'Ball'],
      ['Lib/package.mo', 'Lib'],
      ['same.mo', 'Ball'],
    ]);
    const read = await api('GET', file('Ball.mo'));
    expect(read).toMatchObject({ status: 200, body: 'model Ball end Ball;' });
    expect(read.headers['content-type']).toBe('application/octet-stream');
    const made = await api('PUT', file('new/Thing.mo'), create, 'model Thing end Thing;');
    expect(made.status).toBe(200);
    expect(readFileSync(join(home, 'new/Thing.mo'), 'utf8')).toBe('model Thing end Thing;');
    const { version } = JSON.parse(made.body) as { version: string };
    const replaced = await api(
      'PUT',
      file('new/Thing.mo'),
      { 'if-match': `"${version}"` },
      'model Thing "2" end Thing;',
    );
    expect(replaced.status).toBe(200);
    const now = (JSON.parse(replaced.body) as { version: string }).version;
    expect((await api('GET', file('new/Thing.mo'))).headers.etag).toBe(`"${now}"`);
    expect((await api('DELETE', file('new/Thing.mo'), { 'if-match': `"${now}"` })).status).toBe(200);
    expect(readdirSync(join(home, 'new'))).toEqual([]);
  });

  it('replaces nothing that was changed meanwhile', async () => {
    writeFileSync(join(home, 'Ball.mo'), 'model Ball "one" end Ball;');
    const version = (await api('GET', file('Ball.mo'))).headers.etag!;
    writeFileSync(join(home, 'Ball.mo'), 'model Ball "two" end Ball;');
    const late = await api('PUT', file('Ball.mo'), { 'if-match': version }, 'model Ball "mine" end Ball;');
    expect(late.status).toBe(412);
    expect(JSON.parse(late.body)).toMatchObject({ problem: 'changed' });
    expect((await api('DELETE', file('Ball.mo'), { 'if-match': version })).status).toBe(412);
    expect((await api('PUT', file('Ball.mo'), create, 'x')).status).toBe(412);
    expect((await api('PUT', file('Ball.mo'), {}, 'x')).status).toBe(428);
    expect((await api('PUT', file('Ball.mo'), { 'if-match': '*' }, 'x')).status).toBe(428);
    expect(readFileSync(join(home, 'Ball.mo'), 'utf8')).toBe('model Ball "two" end Ball;');
    const gone = (await api('GET', file('Ball.mo'))).headers.etag!;
    expect((await api('PUT', file('Lib/none.mo'), { 'if-match': gone }, 'x')).status).toBe(412);
    expect(existsSync(join(home, 'Lib/none.mo'))).toBe(false);
  });

  const paths = [
    '../secret.mo',
    'Lib/../../secret.mo',
    'Lib/../Ball.mo',
    './Ball.mo',
    '/etc/passwd.mo',
    join(outside, 'secret.mo'),
    'Lib//package.mo',
    'Lib\\..\\..\\secret.mo',
    'C:secret.mo',
    'Ball.mo\0.txt',
    'Ball.mo:stream.mo',
    '.hidden.mo',
    '.git/config.mo',
    'Lib/.hidden/x.mo',
    'program.exe',
    'noextension',
    '',
    `${'x/'.repeat(600)}y.mo`,
    // Links.
    'linked.mo',
    'away/secret.mo',
    'away/inner/deep.mo',
    'away/new.mo',
    'gone/new.mo',
    'dangling.mo',
    'folder.mo',
  ];
  it.each(paths.map((path) => [path.slice(0, 40), path]))('neither reads nor writes %j', async (_, path) => {
    const before = readdirSync(outside).join();
    for (const answer of [
      await api('GET', file(path)),
      await api('PUT', file(path), create, 'model Evil end Evil;'),
      await api('DELETE', file(path), { 'if-match': '"00"' }),
    ]) {
      expect({ path, status: answer.status }).toEqual({ path, status: 403 });
      expect(answer.body).not.toContain('Secret');
    }
    expect(readdirSync(outside).join()).toBe(before);
    expect(existsSync(join(outside, 'new.mo'))).toBe(false);
  });

  it('answers nobody without the token', async () => {
    for (const token of ['', 'wrong', `${server.token}x`, server.token.slice(1)])
      for (const [method, path] of [
        ['GET', '/api/files'],
        ['GET', file('Ball.mo')],
        ['PUT', file('Ball.mo')],
        ['DELETE', file('Ball.mo')],
      ] as const)
        expect((await send(method, path, { 'x-mutabor-token': token, ...create })).status).toBe(401);
    // Nor with the token at any other place.
    expect(
      (await send('GET', `/api/files?token=${server.token}`, { cookie: `token=${server.token}` })).status,
    ).toBe(401);
  });

  it('answers no page of another origin, even with the token', async () => {
    for (const origin of [
      'http://evil.example',
      'null',
      `http://127.0.0.1:${port() + 1}`,
      `https://127.0.0.1:${port()}`,
    ])
      expect((await api('GET', '/api/files', { origin })).status).toBe(403);
    for (const from of ['cross-site', 'same-site'])
      expect((await api('GET', '/api/files', { 'sec-fetch-site': from })).status).toBe(403);
    expect((await api('GET', '/api/files', { origin: `http://127.0.0.1:${port()}` })).status).toBe(200);
    expect(
      (await api('OPTIONS', '/api/files', { origin: 'http://evil.example' })).headers,
    ).not.toHaveProperty('access-control-allow-origin');
  });

  it('answers to its own name only', async () => {
    for (const host of [
      'evil.example',
      `evil.example:${port()}`,
      '127.0.0.1',
      `127.0.0.1:${port() + 1}`,
      `127.0.0.1:${port()}.evil.example`,
    ])
      for (const path of ['/', '/api/files']) expect((await api('GET', path, { host })).status).toBe(421);
    expect((await api('GET', '/api/files', { host: `localhost:${port()}` })).status).toBe(200);
  });

  it('takes no more than a file may have', async () => {
    const huge = { ...create, 'content-length': String(LARGEST_FILE + 1) };
    expect((await api('PUT', file('huge.mo'), huge)).status).toBe(413);
    // Nor where the length was not said before.
    const status = await new Promise<string>((resolve, reject) => {
      const socket = connect(port(), '127.0.0.1');
      let text = '';
      socket.on('data', (part) => (text += part));
      socket.on('error', () => resolve(text));
      socket.on('close', () => resolve(text));
      const head = `PUT ${file('huge.mo')} HTTP/1.1\r\nhost: 127.0.0.1:${port()}\r\nx-mutabor-token: ${server.token}\r\nif-none-match: *\r\ntransfer-encoding: chunked\r\n\r\n`;
      socket.write(head);
      const part = Buffer.alloc(1 << 20, 'x');
      const chunk = Buffer.concat([
        Buffer.from(`${part.length.toString(16)}\r\n`),
        part,
        Buffer.from('\r\n'),
      ]);
      const more = (n: number): void => {
        if (n === 0 || socket.destroyed) return;
        socket.write(chunk, () => more(n - 1));
      };
      more(LARGEST_FILE / part.length + 2);
      setTimeout(() => reject(new Error('no answer')), 60_000).unref();
    });
    expect(status === '' || status.startsWith('HTTP/1.1 413')).toBe(true);
    expect(existsSync(join(home, 'huge.mo'))).toBe(false);
  });

  it('gives the token for a code, once', async () => {
    const code = server.newCode();
    expect((await send('POST', '/api/session', {}, 'wrong')).status).toBe(401);
    expect((await send('POST', '/api/session', { origin: 'http://evil.example' }, code)).status).toBe(403);
    expect(JSON.parse((await send('POST', '/api/session', {}, code)).body)).toEqual({ token: server.token });
    expect((await send('POST', '/api/session', {}, code)).status).toBe(401);
    expect((await send('POST', '/api/session', {}, '')).status).toBe(401);
    expect((await send('POST', '/api/session', {}, 'x'.repeat(5000))).status).toBe(413);
  });

  it('stays, whatever it is asked', async () => {
    for (const path of [
      '/api/',
      '/api/nothing',
      '/api/file',
      '//',
      '/api/file?path=%',
      '/api/files?path=%00',
    ])
      expect((await api('GET', path)).status).toBeLessThan(500);
    expect((await api('PATCH', '/api/files')).status).toBe(404);
    expect((await api('GET', '/api/files')).status).toBe(200);
  });
});

describe('mutabor studio', () => {
  it('says what is wrong with its arguments', async () => {
    expect((await run(['studio', '.', '--library', 'nowhere'], { cwd: home })).err).toContain(
      'The library `nowhere` is not a folder that can be read.',
    );
    const missing = await run(['studio', 'nowhere'], { cwd: home });
    expect([missing.status, missing.out]).toEqual([2, '']);
    expect(missing.err).toContain('`nowhere` does not exist.');
    expect((await run(['studio', 'Ball.mo'], { cwd: home })).err).toContain('is not a folder');
    expect((await run(['studio', '.', 'Lib'], { cwd: home })).err).toContain('The studio serves one folder.');
    for (const text of ['x', '70000', '1.5'])
      expect((await run(['studio', '.', '--port', text], { cwd: home })).err).toContain(
        `\`${text}\` is not a port.`,
      );
    expect((await run(['help', 'studio'])).out).toContain('--no-open');
  });
});
