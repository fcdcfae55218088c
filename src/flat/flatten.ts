/**
 * Flattening: an instance tree becomes a `FlatModel`. Variables get their symbols first, then the Real variables that
 * when-equations make discrete are found, then equations, connections and attributes are translated. Declaration
 * equations of variables that are neither parameters nor constants become equations.
 *
 * Arrays of components that look uniform (`flat/uniformity.ts`) are translated as families (`flat/core/families.ts`). Where this shows that some are
 * not, these are written out and the model is translated once more.
 */
import type { BuiltIn } from '../builtin/component.ts';
import type { BuiltInPart } from '../builtin/whole.ts';
import type { Diagnostic } from '../diagnostic/diagnostic.ts';
import type { ObjectInstance, VariableInstance } from '../model/instance.ts';
import type { Library } from '../model/library.ts';
import { dimsName } from '../model/value.ts';
import type { Externals } from '../symbolic/foreign.ts';
import type { Pool } from '../symbolic/pool.ts';
import { declareVariables, flatVariables } from './attributes.ts';
import { checkBalance, isUnconnected } from './balance.ts';
import { findComponents } from './behaviour/components.ts';
import { FamilySink, guarded, type Sink, sections } from './behaviour/equations.ts';
import { findMachines, translateMachines } from './behaviour/machines.ts';
import { findVisuals } from './behaviour/visuals.ts';
import { findAssigned } from './behaviour/whens.ts';
import { discretised } from './clocks/discretised.ts';
import { partition } from './clocks/partitions.ts';
import { checkConnectors } from './connections/balanced.ts';
import { Connections } from './connections/connections.ts';
import { resting } from './connections/resting.ts';
import { checkStreams } from './connections/streams.ts';
import { type ConnectionAnswers, FlatBuilder } from './core/context.ts';
import type { Simple } from './core/values.ts';
import { withoutCycles } from './cycles.ts';
import { experimentOf } from './experiment.ts';
import { bindingOf } from './expressions/bindings.ts';
import { withoutEvents } from './expressions/eventless.ts';
import { KeptMembers } from './expressions/kept.ts';
import { instanceValue } from './expressions/references.ts';
import { streamAttributes } from './expressions/streams.ts';
import type { FlatEquation, FlatMachine, FlatModel, FlatUnclocked, FlatVariable } from './flat.ts';
import { variousIn, writeOut } from './uniformity.ts';
import { checkUnits } from './units/causes.ts';

export interface Flattening {
  /** Present unless an error was found; a model that is unbalanced, and nothing else, is present. */
  readonly model: FlatModel | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** What a translation leads to: its result, or arrays to write out before the next. */
type Outcome =
  | { readonly kind: 'result'; readonly result: Flattening }
  /** Expandable connectors have new members. */
  | { readonly kind: 'expanded' }
  /** There are clocks, and operands were left out that may have one. */
  | { readonly kind: 'shortened' }
  /** What equations ask about connections. */
  | { readonly kind: 'asked'; readonly answers: ConnectionAnswers; readonly pool: Pool }
  | {
      readonly kind: 'various';
      readonly arrays: readonly ObjectInstance[];
      /** What counts if the next translation finds errors, too: it is said of arrays rather than of each of their elements. */
      readonly failed?: Flattening;
    };

/** `builtIns` is the code that classes may name, `externals` what computes external functions. */
export function flatten(
  root: ObjectInstance,
  library: Library,
  builtIns: readonly (BuiltIn | BuiltInPart)[] = [],
  externals: Externals = {},
): Flattening {
  writeOut(root, variousIn(root));
  const problems: Diagnostic[] = [];
  let failed: Flattening | undefined;
  let isFirst = true;
  let isVerbatim = false;
  let asked: Extract<Outcome, { kind: 'asked' }> | undefined;
  for (;;) {
    const builder = new FlatBuilder(library, builtIns, externals, asked?.answers, asked?.pool);
    builder.verbatim = isVerbatim;
    const outcome: Outcome = translated(builder, root, problems);
    asked = outcome.kind === 'asked' ? outcome : undefined;
    if (outcome.kind === 'shortened') isVerbatim = true;
    if (outcome.kind === 'asked' || outcome.kind === 'expanded' || outcome.kind === 'shortened') continue;
    if (outcome.kind === 'result') return outcome.result.model ? outcome.result : (failed ?? outcome.result);
    failed = outcome.failed ?? failed;
    // Where elements that were written out show others, or mistakes remain, nothing is taken for uniform any more.
    writeOut(root, isFirst ? outcome.arrays : undefined);
    isFirst = false;
  }
}

function translated(builder: FlatBuilder, root: ObjectInstance, problems: Diagnostic[]): Outcome {
  const { families, library } = builder;
  builder.name = root.class.path;
  declareVariables(builder, root);
  const machines = findMachines(builder, root);
  findAssigned(builder, root);
  checkStreams(builder);
  checkConnectors(builder, root);
  const connections = new Connections(builder);
  const sink: Sink = { equations: [], initialEquations: [], connections };
  const bindings = new FamilySink(builder, sink.equations);
  for (const instance of builder.instances) bindings.add(instance, bindingEquation(builder, instance));
  bindings.finish();
  const kept = new KeptMembers(builder);
  const assertions = new FamilySink(builder, sink.equations);
  for (const instance of builder.instances) {
    const own = kept.assertions(instance);
    if (own.length > 0) assertions.add(instance, guarded(builder.guardOf(instance), own));
  }
  assertions.finish();
  sections(builder, root, sink);
  if (connections.expansion.apply()) return { kind: 'expanded' };
  if (builder.clocks.any && builder.isShortened) return { kind: 'shortened' };
  const isVarious = families.various.size > 0 || (builder.clocks.any && families.size > 0);
  if (builder.asksForConnections && !isVarious) {
    const answers = connections.answers();
    if (!builder.answers) return { kind: 'asked', answers, pool: builder.pool };
    checkAnswers(builder, builder.answers, answers);
  }
  const coded = findComponents(builder, root);
  const components = [...coded.components, ...builder.components];
  const agreed = connections.agreements();
  const looking = [...builder.looking, ...agreed].flatMap(({ guard, equation }) =>
    guarded(guard, [equation]),
  );
  const sets = connections.sets();
  const given = [...sink.equations, ...connections.equations(sets), ...coded.equations, ...looking];
  const written = resting(builder, given);
  // The elements of an array may be on different clocks.
  if (builder.clocks.any && families.size > 0) return { kind: 'various', arrays: families.arrays };
  if (families.various.size > 0) {
    // Attributes may show others.
    flatVariables(builder);
    return { kind: 'various', arrays: [...families.various] };
  }
  const allMachines = translateMachines(builder, machines);
  const unclocked = builder.clocks.any
    ? unclockedOf(builder, written, sink.initialEquations, allMachines)
    : undefined;
  const stepped = discretised(builder, written, sink.initialEquations, allMachines);
  const partitioned = partition(builder, stepped.equations, stepped.initialEquations, allMachines);
  const { equations, clocks, clocked, idle } = partitioned;
  checkDiscrete(builder, clocked);
  const all = streamAttributes(builder, [...flatVariables(builder), ...builder.added]);
  const declared = all.map((variable, symbol): FlatVariable => {
    if (idle.has(symbol))
      return { ...variable, variability: 'constant', binding: builder.pool.zero, hidden: true };
    if (!clocked.has(symbol)) return variable;
    const { engine: _, ...own } = variable;
    return { ...own, variability: 'discrete' };
  });
  // Whoever asks an array for its elements writes it out.
  const various = families.arrays.filter((array) => !array.template || families.various.has(array));
  if (various.length > 0) return { kind: 'various', arrays: various };
  // Instantiation has reported what it looked into itself, and warnings of it are reported once.
  problems.push(...library.takeProblems(), ...library.packageProblems().filter(isError));
  const { variables, diagnostics: cycles } = withoutCycles(builder, declared);
  const unseen = builder.diagnostics.some(isError) ? [] : withoutEvents(builder, equations);
  const found = [...problems, ...builder.diagnostics, ...builder.aside, ...cycles, ...unseen];
  const diagnostics = toldOnce(found.map((problem) => withGivenSizes(builder, problem)));
  const isWrong = diagnostics.some(isError);
  const visuals = findVisuals(builder, root);
  const model: FlatModel = {
    name: root.class.path,
    description: root.description,
    pool: builder.pool,
    variables,
    equations,
    initialEquations: stepped.initialEquations,
    functions: builder.functions,
    conditions: builder.conditions,
    machines: partitioned.machines,
    clocks,
    components,
    ...(visuals.length > 0 && { visuals }),
    experiment: experimentOf(root.class),
    iterators: builder.iterators,
    ...(unclocked && { unclocked }),
  };
  const balance = isWrong
    ? []
    : checkBalance(model, root, builder.instances, { equations: sink.equations, sets });
  const unconnected = balance.find(isUnconnected);
  const result: Flattening = isWrong
    ? { model: undefined, diagnostics }
    : {
        model: { ...model, ...(unconnected && { unconnected }) },
        diagnostics: [...diagnostics, ...balance, ...checkUnits(builder, model)],
      };
  // Mistakes in gathered components are reported of each, by its name.
  const gathered = families.arrays.filter(({ names }) => names);
  if (gathered.length > 0 && result.diagnostics.some(isError)) return { kind: 'various', arrays: gathered };
  // What is wrong with a family may be right for each of its elements; a name that does not exist is not.
  const isFinal = builder.conclusive || diagnostics.some(({ code }) => code === 'unknown-name');
  if (isWrong && families.size > 0 && !isFinal)
    return { kind: 'various', arrays: families.arrays, failed: result };
  return { kind: 'result', result };
}

/** A mistake in a class is met in each of its components: where the message names none of them, one is enough. */
function toldOnce(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const told = new Map<string, Diagnostic>();
  for (const one of diagnostics) {
    const { code, message, span } = one;
    const key = [code, message, span?.source.name, span?.start, span?.end].join('\n');
    if (!told.has(key)) told.set(key, one);
  }
  return [...told.values()];
}

/** A Real that is declared `discrete` is assigned in when-clauses, not by its declaration (section 4.4.4). */
function checkDiscrete(builder: FlatBuilder, clocked: ReadonlySet<number>): void {
  for (const [symbol, { type, variability, causality, binding, path }] of builder.instances.entries()) {
    if (type !== 'Real' || variability !== 'discrete' || causality === 'input') continue;
    if (!binding || clocked.has(symbol)) continue;
    const message = `\`${path}\` is declared \`discrete\`: a declaration cannot give it a value.`;
    const hint = 'Assign it in a when-clause, or declare it without `discrete`.';
    builder.reportAt('variability', message, { span: binding.span, hint });
  }
}

/** What was answered must still be true with the connections that followed from the answers. */
function checkAnswers(builder: FlatBuilder, before: ConnectionAnswers, now: ConnectionAnswers): void {
  const nodes = [...before.rootedness].filter(
    ([node, { isRoot }]) => now.rootedness.get(node)?.isRoot !== isRoot,
  );
  const named = [...before.cardinality].filter(([connector, own]) => now.cardinality.get(connector) !== own);
  const [changed] = [...nodes, ...named];
  if (!changed) return;
  const message = `The connections of \`${changed[0].path}\` depend on what they are asked for.`;
  builder.reportAt('bad-graph', message, {
    span: changed[0].span,
    hint: 'Write connects and `Connections.…` outside of if-equations that ask for `cardinality`, `isRoot` or `rooted`.',
  });
}

const isError = ({ severity }: Diagnostic): boolean => severity === 'error';

function unclockedOf(
  { instances, clocks: notes, ticks }: FlatBuilder,
  equations: readonly FlatEquation[],
  initialEquations: readonly FlatEquation[],
  machines: readonly FlatMachine[],
): FlatUnclocked {
  const clocks = [...instances.keys()].filter((symbol) => instances[symbol]!.type === 'Clock');
  return {
    equations,
    initialEquations,
    machines,
    notes,
    ticks,
    clocks: new Set(clocks),
    declared: instances.length,
  };
}

/** Sizes that do not fit where arrays are used may follow from values that were given from outside. */
function withGivenSizes({ instances }: FlatBuilder, problem: Diagnostic): Diagnostic {
  if (problem.code !== 'dimension-mismatch') return problem;
  const given = instances.filter(
    ({ dims, resizable, binding }) => dims.length > 0 && resizable && binding?.outside,
  );
  const notes = given.flatMap(({ path, dims, binding }) =>
    binding!.span === problem.span
      ? []
      : [{ message: `\`${path}\` has sizes ${dimsName(dims)} by the value given here`, span: binding!.span }],
  );
  return notes.length > 0 ? { ...problem, notes: [...problem.notes, ...notes] } : problem;
}

/** `Real x = e` of a variable that is neither parameter nor constant. */
function bindingEquation(builder: FlatBuilder, instance: VariableInstance): FlatEquation[] {
  if (instance.variability === 'constant' || instance.variability === 'parameter') return [];
  const binding = bindingOf(builder, instance);
  if (!binding) return [];
  const left = (instanceValue(builder, instance) as Simple).expr;
  const origin = { span: instance.binding?.span ?? instance.span, component: instance.parent?.path ?? '' };
  return [
    ...guarded(builder.guardOf(instance), [
      { kind: 'equal', left, right: binding.expr, dims: instance.dims, origin },
    ]),
  ];
}
