/**
 * Which objects may touch: those whose boxes meet. The boxes are the leaves of a binary tree, in which the box of each node is around those below; two
 * nodes whose boxes do not meet have no pairs below them. While objects move, only boxes change; the tree is built anew when its boxes have become
 * too large. The cost is about n log n and the number of pairs.
 *
 * Pairs come in rising order, a < b, whatever the tree.
 */

export class Broad {
  /** Of each object: lowest x, y, z, highest x, y, z (`boundsOf`). */
  readonly bounds: Float64Array;
  /** Objects of one group, such as all that are fixed in one body, do not touch each other. */
  readonly group: Int32Array;
  /** Objects that touch nothing are 1. */
  readonly off: Uint8Array;
  /** Results of `update`: the pairs, a and b of one after the other. */
  count = 0;
  pairs = new Int32Array(64);

  /** Of each node: its box, and the nodes below it or -1 - object. Nodes come after those above them. */
  private readonly boxes: Float64Array;
  private readonly left: Int32Array;
  private readonly right: Int32Array;
  private readonly order: Int32Array;
  private readonly stack: Int32Array;
  /** Pairs in the order in which they are found, as a n + b. */
  private keys = new Float64Array(64);
  /** The surfaces of all boxes when the tree was built. */
  private built = -1;

  constructor(private readonly n: number) {
    this.bounds = new Float64Array(6 * n);
    this.group = Int32Array.from({ length: n }, (_, k) => k);
    this.off = new Uint8Array(n);
    this.boxes = new Float64Array(6 * Math.max(1, 2 * n - 1));
    this.left = new Int32Array(Math.max(1, 2 * n - 1));
    this.right = new Int32Array(Math.max(1, 2 * n - 1));
    this.order = new Int32Array(n);
    // The tree is as deep as the logarithm; a pair of nodes leaves up to three behind.
    this.stack = new Int32Array(2 * 3 * 2 * 40);
  }

  /** Finds all pairs of boxes as they are now. Gives their number. */
  update(): number {
    this.count = 0;
    if (this.n < 2) return 0;
    if (this.built < 0 || !(this.refit() <= WORSE * this.built)) {
      this.build();
      this.built = this.refit();
    }
    this.search();
    this.keys.subarray(0, this.count).sort();
    if (this.pairs.length < 2 * this.count) this.pairs = new Int32Array(2 * this.keys.length);
    for (let k = 0; k < this.count; k++) {
      const key = this.keys[k]!;
      this.pairs[2 * k] = Math.floor(key / this.n);
      this.pairs[2 * k + 1] = key % this.n;
    }
    return this.count;
  }

  /** Splits objects at the middle one along the direction in which their centres are spread most, again and again. */
  private build(): void {
    const { order, left, right, n } = this;
    for (let k = 0; k < n; k++) order[k] = k;
    // Ranges of objects whose node is still to be made: from, to, and where to store its number.
    const open = [0, n, -1];
    let nodes = 0;
    while (open.length > 0) {
      const link = open.pop()!;
      const to = open.pop()!;
      const from = open.pop()!;
      const node = nodes++;
      if (link >= 0) (link % 2 ? right : left)[link >> 1] = node;
      if (to - from === 1) {
        left[node] = right[node] = -1 - order[from]!;
        continue;
      }
      const middle = (from + to) >> 1;
      this.select(from, to, middle, this.widest(from, to));
      open.push(middle, to, 2 * node + 1, from, middle, 2 * node);
    }
  }

  private centre(object: number, axis: number): number {
    return this.bounds[6 * object + axis]! + this.bounds[6 * object + 3 + axis]!;
  }

  private widest(from: number, to: number): number {
    let [best, most] = [0, -1];
    for (let axis = 0; axis < 3; axis++) {
      let [low, high] = [Infinity, -Infinity];
      for (let k = from; k < to; k++) {
        const centre = this.centre(this.order[k]!, axis);
        if (centre < low) low = centre;
        if (centre > high) high = centre;
      }
      if (high - low > most) {
        most = high - low;
        best = axis;
      }
    }
    return best;
  }

  /** Puts the object there that would be at `middle` in order, smaller ones before and larger ones behind it (Hoare 1961). */
  private select(first: number, end: number, middle: number, axis: number): void {
    const { order } = this;
    let [from, to] = [first, end - 1];
    while (from < to) {
      const pivot = this.centre(order[(from + to) >> 1]!, axis);
      let [i, j] = [from, to];
      while (i <= j) {
        while (this.centre(order[i]!, axis) < pivot) i++;
        while (this.centre(order[j]!, axis) > pivot) j--;
        if (i > j) break;
        const other = order[i]!;
        order[i++] = order[j]!;
        order[j--] = other;
      }
      if (middle <= j) to = j;
      else if (middle >= i) from = i;
      else return;
    }
  }

  /** Boxes of all nodes from those below; gives the sum of their surfaces. */
  private refit(): number {
    const { boxes, bounds, left, right, n } = this;
    let sum = 0;
    for (let node = 2 * n - 2; node >= 0; node--) {
      const at = 6 * node;
      const below = left[node]!;
      if (below < 0) {
        const object = 6 * (-1 - below);
        for (let k = 0; k < 6; k++) boxes[at + k] = bounds[object + k]!;
        continue;
      }
      const [i, j] = [6 * below, 6 * right[node]!];
      for (let k = 0; k < 3; k++) {
        boxes[at + k] = Math.min(boxes[i + k]!, boxes[j + k]!);
        boxes[at + 3 + k] = Math.max(boxes[i + 3 + k]!, boxes[j + 3 + k]!);
      }
      const x = boxes[at + 3]! - boxes[at]!;
      const y = boxes[at + 4]! - boxes[at + 1]!;
      const z = boxes[at + 5]! - boxes[at + 2]!;
      sum += x * y + y * z + z * x;
    }
    return sum;
  }

  /** Pairs below two nodes; of a node with itself, of its halves with themselves and with each other. */
  private search(): void {
    const { stack, left, right, boxes } = this;
    let top = 0;
    const open = (one: number, two: number): void => {
      stack[top++] = one;
      stack[top++] = two;
    };
    open(0, 0);
    while (top > 0) {
      const two = stack[--top]!;
      const one = stack[--top]!;
      if (one === two) {
        if (left[one]! < 0) continue;
        open(left[one]!, right[one]!);
        open(left[one]!, left[one]!);
        open(right[one]!, right[one]!);
        continue;
      }
      if (apart(boxes, 6 * one, 6 * two)) continue;
      const isLeaf = left[one]! < 0;
      if (isLeaf && left[two]! < 0) {
        this.report(-1 - left[one]!, -1 - left[two]!);
      } else if (isLeaf || (left[two]! >= 0 && extent(boxes, 6 * two) > extent(boxes, 6 * one))) {
        open(one, left[two]!);
        open(one, right[two]!);
      } else {
        open(left[one]!, two);
        open(right[one]!, two);
      }
    }
  }

  private report(one: number, two: number): void {
    const { group, off } = this;
    if (off[one] || off[two] || group[one] === group[two]) return;
    if (this.count === this.keys.length) {
      const longer = new Float64Array(2 * this.count);
      longer.set(this.keys);
      this.keys = longer;
    }
    this.keys[this.count++] = Math.min(one, two) * this.n + Math.max(one, two);
  }
}

/** The tree is built anew when the surfaces of its boxes have grown by this factor. */
const WORSE = 1.5;

/** Boxes of objects whose place is not a number meet all others: distances will tell. */
const apart = (boxes: Float64Array, i: number, j: number): boolean =>
  boxes[i]! > boxes[j + 3]! ||
  boxes[i + 1]! > boxes[j + 4]! ||
  boxes[i + 2]! > boxes[j + 5]! ||
  boxes[j]! > boxes[i + 3]! ||
  boxes[j + 1]! > boxes[i + 4]! ||
  boxes[j + 2]! > boxes[i + 5]!;

const extent = (boxes: Float64Array, at: number): number =>
  boxes[at + 3]! - boxes[at]! + boxes[at + 4]! - boxes[at + 1]! + boxes[at + 5]! - boxes[at + 2]!;
