import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { scriptModule } from './build/page.mjs';

const source = fileURLToPath(new URL('src', import.meta.url));

export default defineConfig({
  // The examples import the package; in tests it is its sources.
  resolve: {
    alias: [{ find: /^mutabor$/, replacement: `${source}/index.ts` }],
  },
  plugins: [
    {
      name: 'page-script',
      load: (id) => (id.endsWith('/src/results/plot/script.ts') ? scriptModule(source) : undefined),
    },
  ],
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/setup.ts'],
    testTimeout: 60_000,
  },
});
