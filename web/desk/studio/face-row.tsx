import { Box, Group, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { problemAt, type StudioEdits } from './use-edits.ts';
import { listAt, type Path, textAt, withList } from './studio-yaml.ts';

type RowProps = { label: string; description: string; children: ReactNode };

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

type FieldProps = { edits: StudioEdits; path: Path; label: string; placeholder?: string; maxLength?: number };

/** A field of a text; as text for those who only read. */
export function FaceText({ isLink = false, ...field }: FieldProps & { isLink?: boolean }) {
  const { edits, path } = field;
  const value = textAt(edits.text('studio.yaml'), ...path);
  const link = {
    placeholder: 'https://',
    error: value && !value.startsWith('https://') ? 'This begins with https://.' : null,
  };
  const change = (next: string) => edits.setField(path, next);
  return <Field maxLength={500} {...(isLink && link)} {...field} value={value} onChange={change} />;
}

/** A list as somebody types it, which stays as it is while it means the list. */
export function useTyped(list: string[], [end, between]: [RegExp, string], set: (list: string[]) => void) {
  const [typed, setTyped] = useState('');
  const itemsOf = (text: string) => text.split(end).flatMap((item) => item.trim() || []);
  return {
    value: itemsOf(typed).join('\n') === list.join('\n') ? typed : list.join(between),
    change: (next: string) => {
      setTyped(next);
      set(itemsOf(next));
    },
  };
}

/** A list with commas. */
export function FaceList({ edits, path, ...field }: FieldProps) {
  const text = edits.text('studio.yaml');
  const list = listAt(text, ...path);
  const { value, change } = useTyped(list ?? [], [/[,;\n]/, ', '], (items) =>
    edits.edit(['studio.yaml', { text: withList(text, path, items) }]),
  );
  return <Field {...field} edits={edits} path={path} value={list && value} onChange={change} />;
}

type InputProps = FieldProps & {
  /** Undefined if the form cannot read it. */
  value: string | undefined;
  error?: string | null;
  onChange: (value: string) => void;
};

const unreadable = 'Written in a way that only the YAML under Catalog can change.';

function Field({ edits, path, label, value, error = null, onChange, ...rest }: InputProps) {
  // Others beside it need names that tell them apart.
  const isOnly = path.length === 1;
  if (edits.readOnly !== null)
    return (
      <p className="breaks">
        {!isOnly && <span className="second">{label}: </span>}
        {value || <span className="third">{value === '' ? 'not set' : 'see studio.yaml'}</span>}
      </p>
    );
  const input = (
    <TextInput
      {...rest}
      data-field={path.join('/')}
      aria-label={label}
      disabled={value === undefined}
      value={value ?? ''}
      error={
        value === undefined
          ? unreadable
          : (error ??
            problemAt(
              edits,
              'studio.yaml',
              path.flatMap((part) => part ?? []),
            ))
      }
      onChange={(event) => onChange(event.currentTarget.value)}
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
