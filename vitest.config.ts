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

const all = ['test/**/*.test.ts'];

/** Laws that try many random models, which takes long: `npm test` leaves them to `npm run test:all`. */
const laws = [
  'test/**/{random,random.*}.test.ts',
  'test/behaviour/printed.test.ts',
  'test/{fuzz,syntax}/fuzz.test.ts',
  'test/simulate/{settling,kept}.test.ts',
  'test/{bodies,simulate}/state.test.ts',
  'test/symbolic/enclosure.test.ts',
  'test/audit/{allowed,falsified}.test.ts',
];

/** Tests that look at the state of modules, or change that of the process: each file has a process of its own. */
const fresh = [
  'test/code/{memory,modules,shared}.test.ts',
  'test/behaviour/{browser,hostile}.test.ts',
  'test/api/errors.test.ts',
  'test/cli/{bin,lsp,package}.test.ts',
];

/** Tests that send signals at certain moments, or measure how soon they are heard: nothing else runs beside them. */
const alone = ['test/cli/bin.test.ts', 'test/simulate/interrupt.test.ts'];

/** Tests that drive a browser as a person does: without computations beside them, and tried twice, since a browser may lose a key or a frame. */
const driven = ['test/studio/*.test.ts'];

export default defineConfig(({ mode }) => ({
  // The examples import the package; in tests it is its sources.
  resolve: {
    alias: [
      { find: /^mutabor$/, replacement: `${source}/index.ts` },
      { find: /^mutabor\/actions$/, replacement: `${source}/actions.ts` },
      { find: /^mutabor\/animation$/, replacement: `${source}/animation.ts` },
      { find: /^mutabor\/bodies$/, replacement: `${source}/bodies.ts` },
      { find: /^mutabor\/results$/, replacement: `${source}/results.ts` },
    ],
  },
  plugins: [
    models,
    {
      name: 'page-script',
      load: (id) => scriptModule(source, id),
    },
  ],
  test: {
    setupFiles: ['test/setup.ts'],
    testTimeout: 120_000,
    // By default one core is left idle: half of a machine with two.
    maxWorkers: '100%',
    projects: [
      {
        extends: true,
        mode,
        test: {
          name: 'unit',
          include: all,
          exclude: [...laws, ...fresh, ...alone, ...driven],
          isolate: false,
        },
      },
      { extends: true, mode, test: { name: 'laws', include: laws, isolate: false } },
      { extends: true, mode, test: { name: 'fresh', include: fresh, exclude: alone } },
      {
        extends: true,
        mode,
        test: { name: 'alone', include: alone, fileParallelism: false, sequence: { groupOrder: 1 } },
      },
      {
        extends: true,
        mode,
        test: { name: 'driven', include: driven, isolate: false, retry: 1, sequence: { groupOrder: 2 } },
      },
    ],
  },
}));
