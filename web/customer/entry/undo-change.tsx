import { useOperation } from '../../app/api.ts';
import { MailboxHint } from '../../app/mailbox-hint.tsx';
import { PageForm } from '../../ui/form/page-form.tsx';
import { Entry } from '../../ui/page/entry.tsx';
import { useMailToken } from './mail-token.ts';

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
