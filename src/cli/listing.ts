/**
 * A flat model as text: Modelica without classes, connections and hierarchy. Names keep their dots and subscripts, as in
 * results; what is defined for several conditions keeps its if-equations.
 */
import type { FlatAction, FlatEquation, FlatModel, FlatVariable } from '../flat/flat.ts';
import { exprText, type NameTable } from '../flat/text.ts';
import type { Expr } from '../symbolic/expr.ts';
import type { FunctionDef, FunctionStatement, ValueType } from '../symbolic/function.ts';

export function flatText(model: FlatModel): string {
  const names: NameTable = {
    variable: (symbol) => model.variables[symbol]?.name ?? `variable${symbol}`,
    iterator: (iterator) => model.iterators?.[iterator] ?? `i${iterator}`,
    fn: (fn) => model.functions[fn]?.name ?? `function${fn}`,
  };
  const listing = new Listing(model, names);
  const lines = [
    ...model.functions.flatMap((fn) => [...listing.function(fn), '']),
    `model ${model.name}${comment(model.description)}`,
    ...indent(model.variables.map((variable) => listing.variable(variable))),
  ];
  if (model.initialEquations.length > 0) {
    lines.push(
      'initial equation',
      ...indent(model.initialEquations.flatMap((item) => listing.equation(item))),
    );
  }
  if (model.equations.length > 0) {
    lines.push('equation', ...indent(model.equations.flatMap((item) => listing.equation(item))));
  }
  lines.push(...indent(experiment(model)), `end ${model.name};`);
  return `${lines.join('\n')}\n`;
}

class Listing {
  private readonly model: FlatModel;
  private readonly names: NameTable;

  constructor(model: FlatModel, names: NameTable) {
    this.model = model;
    this.names = names;
  }

  variable(variable: FlatVariable): string {
    const { name, type, dims, variability, causality, description, binding } = variable;
    const prefixes = [
      variability === 'continuous' || (variability === 'discrete' && type !== 'Real')
        ? ''
        : `${variability} `,
      causality === 'local' ? '' : `${causality} `,
    ];
    const value = binding ? ` = ${this.typed(binding, type)}` : '';
    const sizes = dims.length > 0 ? `[${dims.join(', ')}]` : '';
    return `${prefixes.join('')}${type}${sizes} ${name}${this.attributes(variable)}${value}${comment(description)};`;
  }

  private attributes(variable: FlatVariable): string {
    const { type, start, fixed, min, max, nominal, unit, displayUnit, stateSelect } = variable;
    const parts: string[] = [];
    const expression = (name: string, value: Expr | undefined): void => {
      if (value) parts.push(`${name} = ${this.typed(value, type)}`);
    };
    expression('start', start);
    if (fixed !== undefined)
      parts.push(`fixed = ${typeof fixed === 'boolean' ? fixed : `{${fixed.join(', ')}}`}`);
    expression('min', min);
    expression('max', max);
    expression('nominal', nominal);
    if (unit !== '') parts.push(`unit = ${JSON.stringify(unit)}`);
    if (displayUnit !== '') parts.push(`displayUnit = ${JSON.stringify(displayUnit)}`);
    if (stateSelect !== 'default') parts.push(`stateSelect = StateSelect.${stateSelect}`);
    return parts.length > 0 ? `(${parts.join(', ')})` : '';
  }

  equation(equation: FlatEquation): string[] {
    switch (equation.kind) {
      case 'equal':
        return [this.equality(equation.left, equation.right)];
      case 'call': {
        const outputs = equation.outputs.map((output) => (output ? this.text(output) : ''));
        return [`(${outputs.join(', ')}) = ${this.names.fn(equation.fn)}(${this.list(equation.args)});`];
      }
      case 'for':
        return [
          `for ${this.names.iterator(equation.iterator)} in ${this.text(equation.range)} loop`,
          ...indent(equation.body.flatMap((item) => this.equation(item))),
          'end for;',
        ];
      case 'if':
        return [
          ...equation.branches.flatMap(({ condition, body }, i) => [
            this.branch(
              'if',
              condition === undefined ? undefined : this.model.conditions[condition]?.value,
              i,
            ),
            ...indent(body.flatMap((item) => this.equation(item))),
          ]),
          'end if;',
        ];
      case 'when':
        return [
          ...equation.branches.flatMap(({ condition, body }, i) => [
            this.branch('when', condition, i),
            ...indent(body.flatMap((item) => this.action(item))),
          ]),
          'end when;',
        ];
      case 'assert':
        return [this.assertion(equation)];
    }
  }

  private action(action: FlatAction): string[] {
    switch (action.kind) {
      case 'assign':
        return [this.equality(action.target, action.value)];
      case 'reinit':
        return this.guarded(action.when, `reinit(${this.text(action.target)}, ${this.text(action.value)});`);
      case 'assert':
        return [this.assertion(action)];
      case 'terminate':
        return this.guarded(action.when, `terminate(${this.text(action.message)});`);
    }
  }

  private equality(left: Expr, right: Expr): string {
    const type = this.typeOf(left) ?? this.typeOf(right);
    return `${this.typed(left, type)} = ${this.typed(right, type)};`;
  }

  private typeOf(expr: Expr): ValueType | undefined {
    return expr.kind === 'ref' || expr.kind === 'pre' ? this.model.variables[expr.symbol]?.type : undefined;
  }

  /** Booleans are the numbers 0 and 1 inside; here they get their names back. */
  private typed(expr: Expr, type: ValueType | undefined): string {
    return type === 'Boolean' && expr.kind === 'const' ? String(expr.value !== 0) : this.text(expr);
  }

  private guarded(condition: Expr | undefined, line: string): string[] {
    return condition ? [`if ${this.text(condition)} then`, ...indent([line]), 'end if;'] : [line];
  }

  private assertion(item: { condition: Expr; message: Expr; level: 'error' | 'warning' }): string {
    const level = item.level === 'warning' ? ', AssertionLevel.warning' : '';
    return `assert(${this.text(item.condition)}, ${this.text(item.message)}${level});`;
  }

  function(fn: FunctionDef): string[] {
    const inside = new Listing(this.model, { ...this.names, local: (index) => fn.locals[index]!.name });
    const locals = fn.locals.map(({ name, type, dims, initial }, i) => {
      const role = i < fn.inputs ? 'input ' : i < fn.inputs + fn.outputs ? 'output ' : 'protected ';
      const sizes = dims.length > 0 ? `[${dims.join(', ')}]` : '';
      return `${role}${type}${sizes} ${name}${initial ? ` := ${inside.text(initial)}` : ''};`;
    });
    return [
      `function ${fn.name}`,
      ...indent(locals),
      'algorithm',
      ...indent(fn.body.flatMap((item) => inside.statement(item))),
      `end ${fn.name};`,
    ];
  }

  private statement(statement: FunctionStatement): string[] {
    const block = (body: readonly FunctionStatement[]): string[] =>
      indent(body.flatMap((item) => this.statement(item)));
    switch (statement.kind) {
      case 'assign':
        return [`${this.text(statement.target)} := ${this.text(statement.value)};`];
      case 'multiassign': {
        const targets = statement.targets.map((target) => (target ? this.text(target) : ''));
        return [`(${targets.join(', ')}) := ${this.names.fn(statement.fn)}(${this.list(statement.args)});`];
      }
      case 'if':
        return [
          ...statement.branches.flatMap(({ condition, body }, i) => [
            this.branch('if', condition, i),
            ...block(body),
          ]),
          'end if;',
        ];
      case 'for': {
        const iterator = this.names.iterator(statement.iterator);
        return [
          `for ${iterator} in ${this.text(statement.range)} loop`,
          ...block(statement.body),
          'end for;',
        ];
      }
      case 'while':
        return [`while ${this.text(statement.condition)} loop`, ...block(statement.body), 'end while;'];
      case 'break':
      case 'return':
        return [`${statement.kind};`];
      case 'assert':
        return [this.assertion({ ...statement, level: 'error' })];
    }
  }

  /** `if c then`, `elseif c then` or `else`, and the same with `when`. */
  private branch(keyword: 'if' | 'when', condition: Expr | undefined, index: number): string {
    if (!condition) return 'else';
    return `${index > 0 ? 'else' : ''}${keyword} ${this.text(condition)} then`;
  }

  private text(expr: Expr): string {
    return exprText(expr, this.names);
  }

  private list(exprs: readonly Expr[]): string {
    return exprs.map((expr) => this.text(expr)).join(', ');
  }
}

function comment(description: string): string {
  return description === '' ? '' : ` ${JSON.stringify(description)}`;
}

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

function experiment({ experiment: { startTime, stopTime, tolerance, interval } }: FlatModel): string[] {
  const given = { StartTime: startTime, StopTime: stopTime, Tolerance: tolerance, Interval: interval };
  const parts = Object.entries(given).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name} = ${value}`],
  );
  return parts.length > 0 ? [`annotation(experiment(${parts.join(', ')}));`] : [];
}
