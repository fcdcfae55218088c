/** What is stored of the objects of a scene: where they are and how they move. */
import type { Segment, VariableDeclaration } from '../builtin/component.ts';
import { remember } from '../collections/memo.ts';
import { withPath } from '../names/names.ts';
import type { Frames } from './frames.ts';
import { massless } from './mass.ts';
import * as readings from './readings.ts';
import type { Scene } from './scene/scene.ts';
import type { Setup } from './setup.ts';
import type { Structure } from './structure.ts';

/** How much is stored of an object: position, angles, velocity, angular velocity. */
const storedNumbers = 12;

export class StoredMotion {
  /** Objects whose motion is stored, in this order. */
  private readonly stored: readonly Stored[];
  private readonly declared: Results['declared'];
  /** What is where in the present structure. */
  private order: Order = nothing;
  constructor(scene: Scene) {
    const { stored, declared } = remember(results, scene, () => ({
      stored: storedIn(scene),
      declared: new Map(),
    }));
    this.stored = stored;
    this.declared = declared;
  }

  /** Takes up another structure, once the objects in the world are where they stay. */
  setUp(setup: Setup): void {
    const { frames } = setup;
    const order = remember(orders, setup, () => this.orderIn(setup));
    for (let n = 0; n < order.staying.length; n++)
      write(frames, order.staying[n]!, order.numbers, order.stayingAt[n]!);
    this.order = order;
  }

  private orderIn({ frames, assembly }: Setup): Order {
    const there = this.stored.flatMap(({ object }) => (assembly.gone[object] === 1 ? [] : [object]));
    const picked = (moves: boolean) =>
      [...there.keys()].filter((n) => frames.linkOf(there[n]!) >= 0 === moves);
    const [moving, staying] = [picked(true), picked(false)];
    return {
      moving: Int32Array.from(moving, (n) => there[n]!),
      movingAt: Int32Array.from(moving, (n) => storedNumbers * n),
      staying: Int32Array.from(staying, (n) => there[n]!),
      stayingAt: Int32Array.from(staying, (n) => storedNumbers * n),
      numbers: new Float64Array(storedNumbers * there.length),
    };
  }

  declare(segment: Segment, { removed }: Structure, { assembly: { gone } }: Setup): void {
    segment.variables(
      remember(this.declared, removed.join(), () =>
        Object.freeze(this.stored.flatMap(({ object, results }) => (gone[object] === 1 ? [] : results))),
      ),
    );
  }

  /** Writes the motion of all objects that are there. */
  write({ frames, mechanism }: Setup, w: Float64Array): void {
    const { moving, movingAt, numbers } = this.order;
    w.set(numbers);
    for (let n = 0; n < moving.length; n++) {
      frames.update(moving[n]!, mechanism);
      if (n === 0) write(frames, moving[n]!, w, movingAt[n]!);
      else write(frames, moving[n]!, w, movingAt[n]!, moving[n - 1], movingAt[n - 1]);
    }
  }
}

/** Writes the motion of an object to a place; that of another one, written before, is at a place of its own. */
function write(frames: Frames, object: number, w: Float64Array, at: number, other = -1, otherAt = 0): void {
  const { position, velocity, angular } = frames;
  for (let i = 0; i < 3; i++) {
    w[at + i] = position[3 * object + i]!;
    w[at + 6 + i] = velocity[3 * object + i]!;
    w[at + 9 + i] = angular[3 * object + i]!;
  }
  readings.worldAngles(frames, object, other, w, at + 3, otherAt + 3);
}

/** Objects that move and that stay where they are, where what is stored of each begins, and what is stored of those that stay. */
interface Order {
  readonly moving: Int32Array;
  readonly movingAt: Int32Array;
  readonly staying: Int32Array;
  readonly stayingAt: Int32Array;
  readonly numbers: Float64Array;
}

/** By setup, which one run at a time uses. */
const orders = new WeakMap<Setup, Order>();

const none = new Int32Array(0);
const nothing: Order = {
  moving: none,
  movingAt: none,
  staying: none,
  stayingAt: none,
  numbers: new Float64Array(0),
};

/** What is stored of the objects of a scene. */
interface Results {
  readonly stored: readonly Stored[];
  /** By objects that are taken away: what is declared of the others. */
  readonly declared: Map<string, readonly VariableDeclaration[]>;
}

const results = new WeakMap<Scene, Results>();

interface Stored {
  readonly object: number;
  readonly results: readonly VariableDeclaration[];
}

/** All objects but the world: those with mass come first, as people want to see them first. */
function storedIn({ objects }: Scene): Stored[] {
  const all = [...objects.keys()].slice(1);
  const isMassless = (k: number) => Number(objects[k]!.mass === massless);
  return all
    .sort((a, b) => isMassless(a) - isMassless(b))
    .map((object) => {
      const { part, fixed } = objects[object]!;
      // Frozen, because they are declared again and again.
      const results = Object.entries(part!.kind.results!).map(([name, options]) =>
        Object.freeze({
          name: withPath(part!.path, name),
          options: Object.freeze({ ...options, state: !fixed }),
        }),
      );
      return { object, results };
    });
}
