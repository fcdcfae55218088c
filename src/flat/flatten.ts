/**
 * Flattening: an instance tree becomes a `FlatModel`. Variables get their symbols first, then the Real variables that
 * when-equations make discrete are found, then equations, connections and attributes are translated. Declaration
 * equations of variables that are neither parameters nor constants become equations.
 */
import type { BuiltIn } from '../builtin/component.ts';
import type { Diagnostic } from '../diagnostic/diagnostic.ts';
import type { ObjectInstance, VariableInstance } from '../model/instance.ts';
import type { Library } from '../model/library.ts';
import { declareVariables, flatVariables } from './attributes.ts';
import { checkBalance } from './balance.ts';
import { bindingOf } from './bindings.ts';
import { findComponents } from './components.ts';
import { Connections } from './connections.ts';
import { Builder } from './context.ts';
import { bindingCycles } from './cycles.ts';
import { guarded, type Sink, sections } from './equations.ts';
import { experimentOf } from './experiment.ts';
import type { FlatEquation, FlatModel, FlatVariable } from './flat.ts';
import { findMachines, translateMachines } from './machines.ts';
import { partition } from './partitions.ts';
import { findAssigned } from './whens.ts';

export interface Flattening {
  /** Present unless an error was found; a model that is unbalanced, and nothing else, is present. */
  readonly model: FlatModel | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** `builtIns` is the code that classes may name. */
export function flatten(
  root: ObjectInstance,
  library: Library,
  builtIns: readonly BuiltIn[] = [],
): Flattening {
  const builder = new Builder(library);
  declareVariables(builder, root);
  const machines = findMachines(builder, root);
  findAssigned(builder, root);
  const connections = new Connections(builder);
  const sink: Sink = { equations: [], initialEquations: [], connections };
  for (const instance of builder.instances) sink.equations.push(...bindingEquation(builder, instance));
  sections(builder, root, sink);
  const components = findComponents(builder, root, builtIns);
  const written = [...sink.equations, ...connections.equations()];
  const partitioned = partition(
    builder,
    written,
    sink.initialEquations,
    translateMachines(builder, machines),
  );
  const { equations, clocks, clocked, idle } = partitioned;
  const variables = [...flatVariables(builder), ...builder.added].map((variable, symbol): FlatVariable => {
    if (idle.has(symbol))
      return { ...variable, variability: 'constant', binding: builder.pool.zero, hidden: true };
    if (!clocked.has(symbol)) return variable;
    const { engine: _, ...own } = variable;
    return { ...own, variability: 'discrete' };
  });
  const diagnostics = [...library.takeProblems(), ...builder.diagnostics, ...bindingCycles(variables)];
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
  };
  if (diagnostics.some((d) => d.severity === 'error')) return { model: undefined, diagnostics };
  return { model, diagnostics: [...diagnostics, ...checkBalance(model, root)] };
}

/** `Real x = e` of a variable that is neither parameter nor constant. */
function bindingEquation(builder: Builder, instance: VariableInstance): FlatEquation[] {
  if (instance.variability === 'constant' || instance.variability === 'parameter') return [];
  const binding = bindingOf(builder, instance);
  if (!binding) return [];
  const left = builder.pool.ref(builder.symbols.get(instance)!);
  const origin = { span: instance.binding?.span ?? instance.span, component: instance.parent?.path ?? '' };
  return [
    ...guarded(builder.guardOf(instance), [
      { kind: 'equal', left, right: binding.expr, dims: instance.dims, origin },
    ]),
  ];
}
