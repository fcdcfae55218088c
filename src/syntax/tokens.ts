/**
 * The tokens of Modelica 3.6 (specification, sections 2.3 to 2.5 and A.1). A kind of token is a small integer; `T` is indexed
 * by the spelling itself, so the parser reads `T[':=']` or `T.equation`.
 */

const kinds = {
  end_of_text: 0,
  identifier: 1,
  integer: 2,
  real: 3,
  string: 4,
  '(': 5,
  ')': 6,
  '[': 7,
  ']': 8,
  '{': 9,
  '}': 10,
  ',': 11,
  ';': 12,
  ':': 13,
  '.': 14,
  '=': 15,
  ':=': 16,
  '+': 17,
  '-': 18,
  '*': 19,
  '/': 20,
  '^': 21,
  '.+': 22,
  '.-': 23,
  '.*': 24,
  './': 25,
  '.^': 26,
  '<': 27,
  '<=': 28,
  '>': 29,
  '>=': 30,
  '==': 31,
  '<>': 32,
  algorithm: 33,
  and: 34,
  annotation: 35,
  block: 36,
  break: 37,
  class: 38,
  connect: 39,
  connector: 40,
  constant: 41,
  constrainedby: 42,
  der: 43,
  discrete: 44,
  each: 45,
  else: 46,
  elseif: 47,
  elsewhen: 48,
  encapsulated: 49,
  end: 50,
  enumeration: 51,
  equation: 52,
  expandable: 53,
  extends: 54,
  external: 55,
  false: 56,
  final: 57,
  flow: 58,
  for: 59,
  function: 60,
  if: 61,
  import: 62,
  impure: 63,
  in: 64,
  initial: 65,
  inner: 66,
  input: 67,
  loop: 68,
  model: 69,
  not: 70,
  operator: 71,
  or: 72,
  outer: 73,
  output: 74,
  package: 75,
  parameter: 76,
  partial: 77,
  protected: 78,
  public: 79,
  pure: 80,
  record: 81,
  redeclare: 82,
  replaceable: 83,
  return: 84,
  stream: 85,
  // biome-ignore lint/suspicious/noThenProperty: a reserved word of Modelica; nobody awaits this table
  then: 86,
  true: 87,
  type: 88,
  when: 89,
  while: 90,
  within: 91,
};

export const T: Readonly<typeof kinds> = kinds;

/** The spelling of each kind, by its number. */
export const spelling: readonly string[] = Object.keys(T);

/** The reserved words; the kind of the first is `firstKeyword`, the others follow in order. */
export const firstKeyword = T.algorithm;
export const keywords: readonly string[] = spelling.slice(firstKeyword);

export const isKeyword = (kind: number): boolean => kind >= firstKeyword;

/** A table that is 1 for these kinds and 0 for all others. */
export function flags(...some: readonly number[]): Uint8Array {
  const set = new Uint8Array(spelling.length);
  for (const kind of some) set[kind] = 1;
  return set;
}
