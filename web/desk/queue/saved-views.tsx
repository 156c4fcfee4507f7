import { Checkbox, TextInput, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { savedViewBounds } from '../../../contract/desk/saved-view-bounds.ts';
import { operationQuery, type SavedView, useOperation } from '../../app/api.ts';
import { ConfirmOperation } from '../../app/confirm-operation.tsx';
import { useSession } from '../../app/session/session.tsx';
import { useRead, useReads } from '../../app/use-reads.ts';
import { FormDialog } from '../../ui/dialog/dialog.tsx';
import { fieldError, useMoveKey } from '../../ui/form/form.ts';
import { counted } from '../../ui/job/words.ts';
import { inView } from '../../ui/list/in-view.ts';
import { useAddress } from '../../ui/page/address.ts';
import { notify } from '../../ui/page/page.tsx';
import { useShortcut } from '../../ui/shell/shortcuts.tsx';
import { useMay } from '../may.ts';
import { queueReads } from './queue.reads.ts';
import { criteria, isChanged, nothingChosen, queryAt, type QueueFilter, searchOf, tabs } from './tabs.ts';

const useViews = (): SavedView[] => useRead(useReads(queueReads).views).data?.saved_views ?? [];

/** Shows what the view was saved with. */
function useShowView() {
  const [, setAddress] = useAddress<QueueFilter>();
  return ({ id, filter }: Pick<SavedView, 'id' | 'filter'>) =>
    setAddress({ ...nothingChosen, tab: undefined, ...searchOf(id, filter) });
}

/** Behind the tabs that everybody has. The first ones have the next keys. */
export const ViewTabs = () =>
  useViews().map((view, index) => <ViewTab key={view.id} view={view} keys={String(tabs.length + index)} />);

function ViewTab({ view: { id, name, filter, shared, created_by: by }, keys }: { view: SavedView; keys: string }) {
  const [{ view }] = useAddress<QueueFilter>();
  const showView = useShowView();
  const show = () => showView({ id, filter });
  useShortcut(keys, `Show: ${name}`, keys.length === 1 ? show : null);
  return (
    <UnstyledButton
      ref={view === id ? inView : undefined}
      className="tab"
      aria-current={view === id || undefined}
      title={shared ? `Shared by ${by.name}` : 'Only you see it'}
      onClick={show}
    >
      {name}
    </UnstyledButton>
  );
}

/** How many jobs match, and what can be done with the filter. */
export function ViewTools() {
  const [search] = useAddress<QueueFilter>();
  const { user } = useSession();
  const leads = useMay()('direct');
  const [asking, setAsking] = useState<'save' | 'delete' | null>(null);
  const view = useViews().find(({ id }) => id === search.view);
  const mayChange = view && (view.created_by.id === user.id || (view.shared && leads));
  const changed = view && isChanged(search, view);
  const showView = useShowView();
  if (!search.view && !criteria.some((name) => search[name])) return null;
  const close = () => setAsking(null);
  const tool = (label: string, onClick: () => void) => (
    <button type="button" className="chip choice" onClick={onClick}>
      {label}
    </button>
  );
  return (
    <>
      <Total />
      {changed && <span className="turn">View changed</span>}
      {tool(mayChange && !changed ? 'Edit view' : 'Save view', () => setAsking('save'))}
      {changed && tool('Reset view', () => showView(view))}
      {mayChange && tool('Delete view', () => setAsking('delete'))}
      {asking === 'save' && <SaveDialog view={mayChange ? view : null} own={view?.created_by.id} onClose={close} />}
      {asking === 'delete' && view && <DeleteView view={view} onClose={close} />}
    </>
  );
}

/** Words are looked up page by page, so their matches are not counted. */
function Total() {
  const [search] = useAddress<QueueFilter>();
  const { q, sort: _, ...query } = queryAt(search);
  const total = useQuery({ ...operationQuery('countListedJobs', { query }), enabled: !q }).data?.total;
  return !q && total !== undefined && <span className="ink">{counted(total, 'job')}</span>;
}

type DialogProps = { view: SavedView | null; own: string | undefined; onClose: () => void };

/** Saves the filter and order of the address: anew, or in place of what the view has. */
function SaveDialog({ view, own, onClose }: DialogProps) {
  const [search] = useAddress<QueueFilter>();
  const showView = useShowView();
  const { user } = useSession();
  const [name, setName] = useState(view?.name ?? '');
  const [shared, setShared] = useState(view?.shared ?? false);
  const body = { name: name.trim(), shared, filter: queryAt(search) };
  const done = ({ saved_view: saved }: { saved_view: SavedView }) => {
    onClose();
    showView(saved);
    notify(`Saved “${saved.name}”.`);
  };
  const create = useOperation('createSavedView', done);
  const replace = useOperation('replaceSavedView', done);
  const idempotencyKey = useMoveKey(JSON.stringify(body));
  const action = view ? replace : create;
  return (
    <FormDialog
      onClose={onClose}
      title={view ? 'Edit the view' : 'Save this view'}
      submit="Save"
      onSubmit={() =>
        view ? replace.mutate({ path: { id: view.id }, body }) : create.mutate({ body, idempotencyKey })
      }
      action={action}
      fields={['name']}
      disabled={body.name === ''}
    >
      <p className="second">
        {view ? 'It keeps the filter and order that you see now.' : 'This filter and order become a tab of the queue.'}
      </p>
      <TextInput
        label="Name"
        required
        maxLength={savedViewBounds.name}
        value={name}
        onChange={({ currentTarget: { value } }) => setName(value)}
        error={fieldError(action.error, 'name')}
        data-autofocus
      />
      <Checkbox
        label="Share with the studio"
        description="All operators see it as a tab."
        checked={shared}
        disabled={view !== null && own !== user.id}
        onChange={({ currentTarget: { checked } }) => setShared(checked)}
      />
    </FormDialog>
  );
}

function DeleteView({ view: { id, name, shared }, onClose }: { view: SavedView; onClose: () => void }) {
  const [, setAddress] = useAddress<QueueFilter>();
  return (
    <ConfirmOperation
      title={`Delete “${name}”?`}
      confirm="Delete the view"
      operation="deleteSavedView"
      input={{ path: { id } }}
      onClose={onClose}
      onDone={() => {
        setAddress(nothingChosen);
        notify(`Deleted “${name}”.`);
      }}
    >
      {shared ? 'The tab is gone for all operators. ' : ''}No job is changed.
    </ConfirmOperation>
  );
}
