import { Box } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { IconMessage } from '../../ui/look/icons.ts';
import { customerPages } from '../../../contract/pages.ts';
import type { ServiceFamily } from '../../app/api.ts';
import { SearchField } from '../../ui/list/search-field.tsx';
import { pathTo, useAddress } from '../../ui/page/address.ts';
import { findServices } from './find-services.ts';
import { ServiceCard } from './service-card.tsx';

/** Every service with a sample of the work, found by name, description or family. `draft`: for which one. */
export function ChooseService({ families, draft = null }: { families: ServiceFamily[]; draft?: string | null }) {
  const [{ q = '', family = '' }, setAddress] = useAddress<'q' | 'family'>();
  const matches = findServices(families, q);
  const shown = matches.filter(({ id }) => family === '' || id === family);
  const all = { id: '', name: 'All', service_options: matches.flatMap(({ service_options }) => service_options) };
  return (
    <>
      <Box className="row find-service" mb={20} style={{ gap: '8px 16px' }}>
        <SearchField label="Find a service" value={q} onFind={(text) => setAddress({ q: text })} width={340} main />
        <Box className="chips" mb={0}>
          {[all, ...matches].map(({ id, name, service_options }) => (
            <button
              key={id}
              type="button"
              className="chip"
              aria-pressed={id === family}
              onClick={() => setAddress({ family: id })}
            >
              {name} <span className="count">{service_options.length}</span>
            </button>
          ))}
        </Box>
      </Box>
      <Box className="stack" role="status" aria-label="Services" style={{ gap: 32 }}>
        {shown.map((each) => (
          <Family key={each.id} family={each} draft={draft} />
        ))}
        {shown.length === 0 && (
          <p>
            Nothing by that name. <Link to={pathTo(customerPages.newJob, {}, { words: q })}>Say what you need</Link>
          </p>
        )}
      </Box>
    </>
  );
}

type FamilyProps = { family: ServiceFamily; draft: string | null };

const Family = ({ family, draft }: FamilyProps) => (
  <section aria-labelledby={`family-${family.id}`}>
    <Box className="row" style={{ gap: '4px 12px', alignItems: 'baseline' }}>
      <Box component="h2" id={`family-${family.id}`} fz={16} fw={600}>
        {family.name}
      </Box>
      <Box component="p" className="second small wide-only" flex={1} miw={240}>
        {family.description}
      </Box>
      <Link to={pathTo(customerPages.concierge, {}, { family: family.id })} className="icon-line small push">
        <IconMessage size={15} aria-hidden /> Talk it through
      </Link>
    </Box>
    <Box component="ul" className="services" mt={12}>
      {family.service_options.map((option) => (
        <li key={option.id}>
          <ServiceCard family={family} option={option} draft={draft} />
        </li>
      ))}
    </Box>
  </section>
);
