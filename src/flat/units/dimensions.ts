/**
 * Units of expressions. An expression has a unit (that of a variable which declares none is an unknown of a `UnitSystem`), or it is
 * a pure number, or nothing can be said about it:
 *
 *  - A number that is added, compared or assigned goes with every unit: `T > 300`, `x = 0`.
 *  - A simple number (2, 0.5, 4*pi/3) that multiplies is a pure number. Other numbers (9.81, 4180, 1e-3) may carry a unit or convert
 *    one, so that nothing can be said about their products; and neither about constants of packages, whose values stand for them.
 *  - Whatever can be anything goes with every unit, and so does what is computed from it.
 *  - What holds only sometimes (the branches of `if`) determines no unit: the parameter of a curve may be a voltage in one branch and a
 *    current in the other.
 *  - Functions of pure numbers determine no unit either, and signals (functions of `time`) go with every unit; so do plain numbers that
 *    multiply `time` or are added to it, whatever they are: `5*sin(3*time)`, `2*time`, `u = 20 + time`.
 *  - A number in the equation of a derivative is a rate, or a time, where that is what is missing: `der(x) = -3*x`, `2*der(x) = -x`.
 *
 * Where two units must be the same, the system learns it; where they are not, `Rules.report` hears of it.
 */
import { leaves, walk } from '../../symbolic/analyse.ts';
import type { Apply, Call, Expr, Ref } from '../../symbolic/expr.ts';
import type { FunctionDef } from '../../symbolic/function.ts';
import { WHOLE, type Zero } from '../../units/measures.ts';
import type { Form, UnitSystem } from '../../units/system.ts';
import { derivativeOrder, hasNumber, isOfTime, isRamp, isSimple, isTime } from './numbers.ts';

/** The unit of an expression, a pure number, or what goes with everything. */
export type UnitQuantity = Form | 'number' | 'any';

/** What two expressions must have the same unit for. */
export type UnitRelation = 'equal' | 'sum' | 'compare' | 'alternative' | 'atan2';

export interface UnitSide {
  readonly expr: Expr;
  readonly form: Form;
}

export type UnitMismatch =
  | {
      readonly kind: 'sides';
      readonly relation: UnitRelation;
      readonly left: UnitSide;
      readonly right: UnitSide;
    }
  | { readonly kind: 'function'; readonly name: string; readonly argument: UnitSide }
  | {
      readonly kind: 'call';
      readonly definition: FunctionDef;
      readonly input: number;
      readonly wanted: Form;
      readonly argument: UnitSide;
    };

/** What the rules need to know of the surroundings of an expression. */
export interface Rules {
  readonly system: UnitSystem;
  readonly functions: readonly FunctionDef[];
  /** Values of constants of packages that have a unit. */
  readonly measured: ReadonlySet<number>;
  /** The unit of a variable of the model, or of the function whose body this is. */
  readonly leaf: (leaf: Extract<Expr, { kind: 'ref' | 'pre' | 'local' }>) => UnitQuantity;
  /** The unit that a variable of a function declares. */
  readonly declared: (definition: FunctionDef, local: number) => UnitQuantity;
  /** Number of the equation at hand. */
  readonly reason: () => number;
  readonly report: (mismatch: UnitMismatch) => void;
}

export class Dimensions {
  /** By the id of an expression. */
  private readonly known: (UnitQuantity | undefined)[];
  /** Whether equations determine units here. */
  private teaching = true;

  /** For expressions with ids up to a size; zero where there are few. */
  constructor(
    private readonly rules: Rules,
    size: number,
  ) {
    this.known = new Array<UnitQuantity | undefined>(size);
  }

  private readonly isKnown = (node: Expr): boolean => this.known[node.id] !== undefined;

  private readonly visit = (node: Expr): void => {
    this.known[node.id] = this.quantity(node);
  };

  /** The unit of an expression; what is inside it is checked on the way, once. */
  of(expr: Expr): UnitQuantity {
    const known = this.known[expr.id];
    if (known !== undefined) return known;
    walk(expr, this.isKnown, this.visit, argumentsOf);
    return this.known[expr.id]!;
  }

  /** Demands that two expressions have the same unit; arrays that are written out element by element. */
  same(relation: UnitRelation, left: Expr, right: Expr): void {
    const first = this.of(left);
    const second = this.of(right);
    if (typeof first !== 'string' && typeof second !== 'string') {
      if (first !== second || first.terms.length > 0)
        this.equate(relation, { expr: left, form: first }, { expr: right, form: second });
    } else if (first === 'any' && isArray(left)) {
      for (const [k, element] of left.args.entries())
        this.same(relation, element, isArray(right) ? right.args[k]! : right);
    } else if (second === 'any' && isArray(right)) {
      for (const element of right.args) this.same(relation, left, element);
    }
  }

  /** Does something that holds only sometimes. */
  sometimes(what: () => void): void {
    const { teaching } = this;
    this.teaching = false;
    what();
    this.teaching = teaching;
  }

  /** Demands that an expression has a known unit. */
  fits(expr: Expr, wanted: UnitQuantity, mismatch: (argument: UnitSide) => UnitMismatch): void {
    if (typeof wanted === 'string') return;
    const exprs = [expr];
    for (let next = exprs.pop(); next; next = exprs.pop()) {
      const form = this.of(next);
      if (form === 'any' && isArray(next)) exprs.push(...next.args);
      if (typeof form === 'string') continue;
      const { system, report } = this.rules;
      const outcome = system.equate(form, wanted, this.reason(next));
      if (outcome === 'differ' || (outcome === 'same' && !this.sameZero(form, wanted)))
        report(mismatch({ expr: next, form }));
    }
  }

  private equate(relation: UnitRelation, left: UnitSide, right: UnitSide): void {
    const { system, report } = this.rules;
    // The parameter of a curve is compared with whatever bounds its parts.
    const isLoose = relation === 'compare' || relation === 'atan2';
    const reason = isLoose ? undefined : this.reason(left.expr, right.expr);
    const outcome = system.equate(left.form, right.form, reason);
    const fits = relation === 'sum' || this.sameZero(left.form, right.form);
    if (outcome !== 'differ' && (outcome !== 'same' || fits)) return;
    if (relation === 'equal' && (isRamp(left.expr) || isRamp(right.expr) || this.hasRate(left, right)))
      return;
    report({ kind: 'sides', relation, left, right });
  }

  /** Whether the sides differ by a power of a second, one is a derivative, and a number can carry that unit. */
  private hasRate(left: UnitSide, right: UnitSide): boolean {
    if (!hasNumber(left.expr) && !hasNumber(right.expr)) return false;
    const { system } = this.rules;
    const { measures } = system;
    return [
      [left, right],
      [right, left],
    ].some(([one, other]) => {
      const order = derivativeOrder(one!.expr);
      const [a, b] = [system.unitOf(one!.form), system.unitOf(other!.form)];
      if (order === 0 || a === undefined || b === undefined) return false;
      const lacking = measures.product(a, measures.power(measures.second, order * WHOLE)!);
      return measures.sameDimension(lacking, b) && measures.sameScale(lacking, b);
    });
  }

  /** What teaches units; undefined where nothing does. The time that passes may stand for anything that grows with it. */
  private reason(...exprs: readonly Expr[]): number | undefined {
    return this.teaching && !exprs.some(isTime) ? this.rules.reason() : undefined;
  }

  private sameZero(a: Form, b: Form): boolean {
    const [first, second] = [this.zeroOf(a), this.zeroOf(b)];
    return first === second || first === '' || second === '' || (isKelvin(first) && isKelvin(second));
  }

  private zeroOf(form: Form): Zero {
    const unit = this.rules.system.unitOf(form);
    return unit === undefined ? '' : this.rules.system.measures.at(unit).zero;
  }

  private quantity(expr: Expr): UnitQuantity {
    const { system, measured, leaf } = this.rules;
    switch (expr.kind) {
      case 'const':
        return isSimple(expr.value) && !measured.has(expr.value) ? 'number' : 'any';
      case 'iter':
        return 'number';
      case 'time':
        return system.constant(system.measures.second);
      case 'ref':
        return this.derivative(leaf(expr), expr);
      case 'pre':
      case 'local':
        return leaf(expr);
      case 'apply':
        return this.applied(expr);
      case 'call':
        return this.called(expr);
      case 'text':
      case 'held':
        return 'any';
    }
  }

  private derivative(own: UnitQuantity, { order }: Ref): UnitQuantity {
    if (order === 0 || own === 'any') return own;
    const { system } = this.rules;
    const perSecond = system.power(system.constant(system.measures.second), -order * WHOLE)!;
    return own === 'number' ? 'any' : (system.product(own, perSecond) ?? 'any');
  }

  private applied(expr: Apply): UnitQuantity {
    const [a, b] = expr.args;
    switch (expr.op) {
      case 'add':
      case 'sub':
        return this.sum(expr);
      case 'mul':
      case 'matmul':
      case 'cross':
      case 'outerProduct':
        return this.product(a!, b!);
      case 'div':
        return this.quotient(a!, b!);
      case 'pow':
        return this.power(a!, b!);
      case 'sqrt':
        return this.raised(this.of(a!), WHOLE / 2);
      case 'sin':
      case 'cos':
      case 'tan':
      case 'asin':
      case 'acos':
      case 'atan':
      case 'sinh':
      case 'cosh':
      case 'tanh':
      case 'exp':
      case 'log':
      case 'log10':
        return this.pure(expr.op, a!);
      case 'atan2':
        this.same('atan2', a!, b!);
        return this.one();
      case 'neg':
        return isOfTime(a!) ? 'any' : this.difference(this.of(a!));
      case 'abs':
      case 'noEvent':
      case 'sum':
      case 'minOf':
      case 'maxOf':
      case 'sumOver':
      case 'minOver':
      case 'maxOver':
      case 'comprehension':
      case 'fill':
      case 'transpose':
      case 'diagonal':
      case 'skew':
      case 'symmetric':
      case 'scalar':
      case 'vector':
      case 'matrix':
      case 'promote':
      case 'subscript':
      case 'exact':
        return this.of(a!);
      case 'smooth':
        return this.of(b!);
      case 'sign':
      case 'size':
      case 'ndims':
      case 'identity':
      case 'range':
        return 'number';
      case 'min':
      case 'max':
      case 'homotopy':
      case 'mod':
      case 'rem':
      case 'linspace':
        return this.alike('alternative', a!, b!);
      case 'if':
        return this.choice(expr);
      case 'idiv':
        this.same('compare', a!, b!);
        return 'number';
      case 'lt':
      case 'le':
      case 'gt':
      case 'ge':
      case 'eq':
      case 'ne':
        this.same('compare', a!, b!);
        return 'any';
      case 'array':
        return this.elements(expr.args);
      case 'cat':
        return this.elements(expr.args.slice(1));
      case 'product':
      case 'productOver':
        return this.isOne(this.of(a!)) ? this.one() : 'any';
      case 'floor':
      case 'ceil':
      case 'and':
      case 'or':
      case 'not':
      case 'initial':
      case 'terminal':
      case 'sample':
      case 'edge':
      case 'change':
      case 'der':
      case 'string':
      case 'concat':
      case 'pad':
      case 'format':
      case 'order':
      case 'colon':
        return 'any';
    }
  }

  /** The sum of temperatures in degrees is none; that of one and a difference is. */
  private sum({ op, args: [a, b] }: Apply): UnitQuantity {
    const first = this.of(a!);
    const second = this.of(b!);
    if (first === second && this.isPlain(first)) return first;
    const form = this.alike('sum', a!, b!);
    if (typeof form === 'string') return form;
    if (typeof first === 'string' || typeof second === 'string') return this.difference(form);
    const [x, y] = [this.zeroOf(first), this.zeroOf(second)];
    if (x === '' && y === '') return form;
    const { system, report } = this.rules;
    const unit = system.unitOf(form);
    if (unit === undefined) return form;
    const mixed = isPoint(x) && isPoint(y) ? x !== y : op === 'sub' && x === 'K' && isPoint(y) && y !== 'K0';
    if (mixed) {
      const [left, right] = [
        { expr: a!, form: first },
        { expr: b!, form: second },
      ];
      report({ kind: 'sides', relation: 'sum', left, right });
    }
    const zero = isPoint(x) ? (isPoint(y) ? '' : x) : op === 'add' ? y : x === 'K' && y === 'K' ? 'K' : '';
    return system.constant(system.measures.withZero(unit, zero));
  }

  /** Branches; `else if` is followed without recursion. */
  private choice(expr: Apply): UnitQuantity {
    const values: Expr[] = [];
    let rest: Expr = expr;
    for (; rest.kind === 'apply' && rest.op === 'if'; rest = rest.args[2]!) {
      this.of(rest.args[0]!);
      values.push(rest.args[1]!);
    }
    values.push(rest);
    let result: UnitQuantity = 'number';
    let from = rest;
    this.sometimes(() => {
      for (const value of values) {
        const own = this.of(value);
        if (own === 'number') continue;
        if (own === 'any' || !this.isDetermined(own)) {
          if (result === 'number') result = 'any';
        } else if (typeof result === 'string') {
          result = own;
          from = value;
        } else this.same('alternative', from, value);
      }
    });
    return result;
  }

  private isDetermined(form: Form): boolean {
    return this.rules.system.unitOf(form) !== undefined;
  }

  /** A unit that is known, of which no zero is. */
  private isPlain(own: UnitQuantity): boolean {
    if (typeof own === 'string' || own.terms.length > 0) return false;
    return this.rules.system.measures.at(own.unit).zero === '';
  }

  private product(a: Expr, b: Expr): UnitQuantity {
    const first = this.of(a);
    const second = this.of(b);
    if (first === 'any' || second === 'any') return 'any';
    if (first === 'number') return isOfTime(b) ? 'any' : this.difference(second);
    if (second === 'number') return isOfTime(a) ? 'any' : this.difference(first);
    return this.rules.system.product(first, second) ?? 'any';
  }

  private quotient(a: Expr, b: Expr): UnitQuantity {
    const first = this.of(a);
    const second = this.of(b);
    if (first === 'any' || second === 'any') return 'any';
    if (second === 'number') return isOfTime(a) ? 'any' : this.difference(first);
    // In `1/f` the 1 is a number; in `1/n` it may be 1 metre.
    if (first === 'number') return this.isDetermined(second) ? this.raised(second, -WHOLE) : 'any';
    return this.rules.system.quotient(first, second) ?? 'any';
  }

  private power(base: Expr, exponent: Expr): UnitQuantity {
    const own = this.of(base);
    this.pure('^', exponent);
    if (own === 'any' || this.isOne(own)) return own;
    if (exponent.kind !== 'const') return own === 'number' ? 'number' : 'any';
    const parts = exponent.value * WHOLE;
    const whole = Math.round(parts);
    return Math.abs(parts - whole) < 1e-9 * WHOLE ? this.raised(own, whole) : 'any';
  }

  private raised(own: UnitQuantity, exponent: number): UnitQuantity {
    return typeof own === 'string' ? own : (this.rules.system.power(own, exponent) ?? 'any');
  }

  /** A function of pure numbers, angles included. */
  private pure(name: string, argument: Expr): UnitQuantity {
    const one = this.one();
    if (isTime(argument)) return 'number';
    if (typeof this.of(argument) === 'string') return 'any';
    this.sometimes(() => this.fits(argument, one, (side) => ({ kind: 'function', name, argument: side })));
    return leaves(argument).some(({ kind }) => kind === 'time') ? 'number' : one;
  }

  private called({ fn, args, output }: Call): UnitQuantity {
    const { functions, declared } = this.rules;
    const definition = functions[fn]!;
    this.arguments(definition, args);
    const result = declared(definition, definition.inputs + output);
    // A number that is computed from numbers may be meant as a quantity, as numbers are that are written.
    const given = args.some((arg) => typeof this.of(arg) !== 'string');
    return given || !this.isOne(result) ? result : 'any';
  }

  /** Demands the declared units of the inputs of a function. */
  arguments(definition: FunctionDef, args: readonly Expr[]): void {
    for (const [input, arg] of args.entries()) {
      const wanted = this.rules.declared(definition, input);
      if (typeof wanted !== 'string')
        this.fits(arg, wanted, (argument) => ({ kind: 'call', definition, input, wanted, argument }));
    }
  }

  /** What has the same unit as both of two expressions. */
  private alike(relation: UnitRelation, a: Expr, b: Expr): UnitQuantity {
    this.same(relation, a, b);
    const first = this.of(a);
    const second = this.of(b);
    if (typeof first === 'string' && typeof second === 'string') return first === second ? first : 'any';
    if (!this.teaching && (this.isOpen(a) || this.isOpen(b))) return 'any';
    if (typeof first === 'string') return this.difference(second);
    if (typeof second === 'string') return this.difference(first);
    return first.terms.length > second.terms.length ? second : first;
  }

  /** Whether a variable in it may yet have any unit: one that no equation has determined, or an array without a unit. */
  private isOpen(expr: Expr): boolean {
    const own = this.of(expr);
    if (typeof own !== 'string') return !this.isDetermined(own);
    return own === 'any' && leaves(expr).some(({ kind }) => kind === 'ref' || kind === 'pre');
  }

  /** Elements of an array may have different units, and then nothing can be said of it as a whole. */
  private elements(args: readonly Expr[]): UnitQuantity {
    let common: UnitQuantity | undefined;
    for (const arg of args) {
      if (arg.kind === 'const' && arg.value === 0) continue;
      const own = this.of(arg);
      if (common === undefined) common = own;
      else if (!this.isSame(common, own)) return 'any';
    }
    return common ?? 'number';
  }

  private isSame(a: UnitQuantity, b: UnitQuantity): boolean {
    if (a === b) return true;
    if (typeof a === 'string' || typeof b === 'string') return false;
    if (a.unit !== b.unit || a.terms.length !== b.terms.length) return false;
    return a.terms.every(
      ({ unknown, power }, k) => b.terms[k]!.unknown === unknown && b.terms[k]!.power === power,
    );
  }

  private isOne(own: UnitQuantity): boolean {
    const { system } = this.rules;
    if (typeof own === 'string') return false;
    return system.unitOf(own) === system.measures.one;
  }

  private one(): Form {
    const { system } = this.rules;
    return system.constant(system.measures.one);
  }

  /** The same unit with nothing known about its zero. */
  private difference(own: UnitQuantity): UnitQuantity {
    const { system } = this.rules;
    return typeof own === 'string' || own.terms.length > 0
      ? own
      : system.constant(system.measures.relative(own.unit));
  }
}

/** Subscripts have no units, and branches are looked at apart. */
function argumentsOf(expr: Expr): readonly Expr[] {
  if (expr.kind === 'apply' && expr.op === 'if') return none;
  return expr.kind === 'apply' || expr.kind === 'call' ? expr.args : none;
}

const none: readonly Expr[] = [];

const isArray = (expr: Expr): expr is Apply => expr.kind === 'apply' && expr.op === 'array';

const isKelvin = (zero: Zero): boolean => zero === 'K' || zero === 'K0';

/** A temperature, not a difference of temperatures. */
const isPoint = (zero: Zero): boolean => zero !== '' && zero !== 'K';
