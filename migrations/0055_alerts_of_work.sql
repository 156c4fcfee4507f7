-- What happens to work at the desk has a side of its own, which the version before does not read: it has no words for it.
alter table notifications drop constraint notifications_side_check,
  add constraint notifications_side_check check (side in ('customer', 'studio', 'office', 'team', 'desk'));
