/**
 * Files as a run sees them: those that can be read, and in front of them what the run itself has written. That stays in memory and ends with the run; nothing reaches
 * a disk. Where something is written for the first time, this is said.
 */
import type { ForeignRun } from '../../symbolic/foreign.ts';
import type { Surroundings } from '../surroundings.ts';

/** More than this is surely a mistake: a model that prints without end. */
const LARGEST = 1 << 28;

type Entry = { readonly name: string; readonly folder: boolean };

export class RunFiles {
  /** By full names. */
  private readonly files = new Map<string, Uint8Array>();
  private readonly folders = new Set<string>();
  private size = 0;

  constructor(private readonly surroundings: Surroundings) {}

  /** Throws where there is no such file that may be read. */
  read(name: string): Uint8Array {
    return this.files.get(this.fullName(name)) ?? this.surroundings.read(name);
  }

  /** What was written, if it was. */
  own(name: string): Uint8Array | undefined {
    return this.files.get(this.fullName(name));
  }

  write(name: string, bytes: Uint8Array): void {
    const path = this.fullName(name);
    const before = this.files.get(path);
    if (!before) this.print(`“${name}” is written in memory only: models do not write files`);
    this.size += bytes.length - (before?.length ?? 0);
    if (this.size > LARGEST) throw new Error(`more than ${LARGEST} bytes are written`);
    this.files.set(path, bytes);
  }

  append(name: string, bytes: Uint8Array): void {
    const before = this.isFile(name) ? this.read(name) : new Uint8Array();
    const all = new Uint8Array(before.length + bytes.length);
    all.set(before);
    all.set(bytes, before.length);
    this.write(name, all);
  }

  /** Only what the run has made. */
  remove(name: string): void {
    const path = this.fullName(name);
    if (this.folders.has(path) && this.list(name)?.length === 0) this.folders.delete(path);
    else if (!this.files.delete(path))
      throw new Error(`“${name}” is not removed: models do not change files`);
  }

  makeFolder(name: string): void {
    this.folders.add(this.fullName(name));
  }

  isFile(name: string): boolean {
    try {
      this.read(name);
      return true;
    } catch {
      return false;
    }
  }

  /** The working folder is one, and so are those around it, whether what they hold may be seen or not. */
  isFolder(name: string): boolean {
    const path = this.fullName(name).replace(/\/$/, '');
    return this.list(name) !== undefined || `${this.fullName('.')}/`.startsWith(`${path}/`);
  }

  list(name: string): readonly Entry[] | undefined {
    const path = this.fullName(name);
    const inside = (paths: Iterable<string>, folder: boolean): Entry[] =>
      [...paths]
        .filter((one) => one.startsWith(`${path}/`) && !one.slice(path.length + 1).includes('/'))
        .map((one) => ({ name: one.slice(path.length + 1), folder }));
    const there = this.surroundings.list(name);
    const own = [...inside(this.files.keys(), false), ...inside(this.folders, true)];
    if (!there && own.length === 0 && !this.folders.has(path)) return undefined;
    const names = new Set(own.map((entry) => entry.name));
    return [...(there ?? []).filter((entry) => !names.has(entry.name)), ...own];
  }

  fullName(name: string): string {
    return this.surroundings.fullName(name);
  }

  print(text: string): void {
    this.surroundings.print(text);
  }
}

/** The files of a run, made when they are first asked for. */
export function filesOf(run: ForeignRun, surroundings: Surroundings): RunFiles {
  const known = run.kept.get('files');
  if (known instanceof RunFiles) return known;
  const files = new RunFiles(surroundings);
  run.kept.set('files', files);
  return files;
}
