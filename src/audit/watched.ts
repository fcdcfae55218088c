/** Which relations matter at a place: those of equations and conditions in force, with where they stand. */

import type { Span } from '../diagnostic/source.ts';
import type { AuditEvaluator } from './evaluator.ts';
import type { Model } from './model.ts';
import type { AuditCondition, AuditItem } from './rows.ts';
import type { SlotValues } from './slopes.ts';

/** Choices that cause events, by number. */
export function watchedAt(
  { rows, machines }: Model,
  evaluator: AuditEvaluator,
  place: SlotValues,
): Map<number, Span | undefined> {
  const found = new Map<number, Span | undefined>();
  const add = (events: readonly number[], span: Span | undefined): void => {
    for (const number of events) if (!found.has(number)) found.set(number, span);
  };
  const holds = (condition: AuditCondition): boolean => evaluator.isSurely(condition, place);
  const visit = (items: readonly AuditItem[]): void => {
    for (const item of items) {
      if (item.kind === 'row') {
        add(item.events, item.origin.span);
        continue;
      }
      for (const { condition, body, events, span } of item.branches) {
        add(events, span);
        const { no, yes } = evaluator.truth(condition, place);
        if (yes && !no) visit(body);
        if (yes) break;
      }
    }
  };
  visit(rows.items);
  for (const { guard, branches, origin } of rows.whens)
    if (guard.every(holds)) for (const { events } of branches) add(events, origin.span);
  for (const { guard, transitions } of machines)
    if (guard.every(holds))
      for (const { from, events, origin } of transitions) if (place.now[from] === 1) add(events, origin.span);
  return found;
}

/** A choice as it was written. */
export function relationText({ values, choices }: AuditEvaluator, number: number): string {
  const choice = choices.list[number]!;
  const { pool } = values.flat;
  const operands = choices.operands(choice);
  const expr =
    choice.kind === 'relation' ? pool.apply(choice.op, ...operands) : pool.apply('floor', operands[0]!);
  return values.print(expr);
}
