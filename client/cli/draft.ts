import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { isScalar, parseDocument, visit } from 'yaml';
import type { CreateJobData } from '../generated/types.gen.ts';
import { type Input, type Io, type Option, UsageError } from './command.ts';
import { optionalOf, optionalOptions } from './optional-flags.ts';

export type Draft = CreateJobData['body'];

export const draftOptions: Record<string, Option> = {
  family: { value: 'ID', description: 'service family, such as design' },
  type: { value: 'ID', description: 'service option, such as logo' },
  title: { value: 'TEXT', description: 'title of the job' },
  instructions: { value: 'TEXT|@FILE', description: 'instructions, or a file that holds them' },
  ...optionalOptions,
  file: { value: 'FILE', short: 'f', description: 'draft.md with front matter, or draft.json; - for standard input' },
};
const flagsOf = (input: Input) => ({
  family: input.text('family'),
  type: input.text('type'),
  title: input.text('title'),
  instructions: input.text('instructions'),
  file: input.text('file'),
  optional: optionalOf(input),
});

/** Field names in the front matter of a draft. */
const names: Record<string, keyof Draft> = {
  family: 'service_family',
  type: 'service_type',
  title: 'customer_title',
  instructions: 'customer_instructions',
};

async function readText(io: Io, path: string): Promise<string> {
  try {
    return await (path === '-' ? text(io.stdin) : readFile(resolve(io.cwd(), path), 'utf8'));
  } catch {
    throw new UsageError(`The file ${path} cannot be read.`, 'Check its path.');
  }
}

/** The parser compares each field with each other. */
const longestHead = 10_000;

/** JSON as in the API, or front matter (`family`, `type`, `title`) followed by the instructions. */
function parseDraft(path: string, text: string): Record<string, unknown> {
  if (text.trimStart().startsWith('{')) {
    try {
      return JSON.parse(text) as Record<string, unknown>;
    } catch {
      throw new UsageError(`${path} is not valid JSON.`, 'Correct it and try again.');
    }
  }
  const [, head, body] = /^---\r?\n([^]*?)\r?\n---\r?\n([^]*)$/.exec(text) ?? [];
  if (head === undefined || body === undefined)
    throw new UsageError(`${path} is no draft.`, 'Begin it with front matter: --- family: design, type: logo, title: … ---');
  if (head.length > longestHead)
    throw new UsageError(
      `The front matter of ${path} has more than ${longestHead} characters.`,
      'Write the instructions below its second ---.',
    );
  // Failsafe: each value is a text, so that a title may be 2026 or yes.
  const front = parseDocument(head, { schema: 'failsafe' });
  const [fault] = front.errors;
  const fields: unknown = fault ? null : readFields(front);
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields))
    throw new UsageError(
      `The front matter of ${path} is not valid YAML${fault ? `: ${fault.message.split('\n')[0]?.replace(/:$/, '')}` : ''}.`,
      'Write one field a line, such as title: Logo for a bakery. Quote a value that has a colon.',
    );
  return { ...fields, instructions: body.trim() };
}

/**
 * Null for an alias without an anchor, such as `title: *Bold*`, and for a map as a key, which the library
 * would write as text, level by level.
 */
function readFields(front: ReturnType<typeof parseDocument>): unknown {
  let hasOtherKeys = false;
  visit(front, { Pair: (_, { key }) => void (hasOtherKeys ||= !isScalar(key)) });
  if (hasOtherKeys) return null;
  try {
    return front.toJS();
  } catch {
    return null;
  }
}

/** From `--file`, flags, or both; flags win. `--instructions @file` reads a file. */
export async function readDraft(io: Io, input: Input): Promise<Draft> {
  const { file, optional, ...flags } = flagsOf(input);
  const fields: Record<string, unknown> = file === undefined ? {} : parseDraft(file, await readText(io, file));
  for (const [name, value] of Object.entries(flags)) if (value !== undefined) fields[name] = value;
  for (const [name, value] of Object.entries(optional))
    fields[name] = typeof value === 'object' ? { ...(fields[name] as object), ...value } : value;
  // Only in flags: drafts may be somebody else's text and must not read local files.
  if (flags.instructions?.startsWith('@')) fields['instructions'] = await readText(io, flags.instructions.slice(1));
  const draft = Object.fromEntries(Object.entries(fields).map(([name, value]) => [names[name] ?? name, value]));
  const missing = Object.entries(names).filter(([, field]) => !draft[field]);
  if (missing.length > 0)
    throw new UsageError(
      `The draft has no ${missing.map(([name]) => name).join(', ')}.`,
      `Add ${missing.map(([name]) => `--${name}`).join(' ')}, or name a draft with --file.`,
    );
  return draft as Draft;
}
