import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { FormDialog } from '../../ui/dialog/dialog.tsx';
import { useAddress } from '../../ui/page/address.ts';
import { changeFamilies, useForm } from './catalog-fields.tsx';
import { type Family, idFrom, put, type Service, textsIn } from './families.ts';
import type { Entry } from '../../../contract/studio/yaml-written.ts';
import { withItem } from '../../../contract/studio/yaml-lists.ts';
import type { StudioAddress } from './spot.ts';

/** A service of this family, or a copy of one; without a family, a new one with its first service. */
export type Draft = { family: Family | null; copyOf?: Service | null };

/** Until its description is written it has a problem, so it is never published by mistake. */
const firstEntry = (id: string, name: string): Entry => ({
  id,
  name,
  description: '',
  turnaround_hours: 72,
  auto_approval_hours: 120,
});

const firstQuestion: Entry = {
  label: 'What it is for',
  hint: 'Who will see it, where, and what it has to do.',
  example: 'The opening of our second shop in March',
};

export function NewService({ draft: { family, copyOf }, onClose }: { draft: Draft; onClose: () => void }) {
  const { edits, families, published } = useForm();
  const [, setAddress] = useAddress<StudioAddress>();
  const [familyName, setFamilyName] = useState('');
  const [name, setName] = useState(copyOf ? `${copyOf.name} 2` : '');
  const ids = (list: Family[], id: string) =>
    list.find((other) => other.id === id)?.services.map((service) => service.id) ?? [];
  const create = () => {
    const familyId =
      family?.id ??
      idFrom(
        familyName,
        [...families, ...published].map(({ id }) => id),
      );
    const id = idFrom(name, [...ids(families, familyId), ...ids(published, familyId)]);
    const done = family
      ? changeFamilies(edits, ...serviceSteps(families.indexOf(family), family, id, name.trim(), copyOf ?? null))
      : changeFamilies(edits, (text) =>
          withItem(text, ['families'], families.length, {
            id: familyId,
            name: familyName.trim(),
            description: '',
            options: [firstEntry(id, name.trim())],
            intake_requirements: [firstQuestion],
            quality_signals: ['Does what was asked for'],
          }),
        );
    if (done) setAddress({ service: `${familyId}/${id}` });
    onClose();
  };
  const title = family ? (copyOf ? `Duplicate ${copyOf.name}` : `New service in ${family.name}`) : 'New family';
  return (
    <FormDialog
      title={title}
      onClose={onClose}
      submit="Create"
      onSubmit={create}
      disabled={name.trim() === '' || (!family && familyName.trim() === '')}
    >
      {!family && (
        <TextInput
          label="Name of the family"
          placeholder="Print"
          maxLength={100}
          value={familyName}
          onChange={({ currentTarget: { value } }) => setFamilyName(value)}
          data-autofocus
        />
      )}
      <TextInput
        label={family ? 'Name' : 'Its first service'}
        placeholder="Flyer"
        maxLength={100}
        value={name}
        onChange={({ currentTarget: { value } }) => setName(value)}
        data-autofocus={family ? true : undefined}
      />
      <p className="second small">Customers see it once it is published.</p>
    </FormDialog>
  );
}

/** A copy is asked the same questions. */
function serviceSteps(at: number, family: Family, id: string, name: string, copyOf: Service | null) {
  const list = ['families', at, 'options'];
  const { retired: _, ...entry } = copyOf?.entry ?? firstEntry(id, name);
  const index = copyOf ? family.services.indexOf(copyOf) + 1 : family.services.length;
  const lists = family.questions.flatMap((question, number) =>
    ['only_for', 'not_for'].flatMap((key) => {
      const named = textsIn(question.entry, key);
      const path = ['families', at, 'intake_requirements', number, key];
      return copyOf && named.includes(copyOf.id) ? [(text: string) => put(text, path, [...named, id])] : [];
    }),
  );
  return [(text: string) => withItem(text, list, index, { ...entry, id, name }), ...lists];
}
