/** The figures of a model's own: diagrams that it describes, to be shown in place of those that are suggested. */
import type { FigureReport } from '../../protocol.ts';
import { fill, make } from '../dom.ts';
import type { DiagramSpec, Store } from '../store.ts';
import { texts } from '../texts.ts';

/** Diagrams of a figure. */
export const diagramsOf = ({ plots }: FigureReport): DiagramSpec[] =>
  plots
    .filter(({ curves }) => curves.length > 0)
    .map(({ title, curves, over }, id) => ({
      id,
      ...(over !== undefined && { over }),
      signals: curves.map(({ name }) => name),
      title,
      legends: Object.fromEntries(
        curves.filter(({ legend }) => legend !== '').map(({ name, legend }) => [name, legend]),
      ),
    }));

/** A choice among them; nothing is seen where the model has none. */
export function figureChoice(store: Store): HTMLElement {
  const select = make('select', { class: 'figures', 'aria-label': texts.figures, title: texts.figures });
  select.addEventListener('change', () => {
    const figure = store.report.now?.figures[Number(select.value)];
    select.value = '';
    if (!figure) return;
    store.isSuggested.set(false);
    store.diagrams.set(diagramsOf(figure));
    if (figure.missing.length > 0)
      store.notify({ text: texts.figurePartly(figure.title, figure.missing), severity: 'info' });
  });
  store.report.watch((report) => {
    const figures = report?.figures ?? [];
    select.hidden = figures.length === 0;
    fill(
      select,
      make('option', { value: '' }, texts.figures),
      ...figures.map(({ title }, k) => make('option', { value: k }, title || texts.figure(k + 1))),
    );
  });
  return select;
}
