/**
 * An interpreter of clocked state machines (Modelica 3.6, chapter 17), for comparison: it goes through the states tick by tick, as
 * the words of the specification say, and knows no equations.
 */

export interface State {
  /** What the state does at a tick. */
  readonly run?: () => void;
  readonly machines?: readonly Machine[];
  /** Gives the variables of the state their start values. */
  readonly reset?: () => void;
}

export interface Transition {
  readonly from: number;
  readonly to: number;
  /** Given the number of ticks for which the state has been active. */
  readonly condition: (ticks: number) => boolean;
  readonly immediate?: boolean;
  readonly reset?: boolean;
  readonly priority?: number;
}

/** The first state is the initial one. */
export interface Machine {
  readonly states: readonly State[];
  readonly transitions: readonly Transition[];
  memory?: Memory;
}

interface Memory {
  state: number;
  ticks: number;
  /** States that begin anew when they are active for the next time. */
  readonly pending: boolean[];
  /** The delayed transition that is due at the next tick, or -1. */
  due: number;
}

/** Runs a machine from its first tick on; `look` gives what is compared after each tick, `before` comes before it. */
export function play(
  machine: Machine,
  ticks: number,
  look: () => number[],
  before: () => void = () => {},
): number[][] {
  return Array.from({ length: ticks }, (_, k) => {
    before();
    const after: (() => void)[] = [];
    tick(machine, k === 0, k === 0, after);
    for (const work of after) work();
    return look();
  });
}

/** One tick of a machine; conditions of delayed transitions are looked at when the whole tick is over. */
function tick(machine: Machine, reset: boolean, entered: boolean, after: (() => void)[]): void {
  const { states, transitions } = machine;
  machine.memory ??= { state: 0, ticks: 0, pending: states.map(() => false), due: -1 };
  const { memory } = machine;
  const priority = (i: number) => transitions[i]!.priority ?? 1;
  const order = [...transitions.keys()].sort((a, b) => priority(a) - priority(b));
  const selected = reset ? 0 : memory.state;
  const fires = (i: number): boolean => {
    const { from, immediate = true, condition } = transitions[i]!;
    return immediate ? from === selected && condition(memory.ticks + 1) : memory.due === i;
  };
  const fired = reset ? undefined : order.find(fires);
  memory.state = fired === undefined ? selected : transitions[fired]!.to;
  if (reset) memory.pending.fill(true);
  const arrives = entered || reset || fired !== undefined;
  memory.ticks = arrives ? 1 : memory.ticks + 1;
  const state = states[memory.state]!;
  const anew = memory.pending[memory.state]! || (fired !== undefined && (transitions[fired]!.reset ?? true));
  memory.pending[memory.state] = false;
  if (anew) state.reset?.();
  for (const inner of state.machines ?? []) tick(inner, anew, arrives, after);
  state.run?.();
  after.push(() => {
    const isDue = (i: number): boolean => {
      const { from, immediate = true, condition } = transitions[i]!;
      return !immediate && from === memory.state && condition(memory.ticks);
    };
    memory.due = order.find(isDue) ?? -1;
  });
}
