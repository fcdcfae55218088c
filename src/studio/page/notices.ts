/** What the studio has to say of itself, at the edge of the page until it is put away. */
import { fill, icon, iconButton, make, marked } from './dom.ts';
import type { Notice, Store } from './store.ts';
import { texts } from './texts.ts';

/** Milliseconds that mere information is shown for; warnings and errors stay, and so does what asks for a choice. */
const SHORT = 8000;

export function notices(store: Store): HTMLElement {
  const element = make('div', { class: 'notices', role: 'status', 'aria-live': 'polite' });
  const away = (notice: Notice): void => store.notices.set(store.notices.now.filter((one) => one !== notice));
  store.notices.follow((all, before) => {
    for (const notice of all)
      if (notice.severity === 'info' && !notice.actions && !before?.includes(notice))
        setTimeout(() => away(notice), SHORT);
  });
  store.notices.watch((all) =>
    fill(
      element,
      ...all.map((notice) =>
        make(
          'div',
          { class: `notice ${notice.severity}` },
          icon(notice.severity),
          make('p', {}, marked(notice.text)),
          ...(notice.actions ?? []).map(({ title, run }) =>
            make(
              'button',
              {
                type: 'button',
                class: 'plain small',
                on: {
                  click: () => {
                    away(notice);
                    run();
                  },
                },
              },
              title,
            ),
          ),
          iconButton('remove', texts.close, () => away(notice), { class: 'tool small quiet' }),
        ),
      ),
    ),
  );
  return element;
}
