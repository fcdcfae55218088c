/**
 * Balls of rubber fall into a box: what a step costs by their number. It should grow in proportion to it, since pairs that are far apart are not looked at.
 *
 *     node bench/spheres.mjs
 */
import { pathToFileURL } from 'node:url';
import { loadModel, loadText, simulate } from '../dist/index.js';

const stopTime = 0.3;

/** Four layers or more of balls above the ground, a little apart from where others are. */
function model(n) {
  const side = Math.ceil(Math.sqrt(n / 4));
  const width = 0.11 * side + 0.02;
  const at = Array.from({ length: n }, (_, k) => {
    const [layer, rest] = [Math.floor(k / side ** 2), k % side ** 2];
    const x = 0.11 * ((rest % side) - (side - 1) / 2) + 0.003 * Math.sin(7 * k);
    const z = 0.11 * (Math.floor(rest / side) - (side - 1) / 2) + 0.003 * Math.cos(5 * k);
    return `{${x.toFixed(5)}, ${(0.08 + 0.12 * layer).toFixed(5)}, ${z.toFixed(5)}}`;
  });
  const wall = width / 2 + 0.05;
  return `model Balls
  import Mutabor.Bodies.*;
  World world;
  Box ground(parent = "world", translation = {0, -0.05, 0}, lengthX = ${width + 0.4}, lengthY = 0.1, lengthZ = ${width + 0.4}, contact = true, material = "Rubber");
  Box wall[4](each parent = "world", translation = {{${wall}, 1, 0}, {${-wall}, 1, 0}, {0, 1, ${wall}}, {0, 1, ${-wall}}}, lengthX = {0.1, 0.1, ${width + 0.2}, ${width + 0.2}}, each lengthY = 2,
    lengthZ = {${width + 0.2}, ${width + 0.2}, 0.1, 0.1}, each contact = true, each material = "Rubber");
  Sphere ball[${n}](each fixed = false, translation = {${at.join(', ')}}, each diameter = 0.1, each contact = true, each material = "Rubber");
  ContactLaw law(restitution = 0.3, friction = 0.4);
end Balls;`;
}

export async function runSpheres(counts = [25, 50, 100, 200]) {
  const found = [];
  for (const n of counts) {
    const balls = loadModel(loadText(model(n), 'Balls.mo'), 'Balls');
    const { status, statistics } = await simulate(balls, {
      stopTime,
      tolerance: 1e-4,
      intervals: 30,
      method: 'rk',
    });
    if (status !== 'done') throw new Error(`${n} balls: ${status}`);
    const { steps, events, simulateMs } = statistics;
    found.push({ n, steps, events, perStep: simulateMs / steps });
  }
  return found;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  for (const { n, steps, events, perStep } of await runSpheres())
    console.log(
      `${n} balls: ${steps} steps, ${events} events, ${perStep.toFixed(2)} ms per step, ${((1e3 * perStep) / n).toFixed(0)} us per step and ball`,
    );
