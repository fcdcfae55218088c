/**
 * The text of a model in Base Modelica 0.1, the flat part of Modelica on which tools agree (Modelica change proposal 31): a package with the
 * functions and one model, in which every name is a quoted identifier and nothing is left of components, connections and records. Read again, it
 * means the same. What this language has no words for is refused.
 */
import { Failure } from '../../diagnostic/failure.ts';
import type { FlatModel } from '../flat.ts';
import {
  annotationLines,
  declaration,
  described,
  equationRows,
  experimentText,
  functionsOf,
  settingText,
} from './class.ts';
import { quoted, writtenNames } from './names.ts';

const version = '0.1.0';

export function printBase(model: FlatModel): string {
  refuseUnsayable(model);
  const names = writtenNames(model, quoted);
  const name = quoted(model.name);
  const declarations = model.variables.map((variable, symbol) => {
    const text = declaration(variable, names.variable(symbol), names);
    return `  ${text}${settingText(variable, variable.hidden)};`;
  });
  const sections = [{ title: '', equations: model.equations }];
  const equations = equationRows(model, names, model.initialEquations, sections);
  const body = [
    `model ${name}${described(model.description)}`,
    ...declarations,
    ...equations,
    ...annotationLines(undefined, experimentText(model.experiment)),
    `end ${name};`,
  ];
  const lines = [...functionsOf(model, names), ...body].map((line) => `  ${line}`);
  return [`//! base ${version}`, `package ${name}`, ...lines, `end ${name};\n`].join('\n');
}

/** What the language does not know. */
function refuseUnsayable({ machines, clocks, unclocked, components, functions }: FlatModel): void {
  const what =
    components.length > 0
      ? 'built-in components'
      : machines.length > 0
        ? 'state machines'
        : clocks.length > 0 || unclocked
          ? 'clocks'
          : functions.some(({ external }) => external)
            ? 'functions that programs register'
            : undefined;
  if (what === undefined) return;
  throw Failure.of('translate', 'not-exportable', `Base Modelica ${version} has no ${what}.`, {
    hint: 'Write it as one class of Modelica.',
    commandHint: 'Leave `--base` out: the text is then one class of Modelica.',
  });
}
