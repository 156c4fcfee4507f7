import { Box, Button } from '@mantine/core';
import { type DeskHealth, useOperation } from '../../app/api.ts';
import { useRead, useReads } from '../../app/use-reads.ts';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { counted } from '../../ui/job/words.ts';
import { IconDownload, IconRefresh } from '../../ui/look/icons.ts';
import { Facts, Failure, Loaded, PageHead, Panel } from '../../ui/page/page.tsx';
import { useNow } from '../../ui/time/now.ts';
import { Time } from '../../ui/time/time.tsx';
import { pageReads } from '../reads.ts';
import { FindingLine } from './finding-line.tsx';
import { NewerVersion } from './newer-version.tsx';

/** Milliseconds between two looks while the service examines itself. */
const lookEvery = 2_000;

/** What doctor finds, for owners without a shell. */
export function Health() {
  const read = useRead(useReads(pageReads.health).health, {
    refetchInterval: ({ state }) => (state.data?.health.examining ? lookEvery : false),
  });
  const examine = useOperation('createExamination', () => void read.refetch());
  const isBusy = examine.isPending || (read.data?.health.examining ?? false);
  return (
    <>
      <PageHead title="Health" below={read.data && <Examined {...read.data.health} />}>
        <Button
          component="a"
          href="/api/operator/v1/support-bundle"
          download
          variant="default"
          leftSection={<IconDownload size={16} />}
        >
          Save a support bundle
        </Button>
        <ActionButton icon={<IconRefresh size={16} />} loading={isBusy} onClick={() => examine.mutate({})}>
          Examine now
        </ActionButton>
      </PageHead>
      <div className="stack">
        {examine.error && <Failure error={examine.error} />}
        <Loaded query={read} height={480}>
          {({ health }) => (
            <>
              <Findings {...health} />
              <Box className="tiles" style={{ '--tile': '340px', '--repeat': 'auto-fit' }}>
                <Backups {...health.backups} />
                <Versions {...health} />
              </Box>
              <NewerVersion health={health} />
            </>
          )}
        </Loaded>
      </div>
    </>
  );
}

const Examined = ({ examined_at: at, examining }: DeskHealth) => (
  <span role="status">
    {examining ? (
      'The service examines itself now, which takes some seconds.'
    ) : at === null ? (
      'The service has not examined itself so far. It does so each hour, and when you ask.'
    ) : (
      <>
        Examined <Time at={at} />. The service does it each hour.
      </>
    )}
  </span>
);

function Findings({ findings, examined_at: at }: DeskHealth) {
  const of = (status: string) => findings.filter((finding) => finding.status === status);
  const [broken, odd, fine] = [of('fail'), of('warn'), of('ok')];
  return (
    <>
      {at !== null && broken.length + odd.length === 0 && (
        <p className="note good">Nothing is broken or needs a look.</p>
      )}
      <Group title="Broken" findings={broken} />
      <Group title="Needs a look" findings={odd} />
      {fine.length > 0 && (
        <details className="panel">
          <summary style={{ padding: '12px 16px' }}>
            <strong>Fine</strong> <span className="second">{counted(fine.length, 'check')}</span>
          </summary>
          <Lines findings={fine} />
        </details>
      )}
    </>
  );
}

type Some = Pick<DeskHealth, 'findings'>;

const Group = ({ title, findings }: Some & { title: string }) =>
  findings.length > 0 && (
    <Panel title={title} beside={<span className="second">{findings.length}</span>} flush>
      <Lines findings={findings} />
    </Panel>
  );

const Lines = ({ findings }: Some) => (
  <ul className="lined">
    {findings.map((finding) => (
      <FindingLine key={finding.check + finding.sentence} {...finding} />
    ))}
  </ul>
);

const hour = 3_600_000;

/** A daily backup may end two hours later than the one before, and each week one is verified. */
const Backups = ({ recorded_at: recorded, verified_at: verified }: DeskHealth['backups']) => (
  <Panel title="Backups">
    <Facts
      facts={[
        ['Last recorded', <Age key="r" at={recorded} late={26 * hour} lost={72 * hour} />],
        ['Last verified', <Age key="v" at={verified} late={192 * hour} lost={768 * hour} />],
      ]}
    />
  </Panel>
);

function Age({ at, late, lost }: { at: string | null; late: number; lost: number }) {
  const passed = useNow(60_000) - Date.parse(at ?? '');
  if (at === null) return <span className="turn">never</span>;
  return (
    <span className={passed > lost ? 'bad' : passed > late ? 'turn' : undefined}>
      <Time at={at} />
      {passed > late && ': too long ago'}
    </span>
  );
}

const Versions = ({ version, node, postgres, newest_migration: migration }: DeskHealth) => (
  <Panel title="Versions">
    <Facts
      facts={[
        ['Atelier', version],
        ['Newest migration', migration],
        ['Node', node],
        ['Postgres', postgres],
      ]}
    />
  </Panel>
);
