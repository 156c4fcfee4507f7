import { sql } from 'kysely';
import type { Service } from './harness.ts';
import type { TestPerson } from './people.ts';

type Side = 'customer' | 'studio';

/** What the person was told, newest first. */
export const toldTo = async (service: Service, { token }: TestPerson, side: Side = 'customer') =>
  (await service.call('GET', `/api/auth/notifications?side=${side}`, { as: token })).body.notifications as {
    id: string;
    kind: string;
    title: string;
    about: string;
    words: { author: string; text: string } | null;
    job_id: string | null;
    path: string;
    read_at: string | null;
  }[];

export const unreadOf = async (service: Service, { token }: TestPerson, side: Side = 'customer'): Promise<number> =>
  (await service.call('GET', `/api/auth/notifications/unread?side=${side}`, { as: token })).body.unread;

export const choose = (service: Service, { token }: TestPerson, kinds: string[], mail: string) =>
  service.call('PATCH', '/api/auth/notification-choices', { as: token, body: { kinds, mail } });

/** Sends what the outbox holds, whenever it is due. */
export async function sendMails({ context: { db, mailSender } }: Service): Promise<void> {
  await sql`update mails set due_at = now() where due_at > now()`.execute(db);
  mailSender.wake();
  await mailSender.idle();
}

export const mailsTo = ({ emails }: Service, { email }: TestPerson) => emails.filter(({ to }) => to === email);
