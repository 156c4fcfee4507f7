import { Box, Group, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { listAt, type Path, textAt, withList, withText } from './studio-yaml.ts';
import type { StudioEdits } from './use-edits.ts';

type RowProps = { label: string; description: ReactNode; children: ReactNode };

export const FaceRow = ({ label, description, children }: RowProps) => (
  <section className="face-row" aria-label={label}>
    <div>
      <Box component="h2" fz={13.5} fw={500}>
        {label}
      </Box>
      <p className="small second">{description}</p>
    </div>
    <div className="stack-small">{children}</div>
  </section>
);

/** Why the form cannot change a field. */
const unreadable = 'Written in a way that only the text under Catalog can change.';

type FieldProps = {
  edits: StudioEdits;
  path: Path;
  label: string;
  placeholder?: string;
  maxLength?: number;
  isLink?: boolean;
};

const wrongLink = (value: string) =>
  value === '' || value.startsWith('https://') ? null : 'This begins with https://.';

/** A field of a text; as text for those who only read. */
export function FaceText({ edits, path, label, placeholder, maxLength = 500, isLink = false }: FieldProps) {
  const text = edits.text('studio.yaml');
  const value = textAt(text, ...path);
  const isOnly = path.length === 1;
  if (edits.readOnly !== null) return <ReadValue label={isOnly ? null : label} value={value} />;
  return (
    <Field
      label={label}
      isOnly={isOnly}
      placeholder={placeholder}
      maxLength={maxLength}
      value={value}
      error={isLink ? wrongLink(value ?? '') : null}
      onChange={(next) => edits.edit(['studio.yaml', { text: withText(text, path, next) }])}
    />
  );
}

type InputProps = Pick<FieldProps, 'label' | 'maxLength'> & {
  /** Without others beside it that a name tells apart. */
  isOnly: boolean;
  placeholder?: string | undefined;
  /** Undefined if the form cannot read it. */
  value: string | undefined;
  error?: string | null;
  onChange: (value: string) => void;
};

function Field({ label, isOnly, placeholder = '', value, error = null, onChange, ...rest }: InputProps) {
  const input = (
    <TextInput
      {...rest}
      aria-label={label}
      placeholder={placeholder}
      disabled={value === undefined}
      value={value ?? ''}
      error={value === undefined ? unreadable : error}
      onChange={({ currentTarget: { value: next } }) => onChange(next)}
    />
  );
  if (isOnly) return input;
  return (
    <Group gap={8} wrap="nowrap" align="baseline">
      <Box w={92} flex="none" className="small second">
        {label}
      </Box>
      <Box flex={1}>{input}</Box>
    </Group>
  );
}

const ReadValue = ({ label, value }: { label: string | null; value: string | undefined }) => (
  <p className="breaks">
    {label && <span className="second">{label}: </span>}
    {value === '' ? <span className="third">not set</span> : (value ?? <span className="third">see studio.yaml</span>)}
  </p>
);

type ListProps = Pick<FieldProps, 'edits' | 'path' | 'label' | 'placeholder'>;

const itemsOf = (typed: string) =>
  typed
    .split(/[,;\n]/)
    .map((item) => item.trim())
    .filter(Boolean);

/** A list with commas. What is typed stays as it is while it means the list in the text. */
export function FaceList({ edits, path, label, placeholder }: ListProps) {
  const text = edits.text('studio.yaml');
  const list = listAt(text, ...path);
  const [typed, setTyped] = useState('');
  const isOnly = path.length === 1;
  if (edits.readOnly !== null) return <ReadValue label={isOnly ? null : label} value={list?.join(', ')} />;
  const shown = list && (itemsOf(typed).join() === list.join() ? typed : list.join(', '));
  const change = (value: string) => {
    setTyped(value);
    edits.edit(['studio.yaml', { text: withList(text, path, itemsOf(value)) }]);
  };
  return <Field label={label} isOnly={isOnly} placeholder={placeholder} value={shown} onChange={change} />;
}
