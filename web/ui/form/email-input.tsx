import { TextInput, type TextInputProps } from '@mantine/core';

/** Not of type email: there browsers refuse what mail programs copy, which the service can read. */
export const EmailInput = (props: TextInputProps) => (
  <TextInput inputMode="email" autoCapitalize="none" autoCorrect="off" spellCheck={false} required {...props} />
);
