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
    for (const duration of [1e-9, 0.3, 301, 1e12]) expect(speedsFor(duration)).toContain(watchable(duration));
  });
});
