/**
 * Forward dynamics of trees of rigid bodies, new coordinates and speeds in every call: ours against `mj_forward` of MuJoCo's
 * WebAssembly build on the same model, in turns in the same run. Contact is off; neither has geometry. MuJoCo reads no chain
 * of 1000, since its XML would nest too deep: there is only our time, against ten times that of 100.
 *
 * And what it costs to attach and release bodies, to lock and release joints: 1,000 changes in a run, with everything that happens at such an instant.
 *
 *     node bench/bodies.mjs
 *     node bench/bodies.mjs YouBot   changes alone, of those with this name
 */
import { pathToFileURL } from 'node:url';
import loadMujoco from '@mujoco/mujoco';
import { Mechanism } from '../dist/bodies/dynamics/mechanism.js';
import { loadModel, loadText, simulate } from '../dist/index.js';

const gravity = [0, 0, -9.81];
const upright = { translation: [0, 0, 0], rotation: [1, 0, 0, 0, 1, 0, 0, 0, 1] };
const axes = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

const hinge = (parent, axis, translation, length) => ({
  parent,
  kind: 'revolute',
  axis,
  before: { ...upright, translation },
  after: upright,
  mass: rod(length),
});
const rod = (length) => ({
  mass: 2 * length,
  centre: [0, 0, -length / 2],
  inertia: [length ** 3 / 6, 0, 0, 0, length ** 3 / 6, 0, 0, 0, 0.1 * length ** 3],
});

const chain = (n) =>
  Array.from({ length: n }, (_, k) => hinge(k - 1, axes[k % 2], [0, 0, k ? -0.3 : 0], 0.3));
const arm = () =>
  Array.from({ length: 7 }, (_, k) => hinge(k - 1, axes[(k + 2) % 3], [0, 0, k ? -0.4 : 0], 0.4));

/** A free trunk, two legs and two arms of six hinges, and a neck and a back of three: 30 joints after the root. */
function humanoid() {
  const links = [{ parent: -1, kind: 'free', before: upright, after: upright, mass: rod(0.6) }];
  const limb = (joints, translation) => {
    for (let k = 0; k < joints; k++)
      links.push(
        hinge(
          k ? links.length - 1 : 0,
          axes[k % 3],
          k ? [0, 0, k % 3 ? 0 : -0.4] : translation,
          k % 3 ? 0.4 : 0.1,
        ),
      );
  };
  limb(6, [0, 0.1, -0.6]);
  limb(6, [0, -0.1, -0.6]);
  limb(6, [0, 0.2, 0]);
  limb(6, [0, -0.2, 0]);
  limb(3, [0, 0, 0]);
  limb(3, [0, 0, -0.3]);
  return links;
}

/** The reader of MuJoCo's XML overflows its stack somewhere above. */
const deepest = 100;

const models = [
  ['arm of 7 joints', arm()],
  ['humanoid, free and 30 joints', humanoid()],
  ['chain of 10', chain(10)],
  ['chain of 100', chain(100)],
  ['chain of 1000', chain(1000)],
];

function xmlOf(links) {
  const children = links.map(() => []);
  const roots = [];
  for (const [k, { parent }] of links.entries()) (parent < 0 ? roots : children[parent]).push(k);
  const text = (k) => {
    const { kind, axis, before, mass } = links[k];
    const joint = kind === 'free' ? '<freejoint/>' : `<joint type="hinge" axis="${axis.join(' ')}"/>`;
    const { inertia } = mass;
    return (
      `<body pos="${before.translation.join(' ')}">${joint}<inertial pos="${mass.centre.join(' ')}" mass="${mass.mass}"` +
      ` diaginertia="${inertia[0]} ${inertia[4]} ${inertia[8]}"/>${children[k].map(text).join('')}</body>`
    );
  };
  return (
    `<mujoco><compiler angle="radian"/><option gravity="${gravity.join(' ')}"><flag contact="disable"/></option>` +
    `<worldbody>${roots.map(text).join('')}</worldbody></mujoco>`
  );
}

/** Coordinates and speeds of call `c`; those of a free root are its orientation, which both know as a quaternion. */
const angle = (k, c) => Math.sin(1 + k + 1e-3 * c);
function fill(q, v, free, c) {
  const first = free ? 7 : 0;
  if (free) q[3] = 1;
  for (let i = first; i < q.length; i++) q[i] = angle(i - first, c);
  const skip = free ? 6 : 0;
  for (let i = skip; i < v.length; i++) v[i] = 0.5 * angle(i - skip, c + 500);
}

/** Rows { name, links, ours, theirs, ratio, difference }: microseconds a call. */
export async function runBodies() {
  const mujoco = await loadMujoco();
  return models.map(([name, links]) => measure(mujoco, name, links));
}

function measure(mujoco, name, links) {
  const free = links[0].kind === 'free';
  const mechanism = new Mechanism({ links, gravity: { kind: 'uniform', acceleration: gravity } });
  const { nq, nv } = mechanism.tree;
  const [q, v, a, tau] = [nq, nv, nv, nv].map((length) => new Float64Array(length));
  const ours = (c) => {
    fill(q, v, free, c);
    mechanism.locate(q, v);
    mechanism.accelerate(tau, undefined, a);
  };
  const peer = links.length <= deepest ? peerOf(mujoco, links) : undefined;
  const theirs = (c) => {
    fill(peer.qpos, peer.qvel, free, c);
    peer.forward();
  };
  const ways = peer ? [ours, theirs] : [ours];
  for (const way of ways) way(0);
  const scale = Math.max(...a.map(Math.abs));
  const difference = peer ? Math.max(...a.map((value, i) => Math.abs(value - peer.qacc[i]))) / scale : NaN;
  const best = [Infinity, NaN];
  const calls = Math.max(1, Math.round(2000 / links.length));
  for (let batch = 0; batch < 200; batch++)
    ways.forEach((way, k) => {
      const started = performance.now();
      for (let c = 0; c < calls; c++) way(c);
      const spent = ((performance.now() - started) / calls) * 1e3;
      if (!(spent >= best[k])) best[k] = spent;
    });
  peer?.end();
  return { name, links: links.length, ours: best[0], theirs: best[1], ratio: best[0] / best[1], difference };
}

function peerOf(mujoco, links) {
  const model = mujoco.MjModel.from_xml_string(xmlOf(links));
  const data = new mujoco.MjData(model);
  const { qpos, qvel, qacc } = data;
  return {
    qpos,
    qvel,
    qacc,
    forward: () => mujoco.mj_forward(model, data),
    end: () => {
      data.delete();
      model.delete();
    },
  };
}

// -------------------------------------------------------------- structure that changes

const times = (n, text) => Array.from({ length: n }, (_, k) => text(k)).join('\n');
const part = (name, more) =>
  `Object3D ${name}(fixed = false, mass = 1, inertia = identity(3), ${more}, angularVelocity = {0, 0, 1});`;
const link = (k, joint, more) =>
  `Object3D a${k}(mass = 1, centre = {0.1, 0, 0}, inertia = 0.01*identity(3));
  Object3D e${k}(parent = "a${k}", translation = {0.2, 0, 0});
  ${joint} j${k}(obj1 = "${k ? `e${k - 1}` : 'world'}", obj2 = "a${k}"${more});`;
const flange = 'phi(fixed = true), w(fixed = true, start = 0.1)';

/** `s` is true and false in turns, `n` counts. */
const changing = {
  'two free bodies': `World world(gravity = Gravity.none);
  ${part('a', 'velocity = {1, 0, 0}')}
  ${part('b', 'translation = {1, 1, 0}')}
  Weld weld(obj1 = "a", obj2 = "b", active = s);`,
  'an arm with a flange grips': `World world(gravity = Gravity.none);
  Object3D arm(mass = 1, centre = {1, 0, 0}, inertia = identity(3));
  RevoluteWithFlange j(obj1 = "world", obj2 = "arm", ${flange});
  ${part('b', 'translation = {1, 1, 0}')}
  Weld weld(obj1 = "arm", obj2 = "b", active = s);`,
  'a lock in a chain of 10': `World world;
  ${times(10, (k) => link(k, 'Revolute', k === 5 ? ', locked = s' : ''))}`,
  'an arm of 7 grips 20 in turn': `World world;
  ${times(7, (k) => link(k, 'RevoluteWithFlange', `, axis = {${axes[k % 3]}}, ${flange}`))}
  ${times(20, (k) => part(`b${k}`, `translation = {${0.1 * k}, 1, 0}`))}
  ${times(20, (k) => `Weld w${k}(obj1 = "e6", obj2 = "b${k}", active = s and mod(div(n, 2), 20) == ${k});`)}`,
  'a YouBot grips': `World world(direction = {0, 0, -1});
  Sphere ball(fixed = false, translation = {-0.211, 0, 0.1842}, diameter = 0.05, mass = 0.05);
  Mutabor.Robots.YouBot robot(arm = {pi, 0, pi/2, 0, 0}, opening = 0.05, link1(phi0 = pi), link3(phi0 = pi/2), gripper(s0 = 0.05));
  Weld hand(obj1 = "robot.gripper.lock", obj2 = "ball", active = s);`,
  'a YouBot passes on': `World world(direction = {0, 0, -1});
  Sphere ball(fixed = false, translation = {-0.211, 0, 0.1842}, diameter = 0.05, mass = 0.05);
  Mutabor.Robots.YouBot robot(arm = {pi, 0, pi/2, 0, 0}, opening = 0.05, link1(phi0 = pi), link3(phi0 = pi/2), gripper(s0 = 0.05));
  Weld hand(obj1 = "robot.gripper.lock", obj2 = "ball", active = s);
  Weld plate(obj1 = "robot.plateLock", obj2 = "ball", active = not s);`,
};

/** Rows { name, micros }: microseconds a change, without the steps between. */
export async function runChanges(only = '') {
  const rows = [];
  for (const [name, elements] of Object.entries(changing)) {
    if (!name.includes(only)) continue;
    const text = `model Changes
      import Mutabor.Bodies.*;
      import Mutabor.Constants.pi;
      ${elements}
      discrete Boolean s(start = false, fixed = true);
      discrete Integer n(start = 0, fixed = true);
    algorithm
      when sample(0, 1e-3) then
        s := not pre(s);
        n := pre(n) + 1;
      end when;
    end Changes;`;
    const model = loadModel(loadText(text, 'Changes.mo'), 'Changes');
    let micros = Infinity;
    for (let round = 0; round < 8; round++) {
      const { status, statistics } = await simulate(model, { stopTime: 1, tolerance: 1e-6 });
      if (status !== 'done' || statistics.restarts !== 1001) throw new Error(`${name}: no 1,000 changes`);
      micros = Math.min(micros, (statistics.restartMs * 1e3) / statistics.restarts);
    }
    rows.push({ name, micros });
  }
  return rows;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [, , only = ''] = process.argv;
  for (const { name, ours, theirs, ratio, difference } of only ? [] : await runBodies()) {
    const own = `${name.padEnd(30)} ours ${ours.toFixed(2).padStart(8)} us`;
    const peer = `, MuJoCo ${theirs.toFixed(2).padStart(8)} us, ratio ${ratio.toFixed(2)}, difference of accelerations ${difference.toExponential(1)}`;
    console.log(Number.isNaN(theirs) ? own : own + peer);
  }
  for (const { name, micros } of await runChanges(only))
    console.log(`${name.padEnd(30)} ${micros.toFixed(0).padStart(4)} us a change`);
}
