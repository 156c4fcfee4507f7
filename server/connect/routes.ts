import * as apps from '../../contract/developer/connected-apps.ts';
import * as studioApps from '../../contract/desk/studio-apps.ts';
import { route } from '../http/handle.ts';
import { createStudioApp } from './create-studio-app.ts';
import { decideConnection } from './decide-connection.ts';
import { endConnectedApp } from './end-connected-app.ts';
import { endMyConnectedApp } from './end-my-connected-app.ts';
import { endStudioApp } from './end-studio-app.ts';
import { listConnectedApps } from './list-connected-apps.ts';
import { listMyConnectedApps } from './list-my-connected-apps.ts';
import { listStudioApps } from './list-studio-apps.ts';
import { readConnection } from './read-connection.ts';
import { readDevice } from './read-device.ts';

export const connectRoutes = [
  route(readConnection, apps.readConnection),
  route(readDevice, apps.readDevice),
  route(decideConnection, apps.decideConnection),
  route(listConnectedApps, apps.listConnectedApps),
  route(endConnectedApp, apps.endConnectedApp),
  route(listMyConnectedApps, apps.listMyConnectedApps),
  route(endMyConnectedApp, apps.endMyConnectedApp),
  route(listStudioApps, studioApps.listStudioApps),
  route(createStudioApp, studioApps.createStudioApp),
  route(endStudioApp, studioApps.endStudioApp),
];
