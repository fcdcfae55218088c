/** The classes of a model, what names in them mean, and the tree of its instances. */

export type { FileSystem, FolderEntry } from './classes/files.ts';
export { resolve } from './classes/lookup.ts';
export type * from './instance.ts';
export { type Instantiation, type InstantiationLimits, instantiate } from './instances/instantiate.ts';
export type { Override } from './instances/outside.ts';
export { Library } from './library.ts';
export type { Value } from './value.ts';
export { evaluate } from './values/evaluate.ts';
