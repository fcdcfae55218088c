/** What a model does at events besides its equations: new values of states, assertions, the end of the run. */

import { type Diagnostic, error, warning } from '../../diagnostic/diagnostic.ts';
import { Failure } from '../../diagnostic/failure.ts';
import type { Origin } from '../../flat/flat.ts';
import { aliasOf } from '../../structure/analysis.ts';
import type { RunValues } from '../evaluation.ts';
import type { ArmedAction, ReadyMode } from '../ready.ts';
import type { ResetValue } from '../values/reset.ts';
import type { Wording } from '../wording.ts';

/** A new value for something that is no state. */
export function withoutEffect(wording: Wording, symbol: number, { span }: Origin): Diagnostic {
  const message = `reinit has no effect on ${wording.nameOf(symbol)}: equations determine it, it is not a state.`;
  const hint = 'Give a new value to a variable whose derivative appears in the model.';
  return error('bad-call', message, { span, hint });
}

/** A new value for a variable, and who asks for it. */
export interface Order {
  readonly target: number;
  readonly value: number;
  readonly origin: Origin;
}

type Assertion = ArmedAction['action'] & { kind: 'assert' };
type Termination = ArmedAction['action'] & { kind: 'terminate' };

export class Actions {
  /** Set when the model asked for the end of the run. */
  terminated = false;
  /** What was set since conditions could become true. */
  private readonly performed = new Set<ArmedAction['action']>();
  /** Places of assertions that were violated already: a warning is told once. */
  private readonly warned = new Set<string>();

  constructor(
    private readonly values: RunValues,
    private readonly wording: Wording,
    private readonly diagnostics: Diagnostic[],
  ) {}

  /** What `reinit` asks for in a mode, once until conditions can become true again. `wishes` are what transitions are about to set. */
  orders(mode: ReadyMode, wishes: readonly Order[]): readonly Order[] {
    const { values } = this.values.memory;
    const orders: Order[] = [];
    for (const { action, fire, value } of mode.actions) {
      if (action.kind !== 'reinit' || (fire !== undefined && values[fire] === 0)) continue;
      if (this.performed.has(action)) continue;
      this.performed.add(action);
      orders.push({ target: action.target, value: values[value!]!, origin: action.origin });
    }
    if (orders.length > 0) this.checkUnique(mode, [...orders, ...wishes]);
    return orders;
  }

  /** Sets new values in a mode. */
  set(mode: ReadyMode, orders: readonly Order[]): readonly ResetValue[] {
    return orders.map((order) => this.setOne(mode, order));
  }

  /** Whether all of these are values of states of a mode. */
  canSet(mode: ReadyMode, orders: readonly Order[]): boolean {
    return orders.every((order) => isState(mode, this.settingOf(mode, order).own));
  }

  /** Conditions can become true again: their values are those of before from now on. */
  renew(): void {
    this.performed.clear();
  }

  /** Checks the assertions that are due in a mode, and ends the run where it asks for that. */
  perform(mode: ReadyMode, stage: 'initialise' | 'simulate'): void {
    const { values } = this.values.memory;
    for (const { action, fire, value } of mode.actions) {
      if (fire !== undefined && values[fire] === 0) continue;
      if (action.kind === 'assert' && values[value!] === 0) this.violated(action, stage);
      if (action.kind === 'terminate') this.terminate(action);
    }
  }

  /** Two values for one variable would lose one of them: two impacts on a body at the same instant, for example. */
  checkUnique(mode: ReadyMode, orders: readonly Order[]): void {
    const known = new Map<number, ResetValue>();
    for (const order of orders) {
      const setting = this.settingOf(mode, order);
      const first = known.get(setting.own);
      known.set(setting.own, setting);
      if (!first || first.value === setting.value) continue;
      const name = this.wording.nameOf(setting.symbol);
      const message = `${name} gets two values from reinit at time ${this.values.time}: ${first.value} and ${setting.value}.`;
      const { span } = first.origin;
      throw Failure.of('simulate', 'bad-call', message, {
        span: setting.origin.span,
        notes: [{ message: 'the other value comes from here', ...(span && { span }) }],
        hint: 'Let one when-clause or transition set the variable for both causes, or let one of them wait for the next iteration.',
      });
    }
  }

  /** Assertions that hold at all times, at the point the memory is at. */
  checkAssertions(mode: ReadyMode): void {
    for (const { action, fire } of mode.actions) {
      if (action.kind !== 'assert' || fire !== undefined) continue;
      if (this.values.evaluate(action.condition) === 0) this.violated(action, 'simulate');
    }
  }

  private setOne(mode: ReadyMode, order: Order): ResetValue {
    const setting = this.settingOf(mode, order);
    this.values.setVariable(order.target, order.value);
    if (!isState(mode, setting.own))
      throw new Failure('simulate', [withoutEffect(this.wording, order.target, order.origin)]);
    this.values.setVariable(setting.own, setting.value);
    return setting;
  }

  private settingOf({ sorted }: ReadyMode, { target, value, origin }: Order): ResetValue {
    const alias = aliasOf(sorted.aliases, target);
    return { symbol: target, own: alias?.target ?? target, value: (alias?.sign ?? 1) * value, origin };
  }

  private violated(action: Assertion, stage: 'initialise' | 'simulate'): void {
    if (action.level === 'end') {
      this.terminate(action);
      return;
    }
    const message = `At time ${this.values.time}: ${this.values.text(action.message)}`;
    const options = { span: action.origin.span };
    if (action.level === 'error') throw Failure.of(stage, 'assertion', message, options);
    if (!this.isTold(action)) this.diagnostics.push(warning('assertion', message, options));
  }

  private terminate(action: Termination | Assertion): void {
    this.terminated = true;
    if (this.isTold(action)) return;
    const message = `The model ended the simulation at time ${this.values.time}: ${this.values.text(action.message)}`;
    this.diagnostics.push(warning('terminated', message, { span: action.origin.span }));
  }

  /** Whether something of an action was told before. */
  private isTold({ origin }: Termination | Assertion): boolean {
    const place = `${origin.component} ${origin.span?.start}`;
    if (this.warned.has(place)) return true;
    this.warned.add(place);
    return false;
  }
}

/** Whether the derivative of a variable appears in a mode. */
function isState({ sorted }: ReadyMode, symbol: number): boolean {
  return sorted.variables.some((v) => v.symbol === symbol && v.d > 0);
}
