/** Forces on bodies, as the articulated-body algorithm begins with them. */
import type { Motion } from './motion.ts';

/** What links need against wrenches on bodies (world axes, about their origins) and gravity of a point: `forces`, about P_k. */
export function load(motion: Motion, wrenches: Float64Array | undefined, forces: Float64Array): void {
  const { tree, offsets } = motion;
  forces.fill(0);
  if (wrenches)
    for (let k = 0; k < tree.n; k++) {
      const s = 6 * k;
      const o = 3 * k;
      const fx = wrenches[s + 3]!;
      const fy = wrenches[s + 4]!;
      const fz = wrenches[s + 5]!;
      forces[s] = -(wrenches[s]! + offsets[o + 1]! * fz - offsets[o + 2]! * fy);
      forces[s + 1] = -(wrenches[s + 1]! + offsets[o + 2]! * fx - offsets[o]! * fz);
      forces[s + 2] = -(wrenches[s + 2]! + offsets[o]! * fy - offsets[o + 1]! * fx);
      forces[s + 3] = -fx;
      forces[s + 4] = -fy;
      forces[s + 5] = -fz;
    }
  if (tree.gravity.kind === 'point') attract(motion, tree.gravity.mu, forces);
}

function attract({ tree, frames, places, bases }: Motion, mu: number, forces: Float64Array): void {
  const { n, root, partsAt, parts } = tree;
  for (let k = 0; k < n; k++) {
    const f = 9 * k;
    const a = 3 * k;
    const b = 3 * root[k]!;
    const s = 6 * k;
    for (let p = partsAt[k]!; p < partsAt[k + 1]!; p++) {
      const mass = parts[4 * p]!;
      const px = parts[4 * p + 1]!;
      const py = parts[4 * p + 2]!;
      const pz = parts[4 * p + 3]!;
      const cx = frames[f]! * px + frames[f + 1]! * py + frames[f + 2]! * pz;
      const cy = frames[f + 3]! * px + frames[f + 4]! * py + frames[f + 5]! * pz;
      const cz = frames[f + 6]! * px + frames[f + 7]! * py + frames[f + 8]! * pz;
      const x = bases[b]! + (places[a]! + cx);
      const y = bases[b + 1]! + (places[a + 1]! + cy);
      const z = bases[b + 2]! + (places[a + 2]! + cz);
      const distance = Math.sqrt(x * x + y * y + z * z);
      const g = (mu * mass) / (distance * distance * distance);
      forces[s] = forces[s]! + g * (cy * z - cz * y);
      forces[s + 1] = forces[s + 1]! + g * (cz * x - cx * z);
      forces[s + 2] = forces[s + 2]! + g * (cx * y - cy * x);
      forces[s + 3] = forces[s + 3]! + g * x;
      forces[s + 4] = forces[s + 4]! + g * y;
      forces[s + 5] = forces[s + 5]! + g * z;
    }
  }
}
