export function jobLinks(id: string) {
  const self = `/api/v1/jobs/${id}`;
  return {
    self,
    events: `${self}/events`,
    approve: `${self}/approve`,
    cancel: `${self}/cancel`,
    revision: `${self}/revision`,
  };
}
