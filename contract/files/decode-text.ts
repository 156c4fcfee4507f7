/** Reads a text in its own encoding. Without imports, so that the pages and the service read it alike. */

/** By their labels in the Encoding Standard. */
export const encodings = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
  'windows-1252': 'Windows-1252',
  'iso-8859-15': 'ISO-8859-15',
  macintosh: 'Macintosh',
  'windows-1250': 'Windows-1250',
  'iso-8859-2': 'ISO-8859-2',
  'windows-1251': 'Windows-1251',
  'koi8-r': 'KOI8-R',
  'windows-1253': 'Windows-1253',
  'windows-1254': 'Windows-1254',
  'windows-1255': 'Windows-1255',
  'windows-1256': 'Windows-1256',
  shift_jis: 'Shift_JIS',
  'euc-jp': 'EUC-JP',
  gb18030: 'GB18030',
  big5: 'Big5',
  'euc-kr': 'EUC-KR',
} as const;
export type Encoding = keyof typeof encodings;
export const isEncoding = (label: string): label is Encoding => Object.hasOwn(encodings, label);

export type DecodedText = {
  /** Without a byte order mark. Of the beginning of a file, only whole lines. */
  text: string;
  encoding: Encoding;
  /** How many places cannot be read as a character. */
  unreadable: number;
  /** Control characters that texts do not have: a sign of binary data. */
  controls: number;
};

// oxlint-disable-next-line no-control-regex
export const controlCharacters = /[\0-\x08\x0e-\x19\x1c-\x1f\x80-\x84\x86-\x9f]/g;

export function decodeText(
  bytes: Uint8Array,
  { isWhole = true, encoding = detect(bytes, isWhole) }: { isWhole?: boolean; encoding?: Encoding | undefined } = {},
): DecodedText {
  // As a stream, so that a character which is cut off at the end is left out.
  const decoded = new TextDecoder(encoding).decode(bytes, { stream: !isWhole });
  const text = isWhole ? decoded : wholeLines(decoded);
  return {
    text,
    encoding,
    unreadable: fits(bytes, encoding, isWhole) ? 0 : count(text, /\uFFFD/g),
    controls: count(text, controlCharacters),
  };
}

export const linesOf = (text: string): string[] => text.replace(/(?:\r\n?|\n)$/, '').split(/\r\n?|\n/);

function detect(bytes: Uint8Array, isWhole: boolean): Encoding {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  // Zero bytes are valid UTF-8, so they are looked at before.
  const wide = utf16By(bytes.subarray(0, 4_096));
  if (wide) return wide;
  if (isUtf8(bytes, isWhole)) return 'utf-8';
  return declared(bytes.subarray(0, 1_024)) ?? 'windows-1252';
}

/** Spaces, line ends and Latin letters have a zero byte in UTF-16, always on the same side. */
function utf16By(bytes: Uint8Array): Encoding | null {
  const zeros = [0, 0];
  for (const [index, byte] of bytes.entries()) if (byte === 0) zeros[index % 2]! += 1;
  const [high = 0, low = 0] = zeros;
  const many = bytes.length / 20;
  if (low > many && high < low / 10) return 'utf-16le';
  return high > many && low < high / 10 ? 'utf-16be' : null;
}

/** Few bad bytes among many good characters are a damaged text, not one of another encoding. */
function isUtf8(bytes: Uint8Array, isWhole: boolean): boolean {
  if (fits(bytes, 'utf-8', isWhole)) return true;
  const text = new TextDecoder().decode(bytes, { stream: !isWhole });
  return count(text, /[^\0-\x7f\uFFFD]/g) > 4 * count(text, /\uFFFD/g);
}

/** What XML, HTML or CSS says about itself. */
function declared(start: Uint8Array): Encoding | null {
  const text = new TextDecoder('windows-1252').decode(start);
  const [, label = ''] = /^\s{0,9}[<@][^]{0,900}?(?:encoding|charset)[\s="']{1,4}([\w-]{3,20})/i.exec(text) ?? [];
  try {
    const { encoding } = new TextDecoder(label);
    return isEncoding(encoding) && !encoding.startsWith('utf-16') ? encoding : null;
  } catch {
    return null;
  }
}

function fits(bytes: Uint8Array, encoding: Encoding, isWhole: boolean): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: !isWhole });
    return true;
  } catch {
    return false;
  }
}

/** Drops the line that is cut off at the end, unless it is the only one. */
function wholeLines(text: string): string {
  const end = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1;
  return end > 0 ? text.slice(0, end) : text;
}

const count = (text: string, characters: RegExp): number => text.match(characters)?.length ?? 0;
