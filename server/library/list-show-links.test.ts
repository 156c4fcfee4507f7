import { expect, test } from 'vitest';
import { sharedStudio } from '../../test/support/jobs.ts';
import { finishJob, newShowLink } from '../../test/support/library.ts';

test('200: newest first by pages; 400 invalid_request: a cursor of another list', async () => {
  const of = await sharedStudio();
  const { job } = await finishJob(of, 'a.png');
  for (const name of ['One', 'Two', 'Three']) await newShowLink(of, { name, job_ids: [job] });
  const list = async (query: string) =>
    (await of.service.call('GET', `/api/v1/show-links${query}`, { as: of.key })).body;
  const first = await list('?limit=2');
  const second = await list(`?limit=2&cursor=${first.next_cursor}`);
  const names = [...first.show_links, ...second.show_links].map(({ name }: { name: string }) => name);
  expect([names, second.next_cursor]).toEqual([['Three', 'Two', 'One'], null]);
  expect((await list('?cursor=x')).error.code).toBe('invalid_request');
});
