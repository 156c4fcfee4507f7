import pTimeout from 'p-timeout';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { readReadiness } from '../../contract/probes.ts';
import type { DatabaseWatch, Look } from '../db/watch-database.ts';
import type { Hub } from '../events/hub.ts';
import type { Storage } from '../files/storage.ts';
import type { RateLimiter } from '../http/rate-limit.ts';
import type { MailSender } from '../mail/mail-sender.ts';

export type Parts = {
  databaseWatch: Pick<DatabaseWatch, 'isFull'>;
  hub: Pick<Hub, 'isHeard'>;
  rates: Pick<RateLimiter<never>, 'isRedisUp'>;
  storage: Pick<Storage, 'readOwner'>;
  mailSender: Pick<MailSender, 'isUp'>;
};
export type Dependencies = NonNullable<AnswerOf<typeof readReadiness>['body']['dependencies']>;

/** Milliseconds for the storage, and for which its answer serves everybody who asks. */
const storageWithin = 1_000;
const storageFor = 5_000;

const standing = (message: string | null) => ({ status: message === null ? 'ok' : 'degraded', message }) as const;

/** How everything does that requests depend on. Only the storage is asked; the rest is known from its use. */
export async function readDependencies(parts: Parts, look: Look | null): Promise<Dependencies> {
  const { databaseWatch, hub, rates, storage, mailSender } = parts;
  const isRedisUp = rates.isRedisUp();
  const hasStandby = look !== null && look.synchronous_standby_names !== '';
  return {
    database: standing(databaseProblem(look, databaseWatch.isFull)),
    ...(hasStandby ? { standby: standing(look.waiting > 0 ? 'writes wait for it and are refused' : null) } : {}),
    listener: standing(hub.isHeard() ? null : 'notifications do not arrive: events are polled'),
    ...(isRedisUp === null ? {} : { redis: standing(isRedisUp ? null : 'away: each process counts rates for itself') }),
    storage: standing((await storageAnswers(storage)) ? null : 'does not answer'),
    mail: standing(mailSender.isUp ? null : 'the mail server takes no mail: mails wait'),
  };
}

function databaseProblem(look: Look | null, isFull: boolean): string | null {
  if (look === null) return 'does not answer';
  return isFull ? 'found no space within the last 10 seconds: writes fail, reads go on' : null;
}

const storageLooks = new WeakMap<object, { at: number; answers: Promise<boolean> }>();

/** Anybody may ask, so the storage is asked once in a while. */
function storageAnswers(storage: Parts['storage']): Promise<boolean> {
  const last = storageLooks.get(storage);
  if (last && performance.now() - last.at < storageFor) return last.answers;
  const answers = pTimeout(storage.readOwner(), { milliseconds: storageWithin }).then(
    () => true,
    () => false,
  );
  storageLooks.set(storage, { at: performance.now(), answers });
  return answers;
}
