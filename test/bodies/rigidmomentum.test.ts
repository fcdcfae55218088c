/** Rigid bodies that slide on each other in space until a piece of a surface ends: momentum is conserved all the time, whatever the points of contact do. */
import { describe, expect, test } from 'vitest';
import { run } from '../models/notation.ts';

const drift = async (elements: string, stopTime: number, masses: readonly [number, number]) => {
  const { table, statistics } = await run('Bodies', elements, stopTime, { tolerance: 1e-8 });
  const momentum = (t: number) =>
    [1, 2, 3].map((i) => masses[0] * table.value(`a.v[${i}]`, t) + masses[1] * table.value(`b.v[${i}]`, t));
  const first = momentum(0);
  const away = [...table.time].map((t) => Math.hypot(...momentum(t).map((p, i) => p - first[i]!)));
  const bounced = Math.abs(table.value('b.v[1]', stopTime) - table.value('b.v[1]', 0));
  return { away: Math.max(...away) / Math.hypot(...first), bounced, events: statistics.events };
};

describe('momentum of rigid bodies', () => {
  test('whose edges cross, until one ends', async () => {
    const { away, bounced, events } = await drift(
      `World world(rigidContact = true, gravity = Gravity.none);
      ContactLaw law(restitution = 0, friction = 0.1);
      Box a(fixed = false, translation = {-2.8, -0.06, 0.22}, rotation = {-0.69, -0.14, -0.9}, velocity = {2.66, 0.24, 0.23},
        angularVelocity = {-1.05, -3.78, 1.85}, lengthX = 0.06, lengthY = 0.83, lengthZ = 0.8, mass = 8.5, contact = true);
      Box b(fixed = false, translation = {0, -0.32, -0.18}, rotation = {1.92, -0.21, -1.87}, velocity = {0, -0.15, 0.11},
        angularVelocity = {0.81, 0.73, 1.14}, lengthX = 0.42, lengthY = 0.68, lengthZ = 0.6, mass = 2.7, contact = true);`,
      1.2,
      [8.5, 2.7],
    );
    expect(bounced).toBeGreaterThan(0.1);
    expect(away).toBeLessThan(1e-8);
    // They meet and part.
    expect(events).toBeLessThan(5);
  });

  test('of which one rolls from its side onto its rim', async () => {
    const { away, bounced, events } = await drift(
      `World world(rigidContact = true, gravity = Gravity.none);
      ContactLaw law(restitution = 0, friction = 0);
      Cylinder a(fixed = false, translation = {-0.03, -0.002, 0.005}, rotation = {-1.52, -1.21, 2.42}, velocity = {1.32, 0.1, 0.04},
        angularVelocity = {16, -88, -60}, diameter = 0.0187, length = 0.02, mass = 1.45, contact = true);
      Capsule b(fixed = false, translation = {0.03, -0.009, 0.0055}, rotation = {0.31, -0.09, -0.86}, velocity = {-1.21, -0.09, -0.12},
        angularVelocity = {-40, -58, -35}, diameter = 0.024, length = 0.0145, mass = 6.55, contact = true);`,
      0.04,
      [1.45, 6.55],
    );
    expect(bounced).toBeGreaterThan(0.1);
    expect(away).toBeLessThan(1e-6);
    expect(events).toBeLessThan(7);
  });

  // What touches is the side of a cylinder and an edge, which is within a degree of lying on a face: it is the exact point that counts.
  test('of which one slides over the edge of the other one with its side', async () => {
    const { away, bounced, events } = await drift(
      `World world(rigidContact = true, gravity = Gravity.none);
      ContactLaw law(restitution = 0, friction = 0.1);
      Cylinder a(fixed = false, translation = {-0.095, 0.0336, 0.0149}, rotation = {0.675, 0.322, -0.064}, velocity = {1.192, -0.0906, 0.0127},
        angularVelocity = {29.3, 21.7, 24.1}, diameter = 0.0363, length = 0.083, mass = 1.57, contact = true);
      Box b(fixed = false, translation = {0.095, -0.0199, 0.0041}, rotation = {-1.132, -1.439, -0.178}, velocity = {-0.789, -0.0716, 0.06},
        angularVelocity = {-24, -16.9, 21.15}, lengthX = 0.062, lengthY = 0.0734, lengthZ = 0.0817, mass = 3.3, contact = true);`,
      0.2,
      [1.57, 3.3],
    );
    expect(bounced).toBeGreaterThan(0.1);
    expect(away).toBeLessThan(1e-6);
    expect(events).toBeLessThan(10);
  });

  test('of which one rolls over the corner of a plate with its round end', async () => {
    const { away, bounced, events } = await drift(
      `World world(rigidContact = true, gravity = Gravity.none);
      ContactLaw law(restitution = 0, friction = 0.5);
      Capsule a(fixed = false, translation = {0, -0.00218, -0.00705}, rotation = {-2.043, -0.257, 0.467}, velocity = {0, 0.0886, 0.0123},
        angularVelocity = {136.7, 144.5, -86.5}, diameter = 0.0136, length = 0.0124, mass = 1.7, contact = true);
      Box b(fixed = false, translation = {0.0388, 0.00017, -0.004}, rotation = {-2.587, -1.393, 0.627}, velocity = {-1.393, 0.0323, 0.0853},
        angularVelocity = {133.6, 58.4, 100.2}, lengthX = 0.000326, lengthY = 0.01358, lengthZ = 0.01157, mass = 0.12, contact = true);`,
      0.06,
      [1.7, 0.12],
    );
    expect(bounced).toBeGreaterThan(0.1);
    expect(away).toBeLessThan(1e-6);
    expect(events).toBeLessThan(12);
  });
});
