import { serveBroken } from './serve.ts';

/** Takes an upload for complete without looking at it. */
await serveBroken({
  context: ({ storage }) =>
    Object.assign(storage, { pin: async () => ({ etag: 'unseen', bytes: 1, contentType: 'text/plain' }) }),
});
