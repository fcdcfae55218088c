/** The language service in the editor: completion, hovering, definitions, renaming, folds. Answers come from a worker, which has the text of the moment. */
import {
  acceptCompletion,
  autocompletion,
  type Completion,
  type CompletionSource,
  closeCompletion,
  selectedCompletion,
} from '@codemirror/autocomplete';
import { codeFolding, foldGutter, foldService } from '@codemirror/language';
import { type Extension, Prec, StateEffect, StateField } from '@codemirror/state';
import { EditorView, hoverTooltip, keymap } from '@codemirror/view';
import { htmlToText } from '../../../language/html.ts';
import type { LanguageMethods } from '../../protocol.ts';
import type { AnswerOf } from '../../rpc.ts';
import { make, marked } from '../dom.ts';
import type { Backend } from '../engine.ts';
import { texts } from '../texts.ts';

/** What the editor does with what a person asks for. */
export interface LanguageActions {
  /** The file that is open. */
  file(): string | undefined;
  definition(at: number): void;
  rename(at: number): void;
  fix(at: number): void;
  outline(): void;
}

type HoverAnswer = NonNullable<AnswerOf<LanguageMethods['hover']>>;
type FoldAnswer = AnswerOf<LanguageMethods['folds']>;

export function languageService(service: () => Backend, actions: LanguageActions): Extension {
  const complete: CompletionSource = async (context) => {
    const file = actions.file();
    if (file === undefined) return null;
    const before = context.matchBefore(/[\p{L}\p{N}_]+|[.(]/u);
    if (!context.explicit && (!before || /^\p{N}/u.test(before.text))) return null;
    const list = await service()
      .ask('complete', { file, at: context.pos })
      .catch(() => undefined);
    if (!list || context.aborted) return null;
    return {
      from: list.from,
      to: list.to,
      options: list.items.map(
        (item, k): Completion => ({
          label: item.label,
          type: kinds[item.kind] ?? 'variable',
          ...(item.detail !== '' && { detail: item.detail }),
          ...(item.description !== '' && { info: item.description }),
          ...(item.insert !== undefined && { apply: item.insert }),
          // In the order of the service, which knows what is meant.
          boost: Math.max(-99, 20 - 10 * item.rank - k / list.items.length),
        }),
      ),
      validFor: /^[\p{L}\p{N}_]*$/u,
    };
  };
  const hover = hoverTooltip(async (view, at) => {
    const file = actions.file();
    const found =
      file === undefined
        ? undefined
        : await service()
            .ask('hover', { file, at })
            .catch(() => undefined);
    if (!found || found.to > view.state.doc.length) return null;
    return { pos: found.from, end: found.to, above: true, create: () => ({ dom: hoverContent(found) }) };
  });
  const at =
    (work: (position: number) => void) =>
    (view: EditorView): boolean => {
      work(view.state.selection.main.head);
      return true;
    };
  return [
    Prec.highest(keymap.of([{ key: 'Enter', run: passComplete }])),
    autocompletion({ override: [complete], maxRenderedOptions: 80, icons: false }),
    hover,
    folds,
    foldService.of((state, from, to) => {
      const fold = state.field(folds).find((one) => one.from >= from && one.from <= to && one.to > to);
      return fold ? { from: to, to: fold.to } : null;
    }),
    codeFolding(),
    foldGutter({
      foldingChanged: ({ transactions }) =>
        transactions.some(({ effects }) => effects.some((effect) => effect.is(setFolds))),
    }),
    Prec.high(
      keymap.of([
        { key: 'Tab', run: acceptCompletion },
        { key: 'F12', run: at((position) => actions.definition(position)) },
        { key: 'F2', run: at((position) => actions.rename(position)) },
        { key: 'Mod-.', run: at((position) => actions.fix(position)) },
        { key: 'Mod-Shift-o', run: at(() => actions.outline()), preventDefault: true },
      ]),
    ),
    EditorView.domEventHandlers({
      mousedown: (event, view) => {
        if (!(event.ctrlKey || event.metaKey) || event.button !== 0) return false;
        const position = view.posAtCoords({ x: event.clientX, y: event.clientY });
        if (position === null) return false;
        actions.definition(position);
        return true;
      },
    }),
  ];
}

/** Where the word stands already that would be completed, Enter begins another line. */
function passComplete(view: EditorView): boolean {
  const chosen = selectedCompletion(view.state);
  const { head } = view.state.selection.main;
  const word = chosen?.label ?? '';
  const isThere = view.state.sliceDoc(Math.max(0, head - word.length), head) === word;
  if (chosen && isThere && (chosen.apply ?? word) === word) closeCompletion(view);
  return false;
}

/** Other folds of the text. */
export const setFolds = StateEffect.define<FoldAnswer>();

/** They move with the text, until the service gives others. */
const folds = StateField.define<FoldAnswer>({
  create: () => [],
  update: (known, { effects, docChanged, changes, newDoc }) => {
    for (const effect of effects)
      if (effect.is(setFolds)) return effect.value.filter(({ to }) => to <= newDoc.length);
    if (!docChanged) return known;
    return known.map((one) => ({
      ...one,
      from: changes.mapPos(one.from, 1),
      to: changes.mapPos(one.to, -1),
    }));
  },
});

/** Names that CodeMirror has for kinds. */
const kinds: Readonly<Record<string, string>> = {
  package: 'namespace',
  class: 'class',
  record: 'class',
  connector: 'interface',
  function: 'function',
  'built-in': 'function',
  type: 'type',
  constant: 'constant',
  literal: 'constant',
  parameter: 'property',
  attribute: 'property',
  argument: 'property',
  annotation: 'property',
  keyword: 'keyword',
  unit: 'text',
};

/** Characters of a documentation that are shown beside the pointer. */
const MOST = 600;

function hoverContent({
  code,
  text,
  kind,
  declaredIn,
  unit,
  displayUnit,
  value,
  documentation,
}: HoverAnswer): HTMLElement {
  const whole = documentation && (documentation.html ? htmlToText(documentation.text) : documentation.text);
  const facts = [
    value !== undefined && `${texts.hoverValue} ${value}`,
    unit !== undefined && `${texts.hoverUnit} ${unit}`,
    displayUnit !== undefined && `${texts.hoverShownIn} ${displayUnit}`,
    declaredIn !== undefined && `${texts.hoverDeclaredIn} ${declaredIn}`,
  ].filter((fact) => fact !== false);
  return make(
    'div',
    { class: 'cm-hover' },
    make('pre', {}, code),
    text !== '' && make('p', {}, marked(text)),
    make('p', { class: 'cm-hover-facts' }, [kind, ...facts].join(' · ')),
    whole !== undefined &&
      make('p', { class: 'cm-hover-text' }, whole.length > MOST ? `${whole.slice(0, MOST)} …` : whole),
  );
}
