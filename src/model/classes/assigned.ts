/**
 * Uses of variables of a function that nothing has given a value before (specification 3.6, section 12.4.4). Statements are followed in their order, with the
 * variables that some way to them assigns: a use that no way assigns before is a mistake. What a loop assigns counts as assigned wherever in the loop it is used,
 * since another turn may have done it. Scalars alone are looked at: an array may be assigned in parts, or be empty.
 */
import { remember } from '../../collections/memo.ts';
import type * as ast from '../../syntax/ast.ts';
import { everyNode, nodesIn } from '../../syntax/walk.ts';
import type { ClassEntity } from './class.ts';
import { findClass } from './lookup.ts';
import { type Shape, type ShapeComponent, shapeOf } from './shape.ts';

export interface EarlyUse {
  readonly name: string;
  readonly node: ast.Node;
  readonly lexical: ClassEntity;
}

/** The first of them. */
export function earlyUse(shape: Shape): EarlyUse | undefined {
  return remember(known, shape, () => ({ early: new Flow(shape).result() })).early;
}

const known = new WeakMap<Shape, { readonly early: EarlyUse | undefined }>();

/** The names of variables to which a statement assigns. */
export function targetsOf(node: ast.Statement): string[] {
  if (node.kind === 'assign') return [node.target.parts[0]!.name];
  if (node.kind !== 'multiassign') return [];
  return node.targets.flatMap((target) => (target ? [target.parts[0]!.name] : []));
}

/** What is assigned on some way to a statement; nothing where no way leads to it. */
type State = ReadonlySet<string>;

class Flow {
  private early: EarlyUse | undefined;
  private readonly watched: ReadonlySet<string>;
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

  result(): EarlyUse | undefined {
    const { sections, external, derived } = this.shape;
    if (external || derived || this.watched.size === 0) return undefined;
    let state: State | undefined = new Set();
    for (const { section, lexical } of sections)
      if (section.kind === 'algorithm') state = this.follow(section.statements, state, lexical);
    return this.early;
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
        return undefined;
    }
  }

  private loop(
    body: readonly ast.Statement[],
    state: State,
    lexical: ClassEntity,
    endless: boolean,
  ): State | undefined {
    const inside = new Set(state);
    for (const node of nodesIn(body)) for (const name of targetsOf(node)) inside.add(name);
    const ways: State[] = [];
    this.breaks.push(ways);
    this.follow(body, inside, lexical);
    this.breaks.pop();
    return endless ? joined(ways) : inside;
  }

  private assign(node: ast.Statement, state: State): State {
    const names = targetsOf(node);
    return names.every((name) => state.has(name)) ? state : new Set([...state, ...names]);
  }

  private use(root: unknown, state: State, lexical: ClassEntity): void {
    if (this.early) return;
    for (const node of everyNode(root)) {
      if (node.kind !== 'ref' || node.global) continue;
      const { name } = node.parts[0]!;
      if (this.watched.has(name) && !state.has(name)) this.early = { name, node, lexical };
    }
  }
}

function joined(ways: readonly State[]): State | undefined {
  return ways.length === 0 ? undefined : new Set(ways.flatMap((way) => [...way]));
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
