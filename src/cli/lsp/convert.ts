/** The answers of the language service in the words of the Language Server Protocol (3.17): places as lines and characters, kinds as numbers, texts as Markdown. */
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  type CodeAction,
  CodeActionKind,
  type CompletionItem,
  CompletionItemKind,
  DiagnosticSeverity,
  type DocumentSymbol,
  type FoldingRange,
  FoldingRangeKind,
  type Diagnostic as LspDiagnostic,
  type Hover as LspHover,
  type Location as LspLocation,
  MarkupKind,
  type Position,
  type Range,
  type SignatureHelp,
  SymbolKind,
  type TextEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver/node';
import { htmlToText } from '../../language/html.ts';
import type {
  CheckedDiagnostic,
  ClassifiedName,
  Completion,
  CompletionKind,
  CompletionList,
  Fold,
  Hover,
  Location,
  NameKind,
  OutlineItem,
  OutlineKind,
  Renaming,
  Signature,
  TextChange,
  TextRange,
} from '../../language/index.ts';

// ---------------------------------------------------------------- places

/** The path of a document; texts that are not saved have their address for one. */
export const pathOf = (uri: string): string =>
  uri.startsWith('file:') ? fileURLToPath(uri).replaceAll('\\', '/') : uri;

export const uriOf = (path: string): string =>
  /^(?:\/|[A-Za-z]:\/)/.test(path) ? pathToFileURL(path).href : path;

/** Lines of a text: offsets of their first characters. */
export class Lines {
  private readonly starts: number[] = [0];

  constructor(readonly text: string) {
    for (let k = 0; k < text.length; k++) {
      const c = text.charCodeAt(k);
      if (c === 10 || (c === 13 && text.charCodeAt(k + 1) !== 10)) this.starts.push(k + 1);
    }
  }

  position(offset: number): Position {
    let [low, high] = [0, this.starts.length];
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      if (this.starts[middle]! <= offset) low = middle;
      else high = middle;
    }
    return { line: low, character: Math.min(offset, this.text.length) - this.starts[low]! };
  }

  range({ from, to }: TextRange): Range {
    return { start: this.position(from), end: this.position(to) };
  }
}

/** Places in several texts; each is divided into lines once. */
export class Places {
  private readonly lines = new Map<string, Lines>();

  constructor(private readonly textOf: (path: string) => string | undefined) {}

  of(path: string): Lines {
    const text = this.textOf(path) ?? '';
    const known = this.lines.get(path);
    if (known?.text === text) return known;
    const lines = new Lines(text);
    this.lines.set(path, lines);
    return lines;
  }

  location(place: Location): LspLocation {
    return { uri: uriOf(place.path), range: this.of(place.path).range(place) };
  }

  edits(path: string, changes: readonly TextChange[]): TextEdit[] {
    const lines = this.of(path);
    return changes.map((change) => ({ range: lines.range(change), newText: change.insert }));
  }

  /** Changes of texts, then moves of files. */
  workspaceEdit(changes: Renaming['changes'], moves: Renaming['moves'] = []): WorkspaceEdit {
    if (moves.length === 0)
      return {
        changes: Object.fromEntries(
          [...changes].map(([path, list]) => [uriOf(path), this.edits(path, list)]),
        ),
      };
    return {
      documentChanges: [
        ...[...changes].map(([path, list]) => ({
          textDocument: { uri: uriOf(path), version: null },
          edits: this.edits(path, list),
        })),
        ...moves.map(({ from, to }) => ({ kind: 'rename' as const, oldUri: uriOf(from), newUri: uriOf(to) })),
      ],
    };
  }
}

// ---------------------------------------------------------------- diagnostics

const severities = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
} as const;

export function lspDiagnostic(problem: CheckedDiagnostic, places: Places): LspDiagnostic {
  const { code, severity, message, hint, notes, place } = problem;
  const related = notes.flatMap((note) =>
    note.place ? [{ message: note.message, location: places.location(note.place) }] : [],
  );
  const loose = notes.filter((note) => !note.place).map((note) => `\n${note.message}`);
  return {
    range: places.of(place.path).range(place),
    severity: severities[severity],
    code,
    source: 'mutabor',
    message: `${capital(message)}${hint ? `\n${capital(hint)}` : ''}${loose.join('')}`,
    ...(related.length > 0 && { relatedInformation: related }),
  };
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const codeAction = (
  title: string,
  edit: WorkspaceEdit,
  diagnostics: readonly LspDiagnostic[],
): CodeAction => ({
  title,
  kind: CodeActionKind.QuickFix,
  diagnostics: [...diagnostics],
  isPreferred: true,
  edit,
});

// ---------------------------------------------------------------- completion

const completionKinds: Readonly<Record<CompletionKind, CompletionItemKind>> = {
  package: CompletionItemKind.Module,
  class: CompletionItemKind.Class,
  function: CompletionItemKind.Function,
  type: CompletionItemKind.TypeParameter,
  record: CompletionItemKind.Struct,
  connector: CompletionItemKind.Interface,
  component: CompletionItemKind.Field,
  variable: CompletionItemKind.Variable,
  parameter: CompletionItemKind.Property,
  constant: CompletionItemKind.Constant,
  literal: CompletionItemKind.EnumMember,
  iterator: CompletionItemKind.Variable,
  attribute: CompletionItemKind.Property,
  argument: CompletionItemKind.Property,
  'built-in': CompletionItemKind.Function,
  annotation: CompletionItemKind.Property,
  unit: CompletionItemKind.Unit,
  keyword: CompletionItemKind.Keyword,
};

export function completionItems(list: CompletionList, lines: Lines): CompletionItem[] {
  const range = lines.range(list);
  return list.items.map((item) => completionItem(item, range));
}

function completionItem(
  { label, kind, detail, description, insert, rank }: Completion,
  range: Range,
): CompletionItem {
  return {
    label,
    kind: completionKinds[kind],
    ...(detail && { detail }),
    ...(description && { documentation: description }),
    // Ranks may be below zero.
    sortText: `${String(rank + 10).padStart(3, '0')} ${label}`,
    textEdit: { range, newText: insert ?? label },
  };
}

// ---------------------------------------------------------------- hovering and signatures

/** Characters of documentation that are shown. */
const LONGEST = 3000;

export function lspHover(hover: Hover, lines: Lines): LspHover {
  const { code, text, unit, displayUnit, value, declaredIn, documentation, kind } = hover;
  const facts = [
    value !== undefined && `value \`${value}\``,
    unit && `unit \`${unit}\``,
    displayUnit && displayUnit !== unit && `shown in \`${displayUnit}\``,
    declaredIn && `${kind} of \`${declaredIn}\``,
  ].filter((fact) => fact !== false && fact !== undefined && fact !== '');
  const words = documentation && (documentation.html ? htmlToText(documentation.text) : documentation.text);
  const parts = [
    `\`\`\`modelica\n${code}\n\`\`\``,
    escaped(text),
    facts.join(' · '),
    words && `---\n\n${escaped(words.length > LONGEST ? `${words.slice(0, LONGEST)}…` : words)}`,
  ];
  return {
    contents: { kind: MarkupKind.Markdown, value: parts.filter(Boolean).join('\n\n') },
    range: lines.range(hover),
  };
}

/** Plain text as Markdown. */
const escaped = (text: string): string => text.replace(/[\\`*_{}[\]<>#|]/g, '\\$&').replace(/\n/g, '  \n');

export const lspSignature = ({ label, description, parameters, active }: Signature): SignatureHelp => ({
  signatures: [
    {
      label,
      documentation: description,
      parameters: parameters.map((one) => ({ label: one.text, documentation: one.description })),
    },
  ],
  activeSignature: 0,
  activeParameter: active ?? parameters.length,
});

// ---------------------------------------------------------------- structure

const symbolKinds: Readonly<Record<OutlineKind, SymbolKind>> = {
  class: SymbolKind.Class,
  model: SymbolKind.Class,
  block: SymbolKind.Class,
  record: SymbolKind.Struct,
  'operator record': SymbolKind.Struct,
  connector: SymbolKind.Interface,
  'expandable connector': SymbolKind.Interface,
  type: SymbolKind.TypeParameter,
  package: SymbolKind.Package,
  function: SymbolKind.Function,
  'operator function': SymbolKind.Function,
  operator: SymbolKind.Operator,
  component: SymbolKind.Field,
  extends: SymbolKind.Object,
  import: SymbolKind.Module,
  literal: SymbolKind.EnumMember,
  equation: SymbolKind.Event,
  algorithm: SymbolKind.Event,
};

export const symbolKindOf = (kind: OutlineKind): SymbolKind => symbolKinds[kind];

export const documentSymbols = (items: readonly OutlineItem[], lines: Lines): DocumentSymbol[] =>
  items.map(({ kind, name, detail, range, selection, children }) => ({
    // Names must not be empty.
    name: name || '?',
    detail,
    kind: symbolKinds[kind],
    range: lines.range(range),
    selectionRange: lines.range(selection),
    children: documentSymbols(children, lines),
  }));

export const foldingRanges = (folds: readonly Fold[], lines: Lines): FoldingRange[] =>
  folds.map(({ from, to, kind }) => ({
    startLine: lines.position(from).line,
    endLine: lines.position(to).line,
    ...(kind === 'comment' && { kind: FoldingRangeKind.Comment }),
    ...(kind === 'imports' && { kind: FoldingRangeKind.Imports }),
  }));

// ---------------------------------------------------------------- colours

export const tokenTypes = [
  'namespace',
  'class',
  'type',
  'function',
  'parameter',
  'variable',
  'property',
  'enumMember',
  'interface',
] as const;
export const tokenModifiers = ['declaration', 'readonly', 'defaultLibrary'] as const;

const DECLARATION = 1;
const READONLY = 2;
const DEFAULT_LIBRARY = 4;

const tokens: Readonly<Record<NameKind, readonly [(typeof tokenTypes)[number], number]>> = {
  package: ['namespace', 0],
  class: ['class', 0],
  type: ['type', 0],
  function: ['function', 0],
  parameter: ['parameter', READONLY],
  constant: ['variable', READONLY],
  variable: ['variable', 0],
  component: ['property', 0],
  connector: ['interface', 0],
  literal: ['enumMember', 0],
  iterator: ['variable', 0],
  attribute: ['property', DEFAULT_LIBRARY],
  'built-in': ['function', DEFAULT_LIBRARY],
};

/** Names as numbers, five each: how many lines further, how many characters further, length, type, modifiers. */
export function semanticTokens(names: readonly ClassifiedName[], lines: Lines): number[] {
  const data: number[] = [];
  let [line, character] = [0, 0];
  let end = 0;
  for (const { from, to, kind, declares } of names) {
    // A name is told once.
    if (from < end) continue;
    end = to;
    const at = lines.position(from);
    if (at.line !== line) character = 0;
    const [type, modifiers] = tokens[kind];
    const flags = modifiers + (declares ? DECLARATION : 0);
    data.push(at.line - line, at.character - character, to - from, tokenTypes.indexOf(type), flags);
    ({ line, character } = at);
  }
  return data;
}
