import { type Account, createAccounts } from '../create-accounts.ts';
import { alternate, type Row, toRow } from '../figure.ts';
import { insertJobs, jobPaths } from '../insert-jobs.ts';
import { measureLoad } from '../measure-load.ts';
import { withService } from '../start-service.ts';
import type { Settings } from '../settings.ts';
import type { Load } from '../wrk.ts';

/** B13: the tool `get_job` in both eras of the protocol, compared with the plain route. */
export const mcp = ({ rounds, seconds }: Settings): Promise<Row[]> =>
  withService(async (service) => {
    const accounts: Account[] = await createAccounts(service, 1_000);
    await insertJobs(service, 0, 999, 40);
    const plain = await jobPaths(service, accounts);
    const load = (more: Partial<Load> & Pick<Load, 'requests'>) => () =>
      measureLoad(service, { connections: 64, seconds, ...more });
    const route = async () => (await load({ requests: plain })()).ours;
    const row = async (figure: string, era: string, params: object, headers: Record<string, string>) => {
      const requests = plain.map(({ token, path }) => ({ token, path: '/mcp', body: getJob(path, params) }));
      const call = load({ method: 'POST', requests, headers: { ...always, ...headers } });
      await call();
      const meaning = { figure, title: `get_job over MCP, ${era}`, of: 'GET /api/v1/jobs/{id}', goal: 0.8, unit: '/s' };
      return toRow(meaning, await alternate(rounds, call, route));
    };
    await route();
    return [
      await row('B13', '2025-11-25', {}, { 'mcp-protocol-version': '2025-11-25' }),
      await row('B13 2026', '2026-07-28', { _meta: meta }, modern),
    ];
  });

const always = { accept: 'application/json, text/event-stream' };
const modern = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'get_job' };
const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

const getJob = (path: string, params: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'get_job', arguments: { job_id: path.split('/').at(-1) }, ...params },
});
