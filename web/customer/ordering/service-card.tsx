import { Box, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { customerPages } from '../../../contract/pages.ts';
import { useServiceNames } from '../../app/service-names.ts';
import { pathTo } from '../../ui/page/address.ts';
import type { Service } from './find-services.ts';
import { sayHours, sayRoundCount, sayRoundTime } from './option-words.ts';

/** A picture that fills its frame. */
export const cover = { display: 'block', width: '100%', height: '100%', objectFit: 'cover' } as const;

type Props = Service & {
  /** The draft that it is chosen for. */
  draft: string | null;
};

/** A sample of a service, and what it takes. */
export function ServiceCard({ family, option, draft }: Props) {
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
