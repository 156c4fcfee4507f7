import { open, readFile } from 'node:fs/promises';

/** What a client learned of a request. Unknown: no answer, or one that leaves open whether it took effect. */
export type Outcome = { came: 'ok'; id: string } | { came: 'refused'; code: string } | { came: 'unknown' };
type Line = { key: string; intends: string } | ({ key: string } & Outcome);

/** Lines of one client, on disk before it goes on: what it intends before it sends, and then what came of it. */
export async function openIntentLog(path: string) {
  const file = await open(path, 'a');
  const write = async (line: Line) => {
    await file.appendFile(`${JSON.stringify(line)}\n`);
    await file.datasync();
  };
  return {
    path,
    intend: (key: string, intends: string) => write({ key, intends }),
    learn: (key: string, outcome: Outcome) => write({ key, ...outcome }),
    close: () => file.close(),
  };
}

/** All that was learned of each key. */
export async function readIntents(paths: readonly string[]): Promise<Map<string, Outcome[]>> {
  const learned = new Map<string, Outcome[]>();
  for (const path of paths)
    for (const text of (await readFile(path, 'utf8')).split('\n').filter(Boolean)) {
      const line = JSON.parse(text) as Line;
      const outcomes = learned.get(line.key) ?? [];
      learned.set(line.key, outcomes);
      if ('came' in line) outcomes.push(line);
    }
  return learned;
}
