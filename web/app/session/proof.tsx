import { PasswordInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { operationQuery } from '../api.ts';
import { fieldError } from '../../ui/form/form.ts';

type ProofProps = {
  password: string;
  code: string;
  onChange: (proof: { password: string } | { code: string }) => void;
  error: Error | null;
};

export function Proof({ password, code, onChange, error }: ProofProps) {
  const { data } = useQuery({ ...operationQuery('readSession'), staleTime: 30_000 });
  return (
    <>
      <PasswordInput
        label="Current password"
        autoComplete="current-password"
        required
        value={password}
        onChange={(event) => onChange({ password: event.currentTarget.value })}
        error={fieldError(error, 'password') ?? fieldError(error, 'current_password')}
      />
      {data?.user.second_factor && (
        <TextInput
          label="Code of your authenticator"
          autoComplete="one-time-code"
          required
          value={code}
          onChange={(event) => onChange({ code: event.currentTarget.value })}
          error={fieldError(error, 'code')}
        />
      )}
    </>
  );
}
