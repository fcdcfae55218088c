/** What is shown on request: the frames of objects, and forces and torques as arrows. Their size is that on the screen. */
import {
  BufferAttribute,
  Color,
  ConeGeometry,
  CylinderGeometry,
  Group,
  Mesh,
  MeshBasicMaterial,
  Vector3,
} from 'three';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';
import type { ArrowKind, Triple } from '../animation.ts';
import type { Scene, SceneArrow } from '../scene.ts';
import { steppingAt, straightAt } from '../track.ts';

/** Arms of x, y and z, in red, green and blue. */
const ARMS = ['#e0352b', '#2f9e44', '#2f6fed'];

const axes = (() => {
  const arms = ARMS.map((color, k) => {
    const arm = new CylinderGeometry(0.03, 0.03, 1, 8).translate(0, 0.5, 0);
    if (k === 0) arm.rotateZ(-Math.PI / 2);
    if (k === 2) arm.rotateX(Math.PI / 2);
    const { r, g, b } = new Color(color);
    const count = arm.getAttribute('position').count;
    const colors = Float32Array.from({ length: 3 * count }, (_, i) => [r, g, b][i % 3]!);
    return arm.setAttribute('color', new BufferAttribute(colors, 3));
  });
  return mergeGeometries(arms)!;
})();
const arms = new MeshBasicMaterial({
  vertexColors: true,
  depthTest: false,
  transparent: true,
  toneMapped: false,
});

/** Three arms that are seen through everything. */
export function axesOf(): Mesh {
  const frame = new Mesh(axes, arms);
  frame.renderOrder = 2;
  frame.visible = false;
  return frame;
}

const shaft = new CylinderGeometry(1, 1, 1, 12).translate(0, 0.5, 0);
const head = new ConeGeometry(1, 1, 16).translate(0, -0.5, 0);
const arrowColors: Readonly<Record<ArrowKind, string>> = {
  force: '#d55e00',
  torque: '#8e44ad',
  velocity: '#0072b2',
  acceleration: '#009e73',
  angularVelocity: '#56b4e9',
  angularAcceleration: '#b8860b',
};
/** What turns has two heads, one behind the other. */
const turning: ReadonlySet<ArrowKind> = new Set(['torque', 'angularVelocity', 'angularAcceleration']);
/** Seen through everything: the force of an engine points into its hull. */
const paint = (color: string) =>
  new MeshBasicMaterial({ color, toneMapped: false, depthTest: false, transparent: true });
const paints = new Map<string, MeshBasicMaterial>();
const painted = (color: string): MeshBasicMaterial => {
  if (!paints.has(color)) paints.set(color, paint(color));
  return paints.get(color)!;
};
const cssOf = (color: Triple): string => `rgb(${color.map((value) => Math.round(255 * value)).join(', ')})`;
const UP = new Vector3(0, 1, 0);

/** The share of the time in which an arrow may be larger than it usually is: beside impacts weights could not be seen. */
const SELDOM = 0.02;

/** Of all arrows of a kind, the largest, each without what it is but for a moment. */
export function usualSize(
  { arrows, times }: Pick<Scene, 'arrows' | 'times'>,
  kind: SceneArrow['kind'],
): number {
  return arrows.reduce(
    (most, arrow) => (arrow.kind === kind ? Math.max(most, usual(arrow, times)) : most),
    0,
  );
}

/** What it is not larger than for most of the time in which it acts. */
function usual({ vector: { rows, values } }: SceneArrow, times: Float64Array): number {
  const sizes = Array.from(rows, (_, k) => Math.hypot(...values.subarray(3 * k, 3 * k + 3)));
  const pieces = sizes
    .slice(1)
    .map((size, k) => ({ size: Math.max(size, sizes[k]!), time: times[rows[k + 1]!]! - times[rows[k]!]! }))
    .filter(({ size }) => size > 0)
    .sort((a, b) => b.size - a.size);
  let left = SELDOM * pieces.reduce((sum, { time }) => sum + time, 0);
  for (const { size, time } of pieces) {
    left -= time;
    if (left < 0) return size;
  }
  return Math.max(...sizes);
}

/** Where two surfaces touch: a disc that lies between them, and a pin along their normal. */
const touch = mergeGeometries([
  new CylinderGeometry(1, 1, 0.12, 24),
  new CylinderGeometry(0.2, 0.2, 2.4, 8).translate(0, 1.2, 0),
])!;
const ink = paint('#1f2933');

export class Arrow {
  readonly group = new Group();
  private readonly pointer = new Group();
  private readonly touch: Mesh | undefined;
  /** N, N.m and so on; NaN where there is none. */
  size = Number.NaN;
  private readonly shaft: Mesh;
  private readonly heads: readonly Mesh[];
  private readonly direction = new Vector3();

  constructor(
    readonly arrow: SceneArrow,
    /** What has this size is as long as any. */
    private readonly usual: number,
  ) {
    const own = painted(arrow.color ? cssOf(arrow.color) : arrowColors[arrow.kind]);
    this.shaft = new Mesh(shaft, own);
    this.heads = Array.from({ length: turning.has(arrow.kind) ? 2 : 1 }, () => new Mesh(head, own));
    for (const part of [this.shaft, ...this.heads]) part.renderOrder = 3;
    this.pointer.add(this.shaft, ...this.heads);
    this.group.add(this.pointer);
    if (!arrow.normal) return;
    this.touch = new Mesh(touch, ink);
    this.touch.renderOrder = 4;
    this.group.add(this.touch);
  }

  show(times: Float64Array, time: number): void {
    const { origin, vector, normal, visible } = this.arrow;
    this.direction.set(...straightAt(times, vector, time));
    const length = this.direction.length();
    this.size = steppingAt(times, visible, time) ? length : Number.NaN;
    this.group.position.set(...straightAt(times, origin, time));
    if (length > 0) this.pointer.quaternion.setFromUnitVectors(UP, this.direction.divideScalar(length));
    if (normal && this.touch)
      this.touch.quaternion.setFromUnitVectors(UP, along.set(...straightAt(times, normal, time)).normalize());
  }

  private length(longest: number): number {
    return longest * Math.min(1, this.size / (this.usual || 1));
  }

  /** The largest one is as long as this. */
  scale(longest: number): void {
    const length = this.length(longest);
    this.group.visible = length > 1e-4 * longest;
    if (!this.group.visible) return;
    this.touch?.scale.setScalar(0.05 * longest);
    if (this.arrow.ends) this.pointer.position.copy(this.direction).multiplyScalar(-length);
    const thick = 0.022 * longest;
    const tip = Math.min(0.14 * longest, 0.5 * length);
    this.shaft.scale.set(thick, Math.max(length - 0.9 * tip, 1e-9), thick);
    for (const [i, one] of this.heads.entries()) {
      one.scale.set(2.6 * thick, tip, 2.6 * thick);
      one.position.y = length - 0.7 * i * tip;
    }
  }

  /** Where its name stands, in the world. */
  tip(longest: number, out: Vector3): Vector3 {
    const length = this.length(longest);
    return out
      .copy(this.direction)
      .multiplyScalar(this.arrow.ends ? -length : length)
      .add(this.group.position);
  }
}

const along = new Vector3();
