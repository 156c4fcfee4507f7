const stored = 'atelier-review-token';

/** Takes the token of a review link out of the address at once. It stays in this tab, for reloads. */
export function takeReviewToken(): void {
  const token = location.hash.slice(1);
  if (token === '') return;
  sessionStorage.setItem(stored, token);
  history.replaceState(history.state, '', location.pathname);
}

export const reviewToken = (): string => sessionStorage.getItem(stored) ?? '';
