import { Box } from '@mantine/core';
import type { Brand as Kit } from '../../app/api.ts';
import { useRoleReason } from '../../app/session/session.tsx';
import { useRead, useReads } from '../../app/use-reads.ts';
import { BrandFacts } from '../../ui/job/brand-facts.tsx';
import { Empty } from '../../ui/list/empty.tsx';
import { Forbidden, Loaded, PageHead, Panel } from '../../ui/page/page.tsx';
import { Time } from '../../ui/time/time.tsx';
import { brandReads } from './brand.reads.ts';
import { BrandFiles, KitFiles } from './brand-files.tsx';
import { FactsForm } from './brand-form.tsx';

/** Milliseconds until a poster that is being drawn is looked for again. */
const posterEvery = 2_000;

export function Brand() {
  const brand = useRead(useReads(brandReads).brand, {
    refetchInterval: ({ state: { data } }) =>
      data?.brand.files.some(({ poster_status: poster }) => poster === 'pending') && posterEvery,
  });
  const forbidden = useRoleReason();
  return (
    <>
      <PageHead
        title="Brand"
        below="What the studio should know with every job. Each order takes a copy along; earlier jobs keep theirs."
      />
      <Loaded query={brand}>
        {({ brand: kit }) => (
          <Box className="stack" maw={860}>
            {forbidden !== null && <Forbidden>{forbidden}</Forbidden>}
            {forbidden === null ? <Edited kit={kit} /> : <ReadOnly kit={kit} />}
            <LastChange kit={kit} />
          </Box>
        )}
      </Loaded>
    </>
  );
}

const Edited = ({ kit }: { kit: Kit }) => (
  <>
    <FactsForm kit={kit} />
    <BrandFiles kit={kit} />
  </>
);

const ReadOnly = ({ kit }: { kit: Kit }) =>
  kit.facts.length + kit.files.length === 0 ? (
    <Empty>Nothing is kept here yet: facts and files of your brand that go to the studio with every order.</Empty>
  ) : (
    <>
      {kit.facts.length > 0 && (
        <Panel title="Facts">
          <BrandFacts facts={kit.facts} />
        </Panel>
      )}
      {kit.files.length > 0 && (
        <Panel title="Files">
          <KitFiles files={kit.files} />
        </Panel>
      )}
    </>
  );

const LastChange = ({ kit: { updated_at: at, updated_by: by } }: { kit: Kit }) =>
  at && (
    <p className="small second">
      Last changed <Time at={at} />
      {by && ` by ${by.name}`}.
    </p>
  );
