/** Makes a text that shows a finding small: parts are left out as long as it still shows it. */
import { members, tokensOf } from './mutate.ts';

/** Attempts in all: each is a whole way through everything. */
const MOST = 400;

export async function shrunk(text: string, shows: (text: string) => Promise<boolean>): Promise<string> {
  let budget = MOST;
  const isShown = async (candidate: string): Promise<boolean> => budget-- > 0 && (await shows(candidate));
  let best = text;
  for (const split of [members, tokensOf]) best = (await without(split(best), isShown)).join('');
  return best;
}

/** Leaves out runs of parts, long ones first (Zeller and Hildebrandt 2002, without the subsets). */
async function without(parts: string[], isShown: (text: string) => Promise<boolean>): Promise<string[]> {
  let left = parts;
  for (let length = Math.ceil(left.length / 2); length >= 1; length = Math.floor(length / 2)) {
    for (let at = 0; at < left.length; ) {
      const candidate = [...left.slice(0, at), ...left.slice(at + length)];
      if (candidate.length > 0 && (await isShown(candidate.join('')))) left = candidate;
      else at += length;
    }
  }
  return left;
}
