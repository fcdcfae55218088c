/**
 * Whether the values of a function may have a step, or a bend, where its arguments move: whether it chooses between values by what moves, and the choice comes out. Choices by
 * arguments that stay, those that only decide what is asserted, and bends where a function has to be continuous only are no matter. What the text promises is believed: the annotation `smoothOrder`, and a
 * function that is given for the derivative, which there can only be where the function is continuous, and which says which arguments do without (`noDerivative`: records of properties that follow from the others).
 */
import { bendOf } from '../../modes/kinks.ts';
import { children, leaves } from '../../symbolic/analyse.ts';
import type { Call, Expr } from '../../symbolic/expr.ts';
import { type FunctionDef, type FunctionStatement, statementsIn } from '../../symbolic/function.ts';
import type { Pool } from '../../symbolic/pool.ts';
import { sizeOf } from '../../symbolic/shape.ts';
import { targetsOf } from '../../symbolic/slice.ts';

/** Operators whose values jump; others that `bendOf` knows are continuous. */
export const stepping: ReadonlySet<string> = new Set(['floor', 'ceil', 'idiv', 'mod', 'rem', 'sign']);

/** `smooth(p, e)` with enough of p: whatever is in it, the text promises that it is no matter. */
export const isSmooth = (node: Expr, order: number): boolean => {
  if (node.kind !== 'apply' || node.op !== 'smooth') return false;
  const [p] = node.args;
  return p?.kind === 'const' && p.value >= order;
};

export class Choosing {
  private readonly known = new Map<string, boolean>();
  private readonly promises = new Map<number, number>();

  constructor(
    private readonly pool: Pool,
    private readonly functions: readonly FunctionDef[],
  ) {}

  /** How many continuous derivatives a function is promised to have; -1 where nothing is said. */
  promised(fn: number): number {
    const before = this.promises.get(fn);
    if (before !== undefined) return before;
    const { smooth = -1, given = [] } = this.functions[fn]!;
    this.promises.set(fn, smooth);
    const all = Math.max(smooth, ...given.map((derivative) => 1 + this.promised(derivative.fn)));
    this.promises.set(fn, all);
    return all;
  }

  /** The arguments of a call on which the derivatives of its value depend. */
  relevant({ fn, args }: Pick<Call, 'fn' | 'args'>): readonly Expr[] {
    const [derivative] = this.functions[fn]!.given ?? [];
    if (!derivative) return args;
    const inputs = this.inputsOf(fn, args.length);
    return args.filter((_, k) => !derivative.ignored.includes(inputs[k]!));
  }

  /** By argument: the input that it is, or is an element of where arrays are written out. */
  private inputsOf(fn: number, count: number): readonly number[] {
    const { inputs, locals } = this.functions[fn]!;
    const whole = Array.from({ length: inputs }, (_, k) => k);
    return count === inputs
      ? whole
      : whole.flatMap((k) => Array(sizeOf(locals[k]!.dims)).fill(k) as number[]);
  }

  /** Whether a call may not have as many continuous derivatives as the order says; `isMoving` tells which arguments move. */
  mayBreak(
    { fn, args }: Pick<Call, 'fn' | 'args'>,
    order: number,
    isMoving: (arg: Expr) => boolean,
  ): boolean {
    if (this.promised(fn) >= order) return false;
    const inputs = this.inputsOf(fn, args.length);
    const moving = new Set(args.flatMap((arg, k) => (isMoving(arg) ? [inputs[k]!] : [])));
    if (moving.size === 0) return false;
    const key = `${fn} ${order} ${[...moving]}`;
    const before = this.known.get(key);
    if (before !== undefined) return before;
    // A function that calls itself has no choices but those that are found otherwise.
    this.known.set(key, false);
    const own = new Body(this, this.pool, this.functions[fn]!, order, moving).breaks();
    this.known.set(key, own);
    return own;
  }
}

/** The statements of one function. */
class Body {
  /** Locals that move with the inputs, and those that the derivatives of outputs depend on. */
  private readonly moves: Set<number>;
  private readonly needed = new Set<number>();
  private readonly statements: readonly FunctionStatement[];

  constructor(
    private readonly choosing: Choosing,
    private readonly pool: Pool,
    fn: FunctionDef,
    private readonly order: number,
    moving: ReadonlySet<number>,
  ) {
    const { inputs, outputs, locals, body } = fn;
    this.moves = new Set(moving);
    for (let k = inputs; k < inputs + outputs; k++) this.needed.add(k);
    const declared = locals.flatMap(({ initial }, index): FunctionStatement[] =>
      initial && index >= inputs
        ? [{ kind: 'assign', target: this.pool.local(index), value: initial, span: undefined }]
        : [],
    );
    this.statements = [...declared, ...body];
  }

  breaks(): boolean {
    this.spread(this.moves, () => this.forward(this.statements, false));
    this.spread(this.needed, () => this.backward());
    return this.chosen(this.statements);
  }

  /** Repeats until nothing is added: statements may stand in loops. */
  private spread(set: ReadonlySet<number>, once: () => void): void {
    for (let size = -1; size !== set.size; ) {
      size = set.size;
      once();
    }
  }

  private isMoving(expr: Expr): boolean {
    return leaves(expr).some((leaf) => leaf.kind === 'local' && this.moves.has(leaf.index));
  }

  private forward(body: readonly FunctionStatement[], isUnder: boolean): void {
    for (const statement of body) {
      const reads =
        statement.kind === 'assign' ? [statement.value] : 'args' in statement ? statement.args : [];
      if (isUnder || reads.some((expr) => this.isMoving(expr)))
        for (const target of targetsOf(statement)) this.moves.add(target);
      if (statement.kind === 'if') {
        const isChosen =
          isUnder || statement.branches.some(({ condition }) => condition && this.isMoving(condition));
        for (const branch of statement.branches) this.forward(branch.body, isChosen);
      } else if (statement.kind === 'for')
        this.forward(statement.body, isUnder || this.isMoving(statement.range));
      else if (statement.kind === 'while')
        this.forward(statement.body, isUnder || this.isMoving(statement.condition));
    }
  }

  private backward(): void {
    for (const statement of statementsIn(this.statements)) {
      if (!this.isNeeded(statement)) continue;
      for (const expr of this.readBy(statement))
        for (const node of this.relevantNodes(expr)) {
          // Locals below a promise are looked at by themselves: it is about what is written there.
          if (isSmooth(node, this.order)) this.need(leaves(node));
          else this.need([node]);
        }
    }
  }

  private need(nodes: readonly Expr[]): void {
    for (const node of nodes) if (node.kind === 'local') this.needed.add(node.index);
  }

  private readBy(statement: FunctionStatement): readonly Expr[] {
    if (statement.kind === 'assign') return [statement.value];
    return statement.kind === 'multiassign' ? this.choosing.relevant(statement) : [];
  }

  private isNeeded(statement: FunctionStatement): boolean {
    return targetsOf(statement).some((target) => this.needed.has(target));
  }

  /** An expression with all below it that its derivatives depend on. */
  private relevantNodes(expr: Expr): Set<Expr> {
    const nodes = new Set<Expr>();
    const stack = [expr];
    for (let node = stack.pop(); node; node = stack.pop()) {
      if (nodes.has(node)) continue;
      nodes.add(node);
      if (isSmooth(node, this.order)) continue;
      stack.push(...(node.kind === 'call' ? this.choosing.relevant(node) : children(node)));
    }
    return nodes;
  }

  /** Whether some of these statements choose between values that come out. */
  private chosen(body: readonly FunctionStatement[]): boolean {
    return body.some((statement) => {
      switch (statement.kind) {
        case 'assign':
          return (
            this.isNeeded(statement) &&
            [...this.relevantNodes(statement.value)].some((node) => this.isChoice(node))
          );
        case 'multiassign':
          return (
            this.isNeeded(statement) &&
            (this.calls(statement) ||
              this.readBy(statement).some((expr) =>
                [...this.relevantNodes(expr)].some((node) => this.isChoice(node)),
              ))
          );
        case 'if': {
          const inside = statement.branches.map((branch) => branch.body);
          return (
            (statement.branches.some(({ condition }) => condition && this.isMoving(condition)) &&
              inside.some((own) => this.matters(own))) ||
            inside.some((own) => this.chosen(own))
          );
        }
        case 'for':
          return (
            (this.isMoving(statement.range) && this.matters(statement.body)) || this.chosen(statement.body)
          );
        case 'while':
          return (
            (this.isMoving(statement.condition) && this.matters(statement.body)) ||
            this.chosen(statement.body)
          );
        default:
          return false;
      }
    });
  }

  /** Whether it makes a difference that statements are passed over. */
  private matters(body: readonly FunctionStatement[]): boolean {
    return [...statementsIn(body)].some(
      (statement) => statement.kind === 'return' || statement.kind === 'break' || this.isNeeded(statement),
    );
  }

  private isChoice(node: Expr): boolean {
    if (node.kind === 'call') return this.calls(node);
    if (node.kind !== 'apply') return false;
    if (node.op === 'if') return this.isMoving(node.args[0]!);
    const isBend = this.order > 0 && bendOf(this.pool, node.op, node.args) !== undefined;
    return (isBend || stepping.has(node.op)) && this.isMoving(node);
  }

  private calls(call: Pick<Call, 'fn' | 'args'>): boolean {
    return this.choosing.mayBreak(call, this.order, (arg) => this.isMoving(arg));
  }
}
