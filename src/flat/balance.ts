/**
 * Numbers of scalar equations and unknowns (Modelica 3.6, section 4.8). If-equations whose branches have different numbers
 * of equations are judged later, mode by mode; here a model is called unbalanced only if no choice of branches can
 * make the numbers equal. The message names what is likely to be wrong: variables that occur in no equation,
 * equations without unknowns, and components that are not balanced in themselves.
 */
import { type Diagnostic, error, type Note, warning } from '../diagnostic/diagnostic.ts';
import { counted, listed } from '../diagnostic/words.ts';
import type { ObjectInstance, VariableInstance } from '../model/instance.ts';
import { eachNode, symbolsOf } from '../symbolic/analyse.ts';
import { shapeOf } from '../symbolic/arrays.ts';
import type { Expr } from '../symbolic/expr.ts';
import { rangeCount } from '../symbolic/ranges.ts';
import { determinedScalars } from './behaviour/components.ts';
import type { ConnectionSets } from './connections/sets.ts';
import { note } from './core/context.ts';
import { count } from './core/values.ts';
import type { FlatEquation, FlatModel } from './flat.ts';
import { localNeeds, type Need } from './local.ts';
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

/** The equations that components write, and what they connect. */
interface Written {
  readonly equations: readonly FlatEquation[];
  readonly sets: ConnectionSets;
}

/**
 * An error where equations and unknowns cannot match in number, a warning where they do not in a component. `instances` are the declared variables, by
 * symbol.
 */
export function checkBalance(
  model: FlatModel,
  root: ObjectInstance,
  instances: readonly VariableInstance[],
  written: Written,
): Diagnostic[] {
  // With variables that exist, or keep their values, only sometimes, each mode is judged for itself.
  if (model.machines.length > 0 || model.variables.some((variable) => variable.guard.length > 0)) return [];
  const { unknowns, equations, mostEquations } = countScalars(model);
  if (unknowns >= equations && unknowns <= mostEquations)
    return locallyUnbalanced(imbalances(model, root, instances, written), root);
  const few = mostEquations < unknowns;
  const number = few ? mostEquations : equations;
  const inputs = few ? unconnectedInputs(model, instances) : [];
  const explained = inputs.reduce((sum, { size }) => sum + size, 0);
  if (inputs.length > 0 && explained === unknowns - number) return [unconnected(inputs)];
  const notes = [
    ...inputs.map((input) => inputNote(input, 'not connected')),
    ...(few ? unusedVariables(model) : idleEquations(model)),
    ...imbalances(model, root, instances, written)
      .filter(({ object }) => object !== root)
      .map(imbalanceNote),
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

/** Whether inputs without values are all that is wrong. */
export const isUnconnected = ({ code, message }: Diagnostic): boolean =>
  code === 'unbalanced' && message.startsWith('The input');

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

/** A component whose equations do not match what it needs (section 4.8). */
interface Imbalance {
  readonly object: ObjectInstance;
  readonly has: number;
  readonly needed: number;
}

function imbalances(
  model: FlatModel,
  root: ObjectInstance,
  instances: readonly VariableInstance[],
  { equations, sets }: Written,
): Imbalance[] {
  const { needs, byPath, given } = localNeeds(root, sets);
  const own = new Map<Need, Bounds>();
  for (const { equation, times } of ofElements(equations)) {
    const owner = byPath.get(equation.origin.component);
    if (!owner || givesInput(equation, instances, given)) continue;
    const [least, most] = own.get(owner) ?? exactly(0);
    const [low, high] = countOf(equation, model);
    own.set(owner, [least + times * low, most + times * high]);
  }
  const coded = model.components.flatMap((component) => component.whole?.parts ?? [component]);
  for (const { path } of coded) {
    const owner = byPath.get(path);
    if (owner) owner.excused = true;
  }
  return needs.flatMap((need) => {
    if (need.excused) return [];
    const [least, most] = own.get(need) ?? exactly(0);
    const { object, needed, elements } = need;
    if (needed >= least && needed <= most) return [];
    return [{ object, has: (most < needed ? most : least) / elements, needed: needed / elements }];
  });
}

function imbalanceNote({ object, has, needed }: Imbalance): Note {
  const name = object.parent ? `\`${object.path}\` (${object.class.path})` : 'the model';
  return {
    message: `${name} has ${counted(has, 'equation')} of its own but needs ${needed}`,
    span: object.span,
  };
}

/** A model that is balanced as a whole, but not in its parts, can be simulated; the class of the part is wrong all the same. */
function locallyUnbalanced(found: readonly Imbalance[], root: ObjectInstance): Diagnostic[] {
  const parts = found.filter(({ object }) => object !== root);
  const [first] = parts;
  if (!first) return [];
  const { object, has, needed } = first;
  const number = `${Math.abs(needed - has)} too ${needed > has ? 'few' : 'many'}`;
  const message = `\`${object.path}\` (${object.class.path}) has ${counted(has, 'equation')} of its own but needs ${needed}: ${number}. Others make up for it.`;
  const others = [...parts.slice(1), ...found.filter((one) => one.object === root)];
  return [
    warning('unbalanced', message, {
      span: object.span,
      hint: 'Let each component determine its own variables, all but its inputs and one of each potential and flow of its connectors: then it can be used in any model.',
      notes: others.slice(0, mostNotes).map(imbalanceNote),
    }),
  ];
}

/** Equations, those of the elements of uniform arrays once, with how many there are. */
function* ofElements(
  equations: readonly FlatEquation[],
  times = 1,
): Generator<{ readonly equation: FlatEquation; readonly times: number }> {
  for (const equation of equations) {
    if (equation.kind === 'for' && equation.array !== undefined)
      yield* ofElements(equation.body, times * rangeSize(equation.range));
    else yield { equation, times };
  }
}

/** The value of an input, which is the business of whoever uses the component. */
function givesInput(
  equation: FlatEquation,
  instances: readonly VariableInstance[],
  given: ReadonlySet<VariableInstance>,
): boolean {
  if (equation.kind !== 'equal' || equation.left.kind !== 'ref') return false;
  const variable = instances[equation.left.symbol];
  if (!variable || !given.has(variable)) return false;
  const { span } = equation.origin;
  return span === variable.binding?.span || span === variable.span;
}
