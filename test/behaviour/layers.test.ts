/** The direction of imports: a stage may use the stages before it and what lies underneath, never those after it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = new URL('../../src/', import.meta.url).pathname;

/** What all may import. */
const common = new Set(['collections', 'diagnostic']);

/** What each folder may import besides itself and what is common. */
const allowed: Record<string, readonly string[]> = {
  actions: ['builtin'],
  bodies: ['builtin', 'names'],
  builtin: [],
  collections: [],
  names: [],
  paint: [],
  diagnostic: [],
  diagram: ['model', 'names', 'paint', 'syntax', 'units'],
  symbolic: ['names'],
  externals: ['symbolic'],
  solve: [],
  results: ['names', 'paint', 'units'],
  animation: ['bodies', 'builtin', 'paint', 'results'],
  syntax: [],
  units: [],
  model: ['names', 'symbolic', 'syntax'],
  flat: ['builtin', 'model', 'names', 'syntax', 'symbolic', 'units'],
  modes: ['builtin', 'flat', 'symbolic', 'structure'],
  structure: ['symbolic'],
  audit: ['flat', 'results', 'symbolic'],
  code: ['symbolic', 'structure'],
  fields: ['builtin', 'flat', 'structure', 'code', 'symbolic'],
  program: [
    'builtin',
    'fields',
    'flat',
    'modes',
    'names',
    'structure',
    'code',
    'solve',
    'results',
    'symbolic',
  ],
  simulate: [
    'externals',
    'names',
    'builtin',
    'audit',
    'fields',
    'flat',
    'modes',
    'structure',
    'code',
    'program',
    'solve',
    'results',
    'symbolic',
  ],
  export: ['flat', 'modes', 'structure', 'program', 'simulate', 'symbolic'],
  api: ['builtin', 'names', 'syntax', 'symbolic', 'model', 'units'],
  language: ['flat', 'load.ts', 'model', 'names', 'simulate', 'symbolic', 'syntax', 'units'],
  'load.ts': ['api', 'bodies', 'builtin', 'externals', 'names', 'syntax', 'symbolic', 'model', 'flat'],
  'merge.ts': ['api', 'flat', 'model', 'names', 'program', 'simulate', 'symbolic', 'syntax'],
  'instantiate.ts': ['api', 'builtin', 'load.ts', 'merge.ts', 'flat', 'model', 'program', 'simulate'],
  'index.ts': [
    'api',
    'builtin',
    'load.ts',
    'merge.ts',
    'instantiate.ts',
    'audit',
    'syntax',
    'model',
    'flat',
    'simulate',
    'export',
    'results.ts',
  ],
  'actions.ts': ['actions', 'api', 'bodies.ts'],
  'animation.ts': ['animation'],
  'bodies.ts': ['api'],
  'results.ts': ['results'],
  studio: [
    'animation',
    'api',
    'diagram',
    'flat',
    'instantiate.ts',
    'language',
    'model',
    'names',
    'paint',
    'results',
    'simulate',
    'solve',
    'syntax',
    'units',
  ],
  cli: [
    'animation',
    'diagram',
    'instantiate.ts',
    'index.ts',
    'language',
    'load.ts',
    'api',
    'audit',
    'builtin',
    'syntax',
    'model',
    'flat',
    'simulate',
    'export',
    'names',
    'results',
    'units',
  ],
};

/**
 * The rooms of the divided folders, lowest first. A name is a subfolder, `x.ts` a file of the folder itself; those of one line stand side by
 * side. A file may import what stands in its own line and in those before it.
 */
const rooms: Record<string, readonly string[]> = {
  flat: [
    'flat.ts walk.ts rationals.ts',
    'core',
    'expressions',
    'connections',
    'behaviour',
    'clocks',
    'print',
    'units',
    'attributes.ts experiment.ts cycles.ts local.ts balance.ts unconnected.ts driven.ts open.ts whole.ts uniformity.ts flatten.ts index.ts',
  ],
  fields: ['elements', 'sorting', 'field.ts', 'cut', 'code', 'run', 'index.ts'],
  program: [
    'evaluation.ts wording.ts facts.ts store.ts parameters.ts repeated.ts ticks.ts aliases.ts onestructure.ts',
    'components',
    'runtime.ts',
    'systems.ts written.ts ready.ts explain.ts steady.ts',
    'values',
    'machines',
    'mode',
    'cache.ts translation.ts',
  ],
  simulate: [
    'names',
    'builtin',
    'types.ts settings.ts counters.ts equations.ts',
    'instant',
    'run',
    'begun.ts signature.ts structure.ts collection.ts journey.ts check.ts survey.ts visuals.ts drive.ts linear.ts session.ts index.ts',
  ],
  model: [
    'instance.ts predefined.ts value.ts',
    'classes',
    'types',
    'values',
    'instances',
    'library.ts index.ts',
  ],
  structure: [
    'graph',
    'analysis.ts numbering.ts decisions.ts nonzero.ts',
    'linear',
    'peel.ts pivot.ts judge.ts alias.ts apart.ts lasting.ts zeros.ts signs.ts oneway.ts loose.ts reduce.ts substitutes.ts states.ts sort.ts explain.ts mode.ts',
    'jumps',
  ],
  results: ['table', 'files', 'plot', 'compare'],
  studio: ['form.ts protocol.ts rpc.ts series.ts trace.ts', 'link.ts', 'worker', 'page'],
  diagram: [
    'geometry.ts items.ts font.ts',
    'shapes.ts outline.ts layered.ts route.ts automatic.ts',
    'values.ts view.ts read.ts layer.ts macros.ts pictures.ts',
    'draw.ts connectors.ts icon.ts machines.ts transition.ts content.ts ends.ts',
    'diagram.ts chart.ts svg.ts png.ts',
    'edit',
  ],
  animation: [
    'animation.ts color.ts framing.ts glb.ts html.ts letters.ts links.ts pack.ts pool.ts recorded.ts scene.ts script.ts solids.ts spin.ts style.ts surfaces.ts track.ts turning.ts view.ts visuals.ts',
    'player',
  ],
};

/** Folders in which files may need each other: those that follow rules which contain each other. */
const recursive: Record<string, string> = {
  'flat/expressions': 'expressions have expressions in their subscripts, arguments, iterators and functions',
  'flat/behaviour': 'equations stand in equations',
  'model/classes': 'names are found in inherited elements, which names lead to',
  'model/values': 'values of calls are values of expressions',
  api: 'types of models are made of types of models',
  symbolic: 'what the pool builds is simplified by what it builds',
  syntax: 'the rules of the grammar',
};

/** Node's own modules may be used by the command line only. */
const mayUseNode = new Set(['cli']);
/** The texts of the own libraries, which the build makes a module of. */
const ownTexts = '#models';
/** The script of pages that play animations draws with three, which is joined into it; nothing else of the core leads to these files. */
const isDrawn = ({ file, target }: Import): boolean =>
  file.startsWith('animation/player/') && /^three($|\/)/.test(target);

/** The page of the studio is made with packages, which are joined into it. */
const isPage = ({ file }: Import): boolean => file.startsWith('studio/page/');

interface Import {
  readonly file: string;
  readonly target: string;
}

const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.split('\\').join('/'));

const imports = files.flatMap((file): Import[] => {
  const text = readFileSync(join(root, file), 'utf8');
  const targets = text.matchAll(
    /^(?:import|export)\s[^;]*?from\s+'([^']+)'|^import\s+'([^']+)'|\bimport\('([^']+)'\)/gm,
  );
  return [...targets].map((m) => ({ file, target: m[1] ?? m[2] ?? m[3]! }));
});

const folderOf = (path: string): string => path.split('/')[0]!;

/** Imports of own files, as paths below `src`. */
const links = imports
  .filter(({ target }) => target.startsWith('.'))
  .map(({ file, target }) => ({ file, target: posix.join(posix.dirname(file), target) }));

/** The line of `rooms` that a file stands in; -1 where it has none. */
function roomOf(path: string): number {
  const [folder, room] = path.split('/') as [string, string];
  return rooms[folder]!.findIndex((line) => line.split(' ').includes(room));
}

describe('imports', () => {
  test('every folder of src has a rule', () => {
    expect(files.length).toBeGreaterThan(50);
    expect([...new Set(files.map(folderOf))].filter((folder) => !(folder in allowed))).toEqual([]);
  });

  test('follow the picture of the architecture', () => {
    const wrong = imports.filter(({ file, target }) => {
      if (!target.startsWith('.')) return false;
      const from = folderOf(file);
      const to = folderOf(posix.join(posix.dirname(file), target));
      return to !== from && !common.has(to) && !allowed[from]!.includes(to);
    });
    expect(wrong).toEqual([]);
  });

  test('every file of a divided folder has a room', () => {
    expect(files.filter((file) => folderOf(file) in rooms && roomOf(file) < 0)).toEqual([]);
  });

  test('lead from room to room in one direction', () => {
    const wrong = links.filter(
      ({ file, target }) =>
        folderOf(file) in rooms && folderOf(target) === folderOf(file) && roomOf(target) > roomOf(file),
    );
    expect(wrong).toEqual([]);
  });

  test('make no cycles but where rules contain each other', () => {
    const wrong = cyclesOf(links).filter((cycle) => {
      const homes = new Set(cycle.map((file) => posix.dirname(file)));
      return homes.size > 1 || !([...homes][0]! in recursive);
    });
    expect(wrong).toEqual([]);
  });

  test('the core uses no module of Node and no package', () => {
    const wrong = imports.filter(
      (one) =>
        !one.target.startsWith('.') &&
        one.target !== ownTexts &&
        !isDrawn(one) &&
        !isPage(one) &&
        !mayUseNode.has(folderOf(one.file)),
    );
    expect(wrong).toEqual([]);
  });

  test('no code is made from text while running', () => {
    const wrong = files.filter((file) =>
      /\beval\s*\(|new\s+Function\s*\(/.test(readFileSync(join(root, file), 'utf8')),
    );
    expect(wrong).toEqual([]);
  });
});

/** Files that lead to each other: the strongly connected components with more than one member (Tarjan 1972). */
function cyclesOf(all: readonly Import[]): string[][] {
  const below = new Map<string, string[]>(files.map((file) => [file, []]));
  for (const { file, target } of all) below.get(file)!.push(target);
  const [index, low, stack, found] = [
    new Map<string, number>(),
    new Map<string, number>(),
    [] as string[],
    [] as string[][],
  ];
  const visit = (file: string): void => {
    const own = index.size;
    index.set(file, own);
    low.set(file, own);
    stack.push(file);
    for (const next of below.get(file) ?? []) {
      if (!index.has(next)) visit(next);
      if (stack.includes(next)) low.set(file, Math.min(low.get(file)!, low.get(next)!));
    }
    if (low.get(file) !== own) return;
    const cycle = stack.splice(stack.indexOf(file));
    if (cycle.length > 1) found.push(cycle.sort());
  };
  for (const file of files) if (!index.has(file)) visit(file);
  return found;
}
