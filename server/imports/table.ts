import { readFile, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { CsvError, parse } from 'csv-parse/sync';
import { Unusable } from '../backup/unusable.ts';

/** What keeps a row, or a whole file, from being imported. */
export type Problem = { file: string; line: number; column: string | null; message: string };

/** Where a row is, and its trimmed cells by column. A column that is not there is empty. */
export type Row<Column extends string = string> = { file: string; line: number; cells: Record<Column, string> };

type Columns<Column extends string> = { required: readonly Column[]; optional: readonly Column[] };

export const problemAt = (
  { file, line }: Pick<Row, 'file' | 'line'>,
  column: string | null,
  message: string,
): Problem => ({
  file,
  line,
  column,
  message,
});

/** A table with a head, in UTF-8 and separated by commas. Its problems are told all at once. */
export async function readTable<Column extends string>(
  folder: string,
  file: string,
  columns: Columns<Column>,
): Promise<{ rows: Row<Column>[]; problems: Problem[] }> {
  const bytes = await readBytes(folder, file);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const [head, ...lines] = splitLines(text);
    const names = head?.cells.map((name) => name.trim()) ?? [];
    const problems = headProblems(file, names, columns);
    if (problems.length > 0) return { rows: [], problems };
    return readRows(
      file,
      names,
      lines.filter(({ cells }) => cells.length > 1 || cells[0]?.trim() !== ''),
    );
  } catch (error) {
    return { rows: [], problems: [asProblem(file, error)] };
  }
}

async function readBytes(folder: string, file: string): Promise<Buffer> {
  const path = join(folder, file);
  try {
    if (!(await isWithin(folder, path))) throw new Error('It leads out of the folder.');
    return await readFile(path);
  } catch {
    throw new Unusable(
      `There is no readable file ${file} in ${folder}.`,
      'docs/operations/studio.md lists the files of an import.',
    );
  }
}

/** Whether a path that exists leads to something in the folder, through whatever links. */
export async function isWithin(folder: string, path: string): Promise<boolean> {
  const [root, real] = await Promise.all([realpath(folder), realpath(path)]);
  return real.startsWith(root + sep);
}

type Line = { line: number; cells: string[] };

/** The parser counts the ends of lines inside quotes twice, so they are counted here. */
function splitLines(text: string): Line[] {
  const records = parse(text, { info: true, relax_column_count: true, record_delimiter: ['\r\n', '\n'] });
  const bytes = Buffer.from(text);
  let [line, from] = [1, 0];
  return (records as unknown as { info: { bytes: number }; record: string[] }[]).map(({ info, record }) => {
    const here = { line, cells: record };
    for (; from < info.bytes; from += 1) if (bytes[from] === 0x0a) line += 1;
    return here;
  });
}

function asProblem(file: string, error: unknown): Problem {
  if (error instanceof CsvError) {
    const { lines: line = 1 } = error as { lines?: number };
    return { file, line, column: null, message: `is not a table of CSV: ${error.message}` };
  }
  if (error instanceof TypeError) return { file, line: 1, column: null, message: 'is not UTF-8: save it as CSV UTF-8' };
  throw error;
}

function headProblems(file: string, names: readonly string[], { required, optional }: Columns<string>): Problem[] {
  const all = [...required, ...optional];
  const at = { file, line: 1 };
  return [
    ...required
      .filter((name) => !names.includes(name))
      .map((name) => problemAt(at, name, `is missing. The columns are ${all.join(', ')}, separated by commas`)),
    ...names
      .filter((name, place) => !all.includes(name) || names.indexOf(name) !== place)
      .map((name) => problemAt(at, name, all.includes(name) ? 'stands twice' : 'is not a column of this file')),
  ];
}

function readRows<Column extends string>(file: string, names: readonly string[], lines: readonly Line[]) {
  const problems: Problem[] = [];
  const rows = lines.flatMap(({ line, cells }): Row<Column>[] => {
    if (cells.length !== names.length) {
      problems.push(problemAt({ file, line }, null, `has ${cells.length} cells, but the head has ${names.length}`));
      return [];
    }
    const named = Object.fromEntries(names.map((name, place) => [name, (cells[place] ?? '').trim()]));
    const unstorable = names.filter((name) => named[name]?.includes('\0'));
    problems.push(...unstorable.map((name) => problemAt({ file, line }, name, 'contains a NUL character')));
    return unstorable.length > 0 ? [] : [{ file, line, cells: named as Record<Column, string> }];
  });
  return { rows, problems };
}
