/** The expressions of equations and of statements: to look at them all, and to put others in their place. */
import type { Expr } from '../symbolic/expr.ts';
import { statementExpressions } from '../symbolic/function.ts';
import type { FlatAction, FlatAssert, FlatEquation, FlatModel, FlatStatement } from './flat.ts';

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
      if (equation.kind === 'for') yield equation.range;
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

/** Gives another expression for one; `isMessage` where it is the text of a message. */
export type MapExpr = (expr: Expr, isMessage?: boolean) => Expr;

/** The equation with other expressions. What it is guarded by, and what an algorithm assigns, stays. */
export function mapExprs(equation: FlatEquation, map: MapExpr): FlatEquation {
  const inner = (list: readonly FlatEquation[]): FlatEquation[] => list.map((e) => mapExprs(e, map));
  switch (equation.kind) {
    case 'equal':
      return { ...equation, left: map(equation.left), right: map(equation.right) };
    case 'call':
      return {
        ...equation,
        outputs: equation.outputs.map((output) => output && map(output)),
        args: equation.args.map((arg) => map(arg)),
      };
    case 'for':
      return { ...equation, range: map(equation.range), body: inner(equation.body) };
    case 'clocked':
      return { ...equation, body: inner(equation.body) };
    case 'if':
      return {
        ...equation,
        branches: equation.branches.map((branch) => ({ ...branch, body: inner(branch.body) })),
      };
    case 'when':
      return {
        ...equation,
        branches: equation.branches.map(({ condition, body }) => ({
          condition: map(condition),
          body: body.map((action) => mapAction(action, map)),
        })),
      };
    case 'assert':
      return { ...equation, ...mapParts(equation, map) };
    case 'algorithm': {
      const assigned = equation.assigned.map((one) => ({ ...one, entry: map(one.entry) }));
      return { ...equation, assigned, body: mapStatements(equation.body, map) };
    }
  }
}

function mapAction(action: FlatAction, map: MapExpr): FlatAction {
  const when = 'when' in action && action.when && { when: map(action.when) };
  switch (action.kind) {
    case 'assign':
    case 'reinit':
      return { ...action, target: map(action.target), value: map(action.value), ...when };
    case 'assert':
      return { ...action, ...mapParts(action, map) };
    case 'terminate':
      return { ...action, message: map(action.message, true), ...when };
  }
}

const mapParts = ({ condition, message }: Pick<FlatAssert, 'condition' | 'message'>, map: MapExpr) => ({
  condition: map(condition),
  message: map(message, true),
});

const mapStatements = (body: readonly FlatStatement[], map: MapExpr): FlatStatement[] =>
  body.map((statement) => mapStatement(statement, map));

function mapStatement(statement: FlatStatement, map: MapExpr): FlatStatement {
  switch (statement.kind) {
    case 'assign':
      return { ...statement, target: map(statement.target), value: map(statement.value) };
    case 'multiassign': {
      const targets = statement.targets.map((target) => target && map(target));
      return { ...statement, targets, args: statement.args.map((arg) => map(arg)) };
    }
    case 'if': {
      const branches = statement.branches.map(({ condition, body: inner }) => ({
        condition: condition && map(condition),
        body: mapStatements(inner, map),
      }));
      return { ...statement, branches };
    }
    case 'when': {
      const branches = statement.branches.map(({ condition, body: inner }) => ({
        condition: map(condition),
        body: mapStatements(inner, map),
      }));
      return { ...statement, branches };
    }
    case 'for':
      return { ...statement, range: map(statement.range), body: mapStatements(statement.body, map) };
    case 'while':
      return {
        ...statement,
        condition: map(statement.condition),
        body: mapStatements(statement.body, map),
      };
    case 'assert':
    case 'warn':
      return { ...statement, ...mapParts(statement, map) };
    case 'terminate':
      return { ...statement, message: map(statement.message, true) };
    case 'break':
    case 'return':
      return statement;
  }
}
