import { Button, Checkbox, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { IconPlus } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { deskPages } from '../../../contract/pages.ts';
import { operationQuery, useOperation, type WorkerKey } from '../../app/api.ts';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { pathTo } from '../../ui/page/address.ts';
import { Empty } from '../../ui/list/empty.tsx';
import { Failure } from '../../ui/page/failure.tsx';
import { Confirm, Dialog, DialogButtons } from '../../ui/dialog/dialog.tsx';
import { fieldError } from '../../ui/form/form.ts';
import { KeyOnce } from '../../ui/dialog/key-once.tsx';
import { type Column, List } from '../../ui/list/list.tsx';
import { PageHead, Panel } from '../../ui/page/page.tsx';
import { useServiceNames } from '../../app/service-names.ts';
import { Time } from '../../ui/time/time.tsx';
import { say } from '../job/moves.ts';

const claimCommand = () =>
  [
    `curl -sS -X POST '${location.origin}/api/operator/v1/jobs/claim'`,
    '  -H "Authorization: Bearer $ATELIER_KEY"',
    `  --json '{"lease_seconds":300}'`,
  ].join(' \\\n');

/** The programs that work beside people: their keys, when they were last heard of, and what they hold. */
export function Workers() {
  const [adding, setAdding] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const keys = useQuery(operationQuery('listWorkerKeys'));
  return (
    <>
      <PageHead
        title="Workers"
        below="Programs that claim jobs under a lease, do them, and submit the work."
        actions={
          <ActionButton keys="c" icon={<IconPlus size={16} />} onClick={() => setAdding(true)}>
            New worker key
          </ActionButton>
        }
      />
      <div className="stack">
        {keys.error && !keys.data ? (
          <Failure error={keys.error} retry={() => void keys.refetch()} />
        ) : keys.data?.worker_keys.length === 0 ? (
          <Empty
            action={<ActionButton onClick={() => setAdding(true)}>Make a worker key</ActionButton>}
            command={claimCommand()}
          >
            No program works here yet. Give one a key, and it claims jobs like this.
          </Empty>
        ) : (
          <WorkerKeys keys={keys.data?.worker_keys} />
        )}
        <Parked />
      </div>
      <NewKey opened={adding} onClose={() => setAdding(false)} onMade={setSecret} />
      {secret && (
        <KeyOnce
          title="The new worker key"
          secret={secret}
          shown={secret.lastIndexOf('_') + 1}
          ways={[{ label: 'Claim a job', text: claimCommand() }]}
          onClose={() => setSecret(null)}
        />
      )}
    </>
  );
}

function WorkerKeys({ keys }: { keys: WorkerKey[] | undefined }) {
  const { familyName } = useServiceNames();
  const [ending, setEnding] = useState<WorkerKey | null>(null);
  const columns: Column<WorkerKey>[] = [
    {
      head: 'Worker',
      width: '26%',
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
    { head: 'Holds', named: true, width: '30%', cell: ({ id, status }) => status === 'active' && <HeldJobs id={id} /> },
    {
      head: 'Last seen',
      named: true,
      cell: ({ last_used_at: at, revoked_at: revoked }) =>
        revoked ? (
          <span className="third">
            revoked <Time at={revoked} />
          </span>
        ) : at ? (
          <Time at={at} />
        ) : (
          'never'
        ),
    },
    {
      head: 'Actions',
      end: true,
      quiet: true,
      cell: (key) =>
        key.status === 'active' && (
          <Button variant="subtle" color="bad" size="xs" h={28} onClick={() => setEnding(key)}>
            Revoke
          </Button>
        ),
    },
  ];
  return (
    <>
      <List label="Worker keys" tight rows={keys} columns={columns} rowKey={({ id }) => id} />
      <Revoke worker={ending} onClose={() => setEnding(null)} />
    </>
  );
}

/** What a worker holds now. */
function HeldJobs({ id }: { id: string }) {
  const { data } = useQuery(operationQuery('listQueue', { query: { holder: id, limit: 10 } }));
  if (!data) return null;
  if (data.jobs.length === 0) return <span className="third">nothing</span>;
  return (
    <ul>
      {data.jobs.map((job) => (
        <li key={job.id} className="ellipsis">
          <Link to={pathTo(deskPages.job, { id: job.id })}>{job.customer_title}</Link>
        </li>
      ))}
    </ul>
  );
}

function Revoke({ worker, onClose }: { worker: WorkerKey | null; onClose: () => void }) {
  const revoke = useOperation('deleteWorkerKey');
  const run = () =>
    revoke.mutate(
      { path: { id: worker?.id ?? '' } },
      { onSuccess: () => (onClose(), say('The key no longer works.')) },
    );
  return (
    <Confirm
      opened={worker !== null}
      onClose={onClose}
      title={`Revoke the key of ${worker?.name ?? 'this worker'}?`}
      confirm="Revoke the key"
      destructive
      pending={revoke.isPending}
      error={revoke.error}
      onConfirm={run}
    >
      It stops working at once. A job that it holds goes back to the queue when its lease ends.
    </Confirm>
  );
}

type NewKeyProps = { opened: boolean; onClose: () => void; onMade: (secret: string) => void };

function NewKey({ opened, onClose, onMade }: NewKeyProps) {
  const { families } = useServiceNames();
  const create = useOperation('createWorkerKey');
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<string[]>([]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body = { name: name.trim(), ...(chosen.length > 0 ? { service_families: chosen } : {}) };
    create.mutate(
      { body },
      {
        onSuccess: ({ plaintext_key: secret }) => {
          setName('');
          setChosen([]);
          onClose();
          onMade(secret);
        },
      },
    );
  };
  const wrong = fieldError(create.error, 'name');
  return (
    <Dialog opened={opened} onClose={onClose} title="New worker key">
      <form className="stack" onSubmit={submit}>
        <TextInput
          label="Name"
          description="Operators read it wherever the worker holds a job."
          required
          withAsterisk={false}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={wrong}
          data-autofocus
        />
        <Checkbox.Group
          label="Services"
          description="It claims jobs of these only; of all where none is chosen."
          value={chosen}
          onChange={setChosen}
        >
          <div className="stack-small" style={{ marginTop: 8 }}>
            {families.map((family) => (
              <Checkbox key={family.id} value={family.id} label={family.name} />
            ))}
          </div>
        </Checkbox.Group>
        {create.error && !wrong && <Failure error={create.error} />}
        <DialogButtons onBack={onClose} type="submit" loading={create.isPending} disabled={name.trim() === ''}>
          Make the key
        </DialogButtons>
      </form>
    </Dialog>
  );
}

/** Jobs that workers gave up on. */
function Parked() {
  const { data } = useQuery(operationQuery('listQueue', { query: { parked: true, sort: 'due', limit: 20 } }));
  if (!data || data.jobs.length === 0) return null;
  return (
    <Panel title="Parked jobs" beside={<span className="second">five leases on each ran out; a person must look</span>}>
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
