/**
 * The script of pages: `page.ts` and all that it imports, as one text. It is put here where the package is built (`build/page.mjs`) or tested
 * (`vitest.config.ts`); the sources themselves have none.
 */
export const pageScript: string = '';
