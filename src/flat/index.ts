/** The public face of flattening. */
export { checkBalance, countScalars, type ScalarCounts } from './balance.ts';
export * from './flat.ts';
export { type Flattening, flatten } from './flatten.ts';
export { namesOf } from './names.ts';
export { equationLines } from './print.ts';
export { exprText, type NameTable } from './text.ts';
export { printFlat } from './write.ts';
