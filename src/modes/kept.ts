/**
 * Calls of functions with many arguments and many results, where they are carried out at events. Each result as an expression of all arguments would
 * be a table of pairs: 4000 samples and 800 amplitudes are three million. So the call stands in one equation, of a ticket:
 *
 *     $call = if fire then f'(arguments) else pre($call)
 *     y[k]  = if fire then $result($call, k) else …
 *
 * `f'` calls the function, keeps all of its results, and gives a number that stands for them. The ticket is an Integer: nothing can be differentiated
 * through it, so this is not for equations that hold between events.
 */
import { remember } from '../collections/memo.ts';
import type { Guard, Origin } from '../flat/flat.ts';
import type { Expr } from '../symbolic/expr.ts';
import type { FunctionDef, FunctionLocal, FunctionStatement } from '../symbolic/function.ts';
import { markLowered } from '../symbolic/lower.ts';
import type { Pool } from '../symbolic/pool.ts';
import { eachElement, sizeOf } from '../symbolic/shape.ts';
import { auxiliary } from './events.ts';
import type { GuardedEquation } from './guarded.ts';
import { helper } from './helpers.ts';
import { definition, type ScalarSink } from './sink.ts';

/** Pairs of arguments and results that are written out. */
const mostPairs = 4096;

/** What the calls are added to. */
interface CallSink extends ScalarSink {
  /** Functions that lowering adds; numbers go on after those of the flat model. */
  readonly calls: FunctionDef[];
  readonly firstCall: number;
}

/** Where equations of tickets belong. */
export interface Destination {
  readonly guard: Guard;
  readonly origin: Origin;
  readonly out: GuardedEquation[];
}

export class KeptCalls {
  /** Results by function, arguments and condition: several outputs of one call are asked for one by one. */
  private readonly known = new Map<string, readonly Expr[]>();

  constructor(private readonly sink: CallSink) {}

  /** Whether results of a function are kept. */
  keeps(fn: number): boolean {
    const { locals, inputs, outputs, inline } = this.sink.flat.functions[fn]!;
    const elements = (from: number, to: number): number =>
      locals.slice(from, to).reduce((sum, { dims }) => sum + sizeOf(dims), 0);
    const isText = locals.slice(inputs, inputs + outputs).some(({ type }) => type === 'String');
    if (isText || inline) return false;
    return elements(0, inputs) * elements(inputs, inputs + outputs) > mostPairs;
  }

  /** The elements of each output of a call, which is carried out where `fire` holds; `args` are the elements of each argument. */
  outputs(fn: number, args: readonly (readonly Expr[])[], fire: Expr, where: Destination): Expr[][] {
    const { locals, inputs, outputs } = this.sink.flat.functions[fn]!;
    const given = args.flatMap((elements, k) => {
      const size = sizeOf(locals[k]!.dims);
      return elements.length === size ? elements : new Array<Expr>(size).fill(elements[0]!);
    });
    const key = [fn, fire.id, ...given.map(({ id }) => id)].join();
    const results = remember(this.known, key, () => this.results(fn, given, fire, where));
    let first = 0;
    return locals.slice(inputs, inputs + outputs).map(({ dims }) => {
      const start = first;
      first += sizeOf(dims);
      return results.slice(start, first);
    });
  }

  private results(
    fn: number,
    args: readonly Expr[],
    fire: Expr,
    { guard, origin, out }: Destination,
  ): readonly Expr[] {
    const { sink } = this;
    const { pool } = sink;
    const { locals, inputs, outputs, span } = sink.flat.functions[fn]!;
    const name = `$call${this.known.size + 1}`;
    const length = locals.slice(inputs, inputs + outputs).reduce((sum, { dims }) => sum + sizeOf(dims), 0);
    const whole = this.add(keeper(sink, fn, this.add(keeping(name, length, span))));
    const result = this.add(showing(name, span));
    const ticket = sink.addScalar(auxiliary(name, 'discrete', 'Integer'));
    const value = pool.if(fire, pool.call(whole, args, 0), pool.pre(ticket));
    out.push(definition(sink, ticket, value, guard, origin));
    return Array.from({ length }, (_, k) => pool.call(result, [pool.ref(ticket), pool.const(k)], 0));
  }

  private add(fn: FunctionDef): number {
    return this.sink.firstCall + this.sink.calls.push(markLowered(fn)) - 1;
  }
}

/** The function with a ticket in place of its results. */
function keeper({ pool, flat }: CallSink, fn: number, keep: number): FunctionDef {
  const { name, locals, inputs, outputs, impure, span } = flat.functions[fn]!;
  const given = locals.slice(0, inputs);
  const results = locals.slice(inputs, inputs + outputs).map((local) => ({ ...local, initial: undefined }));
  const first = inputs + 1;
  const call: FunctionStatement = {
    kind: 'multiassign',
    targets: results.map((_, k) => pool.local(first + k)),
    fn,
    args: elementsOf(pool, given, 0),
    span,
  };
  const kept = pool.call(keep, elementsOf(pool, results, first), 0);
  return {
    name,
    locals: [...given, { name: 'ticket', type: 'Integer', dims: [], initial: undefined }, ...results],
    inputs,
    outputs: 1,
    body: [call, { kind: 'assign', target: pool.local(inputs), value: kept, span }],
    ...(impure && { impure }),
    span,
  };
}

/** The elements of some variables of a function, in a row. */
function elementsOf(pool: Pool, variables: readonly FunctionLocal[], first: number): Expr[] {
  return variables.flatMap(({ dims }, k) => {
    const elements: Expr[] = [];
    const all = dims.map((n) => ({ items: Array.from({ length: n }, (_, i) => i + 1), scalar: true }));
    eachElement(all, (at) =>
      elements.push(
        pool.local(
          first + k,
          at.map((n) => pool.const(n)),
        ),
      ),
    );
    return elements;
  });
}

// ---------------------------------------------------------------- what is kept

interface Results {
  ticket: number;
  values: Float64Array;
}

/** Keeps the results of a call: equal ones have equal tickets, so that a call that is repeated changes nothing. */
const keeping = (name: string, length: number, span: FunctionDef['span']): FunctionDef =>
  helper(name, [length], span, function (values: Float64Array): number {
    const before = this.kept.get(name) as Results | undefined;
    if (before?.values.every((value, k) => Object.is(value, values[k]))) return before.ticket;
    const ticket = (before?.ticket ?? 0) + 1;
    this.kept.set(name, { ticket, values: values.slice() } satisfies Results);
    return ticket;
  });

/** One result of the call that a ticket stands for, which is the last one. */
const showing = (name: string, span: FunctionDef['span']): FunctionDef =>
  helper(name, [1, 1], span, function (ticket: Float64Array, k: Float64Array): number {
    const results = this.kept.get(name) as Results | undefined;
    if (results?.ticket !== ticket[0]) throw new Error('results of another call are asked for');
    return results!.values[k[0]!]!;
  });
