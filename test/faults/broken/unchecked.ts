import { serveBroken } from './serve.ts';

/** Starts without a look at the database. */
await serveBroken({});
