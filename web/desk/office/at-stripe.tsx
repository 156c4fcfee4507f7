import { Button } from '@mantine/core';
import { IconArrowUpRight } from '../../ui/look/icons.ts';

type Props = { page: string | null; variant?: 'subtle' | 'default'; of?: string; children?: string };

/** The provider's own page. The sandbox has none. */
export const AtStripe = ({ page, variant = 'subtle', of, children = 'At Stripe' }: Props) =>
  page && (
    <Button
      component="a"
      href={page}
      target="_blank"
      rel="noreferrer"
      variant={variant}
      className="above"
      {...(variant === 'subtle' ? { size: 'xs', h: 28, c: 'var(--ink)' } : {})}
      rightSection={<IconArrowUpRight size={15} />}
      aria-label={of && `${children}: ${of}`}
    >
      {children}
    </Button>
  );
