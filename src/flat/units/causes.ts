/**
 * One warning for one mistake. A wrong unit in a declaration shows in every equation with the variable. So where several equations do not fit and share a variable, its
 * unit is taken for unknown: if then all of them fit, and still do with the unit that they ask for, the declaration is what is wrong.
 */
import { type Diagnostic, warning } from '../../diagnostic/diagnostic.ts';
import { unitText } from '../../units/text.ts';
import { type FlatBuilder, note } from '../core/context.ts';
import type { FlatModel, FlatVariable } from '../flat.ts';
import {
  type AssumedUnits,
  declarationOf,
  examineUnits,
  type Findings,
  type UnitFinding,
} from './consistency.ts';
import { badUnits } from './unreadable.ts';

/** What is wrong with the units of a model. */
export function checkUnits(builder: FlatBuilder, model: FlatModel): Diagnostic[] {
  const texts = badUnits(builder, model.variables);
  // Nothing can contradict anything.
  if (model.variables.every(({ unit }) => unit === '')) return texts;
  return [...texts, ...findCulprits(model, (assumed) => examineUnits(builder, model, assumed))];
}

/** So many declarations are tried: each one costs a check of the model. */
const MOST_TRIED = 8;
const MOST_NOTES = 4;
/** So many equations are told. */
const MOST_TOLD = 20;

/** Warnings about what does not fit. `check` looks at the model with other units for some declarations. */
function findCulprits(model: FlatModel, check: (assumed: AssumedUnits) => Findings): Diagnostic[] {
  const { list } = check(new Map());
  const guilty = suspectsOf(model, list)
    .slice(0, MOST_TRIED)
    .flatMap((suspect) => {
      const { declaration, accusers } = suspect;
      const isCleared = ({ list: left }: Findings): boolean =>
        left.length <= list.length - accusers.length &&
        left.every(({ symbols }) => !symbols.some((symbol) => isOf(model, symbol, suspect)));
      const open = check(new Map([[declaration, undefined]]));
      const wanted = suspect.symbols.map(open.unitOf).find((unit) => unit !== undefined);
      // What one equation asks for must suit the others as well.
      if (!isCleared(open) || !wanted || !isCleared(check(new Map([[declaration, wanted]])))) return [];
      return [{ ...suspect, wanted }];
    });
  // Where two declarations explain the same equation, nobody knows which one is wrong.
  const culprits = guilty.filter(
    ({ accusers }, k) =>
      !guilty.some((other, n) => n !== k && other.accusers.some((finding) => accusers.includes(finding))),
  );
  const explained = new Set(culprits.flatMap(({ accusers }) => accusers));
  const others = list.filter((finding) => !explained.has(finding));
  return [
    ...culprits.map(({ variable, wanted, accusers }) => culprit(variable, unitText(wanted), accusers)),
    ...others.slice(0, MOST_TOLD).map(({ diagnostic }) => diagnostic),
    ...(others.length > MOST_TOLD ? [andMore(others.length - MOST_TOLD)] : []),
  ];
}

const andMore = (count: number): Diagnostic =>
  warning('unit-mismatch', `Units do not fit in ${count} more equation${count === 1 ? '' : 's'}.`);

const isOf = ({ variables }: FlatModel, symbol: number, { declaration }: Suspect): boolean =>
  declarationOf(variables[symbol]!) === declaration;

interface Suspect {
  readonly declaration: string;
  readonly variable: FlatVariable;
  /** The instances that take part. */
  readonly symbols: readonly number[];
  readonly accusers: readonly UnitFinding[];
}

/** Declarations that take part in several mismatches, in most of them first. */
function suspectsOf({ variables }: FlatModel, list: readonly UnitFinding[]): Suspect[] {
  const suspects = new Map<string, Suspect & { accusers: UnitFinding[]; symbols: number[] }>();
  for (const finding of list) {
    for (const symbol of finding.symbols) {
      const variable = variables[symbol]!;
      if (variable.unit === '') continue;
      const declaration = declarationOf(variable);
      const known = suspects.get(declaration);
      if (!known)
        suspects.set(declaration, { declaration, variable, symbols: [symbol], accusers: [finding] });
      else {
        known.symbols.push(symbol);
        if (!known.accusers.includes(finding)) known.accusers.push(finding);
      }
    }
  }
  return [...suspects.values()]
    .filter(({ accusers }) => accusers.length > 1)
    .sort((a, b) => b.accusers.length - a.accusers.length);
}

function culprit(
  { name, unit, origin }: FlatVariable,
  wanted: string,
  accusers: readonly UnitFinding[],
): Diagnostic {
  const message = `\`${name}\` is declared in \`${unit}\`, but ${accusers.length} equations with it ask for \`${wanted}\`.`;
  const notes = accusers
    .slice(0, MOST_NOTES)
    .map(({ diagnostic: { message, span } }) => note(message.replace(/\.$/, ''), { span }));
  return warning('unit-mismatch', message, {
    span: origin.span,
    hint: 'Correct the unit of the declaration, or these equations.',
    notes,
  });
}
