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
  const { n, root, mass, moment } = tree;
  for (let k = 0; k < n; k++) {
    const m = mass[k]!;
    if (m === 0) continue;
    const f = 9 * k;
    const a = 3 * k;
    const b = 3 * root[k]!;
    const mx = moment[a]!;
    const my = moment[a + 1]!;
    const mz = moment[a + 2]!;
    const hx = frames[f]! * mx + frames[f + 1]! * my + frames[f + 2]! * mz;
    const hy = frames[f + 3]! * mx + frames[f + 4]! * my + frames[f + 5]! * mz;
    const hz = frames[f + 6]! * mx + frames[f + 7]! * my + frames[f + 8]! * mz;
    const x = bases[b]! + (places[a]! + hx / m);
    const y = bases[b + 1]! + (places[a + 1]! + hy / m);
    const z = bases[b + 2]! + (places[a + 2]! + hz / m);
    const distance = Math.sqrt(x * x + y * y + z * z);
    const g = mu / (distance * distance * distance);
    const s = 6 * k;
    forces[s] = forces[s]! + g * (hy * z - hz * y);
    forces[s + 1] = forces[s + 1]! + g * (hz * x - hx * z);
    forces[s + 2] = forces[s + 2]! + g * (hx * y - hy * x);
    forces[s + 3] = forces[s + 3]! + g * m * x;
    forces[s + 4] = forces[s + 4]! + g * m * y;
    forces[s + 5] = forces[s + 5]! + g * m * z;
  }
}
