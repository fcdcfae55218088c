/**
 * Mutations of Modelica text, from the blind to the knowing: bytes, tokens, classes (whole lines that end in `;` are members), and meaning
 * (another number, another operator, another name of the same text). All that is chosen comes from `Random`.
 */
import type { Random } from './random.ts';

type Mutation = (random: Random, text: string, corpus: readonly string[]) => string;

/** One to a few mutations of a text of the corpus. */
export function mutated(random: Random, corpus: readonly string[]): string {
  let text = random.pick(corpus);
  const level = random.pick(levels);
  const count = 1 + random.below(3);
  for (let n = 0; n < count; n++) text = random.pick(level)(random, text, corpus);
  return text;
}

/** Damage to a file of results. */
export function damaged(random: Random, bytes: Uint8Array): Uint8Array {
  let result: Uint8Array = bytes;
  const count = 1 + random.below(4);
  for (let n = 0; n < count; n++) result = random.pick(byteDamage)(random, result);
  return result;
}

// ---------------------------------------------------------------- bytes

type Damage = (random: Random, bytes: Uint8Array) => Uint8Array;

const byteDamage: readonly Damage[] = [
  (random, bytes) => bytes.slice(0, random.below(bytes.length + 1)),
  (random, bytes) => set(bytes, random.below(bytes.length), random.below(256)),
  (random, bytes) =>
    set(bytes, random.below(Math.min(bytes.length, 256)), random.pick([0, 1, 0x7f, 0x80, 0xff])),
  (random, bytes) => {
    const at = random.below(bytes.length);
    const result = bytes.slice();
    const word = random.pick([0, -1, 0x7fffffff, -0x80000000, 0x10000, 1]);
    if (at + 4 <= result.length) new DataView(result.buffer).setInt32(at & ~3, word, true);
    return result;
  },
  (random, bytes) => {
    const at = random.below(bytes.length);
    const length = 1 + random.below(16);
    return joined(bytes.subarray(0, at), bytes.subarray(at + length));
  },
  (random, bytes) => {
    const at = random.below(bytes.length);
    const from = random.below(bytes.length);
    return joined(bytes.subarray(0, at), bytes.subarray(from, from + random.below(64)), bytes.subarray(at));
  },
];

function set(bytes: Uint8Array, at: number, value: number): Uint8Array {
  const result = bytes.slice();
  if (at < result.length) result[at] = value;
  return result;
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const result = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    result.set(part, at);
    at += part.length;
  }
  return result;
}

const strange = [
  '\0',
  '\ufeff',
  '"',
  "'",
  '/*',
  '*/',
  '//',
  '\\',
  '\u2028',
  '\ud800',
  'é',
  '𝒳',
  '\r',
  '$',
  '`',
  '@',
];

const bytes: readonly Mutation[] = [
  (random, text) => cut(text, random.below(text.length + 1), random.below(8)),
  (random, text) => insert(text, random.below(text.length + 1), random.pick(strange)),
  (random, text) => insert(text, random.below(text.length + 1), String.fromCharCode(32 + random.below(95))),
  (random, text) => text.slice(0, random.below(text.length + 1)),
  (random, text) => {
    const from = random.below(text.length);
    return insert(text, random.below(text.length + 1), text.slice(from, from + random.below(60)));
  },
];

const cut = (text: string, at: number, length: number): string => text.slice(0, at) + text.slice(at + length);
const insert = (text: string, at: number, part: string): string => text.slice(0, at) + part + text.slice(at);

// ---------------------------------------------------------------- tokens

/** Spaces and comments are tokens too, so that joining gives the text back. */
export function tokensOf(text: string): string[] {
  return (
    text.match(
      /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\.)*'|[A-Za-z_]\w*|\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|:=|<=|>=|==|<>|\.[*^/+-]|[\s\S]/g,
    ) ?? []
  );
}

const isSpace = (token: string): boolean => /^\s|^\/[/*]/.test(token);
const isName = (token: string): boolean => /^[A-Za-z_]\w*$/.test(token) && !keywords.has(token);
const isNumber = (token: string): boolean => /^\d/.test(token);

const keywords = new Set(
  `algorithm and annotation assert block break class connect connector constant constrainedby der discrete each else elseif elsewhen
  encapsulated end enumeration equation expandable extends external false final flow for function if import impure in initial inner input
  loop model not operator or outer output package parameter partial protected public pure record redeclare replaceable return stream then
  true type when while within`.split(/\s+/),
);

/** Where the tokens stand that `wanted` says. */
function places(tokens: readonly string[], wanted: (token: string) => boolean): number[] {
  return [...tokens.keys()].filter((k) => wanted(tokens[k]!));
}

/** Changes one of the tokens that `wanted` says. */
function changed(
  random: Random,
  text: string,
  wanted: (token: string) => boolean,
  change: (token: string, tokens: readonly string[]) => string,
): string {
  const tokens = tokensOf(text);
  const candidates = places(tokens, wanted);
  if (candidates.length === 0) return text;
  const at = random.pick(candidates);
  tokens[at] = change(tokens[at]!, tokens);
  return tokens.join('');
}

const isWord = (token: string): boolean => !isSpace(token);
const words = [
  ...keywords,
  ...'( ) [ ] { } , ; : . = + - * / ^ < > == <> := time x y der sin Real Integer Boolean String 0 1 -1 "s"'.split(
    ' ',
  ),
];

const tokens: readonly Mutation[] = [
  (random, text) => changed(random, text, isWord, () => ''),
  (random, text) => changed(random, text, isWord, (token) => `${token} ${token}`),
  (random, text) => changed(random, text, isWord, (token) => `${token} ${random.pick(words)}`),
  (random, text) => changed(random, text, isWord, () => random.pick(words)),
  (random, text) => changed(random, text, isWord, (_, all) => random.pick(all.filter(isWord))),
  (random, text, corpus) =>
    changed(random, text, isWord, () => random.pick(tokensOf(random.pick(corpus)).filter(isWord))),
];

// ---------------------------------------------------------------- classes

/** Pieces that end in `;`: declarations, equations, ends of classes. */
export function members(text: string): string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const token of tokensOf(text)) {
    piece += token;
    if (token !== ';') continue;
    pieces.push(piece);
    piece = '';
  }
  return piece === '' ? pieces : [...pieces, piece];
}

const restrictions = [
  'model',
  'block',
  'connector',
  'record',
  'function',
  'package',
  'class',
  'type',
  'operator record',
];
const prefixes = [
  'parameter',
  'constant',
  'discrete',
  'input',
  'output',
  'flow',
  'stream',
  'inner',
  'outer',
  'final',
  'replaceable',
  'protected',
  'public',
  'each',
];

function withMembers(random: Random, text: string, change: (list: string[], at: number) => void): string {
  const list = members(text);
  if (list.length === 0) return text;
  change(list, random.below(list.length));
  return list.join('');
}

const classes: readonly Mutation[] = [
  (random, text) => withMembers(random, text, (list, at) => list.splice(at, 1)),
  (random, text) => withMembers(random, text, (list, at) => list.splice(at, 0, list[at]!)),
  (random, text) =>
    withMembers(random, text, (list, at) => {
      const [moved] = list.splice(at, 1);
      list.splice(random.below(list.length + 1), 0, moved!);
    }),
  (random, text, corpus) =>
    withMembers(random, text, (list, at) => list.splice(at, 0, random.pick(members(random.pick(corpus))))),
  (random, text, corpus) => `${random.pick(corpus)}\n${text}`,
  (random, text) =>
    changed(
      random,
      text,
      (token) => restrictions.includes(token),
      () => random.pick(restrictions),
    ),
  (random, text) =>
    withMembers(random, text, (list, at) => {
      list[at] = list[at]!.replace(/(\s*)(\w)/, `$1${random.pick(prefixes)} $2`);
    }),
  (random, text) =>
    withMembers(random, text, (list, at) => {
      const names = tokensOf(text).filter(isName);
      list.splice(at, 0, `\n  extends ${random.pick(names)};`);
    }),
  (random, text) =>
    withMembers(random, text, (list, at) => {
      const names = tokensOf(text).filter(isName);
      list.splice(
        at,
        0,
        `\n  ${random.pick(names)} ${random.pick(names)}${random.pick(['', '[2]', '[0]', '[:]', '(start = 1)'])};`,
      );
    }),
];

// ---------------------------------------------------------------- meaning

const numbers = [
  '0',
  '1',
  '2',
  '3',
  '0.5',
  '1e-9',
  '1e9',
  '1e300',
  '1e-300',
  '100',
  '-1',
  '4294967296',
  '1e400',
];
const operators = ['+', '-', '*', '/', '^', '.*', './', '.^', '<', '<=', '>', '>=', '==', '<>', 'and', 'or'];
const functions =
  `sin cos tan asin acos atan sinh cosh tanh exp log log10 sqrt abs sign floor ceil integer noEvent pre edge change initial
  terminal sample smooth delay cross skew transpose sum product min max size ndims fill zeros ones linspace identity scalar vector matrix cat
  previous hold subSample superSample actualStream inStream cardinality homotopy semiLinear mod rem div atan2 reinit assert terminate
  transition initialState activeState ticksInState timeInState`.split(/\s+/);
const types = ['Real', 'Integer', 'Boolean', 'String', 'Clock', 'ExternalObject', 'StateSelect'];
const equationsOf = (name: string, other: string, value: string): string[] => [
  `${name} = ${value};`,
  `${name} = ${other};`,
  `der(${name}) = ${other};`,
  `when ${name} > ${value} then ${other} = pre(${other}); end when;`,
  `when ${name} > ${value} then reinit(${other}, ${value}); end when;`,
  `if ${name} > ${value} then ${other} = ${value}; else ${name} = ${other}; end if;`,
  `assert(${name} < ${value}, "text");`,
  `for i in 1:${value} loop ${name} = i*${other}; end for;`,
  `connect(${name}, ${other});`,
  `0 = if ${name} < ${other} then ${name} else ${value};`,
];

const isOperator = (token: string): boolean => operators.includes(token);

const meaning: readonly Mutation[] = [
  (random, text) => changed(random, text, isNumber, () => random.pick(numbers)),
  (random, text) => changed(random, text, isNumber, (token) => `${token}*time`),
  (random, text) => changed(random, text, isOperator, () => random.pick(operators)),
  (random, text) => changed(random, text, isName, (_, all) => random.pick(all.filter(isName))),
  (random, text) => changed(random, text, isName, (token) => `${random.pick(functions)}(${token})`),
  (random, text) =>
    changed(
      random,
      text,
      (token) => functions.includes(token),
      () => random.pick(functions),
    ),
  (random, text) =>
    changed(
      random,
      text,
      (token) => types.includes(token),
      () => random.pick(types),
    ),
  (random, text) =>
    changed(
      random,
      text,
      isName,
      (token) => `${token}[${random.pick(['1', '2', '0', ':', 'end', '1:2', '-1', 'time'])}]`,
    ),
  (random, text) =>
    changed(
      random,
      text,
      (token) => ['true', 'false'].includes(token),
      (token) => (token === 'true' ? 'false' : 'true'),
    ),
  (random, text) =>
    changed(
      random,
      text,
      (token) => token === 'equation',
      (token) => {
        const names = tokensOf(text).filter(isName);
        return `${token}\n  ${random.pick(equationsOf(random.pick(names), random.pick(names), random.pick(numbers)))}`;
      },
    ),
  (random, text) =>
    changed(
      random,
      text,
      (token) => token === 'equation' || token === 'algorithm',
      () => random.pick(['algorithm', 'initial equation', 'initial algorithm', 'equation']),
    ),
  (random, text) =>
    changed(
      random,
      text,
      (token) => token === '(',
      () => random.pick(['(start = 1, ', '(each ', '(final ', '(min = 2, ', '(unit = "m", ']),
    ),
];

/** The knowing ones come further, so they come more often. */
const levels = [bytes, tokens, classes, classes, meaning, meaning, meaning, meaning, meaning];
