import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lowerModel } from '../../src/modes/lower.ts';
import type { Expr } from '../../src/symbolic/expr.ts';
import { equations, modelOf, problems } from './notation.ts';

const electrical = `
connector Pin Real v; flow Real i; end Pin;
model Two Pin p; Pin n; equation p.v = n.v; p.i + n.i = 0; end Two;
`;

describe('connection sets', () => {
  test('potentials are equal, flows sum to zero, unconnected flows are zero', () => {
    expect(
      equations(
        `${electrical} model M Two a; Two b; Two c; equation connect(a.n, b.p); connect(b.p, c.p); end M;`,
      ),
    ).toEqual([
      'a.p.v = a.n.v;',
      'a.p.i + a.n.i = 0;',
      'b.p.v = b.n.v;',
      'b.p.i + b.n.i = 0;',
      'c.p.v = c.n.v;',
      'c.p.i + c.n.i = 0;',
      'a.n.v = b.p.v;',
      'a.n.v = c.p.v;',
      'a.n.i + b.p.i + c.p.i = 0;',
      'a.p.i = 0;',
      'b.n.i = 0;',
      'c.n.i = 0;',
    ]);
  });

  test('the connectors of the class itself count with a minus sign', () => {
    const lines = equations(`${electrical}
      model Outer Pin q; Two t; equation connect(q, t.p); end Outer;
      model M Outer o; Two x; equation connect(o.q, x.n); end M;`);
    expect(lines).toContain('o.q.v = o.t.p.v;');
    expect(lines).toContain('o.t.p.i - o.q.i = 0;');
    expect(lines).toContain('o.q.i + x.n.i = 0;');
    expect(lines).toContain('o.t.n.i = 0;');
    expect(lines.filter((line) => line === 'o.q.i = 0;')).toEqual([]);
  });

  test('a connector of the model itself has no flow', () => {
    expect(equations(`${electrical} model M Pin p; Two t; equation connect(p, t.p); end M;`)).toContain(
      'p.i = 0;',
    );
  });

  test('arrays of connectors, whole and by element', () => {
    const lines = equations(`${electrical}
      model Many Pin p[2]; equation p[1].v = 1; p[2].v = 2; end Many;
      model M Many a; Two t; Pin q[2]; equation connect(a.p, q); connect(t.p, a.p[2]); end M;`);
    expect(lines).toContain('a.p[1].v = q[1].v;');
    expect(lines).toContain('a.p[1].i - q[1].i = 0;');
    expect(lines).toContain('a.p[2].i + t.p.i - q[2].i = 0;');
  });

  test('connectors inside connectors and array variables in connectors', () => {
    const lines = equations(`
      connector Inner Real e[2]; flow Real f[2]; end Inner;
      connector Outer Inner a; Real s; flow Real g; end Outer;
      model C Outer o; equation o.a.e = {1, 2}; o.s = 3; end C;
      model D Outer o; end D;
      model M C c; D d; equation connect(c.o, d.o); end M;`);
    expect(lines.slice(2)).toEqual([
      'c.o.a.e = d.o.a.e;',
      'c.o.a.f + d.o.a.f = fill(0, 2);',
      'c.o.s = d.o.s;',
      'c.o.g + d.o.g = 0;',
    ]);
  });

  test('inputs and outputs', () => {
    const text = `connector In = input Real; connector Out = output Real;
      block Gain In u; Out y; parameter Real k = 2; equation y = k*u; end Gain;
      model M In u; Out y; Gain a; Gain b; equation connect(u, a.u); connect(a.y, b.u); connect(b.y, y); end M;`;
    expect(equations(text).slice(2)).toEqual(['u = a.u;', 'a.y = b.u;', 'b.y = y;']);
    const model = modelOf(text);
    expect(model.variables.filter((v) => v.causality !== 'local').map((v) => [v.name, v.causality])).toEqual([
      ['u', 'input'],
      ['y', 'output'],
    ]);
  });

  test('elements of an array of inputs split what is connected with it', () => {
    const lines = equations(`connector In = input Real; connector Out = output Real;
      block Mux In u[3]; Out y; equation y = sum(u); end Mux;
      block Src Out y; equation y = time; end Src;
      model M Mux m; Src s[2]; Src t; equation connect(s.y, m.u[1:2]); connect(t.y, m.u[3]); end M;`);
    expect(lines.slice(-4)).toEqual(['for i in 1:2 loop', '  s[i].y = m.u[i];', 'end for;', 't.y = m.u[3];']);
  });

  test.each([1, 2])('an array of inputs with the inputs of %i components', (n) => {
    const lines = equations(`connector In = input Real; connector Out = output Real;
      block Gain In u; Out y; equation y = 2*u; end Gain;
      model M In u[${n}]; Out y[${n}]; Gain g[${n}]; equation connect(u, g.u); connect(g.y, y); end M;`);
    expect(lines.join(' ').match(/u\[\S+ = g\[\S+\.u;|g\[\S+\.y = y\[\S+;/g)).toHaveLength(2);
  });

  test('elements of arrays of different types are refused', () => {
    const text = `connector In = input Boolean; connector Out = output Real;
      model M In u[2]; Out y[2]; equation for i in 1:2 loop connect(u[i], y[i]); end for; y = {1, 2}; end M;`;
    expect(problems(text)[0]).toMatch(/^connector-mismatch .* `u` is Boolean, `y` is Real\./);
  });

  test('connections in loops and under parameter conditions', () => {
    const lines = equations(`${electrical}
      model M parameter Integer n = 3; parameter Boolean closed = true; Two t[n];
      equation
        for i in 1:n - 1 loop connect(t[i].n, t[i + 1].p); end for;
        if closed then connect(t[n].n, t[1].p); end if;
      end M;`);
    expect(lines.filter((line) => line.includes('t[3].n.i') && line.includes('t[1].p.i'))).toEqual([
      't[3].n.i + t[1].p.i = 0;',
    ]);
    // Two elements follow each other in the chain, twice; t[3] and t[1] close it.
    expect(lines.slice(-6)).toEqual([
      'for i in 1:2 loop',
      '  t[i].n.v = t[i + 1].p.v;',
      '  t[i].n.i + t[i + 1].p.i = 0;',
      'end for;',
      't[3].n.v = t[1].p.v;',
      't[3].n.i + t[1].p.i = 0;',
    ]);
  });

  test('connections to absent components vanish', () => {
    const lines = equations(`${electrical}
      model M parameter Boolean has = false; Two a; Two b if has; equation connect(a.p, b.p); end M;`);
    expect(lines.slice(2)).toEqual(['a.p.i = 0;', 'a.n.i = 0;']);
  });
});

describe('connections that exist only sometimes', () => {
  /** The equations of connections: those after the two of each component. */
  const sometimes = (components: number, body: string): string[] =>
    equations(`${electrical}${body}`).slice(2 * components);

  test('closed: potentials are equal; open: no flow; in both cases the flows sum to zero', () => {
    expect(
      sometimes(2, 'model M Two a; Two b; equation if time > 1 then connect(a.p, b.n); end if; end M;'),
    ).toEqual([
      'a.p.i + b.n.i = 0;',
      'a.n.i = 0;',
      'b.p.i = 0;',
      'if time > 1 then',
      '  a.p.v = b.n.v;',
      'else',
      '  b.n.i = 0;',
      'end if;',
    ]);
  });

  test('one row changes for each connect; other equations of the branches stay where they are', () => {
    expect(
      equations(`connector Pin Real v; flow Real i; end Pin; model One Pin p; end One;
        model M One a; One b; One c; One d; equation connect(a.p, b.p);
        if time > 1 then connect(a.p, c.p); elseif time > 2 then c.p.v = 0; else connect(c.p, d.p); end if; end M;`),
    ).toEqual([
      'if time > 1 then',
      'elseif time > 2 then',
      '  c.p.v = 0;',
      'end if;',
      'a.p.v = b.p.v;',
      'a.p.i + b.p.i + c.p.i + d.p.i = 0;',
      'if time > 1 then',
      '  a.p.v = c.p.v;',
      'else',
      '  c.p.i + d.p.i = 0;',
      'end if;',
      'if time > 1 then',
      '  d.p.i = 0;',
      'elseif time > 2 then',
      '  d.p.i = 0;',
      'else',
      '  c.p.v = d.p.v;',
      'end if;',
    ]);
  });

  test('connects that form a ring: the combinations, with what they share outside', () => {
    expect(
      equations(`connector Pin Real v; flow Real i; end Pin; model One Pin p; end One;
        model M One a; One b; One c; equation connect(a.p, b.p);
        if time > 1 then connect(a.p, c.p); end if; if time > 2 then connect(b.p, c.p); end if; end M;`),
    ).toEqual([
      'a.p.v = b.p.v;',
      'if time > 1 then',
      '  a.p.v = c.p.v;',
      '  a.p.i + b.p.i + c.p.i = 0;',
      'elseif time > 2 then',
      '  a.p.v = c.p.v;',
      '  a.p.i + b.p.i + c.p.i = 0;',
      'else',
      '  a.p.i + b.p.i = 0;',
      '  c.p.i = 0;',
      'end if;',
    ]);
  });

  test('the outside face of a connector has no equation while nothing is connected with it', () => {
    const lines = equations(`${electrical}
      model Plug Pin q; Two t; equation if time > 1 then connect(q, t.p); else q.i = 0; end if; end Plug;
      model M Plug a; Two b; equation connect(a.q, b.p); end M;`);
    expect(lines.slice(-6)).toEqual([
      'if time > 1 then',
      '  a.q.v = a.t.p.v;',
      '  a.t.p.i - a.q.i = 0;',
      'else',
      '  a.t.p.i = 0;',
      'end if;',
    ]);
    expect(lines).toContain('a.q.i + b.p.i = 0;');
  });

  test('conditions in loops, and loops in branches; parameters decide while flattening', () => {
    const lines = equations(`connector Out = output Real; connector In = input Real;
      block Source Out y = time; end Source; block Sink In u; end Sink;
      model M parameter Boolean direct = false; parameter Integer n = 2; Source s[n]; Sink t[n]; Boolean on = time > 1;
      equation
        if direct then connect(s[1].y, t[2].u);
        elseif on then for i in 1:n loop connect(s[i].y, t[i].u); end for;
        elseif not direct then connect(s.y, t[{2, 1}].u);
        else connect(s[1].y, t[1].u); end if;
      end M;`);
    expect(lines.slice(4)).toEqual([
      'if on then',
      '  s[1].y = t[1].u;',
      '  s[2].y = t[2].u;',
      'else',
      '  s[1].y = t[2].u;',
      '  t[1].u = s[2].y;',
      'end if;',
    ]);
  });

  test('switched loads of one bus do not multiply', () => {
    const lines = equations(`${electrical} model M Two a; Two b[40];
      equation for i in 1:40 loop if time > i then connect(a.n, b[i].p); end if; end for; end M;`);
    const at = (k: number): number => lines.indexOf(`if time > ${k} then`);
    for (let k = 1; k <= 40; k++) {
      expect(lines.slice(at(k) + 1, at(k) + 5)).toEqual([
        `  a.n.v = b[${k}].p.v;`,
        'else',
        `  b[${k}].p.i = 0;`,
        'end if;',
      ]);
    }
    expect(lines.filter((line) => /^a\.n\.i( \+ b\[\d+\]\.p\.i){40} = 0;$/.test(line))).toHaveLength(1);
  });

  test('a chain of contacts: the flow through an open one is zero, whatever the others do', () => {
    const lines = equations(`connector Pin Real v; flow Real i; end Pin; model One Pin p; end One;
      model M One c[5]; equation for i in 1:4 loop if time > i then connect(c[i].p, c[i + 1].p); end if; end for; end M;`);
    expect(lines).toEqual([
      'c[1].p.i + c[2].p.i + c[3].p.i + c[4].p.i + c[5].p.i = 0;',
      ...['c[1].p.i', 'c[1].p.i + c[2].p.i', 'c[4].p.i + c[5].p.i', 'c[5].p.i'].flatMap((side, k) => [
        `if time > ${k + 1} then`,
        `  c[${k + 1}].p.v = c[${k + 2}].p.v;`,
        'else',
        `  ${side} = 0;`,
        'end if;',
      ]),
    ]);
  });

  test('elements of arrays, and the outside face of a connector', () => {
    const lines = equations(`connector Bus Real e[2]; flow Real f[2]; end Bus;
      model D Bus o; end D;
      model M Bus q; D d; D c; equation connect(q, d.o); if time > 1 then connect(q, c.o); end if; end M;`);
    expect(lines).toEqual([
      'q.e = d.o.e;',
      'd.o.f + c.o.f - q.f = fill(0, 2);',
      'q.f = fill(0, 2);',
      'if time > 1 then',
      '  q.e = c.o.e;',
      'else',
      '  c.o.f = fill(0, 2);',
      'end if;',
    ]);
  });

  test('too many combinations are refused, with the place of the first connect', () => {
    const ring = (n: number): string => `${electrical} model M Two b[${n}];
      equation for i in 1:${n} loop if time > i then connect(b[i].p, b[mod(i, ${n}) + 1].p); end if; end for; end M;`;
    expect(problems(ring(10))).toEqual([]);
    expect(problems(ring(13))).toEqual([
      'limit-exceeded 5:52 The connections of `b[1].p` depend on 13 conditions in more than 4096 combinations. | Use components that switch (with equations of their own) in place of connects in if-equations.',
    ]);
    expect(problems(ring(5000))).toEqual([expect.stringMatching(/^limit-exceeded .* 5000 conditions/)]);
  });
});

describe('wrong connections', () => {
  const wrong = (body: string): string[] => problems(`${electrical}${body}`);
  test.each([
    [
      'model M Two a; Real x; equation connect(a.p, x); end M;',
      'not-a-connector 4:46 `x` is not a connector. | Write an equation instead of connect.',
    ],
    [
      'model M Two a; Two b; equation connect(a, b.p); end M;',
      'not-a-connector 4:40 `a` is not a connector. | Its connectors are `a.p`, `a.n`.',
    ],
    [
      'connector Heat Real T; flow Real Q; end Heat; model M Two a; Heat h; equation connect(a.p, h); end M;',
      'connector-mismatch 4:79 `a.p` and `h` cannot be connected: only the second one has `T`.',
    ],
    [
      'connector Odd Real v; Real i; end Odd; model M Two a; Odd h; equation connect(a.p, h); end M;',
      'connector-mismatch 4:71 `a.p` and `h` cannot be connected: `a.p.i` is a flow, `h.i` is neither flow nor stream.',
    ],
    [
      'model M Two a; Pin q[2]; equation connect(a.p, q); end M;',
      'dimension-mismatch 4:35 `a.p` and `q` have different sizes: scalar and [2].',
    ],
    [
      'model M Two a; Pin q[2]; equation connect(a.p, q[3]); end M;',
      'bad-subscript 4:50 Subscript 3 of `q` is outside: the dimension goes from 1 to 2.',
    ],
    [
      'model M Two a; equation connect(a.p, a.m); end M;',
      'unknown-name 4:40 There is no `m` in a. | `a` has `p`, `n`.',
    ],
    [
      'model M Two a; Two b; equation when time > 1 then connect(a.p, b.p); end when; end M;',
      'bad-call 4:51 A connect cannot stand inside `when`. | Write it in an equation section, by itself or in an if-equation or for-equation.',
    ],
    [
      'model M Two a; Real x; equation if time > 1 then connect(a.p, x); end if; end M;',
      'not-a-connector 4:63 `x` is not a connector. | Write an equation instead of connect.',
    ],
    [
      'model M Two a; Two b; parameter Boolean c(fixed = false); equation if c then connect(a.p, b.p); end if; end M;',
      'no-value 4:71 The condition of connections has no value that can be computed here. | Give the parameters that it depends on a value.',
    ],
    [
      'model M Two a; Two b; equation if time then connect(a.p, b.p); end if; end M;',
      'type-mismatch 4:35 A condition must be Boolean, not Real.',
    ],
    [
      'model M Two a; equation Connections.root(a.p); end M;',
      'bad-call 4:42 `Connections.root` takes an overdetermined type or record of a connector, not `a.p`. | Name a type or record of a connector that has a function `equalityConstraint`: `frame_a.R`.',
    ],
    [
      'connector S Real p; flow Real m; stream Real h; end S; connector T Real p; flow Real m; Real h; end T; model M S s; T t; equation connect(s, t); end M;',
      'connector-mismatch 4:131 `s` and `t` cannot be connected: `s.h` is a stream, `t.h` is neither flow nor stream.',
    ],
  ])('%s', (body, expected) => {
    expect(wrong(body)).toContain(expected);
  });
});

// ---------------------------------------------------------------- laws

/** Brute force: the sets of n pins under given pairs, by flooding. */
function floodedSets(n: number, pairs: readonly (readonly [number, number])[]): number[][] {
  const sets: number[][] = [];
  const done = new Set<number>();
  for (let start = 0; start < n; start++) {
    if (done.has(start)) continue;
    const set = new Set([start]);
    for (let grew = true; grew; ) {
      grew = false;
      for (const [a, b] of pairs) {
        if (set.has(a) !== set.has(b)) {
          set.add(a);
          set.add(b);
          grew = true;
        }
      }
    }
    for (const pin of set) done.add(pin);
    sets.push([...set].sort((a, b) => a - b));
  }
  return sets;
}

/** Symbols in a sum with their signs. */
function terms(expr: Expr, sign = 1, out: [number, number][] = []): [number, number][] {
  if (expr.kind === 'ref') out.push([expr.symbol, sign]);
  else if (expr.kind === 'apply' && (expr.op === 'add' || expr.op === 'sub')) {
    terms(expr.args[0]!, sign, out);
    terms(expr.args[1]!, expr.op === 'sub' ? -sign : sign, out);
  } else if (expr.kind === 'apply' && expr.op === 'neg') terms(expr.args[0]!, -sign, out);
  else throw new Error(`unexpected ${expr.kind}`);
  return out;
}

test('connection sets are those of flooding, and every flow is in exactly one sum', () => {
  const pins = 8;
  const pair = fc.tuple(fc.nat(pins - 1), fc.nat(pins - 1));
  fc.assert(
    fc.property(fc.array(pair, { maxLength: 12 }), (pairs) => {
      const proper = pairs.filter(([a, b]) => a !== b);
      const connects = proper.map(([a, b]) => `connect(c[${a + 1}].p, c[${b + 1}].p);`).join(' ');
      const model =
        modelOf(`connector Pin Real v; flow Real i; end Pin; model One Pin p; equation p.v = 1; end One;
        model M One c[${pins}]; equation ${connects} end M;`);
      const sums: number[][] = [];
      const { equations: rows, scalars } = lowerModel(model);
      for (const equation of rows) {
        if (equation.right !== model.pool.zero) continue;
        const flows = terms(equation.left);
        expect(flows.every(([, sign]) => sign === 1)).toBe(true);
        const pinOf = (symbol: number): number =>
          Number(/^c\[(\d)\]\.p\.i$/.exec(scalars[symbol]!.name)![1]) - 1;
        sums.push(flows.map(([symbol]) => pinOf(symbol)).sort((a, b) => a - b));
      }
      const order = (sets: number[][]): string[] => sets.map((set) => set.join(',')).sort();
      expect(order(sums)).toEqual(order(floodedSets(pins, proper)));
      const potentials = rows.filter((e) => e.left.kind === 'ref' && e.right.kind === 'ref');
      expect(potentials).toHaveLength(pins - sums.length);
    }),
    { numRuns: 60 },
  );
});

describe('rules of connect', () => {
  const signals =
    'connector In = input Real; connector Out = output Real; model S Out y = 1; end S; model G In u; end G;';

  test.each([
    [
      'two outputs',
      'model M S s, t; equation connect(s.y, t.y); end M;',
      'Two sources are connected: the output `s.y` and the output `t.y` both give a value.',
    ],
    [
      'two outputs by way of an input',
      'model M S s, t; G g; equation connect(s.y, g.u); connect(g.u, t.y); end M;',
      'Two sources are connected: the output `s.y` and the output `t.y` both give a value.',
    ],
    [
      'an input of the class and an output',
      'model A In u; S s; equation connect(u, s.y); end A; model M A a(u = 1); end M;',
      'Two sources are connected: the input `a.u` and the output `a.s.y` both give a value.',
    ],
    [
      'a parameter and a constant',
      'connector C constant Real k = 1; Real e; flow Real f; end C; connector D parameter Real k = 1; Real e; flow Real f; end D; model M C c; D d; equation connect(c, d); end M;',
      '`c.k` is a constant, `d.k` is a parameter',
    ],
    [
      'constants that differ',
      'connector C constant Real k; Real e; flow Real f; end C; model M C c(k = 1), d(k = 2); equation connect(c, d); end M;',
      'the constants `c.k` and `d.k` have different values, 1 and 2',
    ],
    [
      'parameters that shape the connectors and differ',
      'connector C parameter Integer n; Real e[n]; flow Real f[n]; parameter Integer k; Real g[k]; flow Real h[k]; end C; model M C c(n = 2, k = 1), d(n = 1, k = 2); equation connect(c, d); end M;',
      'the parameters `c.n` and `d.n` have different values, 2 and 1',
    ],
    [
      'an input and a potential',
      'connector C input Real x; end C; connector D Real x; end D; model M C c; D d; equation connect(c, d); end M;',
      '`c.x` is an input, `d.x` is neither input nor output',
    ],
    [
      'a connector as parameter',
      'connector C input Real x = 1; end C; model M parameter C c; end M;',
      '`c` is a connector, which cannot be a parameter.',
    ],
    [
      'outer in a connector',
      'connector C outer Real e; flow Real f; end C; model M inner Real e = 1; C c; end M;',
      '`e` is outer, which nothing in a connector can be.',
    ],
    [
      'flows without potentials',
      'connector C Real e; flow Real f[2]; end C; model M C c; end M;',
      'The connector `C` has 2 flows for 1 potential: the numbers must be equal.',
    ],
  ])('%s', (_, text, message) => {
    expect(problems(`${signals} ${text}`).join('\n')).toContain(message);
  });

  test('connected variables with different quantities', () => {
    const connectors = (a: string, b: string): string =>
      `connector P = output Real${a}; connector Q = input Real${b}; model A P p = 1; end A; model B Q q; Real y = q; end B;
      model M A a; B b; equation connect(a.p, b.q); end M;`;
    expect(problems(connectors('(quantity = "Length")', '(quantity = "Mass")')).join('\n')).toContain(
      'Different quantities are connected: `a.p` has Length, `b.q` has Mass.',
    );
    expect(problems(connectors('(quantity = "Length")', ''))).toEqual([]);
    expect(problems(connectors('(quantity = "Length")', '(quantity = "Length")'))).toEqual([]);
  });

  test('protected connectors hand on what others give', () => {
    expect(
      problems(
        `${signals} model A In u; G g; protected In inner1; equation connect(u, inner1); connect(inner1, g.u); end A; model M A a; S s; equation connect(s.y, a.u); end M;`,
      ),
    ).toEqual([]);
  });
});
