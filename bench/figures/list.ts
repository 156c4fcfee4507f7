import { type Account, createAccounts } from '../create-accounts.ts';
import { alternate, type Row, toRow } from '../figure.ts';
import { insertJobs } from '../insert-jobs.ts';
import { measureLoad } from '../measure-load.ts';
import { type Service, withService } from '../start-service.ts';
import type { Settings } from '../settings.ts';

const many = 1_000_000;
/** in pages of 100 jobs */
const thousandthPage = 1_000;

/** B4: the first and the thousandth page cost the same with 1,000 and with 1,000,000 jobs. */
export const list = ({ rounds, seconds }: Settings): Promise<Row[]> =>
  withService(async (service) => {
    const [small, large] = (await createAccounts(service, 2)) as [Account, Account];
    await insertJobs(service, 0, 0, 1_000);
    await insertJobs(service, 1, 1, many);
    const page = ({ token }: Account, query: string) => {
      const requests = [{ token, path: `/api/v1/jobs?${query}` }];
      return () => measureLoad(service, { requests, connections: 64, seconds });
    };
    const deep = `limit=100&cursor=${encodeURIComponent(await cursorOfPage(service, large, thousandthPage))}`;
    const compare = async (figure: string, title: string, of: string, query: string, like: string) => {
      const limit = async () => (await page(small, like)()).ours;
      const meaning = { figure, title, of, goal: 0.8, unit: '/s' };
      return toRow(meaning, await alternate(rounds, page(large, query), limit));
    };
    const first = await alternate(rounds, page(small, 'limit=25'), async () => 8_000);
    return [
      toRow({ figure: 'B4', title: 'list 25 jobs of 1,000', of: '8,000 a second', goal: 1, unit: '/s' }, first),
      await compare('B4 large', 'list 25 jobs of 1,000,000', 'of 1,000', 'limit=25', 'limit=25'),
      await compare('B4 deep', 'page 1,000 of 100 jobs', 'page 1 of an account with 1,000', deep, 'limit=100'),
    ];
  });

/** Follows the cursors to a page, as a client would. */
async function cursorOfPage({ origin }: Service, { token }: Account, pageNumber: number): Promise<string> {
  let cursor = '';
  for (let page = 1; page < pageNumber; page++) {
    const next = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const answer = await fetch(`${origin}/api/v1/jobs?limit=100${next}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const body = (await answer.json()) as { next_cursor: string | null };
    if (!answer.ok || body.next_cursor === null)
      throw new Error(`Page ${page} answered ${answer.status} and no cursor.`);
    cursor = body.next_cursor;
  }
  return cursor;
}
