/** The public face of flattening. */
export { checkBalance, countScalars, type ScalarCounts } from './balance.ts';
export * from './flat.ts';
export { type Flattening, flatten } from './flatten.ts';
export { equationLines, namesOf, printFlat } from './print.ts';
export { exprText, type NameTable } from './text.ts';
