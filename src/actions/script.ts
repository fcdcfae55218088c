/**
 * The generator of a program, watched: what it yields are commands, what it throws is told with its name, and commands that it makes without yielding them
 * are noticed. While a generator runs nothing else can; one that goes round without an end is stopped where it asks for commands or for the time.
 */
import type { DiagnosticOptions } from '../diagnostic/diagnostic.ts';
import { Failure } from '../diagnostic/failure.ts';
import { suggestion } from '../diagnostic/nearest.ts';
import { shown } from '../diagnostic/options.ts';
import { Interrupted } from '../diagnostic/pulse.ts';
import { listed } from '../diagnostic/words.ts';
import { type Actions, actionsAt, type Command, commandText, isCommand } from './commands.ts';
import type { Plan, Steps } from './plan.ts';

/** So often a program may ask for commands and for the time without yielding anything. */
const mostAsked = 100_000;
/** So many commands that were not yielded are remembered. */
const mostMade = 1000;

export class Script {
  private readonly steps: Steps;
  private time = 0;
  /** How often it asked for something since it was told to go on. */
  private asked = 0;
  /** Commands that were made, and not yielded so far. */
  private readonly made = new Set<Command>();

  constructor(
    plan: Plan,
    private readonly failure: (message: string, options?: DiagnosticOptions) => Failure,
  ) {
    this.steps = this.watched(() => plan.run(this.actions()));
    if (typeof this.steps?.next !== 'function' || Symbol.asyncIterator in this.steps)
      throw this.failure('The program is no generator.', {
        hint: 'Write it with a star, and without `async`: `*run({ move, wait }) { yield wait(1); }`.',
      });
  }

  /** Lets it go on; undefined at its end. */
  next(time: number, answer: boolean): Command | undefined {
    this.time = time;
    this.asked = 0;
    const { done, value } = this.watched(() => this.steps.next(answer));
    if (isCommand(value)) this.made.delete(value);
    if (!done && !isCommand(value))
      throw this.failure(`The program yields ${shown(value)}, which is no command.`, {
        hint: 'Yield what the functions of its argument give: `yield wait(1)`. A generator inside of it needs `yield*`.',
      });
    if (done && isCommand(value))
      throw this.failure(`The program returns \`${commandText(value)}\`, which is not carried out.`, {
        hint: `Write \`yield ${commandText(value)};\`.`,
      });
    return done ? undefined : value;
  }

  /** A command that the program made, but did not yield. */
  get forgotten(): Command | undefined {
    return this.made.values().next().value;
  }

  private watched<T>(work: () => T): T {
    try {
      return work();
    } catch (problem) {
      if (problem instanceof Failure || problem instanceof Interrupted) throw problem;
      const text = problem instanceof Error ? problem.message : String(problem);
      throw this.failure(
        `The program failed at time ${Number(this.time.toPrecision(9))}: ${/[.!?]$/.test(text) ? text : `${text}.`}`,
        { notes: placeOf(problem) },
      );
    }
  }

  private actions(): Actions {
    const actions = actionsAt(
      () => {
        this.ask('asks for the time');
        return this.time;
      },
      (command) => {
        this.ask(`makes commands such as \`${commandText(command)}\``);
        if (this.made.size < mostMade) this.made.add(command);
        return command;
      },
    );
    return new Proxy(actions, {
      get: (known, name) => {
        if (name in known || typeof name !== 'string') return Reflect.get(known, name);
        const names = Object.keys(known);
        throw this.failure(`There is no command \`${name}\`.`, {
          hint:
            name === 'time'
              ? '`now()` gives the present time.'
              : (suggestion(name, names) ?? `There is ${listed(names, names.length)}.`),
        });
      },
    });
  }

  private ask(what: string): void {
    if (++this.asked > mostAsked)
      throw this.failure(`The program ${what} again and again, but yields nothing.`, {
        hint: 'Yield what takes time in every loop: `yield wait(0.1)`.',
      });
  }
}

/** Where an error was thrown, as far as its host says it. */
function placeOf(problem: unknown): { readonly message: string }[] {
  const stack = problem instanceof Error ? (problem.stack ?? '') : '';
  const frame = stack.split('\n').find((line) => /:\d+:\d+\)?$/.test(line));
  return frame ? [{ message: frame.trim() }] : [];
}
