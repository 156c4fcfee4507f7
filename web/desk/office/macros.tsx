import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { fillMacro, macroBounds, macroPlaceholders, unknownPlaceholders } from '../../../contract/desk/macro-text.ts';
import { type Macro, useOperation } from '../../app/api.ts';
import { EndableList } from '../../app/endable-list.tsx';
import { useDraft } from '../../app/session/draft.ts';
import { useRead, useReads } from '../../app/use-reads.ts';
import { FormDialog } from '../../ui/dialog/dialog.tsx';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { Textarea } from '../../ui/form/fields.tsx';
import { fieldError, useMoveKey } from '../../ui/form/form.ts';
import { type Column, Empty } from '../../ui/list/list.tsx';
import { RowButton } from '../../ui/list/row-button.tsx';
import { IconPlus } from '../../ui/look/icons.ts';
import { Facts, Failure, notify, PageHead } from '../../ui/page/page.tsx';
import { Time } from '../../ui/time/time.tsx';
import { pageReads } from '../reads.ts';

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
  { head: 'Changed', named: true, width: '120px', cell: ({ updated_at: at }) => <Time at={at} /> },
];

/** Writes a new macro, or changes one. */
function MacroDialog({ macro, onClose }: { macro: Macro | null; onClose: () => void }) {
  const [{ name, text }, setDraft, forget] = useDraft(`macro-${macro?.id ?? 'new'}`, {
    name: macro?.name ?? '',
    text: macro?.text ?? '',
  });
  const body = { name: name.trim(), text };
  const done = { onSuccess: () => (forget(), onClose(), notify(`Saved “${body.name}”.`)) };
  const create = useOperation('createMacro');
  const replace = useOperation('replaceMacro');
  const idempotencyKey = useMoveKey(JSON.stringify(body));
  const save = () => {
    if (macro) replace.mutate({ path: { id: macro.id }, body }, done);
    else create.mutate({ body, idempotencyKey }, done);
  };
  const action = macro ? replace : create;
  const unknown = unknownPlaceholders(text);
  return (
    <FormDialog
      onClose={onClose}
      title={macro ? 'Edit the macro' : 'New macro'}
      size={560}
      submit="Save"
      onSubmit={save}
      action={action}
      fields={['name', 'text']}
      disabled={body.name === '' || text.trim() === '' || unknown.length > 0}
    >
      <TextInput
        label="Name"
        description="What you type after / to find it."
        required
        maxLength={macroBounds.name}
        value={name}
        onChange={({ currentTarget: { value } }) => setDraft((now) => ({ ...now, name: value }))}
        error={fieldError(action.error, 'name')}
        data-autofocus
      />
      <Textarea
        label="Text"
        minRows={4}
        required
        maxLength={macroBounds.text}
        value={text}
        onChange={({ currentTarget: { value } }) => setDraft((now) => ({ ...now, text: value }))}
        error={unknown.length > 0 ? `${unknown.join(', ')} is not known.` : fieldError(action.error, 'text')}
      />
      <Facts facts={placeholders} />
      <Example text={text} />
    </FormDialog>
  );
}

const placeholders = Object.entries(macroPlaceholders).map(([name, meaning]): [string, string] => [
  `{${name}}`,
  meaning,
]);

const example = { customer: 'Ada Lovelace', title: 'Logo for a neighbourhood bakery', round: '1' };

/** Only where something is filled in. */
function Example({ text }: { text: string }) {
  const filled = fillMacro(text, example);
  if (filled === text) return null;
  return (
    <section aria-label="Example" className="stack-small">
      <span className="small second">For example</span>
      <p className="prose quote">{filled}</p>
    </section>
  );
}
