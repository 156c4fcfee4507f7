import { kindNames, type NotificationKind } from '../../contract/people/notifications.ts';
import { customerPages } from '../../contract/pages.ts';
import { readId, showId } from '../lib/id.ts';
import type { Signer } from '../lib/signer.ts';

/** The subject of a mail: one kind, or the mail of the day. */
export type MailOf = NotificationKind | 'daily';

/** A token never ends and can do nothing but end these mails of this person. */
function unsubscribeToken(signer: Signer, userId: string, of: MailOf): string {
  const text = `${showId('user', userId)}.${of}`;
  return `${text}.${signer.sign('unsubscribe', text)}`;
}

/** The page that ends such mails, for a mail. */
export const unsubscribePath = (signer: Signer, userId: string, of: MailOf) =>
  `${customerPages.unsubscribe}?token=${unsubscribeToken(signer, userId, of)}`;

/** Null for what was not signed here. */
export function readUnsubscribeToken(signer: Signer, token: string): { userId: string; of: MailOf } | null {
  const [user = '', of = '', mac = '', ...more] = token.split('.');
  if (more.length > 0 || !signer.verify('unsubscribe', `${user}.${of}`, mac)) return null;
  const userId = readId('user', user);
  const kind = [...kindNames, 'daily' as const].find((name) => name === of);
  return userId === null || kind === undefined ? null : { userId, of: kind };
}
