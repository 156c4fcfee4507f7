import { Text } from '@mantine/core';
import { IconPlus } from '../../ui/look/icons.ts';
import { useState } from 'react';
import { macroBounds } from '../../../contract/desk/macro-text.ts';
import type { Macro } from '../../app/api.ts';
import { EndableList } from '../../app/endable-list.tsx';
import { useRead, useReads } from '../../app/use-reads.ts';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { Empty } from '../../ui/list/empty.tsx';
import type { Column } from '../../ui/list/list.tsx';
import { RowButton } from '../../ui/list/row-button.tsx';
import { Failure } from '../../ui/page/failure.tsx';
import { notify } from '../../ui/page/notify.ts';
import { PageHead } from '../../ui/page/page.tsx';
import { Time } from '../../ui/time/time.tsx';
import { pageReads } from '../reads.ts';
import { MacroDialog } from './macro-dialog.tsx';

export function Macros() {
  const { data, error, refetch } = useRead(useReads(pageReads.macros).macros);
  const [writing, setWriting] = useState<Macro | 'new' | null>(null);
  const macros = data?.macros.toSorted((a, b) => a.name.localeCompare(b.name));
  const isFull = (macros?.length ?? 0) >= macroBounds.count;
  const add = () => setWriting('new');
  return (
    <>
      <PageHead
        title="Macros"
        below="Texts that all operators share. Type / at the beginning of a message, a return or a rejection to insert one."
      >
        <ActionButton
          keys="c"
          icon={<IconPlus size={16} />}
          reason={isFull ? `There are ${macroBounds.count} macros. Delete one first.` : null}
          onClick={add}
        >
          New macro
        </ActionButton>
      </PageHead>
      {error && !data ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : macros?.length === 0 ? (
        <Empty action={<ActionButton onClick={add}>Write the first macro</ActionButton>}>
          What you write to customers again and again, such as a greeting with a first sketch, is written here once. The
          names of customer and job are filled in when it is inserted.
        </Empty>
      ) : (
        <EndableList
          label="Macros"
          tight
          rows={macros}
          columns={columns}
          rowKey={({ id }) => id}
          buttons={(macro) => (
            <RowButton label={`Edit ${macro.name}`} onClick={() => setWriting(macro)}>
              Edit
            </RowButton>
          )}
          actionsWidth="150px"
          end="Delete"
          endLabel={({ name }) => `Delete ${name}`}
          ask={({ id, name }) => ({
            title: `Delete “${name}”?`,
            confirm: 'Delete the macro',
            children: 'It is gone for all operators. What was sent with it stays.',
            operation: 'deleteMacro',
            input: { path: { id } },
            onDone: () => notify(`Deleted “${name}”.`),
          })}
        />
      )}
      {writing && <MacroDialog macro={writing === 'new' ? null : writing} onClose={() => setWriting(null)} />}
    </>
  );
}

const columns: Column<Macro>[] = [
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
];
