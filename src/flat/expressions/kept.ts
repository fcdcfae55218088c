/**
 * Final members, and constants, of records whose value is given as a whole (`R r = s`). A final element cannot be modified (Modelica 3.6, section 7.2.6), so that such a member keeps its own value, as it does in
 * the constructor of the record (12.6). Mostly the value gives it the same: it is of a record with the same declaration. Where that is not seen from the expressions, it is
 * asserted when the model runs, and a warning says that something was given and not used.
 */
import { warning } from '../../diagnostic/diagnostic.ts';
import type { Instance, ObjectInstance, VariableInstance } from '../../model/instance.ts';
import { subscriptsOf } from '../../names/names.ts';
import { substitute } from '../../symbolic/analyse.ts';
import type { Expr, Ref } from '../../symbolic/expr.ts';
import type { FlatBuilder } from '../core/context.ts';
import { count, type Simple } from '../core/values.ts';
import type { FlatAssert } from '../flat.ts';
import { bindingOf, givenMember, recordWithBinding } from './bindings.ts';

/** Values that differ by less, relative to their sizes, are the same but for rounding. */
const sameShare = 1e-9;
/** Elements of an array that are compared one by one. */
const mostElements = 1000;

/** Finds the members that keep their values, and what is to be asserted of each. */
export class KeptMembers {
  private readonly followed = new Map<Expr, Expr>();
  private readonly literal = new Map<Expr, Expr>();

  constructor(private readonly builder: FlatBuilder) {}

  /** Assertions that what is given for a member is what it keeps. */
  assertions(instance: VariableInstance): FlatAssert[] {
    // Constants that are texts say what a record is, as types of cells in batteries of the Modelica Standard Library do.
    if (instance.variability === 'constant' && instance.type === 'String') return [];
    const record = shadowedBy(instance);
    const own = record && bindingOf(this.builder, instance);
    const given = own && givenMember(this.builder, record, instance);
    if (!given) return [];
    const [a, b] = [own.expr, given.expr].map((expr) => this.resolved(expr, false)) as [Expr, Expr];
    if (a === b) return [];
    const [first, second] = [a, b].map((expr) => this.resolved(expr, true)) as [Expr, Expr];
    const { path } = instance;
    const isConstant = instance.variability === 'constant';
    const what = isConstant ? 'a constant' : 'final';
    const message = `\`${path}\` is ${what} and keeps its value`;
    const { span } = record.binding!;
    if (isKnown(first) && isKnown(second)) {
      if (first.value === second.value || isNear(first.value, second.value)) {
        if (first === a && second === b) return [];
      } else {
        const notes = [{ message: 'It gets its value here.', span: instance.binding?.span ?? instance.span }];
        const otherwise = isConstant ? 'make it a parameter' : 'remove the prefix `final`';
        const hint = `Give \`${record.path}\` a value with the same \`${path.slice(record.path.length + 1)}\`, or ${otherwise}.`;
        const text = `${message} ${shown(first)}: the value of \`${record.path}\` has ${shown(second)} for it, which is not used.`;
        this.builder.diagnostics.push(warning('bad-binding', text, { span, hint, notes }));
        return [];
      }
    }
    const text = `${message}: the value of \`${record.path}\` has another one for it, which is not used.`;
    const origin = { span, component: instance.parent?.path ?? '' };
    return this.conditions(own, given).map((condition) => ({
      kind: 'assert',
      condition,
      message: this.builder.pool.text(text),
      level: 'warning',
      origin,
    }));
  }

  private conditions(own: Simple, given: Simple): Expr[] {
    const { pool } = this.builder;
    const total = count(own.dims);
    if (own.type === 'String' || total > mostElements) return [];
    const element = (expr: Expr, k: number): Expr =>
      own.dims.length === 0
        ? expr
        : pool.apply('subscript', expr, ...subscriptsOf(own.dims, k).map((n) => pool.const(n)));
    return Array.from({ length: total }, (_, k) => {
      const [a, b] = [element(own.expr, k), element(given.expr, k)];
      if (own.type !== 'Real') return pool.apply('eq', a, b);
      const size = pool.add(pool.apply('abs', a), pool.apply('abs', b));
      const off = pool.apply('abs', pool.sub(a, b));
      return pool.apply('le', off, pool.mul(pool.const(sameShare), size));
    });
  }

  /** An expression with the declaration equations of variables in their places, those that are numbers too where they are `literal`. */
  private resolved(expr: Expr, literal: boolean): Expr {
    const { builder } = this;
    const memo = literal ? this.literal : this.followed;
    const open = new Set<number>();
    const follow = (node: Ref): Expr | undefined => {
      const instance = node.order === 0 ? builder.instances[node.symbol] : undefined;
      if (!instance || open.has(node.symbol) || !this.isWhole(instance, node)) return undefined;
      const binding = builder.bindings.get(instance) === 'busy' ? undefined : bindingOf(builder, instance);
      if (!binding || (isKnown(binding.expr) && !literal && canBeSet(instance))) return undefined;
      open.add(node.symbol);
      const value = run(binding.expr);
      open.delete(node.symbol);
      return value;
    };
    const run = (one: Expr): Expr =>
      substitute(builder.pool, one, (node) => (node.kind === 'ref' ? follow(node) : undefined), memo);
    return run(expr);
  }

  /** Whether a reference names the whole variable, or that of the element of a uniform array at hand. */
  private isWhole(instance: VariableInstance, { subscripts }: Ref): boolean {
    const iterators = this.builder.families.around(instance).flatMap((family) => family.iterators);
    return (
      subscripts.length === iterators.length &&
      subscripts.every((at, d) => at.kind === 'iter' && at.iterator === iterators[d])
    );
  }
}

/** The record whose value as a whole has a part for a variable that keeps its own; undefined where there is none. */
function shadowedBy(instance: VariableInstance): ObjectInstance | undefined {
  if (instance.binding) return instance.binding.outside ? undefined : recordWithBinding(instance);
  const nearest = recordWithBinding(instance);
  for (let at: Instance | undefined = nearest?.parent; at?.kind === 'object'; at = at.parent) {
    if (!/(record|connector)$/.test(at.restriction)) return undefined;
    if (at.binding) return at;
  }
  return undefined;
}

/** Whether a run may give it another value. */
function canBeSet(instance: VariableInstance): boolean {
  if (instance.variability !== 'parameter' || instance.protected) return false;
  for (let at: Instance | undefined = instance; at; at = at.parent) if (at.final) return false;
  return true;
}

type Known = Extract<Expr, { kind: 'const' | 'text' }>;

const isKnown = (expr: Expr): expr is Known => expr.kind === 'const' || expr.kind === 'text';

const isNear = (a: number | string, b: number | string): boolean =>
  typeof a === 'number' &&
  typeof b === 'number' &&
  Math.abs(a - b) <= sameShare * (Math.abs(a) + Math.abs(b));

const shown = ({ value }: Known): string => (typeof value === 'number' ? String(value) : `"${value}"`);
