import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** Part of `npm run check:deploy`: each file of deploy/ is read by the program that it is for. */

const deploy = resolve(import.meta.dirname, '../deploy');
const folder = mkdtempSync(join(tmpdir(), 'atelier-deploy-'));
const at = (name: string) => join(folder, name);

function run(command: string, ...args: string[]): boolean {
  const { error, status, stdout, stderr } = spawnSync(command, args, {
    encoding: 'utf8',
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin`, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  });
  if (error) process.stderr.write(`${command} is not installed (${error.message}).\n`);
  else if (status !== 0) process.stderr.write(`${command} ${args.join(' ')}:\n${stdout}${stderr}\n`);
  return status === 0;
}

/** With paths of this folder, where the certificate is. */
function copy(name: string, ...changes: [from: string, to: string][]): string {
  const text = changes.reduce((now, [from, to]) => now.replaceAll(from, to), readFileSync(join(deploy, name), 'utf8'));
  writeFileSync(at(name), text);
  return at(name);
}

function certify(): boolean {
  const subject = ['-subj', '/CN=atelier.example.com', '-days', '1'];
  const files = ['-keyout', at('atelier.key'), '-out', at('atelier.pem')];
  if (!run('openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject, ...files)) return false;
  const both = ['atelier.pem', 'atelier.key'].map((name) => readFileSync(at(name), 'utf8'));
  writeFileSync(at('atelier-bundle.pem'), both.join(''));
  copyFileSync(join(deploy, 'unavailable.http'), at('unavailable.http'));
  return true;
}

const checks: (() => boolean)[] = [
  () => run('nginx', '-t', '-q', '-p', folder, '-c', copy('nginx.conf', ['/etc/ssl', folder]), '-e', 'stderr'),
  () => run('haproxy', '-c', '-q', '-f', copy('haproxy.cfg', ['/etc/ssl', folder], ['/etc/haproxy', folder])),
  ...['Caddyfile', 'compose/Caddyfile'].map(
    (name) => () => run('caddy', 'validate', '--adapter', 'caddyfile', '--config', join(deploy, name)),
  ),
  // All are copied first: the timer is for a service beside it.
  ...['atelier.service', 'atelier-daily.service', 'atelier-daily.timer']
    .map((name) => copy(name))
    .map((path) => () => run('systemd-analyze', 'verify', '--man=no', path)),
  ...['atelier', 'atelier-daily'].map(
    (name) => () => run('systemd-analyze', 'security', '--offline=yes', '--threshold=30', at(`${name}.service`)),
  ),
];
const failures = certify() ? checks.filter((check) => !check()).length : 1;
rmSync(folder, { recursive: true });
process.stdout.write(failures === 0 ? 'deploy/ is right\n' : '');
process.exitCode = failures === 0 ? 0 : 1;
