import { sql } from 'kysely';
import { customerPages } from '../../contract/pages.ts';
import { showId } from '../lib/id.ts';
import { type MailKind, patience, withoutLinks } from './letter.ts';
import { makeInvitationToken } from './mail-token.ts';

type Invited = { address: string; data: { invitation_id: string } };
type Offer = { role: string; account: string; inviter: string };

/** Names are the only text of strangers in a mail that nobody asked for. */
export const invitation: MailKind<Invited> = {
  hours: patience,
  counted: true,
  async compose(db, { address, data: { invitation_id: id } }) {
    const { rows } = await sql<Offer>`
      select i.role, a.name as account, u.name as inviter
      from invitations i
      join accounts a on a.id = i.account_id
      join people u on u.id = i.inviter_id
      where i.id = ${id} and i.status = 'pending' and i.expires_at > now()`.execute(db);
    const [offer] = rows;
    if (!offer) return null;
    const token = await makeInvitationToken(db, id);
    const path = customerPages.invitation.replace(':id', showId('inv', id));
    return {
      to: address,
      subject: 'You are invited to an account',
      body: [
        `${withoutLinks(offer.inviter)} invites you to join the account "${withoutLinks(offer.account)}" as ${offer.role}.`,
        `Open this link within 48 hours, and sign up or sign in with this address (${address}):`,
        { path: `${path}?token=${token}`, button: 'View the invitation' },
        'The link proves that the address is yours, so do not forward it. If you do not know the sender, ignore this mail.',
      ],
    };
  },
};
