import { useState } from 'react';
import type { StudioApp } from '../../app/api.ts';
import { EndableList } from '../../app/endable-list.tsx';
import { usePages } from '../../app/use-pages.ts';
import { useReads } from '../../app/use-reads.ts';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { Empty } from '../../ui/list/empty.tsx';
import { type Column, ListFoot } from '../../ui/list/list.tsx';
import { IconPlus } from '../../ui/look/icons.ts';
import { Identifier } from '../../ui/page/code.tsx';
import { notify } from '../../ui/page/notify.ts';
import { Loaded, PageHead } from '../../ui/page/page.tsx';
import { Time } from '../../ui/time/time.tsx';
import { pageReads } from '../reads.ts';
import { MadeBy } from './made-by.tsx';
import { NewApp } from './new-app.tsx';

const createCommand = 'npm run admin -- app create --name mcporter \\\n  --redirect-uri http://127.0.0.1/callback';

/** Most apps connect by themselves. The others are registered here. */
export function Apps() {
  const apps = usePages(useReads(pageReads.apps).apps);
  const [adding, setAdding] = useState(false);
  const add = () => setAdding(true);
  return (
    <>
      <PageHead title="Apps" below="Programs that customers connect by a client id of the studio.">
        <ActionButton keys="c" icon={<IconPlus size={16} />} onClick={add}>
          New app
        </ActionButton>
      </PageHead>
      <Loaded query={apps}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty action={<ActionButton onClick={add}>Register an app</ActionButton>} command={createCommand}>
              Most programs connect by themselves at {location.origin}/mcp. One that asks for a client id is registered
              here, and customers see that the studio set it up.
            </Empty>
          ) : (
            <EndableList
              label="Apps"
              rows={rows}
              columns={columns}
              rowKey={({ id }) => id}
              end="End"
              endLabel={({ name }) => `End ${name}`}
              canEnd={({ status }) => status === 'active'}
              ask={({ id, name, connections }) => ({
                title: `End “${name}”?`,
                confirm: 'End the app',
                children: `${sayCut(connections)} What was ordered with it stays.`,
                operation: 'endStudioApp',
                input: { path: { id } },
                onDone: () => notify(`“${name}” has no access any more.`),
              })}
            />
          )
        }
      </Loaded>
      {apps.more && apps.data && (
        <ListFoot shown={`${apps.data.length} shown`} more={apps.more} loading={apps.loadingMore} />
      )}
      {adding && <NewApp onClose={() => setAdding(false)} />}
    </>
  );
}

const columns: Column<StudioApp>[] = [
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
    cell: (app) => <MadeBy {...app} />,
  },
];

const sayCut = (connections: number): string =>
  connections === 0
    ? 'Nobody uses it now. Its client id will not work again.'
    : `${connections === 1 ? 'One connection is' : `${connections} connections are`} cut at once, and its client id will not work again.`;
