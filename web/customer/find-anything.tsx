import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { customerPages } from '../../contract/pages.ts';
import { operationQuery } from '../app/api.ts';
import { useServiceNames } from '../app/service-names.ts';
import { pathTo } from '../ui/page/address.ts';
import { Palette } from '../ui/shell/palette.tsx';

type Props = { places: { label: string; to: string }[]; services?: boolean };

/** The palette: pages, services to order, and jobs by their words. */
export function FindAnything({ places, services: withServices = false }: Props) {
  const navigate = useNavigate();
  const [q, setQuery] = useState('');
  const jobs = useQuery({
    ...operationQuery('listJobs', { query: { q, limit: 6 } }),
    enabled: q.length > 1,
    placeholderData: keepPreviousData,
  });
  const go = (to: string) => () => void navigate({ to });
  const { families } = useServiceNames();
  const services = (withServices ? families : []).flatMap((family) =>
    family.service_options.map((option) => ({ family, option })),
  );
  return (
    <Palette
      onQuery={(query) => setQuery(query.trim())}
      actions={[
        ...places.map(({ label, to }) => ({ id: to, label, group: 'Pages', run: go(to) })),
        ...services.map(({ family, option }) => ({
          id: `order ${family.id} ${option.id}`,
          label: `Order ${option.name}`,
          group: 'Services',
          run: go(pathTo(customerPages.newJob, {}, { family: family.id, type: option.id })),
        })),
        ...(jobs.data?.jobs ?? []).map(({ id, customer_title: label }) => ({
          id,
          label,
          group: 'Jobs',
          run: go(pathTo(customerPages.job, { id })),
        })),
      ]}
    />
  );
}
