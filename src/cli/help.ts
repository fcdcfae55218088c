/** Help texts, made from the tables of `options.ts`. */
import { type CommandName, type CommandSpec, commands, type OptionSpec, options } from './options.ts';

export function generalHelp(): string {
  const width = Math.max(...Object.keys(commands).map((name) => name.length));
  return `Mutabor simulates physical systems whose equations change while they run.

Usage: mutabor [COMMAND] [FILE|DIR...] [OPTIONS]

Without a command, the model is simulated. Files are Modelica texts (.mo) or JavaScript modules (.mjs, .js) that export a
model; - is standard input.

Commands:
${Object.entries(commands)
  .map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`)
  .join('\n')}

Options:
  --help     show help; also: mutabor help COMMAND
  --version  show the version

Example:
  mutabor BouncingBall.mo --plot ball.svg

Exit status: 0 done, 1 the model is wrong or the run failed, 2 the command line is wrong.
`;
}

export function commandHelp(command: CommandName): string {
  const { summary, options: names, files = '[FILE|DIR...]', help = {} }: CommandSpec = commands[command];
  const rows = names.map((name): [string, string] => {
    const spec: OptionSpec = options[name];
    return [
      `--${name}${spec.value ? ` ${spec.value}` : ''}`,
      `${help[name] ?? spec.help}${spec.multiple ? '; may be repeated' : ''}`,
    ];
  });
  const width = Math.max(...rows.map(([left]) => left.length));
  return `mutabor ${command}: ${summary}.

Usage: mutabor ${command} ${files} [OPTIONS]

Options:
${rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')}
`;
}
