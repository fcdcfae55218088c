/**
 * Rows of results that are too many for memory, in a file that nobody else sees. The first ones stay in memory. The file loses its name as soon as it is open, and its room when the
 * command ends, however that happens. (Where a file that is open keeps its name, it is removed when the command ends by itself.)
 */
import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Shelf } from '../results/table/store.ts';

/** Numbers that stay in memory: 64 MB of them. */
const IN_MEMORY = 1 << 23;

export class FileShelf implements Shelf {
  private file: number | undefined;
  /** Bytes that are taken. */
  private size = 0;
  /** A disk that refused once is left alone. */
  private isFull = false;

  constructor(
    private readonly folder: string = tmpdir(),
    /** How many further numbers stay in memory. */
    private spare = IN_MEMORY,
  ) {}

  /** Gives the place in the file. */
  put(numbers: Float64Array): number | undefined {
    this.spare -= numbers.length;
    if (this.spare >= 0 || this.isFull) return undefined;
    try {
      this.file ??= this.open();
      return this.append(this.file, bytesOf(numbers));
    } catch {
      this.isFull = true;
      return undefined;
    }
  }

  take(place: number, into: Float64Array): void {
    const bytes = bytesOf(into);
    for (let done = 0; done < bytes.length; ) {
      const read = readSync(this.file!, bytes, done, bytes.length - done, place + done);
      if (read === 0) throw new Error('The file with rows of results has been cut.');
      done += read;
    }
  }

  private append(file: number, bytes: Uint8Array): number {
    const place = this.size;
    for (let done = 0; done < bytes.length; )
      done += writeSync(file, bytes, done, bytes.length - done, place + done);
    this.size += bytes.length;
    return place;
  }

  private open(): number {
    const path = join(this.folder, `mutabor-${process.pid}-${Math.random().toString(36).slice(2)}.rows`);
    const file = openSync(path, 'wx+', 0o600);
    try {
      rmSync(path);
    } catch {
      process.once('exit', () => {
        closeSync(file);
        rmSync(path, { force: true });
      });
    }
    return file;
  }
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Float64Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);
