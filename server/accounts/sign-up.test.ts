import { afterAll, beforeAll, expect, test } from 'vitest';
import { goodPassword, signUp } from '../../test/people.ts';
import { openService, type Service } from '../../test/service.ts';

let service: Service;
beforeAll(async () => void (service = await openService()));
afterAll(() => service.close());

test('x', async () => {
  const p = await signUp(service);
  console.log(p);
  console.log((await service.call('GET','/api/auth/accounts',{as:p.token})).body);
  console.log((await service.call('GET','/api/auth/accounts',{as:p})).body, service.letters);
  console.log((await service.call('POST','/api/auth/sign-up/email',{body:{name:'x',email:p.email.toUpperCase(),password:goodPassword}})).body);
});
