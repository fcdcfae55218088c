/**
 * Where a run waits between steps: it is open, closed, or open until the next event has happened. Whoever waits is told when it is let through.
 */
export class Gate {
  private state: 'open' | 'closed' | 'event';
  private waiting: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined;

  constructor(isClosed = false) {
    this.state = isClosed ? 'closed' : 'open';
  }

  close(): void {
    this.state = 'closed';
  }

  open(untilEvent = false): void {
    this.state = untilEvent ? 'event' : 'open';
    this.waiting?.resolve();
    this.waiting = undefined;
  }

  /** An event has happened. */
  event(): void {
    if (this.state === 'event') this.state = 'closed';
  }

  get isClosed(): boolean {
    return this.state === 'closed';
  }

  /** Ends when the gate is opened. */
  wait(): Promise<void> {
    if (!this.waiting) {
      let resolve = (): void => {};
      const promise = new Promise<void>((done) => (resolve = done));
      this.waiting = { promise, resolve };
    }
    return this.waiting.promise;
  }
}
