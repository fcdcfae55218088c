/**
 * Laws of export: what is written of a random model, run with one structure alone, moves as the model does. Drive trains whose
 * shafts are joined and released in any order jump as conservation asks for; machines go along a random path, with and without
 * history, through states that share a variable and have some of their own.
 */
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { identifier as quoted } from '../../src/flat/print/names.ts';
import { exportModelica, loadModel, type SimulationResult } from '../../src/index.ts';
import { agree, cases, law, literal, patience, succeed, tenths } from './random.ts';

const intervals = 40;

/** Runs a model and its text; what exists in the model has the same values in both at all rows of the output. */
async function compare(text: string): Promise<SimulationResult> {
  const written = exportModelica(loadModel(text)).text;
  const model = await succeed(text, { intervals });
  const run = await succeed(written, { intervals, singleMode: true });
  if (run.modes.length !== 1) throw new Error(`the text has ${run.modes.length} modes:\n${written}`);
  const declared = model.table.names.filter((name) => !/^der\(|\.(active|entered)$/.test(name));
  for (const name of declared) {
    if (!run.table.has(quoted(name))) throw new Error(`${name} is missing in\n${written}`);
    for (let k = 0; k <= intervals; k++) {
      const time = (k * model.time) / intervals;
      const expected = model.table.value(name, time);
      if (Number.isNaN(expected)) continue;
      agree(run.table.value(quoted(name), time), expected, 2e-6, `${name} at ${time} in\n${written}`);
    }
  }
  return run;
}

// ---------------------------------------------------------------- drive trains

interface Train {
  readonly shafts: readonly { readonly j: number; readonly k: number; readonly w: number }[];
  /** Between neighbours: when they are joined, and the ratio of their speeds. */
  readonly clutches: readonly { readonly from: number; readonly to: number; readonly ratio: number }[];
  readonly condition: 'boolean' | 'relation' | 'latch';
}

const train: fc.Arbitrary<Train> = fc.record({
  shafts: fc.array(fc.record({ j: tenths(0.5, 3), k: tenths(0, 1), w: tenths(-5, 5) }), {
    minLength: 2,
    maxLength: 4,
  }),
  clutches: fc.array(
    fc
      .record({ from: tenths(0.1, 1.2), length: tenths(0.1, 0.8), ratio: fc.constantFrom(1, 1, 2, -0.5) })
      .map(({ from, length, ratio }) => ({ from, to: Number((from + length).toFixed(1)), ratio })),
    { minLength: 3, maxLength: 3 },
  ),
  condition: fc.constantFrom('boolean' as const, 'relation' as const, 'latch' as const),
});

function writeTrain({ shafts, clutches, condition }: Train): string {
  const declarations: string[] = [];
  const equations: string[] = [];
  const joints = clutches.slice(0, shafts.length - 1);
  for (const [i, { j, k, w }] of shafts.entries()) {
    declarations.push(`Real w${i}(start = ${w}, fixed = true);`);
    const left = i > 0 ? ` - ${literal(clutches[i - 1]!.ratio)}*f${i - 1}` : '';
    const right = i < shafts.length - 1 ? ` + f${i}` : '';
    equations.push(`${j}*der(w${i}) = -${k}*w${i}${left}${right};`);
  }
  for (const [i, { from, to, ratio }] of joints.entries()) {
    const window = `time >= ${from} and time < ${to}`;
    declarations.push(`Real f${i};`);
    if (condition === 'boolean') declarations.push(`Boolean joined${i} = ${window};`);
    if (condition === 'latch') {
      declarations.push(`Boolean joined${i}(start = false, fixed = true);`);
      equations.push(`when {time >= ${from}, time >= ${to}} then joined${i} = time < ${to}; end when;`);
    }
    const holds = condition === 'relation' ? window : `joined${i}`;
    equations.push(`if ${holds} then w${i + 1} = ${literal(ratio)}*w${i}; else f${i} = 0; end if;`);
  }
  return `model Train\n  ${declarations.join('\n  ')}\nequation\n  ${equations.join('\n  ')}\n  annotation(experiment(StopTime = 2));\nend Train;`;
}

// ---------------------------------------------------------------- machines

interface Path {
  /** By state: rates of the shared variable, and of its own. */
  readonly states: readonly {
    readonly kind: 'free' | 'driven' | 'held';
    readonly rate: number;
    readonly start: number;
  }[];
  /** Where the machine goes, at 0.2, 0.4, … */
  readonly way: readonly { readonly to: number; readonly reset: boolean; readonly action: boolean }[];
}

const path: fc.Arbitrary<Path> = fc.record({
  states: fc.array(
    fc.record({
      kind: fc.constantFrom('free' as const, 'driven' as const, 'held' as const),
      rate: tenths(-2, 2),
      start: tenths(-3, 3),
    }),
    { minLength: 3, maxLength: 3 },
  ),
  way: fc.array(
    fc.record({ to: fc.integer({ min: 0, max: 2 }), reset: fc.boolean(), action: fc.boolean() }),
    {
      minLength: 1,
      maxLength: 6,
    },
  ),
});

function writePath({ states, way }: Path): string {
  const blocks = states.map(({ kind, rate, start }, k) => {
    const r = literal(rate);
    const own = `Real x(start = ${start}, fixed = true);`;
    const shared = {
      free: `der(y) = ${r}*y + x;\n    der(x) = -x;`,
      driven: `der(x) = 1 - ${r}*x;\n    y = 2*x + 1;`,
      held: `y = ${r};\n    der(x) = ${r};`,
    }[kind];
    return `block State${k}\n    outer output Real y;\n    ${own}\n  equation\n    ${shared}\n  end State${k};`;
  });
  const transitions: string[] = [];
  let at = 0;
  for (const [k, { to, reset, action }] of way.entries()) {
    const from = (0.2 * (k + 1)).toFixed(1);
    const until = (0.2 * (k + 2)).toFixed(1);
    const free = states[to]!.kind === 'free';
    const actions = action && free ? ', actions = {reinit(y, y + 1)}' : '';
    if (to !== at)
      transitions.push(
        `transition(state${at}, state${to}, time >= ${from} and time < ${until}, reset = ${reset}, priority = ${k + 1}${actions});`,
      );
    at = to;
  }
  return `model Path
  inner Real y(start = 1, fixed = ${states[0]!.kind === 'free'});
  ${blocks.join('\n  ')}
  ${states.map((_, k) => `State${k} state${k};`).join('\n  ')}
equation
  initialState(state0);
  ${transitions.join('\n  ')}
  annotation(experiment(StopTime = 1.6));
end Path;`;
}

describe('random models and their texts with one structure', () => {
  test(
    'drive trains move in the same way',
    async () => {
      await law(cases(train, writeTrain), 12, async ({ text }) => {
        await compare(text);
      });
    },
    patience,
  );

  test(
    'machines go the same way',
    async () => {
      const connected = path.filter(({ way }) => new Set([0, ...way.map((w) => w.to)]).size === 3);
      await law(cases(connected, writePath), 12, async ({ text }) => {
        await compare(text);
      });
    },
    patience,
  );
});
