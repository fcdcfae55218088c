/** Light or dark: what the system says, until a person chooses. */
import { iconButton } from './dom.ts';
import { keep, kept } from './layout.ts';
import type { Store } from './store.ts';
import { texts } from './texts.ts';

export function themeButton(store: Store): HTMLButtonElement {
  const preference = matchMedia('(prefers-color-scheme: dark)');
  const before = kept('theme');
  if (before === 'light' || before === 'dark') store.theme.set(before);
  const apply = (): void => {
    const wanted = store.theme.now;
    const isDark = wanted === undefined ? preference.matches : wanted === 'dark';
    document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
    store.isDark.set(isDark);
  };
  preference.addEventListener('change', apply);
  store.theme.watch(apply);
  return iconButton('theme', texts.theme, () => {
    const next = store.isDark.now ? 'light' : 'dark';
    store.theme.set(next);
    keep('theme', next);
  });
}
