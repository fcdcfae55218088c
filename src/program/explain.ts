/** Turns what went wrong at run time into diagnostics that name variables, equations, values and places. */

import type { EvaluationError } from '../code/fault.ts';
import { type Fault, findFault } from '../code/interpret.ts';
import type { CodeUnit } from '../code/unit.ts';
import type { DiagnosticCode } from '../diagnostic/codes.ts';
import { type Diagnostic, error, type Note, warning } from '../diagnostic/diagnostic.ts';
import type { Span } from '../diagnostic/source.ts';
import { capitalised, listed } from '../diagnostic/words.ts';
import type { FlatComponent } from '../flat/flat.ts';
import type { Method } from '../solve/integrator.ts';
import type { Accumulation, Dense } from '../solve/zeno.ts';
import { type Block, type SortedMode, unknownsOf } from '../structure/analysis.ts';
import { leaves } from '../symbolic/analyse.ts';
import type { Expr, Ref } from '../symbolic/expr.ts';
import type { ReadyMode } from './ready.ts';
import type { Runtime } from './runtime.ts';
import type { SystemFailure } from './systems.ts';
import type { ClockTicks } from './ticks.ts';

const mostNotes = 8;

/** An initial equation or start value; blocks of the initial system refer to it by its index. */
export interface InitialCondition {
  readonly index: number;
  readonly text: string;
  readonly span: Span | undefined;
}

/** A system of equations that could not be solved: the equations with their residuals, the unknowns with their values. */
export function explainSystem(
  runtime: Runtime,
  failure: SystemFailure,
  code?: DiagnosticCode,
  conditions: readonly InitialCondition[] = [],
  time = runtime.values.time,
): Diagnostic {
  const { plan, outcome, residuals, fault } = failure;
  const { block } = plan;
  if (fault) return explainCheck(runtime, fault, block, conditions, code, time);
  const singular = outcome.kind === 'singular';
  const known = singular ? knownSingular(runtime, block, time) : undefined;
  if (known) return known;
  const unknowns = unknownsOf(block);
  const values = unknowns
    .slice(0, mostNotes)
    .map((u) => `${runtime.wording.nameOfRef(u)} = ${runtime.values.get(u)}`);
  const worst = [...residuals.keys()].sort((a, b) => Math.abs(residuals[b]!) - Math.abs(residuals[a]!));
  const equations = equationNotes(runtime, block.equations, conditions);
  const residualNotes = worst.slice(0, mostNotes).map((i) => ({
    message: `residual of ${runtime.wording.print(block.residuals[i]!)} = 0 is ${residuals[i]}`,
  }));
  const what = singular
    ? 'is singular'
    : outcome.kind === 'not-finite'
      ? 'cannot be evaluated'
      : 'has no solution near its start values';
  const message = `The system of equations for ${listUnknowns(runtime, unknowns)} ${what} at time ${time}.`;
  return error(code ?? (singular ? 'singular-system' : 'not-converged'), message, {
    span: equations[0]?.span,
    hint: singular
      ? 'Some of these unknowns are not determined by the equations at these values.'
      : 'Give better start values to these variables.',
    notes: [...equations, ...residualNotes, { message: `values: ${values.join(', ')}` }],
  });
}

/** A check inside a function that fails wherever a system of equations was tried. */
function explainCheck(
  runtime: Runtime,
  fault: EvaluationError,
  block: Block,
  conditions: readonly InitialCondition[],
  code: DiagnosticCode | undefined,
  time: number,
): Diagnostic {
  const [own] = fault.diagnostics;
  if (!code) return error(own!.code, `At time ${time}: ${own!.message}`, { span: fault.span });
  const unknowns = unknownsOf(block);
  const message = `The system of equations for ${listUnknowns(runtime, unknowns)} cannot be evaluated at its start values at time ${time}: ${own!.message}`;
  return error(code, message, {
    span: fault.span,
    hint: 'Give better start values to these variables.',
    notes: [...equationNotes(runtime, block.equations, conditions), ...valuesNote(runtime, unknowns)],
  });
}

/** Why the equations of a mode could not be evaluated at the point the memory is at; `time` is what the message names. */
export function explainEvaluation(
  runtime: Runtime,
  mode: ReadyMode,
  fault: EvaluationError | undefined,
  time: number,
): Diagnostic {
  if (fault) {
    const { code, message } = fault.diagnostics[0]!;
    return error(code, `At time ${time}: ${message}`, { span: fault.span });
  }
  if (mode.failure?.fault) return explainSystem(runtime, mode.failure, undefined, [], time);
  const arithmetic = explainArithmetic(runtime, mode.unit, mode.sorted.blocks, [], time);
  if (arithmetic) return arithmetic;
  if (mode.failure) return explainSystem(runtime, mode.failure, undefined, [], time);
  return error('bad-evaluation', `The equations cannot be evaluated at time ${time}.`);
}

/** Finds the first value that is no number and says why, as "division by zero" with operands. */
export function explainArithmetic(
  runtime: Runtime,
  unit: CodeUnit,
  blocks: readonly Block[],
  conditions: readonly InitialCondition[] = [],
  time = runtime.values.time,
): Diagnostic | undefined {
  for (const [k, { body }] of unit.routines.entries()) {
    const fault = findFault(unit, k, runtime.values.memory);
    if (!fault) continue;
    const broken = runtime.components.fault(time);
    if (broken) return broken;
    // What is computed on the way to a variable belongs to the block of that variable.
    const rest = body.slice(fault.assignment);
    const block =
      first(rest, ({ slot }) =>
        blocks.find((b) => unknownsOf(b).some((u) => runtime.values.slot(u) === slot)),
      ) ?? systemOf(blocks, rest);
    const made = fault.leaves.some(({ leaf }) => isMade(runtime, leaf));
    if (block && made) return singularBlock(runtime, block, fault, conditions, time);
    if (fault.expr.kind === 'const') return outOfRange(runtime, rest[0]!.value, block, time);
    const reason = capitalised(fault.reason);
    const read = fault.leaves.map(({ leaf }) => leaf);
    return error('bad-evaluation', `${reason} in ${runtime.wording.print(fault.expr)} at time ${time}.`, {
      span: spanOf(runtime, block, conditions),
      notes: valuesNote(runtime, read),
    });
  }
  return undefined;
}

/** The block that iterates on what values depend on: they are residuals of it, or their derivatives. */
function systemOf(blocks: readonly Block[], values: readonly { readonly value: Expr }[]): Block | undefined {
  return first(values, ({ value }) => {
    const read = new Set<Expr>(leaves(value));
    return blocks.find((block) => block.kind === 'solve' && unknownsOf(block).some((u) => read.has(u)));
  });
}

/** Small linear systems are solved by formulas, in which a division by zero means that the system is singular. */
function singularBlock(
  runtime: Runtime,
  block: Block,
  fault: Fault,
  conditions: readonly InitialCondition[],
  time: number,
): Diagnostic {
  const told = knownSingular(runtime, block, time);
  if (told) return told;
  const names = listUnknowns(runtime, unknownsOf(block));
  const known = fault.leaves.flatMap(({ leaf }) => (isMade(runtime, leaf) ? [] : [leaf]));
  const message = `The equations do not determine ${names} at time ${time}: ${fault.reason}.`;
  return error('singular-system', message, {
    span: spanOf(runtime, block),
    notes: [...equationNotes(runtime, block.equations, conditions), ...valuesNote(runtime, known)],
    hint: 'They contradict each other or say the same at these values.',
  });
}

/** What a component says of a block that is singular. */
function knownSingular(runtime: Runtime, block: Block, time: number): Diagnostic | undefined {
  const { components, model, wording } = runtime;
  if (components.live.length === 0) return undefined;
  const refs = block.equations.flatMap((index) => {
    const equation = model.equations[index];
    return equation ? [...leaves(equation.left), ...leaves(equation.right)] : [];
  });
  const variables = new Set(refs.flatMap((leaf) => (leaf.kind === 'ref' ? [wording.nameOfRef(leaf)] : [])));
  return components.explain({ kind: 'singular', time, variables });
}

/** A subscript that selects no element gives the constant that is no number. */
function outOfRange(runtime: Runtime, value: Expr, block: Block | undefined, time: number): Diagnostic {
  const changing = leaves(value).filter(
    (leaf) => leaf.kind === 'ref' && runtime.model.scalars[leaf.symbol]?.kind !== 'parameter',
  );
  return error('index-out-of-range', `A subscript lies outside its array at time ${time}.`, {
    span: spanOf(runtime, block),
    notes: valuesNote(runtime, changing),
  });
}

/** Whether a leaf is an intermediate result that has no name. */
function isMade(runtime: Runtime, leaf: Expr): boolean {
  return leaf.kind === 'ref' && leaf.symbol >= runtime.model.scalars.length;
}

function valuesNote(runtime: Runtime, of: readonly Expr[]): Note[] {
  if (of.length === 0) return [];
  const shown = of.slice(0, mostNotes).map((leaf) => shownValue(runtime, leaf));
  return [{ message: `values: ${shown.join(', ')}` }];
}

/** A name with its value as the language writes it; of a relation, whether it holds. */
function shownValue(runtime: Runtime, leaf: Expr): string {
  const [name, value] = [runtime.wording.print(leaf), runtime.values.get(leaf)];
  if (leaf.kind === 'held') return `${name} is ${value !== 0}`;
  const variable = leaf.kind === 'ref' ? runtime.model.scalars[leaf.symbol]?.variable : undefined;
  if (variable?.type === 'Boolean') return `${name} = ${value !== 0}`;
  return `${name} = ${variable?.literals?.[value - 1] ?? value}`;
}

/** The place of the first equation of a block that has one. */
function spanOf(
  runtime: Runtime,
  block: Block | undefined,
  conditions: readonly InitialCondition[] = [],
): Span | undefined {
  return first(equationNotes(runtime, block?.equations ?? [], conditions), (note) => note.span);
}

export function equationNotes(
  runtime: Runtime,
  equations: readonly number[],
  conditions: readonly InitialCondition[] = [],
): Note[] {
  return equations.slice(0, mostNotes).flatMap((index) => {
    const equation =
      index < runtime.model.equations.length
        ? runtime.wording.describeEquation(index)
        : conditions.find((condition) => condition.index === index);
    if (!equation) return [];
    const { text, span } = equation;
    return [{ message: `equation ${text}`, ...(span && { span }) }];
  });
}

/** Where unknowns are declared. */
export function declarationNotes({ wording, model }: Runtime, unknowns: readonly Ref[]): Note[] {
  return unknowns.map((unknown) => {
    const span = model.scalars[unknown.symbol]?.variable?.origin.span;
    return { message: `${wording.nameOfRef(unknown)} is declared here`, ...(span && { span }) };
  });
}

function first<A, B>(list: readonly A[], find: (item: A) => B | undefined): B | undefined {
  for (const item of list) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Boolean and Integer variables that need each other at the same instant: no iteration on numbers finds them. */
export function discreteLoops(runtime: Runtime, { blocks }: SortedMode): Diagnostic[] {
  const { scalars } = runtime.model;
  return blocks.flatMap((block) => {
    if (block.kind === 'assign') return [];
    const unknowns = unknownsOf(block).filter((u) => u.symbol < scalars.length);
    if (unknowns.every((u) => scalars[u.symbol]!.type === 'Real')) return [];
    const names = listUnknowns(runtime, unknowns);
    return [
      error('cyclic-definition', `${names} depend on each other at the same instant.`, {
        span: spanOf(runtime, block),
        notes: equationNotes(runtime, block.equations),
        hint: 'Break the loop with pre(): the value before the event.',
      }),
    ];
  });
}

/** A state, of the equations or of a built-in component, by its name. */
export interface StateDescription {
  readonly name: string;
  readonly span: Span | undefined;
}

/** The integrator cannot go on. */
export function explainStep(
  time: number,
  state: StateDescription | undefined,
  value: number | undefined,
): Diagnostic {
  const name = state?.name ?? 'the states';
  const message = `The integrator cannot go on at time ${time}: its steps would become too small. The state ${name} has the largest error.`;
  return error('step-too-small', message, {
    span: state?.span,
    hint: 'The solution may grow without bound here, an equation may be discontinuous without an event (noEvent), or errors within the tolerance may lead away from the solution: states far below 1 need a nominal value.',
    notes: state ? [{ message: `${name} = ${value}` }] : [],
  });
}

/** A sample or clock that cannot tick, or would tick more than `most` times. */
export function explainTicks(
  runtime: Runtime,
  { cause, interval }: ReturnType<ClockTicks['bad']>[number],
  most: number,
): Diagnostic {
  const { span } = cause.origin;
  const sample = 'interval' in cause ? runtime.wording.print(cause.interval) : undefined;
  if (interval > 0) {
    const what =
      sample === undefined ? `A clock with the interval ${interval}` : `sample with the interval ${sample}`;
    return error('limit-exceeded', `${what} would tick more than ${most} times before the stop time.`, {
      span,
    });
  }
  const what = sample === undefined ? `this clock, ${interval}` : `sample, ${sample}`;
  return error('bad-evaluation', `The interval of ${what}, is not positive.`, { span });
}

/** The integrator goes on, but in steps that will never reach the end. */
export function explainPace(time: number, needed: number, state: StateDescription | undefined): Diagnostic {
  const name = state?.name ?? 'the states';
  const steps = needed.toExponential(0).replace('e+', 'e');
  const message = `The integrator makes no headway at time ${time}: at this pace it would need ${steps} more steps. The state ${name} moves fastest.`;
  return error('step-too-small', message, {
    span: state?.span,
    hint: 'The solution may have a singularity here, or oscillate far faster than the time that is simulated.',
  });
}

/** The steps of a method that was chosen by hand make oscillations grow. */
export function explainGrowth(
  time: number,
  method: Method,
  frequency: number,
  state: StateDescription | undefined,
): Diagnostic {
  const period = ((2 * Math.PI) / frequency).toPrecision(1);
  const message = `The steps of ${method} make oscillations with a period of about ${Number(period)} s grow, which are faster than the solution: from time ${time} on, errors may be a thousand times the tolerance. ${state?.name ?? 'A state'} moves most in them.`;
  return warning('fast-oscillation', message, {
    span: state?.span,
    hint: 'Choose the method auto or radau.',
  });
}

/** Events without end. */
export function explainAccumulation(runtime: Runtime, { kind, time, relation }: Accumulation): Diagnostic {
  const { text, span } = relationOf(runtime, relation);
  if (kind === 'zeno') {
    const message = `Events of ${text} accumulate: infinitely many of them happen before time ${time}.`;
    return error('zeno', message, {
      span,
      hint: 'Let the model come to rest: switch to equations without the impact when it becomes small.',
    });
  }
  const message = `Events of ${text} follow each other without end near time ${time}: both sides of the relation push back.`;
  return error('zeno', message, {
    span,
    hint: 'Add hysteresis, or let the solution slide along the boundary: the option `sliding` of `simulate`.',
    commandHint: 'Add hysteresis, or let the solution slide along the boundary: `--sliding`.',
  });
}

/** Events that follow each other closely, and may go on so for long. */
export function explainDense(runtime: Runtime, { relation, count, from, to }: Dense): Diagnostic {
  const { text, span } = relationOf(runtime, relation);
  const message = `${count} events of ${text} happened within ${(to - from).toPrecision(3)} s, up to time ${to}.`;
  return warning('zeno', message, {
    span,
    hint: 'If this is not intended, add hysteresis, or let the solution slide along the boundary: the option `sliding` of `simulate`.',
    commandHint:
      'If this is not intended, add hysteresis, or let the solution slide along the boundary: `--sliding`.',
  });
}

/** A relation whose sides cannot be compared. */
export function relationWithoutValue(runtime: Runtime, relation: number): Diagnostic {
  const { text, span } = relationOf(runtime, relation);
  const { left, right } = runtime.model.relations[relation]!;
  const fault = runtime.values.faultIn(left) ?? runtime.values.faultIn(right);
  const why = fault ? `: ${fault.reason} in ${runtime.wording.print(fault.expr)}` : '';
  const message = `The relation ${text} has no value at time ${runtime.values.time}${why}.`;
  const hint = 'Compare only what has a value: `x > 0 and log(max(x, 1e-6)) > 0`.';
  return error('bad-evaluation', message, { span, hint });
}

const slower =
  'Choose a shorter run, or a model without changes of this pace: averages in place of single pulses.';

/** Events that follow each other at a pace at which the run has no end; `cause` is a relation, or the component that asks for them. */
export function explainEvents(
  runtime: Runtime,
  time: number,
  needed: number,
  cause: number | FlatComponent | undefined,
): Diagnostic {
  const named =
    typeof cause === 'number'
      ? relationOf(runtime, cause)
      : cause && { text: `\`${cause.path}\``, span: cause.origin.span };
  const what = named ? `, such as those of ${named.text}` : '';
  const message = `Events follow each other too closely at time ${time}${what}: at this pace ${needed.toPrecision(1)} more would happen.`;
  return error('limit-exceeded', message, { span: named?.span, hint: slower });
}

/** A relation that changes more often than times can be told apart, or than can be looked at. */
export function explainUnfollowed(runtime: Runtime, relation: number, from: number, to: number): Diagnostic {
  const { text, span } = relationOf(runtime, relation);
  const message = `${text} changes several times between time ${from} and ${to}: too often for a run up to its stop time.`;
  return error('limit-exceeded', message, { span, hint: slower });
}

function relationOf(runtime: Runtime, relation: number): { text: string; span: Span | undefined } {
  const { origin } = runtime.model.relations[relation]!;
  return { text: runtime.wording.relation(relation), span: origin.span };
}

/** A discrete variable that became no number. */
export function noValue(runtime: Runtime, symbol: number): Diagnostic {
  const { equations, scalars } = runtime.model;
  const time = runtime.values.time;
  const name = runtime.wording.nameOf(symbol);
  for (const { assigns, right, origin } of equations) {
    const fault = assigns === symbol ? runtime.values.faultIn(right) : undefined;
    if (!fault) continue;
    const reason = capitalised(fault.reason);
    const message = `${reason} in ${runtime.wording.print(fault.expr)} at time ${time}: ${name} has no value.`;
    return error('bad-evaluation', message, {
      span: origin.span,
      notes: valuesNote(runtime, leaves(fault.expr)),
    });
  }
  return error('bad-evaluation', `${name} has no value at time ${time}.`, {
    span: scalars[symbol]!.variable?.origin.span,
  });
}

/** Values that change in every iteration. */
export function unsettled(
  runtime: Runtime,
  where: string,
  changing: readonly number[],
  relation: number | undefined,
): Diagnostic {
  const time = runtime.values.time;
  const { scalars, equations } = runtime.model;
  const declared = [...new Set(changing)].filter((symbol) => scalars[symbol]!.variable).sort((a, b) => a - b);
  const definitions = declared.flatMap((symbol) => {
    const index = equations.findIndex((e) => e.assigns === symbol);
    return index < 0 ? [] : [index];
  });
  const last =
    relation === undefined ? { text: 'a relation', span: undefined } : relationOf(runtime, relation);
  const what =
    declared.length > 0 ? listNames(declared.map((symbol) => runtime.wording.nameOf(symbol))) : last.text;
  const verb = declared.length > 1 ? 'change' : 'changes';
  return error('event-cycle', `The ${where} at time ${time} does not settle: ${what} ${verb} without end.`, {
    span: scalars[declared[0] ?? -1]?.variable?.origin.span ?? last.span,
    notes: equationNotes(runtime, definitions),
    hint: 'Two when-clauses or conditions may trigger each other; use pre() or hysteresis to break the cycle.',
  });
}

/** Transitions that follow each other at one instant without end. */
export function endlessTransitions(runtime: Runtime, trail: readonly string[]): Diagnostic {
  const time = runtime.values.time;
  const last = trail.slice(-4).join(' -> ');
  const machine = runtime.model.machines.find((m) => m.states.some((s) => s.name === trail.at(-1)));
  return error('event-cycle', `State machines change without end at time ${time}: … -> ${last}.`, {
    span: machine?.origin.span,
    hint: 'The conditions of these transitions hold at once; one of them must become false, or wait (timeInState).',
  });
}

/** Every mode leads to another one that was tried already. */
export function cycleOfModes(time: number): Diagnostic {
  return error('event-cycle', `No mode is consistent at time ${time}: each one leads to another.`, {
    hint: 'The conditions contradict each other at these values; hysteresis, or a mode for the boundary, resolves it.',
  });
}

/** The first of many, and how many more there are. */
export const listNames = (names: readonly string[]): string => listed(names, mostNotes);

/** The same of unknowns. */
export const listUnknowns = ({ wording }: Runtime, unknowns: readonly Ref[]): string =>
  listNames(unknowns.map((unknown) => wording.nameOfRef(unknown)));
