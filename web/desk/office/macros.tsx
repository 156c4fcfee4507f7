import { Button, Text } from '@mantine/core';
import { IconPlus } from '../../ui/look/icons.ts';
import { useState } from 'react';
import { macroBounds } from '../../../contract/desk/macro-text.ts';
import { type Macro, useOperation } from '../../app/api.ts';
import { useRead, useReads } from '../../app/use-reads.ts';
import { Confirm } from '../../ui/dialog/dialog.tsx';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { Empty } from '../../ui/list/empty.tsx';
import { type Column, List } from '../../ui/list/list.tsx';
import { Failure } from '../../ui/page/failure.tsx';
import { notify } from '../../ui/page/notify.ts';
import { PageHead } from '../../ui/page/page.tsx';
import { Time } from '../../ui/time/time.tsx';
import { MacroDialog } from './macro-dialog.tsx';
import { macrosReads } from './macros.reads.ts';

type Open = { write: Macro | null } | { remove: Macro };

export function Macros() {
  const { data, error, refetch } = useRead(useReads(macrosReads).macros);
  const [open, setOpen] = useState<Open | null>(null);
  const macros = data?.macros.toSorted((a, b) => a.name.localeCompare(b.name));
  const isFull = (macros?.length ?? 0) >= macroBounds.count;
  const add = () => setOpen({ write: null });
  const close = () => setOpen(null);
  return (
    <>
      <PageHead
        title="Macros"
        below="Texts that all operators share. Type / at the beginning of a message, a return or a rejection to insert one."
        actions={
          <ActionButton
            keys="c"
            icon={<IconPlus size={16} />}
            reason={isFull ? `There are ${macroBounds.count} macros. Delete one first.` : null}
            onClick={add}
          >
            New macro
          </ActionButton>
        }
      />
      {error && !data ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : macros?.length === 0 ? (
        <Empty action={<ActionButton onClick={add}>Write the first macro</ActionButton>}>
          What you write to customers again and again, such as a greeting with a first sketch, is written here once. The
          names of customer and job are filled in when it is inserted.
        </Empty>
      ) : (
        <List label="Macros" tight rows={macros} columns={columns(setOpen)} rowKey={({ id }) => id} />
      )}
      {open && 'write' in open && <MacroDialog macro={open.write} onClose={close} />}
      {open && 'remove' in open && <Remove macro={open.remove} onClose={close} />}
    </>
  );
}

const columns = (setOpen: (open: Open) => void): Column<Macro>[] => [
  { head: 'Name', width: '24%', cell: ({ name }) => <span className="ink">{name}</span> },
  {
    head: 'Text',
    cell: ({ text }) => (
      <Text inherit span lineClamp={2}>
        {text}
      </Text>
    ),
  },
  {
    head: 'Changed',
    named: true,
    width: '120px',
    cell: ({ updated_at: at }) => <Time at={at} />,
  },
  {
    head: 'Actions',
    end: true,
    quiet: true,
    width: '150px',
    cell: (macro) => (
      <span className="nowrap">
        <Button
          variant="subtle"
          size="xs"
          h={28}
          aria-label={`Edit ${macro.name}`}
          onClick={() => setOpen({ write: macro })}
        >
          Edit
        </Button>
        <Button
          variant="subtle"
          color="bad"
          size="xs"
          h={28}
          aria-label={`Delete ${macro.name}`}
          onClick={() => setOpen({ remove: macro })}
        >
          Delete
        </Button>
      </span>
    ),
  },
];

function Remove({ macro, onClose }: { macro: Macro; onClose: () => void }) {
  const remove = useOperation('deleteMacro');
  const run = () =>
    remove.mutate({ path: { id: macro.id } }, { onSuccess: () => (onClose(), notify(`Deleted “${macro.name}”.`)) });
  return (
    <Confirm
      opened
      onClose={onClose}
      title={`Delete “${macro.name}”?`}
      confirm="Delete the macro"
      destructive
      pending={remove.isPending}
      error={remove.error}
      onConfirm={run}
    >
      It is gone for all operators. What was sent with it stays.
    </Confirm>
  );
}
