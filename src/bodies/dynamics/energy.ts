/** Energy and momentum of a tree, where `Motion` has been moved to. */
import type { Motion } from './motion.ts';

export interface Balance {
  mass: number;
  kinetic: number;
  /** Zero in the origin of the world (uniform gravity), or far away (point). */
  potential: number;
  /** Of all bodies together; the origin where all are massless. */
  readonly centre: Float64Array;
  readonly momentum: Float64Array;
  /** About the centre of mass of all bodies together. */
  readonly angularMomentum: Float64Array;
}

export const newBalance = (): Balance => ({
  mass: 0,
  kinetic: 0,
  potential: 0,
  centre: new Float64Array(3),
  momentum: new Float64Array(3),
  angularMomentum: new Float64Array(3),
});

export function balance(motion: Motion, into: Balance): void {
  const { tree } = motion;
  const { gravity } = tree;
  into.mass = 0;
  into.kinetic = 0;
  into.potential = 0;
  into.centre.fill(0);
  into.momentum.fill(0);
  into.angularMomentum.fill(0);
  for (let k = 0; k < tree.n; k++) into.mass += tree.mass[k]!;
  if (!(into.mass > 0)) return;
  for (let k = 0; k < tree.n; k++) {
    look(motion, k);
    for (let i = 0; i < 3; i++) {
      into.centre[i] = into.centre[i]! + (tree.mass[k]! * x[i]! + h[i]!) / into.mass;
      into.momentum[i] = into.momentum[i]! + p[i]!;
    }
  }
  for (let k = 0; k < tree.n; k++) {
    look(motion, k);
    const m = tree.mass[k]!;
    const u = 6 * k + 3;
    for (let i = 0; i < 3; i++) {
      const a = (i + 1) % 3;
      const b = (i + 2) % 3;
      const turning = l[i]! + h[a]! * motion.velocities[u + b]! - h[b]! * motion.velocities[u + a]!;
      const orbiting = (x[a]! - into.centre[a]!) * p[b]! - (x[b]! - into.centre[b]!) * p[a]!;
      into.angularMomentum[i] = into.angularMomentum[i]! + turning + orbiting;
      // w.(A w + h x u)/2 + u.(m u + w x h)/2
      into.kinetic += (motion.velocities[6 * k + i]! * turning + motion.velocities[u + i]! * p[i]!) / 2;
    }
    if (gravity.kind === 'uniform')
      for (let i = 0; i < 3; i++) into.potential -= gravity.acceleration[i]! * (m * x[i]! + h[i]!);
    else if (gravity.kind === 'point') into.potential -= gravity.mu * attraction(motion, k);
  }
}

/** The sum of mass by distance from the origin of the world, over the masses of a link at P_k = x. */
function attraction({ tree: { parts, partsAt }, frames }: Motion, k: number): number {
  let sum = 0;
  for (let p = 4 * partsAt[k]!; p < 4 * partsAt[k + 1]!; p += 4) {
    let square = 0;
    for (let i = 0; i < 3; i++) {
      let place = x[i]!;
      for (let j = 0; j < 3; j++) place += frames[9 * k + 3 * i + j]! * parts[p + 1 + j]!;
      square += place * place;
    }
    sum += parts[p]! / Math.sqrt(square);
  }
  return sum;
}

/** Of one link, in world axes: P_k, mass times centre, inertia times angular velocity, momentum. */
const x = new Float64Array(3);
const h = new Float64Array(3);
const l = new Float64Array(3);
const p = new Float64Array(3);

function look({ tree, frames, places, bases, velocities }: Motion, k: number): void {
  const w = 6 * k;
  for (let i = 0; i < 3; i++) {
    const f = 9 * k + 3 * i;
    x[i] = bases[3 * tree.root[k]! + i]! + places[3 * k + i]!;
    h[i] = 0;
    for (let j = 0; j < 3; j++) h[i] = h[i]! + frames[f + j]! * tree.moment[3 * k + j]!;
  }
  for (let i = 0; i < 3; i++) {
    const f = 9 * k;
    let own = 0;
    for (let j = 0; j < 3; j++) own += frames[f + 3 * j + i]! * velocities[w + j]!;
    inner[i] = own;
  }
  const e = 6 * k;
  const { inertia } = tree;
  const [a, b, c] = [inner[0]!, inner[1]!, inner[2]!];
  inner[0] = inertia[e]! * a + inertia[e + 1]! * b + inertia[e + 2]! * c;
  inner[1] = inertia[e + 1]! * a + inertia[e + 3]! * b + inertia[e + 4]! * c;
  inner[2] = inertia[e + 2]! * a + inertia[e + 4]! * b + inertia[e + 5]! * c;
  for (let i = 0; i < 3; i++) {
    l[i] = 0;
    for (let j = 0; j < 3; j++) l[i] = l[i]! + frames[9 * k + 3 * i + j]! * inner[j]!;
    const s = (i + 1) % 3;
    const t = (i + 2) % 3;
    p[i] = tree.mass[k]! * velocities[w + 3 + i]! + velocities[w + s]! * h[t]! - velocities[w + t]! * h[s]!;
  }
}

const inner = new Float64Array(3);
