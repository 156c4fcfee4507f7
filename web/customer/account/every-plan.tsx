import { Box } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { customerPages } from '../../../contract/pages.ts';
import type { ServiceOption } from '../../app/api.ts';
import { useServiceNames } from '../../app/service-names.ts';
import { Section } from '../../ui/page/section.tsx';
import { sayHours } from '../ordering/option-words.ts';

/** What depends on the service instead of the plan. */
export function EveryPlan() {
  const { families, businessHours } = useServiceNames();
  const options = families.flatMap(({ service_options: all }) => all);
  if (options.length === 0) return null;
  const between = (of: (option: ServiceOption) => number, say: (value: number) => string) =>
    [...new Set([Math.min(...options.map(of)), Math.max(...options.map(of))])].map(say).join(' to ');
  const business = businessHours !== null;
  const lines = {
    'First delivery': `within ${between(
      ({ turnaround_hours: hours }) => hours,
      (hours) => sayHours(hours, business),
    )}`,
    'Rounds of changes': `${between(({ revision_rounds: rounds }) => rounds, String)} for each job`,
    'Your review': `${between(
      ({ auto_approval_hours: hours }) => hours,
      (hours) => sayHours(hours),
    )}, then the work is approved by itself`,
  };
  return (
    <Section
      title="With every plan"
      below={
        <>
          The service decides: see the <Link to={customerPages.catalog}>catalog</Link>.
        </>
      }
    >
      <ul className="plan-lines">
        {Object.entries(lines).map(([name, words]) => (
          <li key={name} className="row">
            <Box component="span" className="second" w={180}>
              {name}
            </Box>
            {words}
          </li>
        ))}
      </ul>
    </Section>
  );
}
