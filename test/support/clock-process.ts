import { createLog } from '../../server/lib/log.ts';
import { startQueue } from '../../server/db/queue.ts';

/** Another process whose clock begins a task and never ends it: it prints a line then, and waits to be killed. */
startQueue(
  process.env.DATABASE_URL ?? '',
  {
    [process.env.TASK ?? '']: {
      everySeconds: 1,
      run: async () => {
        process.stdout.write('began\n');
        await new Promise(() => {});
      },
    },
  },
  createLog('silent'),
);
