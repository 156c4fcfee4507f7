import { Button, Group } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { customerPages } from '../../../contract/pages.ts';
import type { Template } from '../../app/api.ts';
import { useServiceNames } from '../../app/service-names.ts';
import { useReadOnlyReason } from '../../app/session/session.tsx';
import { usePages } from '../../app/use-pages.ts';
import { useReads } from '../../app/use-reads.ts';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { creatorWords } from '../../ui/job/words.ts';
import { Empty } from '../../ui/list/empty.tsx';
import { type Column, List, ListFoot } from '../../ui/list/list.tsx';
import { pathTo } from '../../ui/page/address.ts';
import { curl } from '../../ui/page/curl.ts';
import { Loaded, PageHead } from '../../ui/page/page.tsx';
import { Time } from '../../ui/time/time.tsx';
import { DeleteTemplate, RenameTemplate } from './template-dialogs.tsx';
import { templatesReads } from './templates.reads.ts';

type Action = { to: 'rename' | 'delete'; template: Template };

/** Orders to start from again, which the members of the account share. */
export function Templates() {
  const templates = usePages(useReads(templatesReads).templates);
  const [action, setAction] = useState<Action | null>(null);
  const readOnly = useReadOnlyReason();
  const { service, familyName } = useServiceNames();
  const serviceOf = ({ service_family: family, service_type: type }: Template) =>
    type ? service(family, type) : familyName(family);
  const close = () => setAction(null);
  return (
    <>
      <PageHead
        title="Templates"
        below="Orders to start from again. Everybody in the account uses and changes them. A new draft gets a copy."
      />
      <Loaded query={templates}>
        {(rows) =>
          rows.length === 0 ? (
            <NoTemplates />
          ) : (
            <>
              <List
                label="Templates"
                rows={rows}
                columns={columns(serviceOf, setAction, readOnly)}
                rowKey={({ id }) => id}
                href={({ id }) => pathTo(customerPages.newJob, {}, { template: id })}
              />
              <ListFoot shown={`${rows.length} shown`} more={templates.more} loading={templates.loadingMore} />
            </>
          )
        }
      </Loaded>
      {action?.to === 'rename' && <RenameTemplate template={action.template} onClose={close} />}
      {action?.to === 'delete' && <DeleteTemplate template={action.template} onClose={close} />}
    </>
  );
}

const columns = (
  serviceOf: (template: Template) => string,
  begin: (action: Action) => void,
  readOnly: string | null,
): Column<Template>[] => [
  {
    head: 'Template',
    width: '40%',
    cell: (template) => (
      <>
        {template.name}
        <span className="cell-second">{serviceOf(template)}</span>
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
          <Button
            variant="subtle"
            size="xs"
            h={28}
            onClick={() => begin({ to: 'rename', template })}
            aria-label={`Rename ${template.name}`}
          >
            Rename
          </Button>
          <Button
            variant="subtle"
            color="bad"
            size="xs"
            h={28}
            onClick={() => begin({ to: 'delete', template })}
            aria-label={`Delete ${template.name}`}
          >
            Delete
          </Button>
        </Group>
      ),
  },
];

function NoTemplates() {
  const navigate = useNavigate();
  const body = { name: 'Monthly newsletter', service_family: 'writing', service_type: 'email_sequence' };
  return (
    <Empty
      action={
        <ActionButton variant="default" onClick={() => void navigate({ to: customerPages.newJob })}>
          Begin an order
        </ActionButton>
      }
      command={curl({ path: '/api/v1/templates', body })}
    >
      No template yet. Fill in an order, then choose “Save as template” below its button.
    </Empty>
  );
}
