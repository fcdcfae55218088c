/**
 * Random syntax trees. They hold everything that the tree of a text can hold, and operands that bind too weakly for their place,
 * which a printer has to put in parentheses. Places are all 0.
 */
import fc, { type Arbitrary, type LetrecTypedTie } from 'fast-check';
import { Source } from '../../src/diagnostic/source.ts';
import type {
  Argument,
  BinaryOperator,
  Call,
  ClassDef,
  ClassModification,
  Comment,
  ComponentClause,
  ComponentRef,
  ConstrainedBy,
  Declaration,
  Element,
  ElementPrefixes,
  Equation,
  Expression,
  Ident,
  Iterator,
  Modification,
  Name,
  NamedArgument,
  PartialApplication,
  Restriction,
  Section,
  Statement,
  StoredDefinition,
  StringComment,
  StringLiteral,
  Subscript,
  UnaryOperator,
} from '../../src/syntax/ast.ts';

const at = { start: 0, end: 0 };
const source = new Source('random', '');
const maybe = <A>(arbitrary: Arbitrary<A>): Arbitrary<A | undefined> =>
  fc.option(arbitrary, { nil: undefined, freq: 1 });
const some = <A>(arbitrary: Arbitrary<A>, minLength = 0, maxLength = 3): Arbitrary<A[]> =>
  fc.array(arbitrary, { minLength, maxLength });
const nothing = fc.constant(undefined);

// ---------------------------------------------------------------- words

const word = fc.constantFrom(
  'a',
  'b',
  'x1',
  '_y',
  'Real',
  'time',
  'ends',
  "'q u'",
  "'it\\'s'",
  "'+'",
  'annotations',
);
const ident: Arbitrary<Ident> = word.map((text) => ({ ...at, text }));
const nameOf = (global: Arbitrary<boolean>): Arbitrary<Name> =>
  fc.record({ global, parts: some(ident, 1) }).map((n) => ({ ...at, ...n }));
const typeName = nameOf(fc.boolean());
const localName = nameOf(fc.constant(false));

const literals: [string, string][] = [
  ['""', ''],
  ['"text"', 'text'],
  ['"say \\"hi\\"\\n"', 'say "hi"\n'],
  ['"two\nlines \\\\"', 'two\nlines \\'],
  ['"// no comment"', '// no comment'],
];
const string: Arbitrary<StringLiteral> = fc
  .constantFrom(...literals)
  .map(([text, value]) => ({ ...at, kind: 'string', text, value }));

const number = fc
  .constantFrom('0', '17', '1.', '.5', '1e5', '2.5E-3', '123456789')
  .map(
    (text): Expression => ({ ...at, kind: 'number', text, value: Number(text), integer: /^\d+$/.test(text) }),
  );

// ---------------------------------------------------------------- expressions

interface Ties {
  /** An expression outside subscripts, and one inside them, where `end` may stand. */
  outside: Expression;
  inside: Expression;
}

const operators: BinaryOperator[] = [
  ...(['+', '-', '*', '/', '^', '.+', '.-', '.*', './', '.^'] as const),
  ...(['<', '<=', '>', '>=', '==', '<>', 'and', 'or'] as const),
];
const signs: UnaryOperator[] = ['+', '-', '.+', '.-', 'not'];

function subscriptOf(inside: Arbitrary<Expression>): Arbitrary<Subscript> {
  return fc.oneof(inside, fc.constant<Subscript>({ ...at, kind: 'colon' }));
}

function refOf(inside: Arbitrary<Expression>): Arbitrary<ComponentRef> {
  const part = fc
    .record({ name: word, subscripts: some(subscriptOf(inside), 0, 2) })
    .map((p) => ({ ...at, ...p }));
  return fc
    .record({ kind: fc.constant('ref' as const), global: fc.boolean(), parts: some(part, 1, 2) })
    .map((r) => ({ ...at, ...r }));
}

function iteratorOf(e: Arbitrary<Expression>): Arbitrary<Iterator> {
  return fc.record({ name: ident, range: maybe(e) }).map((i) => ({ ...at, ...i }));
}

function callOf(e: Arbitrary<Expression>, inside: Arbitrary<Expression>): Arbitrary<Call> {
  const builtIn = fc.constantFrom('der', 'initial', 'pure').map(
    (name): ComponentRef => ({
      ...at,
      kind: 'ref',
      global: false,
      parts: [{ ...at, name, subscripts: [] }],
    }),
  );
  const named = (value: Arbitrary<Expression | PartialApplication>): Arbitrary<NamedArgument> =>
    fc.record({ name: ident, value }).map((n) => ({ ...at, ...n }));
  const partial: Arbitrary<PartialApplication> = fc
    .record({ kind: fc.constant('partial' as const), function: typeName, arguments: some(named(e), 0, 2) })
    .map((p) => ({ ...at, ...p }));
  const argument = fc.oneof({ weight: 4, arbitrary: e }, { weight: 1, arbitrary: partial });
  const callee = fc.oneof(refOf(inside), builtIn);
  const kind = fc.constant('call' as const);
  const ordinary = fc.record({
    kind,
    callee,
    positional: some(argument, 0, 2),
    named: some(named(argument), 0, 2),
    iterators: nothing,
  });
  const reduction = fc.record({
    kind,
    callee,
    positional: some(e, 1, 1),
    named: fc.constant([]),
    iterators: some(iteratorOf(e), 1, 2),
  });
  return fc.oneof(ordinary, reduction).map((c) => ({ ...at, ...c }));
}

function expressionOf(
  e: Arbitrary<Expression>,
  inside: Arbitrary<Expression>,
  leaf: Arbitrary<Expression> = number,
): Arbitrary<Expression> {
  const kind = <K extends string>(name: K): Arbitrary<K> => fc.constant(name);
  return fc
    .oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      number,
      string,
      fc.record({ kind: kind('boolean'), value: fc.boolean() }),
      fc.record({ kind: kind('binary'), operator: fc.constantFrom(...operators), left: e, right: e }),
      fc.record({ kind: kind('unary'), operator: fc.constantFrom(...signs), operand: e }),
      refOf(inside),
      callOf(e, inside),
      fc.record({
        kind: kind('if'),
        branches: some(fc.record({ condition: e, value: e }), 1, 2),
        otherwise: e,
      }),
      fc.record({ kind: kind('range'), first: e, step: maybe(e), last: e }),
      fc.record({ kind: kind('array'), elements: some(e, 1) }),
      fc.record({ kind: kind('matrix'), rows: some(some(e, 1, 2), 1, 2) }),
      fc.record({ kind: kind('comprehension'), value: e, iterators: some(iteratorOf(e), 1, 2) }),
      fc.record({ kind: kind('tuple'), members: some(maybe(e), 2) }),
      fc.record({ kind: kind('tuple'), members: some(e, 0, 1) }),
    )
    .map((node) => ({ ...at, ...node }) as Expression);
}

const { outside, inside } = fc.letrec((tie: LetrecTypedTie<Ties>) => ({
  outside: expressionOf(tie('outside'), tie('inside')),
  inside: expressionOf(tie('inside'), tie('inside'), fc.constant({ ...at, kind: 'end' })),
}));

export const expression = outside;
const ref = refOf(inside);
const call = callOf(outside, inside);
const iterator = iteratorOf(outside);
const subscripts = some(subscriptOf(inside), 0, 2);

// ---------------------------------------------------------------- modifications

const restrictions: Restriction[] = [
  ...(['class', 'model', 'block', 'record', 'operator record', 'connector', 'expandable connector'] as const),
  ...(['type', 'package', 'function', 'operator function', 'operator'] as const),
];

const description: Arbitrary<StringComment> = some(string, 1, 2).map((parts) => ({
  ...at,
  value: parts.map((p) => p.value).join(''),
  parts,
}));

const none: Comment = { description: undefined, annotation: undefined };
const noPrefixes: ElementPrefixes = {
  redeclare: false,
  final: false,
  inner: false,
  outer: false,
  replaceable: false,
  each: false,
};

const connect = (comment: Arbitrary<Comment>): Arbitrary<Equation & { kind: 'connect' }> =>
  fc
    .record({ kind: fc.constant('connect' as const), left: ref, right: ref, comment })
    .map((c) => ({ ...at, ...c }));

const inheritanceBreak: Arbitrary<Argument> = fc
  .oneof(ident, connect(fc.constant(none)))
  .map((target) => ({ ...at, kind: 'break', target }));

const { modification, classModification } = fc.letrec<{
  modification: Modification;
  classModification: ClassModification;
  argument: Argument;
}>((tie) => ({
  modification: fc.oneof(
    fc
      .record({
        arguments: nothing,
        value: fc.oneof(outside, fc.constant('break' as const)),
        assignment: fc.boolean(),
      })
      .map((m) => ({ ...at, ...m })),
    fc
      .record({
        arguments: tie('classModification'),
        value: maybe(fc.oneof(outside, fc.constant('break' as const))),
        assignment: fc.constant(false),
      })
      .map((m) => ({ ...at, ...m })),
  ),
  classModification: some(tie('argument'), 0, 2).map((list) => ({ ...at, arguments: list })),
  argument: fc.oneof(
    { depthSize: 'small' },
    fc
      .record({
        kind: fc.constant('modify' as const),
        each: fc.boolean(),
        final: fc.boolean(),
        name: localName,
        modification: maybe(tie('modification')),
        description: maybe(description),
      })
      .map((m) => ({ ...at, ...m })),
    redeclaration(tie('modification'), tie('classModification')),
  ),
}));

const annotation = classModification.map((m) => ({ ...at, modification: m }));
const comment: Arbitrary<Comment> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(none) },
  { weight: 1, arbitrary: fc.record({ description: maybe(description), annotation: maybe(annotation) }) },
);

function constrainedOf(
  change: Arbitrary<ClassModification>,
  text: Arbitrary<Comment>,
): Arbitrary<ConstrainedBy> {
  return fc
    .record({ name: typeName, modification: maybe(change), comment: text })
    .map((c) => ({ ...at, ...c }));
}

function redeclaration(
  change: Arbitrary<Modification>,
  classChange: Arbitrary<ClassModification>,
): Arbitrary<Argument> {
  const text = fc.record({ description: maybe(description), annotation: nothing });
  const declaration: Arbitrary<Declaration> = fc
    .record({ name: ident, subscripts, modification: maybe(change), condition: nothing, comment: text })
    .map((d) => ({ ...at, ...d }));
  const element = fc.oneof(componentOf(declaration, 1), shortClassOf(classChange, text));
  const constraint = constrainedOf(classChange, fc.constant(none));
  return fc
    .tuple(element, fc.boolean(), fc.boolean(), fc.boolean(), fc.boolean(), maybe(constraint))
    .map(([inner, redeclare, each, final, replaceable, constrainedBy]) => ({
      ...at,
      kind: 'redeclare',
      element: {
        ...inner,
        prefixes: { ...noPrefixes, redeclare: redeclare || !replaceable, each, final, replaceable },
        constrainedBy: replaceable ? constrainedBy : undefined,
      },
    }));
}

// ---------------------------------------------------------------- elements

function componentOf(declaration: Arbitrary<Declaration>, most: number): Arbitrary<ComponentClause> {
  return fc
    .record({
      kind: fc.constant('component' as const),
      prefixes: fc.constant(noPrefixes),
      connection: fc.constantFrom(undefined, 'flow', 'stream'),
      variability: fc.constantFrom(undefined, 'constant', 'parameter', 'discrete'),
      causality: fc.constantFrom(undefined, 'input', 'output'),
      type: typeName,
      subscripts,
      declarations: some(declaration, 1, most),
      constrainedBy: nothing,
    })
    .map((c) => ({ ...at, ...c }) as ComponentClause);
}

function shortClassOf(change: Arbitrary<ClassModification>, text: Arbitrary<Comment>): Arbitrary<ClassDef> {
  const literal = fc.record({ name: ident, comment: text }).map((l) => ({ ...at, ...l }));
  const body = fc.oneof(
    fc.record({
      kind: fc.constant('short' as const),
      basePrefix: fc.constantFrom(undefined, 'input' as const, 'output' as const),
      base: typeName,
      subscripts,
      modification: maybe(change),
      comment: text,
    }),
    fc.record({ kind: fc.constant('enumeration' as const), literals: maybe(some(literal)), comment: text }),
    fc.record({
      kind: fc.constant('der' as const),
      base: typeName,
      variables: some(ident, 1),
      comment: text,
    }),
  );
  return classOf(body.map((b) => ({ ...at, ...b }) as ClassDef['body']));
}

function classOf(body: Arbitrary<ClassDef['body']>): Arbitrary<ClassDef> {
  return fc
    .record({
      name: ident,
      restriction: fc.constantFrom(...restrictions),
      encapsulated: fc.boolean(),
      partial: fc.boolean(),
      purity: fc.constantFrom(undefined, 'pure' as const, 'impure' as const),
      body,
    })
    .map((c) => ({
      ...at,
      ...c,
      kind: 'class',
      source,
      refining: c.body.kind === 'long' && c.body.classExtends !== undefined,
      purity: c.restriction.endsWith('function') ? c.purity : undefined,
      prefixes: noPrefixes,
      constrainedBy: undefined,
    }));
}

const declaration: Arbitrary<Declaration> = fc
  .record({ name: ident, subscripts, modification: maybe(modification), condition: maybe(outside), comment })
  .map((d) => ({ ...at, ...d }));

const importClause: Arbitrary<Element> = fc
  .record({
    name: localName,
    tail: fc.oneof(
      fc.record({ alias: ident, wildcard: fc.constant(false), selection: nothing }),
      fc.record({ alias: nothing, wildcard: fc.boolean(), selection: nothing }),
      fc.record({ alias: nothing, wildcard: fc.constant(false), selection: some(ident, 1) }),
    ),
    comment,
  })
  .map(({ tail, ...rest }) => ({ ...at, kind: 'import', ...rest, ...tail }));

const extendsClause: Arbitrary<Element> = fc
  .record({
    base: typeName,
    modification: maybe(
      fc
        .tuple(classModification, some(inheritanceBreak, 0, 1))
        .map(([m, breaks]) => ({ ...at, arguments: [...breaks, ...m.arguments] })),
    ),
    annotation: maybe(annotation),
  })
  .map((e) => ({ ...at, kind: 'extends', ...e }));

const prefixes: Arbitrary<ElementPrefixes> = fc.record({
  redeclare: fc.boolean(),
  final: fc.boolean(),
  inner: fc.boolean(),
  outer: fc.boolean(),
  replaceable: fc.boolean(),
  each: fc.constant(false),
});

function elementOf(definition: Arbitrary<ClassDef>): Arbitrary<Element> {
  const prefixed = fc
    .tuple(
      fc.oneof(componentOf(declaration, 2), definition),
      prefixes,
      maybe(constrainedOf(classModification, comment)),
    )
    .map(
      ([element, chosen, constrainedBy]): Element => ({
        ...element,
        prefixes: chosen,
        constrainedBy: chosen.replaceable ? constrainedBy : undefined,
      }),
    );
  return fc.oneof(
    { weight: 1, arbitrary: importClause },
    { weight: 1, arbitrary: extendsClause },
    { weight: 4, arbitrary: prefixed },
  );
}

// ---------------------------------------------------------------- equations and statements

const { equation } = fc.letrec<{ equation: Equation }>((tie) => {
  const body = some(tie('equation'), 0, 2);
  const branches = some(fc.record({ condition: outside, body }), 1, 2);
  return {
    equation: fc
      .oneof(
        { depthSize: 'small' },
        fc.record({ kind: fc.constant('equal' as const), left: outside, right: outside, comment }),
        fc.record({ kind: fc.constant('call' as const), call, comment }),
        connect(comment),
        fc.record({ kind: fc.constant('if' as const), branches, otherwise: maybe(body), comment }),
        fc.record({ kind: fc.constant('when' as const), branches, comment }),
        fc.record({ kind: fc.constant('for' as const), iterators: some(iterator, 1, 2), body, comment }),
      )
      .map((e) => ({ ...at, ...e }) as Equation),
  };
});

/** A statement calls a function by its name alone, never `der` or `initial`. */
const ordinaryCall = fc.tuple(call, ref).map(([c, callee]): Call => ({ ...c, callee }));

const { statement } = fc.letrec<{ statement: Statement }>((tie) => {
  const body = some(tie('statement'), 0, 2);
  const branches = some(fc.record({ condition: outside, body }), 1, 2);
  return {
    statement: fc
      .oneof(
        { depthSize: 'small' },
        fc.record({ kind: fc.constant('assign' as const), target: ref, value: outside, comment }),
        fc.record({ kind: fc.constantFrom('break' as const, 'return' as const), comment }),
        fc.record({
          kind: fc.constant('multiassign' as const),
          targets: some(maybe(ref), 2),
          call: ordinaryCall,
          comment,
        }),
        fc.record({ kind: fc.constant('call' as const), call: ordinaryCall, comment }),
        fc.record({ kind: fc.constant('if' as const), branches, otherwise: maybe(body), comment }),
        fc.record({ kind: fc.constant('when' as const), branches, comment }),
        fc.record({ kind: fc.constant('for' as const), iterators: some(iterator, 1, 2), body, comment }),
        fc.record({ kind: fc.constant('while' as const), condition: outside, body, comment }),
      )
      .map((s) => ({ ...at, ...s }) as Statement),
  };
});

// ---------------------------------------------------------------- classes

const external = fc
  .record({
    language: maybe(string),
    called: maybe(fc.record({ result: maybe(ref), functionName: ident, arguments: some(outside) })),
    annotation: maybe(annotation),
  })
  .map(({ called, ...rest }) => ({
    ...at,
    ...rest,
    ...(called ?? { result: undefined, functionName: undefined, arguments: [] }),
  }));

const { definition } = fc.letrec<{ definition: ClassDef }>((tie) => {
  const elements = (least: number): Arbitrary<Element[]> => some(elementOf(tie('definition')), least, 2);
  const first = elements(1).map(
    (list): Section => ({ ...at, kind: 'elements', visibility: undefined, elements: list }),
  );
  const section: Arbitrary<Section> = fc
    .oneof(
      fc.record({
        kind: fc.constant('elements' as const),
        visibility: fc.constantFrom('public' as const, 'protected' as const),
        elements: elements(0),
      }),
      fc.record({
        kind: fc.constant('equations' as const),
        initial: fc.boolean(),
        equations: some(equation),
      }),
      fc.record({
        kind: fc.constant('algorithm' as const),
        initial: fc.boolean(),
        statements: some(statement),
      }),
    )
    .map((s) => ({ ...at, ...s }));
  const long = fc
    .record({
      kind: fc.constant('long' as const),
      classExtends: maybe(fc.record({ modification: maybe(classModification) })),
      description: maybe(description),
      sections: fc.tuple(some(first, 0, 1), some(section, 0, 2)).map(([head, tail]) => [...head, ...tail]),
      external: maybe(external),
      annotation: maybe(annotation),
    })
    .map((b) => ({ ...at, ...b }));
  return {
    definition: fc.oneof({ depthSize: 'small' }, shortClassOf(classModification, comment), classOf(long)),
  };
});

export const storedDefinition: Arbitrary<StoredDefinition> = fc
  .record({
    within: maybe(fc.oneof(localName, fc.constant<Name>({ ...at, global: false, parts: [] }))),
    classes: some(
      fc.tuple(definition, fc.boolean()).map(([c, final]) => ({ ...c, prefixes: { ...noPrefixes, final } })),
      0,
      2,
    ),
  })
  .map((d) => ({ ...at, source, comments: [], ...d }));
