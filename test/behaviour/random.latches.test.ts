/**
 * Latches: pairs of bodies approach each other, lock where they meet, and stay locked while the force between them is small, some of them
 * until a given time. The Boolean that decides depends on its own value before and on values of the mode that it chooses.
 */
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { agree, cases, law, patience, succeed, tenths } from './random.ts';

interface Latch {
  readonly gap: number;
  readonly speed: number;
  /** When it is opened again; never where it is undefined. */
  readonly opened: number | undefined;
  /** How the meeting is noticed, and how the lock is written. */
  readonly way: 'change' | 'edge' | 'when';
  readonly style: 'if' | 'expression';
}

const latch: fc.Arbitrary<Latch> = fc.record({
  gap: tenths(0.2, 2),
  speed: tenths(0.2, 2),
  opened: fc.option(tenths(0.3, 3), { nil: undefined }),
  way: fc.constantFrom('change' as const, 'edge' as const, 'when' as const),
  style: fc.constantFrom('if' as const, 'expression' as const),
});

function write(latches: readonly Latch[]): string {
  const declarations: string[] = [];
  const lines: string[] = [];
  for (const [k, { gap, speed, opened, way, style }] of latches.entries()) {
    declarations.push(
      `Real x${k}(start = ${gap}, fixed = true), y${k}(start = 0, fixed = true), F${k};`,
      `Boolean above${k}(start = true, fixed = true) = x${k} > y${k};`,
      `Boolean locked${k}(start = false, fixed = true);`,
    );
    lines.push(`der(x${k}) = -F${k};`, `der(y${k}) = F${k};`);
    const stays = `abs(F${k}) < ${speed / 2}${opened === undefined ? '' : ` and time < ${opened}`}`;
    lines.push(
      style === 'if'
        ? `if locked${k} then x${k} = y${k}; else F${k} = ${speed}; end if;`
        : `0 = if locked${k} then x${k} - y${k} else F${k} - ${speed};`,
    );
    switch (way) {
      case 'change':
        lines.push(`locked${k} = if pre(locked${k}) then ${stays} else change(above${k});`);
        break;
      case 'edge':
        declarations.push(`Boolean below${k}(start = false, fixed = true) = not above${k};`);
        lines.push(`locked${k} = if pre(locked${k}) then ${stays} else edge(below${k});`);
        break;
      case 'when':
        declarations.push(`discrete Boolean met${k}(start = false, fixed = true);`);
        lines.push(
          `when not above${k} then met${k} = true; end when;`,
          `locked${k} = if pre(locked${k}) then ${stays} else met${k} and not pre(met${k});`,
        );
        break;
    }
  }
  return `model Latches\n  ${declarations.join('\n  ')}\nequation\n  ${lines.join('\n  ')}\nend Latches;`;
}

describe('latches', () => {
  test(
    'stay latched until they are opened',
    () =>
      law(cases(fc.array(latch, { minLength: 1, maxLength: 4 }), write), 40, async ({ data, text }) => {
        const stopTime = 4;
        const { table } = await succeed(text, { stopTime });
        for (const [k, { gap, speed, opened }] of data.entries()) {
          const met = gap / (2 * speed);
          for (const t of [0.37, 1.13, 2.41, stopTime]) {
            // A latch that would be opened before the bodies meet holds no longer than that instant.
            const closed =
              opened !== undefined && opened <= met ? 0 : Math.max(0, Math.min(t, opened ?? t) - met);
            const x = gap - speed * (t - closed);
            agree(table.value(`x${k}`, t), x, 1e-6, `x${k} at ${t}`);
            agree(table.value(`y${k}`, t), gap - x, 1e-6, `y${k} at ${t}`);
            const isLocked = t > met + 1e-9 && (opened === undefined || t < opened) && closed > 0;
            agree(table.value(`locked${k}`, t), isLocked ? 1 : 0, 0, `locked${k} at ${t}`);
          }
        }
      }),
    patience,
  );
});
