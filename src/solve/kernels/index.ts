/** All that the host calls. */
export {
  abandonBdf,
  bdfBytes,
  bdfState,
  bdfStateLength,
  easySteps,
  expectStiff,
  guessBdf,
  interpolateBdf,
  newBdf,
  runBdf,
  setEasySteps,
  setMatrix,
  startBdf,
  stepBdf,
} from './bdf';
export { factorDense, solveDense } from './dense';
export { factorLinear, factorSparse, solveLinear } from './linear';
export { factorMatrix, normOf } from './matrix';
export {
  correctPast,
  evaluatePast,
  lowerPast,
  newNordsieck,
  nordsieckBytes,
  nordsieckRow,
  predictPast,
  raisePast,
  rescalePast,
  retreatPast,
  setCoefficients,
  startPast,
} from './nordsieck';
export {
  expectStiffness,
  forgetStiffness,
  interpolatePair,
  newPair,
  pairBytes,
  pairState,
  pairStateLength,
  pairY,
  runPair,
  startPair,
  stepPair,
} from './rk';
export {
  absoluteOf,
  betweenOf,
  countsOf,
  newSystem,
  setDirect,
  systemBytes,
  weightsOf,
  worstOf,
} from './system';
