import { afterAll, beforeAll, expect, test } from 'vitest';
import { signUp } from '../../test/people.ts';
import { grant } from '../../test/plans.ts';
import { openService, type Service } from '../../test/service.ts';
let service: Service;
beforeAll(async () => { service = await openService(); });
afterAll(() => service.close());
test('grant', async () => {
  const p = await signUp(service);
  console.log(await grant(service, p, 'studio'));
  console.log((await service.call('GET','/api/v1/me',{as:{cookie:p.cookie}})).body);
  console.log(await service.house.db.selectFrom('provider_events').selectAll().execute());
});
