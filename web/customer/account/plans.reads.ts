import { read } from '../../app/reads.ts';

export const plansReads = () => ({ plans: read('listPlans'), own: read('listEntitlements') });
