import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../faults/process.ts';

/** Podman with images and containers of its own, in this folder. They stay for the next run, which is then quicker. */
export const folder = join(root, 'node_modules/.cache/containers');
const at = (name: string) => join(folder, name);
for (const name of ['storage', 'run', 'networks']) mkdirSync(at(name), { recursive: true });
writeFileSync(
  at('storage.conf'),
  `[storage]\ndriver = "overlay"\ngraphroot = "${at('storage')}"\nrunroot = "${at('run')}"\n`,
);
// Limits of open files and processes that no machine forbids. runc, because crun knows no mixed cgroups.
writeFileSync(
  at('containers.conf'),
  `[containers]
default_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
tmp_dir = "${at('run')}"
volume_path = "${at('volumes')}"
[network]
network_config_dir = "${at('networks')}"
`,
);

export const environment = {
  ...process.env,
  CONTAINERS_CONF: at('containers.conf'),
  CONTAINERS_STORAGE_CONF: at('storage.conf'),
  BUILDAH_ISOLATION: 'chroot',
  // Without systemd nothing runs health checks by the clock: the tests run them.
  DISABLE_HC_SYSTEMD: 'true',
};

type Options = { env?: Record<string, string>; cwd?: string };

/** What the program printed. It rejects with the end of that if the program fails. */
export async function run(program: string, args: string[], { env, cwd = root }: Options = {}): Promise<string> {
  const options = { cwd, env: { ...environment, ...env }, maxBuffer: 64 * 1024 ** 2 };
  try {
    return (await promisify(execFile)(program, args, options)).stdout;
  } catch (error) {
    const { code, stdout, stderr } = error as { code: unknown; stdout?: string; stderr?: string };
    const said = `${stdout ?? ''}${stderr ?? ''}`.slice(-6_000);
    throw new Error(`${program} ${args.join(' ')} ended with ${String(code)}.\n${said}`, { cause: error });
  }
}
export const podman = (...args: string[]) => run('podman', args);
