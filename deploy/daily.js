// What must happen each day in containers: a verified backup, then the doctor with its mail to the owners, at DAILY_AT
// (UTC). Where a container was missing at that time, it happens at its start. A failure waits for the next day.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const day = 24 * 3_600_000;
const folder = process.argv[2] ?? '/backups';
const at = process.env.DAILY_AT || '03:00';
const say = (/** @type {string} */ words) => process.stdout.write(`${new Date().toISOString()} ${words}\n`);

/** The moment of today or yesterday at which it was due. */
function lastDue() {
  const today = Date.parse(`${new Date().toISOString().slice(0, 10)}T${at}Z`);
  return today > Date.now() ? today - day : today;
}

/** When the newest complete backup ended, or 0. */
function newestBackup() {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => /^\d{4}-\d\d-\d\d$/.test(name)) : [];
  return Math.max(0, ...names.map((name) => statSync(join(folder, name)).mtimeMs));
}

/** @type {import('node:child_process').ChildProcess | undefined} */
let running;

/** @param {string[]} words */
async function admin(...words) {
  const began = Date.now();
  // A group of its own, so that pg_dump ends with it.
  const child = spawn(process.execPath, ['deploy/admin.js', ...words], { stdio: 'inherit', detached: true });
  running = child;
  const code = await new Promise((resolve) => child.once('close', (code, signal) => resolve(code ?? signal)));
  running = undefined;
  say(`${words[0]}: exit code ${code} after ${Math.round((Date.now() - began) / 1000)} s`);
}

function end() {
  const pid = running?.pid;
  if (pid) process.kill(-pid, 'SIGTERM');
  setTimeout(() => {
    if (pid && running) process.kill(-pid, 'SIGKILL');
    process.exit(0);
  }, 1_000).unref();
  if (!pid) process.exit(0);
  running?.once('close', () => process.exit(0));
}

if (!/^(?:[01]\d|2[0-3]):[0-5]\d$/.test(at)) {
  process.stderr.write(`DAILY_AT must be a time of day such as 03:00, and is ${at}.\n`);
  process.exit(1);
}
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, end);
let done = newestBackup() >= lastDue() ? lastDue() : 0;
say(`Each day at ${at} UTC. ${done ? 'The last backup is there.' : 'The last backup is missing.'}`);
for (;;) {
  const due = lastDue();
  if (due > done) {
    const today = join(folder, new Date().toISOString().slice(0, 10));
    if (!existsSync(today)) await admin('backup', folder, '--daily', '--verify');
    await admin('doctor', '--daily');
    done = due;
  }
  await sleep(15_000);
}
