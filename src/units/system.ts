/**
 * Unknown units and what equations say about them. In logarithms a product of powers of units is a linear form, so that an
 * equation between units is a linear equation over the rationals; they are solved by Gaussian elimination, one equation after the
 * other, with the unknowns that are eliminated replaced by what they stand for. An equation that says `a = b`, by far the commonest
 * kind, makes this a union-find: definitions are shortened when they are followed, which keeps the cost near-linear. Equations that would make longer forms than
 * `MOST_TERMS` are left out: then less is known, and nothing wrong.
 */
import { rootIn } from '../collections/forest.ts';
import { Measures, WHOLE } from './measures.ts';

/** A unit times powers of unknown units. */
export interface Form {
  /** Id of the unit in `measures`. */
  readonly unit: number;
  /** In the order of the unknowns, each once, none with the power 0. */
  readonly terms: readonly UnitTerm[];
}

export interface UnitTerm {
  readonly unknown: number;
  /** In parts of `WHOLE`. */
  readonly power: number;
}

/** What became of an equation between units: it held, it determined an unknown, it contradicts the others, or it says too little. */
export type UnitOutcome = 'same' | 'learnt' | 'differ' | 'open';

const MOST_TERMS = 8;
const none: readonly UnitTerm[] = [];

export class UnitSystem {
  readonly measures = new Measures();
  private readonly known: Form[] = [];
  /** What an unknown stands for. */
  private readonly definitions: (Form | undefined)[] = [];
  /** What determined it. */
  private readonly reasons: (number | undefined)[] = [];
  /** Union-find of unknowns that equations have brought together. */
  private readonly groups: number[] = [];
  /** Groups, by their roots, in which a contradiction was found. */
  private readonly contradicted = new Set<number>();

  /** A new unknown. */
  unknown(): number {
    this.definitions.push(undefined);
    this.reasons.push(undefined);
    return this.groups.push(this.groups.length) - 1;
  }

  /** The form that is one unit. */
  constant(unit: number): Form {
    return (this.known[unit] ??= { unit, terms: none });
  }

  /** The form that is one unknown. */
  single(unknown: number): Form {
    return { unit: this.measures.one, terms: [{ unknown, power: WHOLE }] };
  }

  /** `a * b`; undefined where the form becomes too long. */
  product(a: Form, b: Form): Form | undefined {
    const unit = this.measures.product(a.unit, b.unit);
    if (a.terms.length === 0 && b.terms.length === 0) return this.constant(unit);
    const terms = merged(a.terms, b.terms);
    return terms.length > MOST_TERMS ? undefined : { unit, terms };
  }

  /** `a^(exponent/WHOLE)`; undefined where that is no rational number of a small denominator. */
  power(a: Form, exponent: number): Form | undefined {
    const unit = this.measures.power(a.unit, exponent);
    if (unit === undefined) return undefined;
    if (a.terms.length === 0 || exponent === 0) return this.constant(unit);
    const terms = a.terms.map(({ unknown, power }) => ({ unknown, power: (power * exponent) / WHOLE }));
    return terms.every(({ power }) => Number.isSafeInteger(power)) ? { unit, terms } : undefined;
  }

  quotient(a: Form, b: Form): Form | undefined {
    const inverse = this.power(b, -WHOLE);
    return inverse && this.product(a, inverse);
  }

  /** A form in unknowns that nothing has determined; undefined where it becomes too long. */
  resolve(form: Form): Form | undefined {
    if (form.terms.length === 0) return form;
    for (const { unknown } of form.terms) this.settle(unknown);
    return this.substituted(form);
  }

  /** The unit of a form, where all of it is known. */
  unitOf(form: Form): number | undefined {
    const resolved = this.resolve(form);
    return resolved && resolved.terms.length === 0 ? resolved.unit : undefined;
  }

  /**
   * Takes `a = b` into account, up to the zero points of temperatures. A contradiction changes nothing; without a reason nothing is
   * learnt. What contradicts itself whatever the unknowns are (`u/s = u`) says too little: a unit is missing, but not a certain one.
   */
  equate(a: Form, b: Form, reason: number | undefined): UnitOutcome {
    const { measures } = this;
    if (a.terms.length === 0 && b.terms.length === 0) return this.compared(a.unit, b.unit);
    const left = this.resolve(a);
    const right = this.resolve(b);
    if (!left || !right) return 'open';
    if (left.terms.length === 0 && right.terms.length === 0) return this.compared(left.unit, right.unit);
    if (reason === undefined) return 'open';
    const rest = this.quotient(left, right);
    if (!rest || rest.terms.length === 0) return 'open';
    // What is equal to a unit as a whole also has its zero.
    const whole = isSingle(left, measures.one) ? right : isSingle(right, measures.one) ? left : undefined;
    const outcome = this.define(rest, whole?.terms.length === 0 ? whole.unit : undefined, reason);
    if (outcome === 'learnt') this.join([...a.terms, ...b.terms]);
    return outcome;
  }

  /** What determined an unknown. */
  reasonOf(unknown: number): number | undefined {
    return this.reasons[unknown];
  }

  /** Notes that unknowns take part in a contradiction; false where that is known of their like. */
  contradict(terms: readonly UnitTerm[]): boolean {
    const groups = terms.map(({ unknown }) => rootIn(this.groups, unknown));
    if (groups.some((group) => this.contradicted.has(group))) return false;
    for (const group of groups) this.contradicted.add(group);
    return true;
  }

  private compared(a: number, b: number): UnitOutcome {
    const { measures } = this;
    if (a === b) return 'same';
    return measures.sameDimension(a, b) && measures.sameScale(a, b) ? 'same' : 'differ';
  }

  /** `rest = 1` solved for one of its unknowns. */
  private define(rest: Form, whole: number | undefined, reason: number): UnitOutcome {
    const { terms } = rest;
    // Powers of one keep exponents whole; later unknowns are rather intermediate ones.
    let pivot = terms[terms.length - 1]!;
    for (const term of terms)
      if (Math.abs(term.power) < Math.abs(pivot.power) || Math.abs(term.power) === WHOLE) pivot = term;
    const others = { unit: rest.unit, terms: terms.filter((term) => term !== pivot) };
    const exponent = -(WHOLE * WHOLE) / pivot.power;
    const form = Number.isSafeInteger(exponent) ? this.power(others, exponent) : undefined;
    if (!form) return 'open';
    this.definitions[pivot.unknown] = whole === undefined ? form : this.constant(whole);
    this.reasons[pivot.unknown] = reason;
    return 'learnt';
  }

  /** Shortens the definition of an unknown, so that it speaks of unknowns that have none. */
  private settle(unknown: number): void {
    if (this.isSettled(unknown)) return;
    const stack = [unknown];
    for (let top = stack[stack.length - 1]; top !== undefined; top = stack[stack.length - 1]) {
      const definition = this.definitions[top];
      const next = definition?.terms.find((term) => !this.isSettled(term.unknown));
      if (next) {
        stack.push(next.unknown);
        continue;
      }
      if (definition && definition.terms.length > 0) {
        // One that becomes too long is forgotten.
        this.definitions[top] = this.substituted(definition);
      }
      stack.pop();
    }
  }

  /** Whether the definition of an unknown speaks of undetermined unknowns alone. */
  private isSettled(unknown: number): boolean {
    const definition = this.definitions[unknown];
    if (!definition) return true;
    for (const term of definition.terms) if (this.definitions[term.unknown]) return false;
    return true;
  }

  /** A form with unknowns replaced by their definitions, once. */
  private substituted(form: Form): Form | undefined {
    if (!form.terms.some(({ unknown }) => this.definitions[unknown])) return form;
    // An unknown that stands for a unit as a whole has its zero.
    const [only] = form.terms;
    if (form.terms.length === 1 && only!.power === WHOLE && form.unit === this.measures.one) {
      return this.definitions[only!.unknown];
    }
    let result: Form | undefined = this.constant(this.measures.relative(form.unit));
    for (const term of form.terms) {
      const definition = this.definitions[term.unknown];
      const factor: Form | undefined = definition
        ? this.power(definition, term.power)
        : { unit: this.measures.one, terms: [term] };
      result = result && factor && this.product(result, factor);
    }
    return result;
  }

  private join(terms: readonly UnitTerm[]): void {
    const first = terms[0] && rootIn(this.groups, terms[0].unknown);
    for (const { unknown } of terms) {
      const other = rootIn(this.groups, unknown);
      if (first === undefined || other === first) continue;
      this.groups[other] = first;
      if (this.contradicted.has(other)) this.contradicted.add(first);
    }
  }
}

/** Whether a form is one unknown and nothing else. */
const isSingle = ({ unit, terms }: Form, one: number): boolean =>
  unit === one && terms.length === 1 && terms[0]!.power === WHOLE;

/** Sums of powers, by unknown. */
function merged(a: readonly UnitTerm[], b: readonly UnitTerm[]): readonly UnitTerm[] {
  if (a.length === 0) return b;
  if (b.length === 0) return a;
  const result: UnitTerm[] = [];
  let j = 0;
  for (const term of a) {
    while (j < b.length && b[j]!.unknown < term.unknown) result.push(b[j++]!);
    if (j < b.length && b[j]!.unknown === term.unknown) {
      const power = term.power + b[j++]!.power;
      if (power !== 0) result.push({ unknown: term.unknown, power });
    } else result.push(term);
  }
  while (j < b.length) result.push(b[j++]!);
  return result;
}
