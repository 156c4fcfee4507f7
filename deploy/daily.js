// What must happen each day in containers: a verified backup, then the doctor with its mail to the owners, at DAILY_AT
// (UTC). Where the container was missing at that time, it happens at its start. A failure waits for the next day.
import { spawn } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const folder = process.argv[2] ?? '/backups';
const at = process.env.DAILY_AT || '03:00';
const say = (/** @type {string} */ words) => process.stdout.write(`${new Date().toISOString()} ${words}\n`);
const today = () => new Date().toISOString().slice(0, 10);
/** The group of the program that runs, with all that it started, or 0. */
let running = 0;
let isEnding = false;

/** The moment of today or yesterday at which it was due. */
function lastDue() {
  const moment = Date.parse(`${today()}T${at}Z`);
  return moment > Date.now() ? moment - 24 * 3_600_000 : moment;
}

/** The complete backups, which are named by their day. */
const backups = () => readdirSync(folder).filter((name) => /^\d{4}-\d\d-\d\d(?:T\d{4})?$/.test(name));

async function admin(/** @type {string[]} */ ...words) {
  if (isEnding) return;
  const began = Date.now();
  const child = spawn(process.execPath, ['deploy/admin.js', ...words], { stdio: 'inherit', detached: true });
  running = child.pid ?? 0;
  const code = await new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)));
  running = 0;
  say(`${words[0]}: exit code ${code} after ${Math.round((Date.now() - began) / 1000)} s`);
}

async function end() {
  isEnding = true;
  if (running) process.kill(-running, 'SIGTERM');
  for (let round = 0; running && round < 10; round++) await sleep(100);
  if (running) process.kill(-running, 'SIGKILL');
  process.exit(0);
}

if (!/^(?:[01]\d|2[0-3]):[0-5]\d$/.test(at)) {
  process.stderr.write(`DAILY_AT must be a time of day such as 03:00, and is ${at}.\n`);
  process.exit(1);
}
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, end);
const isThere = backups().some((name) => {
  const mark = statSync(join(folder, name, 'verified.json'), { throwIfNoEntry: false });
  return mark !== undefined && mark.mtimeMs >= lastDue();
});
let done = isThere ? lastDue() : 0;
say(
  `Each day at ${at} UTC. ${isThere ? 'The last verified backup is there.' : 'The last verified backup is missing.'}`,
);
for (;;) {
  const due = lastDue();
  if (due > done) {
    await admin('backup', folder, '--daily', '--verify');
    await admin('doctor', '--daily');
    done = due;
  }
  await sleep(15_000);
}
