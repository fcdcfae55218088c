/**
 * The code of the package as Node loads it: one script, and beside it what V8 has compiled of it in a process before. Reading and compiling modules would take most of the time
 * of a short run. What is kept lies in the folder of the package, as the code does: who can write the one can write the other.
 *
 * It belongs to a script, by the hash in its name, and by a tag of V8 to its version, its flags and the instructions of the processor. V8 refuses what is foreign, too, but
 * believes the bytes; so they follow on their digest.
 */
import { createHash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';

/** The name of the script beside this module, where `build/bundle.mjs` puts both. */
declare const SCRIPT: string;

/** Modules by their names, as the script gives them; it imports modules of users and asks for its own place by what it is given. */
type Code = (
  require: NodeJS.Require,
  load: (url: string) => Promise<unknown>,
  url: string,
) => Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const file = fileURLToPath(new URL(SCRIPT, import.meta.url));
const place = `${file.replace(/\.js$/, '')}-${cachedDataVersionTag().toString(16)}.bin`;
const digestLength = 32;

const digestOf = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

/** Undefined where nothing is kept, or not what was written. */
function kept(): Uint8Array | undefined {
  try {
    const bytes = readFileSync(place);
    const content = bytes.subarray(digestLength);
    return digestOf(content).equals(bytes.subarray(0, digestLength)) ? content : undefined;
  } catch {
    return undefined;
  }
}

const cachedData = kept();
// All characters are ASCII.
const script = new Script(readFileSync(file, 'latin1'), { filename: file, cachedData });
const code = script.runInThisContext() as Code;

export const modules = code(createRequire(import.meta.url), (url) => import(url), import.meta.url);

/** Keeps what is compiled by now, where nothing is kept yet; a folder that cannot be written stays as it is. */
export function keep(): void {
  if (cachedData && !script.cachedDataRejected) return;
  const bytes = script.createCachedData();
  const draft = `${place}.${process.pid}`;
  try {
    writeFileSync(draft, Buffer.concat([digestOf(bytes), bytes]));
    renameSync(draft, place);
  } catch {}
}
