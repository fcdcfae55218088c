/** The expressions of equations and of statements. */
import type { Expr } from '../symbolic/expr.ts';
import type { FlatAction, FlatEquation, FlatModel, FlatStatement } from './flat.ts';

/** All expressions of an equation, those of the conditions that it depends on included. */
export function* expressionsOf(
  model: Pick<FlatModel, 'pool' | 'conditions'>,
  equation: FlatEquation,
): Generator<Expr> {
  switch (equation.kind) {
    case 'equal':
      yield equation.left;
      yield equation.right;
      return;
    case 'call':
      for (const output of equation.outputs) if (output) yield output;
      yield* equation.args;
      return;
    case 'algorithm':
      for (const { symbol, entry } of equation.assigned) {
        yield model.pool.ref(symbol);
        yield entry;
      }
      yield* statementExpressions(equation.body);
      return;
    case 'for':
    case 'clocked':
      for (const inner of equation.body) yield* expressionsOf(model, inner);
      return;
    case 'if':
      for (const { condition, body } of equation.branches) {
        if (condition !== undefined) yield model.conditions[condition]!.value;
        for (const inner of body) yield* expressionsOf(model, inner);
      }
      return;
    case 'when':
      for (const { condition, body } of equation.branches) {
        yield condition;
        for (const action of body) yield* actionExpressions(action);
      }
      return;
    case 'assert':
      yield equation.condition;
      yield equation.message;
      return;
  }
}

function* actionExpressions(action: FlatAction): Generator<Expr> {
  switch (action.kind) {
    case 'assign':
    case 'reinit':
      yield action.target;
      yield action.value;
      break;
    case 'assert':
      yield action.condition;
      yield action.message;
      break;
    case 'terminate':
      yield action.message;
      break;
  }
  if ('when' in action && action.when) yield action.when;
}

/** All expressions of statements, targets included. */
export function* statementExpressions(body: readonly FlatStatement[]): Generator<Expr> {
  for (const statement of body) {
    switch (statement.kind) {
      case 'assign':
        yield statement.target;
        yield statement.value;
        break;
      case 'multiassign':
        for (const target of statement.targets) if (target) yield target;
        yield* statement.args;
        break;
      case 'if':
      case 'when':
        for (const branch of statement.branches) {
          if (branch.condition) yield branch.condition;
          yield* statementExpressions(branch.body);
        }
        break;
      case 'for':
        yield statement.range;
        yield* statementExpressions(statement.body);
        break;
      case 'while':
        yield statement.condition;
        yield* statementExpressions(statement.body);
        break;
      case 'assert':
      case 'warn':
        yield statement.condition;
        yield statement.message;
        break;
      case 'terminate':
        yield statement.message;
        break;
      case 'break':
      case 'return':
        break;
    }
  }
}
