import { Button, PasswordInput, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { type Output, queryClient, useOperation } from '../../app/api.ts';
import { useSession } from '../../app/session/session.tsx';
import { Code } from '../../ui/page/code.tsx';
import { Failure } from '../../ui/page/failure.tsx';
import { fieldError } from '../../ui/form/form.ts';
import { Panel } from '../../ui/page/page.tsx';
import { Proof } from '../../app/session/proof.tsx';

export function SecondFactor() {
  const { user } = useSession();
  return (
    <Panel title="Second factor" beside={<span className="second">{user.second_factor ? 'on' : 'off'}</span>}>
      {user.second_factor ? <SwitchOff /> : <SwitchOn />}
    </Panel>
  );
}

function SwitchOn() {
  const start = useOperation('startSecondFactor');
  const [password, setPassword] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    start.mutate({ body: { password } });
  };
  if (start.data) return <Confirm setup={start.data} />;
  return (
    <form className="stack" onSubmit={submit}>
      <p className="second">Signing in then also needs six digits from an authenticator app on your phone.</p>
      <PasswordInput
        label="Current password"
        autoComplete="current-password"
        required
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        error={fieldError(start.error, 'password')}
      />
      {start.error && <Failure error={start.error} fields={['password']} />}
      <div>
        <Button type="submit" variant="default" loading={start.isPending}>
          Set it up
        </Button>
      </div>
    </form>
  );
}

function Confirm({ setup }: { setup: Output<'startSecondFactor'> }) {
  const confirm = useOperation('confirmSecondFactor');
  const [code, setCode] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    confirm.mutate(
      { body: { code } },
      { onSuccess: () => void queryClient.invalidateQueries({ queryKey: ['readSession'] }) },
    );
  };
  return (
    <form className="stack" onSubmit={submit}>
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
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
        error={fieldError(confirm.error, 'code')}
      />
      {confirm.error && <Failure error={confirm.error} fields={['code']} />}
      <div>
        <Button type="submit" loading={confirm.isPending}>
          Switch it on
        </Button>
      </div>
    </form>
  );
}

function SwitchOff() {
  const end = useOperation('endSecondFactor');
  const [fields, setFields] = useState({ password: '', code: '' });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    end.mutate({ body: fields });
  };
  return (
    <form className="stack" onSubmit={submit}>
      <Proof {...fields} onChange={(proof) => setFields({ ...fields, ...proof })} error={end.error} />
      {end.error && <Failure error={end.error} fields={['password', 'code']} />}
      <div>
        <Button type="submit" variant="subtle" color="bad" loading={end.isPending}>
          Switch it off
        </Button>
      </div>
    </form>
  );
}
