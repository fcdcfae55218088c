/**
 * Calls of impure functions (Modelica 3.6, section 12.3) at events. Equations are evaluated several times at one instant: initial values are guessed and solved for,
 * relations and modes follow values and are evaluated again. What a when-clause calls is called once all the same: each later evaluation is given what the first one was
 * given, until the values of the instant are remembered and something new can happen.
 *
 * A site is a place in the model that calls an impure function, in one turn of the loops around it. The external functions that are called on the way from there come in the same order
 * each time; where one has other arguments than before, it is called again. Where sites come one after the other, those that follow a call that was made again are others than before.
 */

type Value = number | string;

interface Done {
  readonly fn: object;
  readonly args: readonly Value[];
  readonly results: Value[];
}

export class Repeats {
  private readonly sites = new Map<string, Done[]>();
  /** What was called from the present site, and how much of that was repeated. */
  private open: { readonly calls: Done[]; next: number } | undefined;
  /** What stands for all that was called before the next site, where there is an order. */
  private before = 0;
  /** Whether something was called that had not been called before, since this was asked last. */
  private news = false;

  /** Says what comes before the next site. */
  after(before: number): void {
    this.before = before;
  }

  hasNews(): boolean {
    const { news } = this;
    this.news = false;
    return news;
  }

  enter(place: string): void {
    const site = `${place} ${this.before}`;
    this.before = 0;
    let calls = this.sites.get(site);
    if (!calls) this.sites.set(site, (calls = []));
    this.open = { calls, next: 0 };
  }

  leave(): void {
    this.open = undefined;
  }

  /** What was called has happened: from here on calls are new ones. */
  forget(): void {
    this.sites.clear();
    this.open = undefined;
  }

  /** The results of a call of an impure function from outside. */
  once(fn: object, args: readonly Value[], call: () => Value[]): Value[] {
    const { open } = this;
    if (!open) return call();
    const before = open.calls[open.next];
    if (before?.fn !== fn || before.args.some((arg, k) => !Object.is(arg, args[k]))) {
      this.news = true;
      const done = { fn, args: args.slice(), results: call() };
      open.calls.length = open.next;
      open.calls.push(done);
    }
    return open.calls[open.next++]!.results.slice();
  }
}
