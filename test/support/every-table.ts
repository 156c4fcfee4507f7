import { expect } from 'vitest';
import { endpoints } from '../../contract/openapi.ts';
import { scheduledTasks } from '../../server/scheduled-tasks.ts';
import { ask, prefixOf, type World } from './every-endpoint.ts';
import { newFile, someBytes } from './files.ts';
import { createJob, makeMoves, newJobIn } from './jobs.ts';
import { newJobToCheck } from './makers-hours.ts';
import { adjust } from './quota.ts';

async function request(world: World, operation: string, id?: string, body?: object): Promise<void> {
  const endpoint = endpoints.find(({ operationId }) => operationId === operation);
  if (!endpoint) throw new Error(`There is no operation ${operation}.`);
  const own = id ?? world.ids[prefixOf(endpoint) ?? ''];
  const { status } = await ask(world, endpoint, { ...(own ? { id: own } : {}), ...(body ? { body } : {}) });
  expect(status, operation).toBeLessThan(300);
}

const ofAccount = ['replaceAccountNote', 'replaceBrand', 'updateOperator', 'chooseNotifications'];
const ofDrafts = ['addMessage', 'followJob', 'lookAsGuest'];
const ofWork = ['noteTime', 'setJobAside', 'tickItem', 'viewJob', 'addNote', 'saveDeliveryDraft', 'rescheduleJob'];

/** Writes the tables that `createWorld` and an import leave empty. */
export async function fillByRequests(world: World): Promise<void> {
  const { service, ada, key } = world;
  for (const operation of [...ofAccount, ...ofDrafts]) await request(world, operation);
  await request(world, 'startSecondFactor', undefined, { password: ada.password });
  expect((await adjust(world, ada, 1)).status).toBe(201);
  await createJob(service, key, {}, 'once');
  const running = await newJobToCheck(world, 'running', 'Spelling');
  for (const operation of ofWork) await request(world, operation, running);
  const ready = await newJobIn(world, 'ready_for_customer_review');
  await request(world, 'lookAtReview', ready);
  await makeMoves(world, ready, 'revision');
  await newJobIn(world, 'completed');
  await service.context.signatures.writeNow();
  for (const name of ['storeDayFigures', 'recordState', 'indexJobs'])
    await scheduledTasks[name]!.run(service.context, new AbortController().signal, async () => {});
  // After the words of jobs were stored, so that a job waits for it.
  const file = await newFile(service, key, someBytes(), { purpose: 'job_reference' });
  await request(world, 'sendMessage', undefined, { text: 'The dark green, please.', file_ids: [file.id] });
  // The comment of the world is of a round that nobody reviewed.
  await service.context.db.updateTable('job_comments').set({ sent_at: null }).execute();
}
