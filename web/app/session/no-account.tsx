import { useQuery } from '@tanstack/react-query';
import { customerPages } from '../../../contract/pages.ts';
import { operationQuery } from '../api.ts';
import { LeaveLinks } from './leave.tsx';
import { OpenAccount } from './open-account.tsx';
import { pathTo } from '../../ui/page/address.ts';
import { Entry } from '../../ui/page/entry.tsx';

/** For people who were removed from their last account. */
export const NoAccount = () => (
  <Entry
    title="You do not belong to an account"
    lead="Open one of your own, or ask to be invited to one."
    below={<LeaveLinks />}
  >
    <InvitationLinks />
    <OpenAccount />
  </Entry>
);

function InvitationLinks() {
  const { data } = useQuery(operationQuery('listMyInvitations'));
  return data?.invitations.map(({ id, account_name: name, created_by: { name: who } }) => (
    <p key={id}>
      {who} invites you to <a href={pathTo(customerPages.invitation, { id })}>join {name}</a>.
    </p>
  ));
}
