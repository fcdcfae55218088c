/**
 * The text of a model as one class without components, in the Modelica that all tools of version 3 read: functions first, inside of
 * the class, then variables with their attributes, then equations. Read again, it means the same. The same model gives the same text.
 */
import { stringLiteral } from '../diagnostic/literal.ts';
import type { Expr } from '../symbolic/expr.ts';
import type { FunctionDef } from '../symbolic/function.ts';
import type { Experiment, FlatComponent, FlatEquation, FlatModel, FlatPort, FlatVariable } from './flat.ts';
import { identifier, namesOf, type WrittenNames, writtenNames } from './names.ts';
import { equationLines, functionLines, singleLines, statementLines } from './print.ts';
import { exprText } from './text.ts';

/** What is written of a model. */
export interface TextParts {
  readonly functions: readonly FunctionDef[];
  readonly declarations: readonly Declaration[];
  readonly initial: readonly FlatEquation[];
  readonly sections: readonly Section[];
  /** Lines of comment at the top. */
  readonly remarks: readonly string[];
  /** Some of the model cannot be written: the text is no model that could run. */
  readonly partial?: boolean;
  /** Whether annotations of this system are written. */
  readonly settings?: boolean;
}

/** A variable of the text. */
export interface Declaration {
  readonly symbol: number;
  readonly variable: FlatVariable;
}

export interface Section {
  readonly title: string;
  readonly equations: readonly FlatEquation[];
}

/** A flat model as it is. What no class without components can say is left out, and the text says so. */
export function printFlat(model: FlatModel): string {
  const missing = unwritten(model);
  const remarks =
    missing.length > 0
      ? ['This text cannot be run: in one class without components, these have no words.', ...missing]
      : [];
  return modelText(model, writtenNames(model), {
    ...partsOf(model),
    remarks,
    partial: missing.length > 0,
    settings: true,
  });
}

/** All of a flat model that is variables, equations and functions. */
export const partsOf = (model: FlatModel): TextParts => ({
  functions: model.functions,
  declarations: model.variables.map((variable, symbol) => ({ symbol, variable })),
  initial: model.initialEquations,
  sections: [{ title: '', equations: model.equations }],
  remarks: [],
});

/** What a class without components cannot say. */
function unwritten(model: FlatModel): string[] {
  const { machines, equations, components } = model;
  const states = machines.map(
    (machine) => `  state machine of ${machine.states.map((s) => s.name).join(', ')}`,
  );
  const clocks = equations.some(({ kind }) => kind === 'clocked') ? ['  equations on clocks'] : [];
  return [...states, ...clocks, ...components.map((component) => `  ${componentText(component, model)}`)];
}

/** What a built-in component determines and reads. */
function componentText({ path, builtIn, inputs, outputs }: FlatComponent, model: FlatModel): string {
  const names = namesOf(model);
  const listed = (ports: readonly FlatPort[]) => ports.map(({ value }) => exprText(value, names)).join(', ');
  const gives = outputs.length > 0 ? ` gives ${listed(outputs)}` : '';
  const reads = inputs.length > 0 ? ` from ${listed(inputs)}` : '';
  return `built-in component ${path === '' ? '' : `${path} `}"${builtIn.name}"${gives}${reads}`;
}

export function modelText(flat: FlatModel, names: WrittenNames, parts: TextParts): string {
  const name = identifier(flat.name.replace(/\./g, '_'));
  const equations: string[] = [];
  const write = (list: readonly FlatEquation[]): void => {
    for (const equation of list)
      if (equation.kind !== 'algorithm') equations.push(...equationLines(equation, flat, names, '  '));
  };
  if (parts.initial.some(({ kind }) => kind !== 'algorithm')) equations.push('initial equation');
  write(parts.initial);
  equations.push(...algorithmLines('initial algorithm', parts.initial, names));
  if (parts.sections.some((section) => section.equations.length > 0)) equations.push('equation');
  for (const section of parts.sections) {
    if (section.title) equations.push(`  // ${section.title}`);
    write(section.equations);
  }
  for (const section of parts.sections)
    equations.push(...algorithmLines('algorithm', section.equations, names));
  const declarations = declarationLines(parts, names);
  const functions = parts.functions.flatMap((definition, k) =>
    functionLines(definition, parts.functions, names, names.fn(k, 0)),
  );
  const singles = names.singles.flatMap((single) =>
    singleLines(parts.functions[single.fn]!, single, names.fn(single.fn, 0)),
  );
  const experiment = experimentText(flat.experiment);
  return [
    ...parts.remarks.map((remark) => `// ${remark.replace(/[\r\n]+/g, ' ')}`),
    `${parts.partial ? 'partial ' : ''}model ${name}${described(flat.description)}`,
    ...[...functions, ...singles].map((line) => `  ${line}`),
    ...declarations,
    ...equations,
    ...(experiment ? [`  annotation(${experiment});`] : []),
    `end ${name};\n`,
  ].join('\n');
}

/** Those of the equations that are algorithm sections. */
function algorithmLines(head: string, equations: readonly FlatEquation[], names: WrittenNames): string[] {
  return equations.flatMap((equation) =>
    equation.kind === 'algorithm' ? [head, ...statementLines(equation.body, names, '  ')] : [],
  );
}

const described = (text: string): string => (text ? ` ${stringLiteral(text)}` : '');

// ---------------------------------------------------------------- variables

function declarationLines({ declarations, settings }: TextParts, names: WrittenNames): string[] {
  const lines: string[] = [];
  let hidden = false;
  for (const { symbol, variable } of declarations) {
    if (variable.hidden !== hidden) lines.push(variable.hidden ? 'protected' : 'public');
    hidden = variable.hidden;
    const setting = settings ? settingText(variable) : '';
    lines.push(`  ${declaration(variable, names.variable(symbol), names)}${setting};`);
  }
  return lines;
}

function declaration(variable: FlatVariable, name: string, names: WrittenNames): string {
  const { type, variability, causality, dims, binding, description } = variable;
  const prefixes: string[] = [];
  if (variable.structural && variability === 'parameter') prefixes.push('final');
  if (variability === 'parameter' || variability === 'constant') prefixes.push(variability);
  if (variability === 'discrete' && type === 'Real') prefixes.push('discrete');
  if (causality !== 'local') prefixes.push(causality);
  const size = dims.length > 0 ? `[${dims.join(', ')}]` : '';
  const attributes = attributeTexts(variable, names);
  const modification = attributes.length > 0 ? `(${attributes.join(', ')})` : '';
  const value = binding ? ` = ${exprText(binding, names, type)}` : '';
  const literals = variable.literals ? ` /* ${variable.literals.join(', ')} */` : '';
  const head = [...prefixes, type + size, name].join(' ');
  return head + modification + value + described(description) + literals;
}

/** What follows from connectors and annotations of the model. */
function settingText({ potential, kept }: FlatVariable): string {
  const settings = [...(potential ? ['potential = true'] : []), ...(kept ? [`${kept} = true`] : [])];
  return settings.length > 0 ? ` annotation(__Mutabor(${settings.join(', ')}))` : '';
}

/** The attributes of a variable as modifiers; one value for all elements of an array is `each` of them. */
function attributeTexts(variable: FlatVariable, names: WrittenNames): string[] {
  const result: string[] = [];
  const isArray = variable.dims.length > 0;
  const add = (name: string, value: string, each = isArray): void => {
    result.push(`${each ? 'each ' : ''}${name} = ${value}`);
  };
  const text = (name: string, value: string): void => {
    if (value) add(name, stringLiteral(value));
  };
  const expr = (name: string, value: Expr | undefined): void => {
    if (value) add(name, exprText(value, names, variable.type), isArray && names.typing.rank(value) === 0);
  };
  text('quantity', variable.quantity);
  text('unit', variable.unit);
  text('displayUnit', variable.displayUnit);
  expr('min', variable.min);
  expr('max', variable.max);
  // Without a start value, an enumeration begins with its first literal.
  if (variable.literals && !variable.start && !variable.binding) add('start', '1');
  else expr('start', variable.start);
  const { fixed } = variable;
  if (typeof fixed === 'boolean') add('fixed', String(fixed));
  else if (fixed) add('fixed', nested(fixed, variable.dims), false);
  expr('nominal', variable.nominal);
  if (variable.stateSelect !== 'default') add('stateSelect', `StateSelect.${variable.stateSelect}`);
  return result;
}

/** Row-major values as an array of the given sizes. */
function nested(values: readonly boolean[], dims: readonly number[]): string {
  const [first, ...rest] = dims;
  if (first === undefined) return String(values[0]);
  const size = values.length / first;
  const parts = Array.from({ length: first }, (_, k) => nested(values.slice(k * size, (k + 1) * size), rest));
  return `{${parts.join(', ')}}`;
}

function experimentText(experiment: Experiment): string {
  const { startTime, stopTime, tolerance, interval, intervals } = experiment;
  const given = {
    StartTime: startTime,
    StopTime: stopTime,
    Tolerance: tolerance,
    Interval: interval,
    NumberOfIntervals: intervals,
  };
  const parts = Object.entries(given).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name} = ${value}`],
  );
  return parts.length > 0 ? `experiment(${parts.join(', ')})` : '';
}
