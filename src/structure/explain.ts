/**
 * Structural problems in the user's words: counts, names of variables, and the equations with their places in
 * the source.
 */
import type { Diagnostic, Note } from '../diagnostic/diagnostic.ts';
import { error } from '../diagnostic/diagnostic.ts';
import type { Span } from '../diagnostic/source.ts';
import { counted, listed } from '../diagnostic/words.ts';
import type { Stuck } from './oneway.ts';

export interface EquationDescription {
  readonly text: string;
  readonly span?: Span | undefined;
  /** Dotted name of the component that holds the equation; empty for the model itself. */
  readonly component: string;
  /** Whether it has variables that no text declares. */
  readonly isInner?: boolean;
  /** That it sets a flow to zero, with which nothing is connected. */
  readonly idle?: IdleFlow;
}

export interface IdleFlow {
  readonly flow: string;
  /** A class that gives the potential beside the flow. */
  readonly source: string | undefined;
}

/** How messages speak of variables and equations. */
export interface ExplainedNames {
  readonly nameOfSymbol: (symbol: number) => string;
  /** Where a variable is declared. */
  readonly spanOfSymbol?: (symbol: number) => Span | undefined;
  readonly describeEquation: (index: number) => EquationDescription;
  /** Whether when-equations of other modes change a variable. */
  readonly changesElsewhere?: (symbol: number) => boolean;
}

/** Equations (numbers of the caller) and unknowns (symbols) that belong to one part of a decomposition. */
export interface NamedPart {
  readonly equations: readonly number[];
  readonly symbols: readonly number[];
}

export interface SingularSystemParts {
  readonly over: NamedPart;
  readonly under: NamedPart;
}

/** Numbers of equations and unknowns differ. */
export function unbalanced(
  names: ExplainedNames,
  equations: number,
  unknowns: number,
  parts: SingularSystemParts,
): Diagnostic {
  const difference = Math.abs(equations - unknowns);
  const verdict =
    equations > unknowns
      ? `${counted(difference, 'equation')} too many`
      : `${counted(difference, 'equation')} missing`;
  const named =
    equations > unknowns ? '' : ` among those that determine ${list(namesOf(names, parts.under.symbols))}`;
  const message = `There ${equations === 1 ? 'is' : 'are'} ${counted(equations, 'equation')} for ${counted(unknowns, 'unknown')}: ${verdict}${named}.`;
  const hint =
    equations > unknowns
      ? (idleHint(names, parts.over) ??
        'Remove one of the equations listed, or declare what they shall determine.')
      : (keptHint(names, parts.under) ??
        'Add the missing equations, or give the variables that no equation determines a value.');
  return error('unbalanced', message, { ...place(names, parts), notes: notesOf(names, parts), hint });
}

/** Where the branch with the `when` that changes a variable is not active, nothing says that the variable keeps its value. */
function keptHint(names: ExplainedNames, { symbols }: NamedPart): string | undefined {
  const kept = symbols.filter((symbol) => names.changesElsewhere?.(symbol));
  if (kept.length === 0 || kept.length < symbols.length) return undefined;
  const equations = namesOf(names, kept).map((name) => `${name} = pre(${name});`);
  const values = kept.length === 1 ? 'it keeps its value' : 'they keep their values';
  return `A \`when\` in a branch that is not active here changes ${list(namesOf(names, kept))}. Write \`else ${equations.slice(0, mostNames).join(' ')}\`, so that ${values} there, or the condition of the \`if\` into that of the \`when\`.`;
}

/** Who gives a variable behind a connector that is not connected forgets that its flow is given, too. */
function idleHint(names: ExplainedNames, { equations }: NamedPart): string | undefined {
  const idle = equations.map((index) => names.describeEquation(index).idle).find((own) => own !== undefined);
  if (!idle) return undefined;
  const connector = idle.flow.slice(0, idle.flow.lastIndexOf('.'));
  const such = idle.source ? `, such as \`${idle.source}\`` : '';
  return `Nothing is connected with \`${connector}\`, so that \`${idle.flow}\` is zero. Instead of an equation, connect what is to act there${such}.`;
}

/** As many equations as unknowns, but some part has too many and another too few. */
export function structurallySingular(names: ExplainedNames, parts: SingularSystemParts): Diagnostic {
  const { over, under } = parts;
  const few = under.symbols.length > 0 ? `nothing determines ${either(namesOf(names, under.symbols))}` : '';
  const many =
    over.equations.length > 0
      ? `${counted(over.equations.length, 'equation')} ${over.equations.length === 1 ? 'determines' : 'determine'} ${
          over.symbols.length === 0
            ? 'no unknown'
            : `only ${counted(over.symbols.length, 'unknown')} (${list(namesOf(names, over.symbols))})`
        }`
      : '';
  const message = `The equations cannot determine the variables: ${[few, many].filter((part) => part !== '').join(', and ')}.`;
  return error('structurally-singular', message, { ...place(names, parts), notes: notesOf(names, parts) });
}

/** The conditions of a mode leave a flow no sign, or make it zero where that leaves equations without a say. */
export function stuck(names: ExplainedNames, { symbol, silent }: Stuck): Diagnostic {
  const name = names.nameOfSymbol(symbol);
  const equations = [...(silent?.keys() ?? [])].map(({ index }) => index);
  const [first] = equations.map((index) => names.describeEquation(index));
  if (!first)
    return error('structurally-singular', `${name} cannot be positive and negative at once.`, {
      span: names.spanOfSymbol?.(symbol),
    });
  const said = `Where ${name} is neither positive nor negative it is zero, and the equation ${first.text}${inside(first.component)} says nothing of what it carries`;
  return error('structurally-singular', `${said}: other equations would give that any value.`, {
    span: first.span,
    notes: notesOf(names, { over: { equations, symbols: [] }, under: { equations: [], symbols: [] } }),
    hint: `Let what ${name} carries be stored somewhere, as in a volume, or its direction be given.`,
  });
}

export function notDifferentiable(names: ExplainedNames, equation: number, reason: string): Diagnostic {
  const { text, span, component } = names.describeEquation(equation);
  const message = `The equation ${text}${inside(component)} constrains states and must be differentiated, but ${reason}.`;
  const hint = 'Give the function a derivative, or choose other variables to be integrated.';
  return error('not-differentiable', message, { span, hint });
}

export function constrainedState(
  names: ExplainedNames,
  symbol: number,
  others: readonly number[],
): Diagnostic {
  const name = names.nameOfSymbol(symbol);
  const from = others.length > 0 ? list(namesOf(names, others)) : 'time and parameters alone';
  const message = `${name} has stateSelect=always, but the equations determine it from ${from}.`;
  const hint =
    others.length > 0
      ? 'Let one variable of each constraint have another stateSelect.'
      : `Remove stateSelect=always from ${name}.`;
  return error('state-constraint', message, { span: names.spanOfSymbol?.(symbol), hint });
}

export function forbiddenState(names: ExplainedNames, symbol: number): Diagnostic {
  const name = names.nameOfSymbol(symbol);
  const message = `${name} has stateSelect=never, but nothing else can be integrated in its place.`;
  const hint = `Remove stateSelect=never from ${name}, or add the equation that determines it.`;
  return error('state-constraint', message, { span: names.spanOfSymbol?.(symbol), hint });
}

/** How many equations and names a message lists. */
const mostNotes = 10;
const mostNames = 12;

function notesOf(names: ExplainedNames, { over, under }: SingularSystemParts): Note[] {
  const notes: Note[] = [];
  const add = (equations: readonly number[], what: string) => {
    const described = equations
      .map((index) => names.describeEquation(index))
      .filter(({ isInner }) => !isInner);
    for (const { text, span, component } of described.slice(0, mostNotes))
      notes.push({ message: `${what}: ${text}${inside(component)}`, ...(span && { span }) });
    const more = described.length - mostNotes;
    if (more > 0) notes.push({ message: `… and ${counted(more, 'equation')} more` });
  };
  if (over.equations.length > 0) {
    add(over.equations, over.symbols.length === 0 ? 'without unknown' : 'too many equations');
  }
  if (under.symbols.length > 0) {
    const unknowns = list(namesOf(names, under.symbols));
    notes.push({
      message: `${counted(under.equations.length, 'equation')} for ${counted(under.symbols.length, 'unknown')}: ${unknowns}`,
    });
    add(under.equations, 'too few equations');
  }
  return notes;
}

/** An equation that is too much, or else the declaration of a variable that nothing determines. */
function place(names: ExplainedNames, { over, under }: SingularSystemParts): { span?: Span } {
  const described = over.equations.map((index) => names.describeEquation(index));
  const equation =
    described.findLast(({ component, isInner }) => component === '' && !isInner) ?? described.at(-1);
  const span = equation ? equation.span : names.spanOfSymbol?.(under.symbols[0] ?? -1);
  return span ? { span } : {};
}

function inside(component: string): string {
  return component === '' ? '' : ` (in ${component})`;
}

function namesOf(names: ExplainedNames, symbols: readonly number[]): string[] {
  return symbols.map((symbol) => names.nameOfSymbol(symbol));
}

const list = (words: readonly string[]): string => listed(words, mostNames);

function either(words: readonly string[]): string {
  return words.length === 1 ? words[0]! : `all of ${list(words)}`;
}
