/** Modes that runs have visited, and what is solved in them. */
import { modeEquations } from '../../simulate/equations.ts';
import type { EquationsReport, ModeMethods, VisitedMode } from '../protocol.ts';
import type { WorkspaceFiles } from './files.ts';
import { placeOf } from './messages.ts';
import type { Runs } from './runs.ts';

/** Names of states, and blocks, that are told at most: nobody reads more. */
const MOST_STATES = 40;
const MOST_BLOCKS = 2000;
const MOST_CHARACTERS = 2000;

export class Modes {
  constructor(
    private readonly runs: Runs,
    private readonly files: WorkspaceFiles,
  ) {}

  readonly methods: ModeMethods = {
    changedSince: (run) => this.changedSince(run),
    visitedModes: (run) => this.visited(run),
    modeEquations: ({ run, signature }) => this.equations(run, signature),
  };

  private visited(run: number): VisitedMode[] {
    const last = new Map((this.runs.find(run)?.modes() ?? []).map((visit) => [visit.signature, visit]));
    return [...last.values()].map(({ signature, states }) => ({
      signature,
      states: states.slice(0, MOST_STATES),
      stateCount: states.length,
    }));
  }

  private equations(number: number, signature: string): EquationsReport | undefined {
    const run = this.runs.find(number);
    const visit = run?.modes().findLast((one) => one.signature === signature);
    const found = visit && modeEquations(visit);
    if (!found) return undefined;
    const blocks = found.blocks.slice(0, MOST_BLOCKS).map(({ equations, steps, residuals, ...block }) => ({
      ...block,
      steps: steps.map(({ unknown, value }) => ({ unknown, value: shortened(value) })),
      residuals: residuals.map(shortened),
      equations: equations.map(({ text, span, differentiations }) => ({
        text: shortened(text),
        differentiations,
        place: span && placeOf(span),
      })),
    }));
    return { ...found, blocks, blockCount: found.blocks.length, changed: this.changedSince(number) };
  }

  private changedSince(run: number): string[] {
    const sources = [...(this.runs.find(run)?.made?.sources ?? [])];
    const changed = sources.filter(
      ([path, content]) => typeof content === 'string' && this.files.read(path) !== content,
    );
    return changed.map(([path]) => path);
  }
}

/** Derivatives of large equations can be larger than anybody reads. */
const shortened = (text: string): string =>
  text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)} …` : text;
