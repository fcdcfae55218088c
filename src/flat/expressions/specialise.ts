import { remember } from '../../collections/memo.ts';
import type { ClassEntity } from '../../model/classes/class.ts';
import { outputsOf } from '../../model/classes/overloads.ts';
import { smoothOrder } from '../../model/classes/settings.ts';
import { type Shape, type ShapeComponent, shapeOf } from '../../model/classes/shape.ts';
import { dimsOf } from '../../model/value.ts';
import type { Local } from '../../symbolic/expr.ts';
import type { FunctionDef, FunctionStatement } from '../../symbolic/function.ts';
import type * as ast from '../../syntax/ast.ts';
import {
  type Context,
  contextOf,
  type FlatBuilder,
  report,
  reportSize,
  type Specialisation,
  withLocal,
} from '../core/context.ts';
import { leaves, type Simple, simple, type Value } from '../core/values.ts';
import { certified, isBare, type Written } from './certain.ts';
import { closureKeys } from './closures.ts';
import { fixedNumber, fixedValue } from './constants.ts';
import { givenDerivatives } from './derivatives.ts';
import { destruction, ending, foreignBody, handedOver } from './foreign.ts';
import { type ArgumentByName, declaredType, doneOutput, typeOf } from './functions.ts';
import { inliningOf } from './inlining.ts';
import { dataValue, interpretation, interpreted, isHandedOver, tangentOf } from './interpreted.ts';
import { givenInverses } from './inverses.ts';
import { needsValue } from './iteration.ts';
import { declareLocals, declareOutputs, Locals } from './locals.ts';
import { partialDerivative } from './partials.ts';
import { checkedSizes, sizeAssertions } from './sizes.ts';
import { sourcesOf } from './sources.ts';
import { functionBody } from './statements.ts';
import { untouched } from './untouched.ts';

export function specialise(
  entity: ClassEntity,
  args: readonly ArgumentByName[],
  values: readonly Value[],
  node: ast.Node,
  context: Context,
): Specialisation | undefined {
  const { builder } = context;
  if (shapeOf(entity).derived) return partialDerivative(entity, args, values, node, context);
  const inputs = args.map((arg) => arg.component);
  const open = checkedSizes(entity, args, values, context);
  if (!open) return undefined;
  let slot: number | undefined;
  for (;;) {
    const start = builder.mark();
    const sizing = builder.sizing.get(entity) ?? new Set<string>();
    const fixed = fixedInputs(entity, args, values, sizing, context);
    if (!fixed) return sizedAtRun(entity, args, values, { start, slot }, node, context);
    const sizes = values.flatMap((value) => leaves(value).map((leaf) => leaf.value.dims.join('x')));
    const closures = values.flatMap((value) => closureKeys(builder, value));
    const known = [...fixed.values()].map((value) => `=${value.expr.id}`);
    const key = [...closures, ...sizes, ...known, ...open.map(({ name }) => `?${name}`)].join(',');
    const before = builder.specialisations.get(entity)?.get(key);
    if (before) return before;
    const mark = builder.mark();
    const needed = new Set<string>();
    const attempt: Attempt = { entity, fixed, needed, key, slot, open };
    const result = translateFunction(attempt, inputs, values, node, context);
    builder.spoiled(mark[0], () => builder.specialisations.get(entity)?.delete(key));
    // Whatever keeps a function from being translated must not make the equations vanish that call it.
    if (!result && needed.size === 0 && !context.loop && builder.diagnostics.length === mark[0])
      report('bad-call', `The function \`${entity.path}\` has no meaning here.`, node, context);
    if (needed.size === 0) {
      const other = sizedAtRun(entity, args, values, { start, slot: result?.index ?? slot }, node, context);
      if (other && result) builder.specialisations.get(entity)?.set(key, other);
      return other ?? result;
    }
    // Sizes inside depend on values of inputs: once more, in the same place, with these known.
    builder.rewind(mark);
    slot = result?.index ?? slot;
    builder.specialisations.get(entity)?.delete(key);
    builder.sizing.set(entity, new Set([...sizing, ...needed]));
  }
}

/** The function interpreted, where all that keeps it from being translated is sizes that are known only when it runs. */
function sizedAtRun(
  entity: ClassEntity,
  args: readonly ArgumentByName[],
  values: readonly Value[],
  { start, slot }: { readonly start: ReturnType<FlatBuilder['mark']>; readonly slot: number | undefined },
  node: ast.Node,
  context: Context,
): Specialisation | undefined {
  const { builder } = context;
  const problems = builder.diagnostics.slice(start[0]);
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length === 0 || !errors.every((problem) => builder.sizesAtRun.has(problem))) return undefined;
  if (!values.every(isHandedOver) || shapeOf(entity).external) return undefined;
  builder.rewind(start);
  const special = interpretedFunction(entity, args, values, slot, node, context);
  if (special) return special;
  builder.rewind(start);
  builder.diagnostics.push(...problems);
  return undefined;
}

function interpretedFunction(
  entity: ClassEntity,
  args: readonly ArgumentByName[],
  values: readonly Value[],
  slot: number | undefined,
  node: ast.Node,
  context: Context,
): Specialisation | undefined {
  const { builder } = context;
  const place = contextOf(builder, { instance: undefined, lexical: entity }, context.component, 'function');
  const locals = new Locals(builder, place);
  const inputs = new Map(args.map(({ component }, i) => [component.name, locals.add(component, values[i]!)]));
  const inputCount = locals.list.length;
  const outputs =
    flexibleOutputs(entity, args, values, locals, node) ?? sizedOutputs(entity, args, values, locals);
  if (!outputs?.every(isHandedOver)) return undefined;
  const outputCount = locals.list.length - inputCount;
  const written = new Map(outputsOf(entity).map(({ name }, k) => [name, outputs[k]!]));
  const span = entity.span(entity.definition.name);
  const implementation = interpretation(entity, inputs, written, node);
  const tangent = tangentOf(entity, inputs, written, node);
  const base = { path: entity.path, name: entity.path, implementation, tangent, span };
  const variables = locals.list.length;
  const { statements, added } = handedOver(builder, base, [...inputs.values()], written, variables);
  const index = slot ?? builder.functions.length;
  const sources = sourcesOf(entity, builder, context.component);
  builder.functions[index] = {
    name: entity.path,
    ...(sources && { sources }),
    locals: [...locals.list, ...added].map((local) => ({ ...local, initial: undefined })),
    inputs: inputCount,
    outputs: outputCount,
    body: statements,
    smooth: smoothOrder(entity.definition),
    span,
  };
  return { index, outputs };
}

/** Outputs with the sizes that are declared, by inputs whose values are known; undefined where they are not known. */
function sizedOutputs(
  entity: ClassEntity,
  args: readonly ArgumentByName[],
  values: readonly Value[],
  locals: Locals,
): Value[] | undefined {
  const { builder } = locals.context;
  for (const [i, { component }] of args.entries()) {
    const value = values[i]!;
    if (value.kind !== 'simple' || !builder.sizing.get(entity)?.has(component.name)) continue;
    const n = value.dims.length === 0 ? fixedNumber(builder, value.expr) : undefined;
    if (n === undefined) continue;
    const known = simple(builder.pool.const(n), value.type, 'constant');
    locals.context = withLocal(locals.context, component.name, known);
  }
  const start = builder.mark();
  const outputs = declareOutputs(shapeOf(entity), locals);
  return builder.diagnostics.length > start[0] ? undefined : outputs;
}

/** Outputs with the sizes that they have for arguments of fixed values, where some of them have sizes that may change. */
function flexibleOutputs(
  entity: ClassEntity,
  args: readonly ArgumentByName[],
  values: readonly Value[],
  locals: Locals,
  node: ast.Node,
): Value[] | undefined {
  const { builder } = locals.context;
  const flexible = flexibleIn(shapeOf(entity));
  const components = outputsOf(entity);
  if (!components.some(({ name }) => flexible.has(name))) return undefined;
  const known = values.map((value) => {
    const data = value.kind === 'simple' ? fixedValue(builder, value.expr) : undefined;
    return data && value.kind === 'simple' ? dataValue(value, data.items) : undefined;
  });
  if (known.includes(undefined)) return undefined;
  const given = new Map(args.map(({ component }, i) => [component.name, known[i]!]));
  const results = interpreted(entity, given, node);
  const outputs = components.map((component) => {
    const type = typeOf(declaredType(builder, component)!.shape);
    const dims = dimsOf(results.get(component.name)!);
    return type && locals.add(component, simple(builder.pool.zero, type, 'continuous', dims));
  });
  return outputs.includes(undefined) ? undefined : (outputs as Value[]);
}

/** One try at translating a function: with inputs of known values, to find out which others must be known. */
interface Attempt {
  readonly entity: ClassEntity;
  readonly fixed: ReadonlyMap<string, Simple>;
  readonly needed: Set<string>;
  readonly key: string;
  /** The place among the functions that an earlier try took. */
  readonly slot: number | undefined;
  /** Sizes of arguments that are to be checked when it runs. */
  readonly open: NonNullable<ReturnType<typeof checkedSizes>>;
}

/** The values of those inputs on which sizes inside the function depend; undefined where one is not known. */
function fixedInputs(
  entity: ClassEntity,
  args: readonly ArgumentByName[],
  values: readonly Value[],
  sizing: ReadonlySet<string>,
  context: Context,
): Map<string, Simple> | undefined {
  const fixed = new Map<string, Simple>();
  for (const [i, value] of values.entries()) {
    const { name } = args[i]!.component;
    if (!sizing.has(name) || value.kind !== 'simple') continue;
    if (needsValue(value.expr, context)) return undefined;
    const n = value.dims.length === 0 ? fixedNumber(context.builder, value.expr) : undefined;
    if (n === undefined) {
      const message = `Sizes in \`${entity.path}\` depend on \`${name}\`, which is not known before the simulation.`;
      return reportSize('unsupported', message, args[i]!.node, context);
    }
    fixed.set(name, simple(context.builder.pool.const(n), value.type, 'constant'));
  }
  return fixed;
}

function translateFunction(
  { entity, fixed, needed, key, slot, open }: Attempt,
  inputs: readonly ShapeComponent[],
  values: readonly Value[],
  node: ast.Node,
  context: Context,
): Specialisation | undefined {
  const { builder } = context;
  const mark = builder.mark();
  const shape = shapeOf(entity);
  const owners: string[] = [];
  const place = contextOf(builder, { instance: undefined, lexical: entity }, context.component, 'function');
  const locals = new Locals(builder, { ...place, sizing: { needed, owners }, flexible: flexibleIn(shape) });
  for (const [i, value] of values.entries()) {
    locals.add(inputs[i]!, value);
    while (owners.length < locals.list.length) owners.push(inputs[i]!.name);
  }
  const inputCount = locals.list.length;
  for (const [name, value] of fixed) locals.context = withLocal(locals.context, name, value);
  const declared = declareLocals(shape, locals, () => locals.list.push(doneOutput(builder)));
  if (!declared) return undefined;
  const { outputs, own, outputCount, later } = declared;
  const special: Specialisation = { index: slot ?? builder.functions.length, outputs };
  const unfinished: FunctionDef = {
    name: entity.path,
    locals: locals.list,
    inputs: inputCount,
    outputs: Math.max(1, outputCount),
    body: [notYet(builder)],
    smooth: smoothOrder(entity.definition),
    inline: inliningOf(entity),
    span: entity.span(entity.definition.name),
  };
  builder.functions[special.index] = unfinished;
  // Known before the body is translated: the function may call itself.
  remember(builder.specialisations, entity, () => new Map()).set(key, special);
  if (shape.external) {
    const { external, lexical } = shape.external;
    const inner: Context = { ...locals.context, scope: { instance: undefined, lexical } };
    const foreign = foreignBody(entity, external, locals.list.length, inner);
    if (!foreign) return undefined;
    const { statements, added, clause } = foreign;
    const all = [...locals.list, ...added];
    builder.functions[special.index] = { ...unfinished, locals: all, body: statements, clause };
    if (needed.size === 0) addGiven(special, entity, values, context);
    return special;
  }
  const body: FunctionStatement[] = [...sizeAssertions(open, locals.context), ...later];
  builder.unfinished.add(special.index);
  for (const { section, lexical } of shape.sections) {
    if (section.kind !== 'algorithm') {
      report('unsupported', `The function \`${entity.path}\` has equations.`, node, context);
      continue;
    }
    const inner: Context = { ...locals.context, scope: { instance: undefined, lexical } };
    body.push(...functionBody(section.statements, inner));
  }
  builder.unfinished.delete(special.index);
  const written: Written = {
    path: entity.path,
    span: unfinished.span,
    locals: locals.list,
    inputs: inputCount,
    outputs: new Set(
      outputs.flatMap((value) => (value.kind === 'simple' ? [(value.expr as Local).index] : [])),
    ),
    body,
  };
  const isWhole = needed.size === 0 && builder.diagnostics.length === mark[0];
  const free = isWhole ? untouched(written) : undefined;
  if (free) {
    const what = free.isOutput
      ? `never assigns \`${free.name}\` of its output`
      : `uses \`${free.name}\`, which has no value there`;
    const hint = 'Assign it, or give it a value where it is declared.';
    builder.reportAt('bad-call', `The function \`${entity.path}\` ${what}.`, { span: free.span, hint });
    return undefined;
  }
  const sure = certified(builder.pool, written);
  const last = [...sure.last, ...destructions(shape, own, locals.context)];
  const all = [
    ...locals.list.map((local, k) =>
      isBare(written, k) && local.type !== 'String' ? { ...local, bare: true as const } : local,
    ),
    ...sure.added,
  ];
  const finished = { ...unfinished, locals: all, body: ending(sure.body, last) };
  builder.functions[special.index] = finished;
  if (needed.size === 0) addGiven(special, entity, values, context);
  return special;
}

/** Notes the functions that annotations of a function give for its derivatives and inverses. */
function addGiven(
  { index, outputs }: Specialisation,
  entity: ClassEntity,
  values: readonly Value[],
  context: Context,
): void {
  const { functions } = context.builder;
  const given = givenDerivatives(entity, values, outputs, context);
  const inverses = givenInverses(entity, values, outputs, context);
  if (given.length + inverses.length === 0) return;
  functions[index] = {
    ...functions[index]!,
    ...(given.length > 0 && { given }),
    ...(inverses.length > 0 && { inverses }),
  };
}

/** Objects that a function makes live as long as a call of it; `own` are its protected variables. */
function destructions(shape: Shape, own: readonly Value[], context: Context): FunctionStatement[] {
  const components = [...shape.components.values()].filter(({ clause }) => clause.causality === undefined);
  return components.flatMap((component, k) => destruction(component, own[k]!, context) ?? []).reverse();
}

/** Names of the variables of a function whose sizes may change: declared with `:`, and no inputs. */
const flexibleIn = ({ components }: Shape): ReadonlySet<string> =>
  new Set(
    [...components.values()].flatMap(({ name, clause, declaration }) => {
      const subscripts = [...declaration.subscripts, ...clause.subscripts];
      const isFlexible = clause.causality !== 'input' && subscripts.some(({ kind }) => kind === 'colon');
      return isFlexible ? [name] : [];
    }),
  );

/** The body of a function that is being translated: it cannot be run before it is finished. */
function notYet({ pool }: FlatBuilder): FunctionStatement {
  return { kind: 'assert', condition: pool.zero, message: pool.text('not translated yet'), span: undefined };
}
