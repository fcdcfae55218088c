/** The time that a player shows. */
import { describe, expect, it } from 'vitest';
import { Clock, speedsFor, watchable } from '../../src/animation/player/clock.ts';

describe('the clock of a player', () => {
  it('runs in real time until the end, and from the beginning again', () => {
    const clock = new Clock(1, 2);
    clock.advance(0.1);
    expect(clock.time).toBe(1);
    clock.play();
    clock.advance(0.25);
    expect(clock.time).toBe(1.25);
    for (let i = 0; i < 4; i++) clock.advance(0.2);
    expect([clock.time, clock.isRunning]).toEqual([2, false]);
    clock.play();
    expect([clock.time, clock.isRunning]).toEqual([1, true]);
  });

  it('loops without losing time', () => {
    const clock = new Clock(1, 2);
    clock.loops = true;
    clock.speed = 10;
    clock.play();
    clock.advance(0.13);
    expect(clock.time).toBeCloseTo(1.3, 12);
    expect(clock.isRunning).toBe(true);
  });

  it('does not catch up with a pause of the browser', () => {
    const clock = new Clock(0, 100);
    clock.play();
    clock.advance(60);
    expect(clock.time).toBe(0.25);
  });

  it('stays inside the run, and at rest where there is none', () => {
    const clock = new Clock(0, 1);
    clock.seek(7);
    expect(clock.time).toBe(1);
    clock.seek(-7);
    expect(clock.time).toBe(0);
    const still = new Clock(3, 3);
    still.play();
    expect(still.isRunning).toBe(false);
  });

  it('has the usual speeds, and others for runs that nobody could watch', () => {
    expect(speedsFor(10)).toEqual([0.1, 0.2, 0.5, 1, 2, 5, 10]);
    expect(watchable(10)).toBe(1);
    // A day in ten seconds, about; a millisecond as well.
    expect(watchable(86_400)).toBe(10_000);
    expect(watchable(1e-3)).toBe(1e-4);
    expect(speedsFor(1e-3)).toEqual([1e-5, 2e-5, 5e-5, 1e-4, 2e-4, 5e-4, 1e-3, 0.1, 0.2, 0.5, 1, 2, 5, 10]);
    expect(speedsFor(86_400)).toContain(50_000);
    // Half a second is over before one sees anything.
    expect(watchable(0.5)).toBe(0.05);
    for (const duration of [1e-9, 0.3, 301, 1e12]) expect(speedsFor(duration)).toContain(watchable(duration));
  });

  it('is slower where something turns fast, but not for hours', () => {
    // 300 rad/s at a fifth are ten turns in a second.
    expect(watchable(10, 300)).toBe(0.2);
    expect(watchable(10, 50)).toBe(1);
    expect(watchable(80, 180)).toBe(1);
    expect(watchable(86_400, 1e3)).toBe(1000);
    for (const [duration, fastest] of [
      [10, 300],
      [3, 1e4],
      [86_400, 1e3],
    ] as const)
      expect(speedsFor(duration, fastest)).toContain(watchable(duration, fastest));
  });

  it('knows when a screen misleads: more than a quarter of a turn from picture to picture', () => {
    const clock = new Clock(0, 100, 300);
    expect(clock.isMisleading).toBe(false);
    clock.speed = 1;
    clock.play();
    expect(clock.isMisleading).toBe(true);
    clock.speed = 0.2;
    expect(clock.isMisleading).toBe(false);
  });
});
