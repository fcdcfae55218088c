/**
 * Operators that look into the past: `delay` (Modelica 3.6, section 3.7.4.1). Each call becomes a built-in component (`src/builtin`) with a variable for every argument that it
 * reads, and one for its value.
 */
import type { BuiltIn } from '../../builtin/component.ts';
import { delayOf } from '../../builtin/delay.ts';
import { remember } from '../../collections/memo.ts';
import { withPath } from '../../names/names.ts';
import type { Expr } from '../../symbolic/expr.ts';
import type * as ast from '../../syntax/ast.ts';
import { blank } from '../core/blank.ts';
import { type Context, originOf, report } from '../core/context.ts';
import { atMost, isNumeric, isUnknown, type Simple, simple, typeName, type Value } from '../core/values.ts';
import type { FlatPort, FlatVariable } from '../flat.ts';
import { matchArguments } from './calls.ts';
import { needsValue } from './iteration.ts';

export function delayCall(node: ast.Call, context: Context): Value {
  const { builder } = context;
  const args = matchArguments(node, ['expr', 'delayTime', 'delayMax'], 2, 'delay', context);
  if (!args || args.some((arg) => arg && isUnknown(arg.value))) return builder.unknown;
  const [signal, time, longest] = args.map((arg) => arg?.value);
  for (const [k, value] of [signal, time, longest].entries()) {
    if (!value) continue;
    const fits = value.kind === 'simple' && isNumeric(value.type) && (k === 0 || value.dims.length === 0);
    if (!fits)
      return report('type-mismatch', `\`delay\` cannot be given ${typeName(value)}.`, args[k]!.node, context);
  }
  const given = longest ?? time!;
  if (!atMost((given as Simple).variability, 'parameter')) {
    const message = longest
      ? 'The longest delay must not change in a run.'
      : 'A delay that changes in a run needs a bound.';
    const hint = longest ? undefined : 'Give the longest delay as third argument: `delay(x, T, Tmax)`.';
    return report('variability', message, args[longest ? 2 : 1]!.node, context, { hint });
  }
  return delayed(signal as Simple, time as Simple, given as Simple, node, context);
}

function delayed(signal: Simple, time: Simple, longest: Simple, node: ast.Node, context: Context): Value {
  const { builder } = context;
  if (atMost(signal.variability, 'parameter')) return signal;
  const builtIn = delayOf(atMost(time.variability, 'parameter'));
  const inputs = [
    { name: 'u', value: signal },
    { name: 'T', value: time },
    { name: 'Tmax', value: longest },
  ];
  const value = past(builtIn, inputs, [{ name: 'y', dims: signal.dims }], node, context);
  return value ? simple(value[0]!, 'Real', 'continuous', signal.dims) : builder.unknown;
}

/** A value that a component reads, or a parameter of it. */
interface Read {
  readonly name: string;
  readonly value: Simple;
}

/** The outputs of a component that reads these values; undefined where the text is to be translated once for each value of an iterator. */
export function past<Memory>(
  builtIn: BuiltIn<Memory>,
  inputs: readonly Read[],
  outputs: readonly { readonly name: string; readonly dims: readonly number[] }[],
  node: ast.Node,
  context: Context,
  parameters: readonly Read[] = [],
): readonly Expr[] | undefined {
  const { builder, scope } = context;
  const { pool } = builder;
  const all = [...inputs, ...parameters];
  for (const { value } of all) if (needsValue(value.expr, context)) return undefined;
  builder.families.demandSingle({ parent: scope.instance });
  const key = [context.component, builtIn.name, ...all.map(({ value }) => value.expr.id)].join(' ');
  return remember(builder.past, key, () => {
    const origin = originOf(node, context);
    const guard = builder.guardOf(scope.instance);
    const path = withPath(context.component, `'${builtIn.name} ${builder.past.size + 1}'`);
    const add = (name: string, dims: readonly number[], more: Partial<FlatVariable> = {}): number =>
      builder.add({ ...blank, name: `${path}.${name}`, dims, hidden: true, guard, origin, ...more });
    const ports = inputs.map(({ name, value }): FlatPort => {
      const own = pool.ref(add(name, value.dims));
      builder.looking.push({ guard, equation: { kind: 'equal', left: own, right: value.expr, origin } });
      return { name, value: own, dims: value.dims };
    });
    const given = outputs.map(({ name, dims }) => ({ name, dims, value: pool.ref(add(name, dims)) }));
    builder.components.push({
      path,
      builtIn: builtIn as BuiltIn,
      inputs: ports,
      outputs: given,
      parameters: new Map(
        parameters.map(({ name, value: { expr, dims } }) => [
          name,
          add(name, dims, { variability: 'parameter', binding: expr }),
        ]),
      ),
      equations: undefined,
      guard,
      origin,
    });
    return given.map(({ value }) => value);
  });
}
