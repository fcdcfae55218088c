/**
 * Files of a ZIP archive (APPNOTE 6.3): the directory at its end says where they are. Nobody can trust an archive: names must not lead out of it, what was announced must be what comes,
 * and an archive that would become much larger than it is (a bomb) is refused before it is unpacked.
 */
import { crc32 } from '../../../collections/crc.ts';
import { texts } from '../texts.ts';
import { type FoundFile, isWanted, LibraryProblem, limits, megabytes, requireLimits } from './pack.ts';

/** Bytes of an archive, and how many times as large its files may be together where that is much. */
const LARGEST = 256 * 2 ** 20;
const [MOST_GROWTH, HARMLESS] = [100, 32 * 2 ** 20] as const;

interface Entry {
  readonly path: string;
  readonly isPacked: boolean;
  readonly size: number;
  readonly packedSize: number;
  readonly checksum: number;
  readonly at: number;
}

export async function filesInZip(archive: Blob): Promise<FoundFile[]> {
  if (archive.size > LARGEST) throw new LibraryProblem(texts.tooLargeArchive(megabytes(LARGEST)));
  const bytes = new Uint8Array(await archive.arrayBuffer());
  const entries = entriesOf(bytes).filter(({ path }) => isWanted(path));
  requireLimits(entries);
  const size = entries.reduce((sum, entry) => sum + entry.size, 0);
  if (size > HARMLESS && size > MOST_GROWTH * archive.size) throw new LibraryProblem(texts.bomb);
  const files: FoundFile[] = [];
  // Some at a time: each waits for the browser, but their contents should not all wait.
  for (let k = 0; k < entries.length; k += ABREAST)
    files.push(...(await Promise.all(entries.slice(k, k + ABREAST).map((entry) => fileOf(bytes, entry)))));
  return files;
}

const ABREAST = 64;

const broken = (): LibraryProblem => new LibraryProblem(texts.brokenArchive);

function entriesOf(bytes: Uint8Array): Entry[] {
  const view = new DataView(bytes.buffer);
  const end = endOf(bytes);
  const [count, size, start] = [u16(view, end + 10), u32(view, end + 12), u32(view, end + 16)];
  if (count === 0xffff || start === 0xffffffff) throw new LibraryProblem(texts.tooManyFiles(limits.files));
  if (start + size > end) throw broken();
  const entries: Entry[] = [];
  let at = start;
  for (let k = 0; k < count; k++) {
    if (at + 46 > end || u32(view, at) !== 0x02014b50) throw broken();
    const [flags, method] = [u16(view, at + 8), u16(view, at + 10)];
    const [nameSize, extra, comment] = [u16(view, at + 28), u16(view, at + 30), u16(view, at + 32)];
    if (at + 46 + nameSize > end) throw broken();
    const path = pathOf(new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameSize)));
    if (isWanted(path)) {
      if (flags & 1) throw new LibraryProblem(texts.encrypted(path));
      if (method !== 0 && method !== 8) throw new LibraryProblem(texts.unknownMethod(path));
    }
    entries.push({
      path,
      isPacked: method === 8,
      checksum: u32(view, at + 16),
      packedSize: u32(view, at + 20),
      size: u32(view, at + 24),
      at: u32(view, at + 42),
    });
    at += 46 + nameSize + extra + comment;
  }
  return entries;
}

/** Where the end of the directory begins: behind it there is only a comment. */
function endOf(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer);
  for (let at = bytes.length - 22; at >= 0 && at > bytes.length - 22 - 0x10000; at--)
    if (u32(view, at) === 0x06054b50) return at;
  throw new LibraryProblem(texts.noArchive);
}

/** Names that lead elsewhere, or mean something else on other systems, are none of a library. */
function pathOf(name: string): string {
  const path = name.replaceAll('\\', '/');
  const isPlain = (part: string): boolean => part !== '..' && part !== '.';
  if (path.startsWith('/') || /[:\p{Cc}]/u.test(path) || !path.split('/').every(isPlain))
    throw new LibraryProblem(texts.badPath(name.slice(0, 80)));
  return path;
}

async function fileOf(bytes: Uint8Array<ArrayBuffer>, entry: Entry): Promise<FoundFile> {
  const view = new DataView(bytes.buffer);
  const { at, packedSize, path, size, isPacked, checksum } = entry;
  if (at + 30 > bytes.length || u32(view, at) !== 0x04034b50) throw broken();
  const from = at + 30 + u16(view, at + 26) + u16(view, at + 28);
  if (from + packedSize > bytes.length) throw broken();
  const packed = bytes.subarray(from, from + packedSize);
  const content = isPacked ? await unpacked(packed, size) : packed;
  if (content.length !== size || crc32(content) !== checksum) throw broken();
  return { path, size, content };
}

/** Stops where more comes than was announced. */
async function unpacked(packed: Uint8Array<ArrayBuffer>, size: number): Promise<Uint8Array<ArrayBuffer>> {
  const content = new Uint8Array(size);
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  let length = 0;
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      if (length + part.value.length > size) throw broken();
      content.set(part.value, length);
      length += part.value.length;
    }
  } catch {
    void reader.cancel().catch(() => {});
    throw broken();
  }
  return content.subarray(0, length);
}

const u16 = (view: DataView, at: number): number => view.getUint16(at, true);
const u32 = (view: DataView, at: number): number => view.getUint32(at, true);
