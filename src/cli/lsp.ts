/** `mutabor lsp`: the language server for editors, over standard input and output. It runs in the first thread, where these are. */
import { readFileSync } from 'node:fs';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  createConnection,
  ProposedFeatures,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { Server } from './lsp/server.ts';
import { parseArguments } from './options.ts';
import type { ExitStatus } from './report.ts';

/** The folder of the libraries that come with Mutabor, so that editors can open their files. */
const OWN_LIBRARIES = fileURLToPath(new URL('../../models', import.meta.url));

/** Serves until the editor ends it; gives nothing where the command line asks for help or is wrong. */
export async function serve(argv: readonly string[]): Promise<ExitStatus | undefined> {
  const args = parseArguments('lsp', argv);
  if (args.diagnostics.length > 0 || args.given.has('help') || args.files.length > 0) return undefined;
  const ofEnvironment = (process.env.MODELICAPATH ?? '').split(delimiter).filter((path) => path !== '');
  const libraries = [...(args.given.get('library') ?? []), ...ofEnvironment, OWN_LIBRARIES];
  const connection = createConnection(
    ProposedFeatures.all,
    new StreamMessageReader(process.stdin),
    new StreamMessageWriter(process.stdout),
  );
  new Server(connection, {
    cwd: process.cwd(),
    libraries: libraries.map((path) => path.replaceAll('\\', '/').replace(/(.)\/+$/, '$1')),
    version: version(),
  });
  connection.listen();
  // The connection ends the process when the editor says so, or is gone.
  await new Promise<void>((resolve) => process.stdin.on('close', () => resolve()));
  return 0;
}

function version(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
