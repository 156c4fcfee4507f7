import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { Atelier } from '../atelier.ts';
import { UsageError } from './exit-codes.ts';

type Profile = { url: string; key: string };
type Profiles = Record<string, Profile>;

const file = () =>
  join(process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'atelier', 'profiles.json');

async function readProfiles(): Promise<Profiles> {
  const text = await readFile(file(), 'utf8').catch(() => null);
  if (text === null) return {};
  try {
    return JSON.parse(text) as Profiles;
  } catch {
    throw new UsageError(`${file()} is not valid JSON.`, 'Fix or delete it, then run: atelier login');
  }
}

/** Readable by this user only, from the first byte on. */
async function writeProfiles(profiles: Profiles): Promise<void> {
  await mkdir(dirname(file()), { recursive: true, mode: 0o700 });
  await writeFile(file(), `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 });
  await chmod(file(), 0o600);
}

export const saveProfile = async (name: string, profile: Profile): Promise<void> =>
  writeProfiles({ ...(await readProfiles()), [name]: profile });

/** True where there was one. */
export async function deleteProfile(name: string): Promise<boolean> {
  const { [name]: gone, ...rest } = await readProfiles();
  if (gone) await writeProfiles(rest);
  return gone !== undefined;
}

export type Connection = { url?: string | undefined; profile: string };

/** An address without a slash at its end; else what one looks like. */
export function readAddress(text: string): string {
  if (URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol)) return text.replace(/\/$/, '');
  throw new UsageError(`${text} is no address of a service.`, 'An address begins with its scheme: https://atelier.example.com, http://localhost:3000');
}

/** Where the service is and who is asking: `--url`, then the environment, then the profile. */
export async function findConnection({ url, profile }: Connection): Promise<{ url: string | undefined; key: string | undefined }> {
  const saved = (await readProfiles())[profile];
  const address = url ?? process.env['ATELIER_URL'] ?? saved?.url;
  return {
    url: address ? readAddress(address) : undefined,
    key: process.env['ATELIER_KEY'] ?? saved?.key,
  };
}

/** A client for public operations needs an address only. */
export async function connect(connection: Connection, { isPublic = false } = {}): Promise<Atelier> {
  const { url, key } = await findConnection(connection);
  if (!url) throw new UsageError('The address of the service is not known.', 'Run: atelier login, or set ATELIER_URL');
  if (!key && !isPublic) throw new UsageError('You are not logged in.', 'Run: atelier login, or set ATELIER_KEY');
  return new Atelier({ url, token: key });
}
