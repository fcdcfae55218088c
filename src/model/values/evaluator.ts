/**
 * The evaluator of expressions at the level of syntax. It stops with a problem where there is no value; what parameters,
 * constants and records are worth is in `evaluate.ts`, calls of user functions are in `interpret.ts`.
 */
import type { DiagnosticCode } from '../../diagnostic/codes.ts';
import { type Diagnostic, type DiagnosticOptions, error, warning } from '../../diagnostic/diagnostic.ts';
import { respelt } from '../../diagnostic/fix.ts';
import { didYouMean } from '../../diagnostic/nearest.ts';
import type { Source, Span } from '../../diagnostic/source.ts';
import { capitalised } from '../../diagnostic/words.ts';
import { rangeCount } from '../../symbolic/ranges.ts';
import {
  type FormatTrouble,
  formatTrouble,
  formatted,
  formattedAs,
  usualDigits,
} from '../../symbolic/text.ts';
import type * as ast from '../../syntax/ast.ts';
import { type SubscriptUse, subscriptUses } from '../../syntax/subscripts.ts';
import { type ClassEntity, entityOf } from '../classes/class.ts';
import {
  type CountedType,
  countedType,
  type Dimension,
  declaredIndexType,
  dimensionAt,
  impliedDimension,
} from '../classes/counted.ts';
import { resolve } from '../classes/lookup.ts';
import { shapeOf } from '../classes/shape.ts';
import type { Enumeration, Instance, ObjectInstance, Resolution, Scope } from '../instance.ts';
import {
  arrayOf,
  boolean,
  dimsOf,
  integer,
  isNumber,
  at as partAt,
  product,
  real,
  slopeOf,
  stack,
  string,
  typeName,
  type Value,
} from '../value.ts';
import { objectValue, ofTemplate, variableValue } from './evaluate.ts';
import { type Budget, Frame, Stop, stop } from './frame.ts';
import { callFunction, constructRecord } from './interpret.ts';
import {
  access,
  binary,
  callBuiltin,
  concatenate,
  type Index,
  LARGEST_VALUE,
  type Outcome,
  promoted,
  unary,
} from './operators.ts';
import { isOverloaded, overloadedCall, overloadedOperator } from './overloads.ts';
import { inferSizes } from './sizes.ts';

export class Evaluator {
  /** What `end` means in the subscripts being evaluated. */
  private end: number | undefined;

  constructor(
    readonly budget: Budget,
    readonly scope: Scope,
    readonly source: Source = scope.lexical.definition.source,
    readonly frame?: Frame,
  ) {}

  /** Evaluates what stands in a function whose variables have these values. */
  called(lexical: ClassEntity, values: ReadonlyMap<string, Value>): Evaluator {
    return new Evaluator(
      this.budget,
      { instance: undefined, lexical },
      undefined,
      new Frame(undefined, values),
    );
  }

  value(expression: ast.Expression): Value {
    const span = this.span(expression);
    this.budget.step(span);
    this.budget.enter(span);
    const value = this.dispatch(expression);
    this.budget.leave();
    return value;
  }

  private dispatch(e: ast.Expression): Value {
    switch (e.kind) {
      case 'number':
        return e.integer ? integer(e.value) : real(e.value);
      case 'string':
        return string(e.value);
      case 'boolean':
        return boolean(e.value);
      case 'end':
        return this.end === undefined
          ? this.fail('bad-subscript', '`end` stands outside a subscript.', e)
          : integer(this.end);
      case 'ref':
        return this.reference(e);
      case 'call':
        return this.call(e);
      case 'unary':
        return this.unary(e);
      case 'binary':
        return this.binary(e);
      case 'if':
        for (const { condition, value } of e.branches)
          if (this.condition(condition)) return this.value(value);
        return this.value(e.otherwise);
      case 'range':
        return this.range(e);
      case 'array':
        return this.stacked(
          e.elements.map((element) => this.value(element)),
          e,
        );
      case 'matrix':
        return this.matrix(e);
      case 'comprehension':
        return this.comprehension(e.value, e.iterators, e);
      case 'index':
        return this.subscripted(this.value(e.array), e.subscripts, e);
      case 'tuple': {
        const only = e.members[0];
        if (e.members.length === 1 && only) return this.value(only);
        return this.fail('type-mismatch', 'A list in parentheses is not a value.', e);
      }
      default:
        return e satisfies never;
    }
  }

  condition(expression: ast.Expression): boolean {
    const value = this.value(expression);
    if (value.kind === 'boolean') return value.value;
    return this.fail('type-mismatch', `A condition must be Boolean, not ${typeName(value)}.`, expression);
  }

  /** Long sums and conjunctions lean to the left: their spine is walked, not recursed into. */
  private binary(e: ast.Binary): Value {
    const spine: ast.Binary[] = [e];
    let first = e.left;
    for (; first.kind === 'binary'; first = first.left) spine.push(first);
    let left = this.value(first);
    for (let at = spine.pop(); at; at = spine.pop()) {
      // `and` and `or` may guard their right side.
      const decided = left.kind === 'boolean' && left.value === (at.operator === 'or');
      if (decided && (at.operator === 'and' || at.operator === 'or')) continue;
      const right = this.value(at.right);
      left = isOverloaded(left, right)
        ? overloadedOperator(this, at.operator.replace(/^\./, ''), [left, right], at)
        : this.checked(binary(at.operator, left, right), at);
    }
    return left;
  }

  private unary(e: ast.Unary): Value {
    const operand = this.value(e.operand);
    return isOverloaded(operand)
      ? overloadedOperator(this, e.operator, [operand], e)
      : this.checked(unary(e.operator, operand), e);
  }

  private range(e: ast.RangeExpression): Value {
    const first = this.value(e.first);
    const last = this.value(e.last);
    if (first.kind === 'enumeration' && last.kind === 'enumeration') {
      const { path, literals } = first;
      return arrayOf([Math.max(0, last.index - first.index + 1)], (k) => ({
        kind: 'enumeration',
        path,
        literals,
        index: first.index + k,
      }));
    }
    if (first.kind === 'boolean' && last.kind === 'boolean')
      return arrayOf([Math.max(0, Number(last.value) - Number(first.value) + 1)], (k) =>
        boolean(k === 1 || first.value),
      );
    const step = e.step ? this.value(e.step) : integer(1);
    if (!isNumber(first) || !isNumber(last) || !isNumber(step)) {
      return this.fail('type-mismatch', 'A range needs numbers.', e);
    }
    if (step.value === 0) return this.fail('bad-evaluation', 'The step of a range is zero.', e);
    const whole = first.kind === 'integer' && step.kind === 'integer';
    const count = rangeCount(first.value, step.value, last.value);
    if (!(count <= LARGEST_VALUE))
      return this.fail('limit-exceeded', `A range of ${count} values is too long.`, e);
    return arrayOf([count], (k) => {
      const value = first.value + k * step.value;
      return whole ? integer(value) : real(value, slopeOf(first) + k * slopeOf(step));
    });
  }

  private stacked(parts: readonly Value[], at: ast.Node): Value {
    return (
      stack(promoted(parts)) ?? this.fail('dimension-mismatch', 'The parts of an array differ in size.', at)
    );
  }

  private matrix(e: ast.MatrixExpression): Value {
    const rows = e.rows.map((row) => {
      const parts = row.map((element) => asMatrix(this.value(element)));
      return this.checked(concatenate(2, parts), e);
    });
    return this.checked(concatenate(1, rows), e);
  }

  /** `{e for i in r, j in s}`: the last iterator varies slowest (section 10.4.1). */
  private comprehension(body: ast.Expression, iterators: readonly ast.Iterator[], at: ast.Node): Value {
    const last = iterators.at(-1);
    if (!last) return this.value(body);
    const rest = iterators.slice(0, -1);
    const parts = this.iterate(last, [body, rest]).map((value) => {
      const inner = this.within(new Map([[last.name.text, value]]));
      return rest.length > 0 ? inner.comprehension(body, rest, at) : inner.value(body);
    });
    return this.stacked(parts, at);
  }

  /** The values that an iterator takes. */
  iterate(iterator: ast.Iterator, body: unknown): readonly Value[] {
    if (!iterator.range) return this.impliedValues(iterator, body);
    const isLocal = iterator.range.kind === 'ref' && this.isLocal(iterator.range);
    const type = isLocal ? undefined : countedType(this.scope, iterator.range);
    if (type) return valuesOf(type);
    const range = this.value(iterator.range);
    if (range.kind !== 'array') {
      return this.fail('type-mismatch', 'An iterator runs over a vector.', iterator.range);
    }
    // More general arrays are vectors of rows (section 11.2.2).
    if (range.dims.length > 1)
      return Array.from({ length: range.dims[0]! }, (_, k) => partAt(range, [k + 1])!);
    return range.elements;
  }

  /** The values of an iterator without a range: its uses as a subscript tell. */
  private impliedValues(iterator: ast.Iterator, body: unknown): readonly Value[] {
    const found = impliedDimension(iterator, subscriptUses(iterator.name.text, body), (use) =>
      this.isLocal(use.ref) ? this.localDimension(use) : dimensionAt(this.scope, use),
    );
    if ('problem' in found) {
      const { code, message, node, hint } = found.problem;
      return this.fail(code, message, node, { hint });
    }
    if ('unknown' in found) {
      const { name } = found.unknown.ref.parts[found.unknown.part]!;
      return this.fail('bad-subscript', `The size of \`${name}\` is not known.`, found.unknown.ref);
    }
    const { type, count } = found.dimension;
    if (typeof type === 'object' || type === 'Boolean') return valuesOf(type);
    return Array.from({ length: count }, (_, k) => integer(k + 1));
  }

  /** The dimension of a variable of a function; elements of an array of records are alike. */
  private localDimension({ ref, part, dimension }: SubscriptUse): Dimension | undefined {
    const [first, ...rest] = ref.parts.slice(0, part + 1);
    let value = this.frame?.holder(first!.name)?.values.get(first!.name);
    for (const { name } of rest) {
      const element = value?.kind === 'array' ? value.elements[0] : value;
      value = element?.kind === 'record' ? element.fields.get(name) : undefined;
    }
    const count = value && dimsOf(value)[dimension];
    if (count === undefined) return undefined;
    return { count, type: part === 0 ? declaredIndexType(this.scope, first!.name, dimension) : 'Integer' };
  }

  /** The same evaluator with more local names. */
  within(locals: ReadonlyMap<string, Value | undefined>): Evaluator {
    return new Evaluator(this.budget, this.scope, this.source, new Frame(this.frame, locals));
  }

  private isLocal(ref: ast.ComponentRef): boolean {
    return !ref.global && this.frame?.holder(ref.parts[0]!.name) !== undefined;
  }

  private reference(ref: ast.ComponentRef): Value {
    const first = ref.parts[0]!;
    const holder = ref.global ? undefined : this.frame?.holder(first.name);
    if (holder) {
      const value = holder.values.get(first.name);
      if (!value) return this.fail('no-value', `\`${first.name}\` has no value yet.`, ref);
      return this.fields(value, ref, 0);
    }
    const resolution = resolve(this.scope, ref);
    switch (resolution.kind) {
      case 'component':
        return this.component(resolution.parts[0]!.instance, ref, 0);
      case 'constant':
        return this.subscripted(this.instanceValue(resolution.instance, ref), resolution.subscripts, ref);
      case 'literal':
        return {
          kind: 'enumeration',
          path: resolution.enumeration,
          literals: resolution.literals,
          index: resolution.index,
        };
      case 'builtin':
        return this.fail('variability', `\`${resolution.name}\` has no value before the simulation.`, ref);
      case 'class':
        return this.fail('type-mismatch', `\`${resolution.class.path}\` is a class, not a value.`, ref);
      case 'absent':
        return this.fail('unknown-name', `The conditional component \`${resolution.path}\` is absent.`, ref);
      case 'unknown':
        if (resolution.reason === 'failed') throw new Stop(undefined);
        throw new Stop(unknownName(resolution, ref, this.span(ref)));
      default:
        return resolution satisfies never;
    }
  }

  /** Subscripts and fields of a value from part `i` of a reference on. */
  private fields(start: Value, ref: ast.ComponentRef, i: number): Value {
    let value = this.subscripted(start, ref.parts[i]!.subscripts, ref);
    for (let k = i + 1; k < ref.parts.length; k++) {
      const { name, subscripts } = ref.parts[k]!;
      value = this.subscripted(this.field(value, name, ref), subscripts, ref);
    }
    return value;
  }

  private field(value: Value, name: string, at: ast.Node): Value {
    if (value.kind === 'array') {
      const parts = value.elements.map((element) => this.field(element, name, at));
      const all = stack(parts);
      if (all) return { ...all, dims: [...value.dims, ...all.dims.slice(1)] };
    }
    const found = value.kind === 'record' ? value.fields.get(name) : undefined;
    return (
      found ?? this.fail('unknown-name', `A value of type ${typeName(value)} has no element \`${name}\`.`, at)
    );
  }

  /** The value of a component, through arrays of components where the reference passes one. */
  private component(instance: Instance, ref: ast.ComponentRef, i: number): Value {
    const part = ref.parts[i]!;
    if (instance.kind === 'object' && instance.names) {
      const common = ofTemplate(instance, (template) => this.component(template, ref, i));
      return common ?? this.memberValue(instance.parent as ObjectInstance, ref, i);
    }
    if (i === ref.parts.length - 1 || instance.kind === 'variable') {
      return this.fields(this.instanceValue(instance, ref), ref, i);
    }
    if (instance.dims.length === 0) return this.memberValue(instance, ref, i + 1);
    const indices = part.subscripts.map((subscript, d) => this.index(subscript, instance.dims[d] ?? 0));
    const positions = arrayOf(instance.dims, (k) => integer(k));
    const selected = this.checked(access(positions, indices), ref);
    const common = ofTemplate(instance, (template) => this.memberValue(template, ref, i + 1));
    const element = (position: Value): Value =>
      common ?? this.memberValue(instance.elements[(position as { value: number }).value]!, ref, i + 1);
    if (selected.kind !== 'array') return element(selected);
    const all = this.stacked(selected.elements.map(element), ref);
    return all.kind === 'array' ? { ...all, dims: [...selected.dims, ...all.dims.slice(1)] } : all;
  }

  private memberValue(object: ObjectInstance, ref: ast.ComponentRef, i: number): Value {
    const { name } = ref.parts[i]!;
    const member = object.find(name);
    if (!member || member === 'absent') {
      return this.fail('unknown-name', `\`${object.path}\` has no component \`${name}\` here.`, ref);
    }
    return this.component(member, ref, i);
  }

  private instanceValue(instance: Instance, at: ast.Node): Value {
    return instance.kind === 'variable'
      ? variableValue(this.budget, instance, this.span(at))
      : objectValue(this.budget, instance, this.span(at));
  }

  subscripted(value: Value, subscripts: readonly ast.Subscript[], at: ast.Node): Value {
    if (subscripts.length === 0) return value;
    const dims = dimsOf(value);
    const indices = subscripts.map((subscript, d) => this.index(subscript, dims[d] ?? 0));
    const outcome = access(value, indices);
    return typeof outcome === 'string' ? this.fail('bad-subscript', sentence(outcome), at) : outcome;
  }

  index(subscript: ast.Subscript, size: number): Index {
    if (subscript.kind === 'colon') return 'all';
    const outer = this.end;
    this.end = size;
    const value = this.value(subscript);
    this.end = outer;
    return value.kind === 'array'
      ? value.elements.map((e) => this.position(e, subscript))
      : this.position(value, subscript);
  }

  private position(value: Value, at: ast.Node): number {
    if (value.kind === 'integer') return value.value;
    if (value.kind === 'enumeration') return value.index;
    if (value.kind === 'boolean') return value.value ? 2 : 1;
    return this.fail('type-mismatch', `A subscript must be an Integer, not ${typeName(value)}.`, at);
  }

  private call(call: ast.Call): Value {
    const resolution = resolve(this.scope, call.callee);
    if (resolution.kind === 'unknown')
      throw new Stop(unknownName(resolution, call.callee, this.span(call.callee)));
    if (resolution.kind === 'builtin') return this.builtin(resolution.name, call);
    if (resolution.kind !== 'class') return this.fail('bad-call', 'This is not a function.', call.callee);
    const entity = entityOf(resolution.class);
    const shape = shapeOf(entity);
    if (shape.enumeration) return this.conversion(shape.enumeration, call);
    if (shape.restriction === 'record' || shape.restriction === 'operator record') {
      return constructRecord(this, entity, call);
    }
    if (!shape.restriction.endsWith('function')) {
      return this.fail(
        'bad-call',
        `\`${entity.path}\` is a ${shape.restriction}, not a function.`,
        call.callee,
      );
    }
    return (
      callFunction(this, entity, resolution.instance, call)[0] ??
      this.fail('bad-call', `\`${entity.path}\` has no output.`, call)
    );
  }

  private conversion(type: Enumeration, call: ast.Call): Value {
    const [argument] = this.positional(call);
    if (argument?.kind !== 'integer' || argument.value < 1 || argument.value > type.literals.length) {
      return this.fail(
        'bad-call',
        `\`${type.path}\` needs an Integer from 1 to ${type.literals.length}.`,
        call,
      );
    }
    return { kind: 'enumeration', ...type, index: argument.value };
  }

  private builtin(name: string, call: ast.Call): Value {
    if (name === 'size') {
      const sizes = this.sizes(call);
      if (sizes) return sizes;
    }
    if (call.iterators) {
      const [body] = call.positional;
      if (!body || body.kind === 'partial') return this.fail('bad-call', 'An expression is missing.', call);
      const all = this.comprehension(body, call.iterators, call);
      return name === 'array' ? all : this.reduced(name, all, call.iterators.length, call);
    }
    const values = this.positional(call);
    const [first] = values;
    if (name === 'String' && first?.kind === 'record' && first.operators)
      return overloadedCall(this, entityOf(first.operators), 'String', call);
    if (name === 'String' && first && call.named.length > 0) return this.text(first, call);
    return this.checked(callBuiltin(name, values), call);
  }

  /** A reduction of what so many iterators give: the sum of arrays has the sums of their elements (section 10.3.4.1). */
  private reduced(name: string, all: Value, iterators: number, call: ast.Call): Value {
    const dims = dimsOf(all).slice(iterators);
    if (all.kind !== 'array' || dims.length === 0) return this.checked(callBuiltin(name, [all]), call);
    if (name !== 'sum') return this.fail('type-mismatch', `\`${name}\` needs scalars.`, call.positional[0]!);
    const size = product(dims);
    return arrayOf(dims, (k) => {
      const elements = all.elements.filter((_, i) => i % size === k);
      return this.checked(callBuiltin(name, [{ kind: 'array', dims: [elements.length], elements }]), call);
    });
  }

  /** `String(x, significantDigits = 3)` and the like. */
  private text(value: Value, call: ast.Call): Value {
    const options = new Map(
      call.named.flatMap(({ name, value: given }) =>
        given.kind === 'partial' ? [] : [[name.text, this.value(given)] as const],
      ),
    );
    const format = options.get('format');
    const number = (name: string): number | undefined => {
      const given = options.get(name);
      return given?.kind === 'integer' ? given.value : undefined;
    };
    const left = options.get('leftJustified');
    const plain = this.checked(callBuiltin('String', [value]), call);
    const isNumber = value.kind === 'real' || value.kind === 'integer';
    if (isNumber && format?.kind === 'string') {
      const trouble = formatTrouble(format.value, value.kind === 'real');
      if (trouble) this.tellFormat(trouble, call);
      return string(formattedAs(value.value, format.value));
    }
    if (plain.kind !== 'string') return plain;
    const digits = value.kind === 'real' ? (number('significantDigits') ?? usualDigits) : 0;
    return string(
      formatted(
        value.kind === 'real' ? value.value : plain.value,
        number('minimumLength'),
        left?.kind === 'boolean' ? left.value : true,
        digits,
      ),
    );
  }

  private tellFormat({ code, message, hint, isClear }: FormatTrouble, call: ast.Call): void {
    if (!isClear) this.fail(code, message, call, { hint });
    const { library } = entityOf(this.scope.lexical);
    library.addProblems([warning(code, message, { span: this.span(call), hint })]);
  }

  /** `size(x, 1)` needs the sizes of `x` alone, which are known before its value. */
  private sizes(call: ast.Call): Value | undefined {
    const [array, dimension] = call.positional;
    if (!array || array.kind === 'partial' || (array.kind === 'ref' && this.isLocal(array))) return undefined;
    const dims = inferSizes(this, array);
    if (!dims) return undefined;
    if (!dimension || dimension.kind === 'partial') return arrayOf([dims.length], (k) => integer(dims[k]!));
    const k = this.value(dimension);
    const n = k.kind === 'integer' ? dims[k.value - 1] : undefined;
    return n === undefined
      ? this.fail('bad-subscript', `There are ${dims.length} dimensions.`, dimension)
      : integer(n);
  }

  positional(call: ast.Call): Value[] {
    return call.positional.map((argument) =>
      argument.kind === 'partial'
        ? this.fail(
            'unsupported',
            'A function cannot be an argument where calls are interpreted: before the simulation, and in functions with sizes that are known only when they run.',
            argument,
          )
        : this.value(argument),
    );
  }

  checked(outcome: Outcome, at: ast.Node): Value {
    return typeof outcome === 'string' ? this.fail('bad-evaluation', sentence(outcome), at) : outcome;
  }

  span(node: ast.Node): Span {
    return { source: this.source, start: node.start, end: node.end };
  }

  fail(code: DiagnosticCode, message: string, at: ast.Node, options: DiagnosticOptions = {}): never {
    stop(code, message, { span: this.span(at), ...options });
  }
}

/** All values of a type, in order. */
const valuesOf = (type: CountedType): readonly Value[] =>
  type === 'Boolean'
    ? [boolean(false), boolean(true)]
    : type.literals.map((_, k) => ({ kind: 'enumeration', ...type, index: k + 1 }));

const sentence = (text: string): string => `${capitalised(text)}.`;

function asMatrix(value: Value): Value {
  const [rows = 1, columns = 1, ...rest] = dimsOf(value);
  return {
    kind: 'array',
    dims: [rows, columns, ...rest],
    elements: value.kind === 'array' ? value.elements : [value],
  };
}

export function unknownName(
  resolution: Extract<Resolution, { kind: 'unknown' }>,
  ref: ast.ComponentRef,
  span: Span,
): Diagnostic {
  const { part, within, nearest, reason, hint } = resolution;
  const name = ref.parts[part]?.name ?? '';
  const where = within ? ` in \`${within}\`` : '';
  return error('unknown-name', reason ? sentence(reason) : `\`${name}\` is not declared${where}.`, {
    span,
    hint: hint ?? didYouMean(nearest),
    fix: hint ? undefined : respelt(span, name, nearest),
  });
}
