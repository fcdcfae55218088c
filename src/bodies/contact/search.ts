/**
 * The signed distance of two cores that has no closed form. First it is found which pieces of the surfaces are nearest, by simplices (`simplex.ts`) where the
 * shapes are apart and by polytopes (`expansion.ts`) where they overlap, and the rest is Newton's method (`polish.ts`). The same pieces are tried first
 * the next time.
 */
import { type Difference, Vertices } from './difference.ts';
import { Expansion } from './expansion.ts';
import { Polish } from './polish.ts';
import { Simplex } from './simplex.ts';

/** How exact a result is, as a part of the sizes, when Newton's method is first tried, and how much more exact the next time. */
const FIRST = 1e-3;
const FIRST_INSIDE = 1e-5;
const FURTHER = 1 / 30;
/** Distances are exact if they are known to this part of the sizes. */
const EXACT = 1e-12;
/** Simplices that are nearer to the origin, as a part of the sizes, say too little about the normal. */
const TOUCHING = 1e-7;
/** What overlaps by more, as a part of the smaller size, is looked at anew. */
const SHALLOW = 0.05;
/** How far shapes are moved apart, as a part of the sizes, to find their normal. */
const APART = 0.01;
const MOST_PARTINGS = 30;

export class Search {
  /** The result; its pieces are those of the surfaces where they are `known`. */
  readonly core: Polish;
  known = false;
  /** The last normal; zero where there is none. */
  private readonly last = new Float64Array(3);

  constructor(private readonly between: Difference) {
    this.core = new Polish(between);
  }

  forget(): void {
    this.known = false;
    this.last.fill(0);
  }

  measure(): void {
    if (!this.known || !this.again()) this.search();
    this.last.set(this.core.normal);
  }

  /** With the pieces of the last result. */
  private again(): boolean {
    const { core, between } = this;
    return core.solve() && core.distance > -SHALLOW * Math.min(between.a.size, between.b.size);
  }

  private search(): void {
    const { between, core, last } = this;
    // The last normal, or the direction from centre to centre.
    if (last[0] !== 0 || last[1] !== 0 || last[2] !== 0) guess.set(last);
    else towards(between, guess);
    simplex.start(between, guess[0]!, guess[1]!, guess[2]!);
    for (let part = FIRST; ; part *= FURTHER) {
      const found = simplex.approach(part);
      if (found === 'inside') break;
      this.known = this.settle(simplex.vertices, simplex.count, simplex.parts, simplex.v, simplex.length);
      if (this.known && core.distance > 0) return;
      if (found !== 'exact') continue;
      this.known = false;
      const { length, least } = simplex;
      take(core, simplex.vertices, simplex.count, simplex.parts, simplex.v, length);
      if (length - least <= EXACT * between.scale) return;
      // Simplices near the origin stop too early where surfaces are round: rounding errors are larger than what they gain.
      this.part();
      if (this.known && core.distance > 0) return;
      if (length > TOUCHING * between.scale) return;
      break;
    }
    this.overlap();
  }

  private overlap(): void {
    const { between, core } = this;
    this.known = false;
    // Points and segments have closed forms, so one of the shapes has a volume.
    if (!expansion.start(between)) throw new Error('Shapes without volume overlap.');
    for (let part = FIRST_INSIDE; ; part *= FURTHER) {
      const found = expansion.expand(part);
      const { simplex: face, parts, normal, least, most } = expansion;
      if (found === 'stuck') {
        this.best(expansion.shallowest);
        this.part();
        return;
      }
      this.known = this.settle(face, 3, parts, normal, -most);
      if (this.known && -core.distance <= least + 2 * part * between.scale) return;
      if (found === 'near') continue;
      take(core, face, 3, parts, normal, -most);
      this.part();
      return;
    }
  }

  /** Takes the best of some directions for the normal: one that is given, and the axes of both shapes. */
  private best(given: Float64Array): void {
    const { between, core } = this;
    const { rotation: r } = between;
    let most = -Infinity;
    const look = (x: number, y: number, z: number): void => {
      const gap = between.support(x, y, z, corner, 0);
      if (!(gap > most)) return;
      most = gap;
      core.normal[0] = x;
      core.normal[1] = y;
      core.normal[2] = z;
    };
    look(given[0]!, given[1]!, given[2]!);
    for (const side of [1, -1]) {
      for (let k = 0; k < 3; k++) {
        look(k === 0 ? side : 0, k === 1 ? side : 0, k === 2 ? side : 0);
        look(side * r[k]!, side * r[3 + k]!, side * r[6 + k]!);
      }
    }
  }

  /**
   * From a normal that is about right: shapes that are moved apart along it have a normal that is better (a proximal point method), until
   * it does not change any more.
   */
  private part(): void {
    const { between, core } = this;
    const { translation } = between;
    for (let k = 0; k < MOST_PARTINGS; k++) {
      guess.set(core.normal);
      const by = APART * between.scale - between.support(guess[0]!, guess[1]!, guess[2]!, corner, 0);
      for (let i = 0; i < 3; i++) translation[i]! += by * guess[i]!;
      simplex.start(between, guess[0]!, guess[1]!, guess[2]!);
      const found = simplex.approach(0);
      for (let i = 0; i < 3; i++) translation[i]! -= by * guess[i]!;
      if (found === 'inside') return;
      const { vertices, count, parts, v } = simplex;
      for (let i = 0; i < 3 * count; i++) vertices.b[i]! -= by * guess[i % 3]!;
      const reach = between.support(v[0]!, v[1]!, v[2]!, corner, 0) / simplex.length;
      this.known = this.settle(vertices, count, parts, v, reach);
      if (this.known) return;
      take(core, vertices, count, parts, v, reach);
      const n = core.normal;
      const change = Math.abs(n[0]! - guess[0]!) + Math.abs(n[1]! - guess[1]!) + Math.abs(n[2]! - guess[2]!);
      if (change < 1e-13) return;
    }
  }

  private settle(
    vertices: Vertices,
    count: number,
    parts: Float64Array,
    direction: Float64Array,
    distance: number,
  ): boolean {
    take(this.core, vertices, count, parts, direction, distance);
    return this.core.choose(vertices, count) && this.core.solve();
  }
}

// Shared by all, of which only one is measured at a time.
const simplex = new Simplex();
const expansion = new Expansion();
const corner = new Vertices(1);
const guess = new Float64Array(3);

/** From the centre of a to that of b. */
function towards({ a, b, rotation: r, translation: t }: Difference, into: Float64Array): void {
  const c = b.centre;
  for (let k = 0; k < 3; k++) {
    into[k] = t[k]! + r[3 * k]! * c[0]! + r[3 * k + 1]! * c[1]! + r[3 * k + 2]! * c[2]! - a.centre[k]!;
  }
  if (into[0] === 0 && into[1] === 0 && into[2] === 0) into[2] = 1;
}

/** The result that a simplex gives by itself. */
function take(
  core: Polish,
  { a, b }: Vertices,
  count: number,
  parts: Float64Array,
  direction: Float64Array,
  distance: number,
): void {
  const { normal: n, pointA, pointB } = core;
  const [x, y, z] = [direction[0]!, direction[1]!, direction[2]!];
  const length = Math.sqrt(x * x + y * y + z * z);
  n[0] = x / length;
  n[1] = y / length;
  n[2] = z / length;
  core.distance = distance;
  pointA.fill(0);
  pointB.fill(0);
  for (let k = 0; k < count; k++) {
    for (let i = 0; i < 3; i++) {
      pointA[i]! += parts[k]! * a[3 * k + i]!;
      pointB[i]! += parts[k]! * b[3 * k + i]!;
    }
  }
}
