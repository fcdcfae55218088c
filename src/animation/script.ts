/**
 * The script of pages that play animations: `player/page.ts` and all that it imports, three.js among it, as one text. It is put here where the package is
 * built (`build/page.mjs`) or tested (`vitest.config.ts`); the sources themselves have none.
 */
export const pageScript: string = '';
