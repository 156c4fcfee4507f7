/**
 * Rules for statements, so that a store that keeps each account in one place could run them
 * (docs/decisions/0045-portable-statements.md). They read the text alone.
 */

/** A query without the queries inside it, which are replaced by `(?)`. */
type Level = { text: string };

const starts = /^\s*(?:with|select|insert|update|delete)\b/;

/** In lower case, without comments, quoted names and literals. */
const plain = (text: string): string =>
  text
    .replace(/--[^\n]*/g, ' ')
    .replace(/'(?:[^']|'')*'/g, "''")
    .replaceAll('"', '')
    .replace(/\s+/g, ' ')
    .toLowerCase();

function levelsOf(text: string): Level[] {
  const levels: Level[] = [];
  const read = (from: number, isQuery: boolean): { end: number; text: string } => {
    let level = '';
    for (let at = from; at < text.length; at++) {
      const sign = text[at]!;
      if (sign === ')') return { end: at, text: close(level, isQuery) };
      if (sign !== '(') {
        level += sign;
        continue;
      }
      const inner = read(at + 1, starts.test(text.slice(at + 1, at + 40)));
      level += `(${inner.text})`;
      at = inner.end;
    }
    return { end: text.length, text: close(level, isQuery) };
  };
  const close = (level: string, isQuery: boolean): string => {
    if (!isQuery) return level;
    for (const part of level.split(/\bunion(?: all)?\b/)) levels.push({ text: part });
    return '?';
  };
  read(0, true);
  return levels;
}

const keywords =
  'where|on|join|left|right|inner|cross|order|group|set|using|for|limit|union|returning|values|select|as|natural|full';
const reads = new RegExp(
  String.raw`\b(?:from|join|update|using) (?:only )?([a-z_]+)(?: (?:as )?(?!(?:${keywords})\b)([a-z_]+))?`,
  'g',
);

/** Tables of accounts that a level reads or changes without a condition with the account as a parameter. */
function withoutAccount({ text }: Level, tables: ReadonlySet<string>): string[] {
  const read = [...text.matchAll(reads)].filter(([, table]) => tables.has(table!));
  return read.flatMap(([, table, alias = table]) => {
    const own = new RegExp(String.raw`\b${alias}\.account_id = \$\d`);
    const bare = /(?<![.\w])account_id = \$\d/;
    return own.test(text) || (read.length === 1 && bare.test(text)) ? [] : [table!];
  });
}

const isWrite = ({ text }: Level) =>
  /^ ?(?:with (?:recursive )?(?:\w+ ?(?:\([^()?]*\) )?as (?:materialized )?\(\?\),? ?)+)?(?:insert|update|delete)\b/.test(
    text,
  );
/** An UPDATE or DELETE, or an INSERT with something to return. */
const isChange = (level: Level) =>
  isWrite(level) && (!level.text.includes('insert into ') || level.text.includes('returning '));
/** What an UPDATE or the update of a conflict assigns. */
const assigned = ({ text }: Level) => /\bset\b(.*?)(?:\bwhere\b|\bfrom\b|\breturning\b|$)/.exec(text)?.[1] ?? '';
const afterConflict = ({ text }: Level) => /\bdo update\b(.*?)(?:\breturning\b|$)/.exec(text)?.[1] ?? '';

/** Rows of these tables are never changed; of the adjustments only the reason is erased. */
const appendOnly =
  /\b(?:update|delete from|truncate) (?:usage_ledger|audit_log|catalog_versions|catalog_files)\b|\bdelete from quota_adjustments\b|\bupdate quota_adjustments set (?!reason = )/;

const rules: Record<string, (level: Level) => boolean> = {
  'assigns what a volatile function returns': (level) =>
    /\b(?:gen_random_uuid|clock_timestamp|random|uuidv7)\(/.test(assigned(level)),
  'assigns a slice of an array': (level) => /\[[^\]]*[^:\]]:[^:\]][^\]]*\]/.test(assigned(level)),
  'has now() after DO UPDATE': (level) => afterConflict(level).includes('now()'),
  'has a query in VALUES or after DO UPDATE': (level) =>
    afterConflict(level).includes('(?)') || /\bvalues\b(?:(?!\b(?:on conflict|returning)\b).)*\(\?\)/.test(level.text),
  'compares a row with a query': ({ text }) => /\([^()]*,[^()]*\) (?:=|<>|in|not in|<|>|<=|>=) \(\?\)/.test(text),
  'has now() in CASE, COALESCE or RETURNING of a change': (level) =>
    isChange(level) &&
    /\bcase\b(?:(?!\bend\b).)*now\(\)|\bcoalesce\([^()]*now\(\)|\breturning\b.*now\(\)/.test(level.text),
  'changes rows that are never changed': ({ text }) => appendOnly.test(text),
};

/** What a statement does that a store of accounts could not run; `for update` is named by `locks`. */
export function faultsOf(statement: string, tables: ReadonlySet<string>): string[] {
  const faults = levelsOf(plain(statement)).flatMap((level) => {
    const broken = Object.entries(rules).flatMap(([name, breaks]) => (breaks(level) ? [name] : []));
    const verb = /\bfor (?:no key )?(?:update|share)\b/.test(level.text)
      ? 'locks'
      : isWrite(level)
        ? 'changes'
        : 'reads';
    return [...broken, ...withoutAccount(level, tables).map((table) => `${verb} ${table} of many accounts`)];
  });
  return [...new Set(faults)].toSorted();
}
