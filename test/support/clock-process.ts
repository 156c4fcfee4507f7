import { createLog } from '../../server/lib/log.ts';
import { startQueue } from '../../server/db/queue.ts';

/** A process whose scheduler starts a task that never ends. It then prints a line and waits to be killed. */
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
