/**
 * Classes as they are for the versions of libraries that are there: those that were written for earlier ones are converted when they are read, by the rules of the
 * libraries (`conversions.ts`, `convert.ts`).
 */
import { remember } from '../../collections/memo.ts';
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import { Source } from '../../diagnostic/source.ts';
import type * as ast from '../../syntax/ast.ts';
import type { ClassEntity } from './class.ts';
import { type ReadRules, type Rules, readRules } from './conversions.ts';
import { convert } from './convert.ts';
import { conversionFrom, usesOf, versionOf } from './versions.ts';

/** A library that is there, or would be taken. */
export interface Available {
  readonly definition: ast.ClassDef;
  /** Files below its folder. */
  readonly read: (path: string) => string | undefined;
}

export class Upgrade {
  /** What converts classes of the top level, and classes as they were before. */
  private readonly rules = new WeakMap<ast.ClassDef, readonly Rules[]>();
  private readonly before = new WeakMap<ast.ClassDef, ast.ClassDef>();
  private readonly known = new Map<string, ReadRules>();

  constructor(
    private readonly available: (name: string, version: string) => Available | undefined,
    private readonly report: (problems: readonly Diagnostic[]) => void,
  ) {}

  /** A class that is read, as it is to be used. */
  current(definition: ast.ClassDef, parent: ClassEntity | undefined): ast.ClassDef {
    let top = parent;
    while (top?.parent) top = top.parent;
    const rules = top ? (this.rules.get(top.definition) ?? []) : this.rulesFor(definition);
    if (rules.length === 0) return definition;
    const around: ast.ClassDef[] = [];
    for (let at = parent; at; at = at.parent) around.push(this.before.get(at.definition) ?? at.definition);
    let current = definition;
    for (const step of rules) current = convert(current, around, step, (problem) => this.report([problem]));
    this.before.set(current, definition);
    if (!top) this.rules.set(current, rules);
    return current;
  }

  private rulesFor(definition: ast.ClassDef): Rules[] {
    return usesOf(definition).flatMap(({ name, version }) => {
      if (name === definition.name.text) return [];
      const library = this.available(name, version);
      if (!library || versionOf(library.definition) === version) return [];
      const steps = conversionFrom(library.definition, version) ?? [];
      if (steps.length === 0) return [];
      const { rules } = remember(this.known, `${name} ${version}`, () => {
        const read = readRules(steps, (script) => scriptOf(library, name, script));
        this.report(read.problems);
        return read;
      });
      return rules;
    });
  }
}

/** A script below the folder of the library. */
function scriptOf({ read }: Available, library: string, script: string): Source | undefined {
  const [, owner = library, path = script] = /^modelica:\/\/([^/]*)\/(.*)$/i.exec(script) ?? [];
  if (owner !== library || path.split('/').includes('..') || path.startsWith('/')) return undefined;
  const text = read(path);
  return text === undefined ? undefined : new Source(script, text);
}
