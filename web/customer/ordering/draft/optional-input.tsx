import { type InputWrapperProps, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { fieldOf, labelOf, type StudioField } from '../../../../contract/jobs/optional-fields.ts';
import { dayOf, endOfDay } from './wish.ts';

type Props = {
  name: StudioField;
  /** As the service has it; empty without one. */
  value: string;
  onText: (text: string) => void;
  error: string | null;
  autoFocus?: boolean;
} & Pick<InputWrapperProps, 'inputWrapperOrder' | 'flex'>;

/** The field of a form for one of the optional fields of an order. */
export function OptionalInput({ name, value, onText, autoFocus, ...wrapper }: Props) {
  // A year that is half typed is another day.
  const [day, setDay] = useState('');
  const field = fieldOf(name);
  const words = {
    label: labelOf(name, 'Your'),
    description: field.studioSees && `Optional. ${field.hint}`,
    'data-autofocus': autoFocus || undefined,
    ...wrapper,
  };
  if (field.kind === 'choice')
    return (
      <NativeSelect
        {...words}
        data={[{ value: '', label: '—' }, ...field.choices]}
        value={value}
        onChange={(event) => onText(event.currentTarget.value)}
      />
    );
  const isDate = field.kind === 'date';
  return (
    <TextInput
      {...words}
      {...(isDate ? { type: 'date' } : { maxLength: field.kind === 'text' ? field.most : 0, placeholder: 'Optional' })}
      value={!isDate ? value : endOfDay(day) === value ? day : dayOf(value)}
      onChange={({ currentTarget: { value: text } }) => (setDay(text), onText(isDate ? endOfDay(text) : text))}
    />
  );
}
