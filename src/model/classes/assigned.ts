/**
 * Which variables of a function have values where they are used (specification 3.6, section 12.4.4). Statements are followed in their order, with the
 * variables that some way to them assigns: a use that no way assigns before is a mistake. An output that some way to the end leaves out is known as
 * such. What a loop assigns counts as assigned wherever in the loop it is used, since another turn may have done it. Scalars alone are looked at: an array
 * may be assigned in parts, or be empty.
 */
import { remember } from '../../collections/memo.ts';
import type * as ast from '../../syntax/ast.ts';
import { everyNode, nodesIn } from '../../syntax/walk.ts';
import type { ClassEntity } from './class.ts';
import { findClass } from './lookup.ts';
import { type Shape, type ShapeComponent, shapeOf } from './shape.ts';

export interface Assignments {
  /** The first use of a variable that nothing has given a value before. */
  readonly early:
    | { readonly name: string; readonly node: ast.Node; readonly lexical: ClassEntity }
    | undefined;
  /** Outputs that may be without a value at the end. */
  readonly uncertain: readonly string[];
}

export function assignmentsIn(shape: Shape): Assignments {
  return remember(known, shape, () => new Flow(shape).result());
}

const known = new WeakMap<Shape, Assignments>();

/** The names of variables to which a statement assigns. */
export function targetsOf(node: ast.Statement): string[] {
  if (node.kind === 'assign') return [node.target.parts[0]!.name];
  if (node.kind !== 'multiassign') return [];
  return node.targets.flatMap((target) => (target ? [target.parts[0]!.name] : []));
}

/** What is assigned on some way to a statement, and on all of them; nothing where no way leads to it. */
interface State {
  readonly some: ReadonlySet<string>;
  readonly all: ReadonlySet<string>;
}

class Flow {
  private early: Assignments['early'];
  private readonly watched: ReadonlySet<string>;
  private readonly ends: State[] = [];
  /** Ways out of the loops around a statement, innermost last. */
  private readonly breaks: State[][] = [];

  constructor(private readonly shape: Shape) {
    const components = [...shape.components.values()].filter((component) => isBare(component));
    const iterators = new Set<string>();
    for (const { section } of shape.sections)
      for (const node of section.kind === 'algorithm' ? everyNode(section.statements) : [])
        if (node.kind === 'for' || node.kind === 'call')
          for (const { name } of (node as ast.ForStatement | ast.Call).iterators ?? [])
            iterators.add(name.text);
    this.watched = new Set(components.map(({ name }) => name).filter((name) => !iterators.has(name)));
  }

  result(): Assignments {
    const { sections, components, external, derived } = this.shape;
    if (external || derived || this.watched.size === 0) return { early: undefined, uncertain: [] };
    let state: State | undefined = { some: new Set(), all: new Set() };
    for (const { section, lexical } of sections)
      if (section.kind === 'algorithm') state = this.follow(section.statements, state, lexical);
    const end = joined([...this.ends, ...(state ? [state] : [])]);
    const outputs = [...components.values()].filter(({ clause }) => clause.causality === 'output');
    const uncertain = outputs
      .map(({ name }) => name)
      .filter((name) => this.watched.has(name) && end && !end.all.has(name));
    return { early: this.early, uncertain };
  }

  private follow(
    body: readonly ast.Statement[],
    before: State | undefined,
    lexical: ClassEntity,
  ): State | undefined {
    let state = before;
    for (const node of body) {
      if (!state) return undefined;
      state = this.after(node, state, lexical);
    }
    return state;
  }

  private after(node: ast.Statement, state: State, lexical: ClassEntity): State | undefined {
    switch (node.kind) {
      case 'assign':
        this.use([node.value, node.target.parts.map(({ subscripts }) => subscripts)], state, lexical);
        return this.assign(node, state);
      case 'multiassign':
        this.use([node.call, node.targets.map((t) => t?.parts.map((p) => p.subscripts))], state, lexical);
        return this.assign(node, state);
      case 'call':
        this.use(node.call, state, lexical);
        return isFailure(node.call) ? undefined : state;
      case 'if':
      case 'when': {
        const ways: (State | undefined)[] = [];
        for (const { condition, body } of node.branches) {
          this.use(condition, state, lexical);
          ways.push(this.follow(body, state, lexical));
        }
        const otherwise = node.kind === 'if' ? node.otherwise : undefined;
        ways.push(otherwise ? this.follow(otherwise, state, lexical) : state);
        return joined(ways.filter((way) => way !== undefined));
      }
      case 'for':
        this.use(node.iterators, state, lexical);
        return this.loop(node.body, state, lexical, false);
      case 'while':
        this.use(node.condition, state, lexical);
        return this.loop(node.body, state, lexical, node.condition.kind === 'boolean');
      case 'break':
        this.breaks.at(-1)?.push(state);
        return undefined;
      case 'return':
        this.ends.push(state);
        return undefined;
    }
  }

  private loop(
    body: readonly ast.Statement[],
    state: State,
    lexical: ClassEntity,
    endless: boolean,
  ): State | undefined {
    const inside = new Set(state.some);
    for (const node of nodesIn(body)) for (const name of targetsOf(node)) inside.add(name);
    const ways: State[] = [];
    this.breaks.push(ways);
    const last = this.follow(body, { some: inside, all: state.all }, lexical);
    this.breaks.pop();
    if (endless) return joined(ways);
    return joined([...ways, ...(last ? [last] : []), { some: inside, all: state.all }]);
  }

  private assign(node: ast.Statement, { some, all }: State): State {
    const names = targetsOf(node);
    return { some: new Set([...some, ...names]), all: new Set([...all, ...names]) };
  }

  private use(root: unknown, { some }: State, lexical: ClassEntity): void {
    if (this.early) return;
    for (const node of everyNode(root)) {
      if (node.kind !== 'ref' || node.global) continue;
      const { name } = node.parts[0]!;
      if (this.watched.has(name) && !some.has(name)) this.early = { name, node, lexical };
    }
  }
}

function joined(ways: readonly State[]): State | undefined {
  const [first, ...rest] = ways;
  if (!first || rest.length === 0) return first;
  const some = new Set(ways.flatMap((way) => [...way.some]));
  const all = new Set([...first.all].filter((name) => rest.every((way) => way.all.has(name))));
  return { some, all };
}

/** `assert(false, …)` never goes on. */
function isFailure({ callee, positional }: ast.Call): boolean {
  const [test] = positional;
  return callee.parts[0]!.name === 'assert' && test?.kind === 'boolean' && !test.value;
}

/** A scalar of a predefined type that its declaration gives no value. */
function isBare({ declaration, modifier, clause, lexical }: ShapeComponent): boolean {
  if (clause.causality === 'input' || declaration.modification?.value || modifier?.value) return false;
  if (declaration.subscripts.length + clause.subscripts.length > 0) return false;
  const type = findClass(lexical, clause.type);
  const { predefined, subscripts } = type ? shapeOf(type) : {};
  return predefined !== undefined && subscripts?.length === 0;
}
