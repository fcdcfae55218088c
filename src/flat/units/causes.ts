/**
 * One warning for one mistake. A wrong unit in a declaration shows in every equation with the variable. So where several equations do not fit and share a variable, its
 * unit is taken for unknown: if then all of them fit, the declaration is what is wrong, and what the equations ask for is known as well.
 */
import { type Diagnostic, warning } from '../../diagnostic/diagnostic.ts';
import { unitText } from '../../units/text.ts';
import type { FlatBuilder } from '../core/context.ts';
import type { FlatModel, FlatVariable } from '../flat.ts';
import { declarationOf, examineUnits, type Findings, type UnitFinding } from './consistency.ts';
import { badUnits } from './unreadable.ts';

/** What is wrong with the units of a model. */
export function checkUnits(builder: FlatBuilder, model: FlatModel): Diagnostic[] {
  const texts = badUnits(builder, model.variables);
  // Nothing can contradict anything.
  if (model.variables.every(({ unit }) => unit === '')) return texts;
  return [...texts, ...findCulprits(model, (ignored) => examineUnits(builder, model, ignored))];
}

/** So many declarations are tried: each one costs a check of the model. */
const MOST_TRIED = 8;
const MOST_NOTES = 4;
/** So many equations are told. */
const MOST_TOLD = 20;

/** Warnings about what does not fit. `check` looks at the model with some declared units taken for unknown. */
function findCulprits(model: FlatModel, check: (ignored: ReadonlySet<string>) => Findings): Diagnostic[] {
  const { list } = check(new Set());
  const guilty = suspectsOf(model, list)
    .slice(0, MOST_TRIED)
    .flatMap((suspect) => {
      const { list: left, unitOf } = check(new Set([suspect.declaration]));
      const cleared = left.every(({ symbols }) => !symbols.some((symbol) => isOf(model, symbol, suspect)));
      if (!cleared || left.length > list.length - suspect.accusers.length) return [];
      return [{ ...suspect, wanted: unitOf(suspect.symbol) }];
    });
  // Where two declarations explain the same equation, nobody knows which one is wrong.
  const culprits = guilty.filter(
    ({ accusers }, k) =>
      !guilty.some((other, n) => n !== k && other.accusers.some((finding) => accusers.includes(finding))),
  );
  const explained = new Set(culprits.flatMap(({ accusers }) => accusers));
  const others = list.filter((finding) => !explained.has(finding));
  return [
    ...culprits.map(({ variable, wanted, accusers }) =>
      culprit(variable, wanted && unitText(wanted), accusers),
    ),
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
  readonly symbol: number;
  readonly accusers: readonly UnitFinding[];
}

/** Declarations that take part in several mismatches, in most of them first. */
function suspectsOf({ variables }: FlatModel, list: readonly UnitFinding[]): Suspect[] {
  const suspects = new Map<string, Suspect & { accusers: UnitFinding[] }>();
  for (const finding of list) {
    for (const symbol of finding.symbols) {
      const variable = variables[symbol]!;
      if (variable.unit === '') continue;
      const declaration = declarationOf(variable);
      const known = suspects.get(declaration);
      if (!known) suspects.set(declaration, { declaration, variable, symbol, accusers: [finding] });
      else if (!known.accusers.includes(finding)) known.accusers.push(finding);
    }
  }
  return [...suspects.values()]
    .filter(({ accusers }) => accusers.length > 1)
    .sort((a, b) => b.accusers.length - a.accusers.length);
}

function culprit(
  { name, unit, origin }: FlatVariable,
  wanted: string | undefined,
  accusers: readonly UnitFinding[],
): Diagnostic {
  const asked = wanted === undefined ? 'do not fit' : `ask for \`${wanted}\``;
  const message = `\`${name}\` is declared in \`${unit}\`, but ${accusers.length} equations with it ${asked}.`;
  const notes = accusers.slice(0, MOST_NOTES).map(({ diagnostic }) => ({
    message: diagnostic.message.replace(/\.$/, ''),
    ...(diagnostic.span && { span: diagnostic.span }),
  }));
  return warning('unit-mismatch', message, {
    span: origin.span,
    hint: 'Correct the unit of the declaration, or these equations.',
    notes,
  });
}
