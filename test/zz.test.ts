import { test } from 'vitest';
import { openService } from './service.ts';
import { execFileSync } from 'node:child_process';
test('x', async () => {
  const s = await openService();
  process.env.DATABASE_URL = s.databaseUrl;
  const t = Date.now();
  try { console.log(execFileSync(process.execPath, ['-e', `
const { readConfig } = await import('/work/main/server/config.ts');
const { withHouse } = await import('/work/main/cli/service.ts');
const t = Date.now();
await withHouse(readConfig(process.env), async () => {}).catch(e => console.log(e));
console.log('closed', Date.now() - t);
process.on('exit', () => console.log('exit', Date.now() - t));
setTimeout(() => console.log(process.getActiveResourcesInfo()), 500).unref();
`], { env: { ...process.env, SECRET_KEY: 's'.repeat(32) } }).toString()); } catch (e) { console.log(e); }
  console.log(Date.now() - t);
  await s.close();
});
