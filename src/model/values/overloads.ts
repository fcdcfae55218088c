/**
 * Operators and constructors of operator records on values (specification 3.6, chapter 14), for expressions that are evaluated before
 * any code exists. Operators on arrays of records are left to `flat/`.
 */
import type * as ast from '../../syntax/ast.ts';
import { type ClassEntity, entityOf } from '../classes/class.ts';
import {
  type ArgumentType,
  chooseBinary,
  chooseCall,
  chooseUnary,
  inputsOf,
  type Overload,
} from '../classes/overloads.ts';
import { dimsOf, elementsOf, typeName, type Value } from '../value.ts';
import type { Evaluator } from './evaluator.ts';
import { callWith } from './interpret.ts';

function argumentType(value: Value): ArgumentType {
  const rank = dimsOf(value).length;
  const sample = elementsOf(value)[0];
  switch (sample?.kind) {
    case 'record':
      return {
        key: sample.operators?.definition ?? sample.path,
        rank,
        record: sample.operators && entityOf(sample.operators),
      };
    case 'enumeration':
      return { key: sample.path, rank };
    case 'boolean':
      return { key: 'Boolean', rank };
    case 'string':
      return { key: 'String', rank };
    default:
      return { key: 'number', rank };
  }
}

/** Whether operators of records have a say. */
export const isOverloaded = (...values: readonly Value[]): boolean =>
  values.some((value) => elementsOf(value)[0]?.kind === 'record');

export function overloadedOperator(
  caller: Evaluator,
  operator: string,
  operands: readonly Value[],
  at: ast.Node,
): Value {
  const [x, y] = operands.map(argumentType) as [ArgumentType, ArgumentType | undefined];
  const choice = y ? chooseBinary(operator, x, y) : chooseUnary(operator, x);
  if (choice.kind === 'one') return applied(caller, choice.overload, operands, at);
  const types = operands.map(typeName).join(' and ');
  return caller.fail('type-mismatch', `No function of \`'${operator}'\` takes ${types} here.`, at);
}

function applied(
  caller: Evaluator,
  { fn, conversion }: Overload,
  operands: readonly Value[],
  at: ast.Node,
): Value {
  const args = operands.map((value, k) =>
    conversion?.argument === k ? called(caller, conversion.by, [value], at) : value,
  );
  return called(caller, fn, args, at);
}

function called(caller: Evaluator, fn: ClassEntity, args: readonly Value[], at: ast.Node): Value {
  const inputs = inputsOf(fn);
  return callWith(caller, fn, new Map(args.map((value, k) => [inputs[k]!.name, value])), at);
}

/** `C(…)` or `String(…)` of an operator record. */
export function overloadedCall(
  caller: Evaluator,
  record: ClassEntity,
  operator: 'constructor' | 'String',
  call: ast.Call,
): Value {
  const positional = caller.positional(call);
  const named = new Map<string, Value>();
  for (const { name, value } of call.named)
    if (value.kind !== 'partial') named.set(name.text, caller.value(value));
  const types = new Map([...named].map(([name, value]) => [name, argumentType(value)]));
  const choice = chooseCall(record, operator, positional.map(argumentType), types);
  if (choice.kind !== 'one') {
    const list = [...positional, ...named.values()].map(typeName).join(', ');
    return caller.fail(
      'bad-call',
      `No function of \`${record.path}.'${operator}'\` takes (${list}) here.`,
      call,
    );
  }
  const inputs = inputsOf(choice.overload.fn);
  const values = new Map([...positional.map((value, k) => [inputs[k]!.name, value] as const), ...named]);
  return callWith(caller, choice.overload.fn, values, call);
}
