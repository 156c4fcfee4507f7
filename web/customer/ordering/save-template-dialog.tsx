import { NativeSelect } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { reusedNames, valuesOf } from '../../../contract/jobs/optional-fields.ts';
import { api, type IntakeSession, operationQuery, useOperation } from '../../app/api.ts';
import { FormDialog } from '../../ui/dialog/dialog.tsx';
import { useFields } from '../../ui/form/use-fields.ts';
import { notify } from '../../ui/page/page.tsx';
import type { OrderDraft } from './draft/use-order-draft.ts';
import { TemplateName } from './template-dialogs.tsx';

export function SaveTemplateDialog({ draft, onClose }: { draft: OrderDraft; onClose: () => void }) {
  const templates = useQuery(operationQuery('listTemplates')).data?.templates ?? [];
  const create = useOperation('createTemplate').mutateAsync;
  const replace = useOperation('replaceTemplate').mutateAsync;
  const [copyKey] = useState(() => crypto.randomUUID());
  const save = useMutation({
    mutationFn: async (named: { name: string; replaced: string }) => {
      const session = await draft.after(() => Promise.resolve(draft.live.current.session));
      if (!session) throw new Error('The draft is not stored.');
      const { service_family, service_type, words } = session;
      const body = {
        name: named.name,
        service_family,
        service_type,
        words,
        answers: session.answers.map(({ requirement, answer }) => ({ requirement, answer })),
        ...valuesOf(reusedNames, session),
        file_ids: await copiesOf(session, copyKey),
      };
      return named.replaced === '' ? create({ body }) : replace({ path: { id: named.replaced }, body });
    },
    onSuccess: ({ template }) => {
      onClose();
      notify(`The template “${template.name}” is saved. You find it under Templates.`);
    },
  });
  const { fields, field, change } = useFields(
    { name: draft.value('title').trim().slice(0, 60), replaced: '' },
    save.error,
  );
  const { replaced } = fields;
  const name = fields.name.trim();
  const choose = (id: string) =>
    change({ name: templates.find((template) => template.id === id)?.name ?? fields.name, replaced: id });
  return (
    <FormDialog
      onClose={onClose}
      title="Save as template"
      submit={replaced === '' ? 'Save' : 'Replace'}
      onSubmit={() => !save.isPending && save.mutate({ name, replaced })}
      action={save}
      fields={['name']}
      disabled={name === ''}
    >
      {templates.length > 0 && (
        <NativeSelect
          label="Save it"
          data={[
            { value: '', label: 'As a new template' },
            ...templates.map(({ id, name: other }) => ({ value: id, label: `In place of “${other}”` })),
          ]}
          value={replaced}
          onChange={(event) => choose(event.currentTarget.value)}
        />
      )}
      <TemplateName {...field('name')} />
      <p className="small second">
        It has the service, your answers, your words and copies of the files. Everybody in the account can use it and
        change it. The title, the date and your reference stay with this draft
        {draft.suggested.length > 0 && ', and so do suggestions that you have not accepted'}.
      </p>
    </FormDialog>
  );
}

/** The files of the draft go with its job. A second attempt gets the same copies. */
async function copiesOf({ file_ids }: IntakeSession, key: string): Promise<string[]> {
  const copies: string[] = [];
  for (const id of file_ids)
    copies.push((await api.copyFile({ path: { id }, idempotencyKey: `${key}-${id}` })).file.id);
  return copies;
}
