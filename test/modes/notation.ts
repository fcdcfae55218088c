/** Notation of these tests: the body of a model in, what it is lowered to out, one line for each thing. */
import type { Guard } from '../../src/flat/flat.ts';
import type { Action, GuardedModel } from '../../src/modes/guarded.ts';
import { lowerModel } from '../../src/modes/lower.ts';
import { ModeSelector, modeKey, modeSignature } from '../../src/modes/mode.ts';
import type { Expr } from '../../src/symbolic/expr.ts';
import { printExpr } from '../../src/symbolic/print.ts';
import { inModel, modelOf } from '../flat/notation.ts';

/** The lowered model `M` of a body, or of a text whose last class it is. */
export const lowered = (text: string): GuardedModel =>
  lowerModel(modelOf(/\b(model|block|package) /.test(text) ? text : inModel(text)));

/** An expression; what is held stands in brackets. */
export function textOf(model: GuardedModel, expr: Expr): string {
  return printExpr(expr, {
    nameOfSymbol: (symbol) => model.scalars[symbol]!.name,
    nameOfRelation: (relation) => `[${relationText(model, relation)}]`,
  });
}

const signs = { lt: '<', le: '<=', gt: '>', ge: '>=', eq: '==', ne: '<>' };

function relationText(model: GuardedModel, k: number): string {
  const { op, left, right } = model.relations[k]!;
  return `${textOf(model, left)} ${signs[op]} ${textOf(model, right)}`;
}

/** `x > 1`, or `time > a at a` where the instant is known beforehand. */
export function relations(text: string): string[] {
  const model = lowered(text);
  return model.relations.map(({ switchTime }, k) => {
    const at = switchTime ? ` at ${textOf(model, switchTime)}` : '';
    return relationText(model, k) + at;
  });
}

/** `label = value`, with `structural` and `constant` behind it. */
export function conditions(text: string): string[] {
  const model = lowered(text);
  return model.conditions.map(({ label, value, structural, constant }) =>
    [`${label} = ${textOf(model, value)}`, structural && 'structural', constant && 'constant']
      .filter((word) => word)
      .join(', '),
  );
}

/** `guard: left = right`; `:=` where a discrete variable is computed. */
export function equations(text: string, which: 'equations' | 'initialEquations' = 'equations'): string[] {
  const model = lowered(text);
  return model[which].map(({ guard, left, right, assigns }) => {
    const sign = assigns === undefined ? '=' : ':=';
    return `${guardText(model, guard)}${textOf(model, left)} ${sign} ${textOf(model, right)}`;
  });
}

function guardText(model: GuardedModel, guard: Guard): string {
  const parts = guard.map(({ condition, value }) => {
    const { label } = model.conditions[condition]!;
    return value ? label : `not ${label}`;
  });
  return parts.length > 0 ? `${parts.join(', ')}: ` : '';
}

/** `guard: when fire reinit x to value`, and so on. */
export function actions(text: string): string[] {
  const model = lowered(text);
  return model.actions.map((action) => {
    const fire = action.fire ? `when ${textOf(model, action.fire)} ` : '';
    return guardText(model, action.guard) + fire + effect(model, action);
  });
}

function effect(model: GuardedModel, action: Action): string {
  switch (action.kind) {
    case 'reinit':
      return `reinit ${model.scalars[action.target]!.name} to ${textOf(model, action.value)}`;
    case 'assert':
      return `${action.level} unless ${textOf(model, action.condition)}`;
    case 'terminate':
      return 'terminate';
  }
}

/** Scalars of some kind; what lowering added begins with `$`. */
export const scalars = (text: string, kind: string): string[] =>
  lowered(text)
    .scalars.filter((scalar) => scalar.kind === kind)
    .map(({ name }) => name);

/** The mode for the conditions that hold, by their labels: key, signature, equations. */
export function mode(
  text: string,
  ...holding: string[]
): { key: string; signature: string; equations: string[] } {
  const model = lowered(text);
  const values = model.conditions.map(({ label }) => holding.includes(label));
  const { equations } = new ModeSelector(model).select(model, values);
  return {
    key: modeKey(model, values),
    signature: modeSignature(model, values),
    equations: equations.map(({ left, right }) => `${textOf(model, left)} = ${textOf(model, right)}`),
  };
}
