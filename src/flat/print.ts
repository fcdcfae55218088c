/**
 * A flat model as readable, Modelica-like text: functions, variables with their attributes, equations. The same model gives
 * the same text, so that two models can be compared as text.
 */
import type { Expr } from '../symbolic/expr.ts';
import type { FunctionDef } from '../symbolic/function.ts';
import { quoted } from '../symbolic/print.ts';
import { subscriptedName } from './families.ts';
import type {
  FlatAction,
  FlatClock,
  FlatComponent,
  FlatEquation,
  FlatModel,
  FlatPort,
  FlatStatement,
  FlatVariable,
} from './flat.ts';
import { exprText, isBooleanLeaf, type NameTable } from './text.ts';

export function printFlat(model: FlatModel): string {
  const names = namesOf(model);
  const lines: string[] = [];
  for (const definition of model.functions) lines.push(...functionLines(definition, names), '');
  lines.push(`model ${model.name}${described(model.description)}`);
  for (const variable of model.variables) lines.push(`  ${variableText(variable, names)};`);
  if (model.initialEquations.length > 0) lines.push('initial equation');
  for (const equation of model.initialEquations) lines.push(...equationLines(equation, model, names, '  '));
  const plain = model.equations.filter(({ kind }) => kind !== 'algorithm');
  if (plain.length > 0) lines.push('equation');
  for (const equation of plain) lines.push(...equationLines(equation, model, names, '  '));
  lines.push(...algorithmLines(model.equations, names));
  for (const component of model.components) lines.push(`  // ${componentText(component, names)}`);
  lines.push(`end ${model.name};`);
  return `${lines.join('\n')}\n`;
}

/** What a built-in component determines and reads. */
function componentText({ path, builtIn, inputs, outputs }: FlatComponent, names: NameTable): string {
  const listed = (ports: readonly FlatPort[]) => ports.map(({ value }) => exprText(value, names)).join(', ');
  const gives = outputs.length > 0 ? ` gives ${listed(outputs)}` : '';
  const reads = inputs.length > 0 ? ` from ${listed(inputs)}` : '';
  return `built-in component ${path === '' ? '' : `${path} `}"${builtIn.name}"${gives}${reads}`;
}

/** Those of the equations that are algorithm sections. */
export function algorithmLines(equations: readonly FlatEquation[], names: NameTable): string[] {
  return equations.flatMap((equation) =>
    equation.kind === 'algorithm' ? ['algorithm', ...statementLines(equation.body, names, '  ')] : [],
  );
}

/** Names for text about a finished model. */
export function namesOf(model: FlatModel): NameTable {
  return {
    variable: (symbol) => model.variables[symbol]?.name ?? `variable${symbol}`,
    element: (symbol, subscripts) => subscriptedName(model.variables[symbol]!, subscripts, ', '),
    iterator: (iterator) => model.iterators?.[iterator] ?? `i${iterator}`,
    fn: (fn) => model.functions[fn]?.name ?? `function${fn}`,
    types: {
      pool: model.pool,
      isBoolean: (leaf) =>
        (leaf.kind === 'ref' || leaf.kind === 'pre') && model.variables[leaf.symbol]?.type === 'Boolean',
    },
  };
}

export const described = (text: string): string => (text ? ` ${quoted(text)}` : '');

// ---------------------------------------------------------------- variables

function variableText(variable: FlatVariable, names: NameTable): string {
  const prefixes: string[] = [];
  if (variable.hidden) prefixes.push('protected');
  if (variable.structural) prefixes.push('final');
  if (variable.flow) prefixes.push('flow');
  const ordinary = variable.variability === (variable.type === 'Real' ? 'continuous' : 'discrete');
  if (!ordinary) prefixes.push(variable.variability);
  if (variable.causality !== 'local') prefixes.push(variable.causality);
  const type = variable.literals ? `enumeration(${variable.literals.join(', ')})` : variable.type;
  const dims = variable.dims.length > 0 ? `[${variable.dims.join(', ')}]` : '';
  const attributes = attributeTexts(variable, names);
  const modification = attributes.length > 0 ? `(${attributes.join(', ')})` : '';
  const binding = variable.binding
    ? ` = ${exprText(variable.binding, names, variable.type === 'Boolean')}`
    : '';
  const head = [...prefixes, type + dims, variable.name].join(' ');
  return head + modification + binding + described(variable.description);
}

/** The attributes of a variable as modifiers. */
export function attributeTexts(variable: FlatVariable, names: NameTable): string[] {
  const result: string[] = [];
  const text = (name: string, value: string): void => {
    if (value) result.push(`${name} = ${quoted(value)}`);
  };
  const expr = (name: string, value: Expr | undefined): void => {
    if (value) result.push(`${name} = ${exprText(value, names, variable.type === 'Boolean')}`);
  };
  text('quantity', variable.quantity);
  text('unit', variable.unit);
  text('displayUnit', variable.displayUnit);
  expr('min', variable.min);
  expr('max', variable.max);
  expr('start', variable.start);
  if (variable.fixed !== undefined) {
    result.push(
      `fixed = ${typeof variable.fixed === 'boolean' ? variable.fixed : `{${variable.fixed.join(', ')}}`}`,
    );
  }
  expr('nominal', variable.nominal);
  if (variable.stateSelect !== 'default') result.push(`stateSelect = StateSelect.${variable.stateSelect}`);
  return result;
}

// ---------------------------------------------------------------- equations

/** The lines of an equation; nested ones are indented. */
export function equationLines(
  equation: FlatEquation,
  model: FlatModel,
  names: NameTable,
  indent: string,
): string[] {
  const text = (expr: Expr): string => exprText(expr, names);
  const nested = (body: readonly FlatEquation[]): string[] =>
    body.flatMap((inner) => equationLines(inner, model, names, `${indent}  `));
  switch (equation.kind) {
    case 'equal':
      return [`${indent}${pairText(equation.left, equation.right, '=', names)};`];
    case 'call': {
      const outputs = equation.outputs.map((output) => (output ? text(output) : '')).join(', ');
      return [`${indent}(${outputs}) = ${names.fn(equation.fn)}(${equation.args.map(text).join(', ')});`];
    }
    case 'for': {
      const head = `for ${names.iterator(equation.iterator)} in ${text(equation.range)} loop`;
      return [indent + head, ...nested(equation.body), `${indent}end for;`];
    }
    case 'if': {
      const lines = equation.branches.flatMap((branch, k) => {
        const word = k === 0 ? 'if' : 'elseif';
        const head =
          branch.condition === undefined
            ? 'else'
            : `${word} ${exprText(model.conditions[branch.condition]!.value, names, true)} then`;
        return [indent + head, ...nested(branch.body)];
      });
      return [...lines, `${indent}end if;`];
    }
    case 'when': {
      const lines = equation.branches.flatMap((branch, k) => [
        `${indent}${k === 0 ? 'when' : 'elsewhen'} ${exprText(branch.condition, names, true)} then`,
        ...branch.body.map((action) => `${indent}  ${actionText(action, names)};`),
      ]);
      return [...lines, `${indent}end when;`];
    }
    case 'assert':
      return [`${indent}${assertText(equation, names)};`];
    case 'algorithm': {
      const body = statementLines(equation.body, names, `${indent}  `);
      return [`${indent}algorithm`, ...body, `${indent}end algorithm;`];
    }
    case 'clocked': {
      const head = `when ${clockText(model.clocks[equation.clock]!, names)} then`;
      return [indent + head, ...nested(equation.body), `${indent}end when;`];
    }
  }
}

/** A clock by its constructor, slower and later as its factors say. */
function clockText({ base, period, offset }: FlatClock, names: NameTable): string {
  const [p, q] = period;
  const own =
    base.kind === 'event'
      ? `Clock(${exprText(base.condition, names, true)})`
      : base.kind === 'varying' || base.unit.kind !== 'const'
        ? `Clock(${exprText(base.kind === 'varying' ? base.interval : base.unit, names)})`
        : base.unit.value === 1
          ? `Clock(${p}, ${q})`
          : `Clock(${base.unit.value})`;
  const isRational = base.kind === 'periodic' && base.unit.kind === 'const' && base.unit.value === 1;
  const slower = isRational || p === 1 ? own : `subSample(${own}, ${p})`;
  const scaled = isRational || q === 1 ? slower : `superSample(${slower}, ${q})`;
  // The offset counts in units of the base, a shift in intervals of the clock.
  return offset[0] === 0 ? scaled : `shiftSample(${scaled}, ${offset[0] * q}, ${offset[1] * p})`;
}

/** Two sides that are equal or assigned; a Boolean variable on one side makes the other Boolean. */
function pairText(left: Expr, right: Expr, sign: string, names: NameTable): string {
  const boolean = isBooleanLeaf(left, names) || isBooleanLeaf(right, names);
  return `${exprText(left, names, boolean)} ${sign} ${exprText(right, names, boolean)}`;
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
  when ? `if ${exprText(when, names, true)} then ${action}; end if` : action;

function assertText(
  node: { readonly condition: Expr; readonly message: Expr; readonly level: string },
  names: NameTable,
): string {
  const level = node.level === 'warning' ? ', AssertionLevel.warning' : '';
  return `assert(${exprText(node.condition, names, true)}, ${exprText(node.message, names)}${level})`;
}

// ---------------------------------------------------------------- functions

/** The lines of a function, which is called `name`. */
export function functionLines(definition: FunctionDef, outer: NameTable, name = definition.name): string[] {
  const { types } = outer;
  const isBoolean = (leaf: Expr): boolean =>
    leaf.kind === 'local' && definition.locals[leaf.index]?.type === 'Boolean';
  const names: NameTable = {
    ...outer,
    local: (index) => identifier(definition.locals[index]?.name ?? `local${index}`),
    ...(types && { types: { pool: types.pool, isBoolean } }),
  };
  const lines = [`function ${name}`];
  for (const [i, local] of definition.locals.entries()) {
    const role =
      i < definition.inputs ? 'input' : i < definition.inputs + definition.outputs ? 'output' : 'protected';
    const dims = local.dims.length > 0 ? `[${local.dims.join(', ')}]` : '';
    const initial = local.initial ? ` = ${exprText(local.initial, names, local.type === 'Boolean')}` : '';
    lines.push(`  ${role} ${local.type}${dims} ${identifier(local.name)}${initial};`);
  }
  lines.push('algorithm', ...statementLines(definition.body, names, '  '), `end ${name};`);
  return lines;
}

/** Names that are no identifiers, such as those of values on entry, are quoted. */
const identifier = (name: string): string => (/^('.*'|[A-Za-z_]\w*)$/.test(name) ? name : `'${name}'`);

function statementLines(body: readonly FlatStatement[], names: NameTable, indent: string): string[] {
  return body.flatMap((node) => linesOf(node, names, indent));
}

function linesOf(node: FlatStatement, names: NameTable, indent: string): string[] {
  const text = (expr: Expr): string => exprText(expr, names);
  const nested = (inner: readonly FlatStatement[]): string[] => statementLines(inner, names, `${indent}  `);
  switch (node.kind) {
    case 'assign':
      return [`${indent}${pairText(node.target, node.value, ':=', names)};`];
    case 'multiassign': {
      const targets = node.targets.map((target) => (target ? text(target) : '')).join(', ');
      return [`${indent}(${targets}) := ${names.fn(node.fn)}(${node.args.map(text).join(', ')});`];
    }
    case 'if': {
      const lines = node.branches.flatMap((branch, k) => [
        indent +
          (branch.condition
            ? `${k === 0 ? 'if' : 'elseif'} ${exprText(branch.condition, names, true)} then`
            : 'else'),
        ...nested(branch.body),
      ]);
      return [...lines, `${indent}end if;`];
    }
    case 'when': {
      const lines = node.branches.flatMap((branch, k) => [
        `${indent}${k === 0 ? 'when' : 'elsewhen'} ${exprText(branch.condition, names, true)} then`,
        ...nested(branch.body),
      ]);
      return [...lines, `${indent}end when;`];
    }
    case 'for':
      return [
        `${indent}for ${names.iterator(node.iterator)} in ${text(node.range)} loop`,
        ...nested(node.body),
        `${indent}end for;`,
      ];
    case 'while':
      return [
        `${indent}while ${exprText(node.condition, names, true)} loop`,
        ...nested(node.body),
        `${indent}end while;`,
      ];
    case 'break':
    case 'return':
      return [`${indent}${node.kind};`];
    case 'assert':
      return [`${indent}assert(${exprText(node.condition, names, true)}, ${text(node.message)});`];
    case 'terminate':
      return [`${indent}terminate(${text(node.message)});`];
  }
}
