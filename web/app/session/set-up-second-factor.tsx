import { PasswordInput, Skeleton, TextInput } from '@mantine/core';
import { PageForm } from '../../ui/form/page-form.tsx';
import { useFields } from '../../ui/form/use-fields.ts';
import { Code } from '../../ui/page/code.tsx';
import { part } from '../../ui/page/part.tsx';
import { type Output, queryClient, useOperation } from '../api.ts';

const waiting = <Skeleton width={190} height={190} />;
const QrCode = part(() => import('../../ui/page/qr-code.tsx'), 'QrCode', waiting, false);

/** The password, then the secret with its code for the phone. `onDone`: once the factor is on. */
export function SetUpSecondFactor({ onDone }: { onDone?: () => void }) {
  const start = useOperation('startSecondFactor');
  const { fields, field } = useFields({ password: '' }, start.error);
  if (start.data) return <Confirm setup={start.data} onDone={onDone} />;
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

type ConfirmProps = { setup: Output<'startSecondFactor'>; onDone: (() => void) | undefined };

function Confirm({ setup, onDone }: ConfirmProps) {
  const confirm = useOperation('confirmSecondFactor');
  const { fields, field } = useFields({ code: '' }, confirm.error);
  const finish = () => {
    void queryClient.invalidateQueries({ queryKey: ['readSession'] });
    onDone?.();
  };
  return (
    <PageForm
      submit="Switch it on"
      onSubmit={() => confirm.mutate({ body: fields }, { onSuccess: finish })}
      action={confirm}
      fields={['code']}
      mr="auto"
    >
      <p>1. Scan this with your authenticator app.</p>
      <QrCode text={setup.otpauth_url} label="QR code of the secret" />
      <p>
        On this device, <a href={setup.otpauth_url}>open it in the app</a>, or type the secret:
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
