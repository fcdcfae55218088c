/**
 * Macros in texts (Modelica 3.6, section 18.6.5.5): `%name` is the name of the component, `%class` that of its class, `%p` and `%{a.p}` the value of a parameter in its display unit, `%%` a
 * percent sign.
 */
import { Source } from '../diagnostic/source.ts';
import { resolve } from '../model/classes/lookup.ts';
import type { Bound, VariableInstance } from '../model/instance.ts';
import type { Value } from '../model/value.ts';
import { evaluate, evaluateBound } from '../model/values/evaluate.ts';
import { readable } from '../names/readable.ts';
import type * as ast from '../syntax/ast.ts';
import { parseExpression } from '../syntax/parser.ts';
import { printExpression } from '../syntax/print.ts';
import { displayOf, prettyUnit } from '../units/display.ts';
import { plainValue } from './values.ts';
import { sightIn, type View } from './view.ts';

export interface Named {
  /** The name of the component; undefined where a class is shown for itself, and its macros stay as they are. */
  readonly name: string | undefined;
  readonly view: View;
}

/** Texts are short; what is longer than this is no text for a picture. */
const LONGEST = 2000;

export function replaceMacros(text: string, { name, view }: Named): string {
  if (!text.includes('%')) return text.slice(0, LONGEST);
  return text
    .slice(0, LONGEST)
    .replace(
      /%(?:(%)|([A-Za-z_]\w*)|\{((?:'(?:[^'\\]|\\.)*'|[^'}])*)\})/g,
      (whole, percent, word, braced) => {
        if (percent) return '%';
        if (word === 'class') return lastOf(view.entity.path);
        if (name === undefined) return whole;
        if (word === 'name') return name;
        return valueText(word ?? braced, view) ?? whole;
      },
    );
}

const lastOf = (path: string): string => path.match(/'(?:[^'\\]|\\.)*'$|[^.]*$/)![0];

/** The value of what a text names, or how it is given; its name where it has none. Undefined where there is nothing of that name. */
function valueText(text: string, view: View): string | undefined {
  const { expression: ref } = parseExpression(new Source('macro', text));
  if (ref?.kind !== 'ref') return undefined;
  const sight = sightIn(view, view.entity);
  const found = resolve(sight.scope, ref);
  if (found.kind !== 'component' && found.kind !== 'constant') return undefined;
  const instance = found.kind === 'component' ? found.parts.at(-1)!.instance : found.instance;
  if (instance.kind !== 'variable') return instance.binding && bindingText(instance.binding);
  const inRun = view.values && plainValue(ref, sight);
  if (typeof inRun === 'number' && instance.type === 'Real') return quantity(instance, inRun);
  if (!hasValue(instance)) return ref.parts.at(-1)!.name;
  const { value } = evaluate(sight.scope, ref);
  return value ? shown(instance, value) : bindingText(instance.binding);
}

/** A parameter may have the value of a part of a record. */
function hasValue({ binding, parent }: VariableInstance): boolean {
  if (binding) return true;
  for (let at = parent; at?.kind === 'object'; at = at.parent) if (at.binding) return true;
  return false;
}

const bindingText = (bound: Bound | undefined): string | undefined => bound && expressionText(bound.value);

/** An expression as it is written, on one line. */
export const expressionText = (expression: ast.Expression): string =>
  printExpression(expression).replace(/\s+/g, ' ');

/** Elements of arrays that are shown. */
const MOST_ELEMENTS = 6;

function shown(variable: VariableInstance, value: Value): string {
  switch (value.kind) {
    case 'real':
      return quantity(variable, value.value);
    case 'integer':
      return readable(value.value, 12);
    case 'boolean':
      return String(value.value);
    case 'string':
      return value.value;
    case 'enumeration':
      return value.literals[value.index - 1] ?? '';
    case 'array': {
      const some = value.elements.slice(0, MOST_ELEMENTS).map((element) => shown(variable, element));
      return `{${some.join(', ')}${value.elements.length > MOST_ELEMENTS ? ', …' : ''}}`;
    }
    case 'record':
      return lastOf(value.path);
    default:
      return value satisfies never;
  }
}

/** A number in its display unit: `100 ms`. */
function quantity(variable: VariableInstance, value: number): string {
  const { unit, scale, offset } = displayOf(attribute(variable, 'unit'), attribute(variable, 'displayUnit'));
  const symbol = prettyUnit(unit);
  const number = readable(value * scale + offset);
  return symbol === '' ? number : `${number}${symbol === '°' ? '' : ' '}${symbol}`;
}

function attribute({ attributes }: VariableInstance, name: string): string {
  const bound = attributes.get(name);
  const value = bound && evaluateBound(bound).value;
  return value?.kind === 'string' ? value.value : '';
}
