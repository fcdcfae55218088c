/**
 * Where files are kept: in this browser (IndexedDB), or in a folder that the server shows. A file has a version where others may change it meanwhile.
 */
import { formOf, readForm, type TextForm, USUAL, writtenIn } from '../form.ts';
import type { Content, LibraryPack } from '../protocol.ts';

export interface StoredFile {
  readonly content: Content;
  readonly version: string;
  /** Of a text on the disk. */
  readonly form?: TextForm;
}

/** A file was changed by somebody else; what it is now, undefined where it is gone. */
export class Changed extends Error {
  constructor(readonly present: StoredFile | undefined) {
    super('The file was changed meanwhile.');
  }
}

/** What is kept under names, in this browser. */
export class BrowserShelf<T> {
  constructor(
    private readonly database: Promise<IDBDatabase | undefined>,
    private readonly name: string,
    private readonly memory = new Map<string, T>(),
  ) {}

  async all(): Promise<Map<string, T>> {
    const database = await this.database;
    if (!database) return new Map(this.memory);
    const store = database.transaction(this.name).objectStore(this.name);
    const [keys, values] = await Promise.all([done(store.getAllKeys()), done(store.getAll())]);
    return new Map(keys.map((key, k) => [String(key), values[k] as T]));
  }

  async get(key: string): Promise<T | undefined> {
    const database = await this.database;
    if (!database) return this.memory.get(key);
    return done(database.transaction(this.name).objectStore(this.name).get(key) as IDBRequest<T | undefined>);
  }

  async put(key: string, value: T): Promise<void> {
    const database = await this.database;
    if (!database) this.memory.set(key, value);
    else await done(database.transaction(this.name, 'readwrite').objectStore(this.name).put(value, key));
  }

  /** Keeps another value, none where it is undefined, as long as `isSeen` holds for what is kept; gives what is kept then. */
  async exchange(
    key: string,
    value: T | undefined,
    isSeen: (present: T | undefined) => boolean,
  ): Promise<T | undefined> {
    const database = await this.database;
    if (!database) {
      if (value === undefined) this.memory.delete(key);
      else this.memory.set(key, value);
      return value;
    }
    const store = database.transaction(this.name, 'readwrite').objectStore(this.name);
    const present = await done(store.get(key) as IDBRequest<T | undefined>);
    if (!isSeen(present)) return present;
    if (value === undefined) await done(store.delete(key));
    else await done(store.put(value, key));
    return value;
  }

  async remove(key: string): Promise<void> {
    const database = await this.database;
    if (!database) this.memory.delete(key);
    else await done(database.transaction(this.name, 'readwrite').objectStore(this.name).delete(key));
  }
}

const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('The browser does not say why.'));
  });

/** Own files, and changes of others that are not saved. */
const shelves = ['files', 'drafts', 'libraries', 'settings'] as const;

/** All that this browser keeps; where it keeps nothing, memory does, and `isLasting` is false. */
export class BrowserStorage {
  private readonly database: Promise<IDBDatabase | undefined>;
  readonly files: BrowserShelf<Content>;
  /** By place and path: see `Workspace`. */
  readonly drafts: BrowserShelf<Draft>;
  readonly libraries: BrowserShelf<LibraryPack>;
  readonly settings: BrowserShelf<unknown>;

  constructor(name = 'mutabor-studio') {
    this.database = openDatabase(name);
    this.files = new BrowserShelf(this.database, 'files');
    this.drafts = new BrowserShelf(this.database, 'drafts');
    this.libraries = new BrowserShelf(this.database, 'libraries');
    this.settings = new BrowserShelf(this.database, 'settings');
  }

  get isLasting(): Promise<boolean> {
    return this.database.then((database) => database !== undefined);
  }
}

/** A text that is not saved, and the version of the file that it was made from. */
export interface Draft {
  readonly text: string;
  readonly version: string;
}

function openDatabase(name: string): Promise<IDBDatabase | undefined> {
  return new Promise((resolve) => {
    try {
      const request = indexedDB.open(name, 1);
      request.onupgradeneeded = () => {
        for (const shelf of shelves) request.result.createObjectStore(shelf);
      };
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => resolve(undefined);
      request.onblocked = () => resolve(undefined);
    } catch {
      resolve(undefined);
    }
  });
}

export interface ServedLibrary {
  readonly name: string;
  /** Whether all of its files are listed. */
  readonly isAll: boolean;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

/** The folder of the server. */
export class ServerStorage {
  constructor(private readonly token: string) {}

  /** The texts of models, each with its version, and other files by the time of their last change. */
  async all(): Promise<{ readonly name: string; readonly files: ReadonlyMap<string, StoredFile> }> {
    const { name, texts } = await this.json<{
      name: string;
      texts: readonly { path: string; text: string; version: string }[];
    }>('/api/texts');
    const files = texts.map(({ path, text: written, version }) => {
      const { text, form } = formOf(written);
      return [path, { content: text, version, form }] as const;
    });
    return { name, files: new Map(files) };
  }

  /** When files were last changed. */
  async stamps(): Promise<ReadonlyMap<string, string>> {
    const { files } = await this.json<{ files: readonly { path: string; size: number; changed: number }[] }>(
      '/api/files',
    );
    return new Map(files.map(({ path, size, changed }) => [path, `${changed} ${size}`]));
  }

  /** Libraries that the command was told of: the sizes of their files by path, and their contents one behind the other. */
  async libraries(): Promise<readonly ServedLibrary[]> {
    return this.json('/api/libraries');
  }

  async library(number: number): Promise<Blob> {
    return (await this.ask('GET', `/api/library?number=${number}`)).blob();
  }

  private async json<T>(address: string): Promise<T> {
    return (await this.ask('GET', address)).json() as Promise<T>;
  }

  async read(path: string): Promise<StoredFile> {
    const response = await this.ask('GET', fileAddress(path));
    const bytes = new Uint8Array(await response.arrayBuffer());
    const version = versionOf(response);
    if (!isText(path)) return { content: bytes, version };
    const { text, form } = readForm(bytes);
    return { content: text, version, form };
  }

  /** Saves a text in a form. Gives the new version; throws `Changed` where the file has not the version that is said. */
  async write(path: string, text: string, version: string | undefined, form = USUAL): Promise<string> {
    const condition: Record<string, string> =
      version === undefined ? { 'if-none-match': '*' } : { 'if-match': `"${version}"` };
    const response = await this.ask('PUT', fileAddress(path), condition, writtenIn(form, text));
    return ((await response.json()) as { version: string }).version;
  }

  async remove(path: string, version: string): Promise<void> {
    await this.ask('DELETE', fileAddress(path), { 'if-match': `"${version}"` });
  }

  private async ask(
    method: string,
    address: string,
    headers: Readonly<Record<string, string>> = {},
    body?: Content,
  ): Promise<Response> {
    const response = await fetch(address, {
      method,
      headers: { ...headers, 'x-mutabor-token': this.token },
      ...(body !== undefined && { body: body as BodyInit }),
    });
    if (response.ok) return response;
    const { message } = (await response.json().catch(() => ({}))) as { message?: string };
    if (response.status === 412) {
      const path = new URLSearchParams(address.split('?')[1]).get('path')!;
      throw new Changed(await this.read(path).catch(() => undefined));
    }
    throw new Error(message ?? response.statusText);
  }
}

const fileAddress = (path: string): string => `/api/file?path=${encodeURIComponent(path)}`;
const versionOf = (response: Response): string => (response.headers.get('etag') ?? '').replaceAll('"', '');

/** Endings of files that are texts. */
const isText = (path: string): boolean => /\.(mo|order|csv|txt|json|md|svg)$/i.test(path);

/**
 * The token of the server: from the fragment of the address, which nobody else sees, or in exchange for the code in it; it is kept as long as this tab is open, and
 * does not stay in the address. Undefined where the page comes from no server of the studio.
 */
export async function serverToken(): Promise<string | undefined> {
  const key = 'mutabor-token';
  const fragment = new URLSearchParams(location.hash.slice(1));
  const [token, code] = [fragment.get('token'), fragment.get('code')];
  if (token !== null || code !== null) history.replaceState(null, '', location.pathname + location.search);
  if (token !== null) sessionStorage.setItem(key, token);
  else if (code !== null) {
    const response = await fetch('/api/session', { method: 'POST', body: code }).catch(() => undefined);
    if (response?.ok) sessionStorage.setItem(key, ((await response.json()) as { token: string }).token);
  }
  return location.protocol === 'http:' ? (sessionStorage.getItem(key) ?? undefined) : undefined;
}
