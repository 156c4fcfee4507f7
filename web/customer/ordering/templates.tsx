import { Group } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { customerPages } from '../../../contract/pages.ts';
import type { Template } from '../../app/api.ts';
import { useServiceNames } from '../../app/service-names.ts';
import { useReadOnlyReason } from '../../app/session/session.tsx';
import { usePages, useReads } from '../../app/use-reads.ts';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { creatorWords } from '../../ui/job/words.ts';
import { type Column, Empty } from '../../ui/list/list.tsx';
import { PagedList } from '../../ui/list/paged-list.tsx';
import { RowButton } from '../../ui/list/row-button.tsx';
import { pathTo } from '../../ui/page/address.ts';
import { curl } from '../../ui/page/curl.ts';
import { PageHead } from '../../ui/page/page.tsx';
import { Time } from '../../ui/time/time.tsx';
import { DeleteTemplate, RenameTemplate } from './template-dialogs.tsx';
import { templatesReads } from './templates.reads.ts';

/** Orders to start from again, which the members of the account share. */
export function Templates() {
  const templates = usePages(useReads(templatesReads).templates);
  const [action, setAction] = useState<{ to: 'rename' | 'delete'; template: Template } | null>(null);
  const readOnly = useReadOnlyReason();
  const navigate = useNavigate();
  const { service, isRetired } = useServiceNames();
  const ActionDialog = action?.to === 'rename' ? RenameTemplate : DeleteTemplate;
  const columns: Column<Template>[] = [
    {
      head: 'Template',
      width: '40%',
      cell: ({ name, service_family: family, service_type: type }) => (
        <>
          {name}
          <span className="cell-second">
            {service(family, type)}
            {isRetired(family, type) && ' · no longer offered'}
          </span>
        </>
      ),
    },
    { head: 'Saved by', cell: (template) => <bdi>{creatorWords(template)}</bdi> },
    { head: 'Changed', cell: ({ updated_at: at }) => <Time at={at} /> },
    {
      head: 'Actions',
      end: true,
      quiet: true,
      cell: (template) =>
        readOnly === null && (
          <Group gap={0} justify="flex-end" wrap="nowrap" className="above">
            <RowButton label={`Rename ${template.name}`} onClick={() => setAction({ to: 'rename', template })}>
              Rename
            </RowButton>
            <RowButton
              destructive
              label={`Delete ${template.name}`}
              onClick={() => setAction({ to: 'delete', template })}
            >
              Delete
            </RowButton>
          </Group>
        ),
    },
  ];
  return (
    <>
      <PageHead
        title="Templates"
        below="Orders to start from again. Everybody in the account uses and changes them. A new draft gets a copy."
      />
      <PagedList
        label="Templates"
        pages={templates}
        columns={columns}
        rowKey={({ id }) => id}
        href={({ id }) => pathTo(customerPages.newJob, {}, { template: id })}
        empty={
          <Empty
            action={
              <ActionButton variant="default" onClick={() => void navigate({ to: customerPages.newJob })}>
                Begin an order
              </ActionButton>
            }
            command={curl({
              path: '/api/v1/templates',
              body: { name: 'Monthly newsletter', service_family: 'writing', service_type: 'email_sequence' },
            })}
          >
            No template yet. Fill in an order, then choose “Save as template” below its button.
          </Empty>
        }
      />
      {action && <ActionDialog template={action.template} onClose={() => setAction(null)} />}
    </>
  );
}
