import { sql } from 'kysely';
import { customerPages } from '../../contract/pages.ts';
import type { Db } from '../db/pool.ts';
import { readId } from '../lib/id.ts';
import { type MailKind, patience, withoutLinks } from './letter.ts';

type About = { userId: string; data: { grant_id: string } };
type Grant = {
  email: string;
  name: string;
  client: string;
  host: string | null;
  account: string;
  writes: boolean;
  until: Date;
};

const settings = { path: customerPages.settings, button: 'See your connected apps' };

/**
 * The name is what the app claims, so it stands in quotes and is cleaned like a name of people. The host is
 * that of its checked address.
 */
export const appConnected: MailKind<About> = {
  hours: patience,
  counted: false,
  async compose(db, { userId, data: { grant_id } }) {
    const { rows } = await sql<Grant>`
      select u.email, k.name, k.app_client_id as client, substring(k.app_client_id from '^https?://([^/]+)') as host, a.name as account,
        'api:write' = any (k.scopes) as writes, k.expires_at as until
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
        `You let the app "${withoutLinks(grant.name)}"${whose(grant)} into the account "${withoutLinks(grant.account)}". It may ${may} there in your name until ${grant.until.toISOString().slice(0, 10)}.`,
        'If this was not you, end it now and change your password:',
        settings,
      ],
    };
  },
};

function whose({ client, host }: Grant): string {
  if (host !== null) return ` of ${host}`;
  return readId('app', client) === null ? '' : ', which the studio set up,';
}

/** For mails about a password. Empty for a person without apps. */
export async function appsStay(db: Db, userId: string) {
  const { rows } = await sql`
    select from api_keys
    where created_by = ${userId} and app_client_id is not null and revoked_at is null and expires_at > now()
    limit 1`.execute(db);
  if (rows.length === 0) return [];
  return [
    'The apps that you connected keep their access under a new password. To end it, open your settings:',
    settings,
  ];
}
