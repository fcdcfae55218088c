/** Setups that are kept by what holds: whatever the order of changes, results are those of setups that are made anew each time. */
import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import type { Leading } from '../../src/bodies/ports.ts';
import type { Scene } from '../../src/bodies/scene/scene.ts';
import { Setup } from '../../src/bodies/setup.ts';
import { Setups } from '../../src/bodies/setups.ts';
import type { Structure } from '../../src/bodies/structure.ts';
import { loadModel, loadText, type SimulationResult, simulate } from '../../src/index.ts';
import { library, run } from '../models/notation.ts';

afterEach(() => vi.restoreAllMocks());

/** Elements of a model; `c1`, `c2` and `c3` are true and false in turns. */
const scenes: Readonly<Record<string, string>> = {
  'a motor that moves a hand': `World world(gravity = Gravity.none);
    Object3D arm(mass = 2, inertia = 0.3*identity(3));
    Object3D hand(parent = "arm", translation = {1, 0, 0});
    Object3D a(fixed = false, translation = {1, -1, 0}, velocity = {0, 1, 0}, mass = 0.5, inertia = 0.01*identity(3));
    Object3D b(fixed = false, translation = {2, 1, 0}, angularVelocity = {1, 2, 0}, mass = 0.3, inertia = 0.02*identity(3));
    Object3D c(parent = "b", translation = {0, 0.2, 0}, mass = 0.1);
    RevoluteWithFlange joint(obj1 = "world", obj2 = "arm", phi(fixed = true), w(fixed = true, start = 1));
    Weld grip(obj1 = "hand", obj2 = "a", active = c1);
    Weld other(obj1 = "c", obj2 = "hand", active = c2);
    Weld between(obj1 = "a", obj2 = "b", active = c3 and not (c1 and c2));
    Mutabor.Rotational.IdealGear gear(ratio = 10);
    Mutabor.Rotational.Inertia rotor(J = 0.02);
  equation
    connect(joint.flange, gear.flange_b);
    connect(gear.flange_a, rotor.flange_b);`,
  'a chain that is locked and broken': `World world;
    Object3D a(mass = 1, centre = {0.2, 0, 0}, inertia = 0.01*identity(3));
    Object3D aEnd(parent = "a", translation = {0.4, 0, 0}, rotation = {0.3, 0.2, 0.1});
    Object3D b(mass = 0.5, centre = {0.2, 0, 0}, inertia = 0.01*identity(3));
    Object3D bEnd(parent = "b", translation = {0.4, 0, 0});
    Object3D c(mass = 0.2, centre = {0.1, 0.1, 0}, inertia = 0.01*identity(3));
    Object3D d(fixed = false, translation = {1, 1, 0}, mass = 0.7, inertia = 0.02*identity(3));
    Revolute j1(obj1 = "world", obj2 = "a", locked = c1);
    Spherical j2(obj1 = "aEnd", obj2 = "b", locked = c2);
    Universal j3(obj1 = "bEnd", obj2 = "c");
    Weld held(obj1 = "c", obj2 = "d", active = c3);`,
  'a linkage with a light rod': `World world;
    Object3D crank(mass = 1, centre = {0, 0.1, 0}, inertia = 0.01*identity(3));
    Object3D crankEnd(parent = "crank", translation = {0, 0.2, 0});
    Object3D rod(mass = 1e-5, centre = {0.25, 0, 0}, inertia = 1e-7*identity(3));
    Object3D rodEnd(parent = "rod", translation = {0.5, 0, 0});
    Object3D rocker(mass = 2, centre = {0, 0.1, 0}, inertia = 0.02*identity(3));
    Object3D rockerEnd(parent = "rocker", translation = {0, 0.2, 0});
    Object3D pivot(parent = "world", translation = {0.5, 0, 0});
    Object3D load(fixed = false, translation = {0.5, 0.5, 0}, mass = 0.4, inertia = 0.01*identity(3));
    Revolute j1(obj1 = "world", obj2 = "crank", w0 = 2, locked = c1);
    Revolute j2(obj1 = "crankEnd", obj2 = "rod");
    Revolute j3(obj1 = "rodEnd", obj2 = "rockerEnd");
    Revolute j4(obj1 = "pivot", obj2 = "rocker");
    Weld onRocker(obj1 = "rocker", obj2 = "load", active = c2);
    Weld measured(obj1 = "rod", obj2 = "load", active = c3 and not c2);
    ReactionSensor sensor(joint = "measured");`,
  'an arm with a flange that is held': `World world;
    Object3D arm(mass = 1, centre = {0.2, 0, 0}, inertia = 0.01*identity(3));
    Object3D second(mass = 1, centre = {0.2, 0, 0}, inertia = 0.01*identity(3));
    Object3D elbow(parent = "arm", translation = {0.4, 0, 0});
    Object3D tip(parent = "second", translation = {0.4, 0, 0});
    Object3D free(fixed = false, translation = {0.4, -0.4, 0}, mass = 0.4, inertia = 0.01*identity(3));
    RevoluteWithFlange joint(obj1 = "world", obj2 = "arm", phi(fixed = true), w(fixed = true));
    Revolute next(obj1 = "elbow", obj2 = "second", locked = c3);
    Weld stop(obj1 = "world", obj2 = "tip", active = c1 and not c3);
    Weld grip(obj1 = "tip", obj2 = "free", active = c2);`,
  'a ball that rolls at times': `World world(gravity = Gravity.none);
    Object3D ball(fixed = false, translation = {0, 0, 0.1}, velocity = {1, 0, 0}, mass = 1, inertia = 0.004*identity(3));
    Object3D frame(fixed = false, translation = {1, 1, 0.1}, mass = 1, inertia = 0.1*identity(3));
    Rolling rolling(obj1 = "world", obj2 = "ball", radius = 0.1, ball = true, active = c1);
    Revolute hinge(obj1 = "frame", obj2 = "flap", w0 = 3, locked = c2);
    Object3D flap(mass = 0.1, centre = {0.1, 0, 0}, inertia = 0.001*identity(3));`,
};

const steps = 10;
/** True in those tenths of a second whose bits are set. */
const schedule = (bits: number): string => {
  const intervals = Array.from({ length: steps }, (_, k) => k).filter((k) => (bits >> k) & 1);
  return intervals.length === 0
    ? 'time < -1'
    : intervals
        .map((k) => `time >= ${(k + 0.5) / steps} and time < ${(k + 1.5) / steps}`)
        .map((text) => `(${text})`)
        .join(' or ');
};

async function simulated(elements: string): Promise<SimulationResult> {
  const text = `model Test\n import Mutabor.Bodies.*;\n ${elements}\n end Test;`;
  return await simulate(loadModel(loadText(text, 'Test.mo', library()), 'Test'), {
    stopTime: 1.2,
    tolerance: 1e-6,
    intervals: 20,
  });
}

/** All that is said of a motion. */
const wordsAndNumbers = ({ table, impulses, segments, diagnostics }: SimulationResult) => ({
  signals: table.names.map((name) => [name, ...table.get(name)]),
  messages: diagnostics.map(({ message }) => message),
  impulses,
  segments: segments.map(({ variant }) => variant),
});

/** A setup is made anew for every change. */
function forgetSetups(): void {
  vi.spyOn(Setups.prototype, 'of').mockImplementation(function (this: Setups, structure: Structure) {
    const { scene, last, leading } = this as unknown as {
      readonly scene: Scene;
      readonly last: Float64Array;
      readonly leading: Leading;
    };
    return new Setup(scene, structure, last, leading);
  });
}

test.each(Object.keys(scenes))('%s: kept setups move as new ones do', async (name) => {
  const bits = fc.integer({ min: 0, max: 2 ** steps - 1 });
  await fc.assert(
    fc.asyncProperty(bits, bits, bits, async (...all) => {
      const conditions = all.map((own, k) => `Boolean c${k + 1} = ${schedule(own)};`).join('\n');
      const elements = `${conditions}\n${scenes[name]}`;
      const renewed = vi.spyOn(Setup.prototype, 'renew');
      const kept = await simulated(elements);
      renewed.mockClear();
      forgetSetups();
      const fresh = await simulated(elements);
      expect(renewed).not.toHaveBeenCalled();
      vi.restoreAllMocks();
      expect(kept.status, kept.diagnostics.map(({ message }) => message).join('\n')).toBe('done');
      expect(wordsAndNumbers(kept)).toEqual(wordsAndNumbers(fresh));
    }),
    { numRuns: 4, examples: [[0b0101010101, 0b0011001101, 0b1001100110]] },
  );
});

test('a hand that grips again and again uses two setups, and one for its impacts', async () => {
  const renewed = vi.spyOn(Setup.prototype, 'renew');
  const { segments } = await run(
    'Bodies',
    `World world(gravity = Gravity.none);
    Object3D a(fixed = false, velocity = {1, 0, 0}, mass = 1, inertia = identity(3));
    Object3D b(fixed = false, translation = {1, 1, 0}, angularVelocity = {0, 0, 1}, mass = 1, inertia = identity(3));
    Weld weld(obj1 = "a", obj2 = "b", active = sin(200*time) > 0);`,
    1,
  );
  // All but the first of each; a grip takes one more.
  const changes = segments.length - 1;
  expect(changes).toBeGreaterThan(50);
  const grips = Math.ceil(changes / 2);
  expect(renewed).toHaveBeenCalledTimes(segments.length + grips - 3);
});
