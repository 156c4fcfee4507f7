-- What an operator may do at the desk (contract/operator-roles.ts); null for who is no operator. Operators from
-- before there were roles are owners.
alter table auth.user add operator_role text check (operator_role in ('maker', 'reviewer', 'lead', 'owner'));
update auth.user set operator_role = 'owner' where operator;
alter table auth.user drop column operator;
alter table auth.user add operator boolean not null generated always as (operator_role is not null) stored;
create index on auth.user (created_at, id) where operator;
