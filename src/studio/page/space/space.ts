/** The bodies of a run in space, at the time cursor: what is seen is that of the run whose curves are seen, as soon as it has ended. */
import type { Scene } from '../../../animation/scene.ts';
import { make } from '../dom.ts';
import { type Engine, loadScript } from '../engine.ts';
import type { Run } from '../run.ts';
import type { Store } from '../store.ts';
import { texts } from '../texts.ts';
import { nextFrame, Value } from '../value.ts';
import type { SpacePicture } from './scene.ts';

export class SpaceView {
  /** Whether there is anything to see. */
  readonly isThere = new Value(false);
  private readonly place = make('div', { class: 'space-picture' });
  private readonly words = make('p', { class: 'empty', role: 'status' });
  readonly element = make('div', { class: 'space' }, this.place, this.words);
  private picture: SpacePicture | undefined;
  private isLoading = false;
  /** The run whose scene the picture has. */
  private drawn: Run | undefined;
  private readonly draw = nextFrame(() => {
    if (this.isSeen) this.picture?.draw();
  });

  constructor(
    private readonly store: Store,
    private readonly engine: Engine,
  ) {
    let ended = (): void => {};
    store.run.watch((run) => {
      ended();
      ended = run?.state.watch(() => this.renew()) ?? (() => {});
      this.renew();
    });
    store.cursor.follow((time) => this.move(time));
    store.isDark.follow((isDark) => this.picture?.dark(isDark));
  }

  shown(): void {
    this.move(this.store.cursor.now);
    void this.load();
  }

  private get isSeen(): boolean {
    return this.element.offsetParent !== null;
  }

  private renew(): void {
    const run = this.store.run.now;
    if (run && !run.isOver) return;
    this.isThere.set(run?.report?.hasScene ?? false);
    void this.load();
  }

  private move(time: number): void {
    if (!this.isSeen || !this.picture) return;
    this.picture.show(time);
    this.draw();
  }

  /** The newest run that has something in it; one at a time. */
  private async load(): Promise<void> {
    const { store } = this;
    const run = store.run.now;
    if (!this.isSeen || this.isLoading || !run?.report?.hasScene || run === this.drawn) return;
    this.isLoading = true;
    if (!this.picture) this.say(texts.loadingScene);
    try {
      const [scene] = await Promise.all([
        this.engine.runner.ask('scene', run.order.run),
        loadScript('scene.js'),
      ]);
      this.drawn = run;
      // A worker that has begun again knows nothing of earlier runs.
      if (!scene) this.say(texts.noScene);
      else {
        this.put(scene);
        this.say('');
      }
    } catch {
      this.say(texts.noScene);
    } finally {
      this.isLoading = false;
    }
    if (store.run.now !== run) await this.load();
  }

  private put(scene: Scene): void {
    const { cursor, isDark } = this.store;
    if (this.picture) this.picture.change(scene, cursor.now);
    else {
      this.picture = globalThis.mutaborPicture!(this.place, scene, cursor.now, () => this.draw());
      this.picture.dark(isDark.now);
    }
    this.draw();
  }

  private say(words: string): void {
    this.words.textContent = words;
    this.words.hidden = words === '';
  }
}
