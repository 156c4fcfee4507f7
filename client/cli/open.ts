import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Command, type Io, UsageError } from './command.ts';
import { findConnection } from './profile.ts';
import { print, printJson, printMessage } from './terminal.ts';

const openers: Partial<Record<NodeJS.Platform, string>> = { darwin: 'open', win32: 'explorer.exe' };

export const open: Command = {
  name: 'open',
  args: '[job]',
  summary: 'open the dashboard, or the page of a job, in the browser; prints the address',
  examples: ['atelier open', 'atelier open job_01…'],
  async run({ args: [id], connection, json }, io) {
    const { url } = await findConnection(connection);
    if (!url) throw new UsageError('The address of the service is not known.', 'Run: atelier login, or set ATELIER_URL');
    const page = id === undefined ? `${url}/` : `${url}/jobs/${encodeURIComponent(id)}`;
    if (json) printJson(io, { url: page });
    else print(io, page);
    const browser = io.env['BROWSER'] ?? (io.stdout.isTTY ? (openers[process.platform] ?? 'xdg-open') : '');
    if (browser !== '') await start(io, browser, page);
  },
};

/** The address is an argument of its own, so no shell reads it. */
async function start(io: Io, browser: string, page: string): Promise<void> {
  const child = spawn(browser, [page], { env: io.env, stdio: 'ignore', detached: true });
  try {
    await once(child, 'spawn');
    child.unref();
  } catch {
    printMessage(io, `${browser} cannot be started. Open the address yourself.`);
  }
}
