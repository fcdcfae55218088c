/**
 * Expandable connectors (Modelica 3.6, section 9.1.3). A connect that names a member which an expandable connector does not have makes it present: as it is declared there, or else
 * like what it is connected with. Expandable connectors that are connected have the same members in the end. What is added belongs to the
 * instance tree, so that the model is translated again until nothing is missing.
 */
import { rootIn } from '../../collections/forest.ts';
import { append } from '../../collections/groups.ts';
import { remember } from '../../collections/memo.ts';
import type { Instance, ObjectInstance, VariableInstance } from '../../model/instance.ts';
import { isExpandable } from '../../model/types/connectors.ts';
import type * as ast from '../../syntax/ast.ts';
import { type Context, refuse } from '../core/context.ts';
import { isUnknown } from '../core/values.ts';
import { fixedValue, numbers } from '../expressions/constants.ts';
import { expression } from '../expressions/expressions.ts';
import { needsValue } from '../expressions/iteration.ts';
import { refName, select } from '../expressions/references.ts';
import { resolveElement } from './elements.ts';

/** A member that an expandable connector does not have. */
export interface Missing {
  readonly connector: ObjectInstance;
  readonly name: string;
  /** The largest of its subscripts in each dimension; none without subscripts. */
  readonly sizes: readonly number[];
  /** The reference ends with it. */
  readonly isLast: boolean;
  readonly node: ast.ComponentRef;
}

/** What a missing member is connected with. */
interface Partner {
  readonly like: Instance;
  readonly dims: readonly number[];
}

interface Wish extends Missing {
  readonly partner: Partner | undefined;
  readonly context: Context;
}

/** A connect of a member with a connector that is not in an expandable one. */
interface Use {
  readonly member: Instance;
  readonly connector: ObjectInstance;
  /** The other side can give a value. */
  readonly gives: boolean;
  /** The other side, where it always gives a value to the whole member. */
  readonly source: VariableInstance | undefined;
  readonly node: ast.Node;
  readonly context: Context;
}

/** The member that a reference names in an expandable connector that does not have it. */
export function missingIn(node: ast.ComponentRef, context: Context): Missing | undefined {
  const kind = resolveElement(node, context)?.kind;
  if (kind !== 'absent' && kind !== 'unknown') return undefined;
  for (let k = node.parts.length - 1; k > 0; k--) {
    const prefix = { ...node, parts: node.parts.slice(0, k) };
    const resolution = resolveElement(prefix, context);
    if (resolution?.kind !== 'component') continue;
    const items = select(prefix, resolution, context)?.items;
    const connector = items?.length === 1 ? items[0] : undefined;
    if (!isExpandable(connector)) return undefined;
    const { name, subscripts } = node.parts[k]!;
    const sizes = subscripts.map((subscript) => largest(subscript, context));
    const isLast = k === node.parts.length - 1;
    return sizes.includes(undefined)
      ? undefined
      : { connector, name, sizes: sizes as number[], isLast, node };
  }
  return undefined;
}

function largest(subscript: ast.Subscript, context: Context): number | undefined {
  if (subscript.kind === 'colon') return undefined;
  const value = expression(subscript, context);
  if (isUnknown(value) || value.kind !== 'simple' || needsValue(value.expr, context)) return undefined;
  const data = fixedValue(context.builder, value.expr);
  return data && Math.max(0, ...numbers(data));
}

export class Expansion {
  private readonly wishes: Wish[] = [];
  private readonly unions: (readonly [ObjectInstance, ObjectInstance])[] = [];
  private readonly uses: Use[] = [];

  mark(): readonly [number, number, number] {
    return [this.wishes.length, this.unions.length, this.uses.length];
  }

  rewind([wishes, unions, uses]: readonly [number, number, number]): void {
    this.wishes.length = wishes;
    this.unions.length = unions;
    this.uses.length = uses;
  }

  wish(missing: Missing, partner: Partner | undefined, context: Context): void {
    this.wishes.push({ ...missing, partner, context });
  }

  join(a: ObjectInstance, b: ObjectInstance): void {
    this.unions.push([a, b]);
  }

  use(use: Use): void {
    this.uses.push(use);
  }

  /** Adds what is missing; true if there was something to add. Where nothing can be, what remains is reported. */
  apply(): boolean {
    if (this.wishes.length + this.unions.length + this.uses.length === 0) return false;
    const sets = this.sets();
    let isNew = false;
    for (const set of sets) {
      const wishes = this.wishes.filter(({ connector }) => set.includes(connector));
      const names = new Set([
        ...set.flatMap((one) => [...one.members.keys()]),
        ...wishes.map(({ name }) => name),
      ]);
      for (const name of names) {
        const own = wishes.filter((wish) => wish.name === name);
        if (this.complete(set, name, own)) isNew = true;
      }
    }
    if (isNew) return true;
    for (const wish of this.wishes) this.reportUndeclared(wish);
    this.checkSources(sets);
    return false;
  }

  /** Gives a member to all connectors of a set that lack it. */
  private complete(set: readonly ObjectInstance[], name: string, wishes: readonly Wish[]): boolean {
    const lacking = set.filter((one) => !one.members.has(name));
    if (lacking.length === 0) return false;
    const present = set.flatMap((one) => one.members.get(name) ?? [])[0];
    const declared = set.flatMap((one) => one.potential.get(name) ?? [])[0];
    const connected = wishes.find(({ partner, isLast }) => partner && isLast)?.partner;
    const like = present ?? connected?.like ?? declared;
    if (!like) return false;
    const sizes = wishes.reduce<readonly number[]>((all, { sizes: own }) => {
      if (all.length > 0 && own.length !== all.length) return all;
      return own.map((n, d) => Math.max(n, all[d] ?? 0));
    }, []);
    const dims = present ? present.dims : sizes.length > 0 ? sizes : (connected?.dims ?? like.dims);
    for (const connector of lacking) connector.augment(name, like, dims);
    return true;
  }

  /** Connectors that are connected with each other, and so have the same members. */
  private sets(): ObjectInstance[][] {
    const numbersOf = new Map<ObjectInstance, number>();
    const parent: number[] = [];
    const number = (one: ObjectInstance): number =>
      remember(numbersOf, one, () => parent.push(parent.length) - 1);
    for (const { connector } of [...this.wishes, ...this.uses]) number(connector);
    for (const [a, b] of this.unions) {
      const [ra, rb] = [rootIn(parent, number(a)), rootIn(parent, number(b))];
      parent[Math.max(ra, rb)] = Math.min(ra, rb);
    }
    const sets = new Map<number, ObjectInstance[]>();
    for (const [one, n] of numbersOf) append(sets, rootIn(parent, n), one);
    return [...sets.values()];
  }

  private reportUndeclared({ connector, name, node, context }: Wish): void {
    const message = `\`${refName(node)}\` is connected with nothing that says what \`${name}\` of \`${connector.path}\` is.`;
    refuse('unknown-name', message, node, context, {
      hint: `Connect it with a declared connector, or declare \`${name}\` in \`${connector.class.path}\`.`,
    });
  }

  /** Something must give a value to each signal of a bus, and only one thing. */
  private checkSources(sets: readonly (readonly ObjectInstance[])[]): void {
    for (const set of sets) {
      const uses = new Map<string, Use[]>();
      for (const use of this.uses) if (set.includes(use.connector)) append(uses, use.member.name, use);
      for (const [name, own] of uses) {
        const { node, context, connector } = own[0]!;
        const signal = `\`${connector.path}.${name}\``;
        if (!own.some(({ gives }) => gives)) {
          const message = `Nothing gives a value to ${signal}: only inputs are connected with it.`;
          refuse('connector-mismatch', message, node, context, { hint: 'Connect it with an output, too.' });
        }
        this.checkTwoSources(signal, own);
      }
    }
  }

  /** Connects of the elements of an array with those of a member are one. */
  private checkTwoSources(signal: string, uses: readonly Use[]): void {
    const first = uses.find(({ source }) => source);
    const isOther = (use: Use): boolean => use.node !== first!.node || use.connector !== first!.connector;
    const second = first && uses.find((use) => use.source && isOther(use));
    if (!second) return;
    const [a, b] = [first.source!, second.source!];
    const named = (one: VariableInstance): string => `the ${one.causality} \`${one.path}\``;
    const message = `Two sources are connected: ${named(a)} and ${named(b)} both give a value.`;
    refuse('connector-mismatch', message, second.node, second.context, {
      hint: `Let one of them have another name than ${signal} on the bus.`,
      notes: [a, b].map(({ path, span }) => ({ message: `\`${path}\` is declared here`, span })),
    });
  }
}
