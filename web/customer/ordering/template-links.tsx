import { Box } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { customerPages } from '../../../contract/pages.ts';
import { usePages } from '../../app/use-pages.ts';
import { useServiceNames } from '../../app/service-names.ts';
import { pathTo } from '../../ui/page/address.ts';
import { DraftRow } from './drafts.tsx';
import { templatesRead } from './templates.reads.ts';

/** Templates that the choice of a service offers before the page of all. */
const most = 4;

/** The newest templates, each a link that starts a draft. Nothing without one. */
export function TemplateLinks() {
  const templates = usePages(templatesRead);
  const { service, familyName } = useServiceNames();
  if (!templates.data || templates.data.length === 0) return null;
  return (
    <Box component="section" aria-label="Templates" mb={24}>
      <h2 className="section-title">Templates</h2>
      <ul>
        {templates.data.slice(0, most).map(({ id, name, service_family: family, service_type: type }) => (
          <DraftRow key={id} to={pathTo(customerPages.newJob, {}, { template: id })} title={name}>
            <span className="second small">{type ? service(family, type) : familyName(family)}</span>
          </DraftRow>
        ))}
      </ul>
      <Box component="p" className="small" mt={8}>
        <Link to={customerPages.templates}>All templates</Link>
      </Box>
    </Box>
  );
}
