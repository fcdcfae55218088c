/**
 * Flows that are operator records (Modelica 3.6, section 9.2): they are added and negated by the operators of the record, which must
 * have them. Connection sets add flows field by field, so the operators must do just that; they are tried with numbers.
 */
import type { ClassEntity } from '../../model/classes/class.ts';
import { entityOf } from '../../model/classes/class.ts';
import {
  chooseBinary,
  chooseUnary,
  operatorFunctions,
  operatorRecordOf,
  recordType,
} from '../../model/classes/overloads.ts';
import type { ObjectInstance } from '../../model/instance.ts';
import { contextOf, type FlatBuilder } from '../core/context.ts';
import { leaves, mapLeaves, type Value } from '../core/values.ts';
import { fixedNumber } from '../expressions/constants.ts';
import { callWith } from '../expressions/functions.ts';
import { instanceValue } from '../expressions/references.ts';

/** Reports flows whose records lack the operators that connections need. */
export function checkFlows(builder: FlatBuilder): void {
  const seen = new Set<ClassEntity['definition']>();
  for (const { connection, parent } of builder.instances) {
    if (connection !== 'flow' || parent?.kind !== 'object') continue;
    const record = operatorRecordOf(entityOf(parent.class));
    if (!record || seen.has(record.definition)) continue;
    seen.add(record.definition);
    const problem = missingOperator(record) ?? otherwiseAdded(builder, record, parent);
    if (problem) builder.reportAt(problem.code, problem.message, { span: parent.span, hint: problem.hint });
  }
}

interface Problem {
  readonly code: 'bad-operator' | 'unsupported';
  readonly message: string;
  readonly hint: string;
}

function missingOperator(record: ClassEntity): Problem | undefined {
  const type = recordType(record);
  const missing = [
    chooseBinary('+', type, type).kind === 'one' ? [] : ["`'+'` for addition"],
    chooseUnary('-', type).kind === 'one' ? [] : ["`'-'` for negation"],
    operatorFunctions(record, '0').length === 1 ? [] : ["`'0'` for zero"],
  ].flat();
  if (missing.length === 0) return undefined;
  const message = `Flows of type \`${record.path}\` cannot be connected: it lacks the operator ${missing.join(', ')}.`;
  return { code: 'bad-operator', message, hint: 'Define it in the operator record.' };
}

/** Says so where an operator does not work field by field. */
function otherwiseAdded(
  builder: FlatBuilder,
  record: ClassEntity,
  flow: ObjectInstance,
): Problem | undefined {
  const context = contextOf(builder, { instance: undefined, lexical: record }, flow.path, 'equation');
  const { name: node } = record.definition;
  const sample = (seed: number): Value => {
    let next = seed;
    const one = instanceValue(builder, flow.template ?? flow);
    const numbered = mapLeaves(one, (leaf) => {
      next = (next * 31 + 17) % 101;
      return { ...leaf, expr: builder.pool.const(next - 50), dims: [], variability: 'constant' };
    });
    return numbered.kind === 'record' ? { ...numbered, dims: [] } : numbered;
  };
  const [x, y] = [sample(3), sample(8)];
  const type = recordType(record);
  const plus = chooseBinary('+', type, type);
  const minus = chooseUnary('-', type);
  const [zero] = operatorFunctions(record, '0');
  if (plus.kind !== 'one' || minus.kind !== 'one' || !zero) return undefined;
  const numbers = (value: Value): (number | undefined)[] =>
    leaves(value).map((leaf) => fixedNumber(builder, leaf.value.expr));
  const a = numbers(x) as number[];
  const b = numbers(y) as number[];
  const isSame = (value: Value, wanted: readonly number[]): boolean =>
    numbers(value).every((n, k) => n !== undefined && Math.abs(n - wanted[k]!) < 1e-9);
  const isPlain =
    isSame(
      callWith(
        plus.overload.fn,
        [
          { node, value: x },
          { node, value: y },
        ],
        node,
        context,
      ),
      a.map((n, k) => n + b[k]!),
    ) &&
    isSame(
      callWith(minus.overload.fn, [{ node, value: x }], node, context),
      a.map((n) => -n),
    ) &&
    isSame(
      callWith(zero, [], node, context),
      a.map(() => 0),
    );
  if (isPlain) return undefined;
  const message = `Flows of type \`${record.path}\` cannot be connected: its operators do not add field by field.`;
  return {
    code: 'unsupported',
    message,
    hint: 'Choose fields that add, such as the parts of a complex number.',
  };
}
