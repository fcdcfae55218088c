/** Values that are watched. What is shown follows them; nothing else holds the parts of the page together. */

export class Value<T> {
  private readonly watchers = new Set<(now: T, before: T | undefined) => void>();

  constructor(private held: T) {}

  get now(): T {
    return this.held;
  }

  set(value: T): void {
    if (Object.is(value, this.held)) return;
    const before = this.held;
    this.held = value;
    for (const watcher of [...this.watchers]) watcher(value, before);
  }

  /** Calls the watcher with the present value, and with each that follows; gives a function that ends it. */
  watch(watcher: (now: T, before: T | undefined) => void): () => void {
    this.watchers.add(watcher);
    watcher(this.held, undefined);
    return () => this.watchers.delete(watcher);
  }

  /** The same without the present value. */
  follow(watcher: (now: T, before: T | undefined) => void): () => void {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  }
}

/** Anything that says when it has changed. */
export interface Watched {
  follow(watcher: () => void): () => void;
}

/** Does something now, and once in the next frame after any of the values has changed. Gives a function that ends it. */
export function perFrame(values: readonly Watched[], work: () => void): () => void {
  const later = nextFrame(work);
  const ends = values.map((value) => value.follow(later));
  work();
  return () => {
    for (const end of ends) end();
  };
}

/** A function that lets something be done once in the next frame, however often it is called. */
export function nextFrame(work: () => void): () => void {
  let frame = 0;
  return () => {
    if (frame !== 0) return;
    frame = requestAnimationFrame(() => {
      frame = 0;
      work();
    });
  };
}
