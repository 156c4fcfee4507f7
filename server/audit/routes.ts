import * as audit from '../../contract/desk/audit.ts';
import { route } from '../http/handle.ts';
import { listAccountAudit } from './list-account-audit.ts';
import { listAudit } from './list-audit.ts';

export const auditRoutes = [route(listAccountAudit, audit.listAccountAudit), route(listAudit, audit.listAudit)];
