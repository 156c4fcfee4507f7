import { PasswordInput, TextInput } from '@mantine/core';
import { type Output, queryClient, useOperation } from '../../app/api.ts';
import { useSession } from '../../app/session/session.tsx';
import { Code } from '../../ui/page/code.tsx';
import { PageForm } from '../../ui/form/page-form.tsx';
import { useFields } from '../../ui/form/use-fields.ts';
import { Row } from './settings-row.tsx';
import { Proof } from '../../app/session/proof.tsx';

export function SecondFactor() {
  const { user } = useSession();
  return (
    <Row
      term="Second factor"
      value={user.second_factor ? 'On' : 'Off'}
      more={user.second_factor ? 'authenticator app' : 'six digits from your phone, besides the password'}
      verb={user.second_factor ? 'Change' : 'Set up'}
    >
      {() => (user.second_factor ? <SwitchOff /> : <SwitchOn />)}
    </Row>
  );
}

function SwitchOn() {
  const start = useOperation('startSecondFactor');
  const { fields, field } = useFields({ password: '' }, start.error);
  if (start.data) return <Confirm setup={start.data} />;
  return (
    <PageForm
      submit="Set it up"
      onSubmit={() => start.mutate({ body: fields })}
      action={start}
      fields={['password']}
      variant="default"
      mr="auto"
    >
      <p className="second">Signing in then also needs six digits from an authenticator app on your phone.</p>
      <PasswordInput label="Current password" autoComplete="current-password" required {...field('password')} />
    </PageForm>
  );
}

function Confirm({ setup }: { setup: Output<'startSecondFactor'> }) {
  const confirm = useOperation('confirmSecondFactor');
  const { fields, field } = useFields({ code: '' }, confirm.error);
  const reread = () => void queryClient.invalidateQueries({ queryKey: ['readSession'] });
  const run = () => confirm.mutate({ body: fields }, { onSuccess: reread });
  return (
    <PageForm submit="Switch it on" onSubmit={run} action={confirm} fields={['code']} mr="auto">
      <p>
        1. Add this secret to your authenticator app, or <a href={setup.otpauth_url}>open it there</a>:
      </p>
      <Code copies={setup.secret}>{setup.secret.replaceAll(/.{4}(?=.)/g, '$& ')}</Code>
      <p>2. Keep these recovery codes. Each works once in place of the app; they are shown only now.</p>
      <Code>{setup.recovery_codes.join('\n')}</Code>
      <TextInput
        label="3. The six digits shown in the app"
        autoComplete="one-time-code"
        inputMode="numeric"
        required
        {...field('code')}
      />
    </PageForm>
  );
}

function SwitchOff() {
  const end = useOperation('endSecondFactor');
  const { fields, change } = useFields({ password: '', code: '' }, end.error);
  return (
    <PageForm
      submit="Switch it off"
      onSubmit={() => end.mutate({ body: fields })}
      action={end}
      fields={['password', 'code']}
      variant="subtle"
      color="bad"
      mr="auto"
    >
      <Proof {...fields} onChange={change} error={end.error} />
    </PageForm>
  );
}
