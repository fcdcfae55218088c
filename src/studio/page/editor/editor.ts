/**
 * The text of the file that is open. Each file keeps its own history of changes. The editor stands in a shadow tree: there its styles need no `style` elements, which the
 * policy of the page does not allow.
 */
import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab, redo, undo } from '@codemirror/commands';
import { bracketMatching, foldKeymap, indentOnInput, indentUnit } from '@codemirror/language';
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { ChangeSet, EditorState, type Extension, Text, Transaction } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  rectangularSelection,
} from '@codemirror/view';
import { changedText, type TextChange } from '../../../syntax/change.ts';
import type { Message, Place, TextChanges } from '../../protocol.ts';
import { askText } from '../dialog.ts';
import { make, marked } from '../dom.ts';
import type { Engine } from '../engine.ts';
import { problemsOf, type Store } from '../store.ts';
import { texts } from '../texts.ts';
import type { Workspace } from '../workspace.ts';
import { Checking } from './checking.ts';
import { type LanguageActions, languageService, setFolds } from './language.ts';
import { modelica } from './modelica.ts';
import { Outline } from './outline.ts';
import { studioTheme } from './theme.ts';

export class Editor implements LanguageActions {
  readonly element = make('div', { class: 'text' });
  /** Shows and hides the outline. */
  readonly toggle = make(
    'button',
    { type: 'button', class: 'plain small', 'aria-pressed': 'false', on: { click: () => this.outline() } },
    texts.outline,
  );
  private readonly nothing = make('p', { class: 'empty' }, texts.noFile);
  private readonly area = make('div', { class: 'editor' });
  private readonly tree = new Outline(
    (from, to) => this.select(from, to),
    () => this.view.focus(),
  );
  private readonly checking: Checking;
  /** The text in which that was found which is known to be wrong. */
  private checked = Text.empty;
  /** Texts of libraries, which are read only. */
  private readonly lent = new Map<string, string>();
  private readonly view: EditorView;
  private readonly states = new Map<string, EditorState>();
  private path: string | undefined;

  constructor(
    private readonly store: Store,
    private readonly workspace: Workspace,
    private readonly engine: Engine,
    /** Called when the text has changed. */
    private readonly changed: () => void,
  ) {
    const root = this.area.attachShadow({ mode: 'open' });
    this.view = new EditorView({ root, parent: root, state: this.stateOf('') });
    this.element.append(this.area, this.tree.element, this.nothing);
    this.checking = new Checking(() => engine.service, {
      path: () => this.path,
      cursor: () => this.view.state.selection.main.head,
      checked: (found) => {
        this.checked = this.view.state.doc;
        store.checked.set(found);
      },
      outlined: (items) => {
        this.tree.show(items);
        this.tree.mark(this.view.state.selection.main.head);
      },
      folded: (folds) => this.view.dispatch({ effects: setFolds.of(folds) }),
    });
    store.open.watch((path) => this.open(path));
    store.replaced.follow((replaced) => replaced && this.replace(replaced.path));
    for (const value of [store.messages, store.checked]) value.watch(() => this.show());
    store.place.follow((place) => place && void this.go(place));
    store.libraries.follow(() => this.checking.changed());
    store.opening.follow((opening) => opening && void this.openClass(opening.class));
  }

  focus(): void {
    this.view.focus();
  }

  /** Whether the text that is open is one of a library. */
  get isReadOnly(): boolean {
    return this.view.state.readOnly;
  }

  private stateOf(text: string, isReadOnly = false): EditorState {
    const extensions: Extension = [
      lineNumbers(),
      lintGutter(),
      highlightSpecialChars(),
      history(),
      drawSelection(),
      EditorState.allowMultipleSelections.of(true),
      indentOnInput(),
      indentUnit.of('  '),
      bracketMatching(),
      closeBrackets(),
      languageService(() => this.engine.service, this),
      rectangularSelection(),
      highlightActiveLine(),
      highlightActiveLineGutter(),
      highlightSelectionMatches(),
      search({ top: true }),
      // Keys of the studio go on to the page.
      keymap.of([{ key: 'Mod-Enter', run: () => false, preventDefault: false }]),
      keymap.of([
        ...closeBracketsKeymap,
        ...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter'),
        ...searchKeymap,
        ...historyKeymap,
        ...foldKeymap,
        ...lintKeymap,
        indentWithTab,
      ]),
      modelica(),
      studioTheme,
      EditorView.contentAttributes.of({ 'aria-label': texts.text, spellcheck: 'false' }),
      tabKey,
      EditorView.updateListener.of((update) => {
        if (update.selectionSet) this.tree.mark(update.state.selection.main.head);
        if (!update.docChanged || this.path === undefined) return;
        this.workspace.edit(this.path, update.state.doc.toString());
        this.checking.changed();
        this.changed();
      }),
      EditorState.readOnly.of(isReadOnly),
    ];
    return EditorState.create({ doc: text, extensions });
  }

  private open(path: string | undefined): void {
    if (this.path !== undefined) this.states.set(this.path, this.view.state);
    // Changes of state are none of the text.
    this.path = undefined;
    const lent = path === undefined || this.workspace.has(path) ? undefined : this.lent.get(path);
    const text = lent ?? (path === undefined ? '' : (this.workspace.text(path) ?? ''));
    const known = path === undefined ? undefined : this.states.get(path);
    this.view.setState(
      known && known.doc.toString() === text ? known : this.stateOf(text, lent !== undefined),
    );
    // Each text is seen from its beginning, or around its cursor.
    this.view.dispatch({ effects: EditorView.scrollIntoView(this.view.state.selection.main.head) });
    this.path = path;
    this.area.hidden = this.toggle.hidden = path === undefined;
    this.nothing.hidden = path !== undefined;
    if (path === undefined) this.tree.toggle(false);
    this.tree.show([]);
    this.store.checked.set([]);
    this.show();
    this.checking.look();
  }

  /** Another text of a file, which can be undone. */
  private replace(path: string): void {
    if (path !== this.path) {
      this.states.delete(path);
      return;
    }
    const insert = this.workspace.text(path) ?? '';
    const before = this.view.state.doc.toString();
    // What is the same stays, so that the cursor does too.
    let from = 0;
    while (from < before.length && from < insert.length && before[from] === insert[from]) from++;
    let [to, end] = [before.length, insert.length];
    while (to > from && end > from && before[to - 1] === insert[end - 1]) {
      to--;
      end--;
    }
    this.view.dispatch({
      changes: { from, to, insert: insert.slice(from, end) },
      annotations: Transaction.addToHistory.of(true),
    });
  }

  /** Marks what is wrong with the text. */
  private show(): void {
    const { length } = this.view.state.doc;
    const all = problemsOf(this.store).flatMap(({ place, severity, text, hint, fix }): Diagnostic[] => {
      if (!place || place.file !== this.path) return [];
      const actions = fix && [{ name: fix.title, apply: () => this.putRight(fix) }];
      return [{ ...diagnostic(place, length, severity, text, hint), ...(actions && { actions }) }];
    });
    this.view.dispatch(
      setDiagnostics(
        this.view.state,
        all.sort((a, b) => a.from - b.from),
      ),
    );
  }

  /** The text of a class of a library. */
  private async openClass(name: string): Promise<void> {
    const found = await this.engine.service.ask('classText', name).catch(() => undefined);
    if (!found) return;
    this.lent.set(found.place.file, found.text);
    // The model of the text that will be open: its classes are looked at then.
    if (found.isModel) this.store.model.set(name);
    this.store.place.set({ ...found.place });
  }

  private async go(place: Place): Promise<void> {
    if (!this.workspace.has(place.file) && !this.lent.has(place.file)) {
      const text = await this.engine.service.ask('libraryText', place.file).catch(() => undefined);
      if (text === undefined || place !== this.store.place.now) return;
      this.lent.set(place.file, text);
    }
    if (place.file !== this.path) this.store.open.set(place.file);
    if (place.file === this.path) this.select(place.from, place.to);
  }

  private select(from: number, to: number): void {
    const { length } = this.view.state.doc;
    const [anchor, head] = [Math.min(from, length), Math.min(to, length)];
    this.view.dispatch({
      selection: { anchor, head },
      effects: EditorView.scrollIntoView(anchor, { y: 'center' }),
    });
    this.view.focus();
  }

  // ---------------------------------------------------------------- changes

  undo(): void {
    undo(this.view);
  }

  redo(): void {
    redo(this.view);
  }

  /** Changes one after the other of the text that is open, undone at once. */
  applySteps(steps: readonly (readonly TextChange[])[]): void {
    if (this.isReadOnly) {
      this.store.notify({ text: texts.readOnly, severity: 'info' });
      return;
    }
    let whole = ChangeSet.empty(this.view.state.doc.length);
    for (const step of steps) whole = whole.compose(ChangeSet.of([...step], whole.newLength));
    this.view.dispatch({ changes: whole, userEvent: 'input' });
  }

  /** Changes of several texts. */
  private applyChanges(changes: TextChanges): void {
    for (const [path, list] of changes) {
      const text = this.workspace.text(path);
      if (path === this.path) this.applySteps([list]);
      else if (text !== undefined) {
        this.workspace.edit(path, changedText(text, list));
        this.store.replaced.set({ path });
      }
    }
  }

  // ---------------------------------------------------------------- language

  file(): string | undefined {
    return this.path;
  }

  async definition(at: number): Promise<void> {
    const file = this.path;
    if (file === undefined) return;
    const found = await this.engine.service.ask('definition', { file, at }).catch(() => undefined);
    if (!found || file !== this.path) return;
    if (found.text !== undefined) this.lent.set(found.place.file, found.text);
    this.store.place.set({ ...found.place });
  }

  async rename(at: number): Promise<void> {
    const [file, { service }] = [this.path, this.engine];
    if (file === undefined) return;
    const refuse = (text: string): void => this.store.notify({ text, severity: 'warning' });
    try {
      const range = await service.ask('renamable', { file, at });
      if ('refused' in range) return refuse(range.refused);
      const before = this.view.state.sliceDoc(range.from, range.to);
      const ask = (name: string) => service.ask('rename', { file, at, name });
      // What is wrong with a name is said beside it, where another one can be written.
      const name = await askText(texts.renameTo(before), before, async (wanted) => {
        if (wanted === '') return texts.noName;
        if (wanted === before) return undefined;
        const answer = await ask(wanted).catch(() => undefined);
        return answer && 'refused' in answer ? answer.refused : undefined;
      });
      if (name === undefined || name === before) return;
      const renaming = await ask(name);
      if ('refused' in renaming) return refuse(renaming.refused);
      this.applyChanges(renaming.changes);
      for (const { from, to } of renaming.moves) await this.move(from, to);
    } catch {
      // A worker that ends is told elsewhere.
    } finally {
      this.view.focus();
    }
  }

  /** A file whose class has another name. */
  private async move(from: string, to: string): Promise<void> {
    const text = this.workspace.text(from);
    if (text === undefined || !(await this.workspace.create(to, text))) return;
    if (this.path === from) this.store.open.set(to);
    await this.workspace.remove(from);
  }

  /** Makes the first fix of what is wrong on the line. */
  fix(at: number): void {
    const { from, to } = this.view.state.doc.lineAt(at);
    const first = this.store.checked.now.find(
      ({ place, fix }) => fix && place && place.from <= to && place.to >= from,
    );
    if (first?.fix) this.putRight(first.fix);
  }

  /** Changes are of the text in which the mistake was found; what has changed since is being looked at. */
  putRight({ changes }: NonNullable<Message['fix']>): void {
    if (this.view.state.doc.eq(this.checked)) this.applyChanges(changes);
  }

  outline(): void {
    this.tree.toggle();
    this.toggle.setAttribute('aria-pressed', String(this.tree.isOpen));
    if (!this.tree.isOpen) this.view.focus();
  }
}

/** The Tab key indents for who writes, or has clicked into the text; who comes by with it goes on, and changes nothing. */
const tabKey: Extension = [
  EditorView.domEventHandlers({
    focus: (_, view) => view.setTabFocusMode(true),
    click: (_, view) => view.setTabFocusMode(false),
  }),
  EditorView.updateListener.of(({ transactions, view }) => {
    if (transactions.some((one) => one.isUserEvent('input') || one.isUserEvent('delete')))
      view.setTabFocusMode(false);
  }),
];

function diagnostic(
  { from: start, to: end }: { readonly from: number; readonly to: number },
  length: number,
  severity: Message['severity'],
  text: string,
  hint: string | undefined,
): Diagnostic {
  const from = Math.min(start, length);
  const renderMessage = (): Node =>
    make(
      'div',
      {},
      make('div', {}, marked(text)),
      hint !== undefined && make('div', { class: 'hint' }, `${texts.hint}: `, marked(hint)),
    );
  return { from, to: Math.max(from, Math.min(end, length)), severity, message: text, renderMessage };
}
