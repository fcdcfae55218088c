/**
 * The language server: what an editor asks by the Language Server Protocol, answered by the language service (`src/language`). Answers are short and made in this thread; classes are
 * checked in another one (`checking.ts`), and diagnostics are sent when they are known: those of syntax at once.
 */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  type CancellationToken,
  type Connection,
  DidChangeWatchedFilesNotification,
  type InitializeParams,
  type InitializeResult,
  LSPErrorCodes,
  PositionEncodingKind,
  ResponseError,
  type TextDocumentPositionParams,
  TextDocumentSyncKind,
  TextDocuments,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { hasErrors } from '../../diagnostic/diagnostic.ts';
import { type CheckedDiagnostic, isRefused, LanguageService, plainDiagnostic } from '../../language/index.ts';
import { HostFiles } from '../files.ts';
import { Checking } from './checking.ts';
import {
  codeAction,
  completionItems,
  documentSymbols,
  foldingRanges,
  lspDiagnostic,
  lspHover,
  lspSignature,
  Places,
  pathOf,
  semanticTokens,
  symbolKindOf,
  tokenModifiers,
  tokenTypes,
  uriOf,
} from './convert.ts';
import { generate, importOf, isProgram, written } from './generating.ts';

export interface ServerOptions {
  readonly cwd: string;
  /** Folders of libraries. */
  readonly libraries: readonly string[];
  readonly version: string;
}

/** What a client may say when it begins: `{ "libraries": ["…"] }`. */
interface InitialOptions {
  readonly libraries?: readonly string[];
}

const SHOW_MODELICA = 'mutabor.showModelica';
/** Classes that are found by a part of their names. */
const MOST_SYMBOLS = 500;

export class Server {
  private readonly documents = new TextDocuments(TextDocument);
  private readonly files: HostFiles;
  private readonly places = new Places((path) => this.service?.text(path));
  private service: LanguageService | undefined;
  private checking: Checking | undefined;
  private workspaceFolders: string[] = [];
  /** Folders of packages that open files outside of the workspace belong to. */
  private readonly packageFolders = new Set<string>();
  private watches = false;
  private changesFolders = false;
  /** What was last sent of each text. */
  private readonly sent = new Map<string, readonly CheckedDiagnostic[]>();

  constructor(
    private readonly connection: Connection,
    private readonly options: ServerOptions,
  ) {
    this.files = new HostFiles(options.cwd);
    connection.onInitialize((params) => this.initialize(params));
    connection.onInitialized(() => this.initialized());
    connection.onShutdown(() => this.checking?.stop());
    this.listenToTexts();
    this.answerAboutPlaces();
    this.answerAboutTexts();
    this.answerAboutPrograms();
    this.documents.listen(connection);
  }

  // ---------------------------------------------------------------- beginning

  private initialize(params: InitializeParams): InitializeResult {
    const { capabilities, workspaceFolders, rootUri, initializationOptions } = params;
    const given = (initializationOptions as InitialOptions | undefined)?.libraries ?? [];
    const libraries = [...given.filter((one) => typeof one === 'string'), ...this.options.libraries];
    for (const library of libraries) this.files.allowLibraries(library);
    this.workspaceFolders = (workspaceFolders ?? (rootUri ? [{ uri: rootUri }] : [])).map(({ uri }) =>
      pathOf(uri),
    );
    this.watches = capabilities.workspace?.didChangeWatchedFiles?.dynamicRegistration === true;
    this.changesFolders = capabilities.workspace?.workspaceFolders === true;
    this.service = new LanguageService({ files: this.files, libraries });
    this.checking = new Checking(
      { cwd: this.options.cwd, libraries },
      {
        checked: ({ path, diagnostics }) => this.publish(path, diagnostics),
        gaveUp: (reason) => this.connection.console.error(`Classes are no longer checked: ${reason}`),
      },
    );
    this.setFolders();
    return {
      serverInfo: { name: 'mutabor', version: this.options.version },
      capabilities: {
        positionEncoding: PositionEncodingKind.UTF16,
        textDocumentSync: TextDocumentSyncKind.Incremental,
        completionProvider: { triggerCharacters: ['.', '(', '"', '/'] },
        hoverProvider: true,
        definitionProvider: true,
        referencesProvider: true,
        documentHighlightProvider: true,
        renameProvider: { prepareProvider: true },
        documentSymbolProvider: true,
        workspaceSymbolProvider: true,
        foldingRangeProvider: true,
        signatureHelpProvider: { triggerCharacters: ['(', ','] },
        codeActionProvider: { codeActionKinds: ['quickfix'] },
        codeLensProvider: {},
        executeCommandProvider: { commands: [SHOW_MODELICA] },
        semanticTokensProvider: {
          legend: { tokenTypes: [...tokenTypes], tokenModifiers: [...tokenModifiers] },
          full: true,
        },
        workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
      },
    };
  }

  private initialized(): void {
    const { connection } = this;
    if (this.watches)
      void connection.client.register(DidChangeWatchedFilesNotification.type, {
        watchers: [{ globPattern: '**/*.mo' }, { globPattern: '**/package.order' }],
      });
    if (this.changesFolders)
      connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
        const gone = removed.map(({ uri }) => pathOf(uri));
        const rest = this.workspaceFolders.filter((folder) => !gone.includes(folder));
        this.workspaceFolders = [...rest, ...added.map(({ uri }) => pathOf(uri))];
        this.setFolders();
        this.checking!.request([], 0);
      });
  }

  private setFolders(): void {
    const folders = [...this.workspaceFolders, ...this.packageFolders];
    for (const folder of folders) this.files.allow(folder);
    this.service!.setFolders(folders);
    this.checking!.setFolders(folders);
  }

  // ---------------------------------------------------------------- texts

  private listenToTexts(): void {
    this.documents.onDidChangeContent(({ document }) => {
      if (isProgram(document.uri)) return;
      const path = pathOf(document.uri);
      const text = document.getText();
      const before = this.service!.text(path) ?? '';
      this.admit(path);
      this.service!.open(path, text);
      this.checking!.open(path, text);
      const syntax = this.service!.syntax(path);
      if (hasErrors(syntax))
        this.publish(
          path,
          syntax.map((one) => plainDiagnostic(one, path, this.service!.fix(one))),
        );
      if (!this.service!.isOfLibrary(path)) this.checking!.request([path], firstDifference(before, text));
    });
    this.documents.onDidClose(({ document }) => {
      if (isProgram(document.uri)) return;
      const path = pathOf(document.uri);
      this.service!.close(path);
      this.checking!.close(path);
      this.publish(path, []);
      this.sent.delete(path);
      this.checking!.request([], 0);
    });
    this.connection.onDidChangeWatchedFiles(({ changes }) => {
      const paths = changes.map(({ uri }) => pathOf(uri));
      this.service!.refresh(paths);
      this.checking!.refresh(paths);
      this.checking!.request([], 0);
    });
  }

  /** A file of a package outside of the workspace brings the package along. */
  private admit(path: string): void {
    if (!path.startsWith('/') && !/^[A-Za-z]:\//.test(path)) return;
    let folder = dirname(path);
    this.files.allow(folder);
    if (this.isInside(path) || !existsSync(`${folder}/package.mo`)) return;
    while (existsSync(`${dirname(folder)}/package.mo`) && dirname(folder) !== folder)
      folder = dirname(folder);
    this.packageFolders.add(folder);
    this.setFolders();
  }

  private isInside(path: string): boolean {
    const known = [...this.workspaceFolders, ...this.packageFolders];
    return this.service!.isOfLibrary(path) || known.some((folder) => path.startsWith(`${folder}/`));
  }

  private publish(path: string, diagnostics: readonly CheckedDiagnostic[]): void {
    this.sent.set(path, diagnostics);
    void this.connection.sendDiagnostics({
      uri: uriOf(path),
      diagnostics: diagnostics.map((one) => lspDiagnostic(one, this.places)),
    });
  }

  // ---------------------------------------------------------------- answers

  /** An answer about a place; requests that were taken back meanwhile are not answered. */
  private at<Params extends TextDocumentPositionParams, Answer>(
    ask: (path: string, offset: number, params: Params) => Answer,
  ): (params: Params, token: CancellationToken) => Promise<Answer | ResponseError<void>> {
    return patient((params) => {
      const path = pathOf(params.textDocument.uri);
      const offset = this.documents.get(params.textDocument.uri)?.offsetAt(params.position) ?? 0;
      return ask(path, offset, params);
    });
  }

  private answerAboutPlaces(): void {
    const { connection } = this;
    connection.onCompletion(
      this.at((path, offset) => {
        const list = this.service!.complete(path, offset);
        return list && completionItems(list, this.places.of(path));
      }),
    );
    connection.onHover(
      this.at((path, offset) => {
        const hover = this.service!.hover(path, offset);
        return hover && lspHover(hover, this.places.of(path));
      }),
    );
    connection.onSignatureHelp(
      this.at((path, offset) => {
        const signature = this.service!.signature(path, offset);
        return signature && lspSignature(signature);
      }),
    );
    connection.onDefinition(
      this.at((path, offset) => {
        const found = this.service!.definition(path, offset);
        return found && this.places.location(found);
      }),
    );
    connection.onReferences(
      this.at((path, offset) =>
        this.service!.references(path, offset).map((one) => this.places.location(one)),
      ),
    );
    connection.onDocumentHighlight(
      this.at((path, offset) =>
        this.service!.references(path, offset)
          .filter((one) => one.path === path)
          .map((one) => ({ range: this.places.of(path).range(one) })),
      ),
    );
    connection.onPrepareRename(
      this.at((path, offset) => {
        const range = this.service!.renamable(path, offset);
        return 'refused' in range ? refusal(range.refused) : this.places.of(path).range(range);
      }),
    );
    connection.onRenameRequest(
      this.at((path, offset, { newName }: TextDocumentPositionParams & { newName: string }) => {
        const result = this.service!.rename(path, offset, newName);
        if (isRefused(result)) return refusal(result.refused);
        return this.places.workspaceEdit(result.changes, result.moves);
      }),
    );
  }

  private answerAboutTexts(): void {
    const { connection } = this;
    connection.onDocumentSymbol(
      patient(({ textDocument }) => {
        const path = pathOf(textDocument.uri);
        return documentSymbols(this.service!.outline(path), this.places.of(path));
      }),
    );
    connection.onWorkspaceSymbol(
      patient(({ query }) =>
        this.service!.classes(query, MOST_SYMBOLS).map(({ name, kind, place, container }) => ({
          name,
          kind: symbolKindOf(kind),
          location: this.places.location(place),
          containerName: container,
        })),
      ),
    );
    connection.onFoldingRanges(
      patient(({ textDocument }) => {
        const path = pathOf(textDocument.uri);
        return foldingRanges(this.service!.folds(path), this.places.of(path));
      }),
    );
    connection.languages.semanticTokens.on(
      patient(({ textDocument }) => {
        const path = pathOf(textDocument.uri);
        return { data: semanticTokens(this.service!.names(path), this.places.of(path)) };
      }),
    );
    connection.onCodeAction(
      patient(({ textDocument, range }) => {
        const path = pathOf(textDocument.uri);
        const document = this.documents.get(textDocument.uri);
        if (!document) return [];
        const [from, to] = [document.offsetAt(range.start), document.offsetAt(range.end)];
        return (this.sent.get(path) ?? []).flatMap((problem) => {
          const { fix, place } = problem;
          if (!fix || place.from > to || place.to < from || !this.isFitting(fix.changes)) return [];
          const edit = this.places.workspaceEdit(new Map(fix.changes));
          return [codeAction(fix.title, edit, [lspDiagnostic(problem, this.places)])];
        });
      }),
    );
  }

  /** Whether changes lie in their texts, which may be others by now. */
  private isFitting(changes: NonNullable<CheckedDiagnostic['fix']>['changes']): boolean {
    return changes.every(([path, list]) =>
      list.every(({ to }) => to <= (this.service!.text(path)?.length ?? -1)),
    );
  }

  // ---------------------------------------------------------------- models in TypeScript

  private answerAboutPrograms(): void {
    const { connection } = this;
    connection.onCodeLens(
      patient(({ textDocument: { uri } }) => {
        const document = this.documents.get(uri);
        const at = document && isProgram(uri) ? importOf(document.getText()) : undefined;
        if (!document || at === undefined) return [];
        const start = document.positionAt(at);
        return [
          {
            range: { start, end: start },
            command: { title: 'Show as Modelica', command: SHOW_MODELICA, arguments: [uri] },
          },
        ];
      }),
    );
    connection.onRequest('mutabor/modelica', async ({ uri }: { readonly uri: string }) => {
      const result = await generate(pathOf(uri));
      if ('refused' in result) throw refusal(result.refused);
      return result;
    });
    connection.onExecuteCommand(async ({ command, arguments: [uri] = [] }) => {
      if (command !== SHOW_MODELICA || typeof uri !== 'string')
        return refusal(`There is no command \`${command}\`.`);
      const path = pathOf(uri);
      const result = await generate(path);
      if ('refused' in result) {
        connection.window.showErrorMessage(`${path} cannot be shown as Modelica: ${result.refused}`);
        return refusal(result.refused);
      }
      const file = written(path, result.text);
      await connection.window.showDocument({ uri: uriOf(file), takeFocus: true });
      return { uri: uriOf(file) };
    });
  }
}

const refusal = (message: string): ResponseError<void> =>
  new ResponseError(LSPErrorCodes.RequestFailed, message);

/** An answer that waits until what has arrived meanwhile was read: a request that was taken back is not answered. */
function patient<Params, Answer>(
  answer: (params: Params) => Answer,
): (params: Params, token: CancellationToken) => Promise<Answer | ResponseError<void>> {
  return async (params, token) => {
    await new Promise((resolve) => setImmediate(resolve));
    if (token.isCancellationRequested)
      return new ResponseError(LSPErrorCodes.RequestCancelled, 'The request was taken back.');
    return answer(params);
  };
}

/** Where two texts begin to differ. */
function firstDifference(before: string, after: string): number {
  let at = 0;
  while (at < before.length && before.charCodeAt(at) === after.charCodeAt(at)) at++;
  return at;
}
