import { Box, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { IconMessage } from '../../ui/look/icons.ts';
import { customerPages } from '../../../contract/pages.ts';
import type { ServiceFamily, ServiceOption } from '../../app/api.ts';
import { SearchField } from '../../ui/list/search-field.tsx';
import { useServiceNames } from '../../app/service-names.ts';
import { pathTo, useAddress } from '../../ui/page/address.ts';
import { findServices } from './find-services.ts';
import { sayHours, sayRoundCount, sayRoundTime } from './option-words.ts';

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
            Nothing by that name. <Link to={customerPages.concierge}>Say what you need</Link>
          </p>
        )}
      </Box>
    </>
  );
}

const cover = { display: 'block', width: '100%', height: '100%', objectFit: 'cover' } as const;

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
          <Service family={family} option={option} draft={draft} />
        </li>
      ))}
    </Box>
  </section>
);

function Service({ family, option, draft }: FamilyProps & { option: ServiceOption }) {
  const business = useServiceNames().businessHours !== null;
  const search = { ...(draft && { draft }), family: family.id, type: option.id };
  return (
    <Link to={pathTo(customerPages.newJob, {}, search)} className="service ink">
      <span className="service-picture">
        {option.picture && (
          <img src={option.picture} alt="" width={640} height={400} style={cover} loading="lazy" decoding="async" />
        )}
      </span>
      <Box className="stack" component="span" style={{ gap: 2 }}>
        <Box component="h3" fz={14} fw={600}>
          {option.name}
        </Box>
        <Text component="span" inherit lineClamp={2} className="second">
          {option.description}
        </Text>
        <span className="third small">
          {sayHours(option.turnaround_hours, business)} · 1 job · {sayRoundCount(option.revision_rounds)}
          {sayRoundTime(option, business)}
        </span>
      </Box>
    </Link>
  );
}
