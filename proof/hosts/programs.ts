import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { blocksOf } from './guide.ts';
import { asks, type Connected, type Connecting, type Setting } from './hosts.ts';

const run = promisify(execFile);
/** Where `npx` finds the programs without asking the registry. */
const cwd = import.meta.dirname;

type Started = { command: string; args: string[]; env?: Record<string, string> };

/** A host that starts the program of its configuration, as Claude Desktop does. */
async function startRemote({ command, args, env }: Started, home: Record<string, string>): Promise<Connected> {
  const client = new Client({ name: 'host', version: '1.0.0' });
  const transport = new StdioClientTransport({ command, args, cwd, env: { ...home, ...env }, stderr: 'pipe' });
  let said = '';
  transport.stderr?.on('data', (text: Buffer) => (said += text.toString()));
  await client.connect(transport).catch((error: unknown) => {
    throw new Error(said, { cause: error });
  });
  return {
    list: async () => (await client.listTools()).tools.map(({ name }) => name),
    async call(name, args = {}) {
      const { content } = await client.callTool({ name, arguments: args as Record<string, unknown> });
      return JSON.parse(content[0]?.type === 'text' ? content[0].text : 'null') as unknown;
    },
    expire() {
      const folder = join(home['HOME'] ?? '', '.mcp-auth');
      for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((each) =>
        /tokens.*json$/.test(each),
      )) {
        const file = join(folder, name);
        const tokens: object = JSON.parse(readFileSync(file, 'utf8'));
        writeFileSync(file, JSON.stringify({ ...tokens, expires_at: Date.now() - 1_000 }));
      }
    },
    close: () => client.close(),
  };
}

/** The first configuration of a section is by key, the second by OAuth. */
const configurationsOf = ({ chapter }: Setting, host: string) =>
  blocksOf(chapter, host, 'json').map((block) => JSON.parse(block).mcpServers.atelier);

const filled = <T>(configuration: T, words: Record<string, string>): T =>
  JSON.parse(JSON.stringify(configuration).replaceAll(/YOUR_\w+/g, (word) => words[word] ?? word)) as T;

const remote = 'mcp-remote';
const remoteRows: Connecting[] = [
  {
    name: remote,
    way: 'by key',
    ended: 'Incompatible auth server: does not support dynamic client registration',
    async prepare(setting) {
      const [byKey] = configurationsOf(setting, remote);
      return async () => startRemote(filled(byKey, { YOUR_KEY: await setting.key() }), setting.home);
    },
  },
  {
    name: remote,
    way: 'by OAuth',
    ended: asks,
    readOnly: asks,
    async prepare(setting) {
      const [, byOAuth] = configurationsOf(setting, remote);
      const YOUR_CLIENT_ID = await setting.register('http://localhost/oauth/callback');
      return () => startRemote(filled(byOAuth, { YOUR_CLIENT_ID }), setting.home);
    },
  },
  {
    name: remote,
    way: 'by OAuth, registering itself',
    ended: asks,
    async prepare(setting) {
      const [, byOAuth] = configurationsOf(setting, remote);
      return () => startRemote({ ...byOAuth, args: byOAuth.args.slice(0, 3) }, setting.home);
    },
  },
];

const porter = 'mcporter';
async function usePorter(setting: Setting, configuration: object): Promise<Connected> {
  const [script = ''] = blocksOf(setting.chapter, porter, 'sh');
  const folder = join(setting.home['HOME'] ?? '', '.mcporter');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'mcporter.json'), JSON.stringify({ mcpServers: { atelier: configuration } }));
  const [auth = [], list = [], call = []] = script
    .trim()
    .split('\n')
    .map((line) => line.split(' '));
  const start = async ([command = '', ...args]: string[]): Promise<string> => {
    const { stdout } = await run(command, args, { cwd, env: setting.home, maxBuffer: 1e7 }).catch((error: unknown) => {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      throw new Error(stdout + stderr, { cause: error });
    });
    return stdout;
  };
  if ('auth' in configuration) await start(auth);
  return {
    list: async () => JSON.parse(await start([...list, '--json'])).tools.map(({ name }: { name: string }) => name),
    async call(name, args = {}) {
      const words = call.map((word) => word.replace('get_account', name));
      return JSON.parse(await start([...words, '--args', JSON.stringify(args), '--output', 'json'])) as unknown;
    },
    async close() {},
  };
}

const porterRows: Connecting[] = [
  {
    name: porter,
    way: 'by key',
    ended: 'SSE error: Non-200 status code (405)',
    async prepare(setting) {
      const [byKey] = configurationsOf(setting, porter);
      return async () => usePorter(setting, filled(byKey, { YOUR_KEY: await setting.key() }));
    },
  },
  {
    name: porter,
    way: 'by OAuth',
    ended: asks,
    readOnly: 'Server returned 403 after trying upscoping',
    async prepare(setting) {
      const [, byOAuth] = configurationsOf(setting, porter);
      const YOUR_CLIENT_ID = await setting.register('http://127.0.0.1/callback');
      return () => usePorter(setting, filled(byOAuth, { YOUR_CLIENT_ID }));
    },
  },
  {
    name: porter,
    way: 'by OAuth, registering itself',
    ended: asks,
    expired: asks,
    async prepare(setting) {
      const [, { url, auth }] = configurationsOf(setting, porter);
      return () => usePorter(setting, { url, auth });
    },
  },
];

export const programRows = [...remoteRows, ...porterRows];
