/**
 * The files of a library that is one piece (`LibraryPack`). Texts of models are read together when one of them is needed first, all else file by file: reading
 * is synchronous, as lookups ask for it, which browsers allow in workers.
 */
import type { FileSystem, FolderEntry } from '../../model/classes/files.ts';
import { readForm } from '../form.ts';
import type { LibraryPack } from '../protocol.ts';
import { foldersOf } from './folders.ts';

/** What workers have, and pages have not. */
declare const FileReaderSync: new () => { readAsArrayBuffer(blob: Blob): ArrayBuffer };

export class PackedFiles implements FileSystem {
  private readonly numbers: ReadonlyMap<string, number>;
  /** Made when somebody asks. */
  private folders: ReturnType<typeof foldersOf> | undefined;
  private texts: Uint8Array | undefined;

  constructor(private readonly pack: LibraryPack) {
    this.numbers = new Map(pack.paths.map((path, number) => [path, number]));
  }

  list(path: string): readonly FolderEntry[] | undefined {
    this.folders ??= foldersOf(this.pack.paths);
    const entries = this.folders.get(path);
    return entries && [...entries.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  read(path: string): string | undefined {
    const bytes = this.bytes(path);
    return bytes && readForm(bytes).text;
  }

  bytes(path: string): Uint8Array | undefined {
    const number = this.numbers.get(path);
    if (number === undefined) return undefined;
    const { texts, ends } = this.pack;
    const [from, to] = [number === 0 ? 0 : ends[number - 1]!, ends[number]!];
    if (number >= texts) return this.part(from, to);
    this.texts ??= this.part(0, ends[texts - 1]!);
    return this.texts.subarray(from, to);
  }

  private part(from: number, to: number): Uint8Array {
    return new Uint8Array(new FileReaderSync().readAsArrayBuffer(this.pack.content.slice(from, to)));
  }
}
