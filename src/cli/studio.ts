/** `mutabor studio`: serves the studio on this machine, for the files below a folder, and opens it in a browser. */
import { spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { error } from '../diagnostic/diagnostic.ts';
import { linkedLibraries } from './files.ts';
import { Folder } from './folder.ts';
import { type Arguments, badOption, optionValue } from './options.ts';
import { type ExitStatus, refuse, show } from './report.ts';
import { serveStudio } from './serve.ts';
import type { Io } from './surroundings.ts';

/** What the build made of `src/studio`, beside the bundle that this file is in. */
const SITE = fileURLToPath(new URL('../studio', import.meta.url));

/** Ends with the command itself: Ctrl-C. */
export async function studioCommand(args: Arguments, io: Io, site = SITE): Promise<ExitStatus> {
  const manner = { json: false, quiet: false };
  const wrong = [...args.diagnostics];
  const [path = '.', ...more] = args.files;
  if (more.length > 0)
    wrong.push(badOption('The studio serves one folder.', 'Name a folder that holds them all.'));
  const port = optionValue(args, 'port') ?? '0';
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65535)
    wrong.push(badOption(`\`${port}\` is not a port.`, 'Ports are numbers from 1 to 65535.'));
  if (wrong.length > 0) return refuse(io, { status: 2, diagnostics: wrong }, manner);
  let folder: Folder;
  try {
    folder = new Folder(io, resolve(io.cwd, path));
  } catch {
    const what = existsSync(resolve(io.cwd, path)) ? 'is not a folder that can be read' : 'does not exist';
    const diagnostics = [error('file-not-found', `\`${path}\` ${what}.`, { hint: HINT })];
    return refuse(io, { status: 2, diagnostics }, manner);
  }
  const libraries: Folder[] = [];
  const shelf = (path: string): Folder[] => {
    const place = resolve(io.cwd, path);
    return [place, ...linkedLibraries(place)].map((one) => new Folder(io, one));
  };
  for (const path of args.given.get('library') ?? [])
    try {
      libraries.push(...shelf(path));
    } catch {
      const message = `The library \`${path}\` is not a folder that can be read.`;
      const hint = 'Name the folder of a library, or one that contains libraries.';
      return refuse(io, { status: 2, diagnostics: [error('file-not-found', message, { hint })] }, manner);
    }
  for (const path of (io.env.MODELICAPATH ?? '').split(delimiter))
    if (path !== '' && existsSync(path) && statSync(path).isDirectory()) libraries.push(...shelf(path));
  if (!existsSync(`${site}/index.html`))
    throw new Error('the studio has to be built before it is served: npm run build');
  try {
    const server = await serveStudio(folder, site, Number(port), libraries);
    show(
      io,
      `The studio serves the folder ${path} at\n\n  ${server.address}#token=${server.token}\n\nCtrl-C ends it.\n`,
    );
    if (!args.given.has('no-open')) openBrowser(`${server.address}#code=${server.newCode()}`, io);
  } catch (problem) {
    const { code, message } = problem as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw problem;
    const why = code === 'EACCES' ? 'may not be used' : 'is in use';
    const hint = 'Name another one with `--port`, or none: then one that is free is taken.';
    const diagnostics = [badOption(`The port ${port} ${why} (${message}).`, hint)];
    return refuse(io, { status: 2, diagnostics }, manner);
  }
  return new Promise(() => {});
}

const HINT = 'Name a folder: its files are seen and saved in the studio.';

/** With the program that the system, or the variable BROWSER, has for pages; where there is none, the address has been printed. */
function openBrowser(address: string, io: Io): void {
  const commands: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
    darwin: ['open'],
    win32: ['cmd', '/c', 'start', ''],
  };
  const [program, ...before] = io.env.BROWSER
    ? [io.env.BROWSER]
    : (commands[process.platform] ?? ['xdg-open']);
  const browser = spawn(program, [...before, address], { stdio: 'ignore', detached: true });
  browser.on('error', () => {});
  browser.unref();
}
