/**
 * What is known of the text that is open, while it is being written: mistakes with what would put them right, the outline, folds. The class around the cursor is checked first, and
 * classes one by one, so that other questions are answered in between; the newest text counts.
 */
import type { LanguageMethods, Message } from '../../protocol.ts';
import type { AnswerOf } from '../../rpc.ts';
import type { Backend } from '../engine.ts';

export interface CheckingEvents {
  path(): string | undefined;
  cursor(): number;
  checked(found: readonly Message[]): void;
  outlined(items: AnswerOf<LanguageMethods['outline']>): void;
  folded(folds: AnswerOf<LanguageMethods['folds']>): void;
}

/** Milliseconds from the last change to a look at it. */
const SOON = 200;

export class Checking {
  private timer = 0;
  private round = 0;

  constructor(
    private readonly service: () => Backend,
    private readonly events: CheckingEvents,
  ) {}

  /** The text has changed. */
  changed(): void {
    this.round++;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.look(), SOON);
  }

  /** Another text is open. */
  look(): void {
    const round = ++this.round;
    clearTimeout(this.timer);
    // A worker that ends is told elsewhere.
    void this.ask(round).catch(() => {});
  }

  private async ask(round: number): Promise<void> {
    const { events } = this;
    const file = events.path();
    if (file === undefined || !file.endsWith('.mo')) return;
    const [service, isOver] = [this.service(), () => round !== this.round];
    const [items, folds] = await Promise.all([service.ask('outline', file), service.ask('folds', file)]);
    if (isOver()) return;
    events.outlined(items);
    events.folded(folds);
    const names = await service.ask('checkable', { file, at: events.cursor() });
    for (let count = Math.min(1, names.length); count <= names.length; count++) {
      if (isOver()) return;
      const found = await service.ask('check', { file, names: names.slice(0, count) });
      if (isOver()) return;
      // Before all is checked, what is missing may be only late.
      if (count === names.length || count === 1) events.checked(found);
    }
  }
}
