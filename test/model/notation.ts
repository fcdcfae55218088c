/**
 * A small notation for the tests of this folder: a Modelica text in, instances or diagnostics as lines of text out.
 */
import type { Diagnostic } from '../../src/diagnostic/diagnostic.ts';
import { Source } from '../../src/diagnostic/source.ts';
import { Failure, loadModel } from '../../src/index.ts';
import type { FileSystem } from '../../src/model/classes/files.ts';
import type { Bound, Instance, ObjectInstance } from '../../src/model/instance.ts';
import { instantiate } from '../../src/model/instances/instantiate.ts';
import type { Override } from '../../src/model/instances/outside.ts';
import { Library } from '../../src/model/library.ts';
import type * as ast from '../../src/syntax/ast.ts';
import { parse, parseExpression } from '../../src/syntax/parser.ts';

/** A library with the classes of some texts; mistakes in them are bugs of the test. */
export function load(...texts: readonly string[]): Library {
  const library = new Library();
  for (const [k, text] of texts.entries()) {
    const { definition, diagnostics } = parse(new Source(`t${k + 1}.mo`, text));
    const problems = [...diagnostics, ...library.add(definition)];
    if (problems.length > 0) throw new Error(lines(problems).join('\n'));
  }
  return library;
}

export const expression = (text: string): ast.Expression => {
  const { expression: parsed, diagnostics } = parseExpression(new Source('expression', text));
  if (!parsed) throw new Error(lines(diagnostics).join('\n'));
  return parsed;
};

/** The instance tree of the last class of the texts (or of `name`), which must be without errors. */
export function tree(texts: string | readonly string[], name?: string): ObjectInstance {
  const library = load(...(typeof texts === 'string' ? [texts] : texts));
  const { root, diagnostics } = instantiate(library, name ?? library.classes.at(-1)!.path);
  if (!root || diagnostics.length > 0) throw new Error(lines(diagnostics).join('\n'));
  return root;
}

/** Why the model `M` of a text is refused: `line:column code message`. */
export function refusals(text: string): string[] {
  try {
    loadModel(text, 'M');
    return [];
  } catch (problem) {
    if (!(problem instanceof Failure)) throw problem;
    return problem.diagnostics.map(({ code, message, span }) => {
      const { line, column } = span!.source.position(span!.start);
      return `${line}:${column} ${code} ${message}`;
    });
  }
}

/** The diagnostics of instantiating the last class: `line:column code message | hint`. */
export function problems(text: string, overrides: Record<string, string> = {}): string[] {
  const library = load(text);
  const { diagnostics } = instantiate(library, library.classes.at(-1)!.path, {
    overrides: toOverrides(overrides),
  });
  return lines(diagnostics);
}

export function toOverrides(values: Record<string, string>): Override[] {
  return Object.entries(values).map(([name, text]) => {
    const value = expression(text);
    const source = new Source('--set', text);
    return { name, value, span: { source, start: 0, end: text.length } };
  });
}

export function lines(diagnostics: readonly Diagnostic[]): string[] {
  return diagnostics.map(({ code, severity, message, hint, span }) => {
    const at = span ? span.source.position(span.start) : undefined;
    const place = at ? `${at.line}:${at.column} ` : '';
    const mark = severity === 'error' ? '' : `${severity} `;
    return `${place}${mark}${code} ${message}${hint ? ` | ${hint}` : ''}`;
  });
}

/** An instance by its dotted path, `r[2].p.v`. */
export function at(root: ObjectInstance, path: string): Instance {
  let found: Instance | undefined = root;
  for (const part of path.split('.')) {
    const [name, index] = part.split('[') as [string, string | undefined];
    found = found?.kind === 'object' ? found.members.get(name) : undefined;
    if (index !== undefined && found?.kind === 'object') {
      const array: ObjectInstance = found;
      found = array.elements.find((element) => element.name === part);
    }
  }
  if (!found) throw new Error(`no instance ${path}`);
  return found;
}

/** A modifier's value as it was written, with the subscripts of its distribution: `n + 1`, `m@[2]`. */
export function written(bound: Bound | undefined): string | undefined {
  if (!bound) return undefined;
  const { source } = bound.span;
  const text = source.text.slice(bound.value.start, bound.value.end);
  return `${bound.each ? 'each ' : ''}${text}${bound.subscripts.length > 0 ? `@[${bound.subscripts.join(',')}]` : ''}`;
}

/** All variables with sizes, attributes and bindings, one line each: `a.x[3] (start = 1) = 2`. */
export function show(root: ObjectInstance): string[] {
  const result: string[] = [];
  const visit = (instance: Instance): void => {
    if (instance.kind === 'object') {
      for (const element of instance.elements) visit(element);
      for (const member of instance.members.values()) visit(member);
      return;
    }
    const dims = instance.dims.length > 0 ? `[${instance.dims.join(',')}]` : '';
    const attributes = [...instance.attributes].map(([name, bound]) => `${name} = ${written(bound)}`);
    const list = attributes.length > 0 ? ` (${attributes.join(', ')})` : '';
    const value = instance.binding ? ` = ${written(instance.binding)}` : '';
    result.push(`${instance.path}${dims}${list}${value}`);
  };
  visit(root);
  return result;
}

/** Files in memory, with a record of what was read. */
export class MemoryFiles implements FileSystem {
  readonly reads: string[] = [];
  private readonly texts: Readonly<Record<string, string>>;

  constructor(texts: Readonly<Record<string, string>>) {
    this.texts = texts;
  }

  list(path: string) {
    const entries = new Map<string, boolean>();
    for (const file of Object.keys(this.texts)) {
      if (!file.startsWith(`${path}/`)) continue;
      const [name, ...rest] = file.slice(path.length + 1).split('/');
      entries.set(name!, rest.length > 0);
    }
    if (entries.size === 0) return undefined;
    return [...entries].map(([name, folder]) => ({ name, folder }));
  }

  read(path: string): string | undefined {
    const text = this.texts[path];
    if (text !== undefined) this.reads.push(path);
    return text;
  }
}
