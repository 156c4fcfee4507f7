import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { customerPages } from '../../../contract/pages.ts';
import { cleanDeviceCode } from '../../../contract/typed.ts';
import { AtelierError, operationQuery } from '../../app/api.ts';
import { pathTo, useAddress } from '../../ui/page/address.ts';
import { PageForm } from '../../ui/form/page-form.tsx';
import { Entry } from '../../ui/page/entry.tsx';
import { ConsentPage, type Decision, SignInFirst } from './consent.tsx';

/** A program without a browser shows a code, which a person enters or compares here. */
export function Device() {
  const [{ user_code = '' }] = useAddress<'user_code'>();
  const code = cleanDeviceCode(user_code);
  const [decided, setDecided] = useState<Decision | null>(null);
  const read = useQuery({
    ...operationQuery('readDevice', { query: { code } }),
    enabled: code !== '',
    staleTime: 'static',
  });
  const failed = read.error instanceof AtelierError ? read.error.status : null;
  const page = (
    <ConsentPage
      title="Connect a program"
      code={code}
      query={read}
      height={560}
      decided={decided}
      onDecided={({ allowed }) => setDecided({ allowed, to: null })}
    />
  );
  if (decided !== null) return page;
  if (failed === 401)
    return (
      <SignInFirst
        title="Sign in to connect a program"
        next={pathTo(customerPages.device, {}, { user_code: code })}
        onSignedIn={() => void read.refetch()}
      />
    );
  if (code === '' || failed === 400) return <EnterCode key={code} before={code} isWrong={failed === 400} />;
  return page;
}

function EnterCode({ before, isWrong }: { before: string; isWrong: boolean }) {
  const [, setAddress] = useAddress<'user_code'>();
  const [code, setCode] = useState(before);
  return (
    <Entry title="Enter the code" lead="Eight letters, which the program shows.">
      <PageForm submit="Go on" onSubmit={() => setAddress({ user_code: code })} disabled={code.trim() === ''}>
        <TextInput
          label="Code"
          autoComplete="off"
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          error={isWrong ? 'No program waits with this code. A code is valid for ten minutes.' : null}
          data-autofocus
        />
      </PageForm>
    </Entry>
  );
}
