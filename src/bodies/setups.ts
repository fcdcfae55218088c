/**
 * Setups of a scene by what holds. A change back to joints that held before, such as the next grip of the same hand, takes the setup from then: only
 * poses are others. So does the next run with the same scene, once a run is over.
 */
import { remember } from '../collections/memo.ts';
import type { Leading } from './ports.ts';
import { flangesAreLinks, type Held } from './scene/assembly.ts';
import type { Scene } from './scene/scene.ts';
import { stepsIn } from './scene/steps.ts';
import { Setup } from './setup.ts';
import type { Structure } from './structure.ts';

/** So many are kept: those that were used last. What is known of others takes little room. */
const most = 64;
const mostKnown = 10_000;

/** Those that no run uses. */
const idle = new WeakMap<Scene, Setups>();

export class Setups {
  /** By step of all joints: the last coordinate that is known, from which angles go on. */
  readonly last: Float64Array;
  private readonly kept = new Map<string, Setup>();
  /** By joints that hold: whether all joints with flanges still are links. */
  private readonly linked = new Map<string, boolean>();

  /** Those of a run: a scene belongs to one component, whose joints with flanges are always joined in the same way. */
  static take(scene: Scene, leading: Leading): Setups {
    const known = idle.get(scene);
    idle.delete(scene);
    return known ?? new Setups(scene, leading);
  }

  private constructor(
    private readonly scene: Scene,
    private readonly leading: Leading,
  ) {
    this.last = new Float64Array(stepsIn(scene).plain.length);
  }

  /** The run is over. */
  giveBack(): void {
    idle.set(this.scene, this);
  }

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
