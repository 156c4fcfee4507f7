import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { folder, podman, run } from './engine.ts';

/**
 * Images in place of those of registries, under their names: Debian's base with our Node and the npm of this machine,
 * and Debian's Postgres, Redis and Caddy with test servers for S3 and mail. A label says so.
 */
export async function makeStandIns(images: string[]): Promise<void> {
  await makeBase('node:24-slim', 'bookworm', ['ca-certificates'], nodeFile());
  const around = images.filter((name) => !name.startsWith('node:'));
  await makeBase(
    around[0] ?? '',
    'forky',
    ['ca-certificates', 'postgresql-18', 'redis-server', 'caddy', 'wget'],
    servers,
  );
  for (const name of around.slice(1)) await podman('tag', fullName(around[0] ?? ''), fullName(name));
}

const fullName = (name: string) => `docker.io/${name.includes('/') ? '' : 'library/'}${name}`;
const context = join(folder, 'context');

async function makeBase(name: string, suite: string, packages: string[], containerfile: string): Promise<void> {
  const archive = join(folder, `${suite}.tar`);
  // A mirror may be of an older day.
  const options = ['--variant=minbase', '--aptopt=Acquire::Check-Valid-Until "false"', '--quiet'];
  if (!existsSync(archive)) {
    await run('mmdebstrap', [...options, `--include=${packages.join()}`, suite, archive]);
    await podman('import', '--quiet', archive, `localhost/${suite}`);
  }
  rmSync(context, { recursive: true, force: true });
  mkdirSync(context);
  cpSync(process.execPath, join(context, 'node'));
  cpSync(folderOfNpm(), join(context, 'npm'), { recursive: true });
  writeFileSync(join(context, 'authorities.pem'), authorities());
  for (const file of ['mail', 'storage']) await bundle(file);
  cpSync(join(import.meta.dirname, 'stand-in.sh'), join(context, 'stand-in.sh'));
  writeFileSync(join(context, 'Containerfile'), `FROM localhost/${suite}\nLABEL stand-in=yes\n${containerfile}`);
  await run('buildah', ['build', '--layers', '--quiet', '--format', 'docker', '--tag', fullName(name), context]);
}

function folderOfNpm(): string {
  const program = execFileSync('sh', ['-c', 'realpath "$(command -v npm)"'], { encoding: 'utf8' }).trim();
  return join(program, '../..');
}

/** What npm needs here to reach its registry. */
const settings = ['npm_config_registry', 'HTTPS_PROXY', 'NO_PROXY'];
const authorities = () => (process.env.NODE_EXTRA_CA_CERTS ? readFileSync(process.env.NODE_EXTRA_CA_CERTS) : '');

function nodeFile(): string {
  const set = settings.filter((name) => process.env[name]).map((name) => `ENV ${name}=${process.env[name]}\n`);
  return `COPY node /usr/local/bin/
COPY npm /usr/local/lib/node_modules/npm
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && useradd --uid 1000 --create-home node
COPY authorities.pem /etc/ssl/authorities.pem
ENV NODE_EXTRA_CA_CERTS=/etc/ssl/authorities.pem
${set.join('')}`;
}

/** One image for all of them. Versity's program is in the entrypoint of compose.yaml; the check is that of Mailpit. */
const servers = `ENV XDG_CONFIG_HOME=/config XDG_DATA_HOME=/data
COPY node /usr/local/bin/
COPY mail.js storage.js stand-in.sh /stand-in/
RUN printf '#!/bin/sh\\nexec node /stand-in/storage.js\\n' >/usr/bin/versitygw && chmod 755 /usr/bin/versitygw
ENTRYPOINT ["sh", "/stand-in/stand-in.sh"]
STOPSIGNAL SIGINT
HEALTHCHECK --interval=5s --start-period=60s CMD ["wget", "-q", "-O", "/dev/null", "http://127.0.0.1:8025"]
`;

async function bundle(name: string): Promise<void> {
  const bundled = await rolldown({
    input: join(import.meta.dirname, `${name}.ts`),
    platform: 'node',
    logLevel: 'silent',
  });
  await bundled.write({ file: join(context, `${name}.js`), format: 'esm' });
}
