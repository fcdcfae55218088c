/**
 * Operators that look into the past, as text: a model has a component in the place of each (`flat/expressions/delays.ts`), with
 * variables of its own for what it reads. In the text there is the equation `y = delay(u, T)` or `(z0, z1) = spatialDistribution(…)` instead.
 */
import type { Expr } from '../../symbolic/expr.ts';
import { exprText, type NameTable } from '../core/text.ts';
import type { FlatComponent, FlatEquation, FlatModel } from '../flat.ts';

/** A model in which operators are equations with words of their own. */
export interface Spoken {
  readonly model: FlatModel;
  readonly sentence: (equation: FlatEquation, names: NameTable) => string | undefined;
  /** Symbols of what these equations determine. */
  readonly outputs: ReadonlySet<number>;
}

/** What an operator is called, and its arguments by the names of what the component reads. */
const operators: Readonly<Record<string, readonly [name: string, ...reads: string[]]>> = {
  delay: ['delay', 'u', 'T', 'Tmax'],
  spatialDistribution: [
    'spatialDistribution',
    'in0',
    'in1',
    'x',
    'positive',
    'initialPoints',
    'initialValues',
  ],
};

export function withOperators(model: FlatModel): Spoken {
  const own = model.components.filter((component) => operatorOf(component) !== undefined);
  const spoken = new Map<FlatEquation, FlatComponent>();
  const sentence: Spoken['sentence'] = (equation, names) => {
    const component = spoken.get(equation);
    return component && callText(component, given, model, names);
  };
  const outputs = new Set(own.flatMap((component) => component.outputs.map(({ value }) => symbolOf(value))));
  const given = new Map<number, Expr>();
  if (own.length === 0) return { model, sentence, outputs };
  const read = new Map(
    own.flatMap((component) => component.inputs.map(({ value }) => [symbolOf(value), component])),
  );
  const rewritten = new Map<FlatEquation, readonly FlatEquation[]>();
  /** Equations of what is read go into the words; the first of each component gives its place to the call. */
  const rewrite = (equation: FlatEquation): readonly FlatEquation[] => {
    const known = rewritten.get(equation);
    if (known) return known;
    const made = ((): readonly FlatEquation[] => {
      if (equation.kind === 'if') {
        const branches = equation.branches.map((branch) => ({
          ...branch,
          body: branch.body.flatMap(rewrite),
        }));
        return branches.some(({ body }) => body.length > 0) ? [{ ...equation, branches }] : [];
      }
      const component =
        equation.kind === 'equal' && equation.left.kind === 'ref'
          ? read.get(equation.left.symbol)
          : undefined;
      if (!component || equation.kind !== 'equal') return [equation];
      const symbol = symbolOf(equation.left);
      given.set(symbol, equation.right);
      if (symbol !== symbolOf(component.inputs[0]!.value)) return [];
      const { value } = component.outputs[0]!;
      const place: FlatEquation = { kind: 'equal', left: value, right: value, origin: equation.origin };
      spoken.set(place, component);
      return [place];
    })();
    rewritten.set(equation, made);
    return made;
  };
  const { unclocked } = model;
  const silent = new Set([...read.keys(), ...own.flatMap(({ parameters }) => [...parameters.values()])]);
  return {
    model: {
      ...model,
      components: model.components.filter((component) => !own.includes(component)),
      equations: model.equations.flatMap(rewrite),
      variables: model.variables.map((variable, symbol) =>
        silent.has(symbol) ? { ...variable, engine: true } : variable,
      ),
      ...(unclocked && { unclocked: { ...unclocked, equations: unclocked.equations.flatMap(rewrite) } }),
    },
    sentence,
    outputs,
  };
}

const operatorOf = ({ builtIn, path }: FlatComponent): (typeof operators)[string] | undefined =>
  path.includes("'") ? operators[builtIn.name] : undefined;

const symbolOf = (expr: Expr): number => (expr.kind === 'ref' ? expr.symbol : -1);

function callText(
  component: FlatComponent,
  given: ReadonlyMap<number, Expr>,
  model: FlatModel,
  names: NameTable,
): string {
  const [name, ...reads] = operatorOf(component)!;
  const argumentOf = (own: string): Expr => {
    const port = component.inputs.find((input) => input.name === own);
    return port
      ? given.get(symbolOf(port.value))!
      : model.variables[component.parameters.get(own)!]!.binding!;
  };
  // Without a longest delay that of the call is the longest.
  const isRepeated = name === 'delay' && argumentOf('T') === argumentOf('Tmax');
  const args = (isRepeated ? reads.slice(0, 2) : reads).map((own) => {
    return exprText(argumentOf(own), names, own === 'positive' ? 'Boolean' : 'Real');
  });
  const outputs = component.outputs.map(({ value }) => exprText(value, names));
  const left = outputs.length === 1 ? outputs[0]! : `(${outputs.join(', ')})`;
  return `${left} = ${name}(${args.join(', ')})`;
}
