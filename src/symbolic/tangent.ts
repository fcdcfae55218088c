/**
 * Derivatives of user functions by forward accumulation on their statements. The derivative of a function f is a
 * function f' that takes the inputs of f and then a derivative for every Real input, carries a derivative along with
 * every Real variable, and returns the derivatives of the outputs of f in their order:
 *
 *     y := x*sin(z)      becomes     y' := x'*sin(z) + x*cos(z)*z';   y := x*sin(z);
 *
 * Conditions and loops run as in f. Outputs that are not Real have the derivative 0. Both functions are in lowered form
 * (`lower.ts`), so f' can be differentiated again. Functions that are short sequences of assignments are written out at
 * their calls instead.
 */
import { remember } from '../collections/memo.ts';
import { substitute } from './analyse.ts';
import { type CallRule, type Derivative, gradient, movingOnly, total } from './differentiate.ts';
import type { Call, Expr, Local } from './expr.ts';
import {
  type Assignment,
  type FunctionDef,
  type FunctionLocal,
  type FunctionStatement,
  type GivenDerivative,
  type MultiAssignment,
  rewriteStatements,
  type StatementRewriter,
} from './function.ts';
import { derivativeBy, givenDerivative, usableDerivative } from './given.ts';
import { inlined } from './inline.ts';
import { lowerFunction, markLowered } from './lower.ts';
import type { Pool } from './pool.ts';
import { sizeOf } from './shape.ts';

/** The derivative of a function: its number, or why there is none. */
export type DerivativeFunction =
  | { readonly fn: number; readonly reason: undefined }
  | { readonly fn: undefined; readonly reason: string };

/** Differentiates calls; derivative functions are appended to `functions` when first needed. */
export class Tangents implements CallRule {
  private readonly known = new Map<number, DerivativeFunction>();
  /** By function and output: the written-out function over place-holders, and its derivatives by these; null where it must stay a call. */
  private readonly formulas = new Map<string, Expr | null>();
  private readonly gradients = new Map<string, readonly Expr[] | null>();

  constructor(private readonly functions: FunctionDef[]) {}

  /** One sweep backwards through the written-out function gives all of them. */
  partials(pool: Pool, call: Call): readonly Expr[] | undefined {
    if (call.args.length < manyArguments) return undefined;
    const slopes = remember(this.gradients, `${call.fn} ${call.output}`, () => {
      const formula = this.formula(pool, call);
      const found = formula && gradient(pool, formula, (node) => placeOf(node) >= 0, this.inside).value;
      return found ? placesFor(pool, call).map((place) => found.get(place) ?? pool.zero) : null;
    });
    const memo = new Map<Expr, Expr>();
    return slopes?.map((slope) => substitute(pool, slope, (node) => call.args[placeOf(node)], memo));
  }

  /** A written-out function over place-holders for its inputs; null where it must stay a call. */
  private formula(pool: Pool, call: Call): Expr | null {
    return remember(this.formulas, `${call.fn} ${call.output}`, () => {
      const placed = pool.call(call.fn, placesFor(pool, call), call.output);
      return inlined(pool, this.at(pool, call.fn), placed) ?? null;
    });
  }

  /** The derivative of a scalarised call, given the derivative of every argument. */
  derivative(pool: Pool, call: Call, seeds: readonly Expr[]): Derivative {
    const fn = this.at(pool, call.fn);
    if (seeds.every((seed) => seed === pool.zero)) return { value: pool.zero, reason: undefined };
    const inline = this.ofFormula(pool, call, seeds);
    if (inline) return inline;
    const derived = this.derivativeFunction(pool, call.fn);
    if (derived.fn === undefined) {
      const value = givenDerivative(pool, this.functions, call, seeds);
      return value ? { value, reason: undefined } : { value: undefined, reason: derived.reason };
    }
    const args = [...call.args, ...realArguments(fn, seeds)];
    return { value: pool.call(derived.fn, args, call.output), reason: undefined };
  }

  /** By time, functions that are given for it come first: what they do without is known to be constant, or to follow from the rest. */
  readonly byTime: CallRule = {
    derivative: (pool, call, seeds) => {
      const given = usableDerivative(pool, this.functions, call, seeds, true);
      // A second derivative that is given is one along the derivatives of the values themselves.
      const isPaired = (one: GivenDerivative | undefined) => one !== undefined && one.pairs.length > 0;
      if (given && (isPaired(given) || this.functions[given.fn]!.given?.some(isPaired)))
        return { value: derivativeBy(pool, this.functions, call, given, seeds), reason: undefined };
      return partByPart(pool, seeds, (some): Derivative => {
        if (!given) return this.derivative(pool, call, some);
        return { value: derivativeBy(pool, this.functions, call, given, some), reason: undefined };
      });
    },
  };

  /**
   * Inside functions, all that a statement reads moves along one direction, as by time: what a given function does without follows from the rest. So `rho(p, h, properties(p, h))` is
   * differentiated without the derivative of all properties.
   */
  readonly inside: CallRule = {
    derivative: (pool, call, seeds) => {
      const given = usableDerivative(pool, this.functions, call, seeds, true);
      if (!given || given.ignored.length === 0) return this.derivative(pool, call, seeds);
      return { value: derivativeBy(pool, this.functions, call, given, seeds), reason: undefined };
    },
  };

  /** The number of the function that computes the derivatives of the outputs of function number k. */
  derivativeFunction(pool: Pool, k: number): DerivativeFunction {
    const known = this.known.get(k);
    if (known) return known;
    const fn = this.at(pool, k);
    const index = this.functions.length;
    const derived: DerivativeFunction = { fn: index, reason: undefined };
    // A recursive function meets its own derivative while that is being made.
    this.known.set(k, derived);
    this.functions.push(fn);
    const made = fn.external ? directional(fn) : new Maker(pool, this, fn).run();
    if (typeof made !== 'string') {
      this.functions[index] = markLowered(made);
      return derived;
    }
    const failed: DerivativeFunction = { fn: undefined, reason: made };
    this.known.set(k, failed);
    return failed;
  }

  /** Function number k in lowered form. */
  at(pool: Pool, k: number): FunctionDef {
    return lowerFunction(pool, this.functions, this.functions[k]!);
  }

  /**
   * Differentiates the written-out function. Its inputs are place-holders until then: arguments may contain each other,
   * but each has its own derivative.
   */
  private ofFormula(pool: Pool, call: Call, seeds: readonly Expr[]): Derivative | undefined {
    const formula = this.formula(pool, call);
    if (!formula) return undefined;
    const seedNames = seeds.map((seed, k) =>
      seed === pool.zero ? pool.zero : pool.local(-1 - call.args.length - k),
    );
    const derivative = total(pool, this.inside, formula, (leaf) => seedNames[placeOf(leaf)] ?? pool.zero);
    if (!derivative.value) return derivative;
    const actual = [...call.args, ...seeds];
    return { value: substitute(pool, derivative.value, (node) => actual[placeOf(node)]), reason: undefined };
  }
}

/** From so many arguments on all derivatives of a call are found together. */
const manyArguments = 16;

const placesFor = (pool: Pool, { args }: Call): Expr[] => args.map((_, k) => pool.local(-1 - k));

/** Which argument a place-holder stands for; -1 for anything else. */
const placeOf = (node: Expr): number => (node.kind === 'local' && node.index < 0 ? -1 - node.index : -1);

/** Of so many arguments at most the partial derivatives are calls of their own. */
const mostParts = 4;

/**
 * The sum of partial derivatives times the derivatives of the arguments. In this form it is seen to be linear in these, which are unknowns of the system that the equation belongs to; and the
 * partial derivatives, of which the Jacobian of that system consists, are computed once.
 */
function partByPart(
  pool: Pool,
  seeds: readonly Expr[],
  along: (seeds: readonly Expr[]) => Derivative,
): Derivative {
  const moving = seeds.flatMap((seed, k) => (seed === pool.zero ? [] : [k]));
  if (moving.length > mostParts || moving.every((k) => seeds[k]!.kind === 'const')) return along(seeds);
  let sum: Expr = pool.zero;
  for (const k of moving) {
    const part = along(seeds.map((_, other) => (other === k ? pool.one : pool.zero)));
    if (!part.value) return part;
    sum = pool.add(sum, pool.mul(part.value, seeds[k]!));
  }
  return { value: sum, reason: undefined };
}

/** External code is differentiated by differences, along a direction in which its inputs move. */
function directional(fn: FunctionDef): FunctionDef {
  const code = fn.external!;
  // The first input of a component stands for its states, which do not move.
  const moving = fn.locals.slice(code.kind === 'component' ? 1 : 0, fn.inputs);
  const direction = moving.map((local): FunctionLocal => ({ ...local, name: `der(${local.name})` }));
  return {
    ...fn,
    locals: [...fn.locals.slice(0, fn.inputs), ...direction, ...fn.locals.slice(fn.inputs)],
    inputs: fn.inputs + direction.length,
    external: code.kind === 'component' ? { ...code, derivative: true } : { ...code, order: code.order + 1 },
  };
}

/** Those of the scalar arguments that belong to Real inputs. */
function realArguments(fn: FunctionDef, args: readonly Expr[]): Expr[] {
  const real: Expr[] = [];
  let next = 0;
  for (let k = 0; k < fn.inputs; k++) {
    for (let e = sizeOf(fn.locals[k]!.dims); e > 0; e--, next++) {
      if (fn.locals[k]!.type === 'Real') real.push(args[next]!);
    }
  }
  return real;
}

class Maker implements StatementRewriter {
  private readonly locals: FunctionLocal[] = [];
  /** `place[i]`: number of local i of f in f'; `slope[i]`: number of its derivative. */
  private readonly place: number[] = [];
  private readonly slope: (number | undefined)[] = [];
  private readonly origin = new Map<number, number>();
  private readonly renamed = new Map<Expr, Expr>();
  private readonly derived = new Map<Expr, Expr>();

  constructor(
    private readonly pool: Pool,
    private readonly tangents: Tangents,
    private readonly fn: FunctionDef,
  ) {}

  /** The derivative function, or why there is none. */
  run(): FunctionDef | string {
    const { fn } = this;
    const inputs = this.declare();
    try {
      return {
        name: `der(${fn.name})`,
        locals: this.locals,
        inputs,
        outputs: fn.outputs,
        body: [...this.initialisation(), ...rewriteStatements(this, fn.body)],
        derived: true,
        span: fn.span,
      };
    } catch (problem) {
      if (problem instanceof NoDerivative) return `function ${fn.name}: ${problem.message}`;
      throw problem;
    }
  }

  /** Places the variables: inputs, their derivatives, derivatives of outputs, everything else. Gives the number of inputs. */
  private declare(): number {
    const { fn } = this;
    const add = (local: FunctionLocal): number => this.locals.push({ ...local, initial: undefined }) - 1;
    const isReal = (k: number): boolean => fn.locals[k]!.type === 'Real';
    const slopeOf = (k: number): FunctionLocal => ({
      ...fn.locals[k]!,
      name: `der(${fn.locals[k]!.name})`,
      type: 'Real',
    });
    const last = fn.inputs + fn.outputs;
    for (let k = 0; k < fn.inputs; k++) this.place[k] = add(fn.locals[k]!);
    for (let k = 0; k < fn.inputs; k++) if (isReal(k)) this.slope[k] = add(slopeOf(k));
    const inputs = this.locals.length;
    for (let k = fn.inputs; k < last; k++) {
      const index = add(slopeOf(k));
      this.locals[index] = { ...this.locals[index]!, initial: this.zeros(fn.locals[k]!.dims) };
      if (isReal(k)) this.slope[k] = index;
    }
    for (let k = fn.inputs; k < fn.locals.length; k++) {
      this.place[k] = add(fn.locals[k]!);
      if (k >= last && isReal(k)) this.slope[k] = add(slopeOf(k));
    }
    for (const [k, index] of this.place.entries()) this.origin.set(index, k);
    return inputs;
  }

  private zeros(dims: readonly number[]): Expr {
    if (dims.length === 0) return this.pool.zero;
    return this.pool.raw('array', new Array<Expr>(sizeOf(dims)).fill(this.pool.zero));
  }

  /** Default values of variables as assignments, so that they are computed in the order of f. */
  private initialisation(): FunctionStatement[] {
    return this.fn.locals.flatMap(({ initial }, k) =>
      initial
        ? this.assign({ kind: 'assign', target: this.pool.local(k), value: initial, span: this.fn.span })
        : [],
    );
  }

  /** The derivative comes first: it reads the old values of what is assigned. */
  assign({ target, value, span }: Assignment): FunctionStatement[] {
    const renamedTarget = this.expression(target) as Local;
    const renamedValue = this.renameValue(value);
    const same: FunctionStatement = { kind: 'assign', target: renamedTarget, value: renamedValue, span };
    const slope = this.slopeOf(renamedTarget);
    if (!slope) return [same];
    const { dims } = this.locals[renamedTarget.index]!;
    const isWhole = dims.length > 0 && renamedTarget.subscripts.length === 0;
    const derivative = isWhole ? this.wholeDerivative(renamedValue, dims) : this.differentiate(renamedValue);
    return [{ kind: 'assign', target: slope, value: derivative, span }, same];
  }

  private wholeDerivative(value: Expr, dims: readonly number[]): Expr {
    if (value.kind === 'apply' && value.op === 'array') {
      const items = value.args.map((item) => this.differentiate(item));
      return this.pool.raw('array', items);
    }
    if (value.kind !== 'call') throw new NoDerivative('an array is assigned what is no array');
    const items = Array.from({ length: sizeOf(dims) }, (_, k) =>
      this.differentiate(this.pool.call(value.fn, value.args, value.output + k)),
    );
    return this.pool.raw('array', items);
  }

  multiassign(statement: MultiAssignment): FunctionStatement[] {
    const args = statement.args.map((arg) => this.expression(arg));
    const targets = statement.targets.map((target) => target && this.expression(target));
    const same: FunctionStatement = { ...statement, args, targets };
    const slopes = targets.map((target) => target && this.slopeOf(target as Local));
    if (slopes.every((slope) => slope === undefined)) return [same];
    const derived = this.tangents.derivativeFunction(this.pool, statement.fn);
    if (derived.fn === undefined) throw new NoDerivative(derived.reason);
    const seeds = args.map((arg) => this.differentiate(arg));
    const callee = this.tangents.at(this.pool, statement.fn);
    const call: FunctionStatement = {
      kind: 'multiassign',
      targets: slopes,
      fn: derived.fn,
      args: [...args, ...realArguments(callee, seeds)],
      span: statement.span,
    };
    return [call, same];
  }

  /** The variable that carries the derivative of a (renamed) variable or element. */
  private slopeOf(local: Local): Local | undefined {
    const slope = this.slope[this.origin.get(local.index)!];
    return slope === undefined ? undefined : this.pool.local(slope, local.subscripts);
  }

  private differentiate(expr: Expr): Expr {
    const slope = (leaf: Expr): Expr => (leaf.kind === 'local' && this.slopeOf(leaf)) || this.pool.zero;
    const derivative = total(this.pool, this.tangents.inside, expr, slope, this.derived, movingOnly);
    if (!derivative.value) throw new NoDerivative(derivative.reason);
    return derivative.value;
  }

  range(expr: Expr): Expr {
    return this.expression(expr);
  }

  expression(expr: Expr): Expr {
    const renamed = (node: Expr, below: readonly Expr[]): Expr | undefined =>
      node.kind === 'local' ? this.pool.local(this.place[node.index]!, below) : undefined;
    return substitute(this.pool, expr, renamed, this.renamed);
  }

  /** Arrays of elements are no operators on scalars, so they are not simplified. */
  private renameValue(value: Expr): Expr {
    if (value.kind !== 'apply' || value.op !== 'array') return this.expression(value);
    const items = value.args.map((item) => this.expression(item));
    return this.pool.raw('array', items);
  }
}

class NoDerivative extends Error {}
