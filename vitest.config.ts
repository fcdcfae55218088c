import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vitest/config';
import { moduleOf } from './build/models.mjs';
import { scriptModule } from './build/page.mjs';

const source = fileURLToPath(new URL('src', import.meta.url));

/** The texts of the own libraries as they are now, not as they were when the package was built. */
const models: Plugin = {
  name: 'models',
  enforce: 'pre',
  resolveId: (id) => (id === '#models' ? '\0models' : undefined),
  load: (id) => (id === '\0models' ? moduleOf() : undefined),
};

export default defineConfig({
  // The examples import the package; in tests it is its sources.
  resolve: {
    alias: [
      { find: /^mutabor$/, replacement: `${source}/index.ts` },
      { find: /^mutabor\/results$/, replacement: `${source}/results.ts` },
    ],
  },
  plugins: [
    models,
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
