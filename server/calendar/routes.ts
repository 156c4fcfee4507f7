import * as calendar from '../../contract/people/calendar.ts';
import { route } from '../http/handle.ts';
import { createCalendar } from './create-calendar.ts';
import { endCalendar } from './end-calendar.ts';
import { readCalendar } from './read-calendar.ts';

export const calendarRoutes = [
  route(readCalendar, calendar.readCalendar),
  route(createCalendar, calendar.createCalendar),
  route(endCalendar, calendar.endCalendar),
];
