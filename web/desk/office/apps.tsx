import { Button } from '@mantine/core';
import { useState } from 'react';
import { type StudioApp, useOperation } from '../../app/api.ts';
import { usePages } from '../../app/use-pages.ts';
import { useReads } from '../../app/use-reads.ts';
import { Confirm } from '../../ui/dialog/dialog.tsx';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { Empty } from '../../ui/list/empty.tsx';
import { type Column, List, ListFoot } from '../../ui/list/list.tsx';
import { IconPlus } from '../../ui/look/icons.ts';
import { Identifier } from '../../ui/page/code.tsx';
import { notify } from '../../ui/page/notify.ts';
import { Loaded, PageHead } from '../../ui/page/page.tsx';
import { Time } from '../../ui/time/time.tsx';
import { appsReads } from './apps.reads.ts';
import { NewApp } from './new-app.tsx';

const createCommand = 'npm run admin -- app create --name mcporter \\\n  --redirect-uri http://127.0.0.1/callback';

/** Most apps connect by themselves. The others are registered here. */
export function Apps() {
  const apps = usePages(useReads(appsReads).apps);
  const [open, setOpen] = useState<'new' | StudioApp | null>(null);
  const add = () => setOpen('new');
  const close = () => setOpen(null);
  return (
    <>
      <PageHead
        title="Apps"
        below="Programs that customers connect by a client id of the studio."
        actions={
          <ActionButton keys="c" icon={<IconPlus size={16} />} onClick={add}>
            New app
          </ActionButton>
        }
      />
      <Loaded query={apps}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty action={<ActionButton onClick={add}>Register an app</ActionButton>} command={createCommand}>
              Most programs connect by themselves at {location.origin}/mcp. One that asks for a client id is registered
              here, and customers see that the studio set it up.
            </Empty>
          ) : (
            <List label="Apps" rows={rows} columns={columns(setOpen)} rowKey={({ id }) => id} />
          )
        }
      </Loaded>
      {apps.more && apps.data && (
        <ListFoot shown={`${apps.data.length} shown`} more={apps.more} loading={apps.loadingMore} />
      )}
      {open === 'new' && <NewApp onClose={close} />}
      {open !== null && open !== 'new' && <End app={open} onClose={close} />}
    </>
  );
}

const columns = (setOpen: (app: StudioApp) => void): Column<StudioApp>[] => [
  {
    head: 'App',
    width: '30%',
    cell: ({ id, name, ended_at: end }) => (
      <>
        <span className={end === null ? 'ink' : 'third'}>{name}</span>
        {end !== null && (
          <span className="third">
            {' '}
            · ended <Time at={end} />
          </span>
        )}
        <Identifier id={id} />
      </>
    ),
  },
  {
    head: 'Redirects',
    named: true,
    cell: ({ redirect_uris: uris }) => (
      <ul>
        {uris.map((uri) => (
          <li key={uri} className="mono">
            {uri}
          </li>
        ))}
      </ul>
    ),
  },
  {
    head: 'Connections',
    named: true,
    width: '110px',
    className: 'numbers',
    cell: ({ status, connections }) => status === 'active' && connections,
  },
  {
    head: 'Made by',
    named: true,
    width: '150px',
    cell: ({ created_by: maker, created_at: at }) => (
      <>
        {maker.name}
        <span className="cell-second">
          <Time at={at} />
        </span>
      </>
    ),
  },
  {
    head: 'Actions',
    end: true,
    quiet: true,
    cell: (app) =>
      app.status === 'active' && (
        <Button
          variant="subtle"
          color="bad"
          size="xs"
          h={28}
          aria-label={`End ${app.name}`}
          onClick={() => setOpen(app)}
        >
          End
        </Button>
      ),
  },
];

function End({ app: { id, name, connections }, onClose }: { app: StudioApp; onClose: () => void }) {
  const end = useOperation('endStudioApp');
  const run = () =>
    end.mutate({ path: { id } }, { onSuccess: () => (onClose(), notify(`“${name}” has no access any more.`)) });
  return (
    <Confirm
      opened
      onClose={onClose}
      title={`End “${name}”?`}
      confirm="End the app"
      destructive
      pending={end.isPending}
      error={end.error}
      onConfirm={run}
    >
      {connections === 0
        ? 'Nobody uses it now. Its client id will not work again.'
        : `${connections === 1 ? 'One connection is' : `${connections} connections are`} cut at once, and its client id will not work again.`}{' '}
      What was ordered with it stays.
    </Confirm>
  );
}
