/**
 * Units in equations: walks through a flat model and demands that both sides of equations have the same unit, and so have
 * variables and their values, start values and limits (Modelica 3.6, section 19). Variables without a unit get theirs from the equations
 * (`dimensions.ts`, `../units/system.ts`). All of it are warnings: a model with wrong units can be simulated.
 *
 * A family of equations is walked once, whatever its size, and what is wrong in a class is told for its first instance.
 */

import { remember } from '../../collections/memo.ts';
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import type { Span } from '../../diagnostic/source.ts';
import type { Bound } from '../../model/instance.ts';
import type { Expr } from '../../symbolic/expr.ts';
import type { FunctionDef } from '../../symbolic/function.ts';
import type { Measure } from '../../units/measures.ts';
import { type Form, UnitSystem } from '../../units/system.ts';
import { readUnit, type Unit, unitOf } from '../../units/unit.ts';
import type { FlatBuilder } from '../core/context.ts';
import { recordWithBinding } from '../expressions/bindings.ts';
import type { FlatAction, FlatEquation, FlatModel, FlatStatement, FlatVariable, Origin } from '../flat.ts';
import { Dimensions, type Rules, type UnitMismatch, type UnitQuantity } from './dimensions.ts';
import { mismatchWarning, symbolsIn } from './mismatch.ts';

/** Units by declaration, in place of those that are declared; undefined where they are taken for unknown. */
export type AssumedUnits = ReadonlyMap<string, Measure | undefined>;

/** What does not fit in a model, with other units for some declarations. */
export function examineUnits(builder: FlatBuilder, model: FlatModel, assumed: AssumedUnits): Findings {
  return new Consistency(builder, model, assumed).check();
}

/** What does not fit, and what is known after all equations have been seen. */
export interface Findings {
  readonly list: readonly UnitFinding[];
  /** The unit of a variable, where it is known. */
  readonly unitOf: (symbol: number) => Measure | undefined;
}

export interface UnitFinding {
  readonly diagnostic: Diagnostic;
  /** The variables that take part. */
  readonly symbols: readonly number[];
}

/** What names the declaration of a variable: one for all instances of its class. */
export function declarationOf({ name, origin: { span } }: FlatVariable): string {
  return span ? `${span.source.name} ${span.start}` : name;
}

/** The attributes of a variable that are in its unit. */
const attributes = ['start', 'min', 'max', 'nominal'] as const;

class Consistency {
  private readonly system = new UnitSystem();
  private readonly constants: MeasuredConstants;
  /** Units of expressions of the model or, while its body is looked at, of a function. */
  private dimensions: Dimensions;
  /** What unit texts say, of temperatures that are no differences, and of all else. */
  private readonly temperatures = new Map<string, UnitQuantity>();
  private readonly units = new Map<string, UnitQuantity>();
  /** By symbol. */
  private readonly quantities: (UnitQuantity | undefined)[] = [];
  /** Places of the equations, by number. */
  private readonly places: Origin[] = [];
  private readonly found: UnitFinding[] = [];
  /** The function whose body is looked at. */
  private inside: FunctionDef | undefined;
  /** Places and messages. */
  private readonly told = new Set<string>();

  constructor(
    private readonly builder: FlatBuilder,
    private readonly model: FlatModel,
    private readonly assumed: AssumedUnits,
  ) {
    this.constants = measuredConstants(builder);
    const leaf: Rules['leaf'] = (node) => (node.kind === 'local' ? 'any' : this.quantityOf(node.symbol));
    this.dimensions = new Dimensions(this.rules(leaf), model.pool.size);
  }

  private rules(leaf: Rules['leaf']): Rules {
    return {
      system: this.system,
      functions: this.model.functions,
      measured: this.constants.values,
      leaf,
      declared: (definition, local) => this.declaredIn(definition, local),
      reason: () => this.places.length - 1,
      report: (mismatch) => this.report(mismatch),
    };
  }

  check(): Findings {
    const { model } = this;
    for (const [symbol, variable] of model.variables.entries()) this.variable(symbol, variable);
    for (const { value, origin } of model.conditions) this.visit(origin, value);
    this.equations(model.equations);
    this.equations(model.initialEquations);
    for (const { equations } of model.components) {
      if (!equations) continue;
      this.equations(equations.always);
      this.equations(equations.initial);
    }
    for (const { transitions } of model.machines) {
      for (const { condition, actions, origin } of transitions) {
        this.visit(origin, condition);
        for (const { target, value, origin: place } of actions) this.same(place, target, value);
      }
    }
    for (const definition of model.functions)
      if (!definition.derived && !definition.partial) this.body(definition);
    return { list: this.found, unitOf: (symbol) => this.unitOf(symbol) };
  }

  /** The body of a function; its variables without a unit may be anything, and another thing in each statement. */
  private body(definition: FunctionDef): void {
    if (!definition.locals.some(({ unit }) => unit)) return;
    const { dimensions } = this;
    const leaf: Rules['leaf'] = (node) =>
      node.kind === 'local' ? this.declaredIn(definition, node.index) : 'any';
    this.dimensions = new Dimensions(this.rules(leaf), 0);
    this.inside = definition;
    const place: Origin = { span: definition.span, component: '' };
    for (const [index, { initial }] of definition.locals.entries())
      if (initial) this.same(place, this.model.pool.local(index), initial);
    this.statements(definition.body, place);
    this.inside = undefined;
    this.dimensions = dimensions;
  }

  private unitOf(symbol: number): Measure | undefined {
    const own = this.quantityOf(symbol);
    const unit = typeof own === 'string' ? undefined : this.system.unitOf(own);
    return unit === undefined ? undefined : this.system.measures.at(unit);
  }

  // ---------------------------------------------------------------- variables

  private variable(symbol: number, variable: FlatVariable): void {
    if (variable.type !== 'Real') return;
    if (variable.binding && variable.binding.kind !== 'const') {
      const instance = this.builder.instances[symbol];
      const bound = instance && (instance.binding ?? recordWithBinding(instance)?.binding);
      this.given(symbol, variable.binding, bound);
    }
    for (const name of attributes) {
      const value = variable[name];
      if (!value || value.kind === 'const') continue;
      this.given(symbol, value, this.builder.instances[symbol]?.attributes.get(name));
    }
  }

  /** A value of a variable, or of one of its attributes. */
  private given(symbol: number, value: Expr, bound: Bound | undefined): void {
    const { origin } = this.model.variables[symbol]!;
    this.same({ ...origin, span: bound?.span ?? origin.span }, this.model.pool.ref(symbol), value);
  }

  private quantityOf(symbol: number): UnitQuantity {
    return (this.quantities[symbol] ??= this.newQuantity(symbol));
  }

  private newQuantity(symbol: number): UnitQuantity {
    const variable = this.model.variables[symbol]!;
    const { type, unit, quantity, dims, variability } = variable;
    if (type === 'Integer') return 'number';
    if (type !== 'Real') return 'any';
    if (unit !== '') return this.assumedOf(variable) ?? this.declared(unit, quantity);
    // The elements of an array may have different units; a constant is a number with a name.
    if (dims.length > 0 || variability === 'constant') return 'any';
    return this.system.single(this.system.unknown());
  }

  private assumedOf(variable: FlatVariable): UnitQuantity | undefined {
    const { assumed, system } = this;
    if (assumed.size === 0) return undefined;
    const declaration = declarationOf(variable);
    const measure = assumed.get(declaration);
    if (measure) return system.constant(system.measures.idOf(measure));
    return assumed.has(declaration) ? system.single(system.unknown()) : undefined;
  }

  private declared(text: string, quantity: string): UnitQuantity {
    const absolute = quantity === 'ThermodynamicTemperature';
    const known = absolute ? this.temperatures : this.units;
    return remember(known, text, () => {
      const { unit } = readUnit(text);
      return unit ? this.system.constant(this.measureOf(unit, text, absolute)) : 'any';
    });
  }

  private measureOf(unit: Unit, text: string, absolute: boolean): number {
    const { measures } = this.system;
    if (unit.offset !== 0) return measures.of(unit, text);
    const plain = measures.of(unit, '');
    if (plain !== measures.of(unitOf('K')!, '')) return plain;
    return measures.withZero(plain, absolute ? 'K0' : 'K');
  }

  private declaredIn(definition: FunctionDef, local: number): UnitQuantity {
    const { type, unit } = definition.locals[local]!;
    if (type === 'Integer') return 'number';
    return type === 'Real' && unit ? this.declared(unit, '') : 'any';
  }

  // ---------------------------------------------------------------- equations

  private same(place: Origin, left: Expr, right: Expr): void {
    if (this.enter(place)) this.dimensions.same('equal', left, right);
  }

  private visit(place: Origin, expr: Expr): void {
    if (this.enter(place)) this.dimensions.of(expr);
  }

  /** Notes where an equation stands; false where it is not looked at. */
  private enter(place: Origin): boolean {
    return !this.isUncertain(place) && this.places.push(place) > 0;
  }

  /** Whether constants that are 1 have left no trace of their units in an equation. */
  private isUncertain({ span }: Origin): boolean {
    const { vanishing } = this.constants;
    return (
      vanishing !== undefined &&
      span !== undefined &&
      vanishing.test(span.source.text.slice(span.start, span.end))
    );
  }

  private equations(equations: readonly FlatEquation[]): void {
    for (const equation of equations) this.equation(equation);
  }

  private equation(equation: FlatEquation): void {
    switch (equation.kind) {
      case 'equal':
        // Arrays without elements say nothing.
        if (!equation.dims?.includes(0)) this.same(equation.origin, equation.left, equation.right);
        break;
      case 'call':
        this.call(equation.origin, equation.outputs, equation.fn, equation.args);
        break;
      case 'for':
      case 'clocked':
        this.equations(equation.body);
        break;
      case 'if':
        this.dimensions.sometimes(() => {
          for (const { body } of equation.branches) this.equations(body);
        });
        break;
      case 'when':
        for (const { condition, body } of equation.branches) {
          this.visit(equation.origin, condition);
          for (const action of body) this.action(action);
        }
        break;
      case 'assert':
        this.visit(equation.origin, equation.condition);
        break;
      case 'algorithm':
        this.statements(equation.body, equation.origin);
        break;
    }
  }

  private action(action: FlatAction): void {
    switch (action.kind) {
      case 'assign':
      case 'reinit':
        this.same(action.origin, action.target, action.value);
        break;
      case 'assert':
        this.visit(action.origin, action.condition);
        break;
      case 'terminate':
        break;
    }
    if ('when' in action && action.when) this.visit(action.origin, action.when);
  }

  private call(
    place: Origin,
    outputs: readonly (Expr | undefined)[],
    fn: number,
    args: readonly Expr[],
  ): void {
    if (!this.enter(place)) return;
    const { pool, functions } = this.model;
    this.dimensions.arguments(functions[fn]!, args);
    for (const [k, output] of outputs.entries())
      if (output) this.dimensions.same('equal', output, pool.call(fn, args, k));
  }

  private statements(body: readonly FlatStatement[], around: Origin): void {
    const at = (span: Span | undefined): Origin => ({ ...around, span: span ?? around.span });
    for (const statement of body) {
      switch (statement.kind) {
        case 'assign':
          this.same(at(statement.span), statement.target, statement.value);
          break;
        case 'multiassign':
          this.call(at(statement.span), statement.targets, statement.fn, statement.args);
          break;
        case 'if':
        case 'when':
          for (const { condition, body: inner } of statement.branches) {
            if (condition) this.visit(around, condition);
            this.dimensions.sometimes(() => this.statements(inner, around));
          }
          break;
        case 'for':
          this.statements(statement.body, around);
          break;
        case 'while':
          this.visit(around, statement.condition);
          this.statements(statement.body, around);
          break;
        case 'assert':
        case 'warn':
          this.visit(at(statement.span), statement.condition);
          break;
        case 'terminate':
        case 'break':
        case 'return':
          break;
      }
    }
  }

  // ---------------------------------------------------------------- what is wrong

  private report(mismatch: UnitMismatch): void {
    const forms = formsOf(mismatch);
    const terms = forms.flatMap((form) => form.terms);
    if (!this.system.contradict(terms)) return;
    const place = this.places[this.places.length - 1]!;
    const { span } = place;
    // The variables of a function have one unit in all of its statements.
    const key = this.inside?.name ?? (span ? `${span.source.name} ${span.start} ${span.end}` : '');
    if (this.told.has(key)) return;
    const found = mismatchWarning(mismatch, {
      model: this.model,
      system: this.system,
      place,
      quantityOf: (symbol) => this.quantityOf(symbol),
      learntFrom: (symbol) => this.learntFrom(symbol),
      inside: this.inside,
    });
    if (this.told.has(found.message)) return;
    this.told.add(found.message);
    if (key !== '') this.told.add(key);
    this.found.push({ diagnostic: found, symbols: this.inside ? [] : symbolsIn(mismatch) });
  }

  /** The equation that a variable has its unit from. */
  private learntFrom(symbol: number): Origin | undefined {
    const own = this.quantityOf(symbol);
    const unknown = typeof own === 'string' ? undefined : own.terms[0]?.unknown;
    const reason = unknown === undefined ? undefined : this.system.reasonOf(unknown);
    return reason === undefined ? undefined : this.places[reason];
  }
}

function formsOf(mismatch: UnitMismatch): readonly Form[] {
  switch (mismatch.kind) {
    case 'sides':
      return [mismatch.left.form, mismatch.right.form];
    case 'function':
    case 'call':
      return [mismatch.argument.form];
  }
}

/** Constants of packages that have a unit: their values stand in expressions as numbers. */
interface MeasuredConstants {
  readonly values: ReadonlySet<number>;
  /** Finds the names of those that are 1: as factors they leave nothing behind. */
  readonly vanishing: RegExp | undefined;
}

function measuredConstants(builder: FlatBuilder): MeasuredConstants {
  const values = new Set<number>();
  const ones = new Set<string>();
  for (const [instance, value] of builder.bindings) {
    if (instance.variability !== 'constant' || builder.symbols.has(instance)) continue;
    if (value === 'busy' || value === undefined || !instance.attributes.has('unit')) continue;
    const { expr } = value;
    const elements = expr.kind === 'apply' && expr.op === 'array' ? expr.args : [expr];
    for (const element of elements) {
      if (element.kind !== 'const') continue;
      values.add(element.value);
      values.add(-element.value);
      if (Math.abs(element.value) === 1) ones.add(instance.name);
    }
  }
  const names = [...ones].map((name) => name.replace(/[^\w]/g, '\\$&'));
  return { values, vanishing: names.length > 0 ? new RegExp(`\\b(?:${names.join('|')})\\b`) : undefined };
}
