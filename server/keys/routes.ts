import * as keys from '../../contract/developer/keys.ts';
import * as workers from '../../contract/desk/workers.ts';
import { route } from '../http/handle.ts';
import { createApiKey } from './create-api-key.ts';
import { createWorkerKey } from './create-worker-key.ts';
import { deleteApiKey } from './delete-api-key.ts';
import { deleteWorkerKey } from './delete-worker-key.ts';
import { listApiKeys } from './list-api-keys.ts';
import { listWorkerKeys } from './list-worker-keys.ts';
import { rotateApiKey } from './rotate-api-key.ts';

export const keyRoutes = [
  route(createApiKey, keys.createApiKey),
  route(listApiKeys, keys.listApiKeys),
  route(rotateApiKey, keys.rotateApiKey),
  route(deleteApiKey, keys.deleteApiKey),
  route(listWorkerKeys, workers.listWorkerKeys),
  route(createWorkerKey, workers.createWorkerKey),
  route(deleteWorkerKey, workers.deleteWorkerKey),
];
