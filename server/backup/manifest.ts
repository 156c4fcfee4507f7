import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Unusable } from './unusable.ts';

const file = 'manifest.json';

export type Origin = { public_url: string; database: string | null };

/** What a backup is. It is written last, and has no secret. */
export type Manifest = {
  format: 1;
  /** The version of the service. */
  atelier: string;
  created_at: string;
  /** Whose it is: its address, and which database. Backups before version 0.3 do not say. */
  origin?: Origin;
  migration: string;
  postgres: { kind: 'embedded' | 'own'; version: number; schema: string; role: string };
  /** Ids of the keys in SECRET_KEY, as ciphertexts have them, newest first. */
  secret_key_ids: string[];
  rows: Record<string, number>;
  objects: number;
  bytes: number;
  encrypted: boolean;
  /** Folders of an embedded cluster, of which some are empty. */
  folders: string[];
  /** SHA-256 of SHA256SUMS, which has that of each part. */
  sums: string;
};

export const writeManifest = (folder: string, manifest: Manifest): Promise<void> =>
  writeFile(join(folder, file), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true });

export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, file), 'utf8').catch((error: unknown) => {
    throw new Unusable(`${folder} is no backup: it has no ${file}.`, 'Name the folder that `backup` made.', error);
  });
  const manifest = parse(text);
  if (manifest?.format !== 1)
    throw new Unusable(`${folder} has a format that this version does not know.`, 'Use a newer version of Atelier.');
  return manifest;
}

function parse(text: string): Manifest | null {
  try {
    return JSON.parse(text) as Manifest;
  } catch {
    return null;
  }
}

/** At another address or database, a restore may become a second one for the same customers. */
export function refuseOtherOrigin({ origin }: Manifest, place: Origin): void {
  const action =
    'Add --moved if this replaces the original, which is off for good, ' +
    'or --as-copy for a copy that reaches nothing outside.';
  if (!origin) throw new Unusable('The backup does not name its installation.', action);
  const [was, becomes] = [origin.public_url, place.public_url];
  if (was !== becomes) throw new Unusable(`The backup is of ${was}, and PUBLIC_URL is ${becomes}.`, action);
  if (place.database !== null && place.database !== origin.database)
    throw new Unusable('The backup is of another database than the one that DATABASE_URL names.', action);
}

type Here = { migrations: readonly string[]; kind: 'embedded' | 'own'; keyIds: readonly string[] };

/** Refuses what cannot become a working installation here. Returns the ids of keys that are missing. */
export function refuseUnfit({ migration, postgres, atelier, secret_key_ids }: Manifest, here: Here): string[] {
  if (!here.migrations.includes(migration))
    throw new Unusable(
      `The backup has the schema of version ${atelier} (${migration}), which is newer than this code.`,
      'Restore it with that version of Atelier.',
    );
  if (postgres.kind !== here.kind)
    throw new Unusable(
      `The backup is of ${postgres.kind === 'embedded' ? 'the embedded Postgres' : 'a Postgres of your own'}.`,
      postgres.kind === 'embedded' ? 'Leave DATABASE_URL out to restore it.' : 'Set DATABASE_URL to restore it.',
    );
  return secret_key_ids.filter((id) => !here.keyIds.includes(id));
}
