/** What a flat text says where equations speak of states, of clocks, and of values on clocks. */
import type { Expr } from '../../symbolic/expr.ts';
import { exprText, type NameTable } from '../core/text.ts';
import type {
  ClockSource,
  Conversion,
  FlatEquation,
  FlatMachine,
  FlatModel,
  FlatTransition,
  SolverMethod,
} from '../flat.ts';
import type { WrittenNames } from './names.ts';
import type { Nest, Nests } from './nested.ts';

export class OperatorWords {
  private readonly entered = new Set<number>();
  private readonly ticks = new Set<number>();
  private readonly clocked = new Set<number>();
  private readonly conversions = new Map<number, Conversion>();
  private readonly sources = new Map<number, ClockSource>();
  private readonly methods: ReadonlyMap<number, SolverMethod>;
  /** Clocks that were written by their constructors; those that one equation `c = Clock(…)` speaks of; those that get a name in the text. */
  private readonly constructed: ReadonlySet<number>;
  private readonly named = new Set<number>();
  private readonly shared = new Set<number>();
  /** What the variables that stand for arguments of conversions are equal to. */
  private readonly arguments = new Map<number, Expr>();
  private readonly clockOf: ReadonlyMap<FlatEquation, number>;

  constructor(
    model: FlatModel,
    machines: readonly FlatMachine[],
    private readonly names: WrittenNames,
    private readonly nests: Nests,
  ) {
    for (const { states } of machines) for (const { entered } of states) this.entered.add(entered);
    const { notes, ticks } = model.unclocked ?? {};
    for (const symbol of ticks?.values() ?? []) this.ticks.add(symbol);
    for (const equation of model.equations)
      if (equation.kind === 'clocked') for (const symbol of equation.variables) this.clocked.add(symbol);
    for (const conversion of notes?.conversions ?? []) this.conversions.set(conversion.result, conversion);
    for (const { symbol, source } of notes?.sources ?? []) this.sources.set(symbol, source);
    for (const equation of notes?.equations ?? [])
      if (equation.kind === 'equal' && equation.left.kind === 'ref')
        this.arguments.set(equation.left.symbol, equation.right);
    this.constructed = notes?.symbols ?? new Set();
    this.methods = notes?.methods ?? new Map();
    for (const equation of model.unclocked?.equations ?? [])
      if (equation.kind === 'equal' && equation.right.kind === 'ref') this.named.add(equation.right.symbol);
    this.clockOf = notes?.clockOf ?? new Map();
  }

  /** Names for text that stands in a class. */
  in(nest: Nest): NameTable {
    const names: NameTable = {
      ...this.names,
      variable: (symbol) => this.said(symbol, nest, names) ?? this.nests.variable(symbol, nest),
      element: (symbol, subscripts) => {
        const said = this.said(symbol, nest, names);
        return `${said === undefined ? this.nests.variable(symbol, nest) : `(${said})`}[${subscripts.join(', ')}]`;
      },
      phrase: (expr) => this.phrase(expr, names),
      clockOf: (equation) => {
        const clock = this.clockOf.get(equation);
        return clock === undefined ? undefined : names.variable(clock);
      },
    };
    return names;
  }

  isClocked(symbol: number): boolean {
    return this.clocked.has(symbol);
  }

  /** What is said instead of the name of a variable that nobody declared. */
  private said(symbol: number, nest: Nest, names: NameTable): string | undefined {
    if (this.entered.has(symbol)) return '(time - timeInState())';
    if (this.ticks.has(symbol)) return 'ticksInState()';
    const state = this.nests.stateOf(symbol);
    if (state) return `activeState(${this.nests.object(state, nest)})`;
    const conversion = this.conversions.get(symbol);
    if (conversion) return this.call(conversion, names);
    const value = this.arguments.get(symbol);
    if (value) return exprText(value, names);
    if (!this.constructed.has(symbol)) return undefined;
    const source = this.sources.get(symbol);
    if (source?.kind === 'rational' || this.named.has(symbol)) return sourceText(source, names);
    if (!this.shared.has(symbol)) this.nests.share(symbol);
    this.shared.add(symbol);
    return undefined;
  }

  private phrase(expr: Expr, names: NameTable): string | undefined {
    if (expr.kind === 'pre' && this.clocked.has(expr.symbol)) {
      const { symbol, subscripts } = expr;
      const texts = subscripts.map((subscript) => exprText(subscript, names, 'Integer'));
      return `previous(${texts.length > 0 ? names.element!(symbol, texts) : names.variable(symbol)})`;
    }
    if (expr.kind !== 'apply' || expr.op !== 'sub') return undefined;
    const [left, right] = expr.args;
    const isTime = left?.kind === 'time' && right?.kind === 'ref' && this.entered.has(right.symbol);
    return isTime ? 'timeInState()' : undefined;
  }

  private call({ relation, argument, clock, result }: Conversion, names: NameTable): string {
    const method = this.methods.get(result);
    if (method) return `Clock(${exprText(argument!, names)}, solverMethod = "${method}")`;
    const parts = [
      ...(argument ? [exprText(argument, names)] : []),
      ...(clock === undefined ? [] : [names.variable(clock)]),
    ];
    switch (relation.kind) {
      case 'subSample':
      case 'superSample': {
        const { factor } = relation;
        if (factor) parts.push(String(relation.kind === 'subSample' ? factor.numerator : factor.denominator));
        break;
      }
      case 'shiftSample':
      case 'backSample': {
        const { numerator, denominator } = relation.shift;
        parts.push(String(numerator < 0 ? -numerator : numerator), String(denominator));
        break;
      }
      default:
    }
    return `${relation.kind}(${parts.join(', ')})`;
  }

  // ---------------------------------------------------------------- clocks

  /**
   * The declarations of clocks that the text has spoken of so far. Two clocks of equal words would be two clocks, so each gets a variable; only those of
   * whole numbers are the same wherever they stand.
   */
  clockLines(names: NameTable): { readonly name: string; readonly text: string }[] {
    const lines: { name: string; text: string }[] = [];
    // The words of a clock may speak of another one.
    for (const symbol of this.shared) {
      const name = names.variable(symbol);
      lines.push({ name, text: `Clock ${name} = ${sourceText(this.sources.get(symbol), names)}` });
    }
    return lines;
  }
}

/** A clock by its constructor. */
function sourceText(source: ClockSource | undefined, names: NameTable): string {
  switch (source?.kind) {
    case undefined:
      return 'Clock()';
    case 'rational':
      return `Clock(${source.period.numerator}, ${source.period.denominator})`;
    case 'real':
    case 'varying':
      return `Clock(interval = ${exprText(source.interval, names, 'Real')})`;
    case 'event': {
      const { condition, startInterval } = source;
      const first = startInterval.kind === 'const' && startInterval.value === 0;
      const rest = first ? '' : `, ${exprText(startInterval, names, 'Real')}`;
      return `Clock(${exprText(condition, names, 'Boolean')}${rest})`;
    }
  }
}

/** The lines of a machine in a class. */
export function machineLines(machine: FlatMachine, nests: Nests, nest: Nest, names: NameTable): string[] {
  const state = (k: number): string => nests.object(nests.stateOf(machine.states[k]!.active)!, nest);
  return [
    `  initialState(${state(machine.initial)});`,
    ...machine.transitions.map(
      (transition) =>
        `  transition(${[state(transition.from), state(transition.to), ...optionsOf(transition, names)].join(', ')});`,
    ),
  ];
}

function optionsOf(transition: FlatTransition, names: NameTable): string[] {
  const { condition, immediate, reset, synchronize, priority, actions } = transition;
  const set = actions.map(
    ({ target, value }) =>
      `reinit(${exprText(target, names)}, ${exprText(value, names, names.typing!.type(target))})`,
  );
  return [
    exprText(condition, names, 'Boolean'),
    ...(immediate ? [] : ['immediate = false']),
    ...(reset ? [] : ['reset = false']),
    ...(synchronize ? ['synchronize = true'] : []),
    ...(priority === 1 ? [] : [`priority = ${priority}`]),
    ...(set.length > 0 ? [`actions = {${set.join(', ')}}`] : []),
  ];
}
