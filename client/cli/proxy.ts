import { spawn } from 'node:child_process';
import http from 'node:http';
import { allowedNodeEnvironmentFlags } from 'node:process';

type Env = Record<string, string | undefined>;

/** Never asked through a proxy, which would read the keys that plain http carries to this machine. */
const thisMachine = 'localhost,.localhost,127.0.0.1,::1,[::1]';

const names = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'];
const proxyVariable = (env: Env): string | undefined => names.find((name) => env[name]);

const read = (env: Env, name: string): string => env[name] || env[name.toUpperCase()] || '';
/** Other programs take `proxy.example:3128`, too. */
const addressOf = (text: string): string => (text === '' || text.includes('://') ? text : `http://${text}`);
const isProxy = (text: string): boolean =>
  URL.canParse(addressOf(text)) && /^https?:$/.test(new URL(addressOf(text)).protocol);

const settingsOf = (env: Env): Env => ({
  ...Object.fromEntries(
    ['https_proxy', 'http_proxy'].map((name) => [name, isProxy(read(env, name)) ? addressOf(read(env, name)) : '']),
  ),
  no_proxy: [read(env, 'no_proxy'), thisMachine].filter(Boolean).join(','),
});

/** From 24.14. Before, Node reads the variables only at its start. */
const { setGlobalProxyFromEnv: useProxies } = http as { setGlobalProxyFromEnv?: (env: Env) => unknown };
const readsAtStart = allowedNodeEnvironmentFlags.has('--use-env-proxy');

/** What to check if the service cannot be reached, without the address: it may have a password. */
export function proxyHint(env: Env): string | null {
  const name = proxyVariable(env);
  if (name === undefined) return null;
  if (!isProxy(env[name] ?? '')) return `${name} is not the address of a proxy, such as http://proxy.example:3128.`;
  if (!useProxies && !readsAtStart) return `The proxy in ${name} is not used: that takes Node 22.21, 24.5 or newer.`;
  return `The request went through the proxy in ${name}. To go directly, add the service's host to NO_PROXY.`;
}

/** Runs the program so that all its requests go through the proxies that the environment names. */
export async function throughProxy(own: NodeJS.Process, run: () => Promise<number>): Promise<number> {
  const { env } = own;
  if (proxyVariable(env) === undefined || (!useProxies && (!readsAtStart || env['NODE_USE_ENV_PROXY']))) return run();
  if (!useProxies) return runAgain(own, { ...env, ...settingsOf(env), NODE_USE_ENV_PROXY: '1' });
  useProxies(settingsOf(env));
  return run();
}

/** The same command in a process that has read the variables. It gets the signals of this one. */
function runAgain(own: NodeJS.Process, env: Env): Promise<number> {
  const quiet = '--disable-warning=UNDICI-EHPA'; // proxies are experimental in Node 22
  const child = spawn(own.execPath, [...own.execArgv, quiet, ...own.argv.slice(1)], { stdio: 'inherit', env });
  const forward = (signal: NodeJS.Signals) => void child.kill(signal);
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) own.on(signal, forward);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      for (const name of signals) own.off(name, forward);
      if (signal) own.kill(own.pid, signal);
      resolve(code ?? 1);
    });
  });
}
