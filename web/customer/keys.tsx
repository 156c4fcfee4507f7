import { Button, Group, Modal, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconCircleCheck, IconPlus } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { type ApiKey, operationQuery, useOperation } from '../api.ts';
import { useManagerReason, useSession } from '../session.tsx';
import { ActionButton } from '../ui/action-button.tsx';
import { curl } from '../ui/curl.ts';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import { Confirm, fieldError } from '../ui/form.tsx';
import { KeyOnce } from '../ui/key-once.tsx';
import { type Column, List } from '../ui/list.tsx';
import { Forbidden, Loaded, PageHead } from '../ui/page.tsx';
import { Time } from '../ui/time.tsx';
import { scopeWords } from '../ui/words.ts';

type Made = { name: string; secret: string };

export function Keys() {
  const forbidden = useManagerReason();
  const [making, setMaking] = useState(false);
  const [made, setMade] = useState<Made | null>(null);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const keys = useQuery({ ...operationQuery('listApiKeys'), enabled: forbidden === null });
  const usage = useQuery(operationQuery('readUsage'));
  const lead = useQuery(operationQuery('readInstallation')).data?.installation.api_key_lead ?? '';
  const active = keys.data?.api_keys.filter(({ status }) => status === 'active').length ?? 0;
  const jobsOf = (id: string) =>
    usage.data?.usage.summaries.by_api_key.find((one) => one.api_key_id === id)?.quantity ?? 0;
  return (
    <>
      <PageHead
        title="API keys"
        below={keys.data && `${active} active · for programs that order and follow jobs`}
        actions={
          <>
            <Button component="a" href="/docs/" variant="default">
              API reference
            </Button>
            <ActionButton icon={<IconPlus size={16} />} reason={forbidden} onClick={() => setMaking(true)}>
              New key
            </ActionButton>
          </>
        }
      />
      {forbidden ? (
        <Forbidden>Keys are made, seen and revoked by owners and admins of the account.</Forbidden>
      ) : (
        <Loaded query={keys}>
          {({ api_keys: rows }) =>
            rows.length === 0 ? (
              <NoKeys onMake={() => setMaking(true)} />
            ) : (
              <List
                label="API keys"
                tight
                rows={rows}
                columns={columns({ lead, jobsOf, revoke: setRevoking })}
                rowKey={({ id }) => id}
              />
            )
          }
        </Loaded>
      )}
      {making && <NewKey onClose={() => setMaking(false)} onMade={(key) => (setMaking(false), setMade(key))} />}
      {made && (
        <KeyOnce
          title={`Key “${made.name}”`}
          secret={made.secret}
          shown={made.secret.lastIndexOf('_')}
          command={curl({ path: '/api/v1/me' })}
          onClose={() => setMade(null)}
        />
      )}
      {revoking && <Revoke apiKey={revoking} onClose={() => setRevoking(null)} />}
    </>
  );
}

type ColumnParts = { lead: string; jobsOf: (id: string) => number; revoke: (key: ApiKey) => void };

const columns = ({ lead, jobsOf, revoke }: ColumnParts): Column<ApiKey>[] => [
  { head: 'Name', cell: ({ name }) => <span className="ink">{name}</span> },
  { head: 'Key', cell: ({ prefix }) => <span className="mono">{`${lead}_${prefix}_…`}</span> },
  { head: 'May', cell: ({ scopes }) => scopes.map((scope) => scopeWords[scope]).join(', ') },
  { head: 'State', cell: (key) => <KeyState apiKey={key} /> },
  { head: 'Last used', named: true, cell: ({ last_used_at }) => (last_used_at ? <Time at={last_used_at} /> : 'never') },
  { head: 'Jobs this period', named: true, end: true, cell: ({ id }) => <span className="numbers">{jobsOf(id)}</span> },
  {
    head: 'Actions',
    end: true,
    quiet: true,
    cell: (key) =>
      key.status === 'active' && (
        <Button
          variant="subtle"
          color="bad"
          size="xs"
          h={28}
          onClick={() => revoke(key)}
          aria-label={`Revoke ${key.name}`}
        >
          Revoke
        </Button>
      ),
  },
];

function KeyState({ apiKey: { status, expires_at, revoked_at } }: { apiKey: ApiKey }) {
  if (status === 'revoked')
    return <span className="third">Revoked {revoked_at && <Time at={revoked_at} as="day" />}</span>;
  if (status === 'expired')
    return <span className="third">Expired {expires_at && <Time at={expires_at} as="day" />}</span>;
  return (
    <span className="status good">
      <IconCircleCheck size={14} aria-hidden /> Active
      {expires_at && (
        <span className="third">
          until <Time at={expires_at} as="day" />
        </span>
      )}
    </span>
  );
}

function NoKeys({ onMake }: { onMake: () => void }) {
  const { plans } = useSession();
  return (
    <Empty
      action={<ActionButton onClick={onMake}>Make the first key</ActionButton>}
      command={curl({ path: '/api/v1/jobs' })}
    >
      A key lets a program order and follow jobs for this account.
      {!plans.api_access && ' Ordering by key needs a plan for programs; see Plans.'}
    </Empty>
  );
}

const lives = [
  { value: '', label: 'No end date' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'One year' },
];

function NewKey({ onClose, onMade }: { onClose: () => void; onMade: (made: Made) => void }) {
  const create = useOperation('createApiKey');
  const [name, setName] = useState('');
  const [scope, setScope] = useState('write');
  const [days, setDays] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body = {
      name: name.trim(),
      ...(scope === 'read' ? { scopes: ['api:read' as const] } : {}),
      ...(days ? { expires_at: new Date(Date.now() + Number(days) * 86_400_000).toISOString() } : {}),
    };
    create.mutate({ body }, { onSuccess: ({ plaintext_key: secret }) => onMade({ name: body.name, secret }) });
  };
  const wrong = fieldError(create.error, 'name');
  return (
    <Modal opened onClose={onClose} title="New API key">
      <form className="stack" onSubmit={submit}>
        <TextInput
          label="Name"
          description="Where it will be used, so that you know it again."
          placeholder="Website order form"
          required
          withAsterisk={false}
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={wrong}
          data-autofocus
        />
        <Select
          label="May"
          data={[
            { value: 'write', label: 'Read, order and change' },
            { value: 'read', label: 'Only read' },
          ]}
          value={scope}
          onChange={(value) => setScope(value ?? 'write')}
        />
        <Select label="Works for" data={lives} value={days} onChange={(value) => setDays(value ?? '')} />
        {create.error && !wrong && <Failure error={create.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Back
          </Button>
          <Button type="submit" loading={create.isPending} disabled={name.trim() === ''}>
            Make the key
          </Button>
        </Group>
      </form>
    </Modal>
  );
}

function Revoke({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const revoke = useOperation('deleteApiKey');
  return (
    <Confirm
      opened
      onClose={onClose}
      title={`Revoke “${apiKey.name}”?`}
      confirm="Revoke the key"
      destructive
      pending={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate({ path: { id: apiKey.id } }, { onSuccess: onClose })}
    >
      Programs that use it are refused at once, everywhere. This cannot be undone; jobs that it ordered stay.
    </Confirm>
  );
}
