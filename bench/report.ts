import { writeFile } from 'node:fs/promises';
import { cpus, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import type { Row } from './figure.ts';
import type { Settings } from './settings.ts';

const short = (value: number) =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(value >= 10 ? 1 : 2);
const verdict = ({ ratio, goal }: Row) => (ratio >= goal ? 'met' : 'missed');

export function printRow(row: Row): void {
  const { figure, title, ours, limit, of, ratio, goal, unit } = row;
  console.log(
    `${figure.padEnd(10)} ${title}: ${short(ours)} ${unit}, ${of} ${short(limit)}: ratio ${ratio.toFixed(2)}, goal ${goal.toFixed(2)}, ${verdict(row)}`,
  );
}

const table = (head: string[], rows: string[][]) =>
  [head, head.map((_, n) => (n < 2 ? '---' : '---:')), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const figuresTable = (rows: Row[]) =>
  table(
    ['figure', 'what', 'ours', 'limit', 'ratio', 'goal', ''],
    rows.map((row) => [
      row.figure,
      `${row.title}, against ${row.of}`,
      `${short(row.ours)} ${row.unit}`,
      `${short(row.limit)} ${row.unit}`,
      row.ratio.toFixed(2),
      row.goal.toFixed(2),
      verdict(row),
    ]),
  );

const loadTable = (rows: Row[]) =>
  table(
    ['figure', 'what', 'p50 ms', 'p99 ms', 'Node µs', 'Postgres µs', 'RSS MB', 'WAL bytes'],
    rows.flatMap(({ figure, title, load }) =>
      load === null
        ? []
        : [
            [
              figure,
              title,
              load.p50.toFixed(2),
              load.p99.toFixed(1),
              ...[load.nodeMicroseconds, load.postgresMicroseconds, load.rss, load.wal].map((value) =>
                Math.round(Math.max(0, value)).toLocaleString('en'),
              ),
            ],
          ],
    ),
  );

export async function writeResults(
  rows: Row[],
  failures: string[],
  { rounds, seconds }: Settings,
  tools: Record<string, string>,
): Promise<void> {
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${type()} ${release()}`;
  const text = `# What was measured

Made by \`npm run bench\` at ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC: ${rounds} rounds of ${seconds} s, medians; the ratio is the
median of each round's own. More is better: a goal is met where the ratio is at least as large. The load comes from the
same machine.

- Machine: ${machine}
- Node ${process.versions.node}, Postgres 18 (embedded), ${Object.values(tools).join(', ')}

${figuresTable(rows)}
${failures.map((failure) => `\n- ${failure}\n`).join('')}
What a request cost: times as the client saw them, CPU time of Node and of Postgres, memory of Node, and the WAL that it wrote.

${loadTable(rows)}
`;
  await writeFile(join(import.meta.dirname, 'RESULTS.md'), text);
}
