import { useState } from 'react';

/** The token of a mailed link. It leaves the address at once, so that it stays in no history and no screenshot. */
export function useMailToken(): string | null {
  return useState(() => {
    const address = new URL(location.href);
    const token = address.searchParams.get('token');
    if (token !== null) {
      address.searchParams.delete('token');
      history.replaceState(history.state, '', address);
    }
    return token;
  })[0];
}
