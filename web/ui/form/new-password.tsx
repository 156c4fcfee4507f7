import { PasswordInput, type PasswordInputProps } from '@mantine/core';

export const NewPassword = (props: PasswordInputProps) => (
  <PasswordInput autoComplete="new-password" required maxLength={128} {...props} />
);
