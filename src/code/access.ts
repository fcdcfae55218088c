/** Functions of WebAssembly that read and write doubles of a memory, for code that has another memory of its own. */
import { remember } from '../collections/memo.ts';
import { Body, f64, i32, ModuleBuilder, op } from './encoder.ts';
import type { Memory } from './memory.ts';
import { moduleOf } from './modules.ts';

export interface Access {
  readonly get: (address: number) => number;
  readonly set: (address: number, value: number) => void;
}

let bytes: Uint8Array | undefined;

function encode(): Uint8Array {
  const module = new ModuleBuilder('mutabor');
  const body = new Body();
  module.importMemory('memory', 'doubles');
  const get = module.declare('get', [i32], [f64]);
  body.reset(1);
  body.opIndex(op.localGet, 0);
  body.load(0);
  module.define(body);
  const set = module.declare('set', [i32, f64], []);
  body.reset(2);
  body.opIndex(op.localGet, 0);
  body.opIndex(op.localGet, 1);
  body.store(0);
  module.define(body);
  module.exportFunction('get', get);
  module.exportFunction('set', set);
  return module.encode();
}

const known = new WeakMap<Memory, Access>();

export function accessTo(memory: Memory): Access {
  return remember(known, memory, () => {
    bytes ??= encode();
    const instance = new WebAssembly.Instance(moduleOf(bytes), { memory: { doubles: memory.wasm } });
    return instance.exports as unknown as Access;
  });
}
