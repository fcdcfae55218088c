/** What an audit found, as diagnostics: the worst offence of every equation, the worst equations first. */
import { type Diagnostic, error, type Note } from '../diagnostic/diagnostic.ts';
import type { Span } from '../diagnostic/source.ts';
import type { AuditPoint, RowSide } from './point.ts';
import type { Failing } from './residuals.ts';

/** So many offenders are reported. */
const mostReported = 10;

export interface Offence {
  /** What offends: the equation, the variable; only its worst offence is reported. */
  readonly key: object | string;
  readonly message: string;
  /** Relative to the size of what is compared. */
  readonly relative: number;
  readonly span: Span | undefined;
  readonly hint?: string;
}

const places: Record<RowSide, string> = {
  before: 'before the event at time',
  after: 'after the event at time',
  between: 'at time',
};

/** `after the event at time 1`. */
export const placeText = (side: RowSide, time: number): string => `${places[side]} ${time}`;

export class Offences {
  private readonly worst = new Map<object | string, Offence>();

  add(offence: Offence): void {
    const known = this.worst.get(offence.key);
    if (!known || known.relative < offence.relative) this.worst.set(offence.key, offence);
  }

  residual(failing: Failing, { side, time }: AuditPoint): void {
    this.equation(failing, `does not hold ${placeText(side, time)}: the sides differ by`);
  }

  balance(failing: Failing, time: number): void {
    this.equation(failing, `does not balance across the event at time ${time}: jumps and impulses leave`);
  }

  private equation({ row, residual, relative }: Failing, what: string): void {
    const size = `${shown(residual)} (${share(relative)} of the terms)`;
    const message = `The equation ${row.text()} ${what} ${size}.`;
    this.add({ key: row, message, relative, span: row.origin.span });
  }

  diagnostics(): Diagnostic[] {
    const all = [...this.worst.values()].sort((a, b) => b.relative - a.relative);
    const rest = all.length - mostReported;
    return all.slice(0, mostReported).map(({ message, span, hint }, k) => {
      const notes: Note[] = k === mostReported - 1 && rest > 0 ? [{ message: `and ${rest} more` }] : [];
      return error('audit', message, { span, hint, notes });
    });
  }
}

export const shown = (value: number): string => String(Number(value.toPrecision(4)));

export const share = (relative: number): string => shown(Math.min(1, relative));
