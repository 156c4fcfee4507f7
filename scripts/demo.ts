import { withDemoService } from './demo-service.ts';
import { story } from './demo-story.ts';
import { progress } from './demo-tell.ts';

/** `npm run demo` starts a service and runs the story. Exits non-zero at an unexpected answer. */
const began = Date.now();
try {
  await withDemoService(story);
  process.stdout.write(`\nDone: ${progress.steps} steps in ${((Date.now() - began) / 1000).toFixed(1)} s.\n`);
} catch (error) {
  process.stderr.write(`\nThe story broke: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1); // the receiver of webhooks may still listen
}
