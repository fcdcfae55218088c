/** Operator records: which function stands for an operator, and what an operator record may contain. */
import { describe, expect, test } from 'vitest';
import { done } from '../simulate/notation.ts';
import { equations, problems } from './notation.ts';

/** A record `V` of two fields with the given operators; `use` follows in a model. */
const withOperators = (operators: string, use: string): string =>
  `operator record V Real a; Real b;\n${operators}\nend V;\nmodel M\n${use}\nend M;`;

const make = `encapsulated operator 'constructor' function make import V; input Real a; input Real b = 0; output V v(a = a, b = b); algorithm end make; end 'constructor';`;
const plus = `encapsulated operator function '+' import V; input V x; input V y; output V z; algorithm z.a := x.a + y.a; z.b := x.b + y.b; end '+';`;
const minus = `encapsulated operator '-'
  function negate import V; input V x; output V z; algorithm z := V(-x.a, -x.b); end negate;
  function subtract import V; input V x; input V y; output V z; algorithm z := V(x.a - y.a, x.b - y.b); end subtract;
end '-';`;
const times = `encapsulated operator '*'
  function scale import V; input Real k; input V x; output V z; algorithm z := V(k*x.a, k*x.b); end scale;
  function dot import V; input V x[:]; input V y[size(x, 1)]; output Real z; algorithm z := 0; for i in 1:size(x, 1) loop z := z + x[i].a*y[i].a; end for; end dot;
end '*';`;
const zero = `encapsulated operator function '0' import V; output V z; algorithm z := V(0, 0); end '0';`;
const all = [make, plus, minus, times, zero].join('\n');

describe('operators', () => {
  test('are those of the record, written out', () => {
    expect(
      equations(withOperators(all, 'V x = V(time, 2); V y = x + V(1); V z = -x - y; V w = 3*x;')),
    ).toEqual([
      'x.a = time;',
      'x.b = 2;',
      'y.a = x.a + 1;',
      'y.b = x.b;',
      'z.a = -(x.a + y.a);',
      'z.b = -(x.b + y.b);',
      'w.a = 3*x.a;',
      'w.b = 3*x.b;',
    ]);
  });

  test('whose operands are calls with arrays, which are written out later', async () => {
    const { table } = await done(
      withOperators(
        all,
        `function total input V v[:]; output V s; algorithm s := V(sum(v.a), sum(v.b)); annotation(Inline = true); end total;
         V x = V(1, 0) + total({V(k, 10*k + time) for k in 1:3});`,
      ),
      { stopTime: 1 },
    );
    expect([table.value('x.a', 1), table.value('x.b', 1)]).toEqual([7, 63]);
  });

  test('convert an operand by a constructor', () => {
    expect(equations(withOperators(all, 'V x = V(time, 2); V y = x + 5; V z = 7 - x;'))).toEqual([
      'x.a = time;',
      'x.b = 2;',
      'y.a = x.a + 5;',
      'y.b = x.b;',
      'z.a = 7 - x.a;',
      'z.b = -x.b;',
    ]);
  });

  test('of a derived operator record are those of the record', () => {
    const text = `operator record V Real a; Real b; ${all} end V; operator record W = V(a(unit = "V"));
      model M W x = V(time, 2); V y = x + x; end M;`;
    expect(equations(text).slice(2)).toEqual(['y.a = 2*x.a;', 'y.b = 2*x.b;']);
  });

  test('that do not exist are reported', () => {
    expect(problems(withOperators(make, 'V x = V(1); V y = x + x;'))).toEqual([
      "type-mismatch 5:19 No function of `'+'` takes V and V. | Define the operator in `V`, or convert the operands.",
    ]);
    expect(problems('record R Real a; end R; model M R x = R(1); R y = x + x; end M;')).toEqual([
      'type-mismatch 1:51 `+` cannot combine R and R: `R` is a record without operators. | Write the equation for its members, or make it an operator record.',
    ]);
    expect(problems(withOperators(all, 'V x = V(true);'))).toEqual([
      "bad-call 15:7 No function of `V.'constructor'` takes (Boolean). | Call it as `V(a, b)`.",
    ]);
  });
});

describe('constructors', () => {
  test('without them there is that of all records', () => {
    expect(equations(withOperators(plus, 'V x = V(a = time, b = 1);'))).toEqual(['x.a = time;', 'x.b = 1;']);
  });
});

describe('what is not allowed', () => {
  const ofRecord = (body: string): string[] =>
    problems(`operator record V Real a; Real b; ${body} end V;\nmodel M V x(a = 1, b = 2); end M;`);
  test.each([
    [
      "encapsulated operator '+' constant Real k = 1; end '+';",
      "The operator `V.'+'` contains `k`, which is no function.",
    ],
    [
      "encapsulated operator function '+' import V; input V x; output V y; algorithm y := x; end '+';",
      "`V.'+'` needs 2 inputs, not 1.",
    ],
    [
      "encapsulated operator function '*' input Real x; input Real y; output Real z; algorithm z := x; end '*';",
      "`V.'*'` has no operand of type `V`.",
    ],
    [
      "encapsulated operator function 'String' import V; input V x; output Real y; algorithm y := 1; end 'String';",
      "`V.'String'` must have an output of type String.",
    ],
    [
      "encapsulated operator 'constructor' function f input Real x; output Real y; algorithm y := x; end f; end 'constructor';",
      "`V.'constructor'.f` must have an output of type `V`.",
    ],
    [
      "encapsulated operator 'constructor' function f import V; input Real x; output V y; algorithm y.a := x; end f; function g import V; input Integer x; input Real z = 1; output V y; algorithm y.a := x; end g; end 'constructor';",
      "`V.'constructor'.g` and `V.'constructor'.f` could both be meant by one use of the operator.",
    ],
    [
      "encapsulated operator function '?' import V; input V x; output V y; algorithm y := x; end '?';",
      "There is no operator `'?'` that could be defined.",
    ],
  ])('%s', (body, message) => {
    const found = ofRecord(body);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(message);
    expect(found[0]).toMatch(/^bad-operator \d+:\d+/);
  });

  test('extending an operator record, or what contains one', () => {
    expect(
      problems(
        'operator record V Real a; end V; operator record W extends V; end W; model M W x(a = 1); end M;',
      ),
    ).toEqual([
      'bad-operator 1:60 The operator record `V` cannot be extended. | Write `operator record … = V(…)`, which may modify the attributes of its components.',
    ]);
    expect(
      problems('model B package P operator record V Real a; end V; end P; end B; model M extends B; end M;'),
    ).toEqual([
      'bad-operator 1:82 `B` cannot be extended: it contains the operator record `P.V`. | Move the operator record to a package that is not extended.',
    ]);
  });

  test('an operator that is not encapsulated', () => {
    expect(
      problems(`operator record U Real x; operator function '+' input U a; input U b; output U r; algorithm r.x := a.x + b.x; end '+'; end U;
model M U u = U(1) + U(time); end M;`)[0],
    ).toContain(
      "The operator `'+'` of `U` is not encapsulated. | Write `encapsulated operator function '+'`",
    );
  });

  test('an operator outside of an operator record', () => {
    expect(
      problems(
        "model M operator function '+' input Real x; output Real y; algorithm y := x; end '+'; end M;",
      ),
    ).toEqual([
      "bad-operator 1:27 The operator `'+'` is not in an operator record. | Move it into the operator record whose operator it is.",
    ]);
  });
});

describe('flows', () => {
  const network = (operators: string): string => `operator record V Real a; Real b;\n${operators}\nend V;
    connector C V e; flow V f; end C;
    model A C c; equation c.e = V(1, 2); end A; model B C c; equation c.f = V(3, time); end B;
    model M A p; B q; equation connect(p.c, q.c); end M;`;

  test('are added field by field', () => {
    expect(problems(network(all))).toEqual([]);
  });

  test('need addition, negation and zero', () => {
    expect(problems(network(`${make}${plus}`))).toEqual([
      "bad-operator 4:29 Flows of type `V` cannot be connected: it lacks the operator `'-'` for negation, `'0'` for zero. | Define it in the operator record.",
    ]);
  });

  test('whose operators do something else are not connected', () => {
    const polar = plus.replace('x.a + y.a', 'sqrt(x.a^2 + y.a^2)');
    expect(problems(network([make, polar, minus, zero].join('\n')))).toEqual([
      expect.stringContaining(
        'unsupported 10:29 Flows of type `V` cannot be connected: its operators do not add field by field.',
      ),
    ]);
  });
});
