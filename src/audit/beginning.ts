/**
 * Initial values: before anything happens at the first instant they must satisfy the initial equations, and variables with `fixed` start values must have
 * these. For what is discrete both speak of the left limit. That is no result, but it is the value itself where nothing gives the variable another one
 * while initial values are found: when-clauses that do not act then, and clocks, which tick afterwards.
 */
import type { Expr, Leaf } from '../symbolic/expr.ts';
import { type AuditEvaluator, tolerance } from './evaluator.ts';
import type { Model } from './model.ts';
import { AuditPoint } from './point.ts';
import { type Offences, share, shown } from './report.ts';
import type { Failing, Residuals } from './residuals.ts';
import type { AuditItem, AuditRow, When } from './rows.ts';
import { Slack, stateFactor } from './slack.ts';
import type { RecordedSlopes } from './slopes.ts';

export class Beginning {
  readonly point: AuditPoint;
  /** Discrete scalars whose left limits are their values. */
  private readonly resting: ReadonlySet<number>;

  constructor(
    private readonly evaluator: AuditEvaluator,
    private readonly model: Model,
    private readonly residuals: Residuals,
    private readonly slopes: RecordedSlopes,
    private readonly offences: Offences,
  ) {
    this.point = new AuditPoint(evaluator, -1);
    this.resting = restingIn(model, evaluator);
  }

  check(): void {
    for (const [scalar, start] of this.model.rows.starts) this.checkStart(scalar, start);
    const { initial, items } = this.model.rows;
    if (initial.length === 0) return;
    const failing = this.residuals.failing(this.known(initial), this.point);
    if (failing.length === 0) return;
    // Initial values are solutions of systems of equations: what follows from states that are off a little may be off by much more.
    const slack = new Slack(this.evaluator, this.residuals, this.slopes, items, tolerance / stateFactor);
    const spread = slack.at(this.point);
    for (const one of failing) if (!this.isExcused(one, spread)) this.report(one);
  }

  private checkStart(scalar: number, start: Expr): void {
    const { values } = this.evaluator;
    if (values.isDiscrete(scalar) && !this.resting.has(scalar)) return;
    const slot = values.slot(scalar);
    const value = this.point.now[slot]!;
    // A variable of a state that is not active does not exist.
    if (Number.isNaN(value)) return;
    const wanted = this.evaluator.possible(start, this.point).filter((one) => !Number.isNaN(one));
    const isMet = (one: number): boolean =>
      Math.abs(value - one) <= tolerance * values.sizeOf(slot, value, one) || value === one;
    if (wanted.length === 0 || wanted.some(isMet)) return;
    const name = values.nameOf(scalar);
    this.offences.add({
      key: `start ${name}`,
      message: `${name} begins with ${shown(value)}, but its start value ${shown(wanted[0]!)} is fixed.`,
      relative: Math.abs(value - wanted[0]!) / values.sizeOf(slot, value, wanted[0]),
      span: values.variableOf(scalar).origin.span,
    });
  }

  /** The rows without those that speak of left limits nobody knows. */
  private known(items: readonly AuditItem[]): AuditItem[] {
    return items.flatMap((item): AuditItem[] => {
      if (item.kind === 'row') return this.isKnown(item) ? [item] : [];
      return [{ ...item, branches: item.branches.map((own) => ({ ...own, body: this.known(own.body) })) }];
    });
  }

  private isKnown(row: AuditRow): boolean {
    const { choices } = this.evaluator;
    const isUnknown = (leaf: Leaf): boolean => {
      const choice = leaf.kind === 'held' ? choices.list[leaf.relation]! : undefined;
      if (!choice) return false;
      if (choice.kind === 'pre') return !this.resting.has(choice.scalar);
      return choices.operands(choice).some((operand) => choices.open(operand).some(isUnknown));
    };
    if (![row.left, row.right].some((side) => choices.open(side).some(isUnknown))) return true;
    this.residuals.unchecked.add(row);
    return false;
  }

  private isExcused({ row, residual }: Failing, spread: (slot: number) => number): boolean {
    const { evaluator, point } = this;
    if (row.exact) return false;
    const sole = evaluator.sole([row.left, row.right], point);
    if (!sole) return false;
    return Math.abs(residual) <= evaluator.allowance(row.left, row.right, point, sole, residual, spread);
  }

  private report({ row, residual, relative }: Failing): void {
    const size = `${shown(residual)} (${share(relative)} of the terms)`;
    const message = `The initial equation ${row.text()} does not hold: the sides differ by ${size}.`;
    this.offences.add({ key: row, message, relative, span: row.origin.span });
  }
}

/** When-clauses act while initial values are found only where they ask for `initial()`. */
function restingIn({ rows }: Model, { choices }: AuditEvaluator): Set<number> {
  const isBeginning = (leaf: Leaf): boolean =>
    leaf.kind === 'held' && choices.list[leaf.relation]!.kind === 'initial';
  const actsAtOnce = ({ branches }: When): boolean =>
    branches.some(({ conditions }) => conditions.some((one) => choices.open(one).some(isBeginning)));
  const assignedBy = (whens: readonly When[]): number[] =>
    whens.flatMap(({ branches }) => branches.flatMap(({ assigned }) => assigned.map(({ scalar }) => scalar)));
  const resting = new Set([
    ...rows.clocked.flatMap(({ scalars }) => scalars),
    ...assignedBy(rows.whens.filter((when) => !actsAtOnce(when))),
  ]);
  for (const scalar of assignedBy(rows.whens.filter(actsAtOnce))) resting.delete(scalar);
  return resting;
}
