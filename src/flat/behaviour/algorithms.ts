/**
 * Algorithm sections of models (Modelica 3.6, section 11.1.2): all assigned variables together are one vector equation
 * `(assigned) = section(read)`. On entry, discrete variables have their left limits and others their start values.
 *
 * A section whose conditions can change at events is handed on as its statements; one that causes no events, and loops
 * whose number of rounds is not known, become calls of functions (`fragments.ts`).
 */
import { nodesOf, substitute } from '../../symbolic/analyse.ts';
import type { Expr, Op } from '../../symbolic/expr.ts';
import { type FunctionStatement, statementExpressions, statementsIn } from '../../symbolic/function.ts';
import { isEventOperator } from '../../symbolic/operators.ts';
import type * as ast from '../../syntax/ast.ts';
import { type Context, type FlatBuilder, omit, originOf, report, spanOf } from '../core/context.ts';
import { isUnknown } from '../core/values.ts';
import { boundValue } from '../expressions/bindings.ts';
import { fixedNumber } from '../expressions/constants.ts';
import { refuseConnection } from '../expressions/graph.ts';
import { isDiscrete, refName, variableType } from '../expressions/references.ts';
import { assertion, effect, messageOf, statements, warnUnchecked } from '../expressions/statements.ts';
import type { FlatEquation, FlatStatement, FlatWhenStatement } from '../flat.ts';
import { assignedBy, fragment } from './fragments.ts';
import { whenCondition } from './whens.ts';

export function algorithmEquation(node: ast.AlgorithmSection, context: Context): FlatEquation[] {
  const { builder } = context;
  const before = builder.diagnostics.length;
  const body = translated(node, { ...context, ordered: true });
  if (builder.diagnostics.slice(before).some(({ severity }) => severity === 'error')) return [];
  const assigned = assignedBy(body);
  // The values of all elements would be assigned together.
  for (const symbol of assigned) builder.families.demandSingle(builder.instances[symbol]);
  const origin = originOf(node, context);
  const plain = context.place === 'initial' || !causesEvents(builder, body) ? plainOf(body) : undefined;
  if (plain) {
    const name = context.component ? `${context.component}.algorithm` : 'algorithm';
    const atEntry = (symbol: number) => entryValue(builder, symbol);
    if (assigned.length === 0) return checksOf(builder, plain, name, node, context);
    return [{ kind: 'call', ...fragment(builder, plain, atEntry, name, spanOf(node, context)), origin }];
  }
  const enclosed = new Enclosing(builder, node, context).statements(body);
  const entries = assigned.map((symbol) => ({ symbol, entry: entryValue(builder, symbol) }));
  return [{ kind: 'algorithm', assigned: entries, body: enclosed, origin }];
}

/** A section that assigns nothing is there for its assertions, and for what its calls do. */
function checksOf(
  builder: FlatBuilder,
  body: readonly FunctionStatement[],
  name: string,
  node: ast.AlgorithmSection,
  context: Context,
): FlatEquation[] {
  if (body.length === 0) return [];
  const { pool } = builder;
  const { fn, args } = fragment(builder, body, () => pool.zero, name, spanOf(node, context));
  const message = pool.text('An assertion of the algorithm is violated.');
  return [
    {
      kind: 'assert',
      condition: pool.call(fn, args, 0),
      message,
      level: 'error',
      origin: originOf(node, context),
    },
  ];
}

/** What an assigned variable is before the first statement. */
function entryValue(builder: FlatBuilder, symbol: number): Expr {
  const instance = builder.instances[symbol]!;
  const { pool } = builder;
  if (isDiscrete(builder, instance)) return pool.pre(symbol);
  const bound = instance.attributes.get('start');
  const start =
    bound && boundValue(builder, bound, instance, { name: 'start', type: variableType(instance) });
  const value = start?.expr ?? pool.zero;
  if (instance.dims.length === 0 || (start && start.dims.length > 0)) return value;
  return pool.apply('fill', value, ...instance.dims.map((n) => pool.const(n)));
}

// ---------------------------------------------------------------- statements outside functions

type OtherStatement =
  | Exclude<FlatStatement, FunctionStatement>
  | Extract<FunctionStatement, { kind: 'assert' }>;

function translated(section: ast.AlgorithmSection, context: Context): FlatStatement[] {
  const top: ReadonlySet<ast.Statement> = new Set(section.statements);
  const other = (node: ast.WhenStatement | ast.CallStatement, inner: Context): OtherStatement[] => {
    if (node.kind === 'call') return callStatement(node, inner);
    const wrong = misplaced(inner, top.has(node));
    if (!wrong) return whenStatement(node, inner);
    return omit('not-allowed', wrong, node, inner);
  };
  const whenStatement = (node: ast.WhenStatement, inner: Context): FlatWhenStatement[] => {
    const branches: { condition: Expr; body: FlatStatement[] }[] = [];
    for (const branch of node.branches) {
      const test = whenCondition(branch.condition, inner);
      if (test.type === 'Clock') {
        const message = 'A when-statement in an algorithm cannot have a clock as its condition.';
        report('unsupported', message, branch.condition, inner, {
          hint: 'Write a when-equation in an equation section.',
        });
      }
      const body = statements(branch.body, { ...inner, place: 'when' }, other);
      if (!isUnknown(test)) branches.push({ condition: test.expr, body });
    }
    return [{ kind: 'when', branches, span: spanOf(node, inner) }];
  };
  return statements(section.statements, context, other);
}

/** Where a when-statement must not stand (11.2.7). */
function misplaced(context: Context, top: boolean): string | undefined {
  if (context.place === 'initial') return 'A when-statement cannot stand in an initial algorithm.';
  if (context.place === 'when') return 'When-statements cannot be nested.';
  return top ? undefined : 'A when-statement cannot stand inside `if`, `for` or `while`.';
}

function callStatement(node: ast.CallStatement, context: Context): OtherStatement[] {
  const name = refName(node.call.callee);
  if (name === 'assert') {
    if (context.place !== 'initial') {
      const asserted = assertion(node.call, context);
      if (!asserted) return [];
      const { condition, message } = asserted;
      return [{ kind: 'warn', condition, message, span: spanOf(node, context) }];
    }
    warnUnchecked(node, context);
  } else if (name === 'reinit') {
    report('bad-call', '`reinit` cannot stand in an algorithm.', node, context, {
      hint: 'Write `when condition then reinit(x, value); end when;` in an equation section.',
    });
  } else if (name !== 'terminate') {
    const done = refuseConnection(node, 'an algorithm', context) ? undefined : effect(node, context);
    if (done) return [{ kind: 'assert', ...done, span: spanOf(node, context) }];
  } else if (context.place === 'initial') {
    report('bad-call', '`terminate` cannot stand in an initial section.', node, context, {
      hint: 'Write `when initial() then terminate(…); end when;`.',
    });
  } else {
    const message = messageOf(node.call, context);
    if (message) return [{ kind: 'terminate', message, span: spanOf(node, context) }];
  }
  return [];
}

/** The statements, where all of them can stand in a function. */
function plainOf(body: readonly FlatStatement[]): readonly FunctionStatement[] | undefined {
  for (const { kind } of statementsIn(body))
    if (kind === 'when' || kind === 'terminate' || kind === 'warn') return undefined;
  return body as readonly FunctionStatement[];
}

// ---------------------------------------------------------------- events

const relations: ReadonlySet<Op> = new Set(['lt', 'le', 'gt', 'ge', 'floor', 'ceil', 'idiv', 'mod', 'rem']);

function causesEvents(builder: FlatBuilder, body: readonly FlatStatement[]): boolean {
  const varies = (node: Expr): boolean =>
    node.kind === 'time' || (node.kind === 'ref' && !builder.isFixed(node.symbol));
  if (!plainOf(body)) return true;
  for (const node of nodesOf(...statementExpressions(body))) {
    if (node.kind !== 'apply') continue;
    if (isEventOperator(node.op)) return true;
    if (relations.has(node.op) && nodesOf(node).some(varies)) return true;
  }
  return false;
}

/** Replaces the loops that cannot be written out, or need not be, by calls of functions. */
class Enclosing {
  private loops = 0;

  constructor(
    private readonly builder: FlatBuilder,
    private readonly node: ast.AlgorithmSection,
    private readonly context: Context,
  ) {}

  statements(body: readonly FlatStatement[]): FlatStatement[] {
    return body.map((statement) => this.statement(statement));
  }

  private branches<B extends { readonly body: readonly FlatStatement[] }>(branches: readonly B[]): B[] {
    return branches.map((branch) => ({ ...branch, body: this.statements(branch.body) }));
  }

  private statement(statement: FlatStatement): FlatStatement {
    switch (statement.kind) {
      case 'if':
        return { ...statement, branches: this.branches(statement.branches) };
      case 'when':
        return { ...statement, branches: this.branches(statement.branches) };
      case 'for': {
        const range = this.fixedRange(statement.range);
        const written = range && causesEvents(this.builder, statement.body);
        return written
          ? { ...statement, range, body: this.statements(statement.body) }
          : this.enclosed(statement);
      }
      case 'while':
        return this.enclosed(statement);
      default:
        return statement;
    }
  }

  /** The range with the values of its parameters, where it depends on these and on iterators alone. */
  private fixedRange(range: Expr): Expr | undefined {
    const { builder } = this;
    const fixed = substitute(builder.pool, range, (node) => {
      const value = node.kind === 'ref' ? fixedNumber(builder, node) : undefined;
      return value === undefined ? undefined : builder.pool.const(value);
    });
    const known = nodesOf(fixed).every(({ kind }) => kind === 'const' || kind === 'iter' || kind === 'apply');
    return known ? fixed : undefined;
  }

  private enclosed(statement: FlatStatement): FlatStatement {
    const { builder, node, context } = this;
    const span = spanOf(node, context);
    const plain = plainOf([statement]);
    if (!plain) {
      const message =
        '`terminate`, and assertions that only warn, cannot stand in a loop whose number of rounds is not known.';
      report('unsupported', message, node, context);
      return statement;
    }
    const name = `${context.component ? `${context.component}.` : ''}loop${++this.loops}`;
    const { outputs, fn, args } = fragment(builder, plain, (symbol) => builder.pool.ref(symbol), name, span);
    return { kind: 'multiassign', targets: outputs, fn, args, span };
  }
}
