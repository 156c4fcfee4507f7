import type { AnswerOf } from '../../contract/endpoint.ts';
import type { readReadiness } from '../../contract/studio/probes.ts';
import type { Provider } from '../billing/provider.ts';
import { judgeSignatures, type Signatures } from '../billing/webhook-health.ts';
import type { WebhookSignatures } from '../billing/webhook-signatures.ts';
import type { DatabaseWatch, Look } from '../db/watch-database.ts';
import type { Hub } from '../events/hub.ts';
import { moveOn } from '../files/installation.ts';
import type { StorageLook, StorageWatch } from '../files/storage-watch.ts';
import type { RateLimiter } from '../http/rate-limit.ts';
import { isDiskNearlyFull } from '../lib/disk-space.ts';
import type { Loops } from '../lib/loops.ts';
import type { MailSender } from '../mail/mail-sender.ts';

export type Parts = {
  config: { smtpUrl: string | null };
  isCopy: boolean;
  databaseWatch: Pick<DatabaseWatch, 'isFull' | 'problem'>;
  hub: Pick<Hub, 'isHeard'>;
  loops: Pick<Loops, 'ages' | 'late'>;
  rates: Pick<RateLimiter<never>, 'isRedisUp'>;
  storageWatch: Pick<StorageWatch, 'latest'>;
  mailSender: Pick<MailSender, 'isUp'>;
  provider: Pick<Provider, 'name'>;
  signatures: Pick<WebhookSignatures, 'latest'>;
  state: { draining: boolean; tasksRun: boolean };
};
export type Dependencies = NonNullable<AnswerOf<typeof readReadiness>['body']['dependencies']>;

export const tasksProblem = 'no scheduled task runs, although the database answers';

const standing = (message: string | null) => ({ status: message === null ? 'ok' : 'degraded', message }) as const;

/**
 * How everything does that this process uses. The storage is asked, and the database what came of payments;
 * the rest is known from its use.
 * `look`: the latest at the database.
 */
export async function readDependencies(parts: Parts, look: Look | null): Promise<Dependencies> {
  const { config, isCopy, databaseWatch, hub, loops, rates, storageWatch, mailSender, state } = parts;
  const isRedisUp = rates.isRedisUp();
  const storage = await storageWatch.latest();
  const hasStandby = look !== null && look.synchronous_standby_names !== '';
  return {
    database: standing(databaseProblem(look, databaseWatch)),
    ...(hasStandby ? { standby: standing(look.waiting > 0 ? 'writes wait for it and are refused' : null) } : {}),
    tasks: standing(state.tasksRun ? null : tasksProblem),
    listener: standing(hub.isHeard() ? null : 'notifications do not arrive: events are polled'),
    ...(isRedisUp === null ? {} : { redis: standing(isRedisUp ? null : 'away: each process counts rates for itself') }),
    storage: standing(storageProblem(storage)),
    ...(isCopy ? {} : { sweeps: sweepsOf(storage) }),
    ...(config.smtpUrl === null || isCopy
      ? {}
      : { mail: standing(mailSender.isUp ? null : 'the mail server takes no mail: mails wait') }),
    ...(seesPayments(parts) ? { payments: standing(refusedPayments(await parts.signatures.latest())) } : {}),
    loops: standing(lateLoops(loops.late())),
  };
}

/** A move of the files takes hours, and wakes nobody. */
const sweepsOf = ({ unswept, refused }: StorageLook) =>
  refused?.action === moveOn
    ? ({ status: 'ok', message: 'rest while the files are moved to another storage' } as const)
    : standing(unswept);

const lateLoops = (late: readonly string[]) =>
  late.length > 0 ? `without success for three minutes: ${late.join(', ')}` : null;

/** The sandbox signs for itself, and to a copy the provider sends nothing. */
const seesPayments = ({ isCopy, provider }: Pick<Parts, 'isCopy' | 'provider'>): boolean =>
  !isCopy && provider.name !== 'sandbox';

/** For anybody, so it does not say why. */
function refusedPayments(signatures: Signatures | null): string | null {
  const health = signatures && judgeSignatures(signatures);
  if (!health?.isRefusing) return null;
  const { refusedSinceGood, refusedFirstAt } = health;
  return `${refusedSinceGood} signed posts refused since ${refusedFirstAt?.toISOString()}, none accepted since`;
}

function databaseProblem(look: Look | null, { problem, isFull }: Parts['databaseWatch']): string | null {
  if (look === null) return problem;
  return isFull ? 'found no space within the last 10 seconds: writes fail, reads go on' : null;
}

function storageProblem({ problem, space }: StorageLook): string | null {
  if (problem !== null) return problem;
  if (space === null || !isDiskNearlyFull(space)) return null;
  return 'less than 2 % of its disk is free: uploads fail once it is full, downloads go on';
}
