/**
 * Equations, statements and functions of a flat model as lines of Modelica text. With the names of `writtenNames` the text can be
 * read again; with those of `namesOf` it is for messages.
 */
import { stringLiteral } from '../../names/literals.ts';
import type { Expr } from '../../symbolic/expr.ts';
import type { FunctionDef, FunctionLocal, ValueType } from '../../symbolic/function.ts';
import { exprText, type NameTable } from '../core/text.ts';
import type { FlatAction, FlatEquation, FlatModel, FlatStatement } from '../flat.ts';
import { identifier, type Single, typingOf } from './names.ts';
import type { ObjectClass } from './objects.ts';

// ---------------------------------------------------------------- equations

/** The lines of equations; those that stand under one clock stand there together. */
export function bodyLines(
  body: readonly FlatEquation[],
  model: FlatModel,
  names: NameTable,
  indent: string,
): string[] {
  const lines: string[] = [];
  let clock: string | undefined;
  for (const equation of body) {
    const own = names.clockOf?.(equation);
    if (own !== clock && clock !== undefined) lines.push(`${indent}end when;`);
    if (own !== clock && own !== undefined) lines.push(`${indent}when ${own} then`);
    clock = own;
    lines.push(...equationLines(equation, model, names, clock === undefined ? indent : `${indent}  `));
  }
  if (clock !== undefined) lines.push(`${indent}end when;`);
  return lines;
}

/** The lines of an equation; nested ones are indented. */
export function equationLines(
  equation: FlatEquation,
  model: FlatModel,
  names: NameTable,
  indent: string,
): string[] {
  const text = (expr: Expr): string => exprText(expr, names);
  const nested = (body: readonly FlatEquation[]): string[] => bodyLines(body, model, names, `${indent}  `);
  switch (equation.kind) {
    case 'equal':
      return [
        `${indent}${names.sentence?.(equation) ?? pairText(equation.left, equation.right, '=', names)};`,
      ];
    case 'call': {
      const outputs = equation.outputs.map((output) => (output ? text(output) : '')).join(', ');
      return [`${indent}(${outputs}) = ${callText(equation.fn, equation.args, names)};`];
    }
    case 'for': {
      const head = `for ${names.iterator(equation.iterator)} in ${text(equation.range)} loop`;
      return [indent + head, ...nested(equation.body), `${indent}end for;`];
    }
    case 'if': {
      const branches = equation.branches.map(({ condition, body }) => ({
        condition: condition === undefined ? undefined : model.conditions[condition]!.value,
        body,
      }));
      return branchLines('if', branches, nested, names, indent);
    }
    case 'when': {
      const lines = (body: readonly FlatAction[]): string[] =>
        body.map((action) => `${indent}  ${actionText(action, names)};`);
      return branchLines('when', equation.branches, lines, names, indent);
    }
    case 'assert':
      return [`${indent}${assertText(equation, names)};`];
    case 'algorithm':
      return [`${indent}algorithm`, ...statementLines(equation.body, names, `${indent}  `)];
    case 'clocked': {
      const head = `when ${model.clocks[equation.clock]!.label} then`;
      return [indent + head, ...nested(equation.body), `${indent}end when;`];
    }
  }
}

/** `if … then … elseif … then … else … end if;` and the same with `when`. */
function branchLines<Body>(
  word: 'if' | 'when',
  branches: readonly { readonly condition: Expr | undefined; readonly body: Body }[],
  nested: (body: Body) => string[],
  names: NameTable,
  indent: string,
): string[] {
  const lines = branches.flatMap(({ condition, body }, k) => {
    const head = condition && `${k === 0 ? '' : 'else'}${word} ${exprText(condition, names, 'Boolean')} then`;
    return [`${indent}${head ?? 'else'}`, ...nested(body)];
  });
  return [...lines, `${indent}end ${word};`];
}

/** Two sides that are equal or assigned; what a variable on one side is, the other must be. */
function pairText(left: Expr, right: Expr, sign: string, names: NameTable): string {
  const wanted = pairType(left, right, names);
  return `${exprText(left, names, wanted)} ${sign} ${exprText(right, names, wanted)}`;
}

function pairType(left: Expr, right: Expr, { typing }: NameTable): ValueType | undefined {
  if (!typing) return undefined;
  const sides = [left, right];
  if (sides.some((side) => typing.isBoolean(side))) return 'Boolean';
  if (sides.some((side) => typing.type(side) === 'String')) return 'String';
  const isInteger = (side: Expr): boolean => typing.type(side) === 'Integer';
  const isTaken = sides.some((side) => isVariable(side) && isInteger(side));
  return isTaken && sides.every((side) => !isVariable(side) || isInteger(side)) ? 'Integer' : 'Real';
}

const isVariable = ({ kind }: Expr): boolean => kind === 'ref' || kind === 'local';

function callText(fn: number, args: readonly Expr[], names: NameTable): string {
  const inputs = names.typing?.inputs(fn) ?? [];
  const texts = args.map((arg, k) => exprText(arg, names, inputs[k]?.type));
  return `${names.fn(fn, 0)}(${texts.join(', ')})`;
}

function actionText(action: FlatAction, names: NameTable): string {
  const text = (expr: Expr): string => exprText(expr, names);
  switch (action.kind) {
    case 'assign':
      return pairText(action.target, action.value, '=', names);
    case 'reinit':
      return guarded(`reinit(${text(action.target)}, ${text(action.value)})`, action.when, names);
    case 'assert':
      return assertText(action, names);
    case 'terminate':
      return guarded(`terminate(${text(action.message)})`, action.when, names);
  }
}

const guarded = (action: string, when: Expr | undefined, names: NameTable): string =>
  when ? `if ${exprText(when, names, 'Boolean')} then ${action}; end if` : action;

function assertText(
  node: { readonly condition: Expr; readonly message: Expr; readonly level: string },
  names: NameTable,
): string {
  if (node.level === 'end') {
    const action = `terminate(${exprText(node.message, names)})`;
    const { condition } = node;
    if (condition.kind === 'const' && condition.value === 0) return action;
    return `if not (${exprText(condition, names, 'Boolean')}) then ${action}; end if`;
  }
  const level = node.level === 'warning' ? ', AssertionLevel.warning' : '';
  return `assert(${exprText(node.condition, names, 'Boolean')}, ${exprText(node.message, names)}${level})`;
}

// ---------------------------------------------------------------- functions

/** The lines of a function, which is called `name`. */
export function functionLines(
  definition: FunctionDef,
  functions: readonly FunctionDef[],
  outer: NameTable,
  name: string,
): string[] {
  const { locals, inputs, outputs, body, clause, partial } = definition;
  if (definition.derived) return [];
  if (partial) {
    const variables = partial.by.map(spelling(outer));
    return [`function ${name} = der(${outer.fn(partial.of, 0)}, ${variables.join(', ')});`];
  }
  const names: NameTable = {
    ...outer,
    local: (index) => spelling(outer)(locals[index]!.name),
    typing: typingOf(functions, () => unexpected(name), locals),
  };
  const lines = [`${purity(definition)}function ${name}`];
  for (const [i, local] of locals.entries()) {
    if (local.name === '$written') continue;
    const role = i < inputs ? 'input' : i < inputs + outputs ? 'output' : 'protected';
    lines.push(`  ${role} ${localText(local, names)};`);
  }
  if (clause === undefined) lines.push('algorithm', ...statementLines(body, names, '  '));
  else lines.push(`  ${clause};`);
  const marks = [
    ...(definition.inline === 'demanded' ? ['GenerateEvents = true'] : []),
    ...(definition.inline === 'events' || definition.inline === 'silent' ? ['Inline = true'] : []),
    ...(definition.smooth ? [`smoothOrder = ${definition.smooth}`] : []),
    ...givenTexts(definition, functions, names),
  ];
  if (marks.length > 0) lines.push(`  annotation(${marks.join(', ')});`);
  lines.push(`end ${name};`);
  return lines;
}

/** A class of external objects, with the functions that begin and end their lives. */
export function objectLines(
  { name, constructors, destructor }: ObjectClass,
  functions: readonly FunctionDef[],
  names: NameTable,
): string[] {
  const lines = (title: string, { locals, inputs, outputs, clause }: FunctionDef): string[] => [
    `  function ${title}`,
    ...locals.flatMap((local, k) => {
      // What a destructor gives here says that it was called.
      if (k >= inputs + (title === 'constructor' ? outputs : 0)) return [];
      const role = k < inputs ? 'input' : 'output';
      return [`    ${role} ${localText({ ...local, initial: undefined }, names, k < inputs)};`];
    }),
    `    ${clause};`,
    `  end ${title};`,
  ];
  const [first] = constructors;
  return [
    `class ${name}`,
    '  extends ExternalObject;',
    ...lines('constructor', functions[first!]!),
    ...lines('destructor', functions[destructor]!),
    `end ${name};`,
  ];
}

/** The functions that are given as derivatives and inverses of another one, as annotations. */
function givenTexts(
  { given = [], inverses = [], inputs, locals }: FunctionDef,
  functions: readonly FunctionDef[],
  names: NameTable,
): string[] {
  const local = (k: number): string => spelling(names)(locals[k]!.name);
  const isWritten = ({ fn }: { readonly fn: number }): boolean => !functions[fn]!.external;
  const derivatives = given.filter(isWritten).map(({ fn, along, constant, ignored, pairs }) => {
    const marks = [
      ...(pairs.length > 0 ? [`order = ${1 + pairs.length / along.length}`] : []),
      ...constant.map((input) => `zeroDerivative = ${local(input)}`),
      ...ignored.map((input) => `noDerivative = ${local(input)}`),
    ];
    return `derivative${marks.length > 0 ? `(${marks.join(', ')})` : ''} = ${names.fn(fn, 0)}`;
  });
  const solved = inverses.filter(isWritten).map(({ fn, input, args }) => {
    const values = args.map((k) => local(Math.min(k, inputs)));
    return `${local(input)} = ${names.fn(fn, 0)}(${values.join(', ')})`;
  });
  return [...derivatives, ...(solved.length > 0 ? [`inverse(${solved.join(', ')})`] : [])];
}

function localText(
  { name, type, dims, unit, initial, object }: FunctionLocal,
  names: NameTable,
  isOpen = false,
): string {
  const own = (object !== undefined && names.object?.(object)) || type;
  const sizes = dims.length > 0 ? `[${dims.map((n) => (isOpen ? ':' : n)).join(', ')}]` : '';
  const each = dims.length > 0 ? 'each ' : '';
  const attributes = unit ? `(${each}unit = ${stringLiteral(unit)})` : '';
  const value = initial ? ` = ${exprText(initial, names, type)}` : '';
  return `${own}${sizes} ${spelling(names)(name)}${attributes}${value}`;
}

function purity({ impure, external }: FunctionDef): string {
  if (impure) return 'impure ';
  return external?.kind === 'foreign' && !external.foreign.impure ? 'pure ' : '';
}

/** The lines of a function that has one of several outputs alone. */
export function singleLines(
  definition: FunctionDef,
  single: Single,
  whole: string,
  outer: NameTable,
): string[] {
  const { locals, inputs, outputs } = definition;
  const names = locals.map(({ name }) => spelling(outer)(name));
  const own = locals[inputs + single.output]!;
  const bare = (local: FunctionLocal): string => localText({ ...local, initial: undefined }, outer);
  const targets = Array.from({ length: outputs }, (_, k) => (k === single.output ? names[inputs + k]! : ''));
  return [
    `${purity(definition)}function ${single.name}`,
    ...locals.slice(0, inputs).map((local) => `  input ${bare(local)};`),
    `  output ${bare(own)};`,
    'algorithm',
    `  (${targets.join(', ')}) := ${whole}(${names.slice(0, inputs).join(', ')});`,
    `end ${single.name};`,
  ];
}

const spelling = (names: NameTable): ((name: string) => string) => names.spelled ?? identifier;

function unexpected(name: string): never {
  throw new Error(`the function ${name} refers to a variable of the model`);
}

export function statementLines(body: readonly FlatStatement[], names: NameTable, indent: string): string[] {
  return body.flatMap((node) => linesOf(node, names, indent));
}

function linesOf(node: FlatStatement, names: NameTable, indent: string): string[] {
  const text = (expr: Expr): string => exprText(expr, names);
  const nested = (inner: readonly FlatStatement[]): string[] => statementLines(inner, names, `${indent}  `);
  switch (node.kind) {
    case 'assign':
      return [`${indent}${pairText(node.target, node.value, ':=', names)};`];
    case 'multiassign': {
      if (node.targets.every((target) => !target))
        return [`${indent}${callText(node.fn, node.args, names)};`];
      const targets = node.targets.map((target) => (target ? text(target) : '')).join(', ');
      return [`${indent}(${targets}) := ${callText(node.fn, node.args, names)};`];
    }
    case 'if':
    case 'when':
      return branchLines(node.kind, node.branches, nested, names, indent);
    case 'for':
      return [
        `${indent}for ${names.iterator(node.iterator)} in ${text(node.range)} loop`,
        ...nested(node.body),
        `${indent}end for;`,
      ];
    case 'while':
      return [
        `${indent}while ${exprText(node.condition, names, 'Boolean')} loop`,
        ...nested(node.body),
        `${indent}end while;`,
      ];
    case 'break':
    case 'return':
      return [`${indent}${node.kind};`];
    case 'assert':
    case 'warn':
      return [
        `${indent}${assertText({ ...node, level: node.kind === 'warn' ? 'warning' : 'error' }, names)};`,
      ];
    case 'terminate':
      return [`${indent}terminate(${text(node.message)});`];
  }
}
