/** The expressions of equations and of statements: to look at them all, and to put others in their place. */
import type { Expr } from '../symbolic/expr.ts';
import { type NestedStatement, statementExpressions } from '../symbolic/function.ts';
import type { FlatAction, FlatEquation, FlatModel } from './flat.ts';

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
        for (const action of body) {
          yield* statementExpressions([action]);
          if ('when' in action && action.when) yield action.when;
        }
      }
      return;
    case 'assert':
      yield equation.condition;
      yield equation.message;
      return;
  }
}

/** An equation and all those inside it. */
export function* nestedIn(equation: FlatEquation): Generator<FlatEquation> {
  yield equation;
  if (equation.kind === 'for' || equation.kind === 'clocked')
    for (const inner of equation.body) yield* nestedIn(inner);
  if (equation.kind === 'if')
    for (const { body } of equation.branches) for (const inner of body) yield* nestedIn(inner);
}

/** The expressions of an equation by which it may determine something: not those of its conditions, nor of those inside it. */
export function equatedIn(
  equation: FlatEquation,
  model: Pick<FlatModel, 'pool' | 'conditions'>,
): Iterable<Expr> {
  switch (equation.kind) {
    case 'equal':
    case 'call':
    case 'algorithm':
      return expressionsOf(model, equation);
    case 'when':
      return equation.branches.flatMap(({ body }) =>
        body.flatMap((action) => (action.kind === 'assign' ? [action.target, action.value] : [])),
      );
    default:
      return [];
  }
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
      return mapStatement(equation, map);
    case 'algorithm': {
      const assigned = equation.assigned.map((one) => ({ ...one, entry: map(one.entry) }));
      return { ...equation, assigned, body: mapStatements(equation.body, map) };
    }
  }
}

function mapAction(action: FlatAction, map: MapExpr): FlatAction {
  const when = 'when' in action && action.when && { when: map(action.when) };
  return { ...mapStatement(action, map), ...when };
}

/** Statements with other expressions. */
export function mapStatements<S extends NestedStatement<S>>(body: readonly S[], map: MapExpr): S[] {
  return body.map((statement) => mapStatement<S>(statement, map));
}

/** Whatever kind it is: what it has of expressions, bodies and branches. */
function mapStatement<S extends NestedStatement<S>>(statement: S, map: MapExpr): S {
  const { target, targets, value, args, range, condition, message, body, branches }: NestedStatement<S> =
    statement;
  return {
    ...statement,
    ...(target && { target: map(target) }),
    ...(targets && { targets: targets.map((own) => own && map(own)) }),
    ...(value && { value: map(value) }),
    ...(args && { args: args.map((arg) => map(arg)) }),
    ...(range && { range: map(range) }),
    ...(condition && { condition: map(condition) }),
    ...(message && { message: map(message, true) }),
    ...(body && { body: mapStatements(body, map) }),
    ...(branches && {
      branches: branches.map((branch) => ({
        condition: branch.condition && map(branch.condition),
        body: mapStatements(branch.body, map),
      })),
    }),
  };
}
