/** Linear systems that are solved so often that they become code: the same solutions, wherever pivots vanish, and the same bits where a run is resumed. */
import { describe, expect, test, vi } from 'vitest';
import { CallWriter } from '../../src/code/calls.ts';
import { instantiate, loadModel, simulate } from '../../src/index.ts';
import { Sequences } from '../../src/program/mode/sequences.ts';
import { WrittenSystem } from '../../src/program/written.ts';
import { expectContinued, Run } from './continued.ts';

/** A rotation in space of four dimensions: never singular, and every coefficient passes through zero. A Boolean causes events. */
const turning = `
  model Turning
    Real a, b, c, d;
    Real s(start = 0, fixed = true), w(start = 0, fixed = true);
    Real p = 2 + sin(time), q = cos(5*time), r = -3 + time/10, u = 1e-3*sin(time) + 1e-5;
    Boolean chosen = sin(0.7*time) > 0.3;
    Real k1 = cos(time)*p + sin(time)*q, k2 = -sin(time)*p + cos(time)*q, k3 = cos(2*time)*r + sin(2*time)*u;
  equation
    cos(time)*a + sin(time)*b = k1;
    cos(3*time)*(-sin(time)*a + cos(time)*b) + sin(3*time)*(cos(2*time)*c + sin(2*time)*d)
      = cos(3*time)*k2 + sin(3*time)*k3;
    -sin(3*time)*(-sin(time)*a + cos(time)*b) + cos(3*time)*(cos(2*time)*c + sin(2*time)*d)
      = -sin(3*time)*k2 + cos(3*time)*k3;
    -sin(2*time)*c + cos(2*time)*d = -sin(2*time)*r + cos(2*time)*u;
    der(s) = a + b + c + d;
    der(w) = -30*(w - (if chosen then a else b));
    annotation(experiment(StopTime = 20, Tolerance = 1e-9));
  end Turning;`;

const integral = (t: number): number =>
  2 * t + 1 - Math.cos(t) + Math.sin(5 * t) / 5 - 3 * t + (t * t) / 20 + 1e-3 * (1 - Math.cos(t)) + 1e-5 * t;

describe('linear systems as code', () => {
  test('have the solutions of the equations, also where pivots pass through zero', async () => {
    const runs = vi.spyOn(Sequences.prototype, 'run');
    const { status, table } = await simulate(loadModel(turning));
    expect(status).toBe('done');
    expect(runs.mock.results.filter(({ value }) => value > 0).length).toBeGreaterThan(1000);
    const [a, b, c, d, s] = ['a', 'b', 'c', 'd', 's'].map((name) => table.get(name)) as Float64Array[];
    for (const [k, t] of table.time.entries()) {
      expect(Math.abs(a![k]! - (2 + Math.sin(t)))).toBeLessThan(1e-13);
      expect(Math.abs(b![k]! - Math.cos(5 * t))).toBeLessThan(1e-13);
      expect(Math.abs(c![k]! - (-3 + t / 10))).toBeLessThan(1e-13);
      expect(Math.abs(d![k]! - (1e-3 * Math.sin(t) + 1e-5))).toBeLessThan(1e-13);
      expect(Math.abs(s![k]! - integral(t))).toBeLessThan(1e-7);
    }
  });

  test('serve all runs of a session: one after the other comes to the same functions', async () => {
    const model = instantiate(turning);
    const first = await model.simulate({ stopTime: 3 });
    const made = vi.spyOn(CallWriter.prototype, 'make');
    const runs = vi.spyOn(Sequences.prototype, 'run');
    const second = await model.simulate({ stopTime: 3 });
    expect(runs.mock.results.some(({ value }) => value > 0)).toBe(true);
    expect(made).not.toHaveBeenCalled();
    expect(second.table.final()).toEqual(first.table.final());
  });

  test('are part of the state of a run', () => {
    const made = vi.spyOn(WrittenSystem, 'of');
    expectContinued(new Run(turning));
    expect(made).toHaveBeenCalled();
  });
});
