/** Warnings about units that do not fit: what has which unit, where it has it from, and what is missing. */
import { type Diagnostic, type Note, warning } from '../../diagnostic/diagnostic.ts';
import { leaves } from '../../symbolic/analyse.ts';
import type { Expr } from '../../symbolic/expr.ts';
import type { FunctionDef, FunctionLocal } from '../../symbolic/function.ts';
import { type Factors, factorsIn, factorsText, times } from '../../units/factors.ts';
import { WHOLE } from '../../units/measures.ts';
import type { Form, UnitSystem } from '../../units/system.ts';
import { unitText } from '../../units/text.ts';
import { unitOf } from '../../units/unit.ts';
import { note } from '../core/context.ts';
import { exprText, type NameTable } from '../core/text.ts';
import type { FlatModel, Origin } from '../flat.ts';
import { namesOf, typingOf } from '../print/names.ts';
import type { UnitMismatch, UnitQuantity, UnitRelation, UnitSide } from './dimensions.ts';
import { factorsOf } from './factors.ts';

/** What a warning can speak of. */
export interface WarningSurroundings {
  readonly model: FlatModel;
  readonly system: UnitSystem;
  readonly place: Origin;
  readonly quantityOf: (symbol: number) => UnitQuantity;
  /** The equation that a variable without a unit of its own has its unit from. */
  readonly learntFrom: (symbol: number) => Origin | undefined;
  /** The function in whose body it is. */
  readonly inside: FunctionDef | undefined;
}

/** The variables that take part in a mismatch. */
export function symbolsIn(mismatch: UnitMismatch): number[] {
  const exprs =
    mismatch.kind === 'sides' ? [mismatch.left.expr, mismatch.right.expr] : [mismatch.argument.expr];
  const symbols = new Set<number>();
  for (const leaf of exprs.flatMap((expr) => leaves(expr)))
    if (leaf.kind === 'ref' || leaf.kind === 'pre') symbols.add(leaf.symbol);
  return [...symbols];
}

/** Longer expressions are not written into messages. */
const LONGEST = 60;
/** Notes of one warning. */
const MOST_NOTES = 6;

export function mismatchWarning(mismatch: UnitMismatch, around: WarningSurroundings): Diagnostic {
  const span = around.place.span;
  switch (mismatch.kind) {
    case 'sides': {
      const { relation, left, right } = mismatch;
      const message = sidesMessage(relation, left, right, around);
      const notes = notesOf([left.expr, right.expr], around);
      const hint = hintOf(left, right, around);
      return warning('unit-mismatch', message, { span, hint, notes });
    }
    case 'function': {
      const { name, argument } = mismatch;
      const what = phrase(argument, 'its argument', around);
      const message =
        name === '^'
          ? `An exponent is a number without unit, but ${what}.`
          : `\`${name}\` needs a number without unit, but ${what}.`;
      const hint =
        'Divide by a reference value with the same unit, or correct the unit of one of the variables.';
      return warning('unit-mismatch', message, { span, hint, notes: notesOf([argument.expr], around) });
    }
    case 'call': {
      const { definition, input, wanted, argument } = mismatch;
      const { name, unit } = definition.locals[input]!;
      const message = `The input \`${name}\` of \`${definition.name}\` is in \`${unit}\`, but ${phrase(argument, 'the argument', around)}.`;
      const notes = notesOf([argument.expr], around);
      if (definition.span)
        notes.push({ message: `\`${definition.name}\` is declared here`, span: definition.span });
      return warning('unit-mismatch', message, {
        span,
        hint: hintOf(argument, { form: wanted }, around),
        notes,
      });
    }
  }
}

function sidesMessage(
  relation: UnitRelation,
  left: UnitSide,
  right: UnitSide,
  around: WarningSurroundings,
): string {
  const first = phrase(left, relation === 'equal' ? 'the left side' : 'the first one', around);
  const second = phrase(right, relation === 'equal' ? 'the right side' : 'the second one', around);
  const both = `${first}, but ${second}`;
  switch (relation) {
    case 'equal':
      return `The sides of the equation have different units: ${both}.`;
    case 'sum':
      return `Different units are added: ${both}.`;
    case 'compare':
      return `Different units are compared: ${both}.`;
    case 'atan2':
      return `\`atan2\` needs arguments of the same unit, but ${first} and ${second}.`;
    case 'alternative':
      return `Values of different units stand for each other: ${both}.`;
  }
}

/** ``​`m*a` is in `N` ``. */
function phrase({ expr, form }: UnitSide, otherwise: string, around: WarningSurroundings): string {
  const text = exprText(expr, namesIn(around));
  const named = text.length <= LONGEST && !text.includes('$') ? `\`${text}\`` : otherwise;
  return `${named} is in \`${sideUnit(expr, form, around)}\``;
}

function namesIn({ model, inside }: WarningSurroundings): NameTable {
  const names = namesOf(model);
  if (!inside) return names;
  const { locals } = inside;
  const typing = typingOf(model.functions, (symbol) => model.variables[symbol]!, locals);
  return { ...names, local: (index) => locals[index]!.name, typing };
}

/** The unit as it was declared where that is the whole truth; one with a name of its own; otherwise in the units of the variables. */
function sideUnit(expr: Expr, form: Form, around: WarningSurroundings): string {
  const isLeaf = (expr.kind === 'ref' && expr.order === 0) || expr.kind === 'pre' || expr.kind === 'local';
  const declared = isLeaf ? declaredUnit(expr, around) : undefined;
  if (declared) return declared;
  const { system } = around;
  const resolved = system.resolve(form) ?? form;
  const coherent = unitText(system.measures.at(resolved.unit));
  if (!isProduct(coherent) || exprText(expr, namesIn(around)).length > LONGEST) return coherent;
  return agreeing(variableFactors(expr, around), resolved.unit, around) ?? coherent;
}

/** Whether a unit text is made of several factors. */
const isProduct = (text: string): boolean => /[./]/.test(text);

function declaredUnit(
  leaf: Extract<Expr, { kind: 'ref' | 'pre' | 'local' }>,
  { model, inside }: WarningSurroundings,
): string | undefined {
  return leaf.kind === 'local' ? inside!.locals[leaf.index]!.unit : model.variables[leaf.symbol]!.unit;
}

/** The units of the variables of an expression, declared or found, as factors. */
function variableFactors(expr: Expr, around: WarningSurroundings): Factors | undefined {
  const { system, quantityOf } = around;
  return factorsOf(expr, (leaf) => {
    const declared = declaredUnit(leaf, around);
    if (declared || leaf.kind === 'local') return declared;
    const own = quantityOf(leaf.symbol);
    const known = typeof own === 'string' ? undefined : system.unitOf(own);
    return known === undefined ? undefined : unitText(system.measures.at(known));
  });
}

/** The text of factors, where it says the same as a measure; angles are left out, for they are numbers. */
function agreeing(
  factors: Factors | undefined,
  measure: number,
  { system }: WarningSurroundings,
): string | undefined {
  const text = factors && factorsText(new Map([...factors].filter(([name]) => name !== 'rad')));
  const unit = text === undefined ? undefined : unitOf(text);
  if (unit?.offset !== 0) return undefined;
  const { measures } = system;
  const own = measures.of(unit, '');
  return measures.sameDimension(own, measure) && measures.sameScale(own, measure) ? text : undefined;
}

/** What would make the units the same. */
function hintOf(
  left: UnitSide,
  right: Partial<UnitSide> & Pick<UnitSide, 'form'>,
  around: WarningSurroundings,
): string {
  const { system } = around;
  const { measures } = system;
  const [a, b] = [system.unitOf(left.form), system.unitOf(right.form)];
  const correct = 'Correct the equation, or the unit of one of the variables.';
  if (a === undefined || b === undefined) return correct;
  if (!measures.sameDimension(a, b)) {
    const missing = measures.product(a, measures.power(b, -WHOLE)!);
    const factors = [left, right].map(({ expr, form }) =>
      factorsIn(expr ? sideUnit(expr, form, around) : unitText(measures.at(system.unitOf(form)!))),
    );
    const own = agreeing(times(factors[0], factors[1], -1), missing, around);
    return `They differ by a factor in \`${own ?? unitText(measures.at(missing))}\`. ${correct}`;
  }
  const [first, second] = [unitText(measures.at(a)), unitText(measures.at(b))];
  if (!measures.sameScale(a, b)) {
    const factor = Number(Math.exp(measures.at(b).scale - measures.at(a).scale).toPrecision(6));
    return `They measure the same: 1 ${second} is ${factor} ${first}. Convert one of them, or declare both in the same unit.`;
  }
  return `They measure the same from different zeros. Convert one of them, or declare both in the same unit.`;
}

/** Where the variables of expressions have their units from. */
function notesOf(exprs: readonly Expr[], around: WarningSurroundings): Note[] {
  const { model, system, quantityOf, learntFrom, inside } = around;
  const notes: Note[] = [];
  const seen = new Set<number>();
  for (const leaf of exprs.flatMap((expr) => leaves(expr))) {
    if (leaf.kind === 'local') notes.push(...localNote(inside!.locals[leaf.index]!));
    if ((leaf.kind !== 'ref' && leaf.kind !== 'pre') || seen.has(leaf.symbol)) continue;
    seen.add(leaf.symbol);
    const { name, unit, origin } = model.variables[leaf.symbol]!;
    if (name.startsWith('$')) continue;
    const own = quantityOf(leaf.symbol);
    if (typeof own === 'string') continue;
    if (unit !== '') {
      notes.push(note(`\`${name}\` is declared in \`${unit}\``, origin));
      continue;
    }
    const known = system.unitOf(own);
    const from = learntFrom(leaf.symbol);
    if (known === undefined || !from?.span) continue;
    const text = unitText(system.measures.at(known));
    notes.push({ message: `\`${name}\` has no unit of its own; here it gets \`${text}\``, span: from.span });
  }
  return notes.slice(0, MOST_NOTES);
}

const localNote = ({ name, unit }: FunctionLocal): Note[] =>
  unit ? [{ message: `\`${name}\` is declared in \`${unit}\`` }] : [];
