/**
 * `String(x, …)` (Modelica 3.7, section 3.7.2.3). Which arguments follow depends on the type of the first one; in expressions they are
 * `string(x, minimumLength, leftJustified, significantDigits)`. Booleans and enumerations are the words that stand for them.
 */
import { warning } from '../../diagnostic/diagnostic.ts';
import { dimsName } from '../../model/value.ts';
import type { Expr } from '../../symbolic/expr.ts';
import { formatTrouble, usualDigits } from '../../symbolic/text.ts';
import type * as ast from '../../syntax/ast.ts';
import { type Context, type FlatBuilder, report, spanOf } from '../core/context.ts';
import { isUnknown, join, type Simple, simple, typeName, type Value } from '../core/values.ts';
import { matchArguments } from './calls.ts';
import { expression } from './expressions.ts';
import { overloadedString } from './overloads.ts';

export function stringCall(node: ast.Call, context: Context): Value {
  const first = node.positional[0] ?? node.named.find(({ name }) => name.text === 'x')?.value;
  if (!first || first.kind === 'partial') return report('bad-call', '`String` needs a value.', node, context);
  const value = expression(first, context);
  if (isUnknown(value)) return value;
  if (value.kind === 'record') {
    if (value.operators) return overloadedString(value.operators, node, context);
    return report('type-mismatch', `A record (${typeName(value)}) cannot stand here.`, first, context);
  }
  if (value.dims.length > 0) {
    const message = `\`String\` needs a scalar, not ${dimsName(value.dims)}.`;
    return report('dimension-mismatch', message, first, context);
  }
  if (value.type === 'Clock')
    return report('type-mismatch', '`String` needs a value, not a Clock.', first, context);
  if (node.named.some(({ name }) => name.text === 'format')) return formattedCall(value, node, context);
  if (node.positional.length > 1)
    return report('bad-call', 'The options of `String` are given by name.', node.positional[1]!, context, {
      hint: 'Write `String(x, minimumLength = …)`, `significantDigits = …` or `format = "…"`.',
    });
  const formats = value.type === 'Real' ? ['significantDigits', ...common] : common;
  const args = matchArguments(node, ['x', ...formats], 1, 'String', context);
  if (!args) return context.builder.unknown;
  const given = new Map<string, Simple>();
  for (const [k, name] of formats.entries()) {
    const argument = args[k + 1];
    if (!argument || isUnknown(argument.value)) continue;
    const wanted = name === 'leftJustified' ? 'Boolean' : 'Integer';
    if (
      argument.value.kind !== 'simple' ||
      argument.value.type !== wanted ||
      argument.value.dims.length > 0
    ) {
      const message = `\`${name}\` of \`String\` is ${wanted} but is given ${typeName(argument.value)}.`;
      return report('type-mismatch', message, argument.node, context);
    }
    given.set(name, argument.value);
  }
  return written(context.builder, value, given);
}

/** `String(x, format = "…")`. */
function formattedCall(value: Simple, node: ast.Call, context: Context): Value {
  const { builder } = context;
  const format = matchArguments(node, ['x', 'format'], 2, 'String', context)?.[1];
  if (!format || isUnknown(format.value)) return builder.unknown;
  const text = format.value;
  if (text.kind !== 'simple' || text.type !== 'String' || text.dims.length > 0) {
    const message = `\`format\` of \`String\` is String but is given ${typeName(text)}.`;
    return report('type-mismatch', message, format.node, context);
  }
  if (value.type !== 'Real' && value.type !== 'Integer')
    return report('type-mismatch', `\`format\` is for numbers, not for ${typeName(value)}.`, node, context);
  const trouble =
    text.expr.kind === 'text' ? formatTrouble(text.expr.value, value.type === 'Real') : undefined;
  if (trouble) {
    const { code, message, hint, isClear } = trouble;
    if (!isClear) return report(code, message, format.node, context, { hint });
    builder.diagnostics.push(warning(code, message, { span: spanOf(format.node, context), hint }));
  }
  const expr = builder.pool.apply('format', value.expr, text.expr);
  return simple(expr, 'String', join(value.variability, text.variability));
}

const common = ['minimumLength', 'leftJustified'];

function written(builder: FlatBuilder, value: Simple, given: ReadonlyMap<string, Simple>): Simple {
  const { pool } = builder;
  let { variability } = value;
  for (const format of given.values()) variability = join(variability, format.variability);
  const usual = {
    minimumLength: pool.zero,
    leftJustified: pool.one,
    significantDigits: pool.const(usualDigits),
  };
  const formats = Object.entries(usual).map(([name, otherwise]) => given.get(name)?.expr ?? otherwise);
  const count = value.type === 'Real' ? 3 : given.has('leftJustified') ? 2 : given.size;
  const word = wordOf(builder, value);
  if (word !== value.expr && count === 0) return simple(word, 'String', variability);
  if (value.type === 'String' && count === 0) return value;
  const isText = word !== value.expr || value.type === 'String';
  const expr = pool.apply(isText ? 'pad' : 'string', word, ...formats.slice(0, count));
  return simple(expr, 'String', variability);
}

/** The value, or the word for it. */
function wordOf({ pool }: FlatBuilder, { type, expr }: Simple): Expr {
  if (type === 'Boolean') return pool.if(expr, pool.text('true'), pool.text('false'));
  if (typeof type !== 'object') return expr;
  const names = type.literals;
  return names
    .slice(0, -1)
    .reduceRight<Expr>(
      (rest, name, i) => pool.if(pool.apply('eq', expr, pool.const(i + 1)), pool.text(name), rest),
      pool.text(names.at(-1) ?? ''),
    );
}
