import { setTimeout as wait } from 'node:timers/promises';
import { readConfig } from '../../server/start/config.ts';
import { createDb } from '../../server/db/pool.ts';
import { claimDeliveries } from '../../server/webhooks/claim-deliveries.ts';
import { postDelivery } from '../../server/webhooks/post-delivery.ts';
import { createReceiverRules } from '../../server/webhooks/receiver-address.ts';
import { recordAttempts } from '../../server/webhooks/record-attempts.ts';

/** What the engine must not be: it writes that a delivery was taken, and sends it then. The control of `deliveries.test.ts`. */
const { databaseUrl } = readConfig(process.env);
const db = createDb(databaseUrl ?? '', 4, () => {});
const rules = createReceiverRules(['127.0.0.1']);
process.stdin.resume().on('end', () => process.exit(0));
for (;;) {
  const claimed = await claimDeliveries(db, 10, new Map());
  const taken = { status: 200, error: null, ms: 1, answer: null, retryAfter: null };
  await recordAttempts(
    db,
    claimed.map((delivery) => ({ delivery, attempt: taken })),
  );
  for (const { event, url } of claimed)
    await postDelivery(rules, url, { 'webhook-id': String(event?.id) }, JSON.stringify({ data: { id: event?.id } }));
  if (claimed.length === 0) await wait(20);
}
