import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { customerPages } from '../../../contract/pages.ts';
import type { IntakeSession } from '../../app/api.ts';
import { useDraft } from '../../app/session/draft.ts';
import { pathTo } from '../../ui/page/address.ts';
import { PageHead } from '../../ui/page/page.tsx';
import { type Edits, fieldName, pendingFields } from './draft/edits.ts';

const words = {
  confirmed: 'This draft was ordered.',
  closed: 'This draft was deleted.',
  expired: 'This draft has expired: drafts stay for thirty days.',
};

/** Instead of the page of a draft that cannot be changed any more. What was not stored in time is shown. */
export function EndedDraft({ session }: { session: IntakeSession }) {
  const { id, status, job_id: job } = session;
  const [edits] = useDraft<Edits>(`order-${id}`, {});
  const left = pendingFields(session, edits).filter((field) => field !== 'files' && edits[field] !== '');
  return (
    <div className="stack">
      <PageHead title="New job" />
      <div className="note row">
        {words[status as keyof typeof words]}{' '}
        {job && <Link to={pathTo(customerPages.job, { id: job })}>Follow the job</Link>}
        <Button component={Link} to={customerPages.newJob} variant="default" size="xs">
          Begin another one
        </Button>
      </div>
      {left.length > 0 && (
        <section>
          <h2 className="section-title">You typed this afterwards</h2>
          <dl className="answers">
            {left.map((field) => (
              <div key={field}>
                <dt>{fieldName(field)}</dt>
                <dd>{edits[field]}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
    </div>
  );
}
