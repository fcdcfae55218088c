/** What a simulation gives; what it takes is in `settings.ts`. */
import type { Audit } from '../audit/index.ts';
import type { Picture, PicturedVisual } from '../builtin/picture.ts';
import type { Diagnostic, Stage } from '../diagnostic/diagnostic.ts';
import type { LinearModel } from '../results/files/linear.ts';
import type { SignalTable } from '../results/table/table.ts';
import type { Method } from '../solve/integrator.ts';

export type Status = 'done' | 'terminated' | 'failed' | 'stopped';

/** An interval of time spent in one mode. */
export interface ModeVisit {
  /** Readable structural choices, for example `closed=true`; empty for a model with one structure. */
  readonly signature: string;
  readonly from: number;
  readonly to: number;
  /** Names of the states. */
  readonly states: readonly string[];
  readonly index: number;
}

/** An interval in which the state vector stays what it is, with what the integrator did in it. */
export interface SegmentVisit {
  readonly from: number;
  readonly to: number;
  /** Number of states. */
  readonly states: number;
  /** Those of built-in components among them. */
  readonly variant: number;
  readonly steps: number;
  readonly evaluations: number;
  readonly jacobians: number;
  readonly events: number;
}

export interface Impulse {
  readonly time: number;
  readonly variable: string;
  readonly weight: number;
  /** The unit of the weight, where the results have no such variable, whose unit would say it. */
  readonly unit?: string;
}

export interface Statistics {
  translateMs: number;
  compileMs: number;
  /** Integration alone, from consistent initial values. */
  simulateMs: number;
  steps: number;
  evaluations: number;
  jacobians: number;
  events: number;
  modeChanges: number;
  /** New segments that built-in components asked for. */
  restarts: number;
  /** Their time: all between the last step before and the first one after, the work of the components and results included. */
  restartMs: number;
  /** Changes of mode for which all code was there already. */
  knownChanges: number;
  /** Their time: all between the last step before and the first one after, results included. */
  knownChangeMs: number;
  /** Time of the other changes of mode, analysis and code included. */
  newChangeMs: number;
  /** 1 where the model was translated for this run, 0 where all was there from runs before. */
  translations: number;
  modesCompiled: number;
  /** Names of the states of the initial mode. */
  states: readonly string[];
  /** Scalar counts before any elimination. */
  unknowns: number;
  equations: number;
}

/** Where a run has come to, as a value that can be kept, sent to another thread or written down. */
export interface RunSnapshot {
  readonly format: 'mutabor-state';
  readonly version: 1;
  readonly model: string;
  /** When it was taken. */
  readonly time: number;
  /** What tells models apart. */
  readonly structure: string;
  /** Settings that the run goes on with. */
  readonly settings: Readonly<
    Record<'startTime' | 'tolerance' | 'keptModes', number> &
      Record<'sliding' | 'singleMode', boolean> & { method: Method }
  >;
  /** How the model was translated. */
  readonly scalars: boolean;
  readonly written: readonly string[];
  /** Nobody but the engine knows what is in it. */
  readonly state: object;
}

/** What a run has come to while it goes on; a run that has to begin again has another one. */
export interface RunSoFar {
  /** The rows up to now; others follow, but not in this table. */
  table(): SignalTable;
  /** The last one goes on. */
  modes(): readonly ModeVisit[];
  readonly impulses: readonly Impulse[];
}

export interface SimulationResult {
  readonly model: string;
  readonly status: Status;
  /** Where a failed run ended. */
  readonly stage?: Stage;
  readonly time: number;
  readonly table: SignalTable;
  readonly modes: readonly ModeVisit[];
  readonly segments: readonly SegmentVisit[];
  /** By row of the table: how many steps the integrator had taken when it was written. */
  readonly stepsAtRows: readonly number[];
  /** Where an audit was asked for: initial values before anything happened at the first instant, as one row. */
  readonly initial?: SignalTable;
  readonly impulses: readonly Impulse[];
  /** What built-in components look like, where some do; an animation shows it. */
  readonly pictures: readonly Picture[];
  /** Components that say by their variables what they look like. */
  readonly visuals: readonly PicturedVisual[];
  readonly statistics: Statistics;
  readonly diagnostics: readonly Diagnostic[];
  /** Where it was asked for, and the run came to its stop time: what `resume` goes on from. */
  readonly state?: RunSnapshot;
  /** What was checked, where an audit was asked for. */
  readonly audit?: Audit;
}

/** A linear model, with what is to be said of it and of the run that led there. */
export interface Linearization extends LinearModel {
  readonly diagnostics: readonly Diagnostic[];
}

/** What is known of a steady state that was found. */
export interface SteadyReport {
  /** The largest derivative of a state, beside the terms that it is made of. */
  readonly residual: number;
  /** States that the equations do not determine: their values follow from where the search began. */
  readonly undetermined: readonly string[];
}

/** A steady state. */
export interface SteadyStateResult extends SteadyReport {
  readonly model: string;
  /** The time at which all else was held, and the mode. */
  readonly time: number;
  readonly mode: string;
  /** One row with the values of all variables. */
  readonly table: SignalTable;
  readonly diagnostics: readonly Diagnostic[];
}
