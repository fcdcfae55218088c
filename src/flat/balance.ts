/**
 * Numbers of scalar equations and unknowns (Modelica 3.6, section 4.8). If-equations whose branches have different numbers
 * of equations are judged later, mode by mode; here a model is called unbalanced only if no choice of branches can
 * make the numbers equal. The message names what is likely to be wrong: variables that occur in no equation,
 * equations without unknowns, and components that are not balanced in themselves.
 */
import { append } from '../collections/groups.ts';
import { type Diagnostic, error, type Note } from '../diagnostic/diagnostic.ts';
import { listed } from '../diagnostic/words.ts';
import type { ObjectInstance, VariableInstance } from '../model/instance.ts';
import { eachNode, symbolsOf } from '../symbolic/analyse.ts';
import { shapeOf } from '../symbolic/arrays.ts';
import type { Expr } from '../symbolic/expr.ts';
import { rangeCount } from '../symbolic/ranges.ts';
import { determinedScalars } from './behaviour/components.ts';
import { objectsOf } from './behaviour/equations.ts';
import { note } from './core/context.ts';
import { partsOf } from './core/families.ts';
import { count } from './core/values.ts';
import type { FlatEquation, FlatModel } from './flat.ts';
import { equationLines } from './print/equations.ts';
import { namesOf } from './print/names.ts';
import { type UnconnectedInput, unconnectedInputs } from './unconnected.ts';
import { equatedIn, nestedIn } from './walk.ts';

export interface ScalarCounts {
  readonly unknowns: number;
  /** Equations of the branches with the fewest and with the most. */
  readonly equations: number;
  readonly mostEquations: number;
}

/** Scalar unknowns and equations of a flat model, before any elimination. */
export function countScalars(model: FlatModel): ScalarCounts {
  let unknowns = 0;
  for (const variable of model.variables) {
    if (isUnknown(variable)) unknowns += count(variable.dims);
  }
  const [equations, mostEquations] = summed(model.equations, model);
  const determined = determinedScalars(model.components);
  return { unknowns, equations: equations + determined, mostEquations: mostEquations + determined };
}

const isUnknown = (variable: FlatModel['variables'][number]): boolean =>
  !variable.engine &&
  (variable.variability === 'continuous' || variable.variability === 'discrete') &&
  variable.causality !== 'input';

type Bounds = readonly [least: number, most: number];

const exactly = (n: number): Bounds => [n, n];

function summed(equations: readonly FlatEquation[], model: FlatModel): Bounds {
  let least = 0;
  let most = 0;
  for (const equation of equations) {
    const [low, high] = countOf(equation, model);
    least += low;
    most += high;
  }
  return [least, most];
}

function countOf(equation: FlatEquation, model: FlatModel): Bounds {
  switch (equation.kind) {
    case 'equal':
      return exactly(equation.dims ? count(equation.dims) : scalarsOf(equation.left, model));
    case 'call':
      return exactly(scalarsOfAll(equation.outputs, model));
    case 'for': {
      const [low, high] = summed(equation.body, model);
      const times = rangeSize(equation.range);
      return [low * times, high * times];
    }
    case 'if': {
      const branches = equation.branches.map((branch) => summed(branch.body, model));
      if (equation.branches.every((branch) => branch.condition !== undefined)) branches.push([0, 0]);
      return [Math.min(...branches.map(([low]) => low)), Math.max(...branches.map(([, high]) => high))];
    }
    case 'when':
      return exactly(assignedScalars(equation, model));
    case 'algorithm':
      return exactly(
        equation.assigned.reduce((sum, { symbol }) => sum + count(model.variables[symbol]!.dims), 0),
      );
    case 'assert':
      return exactly(0);
    case 'clocked':
      return summed(equation.body, model);
  }
}

/** Every variable that some branch assigns counts once. */
function assignedScalars(equation: Extract<FlatEquation, { kind: 'when' }>, model: FlatModel): number {
  const targets = new Set<Expr>();
  for (const branch of equation.branches) {
    for (const action of branch.body) if (action.kind === 'assign') targets.add(action.target);
  }
  return scalarsOfAll(targets, model);
}

function scalarsOfAll(exprs: Iterable<Expr | undefined>, model: FlatModel): number {
  let n = 0;
  for (const expr of exprs) if (expr) n += scalarsOf(expr, model);
  return n;
}

function rangeSize(range: Expr): number {
  if (range.kind !== 'apply') return 0;
  if (range.op === 'array') return range.args.length;
  const [first, step, last] = range.args.map((arg) => (arg.kind === 'const' ? arg.value : Number.NaN));
  return rangeCount(first!, step!, last!);
}

/** The number of scalars of an expression; references, the usual case, are not written out. */
function scalarsOf(expr: Expr, model: FlatModel): number {
  if (expr.kind === 'const' || expr.kind === 'time') return 1;
  if (expr.kind === 'ref') return selectedScalars(expr, model);
  if (expr.kind === 'apply' && expr.op === 'array') {
    return expr.args.reduce((n, arg) => n + scalarsOf(arg, model), 0);
  }
  const context = {
    functions: model.functions,
    dimsOfSymbol: (symbol: number) => model.variables[symbol]!.dims,
    symbolElement: (symbol: number) => symbol,
    iterators: new Map<number, number>(),
  };
  return count(shapeOf(model.pool, context, expr));
}

function selectedScalars(expr: Extract<Expr, { kind: 'ref' }>, model: FlatModel): number {
  const { dims } = model.variables[expr.symbol]!;
  if (expr.subscripts.length === 0) return count(dims);
  let n = 1;
  for (const [d, subscript] of expr.subscripts.entries()) {
    if (subscript.kind !== 'apply') continue;
    if (subscript.op === 'colon') n *= dims[d]!;
    else if (subscript.op === 'range' || subscript.op === 'array') n *= rangeSize(subscript);
  }
  return n;
}

// ---------------------------------------------------------------- diagnosis

/** An error where equations and unknowns cannot match in number. `instances` are the declared variables, by symbol. */
export function checkBalance(
  model: FlatModel,
  root: ObjectInstance,
  instances: readonly VariableInstance[],
): Diagnostic[] {
  // With variables that exist, or keep their values, only sometimes, each mode is judged for itself.
  if (model.machines.length > 0 || model.variables.some((variable) => variable.guard.length > 0)) return [];
  const { unknowns, equations, mostEquations } = countScalars(model);
  if (unknowns >= equations && unknowns <= mostEquations) return [];
  const few = mostEquations < unknowns;
  const number = few ? mostEquations : equations;
  const inputs = few ? unconnectedInputs(model, instances) : [];
  const explained = inputs.reduce((sum, { size }) => sum + size, 0);
  if (inputs.length > 0 && explained === unknowns - number) return [unconnected(inputs)];
  const notes = [
    ...inputs.map((input) => inputNote(input, 'not connected')),
    ...(few ? unusedVariables(model) : idleEquations(model)),
    ...unbalancedComponents(model, root, instances),
  ];
  const plural = (n: number, word: string) => `${n} ${word}${n === 1 ? '' : 's'}`;
  const message = `The model has ${plural(number, 'scalar equation')} for ${plural(unknowns, 'unknown')}: ${Math.abs(unknowns - number)} too ${few ? 'few' : 'many'}.`;
  return [
    error('unbalanced', message, {
      span: root.span,
      hint: few
        ? 'Add the missing equations, or give variables a value in their declarations.'
        : 'Remove equations, or declarations with values that equations determine already.',
      notes: notes.slice(0, mostNotes),
    }),
  ];
}

const mostNotes = 12;

/** Inputs without values are all that is wrong. */
function unconnected(inputs: readonly UnconnectedInput[]): Diagnostic {
  const isOne = inputs.length === 1;
  const names = listed(
    inputs.map(({ name }) => `\`${name}\``),
    mostNotes,
  );
  const { name, component } = inputs[0]!;
  return error('unbalanced', `The input${isOne ? '' : 's'} ${names} ${isOne ? 'is' : 'are'} not connected.`, {
    span: component?.span,
    hint: `Connect ${isOne ? 'it' : 'them'}, or give a value by an equation: \`${name} = …\`.`,
    notes: inputs.slice(0, mostNotes).map((input) => inputNote(input, 'declared here')),
  });
}

const inputNote = ({ name, instance }: UnconnectedInput, what: string): Note => ({
  message: `the input \`${name}\` is ${what}`,
  span: instance.span,
});

/** Unknowns that occur in no equation. */
function unusedVariables(model: FlatModel): Note[] {
  const ports = model.components.flatMap(({ inputs, outputs }) => [...inputs, ...outputs]);
  const roots = ports.map(({ value }) => value);
  for (const outer of model.equations)
    for (const equation of nestedIn(outer)) for (const expr of equatedIn(equation, model)) roots.push(expr);
  const used = new Set<number>();
  eachNode(roots, (node) => {
    if (node.kind === 'ref') used.add(node.symbol);
  });
  const notes: Note[] = [];
  for (const [symbol, variable] of model.variables.entries()) {
    if (!isUnknown(variable) || used.has(symbol)) continue;
    notes.push(note(`\`${variable.name}\` occurs in no equation`, variable.origin));
  }
  return notes;
}

/** Equations in which no unknown occurs. */
function idleEquations(model: FlatModel): Note[] {
  const names = namesOf(model);
  const notes: Note[] = [];
  for (const equation of model.equations) {
    if (equation.kind !== 'equal') continue;
    const used = [...symbolsOf(equation.left), ...symbolsOf(equation.right)];
    if (used.some((symbol) => isUnknown(model.variables[symbol]!))) continue;
    const text = equationLines(equation, model, names, '').join(' ').replace(/;$/, '');
    notes.push(note(`\`${text}\` contains no unknown`, equation.origin));
  }
  return notes;
}

/**
 * Components without components of their own, whose equations do not match their unknowns: one flow of each connector and
 * the inputs are determined from outside (section 4.8).
 */
function unbalancedComponents(
  model: FlatModel,
  root: ObjectInstance,
  instances: readonly VariableInstance[],
): Note[] {
  const isOwn = (equation: FlatEquation): boolean =>
    !isZeroFlow(equation, model) && !isGivenInput(equation, instances);
  const own = new Map<string, FlatEquation[]>();
  for (const equation of ofOneElement(model.equations)) {
    append(own, equation.origin.component, equation);
  }
  const components = model.components.flatMap((component) => component.whole?.parts ?? [component]);
  const notes: Note[] = [];
  for (const object of objectsOf(root)) {
    if (object === root || !isLeaf(object)) continue;
    const [least, most] = summed((own.get(object.path) ?? []).filter(isOwn), model);
    const determined = determinedScalars(components.filter(({ path }) => path === object.path));
    const needed = neededEquations(object) - determined;
    if (needed >= least && needed <= most) continue;
    const number = most < needed ? most : least;
    notes.push({
      message: `\`${object.path}\` (${object.class.path}) has ${number} equations but needs ${needed}`,
      span: object.span,
    });
  }
  return notes;
}

/** Equations of the elements of uniform arrays count once, for one element. */
function* ofOneElement(equations: readonly FlatEquation[]): Generator<FlatEquation> {
  for (const equation of equations) {
    if (equation.kind === 'for' && equation.array !== undefined) yield* ofOneElement(equation.body);
    else yield equation;
  }
}

/** The equation of a flow that is connected nowhere: it comes from outside the component. */
function isZeroFlow(equation: FlatEquation, model: FlatModel): boolean {
  if (equation.kind === 'for') return equation.body.every((inner) => isZeroFlow(inner, model));
  if (equation.kind !== 'equal' || equation.left.kind !== 'ref') return false;
  const variable = model.variables[equation.left.symbol]!;
  return variable.flow && variable.origin.span === equation.origin.span;
}

/** The value of an input, which is the business of whoever uses the component. */
function isGivenInput(equation: FlatEquation, instances: readonly VariableInstance[]): boolean {
  if (equation.kind !== 'equal' || equation.left.kind !== 'ref') return false;
  const variable = instances[equation.left.symbol];
  return variable?.causality === 'input' && variable.binding?.span === equation.origin.span;
}

function isLeaf(object: ObjectInstance): boolean {
  if (/connector|record/.test(object.restriction)) return false;
  for (const member of object.members.values()) {
    if (member.kind === 'object' && !/connector|record/.test(member.restriction)) return false;
  }
  return true;
}

function neededEquations(object: ObjectInstance): number {
  let needed = 0;
  const stack = partsOf(object).map((part) => ({ part, times: 1 }));
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { part, times } = next;
    if (part.kind === 'object') {
      const each = part.template ? times * count(part.dims) : times;
      for (const below of partsOf(part)) stack.push({ part: below, times: each });
    } else if (isOwnUnknown(part)) needed += times * count(part.dims);
  }
  return needed;
}

const isOwnUnknown = (variable: VariableInstance): boolean =>
  (variable.variability === 'continuous' || variable.variability === 'discrete') &&
  variable.connection !== 'flow' &&
  variable.causality !== 'input';
