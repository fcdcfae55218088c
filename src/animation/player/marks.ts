/** What is shown on request: the frames of objects, and forces and torques as arrows. Their size is that on the screen. */
import {
  BufferAttribute,
  Color,
  ConeGeometry,
  CylinderGeometry,
  Group,
  Mesh,
  MeshBasicMaterial,
  Quaternion,
  Vector3,
} from 'three';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';
import type { SceneArrow } from '../scene.ts';
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
const arrowColors = { force: '#d55e00', torque: '#8e44ad' } as const;
/** Seen through everything: the force of an engine points into its hull. */
const paint = (color: string) =>
  new MeshBasicMaterial({ color, toneMapped: false, depthTest: false, transparent: true });
const paints = { force: paint(arrowColors.force), torque: paint(arrowColors.torque) };
const UP = new Vector3(0, 1, 0);

/** Of all that arrows of a kind are over the time, the largest. */
export function largestOf(arrows: readonly SceneArrow[], kind: 'force' | 'torque'): number {
  let largest = 0;
  for (const { vector } of arrows.filter((arrow) => arrow.kind === kind))
    for (let i = 0; i < vector.values.length; i += 3)
      largest = Math.max(largest, Math.hypot(...vector.values.subarray(i, i + 3)));
  return largest;
}

/** A torque has two heads, one behind the other. */
export class Arrow {
  readonly group = new Group();
  /** N or N.m; NaN where there is none. */
  size = Number.NaN;
  private readonly shaft: Mesh;
  private readonly heads: readonly Mesh[];
  private readonly direction = new Vector3();

  constructor(
    readonly arrow: SceneArrow,
    /** Of its kind. */
    private readonly largest: number,
  ) {
    const own = paints[arrow.kind];
    this.shaft = new Mesh(shaft, own);
    this.heads = Array.from({ length: arrow.kind === 'torque' ? 2 : 1 }, () => new Mesh(head, own));
    for (const part of [this.shaft, ...this.heads]) part.renderOrder = 3;
    this.group.add(this.shaft, ...this.heads);
  }

  show(times: Float64Array, time: number): void {
    const { origin, vector, visible } = this.arrow;
    this.direction.set(...straightAt(times, vector, time));
    const length = this.direction.length();
    this.size = steppingAt(times, visible, time) ? length : Number.NaN;
    this.group.position.set(...straightAt(times, origin, time));
    if (length > 0)
      this.group.quaternion.copy(turn.setFromUnitVectors(UP, this.direction.divideScalar(length)));
  }

  /** The largest one is as long as this. */
  scale(longest: number): void {
    const length = (longest * this.size) / (this.largest || 1);
    this.group.visible = length > 1e-4 * longest;
    if (!this.group.visible) return;
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
    const length = (longest * this.size) / (this.largest || 1);
    return out.copy(this.direction).multiplyScalar(length).add(this.group.position);
  }
}

const turn = new Quaternion();
