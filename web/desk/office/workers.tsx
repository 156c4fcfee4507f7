import { Box, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { IconPlus } from '../../ui/look/icons.ts';
import { useState } from 'react';
import { deskPages } from '../../../contract/pages.ts';
import { type DeskJobListItem, useOperation, type WorkerKey } from '../../app/api.ts';
import { EndableList } from '../../app/endable-list.tsx';
import { readPages } from '../../app/reads.ts';
import { useRead, useReads } from '../../app/use-reads.ts';
import { FormDialog } from '../../ui/dialog/dialog.tsx';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { expiryIn, KeyExpiry } from '../../ui/form/key-expiry.tsx';
import { useFields } from '../../ui/form/use-fields.ts';
import { pathTo } from '../../ui/page/address.ts';
import { type Column, Empty } from '../../ui/list/list.tsx';
import { Failure, notify, PageHead, Panel } from '../../ui/page/page.tsx';
import { KeyOnce } from '../../ui/dialog/key-once.tsx';
import { useServiceNames } from '../../app/service-names.ts';
import { Time } from '../../ui/time/time.tsx';
import { ExportButton } from '../export/export-button.tsx';
import { useMay, useRoleReason } from '../may.ts';
import { pageReads } from '../reads.ts';
import { madeByColumn } from './made-by.tsx';
import { ServiceChoice } from './service-choice.tsx';

const claimCommand = () =>
  [
    `curl -sS -X POST '${location.origin}/api/operator/v1/jobs/claim'`,
    '  -H "Authorization: Bearer $ATELIER_KEY"',
    `  --json '{"lease_seconds":300}'`,
  ].join(' \\\n');

export function Workers() {
  const [adding, setAdding] = useState(false);
  const [made, setMade] = useState<{ secret: string | null } | null>(null);
  const keys = useRead(useReads(pageReads.workers).keys);
  const reason = useRoleReason('manage_records');
  return (
    <>
      <PageHead title="Workers" below="Programs that take jobs, do them, and submit the work.">
        <ExportButton list="workers" read={readPages('listWorkerKeys')} />
        <ActionButton keys="c" icon={<IconPlus size={16} />} reason={reason} onClick={() => setAdding(true)}>
          New worker key
        </ActionButton>
      </PageHead>
      <div className="stack">
        {keys.error && !keys.data ? (
          <Failure error={keys.error} retry={() => void keys.refetch()} />
        ) : keys.data?.worker_keys.length === 0 ? (
          <Empty
            action={
              <ActionButton reason={reason} onClick={() => setAdding(true)}>
                Make a worker key
              </ActionButton>
            }
            command={claimCommand()}
          >
            No program works here yet. With a key, it claims jobs like this.
          </Empty>
        ) : (
          <WorkerKeys keys={keys.data?.worker_keys} />
        )}
        <Parked />
      </div>
      <NewWorkerKey opened={adding} onClose={() => setAdding(false)} onMade={(secret) => setMade({ secret })} />
      {made && (
        <KeyOnce
          title="The new worker key"
          secret={made.secret}
          shown={(secret) => secret.lastIndexOf('_') + 1}
          ifLost="Revoke this key and make another one."
          ways={[{ label: 'Claim a job', text: claimCommand() }]}
          onClose={() => setMade(null)}
        />
      )}
    </>
  );
}

function WorkerKeys({ keys }: { keys: WorkerKey[] | undefined }) {
  const { familyName } = useServiceNames();
  const heldJobs = useRead(useReads(pageReads.workers).held);
  const heldBy = Map.groupBy(heldJobs.data?.jobs ?? [], ({ holder }) => holder?.worker_key_id);
  const may = useMay();
  const columns: Column<WorkerKey>[] = [
    {
      head: 'Worker',
      width: '22%',
      cell: ({ name, prefix }) => (
        <span className="ink">
          {name}
          <span className="cell-second mono">{prefix}</span>
        </span>
      ),
    },
    {
      head: 'Services',
      named: true,
      cell: ({ service_families: families }) => families?.map(familyName).join(', ') ?? 'all',
    },
    {
      head: 'Holds',
      className: 'whole-line',
      named: true,
      width: '26%',
      cell: ({ id, status }) => status === 'active' && heldJobs.data && <HeldJobs jobs={heldBy.get(id) ?? []} />,
    },
    madeByColumn,
    { head: 'Last seen', named: true, cell: (key) => <LastSeen {...key} /> },
  ];
  return (
    <EndableList
      label="Worker keys"
      tight
      rows={keys}
      columns={columns}
      rowKey={({ id }) => id}
      end="Revoke"
      canEnd={({ status }) => status === 'active' && may('manage_records')}
      ask={({ id, name }) => ({
        title: `Revoke the key of ${name}?`,
        confirm: 'Revoke the key',
        children: 'It stops working at once. A job that it holds goes back to the queue when its hold ends.',
        operation: 'deleteWorkerKey',
        input: { path: { id } },
        onDone: () => notify('The key no longer works.'),
      })}
    />
  );
}

function LastSeen({ last_used_at: at, expires_at: end, revoked_at: revoked, status }: WorkerKey) {
  if (status !== 'active')
    return (
      <span className="third">
        {status} {(revoked ?? end) && <Time at={revoked ?? end ?? ''} />}
      </span>
    );
  return (
    <>
      {at ? <Time at={at} /> : 'never'}
      {end && (
        <span className="cell-second">
          expires <Time at={end} />
        </span>
      )}
    </>
  );
}

const heldShown = 5;

function HeldJobs({ jobs }: { jobs: DeskJobListItem[] }) {
  if (jobs.length === 0) return <span className="third">nothing</span>;
  return (
    <ul style={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)' }}>
      {jobs.slice(0, heldShown).map((job) => (
        <Box component="li" key={job.id} className="one-line" py={2}>
          <Link to={pathTo(deskPages.job, { id: job.id })}>{job.customer_title}</Link>
        </Box>
      ))}
      {jobs.length > heldShown && <li className="third">and {jobs.length - heldShown} more</li>}
    </ul>
  );
}

function Parked() {
  const { data } = useRead(useReads(pageReads.workers).parked);
  if (!data || data.jobs.length === 0) return null;
  return (
    <Panel
      title="Parked jobs"
      beside={
        <span className="second">workers took each five times and did not finish it; a person must look at them</span>
      }
    >
      <ul className="stack-small">
        {data.jobs.map((job) => (
          <li key={job.id}>
            <Link to={pathTo(deskPages.job, { id: job.id })}>{job.customer_title}</Link>{' '}
            <span className="second">{job.account.name}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

type NewKeyProps = { opened: boolean; onClose: () => void; onMade: (secret: string | null) => void };

function NewWorkerKey({ opened, onClose, onMade }: NewKeyProps) {
  const create = useOperation('createWorkerKey');
  const { fields, field, change } = useFields({ name: '', days: '' }, create.error);
  const [chosen, setChosen] = useState<string[]>([]);
  const services = chosen.length > 0 ? { service_families: chosen } : {};
  const name = fields.name.trim();
  const run = () =>
    create.mutate(
      { body: { name, ...services, ...expiryIn(fields.days) } },
      {
        onSuccess: ({ plaintext_key: secret }) => {
          change({ name: '', days: '' });
          setChosen([]);
          onClose();
          onMade(secret);
        },
      },
    );
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title="New worker key"
      submit="Make the key"
      onSubmit={run}
      action={create}
      fields={['name']}
      disabled={name === ''}
    >
      <TextInput
        label="Name"
        description="Shown to operators wherever the worker holds a job."
        required
        {...field('name')}
        data-autofocus
      />
      <ServiceChoice
        description="It claims only jobs of these services. Without a choice, it claims all."
        value={chosen}
        onChange={setChosen}
      />
      <KeyExpiry days={fields.days} onChange={(days) => change({ days })} />
    </FormDialog>
  );
}
