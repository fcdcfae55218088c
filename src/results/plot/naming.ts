/**
 * Names of modes. The whole name is the signature, conditions with `not` before those that do not hold; where there is no room for it, all modes
 * that are named together have shorter names of one kind: the conditions that change among them, those of these that hold, or some that tell the
 * modes apart. Elements of an array are listed as such: `d[1:3,7].off`.
 */
import { grouped } from '../../collections/groups.ts';
import { remember } from '../../collections/memo.ts';
import { splitNames } from '../table/glob.ts';

export const modeName = (signature: string): string => signature || '(no choices)';

/** Names by signature. */
export type ModeNames = ReadonlyMap<string, string>;

export interface ShorterNames {
  readonly names: ModeNames;
  /** They leave out conditions that differ, for want of room. */
  readonly isPartial: boolean;
}

/** More modes are not told apart by names; they have numbers. */
const MOST_TOLD = 64;
const NOTHING_HOLDS = 'none of these';

/** Shorter and shorter names of different signatures, as far as these are different, too. */
export function shorterNames(signatures: readonly string[]): ShorterNames[] {
  const groups = grouped(signatures.flatMap(conditionsOf), (condition) => condition);
  const isChanging = (condition: string): boolean =>
    signatures.length === 1 || groups.get(condition)!.length < signatures.length;
  const changing = (signature: string): string[] => conditionsOf(signature).filter(isChanging);
  const holding = (signature: string): string[] => changing(signature).filter((one) => !isDenied(one));
  const telling = tellingConditions(signatures.slice(0, MOST_TOLD).map(changing));
  const told = (signature: string): string => {
    const all = changing(signature);
    const some = all.filter((condition) => telling.has(stated(condition)));
    return some.length === 0 || some.length === all.length ? compact(all) : `${compact(some)}, …`;
  };
  const forms = [
    (signature: string) => compact(changing(signature)) || modeName(signature),
    (signature: string) => compact(holding(signature)) || NOTHING_HOLDS,
    told,
  ];
  return forms
    .map((form) => ({ list: signatures.map(form), isPartial: form === told }))
    .filter(({ list }) => new Set(list).size === list.length)
    .map(({ list, isPartial }) => ({
      names: new Map(signatures.map((signature, i) => [signature, list[i]!])),
      isPartial,
    }));
}

/** Names of modes for lines of text: the first kind of them that is short enough, otherwise the shortest kind. */
export function briefNames(signatures: readonly string[], longest: number): ModeNames {
  const different = [...new Set(signatures)];
  const whole = new Map(different.map((signature) => [signature, modeName(signature)]));
  const lengthOf = (names: ModeNames): number =>
    Math.max(0, ...[...names.values()].map(({ length }) => length));
  if (lengthOf(whole) <= longest) return whole;
  const kinds = shorterNames(different).map(({ names }) => names);
  const fitting = kinds.find((names) => lengthOf(names) <= longest);
  return fitting ?? kinds.reduce((best, names) => (lengthOf(names) < lengthOf(best) ? names : best), whole);
}

/** Conditions as one text, in which elements of arrays that stand in the same place are one. */
export function compact(conditions: readonly string[]): string {
  const groups = new Map<
    string,
    { readonly parts: readonly [string, string]; readonly elements: number[] }
  >();
  for (const condition of conditions) {
    const [, before, element, after] = /^([^[]*)\[(\d+)\](.*)$/s.exec(condition) ?? [];
    const parts = element === undefined ? ([condition, ''] as const) : ([before!, after!] as const);
    const { elements } = remember(groups, `${element === undefined}${parts.join('[]')}`, () => ({
      parts,
      elements: [],
    }));
    if (element !== undefined) elements.push(Number(element));
  }
  return [...groups.values()]
    .map(({ parts, elements }) => (elements.length === 0 ? parts[0] : parts.join(`[${ranges(elements)}]`)))
    .join(', ');
}

/** `1:3,7` */
function ranges(elements: readonly number[]): string {
  const found: [first: number, last: number][] = [];
  for (const element of [...elements].sort((a, b) => a - b)) {
    const open = found[found.length - 1];
    if (open && element === open[1] + 1) open[1] = element;
    else found.push([element, element]);
  }
  return found.map(([first, last]) => (first === last ? `${first}` : `${first}:${last}`)).join();
}

/** Conditions that tell lists of them apart, each chosen because it tells most of them apart that are not yet. */
function tellingConditions(lists: readonly (readonly string[])[]): ReadonlySet<string> {
  const all = [...new Set(lists.flatMap((list) => list.map(stated)))];
  const values = all.map((condition) =>
    lists.map((list) => {
      const own = list.find((one) => stated(one) === condition);
      return own === undefined ? 0 : isDenied(own) ? 1 : 2;
    }),
  );
  const chosen = new Set<string>();
  let groups = lists.map(() => 0);
  for (let told = 1; told < lists.length; ) {
    const splits = values.map((list) => groups.map((group, i) => 3 * group + list[i]!));
    const sizes = splits.map((split) => new Set(split).size);
    const best = sizes.indexOf(Math.max(...sizes));
    if (best < 0 || sizes[best]! <= told) break;
    told = sizes[best]!;
    const numbers = new Map([...new Set(splits[best])].map((group, i) => [group, i]));
    groups = splits[best]!.map((group) => numbers.get(group)!);
    chosen.add(all[best]!);
  }
  return chosen;
}

const isDenied = (condition: string): boolean => condition.startsWith('not ');

/** A condition without `not`. */
const stated = (condition: string): string => condition.replace(/^not \((.*)\)$/s, '$1').replace(/^not /, '');

/** The conditions of a signature: parts between commas that stand in no brackets. */
export const conditionsOf: (signature: string) => string[] = splitNames;
