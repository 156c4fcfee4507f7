import { read } from '../../app/reads.ts';

export const settingsReads = () => ({
  sessions: read('listSessions'),
  members: read('listMembers'),
  choices: read('readNotificationChoices'),
  apps: read('listMyConnectedApps'),
});
