import { ActionIcon, Box } from '@mantine/core';
import { useEffect, useMemo, useRef } from 'react';
import { fileTypes } from '../../../contract/files/file-types.ts';
import { IconX } from '../../ui/look/icons.ts';
import { AddButton, changeFile, Lines, useForm, Words } from './catalog-fields.tsx';
import { fileTypesFile } from './edits.ts';
import { FaceRow } from './face-row.tsx';
import { textIn, textsIn } from './families.ts';
import type { Entry } from '../../../contract/studio/yaml-written.ts';
import { typeList, typesIn, withoutType, withType } from './file-types.ts';
import { focusField } from './spot.ts';

const always = new Intl.ListFormat('en').format(Object.values(fileTypes).map((ending) => `.${ending}`));

/** What may be uploaded: `file-types.yaml` as a form. */
export function FileTypes() {
  const { edits } = useForm();
  const text = edits.text(fileTypesFile);
  const types = useMemo(() => typesIn(text), [text]);
  const next = useRef<number | null>(null);
  useEffect(() => {
    if (next.current !== null) focusField(`/file_types/${next.current}`);
    next.current = null;
  }, [text]);
  const canEdit = edits.readOnly === null;
  const change = (focused: number, step: (text: string) => string | null) => {
    if (changeFile(edits, fileTypesFile, step)) next.current = focused;
  };
  const add = ({ length }: Entry[]) => change(length, (now) => withType(now, length, { media_type: '' }));
  return (
    <>
      <div className="panel-head">
        <h2>File types</h2>
        {canEdit && types && (
          <span className="push">
            <AddButton onClick={() => add(types)}>Add a type</AddButton>
          </span>
        )}
      </div>
      <FaceRow label="Always taken" description="">
        <p>Every studio takes {always}.</p>
      </FaceRow>
      <FaceRow label="Taken, too" description="Media types with their endings. Such files are only downloaded.">
        <p className="second small">
          This form leaves the <code>aliases</code> and <code>starts_with</code> of a type as the YAML has them.
        </p>
        {types ? (
          <ul>
            {types.map((type, index) => (
              <TypeRow
                key={index}
                type={type}
                index={index}
                onRemove={() => change(Math.min(index, types.length - 2), (now) => withoutType(now, index))}
              />
            ))}
          </ul>
        ) : (
          <p className="note turn">file-types.yaml is written in a way that this form cannot read. Change its YAML.</p>
        )}
      </FaceRow>
    </>
  );
}

function TypeRow({ type, index, onRemove }: { type: Entry; index: number; onRemove: () => void }) {
  const { edits } = useForm();
  const field = { path: [...typeList, index], entry: type };
  const name = textIn(type, 'media_type') || 'the new type';
  if (edits.readOnly !== null)
    return (
      <li className="row between line-below" style={{ padding: '6px 0' }}>
        <span className="breaks">{name}</span>
        <span className="second">{textsIn(type, 'extensions').join(', ')}</span>
      </li>
    );
  return (
    <li className="row line-below" style={{ alignItems: 'flex-start', gap: 8, padding: '6px 0' }}>
      <Box flex="3 1 220px">
        <Words {...field} field="media_type" label={`Media type ${index + 1}`} placeholder="image/x-sketch" />
      </Box>
      <Box flex="2 1 100px">
        <Lines
          {...field}
          field="extensions"
          label={`Endings of ${name}`}
          labelled={false}
          placeholder="sketch, skt"
          isWords
        />
      </Box>
      <ActionIcon aria-label={`Remove ${name}`} mt={4} onClick={onRemove}>
        <IconX size={16} />
      </ActionIcon>
    </li>
  );
}
