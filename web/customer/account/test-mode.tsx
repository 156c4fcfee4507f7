import { Box } from '@mantine/core';
import { useInstallation } from '../../app/installation.ts';

/** Tells people in test mode that plans are free and where to find mails. */
export function TestMode() {
  const installation = useInstallation();
  if (!installation || installation.livemode) return null;
  const { mailbox } = installation;
  return (
    <Box component="span" className="small second" display="block" p={8} mb={8}>
      Test mode: plans cost nothing
      {mailbox && (
        <>
          , and mails are in <a href={mailbox}>the mailbox</a>
        </>
      )}
      .
    </Box>
  );
}
