import * as events from '../contract/events.ts';
import type { Handle } from './app-desk.ts';
import { listEvents } from './feed/list-events.ts';
import { streamEvents } from './feed/stream-events.ts';

/** The log of an account, read and followed. */
export function offerEvents(handle: Handle): void {
  handle(events.listEvents, listEvents);
  handle(events.streamEvents, streamEvents);
}
