/** All classes of libraries by their names and descriptions, collected in slices when somebody searches first: other questions are answered in between. */
import { descriptionOf } from '../../language/outline.ts';
import type { ClassEntity } from '../../model/classes/class.ts';

/** Milliseconds of a slice. */
const SLICE = 20;
/** More classes are not collected. */
const MOST = 100_000;

interface Entry {
  readonly name: string;
  /** In small letters, as they are compared: the name, its last part, the description. */
  readonly path: string;
  readonly own: string;
  readonly text: string;
  /** Whether it is a component: packages, types and functions of the same name are sought less often. */
  readonly isComponent: boolean;
}

export class Names {
  private collected: Promise<readonly Entry[]> | undefined;
  private isOver = false;

  constructor(
    private readonly top: () => readonly ClassEntity[],
    private readonly within: (entity: ClassEntity) => readonly ClassEntity[],
  ) {}

  /** Nobody needs it any more. */
  end(): void {
    this.isOver = true;
  }

  /** Names of classes that have all words in them; those that are called so before those that are described so, and of these components first. */
  async find(words: string, most: number): Promise<string[]> {
    const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
    if (wanted.length === 0) return [];
    this.collected ??= this.collect();
    const ranked = (await this.collected).flatMap((entry) => {
      const rank = rankOf(entry, wanted);
      return rank === undefined ? [] : [{ ...entry, rank }];
    });
    ranked.sort(
      (a, b) =>
        a.rank - b.rank ||
        Number(b.isComponent) - Number(a.isComponent) ||
        a.name.length - b.name.length ||
        (a.name < b.name ? -1 : 1),
    );
    return ranked.slice(0, most).map(({ name }) => name);
  }

  private async collect(): Promise<readonly Entry[]> {
    const entries: Entry[] = [];
    const queue = [...this.top()].reverse();
    let since = performance.now();
    for (let next = queue.pop(); next && entries.length < MOST && !this.isOver; next = queue.pop()) {
      const own = next.definition.name.text.toLowerCase();
      const text = descriptionOf(next.definition).toLowerCase();
      const isComponent = canBeComponent(next);
      entries.push({ name: next.path, path: next.path.toLowerCase(), own, text, isComponent });
      queue.push(...[...this.within(next)].reverse());
      if (performance.now() - since < SLICE) continue;
      await new Promise((resolve) => setTimeout(resolve));
      since = performance.now();
    }
    return entries;
  }
}

/** Whether a diagram can have components of a class. */
export const canBeComponent = ({ definition: { partial, restriction } }: ClassEntity): boolean =>
  !partial && /^(?:model|block|class|record|(?:expandable )?connector)$/.test(restriction);

/** Undefined where a word is missing. */
function rankOf({ path, own, text }: Entry, words: readonly string[]): number | undefined {
  let rank = 0;
  for (const word of words) {
    if (own === word) continue;
    if (own.startsWith(word)) rank += 1;
    else if (own.includes(word)) rank += 2;
    else if (path.includes(word)) rank += 3;
    else if (text.includes(word)) rank += 4;
    else return undefined;
  }
  return rank;
}
