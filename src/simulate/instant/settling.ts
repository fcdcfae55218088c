/**
 * Which relations hold after an instant, found on numbers. Ideal diodes, freewheels, check valves, contacts and friction make a complementarity problem: each
 * relation chooses between equations, and must agree with what they give. A very small implicit step (`stepping.ts`) tells, for values of all relations,
 * which of them are violated; `search.ts` looks for values that agree. No mode is analysed or compiled for that; the one that is found is then entered by
 * an exact restart, which has the last word.
 */
import { error } from '../../diagnostic/diagnostic.ts';
import { movableConditions, undecided } from '../../modes/undecided.ts';
import type { Runtime } from '../../program/runtime.ts';
import { holds } from '../../symbolic/arithmetic.ts';
import { searchModes, type TrialOutcome } from './search.ts';
import { EulerStep } from './stepping.ts';

/** Steps that get shorter by this factor, until two of them agree. */
const shorter = 1 / 8;
const mostSteps = 4;
/** Combinations that are tried, and more for each relation. */
const mostAttempts = 64;
const attemptsEach = 16;
/** Systems that are kept, by values of conditions that do not depend on relations. */
const mostSystems = 16;

export class Settling {
  private readonly systems: Map<string, EulerStep | undefined>;

  constructor(private readonly runtime: Runtime) {
    this.systems = runtime.finding(systems);
  }

  /**
   * Values of all conditions after the left limits in the memory, from the values that they have; undefined where none are found. Relations in the memory are
   * the first guess.
   */
  propose(conditions: readonly boolean[]): boolean[] | undefined {
    const system = this.systemFor(conditions);
    if (!system || system.relations.length === 0) return undefined;
    let held: readonly boolean[] = system.start();
    let h = system.shortTime();
    for (let n = 0; n < mostSteps; n++, h *= shorter) {
      const found = this.search(system, held, h);
      if (!found) return undefined;
      const agrees = n > 0 && found.every((value, k) => value === held[k]);
      held = found;
      if (agrees) break;
    }
    const result = conditions.slice();
    const values = system.conditionValues(held);
    for (const [k, condition] of system.conditions.entries()) result[condition] = values[k]!;
    return result;
  }

  /**
   * What is zero for relations at the values in the memory, in the present mode: by relation, an indicator that is smaller in size is rounding.
   * Those that choose nothing are missing.
   */
  zeros(conditions: readonly boolean[]): ReadonlyMap<number, number> {
    const system = this.systemFor(conditions);
    const stepped = system?.step(system.start(), system.shortTime());
    return new Map(stepped ? system!.relations.map((relation, k) => [relation, stepped.zeros[k]!]) : []);
  }

  private search(system: EulerStep, from: readonly boolean[], h: number): readonly boolean[] | undefined {
    const { relations } = this.runtime.model;
    const attempt = (held: boolean[]): TrialOutcome => {
      const stepped = system.step(held, h);
      if (!stepped) return { kind: 'singular', reason: noSolution };
      const { indicators, zeros } = stepped;
      const violated = held.flatMap((value, k) => {
        const indicator = indicators[k]!;
        const { op } = relations[system.relations[k]!]!;
        return Math.abs(indicator) > zeros[k]! && holds(op, indicator) !== value ? [k] : [];
      });
      return violated.length === 0 ? { kind: 'consistent' } : { kind: 'violated', conditions: violated };
    };
    const most = mostAttempts + attemptsEach * from.length;
    const { found, attempts } = searchModes(from, [], from.keys(), attempt, { most });
    return found ? attempts.at(-1)!.values : undefined;
  }

  /** The equations for the conditions that do not depend on relations; conditions may have been promoted since. */
  private systemFor(conditions: readonly boolean[]): EulerStep | undefined {
    const { runtime, systems } = this;
    const { model } = runtime;
    const movable = new Set(movableConditions(model));
    const key = model.conditions
      .map(({ value }, k) => `${value.id}${movable.has(k) ? '?' : conditions[k] ? '+' : '-'}`)
      .join('');
    if (systems.has(key)) return systems.get(key);
    const equations = undecided(model, conditions, runtime.code.calls);
    const system = equations && EulerStep.of(runtime, equations);
    if (systems.size >= mostSystems) systems.delete(systems.keys().next().value!);
    systems.set(key, system);
    return system;
  }
}

/** Systems serve all runs of a translation. */
const systems = (): Map<string, EulerStep | undefined> => new Map();

const noSolution = error('singular-system', 'There is no solution.');
