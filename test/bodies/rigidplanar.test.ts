/** Scenes of rigid bodies that are symmetric about a plane stay in it: nothing says to which side they could leave it. */
import { describe, expect, test } from 'vitest';
import { run } from '../models/notation.ts';
import { box, ground, law, near, world } from './rigidnotation.ts';

/** What of positions, velocities and angular velocities is across the plane, and how much of it rounding may have become. */
const across = [
  ['r[3]', 1e-8],
  ['v[3]', 1e-6],
  ['w[1]', 1e-6],
  ['w[2]', 1e-6],
] as const;

/** A box on another one, which both tip over an edge and slide, pushed along x. */
const tipping = (mass: number, friction: number) => `${world()} ${law(0, friction)} ${ground}
  ${box('a', 0, 0.05, [0.3, 0.1, 0.3], `, mass = ${mass}`)} ${box('b', 0, 0.2, [0.2, 0.2, 0.2], ', mass = 50')}
  WorldForce push(object = "b", f = {if time < 0.2 then 100 elseif time < 0.6 then 700 else -300, 0, 0});`;

describe('a box of 50 kg that is pushed over on a light one stays in the plane', () => {
  test.each([
    [0.1, 0.9],
    [0.01, 0.9],
    [1, 0.9],
    [0.1, 0.3],
  ])('of %s kg, with friction %s', async (mass, friction) => {
    const { table } = await run('Bodies', tipping(mass, friction), 1, { tolerance: 1e-6 });
    for (const body of ['a', 'b'])
      for (const [quantity, most] of across)
        for (let row = 0; row < table.rowCount; row++)
          expect(
            Math.abs(table.at(`${body}.${quantity}`, row)),
            `${body}.${quantity} at ${table.time[row]}`,
          ).toBeLessThan(most);
    const precise = await run('Bodies', tipping(mass, friction), 1, { tolerance: 1e-8 });
    for (const quantity of ['r[1]', 'r[2]', 'angles[3]'])
      near(table.value(`b.${quantity}`, 1), precise.table.value(`b.${quantity}`, 1), 1e-3);
  });
});
