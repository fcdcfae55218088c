/**
 * Inputs of components that get no value: their declarations and modifiers give none, and no equation outside of their components speaks of
 * them. Equations inside of a component use its inputs. Elements of arrays count one by one, as far as the subscripts are numbers or follow
 * from the iterators of loops.
 */
import { pulse } from '../diagnostic/pulse.ts';
import type { VariableInstance } from '../model/instance.ts';
import { leaves, nodesOf } from '../symbolic/analyse.ts';
import { evaluate } from '../symbolic/evaluate.ts';
import type { Expr } from '../symbolic/expr.ts';
import { rangeCount, rangeValues } from '../symbolic/ranges.ts';
import { elementName } from './core/families.ts';
import { count } from './core/values.ts';
import { recordWithBinding } from './expressions/bindings.ts';
import type { FlatEquation, FlatModel, FlatVariable } from './flat.ts';
import { equatedIn } from './walk.ts';

export interface UnconnectedInput {
  /** Of the variable, or of one of its elements. */
  readonly name: string;
  /** How many scalars it is. */
  readonly size: number;
  readonly instance: VariableInstance;
  /** The component that it is an input of. */
  readonly component: VariableInstance['parent'];
}

/** `instances` are the declared variables of the model, by symbol. */
export function unconnectedInputs(
  model: FlatModel,
  instances: readonly VariableInstance[],
): UnconnectedInput[] {
  const inputs = new Map<number, Input>();
  for (const [symbol, instance] of instances.entries()) {
    const variable = model.variables[symbol]!;
    if (instance.causality !== 'input' || variable.causality === 'input') continue;
    if (instance.binding || recordWithBinding(instance)) continue;
    let component = instance.parent;
    while (component?.kind === 'object' && /connector$|record$/.test(component.restriction))
      component = component.parent;
    inputs.set(symbol, { variable, instance, component, given: new Set() });
  }
  if (inputs.size > 0) markGiven(model, model.equations, inputs, new Map());
  return [...inputs.values()].flatMap(withoutValue);
}

interface Input extends Pick<UnconnectedInput, 'instance' | 'component'> {
  readonly variable: FlatVariable;
  /** Elements by their row-major numbers; those of a scalar are 0. */
  readonly given: Set<number>;
}

function withoutValue({ variable, instance, component, given }: Input): UnconnectedInput[] {
  const size = count(variable.dims);
  if (given.size === 0) return size > 0 ? [{ name: variable.name, size, instance, component }] : [];
  return Array.from({ length: size }, (_, element) => element)
    .filter((element) => !given.has(element))
    .map((element) => ({ name: elementName(variable, element), size: 1, instance, component }));
}

type Iterated = ReadonlyMap<number, readonly number[]>;

function markGiven(
  model: FlatModel,
  equations: readonly FlatEquation[],
  inputs: ReadonlyMap<number, Input>,
  iterated: Iterated,
): void {
  for (const equation of equations) {
    pulse();
    if (equation.kind === 'for') {
      const values = numbersOf(equation.range, iterated);
      markGiven(
        model,
        equation.body,
        inputs,
        values ? new Map([...iterated, [equation.iterator, values]]) : iterated,
      );
    } else if (equation.kind === 'clocked') markGiven(model, equation.body, inputs, iterated);
    else if (equation.kind === 'if')
      for (const { body } of equation.branches) markGiven(model, body, inputs, iterated);
    else
      for (const node of nodesOf(...equatedIn(equation, model))) {
        const input = node.kind === 'ref' ? inputs.get(node.symbol) : undefined;
        if (node.kind !== 'ref' || !input || isInside(equation.origin.component, input)) continue;
        if (input.given.size === count(input.variable.dims)) continue;
        for (const element of elementsOf(input.variable.dims, node.subscripts, iterated))
          input.given.add(element);
      }
  }
}

function isInside(path: string, { component }: Input): boolean {
  const own = component?.path ?? '';
  return path === own || path.startsWith(`${own}.`) || path.startsWith(`${own}[`);
}

/** The elements that subscripts may choose. */
function elementsOf(dims: readonly number[], subscripts: readonly Expr[], iterated: Iterated): number[] {
  return dims.reduce<number[]>(
    (before, size, d) => {
      const subscript = subscripts[d];
      const numbers = (subscript && numbersOf(subscript, iterated)) ?? rangeValues(1, 1, size);
      return before.flatMap((start) => numbers.map((number) => start * size + number - 1));
    },
    [0],
  );
}

/** Longer ranges are taken for all that there is. */
const MOST_VALUES = 1_000_000;

/** The values of a subscript or of a range, where they follow from numbers and from at most one iterator. */
function numbersOf(expr: Expr, iterated: Iterated): readonly number[] | undefined {
  if (expr.kind === 'const') return [expr.value];
  if (expr.kind === 'apply' && expr.op === 'array') {
    const parts = expr.args.map((arg) => numbersOf(arg, iterated));
    return parts.every((part) => part !== undefined) ? parts.flat() : undefined;
  }
  if (expr.kind === 'apply' && expr.op === 'range') {
    const [first, step, last] = expr.args.map((arg) => (arg.kind === 'const' ? arg.value : Number.NaN));
    const size = rangeCount(first!, step!, last!);
    return size > 0 && size <= MOST_VALUES ? rangeValues(first!, step!, last!) : undefined;
  }
  const iterators = new Set(
    [...nodesOf(expr)].flatMap((node) => (node.kind === 'iter' ? node.iterator : [])),
  );
  const [only] = iterators;
  if (only === undefined || iterators.size > 1 || leaves(expr).length > 0) return undefined;
  return iterated.get(only)?.map((value) => evaluate(expr, () => value));
}
