import { useState } from 'react';
import { fieldError } from './form.ts';

type Typed = { currentTarget: { value: string } };

/** The texts of a form by their names, and the props of each field with what the service says about it. */
export function useFields<Fields extends Record<string, string>>(initial: Fields, error: Error | null) {
  const [fields, setFields] = useState(initial);
  const change = (changed: Partial<Fields>) => setFields((before) => ({ ...before, ...changed }));
  const field = (name: keyof Fields & string, location: string = name) => ({
    value: fields[name],
    onChange: ({ currentTarget: { value } }: Typed) => change({ [name]: value } as Partial<Fields>),
    error: fieldError(error, location),
  });
  return { fields, field, change };
}
