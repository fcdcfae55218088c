/**
 * Compiles the inner loops of solvers (`src/solve/kernels`, in AssemblyScript) to WebAssembly, and writes that as a module of the sources: `npm run kernels`, after any change
 * of them. So neither the build nor tests need the compiler; a test says where the module is not that of the sources.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const solve = new URL('../src/solve/', import.meta.url);

/** A hash of all sources of the kernels. */
export function digestOfKernels() {
  const folder = new URL('kernels/', solve);
  const hash = createHash('sha256');
  for (const name of readdirSync(folder).sort())
    hash.update(name).update(readFileSync(new URL(name, folder)));
  return hash.digest('hex');
}

async function compile() {
  const { default: asc } = await import('assemblyscript/asc');
  const main = fileURLToPath(new URL('kernels/index.ts', solve));
  const options = [
    '-O3',
    '--noAssert',
    '--runtime',
    'stub',
    '--importMemory',
    '--exportTable',
    '--use',
    'abort=',
  ];
  let bytes;
  const { error, stderr } = await asc.main([main, '--outFile', 'kernels.wasm', ...options], {
    writeFile: (_, contents) => {
      bytes = contents;
    },
  });
  if (error) throw new Error(`${error.message}\n${stderr}`);
  return bytes;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const code = Buffer.from(await compile()).toString('base64');
  const lines = [
    '/** The kernels of `src/solve/kernels` as WebAssembly; `npm run kernels` writes this. */',
    `export const kernelDigest = '${digestOfKernels()}';`,
    `export const kernelCode =\n  '${code}';`,
  ];
  writeFileSync(new URL('kernelcode.ts', solve), `${lines.join('\n')}\n`);
}
