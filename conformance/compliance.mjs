// The cases of Modelica-Compliance: models that must run without a failed assertion, and models that must be rejected.
import { readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { filesBelow } from './files.mjs';
import { runAll } from './pool.mjs';

/** So long may one case take. */
const SECONDS = 60;

export async function compliance(folder, wanted) {
  const cases = (await casesIn(folder)).filter(({ name }) => wanted(name));
  const jobs = cases.map(({ model }) => ({ kind: 'run', name: model, roots: [folder] }));
  const reports = await runAll(jobs, SECONDS);
  return cases.map((test, i) => ({ ...test, ...outcome(test, reports[i]) }));
}

/** A case passes, or it is known by what came instead: the code of a message, or that there was none. */
function outcome({ shouldPass }, { code, message }) {
  const rejected = code !== undefined;
  const fault = ['crash', 'timeout'].includes(code);
  const passed = shouldPass ? !rejected : rejected && !fault && code !== 'unsupported';
  return { passed, outcome: shouldPass && passed ? 'runs' : (code ?? 'accepted'), message };
}

/** Every case stands in a file of its own, with an annotation that says what must become of it. */
async function casesIn(folder) {
  const files = (await filesBelow(join(folder, 'ModelicaCompliance'))).filter((file) => file.endsWith('.mo'));
  const found = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(file, 'utf8');
      const test = /TestCase\s*\(\s*shouldPass\s*=\s*(true|false)(?:\s*,\s*section\s*=\s*\{([^}]*)\})?/.exec(
        text,
      );
      const name = relative(folder, file).replace(/\.mo$/, '').split(sep).join('.');
      if (!test || name.endsWith('.Template')) return [];
      const sections = [...(test[2] ?? '').matchAll(/"([^"]*)"/g)].map((match) => match[1]);
      // A name that cannot be one of a file stands in a package of its own.
      const quoted = /^package[\s\S]*?^\s*model\s+('(?:\\.|[^'\\])*')/m.exec(text);
      const model = quoted ? `${name}.${quoted[1]}` : name;
      return [{ name, model, shouldPass: test[1] === 'true', sections, group: name.split('.')[1] }];
    }),
  );
  return found.flat().sort((a, b) => (a.name < b.name ? -1 : 1));
}
