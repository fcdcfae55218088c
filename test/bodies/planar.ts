/**
 * Boxes on level ground in a plane, in time steps (J. J. Moreau, 1988): impulses of contact and friction are found for each step, all in turn until nothing changes. Without restitution. It
 * knows nothing of modes, and is exact to the length of its steps.
 */
export interface Block {
  readonly m: number;
  readonly lx: number;
  readonly ly: number;
  /** Place of the centre, angle, and their rates. */
  x: number;
  y: number;
  a: number;
  vx: number;
  vy: number;
  w: number;
  /** The force at the centre. */
  readonly push: (t: number) => readonly [number, number];
}

interface Contact {
  readonly key: string;
  /** Bodies; undefined is the ground. */
  readonly on: Block | undefined;
  readonly of: Block;
  readonly n: readonly [number, number];
  readonly at: readonly [number, number];
  readonly gap: number;
  pn: number;
  pt: number;
}

const NEAR = 2e-5;
const ROUNDS = 4000;

export function stepped(
  from: readonly Block[],
  friction: number,
  gravity: number,
  end: number,
  h = 1e-4,
): Block[] {
  const blocks = from.map((block) => ({ ...block }));
  let before = new Map<string, readonly [number, number]>();
  for (let step = 0; step < Math.round(end / h); step++) {
    drift(blocks, h / 2);
    for (const block of blocks) {
      const [fx, fy] = block.push((step + 0.5) * h);
      block.vx += (h * fx) / block.m;
      block.vy += h * (fy / block.m - gravity);
    }
    const contacts = contactsOf(blocks);
    for (const contact of contacts) {
      const [pn, pt] = before.get(contact.key) ?? [0, 0];
      apply(contact, pn, pt);
      [contact.pn, contact.pt] = [pn, pt];
    }
    for (let round = 0; round < ROUNDS; round++) {
      let change = 0;
      for (const contact of contacts) change = Math.max(change, solve(contact, friction, h));
      if (change < 1e-13) break;
    }
    before = new Map(contacts.map(({ key, pn, pt }) => [key, [pn, pt]]));
    drift(blocks, h / 2);
  }
  return blocks;
}

function drift(blocks: readonly Block[], h: number): void {
  for (const block of blocks) {
    block.x += h * block.vx;
    block.y += h * block.vy;
    block.a += h * block.w;
  }
}

const inertia = ({ m, lx, ly }: Block): number => (m / 12) * (lx * lx + ly * ly);

function corners({ x, y, a, lx, ly }: Block): (readonly [number, number])[] {
  const [c, s] = [Math.cos(a), Math.sin(a)];
  const signs = [
    [-0.5, -0.5],
    [0.5, -0.5],
    [0.5, 0.5],
    [-0.5, 0.5],
  ] as const;
  return signs.map(([p, q]) => [x + c * p * lx - s * q * ly, y + s * p * lx + c * q * ly]);
}

function contactsOf(blocks: readonly Block[]): Contact[] {
  const found: Contact[] = [];
  const points = blocks.map(corners);
  const none = { pn: 0, pt: 0 };
  for (const [i, block] of blocks.entries())
    for (const [k, at] of points[i]!.entries())
      if (at[1] < NEAR)
        found.push({ key: `${i} ${k}`, on: undefined, of: block, n: [0, 1], at, gap: at[1], ...none });
  for (let i = 0; i < blocks.length; i++)
    for (let j = i + 1; j < blocks.length; j++) {
      const best = [side(blocks, points, i, j), side(blocks, points, j, i)];
      const { gap, on, of, n, half, along } = best[1]!.gap > best[0]!.gap + 1e-7 ? best[1]! : best[0]!;
      if (gap > NEAR) continue;
      // The edge of the other block that faces this side, cut off at its ends.
      const { x, y } = blocks[on]!;
      const edge = facing(points[of]!, n);
      const [p, q] = [points[of]![edge]!, points[of]![(edge + 1) % 4]!];
      const t = [-n[1], n[0]] as const;
      const place = (r: readonly [number, number]) => (r[0] - x) * t[0] + (r[1] - y) * t[1];
      const [from, to] = [place(p), place(q)];
      const cut = [(-along - from) / (to - from), (along - from) / (to - from)].sort(
        (one, other) => one - other,
      );
      const [begin, end] =
        Math.abs(to - from) > 1e-12 ? [Math.max(0, cut[0]!), Math.min(1, cut[1]!)] : [0, 1];
      if (begin > end) continue;
      for (const [k, part] of [begin, end].entries()) {
        const at = [p[0] + part * (q[0] - p[0]), p[1] + part * (q[1] - p[1])] as const;
        const own = (at[0] - x) * n[0] + (at[1] - y) * n[1] - half;
        if (own < NEAR)
          found.push({
            key: `${on} ${of} ${edge} ${k}`,
            on: blocks[on]!,
            of: blocks[of]!,
            n,
            at,
            gap: own,
            ...none,
          });
      }
    }
  return found;
}

/** The side of block i that block j is farthest beyond. */
function side(
  blocks: readonly Block[],
  points: readonly (readonly (readonly [number, number])[])[],
  on: number,
  of: number,
) {
  const { x, y, a, lx, ly } = blocks[on]!;
  const [c, s] = [Math.cos(a), Math.sin(a)];
  const sides = [
    { n: [c, s] as const, half: lx / 2, along: ly / 2 },
    { n: [-c, -s] as const, half: lx / 2, along: ly / 2 },
    { n: [-s, c] as const, half: ly / 2, along: lx / 2 },
    { n: [s, -c] as const, half: ly / 2, along: lx / 2 },
  ].map((own) => {
    const gaps = points[of]!.map((p) => (p[0] - x) * own.n[0] + (p[1] - y) * own.n[1] - own.half);
    return { ...own, on, of, gap: Math.min(...gaps) };
  });
  return sides.reduce((best, own) => (own.gap > best.gap + 1e-7 ? own : best));
}

function facing(points: readonly (readonly [number, number])[], n: readonly [number, number]): number {
  const cosines = points.map((p, k) => {
    const q = points[(k + 1) % 4]!;
    return ((q[1] - p[1]) * n[0] - (q[0] - p[0]) * n[1]) / Math.hypot(q[0] - p[0], q[1] - p[1]);
  });
  return cosines.indexOf(Math.min(...cosines));
}

/** The lever of a force along e. */
const lever = ({ at }: Contact, { x, y }: Block, e: readonly [number, number]): number =>
  (at[0] - x) * e[1] - (at[1] - y) * e[0];

function apply(contact: Contact, pn: number, pt: number): void {
  const { on, of, n } = contact;
  for (const [body, sign] of [
    [of, 1],
    [on, -1],
  ] as const) {
    if (!body) continue;
    for (const [e, p] of [
      [n, sign * pn],
      [[-n[1], n[0]], sign * pt],
    ] as const) {
      body.vx += (p * e[0]) / body.m;
      body.vy += (p * e[1]) / body.m;
      body.w += (p * lever(contact, body, e)) / inertia(body);
    }
  }
}

/** How fast the contact opens along e, and how much that is for an impulse of 1. */
function motion(contact: Contact, e: readonly [number, number]): readonly [speed: number, by: number] {
  let [speed, by] = [0, 0];
  for (const [body, sign] of [
    [contact.of, 1],
    [contact.on, -1],
  ] as const) {
    if (!body) continue;
    const arm = lever(contact, body, e);
    speed += sign * (body.vx * e[0] + body.vy * e[1] + body.w * arm);
    by += 1 / body.m + arm ** 2 / inertia(body);
  }
  return [speed, by];
}

function solve(contact: Contact, friction: number, h: number): number {
  const { n, gap } = contact;
  const [opening, byNormal] = motion(contact, n);
  const pn = Math.max(0, contact.pn - (opening + Math.max(0, gap) / h) / byNormal);
  const change = pn - contact.pn;
  apply(contact, change, 0);
  contact.pn = pn;
  const [slip, byAcross] = motion(contact, [-n[1], n[0]]);
  const pt = Math.max(-friction * pn, Math.min(friction * pn, contact.pt - slip / byAcross));
  const across = pt - contact.pt;
  apply(contact, 0, across);
  contact.pt = pt;
  return Math.max(Math.abs(change), Math.abs(across));
}
