/**
 * What people type, or paste from other programs. Each function returns the clean form, or the text as it is
 * where it has none: a clean text never changes. Without imports: server, pages and command line share it.
 */

/** Nothing that is read here is longer. It bounds the time of the expressions below. */
const longest = 1_000;

/** Invisible characters, which programs copy along, such as marks of direction and soft hyphens. */
const invisible = /\p{Default_Ignorable_Code_Point}/gu;

/** Full-width signs, as East Asian input methods write them, become ASCII. */
const plain = (text: string): string =>
  text
    .replace(invisible, '')
    .replace(/[\uff01-\uff5e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replace(/[\u3002\uff61]/g, '.')
    .trim();

/** The sign-in library's own pattern. */
export const emailPattern =
  "^(?!\\.)(?!.*\\.\\.)([A-Za-z0-9_'+\\-.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9-]*\\.)+[A-Za-z]{2,}$";
const address = new RegExp(emailPattern);

/** One address, without the name, link, quotes or punctuation around it. Two addresses are none. */
export function cleanEmail(text: string): string {
  if (text.length > longest || address.test(text)) return text;
  const copied = plain(text).replace(/[\s,;.]+$/, '');
  const [, name = '', inner = copied] =
    /^([^<>]*)<([^<>]*)>$/.exec(copied) ?? /^([^()]*)\(([^()]*)\)$/.exec(copied) ?? [];
  const bare = inner
    .replace(/^[\s"'`“”„‘’«»]*(?:mailto:)?/i, '')
    .replace(/[?|].*$/s, '')
    .replace(/[\s"'`“”„‘’«»,;.]+$/, '');
  const label = /[?|](.*)$/s.exec(inner)?.[1] ?? '';
  const isOther = [name, label].some(
    (text) => /@|%40/.test(text) && cleanEmail(text).toLowerCase() !== bare.toLowerCase(),
  );
  return address.test(bare) && !isOther ? bare : text;
}

/** The six digits of an authenticator, or a recovery code with its dash and in the case that was typed. */
export function cleanCode(text: string): string {
  if (text.length > longest) return text;
  const signs = plain(text)
    .replace(/[\s\p{Pd}\u2212]/gu, '')
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15));
  if (/^\d{6}$/.test(signs)) return signs;
  return /^[A-Za-z0-9]{10}$/.test(signs) ? `${signs.slice(0, 5)}-${signs.slice(5)}` : text;
}

/** The eight letters that a program without a browser shows. */
export function cleanDeviceCode(text: string): string {
  const letters = plain(text.slice(0, longest)).replace(/[^A-Za-z]/g, '');
  return letters.length === 8 ? letters.toUpperCase() : text;
}

/** The token of a link, without what mail programs break it with or take into the link. */
export function cleanMailToken(text: string): string {
  const token = text
    .slice(0, longest)
    .replace(invisible, '')
    .replace(/\s/g, '')
    .replace(/[^\w-]+$/, '');
  return token.length === 43 && /^[\w-]+$/.test(token) ? token : text;
}

/** An API key or a worker key. */
export const keyPattern = '[a-z]{2,8}_[0-9a-hjkmnp-tv-z]{8}_[0-9A-Za-z]{49}';

/** A key, or the secret of a webhook endpoint. */
const keyForm = new RegExp(`^(?:${keyPattern}|whsec_[A-Za-z0-9+/]{16,128}={0,2})$`);

const keyStart = /(?<![A-Za-z0-9])(?:[a-z]{2,8}_(?:\s*[0-9a-z]){8}\s*_|whsec_)/;

/** A key without line breaks, quotes, and the name of the variable or header before it. */
export function cleanKey(text: string): string {
  if (text.length > longest || keyForm.test(text)) return text;
  const copied = text.replace(invisible, '');
  const key = copied
    .slice(Math.max(copied.search(keyStart), 0))
    .replace(/\s/g, '')
    .replace(/[^A-Za-z0-9+/=]+$/, '');
  return keyForm.test(key) ? key : text;
}

/** ISO 8601 as programs write it, without leap seconds, which clocks here cannot represent. */
const timeForm =
  /^(\d{4})-?(\d\d)-?(\d\d)[T\s]([01]\d|2[0-3]):?([0-5]\d)(?::?([0-5]\d)(?:[.,](\d{1,9}))?)?\s?(?:Z|UTC|([+-](?:0\d|1[0-4]))(?::?([0-5]\d))?)$/i;

/** A time of the years 1970 to 9999 in the form that all code here reads; null for what is no time. */
export function readTime(text: string): string | null {
  const parts = text.length > longest ? null : timeForm.exec(plain(text));
  if (!parts) return null;
  const [, year, month, day, hour, minute, second, fraction, offset, offsetMinutes = '00'] = parts;
  const date = `${year}-${month}-${day}`;
  const midnight = new Date(`${date}T00:00:00Z`);
  if (Number.isNaN(midnight.getTime()) || midnight.getUTCDate() !== Number(day)) return null;
  const zone = offset === undefined ? 'Z' : `${offset}:${offsetMinutes}`;
  const seconds = second === undefined ? '' : `:${second}${fraction === undefined ? '' : `.${fraction}`}`;
  const time = `${date}T${hour}:${minute}${seconds}${zone}`;
  const at = Date.parse(time);
  return at >= 0 && new Date(at).getUTCFullYear() <= 9999 ? time : null;
}
