import { useQuery } from '@tanstack/react-query';
import { operationQuery } from '../api.ts';

/** Where this installation keeps its mails instead of sending them, while it is tried out. */
export function MailboxHint() {
  const { data } = useQuery({ ...operationQuery('readInstallation'), staleTime: 300_000 });
  const mailbox = data?.installation.mailbox;
  if (!mailbox) return null;
  return (
    <p className="small mailbox-hint">
      This is a trial: mails are kept in <a href={mailbox}>its mailbox</a>.
    </p>
  );
}
