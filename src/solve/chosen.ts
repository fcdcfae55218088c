/**
 * The explicit pair where it was chosen by hand, with a watch beside it. An undamped oscillation that is faster than the solution (in lines, strings and beams that are
 * divided finely) grows in its steps from rounding errors, until it is a thousand times the tolerance: so much less than the oscillation itself is its estimate of errors. The
 * automatic choice takes Radau there; what was chosen by hand goes on, and says so. How much a step makes of an oscillation with the eigenvalue λ is a polynomial in z = h·λ
 * (E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, IV.2). BDF needs no such watch: its estimate sees in time what grows.
 */
import {
  type Growing,
  type Integrator,
  type IntegratorOptions,
  type IntegratorState,
  type OdeSystem,
  type SolverStatistics,
  type StepOutcome,
  takenFrom,
} from './integrator.ts';
import { type RungeKutta, type RungeKuttaState, TSITOURAS } from './rk.ts';
import { Looks } from './spectrum.ts';

/** Logarithm of the growth that is told of. Rounding errors that have grown by so much are of the size of errors that are wanted. */
const NOTABLE = Math.log(1e5);

/** Coefficients of the polynomial, b·A^(k-1)·1, highest powers first. */
const POLYNOMIAL = stabilityPolynomial();

interface ChosenPairState extends IntegratorState {
  readonly name: 'rk';
  readonly own: RungeKuttaState;
  readonly looks: Looks['now'];
  readonly growth: number;
}

export class ChosenPair implements Integrator {
  readonly name = 'rk';
  readonly method = 'rk';
  readonly order = 5;
  readonly statistics: SolverStatistics;
  private readonly looks: Looks;
  /** Logarithm of what steps have made of the fastest oscillation; they do not damp what was never there. */
  private growth = 0;

  constructor(
    private readonly own: RungeKutta,
    system: OdeSystem,
    options: IntegratorOptions,
  ) {
    this.statistics = own.statistics;
    this.looks = new Looks(system, options, own.statistics);
  }

  get t(): number {
    return this.own.t;
  }

  get y(): Float64Array {
    return this.own.y;
  }

  get tPrevious(): number {
    return this.own.tPrevious;
  }

  get stepSize(): number {
    return this.own.stepSize;
  }

  get growing(): Growing | undefined {
    const { found } = this.looks.now;
    return this.growth > NOTABLE && found
      ? { frequency: found.radius, component: found.component }
      : undefined;
  }

  start(t: number, y: Float64Array): void {
    this.own.start(t, y);
  }

  step(limit: number): StepOutcome {
    const { own, looks } = this;
    looks.look(own.t, own.y);
    const outcome = own.step(limit);
    const pair = looks.now.found?.pair;
    if (pair) {
      const h = own.stepSize;
      // What grows by itself is no error of the steps.
      const change = growthOf(h * pair.re, h * pair.im) - h * Math.max(0, pair.re);
      this.growth = Math.max(0, this.growth + change);
    }
    return outcome;
  }

  interpolate(t: number, out: Float64Array): void {
    this.own.interpolate(t, out);
  }

  state(): ChosenPairState {
    const { t, y, growth } = this;
    return { name: 'rk', t, y: y.slice(), own: this.own.state(), looks: this.looks.now, growth };
  }

  resume(state: ChosenPairState): void {
    const { own, looks, growth } = takenFrom(state, this);
    this.own.resume(own);
    this.looks.now = looks;
    this.growth = growth;
  }
}

/** Logarithm of the factor by which a step makes an oscillation larger. */
function growthOf(re: number, im: number): number {
  let [a, b] = [0, 0];
  for (const c of POLYNOMIAL) [a, b] = [a * re - b * im + c, a * im + b * re];
  return Math.log(Math.hypot(a, b));
}

function stabilityPolynomial(): readonly number[] {
  const rows = TSITOURAS.a.slice(0, -1);
  const b = TSITOURAS.a.at(-1)!;
  const times = (row: readonly number[], v: readonly number[]): number =>
    row.reduce((sum, a, j) => sum + a * v[j]!, 0);
  const coefficients = [1];
  for (let v = rows.map(() => 1); v.some((each) => each !== 0); v = rows.map((row) => times(row, v)))
    coefficients.unshift(times(b, v));
  return coefficients;
}
