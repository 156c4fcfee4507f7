import { Box, Skeleton } from '@mantine/core';

const Head = () => (
  <div className="stack-small" style={{ marginBottom: 20 }}>
    <Skeleton height={12} width={140} />
    <Skeleton height={24} width="min(340px, 80%)" />
    <Skeleton height={12} width={220} />
  </div>
);

const Blocks = ({ heights }: { heights: number[] }) => (
  <div className="stack">
    {heights.map((height, index) => (
      <Skeleton key={index} height={height} radius={10} />
    ))}
  </div>
);

/** Two columns, by the heights of their panels. */
export const ColumnsSkeleton = ({ left, right }: { left: number[]; right: number[] }) => (
  <div className="late">
    <Head />
    <div className="columns">
      <Blocks heights={left} />
      <Blocks heights={right} />
    </div>
  </div>
);

export const OptionsSkeleton = () => (
  <div className="late">
    <Head />
    <div className="services">
      {Array.from({ length: 8 }, (_, service) => (
        <Skeleton key={service} height={222} radius={10} />
      ))}
    </div>
  </div>
);

export const sumColumns = {
  className: 'tiles',
  style: { '--tile': '280px', '--repeat': 'auto-fit', gap: 28, alignItems: 'start' },
} as const;

export const UsageSkeleton = () => (
  <div className="late stack" style={{ gap: 28 }}>
    <div className="stack-small">
      <Skeleton height={30} width={170} />
      <Skeleton height={6} />
      <Skeleton height={12} width={200} />
    </div>
    <Skeleton height={290} />
    <Box {...sumColumns}>
      <Blocks heights={[220]} />
      <Blocks heights={[220]} />
      <Blocks heights={[220]} />
    </Box>
  </div>
);

export const planColumns = {
  className: 'tiles line-above line-below',
  style: { '--tile': '240px', '--repeat': 'auto-fit', gap: 0 },
} as const;

export const PlansSkeleton = () => (
  <Box {...planColumns} className={`late ${planColumns.className}`}>
    {Array.from({ length: 3 }, (_, plan) => (
      <div key={plan} className="plan stack">
        <Skeleton height={16} width={70} mb={8} />
        <Skeleton height={12} width={170} />
        <Skeleton height={30} width={130} />
        <Skeleton height={34} />
        <Skeleton height={110} />
      </div>
    ))}
  </Box>
);

export const SkeletonRows = ({ columns }: { columns: number }) => (
  <tbody>
    {Array.from({ length: 5 }, (_, row) => (
      <tr key={row} className="late">
        {Array.from({ length: columns }, (__, column) => (
          <td key={column}>
            <Skeleton height={12} width={column === 0 ? '60%' : '40%'} />
          </td>
        ))}
      </tr>
    ))}
  </tbody>
);
