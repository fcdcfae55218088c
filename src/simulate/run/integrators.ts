/** The integrators of a run: one for each mode and each shape of the components in it, kept for when they return. */
import type { ComponentPattern } from '../../builtin/component.ts';
import { remember } from '../../collections/memo.ts';
import { pulse } from '../../diagnostic/pulse.ts';
import type { ModeBank } from '../../program/cache.ts';
import type { ComponentShape } from '../../program/components/running.ts';
import type { RunValues } from '../../program/evaluation.ts';
import type { CompiledMode } from '../../program/mode/compiled.ts';
import type { ModeCoupling } from '../../program/mode/coupled.ts';
import { type MergedPattern, mergedPattern } from '../../program/mode/pattern.ts';
import { createIntegrator } from '../../solve/auto.ts';
import { differenceJacobian } from '../../solve/differences.ts';
import type {
  CoupledSystem,
  Integrator,
  IntegratorState,
  OdeJacobian,
  OdeSystem,
  SolverStatistics,
} from '../../solve/integrator.ts';
import type { Ref } from '../../symbolic/expr.ts';
import type { Present } from '../instant/current.ts';
import type { Settings } from '../settings.ts';

/** Integrators that are kept for a mode: components may go back and forth between a few shapes. */
const mostIntegrators = 4;

/** How far time has come in the present attempt at a step. */
interface Pace {
  latest: number;
}

/** An integrator for certain shapes; one that comes from a state is made when these return. */
class ShapedIntegrator {
  private made: Integrator | undefined;

  constructor(
    /** Undefined: one that does not return. */
    readonly shapes: readonly (ComponentShape | undefined)[],
    private readonly pace: Pace,
    private readonly make: () => Integrator,
    private readonly saved?: Pick<Integrator, 'method'> & { readonly state: IntegratorState },
  ) {}

  get integrator(): Integrator {
    if (this.made) return this.made;
    this.made = this.make();
    if (this.saved) this.made.resume(this.saved.state);
    return this.made;
  }

  get method(): Integrator['method'] {
    return (this.made ?? this.saved!).method;
  }

  state() {
    const { made, method, pace } = this;
    return { method, latest: pace.latest, state: made ? made.state() : this.saved!.state };
  }
}

export class Integrators {
  /** Where the right-hand side could not be evaluated last. */
  lastFailure = { time: Number.NaN, y: new Float64Array(0) };
  private readonly known = new WeakMap<CompiledMode, ShapedIntegrator[]>();
  /** The one that was asked for last. */
  private last: ShapedIntegrator | undefined;

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
    if (found === 0) return this.going(known[0]!);
    // A mode that was stiff with other shapes probably is with these.
    const stiff = found < 0 && known[0] !== undefined && known[0].method !== 'rk';
    const chosen = found > 0 ? known.splice(found, 1)[0]! : this.create(mode, stiff);
    known.unshift(chosen);
    if (known.length > mostIntegrators) known.pop();
    return this.going(chosen);
  }

  /** A mode that follows on a stiff one probably is stiff, too. */
  private going(chosen: ShapedIntegrator): Integrator {
    const { integrator } = chosen;
    if (this.last && this.last !== chosen && this.last.method !== 'rk') integrator.presumeStiff?.();
    this.last = chosen;
    return integrator;
  }

  /** The integrators of a mode, as a value. */
  state(mode: CompiledMode) {
    return (this.known.get(mode) ?? []).map((known) => ({
      ...known.state(),
      shapes: mode.parts.map(({ live }, k) => live.numberOf(known.shapes[k])),
    }));
  }

  /** The mode in force comes last. */
  resume(mode: CompiledMode, saved: ReturnType<Integrators['state']>): void {
    const known = saved.map(({ shapes, latest, ...own }) => {
      const pace = { latest };
      const returning = mode.parts.map(({ live }, k) => live.numbered(shapes[k]!));
      return new ShapedIntegrator(returning, pace, () => this.integrator(mode, pace, false), own);
    });
    this.known.set(mode, known);
    this.last = known[0];
  }

  /** The right-hand side of a mode, and its Jacobian, for the shapes that components have now. */
  systemOf(mode: CompiledMode): { readonly system: OdeSystem; readonly jacobian: OdeJacobian } {
    const system = this.system(mode, { latest: Number.POSITIVE_INFINITY });
    const weights = this.absolute(mode).map((size) => this.settings.tolerance / size);
    return {
      system,
      jacobian: system.jacobian ?? differenceJacobian(system, { values: weights }, this.statistics),
    };
  }

  private create(mode: CompiledMode, stiff: boolean): ShapedIntegrator {
    const pace = { latest: Number.POSITIVE_INFINITY };
    const shapes = mode.parts.map(({ live }) => live.shape);
    return new ShapedIntegrator(shapes, pace, () => this.integrator(mode, pace, stiff));
  }

  /** The shapes of components are those of now. */
  private integrator(mode: CompiledMode, pace: Pace, stiff: boolean): Integrator {
    const { tolerance, method } = this.settings;
    const control = { relative: tolerance, absolute: this.absolute(mode), stiff };
    return createIntegrator(method, this.system(mode, pace), control, this.statistics);
  }

  private system(mode: CompiledMode, pace: Pace): OdeSystem {
    const { values, bank } = this;
    const n = mode.size;
    /** Another attempt at a step begins where the first one did. */
    const goTo = (t: number): void => {
      if (t < pace.latest) mode.restoreSolutions();
      pace.latest = t;
    };
    // The inner loop of everything: no closures are made in a call.
    const followed =
      (evaluate: OdeSystem['rhs']): OdeSystem['rhs'] =>
      (t, y, out) => {
        let finite: boolean;
        pulse();
        goTo(t);
        try {
          finite = evaluate(t, y, out);
        } catch (problem) {
          finite = this.present.caught(problem);
        }
        if (!finite) {
          pace.latest = Number.POSITIVE_INFINITY;
          this.lastFailure = { time: t, y: y.slice(0, n) };
        }
        return finite;
      };
    const rhs = followed((t, y, dy) => mode.derivatives(t, y, dy));
    // Components are known by their values alone: differences take the place of derivatives.
    if (n > mode.states.length) {
      let merged: MergedPattern | undefined;
      let patterns: readonly ComponentPattern[] = [];
      // Components may come to depend on more while they run.
      const known = (): MergedPattern => {
        const now = mode.parts.map(({ live }) => live.pattern());
        if (!merged || now.some((own, k) => own !== patterns[k])) merged = mergedPattern(values, mode, now);
        patterns = now;
        return merged;
      };
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
    let coupled: OdeSystem['coupled'];
    const opened = (own: ModeCoupling): CoupledSystem => ({
      ...own,
      evaluate: followed(own.evaluate),
      jacobian: jacobianFrom(own.jacobian, goTo),
      nominal: this.nominalOf(mode.openUnknowns),
    });
    return {
      n,
      rhs,
      direct: mode.direct,
      get jacobian() {
        if (!jacobian) {
          const own = bank.timeCode(() => mode.jacobian);
          mode.activate();
          jacobian = jacobianFrom(own, goTo);
        }
        return jacobian;
      },
      get coupled() {
        // Without states nothing is integrated.
        const own = coupled || n === 0 ? undefined : bank.timeCode(() => mode.coupling);
        if (own) {
          mode.activate();
          coupled = opened(own);
        }
        return coupled;
      },
    };
  }

  /** Absolute tolerances of the states. */
  private absolute(mode: CompiledMode): Float64Array {
    const { tolerance } = this.settings;
    const absolute = new Float64Array(mode.size);
    absolute.set(this.nominalOf(mode.states).map((size) => tolerance * size));
    for (const { live, offset } of mode.parts) {
      const { nominals } = live;
      for (let i = 0; i < nominals.length; i++) absolute[offset + i] = tolerance * nominals[i]!;
    }
    return absolute;
  }

  private nominalOf(variables: readonly Ref[]): Float64Array {
    return Float64Array.from(variables, ({ symbol }) => this.values.nominalOf(symbol));
  }
}

/** A Jacobian that goes to each time before it is evaluated there. */
function jacobianFrom({ pattern, evaluate }: OdeJacobian, goTo: (t: number) => void): OdeJacobian {
  return {
    pattern,
    evaluate: (t, y, values) => {
      goTo(t);
      return evaluate(t, y, values);
    },
  };
}
