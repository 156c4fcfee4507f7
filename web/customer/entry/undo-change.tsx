import { Button } from '@mantine/core';
import { useOperation } from '../../app/api.ts';
import { Entry } from '../../ui/page/entry.tsx';
import { Failure } from '../../ui/page/failure.tsx';
import { useMailToken } from './mail-token.ts';
import { MailboxHint } from '../../app/mailbox-hint.tsx';

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
      {undo.error && <Failure error={undo.error} />}
      <Button
        onClick={() => undo.mutate({ body: { token: token ?? '' } })}
        loading={undo.isPending}
        disabled={token === null}
        fullWidth
      >
        That was not me: undo it
      </Button>
    </Entry>
  );
}
