/**
 * The audit of a finished run: its results are checked against the equations of the flat model, by the interpreter, independent of
 * sorting, choice of states and generated code. Initial values must satisfy initial equations and fixed start values (`beginning.ts`). Residuals are
 * looked at in every row of the results, on both sides of events; across events, and from initial values to the first row, equations must balance in the sense of
 * distributions (`balance.ts`); discrete variables, transitions, derivatives and declared conservation follow (`discrete.ts`, `motion.ts`).
 */
import { type Diagnostic, diagnostic } from '../diagnostic/diagnostic.ts';
import type { ArrayValues, FlatModel } from '../flat/flat.ts';
import type { SignalTable } from '../results/table/table.ts';
import { leaves, nodesOf } from '../symbolic/analyse.ts';
import { Across } from './across.ts';
import { Alternatives } from './alternatives.ts';
import { AuditBalance } from './balance.ts';
import { Beginning } from './beginning.ts';
import { AuditChoices } from './choices.ts';
import { Discrete } from './discrete.ts';
import { AuditEvaluator } from './evaluator.ts';
import { Missed } from './missed.ts';
import { type Model, modelOf } from './model.ts';
import { Motion } from './motion.ts';
import { AuditPoint } from './point.ts';
import { Offences } from './report.ts';
import { Residuals } from './residuals.ts';
import { expressionsIn } from './rows.ts';
import { Slack } from './slack.ts';
import { RecordedSlopes } from './slopes.ts';
import { RecordedValues } from './values.ts';

/** What is looked at of a run. */
export interface AuditedRun {
  readonly table: SignalTable;
  /** By row: how many steps the integrator had taken. */
  readonly stepsAtRows: readonly number[];
  /** Initial values before anything happened at the first instant, as one row; absent where a run goes on from another. */
  readonly initial?: SignalTable;
  /** Start values in place of those that are declared. */
  readonly starts?: readonly ArrayValues[];
}

export interface AuditOptions {
  /** The relative tolerance of the run. */
  readonly tolerance: number;
  /** Whether the run could slide along boundaries. */
  readonly sliding: boolean;
}

/** What was checked, and what is wrong. */
export interface Audit {
  readonly equations: number;
  /** Rows of the results that were looked at. */
  readonly points: number;
  readonly events: number;
  /** The largest residual of an equation that holds, relative to the size of its terms. */
  readonly residual: number;
  /** Equations and algorithms that could not be checked. */
  readonly unchecked: number;
  readonly diagnostics: readonly Diagnostic[];
  /** What is right, but could be otherwise. */
  readonly notes: readonly Diagnostic[];
}

/** Nodes that are looked at in all points together, at most: beyond, points between events are thinned out. */
const mostWork = 10_000_000;

export function audit(flat: FlatModel, run: AuditedRun, options: AuditOptions): Audit {
  const { table, initial, starts = [] } = run;
  const values = new RecordedValues(flat, table, initial, starts);
  const choices = new AuditChoices(values);
  const model = modelOf(flat, values, choices);
  const work = announce(model, values, choices);
  values.settle();
  const evaluator = new AuditEvaluator(values, choices);
  const residuals = new Residuals(evaluator, options.sliding);
  const offences = new Offences();
  const discrete = new Discrete(evaluator, model, offences);
  const balance = new AuditBalance(evaluator, model);
  const slopes = new RecordedSlopes(evaluator);
  const slack = new Slack(evaluator, residuals, slopes, model.rows.items, options.tolerance);
  const motion = new Motion(evaluator, offences, slack, run.stepsAtRows, options.tolerance);
  const alternatives = new Alternatives(evaluator, model, residuals, slopes);
  const missed = new Missed(evaluator, model, offences);
  const beginning = initial && new Beginning(evaluator, model, residuals, slopes, offences);
  const constant = values.discrete();
  const rows = chosenRows(table, work);
  // The last row is the one after the end of a run has happened; algorithms may ask for it as well.
  const ends = model.rows.algorithms > 0 || choices.list.some((choice) => choice.kind === 'terminal');
  const checkAcross = (from: AuditPoint, to: AuditPoint): void => {
    const across = new Across(evaluator, model, from, to, weightsAt(table, values, to.time));
    for (const failing of balance.failing(across, discrete.setAt(across))) offences.balance(failing, to.time);
    discrete.check(across, residuals);
  };
  let events = 0;
  let last: AuditPoint | undefined;
  /** The first row of the present instant. */
  let first: AuditPoint | undefined;
  for (const row of rows) {
    let widened: AuditPoint | undefined;
    const point = new AuditPoint(evaluator, row, options.sliding ? model.definitions : undefined);
    const wide = (): AuditPoint => (widened ??= point.widened(slack.at(point)));
    if (residuals.failing(model.rows.items, point).length > 0)
      for (const failing of residuals.failing(model.rows.items, wide())) offences.residual(failing, point);
    discrete.checkMachines(point, wide);
    if (!options.sliding) {
      missed.next(point, wide);
      alternatives.next(point);
    }
    const isEnd = row === table.rowCount - 1 && ends;
    if (last && !point.before && !isEnd) discrete.checkConstant(constant, last, point);
    motion.next(point);
    if (!last && beginning) {
      beginning.check();
      checkAcross(beginning.point, point);
    }
    if (!point.before) first = point;
    else if (point.side === 'after') {
      events++;
      checkAcross(first!, point);
    }
    last = point;
  }
  motion.end();
  return {
    equations: model.rows.count,
    points: rows.length,
    events,
    residual: residuals.worst,
    unchecked: residuals.unchecked.size + model.rows.algorithms,
    diagnostics: offences.diagnostics(),
    notes: alternatives.found.map(({ message, span }) =>
      diagnostic('info', 'several-modes', message, { span }),
    ),
  };
}

/** Makes slots for all that is read, and gives how much work it is to look at all equations once. */
function announce({ rows, machines }: Model, values: RecordedValues, choices: AuditChoices): number {
  const { items, initial, starts, whens, clocked } = rows;
  let work = 0;
  const expr = (node: Parameters<typeof leaves>[0]): void => {
    work += nodesOf(node).length;
    for (const leaf of leaves(node)) {
      if (leaf.kind !== 'ref') continue;
      for (let order = 0; order <= leaf.order; order++) values.slot(leaf.symbol, order);
    }
  };
  for (const node of expressionsIn(items)) expr(node);
  for (const node of expressionsIn(initial)) expr(node);
  for (const [scalar, start] of starts) {
    values.slot(scalar);
    expr(start);
  }
  for (const { branches, guard } of whens) {
    for (const condition of guard) expr(condition.expr);
    for (const { conditions, assigned, set } of branches) {
      for (const condition of conditions) expr(condition);
      for (const { scalar, value } of assigned) {
        values.slot(scalar);
        expr(value);
      }
      for (const scalar of set) values.slot(scalar);
    }
  }
  for (const { items: own, scalars, resets } of clocked) {
    for (const node of expressionsIn(own)) expr(node);
    for (const { flag, start } of resets.values()) {
      values.slot(flag);
      expr(start);
    }
    for (const scalar of scalars) values.slot(scalar);
  }
  for (const { transitions, guard } of machines) {
    for (const { condition } of transitions) expr(condition);
    for (const condition of guard) expr(condition.expr);
  }
  for (const scalar of values.discrete()) values.slot(scalar);
  for (const { scalar } of values.kept()) values.slot(scalar);
  for (const choice of choices.list) {
    for (const operand of choices.operands(choice)) expr(operand);
    if (choice.kind === 'pre') values.slot(choice.scalar);
  }
  return work;
}

/** All rows of events, and as many of the others as the work allows, evenly. */
function chosenRows({ time, rowCount }: SignalTable, work: number): number[] {
  const stride = Math.max(1, Math.ceil((work * rowCount) / mostWork));
  const rows: number[] = [];
  for (let row = 0; row < rowCount; row++) {
    const atEvent = time[row] === time[row - 1] || time[row] === time[row + 1];
    if (atEvent || row % stride === 0 || row === rowCount - 1) rows.push(row);
  }
  return rows;
}

/** Weights of the impulses of an instant, by scalar. */
function weightsAt({ impulses }: SignalTable, values: RecordedValues, time: number): Map<number, number> {
  const weights = new Map<number, number>();
  for (const impulse of impulses) {
    const scalar = impulse.time === time ? values.named(impulse.variable) : undefined;
    if (scalar !== undefined) weights.set(scalar, (weights.get(scalar) ?? 0) + impulse.weight);
  }
  return weights;
}
