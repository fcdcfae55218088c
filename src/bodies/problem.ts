/** What is wrong with a body, in one form: which object, what is wrong, what to do. */
import type { DiagnosticCode } from '../diagnostic/codes.ts';
import { Failure } from '../diagnostic/failure.ts';

/** A failure that names the object, as the user does. */
export const problem = (
  object: string,
  message: string,
  hint?: string,
  code: DiagnosticCode = 'bad-body',
): Failure => Failure.of('initialise', code, `\`${object}\`: ${message}`, { hint });

/** A number for people to read. */
export const shown = (value: number): string => String(Number(value.toPrecision(6)));
