/**
 * Expressions of the lowered model as other tools read them: held relations are relations again, what is not held stands in
 * `noEvent`, flags and added variables are the operators that they come from, and derivatives are variables of their own unless
 * they are derivatives of a state.
 *
 * Variables keep their symbols and get new ones beyond. A name with dots or subscripts is a quoted identifier, as in Base
 * Modelica: the variable `c.v` is called `'c.v'`.
 */
import { remember } from '../collections/memo.ts';
import { Failure } from '../diagnostic/failure.ts';
import { blank } from '../flat/core/blank.ts';
import type { FlatVariable } from '../flat/flat.ts';
import type { PrintedDeclaration } from '../flat/print/class.ts';
import { WrittenNames } from '../flat/print/names.ts';
import { meaningsOf, plainValue } from '../program/wording.ts';
import type { ModeCollection } from '../simulate/collection.ts';
import { substitute } from '../symbolic/analyse.ts';
import type { Apply, Call, Expr, Ref } from '../symbolic/expr.ts';

export class Vocabulary {
  readonly names: WrittenNames;
  private readonly taken: Set<string>;
  private readonly added = new Map<number, PrintedDeclaration>();
  /** What stands for a symbol that no variable of the text has, in expressions of the lowered model. */
  readonly meanings: Map<number, Expr>;
  /** What a derivative is written as. */
  readonly derivatives = new Map<Ref, Expr>();
  private readonly memo = new Map<Expr, Expr>();
  private readonly continuous = new Map<Expr, boolean>();

  constructor(private readonly collection: ModeCollection) {
    const { model } = collection;
    this.taken = new Set(model.scalars.map((s) => s.name));
    this.names = new WrittenNames(model.functions, (symbol) => ({
      dims: [],
      type: this.added.get(symbol)?.variable.type ?? model.scalars[symbol]!.type,
    }));
    this.names.addFunctions();
    for (const symbol of model.scalars.keys()) this.names.addVariable(symbol, this.nameOf(symbol));
    const { equations, scalars } = model;
    this.meanings = meaningsOf(model);
    for (const { assigns, right } of equations)
      if (assigns !== undefined && /^\$floor/.test(scalars[assigns]!.name))
        this.meanings.set(assigns, plainValue(right));
  }

  /** A new variable; the name is changed where it is taken. */
  declare(name: string, attributes: Partial<FlatVariable>): Ref {
    let own = name;
    while (this.taken.has(own)) own += '_';
    this.taken.add(own);
    const ref = this.collection.fresh();
    this.added.set(ref.symbol, { symbol: ref.symbol, variable: { ...blank, ...attributes, name: own } });
    this.names.addVariable(ref.symbol, own);
    return ref;
  }

  /** A new variable that changes at events only; it begins with `start`, where there is one. */
  declareDiscrete(name: string, type: FlatVariable['type'], description = '', start?: Expr): Ref {
    const fixed = start && true;
    return this.declare(name, { type, variability: 'discrete', description, start, fixed });
  }

  declaration(symbol: number): PrintedDeclaration {
    return this.added.get(symbol)!;
  }

  nameOf(symbol: number): string {
    const own = this.added.get(symbol)?.variable.name;
    return own ?? this.collection.model.scalars[symbol]!.name.replace(/^\$/, '');
  }

  /** An expression of the lowered model in the words of the text. */
  say(expr: Expr): Expr {
    return substitute(
      this.collection.values.pool,
      expr,
      (node, below) => {
        switch (node.kind) {
          case 'held': {
            const { op, left, right } = this.collection.model.relations[node.relation]!;
            return this.collection.values.pool.raw(op, [this.say(left), this.say(right)]);
          }
          case 'ref': {
            const meaning = this.meanings.get(node.symbol);
            if (meaning) return this.say(meaning);
            return node.order > 0 ? this.derivatives.get(node) : undefined;
          }
          case 'call':
            this.checkCall(node);
            return undefined;
          case 'apply':
            return this.apply(node, below);
          default:
            return undefined;
        }
      },
      this.memo,
    );
  }

  private apply(node: Apply, below: readonly Expr[]): Expr | undefined {
    const { pool } = this.collection.values;
    switch (node.op) {
      case 'lt':
      case 'le':
      case 'gt':
      case 'ge':
      case 'eq':
      case 'ne': {
        const relation = pool.raw(node.op, below);
        return this.isContinuous(node) ? pool.raw('noEvent', [relation]) : relation;
      }
      case 'and':
        return this.edge(node);
      default:
        return undefined;
    }
  }

  /** `b and not pre(b)`, also with `and not initial()`, is `edge(b)`. */
  private edge(node: Apply): Expr | undefined {
    const { pool, model } = this.collection.values;
    const [left, right] = node.args as [Expr, Expr];
    if (right.kind !== 'apply' || right.op !== 'not') return undefined;
    const denied = right.args[0]!;
    if (denied.kind === 'ref' && denied.symbol === model.flags.initial)
      return left.kind === 'apply' && left.op === 'and' ? this.edge(left) : undefined;
    if (left.kind !== 'ref' || denied.kind !== 'pre' || left.symbol !== denied.symbol) return undefined;
    return pool.raw('edge', [left]);
  }

  private isContinuous(node: Expr): boolean {
    return remember(this.continuous, node, () => {
      if (node.kind === 'apply' || node.kind === 'call') return node.args.some((a) => this.isContinuous(a));
      if (node.kind !== 'ref') return node.kind === 'time';
      return node.order > 0 || this.collection.model.scalars[node.symbol]?.kind === 'continuous';
    });
  }

  private checkCall(node: Call): void {
    const { name, locals, inputs, outputs, span } = this.collection.functions[node.fn]!;
    const simple = locals.slice(0, inputs + outputs).every((l) => l.dims.length === 0);
    if (simple) return;
    const message = `The function ${name} has arrays as inputs or outputs: in a model with several modes it cannot be exported.`;
    throw Failure.of('translate', 'not-exportable', message, { span });
  }
}
