/** Scenes of rigid bodies that touch, of steel on a ground of steel. */
import { expect } from 'vitest';

export const g = 9.81;
export const precise = { tolerance: 1e-10 };

export const world = (more = '') => `World world(rigidContact = true${more});`;
export const law = (restitution: number, friction: number) =>
  `ContactLaw law(material1 = "Steel", material2 = "Steel", restitution = ${restitution}, friction = ${friction});`;
export const touches = 'contact = true, material = "Steel"';
export const ground = `Box ground(parent = "world", lengthX = 40, lengthY = 0.2, lengthZ = 40, translation = {0, -0.1, 0}, ${touches});`;
export const ball = (name: string, x: number, y: number, more = '', z = 0) =>
  `Sphere ${name}(fixed = false, diameter = 0.2, translation = {${x}, ${y}, ${z}}, ${touches}${more});`;
export const box = (name: string, x: number, y: number, [lx, ly, lz]: readonly number[], more = '', z = 0) =>
  `Box ${name}(fixed = false, lengthX = ${lx}, lengthY = ${ly}, lengthZ = ${lz}, translation = {${x}, ${y}, ${z}}, ${touches}${more});`;

/** Equal to so much, of 1 or of the value. */
export function near(actual: number, expected: number, to = 1e-8): void {
  expect(Math.abs(actual - expected), `${actual} instead of ${expected}`).toBeLessThanOrEqual(
    to * Math.max(1, Math.abs(expected)),
  );
}
