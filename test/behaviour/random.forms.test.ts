/**
 * One law for the language: a chain of masses and springs is the same model in whatever way it is written: by hand, with
 * arrays and loops, with arrays of components, by inheritance and replacement, with connectors, with what is shared
 * from outside.
 */
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { agree, cases, law, literal, patience, succeed, tenths } from './random.ts';

interface Mass {
  readonly m: number;
  /** Stiffness of the spring to the mass before, or to the wall. */
  readonly k: number;
  readonly x: number;
  readonly v: number;
}

interface Chain {
  readonly masses: readonly Mass[];
  readonly damping: number;
  readonly force: number;
}

const chain: fc.Arbitrary<Chain> = fc.record({
  masses: fc.array(fc.record({ m: tenths(0.5, 3), k: tenths(0.5, 9), x: tenths(-1, 1), v: tenths(-1, 1) }), {
    minLength: 1,
    maxLength: 5,
  }),
  damping: tenths(0, 2),
  force: tenths(-2, 2),
});

/** Ways to write a chain: the text, and the name of the position of mass i (from 0). */
const forms: readonly { readonly write: (c: Chain) => string; readonly name: (i: number) => string }[] = [
  { write: byHand, name: (i) => `x${i}` },
  { write: withLoops, name: (i) => `x[${i + 1}]` },
  { write: withComponents, name: (i) => `mass[${i + 1}].x` },
  { write: withConnectors, name: (i) => `mass[${i + 1}].b.s` },
  { write: byInheritance, name: (i) => `mass${i}.x` },
];

function list(c: Chain, f: (mass: Mass) => number): string {
  return `{${c.masses.map(f).join(', ')}}`;
}

function byHand(c: Chain): string {
  const n = c.masses.length;
  const declarations = c.masses.map(
    ({ x, v }, i) => `Real x${i}(start = ${x}, fixed = true), v${i}(start = ${v}, fixed = true);`,
  );
  const lines = c.masses.flatMap(({ m, k }, i) => {
    const before = i === 0 ? `${k}*x0` : `${k}*(x${i} - x${i - 1})`;
    const after =
      i + 1 < n ? ` + ${c.masses[i + 1]!.k}*(x${i + 1} - x${i})` : ` + ${literal(c.force)}*sin(5*time)`;
    return [`der(x${i}) = v${i};`, `${m}*der(v${i}) = -${before}${after} - ${c.damping}*v${i};`];
  });
  return `model Chain\n  ${declarations.join('\n  ')}\nequation\n  ${lines.join('\n  ')}\nend Chain;`;
}

function withLoops(c: Chain): string {
  return `model Chain
  parameter Integer n = ${c.masses.length};
  parameter Real m[n] = ${list(c, (a) => a.m)}, k[:] = ${list(c, (a) => a.k)}, d = ${c.damping};
  Real x[n](start = ${list(c, (a) => a.x)}, each fixed = true);
  Real v[size(x, 1)](start = ${list(c, (a) => a.v)}, each fixed = true);
  Real f[n + 1] "Forces of the springs, then the force at the end";
equation
  der(x) = v;
  f[1] = k[1]*x[1];
  for i in 2:n loop
    f[i] = k[i]*(x[i] - x[i - 1]);
  end for;
  f[end] = ${literal(c.force)}*sin(5*time);
  m .* der(v) = f[2:end] - f[1:n] - d*v;
end Chain;`;
}

function withComponents(c: Chain): string {
  return `model Mass
  parameter Real m = 1;
  outer parameter Real d;
  Real x(fixed = true), v(fixed = true);
  input Real f;
equation
  der(x) = v;
  m*der(v) = f - d*v;
end Mass;
model Chain
  inner parameter Real d = ${c.damping};
  constant Integer n = ${c.masses.length};
  parameter Real k[n] = ${list(c, (a) => a.k)};
  Mass mass[n](m = ${list(c, (a) => a.m)}, x(start = ${list(c, (a) => a.x)}), v(start = ${list(c, (a) => a.v)}));
  Real stretch[n];
equation
  stretch = mass.x - cat(1, {0}, mass[1:n - 1].x);
  for i in 1:n - 1 loop
    mass[i].f = k[i + 1]*stretch[i + 1] - k[i]*stretch[i];
  end for;
  mass[n].f = ${literal(c.force)}*sin(5*time) - k[n]*stretch[n];
end Chain;`;
}

function withConnectors(c: Chain): string {
  const n = c.masses.length;
  return `package P
  connector Flange
    Real s;
    flow Real f;
  end Flange;
  partial model TwoFlanges
    Flange a, b;
  end TwoFlanges;
  model Mass
    extends TwoFlanges;
    parameter Real m, d;
    Real v;
  equation
    a.s = b.s;
    v = der(a.s);
    m*der(v) = a.f + b.f - d*v;
  end Mass;
  model Spring
    extends TwoFlanges;
    parameter Real k;
  equation
    b.f = k*(b.s - a.s);
    a.f + b.f = 0;
  end Spring;
  model Wall
    Flange b;
  equation
    b.s = 0;
  end Wall;
  model Force
    Flange b;
  equation
    b.f = -${literal(c.force)}*sin(5*time);
  end Force;
  model Chain
    Wall wall;
    Force force;
    Spring spring[${n}](k = ${list(c, (a) => a.k)});
    Mass mass[${n}](m = ${list(c, (a) => a.m)}, each d = ${c.damping},
      b(s(start = ${list(c, (a) => a.x)}, each fixed = true)), v(start = ${list(c, (a) => a.v)}, each fixed = true));
  equation
    connect(wall.b, spring[1].a);
    connect(spring.b, mass.a);
    for i in 2:${n} loop
      connect(mass[i - 1].b, spring[i].a);
    end for;
    connect(mass[${n}].b, force.b);
  end Chain;
end P;`;
}

function byInheritance(c: Chain): string {
  const n = c.masses.length;
  const parts = c.masses.map(
    ({ m, k, x, v }, i) =>
      `Body mass${i}(m = ${m}, k = ${k}, x.start = ${x}, v(start = ${v}), before = ${i === 0 ? '0' : `mass${i - 1}.x`}, pull = ${i + 1 < n ? `mass${i + 1}.spring` : 'last'});`,
  );
  return `partial model State
  Real x(fixed = true), v(fixed = true);
equation
  der(x) = v;
end State;
model Undamped
  extends State;
  parameter Real m, k = 0, d = 0;
  input Real before, pull;
  Real spring = k*(x - before);
equation
  m*der(v) = pull - spring - d*v;
end Undamped;
model Damped = Undamped(d = ${c.damping});
model Base
  replaceable model Body = Undamped;
  Real last = ${literal(c.force)}*sin(5*time);
  ${parts.join('\n  ')}
end Base;
model Chain
  extends Base(redeclare model Body = Damped);
end Chain;`;
}

describe('a random chain of masses', () => {
  test(
    'moves in the same way however it is written',
    async () => {
      await law(
        cases(fc.record({ chain, form: fc.integer({ min: 1, max: forms.length - 1 }) }), ({ chain, form }) =>
          forms[form]!.write(chain),
        ),
        25,
        async ({ text, data }) => {
          const plain = await succeed(byHand(data.chain), { tolerance: 1e-10 });
          const other = await succeed(text, { tolerance: 1e-10 });
          for (const [i] of data.chain.masses.entries()) {
            const name = forms[data.form]!.name(i);
            const [one, two] = [plain.table.get(`x${i}`), other.table.get(name)];
            for (const [row, value] of one.entries())
              agree(two[row]!, value, 1e-7, `${name} at ${plain.table.time[row]}`);
          }
        },
      );
    },
    patience,
  );
});
