/**
 * Which relations hold after an instant, found on numbers. Ideal diodes, freewheels, check valves, contacts and friction make a complementarity problem: each
 * relation chooses between equations, and must agree with what they give. A very small implicit step (`stepping.ts`) tells, for values of all relations,
 * which of them are violated; `search.ts` looks for values that agree. No mode is analysed or compiled for that; the one that is found is then entered by
 * an exact restart, which has the last word.
 */
import { sameItems } from '../../collections/lists.ts';
import { error } from '../../diagnostic/diagnostic.ts';
import { movableConditions, undecided } from '../../modes/undecided.ts';
import type { CompiledMode } from '../../program/mode/compiled.ts';
import type { Runtime } from '../../program/runtime.ts';
import { holds } from '../../symbolic/arithmetic.ts';
import { outcomeOf, searchModes, type TrialOutcome } from './search.ts';
import { EulerStep, shortTime } from './stepping.ts';

/** Steps that get shorter by this factor, until two of them agree. */
const shorter = 1 / 8;
const mostSteps = 4;
/** An indicator that grows by this factor where a step is shorter is that of an impulse. */
const impulsive = 4;
/** The shortest step, as a share of time. */
const leastTime = 1e-12;
/** Combinations that are tried, and more for each relation. */
const mostAttempts = 64;
const attemptsEach = 16;
/** Combinations without a solution, one after the other, after which equations that are not linear are taken to be solved from too far away. */
const mostLost = 12;
/** Systems that are kept, by values of conditions that do not depend on relations. */
const mostSystems = 16;

/**
 * Values of all conditions after the left limits in the memory, from the values that they have; undefined where none are found. Relations in the memory are
 * the first guess, `mode` is the one whose rates of change they contain.
 */
export function foreseen(
  runtime: Runtime,
  conditions: readonly boolean[],
  mode: CompiledMode | undefined,
): boolean[] | undefined {
  const settled = settle(runtime, conditions, mode);
  return settled && valuesOf(conditions, settled.system, settled.held);
}

/**
 * The same before impulses: where a relation holds because of an impulse, as that of a freewheel that is driven at once, its condition has the other value.
 * Undefined where there is none.
 */
export function unforced(runtime: Runtime, conditions: readonly boolean[]): boolean[] | undefined {
  const settled = settle(runtime, conditions, undefined);
  if (!settled) return undefined;
  const { system, held, h } = settled;
  const [long, short] = [system.step(held, h), system.step(held, h * shorter)];
  if (!long || !short) return undefined;
  const grows = (k: number): boolean =>
    Math.abs(short.indicators[k]!) > Math.max(short.zeros[k]!, Math.abs(long.indicators[k]!) * impulsive);
  if (!held.some((_, k) => grows(k))) return undefined;
  return valuesOf(
    conditions,
    system,
    held.map((value, k) => value !== grows(k)),
  );
}

function settle(
  runtime: Runtime,
  conditions: readonly boolean[],
  mode: CompiledMode | undefined,
): { readonly system: EulerStep; readonly held: readonly boolean[]; readonly h: number } | undefined {
  const system = systemFor(runtime, conditions);
  if (!system || system.relations.length === 0) return undefined;
  let held: readonly boolean[] = system.start();
  let h = shortTime(runtime.values, mode, leastTime);
  for (let n = 0; n < mostSteps; n++, h *= shorter) {
    const found = search(runtime, system, held, h);
    if (!found) return undefined;
    const isSame = n > 0 && sameItems(found, held);
    held = found;
    if (isSame) break;
  }
  return { system, held, h };
}

function valuesOf(conditions: readonly boolean[], system: EulerStep, held: readonly boolean[]): boolean[] {
  const result = conditions.slice();
  const values = system.conditionValues(held);
  for (const [k, condition] of system.conditions.entries()) result[condition] = values[k]!;
  return result;
}

/**
 * What is zero for relations at the values in the memory, in the present mode: by relation, an indicator that is smaller in size is rounding.
 * Those that choose nothing are missing.
 */
export function zerosOf(runtime: Runtime, mode: CompiledMode): ReadonlyMap<number, number> {
  const system = systemFor(runtime, mode.conditions);
  const stepped = system?.step(system.start(), shortTime(runtime.values, mode, leastTime));
  return new Map(stepped ? system!.relations.map((relation, k) => [relation, stepped.zeros[k]!]) : []);
}

function search(
  { model }: Runtime,
  system: EulerStep,
  from: readonly boolean[],
  h: number,
): readonly boolean[] | undefined {
  let lost = 0;
  const attempt = (held: boolean[]): TrialOutcome => {
    const isHopeless = !system.linear && lost === mostLost;
    const stepped = isHopeless ? undefined : system.step(held, h);
    if (!stepped) {
      if (!isHopeless) lost++;
      return { kind: 'singular', reason: noSolution };
    }
    lost = 0;
    const { indicators, zeros } = stepped;
    const isViolated = (value: boolean, k: number): boolean => {
      const indicator = indicators[k]!;
      const { op } = model.relations[system.relations[k]!]!;
      return Math.abs(indicator) > zeros[k]! && holds(op, indicator) !== value;
    };
    return outcomeOf(held.flatMap((value, k) => (isViolated(value, k) ? [k] : [])));
  };
  const most = mostAttempts + attemptsEach * from.length;
  const { found, attempts } = searchModes(from, [], from.keys(), attempt, { most });
  return found ? attempts.at(-1)!.values : undefined;
}

/** Systems serve all runs of a translation. */
const knownSystems = (): Map<string, EulerStep | undefined> => new Map();

/** The equations for the conditions that do not depend on relations; conditions may have been promoted since. */
function systemFor(runtime: Runtime, conditions: readonly boolean[]): EulerStep | undefined {
  const systems = runtime.finding(knownSystems);
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

const noSolution = error('singular-system', 'There is no solution.');
