/** The attributes of a variable that nobody declared: the engine's own, those of operators on clocks, those of exported texts. */
import type { FlatVariable } from '../flat.ts';

export const blank: FlatVariable = {
  name: '',
  type: 'Real',
  dims: [],
  variability: 'continuous',
  causality: 'local',
  flow: false,
  unit: '',
  displayUnit: '',
  quantity: '',
  description: '',
  start: undefined,
  fixed: undefined,
  min: undefined,
  max: undefined,
  nominal: undefined,
  stateSelect: 'default',
  binding: undefined,
  hidden: false,
  structural: false,
  guard: [],
  origin: { span: undefined, component: '' },
};
