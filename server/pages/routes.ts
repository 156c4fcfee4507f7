import * as installation from '../../contract/studio/installation.ts';
import { route } from '../http/handle.ts';
import { readInstallation } from './read-installation.ts';

export const pageRoutes = [route(readInstallation, installation.readInstallation)];
