import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { customerPages } from '../../../contract/pages.ts';
import { Entry } from '../../ui/page/entry.tsx';

export const UnknownInvitation = () => (
  <Entry
    title="This invitation is not open"
    lead="It was answered or canceled, is older than two days, or a part of the link is missing. Ask for another one."
  >
    <Button component={Link} to={customerPages.home} fullWidth>
      Go to your jobs
    </Button>
  </Entry>
);
