import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { createLog, requestLog } from './log.ts';

test('a request log line names its request and redacts secrets', () => {
  const lines: string[] = [];
  const log = createLog('info', new Writable({ write: (line, _, done) => done(void lines.push(String(line))) }));
  requestLog(log, 'req_1').info({ body: { password: 'open sesame' } }, 'answered');
  requestLog(log, 'req_2').child({ part: 'a' }).warn('late');
  log.info('started');
  const [first, second, third] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(first).toMatchObject({ request_id: 'req_1', msg: 'answered', body: { password: '[cut]' } });
  expect(second).toMatchObject({ request_id: 'req_2', msg: 'late', part: 'a' });
  expect(third).not.toHaveProperty('request_id');
});
