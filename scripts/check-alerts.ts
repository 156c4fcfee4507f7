import { spawnSync } from 'node:child_process';

/** Prometheus' own checks and unit tests of the alert rules. */
const checks = [
  ['check', 'rules', 'deploy/prometheus/rules.yml'],
  ['test', 'rules', 'deploy/prometheus/rules.test.yml'],
];
for (const check of checks) {
  const { error, status } = spawnSync('promtool', check, { stdio: 'inherit' });
  if (error) {
    const missing = 'code' in error && error.code === 'ENOENT';
    process.stderr.write(missing ? 'promtool is missing: apt-get install prometheus\n' : `${error.message}\n`);
    process.exit(1);
  }
  if (status !== 0) process.exit(1);
}
