/**
 * Calls of functions that are carried out at events and keep their results. Such a call stands in one equation, of a ticket:
 *
 *     $call = if fire then f'(arguments) else pre($call)
 *     y[k]  = if fire then $result($call, k) else …
 *
 * `f'` calls the function, keeps all of its results, and gives a number that stands for them. The ticket is an Integer: nothing can be differentiated
 * through it, so this is not for equations that hold between events. It is for calls
 *
 * - with many arguments and many results: each result as an expression of all arguments would be a table of pairs, and 4000 samples and 800 amplitudes are
 *   three million;
 * - that have to come one after the other, because they do something: `f'` is also given the ticket of the call before.
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

/** A call with the elements of its results. */
interface Kept {
  readonly ticket: Expr;
  readonly results: readonly Expr[];
}

/** Where equations of tickets belong. */
export interface Destination {
  readonly guard: Guard;
  readonly origin: Origin;
  readonly out: GuardedEquation[];
}

export class KeptCalls {
  /** By function, arguments and condition: several outputs of one call are asked for one by one. */
  private readonly known = new Map<string, Kept>();

  constructor(private readonly sink: CallSink) {}

  /** Whether results of a function are kept. */
  keeps(fn: number): boolean {
    const { locals, inputs, outputs, inline } = this.sink.flat.functions[fn]!;
    const elements = (from: number, to: number): number =>
      locals.slice(from, to).reduce((sum, { dims }) => sum + sizeOf(dims), 0);
    return !inline && elements(0, inputs) * elements(inputs, inputs + outputs) > mostPairs;
  }

  /** The elements of each output of a call, as `call` gives them in a row; `args` are the elements of each argument. */
  outputs(
    fn: number,
    args: readonly (readonly Expr[])[],
    fire: Expr,
    where: Destination,
    before?: Expr,
  ): Pick<Kept, 'ticket'> & { readonly outputs: Expr[][] } {
    const { locals, inputs, outputs } = this.sink.flat.functions[fn]!;
    const given = args.flatMap((elements, k) => {
      const size = sizeOf(locals[k]!.dims);
      return elements.length === size ? elements : new Array<Expr>(size).fill(elements[0]!);
    });
    const { ticket, results } = this.call(fn, given, fire, where, before);
    let first = 0;
    const each = locals.slice(inputs, inputs + outputs).map(({ dims }) => {
      const start = first;
      first += sizeOf(dims);
      return results.slice(start, first);
    });
    return { ticket, outputs: each };
  }

  /** A call with the elements of all arguments, which is carried out where `fire` holds, and not before the one whose ticket is given. */
  call(fn: number, args: readonly Expr[], fire: Expr, where: Destination, before?: Expr): Kept {
    const key = [fn, fire.id, ...args.map(({ id }) => id)].join();
    return remember(this.known, key, () => this.made(fn, before ? [...args, before] : args, fire, where));
  }

  private made(fn: number, args: readonly Expr[], fire: Expr, { guard, origin, out }: Destination): Kept {
    const { sink } = this;
    const { pool } = sink;
    const { locals, inputs, outputs, span } = sink.flat.functions[fn]!;
    const name = `$call${this.known.size + 1}`;
    const given = locals.slice(0, inputs);
    const isLater = args.length > given.reduce((sum, { dims }) => sum + sizeOf(dims), 0);
    const places = placesOf(locals.slice(inputs, inputs + outputs));
    const keep = this.add(keeping(name, places, isLater, span));
    const whole = this.add(
      isLater
        ? keeper(sink, fn, [...given, earlier], keep, this.add(following(name, span)))
        : keeper(sink, fn, given, keep),
    );
    const ticket = sink.addScalar(auxiliary(name, 'discrete', 'Integer'));
    const value = pool.if(fire, pool.call(whole, args, 0), pool.pre(ticket));
    out.push(definition(sink, ticket, value, guard, origin));
    const showing = { numbers: -1, texts: -1 };
    const results = places.map(({ list, index }): Expr => {
      if (showing[list] < 0) showing[list] = this.add(shown(name, list, span));
      const result = pool.call(showing[list], [pool.ref(ticket), pool.const(index)], 0);
      return pool.if(fire, result, list === 'texts' ? pool.text('') : pool.zero);
    });
    return { ticket: pool.ref(ticket), results };
  }

  private add(fn: FunctionDef): number {
    return this.sink.firstCall + this.sink.calls.push(markLowered(fn)) - 1;
  }
}

/** The ticket of the call before, as an argument. */
const earlier: FunctionLocal = { name: 'earlier', type: 'Integer', dims: [], initial: undefined };

/** Where an element of the results is kept: in which of the two lists, and where in it. */
interface Place {
  readonly list: 'numbers' | 'texts';
  readonly index: number;
}

function placesOf(results: readonly FunctionLocal[]): Place[] {
  const lengths = { numbers: 0, texts: 0 };
  return results.flatMap(({ type, dims }) => {
    const list = type === 'String' ? 'texts' : 'numbers';
    return Array.from({ length: sizeOf(dims) }, () => ({ list, index: lengths[list]++ }));
  });
}

/** The function with a ticket in place of its results. */
function keeper(
  { pool, flat }: CallSink,
  fn: number,
  given: readonly FunctionLocal[],
  keep: number,
  follow?: number,
): FunctionDef {
  const { name, locals, inputs, outputs, impure, span } = flat.functions[fn]!;
  const results = locals.slice(inputs, inputs + outputs).map((local) => ({ ...local, initial: undefined }));
  const ticket = given.length;
  const said: FunctionStatement[] =
    follow === undefined
      ? []
      : [{ kind: 'multiassign', targets: [undefined], fn: follow, args: [pool.local(inputs)], span }];
  const call: FunctionStatement = {
    kind: 'multiassign',
    targets: results.map((_, k) => pool.local(ticket + 1 + k)),
    fn,
    args: elementsOf(pool, locals.slice(0, inputs), 0),
    span,
  };
  const elements = elementsOf(pool, results, ticket + 1);
  const places = placesOf(results);
  const kept = (['numbers', 'texts'] as const).flatMap((list) =>
    elements.filter((_, k) => places[k]!.list === list),
  );
  return {
    name,
    locals: [...given, { name: 'ticket', type: 'Integer', dims: [], initial: undefined }, ...results],
    inputs: given.length,
    outputs: 1,
    body: [
      ...said,
      call,
      { kind: 'assign', target: pool.local(ticket), value: pool.call(keep, kept, 0), span },
    ],
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
  readonly ticket: number;
  readonly numbers: Float64Array;
  readonly texts: readonly string[];
}

/** Keeps the results of a call: equal ones have equal tickets, so that a call that is repeated changes nothing; one that was made anew does something to those after it. */
function keeping(
  name: string,
  places: readonly Place[],
  isLater: boolean,
  span: FunctionDef['span'],
): FunctionDef {
  const count = (list: Place['list']): number => places.filter((place) => place.list === list).length;
  const sizes = [count('numbers'), { texts: count('texts') }];
  return helper(name, sizes, span, function (numbers: Float64Array, texts: readonly string[]): number {
    const before = this.kept.get(name) as Results | undefined;
    const isSame =
      !(isLater && this.repeats.hasNews()) &&
      before?.numbers.every((value, k) => Object.is(value, numbers[k])) &&
      before.texts.every((text, k) => text === texts[k]);
    if (isSame) return before!.ticket;
    const ticket = (before?.ticket ?? 0) + 1;
    this.kept.set(name, { ticket, numbers: numbers.slice(), texts: [...texts] } satisfies Results);
    return ticket;
  });
}

/** Says which call comes before the next one. */
const following = (name: string, span: FunctionDef['span']): FunctionDef =>
  helper(`${name}.after`, [1], span, function (before: Float64Array): number {
    this.repeats.after(before[0]!);
    return 0;
  });

/** One result of the call that a ticket stands for, which is the last one. */
const shown = (name: string, list: Place['list'], span: FunctionDef['span']): FunctionDef =>
  helper(
    name,
    [1, 1],
    span,
    function (ticket: Float64Array, k: Float64Array): number | string {
      const results = this.kept.get(name) as Results | undefined;
      if (results?.ticket !== ticket[0]) throw new Error('results of another call are asked for');
      return results![list][k[0]!]!;
    },
    list === 'texts' ? 'String' : 'Real',
  );
