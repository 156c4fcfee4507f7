import { Box, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ConnectedApp, operationQuery } from '../../app/api.ts';
import { EndableList } from '../../app/endable-list.tsx';
import { scopeWords } from '../../ui/job/words.ts';
import type { Column } from '../../ui/list/list.tsx';
import { Code } from '../../ui/page/code.tsx';
import { Loaded } from '../../ui/page/page.tsx';
import { Time } from '../../ui/time/time.tsx';
import { AppLetter } from './app-letter.tsx';

type Props = { apps: ConnectedApp[]; end: 'endConnectedApp' | 'endMyConnectedApp'; withPeople?: boolean };

export const ConnectedApps = ({ apps, end, withPeople = false }: Props) => (
  <>
    {apps.length > 0 && (
      <EndableList
        label="Connected apps"
        rows={apps}
        columns={columnsOf(withPeople).filter(({ head }) => withPeople || !ofPeople.includes(head))}
        rowKey={({ id }) => id}
        rowClass={({ status }) => (status === 'active' ? undefined : 'over')}
        tight={!withPeople}
        end="End"
        endLabel={({ app }) => `End the access of ${app.name}`}
        canEnd={({ status }) => status === 'active'}
        ask={({ id, app, jobs: ordered }) => ({
          title: `End the access of “${app.name}”?`,
          confirm: 'End the access',
          children: `It is out within five seconds.${ordered > 0 ? ' The jobs that it ordered stay.' : ''}`,
          operation: end,
          input: { path: { id } },
        })}
      />
    )}
    <Group className="small second" gap="6px 14px" py={14}>
      <span>{apps.length === 0 ? 'None yet. ' : ''}Connect one from its own settings: give it this address.</span>
      <Box flex="0 1 420px" miw="min(280px, 100%)">
        <Code>{`${location.origin}/mcp`}</Code>
      </Box>
    </Group>
  </>
);

/** Columns for those who see the apps of everybody. */
const ofPeople = ['Let in by', 'Jobs'];

const columnsOf = (withPeople: boolean): Column<ConnectedApp>[] => [
  {
    head: 'App',
    width: withPeople ? '27%' : '40%',
    cell: ({ app, account, status }) => (
      <Group gap={11} wrap="nowrap">
        <AppLetter name={app.name} faded={status !== 'active'} />
        <span className="ink">
          {app.name}
          {app.host !== null && <span className="cell-second mono">{app.host}</span>}
          {app.set_up_by_studio && <span className="cell-second">set up by this studio</span>}
          {!app.checked && <span className="cell-second">address not checked</span>}
          {!withPeople && <span className="cell-second">{account.name}</span>}
        </span>
      </Group>
    ),
  },
  {
    head: 'Let in by',
    named: true,
    cell: ({ created_by, created_at }) => (
      <>
        {created_by && `${created_by.name}, `}
        <Time at={created_at} as="day" />
      </>
    ),
  },
  { head: 'May', cell: ({ scopes }) => scopes.map((scope) => scopeWords[scope]).join(', ') },
  { head: 'Access', cell: (app) => <Access app={app} /> },
  { head: 'Last used', named: true, cell: ({ last_used_at }) => (last_used_at ? <Time at={last_used_at} /> : 'never') },
  { head: 'Jobs', named: true, end: true, cell: ({ jobs }) => <span className="numbers">{jobs}</span> },
];

function Access({ app: { status, expires_at, revoked_at } }: { app: ConnectedApp }) {
  const isSoon = Date.parse(expires_at) - Date.now() < 3 * 86_400_000;
  const word = { active: 'until', expired: 'expired', revoked: 'ended' }[status];
  const at = status === 'revoked' ? revoked_at : expires_at;
  return (
    <span className={status === 'active' && isSoon ? 'turn' : ''} style={{ whiteSpace: 'nowrap' }}>
      {word} {at && <Time at={at} as={status === 'active' ? 'weekday' : 'day'} />}
    </span>
  );
}

/** Below the keys, for owners and admins. */
export function AppsOfAccount() {
  const apps = useQuery(operationQuery('listConnectedApps'));
  return (
    <Box component="section" mt={36}>
      <Group align="baseline" gap="2px 10px" mb={4}>
        <Box component="h2" fz={15} fw={600}>
          Connected apps
        </Box>
        <p className="small second">
          Let in by a person of this account, without a key. Each ends by itself; ended, it is out within five seconds.
        </p>
      </Group>
      <Loaded query={apps} height={80}>
        {({ connected_apps }) => <ConnectedApps apps={connected_apps} end="endConnectedApp" withPeople />}
      </Loaded>
    </Box>
  );
}
