/**
 * Unit texts (Modelica 3.6, section 19.1): factors such as `kg` and `s-2` joined by `.`, at most one `/`, parentheses for several
 * factors below it. A unit is its factor to the coherent SI unit, its offset (degrees Celsius), the exponents of the seven base units,
 * and the text of the coherent unit: `quantity(5, 'kOhm')` given to a variable in `Ohm` is 5000.
 */
import { didYouMean, nearest } from '../diagnostic/nearest.ts';
import { baseUnits, symbolNames, symbolOf, type UnitSymbol } from './symbols.ts';

export interface Unit {
  readonly factor: number;
  readonly offset: number;
  /** Of m, kg, s, A, K, mol, cd. Angles have none. */
  readonly dimension: readonly number[];
  /** The unit of the same kind with factor 1 and no offset. */
  readonly coherent: string;
}

/** What is wrong with a unit text, and which of its characters. */
export interface UnitProblem {
  readonly message: string;
  readonly hint: string | undefined;
  /** What can be written in place of these, where that is clear. */
  readonly instead?: string | undefined;
  readonly start: number;
  readonly end: number;
}

export interface UnitReading {
  /** Undefined where the text names none. */
  readonly unit: Unit | undefined;
  /** Also where it is clear what was meant, as in `m^2`. */
  readonly problem: UnitProblem | undefined;
}

/** The unit that a text names; undefined if it names none. */
export const unitOf = (text: string): Unit | undefined => readUnit(text).unit;

/** The unit that a text names, and what is wrong with the text. */
export function readUnit(text: string): UnitReading {
  const known = readings.get(text);
  if (known) return known;
  const reading = levels.has(text) ? nothing : new Reader(text).read();
  if (readings.size < MOST_KEPT) readings.set(text, reading);
  return reading;
}

/** A value in the unit `to`; undefined if the units are of different kinds. */
export function converted(value: number, from: Unit, to: Unit): number | undefined {
  const factors = factorsOf(from, to);
  if (!factors || from === to) return factors && value;
  return (value * factors[0] + from.offset - to.offset) / factors[1];
}

/**
 * What a value in each of two units is multiplied by to compare them; undefined if they are of different kinds. A speed of rotation `1/min`, or a
 * frequency in `Hz`, counts turns where the other unit has angles, as engineers write it; `1/s` is `rad/s`, as in the SI.
 */
export function factorsOf(from: Unit, to: Unit): readonly [number, number] | undefined {
  if (!sameKind(from, to)) return undefined;
  const isAngular = ({ coherent }: Unit): boolean => coherent.split('.').includes('rad');
  const factor = (unit: Unit, other: Unit): number =>
    countsTurns(unit) && isAngular(other) ? 2 * Math.PI * unit.factor : unit.factor;
  return [factor(from, to), factor(to, from)];
}

const countsTurns = ({ coherent, factor }: Unit): boolean =>
  coherent === 'Hz' || (coherent === 's-1' && factor !== 1);

export const sameKind = (a: Unit, b: Unit): boolean =>
  a.dimension.every((exponent, k) => exponent === b.dimension[k]);

/** Levels: they are in proportion to nothing, so that they are not computed with. */
const levels: ReadonlySet<string> = new Set(['dB', 'B', 'Np', 'pH']);
const nothing: UnitReading = { unit: undefined, problem: undefined };

const readings = new Map<string, UnitReading>();
const MOST_KEPT = 10_000;

/** Parentheses inside each other. */
const DEEPEST = 16;

interface Factor {
  readonly symbol: UnitSymbol;
  readonly scale: number;
  readonly exponent: number;
}

/** Thrown where a text cannot be read further. */
class Unreadable {
  readonly problem: UnitProblem;

  constructor(message: string, start: number, end: number, hint?: string, instead?: string) {
    this.problem = { message, hint, instead, start, end };
  }
}

class Reader {
  private at = 0;
  /** What is not of the grammar although its meaning is clear. */
  private slip: UnitProblem | undefined;

  constructor(private readonly text: string) {}

  read(): UnitReading {
    try {
      const factors = this.expression(1, 0);
      if (this.at < this.text.length) throw this.unexpected();
      return { unit: product(factors), problem: this.slip };
    } catch (thrown) {
      if (!(thrown instanceof Unreadable)) throw thrown;
      return { unit: undefined, problem: thrown.problem };
    }
  }

  private expression(sign: number, depth: number): Factor[] {
    const above = this.numerator(sign, depth);
    if (this.text[this.at] !== '/') return above;
    this.at++;
    return [...above, ...this.denominator(-sign, depth)];
  }

  private numerator(sign: number, depth: number): Factor[] {
    if (this.text[this.at] === '(') return this.parenthesised(sign, depth);
    if (this.text[this.at] === '1' && !/[0-9]/.test(this.text[this.at + 1] ?? '')) {
      this.at++;
      return [];
    }
    return this.factors(sign);
  }

  private denominator(sign: number, depth: number): Factor[] {
    if (this.text[this.at] === '(') return this.parenthesised(sign, depth);
    const start = this.at;
    const factors = this.factors(sign);
    if (factors.length > 1) {
      const below = this.text.slice(start, this.at);
      this.slip ??= {
        message: 'it is not clear what stands below `/`',
        hint: `Write \`/(${below})\`.`,
        instead: `(${below})`,
        start,
        end: this.at,
      };
    }
    return factors;
  }

  private parenthesised(sign: number, depth: number): Factor[] {
    const start = this.at++;
    if (depth >= DEEPEST) throw new Unreadable('it has too many parentheses', start, this.at);
    const inner = this.expression(sign, depth + 1);
    if (this.text[this.at] !== ')') {
      if (this.at < this.text.length) throw this.unexpected();
      throw new Unreadable('a parenthesis is not closed', start, start + 1);
    }
    this.at++;
    return inner;
  }

  private factors(sign: number): Factor[] {
    const factors = [this.factor(sign)];
    while (this.text[this.at] === '.') {
      this.at++;
      factors.push(this.factor(sign));
    }
    return factors;
  }

  private factor(sign: number): Factor {
    const start = this.at;
    const name = /^(?:[A-Za-zµ]+|Ω|[munpkMG]Ω|%)/.exec(this.text.slice(start))?.[0];
    if (name === undefined) throw this.unexpected();
    this.at += name.length;
    const found = symbolOf(name.replace('Ω', 'Ohm'));
    if (!found) {
      const near = misnomers[name] ?? meant(name);
      throw new Unreadable(
        `there is no unit \`${name.slice(0, 40)}\``,
        start,
        this.at,
        didYouMean(near),
        near,
      );
    }
    return { ...found, exponent: sign * this.exponent(name) };
  }

  private exponent(name: string): number {
    const start = this.at;
    const [all = '', caret, digits] = /^(\^?)([+-]?\d+)/.exec(this.text.slice(start)) ?? [];
    this.at += all.length;
    if (caret) {
      const hint = `Write \`${name}${digits}\`.`;
      const message = 'an exponent follows its unit without `^`';
      this.slip ??= { message, hint, instead: digits, start, end: this.at };
    }
    const exponent = digits === undefined ? 1 : Number(digits);
    if (Math.abs(exponent) > LARGEST) throw new Unreadable('an exponent is too large', start, this.at);
    return exponent;
  }

  private unexpected(): Unreadable {
    const { text, at } = this;
    if (text === '') return new Unreadable('it is empty', 0, 0);
    if (at >= text.length) return new Unreadable('something is missing at its end', at - 1, at);
    const found = text[at]!;
    if (found === '*' || found === ' ' || found === '·')
      return new Unreadable(
        `\`${found}\` does not join units`,
        at,
        at + 1,
        'Write `.` between factors.',
        '.',
      );
    if (found === '/' && at > 0)
      return new Unreadable('there is more than one `/`', at, at + 1, 'Write `a/(b.c)`.');
    return new Unreadable(`\`${found}\` cannot stand here`, at, at + 1);
  }
}

const LARGEST = 100;

/** The unit that a name may stand for: one of another case (`Bar`, `Kg`), a product without its dot (`Nm`, `kWh`), one that is spelt alike. */
function meant(name: string): string | undefined {
  const near = nearest(name, symbolNames);
  if (near?.toLowerCase() === name.toLowerCase()) return near;
  const kilo = name.replace(/^K(?=.)/, 'k');
  if (symbolOf(kilo)) return kilo;
  const cuts = /[A-Z]/.test(name) ? Array.from(kilo.slice(1), (_, k) => k + 1) : [];
  const cut = cuts.find((k) => symbolOf(kilo.slice(0, k)) && symbolOf(kilo.slice(k)));
  return cut === undefined ? near : `${kilo.slice(0, cut)}.${kilo.slice(cut)}`;
}

/** Names that are taken for units, and the units. */
const misnomers: Readonly<Record<string, string>> = {
  sec: 's',
  second: 's',
  hour: 'h',
  hr: 'h',
  meter: 'm',
  metre: 'm',
  gram: 'g',
  kelvin: 'K',
  Kelvin: 'K',
  celsius: 'degC',
  Celsius: 'degC',
  volt: 'V',
  Volt: 'V',
  amp: 'A',
  ohm: 'Ohm',
  degree: 'deg',
  liter: 'l',
  litre: 'l',
  kmh: 'km/h',
  kph: 'km/h',
};

function product(factors: readonly Factor[]): Unit {
  const [first] = factors;
  // An offset makes sense for a temperature that stands alone.
  const offset = factors.length === 1 && first!.exponent === 1 ? first!.symbol.offset : 0;
  let factor = 1;
  const dimension = baseUnits.map(() => 0);
  const names: string[] = [];
  for (const { symbol, scale, exponent } of factors) {
    factor *= (scale * symbol.factor) ** exponent;
    for (const [k, base] of symbol.dimension.entries()) dimension[k]! += exponent * base;
    for (const [name, power] of symbol.coherent) {
      const total = exponent * power;
      if (total !== 0) names.push(total === 1 ? name : `${name}${total}`);
    }
  }
  return { factor, offset, dimension, coherent: names.join('.') || '1' };
}
