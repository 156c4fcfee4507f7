import * as events from '../../contract/jobs/events.ts';
import { route } from '../http/handle.ts';
import { listEvents } from './list-events.ts';
import { streamEvents } from './stream-events.ts';

export const feedRoutes = [route(listEvents, events.listEvents), route(streamEvents, events.streamEvents)];
