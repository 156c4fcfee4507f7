import { Box, Checkbox, Switch } from '@mantine/core';
import { useState } from 'react';
import { type CreateShowLinkResponse, type LibraryJob, useOperation } from '../../app/api.ts';
import { read } from '../../app/reads.ts';
import { useRead } from '../../app/use-reads.ts';
import { FormDialog } from '../../ui/dialog/dialog.tsx';
import { useMoveKey } from '../../ui/form/form.ts';
import { counted } from '../../ui/job/words.ts';
import { useAddress } from '../../ui/page/address.ts';
import { Failure } from '../../ui/page/page.tsx';
import { LinkFields, LinkLines, LinkOnce, newLink } from '../links.tsx';
import { filtersOf, type LibraryAddress } from './library.reads.ts';

type Props = {
  opened: boolean;
  /** The tile from which it was opened. */
  only: LibraryJob | null;
  /** Approved jobs on the page, to choose from. */
  jobs: LibraryJob[];
  onClose: () => void;
};

/** Shows the last delivery of each job to people without an account. */
export function LinkToShow({ opened, only, jobs, onClose }: Props) {
  const [created, setCreated] = useState<CreateShowLinkResponse | null>(null);
  const close = () => (setCreated(null), onClose());
  if (!opened) return null;
  if (created) return <LinkOnce name={created.show_link.name} url={created.url} onClose={close} />;
  return <NewLink only={only} jobs={jobs} onClose={close} onCreated={setCreated} />;
}

type FormProps = Omit<Props, 'opened'> & { onCreated: (created: CreateShowLinkResponse) => void };

function NewLink({ only, jobs, onClose, onCreated }: FormProps) {
  const [search] = useAddress<LibraryAddress>();
  const [fields, setFields] = useState(newLink);
  const [isAll, setAll] = useState(true);
  const [chosen, setChosen] = useState<string[]>([]);
  const create = useOperation('createShowLink');
  const named = only ? [only.job_id] : chosen;
  const which = only || !isAll ? { job_ids: named } : filtersOf(search);
  const body = { name: fields.name.trim(), expires_in_days: fields.days, ...which };
  const key = useMoveKey(JSON.stringify(body));
  const isEmpty = 'job_ids' in which && named.length === 0;
  return (
    <FormDialog
      onClose={onClose}
      title="Link to show"
      size={560}
      submit="Create a link"
      onSubmit={() => create.mutate({ body, idempotencyKey: key }, { onSuccess: onCreated })}
      action={create}
      fields={['name']}
      disabled={body.name === '' || isEmpty}
    >
      <p className="second">
        {only ? `It shows the finished files of ${only.customer_title}.` : 'It shows the finished files of these jobs.'}{' '}
        It never shows messages, briefs, comments or earlier deliveries, nor what is approved later.
      </p>
      {!only && (
        <Switch
          label="All approved jobs that the filters of the page leave, at most 50"
          checked={isAll}
          onChange={({ currentTarget }) => setAll(currentTarget.checked)}
        />
      )}
      {!only && !isAll && jobs.length === 0 && <p className="second">No job on the page is approved.</p>}
      {!only && !isAll && jobs.length > 0 && (
        <Checkbox.Group label="Jobs" value={chosen} onChange={setChosen}>
          <Box className="stack-small" mah={220} style={{ overflow: 'auto' }} pt={6}>
            {jobs.map(({ job_id, customer_title, file_count }) => (
              <Checkbox
                key={job_id}
                value={job_id}
                label={`${customer_title} · ${counted(file_count, 'file')}`}
                disabled={file_count === 0 || (chosen.length >= 50 && !chosen.includes(job_id))}
              />
            ))}
          </Box>
        </Checkbox.Group>
      )}
      <LinkFields value={fields} onChange={setFields} placeholder="Printer" error={create.error} />
      <LiveLinks jobId={only?.job_id} />
    </FormDialog>
  );
}

/** Those that work now: of one job, or all. */
function LiveLinks({ jobId }: { jobId: string | undefined }) {
  const { data } = useRead(read('listShowLinks', { query: { limit: 100 } }));
  const revoke = useOperation('revokeShowLink');
  const live = (data?.show_links ?? []).filter(
    ({ status, job_ids: ids }) => status === 'active' && (jobId === undefined || ids.includes(jobId)),
  );
  if (live.length === 0) return null;
  return (
    <>
      <LinkLines
        links={live}
        says={(link) => counted(link.job_ids.length, 'job')}
        revoke={(link) => revoke.mutate({ path: { id: link.id } })}
      />
      {revoke.error && <Failure error={revoke.error} />}
    </>
  );
}
