import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { customerPages } from '../../../contract/pages.ts';
import type { Output } from '../../app/api.ts';
import { roleWords } from '../../ui/job/words.ts';
import { Entry } from '../../ui/page/entry.tsx';

type InvitedProps = { invitation: Output<'readInvitation' | 'readMailedInvitation'>['invitation'] };

export const Invited = ({ invitation: { account_name, created_by, role } }: InvitedProps) => (
  <p>
    {created_by.name} invites you to join <strong>{account_name}</strong> as {roleWords[role].toLowerCase()}.
  </p>
);

export const NoPassword = ({ then }: { then: string }) => (
  <p className="second small">
    You never signed up with this address, or forgot the password?{' '}
    <Link to={customerPages.forgotPassword}>Reset the password</Link>, {then}
  </p>
);

export const UnknownInvitation = () => (
  <Entry
    title="This invitation is not open"
    lead="It was answered or canceled, is older than two days, or a part of the link is missing. Ask for another one."
  >
    <Button component={Link} to={customerPages.home} fullWidth>
      Go to your jobs
    </Button>
  </Entry>
);
