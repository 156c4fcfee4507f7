import { afterAll, beforeAll, expect, test } from 'vitest';
import { createService, type Service } from '../../test/support/harness.ts';

let service: Service;
beforeAll(async () => void (service = await createService({ API_KEY_LEAD: 'demo', MAX_STORED_BYTES: '5000' })));
afterAll(() => service.close());

test('200 describes this installation to anybody', async () => {
  const { status, body } = await service.call('GET', '/api/v1/installation');
  expect(status).toBe(200);
  expect(body.installation).toMatchObject({
    studio: { name: 'Atelier', mark: null, links: { terms: null } },
    livemode: false,
    api_key_lead: 'demo',
    mailbox: '/sandbox/mail',
    file_types: expect.arrayContaining([
      { media_type: 'image/jpeg', extensions: ['jpg', 'jpeg'], shown: true },
      { media_type: 'image/svg+xml', extensions: ['svg'], shown: false },
    ]),
    limits: { file_bytes: 104_857_600, stored_bytes: 5000 },
  });
});
