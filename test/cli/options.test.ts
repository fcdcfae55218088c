import { describe, expect, it } from 'vitest';
import { commandHelp, generalHelp } from '../../src/cli/help.ts';
import { type CommandName, commands, isNumber, options, parseArguments } from '../../src/cli/options.ts';

const given = (line: string, command: CommandName = 'simulate') => {
  const args = parseArguments(command, line === '' ? [] : line.split(' '));
  return {
    files: args.files,
    given: Object.fromEntries(args.given),
    wrong: args.diagnostics.map((d) => d.message),
  };
};
const hints = (line: string, command: CommandName = 'simulate') =>
  parseArguments(command, line.split(' ')).diagnostics.map((d) => d.hint);

describe('options', () => {
  it('are read in every way of writing them', () => {
    expect(given('a.mo --model A.B --stop=10 b.mo --json')).toEqual({
      files: ['a.mo', 'b.mo'],
      given: { model: ['A.B'], stop: ['10'], json: [''] },
      wrong: [],
    });
  });

  it.each([
    ['--model M', { model: ['M'] }],
    ['--library a --library b', { library: ['a', 'b'] }],
    ['--start -1.5e-3', { start: ['-1.5e-3'] }],
    ['--start=-1', { start: ['-1'] }],
    ['--stop 1 --stop 2', { stop: ['1', '2'] }],
    ['--tolerance 1e-8', { tolerance: ['1e-8'] }],
    ['--intervals 100', { intervals: ['100'] }],
    ['--method bdf', { method: ['bdf'] }],
    ['--set a.b=1 --set c=-2', { set: ['a.b=1', 'c=-2'] }],
    ['--variables a,b.*', { variables: ['a,b.*'] }],
    ['--output r.csv', { output: ['r.csv'] }],
    ['--plot p.svg', { plot: ['p.svg'] }],
    ['--json --quiet', { json: [''], quiet: [''] }],
    ['-h', { help: [''] }],
  ])('%s', (line, expected) => {
    expect(given(line)).toEqual({ files: [], given: expected, wrong: [] });
  });

  it('end at --, after which everything is a file', () => {
    expect(given('-- --stop').files).toEqual(['--stop']);
  });

  it.each([
    ['--stp 3', 'There is no option `--stp`.', 'Did you mean `--stop`?'],
    ['--tolerence 1', 'There is no option `--tolerence`.', 'Did you mean `--tolerance`?'],
    ['--stopTime 3', 'There is no option `--stopTime`.', 'Did you mean `--stop`?'],
    ['--solver bdf', 'There is no option `--solver`.', 'Did you mean `--method`?'],
    ['--verison', 'There is no option `--verison`.', 'Did you mean `--version`?'],
    ['--lib x', 'There is no option `--lib`.', 'Did you mean `--library`?'],
    ['--xyzzy', 'There is no option `--xyzzy`.', '`mutabor help simulate` lists the options.'],
    ['-x', 'There is no option `-x`.', '`mutabor help simulate` lists the options.'],
    ['--constructor', 'There is no option `--constructor`.', '`mutabor help simulate` lists the options.'],
    ['--show wat', '`simulate` has no option `--show`.', '`mutabor help simulate` lists the options.'],
    ['--stop', 'The option `--stop` needs a value.', 'Write `--stop T`.'],
    ['--stop --json', 'The option `--stop` needs a value.', 'Write `--stop T`.'],
    ['--output=', 'The option `--output` needs a value.', 'Write `--output FILE`.'],
    ['--json=1', 'The option `--json` takes no value.', undefined],
    ['--method euler', '`euler` is not a value of `--method`.', 'Choose one of: auto, bdf, radau, rk.'],
  ])('%s is wrong', (line, message, hint) => {
    expect(given(line).wrong[0]).toBe(message);
    expect(hints(line)[0]).toBe(hint);
  });

  it('reports every mistake', () => {
    expect(given('--stp 3 --json=1 --plott x').wrong).toHaveLength(3);
  });

  it.each([
    ['1', true],
    ['-1.5', true],
    ['.5', true],
    ['5.', true],
    ['1e-6', true],
    ['+2E3', true],
    ['abc', false],
    ['1s', false],
    ['0x10', false],
    ['', false],
    ['Infinity', false],
    ['1e', false],
    ['.', false],
  ])('%j as a number: %s', (text, expected) => {
    expect(isNumber(text)).toBe(expected);
  });
});

describe('help', () => {
  it('names every command and every option of it', () => {
    for (const [name, spec] of Object.entries(commands)) {
      expect(generalHelp()).toContain(`  ${name}`);
      const text = commandHelp(name as CommandName);
      for (const option of spec.options) expect(text).toContain(`--${option}`);
      for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(110);
    }
    expect(Object.keys(options).length).toBeGreaterThan(10);
  });
});
