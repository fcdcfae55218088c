/**
 * Connection sets whose members or connects exist only sometimes. They are written out. Where conditional connects form a tree, each of them
 * is a bridge with one row that is either an equal potential or a sum of flows; for other sets the equations of all
 * combinations are written as nested if-equations (Elmqvist, Mattsson and Otter 2014, section 3.2).
 */
import type { FlatBuilder } from '../core/context.ts';
import type { FlatEquation, Guard, Origin } from '../flat.ts';
import {
  type ConnectionChoice,
  ConnectionChoices,
  chosenEquations,
  type Holds,
  mostCombinations,
} from './conditional.ts';
import type { SetLaws } from './laws.ts';
import {
  activeSets,
  type Bridge,
  type Bridges,
  bridgesOf,
  type ConnectionSet,
  type SetGuards,
  type SetNode,
} from './sets.ts';

/** Equations that depend on the same conditions. */
interface Block {
  readonly choices: readonly ConnectionChoice[];
  /** The set with which it began. */
  readonly set: ConnectionSet;
  readonly parts: ((holds: Holds) => FlatEquation[])[];
}

export class ChangingSets {
  private readonly choices: ConnectionChoices;
  private readonly blocks = new Map<string, Block>();
  /** Connects that were reported as impossible. */
  private readonly refused = new Set<Origin>();

  constructor(
    private readonly builder: FlatBuilder,
    private readonly laws: SetLaws,
  ) {
    this.choices = new ConnectionChoices(builder);
  }

  /** Takes up a set; gives what holds in it always. */
  add(set: ConnectionSet, guards: SetGuards): FlatEquation[] {
    // What streams in depends on all that is connected.
    const bridges = set.nodes[0]!.variable.connection === 'stream' ? undefined : bridgesOf(set);
    if (bridges) {
      for (const bridge of bridges.bridges) {
        this.addBlock(set, [bridge.pair.guard], (holds) =>
          this.bridgeEquations(bridge, holds(bridge.pair.guard)),
        );
      }
      return this.firmEquations(set, bridges);
    }
    if (this.mayMeet(set, guards)) {
      this.addBlock(set, [...guards.nodes, ...guards.links.map((link) => link.pair.guard)], (holds) =>
        activeSets(set, holds).flatMap((active) => this.laws.setEquations(active)),
      );
    }
    return [];
  }

  /** The equations of all sets, as they depend on conditions. */
  equations(): FlatEquation[] {
    return [...this.blocks.values()].flatMap((block) => this.blockEquations(block));
  }

  private addBlock(set: ConnectionSet, guards: readonly Guard[], part: Block['parts'][number]): void {
    const own = this.choices.of(guards);
    const key = own.map((choice) => choice.conditions.join()).join(';');
    const block = this.blocks.get(key);
    if (block) block.parts.push(part);
    else this.blocks.set(key, { choices: own, set, parts: [part] });
  }

  /** What holds in a set whether its bridges are open or closed. */
  private firmEquations({ nodes, origin }: ConnectionSet, { firm }: Bridges): FlatEquation[] {
    if (nodes[0]!.variable.connection === 'flow') return this.laws.setEquations({ nodes, origin });
    return firm.flatMap((group) => this.laws.setEquations({ nodes: group, origin }));
  }

  private bridgeEquations({ left, right, pair, side }: Bridge, closed: boolean): FlatEquation[] {
    const { origin } = pair;
    if (left.variable.connection === 'flow')
      return closed ? [] : this.laws.setEquations({ nodes: side, origin });
    return closed ? this.laws.setEquations({ nodes: [left, right], origin }) : [];
  }

  private blockEquations({ choices, set, parts }: Block): readonly FlatEquation[] {
    const { origin, nodes } = set;
    const equations = chosenEquations(choices, origin, (holds) => parts.flatMap((part) => part(holds)));
    if (equations) return equations;
    const number = choices.reduce((n, choice) => n + choice.conditions.length, 0);
    const message = `The connections of \`${this.laws.connectorName(nodes[0]!)}\` depend on ${number} conditions in more than ${mostCombinations} combinations.`;
    this.builder.reportAt('limit-exceeded', message, {
      span: origin.span,
      hint: 'Use components that switch (with equations of their own) in place of connects in if-equations.',
    });
    return [];
  }

  /**
   * False, with a message, for connectors of different states of one machine with nothing outside (requirement 1 of
   * Elmqvist, Mattsson and Otter 2014): two of them never exist together.
   */
  private mayMeet({ nodes }: ConnectionSet, guards: SetGuards): boolean {
    for (const { condition } of guards.nodes[0]!) {
      const machine = this.choices.machineOf(condition);
      if (!machine) continue;
      const states = guards.nodes.map((guard) => guard.find((l) => machine.includes(l.condition))?.condition);
      const link = guards.links.find(({ left, right }) => states[left] !== states[right]);
      if (!link || states.includes(undefined)) continue;
      if (!this.refused.has(link.pair.origin))
        this.refuse(nodes[link.left]!, nodes[link.right]!, link.pair.origin);
      return false;
    }
    return true;
  }

  private refuse(left: SetNode, right: SetNode, origin: Origin): void {
    this.refused.add(origin);
    const [a, b] = [this.laws.connectorName(left), this.laws.connectorName(right)];
    const message = `\`${a}\` and \`${b}\` belong to different states of one state machine and are connected with nothing outside of it: they never exist together.`;
    this.builder.reportAt('connector-mismatch', message, {
      span: origin.span,
      hint: 'Connect both with a connector outside of the state machine, or remove the connect.',
    });
  }
}
