/** What editors say of names that no text declares: built-in functions and operators, attributes of variables, annotations. */

export interface Explained {
  /** As it is called: `atan2(y, x)`; parameters that may be left out have a value. */
  readonly form: string;
  readonly text: string;
}

const table = (rows: string): ReadonlyMap<string, Explained> =>
  new Map(
    rows
      .trim()
      .split('\n')
      .map((row) => {
        const at = row.indexOf(': ');
        const form = row.slice(0, at).trim();
        return [form.replace(/[(=].*$/, '').trim(), { form, text: row.slice(at + 2).trim() }];
      }),
  );

/** Built-in functions and operators (Modelica 3.7, sections 3.7, 3.8, 9.4, 10.3, 16 and 17). */
export const builtins: ReadonlyMap<string, Explained> = table(`
  time: the independent variable, in seconds
  abs(v): absolute value
  sign(v): 1, 0 or -1, as the argument is positive, zero or negative
  sqrt(x): square root, of what is not negative
  sin(x): sine
  cos(x): cosine
  tan(x): tangent
  asin(x): inverse sine
  acos(x): inverse cosine
  atan(x): inverse tangent
  atan2(y, x): angle of the point (x, y), in the range from -pi to pi
  sinh(x): hyperbolic sine
  cosh(x): hyperbolic cosine
  tanh(x): hyperbolic tangent
  exp(x): exponential function, base e
  log(x): natural logarithm
  log10(x): logarithm to base 10
  floor(x): largest integer that is not greater, as Real; steps are events
  ceil(x): smallest integer that is not less, as Real; steps are events
  integer(x): largest Integer that is not greater; steps are events
  div(x, y): quotient without its fraction; steps are events
  mod(x, y): x - floor(x/y)*y
  rem(x, y): x - div(x, y)*y
  Integer(e): number of a literal of an enumeration
  String(x, minimumLength = 0, leftJustified = true, significantDigits = 6): a value as text
  der(x): derivative with respect to time
  pre(y): left limit of a discrete variable at an event
  edge(b): true where a Boolean becomes true: b and not pre(b)
  change(v): true where a discrete variable changes: v <> pre(v)
  reinit(x, expr): a state has another value after an event; in when-equations
  initial(): true while initial values are found
  terminal(): true at the end of a run
  sample(start, interval): true at times start + i*interval; sample(u, clock) takes the values of u at the ticks of a clock
  noEvent(expr): relations in it cause no events
  smooth(p, expr): the expression is p times continuously differentiable
  delay(expr, delayTime, delayMax): value of an expression some time ago
  spatialDistribution(in0, in1, x, positiveVelocity, initialPoints = {0, 1}, initialValues = {0, 0}): what is transported through a line
  homotopy(actual, simplified): the expression, and a simplified one to begin with
  semiLinear(x, k1, k2): k1*x where x is not negative, else k2*x
  assert(condition, message, level = AssertionLevel.error): the condition must hold
  terminate(message): ends the simulation
  connect(a, b): connects two connectors
  cardinality(c): number of connections of a connector; deprecated
  inStream(v): value of a stream variable that flows in
  actualStream(v): value of a stream variable that flows, in or out
  getInstanceName(): name of the instance in which it is called
  loadResource(uri): path of a file of a library
  rooted(r): deprecated form of Connections.rooted
  pure(f): call of an impure function whose result depends on its arguments alone
  ndims(A): number of dimensions
  size(A, i): size of dimension i, or without i all sizes
  scalar(A): the only element
  vector(A): all elements as a vector
  matrix(A): elements as a matrix
  identity(n): unit matrix
  diagonal(v): matrix with a vector on its diagonal
  zeros(n): array of zeros with sizes n, ...
  ones(n): array of ones with sizes n, ...
  fill(s, n): array of equal elements with sizes n, ...
  linspace(x1, x2, n): n equidistant values
  min(x, y): the smaller one, or the smallest element of an array
  max(x, y): the greater one, or the greatest element of an array
  sum(A): sum of all elements
  product(A): product of all elements
  transpose(A): first two dimensions exchanged
  outerProduct(v1, v2): matrix of products
  symmetric(A): matrix with the upper triangle below the diagonal as well
  cross(x, y): cross product of two vectors of size 3
  skew(x): matrix that a cross product with x is a product with
  cat(k, A): arrays one behind the other in dimension k
  promote(A, n): dimensions of size 1 are added
  array(a): array of its arguments
  Clock(intervalCounter, resolution = 1): a clock: Clock(), Clock(interval), Clock(condition, startInterval) or Clock(c, solverMethod)
  previous(u): value at the tick before
  hold(u): value of the last tick, in continuous time
  subSample(u, factor): every factor-th tick
  superSample(u, factor): factor ticks for each
  shiftSample(u, shiftCounter, resolution = 1): ticks later
  backSample(u, backCounter, resolution = 1): ticks earlier again
  noClock(u): clocks on both sides are not related
  interval(u): time since the tick before
  firstTick(u): true at the first tick
  transition(from, to, condition, immediate = true, reset = true, synchronize = false, priority = 1): transition of a state machine
  initialState(state): the state in which a state machine begins
  activeState(state): true while a state is active
  ticksInState(): ticks since the state was entered
  timeInState(): time since the state was entered
  Connections.branch(a, b): relation between two overdetermined connectors
  Connections.root(a): a definite root of the graph of connections
  Connections.potentialRoot(a, priority = 0): a possible root of the graph of connections
  Connections.isRoot(a): true where the connector is a root
  Connections.rooted(a): true where a is nearer to the root than the other end of its branch
  Connections.uniqueRoot(a, message = ""): a root of which there must not be two
  Connections.uniqueRootIndices(roots, nodes, message = ""): indices of roots that are unique
`);

/** Attributes of variables of predefined types (section 4.9). */
export const attributes: ReadonlyMap<string, Explained> = table(`
  quantity = "": kind of physical quantity
  unit = "": unit of values, as in the equations
  displayUnit = "": unit that values are shown in
  min = -1e100: least value that is allowed
  max = 1e100: greatest value that is allowed
  start = 0: initial value, or where its search begins
  fixed = false: whether start is an initial condition; true for parameters and constants
  nominal = 1: usual magnitude
  unbounded = false: whether errors may grow without limit
  stateSelect = StateSelect.default: whether it is chosen as a state
`);

/** Annotations, by the name of what they stand in; '' is the annotation itself (chapter 18). */
export const annotations: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    '': 'Documentation Icon Diagram Placement Line Dialog Evaluate HideResult choices choicesAllMatching experiment figures version versionDate versionBuild dateModified uses conversion preferredView DocumentationClass defaultComponentName defaultComponentPrefixes missingInnerMessage unassignedMessage absoluteValue Inline LateInline InlineAfterIndexReduction GenerateEvents smoothOrder derivative inverse Include Library IncludeDirectory LibraryDirectory Protection TestCase obsolete __Mutabor',
    experiment: 'StartTime StopTime Interval Tolerance',
    Documentation: 'info revisions figures',
    Icon: 'coordinateSystem graphics',
    Diagram: 'coordinateSystem graphics',
    coordinateSystem: 'extent preserveAspectRatio initialScale grid',
    Placement: 'visible transformation iconVisible iconTransformation',
    transformation: 'extent rotation origin',
    iconTransformation: 'extent rotation origin',
    Line: 'visible origin rotation points color pattern thickness arrow arrowSize smooth',
    Dialog:
      'tab group enable showStartAttribute colorSelector loadSelector saveSelector groupImage connectorSizing',
    __Mutabor: 'builtIn uniform instead conserved dissipated potential',
  }).map(([name, list]) => [name, list.split(' ')]),
);

/** The parameters of a form, `atan2(y, x)`: names, with the values that they have where they are left out. */
export function parametersOf(form: string): readonly { readonly name: string; readonly text: string }[] {
  const inside = /\((.*)\)$/.exec(form)?.[1] ?? '';
  return (inside.match(/[^,{]+(?:\{[^}]*\})?/g) ?? []).map((part) => {
    const text = part.trim();
    return { name: text.replace(/\s*=.*$/, ''), text };
  });
}
