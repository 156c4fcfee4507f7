import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Atelier } from '../atelier.ts';
import { cleanKey } from '../generated/typed.ts';
import { endLogin, refreshLogin } from './app-login.ts';
import { type Connection, type Env, IdentityError, UsageError } from './command.ts';

/** `refresh` and `expires` after a login by the browser, whose key lives for an hour. */
type Profile = { url: string; key: string; refresh?: string; expires?: number };
type Profiles = Record<string, Profile>;

const fileOf = (env: Env) =>
  join(env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'atelier', 'profiles.json');

async function readProfiles(file: string): Promise<Profiles> {
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null) return {};
  try {
    return JSON.parse(text) as Profiles;
  } catch {
    throw new UsageError(`${file} is not valid JSON.`, 'Fix or delete it, then run: atelier login');
  }
}

/** Created readable for this user only. Replaced at once, because another program may be reading it. */
async function writeProfiles(file: string, profiles: Profiles): Promise<void> {
  const written = `${file}.${randomUUID()}`;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(written, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 });
  await rename(written, file);
}

export async function saveProfile({ profile: name, env }: Connection, profile: Profile): Promise<void> {
  const file = fileOf(env);
  await writeProfiles(file, { ...(await readProfiles(file)), [name]: profile });
}

/** False if there was none. The access of a login by the browser ends. */
export async function deleteProfile({ profile: name, env }: Connection): Promise<boolean> {
  const file = fileOf(env);
  const { [name]: gone, ...rest } = await readProfiles(file);
  if (gone) await writeProfiles(file, rest);
  if (gone?.refresh) await endLogin(gone.url, gone.refresh);
  return gone !== undefined;
}

const isFresh = ({ refresh, expires = 0 }: Profile): boolean => !refresh || expires - Date.now() > 120_000;

/** The key of a profile, refreshed before it ends. A busy service leaves the key in use until then. */
async function freshKey(connection: Connection, saved: Profile): Promise<string> {
  if (isFresh(saved)) return saved.key;
  const file = fileOf(connection.env);
  return locked(file, async () => {
    const now = (await readProfiles(file))[connection.profile] ?? saved;
    if (isFresh(now) || !now.refresh) return now.key;
    const login = await refreshLogin(now.url, now.refresh).catch((error: unknown) => {
      if ((now.expires ?? 0) > Date.now()) return null;
      throw error;
    });
    if (login) await saveProfile(connection, { url: now.url, ...login });
    return login?.key ?? now.key;
  });
}

/** One program at a time: a folder can be made once. One that a killed program left counts as gone. */
async function locked<T>(file: string, run: () => Promise<T>): Promise<T> {
  const folder = `${file}.lock`;
  for (let tries = 0; tries < 300; tries++) {
    const made = await mkdir(folder).then(
      () => true,
      () => false,
    );
    if (made) return run().finally(() => rm(folder, { recursive: true, force: true }));
    await sleep(100);
  }
  await rm(folder, { recursive: true, force: true });
  throw new UsageError('Another atelier holds the saved logins.', 'Try again.');
}


/** Without a trailing slash. Throws with an example if it is not an address. */
export function readAddress(text: string): string {
  if (URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol)) return text.replace(/\/$/, '');
  throw new UsageError(`${text} is no address of a service.`, 'An address begins with its scheme: https://atelier.example.com, http://localhost:3000');
}

type FoundConnection = {
  url: string | undefined;
  key: string | undefined;
  refusal: UsageError;
};

/**
 * From `--url`, the environment or the profile. A saved key is only for its saved address, and ATELIER_KEY
 * only for ATELIER_URL. Without ATELIER_URL, a user who gives `--url` means that address to get ATELIER_KEY.
 */
export async function findConnection(connection: Connection): Promise<FoundConnection> {
  const { url, profile, env } = connection;
  const saved = (await readProfiles(fileOf(env)))[profile];
  const { ATELIER_URL: named, ATELIER_KEY } = env;
  const own = ATELIER_KEY && cleanKey(ATELIER_KEY);
  const address = url ?? named ?? saved?.url;
  if (!address) return { url: undefined, key: own, refusal: notLoggedIn() };
  const service = readAddress(address);
  const isElsewhere = own !== undefined && named !== undefined && !isSameAddress(readAddress(named), service);
  const isSaved = saved !== undefined && isSameAddress(saved.url, service) && (isElsewhere || own === undefined);
  const key = isSaved ? await freshKey(connection, saved) : isElsewhere ? undefined : own;
  if (key !== undefined && !isPrivate(service)) return { url: service, key: undefined, refusal: notPrivate(service) };
  if (isElsewhere) return { url: service, key, refusal: otherKey(readAddress(named), service) };
  return { url: service, key, refusal: saved ? otherAddress(profile, saved.url, service) : notLoggedIn() };
}

const isSameAddress = (first: string, other: string): boolean => new URL(first).href === new URL(other).href;

/** No one between this machine and the service can read the traffic. */
export function isPrivate(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || /^(?:(?:.+\.)?localhost|127\.0\.0\.1|\[::1\])$/.test(hostname);
}

const notLoggedIn = () => new IdentityError('You are not logged in.', 'Run: atelier login, or set ATELIER_KEY');
const otherKey = (named: string, url: string) =>
  new IdentityError(
    `ATELIER_KEY is for ${named}, the address in ATELIER_URL, and is not sent to ${url}.`,
    `Set ATELIER_URL to ${url} and ATELIER_KEY to a key of that service, or log in there with --profile NAME`,
  );
const otherAddress = (profile: string, saved: string, url: string) =>
  new IdentityError(
    `The saved key of the profile ${profile} is for ${saved} and is not sent to ${url}.`,
    `Run: atelier login --url ${url} --profile NAME, or set ATELIER_KEY to a key of that service`,
  );
export const notPrivate = (url: string) =>
  new UsageError(`No key is sent to ${url}: plain http shows it to others.`, 'Use the https address of the service.');

export async function connect(connection: Connection, { isPublic = false } = {}): Promise<Atelier> {
  const { url, key, refusal } = await findConnection(connection);
  if (!url && !isPublic) throw new IdentityError('You are not logged in.', 'Run: atelier login, or set ATELIER_URL and ATELIER_KEY');
  if (!url) throw new UsageError('The address of the service is not known.', 'Run: atelier login, or set ATELIER_URL');
  if (!key && !isPublic) throw refusal;
  return new Atelier({ url, token: key && (async () => (await findConnection(connection)).key ?? key) });
}
