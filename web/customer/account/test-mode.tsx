import { useInstallation } from '../../app/installation.ts';

/** Where plans cost nothing, it says so; and where the mails are that are not sent. */
export function TestMode() {
  const installation = useInstallation();
  if (!installation || installation.livemode) return null;
  const { mailbox } = installation;
  return (
    <span className="test-mode">
      Test mode: plans cost nothing
      {mailbox && (
        <>
          , and mails are in <a href={mailbox}>the mailbox</a>
        </>
      )}
      .
    </span>
  );
}
