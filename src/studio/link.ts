/**
 * Links that hold a model with all that belongs to it: the texts of its files, the chosen class, values of parameters, settings, and what is looked at.
 *
 *     #share=1.<base64url>        version, and bytes: the CRC-32 of the content, then the content, deflated (RFC 1951)
 *
 * The content is JSON (`Shared`). Nobody but the reader sees it: browsers send no fragments. Whoever opens a link trusts nothing in it: sizes are limited, also those of what
 * is unpacked, names of files cannot lead anywhere else, and all that is not as it has to be is a `LinkProblem`.
 */

import { crc32 } from '../collections/crc.ts';
import { fromBase64, toBase64 } from '../paint/base64.ts';
import { methods } from '../solve/integrator.ts';
import type { ParameterSetting, RunSettings } from './protocol.ts';

export interface Shared {
  /** Texts by path. */
  readonly files: Readonly<Record<string, string>>;
  /** The one that is open. */
  readonly file: string;
  readonly model: string;
  readonly settings: RunSettings;
  readonly values: Readonly<Record<string, ParameterSetting>>;
  readonly view: SharedView;
}

/** What is looked at. */
export interface SharedView {
  /** Names of signals by diagram; undefined for those that the model suggests. */
  readonly diagrams?: readonly (readonly string[])[];
  readonly window?: readonly [from: number, to: number];
  readonly cursor?: number;
  readonly hidden?: readonly string[];
  /** Areas of the page that are seen: `diagram`, `modes`. */
  readonly tabs?: readonly string[];
}

/** Where texts of links stand in the workspace: no other file can have such a path. */
export const SHARED = '(shared)/';

const VERSION = 1;
const KEY = 'share';

/** Characters of a link, and bytes of what is in it. */
export const MOST_CHARACTERS = 100_000;
const MOST_BYTES = 2_000_000;
const MOST_FILES = 200;
const MOST_NAMES = 2000;

/** Why a link cannot be made, or opened. */
export type LinkProblem = 'large' | 'broken' | 'newer';

/** The fragment of an address, without `#`. */
export async function packLink(shared: Shared): Promise<string | LinkProblem> {
  const content = new TextEncoder().encode(JSON.stringify(shared));
  if (content.length > MOST_BYTES) return 'large';
  const packed = await through(content, new CompressionStream('deflate-raw'), Number.POSITIVE_INFINITY);
  const bytes = new Uint8Array(4 + packed!.length);
  new DataView(bytes.buffer).setUint32(0, crc32(content));
  bytes.set(packed!, 4);
  const text = toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  return text.length > MOST_CHARACTERS ? 'large' : `${KEY}=${VERSION}.${text}`;
}

/** Whether the fragment of an address is a link of a studio. */
export const isLink = (address: string): boolean => linkIn(address) !== undefined;

/** What a link holds; it may be a whole address, or its fragment. */
export async function openLink(address: string): Promise<Shared | LinkProblem> {
  const link = linkIn(address);
  if (link === undefined) return 'broken';
  const [, version, text] = /^(\d{1,6})\.([\w-]*)$/.exec(link) ?? [];
  if (version !== undefined && Number(version) > VERSION) return 'newer';
  if (version !== String(VERSION) || text === undefined) return 'broken';
  if (text.length > MOST_CHARACTERS) return 'large';
  try {
    const bytes = fromBase64(text.replaceAll('-', '+').replaceAll('_', '/'));
    const content = await through(bytes.subarray(4), new DecompressionStream('deflate-raw'), MOST_BYTES);
    if (!content) return 'large';
    if (crc32(content) !== new DataView(bytes.buffer).getUint32(0)) return 'broken';
    const found: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(content));
    return sharedIn(found) ?? 'broken';
  } catch {
    return 'broken';
  }
}

/** Programs that send texts on add blanks and angle brackets. */
const linkIn = (address: string): string | undefined =>
  new RegExp(`(?:^|#)${KEY}=([^\\s>]*)`).exec(address.trim())?.[1];

/** Bytes as a stream gives them; undefined where these are more than `most`, of which no more are made. */
async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
  most: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value as Uint8Array);
    length += (value as Uint8Array).length;
    if (length > most) {
      await reader.cancel();
      return undefined;
    }
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

// ---------------------------------------------------------------- what may be in a link

type Data = Readonly<Record<string, unknown>>;

const isData = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const isName = (value: unknown): value is string => isText(value) && value.length <= 1000;
const isListOf = <T>(value: unknown, is: (item: unknown) => item is T): value is readonly T[] =>
  Array.isArray(value) && value.length <= MOST_NAMES && value.every((item) => is(item));

/** Folders and names that every system can keep, which hide nothing, of texts that a model may be made of. */
const goodPath =
  /^(?:[^\p{C}\\/:*?"<>|.( ][^\p{C}\\/:*?"<>|]*\/){0,20}[^\p{C}\\/:*?"<>|.( ][^\p{C}\\/:*?"<>|]*\.(?:mo|order|csv|txt|json)$/u;
export const isGoodPath = (path: string): boolean =>
  path.length <= 200 && goodPath.test(path) && !path.includes('..');

function sharedIn(found: unknown): Shared | undefined {
  if (!isData(found)) return undefined;
  const { files, file, model, settings = {}, values = {}, view = {} } = found;
  if (!isData(files) || !isData(settings) || !isData(values) || !isData(view)) return undefined;
  const paths = Object.keys(files);
  const isRight =
    paths.length <= MOST_FILES &&
    paths.every((path) => isGoodPath(path) && isText(files[path])) &&
    isText(file) &&
    Object.hasOwn(files, file) &&
    isName(model) &&
    isSettings(settings) &&
    Object.keys(values).length <= MOST_NAMES &&
    Object.entries(values).every(([name, value]) => isName(name) && isSetting(value)) &&
    isView(view);
  return isRight
    ? ({ files, file, model, settings, values, view: { ...view } } as unknown as Shared)
    : undefined;
}

const isSetting = (value: unknown): value is ParameterSetting =>
  isNumber(value) || typeof value === 'boolean' || isName(value);

const isSettings = (settings: Data): boolean =>
  Object.entries(settings).every(([name, value]) => {
    if (name === 'method') return methods.some((method) => method === value);
    if (name === 'tolerance') return isNumber(value) && value > 0 && value < 1;
    if (name === 'intervals') return isNumber(value) && Number.isInteger(value) && value >= 1;
    return (name === 'startTime' || name === 'stopTime') && isNumber(value);
  });

const isView = ({ diagrams, window, cursor, hidden, tabs }: Data): boolean =>
  (diagrams === undefined ||
    isListOf(diagrams, (names): names is readonly string[] => isListOf(names, isName))) &&
  (window === undefined || (isListOf(window, isNumber) && window.length === 2 && window[0]! < window[1]!)) &&
  (cursor === undefined || isNumber(cursor)) &&
  (hidden === undefined || isListOf(hidden, isName)) &&
  (tabs === undefined || isListOf(tabs, isName));
