/**
 * Setups of a scene by what holds. A change back to joints that held before, such as the next grip of the same hand, takes the setup from then: only
 * poses are others.
 */
import { remember } from '../collections/memo.ts';
import type { Leading } from './ports.ts';
import { flangesAreLinks, type Held } from './scene/assembly.ts';
import type { Scene } from './scene/scene.ts';
import { Setup } from './setup.ts';
import type { Structure } from './structure.ts';

/** So many are kept: those that were used last. What is known of others takes little room. */
const most = 64;
const mostKnown = 10_000;

export class Setups {
  private readonly kept = new Map<string, Setup>();
  /** By joints that hold: whether all joints with flanges still are links. */
  private readonly linked = new Map<string, boolean>();

  constructor(
    private readonly scene: Scene,
    private readonly last: Float64Array,
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

  /** Whether joints with flanges still are links where these joints hold and objects are taken away. Those that are driven must be: that is an error otherwise. */
  keepsFlanges(held: Held, removed: readonly number[]): boolean {
    if (this.leading === 'driven') return true;
    if (this.linked.size > mostKnown) this.linked.clear();
    const areLinks = () => flangesAreLinks(this.scene, held, removed);
    return remember(this.linked, `${[...held.keys()]};${removed}`, areLinks);
  }
}

/** Asked for at every change: written out, this is several times faster than joining lists. */
function keyOf({ held, bound, rolling, removed, beginning }: Structure): string {
  let key = '';
  for (const joint of held.keys()) key += `${joint},`;
  key += ';';
  for (const joint of bound.keys()) key += `${joint},`;
  key += ';';
  for (const joint of rolling) key += `${joint},`;
  key += ';';
  for (const object of removed) key += `${object},`;
  key += ';';
  if (beginning) for (const joint of beginning.keys()) key += `${joint},`;
  return key;
}
