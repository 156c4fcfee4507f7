import { Button, NativeSelect, TextInput } from '@mantine/core';
import { createContext, type ReactNode, useContext, useId } from 'react';
import { Textarea } from '../../ui/form/fields.tsx';
import { IconPlus } from '../../ui/look/icons.ts';
import { useAddress } from '../../ui/page/address.ts';
import { notify } from '../../ui/page/page.tsx';
import { fileTypesFile } from './edits.ts';
import { useTyped } from './face-row.tsx';
import { type Family, figureIn, put, type Service, textIn, textsIn } from './families.ts';
import { takeAway } from './in-words.tsx';
import type { StudioAddress } from './spot.ts';
import { problemAt, type StudioEdits } from './use-edits.ts';
import type { Path } from '../../../contract/studio/yaml-edits.ts';
import type { Entry, Value } from '../../../contract/studio/yaml-written.ts';

type Step = (text: string) => string | null;

const onlyYaml = 'This is written in a way that only the YAML can change.';

/** Changes a file by steps, each of which takes the text and gives the next one. */
export function changeFile(edits: StudioEdits, file: string, ...steps: Step[]): boolean {
  const text = steps.reduce<string | null>((now, step) => now && step(now), edits.text(file));
  if (text === null) notify(onlyYaml);
  else edits.edit([file, { text }]);
  return text !== null;
}

export const changeFamilies = (edits: StudioEdits, ...steps: Step[]): boolean =>
  changeFile(edits, 'families.yaml', ...steps);

/** The families as they are edited, and as they were published. */
export type Form = {
  edits: StudioEdits;
  families: Family[];
  published: Family[];
  /** The path of the question that is open. */
  open: string | null;
  setOpen: (path: string | null) => void;
};
const FormContext = createContext<Form | null>(null);
export const FormProvider = FormContext.Provider;
export function useForm(): Form {
  const form = useContext(FormContext);
  if (!form) throw new Error('A field of the catalog stands outside its form.');
  return form;
}

/** A service and where it stands. */
export type Place = { family: Family; service: Service; path: Path; familyPath: Path };

type FieldProps = { path: Path; entry: Entry; field: string; label: string };

function useField({ path, entry, field }: Pick<FieldProps, 'path' | 'entry' | 'field'>) {
  const { edits } = useForm();
  const whole = [...path, field];
  const file = path[0] === 'file_types' ? fileTypesFile : 'families.yaml';
  const problem = problemAt(edits, file, whole);
  return {
    readOnly: edits.readOnly !== null,
    isMissing: entry[field] === undefined || entry[field] === '',
    problem: problem && (entry[field] === undefined || entry[field] === '' ? 'This is missing.' : problem),
    name: whole.join('/'),
    set: (value: Value | undefined) => changeFile(edits, file, (text) => put(text, whole, value)),
  };
}

type OfferProps = { id: string; isRetired: boolean; isPublished: boolean; onRetire: (retired: boolean) => void };

/** Retires a family or service, or offers it again; one that was never published is removed. */
export function OfferButton({ id, isRetired, isPublished, onRetire }: OfferProps) {
  const { edits, families } = useForm();
  const [, setAddress] = useAddress<StudioAddress>();
  const isOnly = families.length === 1 && families.every((family) => family.id === id || family.services.length === 1);
  const remove = () => {
    if (takeAway(edits, id)) setAddress({ service: undefined });
    else notify(isOnly ? 'The catalog needs one family.' : onlyYaml);
  };
  return (
    <Button
      variant="subtle"
      size="xs"
      {...(!isRetired && { color: 'bad' })}
      onClick={() => (isRetired || isPublished ? onRetire(!isRetired) : remove())}
    >
      {isRetired ? 'Offer again' : isPublished ? 'Retire' : 'Remove'}
    </Button>
  );
}

export const AddButton = ({ children, onClick }: { children: ReactNode; onClick: () => void }) => (
  <Button variant="subtle" size="xs" leftSection={<IconPlus size={14} />} onClick={onClick}>
    {children}
  </Button>
);

export const ReadOnly = ({ label, children }: { label: string; children: ReactNode }) => (
  <p className="breaks">
    <span className="second">{label}: </span>
    {children || <span className="third">not set</span>}
  </p>
);

type TextProps = FieldProps & { placeholder?: string; rows?: number; optional?: boolean; labelled?: boolean };

/** One line of text. Several rows only make it readable. */
export function Words({ rows, optional = false, labelled = false, placeholder = '', ...field }: TextProps) {
  const { readOnly, problem, name, set } = useField(field);
  const value = textIn(field.entry, field.field);
  if (readOnly) return <ReadOnly label={field.label}>{value}</ReadOnly>;
  const change = (next: string) => set(next === '' && optional ? undefined : next.replaceAll(/\s*\n\s*/g, ' '));
  const props = {
    ...(labelled ? { label: field.label } : { 'aria-label': field.label }),
    'data-field': name,
    placeholder,
    value,
    error: problem,
    maxLength: 500,
    onChange: (event: { currentTarget: { value: string } }) => change(event.currentTarget.value),
    onBlur: () => value !== value.trim() && change(value.trim()),
  };
  return rows ? <Textarea {...props} minRows={rows} /> : <TextInput {...props} />;
}

type ListProps = TextProps & { description?: string; isWords?: boolean };

/** A list with one text a line; of words, in one line with commas. */
export function Lines({ rows = 2, labelled = true, description, isWords = false, ...field }: ListProps) {
  const { readOnly, problem, name, set } = useField(field);
  const list = textsIn(field.entry, field.field);
  const { value, change } = useTyped(list, isWords ? [/[\s,;.]+/, ', '] : [/\n/, '\n'], set);
  if (readOnly) return <ReadOnly label={field.label}>{list.join(' · ')}</ReadOnly>;
  const props = {
    ...(labelled ? { label: field.label } : { 'aria-label': field.label }),
    description,
    'data-field': name,
    placeholder: field.placeholder,
    value,
    error: problem,
    onChange: (event: { currentTarget: { value: string } }) => change(event.currentTarget.value),
  };
  return isWords ? <TextInput {...props} /> : <Textarea {...props} minRows={rows} />;
}

/** A whole number in a sentence. Its problem stands below the sentence. */
export function Hours({ optional = false, published, ...field }: TextProps & { published: Entry | undefined }) {
  const { readOnly, problem, name, set } = useField(field);
  const value = textIn(field.entry, field.field);
  const [shown, was] = [figureIn(field.entry, field.field), published && figureIn(published, field.field)];
  const describedBy = useId();
  const change = (next: string) =>
    set(next === '' ? (optional ? undefined : '') : /^\d{1,6}$/.test(next) ? Number(next) : next);
  return (
    <>
      {readOnly ? (
        <strong>{shown}</strong>
      ) : (
        <TextInput
          w={64}
          inputMode="numeric"
          aria-label={field.label}
          data-field={name}
          placeholder={optional ? figureIn({}, field.field) : undefined}
          value={value}
          error={problem !== null}
          aria-describedby={problem === null ? undefined : describedBy}
          styles={{ input: { textAlign: 'right' } }}
          onChange={({ currentTarget }) => change(currentTarget.value.trim())}
        />
      )}
      {was !== undefined && was !== shown && <span className="small turn">was {was}</span>}
      {problem !== null && (
        <span id={describedBy} className="small bad" style={{ order: 1, flexBasis: '100%' }}>
          {problem}
        </span>
      )}
    </>
  );
}

type ChoiceProps = { label: string; value: string; data: { value: string; label: string }[]; name?: string };

export function Choice({ onChange, name, ...props }: ChoiceProps & { onChange: (value: string) => void }) {
  const { edits } = useForm();
  if (edits.readOnly !== null) return props.data.find(({ value }) => value === props.value)?.label ?? props.value;
  return (
    <NativeSelect
      aria-label={props.label}
      data-field={name}
      data={props.data}
      value={props.value}
      onChange={({ currentTarget: { value } }) => onChange(value)}
    />
  );
}
