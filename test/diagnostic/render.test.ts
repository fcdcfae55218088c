import { describe, expect, test } from 'vitest';
import { error, warning } from '../../src/diagnostic/diagnostic.ts';
import { renderDiagnostic } from '../../src/diagnostic/render.ts';
import { Source, type Span } from '../../src/diagnostic/source.ts';

/** A source from text in which `«` and `»` mark a span; the marks themselves are taken out. */
function marked(text: string): Span {
  const start = text.indexOf('«');
  const end = text.indexOf('»') - 1;
  return { source: new Source('ball.mo', text.replace(/[«»]/g, '')), start, end };
}

/** The rendering of an error at the marked place, without its first line. */
function excerpt(text: string): string[] {
  return renderDiagnostic(error('unknown-name', 'm', { span: marked(text) }))
    .split('\n')
    .slice(1);
}

describe('renderDiagnostic', () => {
  test('names the place, shows the line and underlines the span', () => {
    const span = marked('model Ball\nequation\n  der(«hh») = v;\nend Ball;');
    const d = error('unknown-name', '`hh` is not declared', { span, hint: 'did you mean `h`?' });
    expect(renderDiagnostic(d)).toBe(
      [
        'ball.mo:3:7: error: `hh` is not declared [unknown-name]',
        '  3 |   der(hh) = v;',
        '    |       ^^',
        '  hint: did you mean `h`?',
      ].join('\n'),
    );
  });

  test('without a span is the message and the hint', () => {
    const d = warning('no-model', 'there is no model', { hint: 'name a file' });
    expect(renderDiagnostic(d)).toBe('warning: there is no model [no-model]\n  hint: name a file');
  });

  test('shows notes with and without a place', () => {
    const span = marked('Real «x»;');
    const d = error('duplicate-name', 'twice', {
      notes: [{ message: 'first here', span }, { message: 'n' }],
    });
    expect(renderDiagnostic(d)).toBe(
      [
        'error: twice [duplicate-name]',
        'ball.mo:1:6: note: first here',
        '  1 | Real x;',
        '    |      ^',
        '  note: n',
      ].join('\n'),
    );
  });

  test('widens tabs to tab stops, in the line and before the caret', () => {
    expect(excerpt('a\t«bc»\td')).toEqual(['  1 | a   bc  d', '    |     ^^']);
  });

  test('an empty span gets one caret, also at the end of the text', () => {
    expect(excerpt('x = 1«»')).toEqual(['  1 | x = 1', '    |      ^']);
    expect(excerpt('x\n«»')).toEqual(['  2 |', '    | ^']);
  });

  test('a span of two lines shows both', () => {
    expect(excerpt('ab «cd\n  ef» gh')).toEqual([
      '  1 | ab cd',
      '    |    ^^',
      '  2 |   ef gh',
      '    |   ^^',
    ]);
  });

  test('a longer span shows its first and last line', () => {
    expect(excerpt('«if\n a\n b\nend» if')).toEqual([
      '  1 | if',
      '    | ^^',
      '    ...',
      '  4 | end if',
      '    | ^^^',
    ]);
  });

  test('a span that ends with the line break stays in its line', () => {
    expect(excerpt('«ab\n»cd')).toEqual(['  1 | ab', '    | ^^']);
    expect(excerpt('«ab\r\n»cd')).toEqual(['  1 | ab', '    | ^^']);
  });

  test('cuts a long line around the caret', () => {
    const [line, caret] = excerpt(`${'a'.repeat(300)}«xyz»${'b'.repeat(300)}`);
    expect(line).toBe(`  1 | ...${'a'.repeat(37)}xyz${'b'.repeat(54)}...`);
    expect(caret).toBe(`    | ${' '.repeat(40)}^^^`);
  });

  test('cuts the underline with the line', () => {
    const [line, caret] = excerpt(`«${'x'.repeat(300)}»`);
    expect(line).toBe(`  1 | ${'x'.repeat(97)}...`);
    expect(caret).toBe(`    | ${'^'.repeat(100)}`);
  });

  test('never sends control characters of the source to the terminal', () => {
    expect(excerpt('a\u001b[31m«b»')).toEqual(['  1 | a·[31mb', '    |       ^']);
  });

  test('aligns line numbers', () => {
    const lines = excerpt(`${'\n'.repeat(8)}«a\nb»`);
    expect(lines).toEqual(['   9 | a', '     | ^', '  10 | b', '     | ^']);
  });

  test('colours by severity on demand', () => {
    const d = error('unknown-name', 'm', { span: marked('«x»') });
    const text = renderDiagnostic(d, { color: true });
    expect(text).toContain('\u001b[1;31merror:\u001b[0m');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is removed here
    expect(text.replace(/\u001b\[[\d;]*m/g, '')).toBe(renderDiagnostic(d));
  });
});
