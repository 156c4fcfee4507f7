import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { IconMessage } from '@tabler/icons-react';
import { customerPages } from '../../../contract/pages.ts';
import { useRead, useReads } from '../../app/use-reads.ts';
import { pathTo, useAddress } from '../../ui/page/address.ts';
import { Loaded, PageHead } from '../../ui/page/page.tsx';
import { ColumnsSkeleton, OptionsSkeleton } from '../../ui/list/skeletons.tsx';
import { sayHours, sayRounds } from './option-words.ts';
import { ChooseService } from './choose-service.tsx';
import { readInstructions } from '../../ui/job/instructions.ts';
import { newJobReads } from './new-job.reads.ts';
import { OrderForm } from './order-form.tsx';

type Search = 'family' | 'type' | 'from';

/** `from` starts with the words of an earlier job. */
export function NewJob() {
  const [{ family: familyId, type, from }] = useAddress<Search>();
  const reads = useReads(newJobReads);
  const catalog = useRead(reads.catalog);
  const earlier = useRead(reads.earlier);
  const skeleton = (type ?? from) ? <ColumnsSkeleton left={[756, 146]} right={[436]} /> : <OptionsSkeleton />;
  if (reads.earlier && earlier.isPending) return skeleton;
  const before = earlier.data?.job;
  return (
    <Loaded query={catalog} skeleton={skeleton} head={<PageHead title="New job" />}>
      {({ service_families: families }) => {
        const family = families.find(({ id }) => id === (familyId ?? before?.service_family));
        const option = family?.service_options.find(({ id }) => id === (type ?? before?.service_type));
        if (!family || !option)
          return (
            <>
              <PageHead title="New job" below="What should the studio make?" />
              <ChooseService families={families} />
            </>
          );
        const talk = pathTo(customerPages.concierge, {}, { family: family.id, type: option.id });
        return (
          <>
            <PageHead
              title="New job"
              below={`${family.name} · ${option.name} · first delivery within ${sayHours(option.turnaround_hours)} · ${sayRounds(option.revision_rounds)}`}
              actions={
                <>
                  <Button component={Link} to={customerPages.newJob} variant="subtle">
                    Choose another service
                  </Button>
                  <Button component={Link} to={talk} variant="subtle" leftSection={<IconMessage size={16} />}>
                    Talk it through instead
                  </Button>
                </>
              }
            />
            <OrderForm
              key={`${family.id} ${option.id} ${from ?? ''}`}
              family={family}
              option={option}
              draftName={`order-${family.id}-${option.id}${from ? `-${from}` : ''}`}
              start={
                before
                  ? {
                      title: before.customer_title,
                      ...readInstructions(family.intake_requirements, before.customer_instructions),
                    }
                  : { title: '', answers: {}, words: '' }
              }
            />
          </>
        );
      }}
    </Loaded>
  );
}
