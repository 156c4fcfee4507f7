import type { Atelier } from '../atelier.ts';
import type { Job, NewComment, ReadJobResponse, ReviewComment } from '../generated/types.gen.ts';
import { type Io, UsageError } from './command.ts';
import { print } from './terminal.ts';

/** Reads `FILE#PLACE: TEXT`, where the file is named by its name or id, and the place may be missing. */
export function readComment(text: string, { files, deliveries }: Job): NewComment {
  const delivered = deliveries.at(-1)?.file_ids ?? [];
  const names = files
    .filter(({ id }) => delivered.includes(id))
    .flatMap(({ id, file_name }) => [
      { name: id, file_id: id },
      { name: file_name, file_id: id },
    ])
    .filter(({ name }) => text.startsWith(`${name}: `) || text.startsWith(`${name}#`));
  // The longest, because one name may begin another.
  const longest = Math.max(...names.map(({ name }) => name.length));
  const [match, ...others] = names.filter(({ name }) => name.length === longest);
  const { name = '', file_id } = match ?? {};
  if (file_id === undefined)
    throw new UsageError(`No delivered file is named in "${text}".`, 'Write FILE#PLACE: TEXT. "atelier job" shows the files.');
  if (others.length > 0)
    throw new UsageError(`Several delivered files are named ${name}.`, 'Name the file by its id. "atelier job" shows the ids.');
  const [, place, words] = /^(?:#(\S{1,200}?))?: ([^]+)$/.exec(text.slice(name.length)) ?? [];
  if (words === undefined) throw new UsageError(`The comment on ${name} has no text.`, 'Write FILE#PLACE: TEXT.');
  return { file_id, text: words, ...(place === undefined ? {} : { at: place }) };
}

/** Comments of the last revision, and comments that are sent with the next one. */
export async function showComments(io: Io, atelier: Atelier, { job, revision }: ReadJobResponse): Promise<void> {
  for (const comment of revision?.comments ?? []) showComment(io, comment);
  if (job.status !== 'ready_for_customer_review') return;
  let cursor: string | null = null;
  do {
    const query: { round: number; limit: number; cursor?: string } = { round: job.revisions.used, limit: 100 };
    const page: { comments: ReviewComment[]; next_cursor: string | null } = await atelier.listComments({
      path: { id: job.id },
      query: { ...query, ...(cursor ? { cursor } : {}) },
    });
    for (const comment of page.comments) showComment(io, comment);
    cursor = page.next_cursor;
  } while (cursor !== null);
}

const nameOf = ({ kind, name }: ReviewComment['author']): string => (kind === 'guest' ? `${name} (guest)` : name);

function showComment(io: Io, comment: ReviewComment): void {
  const { number, round, author, file_name, at, text, sent_at, settled_at, done_at, done_note, replies } = comment;
  const open = settled_at === null ? 'not sent' : 'settled';
  const state = sent_at === null ? open : done_at === null ? 'sent' : 'done';
  const by = nameOf(author);
  print(io, `comment ${round}.${number}  ${state}  ${by}  ${at === null ? file_name : `${file_name}#${at}`}`);
  print(io, text.replace(/^/gm, '  '));
  for (const reply of replies) print(io, `${nameOf(reply.author)}: ${reply.text}`.replace(/^/gm, '  | '));
  if (done_note !== null) print(io, done_note.replace(/^/gm, '  > '));
}
