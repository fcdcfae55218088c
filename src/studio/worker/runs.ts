/**
 * Runs, of which several may be kept: each has its results so far, says what is new of them, and can be held and stopped. Runs of one worker wait for
 * each other.
 */
import { Failure } from '../../diagnostic/failure.ts';
import { chooseSignals } from '../../results/plot/choose.ts';
import type { SignalTable } from '../../results/table/table.ts';
import type { ModeVisit, RunSoFar, SimulationResult, Statistics } from '../../simulate/types.ts';
import type {
  ColumnPart,
  EngineNotices,
  ImpulseReport,
  Message,
  ModeReport,
  RunControl,
  RunOrder,
  RunReport,
  SignalReport,
} from '../protocol.ts';
import { Handed } from '../rpc.ts';
import { Gate } from './gate.ts';
import { messagesOf } from './messages.ts';
import type { MadeModel, Models } from './models.ts';

type Tell = <Name extends keyof EngineNotices>(
  name: Name,
  value: EngineNotices[Name],
  buffers: readonly ArrayBufferLike[],
) => void;

/** Looking at results takes at most this part of the time of a run. */
const SHARE = 0.2;

/** Signals that the page knows. */
interface Known {
  signals: readonly SignalReport[];
}

export class Runs {
  private readonly runs = new Map<number, Run>();
  private readonly known: Known = { signals: [] };

  constructor(
    private readonly models: Models,
    private readonly tell: Tell,
  ) {}

  async run(order: RunOrder): Promise<RunReport> {
    const run = new Run(order, this.tell, this.known);
    this.runs.set(order.run, run);
    try {
      const made = this.models.made(order);
      const { simulation } = made;
      run.made = made;
      const result = await simulation.simulate({
        ...order.settings,
        merge: order.values,
        signal: run.controller.signal,
        onProgress: (time, stopTime, soFar) => run.look(time, stopTime, soFar),
        onEvent: (time, soFar) => run.happened(time, soFar),
      });
      run.end(result);
      return this.report(order.run, result, simulation.diagnostics);
    } catch (problem) {
      if (!(problem instanceof Failure)) throw problem;
      return failed(order.run, problem);
    }
  }

  control(run: number, what: RunControl): void {
    this.runs.get(run)?.control(what);
  }

  watch(run: number, names: readonly string[]): void {
    this.runs.get(run)?.watch(names);
  }

  /** See `EngineMethods.values`. */
  values(run: number, time: number, names: readonly string[]): Handed<Float64Array> {
    const table = this.runs.get(run)?.table();
    const found = new Float64Array(2 * names.length).fill(Number.NaN);
    for (const [k, name] of names.entries()) {
      if (!table?.has(name)) continue;
      found[2 * k] = table.value(name, time, 'before');
      found[2 * k + 1] = table.value(name, time, 'after');
    }
    return new Handed(found, [found.buffer]);
  }

  /** Undefined where it is not known any more. */
  find(run: number): Run | undefined {
    return this.runs.get(run);
  }

  forget(runs: readonly number[]): void {
    for (const run of runs) this.runs.delete(run);
  }

  private report(run: number, result: SimulationResult, known: SimulationResult['diagnostics']): RunReport {
    const { status, stage, time, diagnostics, statistics } = result;
    return {
      run,
      status,
      ...(stage && { stage }),
      time,
      messages: unique(messagesOf([...known, ...diagnostics])),
      statistics: numbersOf(statistics),
      hasScene: result.pictures.length + result.visuals.length > 0,
    };
  }
}

/** What was said of the model may be said once more of its run. */
const unique = (messages: readonly Message[]): Message[] => [
  ...new Map(messages.map((message) => [JSON.stringify(message), message])).values(),
];

function failed(run: number, { stage, diagnostics }: Failure): RunReport {
  const nothing = { steps: 0, events: 0, modesCompiled: 0, translations: 0 };
  return {
    run,
    status: 'failed',
    stage,
    time: Number.NaN,
    messages: messagesOf(diagnostics),
    statistics: { ...nothing, translateMs: 0, compileMs: 0, simulateMs: 0 },
    hasScene: false,
  };
}

/** One run. */
export class Run {
  readonly controller = new AbortController();
  made: MadeModel | undefined;
  result: SimulationResult | undefined;
  private readonly gate: Gate;
  private watched: readonly string[] | null;
  private soFar: RunSoFar | undefined;
  /** Rows that were told: times, and by name. */
  private told = 0;
  private readonly toldOf = new Map<string, number>();
  private stopTime = Number.NaN;
  /** When results were last looked at, and how long that took. */
  private looked = { at: Number.NEGATIVE_INFINITY, for: 0 };

  constructor(
    readonly order: RunOrder,
    private readonly tell: Tell,
    private readonly known: Known,
  ) {
    this.watched = order.watched;
    this.gate = new Gate(order.isHeld);
  }

  table(): SignalTable | undefined {
    return this.result?.table ?? this.soFar?.table();
  }

  modes(): readonly ModeVisit[] {
    return this.result?.modes ?? this.soFar?.modes() ?? [];
  }

  control(what: RunControl): void {
    if (what === 'hold') this.gate.close();
    else this.gate.open(what === 'event');
    if (what === 'stop') this.controller.abort();
  }

  watch(names: readonly string[]): void {
    this.watched = names;
    if (this.result) this.tellRows(this.result.table, this.result.time, false);
  }

  /** Called by the run now and then. */
  look(time: number, stopTime: number, soFar: RunSoFar): Promise<void> | undefined {
    this.stopTime = stopTime;
    const isAnew = this.begin(soFar);
    const now = performance.now();
    if (this.gate.isClosed || isAnew || now - this.looked.at > this.looked.for / SHARE) {
      this.tellRows(soFar.table(), time, isAnew);
      this.looked = { at: performance.now(), for: performance.now() - now };
    }
    return this.hold(time);
  }

  /** Called by the run after an event. */
  happened(time: number, soFar: RunSoFar): Promise<void> | undefined {
    this.gate.event();
    if (!this.gate.isClosed) return undefined;
    this.tellRows(soFar.table(), time, this.begin(soFar));
    return this.hold(time);
  }

  end(result: SimulationResult): void {
    this.result = result;
    const isAnew = this.soFar === undefined;
    this.tellRows(result.table, result.time, isAnew);
  }

  /** True where the run has begun, or has begun again. */
  private begin(soFar: RunSoFar): boolean {
    if (soFar === this.soFar) return false;
    this.soFar = soFar;
    this.told = 0;
    this.toldOf.clear();
    return true;
  }

  private hold(time: number): Promise<void> | undefined {
    if (!this.gate.isClosed) return undefined;
    const { run } = this.order;
    this.tell('held', { run, time, isHeld: true }, []);
    return this.gate.wait().then(() => this.tell('held', { run, time, isHeld: false }, []));
  }

  /** What is new. */
  private tellRows(table: SignalTable, reached: number, isAnew: boolean): void {
    const first = this.told;
    const time = table.time.slice(first);
    this.told = table.rowCount;
    const suggested = chooseSignals(table);
    const names = this.watched ?? suggested;
    const columns = names.flatMap((name) => this.partOf(table, name));
    const notice = {
      run: this.order.run,
      isAnew,
      first,
      time,
      columns,
      modes: this.modes().map(modeReport),
      impulses: (this.result ?? this.soFar)!.impulses.map((impulse): ImpulseReport => ({ ...impulse })),
      signals: this.newSignals(table),
      suggested,
      reached,
      stopTime: this.stopTime,
    };
    this.tell('rows', notice, [time.buffer, ...columns.map(({ values }) => values.buffer)]);
  }

  private newSignals(table: SignalTable): readonly SignalReport[] | undefined {
    const signals = signalsOf(table);
    if (isSame(signals, this.known.signals)) return undefined;
    this.known.signals = signals;
    return signals;
  }

  private partOf(table: SignalTable, name: string): ColumnPart[] {
    const first = this.toldOf.get(name) ?? 0;
    if (!table.has(name)) return [];
    this.toldOf.set(name, table.rowCount);
    const whole = table.get(name);
    return [{ name, first, values: first === 0 ? whole : whole.slice(first) }];
  }
}

const modeReport = ({
  signature,
  from,
  to,
  states,
  index,
}: SimulationResult['modes'][number]): ModeReport => ({
  signature,
  from,
  to,
  states: states.length,
  index,
});

function signalsOf({ reader }: SignalTable): SignalReport[] {
  const found: SignalReport[] = [];
  for (let number = 0; number < reader.signals.count; number++) {
    const { name, unit, displayUnit, description, type, role, literals, hidden } = reader.infoOf(number);
    if (hidden) continue;
    const { index, scale } = reader.column(number);
    found.push({
      ...{ name, unit, displayUnit, description, type, role },
      ...(literals && { literals }),
      ...(index < 0 && { constant: scale }),
    });
  }
  return found;
}

/** Whether the same is known of the same signals: all that is said of one decides how its values are read. */
function isSame(some: readonly SignalReport[], others: readonly SignalReport[]): boolean {
  return some.length === others.length && some.every((one, k) => isSameSignal(one, others[k]!));
}

function isSameSignal(one: SignalReport, other: SignalReport): boolean {
  const own = one.literals ?? [];
  const its = other.literals ?? [];
  return (
    one.name === other.name &&
    one.unit === other.unit &&
    one.displayUnit === other.displayUnit &&
    one.description === other.description &&
    one.type === other.type &&
    one.role === other.role &&
    Object.is(one.constant, other.constant) &&
    own.length === its.length &&
    own.every((literal, k) => literal === its[k])
  );
}

function numbersOf(statistics: Statistics): RunReport['statistics'] {
  const { steps, events, modesCompiled, translations, translateMs, compileMs, simulateMs } = statistics;
  return { steps, events, modesCompiled, translations, translateMs, compileMs, simulateMs };
}
