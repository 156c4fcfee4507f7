import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { customerPages } from '../../../contract/pages.ts';
import { AtelierError, operationQuery } from '../../app/api.ts';
import { Entry } from '../../ui/page/entry.tsx';
import { Loaded } from '../../ui/page/page.tsx';
import { AnswerInvitation } from './answer-invitation.tsx';
import { EnterInvited } from './enter-invited.tsx';
import { Invited, UnknownInvitation } from './invited.tsx';
import { useMailToken } from './mail-token.ts';
import { SignOut } from './sign-out.tsx';

export function Invitation() {
  const { id = '' } = useParams({ strict: false });
  const token = useMailToken();
  const read = useQuery(operationQuery('readInvitation', { path: { id } }));
  if (read.error instanceof AtelierError && read.error.status === 401)
    return <EnterInvited id={id} token={token} onSignedIn={() => void read.refetch()} />;
  if (read.error instanceof AtelierError && read.error.status === 404) return <UnknownInvitation />;
  return (
    <Entry title="You are invited">
      <Loaded query={read} height={120}>
        {({ invitation, obstacle }) => (
          <>
            <Invited invitation={invitation} />
            {obstacle === null || (obstacle === 'email_unverified' && token) ? (
              <AnswerInvitation id={id} token={token} />
            ) : (
              <Obstacle obstacle={obstacle} onSignedOut={() => void read.refetch()} />
            )}
          </>
        )}
      </Loaded>
    </Entry>
  );
}

const obstacles = {
  other_address: ['This invitation is for another address than the one you are signed in with.', ''],
  email_unverified: ['Your address is not verified yet.', 'Open the link in the mail of the invitation again, or'],
  not_open: ['This invitation is no longer open.', 'It was answered, canceled, or is older than two days.'],
} as const;

type ObstacleProps = { obstacle: keyof typeof obstacles; onSignedOut: () => void };

function Obstacle({ obstacle, onSignedOut }: ObstacleProps) {
  const [what, step] = obstacles[obstacle];
  return (
    <div className="note turn">
      <strong>{what}</strong> {step}{' '}
      {obstacle === 'email_unverified' && <Link to={customerPages.verifyEmail}>ask for a mail to verify it</Link>}
      {obstacle === 'not_open' && <Link to={customerPages.home}>Go to your jobs</Link>}
      {obstacle === 'other_address' && <SignOut onSignedOut={onSignedOut}>Sign out</SignOut>}
    </div>
  );
}
