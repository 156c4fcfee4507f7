import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { customerPages } from '../../../contract/pages.ts';
import { Loaded, PageHead } from '../../ui/page/page.tsx';
import { Brand } from '../../ui/shell/shell.tsx';
import { catalogRead } from '../../app/reads.ts';
import { useRead } from '../../app/use-reads.ts';
import { ChooseService } from './choose-service.tsx';

/** Public. Ordering asks visitors to sign in. */
export function Catalog() {
  const catalog = useRead(catalogRead);
  return (
    <>
      <header className="public-head">
        <Brand name="Atelier" to={customerPages.home} />
        <nav className="row push" aria-label="Main">
          <Button component={Link} to={customerPages.signIn} variant="default">
            Sign in
          </Button>
          <Button component={Link} to={customerPages.signUp}>
            Create an account
          </Button>
        </nav>
      </header>
      <main className="page public-page">
        <PageHead
          title="What the studio makes"
          below="Say what you need; follow the work; approve it, or ask for changes."
        />
        <Loaded query={catalog} height={480}>
          {({ service_families: families }) => <ChooseService families={families} />}
        </Loaded>
      </main>
    </>
  );
}
