/**
 * Selective extension (specification 3.6, section 7.4): `extends A(break c, break connect(a, b))` inherits all of `A` but the component `c`, with
 * all connections to it, and the connections that are written as `connect(a, b)` or `connect(b, a)`. It is a matter of the text alone:
 * what a component is modified by, or whether its condition holds, plays no part.
 */
import { type Diagnostic, error } from '../../diagnostic/diagnostic.ts';
import { suggestion } from '../../diagnostic/nearest.ts';
import type * as ast from '../../syntax/ast.ts';
import { printExpression } from '../../syntax/print.ts';
import type { ClassEntity } from './class.ts';
import { findClass } from './lookup.ts';
import type { Shape, ShapeComponent, ShapeSection } from './shape.ts';

type Section = ShapeSection['section'];

/** What one extends clause leaves out. */
export class LeftOut {
  private readonly components = new Map<string, ast.Ident>();
  private readonly connections = new Map<string, ast.ConnectEquation>();
  /** Components that were left out. */
  private readonly found = new Map<string, ShapeComponent>();
  /** Connections of the clause that were left out. */
  private readonly matched = new Set<ast.ConnectEquation>();

  private constructor(
    private readonly lexical: ClassEntity,
    private readonly clause: ast.ExtendsClause,
    breaks: readonly ast.InheritanceBreak[],
  ) {
    for (const { target } of breaks)
      if ('kind' in target) this.connections.set(connectionText(target), target);
      else this.components.set(target.text, target);
  }

  /** What a clause leaves out; undefined where that is nothing. */
  static of(lexical: ClassEntity, clause: ast.ExtendsClause): LeftOut | undefined {
    const breaks = (clause.modification?.arguments ?? []).filter((argument) => argument.kind === 'break');
    return breaks.length > 0 ? new LeftOut(lexical, clause, breaks) : undefined;
  }

  /** Whether a component is left out. */
  omits(component: ShapeComponent): boolean {
    if (!this.components.has(component.name)) return false;
    this.found.set(component.name, component);
    return true;
  }

  /** A section without the connections that are left out. */
  without(section: Section): Section {
    return section.kind === 'equations'
      ? { ...section, equations: section.equations.flatMap((one) => this.rest(one)) }
      : section;
  }

  private rest(equation: ast.Equation): ast.Equation[] {
    const inside = (body: readonly ast.Equation[]): ast.Equation[] => body.flatMap((one) => this.rest(one));
    switch (equation.kind) {
      case 'connect':
        return this.omitsConnection(equation) ? [] : [equation];
      case 'for':
        return [{ ...equation, body: inside(equation.body) }];
      case 'if': {
        const branches = equation.branches.map((branch) => ({ ...branch, body: inside(branch.body) }));
        return [{ ...equation, branches, otherwise: equation.otherwise && inside(equation.otherwise) }];
      }
      default:
        return [equation];
    }
  }

  private omitsConnection(equation: ast.ConnectEquation): boolean {
    if ([equation.left, equation.right].some(({ parts }) => this.components.has(parts[0]!.name))) return true;
    const written = this.connections.get(connectionText(equation));
    if (written) this.matched.add(written);
    return written !== undefined;
  }

  /** What is wrong with what was left out, after all was seen that the base class has. */
  *problems({ components, classes }: Shape): Iterable<Diagnostic> {
    for (const [name, node] of this.components) {
      const component = this.found.get(name);
      if (component) yield* this.componentProblems(component, node);
      else if (classes.has(name))
        yield this.problem(`\`${name}\` is a class: only components can be left out.`, node);
      else yield this.unmatched(`no component \`${name}\``, node, suggestion(name, [...components.keys()]));
    }
    for (const connection of this.connections.values())
      if (!this.matched.has(connection)) {
        const { left, right } = connection;
        const text = `connect(${printExpression(left)}, ${printExpression(right)})`;
        const hint = 'Write both arguments as they are written there, without components that are left out.';
        yield this.unmatched(`no \`${text}\``, connection, hint);
      }
  }

  /** What is left out is a component with equations or connections of its own, and cannot be modified as well. */
  private *componentProblems(component: ShapeComponent, node: ast.Ident): Iterable<Diagnostic> {
    const { name, lexical, clause } = component;
    const kind = findClass(lexical, clause.type)?.definition.restriction;
    if (kind && !/^(model|block|class)$|connector$/.test(kind)) {
      const message = `\`${name}\` cannot be left out: it is no model, block or connector.`;
      yield this.problem(message, node, 'Give it another value, or take its value away: `x = break`.');
    }
    for (const argument of this.clause.modification?.arguments ?? [])
      if (modifiedName(argument) === name)
        yield this.problem(
          `\`${name}\` is left out: it cannot be modified.`,
          argument,
          'Remove one of the two.',
        );
  }

  private unmatched(what: string, node: ast.Node, hint: string | undefined): Diagnostic {
    const base = this.clause.base.parts.map(({ text }) => text).join('.');
    return error('unknown-modifier', `\`${base}\` has ${what} that could be left out.`, {
      span: this.lexical.span(node),
      hint,
    });
  }

  private problem(message: string, node: ast.Node, hint?: string): Diagnostic {
    return error('not-allowed', message, { span: this.lexical.span(node), hint });
  }
}

function modifiedName(argument: ast.Argument): string | undefined {
  if (argument.kind === 'modify') return argument.name.parts[0]?.text;
  if (argument.kind === 'break') return undefined;
  const { element } = argument;
  return (element.kind === 'class' ? element : element.declarations[0])?.name.text;
}

/** Connections are the same in both directions, whatever blanks and comments are in them. */
const connectionText = ({ left, right }: ast.ConnectEquation): string =>
  [printExpression(left), printExpression(right)].sort().join(' ');
