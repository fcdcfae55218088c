/**
 * Requests and answers between a page and a worker: methods with one argument, called by name. Either side may also tell the other something that needs no
 * answer. What is large travels without being copied: whoever answers names the buffers that it gives away.
 *
 *     { ask: 7, method: 'columns', argument }         { answer: 7, value } or { answer: 7, problem }
 *     { tell: 'progress', value }
 */

/** What `Worker` and the scope of a worker have in common. */
export interface Port {
  postMessage(message: unknown, transfer: Transferable[]): void;
  onmessage: ((event: MessageEvent) => void) | null;
}

/** Methods by name. */
export type Methods<M> = { readonly [Name in keyof M]: (argument: never) => unknown };

export type ArgumentOf<F> = F extends (argument: infer A) => unknown ? A : never;
export type AnswerOf<F> = F extends (argument: never) => infer R ? Given<Awaited<R>> : never;
type Given<R> = R extends Handed<infer V> ? V : R;

/** A value, and buffers of it that are given away. */
export class Handed<T> {
  constructor(
    readonly value: T,
    readonly buffers: readonly ArrayBufferLike[],
  ) {}
}

type Message =
  | { readonly ask: number; readonly method: string; readonly argument: unknown }
  | { readonly answer: number; readonly value: unknown }
  | { readonly answer: number; readonly problem: string }
  | { readonly tell: string; readonly value: unknown };

/** The other side has ended before it answered. */
export class Ended extends Error {
  constructor() {
    super('The worker has ended.');
  }
}

/** Asks and hears: the side of the page. `M` are methods, `T` what it is told, by name. */
export class Caller<M extends Methods<M>, T> {
  private next = 0;
  private readonly open = new Map<
    number,
    { readonly resolve: (value: never) => void; readonly reject: (problem: Error) => void }
  >();

  constructor(
    private readonly port: Port,
    private readonly told: { readonly [Name in keyof T]: (value: T[Name]) => void },
  ) {
    port.onmessage = ({ data }) => this.hear(data as Message);
  }

  ask<Name extends keyof M & string>(
    method: Name,
    argument: ArgumentOf<M[Name]>,
    transfer: Transferable[] = [],
  ): Promise<AnswerOf<M[Name]>> {
    const ask = this.next++;
    return new Promise((resolve, reject) => {
      this.open.set(ask, { resolve, reject });
      this.port.postMessage({ ask, method, argument } satisfies Message, transfer);
    });
  }

  /** Nothing more will come from the other side. */
  end(): void {
    for (const { reject } of this.open.values()) reject(new Ended());
    this.open.clear();
  }

  private hear(message: Message): void {
    if ('tell' in message) this.told[message.tell as keyof T]?.(message.value as T[keyof T]);
    else if ('answer' in message) {
      const waiting = this.open.get(message.answer);
      this.open.delete(message.answer);
      if ('problem' in message) waiting?.reject(new Error(message.problem));
      else waiting?.resolve(message.value as never);
    }
  }
}

/** Who answers: now, or later. */
export type Answers<M extends Methods<M>> = {
  readonly [Name in keyof M]: (
    argument: ArgumentOf<M[Name]>,
  ) => ReturnType<M[Name]> | Promise<Awaited<ReturnType<M[Name]>>>;
};

/** Answers by methods whose code is loaded when one of them is asked first; what cannot be loaded is tried again. */
export function later<M extends Methods<M>>(
  names: Readonly<Record<keyof M, true>>,
  load: () => Promise<M>,
): Answers<M> {
  let loading: Promise<M> | undefined;
  const loaded = (): Promise<M> => {
    loading ??= load().catch((problem: unknown) => {
      loading = undefined;
      throw problem;
    });
    return loading;
  };
  const methods = Object.keys(names).map((name) => [
    name,
    async (argument: never) => (await loaded())[name as keyof M](argument),
  ]);
  return Object.fromEntries(methods) as Answers<M>;
}

/** Answers and tells: the side of the worker. Gives the function that tells. */
export function answer<M extends Methods<M>, T>(
  port: Port,
  methods: Answers<M>,
): <Name extends keyof T & string>(name: Name, value: T[Name], buffers?: readonly ArrayBufferLike[]) => void {
  const send = (message: Message, buffers: readonly ArrayBufferLike[] = []): void =>
    port.postMessage(message, [...new Set(buffers)] as Transferable[]);
  port.onmessage = async ({ data }) => {
    const message = data as Message;
    if (!('ask' in message)) return;
    const { ask, method, argument } = message;
    try {
      const given: unknown = await methods[method as keyof M](argument as never);
      if (given instanceof Handed) send({ answer: ask, value: given.value as unknown }, given.buffers);
      else send({ answer: ask, value: given });
    } catch (problem) {
      send({
        answer: ask,
        problem: problem instanceof Error ? (problem.stack ?? problem.message) : String(problem),
      });
    }
  };
  return (name, value, buffers) => send({ tell: name, value }, buffers);
}
