/** Scenes of boxes that are pushed in a plane, as in `planar.ts`, and what holds of all of them. */
import { expect } from 'vitest';
import type { SimulationResult } from '../../src/index.ts';
import type { Block } from './planar.ts';
import { box, g, ground, law, world } from './rigidnotation.ts';

const depth = 0.2;

/** Sensors between all of these. */
const sensors = (names: readonly string[]): string =>
  names
    .flatMap((one, i) =>
      names
        .slice(i + 1)
        .map((other) => `ContactSensor s_${one}_${other}(object1 = "${one}", object2 = "${other}");`),
    )
    .join('\n');

/** All forces are within their cones, up to a part of the weight: what has hardly begun to slip keeps its direction at first, by up to a thousandth of the forces. */
export function expectCones({ table }: SimulationResult, friction: number, weight: number): void {
  for (const name of table.names.filter((name) => /^s_\w+\.normalForce$/.test(name))) {
    const sensor = name.replace('.normalForce', '');
    for (let row = 0; row < table.rowCount; row++) {
      const pressing = table.at(name, row);
      const where = `${sensor} at ${table.time[row]}`;
      expect(pressing, where).toBeGreaterThan(-1e-4 * weight);
      expect(table.at(`${sensor}.frictionForce`, row) - friction * pressing, where).toBeLessThan(
        1e-3 * weight,
      );
    }
  }
}

/** Momentum of each block changes by forces and impulses that are told, and by nothing else. */
export function expectMomentum(
  { table, impulses }: SimulationResult,
  blocks: readonly Block[],
  weight: number,
): void {
  const names = ['ground', ...blocks.map((_, k) => `b${k}`)];
  for (const [k, { m, push }] of blocks.entries()) {
    const own = `b${k}`;
    const between = names.flatMap((other, j): (readonly [string, number])[] => {
      if (other === own) return [];
      return j < k + 1 ? [[`s_${other}_${own}`, 1]] : [[`s_${own}_${other}`, -1]];
    });
    const force = (row: number, side: number, axis: number): number =>
      between.reduce(
        (sum, [sensor, sign]) => sum + sign * table.at(`${sensor}.f[${axis + 1}]`, row),
        push(table.time[row]! + side * 1e-9)[axis]! - (axis === 1 ? m * g : 0),
      );
    for (let row = 1; row < table.rowCount; row++) {
      const step = table.time[row]! - table.time[row - 1]!;
      for (const axis of [0, 1]) {
        const change =
          m * (table.at(`${own}.v[${axis + 1}]`, row) - table.at(`${own}.v[${axis + 1}]`, row - 1));
        const told = impulses
          .filter(({ time }) => step === 0 && time === table.time[row])
          .reduce((sum, { variable, weight: by }) => {
            const sensor = between.find(([name]) => variable === `${name}.impulse[${axis + 1}]`);
            return sum + (sensor ? sensor[1] * by : 0);
          }, 0);
        const given = (step / 2) * (force(row - 1, 1, axis) + force(row, -1, axis));
        expect(Math.abs(change - given - told), `${own} at ${table.time[row]}`).toBeLessThan(1e-4 * weight);
      }
    }
  }
}

export const textOf = (blocks: readonly Block[], friction: number, force: string) =>
  `${world()} ${ground} ${law(0, friction)}
  ${blocks.map(({ x, y, vx, m, lx, ly }, k) => box(`b${k}`, x, y, [lx, ly, depth], `, mass = ${m}, velocity = {${vx}, 0, 0}`)).join('\n')}
  ${force} ${sensors(['ground', ...blocks.map((_, k) => `b${k}`)])}`;

export const still = { a: 0, vx: 0, vy: 0, w: 0, push: () => [0, 0] as const };
