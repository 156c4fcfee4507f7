import { deadlines } from '../../server/lib/deadlines.ts';

/** Loaded by `--import`: the process notices after three seconds that no task runs. */
Object.assign(deadlines.tasks, { silence: 3_000 });
