/**
 * Operators, constructors and `String` of operator records (Modelica 3.6, chapter 14). Which function is meant is decided by
 * `model/classes/overloads.ts`; where none takes arrays as they are, an operator works on their elements by the rules of arrays
 * (section 10.6), without those products that records do not have.
 */
import { sameItems } from '../../collections/lists.ts';
import type { ClassEntity } from '../../model/classes/class.ts';
import {
  type ArgumentType,
  type Choice,
  chooseBinary,
  chooseCall,
  chooseUnary,
  hasConstructors,
  inputsOf,
  type Overload,
  operatorFunctions,
  operatorRecordOf,
  predefinedKey,
} from '../../model/classes/overloads.ts';
import type * as ast from '../../syntax/ast.ts';
import { type Context, refuse, report } from '../core/context.ts';
import { count, isUnknown, nameOf, type RecordValue, typeName, type Value } from '../core/values.ts';
import type { CallArgument } from './calls.ts';
import { expression } from './expressions.ts';
import { callWith } from './functions.ts';
import { constructRecord } from './records.ts';
import { stacked } from './references.ts';
import { elementsOf } from './subscripts.ts';

/** The type of a value, as functions of operators are chosen by it. */
export function argumentType(value: Value): ArgumentType {
  const rank = value.dims.length;
  if (value.kind === 'record')
    return { key: value.operators?.definition ?? value.path, rank, record: value.operators };
  return { key: predefinedKey(nameOf(value.type)), rank };
}

const elementType = (value: Value): ArgumentType => ({ ...argumentType(value), rank: 0 });

/** A use of an operator: the place of it, and the operands with theirs. */
interface Use {
  readonly operator: string;
  readonly node: ast.Node;
  readonly operands: readonly CallArgument[];
  readonly context: Context;
}

// ---------------------------------------------------------------- operators

export function overloadedUnary(node: ast.Unary, value: RecordValue, context: Context): Value {
  const use = { operator: node.operator, node, operands: [{ node: node.operand, value }], context };
  const whole = chooseUnary(node.operator, argumentType(value));
  if (whole.kind === 'one') return applied(whole.overload, use.operands, use);
  const single = whole.kind === 'none' && value.dims.length > 0;
  return single ? overElements(chooseUnary(node.operator, elementType(value)), use) : refused(whole, use);
}

export function overloadedBinary(node: ast.Binary, left: Value, right: Value, context: Context): Value {
  const operator = node.operator.replace(/^\./, '');
  const operands = [
    { node: node.left, value: left },
    { node: node.right, value: right },
  ];
  return operated({ operator, node, operands, context }, operator !== node.operator);
}

/** A binary operator; with `elementwise`, arrays are combined element by element whatever it is. */
function operated(use: Use, elementwise = false): Value {
  const [left, right] = use.operands.map(({ value }) => value) as [Value, Value];
  const isScalar = left.dims.length === 0 && right.dims.length === 0;
  if (!elementwise || isScalar) {
    const whole = chooseBinary(use.operator, argumentType(left), argumentType(right));
    if (whole.kind === 'one') return applied(whole.overload, use.operands, use);
    if (whole.kind === 'many' || isScalar) return refused(whole, use);
  }
  const sameSizes = sameItems(left.dims, right.dims);
  const scaled = left.dims.length === 0 || right.dims.length === 0;
  const isElementwise = elementwise
    ? sameSizes || scaled
    : use.operator === '*'
      ? scaled
      : use.operator === '/'
        ? right.dims.length === 0
        : (use.operator === '+' || use.operator === '-') && sameSizes;
  if (isElementwise)
    return overElements(chooseBinary(use.operator, elementType(left), elementType(right)), use);
  const isProduct = use.operator === '*' && left.dims.length === 2 && left.dims[1] === right.dims[0];
  return isProduct && !elementwise && right.dims.length <= 2
    ? matrixProduct(use)
    : refused({ kind: 'none' }, use);
}

/** An operator on all elements; a scalar goes with every element. */
function overElements(choice: Choice, use: Use): Value {
  if (choice.kind !== 'one') return refused(choice, use);
  const { builder } = use.context;
  const { dims } = use.operands.find(({ value }) => value.dims.length > 0)!.value;
  const lists = use.operands.map(({ value }) =>
    value.dims.length > 0 ? elementsOf(builder, value) : undefined,
  );
  const parts = Array.from({ length: count(dims) }, (_, k) => {
    const operands = use.operands.map((operand, i) => ({
      ...operand,
      value: lists[i]?.[k] ?? operand.value,
    }));
    return applied(choice.overload, operands, use);
  });
  return parts.some(isUnknown) ? builder.unknown : stacked(builder, parts, dims);
}

/** A matrix times a vector or a matrix; sums of nothing are the record's `'0'`. */
function matrixProduct(use: Use): Value {
  const { builder } = use.context;
  const [left, right] = use.operands as [CallArgument, CallArgument];
  const [rows, inner] = left.value.dims as [number, number];
  const columns = right.value.dims[1] ?? 1;
  const a = elementsOf(builder, left.value);
  const b = elementsOf(builder, right.value);
  const parts = Array.from({ length: rows * columns }, (_, k) => {
    const [row, column] = [Math.floor(k / columns), k % columns];
    const terms = Array.from({ length: inner }, (_, j) =>
      operated({
        ...use,
        operands: [
          { ...left, value: a[row * inner + j]! },
          { ...right, value: b[j * columns + column]! },
        ],
      }),
    );
    const record = operatorsOf([left.value, right.value]);
    return folded('+', terms, record, use.node, use.context);
  });
  const dims = [rows, ...right.value.dims.slice(1)];
  return parts.some(isUnknown) ? builder.unknown : stacked(builder, parts, dims);
}

/** All values combined by an operator from the left; none of them are the record's `'0'`, if they are added. */
export function folded(
  operator: '+' | '*',
  values: readonly Value[],
  record: ClassEntity | undefined,
  node: ast.Node,
  context: Context,
): Value {
  const [first, ...rest] = values;
  if (first) {
    return rest.reduce<Value>((left, right) => {
      if (isUnknown(left) || isUnknown(right)) return context.builder.unknown;
      const operands = [left, right].map((value) => ({ node, value }));
      return operated({ operator, node, operands, context });
    }, first);
  }
  const [zero] = operator === '+' ? operatorFunctions(record, '0') : [];
  if (zero) return callWith(zero, [], node, context);
  const name = record?.path ?? 'the record';
  const message =
    operator === '+'
      ? `\`${name}\` has no operator \`'0'\`, the sum of nothing.`
      : 'A product of no records has no value.';
  return report('bad-operator', message, node, context);
}

const operatorsOf = (values: readonly Value[]): ClassEntity | undefined =>
  values.flatMap((value) => (value.kind === 'record' && value.operators ? [value.operators] : []))[0];

function applied({ fn, conversion }: Overload, operands: readonly CallArgument[], use: Use): Value {
  const args = operands.map((operand, k) =>
    conversion?.argument === k
      ? { ...operand, value: callWith(conversion.by, [operand], operand.node, use.context) }
      : operand,
  );
  return args.some(({ value }) => isUnknown(value))
    ? use.context.builder.unknown
    : callWith(fn, args, use.node, use.context);
}

function refused(choice: Choice, { operator, node, operands, context }: Use): Value {
  const types = operands.map(({ value }) => typeName(value)).join(' and ');
  if (choice.kind === 'many') {
    const message = `Several functions of \`'${operator}'\` could be meant for ${types}.`;
    return report('bad-operator', message, node, context, {
      hint: 'Convert an operand with a constructor.',
    });
  }
  const record = operands.map(({ value }) => value).find((value) => value.kind === 'record') as RecordValue;
  const message = record.operators
    ? `No function of \`'${operator}'\` takes ${types}.`
    : `\`${operator}\` cannot combine ${types}: \`${record.path}\` is a record without operators.`;
  const hint = record.operators
    ? `Define the operator in \`${record.operators.path}\`, or convert the operands.`
    : 'Write the equation for its members, or make it an operator record.';
  return report('type-mismatch', message, node, context, { hint });
}

// ---------------------------------------------------------------- constructors and String

/** `C(…)`: by a constructor of the operator record, or from its fields where it declares none. */
export function constructOperatorRecord(entity: ClassEntity, node: ast.Call, context: Context): Value {
  const record = operatorRecordOf(entity);
  if (!record || !hasConstructors(record)) return constructRecord(entity, node, context);
  return overloadedCall(record, 'constructor', entity.path, node, context);
}

export const overloadedString = (record: ClassEntity, node: ast.Call, context: Context): Value =>
  overloadedCall(record, 'String', 'String', node, context);

function overloadedCall(
  record: ClassEntity,
  operator: 'constructor' | 'String',
  name: string,
  node: ast.Call,
  context: Context,
): Value {
  const args = translated(node, name, context);
  const all = args && [...args.positional, ...args.named.values()];
  if (!all || all.some(({ value }) => isUnknown(value))) return context.builder.unknown;
  const types = new Map([...args.named].map(([key, { value }]) => [key, argumentType(value)]));
  const choice = chooseCall(
    record,
    operator,
    args.positional.map(({ value }) => argumentType(value)),
    types,
  );
  if (choice.kind === 'one') {
    const { fn } = choice.overload;
    const given = inputsOf(fn).map((input, k) => args.positional[k] ?? args.named.get(input.name));
    return callWith(fn, given, node, context);
  }
  const list = all.map(({ value }) => typeName(value)).join(', ');
  const message =
    choice.kind === 'none'
      ? `No function of \`${record.path}.'${operator}'\` takes (${list}).`
      : `Several functions of \`${record.path}.'${operator}'\` could be meant by (${list}).`;
  const signatures = operatorFunctions(record, operator).map(
    (fn) =>
      `\`${name}(${inputsOf(fn)
        .map((input) => input.name)
        .join(', ')})\``,
  );
  return report('bad-call', message, node, context, {
    hint: signatures.length > 0 ? `Call it as ${signatures.join(' or ')}.` : undefined,
  });
}

interface Arguments {
  readonly positional: readonly CallArgument[];
  readonly named: ReadonlyMap<string, CallArgument>;
}

function translated(node: ast.Call, name: string, context: Context): Arguments | undefined {
  if (node.iterators) return refuse('bad-call', `\`${name}\` cannot be used with \`for\`.`, node, context);
  const argument = (arg: ast.Expression | ast.PartialApplication): CallArgument =>
    arg.kind === 'partial'
      ? {
          node: arg,
          value: report('type-mismatch', `\`${name}\` takes no functions.`, arg, context),
        }
      : { node: arg, value: expression(arg, context) };
  return {
    positional: node.positional.map(argument),
    named: new Map(node.named.map(({ name: key, value }) => [key.text, argument(value)])),
  };
}
