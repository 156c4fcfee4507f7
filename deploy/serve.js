// Starts the service for production, from pages that are already built. This is plain JavaScript, so that an
// older Node can say that it is too old.

const oldestNode = 24;

/** @param {string} problem */
function refuse(problem) {
  process.stderr.write(`Atelier did not start. ${problem}\n`);
  process.exit(1);
}

if (Number(process.versions.node.split('.')[0]) < oldestNode)
  refuse(`It needs Node ${oldestNode} or newer, and this is Node ${process.versions.node}.`);

process.env.NODE_ENV ??= 'production';
const { builtPages } = await import('../web/build/fingerprint.ts');
const pages = builtPages();
if (pages === 'missing') refuse('The pages are not built. Run `npm run build`.');
if (pages === 'stale') refuse('The pages were built from other sources. Run `npm ci && npm run build`.');
await import('../server/main.ts');
