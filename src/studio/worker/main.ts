/** The script of workers: answers what the page asks. The page has two of them, one for runs, and one for all that must not wait for these. */
import type { EngineMethods, EngineNotices, FileChanges, LateMethods, LibraryPack } from '../protocol.ts';
import { answer, later, type Port } from '../rpc.ts';
import { WorkspaceFiles } from './files.ts';
import { Language } from './language.ts';
import { Libraries } from './libraries.ts';
import { Models } from './models.ts';
import { Modes } from './modes.ts';
import { Runs } from './runs.ts';

const files = new WorkspaceFiles();
const models = new Models(files);
const language = new Language(files);
const libraries = new Libraries(models);
const runs = new Runs(models, (name, value, buffers) => tell(name, value, buffers));

const tell = answer<EngineMethods, EngineNotices>(globalThis as unknown as Port, {
  live: (lock) => hold(lock),
  files: (changes) => change(changes),
  libraries: (packs) => mount(packs),
  classes: (file) => models.classes(file),
  model: (of) => models.report(of),
  run: (order) => runs.run(order),
  control: ({ run, what }) => runs.control(run, what),
  watch: ({ run, names }) => runs.watch(run, names),
  values: ({ run, time, names }) => runs.values(run, time, names),
  forget: (list) => runs.forget(list),
  ...language.methods,
  ...new Modes(runs, files).methods,
  ...libraries.methods,
  ...later<LateMethods>(
    {
      ...{ drawing: true, editDiagram: true, documentation: true, pictures: true, scene: true, icons: true },
      ...{ sources: true, results: true, curves: true, drawn: true, account: true },
    },
    async () => (await import('./late.ts')).lateMethods({ files, models, libraries, runs }),
  ),
});

function change(changes: FileChanges): void {
  files.change(changes);
  models.change();
  language.change(changes);
}

function mount(packs: readonly LibraryPack[]): void {
  files.mount(packs);
  models.changeLibraries();
  language.changeLibraries();
  libraries.change();
}

/** Browsers give locks back when a worker ends, however it does. */
function hold(lock: string): Promise<boolean> {
  return new Promise((resolve) => {
    const forever = (): Promise<void> => {
      resolve(true);
      return new Promise(() => {});
    };
    if (navigator.locks) navigator.locks.request(lock, forever).catch(() => resolve(false));
    else resolve(false);
  });
}
