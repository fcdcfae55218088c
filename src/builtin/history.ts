/**
 * Values of a signal over a time that has passed, for those who look back. Between two events the signal is a chain of pieces, each a polynomial through
 * Chebyshev points; pieces are halved until the polynomial meets the signal between these points. Where the signal jumps a new chain begins: at that
 * instant there are two values, so readers say from which chain they read.
 */

import { degree, interpolateAll, nodes, probes } from './chebyshev.ts';

/** How often a step is halved at most. */
const mostHalvings = 16;

interface Piece {
  readonly from: number;
  readonly to: number;
  /** Values at the nodes, one after the other. */
  readonly values: Float64Array;
}

interface Chain {
  readonly start: number;
  /** Values at the start. */
  readonly first: Float64Array;
  readonly pieces: Piece[];
}

/** What `History.save` gives. */
export type SavedHistory = { readonly dropped: number; readonly chains: readonly Chain[] };

export class History {
  private chains: Chain[];
  /** Chains that are forgotten: chains are counted from the beginning of the run. */
  private dropped = 0;

  constructor(time: number, values: Float64Array) {
    this.chains = [{ start: time, first: values.slice(), pieces: [] }];
  }

  /** Number of the chain that is being written. */
  get current(): number {
    return this.dropped + this.chains.length - 1;
  }

  /** Until when the signal is known. */
  get end(): number {
    const { start, pieces } = this.chains.at(-1)!;
    return pieces.at(-1)?.to ?? start;
  }

  /** Where a chain begins; infinity where there is none yet. */
  startOf(chain: number): number {
    return this.chains[chain - this.dropped]?.start ?? Number.POSITIVE_INFINITY;
  }

  /** Begins another chain; one that has just begun begins with other values. */
  jump(time: number, values: Float64Array): void {
    const { start, pieces } = this.chains.at(-1)!;
    if (start === time && pieces.length === 0) this.chains.pop();
    this.chains.push({ start: time, first: values.slice(), pieces: [] });
  }

  /** Appends what the signal is from the end so far to a later time; `at` gives its values there. */
  extend(to: number, tolerance: number, at: (time: number) => Float64Array, halvings = 0): void {
    const from = this.end;
    if (!(to > from)) return;
    const [middle, half] = [(from + to) / 2, (to - from) / 2];
    const width = this.chains.at(-1)!.first.length;
    const values = new Float64Array(width * nodes.length);
    for (const [k, node] of nodes.entries())
      values.set(at(k === 0 ? from : k === degree ? to : middle + half * node), k * width);
    const piece = { from, to, values };
    const read = new Float64Array(width);
    const isMet = probes.every((probe) => {
      const time = middle + half * probe;
      const truth = at(time);
      interpolate(piece, time, read);
      return read.every((value, i) => {
        const size = Math.max(Math.abs(truth[i]!), Math.abs(values[i]!), 1e-3);
        return Math.abs(value - truth[i]!) <= tolerance * size;
      });
    });
    if (isMet || halvings === mostHalvings || !(middle > from && middle < to)) {
      this.chains.at(-1)!.pieces.push(piece);
      return;
    }
    this.extend(middle, tolerance, at, halvings + 1);
    this.extend(to, tolerance, at, halvings + 1);
  }

  /** The values of a chain at a time; before its beginning and after its end those there. */
  read(chain: number, time: number, out: Float64Array): void {
    const { start, first, pieces } = this.chains[Math.max(0, chain - this.dropped)]!;
    const last = pieces.at(-1);
    if (!last || time <= start) out.set(first);
    else if (time >= last.to) out.set(last.values.subarray(last.values.length - first.length));
    else {
      let [low, high] = [0, pieces.length - 1];
      while (low < high) {
        const between = (low + high) >> 1;
        if (pieces[between]!.to < time) low = between + 1;
        else high = between;
      }
      const piece = pieces[low]!;
      if (time <= piece.from) out.set(piece.values.subarray(0, first.length));
      else interpolate(piece, time, out);
    }
  }

  /** Forgets what was before a time. */
  forget(before: number): void {
    const own = this.chains[0]!;
    const kept = own.pieces.findIndex(({ to }) => to >= before);
    if (kept > 32) own.pieces.splice(0, kept);
    while (this.chains.length > 1 && this.chains[1]!.start < before) {
      this.chains.shift();
      this.dropped++;
    }
  }

  save(): SavedHistory {
    return { dropped: this.dropped, chains: this.chains };
  }

  static of({ dropped, chains }: SavedHistory): History {
    const { start, first } = chains[0]!;
    const history = new History(start, first);
    history.dropped = dropped;
    history.chains = structuredClone(chains) as Chain[];
    return history;
  }
}

function interpolate({ from, to, values }: Piece, time: number, out: Float64Array): void {
  interpolateAll(values, (2 * (time - from)) / (to - from) - 1, out);
}
