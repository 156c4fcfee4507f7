// Starts the service for production, from pages and a bundle that are already built. This is plain
// JavaScript, so that an older Node can say that it is too old.

const oldestNode = 24;

/** @param {string} problem */
function refuse(problem) {
  process.stderr.write(`Atelier did not start. ${problem}\n`);
  process.exit(1);
}

if (Number(process.versions.node.split('.')[0]) < oldestNode)
  refuse(`It needs Node ${oldestNode} or newer, and this is Node ${process.versions.node}.`);

process.env.NODE_ENV ??= 'production';
const { bundle, pages } = await import('../web/build/fingerprint.ts');
for (const [what, build] of Object.entries({ server: bundle, pages })) {
  const state = build.state();
  if (state === 'missing') refuse(`The ${what} must be built first. Run \`npm run build\`.`);
  if (state === 'stale') refuse(`The ${what} must be built from these sources. Run \`npm ci && npm run build\`.`);
}
await import('../dist/code/main.js');
