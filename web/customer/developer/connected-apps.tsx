import { Button } from '@mantine/core';
import { useState } from 'react';
import { type ConnectedApp, useOperation } from '../../app/api.ts';
import { Confirm } from '../../ui/dialog/dialog.tsx';
import { scopeWords } from '../../ui/job/words.ts';
import { type Column, List } from '../../ui/list/list.tsx';
import { Code } from '../../ui/page/code.tsx';
import { Time } from '../../ui/time/time.tsx';

const soon = 3 * 86_400_000;

type Props = { apps: ConnectedApp[]; end: 'endConnectedApp' | 'endMyConnectedApp'; withPeople?: boolean };

export function ConnectedApps({ apps, end, withPeople = false }: Props) {
  const [ending, setEnding] = useState<ConnectedApp | null>(null);
  return (
    <>
      {apps.length === 0 ? (
        <p className="second">No app is connected. Give an app this address to connect it without a key:</p>
      ) : (
        <List
          label="Connected apps"
          rows={apps}
          columns={columns(withPeople, setEnding)}
          rowKey={({ id }) => id}
          tight={!withPeople}
        />
      )}
      <div style={{ maxWidth: 420, padding: '12px 0' }}>
        <Code>{`${location.origin}/mcp`}</Code>
      </div>
      {ending && <End app={ending} operation={end} onClose={() => setEnding(null)} />}
    </>
  );
}

const columns = (withPeople: boolean, ask: (app: ConnectedApp) => void): Column<ConnectedApp>[] => [
  {
    head: 'App',
    width: '26%',
    cell: ({ app, account }) => (
      <span className="ink">
        {app.name}
        <span className="cell-second">
          {app.host === null ? !app.checked && 'address not checked' : <span className="mono">{app.host}</span>}
          {!withPeople && ` ${account.name}`}
        </span>
      </span>
    ),
  },
  {
    head: 'Let in',
    named: true,
    cell: ({ created_by, created_at }) => (
      <>
        {withPeople && created_by ? `${created_by.name}, ` : ''}
        <Time at={created_at} as="day" />
      </>
    ),
  },
  { head: 'May', cell: ({ scopes }) => scopes.map((scope) => scopeWords[scope]).join(', ') },
  { head: 'Until', named: true, cell: (app) => <Until app={app} /> },
  { head: 'Last used', named: true, cell: ({ last_used_at }) => (last_used_at ? <Time at={last_used_at} /> : 'never') },
  { head: 'Jobs', named: true, end: true, cell: ({ jobs }) => <span className="numbers">{jobs}</span> },
  {
    head: 'Actions',
    end: true,
    quiet: true,
    cell: (row) =>
      row.status === 'active' && (
        <Button
          variant="subtle"
          color="bad"
          size="xs"
          h={28}
          onClick={() => ask(row)}
          aria-label={`End the access of ${row.app.name}`}
        >
          End
        </Button>
      ),
  },
];

function Until({ app: { status, expires_at, revoked_at } }: { app: ConnectedApp }) {
  if (status === 'revoked')
    return <span className="third">Ended {revoked_at && <Time at={revoked_at} as="day" />}</span>;
  if (status === 'expired')
    return (
      <span className="third">
        Expired <Time at={expires_at} as="day" />
      </span>
    );
  const isSoon = Date.parse(expires_at) - Date.now() < soon;
  return (
    <span className={isSoon ? 'status turn' : undefined}>
      <Time at={expires_at} as="weekday" />
    </span>
  );
}

type EndProps = { app: ConnectedApp; operation: Props['end']; onClose: () => void };

function End({ app: { id, app, jobs }, operation, onClose }: EndProps) {
  const end = useOperation(operation);
  return (
    <Confirm
      opened
      onClose={onClose}
      title={`End the access of “${app.name}”?`}
      confirm="End the access"
      destructive
      pending={end.isPending}
      error={end.error}
      onConfirm={() => end.mutate({ path: { id } }, { onSuccess: onClose })}
    >
      It is out within five seconds.{jobs > 0 && ' The jobs that it ordered stay.'}
    </Confirm>
  );
}
