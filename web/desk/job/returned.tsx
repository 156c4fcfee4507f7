import { Box } from '@mantine/core';
import type { DeskJob, JobEvent } from '../../app/api.ts';
import { Time } from '../../ui/time/time.tsx';
import { SmallFiles } from './delivery.tsx';
import { deliveryTitle, nameOf, returnedOf } from './done-by.ts';
import { submittedFiles } from './use-delivery.ts';

/** Work that a reviewer returned, folded, the newest first. */
export const Returned = ({ job, events }: { job: DeskJob; events: JobEvent[] }) =>
  returnedOf(job, events)
    .toReversed()
    .map(({ event, note, message, keepsFiles }) => (
      <details key={event.id} className="panel panel-body">
        <summary>
          <strong>{deliveryTitle(job, events, job.revisions.used, event.created_at)}</strong>{' '}
          <span className="second">
            returned by {nameOf(job, event) ?? 'a reviewer'} <Time at={event.created_at} />
          </span>
        </summary>
        <Box className="stack" mt={12}>
          {note && <p className="note turn prose">{note.body}</p>}
          {message && <p className="prose">{message}</p>}
          {keepsFiles && <SmallFiles files={submittedFiles(job)} />}
        </Box>
      </details>
    ));
