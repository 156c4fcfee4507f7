import { Atelier } from '../atelier.ts';
import { isPlain, isRunning, planSentence, remedyOf, remedySentences } from '../generated/plan-words.ts';
import { type Command, exitCodes, type Io, UsageError } from './command.ts';
import { loginByBrowser } from './app-login.ts';
import { connect, deleteProfile, findConnection, isPrivate, notPrivate, readAddress, saveProfile } from './profile.ts';
import { ask, askSecret, isInteractive, print, printJson, printMessage } from './terminal.ts';

/** Keys are never arguments, which appear in shell history and process lists. */
export const login: Command = {
  name: 'login',
  summary: 'log in by the browser, or with an API key, and keep it for this user',
  options: {
    browser: { description: 'by the browser, although there is no terminal' },
    key: { description: 'with an API key, which is asked for' },
  },
  examples: ['atelier login --url https://atelier.example.com', 'atelier login --key', 'atelier login < key.txt'],
  async run({ connection, json, flag }, io) {
    const saved = await findConnection(connection);
    const address = saved.url ?? (isInteractive(io) ? await ask(io, 'Address of the service: ') : '');
    if (address === '') throw new UsageError('The address of the service is not known.', 'Add --url https://…');
    const url = readAddress(address);
    if (!isPrivate(url)) throw notPrivate(url);
    const byBrowser = flag('browser') || (isInteractive(io) && !flag('key'));
    const login = byBrowser ? await loginByBrowser(io, url) : { key: await askSecret(io, 'API key: ') };
    const { key } = login;
    if (key === '') throw new UsageError('There is no key.', isInteractive(io) ? 'Type it.' : 'Send it on standard input, or run: atelier login --browser');
    const me = await new Atelier({ url, token: key }).readMe();
    await saveProfile(connection, { url, ...login });
    if (json) printJson(io, me);
    else printMessage(io, `Logged in to ${me.account.name} at ${url}.`);
  },
};

export const logout: Command = {
  name: 'logout',
  summary: 'end the login by the browser, or forget the API key, which stays valid until it is revoked',
  examples: ['atelier logout'],
  async run({ connection }, io) {
    const gone = await deleteProfile(connection);
    printMessage(io, gone ? 'Logged out.' : 'There was no saved login.');
  },
};

export const whoami: Command = {
  name: 'whoami',
  summary: 'show the account, the key or app and what it may do',
  examples: ['atelier whoami', 'atelier whoami --json'],
  async run({ connection, json }, io) {
    const atelier = await connect(connection);
    const me = await atelier.readMe();
    if (json) return printJson(io, me);
    const { plan_codes: codes } = me.entitlement_summary;
    print(io, `${me.account.name} (${me.account.id})`);
    const { api_key: key, app } = me.auth;
    printMessage(io, `${key ? `key ${key.prefix}, ` : app ? `app ${app.name}, ` : ''}${me.scopes.join(' ')}`);
    printMessage(io, codes.length > 0 ? `plans: ${codes.join(', ')}` : 'no active plan');
    await showPlans(io, atelier);
    return exitCodes.done;
  },
};

/** Of a plan that ends, has stopped or is overdue: what is to be known, and who can change it. */
export async function showPlans(io: Io, atelier: Atelier): Promise<void> {
  const { entitlements } = await atelier.listEntitlements();
  for (const plan of entitlements.filter((plan) => isRunning(plan) && !isPlain(plan))) {
    const remedy = remedyOf(plan);
    printMessage(io, `${planSentence(plan, (time) => time.slice(0, 10))}${remedy === null ? '' : ` ${remedySentences[remedy]}`}`);
  }
}
