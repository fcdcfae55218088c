/**
 * Setups of a scene by what holds. A change back to joints that held before, such as the next grip of the same hand, takes the setup from then: only
 * poses are others.
 */
import type { Leading } from './ports.ts';
import type { Scene } from './scene/scene.ts';
import { Setup } from './setup.ts';
import type { Structure } from './structure.ts';

/** So many are kept: those that were used last. */
const most = 64;

export class Setups {
  private readonly kept = new Map<string, Setup>();

  constructor(
    private readonly scene: Scene,
    private readonly last: readonly Float64Array[],
    private readonly leading: Leading,
  ) {}

  /** The setup of a structure, to be given a motion. It is the same object for all structures in which the same joints hold. */
  of(structure: Structure): Setup {
    const { kept } = this;
    const key = keyOf(structure);
    const known = kept.get(key);
    known?.renew(structure);
    const setup = known ?? new Setup(this.scene, structure, this.last, this.leading);
    kept.delete(key);
    kept.set(key, setup);
    if (kept.size > most) kept.delete(kept.keys().next().value!);
    return setup;
  }
}

const keyOf = ({ held, bound, rolling, removed, beginning }: Structure): string =>
  [held.keys(), bound.keys(), rolling, removed, beginning?.keys() ?? []]
    .map((joints) => [...joints].join())
    .join(';');
