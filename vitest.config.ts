import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vitest/config';
import { moduleOf } from './build/models.mjs';

/** The texts of the own libraries as they are now, not as they were when the package was built. */
const models: Plugin = {
  name: 'models',
  enforce: 'pre',
  resolveId: (id) => (id === '#models' ? '\0models' : undefined),
  load: (id) => (id === '\0models' ? moduleOf() : undefined),
};

export default defineConfig({
  plugins: [models],
  // The examples import the package; in tests it is its sources.
  resolve: {
    alias: [{ find: /^mutabor$/, replacement: fileURLToPath(new URL('src/index.ts', import.meta.url)) }],
  },
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/setup.ts'],
    testTimeout: 60_000,
  },
});
