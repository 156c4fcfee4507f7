import { sql } from 'kysely';
import { customerPages, deskPages } from '../../contract/pages.ts';
import { showId } from '../lib/id.ts';
import { type MailKind, patience, subjectAbout, withoutLinks } from './letter.ts';

type Reader = {
  userId: string;
  data: { account_id: string; job_id: string; side: 'customer' | 'studio'; from: string };
};
type Unread = { email: string; customer_title: string; author: string; name: string; text: string };

/** The most messages that one mail quotes. */
const quoted = 10;

/** Messages of the other side that the person has not read. Dropped once they have, or have left. */
export const jobMessages: MailKind<Reader> = {
  hours: patience,
  counted: false,
  async compose(db, { userId, data: { account_id, job_id, side, from } }) {
    const { rows } = await sql<Unread>`
      select u.email, j.customer_title, s.author, s.text,
        coalesce((select name from people a where a.id = s.user_id), (select name from api_keys k where k.id = s.api_key_id), '') as name
      from job_messages s
      join jobs j on j.account_id = s.account_id and j.id = s.job_id
      join people u on u.id = ${userId}
      left join job_readers r on r.account_id = s.account_id and r.job_id = s.job_id and r.user_id = u.id
      where s.account_id = ${account_id} and s.job_id = ${job_id} and s.id >= ${from} and s.withdrawn_at is null
        and s.id > coalesce(r.read_message_id, '00000000-0000-0000-0000-000000000000') and r.following is distinct from false
        and (s.author = 'customer') = (${side} = 'studio')
        and case ${side} when 'studio' then u.operator
          else exists (select from members m where m.account_id = s.account_id and m.user_id = u.id) end
      order by s.id limit ${quoted + 1}`.execute(db);
    const [first] = rows;
    if (!first) return null;
    const page = side === 'studio' ? deskPages.job : customerPages.job;
    return {
      to: first.email,
      subject: subjectAbout('New message', first.customer_title),
      body: [
        `About "${withoutLinks(first.customer_title)}":`,
        ...rows.slice(0, quoted).map((row) => `${nameOf(row)} wrote: ${withoutLinks(row.text)}`),
        ...(rows.length > quoted ? ['There are more on the page.'] : []),
        // The caret is then in the field of an open question.
        { path: `${page.replace(':id', showId('job', job_id))}#answer`, button: 'Read and answer' },
        'You get this mail because you follow this job. The page of the job ends that.',
      ],
      of: side === 'studio' ? 'customer_message' : 'message',
    };
  },
};

const nameOf = ({ author, name }: Unread): string =>
  author === 'customer' ? withoutLinks(name || 'The customer') : 'The studio';

type Waiting = { userId: string; data: { account_id: string; job_id: string; since: string } };

/** A question still stops the clock. Dropped once the clock runs, or the person no longer follows the job. */
export const openQuestion: MailKind<Waiting> = {
  hours: patience,
  counted: false,
  async compose(db, { userId, data: { account_id, job_id, since } }) {
    const { rows } = await sql<{ email: string; customer_title: string; text: string }>`
      select u.email, j.customer_title, s.text
      from jobs j
      join members m on m.account_id = j.account_id and m.user_id = ${userId}
      join people u on u.id = m.user_id
      join job_messages s on s.account_id = j.account_id and s.job_id = j.id and s.question and s.answered_at is null
        and s.closed_at is null and s.withdrawn_at is null
      left join job_readers r on r.account_id = j.account_id and r.job_id = j.id and r.user_id = u.id
      where j.account_id = ${account_id} and j.id = ${job_id} and j.waiting_since = ${since}::timestamptz
        and r.following is distinct from false
      order by s.id limit 1`.execute(db);
    const [question] = rows;
    if (!question) return null;
    return {
      to: question.email,
      subject: subjectAbout('The studio waits for your answer', question.customer_title),
      body: [
        `The studio asked about "${withoutLinks(question.customer_title)}": ${withoutLinks(question.text)}`,
        'Until you answer, work and the due date stand still.',
        { path: `${customerPages.job.replace(':id', showId('job', job_id))}#answer`, button: 'Answer' },
      ],
      of: 'message',
    };
  },
};
