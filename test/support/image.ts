import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { customerPages, deskPages } from '../../contract/pages.ts';
import { bundleServer } from '../../scripts/bundle.ts';
import { packagesBesideBundle, removeUnread } from '../../scripts/packages.ts';
import { root } from '../faults/process.ts';

/** Makes `folder` what the `Dockerfile` makes an image, but for the pages, which are empty. */
export async function makeImage(folder: string): Promise<void> {
  const lines = readFileSync(join(root, 'Dockerfile'), 'utf8').matchAll(/^COPY --from=build (.+) (\S+)$/gm);
  for (const [, sources = '', to = ''] of lines)
    for (const source of sources.split(' ').map((path) => path.replace('/atelier/', ''))) {
      if (makers[source]) await makers[source](join(folder, source));
      else
        cpSync(join(root, source), to.endsWith('/') ? join(folder, to, basename(source)) : join(folder, to), {
          recursive: true,
        });
    }
}

const makers: Record<string, (to: string) => Promise<void> | void> = {
  dist: bundleServer,
  node_modules(to) {
    for (const name of packagesBesideBundle()) {
      const from = join(root, 'node_modules', name);
      if (existsSync(from)) cpSync(from, join(to, name), { recursive: true });
    }
    removeUnread(to);
  },
  'web/dist'(to) {
    mkdirSync(join(to, 'assets'), { recursive: true });
    writeFileSync(join(to, 'fingerprint'), 'made for a test');
    for (const [app, pages] of Object.entries({ customer: customerPages, desk: deskPages })) {
      mkdirSync(join(to, app));
      for (const name of Object.keys(pages)) writeFileSync(join(to, app, `${name}.html`), '<!doctype html>');
    }
  },
};
