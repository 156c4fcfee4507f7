// Starts the service from the bundle that `npm start` has just made, or from its sources where that failed.
import { existsSync } from 'node:fs';

const bundled = new URL('../dist/code/main.js', import.meta.url);
await import(existsSync(bundled) ? bundled.href : '../server/main.ts');
