/** The classes of a model, what names in them mean, and the tree of its instances. */
export {
  type EvaluateOptions,
  type Evaluation,
  evaluate,
  evaluateBound,
  evaluateVariable,
} from './evaluate.ts';
export { unknownName } from './evaluator.ts';
export type * from './instance.ts';
export { type InstantiateOptions, type Instantiation, instantiate, type Override } from './instantiate.ts';
export { type Entry, type FileSystem, Library } from './library.ts';
export { resolve, resolveClass } from './lookup.ts';
export type { ArrayValue, RecordValue, Value } from './value.ts';
