/** What the elastic law of contact says of a ball that bounces, by a few lines of time stepping. */

/** Of a ball, of what it falls on, and between them. */
export interface Bouncing {
  readonly mass: number;
  readonly g: number;
  /** Force by depth^(3/2). */
  readonly hertz: number;
  readonly restitution: number;
}

/** The speed with which it leaves that it meets with a speed: m x'' = m g - c x^(3/2) (1 + d x'), in small steps. */
export function rebound({ mass, g, hertz, restitution }: Bouncing, speed: number): number {
  // k = d speed follows from k (1 + e) = ln((1 + k)/(1 - e k)).
  let [k, high] = [1e-3, 1 / restitution];
  for (let n = 0; n < 60; n++) {
    const middle = (k + high) / 2;
    if (Math.log((1 + middle) / (1 - restitution * middle)) < middle * (1 + restitution)) k = middle;
    else high = middle;
  }
  const acceleration = (x: number, v: number) =>
    g - (hertz / mass) * Math.max(0, x) ** 1.5 * Math.max(0, 1 + (k / speed) * v);
  let [x, v] = [0, speed];
  const h = 1e-7;
  do {
    const middle = v + (h / 2) * acceleration(x, v);
    x += h * middle;
    v += h * acceleration(x - (h / 2) * middle, middle);
  } while (x > 0);
  return -v;
}
