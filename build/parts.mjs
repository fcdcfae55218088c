/**
 * Joins a script for workers so that some of its code comes later: what it imports by `import()` stands in a script of its own, `late.js`, and so do other modules that it
 * asks for by `mutaborPart(name)`. Scripts are classic ones, since pages from the disk can load no others; each keeps its parts as functions:
 *
 *     mutaborParts     the parts that are there, by name: functions of `require`, `module` and `exports`
 *     mutaborPart      what a part exports; one that is not there is loaded, at once
 *     mutaborBegin     defines that, and runs the first part. A script in a worker does so by itself. A page that may not make workers of scripts (`file:`) loads all of
 *                      them and makes one of the texts of these functions
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, transform } from 'esbuild';

/** Builds one entry point into a folder, and modules by the names of their scripts. */
export async function buildParts(options, target, modules) {
  const [entry] = Object.keys(options.entryPoints);
  const { outputFiles, metafile } = await build({
    ...options,
    banner: undefined,
    outdir: target,
    write: false,
    metafile: true,
    splitting: true,
    format: 'esm',
    chunkNames: '[name]',
  });
  const texts = new Map(outputFiles.map(({ path, text }) => [nameOf(path), text]));
  const imports = new Map(
    Object.entries(metafile.outputs).map(([path, output]) => [nameOf(path), output.imports]),
  );
  const first = reached(`${entry}.js`, imports);
  const late = [...texts.keys()].filter((name) => !first.has(name));
  const partsOf = (names) => Promise.all([...names].map((name) => partOf(name, texts.get(name))));
  const begin = `globalThis.mutaborBegin=${beginning(`${entry}.js`)};typeof document==="undefined"&&mutaborBegin();`;
  writeFileSync(join(target, `${entry}.js`), [...(await partsOf(first)), begin, ''].join('\n'));
  writeFileSync(join(target, 'late.js'), [...(await partsOf(late)), ''].join('\n'));
  for (const [name, text] of Object.entries(modules))
    writeFileSync(join(target, name), `${await partOf(name, text)}\n`);
}

const nameOf = (path) => path.replace(/^.*[\\/]/, '');

/** A part and all that it imports at once. */
function reached(name, imports, found = new Set()) {
  if (found.has(name)) return found;
  found.add(name);
  for (const { path, kind } of imports.get(name))
    if (kind === 'import-statement') reached(nameOf(path), imports, found);
  return found;
}

/** A script that keeps a module as a function. */
async function partOf(name, text) {
  const { code } = await transform(text, {
    format: 'cjs',
    minify: true,
    target: 'es2022',
    charset: 'utf8',
    supported: { 'dynamic-import': false },
  });
  return `(globalThis.mutaborParts??={})[${JSON.stringify(name)}]=function(require,module,exports){${code.trimEnd()}};`;
}

/** The text of a function that needs nothing from around it. */
const beginning = (entry) => `function(){
const made={};
const part=globalThis.mutaborPart=(path)=>{
const name=path.replace("./","");
if(!made[name]){
if(!mutaborParts[name])importScripts(name);
const module=made[name]={exports:{}};
mutaborParts[name](part,module,module.exports);
}
return made[name].exports;
};
part(${JSON.stringify(entry)});
}`;
