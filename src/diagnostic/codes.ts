/**
 * The catalogue of diagnostic codes: one row a kind of problem. `docs/reference/diagnostics.md` lists the same
 * codes with examples; a test keeps the two together.
 */
export const diagnosticCodes = {
  // syntax
  'syntax-error': 'The text does not follow the Modelica grammar.',
  unterminated: 'A string, comment or quoted identifier is not closed.',
  'bad-character': 'A character that cannot stand in Modelica text.',
  'end-name-mismatch': 'The name after `end` differs from the name of the class.',
  // names, types, classes
  'unknown-name': 'A name that is not declared where it is used.',
  'unknown-class': 'A class that cannot be found.',
  'unknown-modifier': 'A modifier names something that the modified class does not have.',
  'duplicate-name': 'A name is declared twice in one class.',
  unsupported: 'A construct of the language that this version does not handle.',
  'type-mismatch': 'An expression has a type that cannot stand where it is used.',
  'dimension-mismatch': 'Array sizes that do not fit each other.',
  'bad-subscript': 'A subscript outside its array, or too many subscripts.',
  variability: 'A value that may change is used where a constant or parameter is needed.',
  'clock-conflict': 'Clocked equations without a clock, with several clocks, or mixed with continuous time.',
  'not-a-connector': 'An argument of connect is not a connector.',
  'connector-mismatch': 'Two connected connectors have different contents.',
  'bad-call': 'A function is called with wrong arguments.',
  'no-value': 'A parameter or constant has no value.',
  'cyclic-definition': 'Something is defined in terms of itself.',
  'bad-binding': 'A declaration equation that cannot be used.',
  'bad-unit': 'A unit that is not written as units are.',
  'unit-mismatch': 'Units that do not fit in an equation, a value or a call.',
  'limit-exceeded': 'A limit that protects against endless or exploding input was reached.',
  // structure
  unbalanced: 'Numbers of equations and variables differ.',
  'structurally-singular': 'The equations cannot determine the variables, whatever their values.',
  floating: 'Nothing determines the potentials of a part of the model.',
  'state-constraint': 'Variables with stateSelect=always are algebraically constrained.',
  'multi-mode': 'The model changes its structure, but only one structure is allowed.',
  'not-exportable': 'The model does something that cannot be written for other tools.',
  'not-differentiable': 'An equation must be differentiated but cannot be.',
  'translated-again': 'The values of a run need another structure than those of runs before.',
  'component-equations': 'A built-in component is used with its equations instead of its code.',
  // running
  'bad-evaluation': 'Division by zero or a function outside its domain.',
  'index-out-of-range': 'A subscript computed at run time lies outside its array.',
  'initialisation-failed': 'No consistent initial values were found.',
  'initial-overdetermined': 'There are more initial conditions than states.',
  'initial-underdetermined': 'Initial conditions are missing; start values are used.',
  'not-converged': 'An algebraic system could not be solved.',
  'singular-system': 'An algebraic system is singular at the current values.',
  'step-too-small': 'The integrator needs smaller steps than the computer can represent.',
  'event-cycle': 'Event iteration does not settle.',
  zeno: 'Events accumulate at one point in time.',
  'impossible-change': 'What happens at an event contradicts the equations of the mode after it.',
  impulse: 'An event causes an impulse that enters an equation nonlinearly.',
  assertion: 'An assert of the model was violated.',
  'out-of-bounds': 'A value lies outside the declared `min` and `max`.',
  component: 'The code of a built-in component failed or broke its contract.',
  audit: 'The results of a run contradict the equations of the model.',
  'several-modes': 'Of several modes that are consistent, the run is in one.',
  terminated: 'The model ended the simulation.',
  interrupted: 'The run was stopped from outside.',
  // files and command line
  'file-not-found': 'A file or folder does not exist or cannot be read.',
  'bad-file': 'A file of results that cannot be understood.',
  'bad-option': 'The command line, or an option of a run, is wrong.',
  'no-model': 'There is no model to work on.',
  internal: 'An error in Mutabor itself.',
} as const satisfies Record<string, string>;

export type DiagnosticCode = keyof typeof diagnosticCodes;
