import { useState } from 'react';
import { manages } from '../../../contract/plans/roles.ts';
import type { LibraryJob } from '../../app/api.ts';
import { ConfirmOperation } from '../../app/confirm-operation.tsx';
import { useReadOnlyReason, useSession } from '../../app/session/session.tsx';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { sayDay } from '../../ui/time/time.tsx';

const year = 365 * 24 * 3_600_000;

/** For owners and admins, until the files have their whole year. */
export function KeepLonger({ job: { job_id: id, customer_title, approved_at, kept_until } }: { job: LibraryJob }) {
  const { role } = useSession();
  const readOnly = useReadOnlyReason();
  const [isAsking, setAsking] = useState(false);
  const [whole, setWhole] = useState<string | null>(null);
  // Of a job that was canceled or rejected the library does not say when it ended.
  const last = approved_at === null ? null : Date.parse(approved_at) + year;
  if (!manages(role) || !kept_until || kept_until === whole) return null;
  if (last !== null && Date.parse(kept_until) >= last) return null;
  return (
    <>
      {' '}
      <ActionButton variant="subtle" size="compact-xs" reason={readOnly} onClick={() => setAsking(true)}>
        Keep longer
      </ActionButton>
      {isAsking && (
        <ConfirmOperation
          operation="keepJobFiles"
          input={{ path: { id } }}
          title={`Keep the files of ${customer_title}?`}
          confirm={last === null ? 'Keep for a year' : `Keep until ${sayDay(last)}`}
          onDone={(answer) => setWhole(answer.kept_until)}
          onClose={() => setAsking(false)}
        >
          All files of the job stay for a year after its end. They count in the storage of your account until then.
        </ConfirmOperation>
      )}
    </>
  );
}
