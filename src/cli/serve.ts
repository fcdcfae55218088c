/**
 * The server of the studio, for one person on this machine: the page, and the files below one folder to read and save. It listens on the
 * loopback address only, and trusts nobody who cannot show its token:
 *
 *     host      requests that name another host are refused: names that others let point here (DNS rebinding)
 *     origin    requests that pages of other origins send are refused
 *     token     every request for files carries it in a header, which no other page can know or send
 *     code      stands for the token in the address that the browser is opened with, once: command lines can be read by others
 *
 * All answers have a policy under which a page runs scripts of this server alone, and makes no code from text.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { FileProblem, type Folder, LARGEST_FILE } from './folder.ts';

/** WebAssembly is allowed, code from text is not; `index.html` says the same where there is no server. */
export const policy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self' blob:",
  "connect-src 'self'",
  "img-src 'self' data: blob:",
  "style-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const headers = {
  'content-security-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Status of the answers to what cannot be done with files. */
const statuses = { missing: 404, refused: 403, large: 413, changed: 412, failed: 500 } as const;

export interface StudioServer {
  /** The address of the page, without what lets it see files. */
  readonly address: string;
  /** Lets a page see files, as often as it is opened. */
  readonly token: string;
  /** A code that a page can exchange for the token, once. */
  newCode(): string;
  close(): Promise<void>;
}

/** Serves the page in the folder `site`, the files of `folder`, and libraries to read; port 0 is any that is free. */
export async function serveStudio(
  folder: Folder,
  site: string,
  port = 0,
  libraries: readonly Folder[] = [],
): Promise<StudioServer> {
  const answers = new Answers(folder, site, libraries);
  const server = createServer((request, response) => void answers.answer(request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  answers.port = (server.address() as AddressInfo).port;
  return {
    address: `http://127.0.0.1:${answers.port}/`,
    token: answers.token,
    newCode: () => answers.newCode(),
    close: () => closed(server),
  };
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** What a request is refused with. */
class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** How pages travel, the smallest first. Higher qualities of Brotli save little and take seconds. */
const encodings = {
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 7 } }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes),
} as const;
type Encoding = keyof typeof encodings;

interface Page {
  readonly type: string;
  readonly plain: Buffer;
  /** Made when somebody takes it so. */
  readonly packed: Partial<Record<Encoding, Promise<Buffer>>>;
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: Uint8Array | string;
  readonly version?: string;
  readonly encoding?: Encoding;
}

class Answers {
  readonly token = randomBytes(24).toString('base64url');
  port = 0;
  private readonly codes = new Set<string>();
  /** Files of the page by address. */
  private readonly pages = new Map<string, Page>();

  constructor(
    private readonly folder: Folder,
    site: string,
    private readonly libraries: readonly Folder[],
  ) {
    for (const name of readdirSync(site)) {
      const type = types[extname(name)];
      if (type === undefined) continue;
      const page = { type, plain: readFileSync(join(site, name)), packed: {} };
      this.pages.set(name === 'index.html' ? '/' : `/${name}`, page);
    }
  }

  newCode(): string {
    const code = randomBytes(24).toString('base64url');
    this.codes.add(code);
    return code;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, type, body, version, encoding } = await this.answered(request).catch(refused);
    response.writeHead(status, {
      ...headers,
      'content-type': type,
      'cache-control': 'no-store',
      ...(version !== undefined && { etag: `"${version}"` }),
      ...(encoding && { 'content-encoding': encoding }),
      // What is left of a request that was refused is not waited for.
      ...(status >= 400 && { connection: 'close' }),
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  }

  private async answered(request: IncomingMessage): Promise<Answer> {
    const { method = '', headers: sent } = request;
    if (!this.hosts.includes(sent.host ?? '')) throw new Refusal(421, 'This server has another name.');
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (!url.pathname.startsWith('/api/')) return this.page(method, url.pathname, sent['accept-encoding']);
    const { origin, 'sec-fetch-site': from = 'same-origin' } = sent;
    const isOwn = origin === undefined || this.hosts.some((host) => origin === `http://${host}`);
    if (!isOwn || !['same-origin', 'none'].includes(String(from)))
      throw new Refusal(403, 'Pages of other origins are not answered.');
    if (method === 'POST' && url.pathname === '/api/session') return this.session(request);
    if (!isSame(this.token, String(sent['x-mutabor-token'] ?? '')))
      throw new Refusal(401, 'The token is missing, or is not that of this server.');
    return this.api(request, method, url);
  }

  private get hosts(): readonly string[] {
    return [`127.0.0.1:${this.port}`, `localhost:${this.port}`];
  }

  private async page(method: string, path: string, accepted = ''): Promise<Answer> {
    const page = this.pages.get(path);
    if (method !== 'GET' && method !== 'HEAD') throw new Refusal(405, 'Pages can be read only.');
    if (!page) throw new Refusal(404, 'There is no such page.');
    const { type, plain, packed } = page;
    const taken = new Set(String(accepted).split(/\s*,\s*/));
    const encoding = (Object.keys(encodings) as Encoding[]).find((name) => taken.has(name));
    if (!encoding) return { status: 200, type, body: plain };
    packed[encoding] ??= encodings[encoding](plain);
    return { status: 200, type, body: await packed[encoding], encoding };
  }

  /** A code in exchange for the token. */
  private async session(request: IncomingMessage): Promise<Answer> {
    const code = (await bodyOf(request, 1000)).toString('utf8');
    if (!this.codes.delete(code)) throw new Refusal(401, 'The code was used before, or is none.');
    return json({ token: this.token });
  }

  /** All files of a library one behind the other, in the order in which they are listed. */
  private library(number: number): Answer {
    const library = this.libraries[number];
    if (!library) throw new Refusal(404, 'There is no such library.');
    const parts = library.list().files.map(({ path }) => library.read(path).bytes);
    return { status: 200, type: 'application/octet-stream', body: Buffer.concat(parts) };
  }

  private async api(request: IncomingMessage, method: string, url: URL): Promise<Answer> {
    const { folder } = this;
    const route = `${method} ${url.pathname}`;
    if (route === 'GET /api/files') return json({ name: folder.name, ...folder.list() });
    if (route === 'GET /api/texts') return json({ name: folder.name, texts: folder.texts() });
    if (route === 'GET /api/libraries')
      return json(this.libraries.map((one) => ({ name: one.name, ...one.list() })));
    if (route === 'GET /api/library') return this.library(Number(url.searchParams.get('number')));
    const path = url.searchParams.get('path') ?? '';
    const seen = /^"([0-9a-f]+)"$/.exec(request.headers['if-match'] ?? '')?.[1];
    switch (route) {
      case 'GET /api/file': {
        const { bytes, version } = folder.read(path);
        return { status: 200, type: 'application/octet-stream', body: bytes, version };
      }
      case 'PUT /api/file': {
        const isNew = request.headers['if-none-match'] === '*';
        if (!isNew && seen === undefined) throw new Refusal(428, 'A file is replaced by version only.');
        const bytes = await bodyOf(request, LARGEST_FILE);
        return json({ version: folder.write(path, bytes, isNew ? undefined : seen) });
      }
      case 'DELETE /api/file':
        if (seen === undefined) throw new Refusal(428, 'A file is removed by version only.');
        folder.remove(path, seen);
        return json({});
      default:
        throw new Refusal(404, 'There is no such thing to ask for.');
    }
  }
}

const json = (value: object, status = 200): Answer => ({
  status,
  type: 'application/json',
  body: JSON.stringify(value),
});

function refused(problem: unknown): Answer {
  if (problem instanceof Refusal)
    return json({ problem: 'refused', message: problem.message }, problem.status);
  if (problem instanceof FileProblem)
    return json({ problem: problem.kind, message: problem.message }, statuses[problem.kind]);
  return json({ problem: 'failed', message: 'The request cannot be understood.' }, 400);
}

/** The body of a request; one that is longer is not read to its end. */
async function bodyOf(request: IncomingMessage, longest: number): Promise<Buffer> {
  const tooLarge = new Refusal(413, `More than ${longest} bytes are not taken.`);
  if (Number(request.headers['content-length'] ?? 0) > longest) throw tooLarge;
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > longest) throw tooLarge;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** In a time that says nothing about the right token. */
function isSame(token: string, given: string): boolean {
  const [a, b] = [Buffer.from(token), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}
