import { useState } from 'react';
import { type LibraryJob, queryClient } from '../../app/api.ts';
import { ConfirmOperation } from '../../app/confirm-operation.tsx';
import { useSession } from '../../app/session/session.tsx';
import { sayDay } from '../../ui/time/time.tsx';

const year = 365 * 24 * 3_600_000;

/** For owners and admins, until the files have their whole year. */
export function KeepLonger({ job: { job_id: id, customer_title, approved_at, kept_until } }: { job: LibraryJob }) {
  const { role } = useSession();
  const [isAsking, setAsking] = useState(false);
  const last = approved_at ? Date.parse(approved_at) + year : 0;
  if ((role !== 'owner' && role !== 'admin') || !kept_until || Date.parse(kept_until) >= last) return null;
  return (
    <>
      {' '}
      <button type="button" className="text-button" onClick={() => setAsking(true)}>
        Keep longer
      </button>
      {isAsking && (
        <ConfirmOperation
          operation="keepJobFiles"
          input={{ path: { id } }}
          title={`Keep the files of ${customer_title}?`}
          confirm={`Keep until ${sayDay(last)}`}
          onDone={() => void queryClient.invalidateQueries()}
          onClose={() => setAsking(false)}
        >
          All files of the job stay for a year after its end. They count in the storage of your account until then.
        </ConfirmOperation>
      )}
    </>
  );
}
