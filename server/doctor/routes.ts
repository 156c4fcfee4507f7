import * as health from '../../contract/desk/health.ts';
import { route } from '../http/handle.ts';
import { createExamination } from './create-examination.ts';
import { readDeskHealth } from './read-desk-health.ts';
import { readSupportBundle } from './read-support-bundle.ts';

export const doctorRoutes = [
  route(readDeskHealth, health.readDeskHealth),
  route(createExamination, health.createExamination),
  route(readSupportBundle, health.readSupportBundle),
];
