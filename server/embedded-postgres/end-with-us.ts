import { spawn } from 'node:child_process';
import { environment } from './cluster.ts';
import type { PostgresHome } from './home.ts';
import { signal } from './orphans.ts';

/** Ends Postgres 30 s after this process, unless another service took over. Notices the closed pipe. */
const watch = `read -r _; sleep 30
[ "$(cat "$1/service.pid")" = "$2" ] || exit 0
pid=$(head -n 1 "$1/cluster/postmaster.pid") || exit 0
[ -e "/proc/$pid/cwd" ] && ! [ "/proc/$pid/cwd" -ef "$1/cluster" ] && exit 0
kill -INT "$pid"`;

/**
 * Ends Postgres with this process. A regular exit, even after an error or a deadline, ends it at once. After
 * kill -9 the next start has half a minute to adopt it. The returned function ends the watch once Postgres
 * was stopped.
 */
export function endWithUs(home: PostgresHome, postmaster: () => number | undefined): () => void {
  const watcher = spawn('/bin/sh', ['-c', watch, 'sh', home.directory, String(process.pid)], {
    cwd: '/',
    env: environment,
    detached: true, // Ctrl-C in the terminal must not end it
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Without a shell there is no watch, but a regular exit still ends Postgres.
  for (const part of [watcher, watcher.stdin]) part.on('error', () => {});
  watcher.unref();
  if ('unref' in watcher.stdin && typeof watcher.stdin.unref === 'function') watcher.stdin.unref();
  const onExit = () => {
    const pid = postmaster();
    if (pid !== undefined) signal(pid, 'SIGINT');
    watcher.kill('SIGKILL');
  };
  process.on('exit', onExit);
  return () => {
    process.off('exit', onExit);
    watcher.kill('SIGKILL');
  };
}
