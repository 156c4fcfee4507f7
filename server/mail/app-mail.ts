import { sql } from 'kysely';
import { customerPages } from '../../contract/pages.ts';
import { type MailKind, patience } from './kind.ts';
import { withoutLinks } from './letter.ts';

type About = { userId: string; data: { grant_id: string } };
type Grant = { email: string; name: string; account: string; writes: boolean; until: Date };

/** The name is what the app claims, so it stands in quotes and is cleaned like a name of people. */
export const appConnected: MailKind<About> = {
  hours: patience,
  counted: false,
  async compose(db, { userId, data: { grant_id } }) {
    const { rows } = await sql<Grant>`
      select u.email, k.name, a.name as account, 'api:write' = any (k.scopes) as writes, k.expires_at as until
      from api_keys k
      join people u on u.id = k.created_by
      join accounts a on a.id = k.account_id
      where k.id = ${grant_id} and k.created_by = ${userId} and k.revoked_at is null`.execute(db);
    const [grant] = rows;
    if (!grant) return null;
    const may = grant.writes ? 'read, order, write to the studio and approve' : 'read';
    return {
      to: grant.email,
      subject: 'You connected an app',
      body: [
        `You let the app "${withoutLinks(grant.name)}" into the account "${withoutLinks(grant.account)}". It may ${may} there in your name until ${grant.until.toISOString().slice(0, 10)}.`,
        'If this was not you, end it now and change your password:',
        { path: customerPages.settings, button: 'See your connected apps' },
      ],
    };
  },
};
