/**
 * Built-in components in the scalar model. An output on which no input acts directly is an equation `y = $y` with a scalar that the
 * component sets before anything else is computed. Any other output is `y = f($y, u, …)`: a call of the component with the inputs that act
 * on it, where `$y` stands for its states. Neither has a derivative: `$y` is of the kind `external`. Of a stepped output, `$y` is a flag.
 */
import type { FlatComponent, FlatModel } from '../flat/flat.ts';
import type { Expr } from '../symbolic/expr.ts';
import type { FunctionDef, FunctionLocal } from '../symbolic/function.ts';
import { markLowered } from '../symbolic/lower.ts';
import { auxiliary } from './events.ts';
import type { Component, ComponentOutput } from './guarded.ts';
import { definition, type ScalarSink } from './sink.ts';

/** What lowering of components adds to. */
export interface ComponentSink extends ScalarSink {
  /** Code of components that expressions call; numbers go on after those of the flat model. */
  readonly calls: FunctionDef[];
  readonly firstCall: number;
}

/** Symbols of array parameters of components: where nothing else uses them, they need no scalars. */
export function dataOf({ components, variables }: FlatModel): Set<number> {
  const symbols = new Set<number>();
  for (const { parameters } of components) {
    for (const symbol of parameters.values()) {
      const { dims, within, type, binding, fixed } = variables[symbol]!;
      if (dims.length > 0 && !within && type !== 'String' && binding && fixed !== false) symbols.add(symbol);
    }
  }
  return symbols;
}

/** Adds the equations of the outputs; `index` is the component's number. */
export function lowerComponent(
  sink: ComponentSink,
  flat: FlatComponent,
  index: number,
): Omit<Component, 'parameters'> {
  const { builtIn, guard, origin } = flat;
  const inputs = flat.inputs.map((port) => sink.elements(port.value, origin));
  const read = (names: readonly string[]): Expr[] =>
    flat.inputs.flatMap((port, k) => (names.includes(port.name) ? inputs[k]! : []));
  let start = 0;
  const outputs = flat.outputs.map((port, k): ComponentOutput => {
    const direct = read(builtIn.outputs?.[port.name] ?? []);
    const variables = sink.elements(port.value, origin);
    const first = sink.equations.length;
    const values =
      direct.length === 0
        ? variables.map(() => external(sink, flat, builtIn.stepped?.includes(port.name)))
        : called(sink, flat, { component: index, output: k }, direct, variables.length);
    for (const [e, left] of variables.entries())
      sink.equations.push(
        left.kind === 'ref'
          ? definition(sink, left.symbol, values[e]!, guard, origin)
          : { guard, left, right: values[e]!, assigns: undefined, origin },
      );
    const symbols = values.flatMap((value) => (value.kind === 'ref' ? [value.symbol] : []));
    const ticket = values[0]?.kind === 'call' ? (values[0].args[0] as { symbol: number }).symbol : undefined;
    start += variables.length;
    return {
      start: start - variables.length,
      length: variables.length,
      symbols: ticket === undefined ? symbols : [ticket],
      direct: direct.length > 0,
      firstEquation: first,
    };
  });
  return { flat, inputs: inputs.flat(), outputs };
}

function external(sink: ComponentSink, flat: FlatComponent, stepped = false): Expr {
  const owner = flat.path === '' ? flat.builtIn.name : flat.path;
  const kind = stepped ? 'flag' : 'external';
  return sink.pool.ref(sink.addScalar(auxiliary(`the built-in component ${owner}`, kind, 'Real')));
}

/** All elements of an output as results of one call. */
function called(
  sink: ComponentSink,
  flat: FlatComponent,
  code: { readonly component: number; readonly output: number },
  direct: readonly Expr[],
  length: number,
): Expr[] {
  const local = (name: string, type: FunctionLocal['type'], dims: readonly number[]): FunctionLocal => ({
    name,
    type,
    dims,
    initial: undefined,
  });
  const fn = sink.firstCall + sink.calls.length;
  sink.calls.push(
    markLowered({
      name: flat.builtIn.name,
      locals: [
        local('states', 'Integer', []),
        local('u', 'Real', [direct.length]),
        local('y', 'Real', [length]),
      ],
      inputs: 2,
      outputs: 1,
      body: [],
      external: { kind: 'component', ...code, derivative: false },
      span: flat.origin.span,
    }),
  );
  const args = [external(sink, flat), ...direct];
  return Array.from({ length }, (_, k) => sink.pool.call(fn, args, k));
}
