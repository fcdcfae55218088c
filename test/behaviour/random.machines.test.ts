/**
 * Laws of states that come and go: random circuits, with loops, in which each branch is a state machine whose states are
 * resistors, capacitors, inductors and interruptions. Charge and flux that a branch had when it was left come back with it,
 * unless it begins anew. At every change the simulation must agree with small steps of implicit Euler on the equations as
 * they are written: the first step gives stored values and impulses, the second one everything else.
 */
import fc from 'fast-check';
import { describe, test } from 'vitest';
import type { SimulationResult } from '../../src/index.ts';
import { eliminate } from './elimination.ts';
import { sameWhenPrinted } from './printed.ts';
import { agree, cases, law, patience, succeed, tenths } from './random.ts';

interface Part {
  readonly kind: 'R' | 'C' | 'L' | 'open';
  readonly value: number;
  /** Voltage or current with which a store begins. */
  readonly start: number;
}

interface Branch {
  /** Nodes; 0 is ground. */
  readonly from: number;
  readonly to: number;
  /** The first one, which is active at the start, is a resistor. */
  readonly parts: readonly Part[];
  /** Which part is active from which time on (in tenths, ascending); neighbours differ. */
  readonly course: readonly { readonly time: number; readonly part: number }[];
  /** Whether parts go on with the values that they had. */
  readonly keep: boolean;
}

interface Circuit {
  /** Conductances to ground, by node; the first node also has a source. */
  readonly taps: readonly number[];
  readonly voltage: number;
  readonly branches: readonly Branch[];
}

const part: fc.Arbitrary<Part> = fc.record({
  kind: fc.constantFrom('C' as const, 'L' as const, 'R' as const, 'open' as const),
  value: tenths(0.1, 3),
  start: tenths(-3, 3),
});

const circuit: fc.Arbitrary<Circuit> = fc.integer({ min: 1, max: 4 }).chain((n) =>
  fc.record({
    taps: fc.array(fc.oneof(fc.constant(0), tenths(0.1, 2)), { minLength: n, maxLength: n }),
    voltage: tenths(-5, 5),
    branches: fc.array(branch(n), { minLength: 1, maxLength: 5 }),
  }),
);

function branch(n: number): fc.Arbitrary<Branch> {
  return fc
    .record({
      from: fc.integer({ min: 1, max: n }),
      to: fc.integer({ min: 0, max: n }),
      resistance: tenths(0.1, 3),
      others: fc.array(part, { minLength: 1, maxLength: 2 }),
      steps: fc.uniqueArray(
        fc.record({ time: fc.integer({ min: 1, max: 9 }), turn: fc.integer({ min: 1, max: 2 }) }),
        { selector: (step) => step.time, minLength: 1, maxLength: 4 },
      ),
      keep: fc.boolean(),
    })
    .map(({ from, to, resistance, others, steps, keep }) => {
      const parts: Part[] = [{ kind: 'R', value: resistance, start: 0 }, ...others];
      const course = [{ time: 0, part: 0 }];
      for (const { time, turn } of [...steps].sort((a, b) => a.time - b.time)) {
        const next = (course.at(-1)!.part + Math.min(turn, others.length)) % parts.length;
        course.push({ time, part: next });
      }
      return { from, to: to === from ? 0 : to, parts, course, keep };
    });
}

// ---------------------------------------------------------------- as Modelica text

const library = `connector Pin
  Real v;
  flow Real i;
end Pin;
partial model Two
  Pin p, n;
  Real v = p.v - n.v;
  Real i = p.i;
equation
  p.i + n.i = 0;
end Two;
model R
  extends Two;
  parameter Real value;
equation
  v = value*i;
end R;
model C
  extends Two;
  parameter Real value;
equation
  value*der(v) = i;
end C;
model L
  extends Two;
  parameter Real value;
equation
  value*der(i) = v;
end L;
model Open
  extends Two;
equation
  i = 0;
end Open;
model Tap
  Pin p;
  parameter Real g, s;
equation
  p.i = g*p.v - s;
end Tap;
model Bare
  Pin p;
equation
  p.i = 0;
end Bare;
model Ground
  Pin p;
equation
  p.v = 0;
end Ground;`;

const partName = (branch: number, part: number) => `b${branch}p${part}`;

function write(c: Circuit): string {
  const declarations = c.taps.map((_, k) => {
    const g = conductance(c, k + 1);
    return g === 0 ? `Bare t${k + 1};` : `Tap t${k + 1}(g = ${g}, s = ${k === 0 ? c.voltage : 0});`;
  });
  const lines: string[] = [];
  for (const [k, { from, to, parts, course, keep }] of c.branches.entries()) {
    for (const [n, { kind, value, start }] of parts.entries()) {
      if (!course.some((phase) => phase.part === n)) continue;
      const stored = kind === 'C' ? 'v' : 'i';
      const name = partName(k, n);
      declarations.push(
        kind === 'open'
          ? `Open ${name};`
          : `${kind} ${name}(value = ${value}${kind === 'R' ? '' : `, ${stored}(start = ${start}, fixed = true)`});`,
      );
      lines.push(`connect(${name}.p, t${from}.p);`);
      lines.push(`connect(${name}.n, ${to === 0 ? 'ground' : `t${to}`}.p);`);
    }
    lines.push(`initialState(${partName(k, 0)});`);
    for (const [from, to, times] of transitionsOf(course)) {
      const condition = times.map(([a, b]) => `time >= ${a / 10} and time < ${b / 10}`).join(' or ');
      lines.push(
        `transition(${partName(k, from)}, ${partName(k, to)}, ${condition}, reset = ${!keep}, priority = ${to + 1});`,
      );
    }
  }
  return `${library}
model Circuit
  Ground ground;
  ${declarations.join('\n  ')}
equation
  ${lines.join('\n  ')}
end Circuit;`;
}

/** From, to, and the spans of time after each change from the one to the other. */
function transitionsOf(course: Branch['course']): [number, number, [number, number][]][] {
  const found = new Map<string, [number, number, [number, number][]]>();
  for (let k = 1; k < course.length; k++) {
    const [from, to] = [course[k - 1]!.part, course[k]!.part];
    const span: [number, number] = [course[k]!.time, course[k + 1]?.time ?? 11];
    const known = found.get(`${from} ${to}`);
    if (known) known[2].push(span);
    else found.set(`${from} ${to}`, [from, to, [span]]);
  }
  return [...found.values()];
}

// ---------------------------------------------------------------- what must happen, computed independently

/** The source has an inner resistance of 1. */
function conductance(c: Circuit, node: number): number {
  return c.taps[node - 1]! + (node === 1 ? 1 : 0);
}

function activePart({ course }: Branch, tenth: number): number {
  return course.filter(({ time }) => time <= tenth).at(-1)!.part;
}

function changeTimes(c: Circuit): number[] {
  const times = c.branches.flatMap(({ course }) => course.slice(1).map(({ time }) => time));
  return [...new Set(times)].sort((a, b) => a - b);
}

interface Point {
  /** Voltages of the nodes, ground first. */
  readonly nodes: readonly number[];
  readonly currents: readonly number[];
}

/** A step of implicit Euler; `stored` by branch. Undefined where the equations are singular. */
function eulerStep(c: Circuit, tenth: number, stored: readonly number[], h: number): Point | undefined {
  const n = c.taps.length;
  const size = n + c.branches.length;
  const a = Array.from({ length: size }, () => new Array<number>(size + 1).fill(0));
  for (let node = 1; node <= n; node++) {
    a[node - 1]![node - 1] = conductance(c, node);
    a[node - 1]![size] = node === 1 ? c.voltage : 0;
  }
  for (const [k, b] of c.branches.entries()) {
    const row = a[n + k]!;
    const { kind, value } = b.parts[activePart(b, tenth)]!;
    for (const [node, sign] of [
      [b.from, 1],
      [b.to, -1],
    ] as const) {
      if (node === 0) continue;
      a[node - 1]![n + k]! += sign;
      if (kind !== 'open') row[node - 1]! += sign * (kind === 'L' ? -h : kind === 'C' ? value : 1);
    }
    if (kind === 'R') row[n + k] = -value;
    else if (kind === 'C') row[n + k] = -h;
    else if (kind === 'L') row[n + k] = value;
    else row[n + k] = 1;
    if (kind === 'C' || kind === 'L') row[size] = value * stored[k]!;
  }
  const x = eliminate(a);
  return x && { nodes: [0, ...x.slice(0, n)], currents: x.slice(n) };
}

/** What the stores of the active parts hold at a point. */
function storedAt(c: Circuit, tenth: number, { nodes, currents }: Point): number[] {
  return c.branches.map((b, k) =>
    b.parts[activePart(b, tenth)]!.kind === 'C' ? nodes[b.from]! - nodes[b.to]! : currents[k]!,
  );
}

/** Capacitors without those that close loops of capacitors, inductors without those that complete cuts. */
function stateCount(c: Circuit, tenth: number): number {
  const kinds = c.branches.map((b) => b.parts[activePart(b, tenth)]!.kind);
  const edges = (wanted: (kind: Part['kind']) => boolean) =>
    c.branches.flatMap((b, k) => (wanted(kinds[k]!) ? [[b.from, b.to] as const] : []));
  const taps = c.taps.flatMap((_, k) => (conductance(c, k + 1) > 0 ? [[k + 1, 0] as const] : []));
  const components = (list: readonly (readonly [number, number])[]) => {
    const parent = Array.from({ length: c.taps.length + 1 }, (_, k) => k);
    const root = (k: number): number => (parent[k] === k ? k : root(parent[k]!));
    for (const [a, b] of list) parent[root(a)] = root(b);
    return parent.filter((p, k) => p === k).length;
  };
  const capacitors = c.taps.length + 1 - components(edges((kind) => kind === 'C'));
  const rest = [...taps, ...edges((kind) => kind === 'R' || kind === 'C')];
  const cuts = components(rest) - components([...rest, ...edges((kind) => kind === 'L')]);
  return capacitors + kinds.filter((kind) => kind === 'L').length - cuts;
}

// ---------------------------------------------------------------- laws

const h = 1e-6;

/** Only circuits in which every mode determines its variables. */
const circuits = cases(
  circuit.filter((c) =>
    [0, ...changeTimes(c)].every((t) =>
      eulerStep(
        c,
        t,
        c.branches.map(() => 0),
        h,
      ),
    ),
  ),
  write,
);

function weightOf({ impulses }: SimulationResult, time: number, variable: string): number {
  return impulses.find((i) => i.variable === variable && i.time === time)?.weight ?? 0;
}

describe('random circuits of state machines', () => {
  test(
    'change as implicit Euler with tiny steps does, with the charge and flux that come back',
    async () => {
      await law(circuits, 40, async ({ text, data: c }) => {
        const result = await succeed(text);
        const { table } = result;
        /** What each part held when it was left, by name. */
        const left = new Map<string, number>();
        let previous = 0;
        for (const tenth of changeTimes(c)) {
          const time = tenth / 10;
          const stored = c.branches.map((b, k) => {
            const [before, now] = [activePart(b, previous), activePart(b, tenth)];
            const nameBefore = partName(k, before);
            const heldBefore = table.value(
              `${nameBefore}.${b.parts[before]!.kind === 'C' ? 'v' : 'i'}`,
              time,
              'before',
            );
            left.set(nameBefore, heldBefore);
            if (before === now) return heldBefore;
            const known = b.keep ? left.get(partName(k, now)) : undefined;
            return known ?? b.parts[now]!.start;
          });
          const first = eulerStep(c, tenth, stored, h)!;
          const second = eulerStep(c, tenth, storedAt(c, tenth, first), h)!;
          for (const [k, value] of storedAt(c, tenth, first).entries()) {
            const { kind } = c.branches[k]!.parts[activePart(c.branches[k]!, tenth)]!;
            if (kind !== 'C' && kind !== 'L') continue;
            const name = `${partName(k, activePart(c.branches[k]!, tenth))}.${kind === 'C' ? 'v' : 'i'}`;
            agree(table.value(name, time, 'after'), value, 1e-3, `${name} after ${time}`);
          }
          for (const [k, b] of c.branches.entries()) {
            const name = partName(k, activePart(b, tenth));
            agree(
              table.value(`${name}.i`, time, 'after'),
              second.currents[k]!,
              1e-3,
              `${name}.i after ${time}`,
            );
            agree(
              weightOf(result, time, `${name}.i`),
              h * first.currents[k]!,
              1e-3,
              `impulse of ${name}.i at ${time}`,
            );
          }
          for (const [node] of c.taps.entries()) {
            const name = `t${node + 1}.p.v`;
            agree(table.value(name, time, 'after'), second.nodes[node + 1]!, 1e-3, `${name} after ${time}`);
            agree(
              weightOf(result, time, name),
              h * first.nodes[node + 1]!,
              1e-3,
              `impulse of ${name} at ${time}`,
            );
          }
          previous = tenth;
        }
      });
    },
    patience,
  );

  test(
    'have a state for each store that loops and cuts leave free',
    async () => {
      await law(circuits, 20, async ({ text, data: c }) => {
        const { modes } = await succeed(text);
        for (const { from, to, states, signature } of modes) {
          const expected = stateCount(c, Math.floor(5 * (from + to)));
          if (states.length !== expected)
            throw new Error(`${states.length} states in [${from}, ${to}] (${signature}), not ${expected}`);
        }
      });
    },
    patience,
  );

  test(
    'are printed as texts that have their results',
    () => law(circuits, 15, ({ text }) => sameWhenPrinted(text, 1)),
    patience,
  );
});
