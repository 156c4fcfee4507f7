import type { Command } from 'commander';
import type { Atelier } from '../client/atelier.ts';
import type { StudioApp } from '../client/generated/types.gen.ts';
import { asOperator } from './connection.ts';
import { print, type Shared, show } from './output.ts';

export function appCommands(program: Command): void {
  const app = program
    .command('app')
    .description('apps that the studio registers for OAuth, as the configured operator');
  app
    .command('create')
    .description('register an app without a secret; prints its client id')
    .requiredOption('--name <name>', 'the name that people are shown when it asks for access')
    .requiredOption('--redirect-uri <address...>', 'where the browser goes after the decision; repeat for more')
    .action(async (_, command: Command) => createApp(command.optsWithGlobals()));
  app
    .command('list')
    .description('list the apps, with those that ended in the last 30 days')
    .action(async (_, command: Command) => showApps(command.optsWithGlobals()));
  app
    .command('end')
    .description('end an app and its access to all accounts, at once')
    .argument('<id>', 'its client id')
    .action(async (id: string, _, command: Command) => endApp(command.optsWithGlobals(), id));
}

async function createApp(options: Shared & { name: string; redirectUri: string[] }): Promise<void> {
  const { io, name, redirectUri, json } = options;
  const made = await asOperator(options, (atelier) =>
    atelier.createStudioApp({ body: { name, redirect_uris: redirectUri } }),
  );
  if (!json) print(io, `Enter this as the client id of ${name}. It has no client secret.`);
  show(options, made, [made.app.id]);
}

async function showApps(options: Shared): Promise<void> {
  const apps = await asOperator(options, allApps);
  const rows = apps.map(
    ({ id, name, status, connections, redirect_uris: redirects }) =>
      `${id}  ${name}  ${status === 'active' ? `connections: ${connections}` : 'ended'}  ${redirects.join(' ')}`,
  );
  show(options, { apps }, rows.length > 0 ? rows : ['There is no app.']);
}

async function allApps(atelier: Atelier): Promise<StudioApp[]> {
  const apps: StudioApp[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await atelier.listStudioApps({ query: { limit: 100, ...(cursor === undefined ? {} : { cursor }) } });
    apps.push(...page.apps);
    cursor = page.next_cursor;
  }
  return apps;
}

async function endApp(options: Shared, id: string): Promise<void> {
  const ended = await asOperator(options, (atelier) => atelier.endStudioApp({ path: { id } }));
  show(options, ended, [`${ended.app.name} has ended. It has no access to any account now.`]);
}
