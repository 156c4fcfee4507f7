import * as notifications from '../../contract/people/notifications.ts';
import { route } from '../http/handle.ts';
import { chooseNotifications } from './choose-notifications.ts';
import { countNotifications } from './count-notifications.ts';
import { listNotifications } from './list-notifications.ts';
import { readNotificationChoices } from './read-notification-choices.ts';
import { readJobNotifications } from './read-job-notifications.ts';
import { readNotification } from './read-notification.ts';
import { unsubscribe } from './unsubscribe.ts';

export const notificationRoutes = [
  route(listNotifications, notifications.listNotifications),
  route(countNotifications, notifications.countNotifications),
  route(readNotification, notifications.readNotification),
  route(readJobNotifications, notifications.readJobNotifications),
  route(readNotificationChoices, notifications.readNotificationChoices),
  route(chooseNotifications, notifications.chooseNotifications),
  route(unsubscribe, notifications.unsubscribe),
];
