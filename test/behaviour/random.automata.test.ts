/** A law of clocked state machines: random ones, two levels deep, do what an interpreter of the specification does. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Machine, play, type State, type Transition } from '../simulate/interpreter.ts';
import { sameWhenPrinted } from './printed.ts';
import { cases, law, patience, succeed } from './random.ts';

const ticks = 40;

/** What a condition asks for: the ticks in the state, the ticks of the run, or (delayed only) the shared variable. */
interface Arrow {
  readonly from: number;
  readonly to: number;
  readonly on: 'inState' | 'run' | 'shared';
  readonly n: number;
  readonly immediate: boolean;
  readonly reset: boolean;
}

/** States that count by `step`; those of the first machine inside, and of the outer one, also move the shared variable. */
interface Design {
  readonly steps: readonly number[];
  readonly arrows: readonly Arrow[];
}

interface Nested {
  readonly outer: Design;
  /** Machines inside the first state. */
  readonly inner: readonly Design[];
}

const design = (states: number): fc.Arbitrary<Design> =>
  fc.record({
    steps: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: states, maxLength: states }),
    arrows: fc.array(
      fc.record({
        from: fc.nat(states - 1),
        to: fc.nat(states - 1),
        on: fc.constantFrom('inState', 'run', 'shared'),
        n: fc.integer({ min: 2, max: 5 }),
        immediate: fc.boolean(),
        reset: fc.boolean(),
      }),
      { minLength: 1, maxLength: 5 },
    ),
  });

const nested: fc.Arbitrary<Nested> = fc.record({
  outer: fc.integer({ min: 2, max: 3 }).chain(design),
  inner: fc.array(fc.integer({ min: 2, max: 3 }).chain(design), { minLength: 0, maxLength: 2 }),
});

const isImmediate = ({ immediate, on }: Arrow): boolean => immediate && on !== 'shared';

// ---------------------------------------------------------------- as text

function machineText(prefix: string, { steps, arrows }: Design, shares: boolean, first = ''): string {
  const declared = steps.map((step, k) =>
    k === 0 && first
      ? `${first} ${prefix}0;`
      : `${shares ? 'Shared' : 'Alone'} ${prefix}${k}(step = ${step});`,
  );
  const condition = ({ on, n }: Arrow) =>
    on === 'inState' ? `ticksInState() >= ${n}` : `mod(${on === 'run' ? 'run' : 'v'}, ${n}) == 1`;
  const lines = arrows.map(
    (a, i) =>
      `transition(${prefix}${a.from}, ${prefix}${a.to}, ${condition(a)}, immediate = ${isImmediate(a)}, reset = ${a.reset}, priority = ${i + 1});`,
  );
  const others = steps.slice(1).map((_, k) => k + 1);
  // A state that no transition names is no state: name all of them, by transitions that never fire.
  const never = others.map(
    (k) =>
      `transition(${prefix}${k}, ${prefix}0, run < 0, immediate = false, priority = ${arrows.length + 1});`,
  );
  return [...declared, 'equation', `initialState(${prefix}0);`, ...lines, ...never].join('\n');
}

const modelOf = ({ outer, inner }: Nested): string => `model M
  inner Integer run(start = 0);
  inner Integer v(start = 0);
  block Alone
    parameter Integer step;
    Integer k(start = 1);
  equation
    k = previous(k) + step;
  end Alone;
  block Shared
    parameter Integer step;
    outer output Integer v;
    Integer k(start = 1);
  equation
    k = previous(k) + step;
    v = previous(v) + step;
  end Shared;
  block Around
    outer input Integer run;
    inner outer output Integer v;
    Integer k(start = 1);
    ${inner.map((machine, k) => machineText(`m${k}s`, machine, k === 0)).join('\npublic\n')}
  equation
    k = previous(k) + 1;
  end Around;
  ${machineText('s', outer, true, 'Around')}
equation
  when Clock(1, 1) then
    run = previous(run) + 1;
  end when;
end M;`;

// ---------------------------------------------------------------- as it should be

function interpreted({ outer, inner }: Nested): { names: string[]; rows: number[][] } {
  const names: string[] = ['v'];
  const values: number[] = [0];
  let run = 0;
  const stateOf = (name: string, step: number, shares: boolean, machines: readonly Machine[] = []): State => {
    const at = names.push(`${name}.k`) - 1;
    values[at] = 1;
    return {
      machines,
      run: () => {
        values[at]! += step;
        if (shares) values[0]! += step;
      },
      reset: () => {
        values[at] = 1;
      },
    };
  };
  const transitionsOf = ({ steps, arrows }: Design): Transition[] => [
    ...arrows.map((arrow, i): Transition => {
      const { from, to, on, n, reset } = arrow;
      const condition = (count: number) =>
        on === 'inState' ? count >= n : (((on === 'run' ? run : values[0]!) % n) + n) % n === 1;
      return { from, to, reset, immediate: isImmediate(arrow), priority: i + 1, condition };
    }),
    ...steps.slice(1).map((_, k): Transition => ({ from: k + 1, to: 0, condition: () => false })),
  ];
  const machineOf = (
    prefix: string,
    machine: Design,
    shares: boolean,
    inside?: readonly Machine[],
  ): Machine => ({
    states: machine.steps.map((step, k) =>
      stateOf(
        `${prefix}${k}`,
        k === 0 && inside ? 1 : step,
        shares && !(k === 0 && inside),
        k === 0 ? inside : [],
      ),
    ),
    transitions: transitionsOf(machine),
  });
  const inside = inner.map((machine, k) => machineOf(`s0.m${k}s`, machine, k === 0));
  const whole = machineOf('s', outer, true, inside);
  const rows = play(
    whole,
    ticks,
    () => [...values],
    () => run++,
  );
  return { names, rows };
}

describe('clocked state machines', () => {
  test(
    'two levels of random machines follow the specification',
    () =>
      law(cases(nested, modelOf), 40, async ({ text, data }) => {
        const { table } = await succeed(text, { stopTime: ticks, intervals: 1 });
        const { names, rows } = interpreted(data);
        for (const [i, name] of names.entries()) {
          const found = rows.map((_, k) => table.value(name, k + 0.5));
          expect([name, found]).toEqual([name, rows.map((row) => row[i])]);
        }
      }),
    patience,
  );

  test(
    'two levels of random machines are printed as texts that have their results',
    () => law(cases(nested, modelOf), 15, ({ text }) => sameWhenPrinted(text, ticks)),
    patience,
  );
});
