import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { customerPages } from '../../../contract/pages.ts';
import { useOperation } from '../../app/api.ts';
import { MailboxHint } from '../../app/mailbox-hint.tsx';
import { PageForm } from '../../ui/form/page-form.tsx';
import { Entry } from '../../ui/page/entry.tsx';
import { useMailToken } from './mail-token.ts';

/** In the session that asked for the change. */
export function ChangeEmail() {
  const token = useMailToken();
  const confirm = useOperation('confirmEmailChange');
  if (confirm.isSuccess)
    return (
      <Entry title="Your address is changed">
        <Button component={Link} to={customerPages.home}>
          Go on
        </Button>
      </Entry>
    );
  return (
    <Entry title="Your new e-mail address" lead="The button works in the browser in which you asked for the change.">
      <PageForm
        submit="This address is mine"
        onSubmit={() => confirm.mutate({ body: { token: token ?? '' } })}
        action={confirm}
        disabled={token === null}
      />
      <Link to={customerPages.settings}>Back to the settings</Link>
    </Entry>
  );
}

/** For people who did not make the change that a mail reported. */
export function UndoChange() {
  const token = useMailToken();
  const undo = useOperation('undoChange');
  if (undo.isSuccess)
    return (
      <Entry title="The change is undone" lead="A mail with a link to choose a new password is on its way.">
        <MailboxHint />
      </Entry>
    );
  return (
    <Entry
      title="Was this not you?"
      lead="Undo the change. What was made in your name since then ends, and you choose a new password."
    >
      <p>Sessions, a second factor, API keys, webhook endpoints, invitations and the members they brought.</p>
      <PageForm
        submit="That was not me: undo it"
        onSubmit={() => undo.mutate({ body: { token: token ?? '' } })}
        action={undo}
        disabled={token === null}
      />
    </Entry>
  );
}

/** A mail program may open every link of a mail, so the page ends nothing before its button is pressed. */
export function Unsubscribe() {
  const token = useMailToken();
  const end = useOperation('unsubscribe');
  if (end.data)
    return (
      <Entry title="No more such mails" lead="You still see everything behind the bell.">
        {end.data.ended.length > 0 && (
          <ul>
            {end.data.ended.map((says) => (
              <li key={says}>{says}</li>
            ))}
          </ul>
        )}
        <ToSettings />
      </Entry>
    );
  if (token === null)
    return (
      <Entry title="This link is incomplete" lead="Open the link of the mail again, or choose in the settings.">
        <ToSettings />
      </Entry>
    );
  return (
    <Entry title="End these mails?" lead="You get these mails no more. The settings can turn them on again.">
      <PageForm submit="End these mails" onSubmit={() => end.mutate({ body: { token } })} action={end} />
    </Entry>
  );
}

const ToSettings = () => (
  <Button component="a" href={customerPages.settings} variant="default" fullWidth>
    Choose what is mailed
  </Button>
);
