/**
 * The identifiers of a text, each kept once. A word is looked up by its place in the text, without making a string of it first:
 * most identifiers of a model have been seen before. An open-addressed hash table with linear probing; the reserved words
 * are in it from the start, so that one look-up tells both.
 */
import { firstKeyword, keywords } from './tokens.ts';

export class Words {
  /** The words by number; the reserved words first, in their order. */
  readonly texts: string[] = [...keywords];
  private hashes: Int32Array<ArrayBuffer> = keywordHashes.slice();
  /** Number of a word plus one, or 0 for an empty slot; the length is a power of two. */
  private slots: Int32Array<ArrayBuffer> = keywordSlots.slice();

  /** The number of the word at `start` to `end` of `text`. */
  intern(text: string, start: number, end: number): number {
    const hash = hashOf(text, start, end);
    const { slots, hashes, texts } = this;
    const mask = slots.length - 1;
    let slot = spread(hash) & mask;
    for (let entry = slots[slot]!; entry !== 0; entry = slots[slot]!) {
      if (hashes[entry - 1] === hash && equals(texts[entry - 1]!, text, start, end)) return entry - 1;
      slot = (slot + 1) & mask;
    }
    const word = texts.length;
    texts.push(text.slice(start, end));
    if (word === hashes.length) this.hashes = grown(hashes);
    this.hashes[word] = hash;
    slots[slot] = word + 1;
    if (2 * texts.length > slots.length) this.slots = table(this.hashes, texts.length, 2 * slots.length);
    return word;
  }

  /** The kind of token of a reserved word, 0 for any other. */
  keywordKind(word: number): number {
    return word < keywords.length ? firstKeyword + word : 0;
  }
}

/** FNV-1a on UTF-16 units. */
function hashOf(text: string, start: number, end: number): number {
  let hash = 0x811c9dc5 | 0;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash;
}

const spread = (hash: number): number => hash ^ (hash >>> 15);

function table(hashes: Int32Array, count: number, size: number): Int32Array<ArrayBuffer> {
  const slots = new Int32Array(size);
  for (let word = 0; word < count; word++) {
    let slot = spread(hashes[word]!) & (size - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (size - 1);
    slots[slot] = word + 1;
  }
  return slots;
}

function grown(hashes: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * hashes.length);
  larger.set(hashes);
  return larger;
}

function equals(word: string, text: string, start: number, end: number): boolean {
  if (word.length !== end - start) return false;
  for (let i = 0; i < word.length; i++) {
    if (word.charCodeAt(i) !== text.charCodeAt(start + i)) return false;
  }
  return true;
}

const keywordHashes = new Int32Array(128);
keywords.forEach((word, i) => {
  keywordHashes[i] = hashOf(word, 0, word.length);
});
const keywordSlots = table(keywordHashes, keywords.length, 256);
