/**
 * Laws of changing structure: random networks of ideal couplings that close and open. Stores (capacitors, inertias,
 * inductors) are nodes, couplings are the edges of a forest; while a coupling is closed the potentials at its ends are
 * equal up to its ratio, while it is open nothing flows. Whatever the order of changes, what is stored in a group of
 * coupled nodes is conserved, and the impulse of every coupling is what moved through it.
 */
import fc from 'fast-check';
import { describe, test } from 'vitest';
import type { SimulationResult } from '../../src/index.ts';
import { eliminate } from './elimination.ts';
import { agree, cases, law, patience, succeed, tenths } from './random.ts';

interface Store {
  readonly capacity: number;
  readonly start: number;
  /** Loss: capacity der(e) = flow - loss e. */
  readonly loss: number;
}

interface Coupling {
  /** Nodes; `from` comes before `to`, node 0 is a source where there is one. */
  readonly from: number;
  readonly to: number;
  /** Closed: e_from = ratio e_to. */
  readonly ratio: number;
  /** Times of change, in tenths of the run. */
  readonly changes: readonly number[];
  readonly initially: boolean;
}

interface Network {
  readonly kind: 'capacitors' | 'inertias' | 'shafts' | 'inductors' | 'pins';
  readonly control: 'time' | 'when' | 'ramp';
  /** Couplings as if-equations, as conditional expressions, or as one equation with a conditional expression. */
  readonly style: 'if' | 'branches' | 'expression';
  /** The potential of node 0 when it is a source. */
  readonly source: number | undefined;
  readonly stores: readonly Store[];
  readonly couplings: readonly Coupling[];
}

const store: fc.Arbitrary<Store> = fc.record({
  capacity: tenths(0.1, 3),
  start: tenths(-5, 5),
  loss: tenths(0, 2),
});

/** A forest: node k + 1 is coupled to one of the nodes before it. */
const network: fc.Arbitrary<Network> = fc
  .record({
    kind: fc.constantFrom(
      'capacitors' as const,
      'inertias' as const,
      'shafts' as const,
      'inductors' as const,
      'pins' as const,
    ),
    control: fc.constantFrom('time' as const, 'when' as const, 'ramp' as const),
    style: fc.constantFrom('if' as const, 'branches' as const, 'expression' as const),
    source: fc.option(tenths(-5, 5), { nil: undefined }),
    stores: fc.array(store, { minLength: 2, maxLength: 6 }),
    edges: fc.array(
      fc.record({
        to: fc.nat({ max: 20 }),
        ratio: fc.oneof(fc.constant(1), tenths(0.5, 3)),
        changes: fc.uniqueArray(fc.integer({ min: 1, max: 9 }), { maxLength: 4 }),
        initially: fc.boolean(),
      }),
      { minLength: 1, maxLength: 5 },
    ),
  })
  .map(({ edges, ...rest }) => ({
    ...rest,
    couplings: edges.slice(0, rest.stores.length - 1).map((edge, k) => ({
      from: rest.kind === 'inductors' ? k : edge.to % (k + 1),
      to: k + 1,
      ratio: rest.kind === 'inertias' || rest.kind === 'shafts' ? edge.ratio : 1,
      changes: [...edge.changes].sort((a, b) => a - b),
      initially: edge.initially,
    })),
  }));

// ---------------------------------------------------------------- as Modelica text

const letters = {
  capacitors: { e: 'v', f: 'i', closed: 'closed' },
  inertias: { e: 'w', f: 'tau', closed: 'locked' },
  /** As inertias, but angles are coupled, at the offset that they have when the coupling closes: index 3. */
  shafts: { e: 'w', f: 'tau', closed: 'locked' },
  inductors: { e: 'i', f: 'u', closed: 'series' },
  pins: { e: 'v', f: 'i', closed: 'closed' },
} as const;

function write(net: Network): string {
  return net.kind === 'pins' ? writePins(net) : writePlain(net);
}

function writePlain(net: Network): string {
  const { e, f, closed } = letters[net.kind];
  const declarations: string[] = [];
  const lines: string[] = [];
  for (const [k, { capacity, start, loss }] of net.stores.entries()) {
    const flows = net.couplings.flatMap((c, n) =>
      c.to === k ? [`+ ${c.ratio}*${f}${n}`] : c.from === k ? [`- ${f}${n}`] : [],
    );
    if (k === 0 && net.source !== undefined) {
      declarations.push(`Real ${e}0;`, `Real ${f}S;`);
      lines.push(`${e}0 = ${net.source};`, `0 = ${f}S ${flows.join(' ')};`);
      if (net.kind !== 'shafts') continue;
      declarations.push('Real phi0(start = 0, fixed = true);');
      lines.push('der(phi0) = w0;');
      continue;
    }
    declarations.push(`Real ${e}${k}(start = ${start}${fixed(net, k)});`);
    lines.push(`${capacity}*der(${e}${k}) = ${flows.join(' ')} - ${loss}*${e}${k};`);
    if (net.kind !== 'inertias' && net.kind !== 'shafts') continue;
    declarations.push(`Real phi${k}(start = 0, fixed = true);`);
    lines.push(`der(phi${k}) = ${e}${k};`);
  }
  for (const [n, c] of net.couplings.entries()) {
    declarations.push(`Real ${f}${n};`, ...control(net, n, `${closed}${n}`).declarations);
    lines.push(...control(net, n, `${closed}${n}`).lines);
    const ratio = c.ratio === 1 ? '' : `${c.ratio}*`;
    let difference = `${e}${c.from} - ${ratio}${e}${c.to}`;
    if (net.kind === 'shafts') {
      difference = `phi${c.from} - ${ratio}phi${c.to} - offset${n}`;
      declarations.push(`discrete Real offset${n}(start = 0, fixed = true);`);
      lines.push(
        `when ${closed}${n} then offset${n} = pre(phi${c.from}) - ${ratio}pre(phi${c.to}); end when;`,
      );
    }
    lines.push(couplingLaw(net, `${closed}${n}`, difference, `${f}${n}`));
  }
  const [ramp, rise] = clock(net);
  declarations.push(...ramp);
  lines.push(...rise);
  return `model Network\n  ${declarations.join('\n  ')}\nequation\n  ${lines.join('\n  ')}\nend Network;`;
}

function couplingLaw(net: Network, closed: string, difference: string, flow: string): string {
  switch (net.style) {
    case 'if':
      return `if ${closed} then ${difference} = 0; else ${flow} = 0; end if;`;
    case 'branches':
      return `if not ${closed} then 0 = ${flow}; elseif ${closed} then 0 = ${difference}; else 0 = ${flow}; end if;`;
    case 'expression':
      return `0 = if ${closed} then ${difference} else ${flow};`;
  }
}

/** Components with connectors; the source, if any, is a component as well. */
function writePins(net: Network): string {
  const parts: string[] = ['Ground ground;'];
  const lines: string[] = [];
  for (const [k, { capacity, start, loss }] of net.stores.entries()) {
    if (k === 0 && net.source !== undefined) parts.push(`Source s0(V = ${net.source});`);
    else {
      const attributes = `v(start = ${start}${fixed(net, k)})`;
      parts.push(`Store s${k}(C = ${capacity}, G = ${loss}, ${attributes});`);
    }
    lines.push(`connect(s${k}.n, ground.p);`);
  }
  for (const [n, c] of net.couplings.entries()) {
    parts.push(`Switch c${n};`, ...control(net, n, `closed${n}`).declarations);
    lines.push(...control(net, n, `closed${n}`).lines, `c${n}.closed = closed${n};`);
    lines.push(`connect(s${c.from}.p, c${n}.p);`, `connect(c${n}.n, s${c.to}.p);`);
  }
  const [ramp, rise] = clock(net);
  parts.push(...ramp);
  lines.push(...rise);
  return `connector Pin
  Real v;
  flow Real i;
end Pin;
partial model TwoPin
  Pin p, n;
  Real v;
  Real i;
equation
  v = p.v - n.v;
  i = p.i;
  p.i + n.i = 0;
end TwoPin;
model Ground
  Pin p;
equation
  p.v = 0;
end Ground;
model Source
  extends TwoPin;
  parameter Real V;
equation
  v = V;
end Source;
model Store
  extends TwoPin;
  parameter Real C, G;
equation
  C*der(v) = i - G*v;
end Store;
model Switch
  extends TwoPin;
  Boolean closed;
equation
  ${couplingLaw(net, 'closed', 'v', 'i')}
end Switch;
model Network
  ${parts.join('\n  ')}
equation
  ${lines.join('\n  ')}
end Network;`;
}

/** Initial values of one node a group are fixed; the others follow. */
function fixed(net: Network, k: number): string {
  const group = groupsAt(net, 0).find((g) => g.includes(k))!;
  const grounded = net.source !== undefined && group.includes(0);
  return !grounded && group[0] === k ? ', fixed = true' : '';
}

/** A state that equals time, so that changes are state events. */
function clock(net: Network): readonly [string[], string[]] {
  if (net.control !== 'ramp') return [[], []];
  return [['Real clock(start = 0, fixed = true);'], ['der(clock) = 1;']];
}

function control(net: Network, n: number, name: string): { declarations: string[]; lines: string[] } {
  const { changes, initially } = net.couplings[n]!;
  const times = changes.map((c) => c / 10);
  if (net.control === 'when') {
    if (times.length === 0) return { declarations: [`Boolean ${name} = ${initially};`], lines: [] };
    const list = times.map((t) => `time >= ${t}`).join(', ');
    return {
      declarations: [`Boolean ${name}(start = ${initially}, fixed = true);`],
      lines: [`when {${list}} then ${name} = not pre(${name}); end when;`],
    };
  }
  const clock = net.control === 'ramp' ? 'clock' : 'time';
  const bounds = [...(initially ? ['-1'] : []), ...times.map(String)];
  const spans: string[] = [];
  for (let k = 0; k < bounds.length; k += 2) {
    const end = bounds[k + 1] === undefined ? '' : ` and ${clock} < ${bounds[k + 1]}`;
    spans.push(`${clock} >= ${bounds[k]}${end}`);
  }
  return {
    declarations: [`Boolean ${name} = ${spans.length > 0 ? spans.join(' or ') : 'false'};`],
    lines: [],
  };
}

// ---------------------------------------------------------------- what must happen, computed independently

function isClosed(c: Coupling, t: number): boolean {
  return c.changes.filter((change) => change / 10 <= t).length % 2 === 0 ? c.initially : !c.initially;
}

/** Nodes that are coupled after the changes at time t: union-find. */
function groupsAt(net: Network, t: number): number[][] {
  const parent = net.stores.map((_, k) => k);
  const root = (k: number): number => (parent[k] === k ? k : root(parent[k]!));
  for (const c of net.couplings) if (isClosed(c, t)) parent[root(c.to)] = root(c.from);
  const groups = new Map<number, number[]>();
  for (const k of parent.keys()) groups.set(root(k), [...(groups.get(root(k)) ?? []), k]);
  return [...groups.values()];
}

/** Potentials of the nodes of a group relative to its first node: e_k = scale_k e_first. */
function scales(net: Network, t: number): number[] {
  const scale = net.stores.map(() => 1);
  // A node is coupled to nodes before it, so one pass in order is enough.
  for (const c of net.couplings) if (isClosed(c, t)) scale[c.to] = scale[c.from]! / c.ratio;
  return scale;
}

/** Potentials after the changes at time t: generalised momentum of each group is conserved. */
function after(net: Network, t: number, before: readonly number[]): number[] {
  const scale = scales(net, t);
  const e = before.slice();
  for (const group of groupsAt(net, t)) {
    let momentum = 0;
    let inertia = 0;
    for (const k of group) {
      const { capacity } = net.stores[k]!;
      momentum += capacity * scale[k]! * before[k]!;
      inertia += capacity * scale[k]! ** 2;
    }
    const first = net.source !== undefined && group.includes(0) ? net.source / scale[0]! : momentum / inertia;
    for (const k of group) e[k] = scale[k]! * first;
  }
  return e;
}

/** What moved through each coupling. */
function moved(net: Network, before: readonly number[], now: readonly number[]): number[] {
  return through(
    net,
    net.stores.map((s, k) => s.capacity * (now[k]! - before[k]!)),
  );
}

/** What flows through each coupling while nothing changes. */
function flows(net: Network, t: number, e: readonly number[]): number[] {
  const rate = rates(net, t);
  return through(
    net,
    net.stores.map((s, k) => (s.loss - s.capacity * rate[k]!) * e[k]!),
  );
}

/** What goes through each coupling when nodes need so much: node by node from the leaves of the forest. */
function through(net: Network, needs: readonly number[]): number[] {
  const need = needs.slice();
  const found = net.couplings.map(() => 0);
  for (let n = net.couplings.length - 1; n >= 0; n--) {
    const { from, to, ratio } = net.couplings[n]!;
    found[n] = need[to]! / ratio;
    need[from]! += found[n]!;
  }
  return found;
}

/** One step of implicit Euler on the equations of the new mode, as they are written: nodes first, then couplings. */
function eulerStep(net: Network, t: number, before: readonly number[], h: number): number[] {
  const n = net.stores.length;
  const size = n + net.couplings.length;
  const a = Array.from({ length: size }, () => new Array<number>(size + 1).fill(0));
  for (const [k, { capacity, loss }] of net.stores.entries()) {
    const row = a[k]!;
    if (k === 0 && net.source !== undefined) {
      row[k] = 1;
      row[size] = net.source;
      continue;
    }
    row[k] = capacity / h + loss;
    row[size] = (capacity / h) * before[k]!;
    for (const [m, c] of net.couplings.entries()) {
      if (c.to === k) row[n + m] = -c.ratio;
      if (c.from === k) row[n + m] = 1;
    }
  }
  for (const [m, c] of net.couplings.entries()) {
    const row = a[n + m]!;
    if (isClosed(c, t)) [row[c.from], row[c.to]] = [1, -c.ratio];
    else row[n + m] = 1;
  }
  const x = eliminate(a);
  if (!x) throw new Error('the implicit step is singular');
  return x;
}

/** Rates at which the potentials decay while nothing changes: one a group. */
function rates(net: Network, t: number): number[] {
  const scale = scales(net, t);
  const rate = net.stores.map(() => 0);
  for (const group of groupsAt(net, t)) {
    if (net.source !== undefined && group.includes(0)) continue;
    let [inertia, loss] = [0, 0];
    for (const k of group) {
      inertia += net.stores[k]!.capacity * scale[k]! ** 2;
      loss += net.stores[k]!.loss * scale[k]! ** 2;
    }
    for (const k of group) rate[k] = loss / inertia;
  }
  return rate;
}

/** Potentials a while later without changes. */
function later(net: Network, t: number, e: readonly number[], dt: number): number[] {
  const rate = rates(net, t);
  return e.map((value, k) => value * Math.exp(-rate[k]! * dt));
}

/** Initial potentials: the first node of a group has its start value. */
function initial(net: Network): number[] {
  const scale = scales(net, 0);
  const e = net.stores.map((s, k) => (k === 0 && net.source !== undefined ? net.source : s.start));
  for (const group of groupsAt(net, 0))
    for (const k of group) e[k] = (e[group[0]!]! * scale[k]!) / scale[group[0]!]!;
  return e;
}

function changeTimes(net: Network): number[] {
  return [...new Set(net.couplings.flatMap((c) => c.changes))].sort((a, b) => a - b).map((c) => c / 10);
}

// ---------------------------------------------------------------- laws

function nodeName(net: Network, k: number): string {
  if (net.kind === 'pins') return `s${k}.v`;
  return `${letters[net.kind].e}${k}`;
}

function flowName(net: Network, n: number): string {
  return net.kind === 'pins' ? `c${n}.i` : `${letters[net.kind].f}${n}`;
}

/** The time of the event at time t, which a state event meets up to rounding. */
function eventAt({ table: { time } }: SimulationResult, t: number): number {
  for (let row = 1; row < time.length; row++)
    if (time[row] === time[row - 1] && Math.abs(time[row]! - t) < 1e-9) return time[row]!;
  throw new Error(`no event at ${t}`);
}

function weightOf({ impulses }: SimulationResult, time: number, variable: string): number {
  const found = impulses.filter((i) => i.variable === variable && i.time === time);
  if (found.length > 1) throw new Error(`${variable} has ${found.length} impulses at ${time}`);
  return found[0]?.weight ?? 0;
}

const networks = cases(network, write);

describe('random networks with ideal couplings', () => {
  test(
    'conserve what is stored, and tell what moved',
    async () => {
      await law(networks, 40, async ({ text, data: net }) => {
        const result = await succeed(text);
        const { table } = result;
        let [time, e] = [0, initial(net)];
        const compare = (t: number, side: 'before' | 'after') => {
          for (const [k, value] of e.entries())
            agree(table.value(nodeName(net, k), t, side), value, 1e-6, `${nodeName(net, k)} ${side} ${t}`);
          for (const [n, value] of flows(net, time, e).entries())
            agree(table.value(flowName(net, n), t, side), value, 1e-6, `${flowName(net, n)} ${side} ${t}`);
        };
        compare(0, 'after');
        for (const change of changeTimes(net)) {
          const t = eventAt(result, change);
          const before = later(net, time, e, change - time);
          e = before;
          compare(t, 'before');
          e = after(net, change, before);
          time = change;
          compare(t, 'after');
          for (const [n, weight] of moved(net, before, e).entries())
            agree(
              weightOf(result, t, flowName(net, n)),
              weight,
              1e-6,
              `impulse of ${flowName(net, n)} at ${t}`,
            );
        }
        e = later(net, time, e, 1 - time);
        compare(1, 'before');
      });
    },
    patience,
  );

  test(
    'have as many states as groups without a source',
    async () => {
      await law(networks, 20, async ({ text, data: net }) => {
        const { modes } = await succeed(text);
        const ramp = net.control === 'ramp' ? 1 : 0;
        const sources = net.source === undefined ? 0 : 1;
        for (const { from, to, states, signature } of modes) {
          const groups = groupsAt(net, (from + to) / 2).length;
          let expected = groups - sources + ramp;
          if (net.kind === 'inertias') expected += net.stores.length - sources;
          if (net.kind === 'shafts') expected += groups;
          if (states.length !== expected)
            throw new Error(`${states.length} states in [${from}, ${to}] (${signature}), not ${expected}`);
        }
      });
    },
    patience,
  );

  test(
    'jump as implicit Euler with a tiny step does',
    async () => {
      await law(networks, 20, async ({ text, data: net }) => {
        const result = await succeed(text);
        const { table } = result;
        const h = 1e-7;
        for (const change of changeTimes(net)) {
          const t = eventAt(result, change);
          const before = net.stores.map((_, k) => table.value(nodeName(net, k), t, 'before'));
          const step = eulerStep(net, change, before, h);
          for (const [k] of net.stores.entries())
            agree(
              table.value(nodeName(net, k), t, 'after'),
              step[k]!,
              1e-4,
              `${nodeName(net, k)} after ${t}`,
            );
          for (const [n] of net.couplings.entries()) {
            const weight = h * step[net.stores.length + n]!;
            agree(
              weightOf(result, t, flowName(net, n)),
              weight,
              1e-4,
              `impulse of ${flowName(net, n)} at ${t}`,
            );
          }
        }
      });
    },
    patience,
  );
});
