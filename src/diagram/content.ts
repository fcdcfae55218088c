/** What a diagram has: components with their places and connectors, connections and transitions with their lines. Plain data, beside the shapes that are drawn. */
import type { Extent, Placing, Point } from './geometry.ts';
import type { Drawing, DrawnConnector } from './icon.ts';
import type { CoordinateSystem } from './items.ts';
import type { TextRange } from './view.ts';

export interface Diagram extends Drawing {
  readonly system: CoordinateSystem;
  readonly components: readonly DiagramComponent[];
  readonly connections: readonly DiagramConnection[];
  /** Of state machines whose states are components of the class. */
  readonly transitions: readonly DiagramTransition[];
}

export interface DiagramTransition {
  /** Names of states. */
  readonly from: string;
  readonly to: string;
  readonly condition: string;
  readonly points: readonly Point[];
  readonly automatic: boolean;
  readonly inherited: string | undefined;
  readonly equation: TextRange | undefined;
}

export interface DiagramComponent {
  readonly name: string;
  /** The qualified name of its class, or the name that is not found. */
  readonly class: string;
  readonly description: string;
  readonly isConnector: boolean;
  readonly dims: readonly number[];
  /** Conditional, and not there. */
  readonly absent: boolean;
  readonly protected: boolean;
  /** The base class that declares it; undefined for a component of the class itself. */
  readonly inherited: string | undefined;
  /** In the coordinates of the class that declares it. */
  readonly placing: Placing;
  /** Nobody has placed it. */
  readonly automatic: boolean;
  /** Around its coordinate system, in the diagram. */
  readonly bounds: Extent;
  /** The coordinate system of its icon, which `placing` maps. */
  readonly system: CoordinateSystem;
  /** Those that lines can begin at; of a connector itself. */
  readonly connectors: readonly DrawnConnector[];
  /** Of its name in the declaration, where the class itself declares it. */
  readonly declaration: TextRange | undefined;
}

export interface DiagramConnection {
  /** As written: `resistor.p`, `bus[2]`. */
  readonly from: string;
  readonly to: string;
  readonly points: readonly Point[];
  readonly color: string;
  /** Nobody has drawn it. */
  readonly automatic: boolean;
  readonly inherited: string | undefined;
  /** Of the equation, where the class itself has it. */
  readonly equation: TextRange | undefined;
}
