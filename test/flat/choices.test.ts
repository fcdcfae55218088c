import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Source } from '../../src/diagnostic/source.ts';
import { declareVariables } from '../../src/flat/attributes.ts';
import { sections } from '../../src/flat/behaviour/equations.ts';
import { Connections } from '../../src/flat/connections/connections.ts';
import { FlatBuilder } from '../../src/flat/core/context.ts';
import type { FlatEquation } from '../../src/flat/flat.ts';
import type { ObjectInstance } from '../../src/model/instance.ts';
import { instantiate } from '../../src/model/instances/instantiate.ts';
import { Library } from '../../src/model/library.ts';
import type { Expr } from '../../src/symbolic/expr.ts';
import { parse } from '../../src/syntax/parser.ts';

/**
 * Machines as text: `s: a b | c` has the states `s1`, of which the components `a` and `b` are part, and `s2` with `c`.
 * Conditions are known by their labels: the names of states, and the text of conditions of if-equations.
 */
function connected(text: string, machines: readonly string[] = []) {
  const library = new Library();
  library.add(parse(new Source('test.mo', text)).definition);
  const root = instantiate(library, 'M').root!;
  const builder = new FlatBuilder(library);
  declareVariables(builder, root);
  const instanceOf = (path: string): ObjectInstance => {
    let at = root;
    for (const name of path.split('.')) at = at.members.get(name) as ObjectInstance;
    return at;
  };
  for (const machine of machines) {
    const [name, states] = machine.split(':') as [string, string];
    const group: number[] = [];
    for (const [k, components] of states.split('|').entries()) {
      const number = builder.conditions.length;
      builder.conditions.push({
        value: builder.pool.zero,
        label: `${name}${k + 1}`,
        origin: { span: undefined, component: '' },
      });
      group.push(number);
      for (const path of components.split(' ').filter((word) => word !== '')) {
        builder.guards.set(instanceOf(path), [{ condition: number, value: true }]);
      }
    }
    builder.exclusive.push(group);
  }
  const connections = new Connections(builder);
  sections(builder, root, { equations: [], initialEquations: [], connections });
  return { builder, equations: connections.equations(connections.sets()) };
}

type Connected = ReturnType<typeof connected>;

/** The equations as text, nested ones indented; conditions by their labels. */
function linesOf({ builder, equations }: Connected): string[] {
  const lines = (list: readonly FlatEquation[], indent: string): string[] =>
    list.flatMap((equation) => {
      if (equation.kind === 'equal') return [`${indent}${sidesOf(equation, builder)}`];
      if (equation.kind !== 'if') throw new Error(equation.kind);
      return equation.branches.flatMap(({ condition, body }) => [
        `${indent}${condition === undefined ? 'else' : builder.conditions[condition]!.label}:`,
        ...lines(body, `${indent}  `),
      ]);
    });
  return lines(equations, '');
}

function sidesOf({ left, right }: { left: Expr; right: Expr }, builder: FlatBuilder): string {
  if (right.kind === 'ref') return `${nameOf(left, builder)} = ${nameOf(right, builder)}`;
  return `${flowsOf(left, builder).join(' ')} = 0`;
}

const nameOf = (expr: Expr, builder: FlatBuilder): string =>
  expr.kind === 'ref' ? builder.instances[expr.symbol]!.path : expr.kind;

/** The flows of a sum with their signs. */
function flowsOf(expr: Expr, builder: FlatBuilder, sign = 1): string[] {
  if (expr.kind === 'ref') return [`${sign > 0 ? '+' : '-'}${nameOf(expr, builder)}`];
  if (expr.kind !== 'apply') throw new Error(expr.kind);
  const [a, b] = expr.args;
  if (expr.op === 'neg') return flowsOf(a!, builder, -sign);
  return [...flowsOf(a!, builder, sign), ...flowsOf(b!, builder, expr.op === 'sub' ? -sign : sign)];
}

const parts = `connector Pin Real v; flow Real i; end Pin;
  model One Pin p; end One;
  model Two Pin p; Pin n; end Two;`;

describe('connectors in states of a machine', () => {
  test('only the active one takes part, and the others stay connected', () => {
    const chain = 'connect(o.p, a.p); connect(a.p, b.p); connect(b.p, q.p);';
    const text = `${parts} model M One o; One a; One b; One q; equation ${chain} end M;`;
    expect(linesOf(connected(text, ['s: a | b']))).toEqual([
      'o.p.v = q.p.v',
      's1:',
      '  o.p.v = a.p.v',
      '  +o.p.i +a.p.i +q.p.i = 0',
      'else:',
      '  o.p.v = b.p.v',
      '  +o.p.i +b.p.i +q.p.i = 0',
    ]);
  });

  test('a state without connector leaves the outer one alone', () => {
    const text = `${parts} model M One o; One a; One b; equation connect(o.p, a.p); end M;`;
    expect(linesOf(connected(text, ['s: a | | ']))).toEqual([
      '+b.p.i = 0',
      's1:',
      '  o.p.v = a.p.v',
      '  +o.p.i +a.p.i = 0',
      'else:',
      '  +o.p.i = 0',
    ]);
  });

  test('flows that are connected nowhere are zero while their state is active', () => {
    expect(linesOf(connected(`${parts} model M Two a; One b; end M;`, ['s: a | b']))).toEqual([
      's1:',
      '  +a.p.i = 0',
      '  +a.n.i = 0',
      's2:',
      '  +b.p.i = 0',
    ]);
  });

  test('connections inside a state exist with it; machines in states, outer before inner', () => {
    const text = `${parts}
      model State Pin q; One x; One y; equation connect(q, x.p); connect(q, y.p); end State;
      model M One o; State a; One b; equation connect(o.p, a.q); connect(o.p, b.p); end M;`;
    expect(linesOf(connected(text, ['inner: a.x | a.y', 's: a | b']))).toEqual([
      's1:',
      '  o.p.v = a.q.v',
      '  +o.p.i +a.q.i = 0',
      'else:',
      '  o.p.v = b.p.v',
      '  +o.p.i +b.p.i = 0',
      's1:',
      '  inner1:',
      '    a.q.v = a.x.p.v',
      '    +a.x.p.i -a.q.i = 0',
      '  else:',
      '    a.q.v = a.y.p.v',
      '    +a.y.p.i -a.q.i = 0',
    ]);
  });

  test('two states of one machine with nothing outside never meet', () => {
    const of = (connects: string, machines: readonly string[]) =>
      connected(
        `${parts} model M One o; One a; One b; One c; equation ${connects} end M;`,
        machines,
      ).builder.diagnostics.map((d) => `${d.code} ${d.message}`);
    const refused = (x: string, y: string): string =>
      `connector-mismatch \`${x}\` and \`${y}\` belong to different states of one state machine and are connected with nothing outside of it: they never exist together.`;
    expect(of('connect(a.p, b.p);', ['s: a | b'])).toEqual([refused('a.p', 'b.p')]);
    expect(of('connect(a.p, c.p); connect(c.p, b.p);', ['s: a c | b'])).toEqual([refused('c.p', 'b.p')]);
    expect(of('connect(a.p, b.p); connect(b.p, c.p);', ['s: a | b | c'])).toEqual([refused('a.p', 'b.p')]);
    expect(of('connect(a.p, b.p); connect(b.p, o.p);', ['s: a | b'])).toEqual([]);
    expect(of('connect(a.p, c.p);', ['s: a c | b'])).toEqual([]);
    expect(of('connect(a.p, b.p);', ['s: a |', 't: b |'])).toEqual([]);
  });

  test('parallel machines multiply, up to a limit', () => {
    const names = Array.from({ length: 13 }, (_, k) => `c${k}`);
    const text = (n: number): string => `${parts} model M One o; ${names.map((c) => `One ${c};`).join(' ')}
      equation ${names
        .slice(0, n)
        .map((c) => `connect(o.p, ${c}.p);`)
        .join(' ')} end M;`;
    const machines = names.map((c, k) => `m${k}_: ${c} |`);
    expect(connected(text(10), machines).builder.diagnostics).toEqual([]);
    expect(connected(text(13), machines).builder.diagnostics.map((d) => d.code)).toEqual(['limit-exceeded']);
  });
});

// ---------------------------------------------------------------- laws

/**
 * The equations in force: potentials as groups of equal ones, sums of flows as rows of an echelon form, so that they can be
 * compared however they were written.
 */
function inForce({ builder, equations }: Connected, isTrue: (label: string) => boolean): string[] {
  const sums: Sum[] = [];
  const groups = new Map<string, Set<string>>();
  const visit = (list: readonly FlatEquation[]): void => {
    for (const equation of list) {
      if (equation.kind === 'if') {
        const holds = (c: number | undefined) => c === undefined || isTrue(builder.conditions[c]!.label);
        visit(equation.branches.find(({ condition }) => holds(condition))?.body ?? []);
      } else if (equation.kind === 'equal' && equation.right.kind === 'ref') {
        const [a, b] = [nameOf(equation.left, builder), nameOf(equation.right, builder)];
        const joined = new Set([a, b, ...(groups.get(a) ?? []), ...(groups.get(b) ?? [])]);
        // A redundant equation would be a mistake as well: n equal potentials have n - 1 equations.
        expect(groups.get(a)?.has(b) ?? false).toBe(false);
        for (const name of joined) groups.set(name, joined);
      } else if (equation.kind === 'equal') {
        // The outside face of a connector, with its minus sign, is something else than the inside face.
        sums.push(new Map(flowsOf(equation.left, builder).map((flow) => [flow, 1])));
      }
    }
  };
  visit(equations);
  return [...echelon(sums), ...[...new Set(groups.values())].map((group) => [...group].sort().join(' = '))];
}

type Sum = Map<string, number>;

/** The reduced echelon form of independent sums. */
function echelon(sums: readonly Sum[]): string[] {
  const rows = sums.map((sum) => new Map(sum));
  const names = [...new Set(rows.flatMap((row) => [...row.keys()]))].sort();
  let rank = 0;
  for (const name of names) {
    const pivot = rows.findIndex((row, k) => k >= rank && (row.get(name) ?? 0) !== 0);
    if (pivot < 0) continue;
    [rows[rank], rows[pivot]] = [rows[pivot]!, rows[rank]!];
    const own = rows[rank]!;
    const scale = own.get(name)!;
    for (const [key, value] of own) own.set(key, value / scale);
    for (const row of rows) {
      const factor = row.get(name) ?? 0;
      if (row === own || factor === 0) continue;
      for (const [key, value] of own) row.set(key, (row.get(key) ?? 0) - factor * value);
    }
    rank++;
  }
  expect(rank).toBe(rows.length);
  return rows.map((row) =>
    names.flatMap((name) => ((row.get(name) ?? 0) !== 0 ? [`${row.get(name)}*${name}`] : [])).join(' + '),
  );
}

interface Wire {
  readonly ends: readonly [number, number];
  readonly guard: readonly { readonly condition: number; readonly value: boolean }[];
}

const components = 5;
/** Components first, then connectors of the model itself. */
const endName = (k: number): string => (k < components ? `c${k}.p` : `q${k - components}`);

const wires = fc.array(
  fc.record({
    ends: fc.tuple(fc.nat(components + 1), fc.nat(components + 1)),
    guard: fc.array(fc.record({ condition: fc.nat(2), value: fc.boolean() }), { maxLength: 2 }),
  }),
  { maxLength: 8 },
);
/** For each component the state that it belongs to, 0 for none; half of the models have no machine. */
const places = fc.oneof(
  fc.constant(Array<number>(components).fill(0)),
  fc.array(fc.nat(2), { minLength: components, maxLength: components }),
);

function modelText(present: readonly number[], connects: string): string {
  const own = present.map((k) => (k < components ? `One c${k};` : `Pin q${k - components};`)).join(' ');
  return `${parts} model M Boolean b0 = time > 0; Boolean b1 = time > 1; Boolean b2 = time > 2; ${own}
    equation ${connects} end M;`;
}

const guardedConnect = ({ ends, guard }: Wire): string =>
  guard.reduceRight(
    (body, { condition, value }) =>
      value ? `if b${condition} then ${body} end if;` : `if b${condition} then else ${body} end if;`,
    connectText(ends),
  );
const connectText = ([a, b]: readonly [number, number]): string => `connect(${endName(a)}, ${endName(b)});`;

/** The model with what exists in one combination and nothing else; wires through absent components are made direct. */
function restricted(
  graph: readonly Wire[],
  exists: (k: number) => boolean,
  isTrue: (label: string) => boolean,
) {
  const active = graph.filter(({ guard }) => guard.every((l) => isTrue(`b${l.condition}`) === l.value));
  const group = Array.from({ length: components + 2 }, (_, k) => k);
  for (const { ends } of active) {
    const [a, b] = [group[ends[0]]!, group[ends[1]]!];
    for (const [k, g] of group.entries()) if (g === b) group[k] = a;
  }
  const touched = new Set(active.flatMap(({ ends }) => ends));
  const connects: string[] = [];
  const alone: string[] = [];
  for (const g of new Set(group)) {
    const members = group.flatMap((other, k) => (other === g && exists(k) ? [k] : []));
    for (const other of members.slice(1)) connects.push(connectText([members[0]!, other]));
    // A connector of the model that was connected with absent ones only: no ordinary text says this.
    if (members.length === 1 && members[0]! >= components && touched.has(members[0]!))
      alone.push(`1*-${endName(members[0]!)}.i`);
  }
  const present = group.map((_, k) => k).filter(exists);
  const ordinary = connected(modelText(present, connects.join(' ')));
  return [...inForce(ordinary, isTrue), ...alone];
}

test('in every combination the equations are those of the model with only what exists', () => {
  fc.assert(
    fc.property(wires, places, (drawn, place) => {
      const graph = drawn.filter(({ ends: [a, b] }) => a !== b);
      const everything = place.map((_, k) => k).concat(components, components + 1);
      const inState = (s: number) => place.flatMap((at, k) => (at === s ? [`c${k}`] : [])).join(' ');
      const whole = connected(modelText(everything, graph.map(guardedConnect).join(' ')), [
        `s: ${inState(1)} | ${inState(2)} |`,
      ]);
      fc.pre(whole.builder.diagnostics.length === 0);
      for (let bits = 0; bits < 8; bits++) {
        for (const state of [1, 2, 3]) {
          const isTrue = (label: string): boolean =>
            label.startsWith('s') ? label === `s${state}` : ((bits >> Number(label.slice(1))) & 1) === 1;
          const exists = (k: number): boolean => k >= components || place[k] === 0 || place[k] === state;
          expect(inForce(whole, isTrue).sort()).toEqual(restricted(graph, exists, isTrue).sort());
        }
      }
    }),
    { numRuns: 30 },
  );
});
