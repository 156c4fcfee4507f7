// Starts the service from the bundle that `npm start` has just made, or from its sources where that failed.
import { existsSync } from 'node:fs';

const isBundled = existsSync(new URL('../dist/fingerprint', import.meta.url));
await import(isBundled ? '../dist/code/main.js' : '../server/main.ts');
