/** `mutabor lsp`, started as a process of its own and asked by a client of the protocol. */
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  CancellationTokenSource,
  type CodeAction,
  type CompletionItem,
  createProtocolConnection,
  type Diagnostic,
  type DocumentSymbol,
  type FoldingRange,
  type Hover,
  type InitializeResult,
  type Location,
  type ProtocolConnection,
  type PublishDiagnosticsParams,
  type ResponseError,
  type SignatureHelp,
  StreamMessageReader,
  StreamMessageWriter,
  type TextEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { buildInto } from './built.ts';
import { folder } from './terminal.ts';

const home = folder({
  'work/Wheel.mo': 'model Wheel\n  parameter Real radius(unit = "m") = 0.3 "of the rim";\nend Wheel;\n',
  'work/Lib/package.mo': 'package Lib\n  constant Real c = 2;\nend Lib;\n',
  'work/Lib/Part.mo': 'within Lib;\nmodel Part\n  Real x = c;\nend Part;\n',
  'libs/Other/package.mo':
    'package Other\n  model Thing "a thing"\n    Real t = 1;\n  end Thing;\nend Other;\n',
  'work/lag.mjs': `import { Model, modelica, Var } from 'mutabor';
export const Lag = Model({ T: 0.5, x: Var({ init: 1 }), equations: modelica\`T*der(x) = -x\` });
`,
  'work/none.mjs': `import { Model } from 'mutabor';\nexport const five = 5;\n`,
});
const uri = (path: string): string => pathToFileURL(join(home, path)).href;

beforeAll(() => buildInto(home), 120_000);

/** A client, and what the server has told it. */
class Client {
  readonly process: ChildProcessWithoutNullStreams;
  readonly connection: ProtocolConnection;
  readonly shown: string[] = [];
  private readonly diagnostics = new Map<string, readonly Diagnostic[]>();
  private readonly waiting = new Set<() => void>();
  private readonly texts = new Map<string, TextDocument>();
  readonly registered: string[] = [];

  constructor(args: readonly string[] = []) {
    this.process = spawn(process.execPath, [join(home, 'bin/mutabor.js'), 'lsp', ...args], { cwd: home });
    const { stdout, stdin } = this.process;
    this.connection = createProtocolConnection(
      new StreamMessageReader(stdout),
      new StreamMessageWriter(stdin),
    );
    this.connection.onNotification('textDocument/publishDiagnostics', (params: PublishDiagnosticsParams) => {
      this.diagnostics.set(params.uri, params.diagnostics);
      for (const wake of this.waiting) wake();
    });
    this.connection.onRequest('window/showDocument', (params: { uri: string }) => {
      this.shown.push(params.uri);
      return { success: true };
    });
    this.connection.onRequest(
      'client/registerCapability',
      (params: { registrations: { method: string }[] }) => {
        this.registered.push(...params.registrations.map(({ method }) => method));
      },
    );
    this.connection.listen();
  }

  async begin(options: object = {}): Promise<InitializeResult> {
    const result = await this.connection.sendRequest<InitializeResult>('initialize', {
      processId: process.pid,
      rootUri: null,
      workspaceFolders: [{ uri: uri('work'), name: 'work' }],
      capabilities: {
        workspace: { workspaceFolders: true, didChangeWatchedFiles: { dynamicRegistration: true } },
        window: { showDocument: { support: true } },
      },
      ...options,
    });
    await this.connection.sendNotification('initialized', {});
    return result;
  }

  async open(path: string, text: string, languageId = 'modelica'): Promise<void> {
    this.texts.set(path, TextDocument.create(uri(path), languageId, 1, text));
    await this.connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri: uri(path), languageId, version: 1, text },
    });
  }

  /** Replaces a piece of an open text, by lines and characters. */
  async change(path: string, piece: string, other: string): Promise<void> {
    const document = this.texts.get(path)!;
    const at = document.getText().indexOf(piece);
    const range = { start: document.positionAt(at), end: document.positionAt(at + piece.length) };
    const version = document.version + 1;
    const changes = [{ range, text: other }];
    this.texts.set(path, TextDocument.update(document, changes, version));
    await this.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri: uri(path), version },
      contentChanges: changes,
    });
  }

  text(path: string): string {
    return this.texts.get(path)!.getText();
  }

  edited(path: string, edits: TextEdit[]): string {
    return TextDocument.applyEdits(
      this.texts.get(path) ?? TextDocument.create('', '', 0, readFileSync(join(home, path), 'utf8')),
      edits,
    );
  }

  /** Asks about the place at which a piece of a text begins, or so many characters behind. */
  ask<Answer>(method: string, path: string, piece: string, further = 0, more: object = {}): Promise<Answer> {
    const document = this.texts.get(path)!;
    const position = document.positionAt(document.getText().indexOf(piece) + further);
    return this.connection.sendRequest<Answer>(`textDocument/${method}`, {
      textDocument: { uri: uri(path) },
      position,
      ...more,
    });
  }

  about<Answer>(method: string, path: string, more: object = {}): Promise<Answer> {
    return this.connection.sendRequest<Answer>(`textDocument/${method}`, {
      textDocument: { uri: uri(path) },
      ...more,
    });
  }

  /** Waits until the diagnostics of a text are as they should be. */
  until(path: string, isRight: (messages: string[]) => boolean): Promise<readonly Diagnostic[]> {
    return new Promise((resolve) => {
      const look = (): void => {
        const found = this.diagnostics.get(uri(path));
        if (!found || !isRight(found.map(textOf))) return;
        this.waiting.delete(look);
        resolve(found);
      };
      this.waiting.add(look);
      look();
    });
  }

  async end(): Promise<number | null> {
    const closed = new Promise<number | null>((resolve) => this.process.on('close', resolve));
    await this.connection.sendRequest('shutdown');
    await this.connection.sendNotification('exit');
    return closed;
  }
}

let client: Client;
afterEach(() => void client?.process.kill('SIGKILL'));

async function started(options: object = {}, args: readonly string[] = []): Promise<Client> {
  client = new Client(args);
  await client.begin(options);
  return client;
}

const textOf = ({ message }: Diagnostic): string => (typeof message === 'string' ? message : message.value);

const clean = (messages: string[]): boolean => messages.length === 0;

describe('mutabor lsp', () => {
  it('begins and ends as the protocol says', async () => {
    client = new Client();
    const { capabilities, serverInfo } = await client.begin();
    expect(serverInfo?.name).toBe('mutabor');
    expect(capabilities).toMatchObject({
      positionEncoding: 'utf-16',
      textDocumentSync: 2,
      hoverProvider: true,
      definitionProvider: true,
      renameProvider: { prepareProvider: true },
    });
    expect(await client.end()).toBe(0);
  });

  it('ends when nobody asks any more', async () => {
    client = new Client();
    await client.begin();
    const closed = new Promise((resolve) => client.process.on('close', resolve));
    client.process.stdin.end();
    await closed;
  });

  it('refuses wrong command lines and shows its help', () => {
    const run = (...args: string[]) =>
      spawnSync(process.execPath, [join(home, 'bin/mutabor.js'), ...args], { encoding: 'utf8', cwd: home });
    expect(run('lsp', '--quick')).toMatchObject({ status: 2 });
    expect(run('lsp', 'M.mo').stderr).toContain('takes no files');
    expect(run('lsp', '--help').stdout).toContain('Usage: mutabor lsp');
    expect(run('--help').stdout).toContain('lsp');
  });

  it('tells what is wrong: syntax at once, then classes, and follows changes', async () => {
    await started();
    await client.open('work/M.mo', 'model M\n  Wheel w;\n  Real y = w.radus;\nend M;\n');
    const [problem] = await client.until('work/M.mo', (messages) => messages.length === 1);
    expect(problem).toMatchObject({
      code: 'unknown-name',
      severity: 1,
      source: 'mutabor',
      range: { start: { line: 2, character: 13 }, end: { line: 2, character: 18 } },
    });
    expect(textOf(problem!)).toBe('There is no `radus` in w.\nDid you mean `radius`?');
    await client.change('work/M.mo', ';\nend', '\nend');
    await client.until('work/M.mo', ([first]) => first?.startsWith('Expected `;`') === true);
    await client.change('work/M.mo', 'radus', 'radius;');
    await client.until('work/M.mo', clean);
  });

  it('answers quick fixes that put mistakes right', async () => {
    await started();
    await client.open('work/M.mo', 'model M\n  Real speed;\nequation\n  sped = 1;\nend M;\n');
    const [problem] = await client.until('work/M.mo', (messages) => messages.length === 1);
    const [action] = await client.about<CodeAction[]>('codeAction', 'work/M.mo', {
      range: problem!.range,
      context: { diagnostics: [problem] },
    });
    expect(action!.title).toBe('Write `speed`');
    const changed = client.edited('work/M.mo', action!.edit!.changes![uri('work/M.mo')]!);
    expect(changed).toBe('model M\n  Real speed;\nequation\n  speed = 1;\nend M;\n');
    const none = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
    expect(
      await client.about('codeAction', 'work/M.mo', { range: none, context: { diagnostics: [] } }),
    ).toEqual([]);
  });

  it('counts characters in UTF-16 units', async () => {
    await started();
    const text = 'model M /* 𝒳é */ Real x; Real y = w; end M;';
    await client.open('work/M.mo', text);
    const [problem] = await client.until('work/M.mo', (messages) => messages.length === 1);
    expect(problem!.range.start).toEqual({ line: 0, character: text.indexOf('w;') });
    const place = await client.ask<Location>('definition', 'work/M.mo', 'x; Real');
    expect(place.range.start.character).toBe(text.indexOf('x;'));
    await client.change('work/M.mo', '𝒳é', '𝒴𝒵');
    await client.change('work/M.mo', '= w', '= x');
    await client.until('work/M.mo', (messages) => messages.every((one) => !one.includes('There is no')));
    expect(client.text('work/M.mo')).toContain('𝒴𝒵 */ Real x; Real y = x');
  });

  it('completes, explains, and shows calls', async () => {
    await started();
    await client.open('work/M.mo', 'model M\n  Wheel w;\n  Real y = w.;\n  Real z = atan2(1, 2);\nend M;\n');
    const items = await client.ask<CompletionItem[]>('completion', 'work/M.mo', 'w.;', 2);
    expect(items.map(({ label, detail, documentation }) => [label, detail, documentation])).toEqual([
      ['radius', 'Real', 'of the rim'],
    ]);
    const { contents } = (await client.ask<Hover>('hover', 'work/M.mo', 'Wheel')) as {
      contents: { value: string };
    };
    expect(contents.value).toContain('model Wheel');
    const { signatures, activeParameter } = await client.ask<SignatureHelp>(
      'signatureHelp',
      'work/M.mo',
      '2);',
    );
    expect([signatures[0]!.label, activeParameter]).toEqual(['atan2(y, x)', 1]);
  });

  it('finds definitions in files, libraries and the own library, and references', async () => {
    await started({ initializationOptions: { libraries: [join(home, 'libs')] } });
    await client.open(
      'work/M.mo',
      'model M\n  Wheel w(radius = 1);\n  Lib.Part p;\n  Other.Thing o;\n  Mutabor.Electrical.Resistor r(R = 1);\nend M;\n',
    );
    const target = async (piece: string, further = 0): Promise<string> => {
      const { uri: found, range } = await client.ask<Location>('definition', 'work/M.mo', piece, further);
      const path = fileURLToPath(found);
      expect(existsSync(path)).toBe(true);
      const line = readFileSync(path, 'utf8').split('\n')[range.start.line]!;
      return `${path.slice(home.length + 1)} ${line.slice(range.start.character, range.end.character)}`;
    };
    expect(await target('Wheel')).toBe('work/Wheel.mo Wheel');
    expect(await target('radius')).toBe('work/Wheel.mo radius');
    expect(await target('Part')).toBe('work/Lib/Part.mo Part');
    expect(await target('Thing')).toBe('libs/Other/package.mo Thing');
    expect(await target('Resistor')).toBe('models/Mutabor/Electrical/Resistor.mo Resistor');
    const references = await client.ask<Location[]>('references', 'work/M.mo', 'radius', 0, {
      context: { includeDeclaration: true },
    });
    expect(references.map((one) => one.uri).sort()).toEqual([uri('work/M.mo'), uri('work/Wheel.mo')]);
  });

  it('takes libraries from its command line', async () => {
    await started({}, ['--library', join(home, 'libs')]);
    await client.open('work/M.mo', 'model M\n  Other.Thing o;\nend M;\n');
    await client.until('work/M.mo', clean);
  });

  it('renames in all files, moves those of classes, and says why it does not', async () => {
    await started();
    await client.open('work/M.mo', 'model M\n  Lib.Part p;\n  Real x = sin(time);\nend M;\n');
    const edit = await client.ask<WorkspaceEdit>('rename', 'work/M.mo', 'Part', 0, { newName: 'Piece' });
    const steps = edit.documentChanges!.map((step) =>
      'kind' in step ? step : { uri: step.textDocument.uri, count: step.edits.length },
    );
    expect(steps).toContainEqual({ uri: uri('work/M.mo'), count: 1 });
    expect(steps).toContainEqual({ uri: uri('work/Lib/Part.mo'), count: 2 });
    expect(steps.at(-1)).toMatchObject({
      kind: 'rename',
      oldUri: uri('work/Lib/Part.mo'),
      newUri: uri('work/Lib/Piece.mo'),
    });
    await expect(client.ask('prepareRename', 'work/M.mo', 'sin')).rejects.toThrow('part of the language');
    await expect(client.ask('rename', 'work/M.mo', 'p;', 0, { newName: 'x' })).rejects.toThrow(
      'has `x` already',
    );
    await expect(client.ask('rename', 'work/M.mo', 'p;', 0, { newName: 'end' })).rejects.toThrow(
      'reserved word',
    );
  });

  it('shows the structure, folds and colours of texts, and finds classes', async () => {
    await started();
    await client.open('work/M.mo', 'package P\n  model A\n    parameter Real k = 1;\n  end A;\nend P;\n');
    const [p] = await client.about<DocumentSymbol[]>('documentSymbol', 'work/M.mo');
    expect([
      p!.name,
      p!.children!.map(({ name }) => name),
      p!.children![0]!.children!.map(({ name }) => name),
    ]).toEqual(['P', ['A'], ['k']]);
    const folds = await client.about<FoldingRange[]>('foldingRange', 'work/M.mo');
    expect(folds.map(({ startLine, endLine }) => [startLine, endLine])).toEqual([
      [0, 4],
      [1, 3],
    ]);
    const { data } = await client.about<{ data: number[] }>('semanticTokens/full', 'work/M.mo');
    expect(data.length % 5).toBe(0);
    expect(data.slice(0, 5)).toEqual([0, 8, 1, 0, 1]);
    const symbols = await client.connection.sendRequest<{ name: string; containerName: string }[]>(
      'workspace/symbol',
      { query: 'par' },
    );
    expect(symbols.map(({ name, containerName }) => `${containerName}.${name}`)).toContain('Lib.Part');
  });

  it('sees files that others change, and folders that come and go', async () => {
    await started();
    writeFileSync(join(home, 'work/Fresh.mo'), 'model Fresh Real a = 1; end Fresh;');
    await client.open('work/M.mo', 'model M\n  Fresh f;\n  Real y = f.a;\nend M;\n');
    await client.until('work/M.mo', clean);
    expect(client.registered).toContain('workspace/didChangeWatchedFiles');
    writeFileSync(join(home, 'work/Fresh.mo'), 'model Fresh Real b = 1; end Fresh;');
    const changes = [{ uri: uri('work/Fresh.mo'), type: 2 }];
    await client.connection.sendNotification('workspace/didChangeWatchedFiles', { changes });
    await client.until('work/M.mo', ([first]) => first?.includes('There is no `a` in f') === true);
    rmSync(join(home, 'work/Fresh.mo'));
    await client.connection.sendNotification('workspace/didChangeWatchedFiles', {
      changes: [{ uri: uri('work/Fresh.mo'), type: 3 }],
    });
    await client.until('work/M.mo', ([first]) => first?.includes('`Fresh` cannot be found') === true);
    await client.connection.sendNotification('workspace/didChangeWorkspaceFolders', {
      event: { added: [], removed: [{ uri: uri('work'), name: 'work' }] },
    });
    await client.open('work/N.mo', 'model N\n  Wheel w;\nend N;\n');
    await client.until('work/N.mo', ([first]) => first?.includes('`Wheel` cannot be found') === true);
  });

  it('knows the package of a file outside of the workspace', async () => {
    await started({ workspaceFolders: null });
    await client.open('work/Lib/Part.mo', 'within Lib;\nmodel Part\n  Real x = c + d;\nend Part;\n');
    const [problem] = await client.until('work/Lib/Part.mo', (messages) => messages.length === 1);
    expect(textOf(problem!)).toContain('There is no `d`');
  });

  it('clears what it has told of a text that is closed', async () => {
    await started();
    await client.open('work/M.mo', 'model M Real x = y; end M;');
    await client.until('work/M.mo', (messages) => messages.length === 1);
    await client.connection.sendNotification('textDocument/didClose', {
      textDocument: { uri: uri('work/M.mo') },
    });
    await client.until('work/M.mo', clean);
  });

  it('does not answer requests that are taken back', async () => {
    await started();
    await client.open('work/M.mo', 'model M\n  Wheel w;\nend M;\n');
    const source = new CancellationTokenSource();
    const params = { textDocument: { uri: uri('work/M.mo') }, position: { line: 1, character: 3 } };
    const asked = client.connection.sendRequest('textDocument/hover', params, source.token);
    source.cancel();
    const problem: ResponseError<void> = await asked.then(
      () => Promise.reject(new Error('answered')),
      (reason) => reason,
    );
    expect([-32800, -32802]).toContain(problem.code);
    expect(await client.ask('hover', 'work/M.mo', 'Wheel')).not.toBeNull();
  });

  it('answers nothing about texts that it does not know', async () => {
    await started();
    expect(await client.about('documentSymbol', 'work/nothing.mo')).toEqual([]);
    const params = { textDocument: { uri: 'untitled:Untitled-1' }, position: { line: 0, character: 0 } };
    expect(await client.connection.sendRequest('textDocument/hover', params)).toBeNull();
  });

  it('shows models in JavaScript as Modelica, when asked', async () => {
    await started();
    const text = readFileSync(join(home, 'work/lag.mjs'), 'utf8');
    await client.open('work/lag.mjs', text, 'javascript');
    const lenses = await client.about<{ command: { command: string; arguments: unknown[] } }[]>(
      'codeLens',
      'work/lag.mjs',
    );
    expect(lenses).toHaveLength(1);
    const { command, arguments: args } = lenses[0]!.command;
    await client.connection.sendRequest('workspace/executeCommand', { command, arguments: args });
    expect(client.shown).toHaveLength(1);
    const shown = readFileSync(fileURLToPath(client.shown[0]!), 'utf8');
    expect(shown).toMatch(/model Lag[\s\S]*T\*der\(x\) = -x;[\s\S]*end Lag;/);
    const asked = await client.connection.sendRequest<{ text: string }>('mutabor/modelica', {
      uri: uri('work/lag.mjs'),
    });
    expect(asked.text).toBe(shown);
    await expect(
      client.connection.sendRequest('mutabor/modelica', { uri: uri('work/none.mjs') }),
    ).rejects.toThrow('exports no model');
    await client.open('work/M.mo', 'model M end M;');
    expect(await client.about('codeLens', 'work/M.mo')).toEqual([]);
  });
});
