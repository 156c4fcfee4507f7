import { useInstallation } from './installation.ts';

export function MailboxHint() {
  const mailbox = useInstallation()?.mailbox;
  if (!mailbox) return null;
  return (
    <p className="small mailbox-hint">
      This is a trial: mails are kept in <a href={mailbox}>its mailbox</a>.
    </p>
  );
}
