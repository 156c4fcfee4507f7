import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type StudioApp, useOperation } from '../../app/api.ts';
import { EndableList } from '../../app/endable-list.tsx';
import { usePages, useReads } from '../../app/use-reads.ts';
import { Dialog, FormDialog } from '../../ui/dialog/dialog.tsx';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { Textarea } from '../../ui/form/fields.tsx';
import { fieldError, useMoveKey } from '../../ui/form/form.ts';
import { useFields } from '../../ui/form/use-fields.ts';
import { type Column, Empty, ListFoot } from '../../ui/list/list.tsx';
import { IconPlus } from '../../ui/look/icons.ts';
import { Code, Identifier } from '../../ui/page/code.tsx';
import { Loaded, notify, PageHead } from '../../ui/page/page.tsx';
import { Time } from '../../ui/time/time.tsx';
import { pageReads } from '../reads.ts';
import { madeByColumn } from './made-by.tsx';

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
            >
              {apps.more && <ListFoot shown={`${rows.length} shown`} more={apps.more} loading={apps.loadingMore} />}
            </EndableList>
          )
        }
      </Loaded>
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
            {' · ended '}
            <Time at={end} />
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
  { ...madeByColumn, width: '150px' },
];

const sayCut = (connections: number): string =>
  connections === 0
    ? 'Nobody uses it now. Its client id will not work again.'
    : `${connections === 1 ? 'One connection is' : `${connections} connections are`} cut at once, and its client id will not work again.`;

/** Registers an app, then shows its client id. */
function NewApp({ onClose }: { onClose: () => void }) {
  const create = useOperation('createStudioApp');
  const { fields, field } = useFields({ name: '', text: '' }, create.error);
  const redirects = fields.text.split('\n').flatMap((line) => line.trim() || []);
  const body = { name: fields.name.trim(), redirect_uris: redirects };
  const idempotencyKey = useMoveKey(JSON.stringify(body));
  if (create.data) return <Registered {...create.data.app} onClose={onClose} />;
  return (
    <FormDialog
      onClose={onClose}
      title="New app"
      size={560}
      submit="Register the app"
      onSubmit={() => create.mutate({ body, idempotencyKey })}
      action={create}
      fields={['name', ...placesOf(redirects)]}
      disabled={body.name === '' || redirects.length === 0}
    >
      <TextInput
        label="Name"
        description="People see it when the app asks for access, with “Set up by this studio”."
        required
        maxLength={100}
        {...field('name')}
        data-autofocus
      />
      <Textarea
        label="Redirect addresses"
        description="Where the browser goes back to, as the documentation of the app says. One a line."
        placeholder="http://127.0.0.1/callback"
        classNames={{ input: 'mono' }}
        minRows={2}
        required
        {...field('text')}
        error={redirectsError(create.error, redirects)}
      />
    </FormDialog>
  );
}

const placesOf = (redirects: readonly string[]) => [
  'redirect_uris',
  ...redirects.map((_, at) => `redirect_uris/${at}`),
];

/** The message names the address, because several stand in one field. */
function redirectsError(error: Error | null, redirects: readonly string[]): string | null {
  const places = placesOf(redirects);
  const at = places.findIndex((place) => fieldError(error, place) !== null);
  const message = fieldError(error, places[at] ?? '');
  return message && at > 0 ? `${redirects[at - 1]}: ${message}` : message;
}

const Registered = ({ id, name, onClose }: { id: string; name: string; onClose: () => void }) => (
  <Dialog opened onClose={onClose} title={`The client id of ${name}`} size={560}>
    <div className="stack">
      <p>Enter it where the app asks for a client id. There is no client secret: leave that field empty.</p>
      <Code>{id}</Code>
      <Button style={{ alignSelf: 'end' }} onClick={onClose} data-autofocus>
        Done
      </Button>
    </div>
  </Dialog>
);
