import { useInstallation } from '../../app/installation.ts';

/** Where this installation keeps its mails instead of sending them, while it is tried out. */
export function MailboxHint() {
  const mailbox = useInstallation()?.mailbox;
  if (!mailbox) return null;
  return (
    <p className="small mailbox-hint">
      This is a trial: mails are kept in <a href={mailbox}>its mailbox</a>.
    </p>
  );
}
