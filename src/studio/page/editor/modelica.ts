/** Modelica for the editor: colours of words, where lines begin, and which of them can be folded. What words mean is not known here. */
import {
  foldService,
  type IndentContext,
  indentService,
  LanguageSupport,
  StreamLanguage,
  type StringStream,
} from '@codemirror/language';
import { countColumn, type EditorState } from '@codemirror/state';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const keywords = words(
  'algorithm and annotation block break class connect connector constant constrainedby der discrete each else elseif elsewhen encapsulated end enumeration equation expandable extends external final flow for function if import impure in initial inner input loop model not operator or outer output package parameter partial protected public pure record redeclare replaceable return stream then type when while within',
);
const types = words('Real Integer Boolean String Clock StateSelect ExternalObject AssertionLevel');
const functions = words(
  'abs sign sqrt sin cos tan asin acos atan atan2 sinh cosh tanh exp log log10 min max sum product size ndims vector matrix scalar zeros ones fill identity diagonal linspace cat transpose cross skew outerProduct symmetric div mod rem ceil floor integer delay cardinality semiLinear inStream actualStream spatialDistribution getInstanceName pre edge change reinit sample initial terminal smooth noEvent homotopy assert terminate previous hold subSample superSample shiftSample backSample noClock interval firstTick transition initialState activeState ticksInState timeInState String time',
);
/** What is declared after these words is a name. */
const naming = words('model block class package connector record function type operator end');

interface Place {
  /** A comment or a text that goes on in the next line. */
  inside: 'comment' | 'string' | undefined;
  /** Whether the next word is the name of a class. */
  isName: boolean;
}

function token(stream: StringStream, place: Place): string | null {
  if (place.inside) return goOn(stream, place);
  if (stream.eatSpace()) return null;
  if (stream.match('//')) {
    stream.skipToEnd();
    return 'comment';
  }
  if (stream.match('/*')) {
    place.inside = 'comment';
    return goOn(stream, place);
  }
  if (stream.match('"')) {
    place.inside = 'string';
    return goOn(stream, place);
  }
  if (stream.match(/^(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?/)) return 'number';
  if (stream.match(/^'([^'\\\n]|\\.)*'/)) return named(place, 'variableName');
  const word = stream.match(/^[A-Za-z_]\w*/) as RegExpMatchArray | null;
  if (word) return colour(word[0], place);
  place.isName = false;
  stream.next();
  return null;
}

/** Inside of a comment or a text, to its end or that of the line. */
function goOn(stream: StringStream, place: Place): string {
  const kind = place.inside!;
  const end = kind === 'comment' ? /^.*?\*\// : /^(?:[^"\\]|\\.)*"/;
  if (stream.match(end)) place.inside = undefined;
  else stream.skipToEnd();
  return kind;
}

function colour(word: string, place: Place): string {
  if (keywords.has(word)) {
    place.isName = naming.has(word);
    return word === 'annotation' ? 'meta' : 'keyword';
  }
  if (word === 'true' || word === 'false') return named(place, 'bool');
  if (types.has(word)) return named(place, 'typeName');
  if (functions.has(word)) return named(place, 'variableName.function');
  return named(place, 'variableName');
}

function named(place: Place, otherwise: string): string {
  const { isName } = place;
  place.isName = false;
  return isName ? 'className' : otherwise;
}

const language = StreamLanguage.define<Place>({
  name: 'modelica',
  startState: () => ({ inside: undefined, isName: false }),
  copyState: (place) => ({ ...place }),
  token,
  languageData: {
    commentTokens: { line: '//', block: { open: '/*', close: '*/' } },
    closeBrackets: { brackets: ['(', '[', '{', '"'] },
    indentOnInput: /^\s*(end\b.*|else|elseif|elsewhen|equation|algorithm|public|protected|[)\]}])$/,
  },
  tokenTable: {},
});

/** A line and those after it that are indented further. */
function indented(state: EditorState, start: number, end: number): { from: number; to: number } | null {
  const line = state.doc.lineAt(start);
  const depth = depthOf(line.text);
  if (depth < 0) return null;
  let last = line.number;
  for (let n = line.number + 1; n <= state.doc.lines; n++) {
    const other = depthOf(state.doc.line(n).text);
    if (other < 0) continue;
    if (other <= depth) break;
    last = n;
  }
  return last === line.number ? null : { from: end, to: state.doc.line(last).to };
}

/** Columns before the text; -1 for an empty line. */
function depthOf(text: string): number {
  const depth = text.search(/\S/);
  return depth;
}

/** A line after which others stand further inside: a class that goes on, the beginning of a block or section. */
const opening =
  /^(?:(?:encapsulated|partial|final|expandable|pure|impure|operator|redeclare|replaceable|inner|outer)\s+)*(?:model|class|block|package|function|record|connector|operator)\s[^;]*$|\b(?:then|loop)$|^else$|^(?:initial\s+)?(?:equation|algorithm)$|^(?:public|protected)$|[({[]$/;
const closing =
  /^(?:(?:end|else|elseif|elsewhen|equation|algorithm|public|protected)\b|initial\s+(?:equation|algorithm)\b|[)}\]])/;

/** The column at which a line begins: that of the line before it, further inside behind what opens something, further outside where it closes something. */
function columnOf(context: IndentContext, at: number): number {
  const { state, unit } = context;
  // Where a line is about to be broken, what stands before the break is the line before.
  const broken = context.lineAt(at, -1);
  let before = broken.from < at ? broken.text : '';
  for (let n = state.doc.lineAt(at).number - 1; before.trim() === '' && n > 0; n--)
    before = state.doc.line(n).text;
  const inside = opening.test(before.replace(/\/\/.*/, '').trim()) ? unit : 0;
  const outside = closing.test(context.textAfterPos(at).trim()) ? unit : 0;
  return Math.max(0, countColumn(before, state.tabSize, Math.max(0, depthOf(before))) + inside - outside);
}

export const modelica = (): LanguageSupport =>
  new LanguageSupport(language, [foldService.of(indented), indentService.of(columnOf)]);
