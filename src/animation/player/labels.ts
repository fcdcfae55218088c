/** Names beside what they name, where they do not cover each other. One for which there is no room is not shown; closer to it there is. */

/** In pixels: the place that is named, and how large the name is. */
export interface Named {
  readonly key: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Between the place and its name. */
const GAP = 8;
/** To the right or the left, and how many lines up or down; what is nearest comes first. */
const SLOTS = [0, 1, -1, 2, -2, 3, -3].flatMap((line) => [
  { isLeft: false, line },
  { isLeft: true, line },
]);

export class Labels {
  /** By name the slot that it has had, so that names do not jump. */
  private readonly slots = new Map<string, number>();

  /** By name its upper left corner; undefined where there is no room. */
  arranged(names: readonly Named[]): ({ readonly left: number; readonly top: number } | undefined)[] {
    const taken: Rectangle[] = [];
    return names.map((named) => {
      const before = this.slots.get(named.key) ?? 0;
      for (const slot of [before, ...SLOTS.keys()]) {
        const own = rectangle(named, slot);
        if (taken.some((other) => overlap(own, other))) continue;
        taken.push(own);
        this.slots.set(named.key, slot);
        return own;
      }
      return undefined;
    });
  }
}

function rectangle({ x, y, width, height }: Named, slot: number): Rectangle {
  const { isLeft, line } = SLOTS[slot]!;
  const left = Math.round(isLeft ? x - GAP - width : x + GAP);
  const top = Math.round(y - height / 2 + line * height);
  return { left, top, right: left + width, bottom: top + height };
}

const overlap = (a: Rectangle, b: Rectangle): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
