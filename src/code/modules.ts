/**
 * Modules of WebAssembly, known by the bytes that they are made of. Whatever makes the same code in a program, be it another run, another
 * simulation or another model, shares the module. Modules can be sent to other threads (they are no objects of one thread, unlike
 * memories and instances): `compiledCode` gives them all, `useCode` takes them over.
 *
 * Bytes are known by their number and a hash of 64 bits (FNV-1a, two lanes of 32 bits with different bases).
 */
import { Failure } from '../diagnostic/failure.ts';

/** Modules by the hash of their bytes; a thread can send them to another one. */
export type CompiledCode = ReadonlyMap<string, WebAssembly.Module>;

/** Bytes of all modules that are kept; those that were not used for longest go first. */
const mostBytes = 2 ** 26;

const kept = new Map<string, WebAssembly.Module>();
let bytesKept = 0;

/** The module of these bytes; it is compiled where there is none yet. */
export function moduleOf(bytes: Uint8Array): WebAssembly.Module {
  const key = keyOf(bytes);
  const module = kept.get(key) ?? compiled(bytes);
  keep(key, module);
  return module;
}

/** Engines have limits of their own: 1000 parameters of a function, 50,000 local variables. */
function compiled(bytes: Uint8Array): WebAssembly.Module {
  try {
    return new WebAssembly.Module(bytes as Uint8Array<ArrayBuffer>);
  } catch (problem) {
    if (
      !(problem instanceof WebAssembly.CompileError && /exceeds|limit|too (large|many)/.test(problem.message))
    )
      throw problem;
    const message = `A function of this model is too large for WebAssembly: ${problem.message}.`;
    throw Failure.of('translate', 'limit-exceeded', message, {
      hint: 'Each scalar that a function is given, fields of records included, is a parameter of its code, of which there can be 1000. Give it arrays.',
    });
  }
}

/** All modules that are kept. */
export function compiledCode(): CompiledCode {
  return new Map(kept);
}

/** Takes modules over that another thread has compiled. */
export function useCode(code: CompiledCode): void {
  for (const [key, module] of code) if (!kept.has(key)) keep(key, module);
}

/** Lets all modules go that nothing uses. */
export function forgetCode(): void {
  kept.clear();
  bytesKept = 0;
}

function keep(key: string, module: WebAssembly.Module): void {
  if (kept.delete(key)) bytesKept -= sizeOf(key);
  kept.set(key, module);
  bytesKept += sizeOf(key);
  for (const oldest of kept.keys()) {
    if (bytesKept <= mostBytes || oldest === key) return;
    kept.delete(oldest);
    bytesKept -= sizeOf(oldest);
  }
}

const sizeOf = (key: string): number => Number.parseInt(key, 36);

function keyOf(bytes: Uint8Array): string {
  let [a, b] = [0x811c9dc5, 0x9e3779b9];
  for (let k = 0; k < bytes.length; k++) {
    a = Math.imul(a ^ bytes[k]!, 0x01000193);
    b = Math.imul(b ^ bytes[k]!, 0x01000193) + k;
  }
  return `${bytes.length.toString(36)} ${(a >>> 0).toString(36)} ${(b >>> 0).toString(36)}`;
}
