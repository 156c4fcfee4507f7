import type { World } from './world.ts';

export type Search = { secrets: number; characters: number; leaks: string[] };

/** What was searched in this run, world by world. */
export const searches: Search[] = [];

/** As it is, encoded for a URL, in base64 or hex, or its first half alone. */
const formsOf = (secret: string) => [
  secret,
  encodeURIComponent(secret),
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  Buffer.from(secret).toString('hex'),
  secret.slice(0, Math.max(16, secret.length / 2)),
];

/** Looks for each secret of a world in what its processes wrote, and in its database. */
export async function searchWorld(world: World): Promise<Search> {
  const search: Search = { secrets: world.minted.size, characters: 0, leaks: [] };
  const look = (where: string, text: string) => {
    search.characters += text.length;
    for (const [what, secret] of world.minted)
      if (formsOf(secret).some((form) => text.includes(form))) search.leaks.push(`${what} in ${where}`);
  };
  look('the log', world.first.said() + world.second.said());
  const tables = await world.ask(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  for (const { name } of tables) {
    const rows = await world.ask(`select t::text as row from ${name} t`);
    look(name, rows.map(({ row }) => row).join('\n'));
  }
  searches.push(search);
  return search;
}
