/** A small reader of SVG text, so that tests speak of what is drawn. */

export interface Element {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

/** Parses well-formed XML without namespaces, comments or entities beyond the five predefined; throws on anything else. */
export function parseXml(xml: string): Element {
  const root: Element = { tag: '', attributes: {}, children: [], text: '' };
  const stack = [root];
  const token = /<(\/?)([a-zA-Z]+)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/gy;
  let end = 0;
  for (let match = token.exec(xml); match; match = token.exec(xml)) {
    end = token.lastIndex;
    const [, closing, tag, attributes, empty, text] = match;
    const top = stack[stack.length - 1]!;
    if (text !== undefined) top.text += unescapeText(text);
    else if (closing) {
      if (stack.pop()!.tag !== tag) throw new Error(`</${tag}> closes nothing`);
    } else {
      const element: Element = { tag: tag!, attributes: readAttributes(attributes!), children: [], text: '' };
      top.children.push(element);
      if (!empty) stack.push(element);
    }
  }
  if (end !== xml.length || stack.length !== 1)
    throw new Error(`not well-formed at ${end}: ${xml.slice(end, end + 60)}`);
  return root.children[0]!;
}

export function find(element: Element, test: (element: Element) => boolean): Element[] {
  return [...(test(element) ? [element] : []), ...element.children.flatMap((child) => find(child, test))];
}

export const withClass = (element: Element, name: string): Element[] =>
  find(element, ({ attributes }) => (attributes.class ?? '').split(' ').includes(name));

/** All texts of an element, in order. */
export const texts = (element: Element): string[] =>
  find(element, ({ tag }) => tag === 'text').map((text) =>
    find(text, () => true)
      .map((part) => part.text)
      .join(''),
  );

export type Point = readonly [x: number, y: number];

/** The runs of a curve's path. */
export function runs(curve: Element): Point[][] {
  const path = curve.children[curve.children.length - 1]!.attributes.d!;
  return path
    .split('M')
    .slice(1)
    .map((run) => {
      const numbers = run.replace('h0', '').split(/[ L]/).map(Number);
      if (numbers.some(Number.isNaN)) throw new Error(`bad path ${run}`);
      return numbers.flatMap((x, i): Point[] => (i % 2 === 0 ? [[x, numbers[i + 1]!]] : []));
    });
}

/** The colour of the line of a curve, on light ground. */
export const colorOf = (curve: Element): string =>
  curve.children[curve.children.length - 1]!.attributes.stroke!;

function readAttributes(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/([\w:-]+)="([^"]*)"/g)].map(([, name, value]) => [name!, unescapeText(value!)]),
  );
}

function unescapeText(text: string): string {
  const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };
  return text.replace(/&([^;]*);?/g, (_, name: string) => {
    if (!(name in entities)) throw new Error(`unknown entity ${name}`);
    return entities[name]!;
  });
}
