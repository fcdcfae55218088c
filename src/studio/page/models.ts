/** Follows the text that is open: which models it has, and what is known of the one that is chosen. The newest question counts. */
import type { ModelName, ParameterSetting } from '../protocol.ts';
import type { Engine } from './engine.ts';
import type { Store } from './store.ts';
import { texts } from './texts.ts';

/** Milliseconds from the last change to a look at it. */
const SOON = 250;
/** Milliseconds: what takes longer is not prepared, because a run that is wanted meanwhile would wait for it. */
const QUICK = 1500;

export class ModelWatch {
  private timer = 0;
  /** Looks at texts, and questions for a model: an older answer does not count. */
  private looks = 0;
  private descriptions = 0;
  private isPreparing = false;
  /** The look at the newest text, while it is not answered. */
  private looking: Promise<void> | undefined;

  constructor(
    private readonly store: Store,
    private readonly engine: () => Engine,
  ) {
    store.open.watch((path, before) => {
      store.values.set({});
      store.settings.set({});
      store.report.set(undefined);
      store.messages.set([]);
      store.isReading.set(path !== undefined);
      if (path !== undefined || before !== undefined) this.begin();
    });
    store.model.follow(() => void this.describe());
    store.libraries.follow(() => this.changed());
    store.replaced.follow((replaced) => {
      if (replaced?.path === store.open.now) this.changed();
    });
  }

  /** The text has changed. */
  changed(): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.begin(), SOON);
  }

  /** When the models of the text of this moment are known; undefined where they are. */
  settled(): Promise<void> | undefined {
    if (this.timer !== 0) this.begin();
    return this.looking;
  }

  private begin(): void {
    clearTimeout(this.timer);
    this.timer = 0;
    const looking = this.look().finally(() => {
      if (this.looking === looking) this.looking = undefined;
    });
    this.looking = looking;
  }

  private async look(): Promise<void> {
    const { store } = this;
    const path = store.open.now;
    const look = ++this.looks;
    // What is known of a model of the text before does not count any more.
    this.descriptions++;
    if (path === undefined || !path.endsWith('.mo')) {
      // There is nothing in it that could run.
      store.isReading.set(false);
      store.classes.set([]);
      store.model.set(undefined);
      return;
    }
    const classes = await this.engine()
      .service.ask('classes', path)
      .catch(() => undefined);
    if (look !== this.looks) return;
    const models = (classes ?? []).filter(({ isModel }) => isModel).map(({ name }) => name);
    store.isReading.set(models.length > 0);
    if (!classes) return;
    store.classes.set(classes);
    const chosen = models.includes(store.model.now ?? '') ? store.model.now : lastOf(models);
    if (chosen === store.model.now) void this.describe();
    else store.model.set(chosen);
  }

  private async describe(): Promise<void> {
    const { store } = this;
    const [file, model] = [store.open.now, store.model.now];
    const description = ++this.descriptions;
    if (file === undefined || model === undefined) {
      store.messages.set([]);
      return;
    }
    const asked = performance.now();
    const answer = await this.engine()
      .service.ask('model', { file, model })
      .catch(() => undefined);
    if (description !== this.descriptions) return;
    store.isReading.set(false);
    if (!answer) return;
    store.messages.set(answer.messages);
    // While a text is being written, what was known of it stays.
    if (!answer.report) return;
    store.report.set(answer.report);
    this.dropValues(answer.report.parameters.map(({ name }) => name));
    if (performance.now() - asked < QUICK) this.prepare({ file, model });
  }

  /** Values of parameters that the model no longer has would end its runs. */
  private dropValues(known: readonly string[]): void {
    const { store } = this;
    const names = new Set(known);
    const kept = new Map<string, ParameterSetting>();
    const gone: string[] = [];
    for (const [name, value] of Object.entries(store.values.now))
      if (names.has(name)) kept.set(name, value);
      else gone.push(name);
    if (gone.length === 0) return;
    store.values.set(Object.fromEntries(kept));
    store.notify({ text: texts.valuesGone(gone), severity: 'info' });
  }

  /** Lets the worker for runs read and translate what will probably run next, where it has nothing else to do. */
  private prepare(of: ModelName): void {
    const active = this.store.active.now;
    if (this.isPreparing || (active && !active.isOver)) return;
    this.isPreparing = true;
    void this.engine()
      .runner.ask('model', of)
      .catch(() => {})
      .finally(() => {
        this.isPreparing = false;
      });
  }
}

/** The last one of those that stand in no other, as far as there are some: inner ones may need what is around them. */
function lastOf(models: readonly string[]): string | undefined {
  const depth = (name: string): number => name.split('.').length;
  const least = Math.min(...models.map(depth));
  return models.findLast((name) => depth(name) === least);
}
