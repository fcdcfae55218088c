/** The public face of flattening. */
export { checkBalance, countScalars, type ScalarCounts } from './balance.ts';
export { exprText, type NameTable } from './core/text.ts';
export * from './flat.ts';
export { type Flattening, flatten } from './flatten.ts';
export { printFlat } from './print/class.ts';
export { equationLines } from './print/equations.ts';
export { namesOf } from './print/names.ts';
