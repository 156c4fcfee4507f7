import { Switch } from '@mantine/core';
import { useOperation } from '../../app/api.ts';
import { useSession } from '../../app/session/session.tsx';
import { Failure } from '../../ui/page/failure.tsx';
import { notify } from '../../ui/page/notify.ts';
import { Panel } from '../../ui/page/page.tsx';

export function Mails() {
  const { user } = useSession();
  const change = useOperation('changeProfile');
  return (
    <Panel title="Mails">
      <Switch
        label="Mail me unread messages about jobs that I follow, and reminders of open questions"
        checked={user.mail_messages}
        disabled={change.isPending}
        onChange={(event) =>
          change.mutate(
            { body: { mail_messages: event.currentTarget.checked } },
            { onSuccess: ({ user: { mail_messages } }) => notify(mail_messages ? 'Mails are on.' : 'Mails are off.') },
          )
        }
      />
      {change.error && <Failure error={change.error} />}
    </Panel>
  );
}
