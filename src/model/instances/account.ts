/**
 * What instantiation has to say, and how much it has made. A mistake in a line of a class is reported once, not again for each of its instances;
 * a limit that is exceeded closes the account, and nothing more is made.
 */

import { type Diagnostic, error } from '../../diagnostic/diagnostic.ts';
import { pulse } from '../../diagnostic/pulse.ts';
import type { Source, Span } from '../../diagnostic/source.ts';
import type { Report } from '../classes/modification.ts';

/** Instances, variables and objects together. */
const MOST_INSTANCES = 300_000;

interface Place {
  readonly path: string;
  readonly span: Span;
}

export class Account {
  readonly diagnostics: Diagnostic[] = [];
  private readonly reported = new Map<Source, Set<string>>();
  private count = 0;
  private closed = false;

  get isClosed(): boolean {
    return this.closed;
  }

  readonly report: Report = (problem) => {
    const { code, span } = problem;
    if (span) {
      const starts = this.reported.get(span.source) ?? new Set();
      const key = `${code} ${span.start}`;
      if (starts.has(key)) return;
      this.reported.set(span.source, starts.add(key));
    }
    this.diagnostics.push(problem);
  };

  /** Counts instances; false where there are too many. */
  admit({ path, span }: Place, count = 1): boolean {
    pulse();
    if (this.closed) return false;
    this.count += count;
    if (this.count <= MOST_INSTANCES) return true;
    this.exceed(path, span, `The model has more than ${MOST_INSTANCES} components and variables.`);
    return false;
  }

  /** A limit is exceeded. */
  exceed(path: string, span: Span, message: string): void {
    const hint = path ? `The limit was reached at \`${path.slice(0, 120)}\`.` : undefined;
    this.end(error('limit-exceeded', message, { span, hint }));
  }

  /** Nothing more is made. */
  end(problem: Diagnostic): void {
    this.closed = true;
    this.report(problem);
  }
}
