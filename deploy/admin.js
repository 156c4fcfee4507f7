// The operators' command line, `npm run admin -- …`: from the bundle, which starts sooner, if it is current.
import { bundle } from '../web/build/fingerprint.ts';

await import(bundle.state() === 'current' ? '../dist/code/admin.js' : '../cli/admin.ts');
