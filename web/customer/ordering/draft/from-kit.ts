import { faultOf } from '../../../../contract/ordering/fits-kind.ts';
import type { Brand, ServiceOption } from '../../../app/api.ts';

type Requirement = ServiceOption['intake_requirements'][number];

/** What the brand kit suggests for a service, as the service of the draft will once it is stored. */
export const fromKit = (requirements: Requirement[], facts: Brand['facts']) =>
  requirements.flatMap((requirement) => {
    const fact = facts.find(({ label }) => label.toLowerCase() === requirement.brand?.toLowerCase());
    if (!fact || faultOf(requirement, fact.text)) return [];
    return [{ requirement: requirement.label, answer: fact.text, by: 'brand' as const }];
  });
