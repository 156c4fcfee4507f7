/** A mistake and where it is in the text. */
export type SvgFault = { offset: number; message: string };

/**
 * Writes an SVG again with nothing but shapes, text, gradients and filters. What drawing programs leave
 * behind is dropped. Scripts and links are taken out, which the author is told. Anything else that could run,
 * fetch or grow without bounds is a fault.
 */
export function cleanSvg(svg: string): { svg: string; takenOut: string[] } | SvgFault {
  const state: State = {
    written: '',
    open: [],
    dropping: 0,
    style: '',
    ended: false,
    using: new Set(),
    used: new Set(),
    takenOut: new Set(),
  };
  if (/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(svg))
    return { offset: 0, message: 'has characters that XML does not allow' };
  token.lastIndex = 0;
  for (let offset = 0; offset < svg.length; offset = token.lastIndex) {
    token.lastIndex = offset;
    const next = token.exec(svg);
    const problem = next ? take(state, next.groups ?? {}) : broken(svg, offset);
    if (problem !== null) return { offset, message: problem };
    if (isScript(next?.groups?.name) && next?.groups?.empty === '') token.lastIndex = endOfScript(svg, token.lastIndex);
  }
  const twice = [...state.used].find((id) => state.using.has(id));
  if (twice !== undefined) return { offset: 0, message: `uses "${twice.slice(0, 40)}", which itself uses others` };
  if (state.ended) return { svg: state.written, takenOut: [...state.takenOut] };
  return { offset: svg.length, message: 'ends before its last element does' };
}

const isScript = (name: string | undefined) => name !== undefined && /^script$/i.test(name);

/** A script is no XML: it has signs of its own. */
function endOfScript(svg: string, from: number): number {
  const length = svg.slice(from).search(/<\/script/i);
  return length === -1 ? svg.length : from + length;
}

type State = {
  written: string;
  /** The open elements, and the ids of each. */
  open: { name: string; id: string | undefined }[];
  /** The depth within an element that is left out. */
  dropping: number;
  /** The text of the open `style`, which is judged whole: no fault hides between its pieces. */
  style: string;
  ended: boolean;
  /** Ids of elements that contain a `use`, and those that one refers to. */
  using: Set<string>;
  used: Set<string>;
  /** In words. */
  takenOut: Set<string>;
};

/** An element whose content stays. */
const link = 'a';

const token =
  /<!--(?:[^-]|-(?!-))*-->|<\?xml\s[^?<>]*\?>|<!DOCTYPE\s[^[\]<>]*>|<\/(?<closed>[^\s<>/]+)\s*>|<(?<name>[^\s<>/!?]+)(?<attributes>(?:\s+[^\s=<>"'/]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(?<empty>\/?)>|<!\[CDATA\[(?<data>[^<\]]*)\]\]>|(?<text>[^<]+)/y;
const attribute = /\s+([^\s=<>"'/]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/gy;

const elements = new Set(
  (
    'svg g defs symbol use title desc path rect circle ellipse line polyline polygon text tspan textPath style ' +
    'linearGradient radialGradient stop clipPath mask pattern marker filter feBlend feColorMatrix feComponentTransfer ' +
    'feComposite feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology ' +
    'feOffset feTurbulence'
  ).split(' '),
);

/** Deeper than any drawing. */
const deepest = 64;

function broken(svg: string, offset: number): string {
  const begins = svg.slice(offset, offset + 9).toUpperCase();
  if (begins === '<!DOCTYPE' || begins.startsWith('<!ENTITY')) return 'declares entities';
  return begins.startsWith('<?') ? 'has a processing instruction' : 'is not well-formed XML';
}

/** Writes what a token holds, or answers why it must not be there. */
function take(
  state: State,
  { closed, name, attributes = '', empty, data, text }: Record<string, string>,
): string | null {
  if (closed !== undefined) return close(state, closed);
  if (name !== undefined) return open(state, name, attributes, empty === '/');
  return write(state, data, text);
}

function open(state: State, name: string, text: string, isEmpty: boolean): string | null {
  if (state.ended) return 'has an element after its last';
  if (state.open.at(-1)?.name === 'style') return 'has an element in its style';
  if (state.open.length >= deepest) return `is nested deeper than ${deepest} elements`;
  if (state.open.length === 0 && name !== 'svg') return 'must be an <svg>';
  const isTakenOut = state.dropping === 0 && (isScript(name) || name === link);
  if (isTakenOut) state.takenOut.add(isScript(name) ? 'a <script>' : 'a link');
  if (isTakenOut && name === link) {
    if (!isEmpty) state.open.push({ name, id: undefined });
    return null;
  }
  const isForeign = name.includes(':') || name === 'metadata' || isTakenOut;
  if (state.dropping === 0 && !isForeign && !elements.has(name))
    return `has a <${name.slice(0, 40)}>: only shapes, text, gradients and filters may be in it`;
  const attributes = isForeign || state.dropping > 0 ? new Map<string, string>() : readAttributes(state, name, text);
  if (typeof attributes === 'string') return attributes;
  if (state.open.length === 0 && !attributes.has('viewBox') && !(attributes.has('width') && attributes.has('height')))
    return 'needs a viewBox';
  noteUse(state, name, attributes);
  if (isForeign || state.dropping > 0) state.dropping += isEmpty ? 0 : 1;
  else
    state.written += `<${name}${state.open.length === 0 ? ' xmlns="http://www.w3.org/2000/svg"' : ''}${[...attributes].map(([key, value]) => ` ${key}="${escape(value)}"`).join('')}${isEmpty ? '/' : ''}>`;
  state.style = '';
  if (!isEmpty) state.open.push({ name, id: attributes.get('id') });
  else if (state.open.length === 0) state.ended = true;
  return null;
}

function close(state: State, name: string): string | null {
  if (state.open.pop()?.name !== name) return 'is not well-formed XML';
  if (state.dropping > 0) state.dropping -= 1;
  else if (name !== link) state.written += `</${name}>`;
  state.ended = state.open.length === 0;
  return name === 'style' ? styleFault(state.style) : null;
}

function write(state: State, data: string | undefined, text: string | undefined): string | null {
  const plain = data ?? unescape(text ?? '');
  if (plain === null) return 'has an entity';
  const parent = state.open.at(-1);
  if (!parent) return plain.trim() === '' ? null : 'is not well-formed XML';
  if (state.dropping > 0) return null;
  state.written += escape(plain);
  if (parent.name === 'style') state.style += plain;
  return null;
}

/** A copy of copies of copies has no bounds, so what is used may use nothing itself. */
function noteUse(state: State, name: string, attributes: ReadonlyMap<string, string>): void {
  const used = name === 'use' ? attributes.get('href') : undefined;
  if (used === undefined) return;
  state.used.add(used.slice(1));
  for (const id of [...state.open.map((element) => element.id), attributes.get('id')]) if (id) state.using.add(id);
}

/** What is kept of an element's attributes, or what is wrong with one. */
function readAttributes({ takenOut }: State, element: string, text: string): Map<string, string> | string {
  const attributes = new Map<string, string>();
  for (const [, key = '', double, single] of text.matchAll(attribute)) {
    const value = unescape(double ?? single ?? '');
    if (value === null) return 'has an entity';
    const name = key === 'xlink:href' ? 'href' : key;
    if (name === 'xmlns' && value !== 'http://www.w3.org/2000/svg') return 'must be an <svg>';
    if (name === 'xmlns' || name.includes(':') || name.startsWith('data-')) continue;
    if (attributes.has(name)) return 'is not well-formed XML';
    if (!/^[a-zA-Z][\w-]*$/.test(name)) return 'is not well-formed XML';
    const what = /^on/i.test(name)
      ? `the event handler ${name.slice(0, 40)}`
      : isOutside(name, value)
        ? 'a link'
        : null;
    if (what !== null) {
      takenOut.add(what);
      continue;
    }
    const fault = name === 'href' ? null : styleFault(value);
    if (fault !== null) return `${fault}, in <${element}>`;
    attributes.set(name, value);
  }
  return attributes;
}

const isOutside = (name: string, value: string) => name === 'href' && !/^#[^\s#]+$/.test(value);

/** Presentation attributes are style, too: they take `url()` and escapes. */
function styleFault(value: string): string | null {
  if (value.includes('\\')) return 'has an escape in its style';
  if (/@(?!media\b)/i.test(value)) return 'has a rule in its style that is not @media';
  const refersOutside = /url\s*\((?!\s*["']?#)|\b(?:image|image-set|src|cross-fade|element)\s*\(|\/\/|\bscript:/i.test(
    value,
  );
  return refersOutside ? 'refers to something outside itself' : null;
}

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Null if the text has an entity that XML does not define. */
function unescape(text: string): string | null {
  let isPlain = true;
  const plain = text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{1,6}));|&/gi, (_, decimal, hexadecimal, name) => {
    const code = decimal ? Number(decimal) : hexadecimal ? Number.parseInt(hexadecimal, 16) : null;
    const isAllowed = code !== null && code >= 32 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    const character = isAllowed ? String.fromCodePoint(code) : named[name];
    isPlain &&= character !== undefined;
    return character ?? '';
  });
  return isPlain ? plain : null;
}

const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escape = (text: string) => text.replace(/[&<>"]/g, (sign) => signs[sign] ?? sign);
