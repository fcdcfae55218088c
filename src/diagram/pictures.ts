/**
 * Bitmaps of annotations as addresses that hold the picture itself (`data:image/png;base64,…`): a drawing refers to nothing outside of it. Files are read below the library that their
 * name begins with, and nowhere else; the kind of a picture is told by its first bytes.
 */
import type { ClassStore } from '../model/classes/store.ts';
import { fromBase64, toBase64 } from '../paint/base64.ts';

export interface Bitmap {
  readonly fileName: string;
  readonly imageSource: string;
}

/** Bytes of the largest picture; larger ones are left out. */
const LARGEST = 4e6;

/** The address of a picture; undefined where there is none that can be shown. */
export function pictureAddress(library: ClassStore, { fileName, imageSource }: Bitmap): string | undefined {
  const bytes = imageSource === '' ? fileBytes(library, fileName) : sourceBytes(imageSource);
  const kind = bytes && bytes.length <= LARGEST ? kindOf(bytes) : undefined;
  return kind && `data:image/${kind};base64,${toBase64(bytes!)}`;
}

function fileBytes({ resources }: ClassStore, name: string): Uint8Array | undefined {
  // `modelica:/Library/path` is the later form of `modelica://Library/path`.
  const uri = name.replace(/^modelica:\/(?!\/)/i, 'modelica://');
  return /^modelica:\/\//i.test(uri) ? resources.read(uri) : undefined;
}

function sourceBytes(text: string): Uint8Array | undefined {
  try {
    return fromBase64(text.replace(/\s+/g, ''));
  } catch {
    return undefined;
  }
}

function kindOf(bytes: Uint8Array): string | undefined {
  const begins = (...start: readonly number[]): boolean => start.every((byte, i) => bytes[i] === byte);
  if (begins(0x89, 0x50, 0x4e, 0x47)) return 'png';
  if (begins(0xff, 0xd8, 0xff)) return 'jpeg';
  if (begins(0x47, 0x49, 0x46, 0x38)) return 'gif';
  if (begins(0x42, 0x4d)) return 'bmp';
  const head = new TextDecoder().decode(bytes.subarray(0, 1000));
  return /^\uFEFF?\s*(<\?xml|<!--|<!DOCTYPE|<svg)/.test(head) &&
    /<svg[\s>]/.test(new TextDecoder().decode(bytes))
    ? 'svg+xml'
    : undefined;
}
