import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';

/** Compiled code that the test workers share with the hundreds of processes that tests start. */
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compiled');

/** Faults that do not kill, freeze or starve processes: their deadlines may be patient. */
const quickFaults = ['clocks', 'configuration', 'limits', 'secret-key', 'secrets'].map(
  (name) => `test/faults/${name}.test.ts`,
);
/** Rooms that draw posters, start or freeze databases, race, or wait for deadlines. They took as long as the rest. */
const slow = [
  'backup/copy',
  'billing/verify-prices',
  'check/check-database',
  'closing/closed-meanwhile',
  'db/check-database',
  'db/queue',
  'db/queue-watch',
  'db/refused-login',
  'desk/queue/create-deliverable-poster',
  'desk/queue/stream-queue',
  'doctor/examine',
  'embedded-postgres/embedded-postgres',
  'feed/list-events',
  'feed/stream-events',
  'files/create-poster',
  'files/films/make-viewing-copies',
  'files/make-posters',
  'files/poster-objects',
  'files/storage-watch',
  'http/deadline',
  'http/refused-work',
  'jobs/admission',
  'mail/mail-sender',
  'probes/loops',
  'probes/read-metrics',
  'probes/read-readiness',
  'webhooks/delivery-engine',
].map((name) => `server/${name}.test.ts`);
/** Files that count process-wide state or set globals. */
const alone = ['server/db/pool.test.ts', 'server/lib/id.test.ts'];
const faults = ['test/faults/**/*.test.ts'];
const conformance = ['proof/conformance/**/*.test.ts'];
/** What needs the packages of `proof/`. */
const proof = ['proof/*.test.ts'];
/** What needs those of `proof/hosts/`. */
const hosts = ['proof/hosts/*.test.ts'];
const journeys = ['test/journeys/**/*.test.ts'];
/** `npm test` has these sweeps and draws some of their cases; `SWEEP=all npm run test:sweeps` has all. */
const drawnSweeps = ['every-route', 'bad-input'].map((name) => `test/sweeps/${name}.test.ts`);
const sweeps = ['test/{sweeps,corpus}/**/*.test.ts'];
const redis = ['test/redis/**/*.test.ts'];
const upgrade = ['test/upgrade/**/*.test.ts'];
/** What needs ffmpeg. */
const films = ['test/films/**/*.test.ts'];
/** What needs Podman, Docker's Compose, and `npm ci --prefix proof`. */
const containers = ['test/containers/**/*.test.ts'];
const failover = ['test/failover/**/*.test.ts'];
/** With journeys whose services are then behind the pooler: races for quota and for jobs, and events. */
const pooler = ['test/pooler/**/*.test.ts', 'test/journeys/{ledger,workers,client-events}.test.ts'];

/** `.ci/run` tries a failed test once more and names it as flaky. By hand the first failure counts. */
const retry = Number(process.env.TEST_RETRIES ?? 0);
const limits = {
  retry,
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 30_000 } },
};
const project = (name: string, include: string[], exclude: string[] = [], isolate = true) => ({
  test: { ...limits, name, include, exclude: [...configDefaults.exclude, ...exclude], isolate },
});
/** No test of it depends on a deadline of the service that a slow or busy machine cannot keep. */
const patient = (each: ReturnType<typeof project>) => ({
  test: { ...each.test, setupFiles: 'test/support/patient-tests.ts', env: { PATIENT_PROCESSES: 'yes' } },
});

/** The files of a worker have one service, so what a file mocks must not stay. */
const shared = patient(
  project('shared', ['server/**/*.test.ts', 'test/{*,support/*}.test.ts', ...drawnSweeps], [...alone, ...slow], false),
);

/**
 * A test enters by HTTP, so it imports nothing of its room. For `--changed` it depends on what the routes of
 * the room import; the worker has loaded them anyway.
 */
const roomOfTest = {
  name: 'room-of-test',
  transform(code: string, file: string) {
    const room = /\/server\/[\w-]+\/[\w-]+\.test\.ts$/.test(file) && join(dirname(file), 'routes.ts');
    return room && existsSync(room) ? { code: `${code}\nimport './routes.ts';`, map: null } : null;
  },
};

export default defineConfig({
  test: {
    globalSetup: 'test/support/postgres.ts',
    reporters: ['default', './test/support/flaky-tests.ts', './test/support/slowest-files.ts'],
    pool: 'forks',
    maxWorkers: 3,
    projects: [
      // One module graph per worker: loading the server again for each file would take longer than its tests.
      { plugins: [roomOfTest], test: { ...shared.test, restoreMocks: true } },
      {
        test: {
          ...project('web', ['web/**/*.test.ts'], [], false).test,
          setupFiles: 'test/support/browser-globals.ts',
        },
      },
      patient(project('alone', alone)),
      { test: { ...patient(project('slow', slow, [], false)).test, restoreMocks: true } },
      patient(project('journeys', journeys, [], false)),
      patient(project('sweeps', sweeps, process.env.SWEEP === 'all' ? [] : drawnSweeps, false)),
      patient(project('quick-faults', quickFaults)),
      project('faults', faults, quickFaults),
      project('conformance', conformance),
      patient(project('proof', proof)),
      patient(project('hosts', hosts)),
      patient(project('films', films)),
      project('failover', failover),
      { test: { ...project('containers', containers).test, testTimeout: 900_000, bail: 1 } },
      project('upgrade', upgrade),
      ...(process.env.PGBOUNCER ? [patient(project('pooler', pooler, [], false))] : []),
      // The journeys again on the oldest Postgres, without command lines and npm scripts: they know no SQL.
      ...(process.env.TEST_POSTGRES_URL
        ? [
            patient(
              project(
                'postgres15',
                [...journeys, 'server/db/{check-database,uuidv7}.test.ts'],
                ['test/journeys/{cli,cli-*,customer-cli*,npm-scripts}.test.ts'],
                false,
              ),
            ),
          ]
        : []),
      // The tests of rates again with a real Redis.
      ...(process.env.REDIS_URL ? [project('redis', [...redis, 'test/journeys/rates.test.ts'])] : []),
    ],
  },
});
