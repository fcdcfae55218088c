/**
 * What lies along a line that moves: a quantity Z(s) over the coordinate s that moves with it. The profile is cut into layers, each continuous, from left to
 * right; where two meet, the quantity may jump or bend. A layer is a chain of pieces. A piece is a curve (s(p), Z(p)), two polynomials of a parameter p through
 * Chebyshev points, s increasing: what entered while the line moved slowly is as exact as what entered while it moved fast. What enters on one side and leaves
 * on the other is cut off there.
 */
import { degree, interpolated, nodes } from './chebyshev.ts';

/** Values at the nodes. */
interface Piece {
  readonly s: Float64Array;
  readonly z: Float64Array;
}

/** From `from` to `to`; pieces may reach further. */
interface Layer {
  from: number;
  to: number;
  readonly pieces: Piece[];
}

export type Side = 'left' | 'right';

/** What `Profile.save` gives. */
export type SavedProfile = readonly Layer[];

export class Profile {
  private constructor(private readonly layers: Layer[]) {}

  /** The polygon through points; where two have the same place, the quantity jumps. */
  static polygon(places: Float64Array, values: Float64Array): Profile {
    const layers: Layer[] = [];
    for (let k = 1; k < places.length; k++) {
      const [from, to] = [places[k - 1]!, places[k]!];
      if (!(to > from)) continue;
      const [first, last] = [values[k - 1]!, values[k]!];
      const along = (a: number, b: number) => nodes.map((node) => a + ((node + 1) / 2) * (b - a));
      layers.push({ from, to, pieces: [{ s: along(from, to), z: along(first, last) }] });
    }
    return new Profile(layers);
  }

  /** Where the outermost layer of a side ends inside. */
  boundary(side: Side): number {
    return side === 'left' ? this.layers[0]!.to : this.layers.at(-1)!.from;
  }

  get count(): number {
    return this.layers.length;
  }

  /** The value that the outermost layer of a side has at a place, beyond its ends that at the end. */
  read(side: Side, place: number): number {
    const { from, to, pieces } = side === 'left' ? this.layers[0]! : this.layers.at(-1)!;
    const s = Math.min(Math.max(place, from), to);
    let [low, high] = [0, pieces.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pieces[middle]!.s[degree]! < s) low = middle + 1;
      else high = middle;
    }
    return valueAt(pieces[low]!, s);
  }

  /** The outermost layer of a side has left. */
  leave(side: Side): void {
    if (side === 'left') this.layers.shift();
    else this.layers.pop();
  }

  /** Cuts off what lies outside of a side. */
  cut(side: Side, place: number): void {
    const layer = side === 'left' ? this.layers[0]! : this.layers.at(-1)!;
    const { pieces } = layer;
    if (side === 'left') {
      layer.from = Math.min(place, layer.to);
      while (pieces.length > 1 && pieces[0]!.s[degree]! <= place) pieces.shift();
    } else {
      layer.to = Math.max(place, layer.from);
      while (pieces.length > 1 && pieces.at(-1)!.s[0]! >= place) pieces.pop();
    }
  }

  /** Begins another layer of no extent at a side. */
  begin(side: Side): void {
    const place = side === 'left' ? this.layers[0]!.from : this.layers.at(-1)!.to;
    const layer = { from: place, to: place, pieces: [] };
    if (side === 'left') this.layers.unshift(layer);
    else this.layers.push(layer);
  }

  /** Adds a piece to the outermost layer of a side; `s` increases. */
  add(side: Side, s: Float64Array, z: Float64Array): void {
    if (side === 'left') {
      const layer = this.layers[0]!;
      layer.pieces.unshift({ s, z });
      layer.from = s[0]!;
    } else {
      const layer = this.layers.at(-1)!;
      layer.pieces.push({ s, z });
      layer.to = s[degree]!;
    }
  }

  save(): SavedProfile {
    return this.layers;
  }

  static of(saved: SavedProfile): Profile {
    return new Profile(structuredClone(saved) as Layer[]);
  }
}

/** The value of a piece at a place between its ends: the parameter is found by secants that keep the place between them. */
function valueAt({ s, z }: Piece, place: number): number {
  if (place <= s[0]!) return z[0]!;
  if (place >= s[degree]!) return z[degree]!;
  let [low, high] = [-1, 1];
  let [below, above] = [s[0]! - place, s[degree]! - place];
  let side = 0;
  let p = 0;
  for (let k = 0; k < 100 && high - low > 1e-15; k++) {
    p = (low * above - high * below) / (above - below);
    if (!(p > low && p < high)) p = (low + high) / 2;
    const value = interpolated(s, p) - place;
    if (value === 0) break;
    // One end that stays for long counts half: both come near.
    if (value < 0) {
      if (side < 0) above /= 2;
      [low, below, side] = [p, value, -1];
    } else {
      if (side > 0) below /= 2;
      [high, above, side] = [p, value, 1];
    }
  }
  return interpolated(z, p);
}
