import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { isScalar, parseDocument, visit } from 'yaml';
import type { CreateJobData } from '../generated/types.gen.ts';
import type { Io } from './command.ts';
import { UsageError } from './exit-codes.ts';

export type Draft = CreateJobData['body'];
export type DraftFlags = {
  file?: string | undefined;
  family?: string | undefined;
  type?: string | undefined;
  title?: string | undefined;
  instructions?: string | undefined;
  reference?: string | undefined;
  metadata?: string[];
  wanted_by?: string | undefined;
};

/** Field names in the front matter of a draft. */
const names: Record<string, keyof Draft> = {
  family: 'service_family',
  type: 'service_type',
  title: 'customer_title',
  instructions: 'customer_instructions',
};

/** `key=value` pairs; the value may contain equals signs. */
export function readMetadata(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, key, value] = /^([^=]+)=([^]*)$/.exec(pair) ?? [];
      if (key === undefined || value === undefined)
        throw new UsageError('--metadata needs KEY=VALUE.', 'For example: --metadata campaign=spring');
      return [key, value];
    }),
  );
}

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
export async function readDraft(io: Io, { file, metadata = [], ...flags }: DraftFlags): Promise<Draft> {
  const fields: Record<string, unknown> = file === undefined ? {} : parseDraft(file, await readText(io, file));
  for (const [name, value] of Object.entries(flags)) if (value !== undefined) fields[name] = value;
  if (metadata.length > 0) fields['metadata'] = { ...(fields['metadata'] as object), ...readMetadata(metadata) };
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
