/**
 * The two workers: one for runs, one for all that must not wait for these. A worker that has ended is started again and gets all files anew; whoever waits for its
 * answer is told that it has ended (`Ended`).
 */
import type { Content, EngineMethods, EngineNotices, FileChanges, LibraryPack } from '../protocol.ts';
import { type AnswerOf, type ArgumentOf, Caller } from '../rpc.ts';

type Told = { readonly [Name in keyof EngineNotices]: (value: EngineNotices[Name]) => void };

export class Engine {
  readonly service: Backend;
  readonly runner: Backend;
  private readonly files = new Map<string, Content>();
  private packs: readonly LibraryPack[] = [];
  /** How often files have changed. */
  changes = 0;

  /** `ended` is called where a worker has ended by itself. */
  constructor(told: Told, ended: (which: 'service' | 'runner') => void) {
    const all = (): FileChanges => Object.fromEntries(this.files);
    const packs = (): readonly LibraryPack[] => this.packs;
    this.service = new Backend(told, all, packs, () => ended('service'));
    this.runner = new Backend(told, all, packs, () => ended('runner'));
  }

  setLibraries(packs: readonly LibraryPack[]): void {
    this.packs = packs;
    for (const backend of [this.service, this.runner]) void backend.ask('libraries', packs).catch(ignored);
  }

  change(changes: FileChanges): void {
    this.changes++;
    for (const [path, content] of Object.entries(changes))
      if (content === null) this.files.delete(path);
      else this.files.set(path, content);
    for (const backend of [this.service, this.runner]) void backend.ask('files', changes).catch(ignored);
  }
}

/** One worker, and those that take its place. */
export class Backend {
  private worker: Worker | undefined;
  private begun: Promise<Caller<EngineMethods, EngineNotices>>;
  private caller: Caller<EngineMethods, EngineNotices> | undefined;

  constructor(
    private readonly told: Told,
    private readonly files: () => FileChanges,
    private readonly packs: () => readonly LibraryPack[],
    private readonly ended: () => void,
  ) {
    this.begun = this.start();
  }

  /** Rejects with `Ended` where the worker ends before it has answered. */
  async ask<Name extends keyof EngineMethods & string>(
    method: Name,
    argument: ArgumentOf<EngineMethods[Name]>,
  ): Promise<AnswerOf<EngineMethods[Name]>> {
    return (await this.begun).ask(method, argument);
  }

  /** Ends the worker, whatever it does, and starts another one. */
  restart(): void {
    this.worker?.terminate();
    this.caller?.end();
    this.begun = this.start();
  }

  private async start(): Promise<Caller<EngineMethods, EngineNotices>> {
    const worker = await makeWorker();
    const caller = new Caller<EngineMethods, EngineNotices>(worker, this.told);
    this.worker = worker;
    this.caller = caller;
    const lost = (): void => {
      if (worker !== this.worker) return;
      this.restart();
      this.ended();
    };
    worker.onerror = (event) => {
      event.preventDefault();
      lost();
    };
    const lock = `mutabor-${crypto.randomUUID()}`;
    caller
      .ask('live', lock)
      .then((isHeld) => (isHeld ? navigator.locks.request(lock, lost) : undefined))
      .catch(ignored);
    if (this.packs().length > 0) void caller.ask('libraries', this.packs()).catch(ignored);
    void caller.ask('files', this.files()).catch(ignored);
    return caller;
  }
}

/** What is asked of a worker that ends has no answer; the next one knows all it needs. */
const ignored = (): void => {};

declare global {
  /** What scripts of workers leave in a page: the parts of the code by their names, and what begins with them. */
  var mutaborParts: Readonly<Record<string, () => void>> | undefined;
  var mutaborBegin: (() => void) | undefined;
}

/** From the script itself; where that is not allowed (`file:`), from the texts of all of its parts, which the page loads as scripts. */
async function makeWorker(): Promise<Worker> {
  if (location.protocol !== 'file:') return new Worker('engine.js');
  await Promise.all(['engine.js', 'late.js', 'models.js'].map(loadScript));
  const parts = Object.entries(globalThis.mutaborParts!).map(
    ([name, part]) => `${JSON.stringify(name)}:${part}`,
  );
  const script = `globalThis.mutaborParts={${parts}};(${globalThis.mutaborBegin})()`;
  const url = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
  const worker = new Worker(url);
  URL.revokeObjectURL(url);
  return worker;
}

const scripts = new Map<string, Promise<void>>();

/** Runs a script that lies beside the page, once. */
export function loadScript(name: string): Promise<void> {
  const known = scripts.get(name);
  if (known) return known;
  const loaded = new Promise<void>((resolve, reject) => {
    const script = document.createElement('script');
    script.src = name;
    script.onload = () => resolve();
    script.onerror = () => {
      scripts.delete(name);
      reject(new Error(`${name} cannot be loaded.`));
    };
    document.head.append(script);
  });
  scripts.set(name, loaded);
  return loaded;
}
