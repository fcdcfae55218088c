import { describe, expect, it } from 'vitest';
import { duration, progressLine, showProgress } from '../../src/cli/progress.ts';

describe('progress', () => {
  const span = { start: 0, stop: 4 };

  it('is one line on a terminal that is removed at the end', () => {
    let [text, clock] = ['', 0];
    const stream = {
      write: (part: string) => {
        text += part;
      },
      isTerminal: true,
    };
    const progress = showProgress(stream, 'Ball', span, () => clock);
    clock = 100;
    progress.update(0.1);
    expect(text).toBe('');
    clock = 1000;
    progress.update(1);
    clock = 1050;
    progress.update(1.1);
    expect(text).toBe('\rBall: 1 s of 4 s, 25 %, 3 s left\u001b[K');
    progress.end();
    expect(text.endsWith('\r\u001b[K')).toBe(true);
    expect(text).not.toContain('\n');
  });

  it('is nothing where there is no terminal', () => {
    const stream = {
      write: () => {
        throw new Error('nothing to write');
      },
      isTerminal: false,
    };
    const progress = showProgress(stream, 'Ball', span, () => 1e6);
    progress.update(1);
    progress.end();
  });

  it('says nothing of the rest before it knows', () => {
    expect(progressLine('M', 0.001, span, 500)).toBe('M: 0.001 s of 4 s, 0 %');
    expect(progressLine('M', 0, { start: 0, stop: 0 }, 500)).toBe('M: 0 s of 0 s, 100 %, 0 ms left');
  });

  it.each([
    [0, '0 ms'],
    [0.123, '0.12 ms'],
    [12.4, '12 ms'],
    [1234, '1.23 s'],
    [125_000, '2 min 5 s'],
    [7_500_000, '2 h 5 min'],
  ])('%d ms is %s', (milliseconds, text) => {
    expect(duration(milliseconds)).toBe(text);
  });
});
