import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { print, printExpression } from '../../src/syntax/print.ts';
import { expression, storedDefinition } from './arbitrary.ts';
import { bare, read, readExpression } from './notation.ts';

/** A tree in which parentheses around one expression are gone; the shape of the tree says the same. */
function dissolved(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(dissolved);
  if (node === null || typeof node !== 'object') return node;
  const { kind, members } = node as { kind?: string; members?: unknown[] };
  if (kind === 'tuple' && members?.length === 1) return dissolved(members[0]);
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, dissolved(value)]));
}

describe('layout', () => {
  test.each([
    ['a+b*c', 'a + b*c'],
    ['(a+b)*c^2', '(a + b)*c^2'],
    ['a.*b', 'a .* b'],
    ['-a', '-a'],
    ['not a and b', 'not a and b'],
    ['if a then b elseif c then d else e', 'if a then b elseif c then d else e'],
    ['1:2:n', '1:2:n'],
    ['f(a,b=c)', 'f(a, b = c)'],
    ['{i for i in 1:3}', '{i for i in 1:3}'],
    ['[1,2;3,4]', '[1, 2; 3, 4]'],
    ['.A.b[1,:]', '.A.b[1, :]'],
  ])('%s', (text, expected) => {
    expect(printExpression(readExpression(text))).toBe(expected);
  });

  test('a model', () => {
    const text = `within A.B;
model M "text"
  import SI = Modelica.Units.SI;
  extends P(x = 1, redeclare model Q = R);
  parameter Real a[3](each start = 0) = {1, 2, 3} "three";
protected
  Real x, y if b;
equation
  if a > 1 then
    x = 1;
  elseif b then
    connect(p, q) annotation (Line(color = {0, 0, 255}));
  else
    y = 2;
  end if;
initial algorithm
  for i in 1:3 loop
    x := i;
    break;
  end for;
  annotation (Documentation(info = "<html>
</html>"));
end M;
`;
    expect(print(read(text.replace(/^ +/gm, ' ')))).toBe(text);
  });

  test('a long list gets a line for each member', () => {
    const names = Array.from({ length: 20 }, (_, i) => `argument${i} = ${i}`);
    expect(print(read(`model M A a(${names.join(',')}); end M;`))).toBe(
      `model M\n  A a(\n    ${names.join(',\n    ')});\nend M;\n`,
    );
  });
});

describe('what is printed parses to the same tree', () => {
  test('random expressions', () => {
    fc.assert(
      fc.property(expression, (tree) => {
        const parsed = readExpression(printExpression(tree));
        expect(dissolved(bare(parsed))).toEqual(dissolved(bare(tree)));
        expect(bare(readExpression(printExpression(parsed)))).toEqual(bare(parsed));
      }),
      { numRuns: 1000 },
    );
  });

  test('random files', () => {
    fc.assert(
      fc.property(storedDefinition, (tree) => {
        const parsed = read(print(tree));
        expect(dissolved(bare(parsed))).toEqual(dissolved(bare(tree)));
        expect(bare(read(print(parsed)))).toEqual(bare(parsed));
      }),
      { numRuns: 300 },
    );
  });

  test('a sum of two thousand terms', () => {
    const text = `a${' - b'.repeat(1999)}`;
    expect(printExpression(readExpression(text))).toBe(text);
  });
});
