/**
 * Array parameters that only components read: they have no scalars. The components of a run may have others, in values and in sizes; where just values differ from
 * those of the run before, the signals that were declared then are taken.
 */
import { sameItems } from '../../collections/lists.ts';
import { remember } from '../../collections/memo.ts';
import { namesIn } from '../../flat/core/families.ts';
import type { FlatVariable } from '../../flat/flat.ts';
import type { Component, ComponentParameter } from '../../modes/guarded.ts';
import { numbersOf } from '../../program/components/instance.ts';
import type { LiveComponent } from '../../program/components/running.ts';
import type { TableBuilder } from '../../results/table/builder.ts';
import type { ArrayInfo } from '../../results/table/signal.ts';
import type { Shelf } from '../../results/table/store.ts';

/** Larger arrays are not stored. */
const mostElements = 10_000;

interface Data {
  readonly live: LiveComponent;
  readonly parameter: ComponentParameter;
}

export class DataSignals {
  /** What was declared last, and the signal of each; -1 of what the model knows by itself. */
  private variables: readonly FlatVariable[] = [];
  private signals: readonly number[] = [];
  /** What was given values last: what has no formulas has the same ones in the next run. */
  private parameters: readonly ComponentParameter[] = [];
  /** What parameters of the model were then. */
  private known: object | undefined;
  private declared: TableBuilder;

  constructor(private readonly model: TableBuilder) {
    this.declared = model;
  }

  /**
   * A table that begins with the signals of the model, and with the data of the components of a run; `constants` are values of signals of the model. The next one begins
   * with these, as most of them have the same values then. `known` is the same object in runs with the same parameters.
   */
  table(
    components: readonly LiveComponent[],
    constants: Iterable<readonly [signal: number, value: number]>,
    shelf: Shelf | undefined,
    known: object | undefined,
  ): TableBuilder {
    const all = components.flatMap(dataIn);
    const variables = all.map(({ parameter }) => parameter.variable);
    if (!sameItems(variables, this.variables)) {
      this.declared = this.model.copy();
      this.signals = all.map((data) => declaredIn(this.declared, data));
      this.variables = variables;
      this.parameters = [];
    }
    const { declared, signals, parameters } = this;
    const isRepeated = known !== undefined && known === this.known;
    this.known = known;
    for (const [signal, value] of constants) declared.setConstant(signal, value);
    for (let k = 0; k < all.length; k++)
      if (
        signals[k]! >= 0 &&
        (all[k]!.parameter !== parameters[k] || (!isRepeated && isComputed(all[k]!.parameter)))
      )
        declared.setConstant(signals[k]!, valuesOf(all[k]!));
    this.parameters = all.map(({ parameter }) => parameter);
    return declared.copy(shelf);
  }
}

const dataIn = (live: LiveComponent): Data[] =>
  remember(stored, live.component.parameters, () => storedIn(live.component)).map((parameter) => ({
    live,
    parameter,
  }));

/** Of the parameters of a component: those that are stored. */
const stored = new WeakMap<Component['parameters'], readonly ComponentParameter[]>();

const storedIn = ({ parameters }: Component): ComponentParameter[] =>
  [...parameters.values()].filter(
    ({ variable: { dims, type }, elements }) =>
      dims.length > 0 && elements.length <= mostElements && type !== 'String',
  );

const isComputed = ({ elements }: ComponentParameter): boolean =>
  elements.some((element) => typeof element === 'object');

const valuesOf = ({ live, parameter }: Data): Float64Array =>
  numbersOf({ elements: live.parameterValues(parameter) });

function declaredIn(table: TableBuilder, data: Data): number {
  const { variable } = data.parameter;
  const { name, dims, unit, displayUnit, description, hidden, type, literals } = variable;
  const signal = table.signalCount;
  table.declareUnlessClash({
    ...{ name, dims, ...namesIn(variable), unit, displayUnit, description, hidden },
    type: type as ArrayInfo['type'],
    ...(literals && { literals }),
    role: 'parameter',
    source: { kind: 'constant', values: valuesOf(data) },
  });
  return table.signalCount > signal ? signal : -1;
}
