/**
 * Flattening: an instance tree becomes a `FlatModel`. Variables get their symbols first, then the Real variables that
 * when-equations make discrete are found, then equations, connections and attributes are translated. Declaration
 * equations of variables that are neither parameters nor constants become equations.
 *
 * Arrays of components are taken for uniform (`flat/core/families.ts`) until something shows that they are not; then they are written out,
 * and the translation begins anew.
 */
import type { BuiltIn } from '../builtin/component.ts';
import type { Diagnostic } from '../diagnostic/diagnostic.ts';
import type { Instance, ObjectInstance, VariableInstance } from '../model/instance.ts';
import type { Library } from '../model/library.ts';
import { declareVariables, flatVariables } from './attributes.ts';
import { checkBalance } from './balance.ts';
import { findComponents } from './behaviour/components.ts';
import { FamilySink, guarded, type Sink, sections } from './behaviour/equations.ts';
import { findMachines, translateMachines } from './behaviour/machines.ts';
import { findAssigned } from './behaviour/whens.ts';
import { partition } from './clocks/partitions.ts';
import { Connections } from './connections/connections.ts';
import { FlatBuilder } from './core/context.ts';
import { NotUniform, partsOf } from './core/families.ts';
import { dimsName, type Simple } from './core/values.ts';
import { bindingCycles } from './cycles.ts';
import { experimentOf } from './experiment.ts';
import { bindingOf } from './expressions/bindings.ts';
import { instanceValue } from './expressions/references.ts';
import type { FlatEquation, FlatMachine, FlatModel, FlatUnclocked, FlatVariable } from './flat.ts';
import { checkUnits } from './units/causes.ts';

export interface Flattening {
  /** Present unless an error was found; a model that is unbalanced, and nothing else, is present. */
  readonly model: FlatModel | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** Translations that may find out that some arrays are not uniform; after these all arrays are written out. */
const mostAttempts = 4;

/** `builtIns` is the code that classes may name. */
export function flatten(
  root: ObjectInstance,
  library: Library,
  builtIns: readonly BuiltIn[] = [],
): Flattening {
  let failed: Flattening | undefined;
  for (let attempt = 1; ; attempt++) {
    const builder = new FlatBuilder(library);
    try {
      const result = translated(builder, root, library, builtIns);
      // Whoever asks an array for its elements writes it out.
      const various = builder.families.arrays.filter(({ template }) => !template);
      if (various.length > 0) throw new NotUniform(various);
      // Mistakes in gathered components are told of each, by its name.
      const gathered = builder.families.arrays.filter(({ names }) => names);
      if (gathered.length > 0 && result.diagnostics.some(({ severity }) => severity === 'error'))
        throw new NotUniform(gathered);
      if (result.model || builder.families.size === 0 || builder.conclusive)
        return result.model ? result : (failed ?? result);
      // What is wrong with a family may be right for each of its elements.
      failed = result;
      builder.forget();
      writeOutAll(root);
    } catch (thrown) {
      if (!(thrown instanceof NotUniform)) throw thrown;
      builder.forget();
      if (attempt >= mostAttempts) writeOutAll(root);
      else writeOutLike(thrown.arrays, builder.families.arrays);
    }
  }
}

/** Writes out arrays, and those that have the same declarations: they will not be uniform either. */
function writeOutLike(arrays: readonly ObjectInstance[], all: readonly ObjectInstance[]): void {
  const spans = new Set(arrays.map(({ span }) => `${span.source.name} ${span.start}`));
  for (const array of all) if (spans.has(`${array.span.source.name} ${array.span.start}`)) array.writeOut();
}

function writeOutAll(root: ObjectInstance): void {
  const stack: Instance[] = [root];
  for (let next = stack.pop(); next; next = stack.pop()) {
    if (next.kind === 'variable') continue;
    next.writeOut();
    stack.push(...partsOf(next));
  }
}

function translated(
  builder: FlatBuilder,
  root: ObjectInstance,
  library: Library,
  builtIns: readonly BuiltIn[],
): Flattening {
  declareVariables(builder, root);
  const machines = findMachines(builder, root);
  findAssigned(builder, root);
  const connections = new Connections(builder);
  const sink: Sink = { equations: [], initialEquations: [], connections };
  const bindings = new FamilySink(builder, sink.equations);
  for (const instance of builder.instances) bindings.add(instance, bindingEquation(builder, instance));
  bindings.finish();
  sections(builder, root, sink);
  const components = findComponents(builder, root, builtIns);
  const written = [...sink.equations, ...connections.equations()];
  // The elements of an array may be on different clocks.
  if (builder.clocks.any && builder.families.size > 0) throw new NotUniform(builder.families.arrays);
  const allMachines = translateMachines(builder, machines);
  const unclocked = builder.clocks.any ? unclockedOf(builder, written, allMachines) : undefined;
  const partitioned = partition(builder, written, sink.initialEquations, allMachines);
  const { equations, clocks, clocked, idle } = partitioned;
  const variables = [...flatVariables(builder), ...builder.added].map((variable, symbol): FlatVariable => {
    if (idle.has(symbol))
      return { ...variable, variability: 'constant', binding: builder.pool.zero, hidden: true };
    if (!clocked.has(symbol)) return variable;
    const { engine: _, ...own } = variable;
    return { ...own, variability: 'discrete' };
  });
  const found = [...library.takeProblems(), ...builder.diagnostics, ...bindingCycles(variables)];
  const diagnostics = found.map((problem) => withGivenSizes(builder, problem));
  const model: FlatModel = {
    name: root.class.path,
    description: root.description,
    pool: builder.pool,
    variables,
    equations,
    initialEquations: sink.initialEquations,
    functions: builder.functions,
    conditions: builder.conditions,
    machines: partitioned.machines,
    clocks,
    components,
    experiment: experimentOf(root.class),
    iterators: builder.iterators,
    ...(unclocked && { unclocked }),
  };
  if (diagnostics.some((d) => d.severity === 'error')) return { model: undefined, diagnostics };
  return {
    model,
    diagnostics: [...diagnostics, ...checkBalance(model, root), ...checkUnits(builder, model)],
  };
}

function unclockedOf(
  { instances, clocks: notes, ticks }: FlatBuilder,
  equations: readonly FlatEquation[],
  machines: readonly FlatMachine[],
): FlatUnclocked {
  const clocks = [...instances.keys()].filter((symbol) => instances[symbol]!.type === 'Clock');
  return { equations, machines, notes, ticks, clocks: new Set(clocks), declared: instances.length };
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
