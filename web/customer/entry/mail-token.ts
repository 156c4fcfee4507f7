import { useState } from 'react';

/** Removes the token from the address, so that it stays out of histories and screenshots. */
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
