/** A token in the fragment of an address, under a name of this tab. */
function fragmentToken(stored: string) {
  return {
    /** Takes it out of the address at once. It stays in this tab, for reloads. */
    take(): void {
      const token = location.hash.slice(1);
      if (token === '') return;
      sessionStorage.setItem(stored, token);
      history.replaceState(history.state, '', location.pathname);
    },
    read: (): string => sessionStorage.getItem(stored) ?? '',
  };
}

export const { take: takeReviewToken, read: reviewToken } = fragmentToken('atelier-review-token');
export const { take: takeUploadToken, read: uploadToken } = fragmentToken('atelier-upload-token');
