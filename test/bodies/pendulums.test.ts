/** Pendulums whose motion is known: by quadrature and by integration of their equations in one angle with another program. */
import { describe, expect, test } from 'vitest';
import { close, run } from '../models/notation.ts';

const world = 'World world;';
/** A bar that hangs on a joint with a flange, from one of its ends. */
const bar = (name: string, on: string, material: string) => `
  Object3D ${name}Hinge;
  Beam ${name}(parent = "${name}Hinge", translation = {0.5, 0, 0}, width = 0.2, thickness = 0.2, material = "${material}");
  Object3D ${name}End(parent = "${name}Hinge", translation = {1, 0, 0});
  RevoluteWithFlange ${name}Joint(obj1 = "${on}", obj2 = "${name}Hinge", phi(fixed = true), w(fixed = true));`;
const damper = (joint: string, d: number) => ({
  parts: `Mutabor.Rotational.Damper ${joint}Damper(d = ${d}); Mutabor.Rotational.Fixed ${joint}Fixed;`,
  connections: `connect(${joint}.flange, ${joint}Damper.flange_b); connect(${joint}Damper.flange_a, ${joint}Fixed.flange);`,
});

describe('pendulums with flanges', () => {
  test('a point', async () => {
    const { table } = await run(
      'Bodies',
      `${world}
      Object3D arm;
      Object3D point(parent = "arm", translation = {0.5, 0, 0}, mass = 1);
      RevoluteWithFlange joint(obj1 = "world", obj2 = "arm", phi(fixed = true), w(fixed = true));
`,
      3,
    );
    close(table.value('joint.phi', 3), -1.13955805);
    close(table.value('joint.w', 3), 5.97055549);
  });

  test('a steel bar, with and without damping', async () => {
    const { parts, connections } = damper('barJoint', 100);
    const hanging = bar('bar', 'world', 'Steel');
    const damped = await run('Bodies', `${world} ${hanging} ${parts} equation ${connections}`, 3);
    close(damped.table.value('barJoint.phi', 3), -1.94653032);
    close(damped.table.value('barJoint.w', 3), 1.28206426);
    const free = await run('Bodies', `${world} ${hanging}`, 3);
    close(free.table.value('barJoint.phi', 3), -3.13299103);
    close(free.table.value('barJoint.w', 3), -0.48062771);
  });

  test('two bars', async () => {
    const upper = bar('a', 'world', 'Aluminium').replace('phi(fixed', 'phi0 = 1, phi(fixed');
    const dampers = [damper('aJoint', 20), damper('bJoint', 20)];
    const { table } = await run(
      'Bodies',
      `${world} ${upper} ${bar('b', 'aEnd', 'Aluminium')} ${dampers.map(({ parts }) => parts).join(' ')}
      equation ${dampers.map(({ connections }) => connections).join(' ')}`,
      10,
      { tolerance: 1e-11 },
    );
    close(table.value('aJoint.phi', 10), -0.96084996);
    close(table.value('aJoint.w', 10), 1.02582518);
    close(table.value('bJoint.phi', 10), -6.08286636);
    close(table.value('bJoint.w', 10), -0.11677236);
  });

  test('the inertia of a motor behind a gear is one system with that of the bar', async () => {
    const { table, segments } = await run(
      'Bodies',
      `${world} ${bar('bar', 'world', 'Steel')}
      Mutabor.Rotational.IdealGear gear(ratio = 50);
      Mutabor.Rotational.Inertia motor(J = 0.02);
    equation
      connect(barJoint.flange, gear.flange_b);
      connect(gear.flange_a, motor.flange_b);`,
      1,
    );
    expect(segments[0]!.states).toBe(2);
    // The bar alone: J phi'' = -m g l/2 cos(phi). With the motor J counts 50^2 0.02 = 50 more.
    const [inertia, torque] = [135.250735308 + 50, 370.2654824574 * 9.81 * 0.5];
    const phi = table.value('barJoint.phi', 1);
    close(table.value('barJoint.w', 1) ** 2 * 0.5 * inertia, -torque * Math.sin(phi));
    const period = quarter(inertia, torque, phi);
    close(period, 1);
    close(table.value('motor.phi', 1), 50 * phi);
  });

  test('an angle that is given needs a torque', async () => {
    const { table } = await run(
      'Bodies',
      `${world} ${bar('bar', 'world', 'Steel').replace(', phi(fixed = true), w(fixed = true)', '')}
      Mutabor.Rotational.Position given(phi_ref = sin(2*time));
    equation
      connect(given.flange, barJoint.flange);`,
      1,
    );
    const [phi, a] = [Math.sin(2), -4 * Math.sin(2)];
    close(table.value('barJoint.tau', 1), 135.250735308 * a + 370.2654824574 * 9.81 * 0.5 * Math.cos(phi));
  });
});

/** Time to fall from rest at angle 0 to phi < 0, by Gauss's rule after substitution of the root: J w^2/2 = -T sin(phi). */
function quarter(inertia: number, torque: number, phi: number): number {
  // dt = dphi / sqrt(-2 T sin(phi)/J); phi = -s^2 takes the root away at the start.
  const n = 2000;
  const end = Math.sqrt(-phi);
  let sum = 0;
  for (let k = 0; k < n; k++) {
    const s = ((k + 0.5) * end) / n;
    sum += (2 * s) / Math.sqrt((2 * torque * Math.sin(s * s)) / inertia);
  }
  return (sum * end) / n;
}

describe('a speed that jumps at a flange', () => {
  // Two bars in the plane, the second at the angle 0.7 against the first: kinetic energy (w1, w2) M (w1, w2)'/2.
  const bend = Math.cos(0.7);
  const [m11, m12, m22] = [0.1 + 0.25 + 0.1 + 1 + 0.25 + bend, 0.1 + 0.25 + 0.5 * bend, 0.1 + 0.25];
  const bars = `World world(gravity = Gravity.none);
    Object3D first(mass = 1, centre = {0.5, 0, 0}, inertia = 0.1*identity(3));
    Object3D tip(parent = "first", translation = {1, 0, 0});
    Object3D second(mass = 1, centre = {0.5, 0, 0}, inertia = 0.1*identity(3));
    RevoluteWithFlange j1(obj1 = "world", obj2 = "first", phi(fixed = true), w(fixed = true));
    Revolute j2(obj1 = "tip", obj2 = "second", phi0 = 0.7);`;

  test('by an impulse takes with it what hangs on it', async () => {
    const { table } = await run(
      'Bodies',
      `${bars}
      Mutabor.Rotational.Inertia rotor(J = 2, w(start = 5, fixed = true));
      Mutabor.Rotational.IdealGear gear(ratio = -3);
      Mutabor.Rotational.IdealClutch clutch(engaged = time >= 0.5);
    equation
      connect(rotor.flange_b, clutch.flange_a);
      connect(clutch.flange_b, gear.flange_a);
      connect(gear.flange_b, j1.flange);`,
      1,
    );
    // The rotor turns by -3 w1 after it; nothing acts about the second joint.
    const w1 = (2 * 5 * -3) / (m11 - m12 ** 2 / m22 + 2 * 9);
    close(table.value('j1.w', 0.5), w1);
    close(table.value('j2.w', 0.5), (-m12 / m22) * w1);
    close(table.value('rotor.w', 0.5), -3 * w1);
  });

  test('because it is set leaves all others as they are', async () => {
    for (const second of [bars, bars.replace('Revolute j2', 'RevoluteWithFlange j2')]) {
      const { table, impulses } = await run(
        'Bodies',
        `${second}
      equation
        when time >= 0.5 then
          reinit(j1.w, 3);
        end when;`,
        1,
      );
      close(table.value('j1.w', 0.5), 3);
      expect(Math.abs(table.value('j2.w', 0.5))).toBeLessThan(1e-12);
      expect(impulses).toEqual([]);
    }
  });
});
