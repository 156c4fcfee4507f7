import { sql } from 'kysely';
import { customerPages } from '../../contract/pages.ts';
import { type MailKind, patience, withoutLinks } from './letter.ts';
import { makeOperatorInvitationToken } from './mail-token.ts';

type Invited = { address: string; data: { invitation_id: string } };
type Offer = { role: string; inviter: string };

/** Null once the invitation has ended. */
export const operatorInvitation: MailKind<Invited> = {
  hours: patience,
  counted: true,
  async compose(db, { address, data: { invitation_id: id } }, studio) {
    const { rows } = await sql<Offer>`
      select i.role, u.name as inviter from operator_invitations i join people u on u.id = i.inviter_id
      where i.id = ${id} and i.expires_at > now()`.execute(db);
    const [offer] = rows;
    if (!offer) return null;
    const token = await makeOperatorInvitationToken(db, id);
    return {
      to: address,
      subject: `You are invited to work at ${studio.name}`,
      body: [
        `${withoutLinks(offer.inviter)} invites you to become an operator of ${studio.name}, as ${offer.role}.`,
        `Open this link within 48 hours. It is for this address (${address}), and asks for your password:`,
        { path: `${customerPages.operatorInvitation}?token=${token}`, button: 'View the invitation' },
        'The link proves that the address is yours, so do not forward it. If you do not know the sender, ignore this mail.',
      ],
    };
  },
};
