/**
 * Writing files, all of them: whole or not at all. A file is written under another name beside its target, brought to the disk and then
 * renamed, so that at every moment the target is what it was or what it becomes, however the command ends. What is no file, a device or
 * a pipe, is written through. Inputs of the command are no targets.
 */
import { randomUUID } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  lstatSync,
  openSync,
  readlinkSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Io } from './surroundings.ts';

/** What writing needs of its surroundings. */
export type Drafting = Pick<Io, 'cwd' | 'drafting'>;

export type Parts = Iterable<string | Uint8Array>;

/** Writes a file in parts. Throws what the system says where that is impossible; the target then is what it was. */
export function writeWhole(io: Drafting, path: string, parts: Parts): void {
  const target = destination(resolve(io.cwd, path));
  if (typeof target === 'number') writeAll(target, parts);
  else {
    const before = statSync(target, { throwIfNoEntry: false });
    if (before && !before.isFile()) writeThrough(target, parts);
    else replace(io, target, before, parts);
  }
}

/** Puts a new file in the place of the one before, where there was one. */
function replace(io: Drafting, target: string, before: Stats | undefined, parts: Parts): void {
  if (before) accessSync(target, constants.W_OK);
  const folder = dirname(target);
  const draft = join(folder, `.mutabor-${process.pid}-${randomUUID().slice(0, 8)}.part`);
  const file = openSync(draft, 'wx');
  io.drafting(draft);
  try {
    closing(file, () => {
      writeAll(file, parts);
      if (before) likeBefore(file, before);
      fsyncSync(file);
    });
    renameSync(draft, target);
  } catch (problem) {
    rmSync(draft, { force: true });
    throw problem;
  } finally {
    io.drafting(undefined);
  }
  syncFolder(folder);
}

/** Why a file cannot be written, as far as one can know before; `inputs` are files that the command reads. */
export function obstacle(io: Io, path: string, inputs: readonly string[]): string | undefined {
  const target = destination(resolve(io.cwd, path));
  if (typeof target === 'number') return undefined;
  const folder = dirname(target);
  if (!existsSync(folder)) return `the folder ${folder} does not exist`;
  const before = statSync(target, { throwIfNoEntry: false });
  if (before?.isDirectory()) return 'it is a folder';
  const isInput = (input: string): boolean => isSame(before, resolve(io.cwd, input));
  if (before?.isFile() && inputs.some(isInput)) return 'it is an input of this command';
  if (before && !isAllowed(target)) return 'permission denied';
  if ((!before || before.isFile()) && !isAllowed(folder))
    return `permission denied: new files are needed in the folder ${folder}`;
  return undefined;
}

/** All bytes, to a file that is open: a write may take less than it is given, or nothing while a pipe is full. */
export function writeAll(file: number, parts: Parts): void {
  for (const part of parts) {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part;
    for (let done = 0; done < bytes.length; ) done += writeSome(file, bytes, done);
  }
}

/** Milliseconds between two looks at a pipe that is full. */
const PAUSE = 5;

function writeSome(file: number, bytes: Uint8Array, from: number): number {
  try {
    return writeSync(file, bytes, from);
  } catch (problem) {
    if ((problem as NodeJS.ErrnoException).code !== 'EAGAIN') throw problem;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE);
    return 0;
  }
}

function writeThrough(target: string, parts: Parts): void {
  const file = openSync(target, 'w');
  closing(file, () => writeAll(file, parts));
}

/** Does something with a file that is open, and closes it. */
function closing(file: number, work: () => void): void {
  try {
    work();
  } finally {
    closeSync(file);
  }
}

/** Links that lead to each other have no end. */
const MOST_LINKS = 40;

/** Where the links of a path lead to, be there a file or not; a number where that is a file which this process has open. */
function destination(path: string): string | number {
  let here = path;
  for (let n = 0; n < MOST_LINKS; n++) {
    const open = /^\/(?:dev|proc\/self)\/fd\/(\d+)$/.exec(here);
    if (open) return Number(open[1]);
    if (!lstatSync(here, { throwIfNoEntry: false })?.isSymbolicLink()) return here;
    here = resolve(dirname(here), readlinkSync(here));
  }
  return here;
}

/** Permissions of the file that is replaced, and its owner where that is allowed. */
function likeBefore(file: number, { mode, uid, gid }: Stats): void {
  try {
    fchownSync(file, uid, gid);
  } catch {
    // Only an administrator may give files away.
  }
  fchmodSync(file, mode & 0o7777);
}

/** Brings a new name to the disk; not every system can. */
function syncFolder(folder: string): void {
  try {
    const file = openSync(folder, 'r');
    closing(file, () => fsyncSync(file));
  } catch {
    // The file is whole either way.
  }
}

function isSame(target: Stats | undefined, input: string): boolean {
  const other = statSync(input, { throwIfNoEntry: false });
  return target !== undefined && other !== undefined && target.dev === other.dev && target.ino === other.ino;
}

function isAllowed(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
