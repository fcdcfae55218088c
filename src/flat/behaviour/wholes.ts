/**
 * Parts of built-in components that are code together (`builtin/whole.ts`): all parts of one kind in a model become one component, whose
 * inputs, outputs and parameters are theirs, and equations between their variables.
 */

import type { Factor, JoinedEquation, OwnVariable, Part, Whole } from '../../builtin/whole.ts';
import { grouped } from '../../collections/groups.ts';
import { error } from '../../diagnostic/diagnostic.ts';
import { withPath } from '../../names/names.ts';
import type { Expr } from '../../symbolic/expr.ts';
import { blank } from '../core/blank.ts';
import type { FlatBuilder } from '../core/context.ts';
import type { FlatComponent, FlatEquation, FlatPort } from '../flat.ts';

/** A part, as a component without code of its own. */
export interface FoundPart extends Omit<FlatComponent, 'builtIn' | 'equations'>, Part {
  readonly path: string;
  readonly origin: FlatComponent['origin'];
}

export function joinParts(
  builder: FlatBuilder,
  parts: readonly FoundPart[],
): { readonly components: FlatComponent[]; readonly equations: FlatEquation[] } {
  for (const { guard, path, origin } of parts) {
    if (guard.length === 0) continue;
    const message = `\`${path}\` exists only while a state is active, which a part of a mechanism cannot.`;
    const hint = 'Declare it outside of the state; the state may attach, lock and release it.';
    builder.diagnostics.push(error('unsupported', message, { span: origin.span, hint }));
  }
  const wholes = [...grouped(parts, ({ kind }) => kind.whole)].map(([whole, own]) =>
    new Joiner(builder, whole, own).joined(),
  );
  return {
    components: wholes.map(({ component }) => component),
    equations: wholes.flatMap(({ equations }) => equations),
  };
}

class Joiner {
  private readonly ports = new Map<string, FlatPort>();
  /** Variables that were added. */
  private readonly symbols = new Set<number>();

  constructor(
    private readonly builder: FlatBuilder,
    private readonly whole: Whole,
    private readonly parts: readonly FoundPart[],
  ) {
    for (const part of parts)
      for (const port of [...part.inputs, ...part.outputs]) {
        const name = withPath(part.path, port.name);
        this.ports.set(name, { ...port, name });
      }
  }

  joined(): { readonly component: FlatComponent; readonly equations: FlatEquation[] } {
    const { parts } = this;
    const { builtIn, variables, equations } = this.whole.join(parts);
    for (const variable of variables) this.declare(variable);
    const named = (names: readonly string[]) => names.map((name) => this.ports.get(name)!);
    const { origin } = parts[0]!;
    const joining = equations.map((equation) => this.equation(equation));
    const component: FlatComponent = {
      path: '',
      builtIn,
      starts: new Map(parts.flatMap((part) => prefixed(part, part.starts ?? new Map()))),
      inputs: named(builtIn.inputs ?? []),
      outputs: named(Object.keys(builtIn.outputs ?? {})),
      parameters: new Map(parts.flatMap((part) => prefixed(part, part.parameters))),
      equations: undefined,
      guard: [],
      origin,
      whole: {
        parts: parts.map(({ kind, known: _, handedFrom: __, ...part }) => ({
          ...part,
          builtIn: { ...builtIn, name: kind.name },
          equations: undefined,
        })),
        results: parts.flatMap(({ path, kind }) =>
          Object.entries(kind.results ?? {}).map(([name, options]) => ({
            name: withPath(path, name),
            options,
          })),
        ),
        symbols: this.symbols,
        equations: new Set(joining),
      },
    };
    return { component, equations: joining };
  }

  private declare({ name, dims }: OwnVariable): void {
    const { builder } = this;
    const symbol = builder.instances.length + builder.added.push({ ...blank, name, dims, copy: true }) - 1;
    this.symbols.add(symbol);
    this.ports.set(name, { name, value: builder.pool.ref(symbol), dims });
  }

  private equation({ part, terms }: JoinedEquation): FlatEquation {
    const { pool } = this.builder;
    const value = terms.reduce<Expr>((sum, { sign, factors }) => {
      const product = factors.map((factor) => this.factor(factor)).reduce((a, b) => pool.mul(a, b));
      return sign > 0 ? pool.add(sum, product) : pool.sub(sum, product);
    }, pool.zero);
    return {
      kind: 'equal',
      left: value,
      right: pool.zero,
      origin: { span: part.origin.span, component: part.path },
    };
  }

  private factor({ name, index = [], derivative = false }: Factor): Expr {
    const { pool } = this.builder;
    const value = this.ports.get(name)!.value as Extract<Expr, { kind: 'ref' }>;
    const subscripts = index.map((n) => pool.const(n));
    return pool.ref(value.symbol, derivative ? 1 : 0, subscripts);
  }
}

const prefixed = <Value>(part: FoundPart, map: ReadonlyMap<string, Value>): (readonly [string, Value])[] =>
  [...map].map(([name, value]) => [withPath(part.path, name), value]);
