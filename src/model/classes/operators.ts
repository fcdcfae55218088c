/**
 * What operator records and their operators may contain (specification 3.6, sections 4.6 and 14.3 to 14.6), and who may inherit from
 * them.
 */

import { remember } from '../../collections/memo.ts';
import { type Diagnostic, error } from '../../diagnostic/diagnostic.ts';
import type * as ast from '../../syntax/ast.ts';
import { type ClassEntity, elementsOf } from './class.ts';
import {
  componentType,
  hasDefault,
  inputsOf,
  isAmbiguous,
  nestedClass,
  operatorFunctions,
  operatorRecordOf,
  outputsOf,
} from './overloads.ts';
import { type Shape, type ShapeComponent, shapeOf } from './shape.ts';

const binaryOperators = ['+', '-', '*', '/', '^', '==', '<>', '<', '<=', '>', '>=', 'and', 'or'];
const operators = ['constructor', 'String', '0', 'not', ...binaryOperators];

const isOperator = ({ restriction }: ast.ClassDef): boolean =>
  restriction === 'operator' || restriction === 'operator function';

/** What is wrong with a class that has, or should not have, operators. */
export function operatorProblems(entity: ClassEntity): Diagnostic[] {
  const own = [...elementsOf(entity.definition).classes.values()].map(({ definition }) => definition);
  if (entity.definition.restriction === 'operator record') {
    return own.filter(isOperator).flatMap((definition) => ofOperator(entity, definition));
  }
  return own.filter(isOperator).map((definition) =>
    error('bad-operator', `The operator \`${definition.name.text}\` is not in an operator record.`, {
      span: entity.span(definition.name),
      hint: 'Move it into the operator record whose operator it is.',
    }),
  );
}

/** An operator holds functions alone. */
function contentProblems(entity: ClassEntity, { components }: Shape): Diagnostic[] {
  const { classes } = elementsOf(entity.definition);
  const others = [...classes.values()].filter(({ definition }) => definition.restriction !== 'function');
  const names = [
    ...[...components.values()].map(({ declaration }) => declaration.name),
    ...others.map(({ definition }) => definition.name),
  ];
  return names.map((name) =>
    error(
      'bad-operator',
      `The operator \`${entity.path}\` contains \`${name.text}\`, which is no function.`,
      {
        span: entity.span(name),
        hint: 'Move it out of the operator record.',
      },
    ),
  );
}

/** What is wrong with an operator that a record declares. */
function ofOperator(record: ClassEntity, { name, restriction, encapsulated }: ast.ClassDef): Diagnostic[] {
  const operator = name.text.slice(1, -1);
  if (!operators.includes(operator))
    return [
      error('bad-operator', `There is no operator \`${name.text}\` that could be defined.`, {
        span: record.span(name),
        hint: `The operators are ${operators.map((one) => `\`'${one}'\``).join(', ')}.`,
      }),
    ];
  if (!encapsulated)
    return [
      error('bad-operator', `The operator \`${name.text}\` of \`${record.path}\` is not encapsulated.`, {
        span: record.span(name),
        hint: `Write \`encapsulated ${restriction} ${name.text}\`, and import what it uses from outside.`,
      }),
    ];
  const nested = restriction === 'operator' ? nestedClass(record, name.text) : undefined;
  const inside = nested ? contentProblems(nested, shapeOf(nested)) : [];
  const functions = operatorFunctions(record, operator);
  const wrong = functions.flatMap((fn) => {
    const problem = wrongSignature(record, operator, fn);
    return problem === undefined ? [] : [problemOf(fn, `\`${fn.path}\` ${problem}.`)];
  });
  const twins = functions.flatMap((fn, k) =>
    functions.slice(0, k).flatMap((other) => {
      if (!isAmbiguous(fn, other)) return [];
      const message = `\`${fn.path}\` and \`${other.path}\` could both be meant by one use of the operator.`;
      return [problemOf(fn, message, 'Give them inputs of different types, or remove one of them.')];
    }),
  );
  return [...inside, ...wrong, ...(wrong.length > 0 ? [] : twins)];
}

const problemOf = (fn: ClassEntity, message: string, hint?: string): Diagnostic =>
  error('bad-operator', message, { span: fn.span(fn.definition.name), hint });

/** Why a function cannot stand for an operator of a record, where it cannot. */
function wrongSignature(record: ClassEntity, operator: string, fn: ClassEntity): string | undefined {
  const inputs = inputsOf(fn);
  const outputs = outputsOf(fn);
  const { path } = record;
  const isRecord = (component: ShapeComponent | undefined): boolean =>
    component !== undefined && componentType(component)?.key === record.definition;
  if (outputs.length !== 1) return `must have one output, not ${outputs.length || 'none'}`;
  const rest = (count: number): string | undefined => {
    if (inputs.length < count) return `needs ${count} inputs, not ${inputs.length || 'none'}`;
    if (!inputs.slice(0, count).some(isRecord)) return `has no operand of type \`${path}\``;
    if (inputs.slice(0, count).some(hasDefault)) return 'gives an operand a default value';
    return inputs.slice(count).every(hasDefault) ? undefined : 'has a further input without a default value';
  };
  switch (operator) {
    case 'constructor':
      return isRecord(outputs[0]) ? undefined : `must have an output of type \`${path}\``;
    case '0':
      if (inputs.length > 0) return 'must have no inputs';
      return isRecord(outputs[0]) ? undefined : `must have an output of type \`${path}\``;
    case 'String':
      if (componentType(outputs[0]!)?.key !== 'String') return 'must have an output of type String';
      return rest(1);
    case 'not':
      return rest(1);
    case '-':
      return rest(inputs.length > 1 && !hasDefault(inputs[1]!) ? 2 : 1);
    default:
      return rest(2);
  }
}

// ---------------------------------------------------------------- inheritance

/** Why a class cannot have an extends clause with this base: operators would no longer know their record. */
export function extendsOperators(
  base: ClassEntity,
): Pick<Diagnostic, 'code' | 'message' | 'hint'> | undefined {
  if (operatorRecordOf(base))
    return {
      code: 'bad-operator',
      message: `The operator record \`${base.path}\` cannot be extended.`,
      hint: `Write \`operator record … = ${base.path}(…)\`, which may modify the attributes of its components.`,
    };
  const inner = innerOperatorRecord(base.definition);
  return inner === undefined
    ? undefined
    : {
        code: 'bad-operator',
        message: `\`${base.path}\` cannot be extended: it contains the operator record \`${inner}\`.`,
        hint: 'Move the operator record to a package that is not extended.',
      };
}

const inner = new WeakMap<ast.ClassDef, string | null>();

/** The name of an operator record that is declared somewhere in a class. */
function innerOperatorRecord(definition: ast.ClassDef): string | undefined {
  const found = remember(inner, definition, () => {
    for (const { definition: own } of elementsOf(definition).classes.values()) {
      if (own.restriction === 'operator record') return own.name.text;
      const deeper = innerOperatorRecord(own);
      if (deeper !== undefined) return `${own.name.text}.${deeper}`;
    }
    return null;
  });
  return found ?? undefined;
}
