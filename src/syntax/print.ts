/**
 * The printer: a syntax tree to Modelica text that parses to the same tree, apart from places and comments. Two spaces for a
 * level; a list of modifiers or arguments that is too long for a line gets a line for each. An operand that binds
 * less tightly than its operator is put in parentheses, so that trees made by programs print correctly, too.
 */
import type {
  Annotation,
  Argument,
  Branch,
  ClassBody,
  ClassDef,
  ClassModification,
  Comment,
  ComponentClause,
  ConstrainedBy,
  Declaration,
  Element,
  ElementPrefixes,
  EnumerationLiteral,
  Equation,
  External,
  ImportClause,
  Iterator,
  LongBody,
  Modification,
  Name,
  Section,
  Statement,
  StoredDefinition,
  StringComment,
} from './ast.ts';
import {
  list,
  listOf,
  newLine,
  printCall,
  printExpression,
  printIterators,
  printReference,
  printSubscripts,
} from './unparse.ts';

export { printExpression } from './unparse.ts';

/** The text of a whole file. */
export function print(definition: StoredDefinition): string {
  const { within } = definition;
  const head = within ? [within.parts.length > 0 ? `within ${printName(within)};\n` : 'within;\n'] : [];
  return [...head, ...definition.classes.map((one) => `${printClass(one)};\n`)].join('');
}

/** The text of a class without the `;` behind it; `level` is the indentation of the lines after the first. */
function printClass(definition: ClassDef, level = 0): string {
  const { name, restriction, encapsulated, partial, purity, body, constrainedBy } = definition;
  return [
    printPrefixes(definition.prefixes),
    encapsulated ? 'encapsulated ' : '',
    partial ? 'partial ' : '',
    purity ? `${purity} ` : '',
    `${restriction} `,
    body.kind === 'long' ? longBody(name.text, body, level) : `${name.text} = ${shortBody(body, level)}`,
    constrained(constrainedBy, level),
  ].join('');
}

function shortBody(body: Exclude<ClassBody, LongBody>, level: number): string {
  const text = comment(body.comment, level);
  switch (body.kind) {
    case 'short': {
      const prefix = body.basePrefix ? `${body.basePrefix} ` : '';
      const base = printName(body.base) + printSubscripts(body.subscripts, level);
      return prefix + base + classModification(body.modification, level) + text;
    }
    case 'enumeration': {
      const literal = (one: EnumerationLiteral, inner: number) => one.name.text + comment(one.comment, inner);
      return `enumeration${body.literals ? listOf(body.literals, literal, level) : '(:)'}${text}`;
    }
    case 'der':
      return `der(${[printName(body.base), ...body.variables.map((one) => one.text)].join(', ')})${text}`;
  }
}

function longBody(name: string, body: LongBody, level: number): string {
  const { classExtends, external, annotation } = body;
  const inner = newLine(level + 1);
  return [
    classExtends ? `extends ${name}${classModification(classExtends.modification, level)}` : name,
    description(body.description),
    ...body.sections.map((section, i) => printSection(section, i === 0, level)),
    external ? `${inner}${printExternal(external, level + 1)};` : '',
    annotation ? `${inner}${printAnnotation(annotation, level + 1)};` : '',
    `${newLine(level)}end ${name}`,
  ].join('');
}

function printSection(section: Section, first: boolean, level: number): string {
  const initial = section.kind !== 'elements' && section.initial ? 'initial ' : '';
  const word = (text: string): string => newLine(level) + initial + text;
  switch (section.kind) {
    case 'elements': {
      const { visibility } = section;
      const head = visibility === undefined && first ? '' : word(visibility ?? 'public');
      return head + lines(section.elements, printElement, level + 1);
    }
    case 'equations':
      return word('equation') + lines(section.equations, printEquation, level + 1);
    case 'algorithm':
      return word('algorithm') + lines(section.statements, printStatement, level + 1);
  }
}

/** Each item on a line of its own, from the line break before it to its `;`. */
function lines<Item>(
  items: readonly Item[],
  printItem: (item: Item, level: number) => string,
  level: number,
): string {
  return items.map((item) => `${newLine(level)}${printItem(item, level)};`).join('');
}

function printExternal(external: External, level: number): string {
  const { language, result, functionName, annotation } = external;
  return [
    'external',
    language ? ` ${language.text}` : '',
    result ? ` ${printReference(result, level)} =` : '',
    functionName ? ` ${functionName.text}` : '',
    functionName ? listOf(external.arguments, printExpression, level) : '',
    annotation ? ` ${printAnnotation(annotation, level)}` : '',
  ].join('');
}

// ---------------------------------------------------------------- elements

function printElement(element: Element, level: number): string {
  switch (element.kind) {
    case 'import':
      return printImport(element, level);
    case 'extends': {
      const { annotation } = element;
      const tail = annotation ? ` ${printAnnotation(annotation, level)}` : '';
      return `extends ${printName(element.base)}${classModification(element.modification, level)}${tail}`;
    }
    case 'class':
      return printClass(element, level);
    case 'component':
      return printComponents(element, level);
  }
}

function printImport(element: ImportClause, level: number): string {
  const { alias, wildcard, selection } = element;
  const tail = wildcard ? '.*' : selection ? `.{${selection.map((one) => one.text).join(', ')}}` : '';
  const head = alias ? `${alias.text} = ` : '';
  return `import ${head}${printName(element.name)}${tail}${comment(element.comment, level)}`;
}

function printComponents(clause: ComponentClause, level: number): string {
  const { connection, variability, causality } = clause;
  return [
    printPrefixes(clause.prefixes),
    connection ? `${connection} ` : '',
    variability ? `${variability} ` : '',
    causality ? `${causality} ` : '',
    `${printName(clause.type)}${printSubscripts(clause.subscripts, level)} `,
    clause.declarations.map((one) => printDeclaration(one, level)).join(', '),
    constrained(clause.constrainedBy, level),
  ].join('');
}

function printDeclaration(declaration: Declaration, level: number): string {
  const { name, subscripts, condition } = declaration;
  return [
    name.text,
    printSubscripts(subscripts, level),
    modification(declaration.modification, level),
    condition ? ` if ${printExpression(condition, level)}` : '',
    comment(declaration.comment, level),
  ].join('');
}

const prefixWords = ['redeclare', 'each', 'final', 'inner', 'outer', 'replaceable'] as const;

const printPrefixes = (prefixes: ElementPrefixes): string =>
  prefixWords.map((word) => (prefixes[word] ? `${word} ` : '')).join('');

function constrained(clause: ConstrainedBy | undefined, level: number): string {
  if (!clause) return '';
  const change = classModification(clause.modification, level);
  return ` constrainedby ${printName(clause.name)}${change}${comment(clause.comment, level)}`;
}

const printName = (name: Name): string =>
  (name.global ? '.' : '') + name.parts.map((one) => one.text).join('.');

// ---------------------------------------------------------------- modifications

function modification(change: Modification | undefined, level: number): string {
  if (!change) return '';
  const { value } = change;
  const sign = change.assignment ? ':=' : '=';
  const tail =
    value === undefined ? '' : ` ${sign} ${value === 'break' ? value : printExpression(value, level)}`;
  return classModification(change.arguments, level) + tail;
}

function classModification(change: ClassModification | undefined, level: number): string {
  return change ? listOf(change.arguments, printArgument, level) : '';
}

function printArgument(argument: Argument, level: number): string {
  switch (argument.kind) {
    case 'modify': {
      const head = `${argument.each ? 'each ' : ''}${argument.final ? 'final ' : ''}${printName(argument.name)}`;
      return head + modification(argument.modification, level) + description(argument.description);
    }
    case 'redeclare':
      return printElement(argument.element, level);
    case 'break': {
      const { target } = argument;
      return `break ${'kind' in target ? printEquation(target, level) : target.text}`;
    }
  }
}

const description = (text: StringComment | undefined): string =>
  text ? ` ${text.parts.map((part) => part.text).join(' + ')}` : '';

const printAnnotation = (annotation: Annotation, level: number): string =>
  `annotation ${classModification(annotation.modification, level)}`;

function comment(text: Comment, level: number): string {
  const { annotation } = text;
  return description(text.description) + (annotation ? ` ${printAnnotation(annotation, level)}` : '');
}

// ---------------------------------------------------------------- equations and statements

function printEquation(equation: Equation, level: number): string {
  const text = comment(equation.comment, level);
  const inner = (items: readonly Equation[]): string => lines(items, printEquation, level + 1);
  switch (equation.kind) {
    case 'equal':
      // An if-expression cannot begin an equation: it would be an if-equation.
      return `${printExpression(equation.left, level, true)} = ${printExpression(equation.right, level)}${text}`;
    case 'connect': {
      const { left, right } = equation;
      return `connect(${printReference(left, level)}, ${printReference(right, level)})${text}`;
    }
    case 'call':
      return printCall(equation.call, level) + text;
    case 'if':
    case 'when':
      return printBranches(equation, inner, level) + text;
    case 'for':
      return `${printFor(equation, inner, level)}${text}`;
  }
}

function printStatement(statement: Statement, level: number): string {
  const text = comment(statement.comment, level);
  const inner = (items: readonly Statement[]): string => lines(items, printStatement, level + 1);
  switch (statement.kind) {
    case 'assign':
      return `${printReference(statement.target, level)} := ${printExpression(statement.value, level)}${text}`;
    case 'multiassign': {
      const targets = statement.targets.map((one) => (one ? printReference(one, level + 1) : ''));
      return `${list('(', targets, ')', level)} := ${printCall(statement.call, level)}${text}`;
    }
    case 'call':
      return printCall(statement.call, level) + text;
    case 'if':
    case 'when':
      return printBranches(statement, inner, level) + text;
    case 'for':
      return printFor(statement, inner, level) + text;
    case 'while': {
      const head = `while ${printExpression(statement.condition, level)} loop`;
      return `${head}${inner(statement.body)}${newLine(level)}end while${text}`;
    }
    case 'break':
    case 'return':
      return statement.kind + text;
  }
}

interface Branching<Item> {
  readonly kind: 'if' | 'when';
  readonly branches: readonly Branch<Item>[];
  readonly otherwise?: readonly Item[] | undefined;
}

function printBranches<Item>(
  item: Branching<Item>,
  inner: (items: readonly Item[]) => string,
  level: number,
): string {
  const text = item.branches.map(({ condition, body }, i) => {
    const word = i === 0 ? item.kind : newLine(level) + (item.kind === 'if' ? 'elseif' : 'elsewhen');
    return `${word} ${printExpression(condition, level)} then${inner(body)}`;
  });
  if (item.otherwise) text.push(`${newLine(level)}else${inner(item.otherwise)}`);
  return `${text.join('')}${newLine(level)}end ${item.kind}`;
}

function printFor<Item>(
  item: { readonly iterators: readonly Iterator[]; readonly body: readonly Item[] },
  inner: (items: readonly Item[]) => string,
  level: number,
): string {
  return `${printIterators(item.iterators, level)} loop${inner(item.body)}${newLine(level)}end for`;
}
