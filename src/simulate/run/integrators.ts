/** The integrators of a run: one for each mode and each shape of the components in it, kept for when they return. */
import { remember } from '../../collections/memo.ts';
import { pulse } from '../../diagnostic/pulse.ts';
import type { ModeBank } from '../../program/cache.ts';
import type { ComponentShape } from '../../program/components/running.ts';
import type { RunValues } from '../../program/evaluation.ts';
import type { CompiledMode } from '../../program/mode/compiled.ts';
import { type MergedPattern, mergedPattern } from '../../program/mode/pattern.ts';
import { createIntegrator } from '../../solve/auto.ts';
import type { Integrator, OdeSystem, SolverStatistics } from '../../solve/integrator.ts';
import type { Present } from '../instant/current.ts';
import type { Settings } from '../settings.ts';

/** Integrators that are kept for a mode: components may go back and forth between a few shapes. */
const mostIntegrators = 4;

interface ShapedIntegrator {
  readonly integrator: Integrator;
  readonly shapes: readonly ComponentShape[];
  /** How far time has come in the present attempt at a step. */
  readonly pace: { latest: number };
}

export class Integrators {
  /** Where the right-hand side could not be evaluated last. */
  lastFailure = { time: Number.NaN, y: new Float64Array(0) };
  private readonly known = new WeakMap<CompiledMode, ShapedIntegrator[]>();

  constructor(
    private readonly values: RunValues,
    private readonly bank: ModeBank,
    private readonly present: Present,
    private readonly settings: Settings,
    /** Of all integrators. */
    private readonly statistics: SolverStatistics,
  ) {}

  /** An integrator goes on wherever the components of its mode have the shapes that it was made for. */
  for(mode: CompiledMode): Integrator {
    const known = remember(this.known, mode, () => []);
    const fits = ({ shapes }: ShapedIntegrator) =>
      mode.parts.every(({ live }, k) => live.shape === shapes[k]);
    const found = known.findIndex(fits);
    if (found === 0) return known[0]!.integrator;
    const chosen = found > 0 ? known.splice(found, 1)[0]! : this.create(mode, known[0]);
    known.unshift(chosen);
    if (known.length > mostIntegrators) known.pop();
    return chosen.integrator;
  }

  /** The integrator of a mode without components, where it has one, as a value. */
  state(mode: CompiledMode) {
    const known = this.known.get(mode)?.[0];
    return known && { ...known.pace, state: known.integrator.state() };
  }

  resume(mode: CompiledMode, { latest, state }: NonNullable<ReturnType<Integrators['state']>>): void {
    const chosen = this.create(mode, undefined);
    this.known.set(mode, [chosen]);
    chosen.integrator.resume(state);
    chosen.pace.latest = latest;
  }

  /** A mode that was stiff with other shapes probably is with these. */
  private create(mode: CompiledMode, last: ShapedIntegrator | undefined): ShapedIntegrator {
    const { tolerance, method } = this.settings;
    const stiff = last?.integrator.method === 'bdf';
    const control = { relative: tolerance, absolute: this.absolute(mode), stiff };
    const pace = { latest: Number.POSITIVE_INFINITY };
    return {
      integrator: createIntegrator(method, this.system(mode, pace), control, this.statistics),
      shapes: mode.parts.map(({ live }) => live.shape),
      pace,
    };
  }

  private system(mode: CompiledMode, pace: ShapedIntegrator['pace']): OdeSystem {
    const { values, bank } = this;
    const n = mode.size;
    /** Another attempt at a step begins where the first one did. */
    const goTo = (t: number): void => {
      if (t < pace.latest) mode.restoreSolutions();
      pace.latest = t;
    };
    // The inner loop of everything: no closures are made here.
    const rhs: OdeSystem['rhs'] = (t, y, dy) => {
      let finite: boolean;
      pulse();
      goTo(t);
      try {
        finite = mode.derivatives(t, y, dy);
      } catch (problem) {
        finite = this.present.caught(problem);
      }
      if (!finite) {
        pace.latest = Number.POSITIVE_INFINITY;
        this.lastFailure = { time: t, y: y.slice() };
      }
      return finite;
    };
    // Components are known by their values alone: differences take the place of derivatives.
    if (n > mode.states.length) {
      let pattern: MergedPattern | undefined;
      const known = (): MergedPattern => (pattern ??= mergedPattern(values, mode));
      return {
        n,
        rhs,
        get pattern() {
          return known();
        },
        get loose() {
          return known().loose;
        },
      };
    }
    let jacobian: OdeSystem['jacobian'];
    return {
      n,
      rhs,
      get stages() {
        const stages = bank.timeCode(() => mode.stages);
        mode.activate();
        return stages;
      },
      get jacobian() {
        if (!jacobian) {
          const own = bank.timeCode(() => mode.jacobian);
          mode.activate();
          jacobian = {
            pattern: own.pattern,
            evaluate: (t, y, values) => {
              goTo(t);
              return own.evaluate(t, y, values);
            },
          };
        }
        return jacobian;
      },
    };
  }

  /** Absolute tolerances of the states. */
  private absolute(mode: CompiledMode): Float64Array {
    const { tolerance } = this.settings;
    const absolute = new Float64Array(mode.size);
    for (const [i, { symbol }] of mode.states.entries())
      absolute[i] = tolerance * this.values.nominalOf(symbol);
    for (const { live, offset } of mode.parts) {
      const { nominals } = live;
      for (let i = 0; i < nominals.length; i++) absolute[offset + i] = tolerance * nominals[i]!;
    }
    return absolute;
  }
}
