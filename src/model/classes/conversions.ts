/**
 * Rules that convert models from an earlier version of a library (specification 3.6, section 18.8.2.1): calls of `convertClass` and so on, in scripts that the
 * annotation of the library names, or in the annotation itself. Arguments may be lists; classes are then all meant, names are taken in pairs.
 */
import { append } from '../../collections/groups.ts';
import { type Diagnostic, warning } from '../../diagnostic/diagnostic.ts';
import { Source, type Span } from '../../diagnostic/source.ts';
import type * as ast from '../../syntax/ast.ts';
import { parseExpression, parseItems } from '../../syntax/parser.ts';
import type { ConversionStep } from './versions.ts';

/** One step between versions. Old names of classes are the keys. */
export interface Rules {
  readonly classes: Map<string, string>;
  readonly conditional: Map<string, ClassIf[]>;
  readonly elements: Map<string, ElementRule[]>;
  readonly modifiers: Map<string, ModifierRule[]>;
  readonly messages: Map<string, MessageRule[]>;
}

/** `convertClassIf`: the class becomes another one where a modifier has a value. */
export interface ClassIf {
  readonly parameter: string;
  readonly value: string;
  readonly to: string;
}

/** `convertElement`: names of an element, dotted for one inside of another; the new one is empty where the object itself stands for it. */
export interface ElementRule {
  readonly from: string;
  readonly to: string;
}

/** `convertModifiers`: where one of the old modifiers is there, or there are none, all of them become the new ones. */
export interface ModifierRule {
  readonly from: readonly { readonly name: string; readonly value: ast.Expression | undefined }[];
  readonly to: readonly ast.Argument[];
}

/** `convertMessage`: what to do where the class, or an element of it, is used. */
export interface MessageRule {
  readonly text: string;
  readonly element: string | undefined;
}

export interface ReadRules {
  readonly rules: readonly Rules[];
  readonly problems: readonly Diagnostic[];
}

export function readRules(
  steps: readonly ConversionStep[],
  script: (name: string) => Source | undefined,
): ReadRules {
  const problems: Diagnostic[] = [];
  const rules = steps.map((step) => {
    const reader = new RuleReader(problems);
    for (const change of step.changes) reader.rule(change, step.span.source);
    if (step.script !== undefined) {
      const source = script(step.script);
      if (source) reader.script(source);
      else
        problems.push(
          warning('library-version', `The conversion script \`${step.script}\` cannot be read.`, {
            span: step.span,
            hint: 'Models of earlier versions of the library are taken as they are.',
          }),
        );
    }
    return reader.rules;
  });
  return { rules, problems };
}

class RuleReader {
  readonly rules: Rules = {
    classes: new Map(),
    conditional: new Map(),
    elements: new Map(),
    modifiers: new Map(),
    messages: new Map(),
  };

  constructor(private readonly problems: Diagnostic[]) {}

  script(source: Source): void {
    const { items, diagnostics } = parseItems('statements', source);
    this.problems.push(...diagnostics.map((problem) => ({ ...problem, severity: 'warning' as const })));
    for (const item of items) {
      if (item.kind === 'call') this.rule(item.call, source);
      else
        this.unknown('only calls of conversion functions have a meaning', {
          source,
          start: item.start,
          end: item.end,
        });
    }
  }

  rule(node: ast.Expression, source: Source): void {
    const span = { source, start: node.start, end: node.end };
    if (node.kind !== 'call') {
      this.unknown('only calls of conversion functions have a meaning', span);
      return;
    }
    const name = node.callee.parts.map((part) => part.name).join('.');
    const texts = node.positional.map(textsOf);
    if (name === 'convertClear') return;
    if (!Object.hasOwn(commands, name)) {
      this.unknown(`there is no conversion function \`${name}\``, span);
      return;
    }
    const [fewest, add] = commands[name as keyof typeof commands];
    const given = texts.slice(0, fewest);
    if (given.length < fewest || given.some((list) => list === undefined)) {
      this.unknown(`\`${name}\` needs ${fewest} arguments, which are strings or lists of them`, span);
      return;
    }
    const problem = add(this.rules, texts as string[][]);
    if (problem !== undefined) this.unknown(problem, span);
  }

  private unknown(why: string, span: Span): void {
    const message = `A rule for the conversion of models is left out: ${why}.`;
    this.problems.push(warning('library-version', message, { span }));
  }
}

/** Conversion functions: how many arguments they need, and what they do. They give what is wrong. */
const commands = {
  convertClass: [2, addClasses],
  convertClassIf: [4, addConditional],
  convertElement: [3, addElements],
  convertModifiers: [3, addModifiers],
  convertMessage: [2, addMessages],
} as const satisfies Record<
  string,
  readonly [number, (rules: Rules, texts: string[][]) => string | undefined]
>;

function addClasses({ classes }: Rules, [from, to]: string[][]): string | undefined {
  if (from!.length !== to!.length) return 'there are not as many new classes as old ones';
  for (const [k, name] of from!.entries()) {
    if (!isName(to![k]!)) return `\`${to![k]}\` is no name of a class`;
    classes.set(name, to![k]!);
  }
  return undefined;
}

function addConditional({ conditional }: Rules, [from, parameters, values, to]: string[][]): undefined {
  for (const name of from!)
    for (const [k, parameter] of parameters!.entries())
      append(conditional, name, { parameter, value: values![k] ?? values![0]!, to: to![k] ?? to![0]! });
  return undefined;
}

function addElements({ elements }: Rules, [classes, from, to]: string[][]): string | undefined {
  if (from!.length !== to!.length) return 'there are not as many new elements as old ones';
  for (const [k, old] of from!.entries()) {
    const renamed = to![k]!;
    if (!isName(old) || (renamed !== '' && !isName(renamed)))
      return `\`${old}\` and \`${renamed}\` are not names of elements`;
    for (const name of classes!) append(elements, name, { from: old, to: renamed });
  }
  return undefined;
}

function addModifiers({ modifiers }: Rules, [classes, from, to]: string[][]): string | undefined {
  const old = from!.map(oldModifier);
  const renewed = to!.map(newModifier);
  const wrong = [...old, ...renewed].indexOf(undefined);
  if (wrong >= 0) return `\`${[...from!, ...to!][wrong]}\` is no modifier`;
  for (const name of classes!)
    append(modifiers, name, { from: old.map((item) => item!), to: renewed.map((item) => item!) });
  return undefined;
}

function addMessages({ messages }: Rules, [classes, texts, elements]: string[][]): undefined {
  for (const name of classes!)
    for (const [k, text] of texts!.entries()) append(messages, name, { text, element: elements?.[k] });
  return undefined;
}

/** `name` or `name=default`. */
function oldModifier(text: string): ModifierRule['from'][number] | undefined {
  const [, name, value] = /^\s*([\w.[\]]+)\s*(?:=(.*))?$/s.exec(text) ?? [];
  if (name === undefined) return undefined;
  return {
    name,
    value: value === undefined ? undefined : parseExpression(new Source('conversion', value)).expression,
  };
}

/** `name = … %old% …`: the modifier, with names `__old_…` for the values of old ones. */
function newModifier(text: string): ast.Argument | undefined {
  const plain = text.replace(/%([\w.]+)%/g, (_, name: string) => placeholder(name));
  const { items, diagnostics } = parseItems('elements', new Source('conversion', `extends A(${plain})`));
  const [only] = diagnostics.length === 0 ? items : [];
  return only?.kind === 'extends' && only.modification?.arguments.length === 1
    ? only.modification.arguments[0]
    : undefined;
}

export const placeholder = (name: string): string => `__old_${name.replaceAll('.', '_')}`;

const isName = (text: string): boolean => /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/.test(text);

/** A string, or a list of them; `fill("", 0)` is an empty one. */
function textsOf(node: ast.Expression | ast.PartialApplication): string[] | undefined {
  if (node.kind === 'string') return [node.value];
  if (node.kind === 'boolean') return [String(node.value)];
  if (node.kind === 'call' && node.callee.parts[0]?.name === 'fill') return [];
  if (node.kind !== 'array') return undefined;
  const texts = node.elements.map((element) => (element.kind === 'string' ? element.value : undefined));
  return texts.every((text) => text !== undefined) ? (texts as string[]) : undefined;
}
