import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { customerPages } from '../../contract/pages.ts';
import { operationQuery } from '../app/api.ts';
import { useServiceNames } from '../app/service-names.ts';
import { pathTo } from '../ui/page/address.ts';
import { Palette } from '../ui/shell/palette.tsx';

export function FindAnything({
  places,
  orders = false,
}: {
  places: { label: string; to: string }[];
  orders?: boolean;
}) {
  const navigate = useNavigate();
  const [q, setQuery] = useState('');
  const jobs = useQuery({
    ...operationQuery('listJobs', { query: { q, limit: 6 } }),
    enabled: q.length > 1,
    placeholderData: keepPreviousData,
  });
  const go = (to: string) => () => void navigate({ to });
  const { families } = useServiceNames();
  return (
    <Palette
      onQuery={(query) => setQuery(query.trim())}
      actions={[
        ...places.map(({ label, to }) => ({ id: to, label, group: 'Pages', run: go(to) })),
        ...(orders ? families : []).flatMap(({ id: family, service_options: options }) =>
          options.map(({ id: type, name }) => ({
            id: `order ${family} ${type}`,
            label: `Order ${name}`,
            group: 'Services',
            run: go(pathTo(customerPages.newJob, {}, { family, type })),
          })),
        ),
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
