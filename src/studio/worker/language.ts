/** The language service over the files of the workspace: what editors ask, answered as data. */
import { Interrupted } from '../../diagnostic/pulse.ts';
import { Source } from '../../diagnostic/source.ts';
import { isRefused, LanguageService, type Location } from '../../language/index.ts';
import type { Content, FileChanges, LanguageMethods, Message, Place, TextPoint } from '../protocol.ts';
import { isInLibrary, type WorkspaceFiles } from './files.ts';
import { messagesOf } from './messages.ts';

/** Milliseconds that the check of a class may take: others wait for their answers meanwhile. */
const LONGEST = 5000;

export class Language {
  private service: LanguageService;
  /** Texts that somebody has asked about: these are read whole. */
  private readonly opened = new Set<string>();

  constructor(private readonly files: WorkspaceFiles) {
    this.service = this.newService();
  }

  private newService(): LanguageService {
    return new LanguageService({ files: this.files, libraries: this.files.libraryRoots, folders: [''] });
  }

  /** There are other libraries. */
  changeLibraries(): void {
    this.service = this.newService();
    this.opened.clear();
  }

  /** The files have changed. */
  change(changes: FileChanges): void {
    const others: string[] = [];
    for (const [path, content] of Object.entries(changes)) {
      if (!this.opened.has(path)) others.push(path);
      else if (typeof content === 'string') this.service.open(path, content);
      else {
        this.opened.delete(path);
        this.service.close(path);
        others.push(path);
      }
    }
    if (others.length > 0) this.service.refresh(others);
  }

  readonly methods: LanguageMethods = {
    complete: ({ file, at }) => this.open(file).complete(file, at),
    hover: ({ file, at }) => this.open(file).hover(file, at),
    definition: (point) => this.definition(point),
    libraryText: (path) => this.service.text(path),
    renamable: ({ file, at }) => this.open(file).renamable(file, at),
    rename: ({ file, at, name }) => {
      const found = this.open(file).rename(file, at, name);
      return isRefused(found) ? found : { changes: [...found.changes], moves: found.moves };
    },
    outline: (file) => this.open(file).outline(file),
    folds: (file) => this.open(file).folds(file),
    // Nobody can change what is wrong in a library, and all else would wait.
    checkable: ({ file, at }) => (isInLibrary(file) ? [] : this.open(file).checkable(file, at)),
    check: (of) => this.check(of.file, of.names),
  };

  private open(file: string): LanguageService {
    const text: Content | undefined = this.opened.has(file) ? undefined : this.files.read(file);
    if (text !== undefined) {
      this.opened.add(file);
      this.service.open(file, text);
    }
    return this.service;
  }

  private definition({ file, at }: TextPoint): { place: Place; text?: string } | undefined {
    const found = this.open(file).definition(file, at);
    if (!found) return undefined;
    const text = this.service.text(found.path);
    if (text === undefined) return undefined;
    const place = placeIn(found, text);
    const isOwn = !isInLibrary(found.path) && this.files.read(found.path) !== undefined;
    return isOwn ? { place } : { place, text };
  }

  /** Syntax, and the classes that are named: what was checked before is known. */
  private check(file: string, names: readonly string[]): Message[] {
    const service = this.open(file);
    const end = Date.now() + LONGEST;
    const signal = {
      get aborted() {
        return Date.now() > end;
      },
    };
    try {
      for (const name of names) service.check(file, name, signal);
    } catch (stopped) {
      if (!(stopped instanceof Interrupted)) throw stopped;
    }
    const classes = names.flatMap((name) => kept(() => service.check(file, name, past)));
    const found = messagesOf([...service.syntax(file), ...classes], (one) => service.fix(one));
    const seen = new Set<string>();
    return found
      .map((one) => ({ ...one, place: one.place ?? beginningOf(file) }))
      .filter(({ text, place }) => {
        const key = `${place.file} ${place.from} ${place.to} ${text}`;
        return !seen.has(key) && seen.add(key);
      });
  }
}

/** Lets nothing new begin. */
const past = { aborted: true };

/** What is known already; nothing where it would have to be found. */
function kept<T>(ask: () => readonly T[]): readonly T[] {
  try {
    return ask();
  } catch (stopped) {
    if (stopped instanceof Interrupted) return [];
    throw stopped;
  }
}

/** Where messages stand that have no other place in a text. */
const beginningOf = (file: string): Place => ({ file, from: 0, to: 0, line: 1, column: 1 });

function placeIn({ path, from, to }: Location, text: string): Place {
  return { file: path, from, to, ...new Source(path, text).position(from) };
}
