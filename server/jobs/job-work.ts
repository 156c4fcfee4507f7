import { sql } from 'kysely';
import type { Static } from 'typebox';
import { type JobListItem, questionExcerpt } from '../../contract/jobs/job.ts';
import type { Db } from '../db/pool.ts';
import { showId } from '../lib/id.ts';
import { type FileRow, showPoster } from './job-file.ts';
import type { ListedJob } from './job.ts';
import { hasBytes } from './last-delivery.ts';

type Cover = Pick<FileRow, 'id' | 'file_name' | 'content_type'> & Parameters<typeof showPoster>[0];
type Row = { id: string; cover: Cover | null; open_question: string | null; sent: number; done: number };
type Work = Pick<Static<typeof JobListItem>, 'cover' | 'open_question' | 'changes'>;

/** What lists show of the work of each job, in one statement for the jobs of a page. */
export async function readWork(
  db: Db,
  accountId: string,
  jobs: readonly Pick<ListedJob, 'id'>[],
): Promise<(job: Pick<ListedJob, 'id'>) => Work> {
  const { rows } = await sql<Row>`
    select j.id,
      (select to_json(f) from (
        select v.id, v.file_name, v.content_type, v.status, v.poster_status, v.poster_key, v.pixel_width,
          v.pixel_height, v.viewing_status
        from visible_files v
        where v.account_id = ${accountId} and v.job_id = j.id and ${hasBytes('v')}
          and (v.released_at is not null or v.uploaded_by = 'customer')
        order by v.released_at is null, v.round desc, v.poster_status = 'made' desc, v.poster_status = 'pending' desc,
          v.position, v.created_at, v.id
        limit 1) f) as cover,
      case when j.waiting_since is not null then
        (select left(m.text, ${questionExcerpt}) from job_messages m
        where m.account_id = ${accountId} and m.job_id = j.id and m.question and m.answered_at is null
          and m.closed_at is null and m.withdrawn_at is null
        order by m.id limit 1) end as open_question,
      changes.sent, changes.done
    from jobs j
    left join lateral (
      select count(*)::int as sent, count(c.done_at)::int as done from job_comments c
      where c.account_id = ${accountId} and c.job_id = j.id and c.round = j.revisions_used - 1
        and c.sent_at is not null and j.status in ('ready_for_customer_review', 'completed')) changes on true
    where j.account_id = ${accountId} and j.id = any(${jobs.map(({ id }) => id)}::uuid[])`.execute(db);
  const workById = new Map(rows.map((row) => [row.id, showWork(row)]));
  return ({ id }) => workById.get(id) ?? {};
}

const showWork = ({ cover, open_question, sent, done }: Row): Work => ({
  cover: cover && showCover(cover),
  open_question,
  changes: sent === 0 ? null : { asked: sent, done },
});

function showCover(cover: Cover): Work['cover'] {
  const { poster, poster_status } = showPoster(cover);
  const { id, file_name, content_type } = cover;
  return { file_id: showId('file', id), file_name, content_type, poster, poster_status };
}
