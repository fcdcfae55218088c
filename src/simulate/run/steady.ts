/**
 * The steady state of a run: from where it has come to, the states are moved at a fixed time until none of them changes. Discrete values and relations stay while the search goes on
 * in a mode; where it arrives, relations must agree with the values. Otherwise what they ask for happens, as at any event, and the search goes on from there.
 */
import { type Diagnostic, diagnostic, error } from '../../diagnostic/diagnostic.ts';
import { Failure } from '../../diagnostic/failure.ts';
import { listed } from '../../diagnostic/words.ts';
import type { Runtime } from '../../program/runtime.ts';
import type { OdeSystem } from '../../solve/integrator.ts';
import { type SteadyProblem, type SteadyState, steadyState } from '../../solve/steady.ts';
import type { SteadyReport } from '../types.ts';
import type { Engine } from './engine.ts';

/** Modes, and values of relations, that the search goes through at most. */
const mostRounds = 50;
/** So many names are listed. */
const mostNames = 5;

/** Moves a run to a steady state. Throws a `Failure` where there is none. */
export function findSteady(engine: Engine, runtime: Runtime): SteadyReport {
  for (let round = 0; round < mostRounds; round++) {
    const { mode, time } = engine;
    const y0 = engine.evaluate();
    if (mode.size === 0) return { residual: 0, undetermined: [] };
    const found = steadyState(problemOf(engine, runtime), y0);
    if (!found) throw Failure.of('initialise', 'no-steady-state', noValues(time));
    if (!found.isSteady) throw new Failure('initialise', [noSteadyState(engine, found)]);
    if (engine.moveTo(found.y)) continue;
    const names = mode.allStateNames()();
    return {
      residual: Math.max(0, ...found.rates.map((rate, i) => share(found, rate, i))),
      undetermined: names.filter((_, i) => found.undetermined[i]),
    };
  }
  const message = `No steady state was found at time ${engine.time}: relations and modes change back and forth where the search arrives.`;
  throw Failure.of('initialise', 'no-steady-state', message, { hint: startHint });
}

const startHint =
  'Begin nearer to it, with other start values or at a later time; a model that oscillates or switches has none.';

const noValues = (time: number): string =>
  `No steady state can be looked for at time ${time}: the derivatives of the states have no values there.`;

/** Systems of equations may have several solutions: those next to the last point that was accepted count. */
function problemOf(engine: Engine, runtime: Runtime): SteadyProblem {
  const { mode, time: t } = engine;
  const { system, jacobian } = engine.system;
  const rhs: OdeSystem['rhs'] = (time, y, dy) => {
    mode.restoreSolutions();
    return system.rhs(time, y, dy);
  };
  const accept = (): void => {
    mode.keepSolutions();
    mode.nextStep();
  };
  accept();
  return { system: { n: system.n, rhs }, jacobian, t, scale: sizesOf(engine, runtime), accept };
}

/** Sizes of states below which they count as zero. */
function sizesOf({ mode }: Engine, { values }: Runtime): Float64Array {
  const sizes = new Float64Array(mode.size).fill(1);
  for (const [i, { symbol }] of mode.states.entries()) sizes[i] = values.nominalOf(symbol);
  for (const { live, offset } of mode.parts) sizes.set(live.nominals, offset);
  return sizes;
}

const share = ({ sizes }: SteadyState, rate: number, i: number): number =>
  rate === 0 ? 0 : Math.abs(rate) / (sizes[i]! || 1);

function noSteadyState({ mode, time }: Engine, found: SteadyState): Diagnostic {
  const { rates } = found;
  const worst = [...rates.keys()]
    .filter((i) => share(found, rates[i]!, i) > 1e-9)
    .sort((i, k) => share(found, rates[k]!, k) - share(found, rates[i]!, i));
  const named = worst.slice(0, mostNames);
  const texts = named.map((i) => `der(${mode.describeState(i)?.name}) = ${Number(rates[i]!.toPrecision(4))}`);
  const names = listed(texts, mostNames);
  const message = `No steady state was found at time ${time}; where the search ended, ${names}${worst.length > mostNames ? ' and others' : ''}.`;
  const notes = named.flatMap((i) => {
    const state = mode.describeState(i);
    return state?.span ? [{ message: `\`${state.name}\` is declared here`, span: state.span }] : [];
  });
  return error('no-steady-state', message, { hint: startHint, notes });
}

/** What is to be said of a steady state that is not the only one. */
export function undeterminedNote(undetermined: readonly string[]): Diagnostic[] {
  if (undetermined.length === 0) return [];
  const isOne = undetermined.length === 1;
  const names = listed(
    undetermined.map((name) => `\`${name}\``),
    mostNames,
  );
  const message = `The steady state is not the only one: nothing determines ${names}, whose ${isOne ? 'value follows' : 'values follow'} from where the search began.`;
  return [diagnostic('info', 'no-steady-state', message)];
}
