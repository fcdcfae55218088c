/**
 * Modules that call code of other modules in the same memory: what is needed again and again runs through without coming back to JavaScript in between. A function
 * of a module is imported by its number.
 */
import { ForeignError } from '../symbolic/foreign.ts';
import { Body, i32, ModuleBuilder, op } from './encoder.ts';
import { type Memory, statusSlot } from './memory.ts';
import { moduleOf } from './modules.ts';

/** A function of WebAssembly that takes and gives nothing. */
export type Entry = () => void;

/** A function of WebAssembly that gives a whole number. */
export type Counted = () => number;

/** Runs it; undefined where a check inside a function of the model stopped it: the routine that did says what, when it runs by itself. */
export function attempt(run: Counted, memory: Memory): number | undefined {
  try {
    return run();
  } catch (problem) {
    const isCheck =
      problem instanceof WebAssembly.RuntimeError ||
      problem instanceof RangeError ||
      problem instanceof ForeignError;
    if (!isCheck) throw problem;
    memory.values[statusSlot] = 0;
    return undefined;
  }
}

/** Writes one function that calls others. */
export class CallWriter {
  private readonly body = new Body();
  private readonly imports: WebAssembly.ModuleImports = {};
  private readonly module: ModuleBuilder;
  private readonly numbers = new Map<Entry | Counted, number>();

  constructor(
    private readonly name: string,
    entries: Iterable<Entry>,
    counted: Iterable<Counted> = [],
  ) {
    this.module = new ModuleBuilder('mutabor');
    this.module.importMemory('memory', 'doubles');
    for (const entry of entries) this.import(entry, false);
    for (const entry of counted) this.import(entry, true);
  }

  private import(entry: Entry | Counted, isCounted: boolean): void {
    if (this.numbers.has(entry)) return;
    const name = `${this.numbers.size}`;
    this.imports[name] = entry;
    this.numbers.set(entry, this.module.importFunction('code', name, [], isCounted ? [i32] : []));
  }

  call(...entries: readonly (Entry | Counted)[]): void {
    for (const entry of entries) this.body.opIndex(op.call, this.numbers.get(entry)!);
  }

  /** The function, whose body is written by `write`: it leaves a whole number. */
  make(memory: Memory, write: (body: Body) => void): Counted {
    const { body, module } = this;
    module.exportFunction('run', module.declare(this.name, [], [i32]));
    body.reset(0);
    write(body);
    module.define(body);
    // Asking for the view makes the memory large enough for all slots allocated so far.
    void memory.values;
    const instance = new WebAssembly.Instance(moduleOf(module.encode()), {
      memory: { doubles: memory.wasm },
      code: this.imports,
    });
    return instance.exports.run as Counted;
  }
}
