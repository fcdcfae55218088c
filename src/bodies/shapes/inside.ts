/**
 * Whether points lie inside a closed surface: a ray from the point to infinity crosses it as often outward as inward, or once more. Triangles are
 * found through a tree of boxes in the plane across the ray; they lie in it in the order of a curve that fills the plane (Morton 1966), so that
 * neighbours are near each other, and a node of the tree contains a range of them.
 *
 * The ray has a direction that edges of meshes do not have; where it meets an edge nevertheless, or the point lies on the surface, there is
 * no answer.
 */
import { pulse } from '../../diagnostic/pulse.ts';
import { applied, type Matrix, matrixOf, type Vector } from '../space.ts';

/** Any rotation that is nothing special. */
const askew: Matrix = matrixOf([0.7236, 0.3171, 0.4583, 0.4071]);

/** A point that is as near to a triangle lies on it, as a part of the extent of the surface. */
const TOUCHING = 1e-6;

/** Triangles of a leaf. */
const LEAF = 8;

export class Inside {
  /** Corners of the triangles: the coordinates across the ray, u and v, and along it, w, of each. */
  private readonly corners: Float64Array;
  /** Lowest u and v, highest u and v of each node: node k has the nodes 2 k + 1 and 2 k + 2 below it, and leaves are last. */
  private readonly boxes: Float64Array;
  private readonly leaves: number;
  private readonly extent: number;

  /** Faces outward; `low` and `high` are the corners of a box around them. */
  constructor(
    positions: Float64Array,
    faces: Uint32Array,
    private readonly low: Vector,
    high: Vector,
  ) {
    this.extent = Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
    const unsorted = new Float64Array(3 * faces.length);
    for (const [k, vertex] of faces.entries()) {
      unsorted.set(
        this.seen([positions[3 * vertex]!, positions[3 * vertex + 1]!, positions[3 * vertex + 2]!]),
        3 * k,
      );
    }
    this.corners = new Float64Array(unsorted.length);
    for (const [k, face] of this.alongCurve(unsorted).entries()) {
      this.corners.set(unsorted.subarray(9 * face, 9 * face + 9), 9 * k);
    }
    this.leaves = 2 ** Math.ceil(Math.log2(Math.max(1, faces.length / 3 / LEAF)));
    this.boxes = this.boxesOf();
  }

  /** Undefined where it cannot be told. */
  holds(point: Vector): boolean | undefined {
    const [u, v, w] = this.seen(point);
    const { boxes, leaves } = this;
    const near = TOUCHING * this.extent;
    let winding = 0;
    const open = [0];
    while (open.length > 0) {
      const node = open.pop()!;
      const box = 4 * node;
      if (u < boxes[box]! - near || v < boxes[box + 1]! - near) continue;
      if (u > boxes[box + 2]! + near || v > boxes[box + 3]! + near) continue;
      if (node < leaves - 1) {
        open.push(2 * node + 1, 2 * node + 2);
        continue;
      }
      const first = 9 * LEAF * (node - leaves + 1);
      for (let k = first; k < Math.min(first + 9 * LEAF, this.corners.length); k += 9) {
        const crossing = this.crossing(k, u, v, w, near);
        if (crossing === undefined) return undefined;
        winding += crossing;
      }
    }
    return winding !== 0;
  }

  /** 1 where the ray leaves through a triangle, -1 where it enters. */
  private crossing(k: number, u: number, v: number, w: number, near: number): number | undefined {
    const c = this.corners;
    const [au, av] = [c[k]! - u, c[k + 1]! - v];
    const [bu, bv] = [c[k + 3]! - u, c[k + 4]! - v];
    const [cu, cv] = [c[k + 6]! - u, c[k + 7]! - v];
    // Twice the areas of the triangles between the ray and the sides: of one sign where it goes through.
    const [a, b, d] = [bu * cv - bv * cu, cu * av - cv * au, au * bv - av * bu];
    // Beyond the size that these areas have near a side.
    const margin =
      near *
      Math.max(Math.hypot(bu - au, bv - av), Math.hypot(cu - bu, cv - bv), Math.hypot(au - cu, av - cv));
    const isPositive = a > -margin && b > -margin && d > -margin;
    const isNegative = a < margin && b < margin && d < margin;
    if (!isPositive && !isNegative) return 0;
    const lowest = Math.min(c[k + 2]!, c[k + 5]!, c[k + 8]!);
    const highest = Math.max(c[k + 2]!, c[k + 5]!, c[k + 8]!);
    if (highest < w - near) return 0;
    if (Math.abs(a) <= margin || Math.abs(b) <= margin || Math.abs(d) <= margin) return undefined;
    const sign = isPositive ? 1 : -1;
    if (lowest > w + near) return sign;
    const height = (a * c[k + 2]! + b * c[k + 5]! + d * c[k + 8]!) / (a + b + d) - w;
    return Math.abs(height) <= near ? undefined : height > 0 ? sign : 0;
  }

  /** A point as the ray sees it, from a corner of the box. */
  private seen([x, y, z]: Vector): Vector {
    return applied(askew, [x - this.low[0], y - this.low[1], z - this.low[2]]);
  }

  /** The triangles in the order of their centres on the curve. */
  private alongCurve(corners: Float64Array): Uint32Array {
    const count = corners.length / 9;
    // The place on the curve and the triangle share the 52 bits of a number.
    const bits = Math.min(15, Math.floor((52 - Math.ceil(Math.log2(count + 1))) / 2));
    const cells = 2 ** bits;
    const cell = (k: number): number => {
      const part = (corners[k]! + corners[k + 3]! + corners[k + 6]!) / (3 * this.extent);
      return Math.max(0, Math.min(cells - 1, Math.floor(((part + 1) / 2) * cells)));
    };
    const keys = new Float64Array(count);
    for (let k = 0; k < count; k++) {
      if (k % 4096 === 0) pulse();
      keys[k] = (2 * spread(cell(9 * k + 1)) + spread(cell(9 * k))) * count + k;
    }
    return Uint32Array.from(keys.sort(), (key) => key % count);
  }

  private boxesOf(): Float64Array {
    const { corners, leaves } = this;
    const boxes = new Float64Array(4 * (2 * leaves - 1));
    for (let node = 2 * leaves - 2; node >= 0; node--) {
      const box = [Infinity, Infinity, -Infinity, -Infinity];
      const include = (u: number, v: number): void => {
        box[0] = Math.min(box[0]!, u);
        box[1] = Math.min(box[1]!, v);
        box[2] = Math.max(box[2]!, u);
        box[3] = Math.max(box[3]!, v);
      };
      if (node >= leaves - 1) {
        const first = 9 * LEAF * (node - leaves + 1);
        const end = Math.min(first + 9 * LEAF, corners.length);
        for (let k = first; k < end; k += 3) include(corners[k]!, corners[k + 1]!);
      } else {
        for (const below of [2 * node + 1, 2 * node + 2]) {
          include(boxes[4 * below]!, boxes[4 * below + 1]!);
          include(boxes[4 * below + 2]!, boxes[4 * below + 3]!);
        }
      }
      boxes.set(box, 4 * node);
    }
    return boxes;
  }
}

/** The bits of a number of 15, each followed by a zero. */
function spread(value: number): number {
  let bits = value;
  bits = (bits | (bits << 8)) & 0x00ff00ff;
  bits = (bits | (bits << 4)) & 0x0f0f0f0f;
  bits = (bits | (bits << 2)) & 0x33333333;
  bits = (bits | (bits << 1)) & 0x55555555;
  return bits;
}
