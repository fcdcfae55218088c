/**
 * A rocket with two stages that fly together, then each for itself until the first one is lost: two, four and two states. The number of
 * segments and what each of them has is known to this file alone; the model around it stays as it is.
 *
 *     model Rocket
 *       parameter Real m1, m2 "masses";
 *       parameter Real f1max, f2max "thrust at ignition";
 *       parameter Real t1, t2, t3 "separation; loss of the first stage; burnout of the second";
 *       parameter Real g = 9.81;
 *       annotation(__Mutabor(builtIn = "rocket"));
 *     end Rocket;
 */
import type { BuiltIn } from 'mutabor';

type Name = 'm1' | 'm2' | 'f1max' | 'f2max' | 't1' | 't2' | 't3' | 'g';

interface Rocket {
  readonly data: Readonly<Record<Name, number>>;
  /** Together, apart, second stage alone. */
  phase: 1 | 2 | 3;
}

export const rocket: BuiltIn<Rocket> = {
  name: 'rocket',
  allocate(instance) {
    const names: readonly Name[] = ['m1', 'm2', 'f1max', 'f2max', 't1', 't2', 't3', 'g'];
    const data = Object.fromEntries(names.map((name) => [name, instance.number(name)]));
    return { data: data as Rocket['data'], phase: 1 };
  },

  begin(memory, segment) {
    const { t1, t2, t3 } = memory.data;
    const { time } = segment;
    memory.phase = time < t1 ? 1 : time < t2 ? 2 : 3;
    const last = (name: string) => segment.previous(name)?.[0];
    if (memory.phase < 3) {
      segment.state('h1', { start: last('h1') ?? 0, unit: 'm' });
      segment.state('v1', { start: last('v1') ?? 0, unit: 'm/s' });
      segment.variable('f1', { unit: 'N' });
    }
    if (memory.phase > 1) {
      segment.state('h2', { start: last('h2') ?? last('h1') ?? 0, unit: 'm' });
      segment.state('v2', { start: last('v2') ?? last('v1') ?? 0, unit: 'm/s' });
      segment.variable('f2', { unit: 'N' });
    }
    const next = [t1, t2, t3].find((t) => t > time);
    if (next !== undefined) segment.nextEvent(next);
  },

  derivatives({ data, phase }, { t, x, dx }) {
    const { m1, m2, f1max, f2max, t1, t3, g } = data;
    const f1 = thrust(f1max, 0, t1, t);
    const f2 = thrust(f2max, t1, t3, t);
    if (phase === 1) {
      dx[0] = x[1]!;
      dx[1] = f1 / (m1 + m2) - g;
      return;
    }
    if (phase === 2) {
      dx[0] = x[1]!;
      dx[1] = -g;
    }
    const second = phase === 2 ? 2 : 0;
    dx[second] = x[second + 1]!;
    dx[second + 1] = f2 / m2 - g;
  },

  variables({ data, phase }, { t, w }) {
    const { f1max, f2max, t1, t3 } = data;
    if (phase < 3) w[0] = thrust(f1max, 0, t1, t);
    if (phase > 1) w[phase === 2 ? 1 : 0] = thrust(f2max, t1, t3, t);
  },

  event({ data, phase }, { point, restart }) {
    const now = point.t < data.t1 ? 1 : point.t < data.t2 ? 2 : 3;
    if (now !== phase) restart();
  },
};

/** Falls from `most` at one time to zero at another. */
function thrust(most: number, from: number, to: number, t: number): number {
  return t < from || t >= to ? 0 : (most * (to - t)) / (to - from);
}
