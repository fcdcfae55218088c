import { describe, expect, test } from 'vitest';
import { parseExpression } from '../../src/syntax/parser.ts';
import { messages, readExpression, source, tree } from './notation.ts';

describe('expressions', () => {
  test.each([
    // literals and names
    ['1', '1'],
    ['true', 'true'],
    ['false', 'false'],
    ['"s"', '"s"'],
    ['time', 'time'],
    ['.A.b', '.A.b'],
    ["'a b'.c", "'a b'.c"],
    ['a.b[1, :].c[end]', 'a.b[1 :].c[end]'],
    ['x[end - 1, 1:end]', 'x[(- end 1) (: 1 end)]'],
    ['x[if end > 3 then end else f(end)]', 'x[(if (> end 3) end (f! end))]'],
    ['x[{end for i in 1:2}]', 'x[{end for i:(: 1 2)}]'],
    ['x[[1, end; end, 2]]', 'x[[1 end; end 2]]'],
    // precedence, table 3.1 of the specification
    ['a + b*c', '(+ a (* b c))'],
    ['a*b + c', '(+ (* a b) c)'],
    ['a - b - c', '(- (- a b) c)'],
    ['a / b / c', '(/ (/ a b) c)'],
    ['a .+ b .* c', '(.+ a (.* b c))'],
    ['a ./ b .- c', '(.- (./ a b) c)'],
    ['a^b*c', '(* (^ a b) c)'],
    ['a*b .^ c', '(* a (.^ b c))'],
    ['-a^2', '(- (^ a 2))'],
    ['-a*b + c', '(+ (- (* a b)) c)'],
    ['+a', '(+ a)'],
    ['.-a', '(.- a)'],
    ['.+a', '(.+ a)'],
    ['a + b < c - d', '(< (+ a b) (- c d))'],
    ['a == -b', '(== a (- b))'],
    ['a <> b', '(<> a b)'],
    ['not a < b', '(not (< a b))'],
    ['a and not b or c', '(or (and a (not b)) c)'],
    ['a or b and c', '(or a (and b c))'],
    ['a and b and c', '(and (and a b) c)'],
    ['a >= b and c <= d', '(and (>= a b) (<= c d))'],
    ['1:n', '(: 1 n)'],
    ['1:2:n + 1', '(: 1 2 (+ n 1))'],
    ['a or b:c', '(: (or a b) c)'],
    // if
    ['if a then b else c', '(if a b c)'],
    ['if a then b elseif c then d else e + 1', '(if a b c d (+ e 1))'],
    ['if a then b else if c then d else e', '(if a b (if c d e))'],
    // parentheses, arrays
    ['(a + b)*c', '(* <(+ a b)> c)'],
    ['(a, , b)', '<a _ b>'],
    ['(, a)', '<_ a>'],
    ['(a, )', '<a _>'],
    ['()', '<>'],
    ['{1, 2}', '{1 2}'],
    ['{{1, 2}, {3, 4}}', '{{1 2} {3 4}}'],
    ['[1, 2; 3, 4]', '[1 2; 3 4]'],
    ['{i^2 for i in 1:3}', '{(^ i 2) for i:(: 1 3)}'],
    ['{i*j for i in 1:3, j}', '{(* i j) for i:(: 1 3) for j:_}'],
    // calls
    ['f()', '(f!)'],
    ['f(a, b)', '(f! a b)'],
    ['f(a, b = c, d = 1)', '(f! a b=c d=1)'],
    ['A.f(x[1])', '(A.f! x[1])'],
    ['der(x)', '(der! x)'],
    ['initial()', '(initial!)'],
    ['pure(f(x))', '(pure! (f! x))'],
    ['sum(x[i] for i in 1:n)', '(sum! x[i] for i:(: 1 n))'],
    ['f(function g(a = 1), 2)', '(f! (function g a=1) 2)'],
    ['f(h = function .A.g())', '(f! h=(function .A.g))'],
    ['f(if a then b else c)', '(f! (if a b c))'],
    ['previous(x) + interval(u)', '(+ (previous! x) (interval! u))'],
  ])('%s', (text, expected) => {
    expect(tree(readExpression(text))).toBe(expected);
  });

  test('every node knows its place', () => {
    const text = 'a + f(b, c = -1)[';
    const e = readExpression(text.slice(0, -1));
    const part = (node: { start: number; end: number }): string => text.slice(node.start, node.end);
    if (e.kind !== 'binary' || e.right.kind !== 'call') throw new Error('wrong tree');
    expect(
      [e, e.left, e.right, e.right.callee, e.right.named[0]!, e.right.named[0]!.value].map(part),
    ).toEqual(['a + f(b, c = -1)', 'a', 'f(b, c = -1)', 'f', 'c = -1', '-1']);
  });
});

describe('mistakes', () => {
  test.each([
    ['', '1:1 expected an expression, found the end of the text'],
    ['a +', '1:4 expected an expression, found the end of the text'],
    ['a b', '1:3 expected the end of the expression, found `b`'],
    ['a * -b', '1:5 `-` cannot follow another operator'],
    ['a + -b', '1:5 `-` cannot follow another operator'],
    ['--a', '1:2 `-` cannot follow another operator'],
    ['not not a', '1:5 `not` cannot follow `not`'],
    ['a < b < c', '1:7 `<` cannot follow an expression with `<`'],
    ['a^b^c', '1:4 `^` cannot follow an expression with `^`'],
    ['1 + if a then b else c', '1:5 an if-expression as an operand needs parentheses'],
    ['if a then b', '1:12 expected `else`, found the end of the text'],
    ['if a = b then c else d', '1:6 `=` where the comparison `==` is needed'],
    ['f(a = 1, b)', '1:10 a positional argument cannot follow a named one'],
    ['f(a, b for i in 1:3)', '1:8 `for` must follow the only argument'],
    ['f(a', '1:4 expected `)` to close this call, found the end of the text'],
    ['f(function g(1))', '1:14 expected a named argument, found `1`'],
    ['{}', '1:2 an array constructor needs an element'],
    ['[1, 2; ]', '1:8 expected an expression, found `]`'],
    ['x[1', '1:4 expected `]` to close these subscripts, found the end of the text'],
    ['a.', '1:3 expected a name, found the end of the text'],
    ['a.equation', '1:3 `equation` is a reserved word and cannot be a name'],
    ['end + 1', '1:1 `end` as a value can only stand in a subscript'],
    ['1:2:3:4', '1:6 expected the end of the expression, found `:`'],
  ])('%j', (text, expected) => {
    const { expression, diagnostics } = parseExpression(source(text));
    expect(messages(diagnostics)).toEqual([expected]);
    expect(expression).toBeUndefined();
  });
});
